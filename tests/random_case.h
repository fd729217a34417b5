/* random_case.h — small random problems for tests of properties: rough terrain on a slope, vents with changing
 * rates, initial lava, cells without data, and lava that leaves the terrain. */
#pragma once

#include "model/lattice.h"
#include "sim/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct random_case {
    struct problem problem;
    double *elevation_m, *thickness_m, *temp_K;
    struct vent vents[4];
    int64_t first_step[4][3];
    double amount_m[4][3];
    uint64_t fraction[4][3], phase[4][3];
};

static inline double random_unit(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    uint64_t x = *state ^ *state >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return (double)(x >> 11) * 0x1p-53;
}

static inline struct params etna_params(void)
{
    return (struct params){.clock_s = 120,
                           .temp_sol_K = 1143,
                           .temp_vent_K = 1360,
                           .rate_sol = 0.5,
                           .rate_vent = 0.95,
                           .critical_sol_m = 40,
                           .critical_vent_m = 1.5,
                           .cooling = 2.8,
                           .density_kg_m3 = 2600,
                           .emissivity = 0.9,
                           .stefan_W_m2K4 = 5.68e-8,
                           .heat_J_kgK = 1150,
                           .cell_m = 10};
}

/* The same in all 64 bits. */
static inline uint64_t random_word(uint64_t *state)
{
    const uint64_t high = (uint64_t)(random_unit(state) * 0x1p32);
    return high << 32 | (uint64_t)(random_unit(state) * 0x1p32);
}

/* Vent v in its cell: two intervals, then nothing but, of the last vent, less than a quantum a
 * step. Fractions of quanta are carried from step to step. */
static inline void random_case_vent(struct random_case *c, int v, uint64_t *rng)
{
    uint64_t words = *rng + 1;
    struct vent *vent = &c->vents[v];
    vent->id = v + 1;
    vent->interval_count = 3;
    vent->first_step = c->first_step[v];
    vent->amount_m = c->amount_m[v];
    vent->fraction = c->fraction[v];
    vent->phase = c->phase[v];
    for (int i = 0; i < 3; i++) {
        c->first_step[v][i] = 1 + 60 * i + v;
        c->amount_m[v][i] = i == 2 ? 0.0 : lattice_round(6.0 * random_unit(rng));
        if (i < 2 || v == 3) c->fraction[v][i] = random_word(&words);
        c->phase[v][i] = random_word(&words);
    }
}

/* `holes`: share of cells without data. Strong vents, so that lava reaches the edge within some
 * hundred steps on grids of some thousand cells; of every fourth seed two are in
 * one cell. */
static inline void random_case_create(struct random_case *c, int rows, int cols, double holes,
                                      uint64_t seed)
{
    memset(c, 0, sizeof *c);
    uint64_t rng = seed * 2654435761u + 12345;
    size_t n = (size_t)rows * (size_t)cols;
    c->elevation_m = malloc(n * sizeof(double));
    c->thickness_m = calloc(n, sizeof(double));
    c->temp_K = calloc(n, sizeof(double));
    double dip = 2.0 + 4.0 * random_unit(&rng), strike = 6.28 * random_unit(&rng);
    for (int r = 0; r < rows; r++)
        for (int col = 0; col < cols; col++) {
            size_t i = (size_t)r * (size_t)cols + (size_t)col;
            double z = 1000.0 + dip * (r * sin(strike) + col * cos(strike));
            c->elevation_m[i] = lattice_round(z + 6.0 * random_unit(&rng));
            if (random_unit(&rng) < holes) c->elevation_m[i] = NAN;
            else if (random_unit(&rng) < 0.02) {
                c->thickness_m[i] = lattice_round(8.0 * random_unit(&rng));
                c->temp_K[i] = 1150.0 + 200.0 * random_unit(&rng);
            }
        }
    for (int v = 0; v < 4; v++) {
        struct vent *vent = &c->vents[v];
        do {
            vent->row = (int)(random_unit(&rng) * rows);
            vent->col = (int)(random_unit(&rng) * cols);
        } while (isnan(c->elevation_m[(size_t)vent->row * (size_t)cols + (size_t)vent->col]));
        if (v == 3 && seed % 4 == 3) {
            vent->row = c->vents[2].row;
            vent->col = c->vents[2].col;
        }
        random_case_vent(c, v, &rng);
    }
    c->problem = (struct problem){.rows = rows,
                                  .cols = cols,
                                  .window = {0, 0, rows, cols},
                                  .params = etna_params(), /* with faster cooling, below */
                                  .elevation_m = c->elevation_m,
                                  .thickness_m = c->thickness_m,
                                  .temp_K = c->temp_K,
                                  .vent_count = 4,
                                  .vents = c->vents,
                                  .last_vent_step = 123,
                                  .reduce_every = 25};
    c->problem.params.cooling = 60; /* so that much sets within a hundred steps */
}

static inline void random_case_free(struct random_case *c)
{
    free(c->elevation_m);
    free(c->thickness_m);
    free(c->temp_K);
    memset(c, 0, sizeof *c);
}
