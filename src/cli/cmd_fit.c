/* cmd_fit.c — `sciara fit RUN OUTLINE`: a simulated flow against the observed one. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include "case/case.h"
#include "compare/fit.h"
#include "map/map.h"
#include "output/output.h"
#include "compare/outline.h"
#include "raster/raster.h"
#include "compare/runfolder.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *run, *outline, *case_path, *dem_path, *map_path;
    double threshold_m;
    bool no_map, json;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    {.name = "RUN",
     .set = option_text,
     .at = AT(run),
     .completes = COMPLETE_FILE,
     .help = "the folder of a run, or a raster of lava thickness"},
    {.name = "OUTLINE",
     .set = option_text,
     .at = AT(outline),
     .completes = COMPLETE_FILE,
     .help =
         "the observed flow: a raster, inside where > 0, or polygons of a vector file (GeoJSON, "
         "Shapefile, GeoPackage, KML)"},
    {0},
};
static const struct option options[] = {
    {.name = "--case",
     .value = "FILE",
     .set = option_text,
     .at = AT(case_path),
     .completes = COMPLETE_FILE,
     .help = "case with the terrain and the vents, if RUN is a raster"},
    {.name = "--dem",
     .value = "FILE",
     .set = option_text,
     .at = AT(dem_path),
     .completes = COMPLETE_FILE,
     .help = "terrain, if RUN is a raster"},
    {.name = "--threshold",
     .value = "M",
     .set = option_real,
     .at = AT(threshold_m),
     .unit = "metres",
     .preset = "0",
     .help = "ignore lava thinner than M metres"},
    {.name = "--map",
     .value = "FILE",
     .set = option_text,
     .at = AT(map_path),
     .completes = COMPLETE_FILE,
     .usual = "fit.png in the folder of the run",
     .help = "write a map of hits, misses and false alarms, as its name ends: PNG, SVG or PDF"},
    {.name = "--no-map", .at = AT(no_map), .help = "write no map"},
    {.name = "--json", .at = AT(json), .help = "print JSON"},
    {0},
};

const struct command command_fit = {
    .name = "fit",
    .summary = "compare a run with the observed outline",
    .about = "Compares the lava of a run, mobile and solidified, with an observed outline: "
             "areas, overlap, precision, recall, run-out.",
    .operands = operands,
    .options = options,
    .missing = "name a run and an outline",
    .exits = command_exits,
    .run = cmd_fit,
};

/* Data of one comparison; freed together. */
struct subject {
    struct raster thickness, terrain;
    struct fit_cell *vents;
    int vent_count;
    unsigned char *observed;
    double beyond_m2;           /* of the outline, outside the grid */
    double left_m3, left_share; /* of the lava; NaN: not known */
    char *title, *map_path;
    char *source,
        *stamp; /* of terrain and lava, for the small print; what is on all maps; or NULL */
    char *when; /* "22 days since start, step 16000"; NULL: not known */
    bool synthetic;
};

static void subject_free(struct subject *s)
{
    raster_free(&s->thickness);
    raster_free(&s->terrain);
    free(s->vents);
    free(s->observed);
    free(s->title);
    free(s->map_path);
    free(s->source);
    free(s->stamp);
    free(s->when);
}

/* ---- reading ----------------------------------------------------------------------------- */

static double number_of(const cJSON *o, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(value) ? value->valuestring : "";
}

/* Which state it is, and where it comes from. */
static int read_about(struct subject *s, const struct runfolder *r, struct error *e)
{
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(r->summary, "case");
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(r->summary, "run");
    const char *date = text_of(run, "date"), *terrain = text_of(about, "terrain");
    const double step = number_of(run, "step"), time_s = number_of(run, "time_s");
    char since[64];
    s->stamp = text_format("%s", text_of(about, "note"));
    s->source = text_format("%s%slava by sciara %s, %s", terrain, *terrain ? "; " : "",
                            text_of(r->summary, "version"), text_of(run, "variant"));
    if (!s->stamp || !s->source) return error_failed(e, "out of memory");
    if (!(step >= 0 && time_s >= 0)) return 0;
    output_duration_text(since, sizeof since, time_s);
    s->when = text_format("%s%s%s since start, step %.0f: ", date, *date ? ", " : "", since, step);
    return s->when ? 0 : error_failed(e, "out of memory");
}

/* Vents, title and lava that left the domain, from the summary of a run; both may be missing. */
static int read_summary(struct subject *s, const struct runfolder *r, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->summary, "vents"), *vent;
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(r->summary, "case");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(about, "title");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    const cJSON *lava = cJSON_GetObjectItemCaseSensitive(r->summary, "lava");
    s->left_m3 = number_of(lava, "left_domain_m3");
    s->left_share = number_of(lava, "left_domain_share");
    s->synthetic = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(about, "synthetic_terrain"));
    if (!cJSON_IsString(name)) name = cJSON_GetObjectItemCaseSensitive(about, "name");
    s->title = text_format("%s", cJSON_IsString(name) ? name->valuestring : r->path);
    s->vents = calloc((size_t)count + 1, sizeof *s->vents);
    if (!s->title || !s->vents) return error_failed(e, "out of memory");
    if (read_about(s, r, e)) return ERROR_FAILED;
    cJSON_ArrayForEach(vent, list)
    {
        const cJSON *row = cJSON_GetObjectItemCaseSensitive(vent, "row");
        const cJSON *col = cJSON_GetObjectItemCaseSensitive(vent, "col");
        if (cJSON_IsNumber(row) && cJSON_IsNumber(col) && s->vent_count < count)
            s->vents[s->vent_count++] = (struct fit_cell){row->valueint, col->valueint};
    }
    return 0;
}

static int read_folder(struct subject *s, const struct request *q, struct error *e)
{
    struct runfolder r;
    int status = runfolder_open(&r, q->run, e);
    if (status) return status;
    char *lava = runfolder_latest(&r, "total_thickness_m", NULL);
    char *ground = runfolder_latest(&r, "elevation_after_m", NULL);
    status = lava ? raster_read(&s->thickness, lava, 0, e)
                  : error_input(e,
                                "%s: has no layer total_thickness_m_*.tif of the last step; run "
                                "the case with --format geotiff",
                                q->run);
    if (!status && ground && !q->dem_path && !q->case_path)
        status = raster_read(&s->terrain, ground, 0, e);
    if (!status) status = read_summary(s, &r, e);
    if (!status && !q->map_path && !q->no_map && !(s->map_path = text_format("%s/fit.png", q->run)))
        status = error_failed(e, "out of memory");
    free(lava);
    free(ground);
    runfolder_close(&r);
    return status;
}

/* Vents and, if no --dem is given, terrain of a case. */
static int read_case(struct subject *s, const struct request *q, struct error *e)
{
    struct sim_case c;
    int status = case_load(&c, q->case_path, e);
    if (status) return status;
    const struct problem *p = &c.problem;
    free(s->vents);
    s->vents = calloc((size_t)p->vent_count + 1, sizeof *s->vents);
    if (!s->vents) status = error_failed(e, "out of memory");
    s->vent_count = status ? 0 : p->vent_count;
    for (int v = 0; v < s->vent_count; v++)
        s->vents[v] = (struct fit_cell){p->vents[v].row, p->vents[v].col};
    if (!status && !q->dem_path) { /* takes the terrain from the case */
        s->terrain =
            (struct raster){.rows = p->rows, .cols = p->cols, .value = c.elevation_m, .geo = c.geo};
        c.elevation_m = NULL;
    }
    free(s->title);
    s->title = text_format("%s", *c.title ? c.title : c.name);
    if (!s->title) status = error_failed(e, "out of memory");
    s->synthetic = c.synthetic;
    free(s->stamp);
    s->stamp = text_format("%s", c.map_note);
    case_free(&c);
    return status;
}

static int read_heights(struct raster *r, const char *path, struct error *e)
{
    int status = raster_read(r, path, 0, e);
    return status ? status : raster_to_metres(r, NULL, path, e);
}

static int read_subject(struct subject *s, const struct request *q, struct error *e)
{
    static const double THICKNESS_MOST_M = 4000; /* what marks no data must not be lava */
    int status =
        runfolder_is(q->run) ? read_folder(s, q, e) : read_heights(&s->thickness, q->run, e);
    if (!status)
        status = raster_check_values(&s->thickness, q->run, -INFINITY, THICKNESS_MOST_M, e);
    if (!status && q->case_path) status = read_case(s, q, e);
    if (!status && !s->title && !(s->title = text_format("%s", q->run)))
        status = error_failed(e, "out of memory");
    if (!status && q->dem_path) status = read_heights(&s->terrain, q->dem_path, e);
    if (!status && s->terrain.value)
        status = raster_same_grid(&s->thickness, q->run, &s->terrain,
                                  q->dem_path    ? q->dem_path
                                  : q->case_path ? q->case_path
                                                 : "its terrain",
                                  e);
    if (!status)
        status = outline_read_beyond(&s->observed, &s->beyond_m2, q->outline, s->thickness.rows,
                                     s->thickness.cols, &s->thickness.geo, e);
    return status;
}

static void apply_threshold(struct raster *r, double threshold_m)
{
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++)
        if (r->value[i] < threshold_m) r->value[i] = NAN;
}

/* ---- results ----------------------------------------------------------------------------- */

static void print_runout(const struct fit *f)
{
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

static void print_text(const struct fit *f, double cell_m)
{
    const double km2 = cell_m * cell_m / 1e6;
    printf("simulated S           %9zu cells  %10.4f km2\n", f->simulated,
           (double)f->simulated * km2);
    printf("observed R            %9zu cells  %10.4f km2\n", f->observed,
           (double)f->observed * km2);
    printf("both |S and R|        %9zu cells  %10.4f km2\n", f->both, (double)f->both * km2);
    printf("either |S or R|       %9zu cells  %10.4f km2\n", f->either, (double)f->either * km2);
    printf("over (S without R)    %9zu cells  %10.4f km2  %.0f m2\n", f->only_simulated,
           f->over_m2 / 1e6, f->over_m2);
    printf("under (R without S)   %9zu cells  %10.4f km2  %.0f m2\n", f->only_observed,
           f->under_m2 / 1e6, f->under_m2);
    printf("overlap J (e1)        %9.3f\n", f->jaccard);
    printf("sqrt(J)               %9.3f\n", f->jaccard_root);
    printf("precision             %9.3f\n", f->precision);
    printf("recall                %9.3f\n", f->recall);
    printf("F1                    %9.3f\n", f->f1);
    printf("volume simulated      %9.6g m3\n", f->volume_m3);
    print_runout(f);
}

/* Lava and outline that the numbers above exclude, one line each. */
static void print_warnings(const struct fit *f, const struct subject *s)
{
    if (s->left_m3 > 0)
        printf("warning               %.3g %% of the lava, %.6g m3, has left the terrain: the "
               "numbers above exclude it; run the case on a larger DEM\n",
               100 * s->left_share, s->left_m3);
    else if (f->simulated_cut)
        printf("warning               there is lava at the edge of the grid: the numbers above "
               "exclude "
               "lava that may have left it\n");
    if (f->outside_m2 > 0)
        printf(
            "warning               %.3g %% of the outline, %.4g km2, lies outside the terrain: the "
            "numbers above exclude it\n",
            100 * f->outside_share, f->outside_m2 / 1e6);
}

static int print_json(const struct fit *f, const struct request *q, const struct subject *s,
                      const char *map_path, struct error *e)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "run", q->run);
    cJSON_AddStringToObject(o, "outline", q->outline);
    cJSON_AddNumberToObject(o, "threshold_m", q->threshold_m);
    cJSON_AddNumberToObject(o, "cell_m", s->thickness.geo.cell_m);
    cJSON_AddNumberToObject(o, "simulated_cells", (double)f->simulated);
    cJSON_AddNumberToObject(o, "observed_cells", (double)f->observed);
    cJSON_AddNumberToObject(o, "both_cells", (double)f->both);
    cJSON_AddNumberToObject(o, "either_cells", (double)f->either);
    cJSON_AddNumberToObject(o, "jaccard", f->jaccard);
    cJSON_AddNumberToObject(o, "jaccard_root", f->jaccard_root);
    cJSON_AddNumberToObject(o, "precision", f->precision);
    cJSON_AddNumberToObject(o, "recall", f->recall);
    cJSON_AddNumberToObject(o, "f1", f->f1);
    cJSON_AddNumberToObject(o, "over_m2", f->over_m2);
    cJSON_AddNumberToObject(o, "under_m2", f->under_m2);
    cJSON_AddNumberToObject(o, "volume_m3", f->volume_m3);
    if (f->runout_known) {
        cJSON_AddStringToObject(o, "runout_from",
                                s->vent_count ? "vents" : "highest observed cell");
        cJSON_AddNumberToObject(o, "runout_simulated_m", f->runout_simulated_m);
        cJSON_AddNumberToObject(o, "runout_observed_m", f->runout_observed_m);
        cJSON_AddBoolToObject(o, "runout_simulated_is_least", f->simulated_cut);
        cJSON_AddBoolToObject(o, "runout_observed_is_least", f->observed_cut);
        cJSON_AddNumberToObject(o, "runout_difference_m", f->runout_difference_m); /* NaN: null */
    }
    cJSON_AddNumberToObject(o, "outline_outside_m2", f->outside_m2);
    cJSON_AddNumberToObject(o, "outline_outside_share", f->outside_share);
    cJSON_AddNumberToObject(o, "left_domain_m3", s->left_m3); /* null: not known */
    cJSON_AddNumberToObject(o, "left_domain_share", s->left_share);
    if (map_path) cJSON_AddStringToObject(o, "map", map_path);
    int status = cli_print_json(o, e);
    cJSON_Delete(o);
    return status;
}

/* ---- map --------------------------------------------------------------------------------- */

/* Yellow, blue and orange differ in hue and in lightness, also for colour-blind readers. */
static const struct map_class classes[] = {
    {{240, 219, 96}, "hit: simulated and observed"},
    {{0, 74, 173}, "miss: observed only"},
    {{205, 78, 20}, "false alarm: simulated only"},
};

static void fill_classes(double *value, unsigned char *mark, const struct subject *s)
{
    const size_t cols = (size_t)s->thickness.cols, n = (size_t)s->thickness.rows * cols;
    for (size_t i = 0; i < n; i++) {
        const bool lava = s->thickness.value[i] > 0, seen = s->observed[i] != 0;
        value[i] = lava && seen ? 1 : seen ? 2 : lava ? 3 : (double)NAN;
    }
    for (int v = 0; v < s->vent_count; v++) {
        const struct fit_cell *c = &s->vents[v];
        if (c->row >= 0 && c->row < s->thickness.rows && c->col >= 0 && c->col < s->thickness.cols)
            mark[(size_t)c->row * cols + (size_t)c->col] = 1;
    }
}

static void alert_text(char out[200], const struct subject *s, const struct fit *f)
{
    size_t n = 0;
    *out = '\0';
    if (s->left_m3 > 0)
        n = (size_t)snprintf(out, 200, "%.3g %% of the lava has left the terrain. ",
                             100 * s->left_share);
    if (f->outside_m2 > 0)
        snprintf(out + n, 200 - n, "%.3g %% of the outline lies outside the terrain.",
                 100 * f->outside_share);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int draw(const char *path, const struct request *q, const struct subject *s,
                const struct fit *f, struct error *e)
{
    const size_t n = (size_t)s->thickness.rows * (size_t)s->thickness.cols;
    double *value = malloc(n * sizeof *value);
    double *flat = s->terrain.value ? NULL : calloc(n, sizeof *flat);
    unsigned char *mark = calloc(n, 1);
    char subtitle[300], alert[200], note[700];
    int status;
    if (!value || !mark || (!s->terrain.value && !flat)) {
        status = error_failed(e, "out of memory while drawing the map");
    } else {
        fill_classes(value, mark, s);
        snprintf(subtitle, sizeof subtitle,
                 "%soverlap J = %.3f (of this run alone), sqrt(J) = %.3f, F1 = %.3f",
                 s->when ? s->when : "", f->jaccard, f->jaccard_root, f->f1);
        alert_text(alert, s, f);
        snprintf(note, sizeof note, "%.300s%sobserved outline %.200s; fit by sciara %s",
                 s->source ? s->source : "", s->source ? "; " : "", base_of(q->outline),
                 sciara_version());
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
        status = map_write(path, &m, e);
    }
    free(value);
    free(flat);
    free(mark);
    return status;
}

/* ---- command ----------------------------------------------------------------------------- */

static int fit(const struct request *q, struct subject *s, struct error *e)
{
    struct fit result;
    int status = read_subject(s, q, e);
    if (status) return status;
    apply_threshold(&s->thickness, q->threshold_m);
    const struct fit_input in = {
        .rows = s->thickness.rows,
        .cols = s->thickness.cols,
        .cell_m = s->thickness.geo.cell_m,
        .thickness_m = s->thickness.value,
        .observed = s->observed,
        .elevation_m = s->terrain.value,
        .vent_count = s->vent_count,
        .vents = s->vents,
        .beyond_m2 = s->beyond_m2,
        .left_m3 = s->left_m3,
    };
    fit_compute(&result, &in);
    if (result.simulated == 0)
        return error_input(e, "%s: has no lava%s; there is nothing to fit", q->run,
                           q->threshold_m > 0 ? " above the threshold" : "");
    const char *map_path = q->no_map ? NULL : q->map_path ? q->map_path : s->map_path;
    if (map_path) {
        interrupt_watch(NULL); /* the map is finished first */
        status = draw(map_path, q, s, &result, e);
        if (!status && interrupts_seen()) status = error_cancelled(e);
    }
    if (status) return status;
    if (q->json) return print_json(&result, q, s, map_path, e);
    print_text(&result, s->thickness.geo.cell_m);
    print_warnings(&result, s);
    if (map_path) printf("map                   %s\n", map_path);
    return 0;
}

int cmd_fit(int argc, char **argv)
{
    struct request q = {0};
    struct subject s = {.left_m3 = NAN, .left_share = NAN};
    struct error e = {0};
    int status = options_parse(&command_fit, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = fit(&q, &s, &e);
    subject_free(&s);
    if (status == ERROR_CANCELLED) return EXIT_INTERRUPTED;
    return status ? cli_fail(&e) : 0;
}
