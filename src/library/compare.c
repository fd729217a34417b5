/* compare.c — compares two runs or two rasters, layer by layer. */
#include "library.h"

#include "base/order.h"
#include "compare/fit.h"
#include "record/runfolder.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- one side: a raster, the folder of a run, or a state ------------------------------------- */

struct compare_side {
    const char *file; /* path of a raster; NULL: a run or a state */
    /* Folder of the run. For a state, list_layers() fills this structure. */
    struct runfolder folder;
    bool state;
    struct fields f; /* the state */
    struct georef geo;
    double hours_per_step;
};

/* Whether a path is a state, or the folder of a run. */
static bool side_is_run(const char *path)
{
    return runfolder_is(path) || restart_is(path);
}

static char *layer_name(enum output_layer layer, int64_t step)
{
    return text_format("%s_%06lld.tif", output_layer_prefix(layer), (long long)step);
}

/* Lists the layers of a state as runfolder_open() lists the files of a run. */
static int list_layers(struct runfolder *r, const struct restart *state, const char *path,
                       struct error *e)
{
    *r = (struct runfolder){.path = text_format("%s", path), .step = state->step};
    r->name = calloc(OUTPUT_LAYERS, sizeof *r->name);
    r->summary = cJSON_CreateObject();
    bool good = r->path && r->name && r->summary;
    for (int k = 0; good && k < OUTPUT_LAYERS; k++) {
        good = (r->name[k] = layer_name((enum output_layer)k, state->step)) != NULL;
        r->count += good;
    }
    if (!good) return error_memory(e);
    qsort(r->name, (size_t)r->count, sizeof *r->name, order_names);
    json_add_hex(r->summary, "digest", state->digest);
    cJSON_AddStringToObject(r->summary, "digest_of", OUTPUT_DIGEST_OF);
    cJSON *run = cJSON_AddObjectToObject(r->summary, "run");
    cJSON_AddNumberToObject(run, "step", (double)state->step);
    cJSON *grid = cJSON_AddObjectToObject(r->summary, "grid");
    json_add_numbers(grid, {"rows", state->identity.rows}, {"cols", state->identity.cols},
                     {"cell_m", state->identity.cell_m}, {"west_m", state->identity.west_m},
                     {"south_m", state->identity.south_m});
    return 0;
}

static int open_state(struct compare_side *s, const char *path, struct error *e)
{
    FREED_BY(restart_free) struct restart r = {0};
    int status = restart_read(&r, &s->f, path, e);
    if (status) return status;
    const struct identity *id = &r.identity;
    s->state = true;
    s->geo.cell_m = id->cell_m;
    s->geo.west_m = id->west_m + id->window.col0 * id->cell_m;
    s->geo.south_m = id->south_m + (id->rows - id->window.row0 - id->window.rows) * id->cell_m;
    s->hours_per_step = id->parameter[0] / 3600.0; /* Pclock */
    return list_layers(&s->folder, &r, path, e);
}

static void side_close(struct compare_side *s)
{
    runfolder_close(&s->folder);
    fields_free(&s->f);
    *s = (struct compare_side){0};
}

static int side_open(struct compare_side *s, const char *path, struct error *e)
{
    return runfolder_is(path) ? runfolder_open(&s->folder, path, true, e) : open_state(s, path, e);
}

/* The path of a layer, for messages and for reading. malloc'ed; NULL: out of memory. */
static char *side_path(const struct compare_side *s, const char *name)
{
    if (s->file || s->state) return text_format("%s", s->file ? s->file : s->folder.path);
    return text_format("%s/%s", s->folder.path, name);
}

/* Makes a layer of a state, with the numbers that a run would write to the layer's file. */
static int make_raster(const struct compare_side *s, const char *name, struct raster *r,
                       struct error *e)
{
    const size_t n = (size_t)s->f.window.rows * (size_t)s->f.window.cols;
    FREED float *value = malloc(n * sizeof *value);
    int layer = 0;
    *r = (struct raster){.rows = s->f.window.rows, .cols = s->f.window.cols, .geo = s->geo};
    r->value = malloc(n * sizeof *r->value);
    if (!value || !r->value) return error_memory(e);
    while (runfolder_layer_step(name, output_layer_prefix((enum output_layer)layer), ".tif") < 0)
        layer++;
    const struct output_cut all = {.window = s->f.window, .f = &s->f};
    output_layer_values((enum output_layer)layer, &all, s->hours_per_step, value);
    for (size_t i = 0; i < n; i++) r->value[i] = value[i];
    return 0;
}

static int side_raster(const struct compare_side *s, const char *name, const char *path,
                       struct raster *r, struct error *e)
{
    return s->state ? make_raster(s, name, r, e) : raster_read(r, path, 0, e);
}

/* ---- the result ------------------------------------------------------------------------------ */

/* A call of sciara_compare(). */
struct comparing {
    const char *a, *b;
    struct file_progress progress;
    struct sciara_comparison *found;
    struct sciara_layer_difference *layer; /* array of the layers in *found */
    cJSON *root, *layers;
    FILE *notes;
    int different, meaningful; /* meaningful: number of layers that have data, except terrain */
};

void sciara_comparison_free(struct sciara_comparison *c)
{
    if (!c) return;
    free((char *)(uintptr_t)c->notes);
    free((char *)(uintptr_t)c->json);
    for (int i = 0; i < c->count; i++) free((char *)(uintptr_t)c->layer[i].name);
    free((struct sciara_layer_difference *)(uintptr_t)c->layer);
    free(c);
}

/* ---- one pair of rasters --------------------------------------------------------------------- */

static int add_layer(struct comparing *x, const struct sciara_layer_difference *layer,
                     struct error *e)
{
    const struct sciara_difference *d = &layer->d;
    cJSON *o = json_add_object(x->layers);
    cJSON_AddStringToObject(o, "name", layer->name);
    json_add_bools(o, {"equal_bits", d->differ == 0}, {"empty", d->empty});
    json_add_numbers(o, {"cells", d->cells}, {"differ", d->differ}, {"only_in_a", d->missing_b},
                     {"only_in_b", d->missing_a}, {"largest", d->largest},
                     {"largest_row", layer->row}, {"largest_col", layer->col}, {"l1", d->l1},
                     {"l1_relative", d->l1_relative}, {"footprint_both", d->both},
                     /* NaN becomes null. */
                     {"footprint_either", d->either}, {"overlap", d->overlap});
    if (!GROW(x->layer, x->found->count)) return error_memory(e);
    x->found->layer = x->layer;
    x->layer[x->found->count] = *layer;
    x->layer[x->found->count].name = text_format("%s", layer->name);
    return x->layer[x->found->count++].name ? 0 : error_memory(e);
}

/* Whether a layer is terrain. Most runs share their terrain, so its equality proves nothing about lava. */
static bool is_terrain(const char *name)
{
    return strstr(name, "elevation") || strstr(name, "Morphology") || strstr(name, "Vents");
}

/* Extends two layers to a common window, because they may show different parts of the domain. Added cells have no lava
 * and unknown terrain. */
static int join_parts(struct raster *a, const char *path_a, struct raster *b, const char *path_b,
                      const struct raster *domain_a, const struct raster *domain_b, bool terrain,
                      struct error *e)
{
    const struct raster all = raster_join(a, b, terrain);
    int row0, col0;
    const bool one = raster_offset(domain_a, domain_b, &row0, &col0) && !row0 && !col0 &&
                     domain_a->rows == domain_b->rows && domain_a->cols == domain_b->cols &&
                     raster_offset(domain_a, &all, &row0, &col0) && row0 >= 0 && col0 >= 0 &&
                     row0 + all.rows <= domain_a->rows && col0 + all.cols <= domain_a->cols;
    if (!one || (a->rows == b->rows && a->cols == b->cols)) return 0;
    int status = raster_move(a, path_a, &all, path_b, e);
    return status ? status : raster_move(b, path_b, &all, path_a, e);
}

/* Compares a layer of side a, in the file `name`, with the same layer of side b, in name_b. The dates in the names
 * may differ. */
static int compare_pair(struct comparing *x, const char *name, const char *name_b,
                        const struct compare_side *side_a, const struct compare_side *side_b,
                        bool runs, struct error *e)
{
    FREED_BY(raster_free) struct raster a = {0}, b = {0};
    struct sciara_layer_difference layer = {.name = name};
    int row0 = 0, col0 = 0; /* position of *a in the domain */
    FREED char *path_a = side_path(side_a, name), *path_b = side_path(side_b, name_b);
    int status = path_a && path_b ? 0 : error_memory(e);
    if (!status) status = side_raster(side_a, name, path_a, &a, e);
    if (!status) status = side_raster(side_b, name_b, path_b, &b, e);
    if (!status && runs) {
        const struct raster domain_a = runfolder_domain(side_a->folder.summary),
                            domain_b = runfolder_domain(side_b->folder.summary);
        status = join_parts(&a, path_a, &b, path_b, &domain_a, &domain_b, is_terrain(name), e);
        raster_offset(&domain_a, &a, &row0, &col0);
    }
    if (!status) status = raster_same_grid(&a, path_a, &b, path_b, e);
    if (!status) status = raster_check_crs(&b, path_b, &a.geo, e);
    if (status) return status;
    compare_values(&layer.d, a.value, b.value, (size_t)a.rows * (size_t)a.cols,
                   compare_absent_is_zero(runs ? name : path_a));
    layer.row = layer.d.largest_at / (size_t)a.cols + (size_t)row0;
    layer.col = layer.d.largest_at % (size_t)a.cols + (size_t)col0;
    x->different += layer.d.differ != 0;
    x->meaningful += !layer.d.empty && !(runs && is_terrain(name));
    return add_layer(x, &layer, e);
}

/* ---- two runs -------------------------------------------------------------------------------- */

/* Compares the digests of the exact states, because layers only have rounded numbers. */
static void compare_digests(struct comparing *x, const struct runfolder *a,
                            const struct runfolder *b)
{
    const double step_a = summary_number(a->summary, "run", "step");
    const double step_b = summary_number(b->summary, "run", "step");
    const char *digest_a = summary_text(a->summary, NULL, "digest");
    const char *digest_b = summary_text(b->summary, NULL, "digest");
    if (isnan(step_a) || isnan(step_b) || !*digest_a || !*digest_b) return;
    if (step_a != step_b) {
        snprintf(x->found->reason, sizeof x->found->reason,
                 "the runs end at different steps, %.0f and %.0f", step_a, step_b);
        return;
    }
    if (strcmp(summary_text(a->summary, NULL, "digest_of"),
               summary_text(b->summary, NULL, "digest_of")) != 0) {
        fprintf(x->notes, "%-32s %s\n", "exact state at the last step",
                "not compared: an earlier version had other digests");
        return;
    }
    const bool equal = strcmp(digest_a, digest_b) == 0;
    snprintf(x->found->digest_a, sizeof x->found->digest_a, "%s", digest_a);
    snprintf(x->found->digest_b, sizeof x->found->digest_b, "%s", digest_b);
    cJSON *o = cJSON_AddObjectToObject(x->root, "digest");
    json_add_texts(o, {"a", digest_a}, {"b", digest_b});
    cJSON_AddBoolToObject(o, "equal", equal);
    x->different += !equal;
}

static void note_unmatched(struct comparing *x, const char *key, const struct runfolder *a,
                           const struct runfolder *b)
{
    cJSON *list = cJSON_AddArrayToObject(x->root, key);
    int count = 0;
    for (int i = 0; i < a->count; i++)
        if (!runfolder_same(b, a->name[i])) {
            cJSON_AddItemToArray(list, cJSON_CreateString(a->name[i]));
            count++;
        }
    if (!count) return;
    fprintf(x->notes, "not compared: %d rasters that only %.100s has\n", count, a->path);
}

static void note_stale(struct comparing *x, const char *key, const struct runfolder *r)
{
    cJSON_AddNumberToObject(x->root, key, r->other_count);
    if (!r->other_count) return;
    fprintf(x->notes, "not compared: %d raster%s in %.100s, which its run did not write: %.40s%s\n",
            r->other_count, r->other_count == 1 ? "" : "s", r->path, r->other[0],
            r->other_count == 1 ? "" : ", ...");
}

static int compare_runs(struct comparing *x, struct error *e)
{
    FREED_BY(side_close) struct compare_side side_a = {0}, side_b = {0};
    const struct runfolder *a = &side_a.folder, *b = &side_b.folder;
    int status = side_open(&side_a, x->a, e);
    if (!status) status = side_open(&side_b, x->b, e);
    for (int i = 0; i < a->count && !status; i++) {
        const char *other = runfolder_same(b, a->name[i]);
        if (other) status = compare_pair(x, a->name[i], other, &side_a, &side_b, true, e);
    }
    if (status) return status;
    compare_digests(x, a, b);
    note_unmatched(x, "only_in_a", a, b);
    note_unmatched(x, "only_in_b", b, a);
    note_stale(x, "stale_in_a", a);
    note_stale(x, "stale_in_b", b);
    return 0;
}

/* ---- verdict --------------------------------------------------------------------------------- */

static int compare_files(struct comparing *x, struct error *e)
{
    const char *names[] = {x->a, x->b};
    for (int i = 0; i < 2; i++)
        if (!names[i] || access(names[i], F_OK))
            return error_input(e, "%s: no such file or folder; check the name",
                               names[i] ? names[i] : "compare");
    const bool run_a = side_is_run(x->a), run_b = side_is_run(x->b);
    if (run_a != run_b)
        return error_input(e,
                           "compare: %s is the folder of a run or a state, %s is not; name two "
                           "runs or two rasters",
                           run_a ? x->a : x->b, run_a ? x->b : x->a);
    if (run_a) return compare_runs(x, e);
    const struct compare_side a = {.file = x->a}, b = {.file = x->b};
    return compare_pair(x, "raster", "raster", &a, &b, false, e);
}

/* Sets verdict and reason after all comparisons. */
static int conclude(struct comparing *x, char *notes, struct error *e)
{
    static const char *const words[] = {"equal", "different", "undecided"};
    struct sciara_comparison *c = x->found;
    const char *empty = !c->count        ? "the two have no raster in common"
                        : !x->meaningful ? "there is no lava in either"
                                         : c->reason;
    if (x->different || empty != c->reason)
        snprintf(c->reason, sizeof c->reason, "%s", x->different ? "" : empty);
    c->verdict = x->different ? SCIARA_DIFFERENT : *c->reason ? SCIARA_UNDECIDED : SCIARA_EQUAL;
    c->notes = notes;
    json_add_texts(x->root, {"verdict", words[c->verdict]}, {"reason", c->reason});
    c->json = json_printed(x->root);
    x->root = NULL;
    return c->notes && c->json ? 0 : error_memory(e);
}

static int find_differences(void *self, struct error *e)
{
    struct comparing *x = self;
    char *notes = NULL;
    size_t size;
    x->found = calloc(1, sizeof *x->found);
    x->notes = open_memstream(&notes, &size);
    x->root = cJSON_CreateObject();
    if (!x->found || !x->notes || !x->root) return error_memory(e);
    json_add_texts(x->root, {"a", x->a}, {"b", x->b});
    x->layers = cJSON_AddArrayToObject(x->root, "layers");
    const int status = compare_files(x, e);
    notes = text_of_stream(x->notes, &notes);
    if (!status) return conclude(x, notes, e);
    free(notes);
    return status;
}

int sciara_compare(struct sciara_comparison **c, const char *a, const char *b,
                   const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct comparing x = {.a = a, .b = b};
    struct background w = {watcher, SCIARA_READING, &x.progress, false, find_differences, &x,
                           0,       false};
    struct error mine = {0};
    const int status = background_run(&w, &mine);
    cJSON_Delete(x.root);
    if (status) sciara_comparison_free(x.found);
    *c = status ? NULL : x.found;
    return status ? return_error(e, &mine) : 0;
}
