#define _GNU_SOURCE /* memfd_create */
#include "record_fields.h"
#include "zip_pack.h"

#include "base/lock.h"
#include "raster/geotiff.h"
#include "raster/raster.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JSON_NAME "record.json"
/* With which the archive ends, as other files of sciara do (EXPORT_MARK). */
#define COMMENT "Made by sciara"

static const double NODATA = -9999;
/* Terrain of so many cells, of which a record has one, takes more time to make smaller than it is worth. */
enum { STORED_MOST = 1 << 20 };

/* A grid that is in the archive already: most maps have the same terrain. */
struct grid {
    char *name; /* by its contents, so that the order of maps does not matter */
    char *data; /* NULL: it is being packed, or could not be */
    size_t size;
};

struct record_files {
    /* writing: */
    pthread_mutex_t lock;
    cJSON *scenes;
    int count;
    struct grid *grid;
    char *folder; /* where its file will be; grids on their way to it lie there, too */
    /* reading: */
    struct zip_file_set *archive;
    const char *path;
};

/* ---- writing ----------------------------------------------------------------------------------- */

struct record_writer {
    struct record_files files;
};

struct values {
    const float *value;
    int cols;
};

static void fill_row(const void *values, int row, float *out)
{
    const struct values *v = values;
    const float *from = v->value + (size_t)row * (size_t)v->cols;
    for (int col = 0; col < v->cols; col++) out[col] = isnan(from[col]) ? (float)NODATA : from[col];
}

static int read_file(const char *path, char **data, size_t *size, struct error *e)
{
    FILE *f = fopen(path, "rb");
    *data = NULL;
    if (!f) return error_failed(e, "%s: cannot be read", path);
    fseek(f, 0, SEEK_END);
    const long length = ftell(f);
    rewind(f);
    *data = length > 0 ? malloc((size_t)length) : NULL;
    *size = length > 0 ? (size_t)length : 0;
    const bool whole = *data && fread(*data, 1, *size, f) == *size;
    fclose(f);
    if (whole) return 0;
    free(*data);
    return error_failed(e, "%s: cannot be read", path);
}

/* Its bytes as a GeoTIFF. */
static int pack_grid(const char *folder, const char *name, const char *kind,
                     const struct georef *geo, int rows, int cols, const float *value, char **data,
                     size_t *size, struct error *e)
{
    const struct values v = {value, cols};
    const struct geotiff_layer layer = {.rows = rows,
                                        .cols = cols,
                                        .geo = *geo,
                                        .nodata = NODATA,
                                        .row = fill_row,
                                        .context = &v,
                                        .stored = !strcmp(kind, "terrain") &&
                                                  (int64_t)rows * cols <= STORED_MOST};
    FREED char *path = text_format("%s/.sciara-grid-%s", folder, name);
    int status = path ? geotiff_write(path, &layer, e) : error_memory(e);
    if (!status) status = read_file(path, data, size, e);
    if (path) unlink(path);
    return status;
}

/* FNV-1a of the size and the values, two at a time. */
static uint64_t hash_of(int rows, int cols, const float *value)
{
    const size_t count = (size_t)rows * (size_t)cols;
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(unsigned)rows << 32 ^ (unsigned)cols, two;
    for (size_t i = 0; i < count; i += 2) {
        const float pair[2] = {value[i], i + 1 < count ? value[i + 1] : 0};
        memcpy(&two, pair, sizeof two);
        hash = (hash ^ two) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash;
}

static int put_grid(struct record_files *f, char **name, const char *kind, const struct georef *geo,
                    int rows, int cols, const float *value, struct error *e)
{
    const uint64_t hash = hash_of(rows, cols, value);
    char *data;
    size_t size;
    int number;
    *name = text_format("%s-%016" PRIx64 ".tif", kind, hash);
    if (!*name) return error_memory(e);
    {
        LOCKED(&f->lock);
        for (int i = 0; i < f->count; i++)
            if (!strcmp(f->grid[i].name, *name)) return 0;
        const struct grid grid = {text_format("%s", *name), NULL, 0};
        if (!grid.name || !APPEND(f->grid, f->count, grid)) return error_memory(e);
        number = f->count - 1;
    }
    const int status = pack_grid(f->folder, *name, kind, geo, rows, cols, value, &data, &size, e);
    LOCKED(&f->lock);
    f->grid[number].data = status ? NULL : data;
    f->grid[number].size = size;
    return status;
}

int record_create(struct record_writer **out, const char *folder, struct error *e)
{
    struct record_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return error_memory(e);
    pthread_mutex_init(&w->files.lock, NULL);
    w->files.scenes = cJSON_CreateArray();
    w->files.folder = text_format("%s", folder);
    int status = w->files.scenes && w->files.folder ? 0 : error_memory(e);
    if (!status) return 0;
    record_discard(w);
    *out = NULL;
    return status;
}

int record_add(struct record_writer *w, const char *name, const struct scene *s, struct error *e)
{
    struct scene copy = *s;
    struct record_io io = {
        .o = cJSON_CreateObject(), .name = name, .files = &w->files, .put = put_grid, .e = e};
    if (!io.o) return error_memory(e);
    cJSON_AddStringToObject(io.o, "name", name);
    record_io_scene(&io, &copy);
    if (io.status) {
        cJSON_Delete(io.o);
        return io.status;
    }
    LOCKED(&w->files.lock);
    cJSON_AddItemToArray(w->files.scenes, io.o);
    return 0;
}

bool record_has_pictures(const struct record_writer *w)
{
    return w->files.scenes->child;
}

static int by_name(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp(cJSON_GetObjectItem(*x, "name")->valuestring,
                  cJSON_GetObjectItem(*y, "name")->valuestring);
}

/* By name, whatever thread was first. */
static cJSON *sorted(cJSON *list)
{
    const int count = cJSON_GetArraySize(list);
    FREED cJSON **item = calloc((size_t)count + 1, sizeof(cJSON *));
    cJSON *out = cJSON_CreateArray();
    for (int i = 0; item && i < count; i++) item[i] = cJSON_DetachItemFromArray(list, 0);
    if (item) qsort(item, (size_t)count, sizeof *item, by_name);
    for (int i = 0; item && i < count; i++) cJSON_AddItemToArray(out, item[i]);
    cJSON_Delete(list);
    return out;
}

static int by_grid(const void *a, const void *b)
{
    return strcmp(((const struct grid *)a)->name, ((const struct grid *)b)->name);
}

/* The archive owns what it is given. */
static int pack_copy(struct zip_pack *zip, const char *name, const char *data, size_t size,
                     int level, struct error *e)
{
    char *copy = malloc(size + 1);
    if (!copy) return error_memory(e);
    memcpy(copy, data, size);
    return zip_pack_add(zip, name, copy, size, level, e);
}

static char *print_record(const struct record_writer *w, const char *software, uint64_t digest)
{
    cJSON *root = cJSON_CreateObject();
    char word[17];
    snprintf(word, sizeof word, "%016" PRIx64, digest);
    cJSON_AddNumberToObject(root, "record", RECORD_VERSION);
    cJSON_AddStringToObject(root, "software", software);
    cJSON_AddStringToObject(root, "digest", word);
    cJSON_AddItemReferenceToObject(root, "pictures", w->files.scenes);
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}

static int pack_all(struct record_writer *w, struct zip_pack *zip, const char *text,
                    struct error *e)
{
    struct record_files *f = &w->files;
    int status = pack_copy(zip, JSON_NAME, text, strlen(text), 1, e);
    if (f->count) qsort(f->grid, (size_t)f->count, sizeof *f->grid, by_grid);
    for (int i = 0; i < f->count && !status; i++)
        if (f->grid[i].data)
            status = pack_copy(zip, f->grid[i].name, f->grid[i].data, f->grid[i].size, 0, e);
    return status;
}

int record_write(struct record_writer *w, const char *path, const char *software, uint64_t digest,
                 struct error *e)
{
    struct zip_pack *zip;
    w->files.scenes = sorted(w->files.scenes);
    FREED char *text = print_record(w, software, digest);
    int status = text ? zip_pack_open(&zip, e) : error_memory(e);
    if (status) return status;
    status = pack_all(w, zip, text, e);
    if (!status) status = zip_pack_write(zip, path, COMMENT, e);
    zip_pack_free(zip);
    return status;
}

void record_discard(struct record_writer *w)
{
    if (!w) return;
    for (int i = 0; i < w->files.count; i++) {
        free(w->files.grid[i].name);
        free(w->files.grid[i].data);
    }
    free(w->files.grid);
    cJSON_Delete(w->files.scenes);
    free(w->files.folder);
    pthread_mutex_destroy(&w->files.lock);
    free(w);
}

/* ---- reading ----------------------------------------------------------------------------------- */

struct record {
    struct record_files files;
    char *path;
    cJSON *root;
    const char *name; /* in memory: of its picture; NULL: it is a file */
    struct scene scene;
};

static const cJSON *scene_at(const struct record *r, int i)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(r->root, "pictures"), i);
}

static const char *text_of(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* Names are of files beside it. */
static int check_record(const struct record *r, struct error *e)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(r->root, "record");
    if (!cJSON_IsNumber(version))
        return error_input(e, "%s: " JSON_NAME " names no version of a record", r->path);
    if (version->valuedouble != RECORD_VERSION)
        return error_input(
            e, "%s: a record of version %g, and this sciara reads %d; use the sciara that made it",
            r->path, version->valuedouble, RECORD_VERSION);
    for (int i = 0; i < record_count(r); i++) {
        const char *name = record_name(r, i);
        if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > 200)
            return error_input(e, "%s: a picture has an impossible name: %.40s", r->path, name);
    }
    return 0;
}

int record_open(struct record **out, const char *path, struct error *e)
{
    struct record *r = *out = calloc(1, sizeof *r);
    FREED char *text = NULL;
    size_t size;
    if (!r) return error_memory(e);
    r->path = text_format("%s", path);
    r->files.path = r->path;
    int status = r->path ? zip_set_open(&r->files.archive, path, e) : error_memory(e);
    if (!status) status = zip_set_read(r->files.archive, JSON_NAME, &text, &size, e);
    if (!status) r->root = cJSON_Parse(text);
    if (!status) status = check_record(r, e);
    if (!status) return 0;
    record_close(r);
    *out = NULL;
    return status;
}

int record_of(struct record **out, const char *name, const struct scene *s, struct error *e)
{
    struct record *r = *out = calloc(1, sizeof *r);
    if (!r) return error_memory(e);
    r->name = name;
    r->scene = *s;
    return 0;
}

int record_count(const struct record *r)
{
    return r->name ? 1 : cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(r->root, "pictures"));
}

const char *record_name(const struct record *r, int i)
{
    return r->name ? r->name : text_of(scene_at(r, i), "name");
}

bool record_moves(const struct record *r, int i)
{
    return r->name && r->scene.kind == SCENE_FRAMES;
}

/* Nothing of another size is read. */
static int read_grid(const char *path, const struct record_files *f, struct georef *geo, int rows,
                     int cols, double *value, struct error *e)
{
    struct raster_file *file;
    struct raster raster = {0};
    int status = raster_open(&file, path, RASTER_ANY_SIZE, NULL, e);
    if (!status && (raster_head(file)->rows != rows || raster_head(file)->cols != cols))
        status = error_input(e, "%s: a grid of it has another size than its map", f->path);
    if (!status) status = raster_read_rest(file, &raster, e);
    if (!status) {
        *geo = raster.geo;
        memcpy(value, raster.value, (size_t)rows * (size_t)cols * sizeof *value);
    }
    raster_free(&raster);
    raster_close(file);
    return status;
}

static int get_grid(const struct record_files *f, const char *name, struct georef *geo, int rows,
                    int cols, double *value, struct error *e)
{
    char *data;
    size_t size;
    char path[64];
    struct error why;
    int status = zip_set_read(f->archive, name, &data, &size, e);
    if (status) return status;
    const int memory = memfd_create("grid", MFD_CLOEXEC);
    const bool whole = memory >= 0 && write(memory, data, size) == (ssize_t)size;
    free(data);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    if (!whole) status = error_memory(e);
    else if (read_grid(path, f, geo, rows, cols, value, &why))
        status = error_input(
            e, "%s: %s is damaged, or not a grid of its picture; make the results again", f->path,
            name);
    if (memory >= 0) close(memory);
    return status;
}

/* Of a map a copy that can be changed. */
static int lend_scene(struct record_scene *s, const struct scene *of, struct error *e)
{
    s->scene = *of;
    if (of->kind != SCENE_MAP) return 0;
    if (!(s->map = malloc(sizeof *s->map))) return error_memory(e);
    if (!APPEND(s->owned, s->count, (void *)s->map)) {
        free(s->map);
        return error_memory(e);
    }
    *s->map = *(const struct map *)of->of;
    s->scene.of = s->map;
    return 0;
}

int record_scene(struct record_scene *s, const struct record *r, int i, struct error *e)
{
    struct record_io io = {.reading = true,
                           .o = (cJSON *)(size_t)scene_at(r, i),
                           .name = record_name(r, i),
                           .to = s,
                           .files = (struct record_files *)(size_t)&r->files,
                           .get = get_grid,
                           .e = e};
    *s = (struct record_scene){0};
    if (r->name) return lend_scene(s, &r->scene, e);
    record_io_scene(&io, &s->scene);
    if (io.status) record_release(s);
    return io.status;
}

void record_release(struct record_scene *s)
{
    for (int i = 0; i < s->count; i++) free(s->owned[i]);
    free(s->owned);
    *s = (struct record_scene){0};
}

void record_close(struct record *r)
{
    if (!r) return;
    cJSON_Delete(r->root);
    zip_set_close(r->files.archive);
    free(r->path);
    free(r);
}
