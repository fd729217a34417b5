#include "hazard.h"

#include "base/order.h"
#include "case/case_notes.h"
#include "members/library.h"
#include "text/words.h"

#include <gsl/gsl_sort_float.h>
#include <gsl/gsl_statistics_float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rate of a place --------------------------------------------------------------------- */

/* The quantile u of sorted draws. `middles`: the draws are the middles of equal parts of a distribution. Otherwise
 * they are independent: a further draw is below the k-th with probability k / (count + 1). */
static float quantile_of(const float *drawn, int count, double u, bool middles)
{
    const double rank = middles ? u * count + 0.5 : u * (count + 1);
    return (float)gsl_stats_float_quantile_from_sorted_data(drawn, 1, (size_t)count,
                                                            (rank - 1) / (count - 1));
}

static void set_range(struct hazard_rate *r, enum hazard_cause cause, float *drawn, int count)
{
    gsl_sort_float(drawn, 1, (size_t)count);
    r->low[cause] = quantile_of(drawn, count, 0.05, cause == BY_FREQUENCY);
    r->high[cause] = quantile_of(drawn, count, 0.95, cause == BY_FREQUENCY);
}

/* Limits the bounds of the rate at a place by the bounds of the rate of all eruptions together.
 * With drawn vents, the rate at a place may exceed the rate of all eruptions. */
static void limit_ranges(struct hazard_rate *r, const struct hazard_rate *together)
{
    for (int k = 0; k < HAZARD_CAUSES; k++) {
        r->low[k] = fminf(r->low[k], together->low[k]);
        r->high[k] = fminf(r->high[k], together->high[k]);
    }
}

struct hazard_rate hazard_rate_of(const struct hazard *x, const struct hazard_sums *sum,
                                  float *drawn)
{
    static const double Z95 = 1.6448536269514722, MOST = 20;
    float all[HAZARD_DRAWS_MAX];
    struct hazard_rate r = {.rate = 0};
    for (int z = 0; z < x->zones; z++) r.rate += sum->part[z];
    const float *past = &drawn[2 * x->draws + 1];
    for (int k = 0; k < x->flows.periods; k++) r.past[k] = past[k];
    /* No member has lava there. Then the probability of lava is below ln 20 / n with a confidence of 95 %, where n is
     * the effective number of members. */
    if (!(r.rate > 0)) {
        r.high[BY_RUNS] = r.high[BY_ALL] = (float)(log(20) * x->squares / x->all);
        limit_ranges(&r, &x->together);
        return r;
    }
    for (int z = 0; z < x->zones; z++) r.part[z] = (float)(sum->part[z] / r.rate);
    /* The variance of a weighted mean. The sum of the weights is known. */
    const double p = fmin(r.rate / x->all, 1),
                 variance = (1 - p) * (1 - p) * sum->squares + p * p * (x->squares - sum->squares),
                 n = variance > 1e-18 * r.rate * r.rate ? r.rate * r.rate / variance : 1e18;
    r.low[BY_RUNS] = (float)(r.rate * catalogue_gamma(n, -Z95));
    r.high[BY_RUNS] = (float)(r.rate * catalogue_gamma(n, Z95));
    /* `from`: the rate by the density from which vents are drawn. *vents: the rate by drawn vents.
     * The ratio of the true rate to `from` is assumed to be from / *vents. So the true rate is
     * from^2 / *vents. */
    const float from = drawn[2 * x->draws];
    for (int i = 0; i < x->draws; i++) {
        float *vents = &drawn[x->draws + i];
        const double by = *vents > 0 ? fmin(from / *vents, MOST) : MOST,
                     part = *vents > 0 || from > 0 ? by * from / r.rate : 1;
        *vents = (float)(r.rate * part);
        all[i] = (float)(part * drawn[i] * catalogue_gamma(n, x->normal[i]));
    }
    set_range(&r, BY_FREQUENCY, drawn, x->draws);
    set_range(&r, BY_VENTS, drawn + x->draws, x->draws);
    set_range(&r, BY_ALL, all, x->draws);
    limit_ranges(&r, &x->together);
    return r;
}

static void add_member(const struct hazard *x, int64_t member, struct hazard_sums *sum,
                       float *drawn)
{
    const float *mine = x->drawn + (size_t)member * (size_t)x->sets;
    for (int z = 0; z < x->zones; z++) sum->part[z] += x->member[member].part[z];
    sum->squares += x->member[member].squares;
    for (int i = 0; i < x->sets; i++) drawn[i] += mine[i];
}

/* Weighs the members. Then finds the bounds of the rate of all eruptions together. */
static int weigh(struct ask *ask, struct error *e)
{
    struct hazard *x = (struct hazard *)ask;
    struct hazard_rate *r = &x->together;
    struct hazard_sums sum = {.squares = 0};
    FREED float *drawn = calloc((size_t)x->sets, sizeof *drawn);
    const int status = drawn ? hazard_weigh(ask, e) : error_memory(e);
    if (status) return status;
    for (int64_t i = 0; i < ask->of.s.source->count; i++) add_member(x, i, &sum, drawn);
    for (int k = 0; k < BY_ALL; k++) r->low[k] = r->high[k] = (float)x->all;
    set_range(r, BY_FREQUENCY, drawn, x->draws);
    r->low[BY_ALL] = quantile_of(drawn, x->draws, 0.05, false);
    r->high[BY_ALL] = quantile_of(drawn, x->draws, 0.95, false);
    return 0;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Stores the rates of the cells of a tile. A thread gets all members of a tile before those of the next tile. */
static void end_tile(struct hazard *x, struct hazard_tile *t)
{
    for (int i = 0; i < t->count; i++) {
        const struct hazard_rate r =
            hazard_rate_of(x, &t->sum[i], t->drawn + (size_t)i * (size_t)x->sets);
#pragma omp critical(hazard_cells)
        {
            if (!x->failed && x->cells == x->room) {
                x->room = x->room ? 2 * x->room : 4096;
                struct hazard_rate *more = realloc(x->cell, x->room * sizeof *more);
                x->failed = !more;
                if (more) x->cell = more;
            }
            if (!x->failed) x->cell[x->cells++] = r;
            x->slot[t->place[i]] = x->failed ? 0 : x->cells;
        }
    }
    t->count = 0;
}

static void see_member(struct ask *ask, int64_t member, const struct reached *reached, int count)
{
    struct hazard *x = (struct hazard *)ask;
    struct hazard_tile *t = x->tile[omp_get_thread_num()];
    const uint32_t tile = library_tile(&ask->of.s, reached[0].place);
    if (tile != t->tile) end_tile(x, t);
    t->tile = tile;
    if (!ask->weight[member]) return;
    if (member_off_terrain(&ask->of.s.result[member])) hazard_see_left(x, reached, count);
    for (int i = 0; i < count; i++) {
        uint32_t *slot = &x->slot[reached[i].place];
        if (!*slot) {
            *slot = (uint32_t)(t->count + 1);
            t->place[t->count] = reached[i].place;
            t->sum[t->count] = (struct hazard_sums){.squares = 0};
            memset(t->drawn + (size_t)t->count++ * (size_t)x->sets, 0,
                   (size_t)x->sets * sizeof *t->drawn);
        }
        add_member(x, member, &t->sum[*slot - 1], t->drawn + (size_t)(*slot - 1) * (size_t)x->sets);
    }
}

static int make_room(struct hazard *x, int threads, struct error *e)
{
    const struct problem *q = &x->ask.of.plan->base.problem;
    x->tiles = threads;
    x->slot = calloc((size_t)q->rows * (size_t)q->cols, sizeof *x->slot);
    x->margin = calloc((size_t)q->rows * (size_t)q->cols, 1);
    x->tile = calloc((size_t)threads, sizeof *x->tile);
    x->place = calloc((size_t)x->places + 1, sizeof *x->place);
    if (!x->slot || !x->margin || !x->tile || !x->place) return error_memory(e);
    for (int i = 0; i < threads; i++)
        if (!(x->tile[i] = calloc(1, sizeof **x->tile)) ||
            !(x->tile[i]->drawn = malloc(BLOCK_CELLS * (size_t)x->sets * sizeof(float))))
            return error_memory(e);
    return 0;
}

static void free_room(struct hazard *x)
{
    for (int i = 0; x->tile && i < x->tiles; i++) {
        if (x->tile[i]) free(x->tile[i]->drawn);
        free(x->tile[i]);
    }
    FREE_ALL(x->tile, x->slot, x->margin, x->place, x->cell, x->member, x->drawn, x->normal);
}

static int look_at_places(struct hazard *x, struct error *e)
{
    FREED float *drawn = malloc((size_t)x->sets * sizeof *drawn);
    if (!drawn) return error_memory(e);
    for (int k = 0; k < x->places; k++) {
        struct hazard_sums sum = {.squares = 0};
        memset(drawn, 0, (size_t)x->sets * sizeof *drawn);
        for (int64_t i = 0; i < x->ask.of.s.source->count; i++)
            if (x->ask.weight[i] && ask_at_place(&x->ask, i, k)->share_q)
                add_member(x, i, &sum, drawn);
        x->place[k] = hazard_rate_of(x, &sum, drawn);
    }
    return 0;
}

/* ---- the study ------------------------------------------------------------------------------- */

/* Checks that the volcano has a catalogue, and that the members' vents and classes have known probabilities. */
static int check(const struct hazard *x, const char *volcano, struct error *e)
{
    const struct plan *p = x->ask.of.plan;
    if (!x->from->hazard)
        return error_input(e,
                           "%s: has no catalogue of eruptions; add lines such as 'past_vents "
                           "vents.geojson' and 'catalogue eruptions.csv'",
                           x->from->base.path);
    if (p->keys.members && p->sources.choice.count && p->classes.choice.count && !p->table.count)
        return 0;
    return error_input(
        e, "%s: its members do not each draw a vent and a class; compute the library from %s",
        p->base.path, volcano ? volcano : "a plan with a catalogue");
}

/* Names maps and reports after the given volcano, not after the plan of the members. */
static void name_volcano(struct hazard *x, const char *path)
{
    struct sim_case *shown = &x->ask.of.plan->base;
    case_note_input(shown, path);
    memcpy(shown->name, x->own->base.name, sizeof shown->name);
    memcpy(shown->title, x->own->base.title, sizeof shown->title);
}

static int open_study(struct study_job *j, struct error *e)
{
    const struct hazard_options *o = j->options;
    struct hazard *x = j->self;
    char packed[WORDS_TEXT];
    int status = study_ask.open(j, e);
    if (!status && o->volcano) status = plan_read(&x->own, o->volcano, NULL, NULL, e);
    if (status) return status;
    x->from = x->own ? x->own : x->ask.of.plan;
    if ((status = check(x, o->volcano, e))) return status;
    if (x->own) name_volcano(x, o->volcano);
    if ((status = hazard_flows_open(&x->flows, x->from, e))) return status;
    const struct hazard_keys *k = &x->from->keys.hazard;
    x->ask.of.also = &hazard_files;
    x->ask.of.brief = o->brief;
    x->draws = (int)k->draws;
    x->sets = 2 * x->draws + 1 + x->flows.periods;
    x->causes = HAZARD_CAUSES;
    x->years = k->years.count;
    x->zones = x->from->hazard->opening.zones;
    x->zones_shown = x->zones > 1 ? x->zones : 0;
    x->places = x->ask.of.s.assets.count;
    hazard_name_thickest(x);
    free(x->ask.of.question);
    x->ask.of.question = strdup(
        words_pack(packed, sizeof packed,
                   "vents and sizes as of %s: the probability of one eruption, not of a year",
                   x->from->base.path));
    return x->ask.of.question ? 0 : error_memory(e);
}

static void close_study(void *self)
{
    struct hazard *x = self;
    free_room(x);
    hazard_flows_free(&x->flows);
    plan_free(x->own);
    study_ask.close(&x->ask);
}

/* The folder is output/NAME-hazard/maps. The folder output/NAME-hazard may have the library of a plan called
 * NAME-hazard. */
static void name_folder(const void *self, char *out)
{
    strcpy(out, "maps");
}

static int compute(struct study_job *j, struct error *e)
{
    static const struct ask_more more = {weigh, see_member};
    struct hazard *x = j->self;
    int status = x->ask.weight ? ask_open_again(j, e) : 0;
    if (!status) status = make_room(x, j->threads, e);
    x->ask.more = &more;
    if (!status) status = study_ask.round(j, e);
    for (int i = 0; i < x->tiles && !status; i++) end_tile(x, x->tile[i]);
    if (!status) status = x->failed ? error_memory(e) : look_at_places(x, e);
    if (!status) status = hazard_set_margin(x, e);
    if (!status) hazard_flows_score(x);
    return status;
}

const struct study study_hazard = {STUDY_NAMED("hazard", struct hazard),
                                   .dated = name_folder,
                                   .files = &hazard_files,
                                   .round = compute,
                                   .warn = hazard_warn,
                                   ENSEMBLE_STUDY};
