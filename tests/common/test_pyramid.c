/* The octagonal pyramid of the model's authors: faces of 5 degrees towards the axes and the
 * diagonals, lava from its top for six days, no cooling. What symmetry promises holds to the last
 * bit. What it does not promise, that diagonals are as fast as axes, is measured:
 * docs/model.md, 4.6. */
/* tests: common/sim */
#include "random_case.h"

#include "model/physics.h"
#include "terrain/terrain.h"
#include "sim/variant.h"
#include "reference/published.h"
#include "reference/reference.h"
#include "unit.h"

enum { SIDE = 203, TOP = SIDE / 2, CELLS = SIDE * SIDE, SIX_DAYS = 6 * 86400 / 120 };

struct pyramid {
    double *elevation_m;
    int64_t first_step[2];
    double amount_m[2];
    struct vent vent;
    struct problem problem;
};

/* 1 m3/s onto a cell of 100 m2 for 120 s is 1.2 m. */
static void pyramid_create(struct pyramid *p, double critical_m)
{
    struct terrain t = terrain_default(TERRAIN_PYRAMID);
    struct terrain_vent top[TERRAIN_MAX_VENTS];
    assert_true(t.rows == SIDE && t.cols == SIDE && t.cell_m == 10);
    assert_int_equal(terrain_vents(&t, top), 1);
    assert_true(top[0].row == TOP && top[0].col == TOP);
    *p = (struct pyramid){.elevation_m = malloc(CELLS * sizeof(double)),
                          .first_step = {1, SIX_DAYS + 1},
                          .amount_m = {lattice_round(1.2), 0}};
    assert_non_null(p->elevation_m);
    for (int i = 0; i < CELLS; i++)
        p->elevation_m[i] = lattice_round(terrain_elevation(&t, i / SIDE, i % SIDE));
    p->vent = (struct vent){TOP, TOP, 1, 2, p->first_step, p->amount_m, NULL, NULL};
    p->problem = (struct problem){.rows = SIDE,
                                  .cols = SIDE,
                                  .window = {0, 0, SIDE, SIDE},
                                  .params = etna_params(),
                                  .elevation_m = p->elevation_m,
                                  .vent_count = 1,
                                  .vents = &p->vent,
                                  .last_vent_step = SIX_DAYS,
                                  .reduce_every = 1000};
    p->problem.params.cooling = 0;
    p->problem.params.critical_vent_m = critical_m;
}

static struct fields run(const struct pyramid *p, int64_t steps)
{
    struct fields f;
    struct error e;
    void *self;
    assert_int_equal(variant_reference.create(&self, &p->problem, NULL, &e), 0);
    assert_int_equal(fields_create(&f, p->problem.window, &e), 0);
    assert_int_equal(variant_reference.advance(self, steps, NULL, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    variant_reference.destroy(self);
    return f;
}

/* The cell n cells away from the top towards neighbour k: 0..3 along the axes, 4..7 along the
 * diagonals. */
static int away(int k, int n)
{
    return (TOP + n * PHYSICS_ROW(k)) * SIDE + TOP + n * PHYSICS_COL(k);
}

/* The largest number of cells to which the lava has come in direction k. */
static int reach(const struct fields *f, int k)
{
    int n = 0;
    while (n < TOP && f->arrival[away(k, n + 1)] != ARRIVAL_NEVER) n++;
    return n;
}

static void print_arrivals(const struct fields *f, const char *title)
{
    static const int metres[] = {50, 100, 200, 300, 500, 700, 1000, 1010};
    print_message("%s: arrival in steps along N W E S | NW SW SE NE\n", title);
    for (size_t i = 0; i < sizeof metres / sizeof *metres; i++) {
        print_message("%5d m:", metres[i]);
        for (int k = 0; k < 8; k++) {
            int n = (int)lrint(metres[i] / (k < 4 ? 10 : 14.142135623730951));
            int32_t step = f->arrival[away(k, n)];
            print_message(k == 4 ? " | " : " ");
            if (step == ARRIVAL_NEVER) print_message("never");
            else print_message("%5d", (int)step);
        }
        print_message("\n");
    }
    print_message("in the end: %d cells along the axes, %d along the diagonals\n", reach(f, 0),
                  reach(f, 4));
}

/* All eight symmetries of the square, all fields: two mirrors and a transposition generate them. */
static void assert_symmetric(const struct fields *f)
{
    const double *layers[] = {f->elevation_m, f->thickness_m,     f->temp_K,
                              f->solid_m,     f->max_thickness_m, f->max_temp_K};
    long wrong = 0;
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++) {
            int here = r * SIDE + c,
                images[] = {(SIDE - 1 - r) * SIDE + c, r * SIDE + SIDE - 1 - c, c * SIDE + r};
            for (int i = 0; i < 3; i++) {
                for (int l = 0; l < 6; l++) wrong += layers[l][here] != layers[l][images[i]];
                wrong += f->arrival[here] != f->arrival[images[i]];
            }
        }
    assert_int_equal(wrong, 0);
}

/* With the parameters of Etna 2006. */
static void six_days_on_the_pyramid(void **state)
{
    struct pyramid p;
    struct ledger ledger;
    struct error e;
    pyramid_create(&p, 1.5);
    struct fields f = run(&p, SIX_DAYS);
    print_arrivals(&f, "critical thickness 1.5 m, 6 days");
    assert_symmetric(&f);
    assert_int_equal(fields_ledger(&ledger, &f, &p.problem, &e), 0);
    assert_true(quanta_m(ledger.emitted) > 5183.9 && ledger.solidified == 0);
    for (int n = 1; n <= TOP; n++)
        for (int k = 1; k < 8; k++)
            if (k != 4) assert_int_equal(f.arrival[away(k, n)], f.arrival[away(k < 4 ? 0 : 4, n)]);
    assert_true(reach(&f, 0) == TOP && ledger.left_domain > 0);
    /* near the top the axes and the diagonals keep pace: 54 to 53 steps at 50 m, 187 to 201 at 100
     * m */
    double at_50 = (double)f.arrival[away(4, 4)] / f.arrival[away(0, 5)];
    double at_100 = (double)f.arrival[away(4, 7)] / f.arrival[away(0, 10)];
    assert_true(at_50 > 0.9 && at_50 < 1.1 && at_100 > 0.9 && at_100 < 1.15);
    fields_free(&f);
    free(p.elevation_m);
}

/* Lava that flows when it is thin goes straight down each face, one cell and a little more than one
 * step at a time: along a diagonal it passes as many cells as along an axis. */
static void fluid_lava_goes_as_many_cells_along_diagonals(void **state)
{
    static const double critical[] = {0.01, 0.1, 0.3};
    static const double margin[] = {0.02, 0.05, 0.10};
    for (int i = 0; i < 3; i++) {
        struct pyramid p;
        double worst = 1.0;
        pyramid_create(&p, critical[i]);
        struct fields f = run(&p, 500);
        assert_symmetric(&f);
        assert_true(reach(&f, 0) == TOP && reach(&f, 4) == TOP);
        for (int n = 20; n <= TOP; n++) {
            double ratio = (double)f.arrival[away(4, n)] / f.arrival[away(0, n)];
            worst = fabs(ratio - 1) > fabs(worst - 1) ? ratio : worst;
        }
        print_message(
            "critical thickness %g m: base after %d steps along axes, %d along diagonals; "
            "ratio at equal numbers of cells from 20 on: at worst %.3f\n",
            critical[i], (int)f.arrival[away(0, TOP)], (int)f.arrival[away(4, TOP)], worst);
        assert_true(fabs(worst - 1) <= margin[i]);
        double base = (double)f.arrival[away(4, TOP)] / f.arrival[away(0, TOP)];
        assert_true(fabs(base - 1) <= 0.025);
        fields_free(&f);
        free(p.elevation_m);
    }
}

/* What is measured here belongs to the model, not to exact arithmetic: the published arithmetic
 * brings the lava to the same cells in the same steps. */
static void published_arithmetic_arrives_in_the_same_steps(void **state)
{
    enum { STEPS = 700 };
    struct pyramid p;
    struct error e;
    struct fields f, g;
    void *oracle;
    pyramid_create(&p, 1.5);
    f = run(&p, STEPS);
    assert_int_equal(variant_oracle.create(&oracle, &p.problem, NULL, &e), 0);
    assert_int_equal(fields_create(&g, p.problem.window, &e), 0);
    variant_oracle.advance(oracle, STEPS, NULL, NULL);
    variant_oracle.snapshot(oracle, &g, NULL);
    assert_true(reach(&f, 0) > 25 && reach(&f, 4) > 10);
    for (int k = 0; k < 8; k++)
        for (int n = 1; n <= TOP; n++)
            assert_int_equal(f.arrival[away(k, n)], g.arrival[away(k, n)]);
    variant_oracle.destroy(oracle);
    fields_free(&g);
    fields_free(&f);
    free(p.elevation_m);
}

int main(void)
{
    return UNIT_RUN(six_days_on_the_pyramid, fluid_lava_goes_as_many_cells_along_diagonals,
                    published_arithmetic_arrives_in_the_same_steps);
}
