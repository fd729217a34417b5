/* naive.h — the model in its simplest form: it computes every cell of the whole domain in turn, with physics.h. The
 * caller sets the order of the cells, and the order in which inflows and outflows of a cell are added. It has no
 * windows. */
#pragma once

#include "sim/fields.h"
#include "sim/vent.h"
#include "model/physics.h"

#include <math.h>
#include <stdlib.h>

struct naive_order {
    const int *cell; /* a permutation of all cells (row * cols + col) */
    int term[16]; /* a permutation of 0..15: k < 8 inflow from neighbour k, 8 + k outflow to it */
    bool scatter; /* givers add to their neighbours; otherwise each cell gathers */
};

struct naive {
    const struct problem *problem;
    struct naive_order order;
    struct physics physics;
    struct fields now;   /* elevation NaN: no cell */
    int (*neighbour)[8]; /* of each cell: number of neighbour k, -1 where there is none */
    double (*flow)[8];   /* of each cell in this step, and the heat that goes with it */
    int64_t (*heat)[8];
    double *gain_m;
    int64_t *gain_heat;
};

static inline size_t naive_cells(const struct naive *n)
{
    return (size_t)n->problem->rows * (size_t)n->problem->cols;
}

/* Number of neighbour k of a cell, or -1 where there is none or no data. */
static inline int naive_find_neighbour(const struct naive *n, int cell, int k)
{
    int row = cell / n->problem->cols + PHYSICS_ROW(k),
        col = cell % n->problem->cols + PHYSICS_COL(k);
    if (row < 0 || row >= n->problem->rows || col < 0 || col >= n->problem->cols) return -1;
    int there = row * n->problem->cols + col;
    return isnan(n->now.elevation_m[there]) ? -1 : there;
}

static inline void naive_create(struct naive *n, const struct problem *p, struct naive_order order)
{
    *n = (struct naive){.problem = p, .order = order, .physics = physics_create(&p->params)};
    size_t cells = naive_cells(n);
    if (fields_create(&n->now, p->window, NULL)) abort();
    n->now.step = p->first_step;
    n->neighbour = calloc(cells, sizeof *n->neighbour);
    n->flow = calloc(cells, sizeof *n->flow);
    n->heat = calloc(cells, sizeof *n->heat);
    n->gain_m = calloc(cells, sizeof *n->gain_m);
    n->gain_heat = calloc(cells, sizeof *n->gain_heat);
    if (!n->neighbour || !n->flow || !n->heat || !n->gain_m || !n->gain_heat) abort();
    for (size_t i = 0; i < cells; i++) {
        struct fields *f = &n->now;
        f->elevation_m[i] = p->elevation_m[i];
        f->thickness_m[i] = p->thickness_m ? p->thickness_m[i] : 0.0;
        f->temp_K[i] = p->temp_K ? p->temp_K[i] : 0.0;
        f->solid_m[i] = p->solid_m ? p->solid_m[i] : 0.0;
        f->max_thickness_m[i] = f->thickness_m[i] + f->solid_m[i];
        if (f->thickness_m[i] == 0.0) continue;
        f->max_temp_K[i] = f->temp_K[i];
        f->arrival[i] = (int32_t)p->first_step;
    }
    for (size_t i = 0; i < cells; i++)
        for (int k = 0; k < 8; k++) n->neighbour[i][k] = naive_find_neighbour(n, (int)i, k);
}

static inline void naive_free(struct naive *n)
{
    fields_free(&n->now);
    free(n->neighbour);
    free(n->flow);
    free(n->heat);
    free(n->gain_m);
    free(n->gain_heat);
}

static inline void naive_emit(struct naive *n)
{
    for (int v = 0; v < n->problem->vent_count; v++) {
        const struct vent *vent = &n->problem->vents[v];
        int cell = vent->row * n->problem->cols + vent->col;
        double amount = vent_amount_m(vent, n->now.step);
        n->now.heat.emitted += physics_heat_emitted(&n->physics, amount, n->now.thickness_m[cell],
                                                    n->now.temp_K[cell]);
        physics_emit(&n->physics, amount, &n->now.thickness_m[cell], &n->now.temp_K[cell]);
        n->now.emitted += (quanta)(amount * LATTICE_PER_M);
    }
}

static inline void naive_outflows(struct naive *n, int cell)
{
    const struct fields *f = &n->now;
    double zk[8], hk[8], h = f->thickness_m[cell], T = f->temp_K[cell];
    for (int k = 0; k < 8; k++) n->flow[cell][k] = 0.0, n->heat[cell][k] = 0;
    if (isnan(f->elevation_m[cell]) || h == 0.0) return;
    for (int k = 0; k < 8; k++) {
        int there = n->neighbour[cell][k];
        zk[k] = there < 0 ? WALL_M : f->elevation_m[there];
        hk[k] = there < 0 ? 0.0 : f->thickness_m[there];
    }
    if (!physics_outflows(&n->physics, f->elevation_m[cell], h, T, zk, hk, n->flow[cell])) return;
    for (int k = 0; k < 8; k++) n->heat[cell][k] = heat_of(n->flow[cell][k], T);
}

static inline void naive_gather(struct naive *n, int cell)
{
    for (int i = 0; i < 16; i++) {
        int k = n->order.term[i] % 8, there = n->neighbour[cell][k];
        if (n->order.term[i] >= 8) {
            n->gain_m[cell] -= n->flow[cell][k];
            n->gain_heat[cell] -= n->heat[cell][k];
        } else if (there >= 0) {
            n->gain_m[cell] += n->flow[there][PHYSICS_OPPOSITE(k)];
            n->gain_heat[cell] += n->heat[there][PHYSICS_OPPOSITE(k)];
        }
    }
}

static inline void naive_scatter(struct naive *n, int cell)
{
    for (int i = 0; i < 16; i++) {
        int k = n->order.term[i] % 8, there = n->neighbour[cell][k], out = n->order.term[i] >= 8;
        if (there < 0) continue; /* nothing flows there */
        n->gain_m[out ? cell : there] += out ? -n->flow[cell][k] : n->flow[cell][k];
        n->gain_heat[out ? cell : there] += out ? -n->heat[cell][k] : n->heat[cell][k];
    }
}

static inline void naive_settle(struct naive *n, int cell)
{
    struct fields *f = &n->now;
    double *z = &f->elevation_m[cell], *h = &f->thickness_m[cell], *T = &f->temp_K[cell];
    bool border = false;
    if (isnan(*z) || (*h == 0.0 && n->gain_m[cell] == 0.0)) return;
    for (int k = 0; k < 8; k++) border |= n->neighbour[cell][k] < 0;

    int64_t heat = physics_balance(n->gain_m[cell], n->gain_heat[cell], h, T);
    n->gain_m[cell] = 0.0;
    n->gain_heat[cell] = 0;
    double before = *h;
    bool lava = before > 0.0;
    bool solidifies = physics_solidify(&n->physics, border, z, h, T, &f->solid_m[cell]);
    struct heat_kept kept = physics_heat_kept(before, *T, solidifies, border);
    f->heat.cooled += heat - kept.all;
    f->heat.solidified += kept.solidified;
    f->heat.left_domain += kept.left;
    if (physics_record(lava, *h + f->solid_m[cell], *T, &f->max_thickness_m[cell],
                       &f->max_temp_K[cell]))
        f->arrival[cell] = (int32_t)f->step;
    f->left_domain += (quanta)(physics_boundary(border, h, T) * LATTICE_PER_M);
}

static inline void naive_step(struct naive *n)
{
    n->now.step++;
    naive_emit(n);
    for (size_t i = 0; i < naive_cells(n); i++) naive_outflows(n, n->order.cell[i]);
    for (size_t i = 0; i < naive_cells(n); i++)
        (n->order.scatter ? naive_scatter : naive_gather)(n, n->order.cell[i]);
    for (size_t i = 0; i < naive_cells(n); i++) naive_settle(n, n->order.cell[i]);
}
