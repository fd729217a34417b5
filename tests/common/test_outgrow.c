/* `resident` makes an epoch on the chip while the tiles on its list have a block each, and through
 * memory when they are more. Here tests/emulator has few multiprocessors, and lava outgrows them in
 * the middle of a run and comes back: the same bits as the reference after every piece, and the
 * counts of epochs say that it was so. Blocks take turns in any order, and some fall far behind. */
/* tests: common/base, resident */
/* run: plain, sanitized */
/* build: emulator */
#include "against_reference.h"
#include "effort.h"
#include "random_case.h"
#include "resident/resident.h"

extern int emulator_processors;
#define DECLARE(name) extern const struct variant variant_##name;
SCIARA_VARIANTS(DECLARE) /* the Makefile's list: each(global) each(tiled) ... */

static void count_epochs(void *self, int piece, void *context)
{
    struct resident_epochs *made = context;
    struct error e = {0};
    must(resident_count_epochs(self, &made[piece], &e), &e);
}

/* Of `resident`; and the epochs made by the end of each piece. */
static struct course follow_resident(const struct problem *p, const int *length, int count,
                                     struct resident_epochs made[MOST_PIECES])
{
    return follow_and_look(&variant_resident, p, length, count, count_epochs, made);
}

/* In how many pieces what was made changed from epochs on the chip to epochs through memory, or
 * back; pieces in which both kinds occur count as a change in their middle. */
static int changes(const struct resident_epochs *made, int pieces)
{
    int count = 0, before = 0;
    for (int i = 0; i < pieces; i++) {
        bool chip = made[i].on_chip > (i ? made[i - 1].on_chip : 0);
        bool memory = made[i].through_memory > (i ? made[i - 1].through_memory : 0);
        int now = chip && memory ? -before : chip ? 1 : memory ? -1 : before;
        count += before != 0 && now != before;
        before = now;
    }
    return count;
}

/* A slope without lava, and vents in cells given by the test that emit for 40 steps from the first
 * on. */
static void dry_slope(struct random_case *c, int rows, int cols, uint64_t seed, int vents,
                      const int at[][2], int64_t first_step)
{
    random_case_create(c, rows, cols, 0.0, seed);
    c->problem.thickness_m = c->problem.temp_K = NULL;
    c->problem.first_step = first_step;
    c->problem.vent_count = vents;
    c->problem.last_vent_step = first_step + 40;
    c->problem.params.cooling =
        300; /* lava solidifies within some ten steps, on edges of tiles too */
    for (int v = 0; v < vents; v++) {
        c->vents[v].row = at[v][0];
        c->vents[v].col = at[v][1];
        c->vents[v].interval_count = 2;
        c->first_step[v][0] = first_step + 1;
        c->first_step[v][1] = first_step + 41;
        c->amount_m[v][0] = lattice_round(4.0 + 0.7 * v);
        c->amount_m[v][1] = 0.0;
    }
}

static const int corner[][2] = {{31, 31}, {32, 32}, {31, 32}}; /* where four tiles meet */
static const int near_edge[][2] = {{4, 12}, {7, 15}};
static const int uneven[] = {1, 2, 7, 15, 20, 3, 30, 9, 18, 2, 1, 65};
enum { UNEVEN = sizeof uneven / sizeof *uneven };

/* Few tiles, many, and few again when most has solidified; reductions fall in the middle of what
 * would be an epoch, one or two steps before its end among others. */
static void outgrows_and_returns(void **state)
{
    static const int every[] = {25, 9, 10};
    emulator_processors = 6;
    for (uint64_t seed = SANITIZED(1, 0); seed < SANITIZED(2, (uint64_t)sample(2, 3)); seed++) {
        struct random_case c;
        emulator_seed = seed;
        dry_slope(&c, 70, 67, 300 + seed, 3, corner, 0);
        c.problem.reduce_every = every[seed];
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, uneven, UNEVEN, made);
        assert_true(f.set[UNEVEN - 1] > 100);
        assert_true(made[UNEVEN - 1].through_memory > 0);
        if (every[seed] > 2) assert_true(changes(made, UNEVEN) >= 2);
        random_case_free(&c);
    }
}

/* Vents beside the border: what leaves is counted once, whoever computes its cell too. */
static void leaves_the_domain(void **state)
{
    static const int pieces[] = {5, 11, 40, 8, 21};
    int outgrown = 0;
    emulator_processors = 2;
    for (uint64_t seed = SANITIZED(3, 1); seed < 4; seed++) {
        struct random_case c;
        emulator_seed = seed;
        dry_slope(&c, 41, 47, 400 + seed, 1 + seed % 2, near_edge, 0);
        c.problem.params.cooling = 30;
        c.problem.reduce_every = 64;
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 5, made);
        assert_true(f.left > 0 && f.heat.left_domain > 0);
        assert_true(made[4].on_chip > 0);
        outgrown += made[4].through_memory > 0;
        random_case_free(&c);
    }
    assert_true(outgrown > 0);
}

/* The rule ends a run that has been through memory, at the same step; and one in its first epoch.
 */
static void stops(void **state)
{
    static const int pieces[] = {30, 130, 20};
    emulator_processors = 6;
    for (uint64_t seed = 1; seed < SANITIZED(2, (uint64_t)sample(2, 3)); seed++) {
        struct random_case c;
        emulator_seed = seed;
        dry_slope(&c, 70, 67, 300 + seed, 3, corner, 0);
        c.problem.reduce_every = 11;
        c.problem.stop_when_still = true;
        c.problem.stop_mobile_m = 40.0;
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 3, made);
        assert_true(!f.at[0].stopped && f.at[1].stopped && f.at[1].step < 160);
        assert_true(made[1].on_chip > 0 && made[1].through_memory > 0);
        c.problem.reduce_every = 5;
        c.problem.last_vent_step = 0;
        c.problem.stop_mobile_m = 1e6;
        f = follow_resident(&c.problem, pieces, 2, made);
        assert_true(f.at[0].stopped && f.at[0].step == 5);
        random_case_free(&c);
    }
}

/* Dozens of blocks with a tile each, every cell or lava only; a domain that is one tile. No epoch
 * is shorter than three steps. */
static void stays_on_the_chip(void **state)
{
    static const int pieces[] = {5, 11, 24, 24}, size[][2] = {{56, 61}, {40, 37}, {8, 8}, {5, 7}};
    emulator_processors = 20;
    for (uint64_t seed = SANITIZED(3, 0); seed < SANITIZED(4, 8); seed += 3) {
        struct random_case c;
        const int *s = size[seed / 2];
        emulator_seed = seed;
        random_case_create(&c, s[0], s[1], 0.0, 500 + seed);
        c.problem.full_domain = seed % 2;
        c.problem.reduce_every = 64;
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 4, made);
        assert_true(f.wet[2] > 0);
        assert_true(made[3].on_chip > 8 && made[3].through_memory == 0);
        random_case_free(&c);
    }
}

/* One multiprocessor, so that nearly all goes through memory, in panels of 30 columns: lava and
 * vents on their seams, panels that the domain ends in, lava over the edge of the domain, cells
 * without data, every cell or lava only. */
static void over_seams_of_panels(void **state)
{
    static const int pieces[] = {3, 21, 40, 1, 31},
                     size[][2] = {{75, 91}, {33, 62}, {90, 30}, {48, 7}};
    static const int at[][2] = {{20, 29}, {20, 30}, {31, 59}, {31, 61}};
    size_t set = 0;
    int left = 0;
    emulator_processors = 1;
    for (uint64_t seed = SANITIZED(2, 0); seed < 8; seed += SANITIZED(3, 1)) {
        struct random_case c;
        const int *s = size[seed / 2];
        emulator_seed = 30 + seed;
        random_case_create(&c, s[0], s[1], seed % 3 ? 0.0 : 0.05, 700 + seed);
        c.problem.full_domain = seed % 2;
        c.problem.reduce_every = 7 + 30 * (seed % 4);
        for (int v = 0; v < 4; v++)
            if (at[v][1] < s[1] && !isnan(c.elevation_m[at[v][0] * s[1] + at[v][1]])) {
                c.vents[v].row = at[v][0];
                c.vents[v].col = at[v][1];
            }
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 5, made);
        assert_true(f.wet[1] > 4);
        set += f.set[4];
        left += f.left > 0;
        assert_true(made[4].through_memory > (seed / 2 == 3 ? 0 : 8));
        random_case_free(&c);
    }
    assert_true(set > SANITIZED(10, 100) && left >= SANITIZED(1, 4));
}

/* Epochs of one and of two steps, which end before a block has heard of all that matter to it. */
static void short_epochs(void **state)
{
    static const int pieces[] = {1, 2, 1, 1, 2, 2, 1, 13};
    emulator_processors = 20;
    for (uint64_t seed = SANITIZED(3, (uint64_t)sample(2, 1)); seed < 4; seed++) {
        struct random_case c;
        emulator_seed = seed;
        random_case_create(&c, 50, 45, 0.0, 600 + seed);
        c.problem.full_domain = seed == 3;
        c.problem.reduce_every = 1 + seed % 2;
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 8, made);
        assert_true(f.wet[7] > 50);
        random_case_free(&c);
    }
}

/* An epoch that is too short for the chip, in a launch of many: the next ones are made there again,
 * also where the list has every tile that there is. */
static void one_short_epoch(void **state)
{
    static const int pieces[] = {103};
    if (SANITIZED(true, false)) skip(); /* the same lines as in short_epochs */
    emulator_processors = 9;
    for (int full = sample(1, 0); full < 2; full++) { /* the list has every tile */
        struct random_case c;
        emulator_seed = 8;
        random_case_create(&c, 40, 40, 0.0, 508);
        c.problem.first_step = 23 + full;
        c.problem.full_domain = full;
        c.problem.reduce_every = 25;
        struct resident_epochs made[MOST_PIECES];
        struct course f = follow_resident(&c.problem, pieces, 1, made);
        assert_true(f.wet[0] > 50);
        assert_true(made[0].on_chip > 12 && made[0].through_memory > 0 &&
                    made[0].through_memory <= 2);
        random_case_free(&c);
    }
}

/* A run that goes on from a state of long ago, so that steps need 31 bits. */
static void late_steps(void **state)
{
    static const int pieces[] = {5, 31, 60, 30};
    struct random_case c;
    emulator_processors = 6;
    emulator_seed = 5;
    dry_slope(&c, 70, 67, 305, 3, corner, 0x7fffffff - 130);
    c.problem.reduce_every = 40;
    struct resident_epochs made[MOST_PIECES];
    struct course f = follow_resident(&c.problem, pieces, 4, made);
    assert_true(f.wet[1] > 20 && f.set[3] > 100);
    assert_true(made[3].on_chip > 0 && made[3].through_memory > 0);
    random_case_free(&c);
}

/* No lava and no vents: nothing happens, and it ends. */
static void nothing_to_do(void **state)
{
    static const int pieces[] = {3, 40};
    struct random_case c;
    emulator_processors = 2;
    emulator_seed = 6;
    dry_slope(&c, 30, 30, 306, 0, NULL, 0);
    struct resident_epochs made[MOST_PIECES];
    struct course f = follow_resident(&c.problem, pieces, 2, made);
    assert_true(f.wet[1] == 0 && f.at[1].step == 43);
    random_case_free(&c);
}

/* Where there is no lava any temperature will do, -0 K among them. */
static void minus_zero_kelvin(void **state)
{
    static const int pieces[] = {5, 31};
    struct random_case c;
    emulator_processors = 20;
    emulator_seed = 7;
    random_case_create(&c, 40, 40, 0.0, 507);
    for (int i = 0; i < 40 * 40; i++)
        if (c.thickness_m[i] == 0.0) c.temp_K[i] = -0.0;
    struct resident_epochs made[MOST_PIECES];
    struct course f = follow_resident(&c.problem, pieces, 2, made);
    assert_true(f.wet[1] > 20);
    random_case_free(&c);
}

/* Pools on the edge of a tile, 8 or 16 cells wide, that flow over it and set at once, all of them:
 * no cell of the next tile has lava before that step or after, and yet its ground has risen. */
static void solidifies_where_it_arrives(void **state)
{
    const struct variant *variant = *state;
    static const int pieces[] = {1, 1, 1, 3, 9, 2}, pools[][2] = {{20, 15}, {44, 31}, {36, 48}};
    emulator_processors = 1;
    emulator_seed = 0;
    for (int first_step = 0; first_step < 4; first_step++) {
        struct random_case c;
        random_case_create(&c, 64, 64, 0.0, 9);
        for (int i = 0; i < 64 * 64; i++) {
            c.elevation_m[i] = 1000.0;
            c.thickness_m[i] = c.temp_K[i] = 0.0;
        }
        for (int i = 0; i < 3; i++) {
            c.thickness_m[64 * pools[i][0] + pools[i][1]] = 8.0;
            c.temp_K[64 * pools[i][0] + pools[i][1]] = 1360.0;
        }
        c.problem.vent_count = 0;
        c.problem.last_vent_step = 0;
        c.problem.first_step = first_step;
        c.problem.params.cooling = 1e6;
        struct course f = follow(variant, &c.problem, pieces, 6);
        assert_true(f.wet[0] == 0 && f.set[0] == 27);
        random_case_free(&c);
    }
}

#define FOR_VARIANT(name)                                                                          \
    {"solidifies where it arrives: " #name, solidifies_where_it_arrives, NULL, NULL,               \
     (void *)&variant_##name},

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outgrows_and_returns),
                                       cmocka_unit_test(leaves_the_domain),
                                       cmocka_unit_test(stops),
                                       cmocka_unit_test(stays_on_the_chip),
                                       cmocka_unit_test(over_seams_of_panels),
                                       cmocka_unit_test(short_epochs),
                                       cmocka_unit_test(one_short_epoch),
                                       cmocka_unit_test(late_steps),
                                       cmocka_unit_test(nothing_to_do),
                                       cmocka_unit_test(minus_zero_kelvin),
                                       SCIARA_VARIANTS(FOR_VARIANT)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
