/* fit.c — a simulated flow, or a forecast of many, against the observed one. */
#include "fit.h"
#include "library.h"

#include "products/summary.h"
#include "record/painters.h"
#include "record/picture_mark.h"
#include "record/json_number.h"
#include "text/plain_locale.h"
#include "text/textfile.h"
#include "verify/discrepancy.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct sciara_fit_options DEFAULTS = {.size = sizeof DEFAULTS};

void sciara_fit_options_init(struct sciara_fit_options *o, size_t size)
{
    structure_write(o, size, &DEFAULTS, sizeof DEFAULTS);
}

/* A call of sciara_fit() */
struct fitting {
    const char *run;
    struct sciara_fit_options o;
    struct file_progress progress;
    struct fit_flow flow;         /* of a run or a raster, */
    struct fit_forecast forecast; /* or of many runs */
    struct fit_scores scores;
    struct warnings told;
    struct sciara_fit *found;
};

static int check_options(const struct fitting *x, struct error *e)
{
    if (!x->run || !*x->run) return error_input(e, "fit: name a run");
    if (!(x->o.threshold_m >= 0))
        return error_input(e, "fit: option 'threshold' %g: give metres, a number from 0",
                           x->o.threshold_m);
    if (!(x->o.discrepancy_m >= 0 && x->o.discrepancy_m <= DISCREPANCY_MOST_M))
        return error_input(e, "fit: option 'discrepancy' %g; give %g m at most", x->o.discrepancy_m,
                           DISCREPANCY_MOST_M);
    return 0;
}

/* ---- what was found -------------------------------------------------------------------------- */

void sciara_fit_free(struct sciara_fit *f)
{
    if (!f) return;
    const char *const texts[] = {f->run,      f->outline, f->scores.within,
                                 f->warnings, f->map,     f->json};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free((char *)(uintptr_t)texts[i]);
    free(f);
}

static void copy_estimates(struct sciara_estimate to[4], const struct verify_estimate *from)
{
    for (int k = 0; k < VERIFY_SCORES; k++)
        to[k] = (struct sciara_estimate){from[k].value, from[k].error};
}

static struct sciara_scores scores_of(const struct fit_scores *s)
{
    const struct verification *v = &s->v;
    struct sciara_scores out = {.within = text_format("%s", s->domain.about),
                                .cells = v->cells,
                                .observed = v->observed,
                                .reliability = v->reliability,
                                .resolution = v->resolution,
                                .uncertainty = v->uncertainty,
                                .log_reference = v->log_reference,
                                .best_jaccard = verify_jaccard(v, v->best),
                                .best_probability = v->best / 100.0,
                                .cells_against = s->x.cells};
    copy_estimates(out.score, v->score);
    copy_estimates(out.difference, s->x.difference);
    return out;
}

static void add_scores(cJSON *o, const struct fit_scores *s, const char *against)
{
    verify_add(cJSON_AddObjectToObject(o, "verification"), &s->v, &s->domain);
    if (!against) return;
    cJSON *a = cJSON_AddObjectToObject(o, "against");
    json_add_texts(a, {"run", against});
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

/* Lava and outline that the numbers exclude. */
static struct warnings warnings_of(const struct sciara_overlap *f, const struct fit_flow *s)
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

/* A line each; NULL: out of memory. */
static char *warning_lines(const struct warnings *w)
{
    char *text = text_format("%s", ""), line[WARNING_TEXT];
    for (int i = 0; i < w->count && text; i++) {
        FREED char *before = text;
        text = text_format("%s%s\n", before, warnings_line(w, i, line));
    }
    return text;
}

static void add_overlap(cJSON *o, const struct sciara_overlap *f, int vent_count)
{
    json_add_numbers(o, {"simulated_cells", f->simulated}, {"observed_cells", f->observed},
                     {"both_cells", f->both}, {"either_cells", f->either}, {"jaccard", f->jaccard},
                     {"jaccard_root", f->jaccard_root}, {"precision", f->precision},
                     {"recall", f->recall}, {"f1", f->f1}, {"over_m2", f->over_m2},
                     {"under_m2", f->under_m2}, {"volume_m3", f->volume_m3});
    if (f->runout_known) {
        cJSON_AddStringToObject(o, "runout_from", vent_count ? "vents" : "highest observed cell");
        json_add_numbers(o, {"runout_simulated_m", f->runout_simulated_m},
                         {"runout_observed_m", f->runout_observed_m});
        json_add_bools(o, {"runout_simulated_is_least", f->simulated_cut},
                       {"runout_observed_is_least", f->observed_cut});
        cJSON_AddNumberToObject(o, "runout_difference_m", f->runout_difference_m); /* NaN: null */
    }
    json_add_numbers(o, {"outline_outside_m2", f->outside_m2},
                     {"outline_outside_share", f->outside_share});
}

/* Texts of it, when its numbers are there. */
static int complete(struct fitting *x, bool forecast, struct error *e)
{
    struct sciara_fit *f = x->found;
    const struct fit_flow *s = &x->flow;
    cJSON *o = cJSON_CreateObject();
    f->run = text_format("%s", x->run);
    f->outline = text_format("%s", forecast ? x->forecast.outline : s->outline);
    f->warnings = warning_lines(&x->told);
    f->scores = scores_of(&x->scores);
    json_add_texts(o, {"run", f->run}, {"outline", f->outline});
    if (forecast) json_add_numbers(o, {"effective_members", f->members});
    else {
        json_add_numbers(o, {"threshold_m", x->o.threshold_m}, {"cell_m", f->cell_m});
        add_overlap(o, &f->overlap, f->vent_count);
        json_add_numbers(o, {"left_domain_m3", f->left_m3},
                         {"left_domain_share", f->left_share}); /* null: not known */
    }
    add_scores(o, &x->scores, x->o.against);
    if (!forecast) output_list_warnings(o, &x->told);
    json_add_given(o, {"map", f->map});
    f->json = json_printed(o);
    const bool whole = f->run && f->outline && f->warnings && f->scores.within && f->json;
    return whole ? 0 : error_memory(e);
}

/* ---- map ------------------------------------------------------------------------------------- */

/* Yellow, blue and orange differ in hue and in lightness, also for colour-blind readers. */
static const struct map_class classes[] = {
    {{240, 219, 96}, "hit: simulated and observed"},
    {{0, 74, 173}, "miss: observed only"},
    {{205, 78, 20}, "false alarm: simulated only"},
};

static void fill_classes(double *value, unsigned char *mark, const struct fit_flow *s)
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

static int draw(const char *path, const struct fit_flow *s, const struct sciara_overlap *f,
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

static int draw_map(void *self, struct error *e)
{
    const struct fitting *x = self;
    return draw(x->found->map, &x->flow, &x->found->overlap, &x->told, e);
}

/* The file of the map, which a picture by sciara alone may stand in the way of. */
static int choose_map(struct fitting *x, struct error *e)
{
    const char *given = x->o.map;
    if (!given || (!*given && !x->flow.folder.path)) return 0;
    const char *path = x->found->map =
        *given ? text_format("%s", given) : text_format("%s/fit.png", x->run);
    if (path && (access(path, F_OK) != 0 || picture_is_ours(path))) return 0;
    return path ? error_input(e, "%s: exists and is not a map of sciara; choose another name", path)
                : error_memory(e);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int find_forecast(struct fitting *x, struct error *e)
{
    int status = fit_forecast_read(&x->forecast, x->run, &x->o, e);
    if (!status) status = fit_score_forecast(&x->scores, &x->forecast, x->run, &x->o, e);
    x->found->members = x->forecast.members;
    return status ? status : complete(x, true, e);
}

static int find_flow(struct fitting *x, struct error *e)
{
    struct fit_flow *s = &x->flow;
    struct sciara_fit *f = x->found;
    int status = fit_flow_read(s, &x->o, e);
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
    fit_compute(&f->overlap, &in);
    if (f->overlap.simulated == 0)
        return error_input(e, "%s: has no lava%s; there is nothing to fit", x->run,
                           x->o.threshold_m > 0 ? " above the threshold" : "");
    f->members = 1;
    f->cell_m = in.cell_m;
    f->vent_count = in.vent_count;
    f->left_m3 = s->left_m3;
    f->left_share = s->left_share;
    status = fit_score_flow(&x->scores, s, &x->o, e);
    x->told = warnings_of(&f->overlap, s);
    if (!status) status = choose_map(x, e);
    return status ? status : complete(x, false, e);
}

static int find(void *self, struct error *e)
{
    struct fitting *x = self;
    return fit_forecast_is(x->run) ? find_forecast(x, e) : find_flow(x, e);
}

/* The map is finished, whatever the watcher says meanwhile. */
static int fit(struct fitting *x, struct error *e)
{
    const struct sciara_watcher *watcher = &x->o.watcher;
    struct background w = {watcher, SCIARA_READING, &x->progress, false, find, x, 0, false};
    int status = background_run(&w, e);
    if (status || !x->found->map) return status;
    const struct sciara_progress begins = {.phase = SCIARA_WRITING};
    if (watcher->progress && watcher->progress(&begins, watcher->user)) return error_cancelled(e);
    w.phase = SCIARA_WRITING;
    w.work = draw_map;
    return background_run(&w, e);
}

int sciara_fit(struct sciara_fit **found, const char *run, const struct sciara_fit_options *given,
               struct sciara_error *e)
{
    IN_PLAIN_LOCALE;
    struct fitting x = {.run = run, .o = DEFAULTS, .flow = {.run = run}};
    struct error mine = {0};
    int status =
        given ? structure_read(&x.o, sizeof x.o, sizeof x.o, given, "fit_options", &mine) : 0;
    if (!status) status = check_options(&x, &mine);
    if (!status && !(x.found = calloc(1, sizeof *x.found))) status = error_memory(&mine);
    if (!status) status = fit(&x, &mine);
    fit_flow_free(&x.flow);
    fit_forecast_free(&x.forecast);
    fit_scores_free(&x.scores);
    if (status) sciara_fit_free(x.found);
    *found = status ? NULL : x.found;
    return status ? return_error(e, &mine) : 0;
}
