/* The state on the host: its ledger sees every wrong quantum, its digest every bit and place. */
/* tests: common/sim */
/* run: quick */
#include "model/lattice.h"
#include "sim/digest.h"
#include "sim/fields.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 9, COLS = 13, CELLS = ROWS * COLS };
static const double QUANTUM_M = 1.0 / 68719476736.0;

/* A domain with a hole in the data, some old lava, and a state that a run could have left. */
struct world {
    double z0[CELLS], h0[CELLS], s0[CELLS], T0[CELLS];
    struct problem p;
    struct fields f;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 20;
}

static double random_length(uint64_t *seed, double most_m)
{
    return (double)(next_random(seed) % (uint64_t)(most_m / QUANTUM_M)) * QUANTUM_M;
}

static struct world *world_create(struct window w, uint64_t seed)
{
    struct world *world = calloc(1, sizeof *world);
    struct error e;
    assert_non_null(world);
    world->p = (struct problem){.rows = ROWS,
                                .cols = COLS,
                                .window = w,
                                .elevation_m = world->z0,
                                .thickness_m = world->h0,
                                .temp_K = world->T0,
                                .solid_m = world->s0,
                                .reduce_every = 1};
    for (int i = 0; i < CELLS; i++) {
        world->z0[i] = i == 40 ? (double)NAN : 1000 + random_length(&seed, 500);
        world->h0[i] = i % 5 || i == 40 ? 0 : random_length(&seed, 4);
        world->s0[i] = i % 7 || i == 40 ? 0 : random_length(&seed, 4);
        world->T0[i] = 1200 + i % 13;
    }
    assert_int_equal(fields_create(&world->f, w, &e), 0);
    for (int row = 0; row < w.rows; row++)
        for (int col = 0; col < w.cols; col++) {
            const int d = (row + w.row0) * COLS + col + w.col0, i = row * w.cols + col;
            struct fields *f = &world->f;
            f->elevation_m[i] = world->z0[d];
            f->thickness_m[i] = world->h0[d];
            f->solid_m[i] = world->s0[d];
            f->temp_K[i] = 1100 + (double)(d % 17);
            if (d % 3 == 0 && d != 40) { /* 1 m of emitted lava, half of it solid */
                f->thickness_m[i] += 0.5;
                f->solid_m[i] += 0.5;
                f->elevation_m[i] += 0.5;
                f->emitted += (quanta)1 << 36;
                f->heat.solidified += heat_of(0.5, 1143);
            }
            f->max_thickness_m[i] = f->thickness_m[i] + f->solid_m[i];
            if (f->thickness_m[i] > 0) f->arrival[i] = d % 11;
            f->heat.cooled +=
                heat_of(world->h0[d], world->T0[d]) - heat_of(f->thickness_m[i], f->temp_K[i]);
        }
    world->f.heat.emitted = world->f.heat.solidified;
    return world;
}

static void world_destroy(struct world *w)
{
    fields_free(&w->f);
    free(w);
}

static const struct window WHOLE = {0, 0, ROWS, COLS};

static void test_create_is_empty(void **state)
{
    struct fields f;
    struct error e;
    assert_int_equal(fields_create(&f, WHOLE, &e), 0);
    size_t wet = 77;
    assert_true(fields_mobile(&f, &wet) == 0);
    assert_int_equal(wet, 0);
    for (int i = 0; i < CELLS; i++) assert_int_equal(f.arrival[i], ARRIVAL_NEVER);
    assert_true(fields_digest(&f, ROWS, COLS) == digest_grid(ROWS, COLS));
    assert_true(digest_grid(ROWS, COLS) != digest_grid(COLS, ROWS) && digest_grid(ROWS, COLS));
    fields_free(&f);
    assert_null(f.arrival);
    fields_free(&f);
    fields_free(NULL);
}

static void test_ledger_closes(void **state)
{
    struct window windows[] = {WHOLE, {2, 3, 4, 7}, {3, 0, 1, 13}, {8, 12, 1, 1}};
    for (int k = 0; k < 4; k++) {
        struct world *w = world_create(windows[k], 5 + (uint64_t)k);
        struct ledger ledger;
        struct error e = {0};
        assert_int_equal(fields_ledger(&ledger, &w->f, &w->p, &e), 0);
        assert_true(ledger.mobile == fields_mobile(&w->f, NULL));
        assert_true(ledger.initial + ledger.emitted == ledger.mobile + ledger.solidified);
        const struct heat_ledger *heat = &ledger.heat;
        assert_true(ledger_closes(&ledger) && heat_ledger_closes(heat));
        assert_true(heat->initial + heat->emitted ==
                    heat->mobile + heat->solidified + heat->left_domain + heat->cooled);
        if (k == 0) {
            assert_true(ledger.initial > 0 && ledger.emitted > 0 && ledger.solidified > 0);
            assert_true(heat->initial > 0 && heat->emitted > 0 && heat->mobile > 0);
        }
        world_destroy(w);
    }
}

static void refuse(struct world *w, const char *words)
{
    struct ledger ledger;
    struct error e = {0};
    assert_int_equal(fields_ledger(&ledger, &w->f, &w->p, &e), ERROR_FAILED);
    if (!strstr(e.text, words)) fail_msg("\"%s\" does not say \"%s\"", e.text, words);
    assert_null(strchr(e.text, '\n'));
}

/* Of the heat lost by cooling only the last 64 bits are counted: the rest follows, and a wrong count
 * is still seen. */
static void test_cooled_is_completed(void **state)
{
    const quanta lost[] = {0, 1, -1, (quanta)1 << 63, -((quanta)1 << 63), (quanta)5 << 64, 12345};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        struct world *w = world_create(WHOLE, 11 + i);
        struct ledger ledger;
        w->f.heat.emitted += lost[i];
        const quanta cooled = w->f.heat.cooled + lost[i];
        for (int wrong = -1; wrong <= 1; wrong++) {
            w->f.heat.cooled = (uint64_t)(cooled + wrong);
            fields_complete_cooled(&w->f, &w->p);
            assert_true(w->f.heat.cooled == cooled + wrong);
            if (wrong) refuse(w, wrong < 0 ? "difference -1 " : "difference 1 ");
            else assert_int_equal(fields_ledger(&ledger, &w->f, &w->p, NULL), 0);
        }
        world_destroy(w);
    }
}

/* One quantum more, less, or in the wrong place: each has to be seen. */
static void test_ledger_sees_one_quantum(void **state)
{
    struct world *w = world_create(WHOLE, 9);
    struct fields *f = &w->f;
    double *h = &f->thickness_m[3], *s = &f->solid_m[6], *z = &f->elevation_m[6], kept;
    assert_true(*h > 0 && *s > 0);

    *h += QUANTUM_M, refuse(w, "does not close"), *h -= QUANTUM_M;
    f->left_domain += 1, refuse(w, "difference 1 "), f->left_domain -= 1;
    *s += QUANTUM_M, *h -= QUANTUM_M, refuse(w, "row 0, col 6: elevation less");
    *z += QUANTUM_M;
    struct ledger ledger;
    f->heat.cooled += heat_of(*h + QUANTUM_M, f->temp_K[3]) - heat_of(*h, f->temp_K[3]);
    assert_int_equal(fields_ledger(&ledger, f, &w->p, NULL), 0);

    kept = *h;
    *h = kept + QUANTUM_M / 2, refuse(w, "row 0, col 3: the mobile thickness");
    *h = -QUANTUM_M, refuse(w, "negative");
    *h = 4000 + QUANTUM_M, refuse(w, "beyond");
    *h = NAN, refuse(w, "row 0, col 3");
    *h = INFINITY, refuse(w, "row 0, col 3");
    *h = kept;
    kept = *s, *s = -1, refuse(w, "solidified thickness"), *s = kept;
    kept = *z, *z = NAN, refuse(w, "vanished"), *z = kept;
    kept = *z, *z = 1e300, refuse(w, "elevation is out of range"), *z = kept;
    f->temp_K[CELLS - 1] = NAN, refuse(w, "row 8, col 12: the temperature"),
                      f->temp_K[CELLS - 1] = 0;
    f->solid_m[40] = 1, refuse(w, "row 3, col 1: there is lava where"), f->solid_m[40] = 0;
    assert_int_equal(fields_ledger(&ledger, f, &w->p, NULL), 0);
    world_destroy(w);
}

/* The same of heat: in each of the sums, and in the temperature of one cell. */
static void test_heat_ledger_sees_one_quantum(void **state)
{
    struct world *w = world_create(WHOLE, 9);
    struct fields *f = &w->f;
    struct ledger ledger;
    quanta *const sums[] = {&f->heat.emitted, &f->heat.solidified, &f->heat.left_domain,
                            &f->heat.cooled};
    assert_int_equal(fields_ledger(&ledger, f, &w->p, NULL), 0);
    for (int i = 0; i < 4; i++) {
        *sums[i] += 1;
        refuse(w, "the heat ledger does not close");
        refuse(w, i ? "difference 1 (counts of 2^-40 K m)" : "difference -1 ");
        *sums[i] -= 1;
    }
    const double kept = f->temp_K[3];
    assert_true(f->thickness_m[3] > 0.01);
    f->temp_K[3] = kept + 0x1p-30, refuse(w, "the heat ledger"), f->temp_K[3] = kept;
    w->T0[5] += 0x1p-30, refuse(w, "the heat ledger"), w->T0[5] -= 0x1p-30;
    assert_int_equal(fields_ledger(&ledger, f, &w->p, NULL), 0);
    world_destroy(w);
}

/* Where lava has been so hot that its heat had no integer, the record says so. */
static void test_ledger_sees_heat_beyond_range(void **state)
{
    struct world *w = world_create(WHOLE, 9);
    struct fields *f = &w->f;
    struct ledger ledger;
    f->max_temp_K[8] = HEAT_MAX_K;
    assert_int_equal(fields_ledger(&ledger, f, &w->p, NULL), 0);
    f->max_temp_K[8] += 0x1p-40, refuse(w, "row 0, col 8: lava was so hot");
    world_destroy(w);
}

static void test_same_sums(void **state)
{
    struct fields a = {.emitted = 1}, b = a;
    quanta *const sums[] = {&b.emitted,         &b.left_domain,      &b.heat.emitted,
                            &b.heat.solidified, &b.heat.left_domain, &b.heat.cooled};
    assert_true(fields_same_sums(&a, &b));
    for (int i = 0; i < 6; i++) {
        *sums[i] += 1;
        assert_false(fields_same_sums(&a, &b));
        *sums[i] -= 1;
    }
}

static double *layer(struct fields *f, int k)
{
    double *const layers[] = {f->elevation_m, f->thickness_m,     f->temp_K,
                              f->solid_m,     f->max_thickness_m, f->max_temp_K};
    return layers[k];
}

static uint64_t digest(const struct world *w)
{
    return fields_digest(&w->f, ROWS, COLS);
}

/* In cells that lava reached, and in no others. */
static void test_digest_sees_every_bit(void **state)
{
    struct world *w = world_create(WHOLE, 3), *other = world_create(WHOLE, 3);
    const char *what = "?";
    int lava = 0, none = 0;
    assert_int_equal(fields_differ(&w->f, &other->f, &what), 0);
    assert_null(what);
    assert_true(digest(w) == digest(other));
    for (int i = 0; i < 6 * CELLS; i++) {
        double *cell = &layer(&w->f, i % 6)[i / 6], kept = *cell;
        const bool counts = w->f.arrival[i / 6] != ARRIVAL_NEVER, there = !isnan(kept);
        *cell = nextafter(kept, 1e9);
        assert_int_equal(digest(w) != digest(other), there && counts);
        assert_int_equal(fields_differ(&w->f, &other->f, &what), there);
        *cell = kept;
        lava += counts;
        none += !counts;
    }
    assert_true(lava > CELLS && none > CELLS);
    w->f.arrival[5]--;
    w->f.temp_K[77] += 1;
    assert_true(digest(w) != digest(other));
    assert_int_equal(fields_differ(&w->f, &other->f, &what), 2);
    assert_string_equal(what, "temperature");
    world_destroy(w);
    world_destroy(other);
}

/* Zeros of either sign are one number; whatever NaN stands for no data is one mark. Two cells, or
 * two fields, that change places are not the same state. */
static void test_digest_means_state(void **state)
{
    struct world *w = world_create(WHOLE, 4), *other = world_create(WHOLE, 4);
    w->f.thickness_m[3] = other->f.thickness_m[3] = 0.0;
    const uint64_t before = digest(w);
    assert_true(w->f.arrival[3] != ARRIVAL_NEVER);
    w->f.thickness_m[3] = -0.0;
    w->f.elevation_m[40] = -(double)NAN;
    assert_true(digest(w) == before);
    assert_int_equal(fields_differ(&w->f, &other->f, NULL), 0);

    double *h = w->f.thickness_m, swap = h[0];
    assert_true(h[0] != h[3]);
    h[0] = h[3], h[3] = swap;
    assert_true(digest(w) != before);
    swap = h[0], h[0] = h[3], h[3] = swap;
    assert_true(digest(w) == before);
    double *layers[] = {w->f.thickness_m, w->f.solid_m};
    w->f.thickness_m = layers[1], w->f.solid_m = layers[0];
    assert_true(digest(w) != before);
    world_destroy(w);
    world_destroy(other);
}

/* What windows add to the digest of the grid is what all of it adds, and one that has all of the
 * lava has the digest of all. */
static void test_digests_of_windows(void **state)
{
    struct world *whole = world_create(WHOLE, 8);
    const struct window parts[] = {{0, 0, 4, 6}, {0, 6, 4, 7}, {4, 0, 5, COLS}};
    uint64_t sum = digest_grid(ROWS, COLS);
    for (int k = 0; k < 3; k++) {
        struct world *part = world_create(parts[k], 8);
        sum += digest(part) - digest_grid(ROWS, COLS);
        world_destroy(part);
    }
    assert_true(sum == digest(whole));
    for (int i = 0; i < 4 * COLS; i++) whole->f.arrival[i] = ARRIVAL_NEVER;
    struct world *south = world_create(parts[2], 8);
    assert_true(digest(whole) == digest(south) && digest(south) != digest_grid(ROWS, COLS));
    world_destroy(south);
    world_destroy(whole);
}

static void test_quanta(void **state)
{
    char text[48];
    const quanta one = 1, most = (((quanta)1 << 126) - 1) * 2 + 1;
    assert_string_equal(quanta_text(0, text), "0");
    assert_string_equal(quanta_text(-7, text), "-7");
    assert_string_equal(quanta_text(one << 64, text), "18446744073709551616");
    assert_string_equal(quanta_text(most, text), "170141183460469231731687303715884105727");
    assert_string_equal(quanta_text(-most - 1, text), "-170141183460469231731687303715884105728");
    assert_true(quanta_m(one << 36) == 1.0);
    assert_true(quanta_m(-(one << 35)) == -0.5);
    assert_true(quanta_m((one << 100) + 1) == ldexp(1, 64));
}

int main(void)
{
    return UNIT_RUN(test_create_is_empty, test_ledger_closes, test_cooled_is_completed,
                    test_ledger_sees_one_quantum, test_heat_ledger_sees_one_quantum,
                    test_ledger_sees_heat_beyond_range, test_same_sums, test_digest_sees_every_bit,
                    test_digest_means_state, test_digests_of_windows, test_quanta);
}
