/* barrier_cells.c — barriers as rules for cells of the terrain. */
#include "barriers.h"

#include "model/lattice.h"
#include "text/grow.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t cell_count(const struct sim_case *c)
{
    return (size_t)c->problem.rows * (size_t)c->problem.cols;
}

/* The cells of one, into an empty mask. */
static struct cell_mask draw(unsigned char *cell, const struct barriers *b, int i,
                             const struct sim_case *c)
{
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    const struct barrier *x = &b->item[i];
    const struct vector_feature *f = &b->from.feature[x->feature];
    struct cell_mask m = cell_mask_on(cell, &grid);
    if (f->kind == VECTOR_AREA) cell_mask_fill(&m, &b->from, f);
    if (f->kind == VECTOR_AREA && m.row_max >= 0) {
        cell_mask_tighten(&m);
        if (!(x->width_m > 0)) return m;
    }
    cell_mask_band(&m, &b->from, f, x->width_m);
    return m;
}

static void erase(struct cell_mask *m)
{
    const size_t cols = (size_t)m->grid.cols;
    if (m->row_max >= m->row_min)
        memset(m->cell + (size_t)m->row_min * cols, 0,
               ((size_t)(m->row_max - m->row_min) + 1) * cols);
}

static struct ground_rule rule_of(const struct barrier *x, size_t place)
{
    struct ground_rule r = {.place = (uint32_t)place, .crest_m = -INFINITY};
    if (x->form == BARRIER_HEIGHT) r.height_m = x->value_m;
    if (x->form == BARRIER_CREST) r.crest_m = x->value_m;
    if (x->form == BARRIER_DEPTH) r.depth_m = x->value_m;
    return r;
}

static void join(struct ground_rule *to, const struct ground_rule *r)
{
    to->height_m = fmax(to->height_m, r->height_m);
    to->crest_m = fmax(to->crest_m, r->crest_m);
    to->depth_m = fmax(to->depth_m, r->depth_m);
}

int barrier_measure(struct barriers *b, int i, const struct sim_case *c, struct error *e)
{
    struct barrier *x = &b->item[i];
    unsigned char *cell = calloc(cell_count(c), 1);
    if (!cell) return error_memory(e);
    const struct cell_mask m = draw(cell, b, i, c);
    const size_t cols = (size_t)c->problem.cols;
    for (size_t k = (size_t)m.row_min * cols; m.row_max >= 0 && k < ((size_t)m.row_max + 1) * cols;
         k++) {
        const double z = c->elevation_m[k];
        if (!cell[k] || isnan(z)) continue;
        const struct ground_rule rule = rule_of(x, k);
        const double rise_m = ground_by_rule(&rule, z) - z;
        if (rise_m > 0) x->raised += (quanta)(rise_m * LATTICE_PER_M);
        if (rise_m < 0) x->lowered -= (quanta)(rise_m * LATTICE_PER_M);
        x->cells++;
    }
    free(cell);
    if (x->cells) return 0;
    return error_input(
        e, "%s: barrier %s: has no cell of the terrain with data; move it, or remove it", b->path,
        x->name);
}

/* Keeps the rules of the cells with an index above 0, in their order. */
static int keep(struct ground_rules *r, const uint32_t *index, const struct sim_case *c,
                const struct ground_rule *rule)
{
    r->rule = malloc((r->count + 1) * sizeof *r->rule);
    if (!r->rule) return -1;
    size_t k = 0;
    for (size_t i = 0; i < cell_count(c); i++)
        if (index[i]) r->rule[k++] = rule[index[i] - 1];
    return 0;
}

struct gathering {
    uint32_t *index; /* of each cell, from 1; 0: no rule */
    struct ground_rule *rule;
};

static bool gather(struct ground_rules *r, struct gathering *g, const struct cell_mask *m,
                   const struct barrier *x, const struct sim_case *c)
{
    const size_t cols = (size_t)m->grid.cols;
    for (size_t i = (size_t)m->row_min * cols;
         m->row_max >= 0 && i < ((size_t)m->row_max + 1) * cols; i++) {
        if (!m->cell[i] || isnan(c->elevation_m[i])) continue;
        const struct ground_rule rule = rule_of(x, i);
        if (g->index[i]) {
            join(&g->rule[g->index[i] - 1], &rule);
            continue;
        }
        struct ground_rule *more = grow(g->rule, (int)r->count, sizeof *more);
        if (!more) return false;
        g->rule = more;
        more[r->count++] = rule;
        g->index[i] = (uint32_t)r->count;
    }
    return true;
}

int barrier_rules(struct ground_rules *r, const struct sim_case *c, const struct barriers *b,
                  double time_s, struct error *e)
{
    const size_t n = cell_count(c);
    unsigned char *cell = calloc(n, 1);
    struct gathering g = {.index = calloc(n, sizeof *g.index)};
    bool whole = cell && g.index;
    *r = (struct ground_rules){0};
    for (int i = 0; i < b->count && whole; i++) {
        if (b->item[i].time_s != time_s) continue;
        struct cell_mask m = draw(cell, b, i, c);
        whole = gather(r, &g, &m, &b->item[i], c);
        erase(&m);
    }
    if (whole) whole = !keep(r, g.index, c, g.rule);
    free(cell);
    free(g.index);
    free(g.rule);
    return whole ? 0 : error_memory(e);
}
