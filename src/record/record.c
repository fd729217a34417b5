#define _GNU_SOURCE /* memfd_create */
#include "record_fields.h"
#include "json_number.h"
#include "picture_mark.h"
#include "runfolder.h"
#include "zip_pack.h"

#include "base/lock.h"
#include "base/order.h"
#include "raster/geotiff.h"
#include "raster/raster.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JSON_NAME "record.json"

static const double NODATA = -9999;
/* A terrain with at most this number of cells is stored uncompressed, because compression takes long and saves
 * little. */
enum { STORED_MOST = 1 << 20 };

/* A grid of the archive. Pictures share grids: most maps have the same terrain. */
struct grid {
    char *name; /* made from the values, so that the order of maps does not matter */
    struct record_grid of;
    int users;    /* number of pictures in memory that show the grid; at 0 its values are freed */
    bool packing; /* a thread packs the grid, or has packed it */
    char *data;   /* the packed file; NULL: not yet packed, or packing failed */
    size_t size;
};

struct record_writer {
    pthread_mutex_t lock;
    /* One scene for each picture, and the background that all pictures share (NULL: none). */
    cJSON *scenes, *background;
    cJSON *tables; /* texts, each under the name of its table */
    int count;
    struct grid *grid;
    /* the folder of the record, also for temporary files; NULL: no record will be written */
    char *folder;
};

struct record {
    cJSON *root;
    /* Only for a record in a file: */
    char *path;
    struct zip_pack *archive;
    /* Only for a single picture in memory: */
    struct record_writer *writer;
    bool alone; /* the record owns the writer */
    int used;
    int *use;             /* indices in writer->grid of the picture's grids */
    struct frames frames; /* the cells of an animation */
};

/* ---- writing ----------------------------------------------------------------------------------- */

static void fill_row(const void *grid, int row, float *out)
{
    const struct record_grid *g = grid;
    const float *from = g->value + (size_t)row * (size_t)g->cols;
    for (int col = 0; col < g->cols; col++) out[col] = isnan(from[col]) ? (float)NODATA : from[col];
}

static int read_file(const char *path, char **data, size_t *size, struct error *e)
{
    if (g_file_get_contents(path, data, size, NULL)) return 0;
    return error_failed(e, "a grid of " RECORD_FILE " cannot be read back");
}

/* Packs a grid as the bytes of a GeoTIFF. */
static int pack_grid(const char *folder, const char *name, const struct record_grid *of,
                     char **data, size_t *size, struct error *e)
{
    const bool small = (int64_t)of->rows * of->cols <= STORED_MOST;
    const struct geotiff_layer layer = {.rows = of->rows,
                                        .cols = of->cols,
                                        .geo = of->geo,
                                        .nodata = NODATA,
                                        .row = fill_row,
                                        .context = of,
                                        .stored = !strncmp(name, "terrain", 7) && small};
    FREED char *path = text_format("%s/.sciara-grid-%s", folder, name);
    int status = path ? geotiff_write(path, &layer, e) : error_memory(e);
    if (!status) status = read_file(path, data, size, e);
    if (path) unlink(path);
    return status;
}

/* FNV-1a over the size and the values, two values at a time. */
static uint64_t hash_of(const struct record_grid *g)
{
    const size_t count = (size_t)g->rows * (size_t)g->cols;
    uint64_t two,
        hash = 0xcbf29ce484222325u ^ (uint64_t)(unsigned)g->rows << 32 ^ (unsigned)g->cols;
    for (size_t i = 0; i < count; i += 2) {
        const float pair[2] = {g->value[i], i + 1 < count ? g->value[i + 1] : 0};
        memcpy(&two, pair, sizeof two);
        hash = (hash ^ two) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The index of the grid with this name; -1: none. The caller holds the lock. */
static int find_grid(const struct record_writer *w, const char *name)
{
    for (int i = 0; i < w->count; i++)
        if (!strcmp(w->grid[i].name, name)) return i;
    return -1;
}

/* Notes that the picture shows a grid. Adds the grid if it is new. The caller holds the lock. */
static int use_grid(struct record *r, const char *name, struct record_grid *of, struct error *e)
{
    struct record_writer *w = r->writer;
    int number = find_grid(w, name);
    if (number < 0) {
        const struct grid grid = {.name = text_format("%s", name)};
        if (!grid.name || !APPEND(w->grid, w->count, grid)) return error_memory(e);
        number = w->count - 1;
    }
    if (!APPEND(r->use, r->used, number)) return error_memory(e);
    struct grid *g = &w->grid[number];
    if (g->users++) free(of->value);
    else g->of = *of;
    of->value = NULL;
    return 0;
}

static int put_grid(struct record *r, char **name, const char *kind, struct record_grid *of,
                    struct error *e)
{
    int status = 0;
    *name = text_format("%s-%016" PRIx64 ".tif", kind, hash_of(of));
    if (!*name) status = error_memory(e);
    if (!status) {
        LOCKED(&r->writer->lock);
        status = use_grid(r, *name, of, e);
    }
    free(of->value);
    return status;
}

int record_create(struct record_writer **out, const char *folder, struct error *e)
{
    struct record_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return error_memory(e);
    pthread_mutex_init(&w->lock, NULL);
    w->scenes = cJSON_CreateArray();
    w->folder = folder ? text_format("%s", folder) : NULL;
    if (w->scenes && !folder == !w->folder) return 0;
    record_discard(w);
    *out = NULL;
    return error_memory(e);
}

/* All pictures of a folder are of one case, so they have one background. The first picture with a background gives it. */
static int describe_background(struct record_writer *w, const struct map_background *b,
                               struct error *e)
{
    if (!b) return 0;
    LOCKED(&w->lock);
    if (w->background) return 0;
    struct record_io io = {.o = cJSON_CreateObject(), .name = "background", .e = e};
    w->background = io.o;
    if (!io.o) return error_memory(e);
    record_put_background(&io, b);
    return io.status;
}

/* Describes the scene as the only picture of the record *r. */
static int describe_scene(struct record *r, const char *name, const struct scene *s,
                          struct error *e)
{
    cJSON *list = NULL;
    struct scene copy = *s;
    struct record_io io = {
        .o = cJSON_CreateObject(), .name = name, .record = r, .put = put_grid, .e = e};
    r->root = cJSON_CreateObject();
    if (r->root) list = cJSON_AddArrayToObject(r->root, "pictures");
    if (!list || !cJSON_AddItemToArray(list, io.o)) {
        cJSON_Delete(io.o);
        return error_memory(e);
    }
    cJSON_AddStringToObject(io.o, "name", name);
    if (describe_background(r->writer, record_background_of(s), e)) return e->code;
    if (s->kind == SCENE_FRAMES) r->frames = *(const struct frames *)s->of;
    record_io_scene(&io, &copy);
    return io.status;
}

int record_describe(struct record **out, struct record_writer *w, const char *name,
                    const struct scene *s, struct error *e)
{
    struct record *r = *out = calloc(1, sizeof *r);
    if (!r) return error_memory(e);
    r->writer = w;
    r->alone = !w;
    int status = w ? 0 : record_create(&r->writer, NULL, e);
    if (!status) status = describe_scene(r, name, s, e);
    if (!status) return 0;
    record_close(r);
    *out = NULL;
    return status;
}

/* Packs a grid, unless an earlier call has begun to pack it. The values are read without the lock, because they stay
 * in memory while a picture shows the grid. */
static int keep_grid(struct record_writer *w, int number, struct error *e)
{
    struct record_grid of;
    const char *name;
    char *data = NULL;
    size_t size = 0;
    {
        LOCKED(&w->lock);
        if (w->grid[number].packing) return 0;
        w->grid[number].packing = true;
        of = w->grid[number].of;
        name = w->grid[number].name;
    }
    const int status = pack_grid(w->folder, name, &of, &data, &size, e);
    LOCKED(&w->lock);
    w->grid[number].data = status ? NULL : data;
    w->grid[number].size = size;
    return status;
}

/* Adds the frames of an animation to the archive, as a packed grid. */
static int keep_frames(struct record *r, struct error *e)
{
    struct record_writer *w = r->writer;
    struct grid grid = {.name = text_format(RECORD_FRAMES), .packing = true};
    FREED char *path = text_format("%s/.sciara-grid-" RECORD_FRAMES, w->folder);
    int status = path && grid.name ? record_frames_write(path, &r->frames, e) : error_memory(e);
    if (!status) status = read_file(path, &grid.data, &grid.size, e);
    if (path) unlink(path);
    LOCKED(&w->lock);
    if (!status && APPEND(w->grid, w->count, grid)) return 0;
    free(grid.name);
    free(grid.data);
    return status ? status : error_memory(e);
}

int record_keep(struct record *r, struct error *e)
{
    int status = 0;
    if (r->alone) return 0;
    if (r->frames.count) status = keep_frames(r, e);
    for (int i = 0; i < r->used && !status; i++) status = keep_grid(r->writer, r->use[i], e);
    if (status) return status;
    cJSON *list = cJSON_GetObjectItemCaseSensitive(r->root, "pictures");
    LOCKED(&r->writer->lock);
    cJSON_AddItemToArray(r->writer->scenes, cJSON_DetachItemFromArray(list, 0));
    return 0;
}

int record_add(struct record_writer *w, const char *name, const struct scene *s, struct error *e)
{
    struct record *r;
    int status = record_describe(&r, w, name, s, e);
    if (status) return status;
    status = record_keep(r, e);
    record_close(r);
    return status;
}

bool record_has_pictures(const struct record_writer *w)
{
    return w->scenes->child;
}

/* Packs a copy of the data, because the archive frees the data that it gets. */
static int pack_copy(struct zip_pack *zip, const char *name, const char *data, size_t size,
                     int level, struct error *e)
{
    char *copy = malloc(size + 1);
    if (!copy) return error_memory(e);
    memcpy(copy, data, size);
    return zip_pack_add(zip, name, copy, size, level, e);
}

int record_add_table(struct record_writer *w, const char *name, const char *text, struct error *e)
{
    LOCKED(&w->lock);
    if (!w->tables) w->tables = cJSON_CreateObject();
    cJSON_DeleteItemFromObjectCaseSensitive(w->tables, name);
    return cJSON_AddStringToObject(w->tables, name, text) ? 0 : error_memory(e);
}

static char *print_record(const struct record_writer *w, const char *software, uint64_t digest)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "record", RECORD_VERSION);
    cJSON_AddStringToObject(root, "software", software);
    json_add_hex(root, "digest", digest);
    cJSON_AddItemReferenceToObject(root, "pictures", w->scenes);
    if (w->background)
        cJSON_AddItemReferenceToObject(root, "background",
                                       cJSON_GetObjectItem(w->background, "background"));
    const cJSON *table;
    cJSON *names = w->tables ? cJSON_AddArrayToObject(root, "tables") : NULL;
    cJSON_ArrayForEach (table, w->tables)
        cJSON_AddItemToArray(names, cJSON_CreateString(table->string));
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}

static int pack_all(struct record_writer *w, struct zip_pack *zip, const char *text,
                    struct error *e)
{
    const cJSON *table;
    int status = pack_copy(zip, JSON_NAME, text, strlen(text), 1, e);
    cJSON_ArrayForEach (table, w->tables)
        if (!status)
            status =
                pack_copy(zip, table->string, table->valuestring, strlen(table->valuestring), 1, e);
    if (w->count) qsort(w->grid, (size_t)w->count, sizeof *w->grid, order_names);
    for (int i = 0; i < w->count && !status; i++)
        if (w->grid[i].data)
            status = pack_copy(zip, w->grid[i].name, w->grid[i].data, w->grid[i].size, 0, e);
    return status;
}

int record_write(struct record_writer *w, const char *path, const char *software, uint64_t digest,
                 struct error *e)
{
    struct zip_pack *zip;
    json_sort_by_name(w->scenes); /* so that it does not matter which thread was first */
    FREED char *text = print_record(w, software, digest);
    int status = text ? zip_pack_open(&zip, e) : error_memory(e);
    if (status) return status;
    status = pack_all(w, zip, text, e);
    if (!status) status = zip_pack_write(zip, path, MADE_BY_SCIARA, e);
    zip_pack_free(zip);
    return status;
}

void record_discard(struct record_writer *w)
{
    if (!w) return;
    for (int i = 0; i < w->count; i++) {
        free(w->grid[i].name);
        free(w->grid[i].of.value);
        free(w->grid[i].data);
    }
    free(w->grid);
    cJSON_Delete(w->scenes);
    cJSON_Delete(w->background);
    cJSON_Delete(w->tables);
    free(w->folder);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* ---- reading ----------------------------------------------------------------------------------- */

static const cJSON *scene_at(const struct record *r, int i)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(r->root, "pictures"), i);
}

const char *record_digest(const struct record *r)
{
    return summary_text(r->root, NULL, "digest");
}

/* Checks the version and the names of pictures. A name becomes a file name in the output folder, so it must not lead
 * elsewhere. */
static int check_record(const struct record *r, struct error *e)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(r->root, "record");
    if (!cJSON_IsNumber(version))
        return error_input(e, "%s: " JSON_NAME " names no version of a record", r->path);
    if (version->valuedouble != RECORD_VERSION)
        return error_input(e,
                           "%s: has version %g, and this sciara reads only version %d; use the "
                           "sciara that made it",
                           r->path, version->valuedouble, RECORD_VERSION);
    const cJSON *pictures = cJSON_GetObjectItemCaseSensitive(r->root, "pictures");
    if (!*summary_text(r->root, NULL, "software") || !*record_digest(r) || !cJSON_IsArray(pictures))
        return error_input(
            e, "%s: " JSON_NAME " has no software, digest or pictures; make the results again",
            r->path);
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
    int status = r->path ? zip_pack_open_file(&r->archive, path, e) : error_memory(e);
    if (!status) status = zip_pack_read(r->archive, JSON_NAME, &text, &size, e);
    if (!status) r->root = cJSON_Parse(text);
    if (!status) status = check_record(r, e);
    if (!status) return 0;
    record_close(r);
    *out = NULL;
    return status;
}

char *record_table_path(const char *folder, const char *name)
{
    FREED char *archive = text_format("%s/" RECORD_FILE, folder);
    FREED char *path = text_format("%s/%s", folder, name);
    struct record *r = NULL;
    const cJSON *table;
    bool there = path && access(path, F_OK) == 0;
    if (!archive || there || record_open(&r, archive, NULL))
        return there ? text_format("%s", path) : NULL;
    cJSON_ArrayForEach (table, cJSON_GetObjectItemCaseSensitive(r->root, "tables"))
        there = there || (cJSON_IsString(table) && !strcmp(table->valuestring, name));
    record_close(r);
    return there ? text_format("%s:%s", archive, name) : NULL;
}

int record_count(const struct record *r)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(r->root, "pictures"));
}

const char *record_name(const struct record *r, int i)
{
    return summary_text(scene_at(r, i), NULL, "name");
}

bool record_is(const struct record *r, int i, enum scene_kind kind)
{
    return !strcmp(summary_text(scene_at(r, i), NULL, "kind_of_picture"), record_kind_name(kind));
}

/* Reads a grid. The grid has to have the size of the map. */
static int read_grid(const char *path, const struct record *r, struct record_grid *grid,
                     struct error *e)
{
    struct raster_file *file;
    FREED_BY(raster_free) struct raster raster = {0};
    int status = raster_open(&file, path, RASTER_ANY_SIZE, NULL, e);
    if (!status && (raster_head(file)->rows != grid->rows || raster_head(file)->cols != grid->cols))
        status = error_input(e, "%s: a grid has another size than its map", r->path);
    if (!status) status = raster_read_rest(file, &raster, e);
    const size_t cells = (size_t)grid->rows * (size_t)grid->cols;
    if (!status && !(grid->value = malloc(cells * sizeof *grid->value))) status = error_memory(e);
    for (size_t i = 0; !status && i < cells; i++) grid->value[i] = (float)raster.value[i];
    grid->geo = raster.geo;
    raster_close(file);
    return status;
}

/* Unpacks a file of the archive into memory: *file becomes its descriptor. */
static int unpack(const struct record *r, const char *name, int *file, struct error *e)
{
    char *data;
    size_t size;
    int status = zip_pack_read(r->archive, name, &data, &size, e);
    if (status) return status;
    *file = memfd_create("grid", MFD_CLOEXEC);
    if (*file < 0 || write(*file, data, size) != (ssize_t)size) status = error_memory(e);
    free(data);
    if (status && *file >= 0) close(*file);
    return status;
}

static int refuse_grid(const struct record *r, const char *name, struct error *e)
{
    return error_input(
        e, "%s: %s is damaged, or is the grid of another picture; make the results again", r->path,
        name);
}

static int unpack_grid(const struct record *r, const char *name, struct record_grid *grid,
                       struct error *e)
{
    int file;
    char path[64];
    struct error why;
    int status = unpack(r, name, &file, e);
    if (status) return status;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (read_grid(path, r, grid, &why)) status = refuse_grid(r, name, e);
    close(file);
    return status;
}

/* Sets the functions that give *f its cells. A record in memory uses the functions of the scene. A record in a file uses
 * functions that read the archive. */
static int get_frames(struct record_scene *s, const struct record *r, struct frames *f,
                      struct error *e)
{
    struct error why;
    int file;
    if (!r->archive) {
        f->begin = r->frames.begin;
        f->row = r->frames.row;
        f->of = r->frames.of;
        return 0;
    }
    const int status = unpack(r, RECORD_FRAMES, &file, e);
    if (status) return status;
    return record_frames_open(&s->frames, file, f, &why) ? refuse_grid(r, RECORD_FRAMES, e) : 0;
}

static int get_grid(const struct record *r, const char *name, struct record_grid *grid, bool *owned,
                    struct error *e)
{
    *owned = r->archive != NULL;
    if (*owned) return unpack_grid(r, name, grid, e);
    LOCKED(&r->writer->lock);
    *grid = r->writer->grid[find_grid(r->writer, name)].of;
    return 0;
}

int record_scene(struct record_scene *s, const struct record *r, int i, struct error *e)
{
    struct record_io io = {.reading = true,
                           .o = (cJSON *)(size_t)scene_at(r, i),
                           .name = record_name(r, i),
                           .to = s,
                           .record = (struct record *)(size_t)r,
                           .background = r->writer ? r->writer->background : r->root,
                           .get = get_grid,
                           .get_frames = get_frames,
                           .e = e};
    *s = (struct record_scene){0};
    record_io_scene(&io, &s->scene);
    if (io.status) record_release(s);
    return io.status;
}

void record_release(struct record_scene *s)
{
    for (int i = 0; i < s->count; i++) free(s->owned[i]);
    record_frames_close(s->frames);
    RELEASE(s, s->owned);
}

/* Frees the values of grids that no other picture shows. */
static void leave_grids(struct record *r)
{
    LOCKED(&r->writer->lock);
    for (int i = 0; i < r->used; i++) {
        struct grid *g = &r->writer->grid[r->use[i]];
        if (--g->users) continue;
        free(g->of.value);
        g->of.value = NULL;
    }
}

void record_close(struct record *r)
{
    if (!r) return;
    if (r->writer) leave_grids(r);
    if (r->alone) record_discard(r->writer);
    cJSON_Delete(r->root);
    zip_pack_free(r->archive);
    FREE_ALL(r->path, r->use, r);
}
