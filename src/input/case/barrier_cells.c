/* barrier_cells.c — barriers as rules for cells of the terrain. */
#include "barriers.h"

#include "base/memory.h"
#include "base/order.h"
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

/* Reads the terrain of its cells. */
static int read_ground(const struct cell_mask *m, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    int status = 0;
    for (int row = m->row_min; row <= m->row_max && p->terrain; row++)
        for (int col = 0; col < p->cols && !status; col++)
            if (m->cell[(size_t)row * (size_t)p->cols + (size_t)col])
                status = problem_read_terrain(p, (struct window){row, col, 1, 1}, e);
    return status;
}

static int measure(struct barriers *b, int i, unsigned char *cell, const struct sim_case *c,
                   struct error *e)
{
    struct barrier *x = &b->item[i];
    const struct cell_mask m = draw(cell, b, i, c);
    const size_t cols = (size_t)c->problem.cols;
    int status = read_ground(&m, c, e);
    if (status) return status;
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
    if (x->cells) return 0;
    return error_input(
        e, "%s: barrier %s: has no cell of the terrain with data; move it, or remove it", b->path,
        x->name);
}

int barrier_measure(struct barriers *b, int i, const struct sim_case *c, struct error *e)
{
    unsigned char *cell = memory_reserve(cell_count(c));
    int status = cell ? measure(b, i, cell, c, e) : error_memory(e);
    memory_release(cell, cell_count(c));
    return status;
}

/* index: of the rule of each cell, from 1; 0: it has none. */
static bool gather(struct ground_rules *r, uint32_t *index, const struct cell_mask *m,
                   const struct barrier *x, const struct sim_case *c)
{
    const size_t cols = (size_t)m->grid.cols;
    for (size_t i = (size_t)m->row_min * cols;
         m->row_max >= 0 && i < ((size_t)m->row_max + 1) * cols; i++) {
        if (!m->cell[i] || isnan(c->elevation_m[i])) continue;
        const struct ground_rule rule = rule_of(x, i);
        if (index[i]) {
            join(&r->rule[index[i] - 1], &rule);
            continue;
        }
        if (!APPEND(r->rule, r->count, rule)) return false;
        index[i] = (uint32_t)r->count;
    }
    return true;
}

int barrier_rules(struct ground_rules *r, const struct sim_case *c, const struct barriers *b,
                  double time_s, struct error *e)
{
    const size_t n = cell_count(c);
    unsigned char *cell = memory_reserve(n);
    uint32_t *index = memory_reserve(n * sizeof *index);
    bool whole = cell && index;
    *r = (struct ground_rules){0};
    for (int i = 0; i < b->count && whole; i++) {
        if (b->item[i].time_s != time_s) continue;
        struct cell_mask m = draw(cell, b, i, c);
        whole = gather(r, index, &m, &b->item[i], c);
        erase(&m);
    }
    if (r->count) qsort(r->rule, r->count, sizeof *r->rule, order_places);
    memory_release(cell, n);
    memory_release(index, n * sizeof *index);
    return whole ? 0 : error_memory(e);
}
