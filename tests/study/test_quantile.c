/* Philox against its published vectors; quantiles, exponential, logarithm, sine and cosine, made of
 * exactly rounded operations, against long double. */
/* tests: study/random */
/* run: plain */
/* build: optimized */
#include <math.h>
#include <stdint.h>

#include "random/philox.h"
#include "random/quantile.h"
#include "unit.h"

/* Salmon et al. 2011 publish them with their code, Random123: kat_vectors, "philox4x32 10". */
static void philox_known_answers(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct philox counter;
        memcpy(counter.word, known[i].counter, sizeof counter.word);
        const struct philox out = philox4x32(counter, known[i].key[0], known[i].key[1]);
        assert_memory_equal(out.word, known[i].answer, sizeof out.word);
    }
}

/* Which words of counter and key the place and the seed go to is part of what a seed means. */
static void philox_places(void **state)
{
    const struct philox counter = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    const struct philox out = philox4x32(counter, 0xa4093822, 0x299f31d0);
    assert_true(philox_bits(0x299f31d0a4093822, 0x03707344, 0x85a308d3243f6a88, 0x13198a2e) ==
                ((uint64_t)out.word[1] << 32 | out.word[0]));
    assert_true(philox_unit(0) == 0x1p-53 && philox_unit(~(uint64_t)0) == 1 - 0x1p-53);
    assert_true(philox_unit((uint64_t)1 << 63) == 0.5 + 0x1p-53);
}

/* The normal quantile by Newton's method on erfcl: u <= 1/2. */
static long double true_quantile(long double u, double from)
{
    long double x = from;
    for (int i = 0; i < 3; i++) {
        const long double below = erfcl(-x / sqrtl(2)) / 2;
        x -= (below - u) / (expl(-x * x / 2) / sqrtl(2 * acosl(-1)));
    }
    return x;
}

static void normal_quantile_is_near(void **state)
{
    double worst = 0;
    for (int i = 0; i < 2000000; i++) {
        uint64_t bits = philox_bits(1, 0, (uint64_t)i, 0);
        if (i % 2) bits >>= 1 + i / 2 % 52; /* the tail, of any size */
        double u = philox_unit(bits);
        if (u > 0.5) u = 1 - u;
        const double x = normal_quantile(u);
        const long double truth = true_quantile(u, x);
        if (fabsl(truth) < 1e-6L) continue;
        worst = fmax(worst, (double)fabsl((x - truth) / truth));
        assert_true(normal_quantile(1 - u) == -x);
    }
    print_message("normal quantile: at most %.3g of itself\n", worst);
    assert_true(worst > 1e-16 && worst <= 1e-15);
    assert_true(normal_quantile(0.5) == 0);
    assert_true(-normal_quantile(0x1p-53) < QUANTILE_MOST && -normal_quantile(0x1p-53) > 8.2);
}

static void normal_probability_turns_it_round(void **state)
{
    for (double x = -8; x <= 8; x += 0.01) {
        const long double truth = erfcl(-(long double)x / sqrtl(2)) / 2;
        assert_true(fabsl(normal_probability(x) - truth) <= 2.5e-16L + 1e-15L * truth);
    }
    assert_true(normal_probability(-1e9) == 0x1p-53 && normal_probability(1e9) == 1 - 0x1p-53);
}

static void exponential_and_logarithm(void **state)
{
    for (int i = 0; i < 200000; i++) {
        const double x = (philox_unit(philox_bits(2, 0, (uint64_t)i, 0)) - 0.5) * 40;
        const double y = real_exp(x);
        assert_true(fabsl(y / expl(x) - 1) < 1e-14L);
        assert_true(fabsl(real_log(y) - logl(y)) <= 1e-15L + 1e-15L * fabsl(logl(y)));
    }
    assert_true(real_exp(0) == 1 && real_log(1) == 0);
}

static void turns(void **state)
{
    const long double degree = acosl(-1) / 180;
    for (int i = -36000; i <= 36000; i++) {
        double s, c;
        real_turn(i / 10.0, &s, &c);
        assert_true(fabsl(s - sinl(i / 10.0 * degree)) < 1e-14L);
        assert_true(fabsl(c - cosl(i / 10.0 * degree)) < 1e-14L);
        if (i % 900 == 0) assert_true(s == (double)lround(s) && c == (double)lround(c));
    }
}

int main(void)
{
    return UNIT_RUN(philox_known_answers, philox_places, normal_quantile_is_near,
                    normal_probability_turns_it_round, exponential_and_logarithm, turns);
}
