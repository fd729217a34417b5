/* fit.c — compares a simulated flow or the forecast of a study with the observed flow. */
#include "fit.h"
#include "inside.h"
#include "library.h"

#include "products/picture.h"
#include "products/summary.h"
#include "record/painters.h"
#include "record/json_number.h"
#include "record/shown.h"
#include "text/plain_locale.h"
#include "text/textfile.h"
#include "text/words.h"
#include "verify/discrepancy.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct sciara_fit_options DEFAULTS = {.size = sizeof DEFAULTS};

void sciara_fit_options_init(struct sciara_fit_options *o, size_t size)
{
    structure_write(o, size, &DEFAULTS, sizeof DEFAULTS);
}

struct fit_found {
    struct sciara_fit fit;
    struct warnings told;
};

/* A call of sciara_fit(). */
struct fitting {
    const char *run;
    struct sciara_fit_options o;
    struct file_progress progress;
    struct fit_flow flow;         /* for a run or a raster: its flow */
    struct fit_forecast forecast; /* for the folder of a study: its forecast */
    struct domain domain;         /* the cells on which the forecast is verified */
    struct verification verified;
    struct verify_difference less; /* scores of `forecast` and of the forecast `against` */
    struct fit_found *kept;
    struct sciara_fit *found; /* the result for the caller, in *kept */
};

/* Checks that the map can be written. It may replace a picture that sciara has painted, but no other file. */
static int check_map(const char *path, struct error *e)
{
    const unsigned format = painted_as(path) & PAINTED_PICTURES;
    if (shown_spare(path, "", e)) return ERROR_INPUT;
    if (format) return painters_have(format, e);
    return error_input(e, "fit: option 'map' %s: give a file that ends in .png, .svg or .pdf",
                       path);
}

static int check_options(const struct fitting *x, struct error *e)
{
    if (!x->run || !*x->run) return error_input(e, "fit: name a run");
    if (!(x->o.threshold_m >= 0))
        return error_input(e, "fit: option 'threshold' %g: give a number of metres from 0 on",
                           x->o.threshold_m);
    if (!(x->o.discrepancy_m >= 0 && x->o.discrepancy_m <= DISCREPANCY_MOST_M))
        return error_input(e, "fit: option 'discrepancy' %g; give %g m at most", x->o.discrepancy_m,
                           DISCREPANCY_MOST_M);
    return x->o.map && *x->o.map ? check_map(x->o.map, e) : 0;
}

/* ---- scores ---------------------------------------------------------------------------------- */

static int make_domain(struct fitting *x, const struct raster *grid, const unsigned char *observed,
                       const double *elevation_m, struct error *e)
{
    const struct problem p = {.rows = grid->rows, .cols = grid->cols, .elevation_m = elevation_m};
    const char *text = x->o.within;
    struct domain_within within = {0};
    bool good = true;
    if (text && !domain_is_distance(text, &within.distance_m, &good)) within.path = text;
    if (!good) return error_input(e, "fit: option 'within' %s: " DOMAIN_REMEDY, text);
    return domain_create(&x->domain, &within, observed, &p, &grid->geo, "fit", e);
}

static int compare_forecasts(struct fitting *x, const struct forecast *f, const struct raster *grid,
                             struct error *e)
{
    FREED_BY(fit_forecast_free) struct fit_forecast other = {0};
    int status = fit_folder_read(&other, x->o.against, e);
    if (!status) status = raster_move(&other.probability, x->o.against, grid, x->run, e);
    if (status) return status;
    const struct forecast g = fit_forecast_on(&other, f->domain);
    return verify_compare(&x->less, f, &g, e);
}

/* Finds the scores. elevation_m NULL: all cells have terrain. */
static int find_scores(struct fitting *x, struct forecast f, const struct raster *grid,
                       const unsigned char *observed, const double *elevation_m, struct error *e)
{
    FREED_BY(vicinity_free) struct vicinity near = {0};
    int status = make_domain(x, grid, observed, elevation_m, e);
    f.domain = &x->domain;
    if (!status && x->o.discrepancy_m > 0) {
        status = vicinity_open(&near, &f, grid->rows, grid->cols, grid->geo.cell_m, e);
        if (!status) status = vicinity_set(&near, x->o.discrepancy_m, e);
        f = vicinity_forecast(&near, &f);
    }
    if (!status) status = verify(&x->verified, &f, e);
    return status || !x->o.against ? status : compare_forecasts(x, &f, grid, e);
}

/* ---- the result ------------------------------------------------------------------------------ */

const struct warnings *fit_told(const struct sciara_fit *f)
{
    return &((const struct fit_found *)f)->told;
}

void sciara_fit_free(struct sciara_fit *f)
{
    if (!f) return;
    const char *const texts[] = {f->run, f->outline, f->warning, f->map, f->json};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free((char *)(uintptr_t)texts[i]);
    free(f);
}

static void take_scores(struct sciara_scores *to, const struct fitting *x)
{
    const struct verification *v = &x->verified;
    *to = (struct sciara_scores){.cells = v->cells,
                                 .observed = v->observed,
                                 .reliability = v->reliability,
                                 .resolution = v->resolution,
                                 .uncertainty = v->uncertainty,
                                 .log_reference = v->log_reference,
                                 .best_jaccard = verify_jaccard(v, v->best),
                                 .best_probability = v->best / 100.0,
                                 .cells_against = x->less.cells};
    words_fill(to->within, sizeof to->within, x->domain.about, NULL);
    memcpy(to->score, v->score, sizeof to->score);
    memcpy(to->difference, x->less.difference, sizeof to->difference);
}

static void add_scores(cJSON *o, const struct fitting *x)
{
    const struct verify_difference *less = &x->less;
    verify_add(cJSON_AddObjectToObject(o, "verification"), &x->verified, &x->domain);
    if (!x->o.against) return;
    cJSON *a = cJSON_AddObjectToObject(o, "against");
    json_add_texts(a, {"run", x->o.against});
    json_add_numbers(a, {"cells", less->cells}, {"observed_cells", less->observed});
    for (int k = 0; k < VERIFY_SCORES; k++) {
        char difference[32], error[32];
        snprintf(difference, sizeof difference, "%s_difference", verify_score_names[k]);
        snprintf(error, sizeof error, "%s_error", verify_score_names[k]);
        json_add_numbers(a, {verify_score_names[k], less->score[1][k]},
                         {difference, less->difference[k].value},
                         {error, less->difference[k].error});
    }
}

/* Warns of lava and of parts of the outline that the fit does not count. */
static struct warnings warnings_of(const struct sciara_overlap *f, const struct fit_flow *s)
{
    struct warnings w = {0};
    char text[200];
    snprintf(text, sizeof text,
             "%.3g %% of the lava, %.6g m3, has left the terrain: the fit excludes it",
             100 * s->left_share, s->left_m3);
    if (s->left_m3 > 0) warnings_add(&w, WARNING_RESULT, text, "run the case on a larger DEM");
    else if (f->simulated_cut)
        warnings_add(
            &w, WARNING_RESULT,
            "there is lava at the edge of the grid: the fit excludes lava that may have left it",
            NULL);
    snprintf(text, sizeof text,
             "%.3g %% of the outline, %.4g km2, lies outside the terrain: the fit excludes it",
             100 * f->outside_share, f->outside_m2 / 1e6);
    if (f->outside_m2 > 0) warnings_add(&w, WARNING_RESULT, text, NULL);
    return w;
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
        /* NaN becomes null. */
        cJSON_AddNumberToObject(o, "runout_difference_m", f->runout_difference_m);
    }
    json_add_numbers(o, {"outline_outside_m2", f->outside_m2},
                     {"outline_outside_share", f->outside_share});
}

/* Writes the scores, the texts and the JSON text into the result. */
static int complete(struct fitting *x, bool forecast, struct error *e)
{
    struct sciara_fit *f = x->found;
    const struct fit_flow *s = &x->flow;
    cJSON *o = cJSON_CreateObject();
    f->run = text_format("%s", x->run);
    f->outline = text_format("%s", forecast ? x->forecast.outline : s->outline);
    f->warning = text_format("%s", x->kept->told.warning);
    take_scores(&f->scores, x);
    json_add_texts(o, {"run", f->run}, {"outline", f->outline});
    if (forecast) json_add_numbers(o, {"effective_members", f->members});
    else {
        json_add_numbers(o, {"threshold_m", x->o.threshold_m}, {"cell_m", f->cell_m});
        add_overlap(o, &f->overlap, f->vent_count);
        json_add_numbers(o, {"left_domain_m3", f->left_m3},
                         {"left_domain_share", f->left_share}); /* NaN (not known) becomes null */
    }
    add_scores(o, x);
    if (!forecast) output_list_warnings(o, &x->kept->told);
    json_add_given(o, {"map", f->map});
    f->json = json_printed(o);
    return f->run && f->outline && f->warning && f->json ? 0 : error_memory(e);
}

/* ---- map ------------------------------------------------------------------------------------- */

static int draw_map(void *self, struct error *e)
{
    const struct fitting *x = self;
    const int status =
        fit_flow_draw(x->found->map, &x->flow, &x->found->overlap, &x->kept->told, e);
    return status ? status : shown_note(x->found->map, e);
}

static int choose_map(struct fitting *x, struct error *e)
{
    const char *given = x->o.map;
    if (!given || (!*given && !x->flow.folder.path)) return 0;
    x->found->map = *given ? text_format("%s", given) : text_format("%s/fit.png", x->run);
    return x->found->map ? check_map(x->found->map, e) : error_memory(e);
}

/* ---- the whole fit --------------------------------------------------------------------------- */

static int find_forecast(struct fitting *x, struct error *e)
{
    const struct fit_forecast *f = &x->forecast;
    int status = fit_forecast_read(&x->forecast, x->run, &x->o, e);
    if (!status)
        status = find_scores(x, fit_forecast_on(f, NULL), &f->probability, f->observed,
                             f->terrain.value, e);
    x->found->members = f->members;
    return status ? status : complete(x, true, e);
}

/* Returns 1 if the cell has lava, else 0. A run counts as a forecast with one member of weight 1. */
static uint64_t lava_at(const void *of, size_t cell)
{
    return ((const struct raster *)of)->value[cell] > 0;
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
    status = find_scores(x, (struct forecast){NULL, lava_at, &s->thickness, 1, 1}, &s->thickness,
                         s->observed, s->known.rows ? NULL : s->terrain.value, e);
    x->kept->told = warnings_of(&f->overlap, s);
    if (!status) status = choose_map(x, e);
    return status ? status : complete(x, false, e);
}

static int find_fit(void *self, struct error *e)
{
    struct fitting *x = self;
    return fit_forecast_is(x->run) ? find_forecast(x, e) : find_flow(x, e);
}

/* Compares a run and draws the map. The watcher cannot cancel while the map is drawn. */
static int fit_run(struct fitting *x, struct error *e)
{
    const struct sciara_watcher *watcher = &x->o.watcher;
    struct background w = {watcher, SCIARA_READING, &x->progress, false, find_fit, x, 0, false};
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
    int status = structure_read(&x.o, sizeof x.o, sizeof x.o, given, "fit_options", &mine);
    if (!status) status = check_options(&x, &mine);
    if (!status && !(x.kept = calloc(1, sizeof *x.kept))) status = error_memory(&mine);
    x.found = x.kept ? &x.kept->fit : NULL;
    if (!status) status = fit_run(&x, &mine);
    fit_flow_free(&x.flow);
    fit_forecast_free(&x.forecast);
    domain_free(&x.domain);
    if (status) sciara_fit_free(x.found);
    *found = status ? NULL : x.found;
    return status ? return_error(e, &mine) : 0;
}
