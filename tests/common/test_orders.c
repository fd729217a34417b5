/* Sums of lattice numbers have no order. A simulator that visits all cells one by one (naive.h) in
 * five ways and the CPU variant leave the same bits in every field. */
/* tests: reference */
/* run: plain */
/* build: optimized */
#include "naive.h"
#include "random_case.h"

#include "sim/variant.h"
#include "reference/reference.h"
#include "unit.h"

enum { ORDERS = 5, STEPS = 150 };
enum { ROWS_FORWARD, ROWS_BACKWARD, COLUMNS, RANDOM, SCATTER };

static void shuffle(int *list, int n, uint64_t *rng)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)((i + 1) * random_unit(rng)), swap = list[i];
        list[i] = list[j];
        list[j] = swap;
    }
}

/* Fills cell[] and returns the order. */
static struct naive_order order_of(int which, int rows, int cols, int *cell)
{
    struct naive_order o = {.cell = cell, .scatter = which == SCATTER};
    uint64_t rng = 4321;
    int n = rows * cols;
    for (int i = 0; i < n; i++) {
        cell[i] = i;
        if (which == ROWS_BACKWARD) cell[i] = n - 1 - i;
        if (which == COLUMNS) cell[i] = i % rows * cols + i / rows;
    }
    for (int i = 0; i < 16; i++) o.term[i] = which == ROWS_BACKWARD ? 15 - i : i;
    if (which >= RANDOM) {
        shuffle(cell, n, &rng);
        shuffle(o.term, 16, &rng);
    }
    return o;
}

static void assert_same(const struct fields *expected, const struct fields *got, int order)
{
    const char *what = "";
    size_t cells = fields_differ(expected, got, &what);
    if (cells)
        print_message("order %d, step %d: %zu cells differ, first in %s\n", order,
                      (int)expected->step, cells, what);
    assert_int_equal(cells, 0);
    assert_true(fields_same_sums(expected, got));
    assert_int_equal(expected->step, got->step);
}

/* Lava moves and, later, some has solidified: the comparison is meaningful. */
static void assert_meaningful(const struct fields *f, size_t least_set)
{
    size_t wet, cells = (size_t)f->window.rows * (size_t)f->window.cols, set = 0;
    assert_true(fields_mobile(f, &wet) > 0);
    for (size_t i = 0; i < cells; i++) set += f->solid_m[i] > 0.0;
    assert_true(wet > 20 && set >= least_set);
}

static void compare_all(const struct problem *p)
{
    struct variant_options o = {.threads = 2};
    struct naive naive[ORDERS];
    struct fields expected;
    struct error e;
    void *self;
    int *cell = malloc((size_t)p->rows * (size_t)p->cols * ORDERS * sizeof *cell);
    assert_non_null(cell);
    for (int i = 0; i < ORDERS; i++)
        naive_create(&naive[i], p, order_of(i, p->rows, p->cols, cell + i * p->rows * p->cols));
    assert_int_equal(variant_reference.create(&self, p, &o, &e), 0);
    assert_int_equal(fields_create(&expected, p->window, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &expected, &e), 0);
    for (int i = 0; i < ORDERS; i++) assert_same(&expected, &naive[i].now, i);
    for (int step = 10; step <= STEPS; step += 10) {
        assert_int_equal(variant_reference.advance(self, 10, NULL, &e), 0);
        assert_int_equal(variant_reference.snapshot(self, &expected, &e), 0);
        assert_meaningful(&expected, step >= 50 ? 20 : 0);
#pragma omp parallel for
        for (int i = 0; i < ORDERS; i++)
            for (int s = 0; s < 10; s++) naive_step(&naive[i]);
        for (int i = 0; i < ORDERS; i++) assert_same(&expected, &naive[i].now, i);
    }
    for (int i = 0; i < ORDERS; i++) naive_free(&naive[i]);
    fields_free(&expected);
    variant_reference.destroy(self);
    free(cell);
}

static void five_orders_one_answer(void **state)
{
    for (uint64_t seed = 41; seed <= 43; seed++) {
        struct random_case c;
        random_case_create(&c, 37 + (int)seed % 5 * 8, 71 - (int)seed % 4 * 9,
                           seed % 2 ? 0.02 : 0.0, seed);
        compare_all(&c.problem);
        random_case_free(&c);
    }
}

/* Vents in a corner, on an edge and twice in one cell; lava that solidified before. */
static void vents_on_the_border(void **state)
{
    struct random_case c;
    random_case_create(&c, 40, 45, 0.0, 51);
    double *solid = calloc(40 * 45, sizeof *solid);
    assert_non_null(solid);
    for (int i = 0; i < 40 * 45; i += 7) solid[i] = lattice_round(0.01 * i);
    c.problem.solid_m = solid;
    c.vents[0].row = c.vents[0].col = 0;
    c.vents[1].row = 39;
    c.vents[3].row = c.vents[2].row;
    c.vents[3].col = c.vents[2].col;
    c.problem.first_step = 3;
    compare_all(&c.problem);
    free(solid);
    random_case_free(&c);
}

/* The orders are permutations of all cells, and not the same one. */
static void orders_differ(void **state)
{
    enum { R = 6, C = 7 };
    int cell[ORDERS][R * C];
    for (int i = 0; i < ORDERS; i++) {
        order_of(i, R, C, cell[i]);
        int seen[R * C] = {0};
        for (int k = 0; k < R * C; k++) seen[cell[i][k]]++;
        for (int k = 0; k < R * C; k++) assert_int_equal(seen[k], 1);
        for (int j = 0; j < i && i < SCATTER; j++)
            assert_memory_not_equal(cell[i], cell[j], sizeof cell[i]);
    }
}

int main(void)
{
    return UNIT_RUN(orders_differ, five_orders_one_answer, vents_on_the_border);
}
