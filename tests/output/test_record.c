/* A record may come from anywhere: each value of one, changed in each way that JSON allows, is refused with one line before
 * anything is painted, or can be painted, which some are. tests/corpus/record has a picture of each kind. */
/* tests: record */
#include "record/painters.h"
#include "record/zip_pack.h"
#include "raster/geotiff.h"
#include "text/textfile.h"

#include "effort.h"
#include "scratch.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>

#include "unit.h"

#include "sciara.h"

enum { SIDE = 4 };

static struct scratch dir;
static char *grid, *tall; /* tall: two frames of two grids */
static size_t grid_size, tall_size;
static const char *only; /* the picture that is changed */
static struct error why;
static int refusals, accepted;

static void fill_row(const void *unused, int row, float *out)
{
    for (int col = 0; col < SIDE; col++) out[col] = (float)(row + col);
}

static char *copy_of(const char *data, size_t size)
{
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    return memcpy(copy, data, size);
}

static void put_record(const cJSON *root)
{
    struct error e = {0};
    struct zip_pack *zip;
    char *text = cJSON_PrintUnformatted(root);
    assert_int_equal(zip_pack_open(&zip, &e), 0);
    assert_int_equal(zip_pack_add(zip, "record.json", text, strlen(text), 0, &e), 0);
    assert_int_equal(zip_pack_add(zip, "grid.tif", copy_of(grid, grid_size), grid_size, 0, &e), 0);
    assert_int_equal(zip_pack_write(zip, scratch_file(&dir, "record.zip"), "", &e), 0);
    zip_pack_free(zip);
}

static int let_all(void *unused, const char *path, struct error *e)
{
    return 0;
}

/* As `sciara show` does: 0, or refused before there is a file. */
static int show(const cJSON *root)
{
    why = (struct error){0};
    struct record *r = NULL;
    put_record(root);
    int status = record_open(&r, scratch_file(&dir, "record.zip"), &why);
    const char *out = scratch_file(&dir, "out");
    struct painting p = {.record = r,
                         .folder = dir.path,
                         .output = out,
                         .formats = SCIARA_PNG | SCIARA_KMZ | SCIARA_QGIS,
                         .paper.dpi = 30,
                         .only = only,
                         .before = let_all};
    if (!status) status = painters_check(&p, &why);
    if (!status) {
        if (accepted++ % sample(8, 1) == 0) must(painters_paint(&p, &why), &why);
    } else {
        assert_int_equal(status, ERROR_INPUT);
        assert_true(*why.text && !strchr(why.text, '\n'));
        assert_int_equal(count_files(out), 0);
        refusals++;
    }
    record_close(r);
    remove_at(AT_FDCWD, out);
    assert_int_equal(mkdir(out, 0777), 0);
    return status;
}

/* ---- changes ----------------------------------------------------------------------------------- */

/* In its place; it is the same afterwards. */
static int show_as(const cJSON *root, cJSON *at, const cJSON *other)
{
    const cJSON was = *at;
    at->type = other->type;
    at->child = other->child;
    at->valuestring = other->valuestring;
    at->valuedouble = other->valuedouble;
    at->valueint = other->valueint;
    const int status = show(root);
    *at = was;
    return status;
}

static bool same_type(const cJSON *a, const cJSON *b)
{
    return (a->type & 0xff) == (b->type & 0xff);
}

/* A value of another type is refused, but for null in a list of numbers or texts; so is a number that is none, which is written
 * as it is. */
static void change(const cJSON *root, cJSON *at, const cJSON *others)
{
    const cJSON *other;
    cJSON_ArrayForEach (other, others) {
        const bool gap = cJSON_IsNull(other) || cJSON_IsNull(at);
        if (same_type(at, other) && !cJSON_IsNumber(at) && !cJSON_IsString(at)) continue;
        const bool refused = !same_type(at, other) && !(gap && !at->string);
        const int status = show_as(root, at, other);
        if (refused && !status)
            print_error("%s: %s is taken\n", only ? only : "record", at->string ? at->string : "");
        if (refused) assert_int_equal(status, ERROR_INPUT);
    }
}

/* As if it were not there: what may be missing has its usual value. */
static void leave_out(const cJSON *root, cJSON *at)
{
    char *name = at->string, other[] = "nothing";
    if (!name) return;
    at->string = other;
    show(root);
    at->string = name;
}

/* Of lists the first item, with THOROUGH two. */
static void walk(const cJSON *root, cJSON *parent, const cJSON *others)
{
    int i = 0;
    for (cJSON *at = parent->child; at && !(cJSON_IsArray(parent) && i++ == sample(1, 2));
         at = at->next) {
        change(root, at, others);
        leave_out(root, at);
        walk(root, at, others);
    }
}

static void change_each(cJSON *root, const cJSON *others)
{
    cJSON *pictures = cJSON_GetObjectItem(root, "pictures"), *picture, *at;
    only = NULL;
    must(show(root), &why); /* as it is */
    cJSON_ArrayForEach (at, root)
        if (at != pictures) change(root, at, others);
    cJSON_ArrayForEach (picture, pictures) {
        only = cJSON_GetObjectItem(picture, "name")->valuestring;
        walk(root, picture, others);
    }
}

/* What a diagram has no place for. */
static void a_sample_is_within_its_axes(void **state)
{
    static const char *const beyond[] = {"null", "1e300", "-3"};
    struct error e = {0};
    FREED_BY(textfile_close) struct textfile t;
    must(textfile_open(&t, "tests/corpus/record/diagrams.json", &e), &e);
    cJSON *root = cJSON_Parse(t.next),
          *corner = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "pictures"), 1);
    only = "corner";
    must(show(root), &why);
    for (int i = 0; i < 6; i++) {
        cJSON *other = cJSON_Parse(beyond[i % 3]);
        cJSON *list = cJSON_GetObjectItem(corner, i < 3 ? "at" : "weight");
        assert_int_equal(show_as(root, list->child, other), ERROR_INPUT);
        cJSON_Delete(other);
    }
    cJSON_Delete(root);
}

static void every_change_is_refused_or_painted(void **state)
{
    static const char *const seeds[] = {"diagrams", "page", "layers", "run"};
    cJSON *others = cJSON_Parse("[null, \"x\", [], {}, -1, 1e300]");
    assert_non_null(others);
    cJSON_AddItemToArray(others, cJSON_CreateRaw("1e999")); /* no number of C */
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct error e = {0};
        struct textfile t;
        FREED char *path = text_format("tests/corpus/record/%s.json", seeds[i]);
        must(textfile_open(&t, path, &e), &e);
        cJSON *root = cJSON_Parse(t.next);
        refusals = accepted = 0;
        change_each(root, others);
        assert_true(refusals > 40 && accepted > 8);
        cJSON_Delete(root);
        textfile_close(&t);
    }
    cJSON_Delete(others);
}

/* ---- a record of a record ---------------------------------------------------------------------- */

/* Names of grids are made from their values; elevations that are read are no longer in two grids. */
static void forget_grids(cJSON *at)
{
    static const char *const grids[] = {"terrain", "value"};
    cJSON_DeleteItemFromObject(at, "raised");
    for (int i = 0; i < 2; i++)
        if (cJSON_IsString(cJSON_GetObjectItem(at, grids[i])))
            cJSON_SetValuestring(cJSON_GetObjectItem(at, grids[i]), "grid.tif");
    for (cJSON *item = at->child; item; item = item->next) forget_grids(item);
}

static double ground[SIDE * SIDE];

/* Lava rises from west to east in one frame, from north to south in the other. */
static void frame_row(const void *unused, int i, int row, double *elevation_m, double *value)
{
    for (int col = 0; col < SIDE; col++) {
        const int k = i ? row : col;
        value[col] = k ? k * 0.5 : (double)NAN;
        elevation_m[col] = ground[row * SIDE + col] + (k > 1 ? 2 + i : 0);
    }
}

/* Describes a picture for a record; the cells of an animation are those of frame_row(). */
static void describe_again(struct record_writer *w, const char *name, struct record_scene *s)
{
    static const double none[SIDE * SIDE];
    struct error e = {0};
    struct frames f;
    if (s->scene.kind == SCENE_FRAMES) {
        for (int i = 0; i < SIDE * SIDE; i++) ground[i] = 100 + 7 * (i % SIDE) - 2 * (i / SIDE);
        s->map->value = none;
        s->map->ground_m = ground;
        f = *(const struct frames *)s->scene.of;
        f.row = frame_row;
        s->scene.of = &f;
    }
    must(record_add(w, name, &s->scene, &e), &e);
}

static void check_frames(const struct record_scene *s)
{
    const struct frames *f = s->scene.of;
    struct error e = {0};
    for (int n = 2 * f->count - 1; n >= 0; n--) { /* in any order */
        must(f->begin(f->of, n % 2, &e), &e);
        for (int row = 0; row < SIDE; row++) {
            double z[SIDE], v[SIDE], is_z[SIDE], is_v[SIDE];
            frame_row(NULL, n % 2, row, z, v);
            f->row(f->of, n % 2, row, is_z, is_v);
            for (int col = 0; col < SIDE; col++) {
                assert_true(is_z[col] == z[col]);
                assert_true(isnan(v[col]) ? isnan(is_v[col]) : is_v[col] == v[col]);
            }
        }
    }
}

static cJSON *record_json(const char *path)
{
    struct error e = {0};
    struct zip_pack *zip;
    size_t size;
    char *text;
    must(zip_pack_open_file(&zip, path, &e), &e);
    must(zip_pack_read(zip, "record.json", &text, &size, &e), &e);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    forget_grids(root);
    free(text);
    zip_pack_free(zip);
    return root;
}

/* All members of all kinds of pictures, each with a value of its own: what is read and described again is the same. */
static void nothing_is_lost_or_exchanged(void **state)
{
    struct error e = {0};
    struct textfile t;
    struct record *r;
    struct record_writer *w;
    struct zip_pack *zip;
    const char *path = scratch_file(&dir, "record.zip"), *again = scratch_file(&dir, "again.zip");
    must(textfile_open(&t, "tests/corpus/record/every.json", &e), &e);
    cJSON *root = cJSON_Parse(t.next);
    assert_non_null(root);
    forget_grids(root);
    assert_int_equal(zip_pack_open(&zip, &e), 0);
    must(zip_pack_add(zip, "record.json", copy_of(t.next, strlen(t.next)), strlen(t.next), 0, &e),
         &e);
    must(zip_pack_add(zip, "grid.tif", copy_of(grid, grid_size), grid_size, 0, &e), &e);
    must(zip_pack_add(zip, "frames.tif", copy_of(tall, tall_size), tall_size, 0, &e), &e);
    must(zip_pack_write(zip, path, "", &e), &e);
    zip_pack_free(zip);
    must(record_open(&r, path, &e), &e);
    must(record_create(&w, dir.path, &e), &e);
    assert_int_equal(record_count(r), 8); /* of each kind */
    for (int i = 0; i < record_count(r); i++) {
        struct record_scene s;
        must(record_scene(&s, r, i, &e), &e);
        describe_again(w, record_name(r, i), &s);
        record_release(&s);
    }
    record_close(r);
    must(record_write(w, again, "sciara 0.9.0", 0xa1, &e), &e);
    record_discard(w);
    cJSON *other = record_json(again), *was, *is = cJSON_GetObjectItem(other, "pictures")->child;
    cJSON_ArrayForEach (was, cJSON_GetObjectItem(root, "pictures")) {
        const cJSON *item;
        cJSON_ArrayForEach (item, was)
            if (!cJSON_Compare(item, cJSON_GetObjectItem(is, item->string), true))
                print_error("%s: %s\n", was->child->valuestring, item->string);
        is = is->next;
    }
    assert_true(cJSON_Compare(root, other, true));
    must(record_open(&r, again, &e), &e);
    for (int i = 0; i < record_count(r); i++) {
        struct record_scene s;
        must(record_scene(&s, r, i, &e), &e);
        if (s.scene.kind == SCENE_FRAMES) check_frames(&s);
        record_release(&s);
    }
    record_close(r);
    cJSON_Delete(root);
    cJSON_Delete(other);
    textfile_close(&t);
}

/* ---- all --------------------------------------------------------------------------------------- */

static char *file_of(const struct geotiff_layer *layer, size_t *size)
{
    struct error e = {0};
    must(geotiff_write(scratch_file(&dir, "grid.tif"), layer, &e), &e);
    FILE *f = fopen(scratch_file(&dir, "grid.tif"), "rb");
    char *data = malloc(1 << 16);
    *size = fread(data, 1, 1 << 16, f);
    fclose(f);
    return data;
}

static int make_folder(void **state)
{
    static const char *const layers[] = {"total_thickness_m_000030_20260101T0100Z",
                                         "total_thickness_m",
                                         "arrival_h",
                                         "median_thickness_m",
                                         "max_thickness_m",
                                         "thickness_m",
                                         "solidified_m",
                                         "temperature_K",
                                         "max_temperature_K",
                                         "elevation_after_m",
                                         "probability"};
    struct geotiff_layer layer = {.rows = SIDE,
                                  .cols = SIDE,
                                  .geo = {500000, 4170000, 10, {.epsg = 32633, .unit_m = 1}},
                                  .nodata = -9999,
                                  .row = fill_row};
    scratch_create(&dir);
    mkdir(scratch_file(&dir, "out"), 0777);
    grid = file_of(&layer, &grid_size);
    layer.rows = 4 * SIDE;
    tall = file_of(&layer, &tall_size);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        FREED char *name = text_format("%s%s.tif", layers[i], i ? "_000060_20260101T0200Z" : "");
        put_bytes(scratch_file(&dir, name), grid, grid_size);
    }
    return 0;
}

static int remove_folder(void **state)
{
    free(grid);
    free(tall);
    scratch_remove(&dir);
    return 0;
}

/* The ending of a file decides whether it is a result or was painted from results, which a run removes. */
static void painted_files_have_endings_of_their_own(void **state)
{
    static const char *const results[] = {"a.tif", "a.csv",   "a.json", "a.geojson",
                                          "a.zip", "a.state", "a.cfg",  "a.gpkg"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        assert_int_equal(painted_as(results[i]), 0);
    for (int i = 0; i < PAINTED_FORMATS; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(painted_formats[i].ending, painted_formats[k].ending);
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, make_folder, remove_folder, a_sample_is_within_its_axes,
                       every_change_is_refused_or_painted, nothing_is_lost_or_exchanged,
                       painted_files_have_endings_of_their_own);
}
