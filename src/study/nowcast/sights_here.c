/* sights_here.c — the observations of a single cell. */
#include "sights_inside.h"

#include "base/memory.h"

static size_t cells_of(const struct sights *x)
{
    return window_cells(problem_domain(&x->plan->base.problem));
}

struct sight_here sight_of_arrival(const struct sights *x, const struct sight *o)
{
    return (struct sight_here){
        INFINITY, sights_class(&x->s->arrival_s, o->time_s + 2 * o->line->error_s), o->time_s, 0};
}

uint32_t sight_cells_common(const struct sight *arrival, const uint32_t *cell, uint32_t cells)
{
    uint32_t found = 0;
    for (uint32_t i = 0, k = 0; i < cells && k < arrival->arrival.cells;) {
        const uint32_t here = cell[i], there = arrival->arrival.cell[k];
        found += here == there;
        i += here <= there;
        k += here >= there;
    }
    return found;
}

int sights_note_lava(struct sights *x, struct error *e)
{
    const struct problem *p = &x->plan->base.problem;
    if (!(x->lava = memory_reserve(cells_of(x) * sizeof *x->lava))) return error_memory(e);
    for (int i = 0; i < x->count; i++) {
        const struct sight *o = &x->of[i];
        const struct window w = o->kind == SEEN_FRONT ? o->box : (struct window){0};
        if (o->kind == SEEN_ARRIVAL && o->arrival.cells == 1 && !x->lava[*o->arrival.cell])
            x->lava[*o->arrival.cell] = (uint32_t)i + 1;
        for (int row = w.row0; row < w.row0 + w.rows; row++)
            for (int col = w.col0; col < w.col0 + w.cols; col++) {
                const uint32_t cell = (uint32_t)row * (uint32_t)p->cols + (uint32_t)col;
                if (o->front.inside[cell] && !x->lava[cell] &&
                    !isnan(sight_odds_at(o, (uint32_t)row, (uint32_t)col)))
                    x->lava[cell] = (uint32_t)i + 1;
            }
    }
    return 0;
}

void sights_forget_lava(struct sights *x)
{
    if (x->plan) memory_release(x->lava, cells_of(x) * sizeof *x->lava);
    x->lava = NULL;
}

/* The log odds with error_m alone, without discrepancy_m; NaN: not seen. */
static double own_odds(const struct sight *o, float odds)
{
    const double own = o->sharper * (double)odds;
    return isnan(own) ? own : fmax(-SIGHTS_ODDS, fmin(SIGHTS_ODDS, own));
}

struct sight_here sights_odds(const struct sights *x, double until_s, uint32_t row, uint32_t col)
{
    const uint32_t cell = row * (uint32_t)x->plan->base.problem.cols + col;
    for (int i = x->count - 1; i >= 0; i--) {
        const struct sight *o = &x->of[i];
        if (o->time_s > until_s) continue;
        if (o->kind == SEEN_ARRIVAL && o->arrival.cells == 1 && *o->arrival.cell == cell)
            return (struct sight_here){SIGHTS_ODDS, sight_of_arrival(x, o).edge, o->time_s, 0};
        if (o->kind != SEEN_FRONT && o->kind != SEEN_DRY) continue;
        const float odds = sight_odds_at(o, row, col);
        if (isnan(odds)) continue;
        return (struct sight_here){own_odds(o, odds), o->edge, o->time_s, 0};
    }
    return (struct sight_here){0, -1, 0, 0};
}

int sights_dry_classes(const struct sights *x, double until_s, uint32_t row, uint32_t col)
{
    /* Log odds below this are -SIGHTS_ODDS, the lowest log odds, after rounding to float. */
    static const double dry = 1e-6 - SIGHTS_ODDS;
    int classes = 0;
    for (int i = 0; i < x->count && x->of[i].time_s <= until_s; i++) { /* in order of time */
        const struct sight *o = &x->of[i];
        if ((o->kind == SEEN_FRONT || o->kind == SEEN_DRY) &&
            own_odds(o, sight_odds_at(o, row, col)) < dry)
            classes = o->edge + 1;
    }
    return classes;
}

struct sight_here sights_here(const struct sights *x, double until_s, uint32_t row, uint32_t col)
{
    const uint32_t first = x->lava[row * (uint32_t)x->plan->base.problem.cols + col];
    const struct sight *o = first ? &x->of[first - 1] : NULL;
    if (!o || o->time_s > until_s) return sights_odds(x, until_s, row, col);
    return o->kind == SEEN_ARRIVAL ? sight_of_arrival(x, o)
                                   : (struct sight_here){INFINITY, o->edge, o->time_s, 0};
}
