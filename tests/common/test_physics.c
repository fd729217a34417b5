/* physics_outflows on a million random neighbourhoods, up to the ends of the permitted range: no
 * cell gives more than it has, the flows are those of the textbook's elimination in integers,
 * nothing flows uphill or into a wall, and the order of the neighbours does not matter. */
/* tests: common/model */
/* run: plain, quick */
/* build: optimized */
#include "effort.h"
#include "random_case.h"

#include "model/physics.h"
#include "unit.h"

static int cases;

__extension__ typedef __int128 wide;

struct neighbourhood {
    double z, h, T, zk[8], hk[8];
    struct physics physics;
};

static double pick_from(double low, double high, uint64_t *rng)
{
    return lattice_round(low + (high - low) * random_unit(rng));
}

/* Ground from -4000 to 14000 m (10000 m given and 4000 m set on it). Every third case has gentle
 * relief, every third the extremes themselves, and neighbours are often alike, to the last bit or
 * nearly. */
static struct neighbourhood draw(uint64_t i)
{
    uint64_t rng = i * 0x9e3779b97f4a7c15ULL + 1;
    struct neighbourhood n = {.T = 1000 + 500 * random_unit(&rng)};
    int kind = (int)(i % 3);
    double relief = kind == 0 ? 20.0 * random_unit(&rng) : 18000.0;
    double most = kind == 0 ? 30.0 : THICKNESS_MAX_M;
    double low = kind == 0 ? pick_from(-3990, 13900, &rng) : ELEVATION_MIN_M;
    n.z = random_unit(&rng) < 0.3 && kind ? low + relief : pick_from(low, low + relief, &rng);
    n.h = random_unit(&rng) < 0.1 ? LATTICE_M * (1 + (int)(9 * random_unit(&rng)))
                                  : pick_from(LATTICE_M, most, &rng);
    if (kind == 2 && random_unit(&rng) < 0.5) n.h = THICKNESS_MAX_M;
    for (int k = 0; k < 8; k++) {
        n.zk[k] = pick_from(low, low + relief, &rng);
        n.hk[k] = random_unit(&rng) < 0.5 ? 0.0 : pick_from(0, most, &rng);
        double chance = random_unit(&rng);
        if (kind == 2 && chance < 0.7) n.zk[k] = chance < 0.5 ? low : low + relief, n.hk[k] = 0.0;
        else if (chance < 0.2 && k) n.zk[k] = n.zk[k - 1], n.hk[k] = n.hk[k - 1];
        else if (chance < 0.3) n.zk[k] = n.z + LATTICE_M * (int)(5 * random_unit(&rng) - 2);
        else if (chance < 0.4) n.zk[k] = WALL_M, n.hk[k] = 0.0;
        n.zk[k] = fmax(n.zk[k], ELEVATION_MIN_M);
    }
    double rate = random_unit(&rng) < 0.3 ? 1.0 : random_unit(&rng);
    if (random_unit(&rng) < 0.1) rate = 0x1p-40 + rate * 1e-6;
    n.physics = (struct physics){.rate_a = log10(rate),
                                 .critical_a = -300, /* never too thin to move */
                                 .cell2_m2 = 100,
                                 .temp_sol_K = 1143,
                                 .temp_vent_K = 1360};
    return n;
}

/* All flows of a neighbourhood; zeros where physics_outflows says that nothing moves. */
static void flows_of(const struct neighbourhood *n, double flow[8])
{
    if (!physics_outflows(&n->physics, n->z, n->h, n->T, n->zk, n->hk, flow))
        memset(flow, 0, 8 * sizeof *flow);
}

static int64_t count(double length_m)
{
    return llrint(length_m * LATTICE_PER_M);
}

/* n / sqrt(2) as the nearest integer, ties to even; 1/sqrt(2) as a double, which has 53 bits. */
static int64_t seen_nearer(int64_t n)
{
    wide unit = (wide)1 << 53, product = (wide)n * llrint(0.70710678118654752440 * 0x1p53);
    wide down = product / unit - (product % unit < 0), rest = product - down * unit;
    return (int64_t)(down + (2 * rest > unit || (2 * rest == unit && down % 2 != 0)));
}

/* Levels of the neighbours above the ground here, counted in lambda. */
static void levels(const struct neighbourhood *n, int64_t e[8])
{
    for (int k = 0; k < 8; k++) {
        int64_t ground = count(n->zk[k] - n->z);
        e[k] = (k >= 4 ? seen_nearer(ground) : ground) + count(n->hk[k]);
    }
}

/* docs/model.md, 2.2, word by word: the takers, then out with whoever is not below the average, one
 * round after another, who is out stays out. Returns |A|, *sum is h + the levels of all in A. */
static int eliminate(int64_t h, const int64_t e[8], bool in[9], wide *sum)
{
    int size = 1;
    *sum = h;
    in[8] = true; /* the cell itself, at level 0 */
    for (int k = 0; k < 8; k++)
        if ((in[k] = h > e[k])) size++, *sum += e[k];
    for (bool removed = true; removed;) {
        wide total = *sum;
        int members = size;
        removed = false;
        for (int k = 0; k < 9; k++) {
            int64_t level = k < 8 ? e[k] : 0;
            if (!in[k] || total > (wide)members * level) continue;
            in[k] = false;
            removed = true;
            *sum -= level;
            size--;
        }
    }
    return size;
}

/* floor(rate * above / size), exactly. rate >= 2^-41: all fits in 127 bits. */
static int64_t exact_flow(double rate, wide above, int size)
{
    int exponent;
    int64_t mantissa = (int64_t)ldexp(frexp(rate, &exponent), 53);
    return (int64_t)(above * mantissa / ((wide)size << (53 - exponent)));
}

static void flows_are_those_of_the_textbook(void **state)
{
    long wrong = 0, off_by_one = 0, flowing = 0, without_cell = 0, inexact = 0, removed = 0;
#pragma omp parallel for reduction(+ : wrong, off_by_one, flowing, without_cell, inexact, removed)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i);
        double flow[8], rate = fmin(real_pow10(n.physics.rate_a), 1.0);
        int64_t e[8];
        bool in[9];
        wide sum;
        flows_of(&n, flow);
        levels(&n, e);
        int size = eliminate(count(n.h), e, in, &sum);
        without_cell += !in[8];
        int takers = 1;
        for (int k = 0; k < 8; k++) takers += e[k] < count(n.h);
        for (int k = 0; k < 8; k++) {
            int64_t expected = in[k] ? exact_flow(rate, sum - (wide)size * e[k], size) : 0;
            int64_t difference = count(flow[k]) - expected;
            off_by_one += difference == 1 || difference == -1;
            wrong += difference > 1 || difference < -1 || (!in[k] && flow[k] != 0.0);
            flowing += flow[k] > 0.0;
            /* the first round asks for a product that a double may not hold */
            inexact += (wide)takers * e[k] < -(wide)count(0x1p17);
            removed += !in[k] && e[k] < count(n.h);
        }
    }
    print_message("%ld flows, %ld of them one lambda off the exact floor\n", flowing, off_by_one);
    assert_true(flowing > cases && without_cell > cases / 10 && inexact > cases / 100 &&
                removed > cases / 10);
    assert_int_equal(wrong, 0);
}

static void no_cell_gives_more_than_it_has(void **state)
{
    long wrong = 0, all_of_it = 0;
#pragma omp parallel for reduction(+ : wrong, all_of_it)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i);
        if (i % 2)
            n.physics.rate_a = i % 4 == 1 ? 0.0 : 0.01 * (i % 50); /* r = 1; above 1, taken as 1 */
        double flow[8];
        int64_t sum = 0;
        flows_of(&n, flow);
        for (int k = 0; k < 8; k++) {
            wrong += !(flow[k] >= 0.0) || flow[k] * LATTICE_PER_M != floor(flow[k] * LATTICE_PER_M);
            sum += count(flow[k]);
        }
        wrong += sum > count(n.h);
        all_of_it += sum == count(n.h);
    }
    assert_true(all_of_it > 1000); /* the bound is reached */
    assert_int_equal(wrong, 0);
}

static void nothing_flows_uphill_or_into_walls(void **state)
{
    long wrong = 0, higher = 0, walls = 0;
#pragma omp parallel for reduction(+ : wrong, higher, walls)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i);
        double flow[8];
        int64_t e[8];
        flows_of(&n, flow);
        levels(&n, e);
        for (int k = 0; k < 8; k++) {
            higher += e[k] >= count(n.h);
            walls += n.zk[k] == WALL_M;
            wrong += flow[k] > 0.0 && (e[k] >= count(n.h) || n.zk[k] == WALL_M);
            /* nor does a flow by itself lift the neighbour above the level that was here */
            wrong += flow[k] > 0.0 && e[k] + count(flow[k]) > count(n.h);
        }
    }
    assert_true(higher > cases && walls > cases / 10);
    assert_int_equal(wrong, 0);
}

/* A random order of the four edge neighbours and of the four corner neighbours. */
static void shuffle(int to[8], uint64_t *rng)
{
    for (int k = 0; k < 8; k++) to[k] = k;
    for (int k = 7; k > 0; k--) {
        int first = k < 4 ? 0 : 4, j = first + (int)((k - first + 1) * random_unit(rng)),
            swap = to[k];
        to[k] = to[j];
        to[j] = swap;
    }
}

static void order_of_neighbours_does_not_matter(void **state)
{
    long wrong = 0, moved = 0;
#pragma omp parallel for reduction(+ : wrong, moved)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i), m = n;
        double flow[8], other[8];
        uint64_t rng = (uint64_t)i + 99;
        int to[8];
        shuffle(to, &rng);
        for (int k = 0; k < 8; k++) {
            m.zk[to[k]] = n.zk[k];
            m.hk[to[k]] = n.hk[k];
        }
        flows_of(&n, flow);
        flows_of(&m, other);
        for (int k = 0; k < 8; k++) {
            moved += to[k] != k;
            wrong += memcmp(&flow[k], &other[to[k]], sizeof flow[k]) != 0;
        }
    }
    assert_true(moved > cases);
    assert_int_equal(wrong, 0);
}

/* h > h_c cos(theta) with angle and cosine, wherever the two sides differ by more than rounding. */
static void thickness_test_is_that_of_the_angle(void **state)
{
    long wrong = 0, too_thin = 0, thin_but_steep = 0, doubtful = 0;
#pragma omp parallel for reduction(+ : wrong, too_thin, thin_but_steep, doubtful)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i), free = n;
        uint64_t rng = (uint64_t)i + 7;
        double flow[8], freely[8], critical = n.h * (0.5 + 1.5 * random_unit(&rng));
        int64_t e[8];
        n.physics.critical_a = 2.0 * log10(critical);
        flows_of(&n, flow);
        flows_of(&free, freely);
        levels(&n, e);
        for (int k = 0; k < 8; k++) {
            if (freely[k] == 0.0) continue;
            double drop = n.h - (double)e[k] * LATTICE_M;
            double least = critical * cos(atan(drop / sqrt(n.physics.cell2_m2)));
            if (fabs(n.h / least - 1) < 1e-9) doubtful++;
            else wrong += flow[k] != (n.h > least ? freely[k] : 0.0);
            too_thin += flow[k] == 0.0;
            thin_but_steep += flow[k] > 0.0 && n.h < critical;
        }
    }
    assert_true(too_thin > cases / 20 && thin_but_steep > cases / 20 && doubtful < cases / 100);
    assert_int_equal(wrong, 0);
}

/* h_c as near as can be to what lets the deepest drop flow, then further and further off on both
 * sides. */
static void no_flow_is_missed(void **state)
{
    long missed = 0, flowing = 0, kept_out = 0, near = 0, far = 0;
#pragma omp parallel for reduction(+ : missed, flowing, kept_out, near, far)
    for (int i = 0; i < cases; i++) {
        struct neighbourhood n = draw((uint64_t)i);
        uint64_t rng = (uint64_t)i + 5;
        int64_t e[8], drop = 0;
        levels(&n, e);
        for (int k = 0; k < 8; k++) drop = count(n.h) - e[k] > drop ? count(n.h) - e[k] : drop;
        double steepness = (double)drop * LATTICE_M,
               off = ldexp(0.5, -(int)(50 * random_unit(&rng)));
        if (i / 3 % 2) off = -off;
        n.physics.cell2_m2 = pow(10, 8 * random_unit(&rng) - 2);
        double critical2 = n.h * n.h * (1 + steepness * steepness / n.physics.cell2_m2) * (1 + off);
        n.physics.critical_b = -0.02 * random_unit(&rng);
        n.physics.critical_a = log10(critical2) - n.physics.critical_b * n.T;
        double flow[8], most = 0.0;
        flows_of(&n, flow);
        for (int k = 0; k < 8; k++) most = fmax(most, flow[k]);
        bool may = physics_may_flow(&n.physics, n.z, n.h, n.T, n.zk, n.hk);
        missed += most > 0.0 && !may;
        flowing += most > 0.0;
        kept_out += !may;
        near += most > 0.0 && fabs(off) < 1e-9;
        far += may && off > 0.07 && steepness > 1e-3;
    }
    print_message("%ld cells from which lava flows, %ld kept out\n", flowing, kept_out);
    assert_true(flowing > cases / 4 && near > cases / 10 && kept_out > cases / 20);
    assert_int_equal(missed, 0);
    assert_int_equal(far, 0); /* and it keeps out what it can */
}

/* A vent in the corner of the domain: five of its neighbours are walls. */
static void a_border_vent_does_not_flow_outside(void **state)
{
    struct neighbourhood n = {.z = 100, .physics = draw(0).physics};
    n.physics.rate_a = 0.0;
    for (int k = 0; k < 8; k++) {
        bool inside = PHYSICS_ROW(k) >= 0 && PHYSICS_COL(k) >= 0;
        n.zk[k] = inside ? 90 : WALL_M;
    }
    double flow[8];
    physics_emit(&n.physics, 500, &n.h, &n.T);
    assert_true(n.T == 1360 && n.h == 500);
    flows_of(&n, flow);
    for (int k = 0; k < 8; k++) assert_true((flow[k] > 0.0) == (n.zk[k] != WALL_M));

    double rest = n.h, left;
    for (int k = 0; k < 8; k++) rest -= flow[k];
    assert_true(rest > 0.0);
    left = physics_boundary(1, &rest, &n.T);
    assert_true(left > 0.0 && rest == 0.0 && n.T == 0.0);
}

int main(void)
{
    cases = sample(SANITIZED(100000, 300000), 1000000);
    return UNIT_RUN(flows_are_those_of_the_textbook, no_cell_gives_more_than_it_has,
                    nothing_flows_uphill_or_into_walls, order_of_neighbours_does_not_matter,
                    thickness_test_is_that_of_the_angle, no_flow_is_missed,
                    a_border_vent_does_not_flow_outside);
}
