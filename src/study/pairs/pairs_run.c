/* pairs_run.c — pairs in rounds: the next members with, then the same without, and when both are
 * there they are added pair by pair. Each side is an ensemble of its own, so that a device has its
 * terrain once. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

/* What a member did. */
struct half {
    struct member_result result;
    struct reached *cell, *place;
    size_t cells, places;
};

struct round {
    struct study_job *job;
    struct pairs *x;
    int64_t first, count; /* pairs */
    int side;
    struct half *half[PAIR_SIDES];
};

/* ---- members of a round ---------------------------------------------------------------------- */

static struct reached *copy(const struct reached *list, size_t count)
{
    struct reached *mine = malloc((count + 1) * sizeof *mine);
    if (mine && count) memcpy(mine, list, count * sizeof *mine);
    return mine;
}

static int on_result(void *of, const struct contribution *one, struct error *e)
{
    struct round *r = of;
    struct half *h = &r->half[r->side][one->number];
    h->result = one->result;
    h->result.notice = NULL;
    h->result.drawn = NULL;
    h->cells = one->cells;
    h->places = one->places;
    h->cell = copy(one->cell, one->cells);
    h->place = copy(one->place, one->places);
    r->job->round_bytes += one->cells * sizeof *h->cell;
    if (r->side == PAIR_WITH && one->result.drawn) h->result.drawn = strdup(one->result.drawn);
    return h->cell && h->place ? 0 : error_memory(e);
}

/* ---- a round --------------------------------------------------------------------------------- */

static void round_free(struct round *r)
{
    for (int side = 0; side < PAIR_SIDES; side++) {
        for (int64_t i = 0; r->half[side] && i < r->count; i++) {
            free(r->half[side][i].cell);
            free(r->half[side][i].place);
            free(r->half[side][i].result.drawn);
        }
        free(r->half[side]);
    }
}

static void adapt(const void *of, struct study_progress *now)
{
    const struct round *r = of;
    now->done += 2 * r->x->done + r->side * r->count;
    now->all = 2 * r->x->count;
    now->error = 0;
}

static int run_side(struct round *r, struct error *e)
{
    struct ensemble_source source = r->x->supply[r->side].source;
    struct ensemble s = {0};
    int threads = r->job->threads;
    source.first = r->first;
    source.count = r->count;
    if (!(r->half[r->side] = calloc((size_t)r->count, sizeof *r->half[r->side])))
        return error_memory(e);
    int status = engine_prepare(&s, &source, &threads, e);
    s.on_result = on_result;
    s.on_result_of = r;
    s.uncounted = true;
    if (!status) status = engine_round(r->job, &s, threads, adapt, r, &r->x->counts, e);
    ensemble_free(&s);
    return status;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void keep(struct pair_result *to, int side, const struct half *h)
{
    to->weight = h->result.weight;
    to->of[side].digest = h->result.digest;
    to->of[side].cells = h->result.cells;
    to->of[side].runout_m = h->result.runout_m;
    to->of[side].max_thickness_m = h->result.max_thickness_m;
    to->of[side].off_terrain = member_off_terrain(&h->result);
    to->of[side].into_sea = h->result.into_sea;
}

static int add_pair(struct pairs *x, struct half *with, struct half *without, struct error *e)
{
    const uint64_t weight = with->result.weight;
    int status = pair_sums_add(&x->places, weight, (struct pair_reached){with->place, with->places},
                               (struct pair_reached){without->place, without->places}, e);
    if (!status)
        status = pair_sums_add(&x->cells, weight, (struct pair_reached){with->cell, with->cells},
                               (struct pair_reached){without->cell, without->cells}, e);
    if (status) return status;
    struct pair_result *to = &x->result[x->done++];
    keep(to, PAIR_WITH, with);
    keep(to, PAIR_WITHOUT, without);
    to->drawn = with->result.drawn;
    with->result.drawn = NULL;
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int pairs_round(struct study_job *j, struct error *e)
{
    struct pairs *x = j->self;
    struct round r = {
        .job = j, .x = x, .first = x->done, .count = study_round(j, 1, x->count - x->done)};
    int status = 0;
    for (r.side = 0; r.side < PAIR_SIDES && !status && !j->stopped; r.side++)
        status = run_side(&r, e);
    for (int64_t i = 0; i < r.count && !status && !j->stopped; i++)
        status = add_pair(x, &r.half[PAIR_WITH][i], &r.half[PAIR_WITHOUT][i], e);
    round_free(&r);
    return status;
}
