/* library_case.h — a small case from arrays, for tests of the library: a slope with a hole, a vent of two cells, a
 * vent of one cell, and initial lava. */
#pragma once

#include "sciara.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, COLS = 20, CELLS = ROWS * COLS, VENTS = 3, RATES = 3 };

struct library_case {
    struct sciara_case_input input;
    double elevation_m[CELLS], thickness_m[CELLS], temperature_K[CELLS], solidified_m[CELLS];
    struct sciara_vent vents[VENTS];
    struct sciara_rate rates[RATES];
};

static inline void library_case_fill(struct library_case *c)
{
    struct sciara_case_input *in = &c->input;
    for (int i = 0; i < CELLS; i++) {
        const int row = i / COLS, col = i % COLS;
        c->elevation_m[i] = 500.3 - 3.1 * row + 0.7 * ((row * 7 + col * 5) % 11);
        c->thickness_m[i] = row == 5 && col < 8 ? 1.7 : 0;
        c->temperature_K[i] = row == 5 ? 1200 + col : 0;
        c->solidified_m[i] = row == 6 && col < 4 ? 0.6 : 0;
    }
    c->elevation_m[20 * COLS + 3] = (double)NAN;
    memcpy(c->vents, (struct sciara_vent[]){{7, 3, 9}, {2, 10, 10}, {7, 3, 10}}, sizeof c->vents);
    memcpy(c->rates,
           (struct sciara_rate[]){{7, 3600, 9000, 1.5}, {2, 0, 6000, 3}, {7, 0, 3600, 4.25}},
           sizeof c->rates);
    sciara_case_input_init(in, sizeof *in);
    in->name = "slope";
    in->rows = ROWS;
    in->cols = COLS;
    in->cell_m = 10;
    in->west_m = 500000;
    in->south_m = 4170000;
    in->epsg = 32633;
    sciara_parameters_etna2006(&in->parameters);
    in->elevation_m = c->elevation_m;
    in->thickness_m = c->thickness_m;
    in->temperature_K = c->temperature_K;
    in->solidified_m = c->solidified_m;
    in->vents = c->vents;
    in->vent_count = VENTS;
    in->rates = c->rates;
    in->rate_count = RATES;
    in->max_steps = 200;
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call) print_error("%s\n", e.text);                                                     \
        assert_int_equal(e.status, SCIARA_OK);                                                     \
    } while (0)

static inline sciara_case *slope(void)
{
    struct sciara_error e = {0};
    struct library_case *c = calloc(1, sizeof *c);
    sciara_case *made = NULL;
    assert_non_null(c);
    library_case_fill(c);
    OK(sciara_case_create(&made, &c->input, &e));
    free(c);
    return made;
}

static inline struct sciara_options with(int threads)
{
    struct sciara_options o;
    sciara_options_init(&o, sizeof o);
    o.variant = "reference";
    o.threads = threads;
    return o;
}

static inline sciara_simulation *start(sciara_case *c)
{
    const struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_simulation *s;
    OK(sciara_create(&s, c, &o, &e));
    return s;
}

static inline uint64_t digest_now(sciara_simulation *s)
{
    struct sciara_error e = {0};
    sciara_snapshot *x;
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    const uint64_t digest = sciara_snapshot_digest(x);
    sciara_snapshot_free(x);
    return digest;
}

/* Of the slope after some steps, on one thread, in one go. */
static inline uint64_t digest_after(int64_t steps)
{
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    OK(sciara_advance(s, steps, &e));
    const uint64_t digest = digest_now(s);
    sciara_free(s);
    sciara_case_free(c);
    return digest;
}
