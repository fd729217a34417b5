/* cmd_fit.c — `sciara fit RUN [OUTLINE]`: a simulated flow, or a forecast of many, against the observed
 * one. */
#include "run.h"

#include "case/case.h"
#include "compare/fit.h"
#include "compare/outline.h"
#include "record/runfolder.h"
#include "record/painters.h"
#include "record/picture_mark.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "run/output.h"
#include "text/number.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/words.h"
#include "verify/discrepancy.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As asked for. */
struct fit_request {
    const char *run, *outline, *case_path, *dem_path, *map_path, *within, *against;
    double threshold_m, discrepancy_m;
    bool no_map, json;
};

/* The lava of a run or a raster, and the observed flow on its grid */
struct fit_subject {
    struct runfolder folder; /* of RUN; all zero: a raster */
    struct sim_case c;       /* of --case; all zero: none */
    struct raster thickness, terrain;
    struct raster domain; /* of the run: a grid; rows 0: not known */
    struct window known;  /* of the terrain; rows 0: all */
    struct fit_cell *vents;
    unsigned char *mark; /* of each, on a map; 0: none */
    int vent_count;
    unsigned char *observed;
    double beyond_m2;           /* of the outline, outside the grid */
    double left_m3, left_share; /* of the lava; NaN: not known */
    const char *title, *outline;
    const char *stamp; /* the note of the case, which is on all maps; or NULL */
    char *map_path;
    char source[400]; /* of terrain and lava, for the small print; "": not known */
    char when[200];   /* "22 days since start, step 16000: "; "": not known */
    bool synthetic;
};

#define AT(member) offsetof(struct fit_request, member)
static const struct option operands[] = {
    OPERAND(
        "RUN", option_text, run,
        "the folder of a run, of an ensemble or another forecast, or a raster of lava thickness",
        .completes = COMPLETE_FILE),
    OPERAND("OUTLINE", option_text, outline,
            "the observed flow: a raster, inside where > 0, or polygons of a vector file (GeoJSON, "
            "Shapefile, GeoPackage, KML)",
            .optional = true, .completes = COMPLETE_FILE, .usual = "the outline of the case"),
    {0},
};
static const struct option options[] = {
    OPTION("--case", "FILE", option_text, case_path,
           "case with the terrain and the vents, if RUN is a raster", .completes = COMPLETE_CASE),
    OPTION("--dem", "FILE", option_text, dem_path, "terrain, if RUN is a raster",
           .completes = COMPLETE_FILE),
    OPTION("--threshold", "M", option_real, threshold_m, "ignore lava thinner than M metres",
           .unit = "metres", .preset = "0"),
    OPTION("--within", "DISTANCE|FILE", option_text, within,
           "verify on the cells up to that far (500m, 2km) from the outline, or in polygons of a "
           "vector "
           "file",
           .completes = COMPLETE_FILE, .usual = "the outline's box and 500 m"),
    OPTION("--discrepancy", "M", option_real, discrepancy_m,
           "verify the mean probability of the cells within M metres", .unit = "metres",
           .preset = "0"),
    OPTION("--against", "FOLDER", option_text, against,
           "compare with the forecast in FOLDER, on the cells of both", .completes = COMPLETE_FILE),
    OPTION("--map", "FILE", option_text, map_path,
           "write a map of hits, misses and false alarms to FILE: .png, .svg or .pdf",
           .completes = COMPLETE_FILE, .usual = "fit.png in the folder of the run"),
    OPTION_FLAG("--no-map", no_map, "write no map"),
    OPTION_FLAG("--json", json, "print JSON"),
    {0},
};

/* ---- input ----------------------------------------------------------------------------------- */

static void free_subject(struct fit_subject *s)
{
    runfolder_close(&s->folder);
    case_free(&s->c);
    raster_free(&s->thickness);
    raster_free(&s->terrain);
    free(s->vents);
    free(s->mark);
    free(s->observed);
    free(s->map_path);
}

/* Which state it is, and where it comes from. */
static void read_about(struct fit_subject *s, const cJSON *all)
{
    const char *terrain = summary_text(all, "case", "terrain");
    const double step = summary_number(all, "run", "step");
    const double time_s = summary_number(all, "run", "time_s");
    char since[64], date[TIMES_TEXT] = "";
    int64_t unix_s;
    s->stamp = summary_text(all, "case", "note");
    snprintf(s->source, sizeof s->source, "%s%slava by sciara %s, %s", terrain,
             *terrain ? "; " : "", summary_text(all, NULL, "version"),
             summary_text(all, "run", "variant"));
    if (!(step >= 0 && time_s >= 0)) return;
    output_duration_pack(since, sizeof since, time_s);
    if (times_date_scan(summary_text(all, "run", "date"), &unix_s))
        times_date_text(date, unix_s, TIMES_SAID);
    snprintf(s->when, sizeof s->when, "%s%s%s since start, step %.0f: ", date, *date ? ", " : "",
             WORDS_ENGLISH(since), step);
}

static bool make_vents(struct fit_subject *s, int count)
{
    free(s->vents);
    free(s->mark);
    s->vents = calloc((size_t)count + 1, sizeof *s->vents);
    s->mark = calloc((size_t)count + 1, sizeof *s->mark);
    return s->vents && s->mark;
}

/* Vents, title and lava that left the domain, from the summary of a run; both may be missing. */
static int read_summary(struct fit_subject *s, struct error *e)
{
    const cJSON *all = s->folder.summary, *vent,
                *list = cJSON_GetObjectItemCaseSensitive(all, "vents");
    const char *title = summary_text(all, "case", "title");
    const char *name = summary_text(all, "case", "name");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    s->left_m3 = summary_number(all, "lava", "left_domain_m3");
    s->left_share = summary_number(all, "lava", "left_domain_share");
    s->synthetic = cJSON_IsTrue(summary_item(all, "case", "synthetic_terrain"));
    s->title = *title ? title : *name ? name : s->folder.path;
    s->outline = summary_text(all, "case", "outline");
    read_about(s, all);
    if (!make_vents(s, count)) return error_memory(e);
    cJSON_ArrayForEach (vent, list) {
        const cJSON *row = cJSON_GetObjectItemCaseSensitive(vent, "row");
        const cJSON *col = cJSON_GetObjectItemCaseSensitive(vent, "col");
        if (!cJSON_IsNumber(row) || !cJSON_IsNumber(col) || s->vent_count == count) continue;
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(vent, "id");
        if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vent, "spread")))
            s->mark[s->vent_count] = map_mark(cJSON_IsNumber(id) ? abs(id->valueint) : 0);
        s->vents[s->vent_count++] = (struct fit_cell){row->valueint, col->valueint};
    }
    return 0;
}

static int read_folder(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    const struct runfolder *r = &s->folder;
    int status = runfolder_open(&s->folder, q->run, true, e);
    if (status) return status;
    s->domain = runfolder_domain(r->summary);
    FREED char *lava = runfolder_latest(r, "total_thickness_m", NULL);
    FREED char *ground = runfolder_latest(r, "elevation_after_m", NULL);
    status = lava ? raster_read(&s->thickness, lava, 0, e)
                  : error_input(e,
                                "%s: has no layer total_thickness_m_*.tif of the last step; run "
                                "the case with --format geotiff",
                                q->run);
    if (!status && ground && !q->dem_path && !q->case_path)
        status = raster_read(&s->terrain, ground, 0, e);
    if (!status) status = read_summary(s, e);
    if (!status && !q->map_path && !q->no_map && !(s->map_path = text_format("%s/fit.png", q->run)))
        status = error_memory(e);
    return status;
}

/* Vents and, if no --dem is given, terrain of a case. */
static int read_case(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    struct sim_case *c = &s->c;
    const struct problem *p = &c->problem;
    int status = case_load(c, q->case_path, e);
    if (status) return status;
    if (!make_vents(s, p->vent_count)) return error_memory(e);
    s->vent_count = p->vent_count;
    for (int v = 0; v < s->vent_count; v++) {
        s->vents[v] = (struct fit_cell){p->vents[v].row, p->vents[v].col};
        s->mark[v] = c->vent_spread[v] ? 0 : map_mark(p->vents[v].id);
    }
    if (!q->dem_path && !c->tiles) { /* takes the terrain from the case */
        s->terrain = (struct raster){
            .rows = p->rows, .cols = p->cols, .value = c->elevation_m, .geo = c->geo};
        c->elevation_m = NULL;
    }
    s->synthetic = c->synthetic;
    s->title = *c->title ? c->title : c->name;
    s->stamp = c->display.note;
    s->outline = c->outline_path;
    return 0;
}

static int read_heights(struct raster *r, const char *path, struct error *e)
{
    int status = raster_read(r, path, 0, e);
    return status ? status : raster_to_metres(r, NULL, path, e);
}

static void apply_threshold(struct raster *r, double threshold_m)
{
    const double least_m = threshold_m - number_tolerance(threshold_m);
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++)
        if (r->value[i] < least_m) r->value[i] = NAN;
}

/* A layer may show a part of the domain alone: it is extended to all of the outline and to where
 * forecasts are verified, where there is no lava. *grid: the larger one; rows 0: the layer is enough. */
static int find_grid(struct raster *grid, const struct raster *layer, struct raster domain,
                     const char *outline, const struct fit_request *q, struct error *e)
{
    struct raster part = {.geo = layer->geo};
    double margin_m = DOMAIN_MARGIN_M;
    bool good;
    struct window w;
    int row0, col0;
    *grid = (struct raster){0};
    if (!raster_offset(&domain, layer, &row0, &col0) || row0 < 0 || col0 < 0 ||
        row0 + layer->rows > domain.rows || col0 + layer->cols > domain.cols ||
        (layer->rows == domain.rows && layer->cols == domain.cols))
        return 0;
    domain.geo.crs = layer->geo.crs;
    int status = outline_window(&w, outline, domain.rows, domain.cols, &domain.geo, e);
    if (status) return status;
    if (q->within && !domain_is_distance(q->within, &margin_m, &good))
        w = (struct window){0, 0, domain.rows, domain.cols};
    else w = domain_around(w, margin_m / domain.geo.cell_m, domain.rows, domain.cols);
    part.rows = w.rows;
    part.cols = w.cols;
    part.geo.west_m = domain.geo.west_m + w.col0 * domain.geo.cell_m;
    part.geo.south_m = domain.geo.south_m + (domain.rows - w.row0 - w.rows) * domain.geo.cell_m;
    *grid = raster_join(layer, &part, false);
    return 0;
}

/* Vents have their places in the domain. */
static int extend(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    const bool own = q->dem_path || q->case_path; /* a terrain of the whole domain */
    const struct raster domain = own ? s->terrain : s->domain, layer = s->thickness;
    struct raster grid;
    int row0, col0, status = find_grid(&grid, &layer, domain, s->outline, q, e);
    if (status || !grid.rows) return status;
    status = raster_move(&s->thickness, q->run, &grid, "the outline", e);
    if (!status && s->terrain.value)
        status = raster_move(&s->terrain, q->run, &grid, "the outline", e);
    if (!own && raster_offset(&grid, &layer, &row0, &col0))
        s->known = (struct window){row0, col0, layer.rows, layer.cols};
    if (!raster_offset(&domain, &grid, &row0, &col0)) row0 = col0 = 0;
    for (int v = 0; v < s->vent_count; v++) {
        s->vents[v].row -= row0;
        s->vents[v].col -= col0;
    }
    return status;
}

/* Lava thinner than the threshold does not count. *s is to be freed after an error, too. */
static int read_subject(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    static const double THICKNESS_MOST_M = 4000; /* what marks no data must not be lava */
    *s = (struct fit_subject){.left_m3 = NAN, .left_share = NAN};
    int status =
        runfolder_is(q->run) ? read_folder(s, q, e) : read_heights(&s->thickness, q->run, e);
    if (!status)
        status = raster_check_values(&s->thickness, q->run, -INFINITY, THICKNESS_MOST_M, e);
    if (!status && q->case_path) status = read_case(s, q, e);
    if (!s->title) s->title = q->run;
    if (!status && q->dem_path) status = read_heights(&s->terrain, q->dem_path, e);
    if (q->outline) s->outline = q->outline;
    if (!status && (!s->outline || !*s->outline))
        status = error_input(e, "fit: %s: its case has no outline; add one: sciara fit RUN OUTLINE",
                             q->run);
    if (!status) status = extend(s, q, e);
    if (!status && s->terrain.value)
        status = raster_same_grid(&s->thickness, q->run, &s->terrain,
                                  q->dem_path    ? q->dem_path
                                  : q->case_path ? q->case_path
                                                 : "its terrain",
                                  e);
    if (!status)
        status = outline_read_beyond(&s->observed, &s->beyond_m2, s->outline, s->thickness.rows,
                                     s->thickness.cols, &s->thickness.geo, e);
    if (!status) apply_threshold(&s->thickness, q->threshold_m);
    return status;
}

/* ---- the forecast that many runs left in their folder ---------------------------------------- */

struct forecast_folder {
    struct raster probability; /* NaN: 0 */
    struct raster
        domain; /* the grid of the plan, of which layers may show a part; rows 0: not known */
    cJSON *summary;
    const char *outline; /* of the plan, ""; none */
    uint64_t weight;     /* of all members */
    double members;      /* their effective number */
};

/* Whether it is the folder of many runs. */
static bool forecast_folder_is(const char *path)
{
    cJSON *summary = NULL;
    const bool is = runfolder_is(path) && !runfolder_summary(&summary, path, NULL) &&
                    *summary_text(summary, NULL, "kind");
    cJSON_Delete(summary);
    return is;
}

/* All-zero is fine. */
static void forecast_folder_free(struct forecast_folder *f)
{
    raster_free(&f->probability);
    cJSON_Delete(f->summary);
    *f = (struct forecast_folder){0};
}

/* ERROR_INPUT where there is no probability.tif or no number of members. Probabilities have 24 bits. *f is
 * to be freed after an error, too. */
static int forecast_folder_read(struct forecast_folder *f, const char *path, struct error *e)
{
    FREED char *layer = text_format("%s/probability.tif", path);
    *f = (struct forecast_folder){0};
    int status = layer ? runfolder_summary(&f->summary, path, e) : error_memory(e);
    if (status) return status;
    f->domain = runfolder_domain(f->summary);
    f->outline = summary_text(f->summary, "plan", "outline");
    f->weight = strtoull(summary_text(f->summary, "members", "weight"), NULL, 10);
    f->members = summary_number(f->summary, "members", "effective");
    if (!f->weight || !(f->members >= 1))
        return error_input(e,
                           "%s: the folder has no forecast (kind: %s); name a run, an "
                           "ensemble, a calibration or a null model",
                           path, summary_text(f->summary, NULL, "kind"));
    status = raster_read(&f->probability, layer, 0, e);
    return status ? status : raster_check_values(&f->probability, layer, 0, 1, e);
}

static uint64_t count_in(const void *of, size_t cell)
{
    const struct forecast_folder *f = of;
    const double p = f->probability.value[cell];
    return p > 0 ? (uint64_t)llround(p * (double)f->weight) : 0;
}

/* As verify.h wants it, on that domain; *f stays the caller's. */
static struct forecast forecast_folder_on(const struct forecast_folder *f,
                                          const struct domain *domain)
{
    return (struct forecast){domain, count_in, f, f->weight, f->members};
}

/* ---- scores of a forecast ------------------------------------------------------------------ */

struct fit_scores {
    struct domain domain;
    struct verification v;
    struct verify_difference x; /* with --against */
};

static void scores_free(struct fit_scores *s)
{
    domain_free(&s->domain);
}

static int make_domain(struct domain *d, const struct fit_request *q, const struct raster *grid,
                       const unsigned char *observed, const double *elevation_m, struct error *e)
{
    const struct problem p = {.rows = grid->rows, .cols = grid->cols, .elevation_m = elevation_m};
    struct domain_within within = {0};
    bool good = true;
    if (q->within && !domain_is_distance(q->within, &within.distance_m, &good))
        within.path = q->within;
    if (!good) return error_input(e, "fit: --within %s: " DOMAIN_REMEDY, q->within);
    return domain_create(d, &within, observed, &p, &grid->geo, "fit", e);
}

static int compare(struct fit_scores *s, const struct forecast *f, const struct raster *grid,
                   const struct fit_request *q, struct error *e)
{
    FREED_BY(forecast_folder_free) struct forecast_folder other = {0};
    int status = forecast_folder_read(&other, q->against, e);
    if (!status) status = raster_move(&other.probability, q->against, grid, q->run, e);
    if (!status) {
        const struct forecast g = forecast_folder_on(&other, f->domain);
        status = verify_compare(&s->x, f, &g, e);
    }
    return status;
}

/* *f: without its domain. elevation_m: NULL: all cells have terrain. */
static int find_scores(struct fit_scores *s, struct forecast f, const struct fit_request *q,
                       const struct raster *grid, const unsigned char *observed,
                       const double *elevation_m, struct error *e)
{
    FREED_BY(vicinity_free) struct vicinity near = {0};
    if (q->discrepancy_m > DISCREPANCY_MOST_M)
        return error_input(e, "fit: --discrepancy %g; give %g m at most", q->discrepancy_m,
                           DISCREPANCY_MOST_M);
    int status = make_domain(&s->domain, q, grid, observed, elevation_m, e);
    f.domain = &s->domain;
    if (!status && q->discrepancy_m > 0) {
        status = vicinity_open(&near, &f, grid->rows, grid->cols, grid->geo.cell_m, e);
        if (!status) status = vicinity_set(&near, q->discrepancy_m, e);
        f = vicinity_forecast(&near, &f);
    }
    if (!status) status = verify(&s->v, &f, e);
    if (!status && q->against) status = compare(s, &f, grid, q, e);
    return status;
}

static void print_estimate(const char *label, struct verify_estimate x, const char *more)
{
    if (isnan(x.value)) printf("%-21s   unknown: lava was observed in all of these cells\n", label);
    else printf("%-21s %9.4f +- %.2g%s\n", label, x.value, x.error, more);
}

static void print_scores(const struct fit_scores *s, const struct fit_request *q)
{
    static const char *const labels[] = {"Brier score", "Brier skill", "log score", "ROC area"};
    char more[VERIFY_SCORES][160] = {{0}}, on[32];
    snprintf(more[VERIFY_BRIER], 160, ": reliability %.4f, resolution %.4f, uncertainty %.4f",
             s->v.reliability, s->v.resolution, s->v.uncertainty);
    snprintf(more[VERIFY_SKILL], 160, ", against the observed share in every cell");
    snprintf(more[VERIFY_LOG], 160, ", of the observed share in every cell %.4f",
             s->v.log_reference);
    printf("verified within       %s: %" PRIu64 " cells, %" PRIu64 " observed\n", s->domain.about,
           s->v.cells, s->v.observed);
    for (int k = 0; k < VERIFY_SCORES; k++) print_estimate(labels[k], s->v.score[k], more[k]);
    if (!q->against) return;
    printf("less %s, on %" PRIu64 " cells\n", q->against, s->x.cells);
    for (int k = 0; k < VERIFY_SCORES; k++) {
        snprintf(on, sizeof on, "  %s", labels[k]);
        print_estimate(on, s->x.difference[k], "");
    }
}

static void add_scores(cJSON *o, const struct fit_scores *s, const struct fit_request *q)
{
    verify_add(cJSON_AddObjectToObject(o, "verification"), &s->v, &s->domain);
    if (!q->against) return;
    cJSON *a = cJSON_AddObjectToObject(o, "against");
    json_add_texts(a, {"run", q->against});
    json_add_numbers(a, {"cells", s->x.cells}, {"observed_cells", s->x.observed});
    for (int k = 0; k < VERIFY_SCORES; k++) {
        char name[32];
        cJSON_AddNumberToObject(a, verify_score_names[k], s->x.score[1][k]);
        snprintf(name, sizeof name, "%s_difference", verify_score_names[k]);
        cJSON_AddNumberToObject(a, name, s->x.difference[k].value);
        snprintf(name, sizeof name, "%s_error", verify_score_names[k]);
        cJSON_AddNumberToObject(a, name, s->x.difference[k].error);
    }
}

/* ---- the folder of an ensemble --------------------------------------------------------------- */

/* Its probabilities, terrain and the outline on one grid; of *f, of all zero *terrain and of *observed the
 * caller frees what is there after an error, too. */
static int read_forecast(struct forecast_folder *f, struct raster *terrain,
                         unsigned char **observed, const struct fit_request *q, struct error *e)
{
    struct raster *p = &f->probability, grid;
    if (q->map_path || q->threshold_m > 0 || q->case_path)
        return error_input(e,
                           "fit: %s: is a forecast of many runs; --map, --threshold and --case are "
                           "of one run, remove them",
                           q->run);
    int status = forecast_folder_read(f, q->run, e);
    if (status) return status;
    if (q->outline) f->outline = q->outline;
    if (!*f->outline)
        return error_input(e, "fit: %s: its plan has no outline; add one: sciara fit RUN OUTLINE",
                           q->run);
    if (q->dem_path) status = read_heights(terrain, q->dem_path, e);
    if (!status) status = find_grid(&grid, p, f->domain, f->outline, q, e);
    if (!status && grid.rows) status = raster_move(p, q->run, &grid, f->outline, e);
    if (!status && q->dem_path) status = raster_move(terrain, q->dem_path, p, q->run, e);
    return status ? status : outline_read(observed, f->outline, p->rows, p->cols, &p->geo, e);
}

static int show_forecast(const struct forecast_folder *f, const struct fit_scores *s,
                         const struct fit_request *q, struct error *e)
{
    if (!q->json) {
        printf("effective members     %9.6g\n", f->members);
        printf("overlap J             %9.3f, where the probability is at least %g\n",
               verify_jaccard(&s->v, s->v.best), s->v.best / 100.0);
        print_scores(s, q);
        return 0;
    }
    cJSON *o = cJSON_CreateObject();
    json_add_texts(o, {"run", q->run}, {"outline", f->outline});
    json_add_numbers(o, {"effective_members", f->members});
    add_scores(o, s, q);
    const int status = cli_print_json(o, e);
    cJSON_Delete(o);
    return status;
}

static int fit_forecast(const struct fit_request *q, struct error *e)
{
    FREED_BY(forecast_folder_free) struct forecast_folder f = {0};
    FREED_BY(raster_free) struct raster terrain = {0};
    FREED unsigned char *observed = NULL;
    FREED_BY(scores_free) struct fit_scores s = {0};
    int status = read_forecast(&f, &terrain, &observed, q, e);
    if (!status)
        status = find_scores(&s, forecast_folder_on(&f, NULL), q, &f.probability, observed,
                             terrain.value, e);
    return status ? status : show_forecast(&f, &s, q, e);
}

/* What both outputs have, in the order of both */
static const struct {
    const char *label, *key;
    size_t at;
} cells_of[] =
    {
        {"simulated S", "simulated_cells", offsetof(struct fit, simulated)},
        {"observed R", "observed_cells", offsetof(struct fit, observed)},
        {"both |S and R|", "both_cells", offsetof(struct fit, both)},
        {"either |S or R|", "either_cells", offsetof(struct fit, either)},
        {"over (S without R)", NULL, offsetof(struct fit, only_simulated)},
        {"under (R without S)", NULL, offsetof(struct fit, only_observed)},
},
  ratio_of[] = {
      {"overlap J (e1)", "jaccard", offsetof(struct fit, jaccard)},
      {"sqrt(J)", "jaccard_root", offsetof(struct fit, jaccard_root)},
      {"precision", "precision", offsetof(struct fit, precision)},
      {"recall", "recall", offsetof(struct fit, recall)},
      {"F1", "f1", offsetof(struct fit, f1)},
};
enum { CELLS = sizeof cells_of / sizeof *cells_of, RATIOS = sizeof ratio_of / sizeof *ratio_of };

static size_t cells_at(const struct fit *f, int i)
{
    return *(const size_t *)((const char *)f + cells_of[i].at);
}

static double ratio_at(const struct fit *f, int i)
{
    return *(const double *)((const char *)f + ratio_of[i].at);
}

static void print_text(const struct fit *f, double cell_m)
{
    for (int i = 0; i < CELLS; i++) {
        const double m2 = (double)cells_at(f, i) * cell_m * cell_m;
        printf("%-21s %9zu cells  %10.4f km2", cells_of[i].label, cells_at(f, i), m2 / 1e6);
        if (cells_of[i].key) putchar('\n');
        else printf("  %.0f m2\n", m2);
    }
    for (int i = 0; i < RATIOS; i++) printf("%-21s %9.3f\n", ratio_of[i].label, ratio_at(f, i));
    printf("volume simulated      %9.6g m3\n", f->volume_m3);
    if (!f->runout_known) {
        printf("run-out               unknown: give --case or --dem\n");
        return;
    }
    printf("run-out               %s%*.0f m simulated, %s%.0f m observed, ",
           f->simulated_cut ? "at least " : "", f->simulated_cut ? 0 : 9, f->runout_simulated_m,
           f->observed_cut ? "at least " : "", f->runout_observed_m);
    if (isnan(f->runout_difference_m)) puts("difference unknown");
    else printf("%+.0f m\n", f->runout_difference_m);
}

/* Lava and outline that the numbers exclude. */
static struct warnings warnings_of(const struct fit *f, const struct fit_subject *s)
{
    struct warnings w = {0};
    char text[200];
    snprintf(text, sizeof text,
             "%.3g %% of the lava, %.6g m3, has left the terrain: the fit excludes it",
             100 * s->left_share, s->left_m3);
    if (s->left_m3 > 0) warnings_add(&w, WARNING_RESULT, text, "run the case on a larger DEM");
    else if (f->simulated_cut)
        warnings_add(&w, WARNING_RESULT,
                     "there is lava at the edge of the grid: the fit excludes lava that may have "
                     "left it",
                     NULL);
    snprintf(text, sizeof text,
             "%.3g %% of the outline, %.4g km2, lies outside the terrain: the fit excludes it",
             100 * f->outside_share, f->outside_m2 / 1e6);
    if (f->outside_m2 > 0) warnings_add(&w, WARNING_RESULT, text, NULL);
    return w;
}

static void print_warnings(const struct warnings *w)
{
    char line[WARNING_TEXT];
    for (int i = 0; i < w->count; i++)
        printf("warning               %s\n", warnings_line(w, i, line));
}

static int print_json(const struct fit *f, const struct fit_request *q, const struct fit_subject *s,
                      const struct fit_scores *scores, const struct warnings *w,
                      const char *map_path, struct error *e)
{
    cJSON *o = cJSON_CreateObject();
    json_add_texts(o, {"run", q->run}, {"outline", s->outline});
    json_add_numbers(o, {"threshold_m", q->threshold_m}, {"cell_m", s->thickness.geo.cell_m});
    for (int i = 0; i < CELLS; i++)
        if (cells_of[i].key) cJSON_AddNumberToObject(o, cells_of[i].key, (double)cells_at(f, i));
    for (int i = 0; i < RATIOS; i++) cJSON_AddNumberToObject(o, ratio_of[i].key, ratio_at(f, i));
    json_add_numbers(o, {"over_m2", f->over_m2}, {"under_m2", f->under_m2},
                     {"volume_m3", f->volume_m3});
    if (f->runout_known) {
        cJSON_AddStringToObject(o, "runout_from",
                                s->vent_count ? "vents" : "highest observed cell");
        json_add_numbers(o, {"runout_simulated_m", f->runout_simulated_m},
                         {"runout_observed_m", f->runout_observed_m});
        json_add_bools(o, {"runout_simulated_is_least", f->simulated_cut},
                       {"runout_observed_is_least", f->observed_cut});
        cJSON_AddNumberToObject(o, "runout_difference_m", f->runout_difference_m); /* NaN: null */
    }
    json_add_numbers(o, {"outline_outside_m2", f->outside_m2},
                     {"outline_outside_share", f->outside_share}, {"left_domain_m3", s->left_m3},
                     {"left_domain_share", s->left_share}); /* null: not known */
    add_scores(o, scores, q);
    output_list_warnings(o, w);
    json_add_given(o, {"map", map_path});
    int status = cli_print_json(o, e);
    cJSON_Delete(o);
    return status;
}

/* ---- map ------------------------------------------------------------------------------------- */

/* Yellow, blue and orange differ in hue and in lightness, also for colour-blind readers. */
static const struct map_class classes[] = {
    {{240, 219, 96}, "hit: simulated and observed"},
    {{0, 74, 173}, "miss: observed only"},
    {{205, 78, 20}, "false alarm: simulated only"},
};

static void fill_classes(double *value, unsigned char *mark, const struct fit_subject *s)
{
    const size_t cols = (size_t)s->thickness.cols, n = (size_t)s->thickness.rows * cols;
    for (size_t i = 0; i < n; i++) {
        const bool lava = s->thickness.value[i] > 0, seen = s->observed[i] != 0;
        value[i] = lava && seen ? 1 : seen ? 2 : lava ? 3 : (double)NAN;
    }
    for (int v = 0; v < s->vent_count; v++) {
        const struct fit_cell *c = &s->vents[v];
        if (s->mark[v] && c->row >= 0 && c->row < s->thickness.rows && c->col >= 0 &&
            c->col < s->thickness.cols)
            mark[(size_t)c->row * cols + (size_t)c->col] = s->mark[v];
    }
}

static int draw(const char *path, const struct fit_subject *s, const struct fit *f,
                const struct warnings *w, struct error *e)
{
    const size_t n = (size_t)s->thickness.rows * (size_t)s->thickness.cols;
    FREED double *value = malloc(n * sizeof *value);
    FREED double *flat = s->terrain.value ? NULL : calloc(n, sizeof *flat);
    FREED unsigned char *mark = calloc(n, 1);
    char subtitle[300], alert[600], note[700];
    const char *slash = strrchr(s->outline, '/');
    if (!value || !mark || (!s->terrain.value && !flat)) return error_memory(e);
    fill_classes(value, mark, s);
    snprintf(subtitle, sizeof subtitle,
             "%.200soverlap J = %.3f (of this run alone), sqrt(J) = %.3f, F1 = %.3f", s->when,
             f->jaccard, f->jaccard_root, f->f1);
    warnings_of_result(w, alert, sizeof alert);
    const char *of = summary_text(s->folder.summary, NULL, "digest");
    snprintf(note, sizeof note, "%.300s%sobserved outline %.200s; fit by sciara %s%s%.16s",
             s->source, *s->source ? "; " : "", slash ? slash + 1 : s->outline, sciara_version(),
             *of ? " to the run " : "", of);
    struct map m = {
        .rows = s->thickness.rows,
        .cols = s->thickness.cols,
        .geo = s->thickness.geo,
        .elevation_m = s->terrain.value ? s->terrain.value : flat,
        .value = value,
        .kind = MAP_CLASSES,
        .class_count = sizeof classes / sizeof *classes,
        .classes = classes,
        .title = s->title,
        .subtitle = subtitle,
        .alert = alert,
        .note = note,
        .of = *of ? of : NULL,
        .stamp = s->stamp,
        .outline = s->observed,
        .quantity = "simulated and observed flow",
        .unit = "",
        .warning = s->synthetic || strncmp(s->terrain.terrain_source, "SYNTHETIC", 9) == 0
                       ? "SYNTHETIC TERRAIN"
                       : NULL,
        .mark = mark,
    };
    map_crop_content(&m);
    const struct scene scene = scene_of_map(&m);
    return scene_paint(path, &scene, e);
}

/* A run is a forecast of one member. */
static uint64_t lava_at(const void *of, size_t cell)
{
    return ((const struct raster *)of)->value[cell] > 0;
}

static int fit_run(const struct fit_request *q, struct error *e)
{
    FREED_BY(free_subject) struct fit_subject subject = {0};
    struct fit_subject *s = &subject;
    FREED_BY(scores_free) struct fit_scores scores = {0};
    struct fit result;
    int status = read_subject(s, q, e);
    if (status) return status;
    const struct fit_input in = {
        .rows = s->thickness.rows,
        .cols = s->thickness.cols,
        .cell_m = s->thickness.geo.cell_m,
        .thickness_m = s->thickness.value,
        .observed = s->observed,
        .elevation_m = s->terrain.value,
        .known = s->known,
        .vent_count = s->vent_count,
        .vents = s->vents,
        .beyond_m2 = s->beyond_m2,
        .left_m3 = s->left_m3,
    };
    fit_compute(&result, &in);
    if (result.simulated == 0)
        return error_input(e, "%s: has no lava%s; there is nothing to fit", q->run,
                           q->threshold_m > 0 ? " above the threshold" : "");
    status = find_scores(&scores, (struct forecast){NULL, lava_at, &s->thickness, 1, 1}, q,
                         &s->thickness, s->observed, s->known.rows ? NULL : s->terrain.value, e);
    if (status) return status;
    const struct warnings told = warnings_of(&result, s);
    const char *map_path = q->no_map ? NULL : q->map_path ? q->map_path : s->map_path;
    if (map_path && access(map_path, F_OK) == 0 && !picture_is_ours(map_path))
        return error_input(e, "%s: exists and is not a map of sciara; choose another name",
                           map_path);
    if (map_path) {
        interrupt_watch(NULL); /* the map is finished first */
        status = draw(map_path, s, &result, &told, e);
        if (!status && interrupts_seen()) status = error_cancelled(e);
    }
    if (status) return status;
    if (q->json) return print_json(&result, q, s, &scores, &told, map_path, e);
    print_text(&result, s->thickness.geo.cell_m);
    print_scores(&scores, q);
    print_warnings(&told);
    if (map_path) printf("map                   %s\n", map_path);
    return 0;
}

static int fit(void *request, struct error *e)
{
    const struct fit_request *q = request;
    return forecast_folder_is(q->run) ? fit_forecast(q, e) : fit_run(q, e);
}

const struct command command_fit = {
    .name = "fit",
    .summary = "compare a run with the observed outline",
    .about = "Compares the lava of a run, mobile and solidified, with an observed outline: areas, "
             "overlap, precision, recall, run-out; and as a forecast of what was observed: Brier "
             "and log score, ROC area. Of an ensemble, a calibration or a null model the scores of "
             "its probabilities.",
    .missing = "name a run",
    .exits = command_exits,
    COMMAND_OF(struct fit_request, fit),
};
