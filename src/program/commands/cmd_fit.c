/* cmd_fit.c — `sciara fit RUN OUTLINE`: a simulated flow against the observed one. */
#include "cli.h"
#include "fit_subject.h"
#include "options.h"
#include "run.h"

#include "draw/picture_mark.h"
#include "map/map.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) offsetof(struct fit_request, member)
static const struct option operands[] = {
    OPERAND("RUN", option_text, run, "the folder of a run, or a raster of lava thickness",
            .completes = COMPLETE_FILE),
    OPERAND("OUTLINE", option_text, outline,
            "the observed flow: a raster, inside where > 0, or polygons of a vector file (GeoJSON, "
            "Shapefile, GeoPackage, KML)",
            .completes = COMPLETE_FILE),
    {0},
};
static const struct option options[] = {
    OPTION("--case", "FILE", option_text, case_path,
           "case with the terrain and the vents, if RUN is a raster", .completes = COMPLETE_CASE),
    OPTION("--dem", "FILE", option_text, dem_path, "terrain, if RUN is a raster",
           .completes = COMPLETE_FILE),
    OPTION("--threshold", "M", option_real, threshold_m, "ignore lava thinner than M metres",
           .unit = "metres", .preset = "0"),
    OPTION("--map", "FILE", option_text, map_path,
           "write a map of hits, misses and false alarms to FILE: .png, .svg or .pdf",
           .completes = COMPLETE_FILE, .usual = "fit.png in the folder of the run"),
    OPTION_FLAG("--no-map", no_map, "write no map"),
    OPTION_FLAG("--json", json, "print JSON"),
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

/* ---- results --------------------------------------------------------------------------------- */

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
static void print_warnings(const struct fit *f, const struct fit_subject *s)
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

static int print_json(const struct fit *f, const struct fit_request *q, const struct fit_subject *s,
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
        if (c->row >= 0 && c->row < s->thickness.rows && c->col >= 0 && c->col < s->thickness.cols)
            mark[(size_t)c->row * cols + (size_t)c->col] = 1;
    }
}

static void alert_text(char out[200], const struct fit_subject *s, const struct fit *f)
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

static int draw(const char *path, const struct fit_request *q, const struct fit_subject *s,
                const struct fit *f, struct error *e)
{
    const size_t n = (size_t)s->thickness.rows * (size_t)s->thickness.cols;
    double *value = malloc(n * sizeof *value);
    double *flat = s->terrain.value ? NULL : calloc(n, sizeof *flat);
    unsigned char *mark = calloc(n, 1);
    char subtitle[300], alert[200], note[700];
    int status;
    if (!value || !mark || (!s->terrain.value && !flat)) {
        status = error_memory(e);
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

/* ---- command --------------------------------------------------------------------------------- */

static int fit(const struct fit_request *q, struct fit_subject *s, struct error *e)
{
    struct fit result;
    int status = fit_subject_read(s, q, e);
    if (status) return status;
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
    if (map_path && access(map_path, F_OK) == 0 && !picture_is_ours(map_path))
        return error_input(e, "%s: exists and is not a map of sciara; choose another name",
                           map_path);
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
    struct fit_request q = {0};
    struct fit_subject s = {0};
    struct error e = {0};
    int status = options_parse(&command_fit, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = fit(&q, &s, &e);
    fit_subject_free(&s);
    if (status == ERROR_CANCELLED) return EXIT_INTERRUPTED;
    return status ? cli_fail(&e) : 0;
}
