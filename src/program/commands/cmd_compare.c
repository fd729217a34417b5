/* cmd_compare.c — `sciara compare A B`: two runs or two rasters, field by field. */
#include "cli.h"

#include "base/order.h"
#include "compare/fit.h"
#include "record/runfolder.h"
#include "raster/raster.h"
#include "restart/restart.h"
#include "run/output.h"
#include "sim/fields.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "record/json_number.h"

#include <cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum verdict { EQUAL = 0, DIFFERENT = 1, UNDECIDED = 2 };

struct request {
    const char *a, *b;
    bool json, quiet;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("A", option_text, a,
            "the folder of a run, a state, or a raster (GeoTIFF or Arc/Info ASCII)",
            .completes = COMPLETE_FILE),
    OPERAND("B", option_text, b, "the same kind; a state stands for the layers of its step",
            .completes = COMPLETE_FILE),
    {0},
};
static const struct option options[] = {
    OPTION_FLAG("--json", json, "print JSON"),
    OPTION_FLAG("--quiet", quiet, "print nothing; only the exit status gives the result"),
    {0},
};
static const struct option_exit exits[] = {
    {EQUAL, "equal"},
    {DIFFERENT, "different"},
    {UNDECIDED, "undecided: nothing to compare, everything is empty, or an error"},
    {0, NULL},
};

/* ---- one side: a raster, or rasters by name, in the folder of a run or made from a state ------ */

struct compare_side {
    const char *file;        /* a raster alone; NULL: a run */
    struct runfolder folder; /* of a state: what a folder with its layers would have */
    bool state;
    struct fields f; /* of the state */
    struct georef geo;
    double hours_per_step;
};

/* Whether it is the folder of a run, or a state. */
static bool side_is_run(const char *path)
{
    return runfolder_is(path) || restart_is(path);
}

static char *layer_name(enum output_layer layer, int64_t step)
{
    return text_format("%s_%06lld.tif", output_layer_prefix(layer), (long long)step);
}

/* What runfolder_open() would find if the layers had been written. */
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

/* For messages and for reading, malloc'ed; NULL: out of memory. */
static char *side_path(const struct compare_side *s, const char *name)
{
    if (s->file || s->state) return text_format("%s", s->file ? s->file : s->folder.path);
    return text_format("%s/%s", s->folder.path, name);
}

static bool is_layer(enum output_layer layer, int64_t step, const char *name)
{
    FREED char *own = layer_name(layer, step);
    return own && strcmp(own, name) == 0;
}

/* The layer as its file would have it. */
static int make_raster(const struct compare_side *s, const char *name, struct raster *r,
                       struct error *e)
{
    const size_t n = (size_t)s->f.window.rows * (size_t)s->f.window.cols;
    FREED float *value = malloc(n * sizeof *value);
    int layer = 0;
    *r = (struct raster){.rows = s->f.window.rows, .cols = s->f.window.cols, .geo = s->geo};
    r->value = malloc(n * sizeof *r->value);
    if (!value || !r->value) return error_memory(e);
    while (layer < OUTPUT_LAYERS - 1 && !is_layer((enum output_layer)layer, s->f.step, name))
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

/* ---- findings -------------------------------------------------------------------------------- */

/* Results so far; they go into a JSON tree, and as lines to the terminal. */
struct findings {
    const struct request *request;
    cJSON *root, *layers;
    int compared, different, meaningful; /* layers; meaningful: not empty and not mere terrain */
    char reason[256];                    /* why the result is undecided; "" if it is not */
    struct error error;
};

/* A line for the terminal; names of files may hold anything. */
__attribute__((format(printf, 2, 3))) static void print_line(const struct findings *f,
                                                             const char *format, ...)
{
    char shown[512];
    va_list arguments;
    if (f->request->json || f->request->quiet) return;
    va_start(arguments, format);
    vsnprintf(shown, sizeof shown, format, arguments);
    va_end(arguments);
    scan_make_printable(shown);
    puts(shown);
}

/* ---- one pair of rasters --------------------------------------------------------------------- */

static void print_difference(const struct findings *f, const char *name, const struct difference *d,
                             size_t row, size_t col)
{
    char place[48] = "", overlap[24] = "-";
    if (d->either && d->either < d->cells) snprintf(overlap, sizeof overlap, "%.6f", d->overlap);
    if (d->largest > 0) snprintf(place, sizeof place, "  (row %zu, col %zu)", row, col);
    print_line(f, "%-32s %-10s %10zu %13.6g %13.6g %9s%s%s", name,
               d->differ ? "different" : "equal bits", d->differ, d->largest, d->l1, overlap, place,
               d->empty ? "  EMPTY: neither has a value other than 0" : "");
}

static void record_difference(const struct findings *f, const char *name,
                              const struct difference *d, size_t row, size_t col)
{
    cJSON *o = json_add_object(f->layers);
    cJSON_AddStringToObject(o, "name", name);
    json_add_bools(o, {"equal_bits", d->differ == 0}, {"empty", d->empty});
    json_add_numbers(o, {"cells", d->cells}, {"differ", d->differ}, {"only_in_a", d->missing_b},
                     {"only_in_b", d->missing_a}, {"largest", d->largest},
                     {"largest_row", (double)row}, {"largest_col", (double)col}, {"l1", d->l1},
                     {"l1_relative", d->l1_relative}, {"footprint_both", d->both},
                     {"footprint_either", d->either}, {"overlap", d->overlap}); /* NaN: null */
}

/* Terrain is the same in most runs: its equality shows nothing about the lava. */
static bool is_terrain(const char *name)
{
    return strstr(name, "elevation") || strstr(name, "Morphology") || strstr(name, "Vents");
}

/* Layers of runs on one domain may show different parts of it: where one of them ends there is no
 * lava, and its terrain is not known. */
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

/* name_b: its name on that side, which may bear a date. */
static int compare_pair(struct findings *f, const char *name, const char *name_b,
                        const struct compare_side *side_a, const struct compare_side *side_b,
                        bool runs)
{
    FREED_BY(raster_free) struct raster a = {0}, b = {0};
    struct difference d;
    int row0 = 0, col0 = 0; /* of *a in the domain */
    FREED char *path_a = side_path(side_a, name), *path_b = side_path(side_b, name_b);
    int status = path_a && path_b ? 0 : error_memory(&f->error);
    if (!status) status = side_raster(side_a, name, path_a, &a, &f->error);
    if (!status) status = side_raster(side_b, name_b, path_b, &b, &f->error);
    if (!status && runs) {
        const struct raster domain_a = runfolder_domain(side_a->folder.summary),
                            domain_b = runfolder_domain(side_b->folder.summary);
        status =
            join_parts(&a, path_a, &b, path_b, &domain_a, &domain_b, is_terrain(name), &f->error);
        raster_offset(&domain_a, &a, &row0, &col0);
    }
    if (!status) status = raster_same_grid(&a, path_a, &b, path_b, &f->error);
    if (!status) status = raster_check_crs(&b, path_b, &a.geo, &f->error);
    if (!status) {
        compare_values(&d, a.value, b.value, (size_t)a.rows * (size_t)a.cols,
                       compare_absent_is_zero(runs ? name : path_a));
        const size_t cols = (size_t)a.cols, row = cols ? d.largest_at / cols + (size_t)row0 : 0,
                     col = cols ? d.largest_at % cols + (size_t)col0 : 0;
        print_difference(f, name, &d, row, col);
        record_difference(f, name, &d, row, col);
        f->compared++;
        f->different += d.differ != 0;
        f->meaningful += !d.empty && !(runs && is_terrain(name));
    }
    return status;
}

/* ---- two runs -------------------------------------------------------------------------------- */

/* Layers hold rounded numbers; the digests compare the exact states. */
static void compare_digests(struct findings *f, const struct runfolder *a,
                            const struct runfolder *b)
{
    const double step_a = summary_number(a->summary, "run", "step");
    const double step_b = summary_number(b->summary, "run", "step");
    const char *digest_a = summary_text(a->summary, NULL, "digest");
    const char *digest_b = summary_text(b->summary, NULL, "digest");
    if (isnan(step_a) || isnan(step_b) || !*digest_a || !*digest_b) return;
    if (step_a != step_b) {
        snprintf(f->reason, sizeof f->reason, "the runs end at different steps, %.0f and %.0f",
                 step_a, step_b);
        return;
    }
    const char *const what = "exact state at the last step";
    if (strcmp(summary_text(a->summary, NULL, "digest_of"),
               summary_text(b->summary, NULL, "digest_of")) != 0) {
        print_line(f, "%-32s %s", what, "not compared: an earlier version had other digests");
        return;
    }
    const bool equal = strcmp(digest_a, digest_b) == 0;
    print_line(f, "%-32s %-10s %.20s %.20s", what, equal ? "equal" : "different", digest_a,
               digest_b);
    cJSON *o = cJSON_AddObjectToObject(f->root, "digest");
    json_add_texts(o, {"a", digest_a}, {"b", digest_b});
    cJSON_AddBoolToObject(o, "equal", equal);
    f->different += !equal;
}

static void note_unmatched(struct findings *f, const char *key, const struct runfolder *a,
                           const struct runfolder *b)
{
    cJSON *list = cJSON_AddArrayToObject(f->root, key);
    int count = 0;
    for (int i = 0; i < a->count; i++)
        if (!runfolder_same(b, a->name[i])) {
            cJSON_AddItemToArray(list, cJSON_CreateString(a->name[i]));
            count++;
        }
    if (!count) return;
    print_line(f, "not compared: %d rasters that only %.100s has", count, a->path);
}

static void note_stale(struct findings *f, const char *key, const struct runfolder *r)
{
    cJSON_AddNumberToObject(f->root, key, r->other_count);
    if (!r->other_count) return;
    print_line(f, "not compared: %d raster%s in %.100s, which its run did not write: %.40s%s",
               r->other_count, r->other_count == 1 ? "" : "s", r->path, r->other[0],
               r->other_count == 1 ? "" : ", ...");
}

static int compare_runs(struct findings *f)
{
    FREED_BY(side_close) struct compare_side side_a = {0}, side_b = {0};
    const struct runfolder *a = &side_a.folder, *b = &side_b.folder;
    int status = side_open(&side_a, f->request->a, &f->error);
    if (!status) status = side_open(&side_b, f->request->b, &f->error);
    for (int i = 0; i < a->count && !status; i++) {
        const char *other = runfolder_same(b, a->name[i]);
        if (other) status = compare_pair(f, a->name[i], other, &side_a, &side_b, true);
    }
    if (!status) {
        compare_digests(f, a, b);
        note_unmatched(f, "only_in_a", a, b);
        note_unmatched(f, "only_in_b", b, a);
        note_stale(f, "stale_in_a", a);
        note_stale(f, "stale_in_b", b);
    }
    return status;
}

/* ---- verdict --------------------------------------------------------------------------------- */

static int compare(struct findings *f)
{
    const char *names[] = {f->request->a, f->request->b};
    for (int i = 0; i < 2; i++)
        if (access(names[i], F_OK))
            return error_input(&f->error, "%s: no such file or folder; check the name", names[i]);
    const bool run_a = side_is_run(f->request->a), run_b = side_is_run(f->request->b);
    if (run_a != run_b)
        return error_input(&f->error,
                           "compare: %s is the folder of a run or a state, %s is not; name two "
                           "runs or two rasters",
                           run_a ? f->request->a : f->request->b,
                           run_a ? f->request->b : f->request->a);
    print_line(f, "%s",
               "raster                           bits           cells       largest            L1  "
               " overlap");
    if (run_a) return compare_runs(f);
    const struct compare_side a = {.file = f->request->a}, b = {.file = f->request->b};
    return compare_pair(f, "raster", "raster", &a, &b, false);
}

static enum verdict judge(struct findings *f)
{
    if (f->different) return DIFFERENT;
    if (!f->compared) snprintf(f->reason, sizeof f->reason, "no raster is in both");
    else if (!f->meaningful) snprintf(f->reason, sizeof f->reason, "there is no lava in either");
    return *f->reason ? UNDECIDED : EQUAL;
}

static int conclude(struct findings *f, enum verdict verdict)
{
    static const char *const words[] = {"equal", "different", "undecided"};
    json_add_texts(f->root, {"verdict", words[verdict]},
                   {"reason", verdict == UNDECIDED ? f->reason : ""});
    print_line(f, "%s%s%s", words[verdict], verdict == UNDECIDED ? ": " : "",
               verdict == UNDECIDED ? f->reason : "");
    return f->request->json ? cli_print_json(f->root, &f->error) : 0;
}

static int cmd_compare(int argc, char **argv)
{
    struct request r = {0};
    struct findings f = {.request = &r};
    enum verdict verdict = UNDECIDED; /* also on every error: 1 would say that they differ */
    int status = options_parse(&command_compare, &r, argc, argv, &f.error);
    if (status == OPTIONS_HELP) return 0;
    if (status) {
        cli_fail("sciara", &f.error);
        return UNDECIDED;
    }
    f.root = cJSON_CreateObject();
    json_add_texts(f.root, {"a", r.a}, {"b", r.b});
    f.layers = cJSON_AddArrayToObject(f.root, "layers");
    status = compare(&f);
    if (!status) {
        const enum verdict found = judge(&f);
        status = conclude(&f, found);
        if (!status) verdict = found;
    }
    if (status) cli_fail("sciara", &f.error);
    cJSON_Delete(f.root);
    return (int)verdict;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare two runs or two rasters, layer by layer",
    .about = "Compares two folders of runs, by rasters of the same name, or two rasters. A state "
             "stands for a folder with the layers of its step. For each raster: whether the bits "
             "are equal, the number of cells that differ, the largest difference, the sum of "
             "differences (L1), and the overlap of the footprints (cells > 0).",
    .operands = operands,
    .options = options,
    .missing = "name two runs or two rasters",
    .exits = exits,
    .main = cmd_compare,
};
