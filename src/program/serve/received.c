#define _XOPEN_SOURCE 700 /* realpath() */
/* received.c — receives the files of a terrain. First the page announces names and sizes, which are checked; then it
 * sends each file. The files of a terrain get a new folder, so that no file replaces another. */
#include "serve.h"
#include "terrains.h"

#include "base/order.h"
#include "record/json_number.h"
#include "run/output.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { FILES_MOST = 500, TOGETHER_MOST = 64, FOLDERS_MOST = 1000, NAME_MOST = 200 };
static const double BYTES_MOST = 8.0 * (1 << 30), BYTES_LEFT = 256.0 * (1 << 20);

struct received {
    struct received *next;
    int64_t id;
    char *folder;
    bool kept;
    int count;
    struct sent {
        char *name;
        size_t bytes;
        bool begun, whole;
    } * file;
};

static void received_free(struct received *r)
{
    for (int i = 0; i < r->count; i++) {
        FREED char *path = r->folder ? text_format("%s/%s", r->folder, r->file[i].name) : NULL;
        if (path && !r->kept && r->file[i].begun) unlink(path);
        free(r->file[i].name);
    }
    if (r->folder && !r->kept) rmdir(r->folder);
    FREE_ALL(r->file, r->folder, r);
}

int terrains_open(struct terrains *t, const struct serve_options *o, struct terrain_opener opener,
                  struct error *e)
{
    *t = (struct terrains){.dem = o->dem, .opener = opener};
    pthread_mutex_init(&t->lock, NULL);
    t->folder = text_format("%s/terrains", o->folder);
    return t->folder ? 0 : error_memory(e);
}

void terrains_close(struct terrains *t)
{
    for (struct received *r = t->received, *next; r; r = next) {
        next = r->next;
        received_free(r);
    }
    if (t->folder) pthread_mutex_destroy(&t->lock);
    free(t->folder);
    t->folder = NULL;
}

/* The caller holds the lock. */
static struct received *find_received(const struct terrains *t, int64_t id)
{
    struct received *r = t->received;
    while (r && r->id != id) r = r->next;
    return r;
}

void received_keep(struct terrains *t, int64_t id)
{
    LOCKED(&t->lock);
    struct received *r = find_received(t, id);
    if (r) r->kept = true;
}

/* ---- what will come -------------------------------------------------------------------------- */

static int take_name(struct received *r, const cJSON *one, double *bytes, struct error *e)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(one, "name"),
                *size = cJSON_GetObjectItemCaseSensitive(one, "bytes");
    if (!cJSON_IsString(name) || !request_is_name(name->valuestring))
        return error_input(e, "give the name of each file, without folders");
    if (strlen(name->valuestring) > NAME_MOST)
        return error_input(e, "%.40s...: the name is too long; give one of at most %d bytes",
                           name->valuestring, NAME_MOST);
    for (int i = 0; i < r->count; i++)
        if (!strcmp(r->file[i].name, name->valuestring))
            return error_input(e, "%s: two files have that name", name->valuestring);
    const double count = cJSON_IsNumber(size) ? size->valuedouble : 0;
    if (!(count >= 1 && count <= BYTES_MOST && floor(count) == count))
        return error_input(e, "%s: give a file of 1 byte to 8 GiB", name->valuestring);
    *bytes += count;
    struct sent *s = &r->file[r->count];
    if (!(s->name = text_format("%s", name->valuestring))) return error_memory(e);
    s->bytes = (size_t)count;
    r->count++;
    return 0;
}

static int take_names(struct received *r, const cJSON *files, double *bytes, struct error *e)
{
    const int count = cJSON_IsArray(files) ? cJSON_GetArraySize(files) : 0;
    if (count < 1 || count > FILES_MOST) return error_input(e, "give 1 to %d files", FILES_MOST);
    if (!(r->file = calloc((size_t)count, sizeof *r->file))) return error_memory(e);
    for (int i = 0; i < count; i++) {
        const int status = take_name(r, cJSON_GetArrayItem(files, i), bytes, e);
        if (status) return status;
    }
    return 0;
}

/* Makes a new folder with the name of the first file. */
static int make_folder(struct received *r, const char *in, struct error *e)
{
    const char *name = r->file[0].name;
    for (int k = 1; k <= FOLDERS_MOST; k++) {
        char number[16] = "";
        if (k > 1) snprintf(number, sizeof number, "-%d", k);
        FREED char *path = text_format("%s/%.*s%s", in, path_stem(name), name, number);
        if (!path) return error_memory(e);
        if (!mkdir(path, 0777)) return (r->folder = realpath(path, NULL)) ? 0 : error_memory(e);
        if (errno != EEXIST)
            return error_failed(e, "%s: the folder cannot be made: %s", path, strerror(errno));
    }
    return error_input(e, "%s: too many terrains named %s", in, name);
}

static int check_room(const char *folder, double bytes, struct error *e)
{
    struct statvfs about;
    if (bytes > BYTES_MOST)
        return error_input(e,
                           "the files have %.1f GiB, and at most 8 GiB can be sent; serve the "
                           "folder that has the files",
                           bytes / (1 << 30));
    if (!statvfs(folder, &about) &&
        (double)about.f_bavail * (double)about.f_frsize < bytes + BYTES_LEFT)
        return error_input(e, "%s: the disk has no room for %.3g MB", folder, bytes / 1e6);
    return 0;
}

int answer_announced(struct request *q)
{
    struct terrains *t = q->of;
    struct error e = {0};
    double bytes = 0;
    struct received *r = calloc(1, sizeof *r);
    int status = r ? take_names(r, request_member(q, "files"), &bytes, &e) : error_memory(&e);
    LOCKED(&t->lock);
    int together = 0;
    for (const struct received *at = t->received; at; at = at->next) together++;
    if (!status && together >= TOGETHER_MOST)
        status = error_input(
            &e, "%d terrains were sent, and the program takes no more; start it again", together);
    if (!status) status = output_prepare(t->folder, &e);
    if (!status) status = check_room(t->folder, bytes, &e);
    if (!status) status = make_folder(r, t->folder, &e);
    if (status) {
        if (r) received_free(r);
        return reply_error(q, NULL, &e);
    }
    r->id = ++t->ids;
    r->next = t->received;
    t->received = r;
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"id", (double)r->id});
    return reply_json(q, HTTP_OK, o);
}

/* ---- files that come ------------------------------------------------------------------------- */

/* Finds a file that was announced; NULL: it was not announced. The caller holds the lock. */
static struct sent *find_sent(struct request *q, struct received **r)
{
    const int64_t file = request_number(q, "file", -1);
    *r = find_received(q->of, request_number(q, "id", 0));
    return *r && file >= 0 && file < (*r)->count ? &(*r)->file[file] : NULL;
}

int begin_received(struct request *q)
{
    struct terrains *t = q->of;
    struct received *r;
    LOCKED(&t->lock);
    struct sent *s = find_sent(q, &r);
    if (!s) return reply_refusal(q, HTTP_NOT_FOUND, "that file was not announced");
    if (s->begun) return reply_refusal(q, HTTP_CONFLICT, "that file has come already");
    if (q->room != s->bytes)
        return reply_refusal(q, HTTP_BAD_REQUEST, "that file has another size than announced");
    q->file_path = text_format("%s/%s", r->folder, s->name);
    const int file =
        q->file_path ? open(q->file_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (file >= 0 && !(q->file = fdopen(file, "w"))) close(file);
    s->begun = q->file != NULL;
    return s->begun ? 1 : reply_refusal(q, HTTP_FAILED, "the file cannot be written");
}

int answer_received(struct request *q)
{
    struct terrains *t = q->of;
    struct received *r;
    const bool whole = request_take_file(q);
    LOCKED(&t->lock);
    struct sent *s = find_sent(q, &r);
    if (!whole || !s)
        return reply_refusal(q, HTTP_BAD_REQUEST, "the file has not arrived completely");
    s->whole = true;
    return reply_json(q, HTTP_OK, cJSON_CreateObject());
}

/* ---- rasters among them ---------------------------------------------------------------------- */

static bool is_beside(const char *name)
{
    static const char *const endings[] = {".prj", ".tfw",  ".tifw", ".wld", ".jgw", ".j2w", ".pgw",
                                          ".bpw", ".hdr",  ".aux",  ".xml", ".ovr", ".msk", ".txt",
                                          ".csv", ".html", ".pdf",  ".clr", ".stx", NULL};
    for (const char *const *at = endings; *at; at++)
        if (text_has_extension(name, *at)) return true;
    return false;
}

/* Refuses a raster that is a text with names of other files, such as a VRT. GDAL would open these files of this machine, and
 * the sender of the raster must not see them. */
static int check_own(const char *path, const char *name, struct error *e)
{
    char head[64];
    const size_t size = file_head(head, sizeof head, path);
    const char *first = head + strspn(head, " \t\r\n\xef\xbb\xbf");
    if (!size) return error_input(e, "%s: cannot be read", name);
    if (*first != '<' && *first != '{') return 0;
    return error_input(e, "%s: it only names other files; send the rasters themselves", name);
}

int received_sources(struct terrains *t, int64_t id, char ***source, int *count, struct error *e)
{
    LOCKED(&t->lock);
    const struct received *r = find_received(t, id);
    int status = r ? 0 : error_input(e, "that terrain was not sent");
    for (int i = 0; r && i < r->count && !status; i++) {
        const struct sent *s = &r->file[i];
        if (!s->whole)
            status = error_input(e, "%s: has not arrived completely; send it again", s->name);
        if (status || is_beside(s->name)) continue;
        char *path = text_format("%s/%s", r->folder, s->name);
        if (!path || !APPEND(*source, *count, path)) free(path), status = error_memory(e);
        else status = check_own(path, s->name, e);
    }
    if (!status && !*count)
        status = error_input(e, "give a terrain: none of these files is a raster");
    if (*count) qsort(*source, (size_t)*count, sizeof **source, order_names);
    return status;
}
