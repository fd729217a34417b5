/* fit_forecast.c — the forecast that many runs left in their folder, and how forecasts score. */
#include "fit.h"

#include "compare/outline.h"
#include "raster/raster.h"
#include "text/textfile.h"
#include "verify/discrepancy.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

bool fit_forecast_is(const char *path)
{
    cJSON *summary = NULL;
    const bool is = runfolder_is(path) && !runfolder_summary(&summary, path, NULL) &&
                    *summary_text(summary, NULL, "kind");
    cJSON_Delete(summary);
    return is;
}

void fit_forecast_free(struct fit_forecast *f)
{
    raster_free(&f->probability);
    raster_free(&f->terrain);
    free(f->observed);
    cJSON_Delete(f->summary);
    *f = (struct fit_forecast){0};
}

/* ERROR_INPUT where there is no probability.tif or no number of members. Probabilities have 24 bits. *f is
 * to be freed after an error, too. */
static int read_folder(struct fit_forecast *f, const char *path, struct error *e)
{
    FREED char *layer = text_format("%s/probability.tif", path);
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

int fit_forecast_read(struct fit_forecast *f, const char *run, const struct sciara_fit_options *o,
                      struct error *e)
{
    struct raster *p = &f->probability, grid;
    if ((o->map && *o->map) || o->threshold_m > 0 || o->case_path)
        return error_input(e,
                           "fit: %s: is a forecast of many runs; option 'map', option 'threshold' "
                           "and option 'case' are of one run, remove them",
                           run);
    int status = read_folder(f, run, e);
    if (status) return status;
    if (o->outline) f->outline = o->outline;
    if (!*f->outline)
        return error_input(e, "fit: %s: its plan has no outline; add one: sciara fit RUN OUTLINE",
                           run);
    if (o->dem) status = fit_read_heights(&f->terrain, o->dem, e);
    if (!status) status = fit_grid(&grid, p, f->domain, f->outline, o->within, e);
    if (!status && grid.rows) status = raster_move(p, run, &grid, f->outline, e);
    if (!status && o->dem) status = raster_move(&f->terrain, o->dem, p, run, e);
    return status ? status : outline_read(&f->observed, f->outline, p->rows, p->cols, &p->geo, e);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static uint64_t count_in(const void *of, size_t cell)
{
    const struct fit_forecast *f = of;
    const double p = f->probability.value[cell];
    return p > 0 ? (uint64_t)llround(p * (double)f->weight) : 0;
}

/* As verify.h wants it, on that domain; *f stays the caller's. */
static struct forecast forecast_on(const struct fit_forecast *f, const struct domain *domain)
{
    return (struct forecast){domain, count_in, f, f->weight, f->members};
}

/* A run is a forecast of one member. */
static uint64_t lava_at(const void *of, size_t cell)
{
    return ((const struct raster *)of)->value[cell] > 0;
}

void fit_scores_free(struct fit_scores *s)
{
    domain_free(&s->domain);
}

/* What is scored, where, against what. */
struct scored {
    const char *run;
    const struct sciara_fit_options *o;
    const struct raster *grid;
    const unsigned char *observed;
    const double *elevation_m; /* NULL: all cells have terrain */
};

static int make_domain(struct domain *d, const struct scored *q, struct error *e)
{
    const struct problem p = {
        .rows = q->grid->rows, .cols = q->grid->cols, .elevation_m = q->elevation_m};
    const char *text = q->o->within;
    struct domain_within within = {0};
    bool good = true;
    if (text && !domain_is_distance(text, &within.distance_m, &good)) within.path = text;
    if (!good) return error_input(e, "fit: option 'within' %s: " DOMAIN_REMEDY, text);
    return domain_create(d, &within, q->observed, &p, &q->grid->geo, "fit", e);
}

static int compare(struct fit_scores *s, const struct forecast *f, const struct scored *q,
                   struct error *e)
{
    FREED_BY(fit_forecast_free) struct fit_forecast other = {0};
    const char *against = q->o->against;
    int status = read_folder(&other, against, e);
    if (!status) status = raster_move(&other.probability, against, q->grid, q->run, e);
    if (status) return status;
    const struct forecast g = forecast_on(&other, f->domain);
    return verify_compare(&s->x, f, &g, e);
}

static int find_scores(struct fit_scores *s, struct forecast f, const struct scored *q,
                       struct error *e)
{
    FREED_BY(vicinity_free) struct vicinity near = {0};
    const struct raster *grid = q->grid;
    int status = make_domain(&s->domain, q, e);
    f.domain = &s->domain;
    if (!status && q->o->discrepancy_m > 0) {
        status = vicinity_open(&near, &f, grid->rows, grid->cols, grid->geo.cell_m, e);
        if (!status) status = vicinity_set(&near, q->o->discrepancy_m, e);
        f = vicinity_forecast(&near, &f);
    }
    if (!status) status = verify(&s->v, &f, e);
    return status || !q->o->against ? status : compare(s, &f, q, e);
}

int fit_score_forecast(struct fit_scores *s, const struct fit_forecast *f, const char *run,
                       const struct sciara_fit_options *o, struct error *e)
{
    const struct scored q = {run, o, &f->probability, f->observed, f->terrain.value};
    return find_scores(s, forecast_on(f, NULL), &q, e);
}

int fit_score_flow(struct fit_scores *s, const struct fit_flow *flow,
                   const struct sciara_fit_options *o, struct error *e)
{
    const struct scored q = {flow->run, o, &flow->thickness, flow->observed,
                             flow->known.rows ? NULL : flow->terrain.value};
    return find_scores(s, (struct forecast){NULL, lava_at, &flow->thickness, 1, 1}, &q, e);
}
