/* case.c — the last steps of loading, common to all kinds of case: vents and rates, and the problem that a variant
 * computes. */
#include "case.h"

#include "assets.h"
#include "case_background.h"
#include "barriers.h"
#include "case_tiles.h"
#include "changes.h"
#include "eruption/rates.h"
#include "sim/vent.h"
#include "text/number.h"

#include <math.h>
#include <stdlib.h>

/* A greater relative difference of emitted and requested volume gives a notice. */
#define DIFFERENCE_MAX 5e-3

/* ---- emission -------------------------------------------------------------------------------- */

double case_asked_m3(const struct sim_case *c, int64_t first, int64_t last)
{
    const double clock_s = c->problem.params.clock_s;
    return effusion_m3(c->effusion, c->effusion_count, (double)(first - 1) * clock_s,
                       last == INT64_MAX ? (double)INFINITY : (double)last * clock_s);
}

double case_emitted_m3(const struct sim_case *c, int64_t first, int64_t last)
{
    const double cell_m = c->problem.params.cell_m;
    double sum_m = 0;
    for (int i = 0; i < c->problem.vent_count; i++) sum_m += vent_sum_m(&c->vents[i], first, last);
    return sum_m * cell_m * cell_m;
}

/* Warns if the steps emit another volume than the rates ask for. By the published rule the rate at the end of a step
 * applies to the whole step, so a rate that lasts 30 steps may apply to 29. */
static void note_difference(struct sim_case *c)
{
    const double asked_m3 = case_asked_m3(c, 1, INT64_MAX),
                 emitted_m3 = case_emitted_m3(c, 1, INT64_MAX);
    if (!(fabs(emitted_m3 - asked_m3) > DIFFERENCE_MAX * asked_m3)) return;
    warnings_say(&c->told, WARNING_NOTE,
                 "the rates sum up to %.6g m3 of lava, but the steps emit %.6g (%+.2g %%): the "
                 "published rule applies the rate at the end of a step to the whole step",
                 asked_m3, emitted_m3, 100 * (emitted_m3 / asked_m3 - 1));
}

/* Keeps the rates of an original case, for output in its format. */
static int keep_rates(struct sim_case *c, struct rate_lists *rates, struct error *e)
{
    if (!(c->words.rates = malloc(sizeof *rates))) return error_memory(e);
    *c->words.rates = *rates;
    *rates = (struct rate_lists){0};
    return 0;
}

/* Copies `spread` of all cells of all vents to c->vent_spread, in the order of emission_create(). */
static int note_spread(struct sim_case *c, const struct vent_sites *sites, struct error *e)
{
    bool *to = c->vent_spread = calloc((size_t)c->problem.vent_count + 1, sizeof *to);
    if (!to) return error_memory(e);
    for (int i = 0; i < sites->count && c->problem.vent_count; i++)
        for (int k = 0; k < sites->site[i].count; k++) *to++ = sites->site[i].cell[k].spread;
    return 0;
}

int case_emission(struct sim_case *c, struct vent_sites *sites, struct rate_lists *rates,
                  struct error *e)
{
    struct problem *p = &c->problem;
    const struct emission_input in = {sites, rates, &p->params, c->emission, c->original};
    const struct vent_ground ground = {p->rows,        p->cols,    &c->geo,
                                       c->elevation_m, p->terrain, c->sea};
    int status =
        c->vent_radius_m > 0 ? emission_spread(sites, &in, c->vent_radius_m, &ground, e) : 0;
    if (!status) status = emission_create(&c->vents, &p->vent_count, &in, e);
    if (!status) status = note_spread(c, sites, e);
    if (!status) status = effusion_create(&c->effusion, &c->effusion_count, sites, rates, e);
    if (!status && c->original) status = keep_rates(c, rates, e);
    if (status) return status;
    p->last_vent_step = 0;
    for (int i = 0; i < p->vent_count; i++) {
        const int64_t last = vent_last_step(&c->vents[i]);
        if (last > p->last_vent_step) p->last_vent_step = last;
    }
    if (p->vent_count && !p->last_vent_step && !c->thickness_m)
        warnings_add(&c->told, WARNING_INPUT, "no lava: all rates are 0; correct the rates", NULL);
    /* The published rule gives no warning of large emissions in a step, since published cases often have them. */
    char much[512];
    if (c->emission == EMISSION_INTEGRAL) {
        status = emission_warning(much, sizeof much, c->vents, p->vent_count, &p->params, e);
        if (*much) warnings_add(&c->told, WARNING_NOTE, much, NULL);
    } else {
        note_difference(c);
    }
    return status;
}

int case_check_depth_in(const struct sim_case *c, struct window w, struct error *e)
{
    if (!c->thickness_m || !c->solid_m || (c->original && c->unrounded)) return 0;
    EACH_CELL(c, w, row, col, i)
    {
        const double total_m = c->thickness_m[i] + c->solid_m[i];
        if (total_m > THICKNESS_MAX_M)
            return error_input(
                e, "%s: %g m of mobile and solidified lava at row %d, column %d; give at most %g m",
                *c->path ? c->path : c->name, total_m, row, (int)col, THICKNESS_MAX_M);
    }
    return 0;
}

int case_check_depth(const struct sim_case *c, struct error *e)
{
    return c->tiles ? 0 : case_check_depth_in(c, case_domain(c), e);
}

bool case_shows(const struct sim_case *c, double thickness_m)
{
    const double least_m = c->display.visual_threshold_m;
    return thickness_m > 0 && thickness_m >= least_m - number_tolerance(least_m);
}

void case_point(struct sim_case *c)
{
    struct problem *p = &c->problem;
    p->window = (struct window){0, 0, p->rows, p->cols};
    p->elevation_m = c->elevation_m;
    p->thickness_m = c->thickness_m;
    p->temp_K = c->temp_K;
    p->solid_m = c->solid_m;
    p->sea = c->sea;
    p->vents = c->vents;
}

void case_free(struct sim_case *c)
{
    emission_free(c->vents, c->vents ? c->problem.vent_count : 0);
    FREE_ALL(c->vent_spread, c->effusion);
    if (c->words.rates) rates_free(c->words.rates);
    FREE_ALL(c->words.rates, c->path, c->vents_path, c->outline_path);
    double *const grids[] = {c->elevation_m, c->thickness_m, c->temp_K, c->solid_m};
    for (int i = 0; i < 4; i++) case_array_free(c, grids[i], sizeof *grids[i]);
    case_array_free(c, c->sea, 1);
    barriers_free(c->barriers, c);
    case_background_free(c->background);
    if (c->assets) assets_free(c->assets);
    FREE_ALL(c->assets, c->assets_path);
    changes_drop(c, c->change_count);
    free(c->change);
    case_tiles_free(c->tiles);
    *c = (struct sim_case){0};
}
