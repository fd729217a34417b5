#define _XOPEN_SOURCE 700 /* realpath() */
/* served.c — finds the file that a request is about. The program serves one file or a folder. Paths of a file in the
 * folder begin with /f/NUMBER, and the first request for the file opens it. The list of files is made anew whenever it
 * is requested. The list also has the terrains that were sent or prepared. */
#include "serve.h"
#include "terrains.h"

#include "base/clock.h"
#include "record/json_number.h"
#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 2000, LOOKED_MOST = 20000, DEPTH_MOST = 5, OPEN_MOST = 4 };

/* A file of the list. Its number is its index, which does not change. */
struct file {
    char *path; /* path below the folder; absolute if the terrain was sent or prepared */
    enum serve_kind kind;
    int scan;                /* number of the last listing that found the file */
    time_t modified;         /* st_mtime of the file when its kind was determined */
    off_t bytes;             /* size of the file when its kind was determined */
    struct session *session; /* NULL: the file is not open */
    int users;               /* number of requests that use the session */
    double used_s;
};

struct served {
    struct serve_options o;
    char key[HTTP_KEY + 1];
    struct http *http;
    struct session *only; /* session of the only file; NULL: a folder is served */
    char *root;           /* absolute path of that folder */
    struct terrains terrains;
    pthread_mutex_t opening;
    pthread_mutex_t lock; /* guards all members below */
    int scan, looked;
    size_t count;
    struct file file[FILES_MOST];
};

/* ---- the list -------------------------------------------------------------------------------- */

static size_t find_file(const struct served *h, const char *path)
{
    size_t n = 0;
    while (n < h->count && strcmp(h->file[n].path, path)) n++;
    return n;
}

/* Lists a file and returns its number; FILES_MOST: there are too many. */
static size_t keep_file(struct served *h, const char *path, enum serve_kind kind)
{
    const size_t n = find_file(h, path);
    if (n == FILES_MOST) return n;
    struct file *f = &h->file[n];
    if (n == h->count) {
        if (!(f->path = text_format("%s", path))) return FILES_MOST;
        h->count++;
    }
    f->kind = kind;
    f->scan = h->scan;
    return n;
}

static void look_into(struct served *h, const char *folder, int depth);

/* Lists a file. Determines its kind, unless the file is unchanged since the last listing. results: the file is in the
 * folder of a run or a study. From such a folder only a library is listed, because layers of a run are no terrain to
 * start from. */
static void look_at_file(struct served *h, const char *below, const char *path,
                         const struct stat *about, bool results)
{
    size_t n = find_file(h, below);
    const bool known = n < h->count && h->file[n].modified == about->st_mtime &&
                       h->file[n].bytes == about->st_size;
    enum serve_kind kind = known ? h->file[n].kind : SERVE_CASE;
    if (!known && !file_is_offered(&kind, path, about)) return;
    if ((results && kind != SERVE_LIBRARY) || (n = keep_file(h, below, kind)) == FILES_MOST) return;
    h->file[n].modified = about->st_mtime;
    h->file[n].bytes = about->st_size;
}

/* Looks at a path below the folder that is served. Links are not followed, so that all files are inside that folder. */
static void look_at(struct served *h, const char *below, bool results, int depth)
{
    FREED char *path = text_format("%s/%s", h->root, below);
    struct stat about;
    if (path && !lstat(path, &about)) {
        if (S_ISDIR(about.st_mode) && depth < DEPTH_MOST) look_into(h, below, depth + 1);
        else if (S_ISREG(about.st_mode)) look_at_file(h, below, path, &about, results);
    }
}

static void look_into(struct served *h, const char *folder, int depth)
{
    FREED struct dirent **entry = NULL;
    FREED char *path = text_format("%s/%s", h->root, folder);
    FREED char *summary = text_format("%s/%s/summary.json", h->root, folder);
    const int count = path ? scandir(path, &entry, NULL, alphasort) : 0;
    const bool results = summary && !access(summary, F_OK);
    for (int i = 0; i < count; i++) {
        const char *name = entry[i]->d_name;
        FREED char *below = text_format("%s%s%s", folder, *folder ? "/" : "", name);
        if (below && *name != '.' && h->looked++ < LOOKED_MOST) look_at(h, below, results, depth);
        free(entry[i]);
    }
}

static cJSON *list_files(struct served *h)
{
    cJSON *facts = cJSON_CreateObject();
    json_add_texts(facts, {"folder", h->root}, {"language", h->o.language},
                   {"version", sciara_version()});
    cJSON *list = cJSON_AddArrayToObject(facts, "files");
    LOCKED(&h->lock);
    h->scan++;
    h->looked = 0;
    look_into(h, "", 0);
    for (size_t n = 0; n < h->count; n++) {
        const struct file *f = &h->file[n];
        if (f->scan != h->scan && *f->path != '/') continue;
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"number", (double)n});
        json_add_texts(o, {"path", f->path}, {"kind", serve_kinds[f->kind]});
    }
    json_add_bools(facts, {"more", h->looked > LOOKED_MOST || h->count == FILES_MOST});
    return facts;
}

static int answer_files(struct request *q)
{
    return reply_facts(q, list_files(q->of));
}

static const struct http_route session_routes[] = {
    {"/", false, answer_facts, NULL},
    {"/api/facts", false, answer_facts, NULL},
    {"/api/terrain", false, answer_terrain, NULL},
    {"/api/drawing", true, answer_drawing, NULL},
    {"/api/run", true, answer_run, NULL},
    {"/api/save", true, answer_save, NULL},
    {"/api/export", false, answer_export, NULL},
    {"/api/ensemble", true, answer_ensemble, NULL},
    {"/api/ask", true, answer_ask, NULL},
    {"/api/forecast", true, answer_forecast, NULL},
    {"/api/forecast/file", false, answer_forecast_file, NULL},
    {"/api/forecast/seen", true, answer_seen, begin_seen},
    {NULL, false, NULL, NULL},
};

static const struct http_route list_routes[] = {{"/", false, answer_files, NULL},
                                                {"/api/files", false, answer_files, NULL},
                                                {NULL, false, NULL, NULL}};

/* ---- files that are open --------------------------------------------------------------------- */

static struct session *use(struct file *f)
{
    f->users++;
    f->used_s = clock_now_s();
    return f->session;
}

/* If OPEN_MOST sessions are open, moves the session that has been unused for the longest time to *out; the caller frees it.
 * False: all sessions are in use. */
static bool make_room(struct served *h, struct session **out)
{
    struct file *oldest = NULL;
    int open = 0;
    for (size_t n = 0; n < h->count; n++) {
        struct file *f = &h->file[n];
        open += f->session != NULL;
        if (f->session && !f->users && (!oldest || f->used_s < oldest->used_s)) oldest = f;
    }
    *out = NULL;
    if (open < OPEN_MOST) return true;
    if (!oldest) return false;
    *out = oldest->session;
    oldest->session = NULL;
    return true;
}

static void forget_session(struct session *s)
{
    if (s) session_close(s);
    free(s);
}

static char *whole_path(const struct served *h, const char *path)
{
    return *path == '/' ? text_format("%s", path) : text_format("%s/%s", h->root, path);
}

/* Opens a file, unless it has become a link since it was found. */
static int open_below(struct session **out, struct served *h, const char *below, struct error *e)
{
    FREED char *path = whole_path(h, below);
    FREED char *there = path ? realpath(path, NULL) : NULL;
    struct session *s = calloc(1, sizeof *s);
    int status = s && path ? 0 : error_memory(e);
    if (!status && (!there || strcmp(there, path)))
        status = error_input(e, "%s: is no longer there; load the list again", below);
    if (!status) status = session_open(s, &h->o, path, e);
    if (!status) s->listed = !h->only;
    else free(s), s = NULL;
    *out = s;
    return status;
}

static int take_file(struct served *h, size_t n, void **of, struct error *e)
{
    struct session *old = NULL, *new = NULL;
    int status = 0;
    LOCKED(&h->opening);
    pthread_mutex_lock(&h->lock);
    const bool there = h->file[n].session != NULL;
    if (there) *of = use(&h->file[n]);
    else if (!make_room(h, &old)) {
        status = e->code = ERROR_CANCELLED;
        snprintf(e->text, sizeof e->text, "%d files are being computed; wait for one of them",
                 OPEN_MOST);
    }
    pthread_mutex_unlock(&h->lock);
    forget_session(old);
    if (!there && !status) status = open_below(&new, h, h->file[n].path, e);
    if (new) {
        pthread_mutex_lock(&h->lock);
        h->file[n].session = new;
        *of = use(&h->file[n]);
        pthread_mutex_unlock(&h->lock);
    }
    return status;
}

/* ---- the file of a request ------------------------------------------------------------------- */

/* Takes the number from a path: "/f/12/api/run" gives *number 12, and *path becomes "/api/run". */
static bool take_number(const char **path, size_t count, size_t *number)
{
    const char *digits = *path + 3;
    const size_t length = strncmp(*path, "/f/", 3) ? 0 : strspn(digits, "0123456789");
    if (length < 1 || length > 6 || digits[length] != '/') return false;
    *number = strtoul(digits, NULL, 10);
    if (*number >= count) return false;
    *path = digits + length;
    return true;
}

static int enter_session(void *service, const char **path, void **of,
                         const struct http_route **route, struct error *e)
{
    static const char of_terrains[] = "/api/terrains";
    struct served *h = service;
    size_t n = 0;
    pthread_mutex_lock(&h->lock);
    const bool known = take_number(path, h->count, &n), open = known && h->file[n].session,
               terrains = !known && !strncmp(*path, of_terrains, strlen(of_terrains));
    *of = terrains ? (void *)&h->terrains : h->only ? (void *)h->only : h;
    *route = terrains ? terrain_routes : h->only || known ? session_routes : list_routes;
    if (open) *of = use(&h->file[n]);
    pthread_mutex_unlock(&h->lock);
    return known && !open ? take_file(h, n, of, e) : 0;
}

static void leave_session(void *service, void *of)
{
    struct served *h = service;
    LOCKED(&h->lock);
    for (size_t n = 0; n < h->count; n++)
        if (h->file[n].session == of) h->file[n].users--;
}

/* ---- terrains that are sent or prepared ------------------------------------------------------ */

static int open_terrain(void *of, const char *path, int64_t *number, struct error *e)
{
    struct served *h = of;
    void *session;
    FREED char *there = realpath(path, NULL);
    if (!there) return error_input(e, "%s: cannot be opened: %s", path, strerror(errno));
    const size_t root = h->root ? strlen(h->root) : 0;
    const char *listed =
        h->root && !strncmp(there, h->root, root) && there[root] == '/' ? there + root + 1 : there;
    const enum serve_kind kind = serve_kind_of(there);
    if (kind != SERVE_DEM || text_has_extension(there, ".gpkg"))
        return error_input(e, "%s: give a terrain; open other files with `sciara serve FILE`",
                           path_name(path));
    pthread_mutex_lock(&h->lock);
    const size_t n = keep_file(h, listed, kind);
    pthread_mutex_unlock(&h->lock);
    if (n == FILES_MOST) return error_input(e, "too many files; start the program again");
    *number = (int64_t)n;
    const int status = take_file(h, n, &session, e);
    if (!status) leave_session(h, session);
    return status;
}

static char *terrain_path(void *of, int64_t number)
{
    struct served *h = of;
    LOCKED(&h->lock);
    const bool known =
        number >= 0 && number < (int64_t)h->count && h->file[number].kind == SERVE_DEM;
    return known ? whole_path(h, h->file[number].path) : NULL;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int make_key(char key[HTTP_KEY + 1], struct error *e)
{
    unsigned char bytes[HTTP_KEY / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return error_failed(e, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

static int open_input(struct served *h, struct error *e)
{
    struct stat about;
    if (!stat(h->o.input, &about) && S_ISDIR(about.st_mode)) {
        if (!(h->root = realpath(h->o.input, NULL)))
            return error_input(e, "%s: cannot be opened: %s; check the name", h->o.input,
                               strerror(errno));
        if (!h->root[1]) *h->root = '\0'; /* "" stands for the folder "/" */
        return 0;
    }
    struct session *s = calloc(1, sizeof *s);
    const int status = s ? session_open(s, &h->o, h->o.input, e) : error_memory(e);
    if (status) free(s);
    else h->only = s;
    return status;
}

int served_open(struct served **out, const struct serve_options *o, struct error *e)
{
    struct served *h = *out = calloc(1, sizeof *h);
    if (!h) return error_memory(e);
    h->o = *o;
    pthread_mutex_init(&h->lock, NULL);
    pthread_mutex_init(&h->opening, NULL);
    int status = make_key(h->key, e);
    if (!status) status = open_input(h, e);
    if (!status)
        status = terrains_open(&h->terrains, &h->o,
                               (struct terrain_opener){h, open_terrain, terrain_path}, e);
    if (!status)
        status = http_open(&h->http, o->address, o->port, h->key,
                           (struct http_service){h, enter_session, leave_session}, e);
    if (!status) return 0;
    served_close(h);
    *out = NULL;
    return status;
}

void served_close(struct served *h)
{
    if (!h) return;
    if (h->only) session_end(h->only);
    pthread_mutex_lock(&h->lock);
    for (size_t n = 0; n < h->count; n++)
        if (h->file[n].session) session_end(h->file[n].session);
    pthread_mutex_unlock(&h->lock);
    http_close(h->http);
    terrains_close(&h->terrains);
    forget_session(h->only);
    for (size_t n = 0; n < h->count; n++) {
        forget_session(h->file[n].session);
        free(h->file[n].path);
    }
    free(h->root);
    pthread_mutex_destroy(&h->opening);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

int served_addresses(const struct served *h, char address[][HTTP_ADDRESS], int most)
{
    return http_addresses(h->o.address, http_port(h->http), h->key, address, most);
}

void served_sweep(struct served *h)
{
    http_sweep(h->http);
}
