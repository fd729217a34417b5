/* Scores of forecasts: against plain loops, against twins that are reliable or over-confident, and
 * whether they prefer the truth's distribution; domains, and numbers of members as distributions. */
/* tests: study/verify */
/* run: plain, sanitized */
/* build: optimized */
#include "effort.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "raster/raster.h"
#include "scratch.h"
#include "unit.h"
#include "verify/discrepancy.h"
#include "verify/verify.h"

#include <math.h>

enum { ROWS = 60, COLS = 300, CELLS = ROWS * COLS, MEMBERS = 10000 };

/* A forecast of one domain, which is the whole grid. */
struct twin {
    unsigned char outline[CELLS];
    uint64_t count[CELLS];
    struct domain domain;
    struct forecast f;
};

static uint64_t reached(const void *of, size_t cell)
{
    return ((const uint64_t *)of)[cell];
}

static const struct problem plain = {.rows = ROWS, .cols = COLS};
static const struct georef geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10};
static const struct domain_within everywhere = {.distance_m = 1e6};

static void use(struct twin *t, const struct domain_within *within)
{
    struct error e = {0};
    domain_free(&t->domain);
    must(domain_create(&t->domain, within, t->outline, &plain, &geo, "plan", &e), &e);
    t->f = (struct forecast){&t->domain, reached, t->count, MEMBERS, MEMBERS};
}

static struct verification verified(const struct twin *t)
{
    struct error e = {0};
    struct verification v;
    must(verify(&v, &t->f, &e), &e);
    return v;
}

/* ---- flows whose probability is known -------------------------------------------------------- */

/* Lava comes where a normal field, correlated over nine cells, is below this: a tongue that ends
 * gradually. */
static double level(int row, int col)
{
    const double aside = fabs(row - ROWS / 2.0), behind = fmax(0, (col - 220) / 25.0);
    double wave, unused;
    real_turn(col * 3.0, &wave, &unused);
    return 2 - aside / 6 - behind + 0.8 * wave;
}

/* The mean of 9 x 9 cells of normal numbers, times 9, on a torus: variance 1. */
static void make_field(double field[CELLS], int number)
{
    enum { WIDE = 9 };
    static double white[CELLS], across[CELLS];
    for (int i = 0; i < CELLS; i++)
        white[i] = normal_quantile(philox_unit(philox_bits(27, 0, (uint64_t)number, (uint32_t)i)));
    for (int i = 0; i < CELLS; i++) {
        across[i] = 0;
        for (int k = 0; k < WIDE; k++) across[i] += white[i / COLS * COLS + (i + k) % COLS];
    }
    for (int i = 0; i < CELLS; i++) {
        field[i] = 0;
        for (int k = 0; k < WIDE; k++) field[i] += across[(i + k * COLS) % CELLS] / WIDE;
    }
}

/* Each flow is made once. */
static void observe(struct twin *t, int number)
{
    enum { FLOWS_MOST = 400 };
    static double field[CELLS];
    static unsigned char outline[FLOWS_MOST][CELLS];
    static bool known[FLOWS_MOST];
    if (!known[number]) make_field(field, number);
    for (int i = 0; i < CELLS && !known[number]; i++)
        outline[number][i] = field[i] < level(i / COLS, i % COLS);
    known[number] = true;
    memcpy(t->outline, outline[number], CELLS);
    use(t, &everywhere);
}

/* Probabilities of the truth, distorted: the quantile times `factor`, plus `shift`. */
static void forecast(struct twin *t, double factor, double shift)
{
    for (int i = 0; i < CELLS; i++)
        t->count[i] =
            (uint64_t)(erfc(-(factor * level(i / COLS, i % COLS) + shift) / sqrt(2)) / 2 * MEMBERS +
                       0.5);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static void scores_are_those_of_plain_loops(void **state)
{
    static struct twin t;
    forecast(&t, 1.3, 0.2);
    observe(&t, 1);
    const struct verification v = verified(&t);
    double brier = 0, logs = 0, seen = 0, bin[VERIFY_BINS][3] = {{0}}, pairs = 0, won = 0;
    for (int i = 0; i < CELLS; i++) {
        const double k = (double)t.count[i], p = k / MEMBERS, q = fmin(fmax(p, 0.0025), 0.9975);
        int b = 0;
        while (k * 100 > (double)verify_percent[b] * MEMBERS) b++;
        bin[b][0]++, bin[b][1] += t.outline[i], bin[b][2] += p;
        brier += (p - t.outline[i]) * (p - t.outline[i]);
        logs -= log(t.outline[i] ? q : 1 - q);
        seen += t.outline[i];
        for (int j = i % 7; t.outline[i] && j < CELLS; j += 7) { /* a seventh of the pairs */
            if (t.outline[j]) continue;
            pairs++;
            won += t.count[i] > t.count[j] ? 1 : t.count[i] == t.count[j] ? 0.5 : 0;
        }
    }
    const double share = seen / CELLS, unknown = share * (1 - share);
    double reliability = 0, resolution = 0;
    assert_true(seen > 3000 && seen < CELLS - 3000);
    assert_true(v.cells == CELLS && (double)v.observed == seen);
    assert_true(fabs(v.score[VERIFY_BRIER].value - brier / CELLS) < 1e-12);
    assert_true(fabs(v.score[VERIFY_SKILL].value - (1 - brier / CELLS / unknown)) < 1e-12);
    assert_true(fabs(v.score[VERIFY_LOG].value - logs / CELLS) < 1e-9);
    assert_true(fabs(v.score[VERIFY_ROC].value - won / pairs) < 2e-3);
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v.bin[k];
        assert_true((double)b->cells == bin[k][0] && (double)b->observed == bin[k][1]);
        if (!b->cells) continue;
        assert_true(fabs(b->forecast - bin[k][2] / bin[k][0]) < 1e-12);
        assert_true(b->low <= b->share && b->share <= b->high && b->high - b->low > 0);
        reliability += bin[k][0] * pow(b->forecast - b->share, 2) / CELLS;
        resolution += bin[k][0] * pow(b->share - share, 2) / CELLS;
    }
    assert_true(fabs(v.reliability - reliability) < 1e-12);
    assert_true(fabs(v.uncertainty - unknown) < 1e-12);
    assert_true(fabs(v.reliability - v.resolution + v.uncertainty - brier / CELLS) < 1e-12);
    assert_true(fabs(v.resolution - resolution) < 0.01); /* but for the terms within bins */
    assert_true(fabs(v.log_reference + share * log(share) + (1 - share) * log(1 - share)) < 1e-12);
    for (int k = 0; k < VERIFY_SCORES; k++)
        assert_true(v.score[k].error > 0 && v.score[k].error < 0.1);
    const struct verification again = verified(&t);
    assert_memory_equal(&v, &again, sizeof v);
    domain_free(&t.domain);
}

/* Regions of k per cent or more against the outline, of which a part lies outside the domain. */
static void levels_are_those_of_plain_loops(void **state)
{
    static struct twin t;
    forecast(&t, 1.3, 0.2);
    observe(&t, 1);
    for (int i = 0; i < CELLS; i++) { /* some probabilities are whole per cents */
        if (i % 3 == 0) t.count[i] -= t.count[i] % (MEMBERS / 100);
        if (i % COLS >= 200) t.domain.cell[i] &= DOMAIN_OBSERVED;
    }
    t.domain.cells = t.domain.observed = t.domain.beyond = 0;
    for (int i = 0; i < CELLS; i++) {
        t.domain.cells += t.domain.cell[i] & DOMAIN_IN;
        t.domain.observed += t.domain.cell[i] == (DOMAIN_IN | DOMAIN_OBSERVED);
        t.domain.beyond += t.domain.cell[i] == DOMAIN_OBSERVED;
    }
    const struct verification v = verified(&t);
    assert_true(v.observed > 1000 && t.domain.beyond > 500);
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        double hits = 0, alarms = 0;
        uint64_t both = 0, either = 0;
        for (int i = 0; i < CELLS; i++) {
            const bool above = t.count[i] && t.count[i] * 100 >= (uint64_t)k * MEMBERS,
                       in = t.domain.cell[i] & DOMAIN_IN;
            hits += above && in && t.outline[i];
            alarms += above && in && !t.outline[i];
            both += above && t.outline[i];
            either += above || t.outline[i];
        }
        assert_true(v.hit_rate[k] == hits / (double)v.observed);
        assert_true(v.false_alarm_rate[k] == alarms / (double)(v.cells - v.observed));
        assert_true(v.both[k] == both && v.either[k] == either);
        assert_true(verify_jaccard(&v, k) <= verify_jaccard(&v, v.best));
    }
    domain_free(&t.domain);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* A flow whose columns are the blocks of the bootstrap: fewer than eight of them are not put together. As many
 * cells above the middle row as below are observed, so that the flow lies along the row. */
enum { TALL = 7, WIDE = 5 };
struct small_flow {
    unsigned char cell[TALL * WIDE];
    uint64_t count[TALL * WIDE]; /* per cent */
    struct domain domain;
    struct forecast f;
};

static void make_small(struct small_flow *t, int cols, int number)
{
    t->domain = (struct domain){
        TALL, cols, 10, {0, 0, TALL, cols}, t->cell, (uint64_t)(TALL * cols), 0, 0, ""};
    t->f = (struct forecast){&t->domain, reached, t->count, 100, 100};
    for (int i = 0; i < TALL * cols; i++) {
        const int above = abs(i / cols - TALL / 2), col = i % cols;
        const bool wet = above == 0 || (above == 1 && col > 0 && col < cols - 1);
        const double u = philox_unit(philox_bits(4, 0, (uint64_t)number, (uint32_t)i));
        t->cell[i] = (unsigned char)(DOMAIN_IN | (wet ? DOMAIN_OBSERVED : 0));
        t->count[i] = 10 * (uint64_t)(wet ? 11 * u : 11 * u * u); /* many are equal */
        t->domain.observed += wet;
    }
}

/* The scores of some of its columns, each as often as it was drawn. `unknown`: of the whole flow, with its Brier
 * score in `brier`; the skill is the linear part around these. */
static void score_columns(double score[VERIFY_SCORES], const struct small_flow *t, const int *drawn,
                          double unknown, double brier)
{
    const int cols = t->domain.cols;
    double cells = 0, wet = 0, squares = 0, logs = 0, won = 0;
    for (int i = 0; i < TALL * cols; i++) {
        const double p = (double)t->count[i] / 100, times = drawn[i % cols];
        const bool seen = t->cell[i] & DOMAIN_OBSERVED;
        cells += times, wet += times * seen, squares += times * (p - seen) * (p - seen);
        logs -= times * log(fmin(fmax(seen ? p : 1 - p, 0.0025), 0.9975));
        for (int j = 0; seen && times > 0 && j < TALL * cols; j++) {
            if (t->cell[j] & DOMAIN_OBSERVED) continue;
            won += times * drawn[j % cols] *
                   ((t->count[i] > t->count[j]) + (t->count[i] >= t->count[j])) / 2;
        }
    }
    const double share = wet / cells;
    score[VERIFY_BRIER] = squares / cells;
    score[VERIFY_SKILL] =
        1 - squares / cells / unknown + brier / unknown * (share * (1 - share) / unknown - 1);
    score[VERIFY_LOG] = logs / cells;
    score[VERIFY_ROC] = won / (wet * (cells - wet));
}

/* The scores, and of all draws with replacement, each once, their variance, and that of a variance of as many of them as the
 * bootstrap takes, as a share. */
static void draw_all(double whole[VERIFY_SCORES], double variance[VERIFY_SCORES],
                     double spread[VERIFY_SCORES], const struct small_flow *t)
{
    const int cols = t->domain.cols, one[WIDE] = {1, 1, 1, 1, 1};
    const double share = (double)t->domain.observed / (double)t->domain.cells;
    double sum[5][VERIFY_SCORES] = {{0}}, score[VERIFY_SCORES];
    score_columns(whole, t, one, share * (1 - share), 0);
    const double brier = whole[VERIFY_BRIER];
    int draws = 1;
    for (int i = 0; i < cols; i++) draws *= cols;
    for (int n = 0; n < draws; n++) {
        int drawn[WIDE] = {0};
        for (int i = 0, rest = n; i < cols; i++, rest /= cols) drawn[rest % cols]++;
        score_columns(score, t, drawn, share * (1 - share), brier);
        for (int k = 0; k < VERIFY_SCORES; k++)
            for (int power = 1; power < 5; power++)
                sum[power][k] += pow(score[k] - whole[k], power) / draws;
    }
    for (int k = 0; k < VERIFY_SCORES; k++) {
        const double m = sum[1][k], m2 = sum[2][k] - m * m,
                     m4 = sum[4][k] - 4 * m * sum[3][k] + 6 * m * m * sum[2][k] - 3 * m * m * m * m;
        variance[k] = m2;
        spread[k] = m4 > m2 * m2 ? sqrt((m4 / (m2 * m2) - 1) / 1000) : 0;
    }
}

/* The error of a mean over a sample of blocks is s / sqrt(b), with the standard deviation s of the blocks as it
 * is estimated from them; draws with replacement from b blocks lack b / (b - 1) of its square, of every score. */
static void errors_are_those_of_a_sample_of_blocks(void **state)
{
    static struct small_flow t, other;
    struct error e = {0};
    int known = 0;
    for (int cols = 2; cols <= WIDE; cols += cols == 2 ? 2 : 1)
        for (int number = 0; number < 8; number++) {
            double whole[VERIFY_SCORES], variance[VERIFY_SCORES], spread[VERIFY_SCORES];
            double mean[2] = {0}, square[2] = {0};
            struct verification v;
            struct verify_difference x;
            make_small(&t, cols, number);
            make_small(&other, cols, number + 100);
            must(verify(&v, &t.f, &e), &e);
            must(verify_compare(&x, &t.f, &other.f, &e), &e);
            assert_int_equal(v.blocks, cols);
            draw_all(whole, variance, spread, &t);
            for (int k = 0; k < VERIFY_SCORES; k++) { /* in four deviations of so many draws */
                const double expected = variance[k] * cols / (cols - 1),
                             got = v.score[k].error * v.score[k].error;
                assert_true(fabs(got - expected) <= (4 * spread[k] + 0.01) * expected);
                known += expected > 0;
                assert_true(fabs(v.score[k].value - whole[k]) < 1e-12);
            }
            for (int col = 0; col < cols; col++) {
                double miss[2] = {0};
                for (int i = col; i < TALL * cols; i += cols) {
                    const bool seen = t.cell[i] & DOMAIN_OBSERVED;
                    const double a = (double)t.count[i] / 100 - seen,
                                 b = (double)other.count[i] / 100 - seen;
                    miss[0] += a * a / TALL, miss[1] += (a * a - b * b) / TALL;
                }
                for (int k = 0; k < 2; k++)
                    mean[k] += miss[k] / cols, square[k] += miss[k] * miss[k];
            }
            const double found[] = {v.score[VERIFY_BRIER].error, x.difference[VERIFY_BRIER].error};
            for (int k = 0; k < 2; k++) {
                const double s2 = (square[k] - cols * mean[k] * mean[k]) / (cols - 1);
                assert_true(fabs(found[k] / sqrt(s2 / cols) - 1) < 0.1); /* of 1,000 draws */
            }
        }
    assert_true(known > 90);
}

/* Wilson's interval of a share s of n independent cells, with the quantile t. */
static void expect_interval(const struct verify_bin *b, double n, double t, double off)
{
    const double s = b->share, middle = (s + t * t / (2 * n)) / (1 + t * t / n),
                 half = t / (1 + t * t / n) * sqrt(s * (1 - s) / n + t * t / (4 * n * n));
    assert_true(fabs(b->low - fmax(0, middle - half)) < off);
    assert_true(fabs(b->high - fmin(1, middle + half)) < off);
}

/* In each column two cells of certain lava, of which all have it; two without a chance, which have none; and two of
 * one half, of which one, one, both, none and one have. Columns are what counts: the first two are Wilson's
 * intervals of as many cells as there are columns, that of one half has the error of the mean of columns. */
static void intervals_count_columns(void **state)
{
    static const double student[] = {12.706, 4.303, 3.182, 2.776}; /* the quantile 0.975 */
    static const int wet_of[WIDE] = {1, 1, 2, 0, 1};
    static struct small_flow t;
    struct error e = {0};
    for (int cols = 4; cols <= WIDE; cols++) {
        struct verification v;
        double share = 0, squares = 0;
        make_small(&t, cols, 0);
        t.domain.cells = t.domain.observed = 0;
        for (int i = 0; i < TALL * cols; i++) {
            const int row = i / cols, kind = row < 2 ? 0 : row < 4 ? 1 : row < 6 ? 2 : 3;
            const bool wet = kind == 1 || (kind == 2 && row - 4 < wet_of[i % cols]);
            t.count[i] = kind == 1 ? 100 : kind == 2 ? 50 : 0;
            t.cell[i] = (unsigned char)((kind < 3 ? DOMAIN_IN : 0) | (wet ? DOMAIN_OBSERVED : 0));
            t.domain.cells += kind < 3;
            t.domain.observed += wet;
        }
        must(verify(&v, &t.f, &e), &e);
        assert_int_equal(v.blocks, cols);
        for (int i = 0; i < cols; i++) share += wet_of[i] / 2.0 / cols;
        for (int i = 0; i < cols; i++) squares += pow(wet_of[i] / 2.0 - share, 2);
        const double error2 = squares / (cols - 1) / cols, t95 = student[cols - 2],
                     n = fmin(2 * cols, share * (1 - share) / error2);
        const struct verify_bin *half = &v.bin[5];
        assert_true(v.bin[0].share == 0 && half->share == share && v.bin[12].share == 1);
        expect_interval(&v.bin[0], cols, t95, 0.02); /* quantiles are known to 3 % */
        expect_interval(&v.bin[12], cols, t95, 0.02);
        expect_interval(half, n, t95, 0.03);
    }
}

/* n runs of columns that are all lava or have none, where a probability of 1/2 is forecast. At a lag of k, of
 * `all` columns all - k - 2 (n - 1) k agree more than differ. Blocks are six times as long as the lag that leaves
 * 1/e of them, unless there were fewer than eight. */
static void blocks_are_longer_than_runs(void **state)
{
    enum { COLUMNS_ALL = 64, ROWS_ALL = 3 };
    static const struct {
        int runs, length;
    } cases[] = {{64, 6}, {16, 8}, {8, 8}, {4, 8}};
    static unsigned char cell[ROWS_ALL * COLUMNS_ALL];
    static uint64_t count[ROWS_ALL * COLUMNS_ALL];
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct error e = {0};
        struct verification v;
        struct domain d = {ROWS_ALL, COLUMNS_ALL, 10, {0, 0, ROWS_ALL, COLUMNS_ALL}, cell, 192,
                           96,       0,           ""};
        const struct forecast f = {&d, reached, count, 2, 100};
        for (int i = 0; i < ROWS_ALL * COLUMNS_ALL; i++) {
            cell[i] = i % COLUMNS_ALL * cases[n].runs / COLUMNS_ALL % 2
                          ? DOMAIN_IN
                          : DOMAIN_IN | DOMAIN_OBSERVED;
            count[i] = 1;
        }
        must(verify(&v, &f, &e), &e);
        const double lag = ceil(COLUMNS_ALL * (1 - exp(-1)) / (2 * cases[n].runs - 1));
        assert_true(v.correlation_m == 10 * lag);
        assert_true(v.block_m == 10 * cases[n].length);
        assert_int_equal(v.blocks, (COLUMNS_ALL + cases[n].length - 1) / cases[n].length);
    }
}

/* Of 400 flows with known probabilities: the intervals of reliable forecasts hold in 95 of 100, and forecasts
 * that are twice as sure are found out. */
static void intervals_hold_for_reliable_forecasts(void **state)
{
    enum { ALL = 400, TWINS = SANITIZED(20, ALL) };
    static struct twin t[2]; /* reliable; twice as sure */
    int holds[2][VERIFY_BINS] = {{0}}, of[2][VERIFY_BINS] = {{0}};
    double held = 0, bins = 0, found = 0, sum = 0, squares = 0, errors = 0;
    forecast(&t[0], 1, 0);
    forecast(&t[1], 2, 0);
    for (int i = 0; i < TWINS; i++) {
        observe(&t[0], i);
        t[1].f = (struct forecast){&t[0].domain, reached, t[1].count, MEMBERS, MEMBERS};
        for (int sure = 0; sure < 2; sure++) {
            const struct verification v = verified(&t[sure]);
            const struct sciara_estimate brier = v.score[VERIFY_BRIER];
            if (!sure)
                sum += brier.value, squares += brier.value * brier.value, errors += brier.error;
            for (int k = 1; k < VERIFY_BINS; k++) {
                const struct verify_bin *b = &v.bin[k];
                if (isnan(b->low)) continue;
                of[sure][k]++;
                holds[sure][k] += b->low <= b->forecast && b->forecast <= b->high;
            }
        }
    }
    for (int k = 1; k < VERIFY_BINS; k++)
        held += holds[0][k], bins += of[0][k], found += of[1][k] - holds[1][k];
    assert_true(bins == TWINS * (VERIFY_BINS - 1.0));
    assert_int_equal(holds[1][1] + holds[1][VERIFY_BINS - 1],
                     0); /* the ends give them away each time */
    domain_free(&t[0].domain);
    if (TWINS < ALL) return; /* too few for shares of them */
    const double apart = sqrt((squares - sum * sum / TWINS) / (TWINS - 1)), error = errors / TWINS;
    assert_true(error > 0.8 * apart &&
                error < 1.25 * apart); /* of the Brier score, from one flow */
    assert_true(held >= 0.935 * bins && held <= 0.965 * bins);
    assert_true(found >= 0.6 * bins);
}

/* Twenty distortions of the truth's distribution lose, in the mean over 30 flows, by every proper score. */
static void the_truth_is_preferred(void **state)
{
    static const double factors[] = {0.3, 0.6, 0.85, 1, 1.2, 1.6, 2.5}, shifts[] = {-0.5, 0, 0.4};
    enum { FLOWS = SANITIZED(12, 30) };
    static struct twin t;
    double truth[VERIFY_SCORES] = {0};
    int distorted = 0;
    for (int d = -1; d < 21; d += SANITIZED(5, 1)) { /* -1: the truth */
        const double factor = d < 0 ? 1 : factors[d % 7], shift = d < 0 ? 0 : shifts[d / 7];
        double mean[VERIFY_SCORES] = {0};
        if (d >= 0 && factor == 1 && shift == 0) continue;
        forecast(&t, factor, shift);
        for (int i = 0; i < FLOWS; i++) {
            observe(&t, i);
            const struct verification v = verified(&t);
            for (int k = 0; k < VERIFY_SCORES; k++) mean[k] += v.score[k].value / FLOWS;
        }
        if (d < 0) {
            memcpy(truth, mean, sizeof truth);
            assert_true(truth[VERIFY_SKILL] > 0.3);
            continue;
        }
        distorted++;
        assert_true(mean[VERIFY_BRIER] > truth[VERIFY_BRIER]);
        assert_true(mean[VERIFY_LOG] > truth[VERIFY_LOG]);
        assert_true(mean[VERIFY_SKILL] < truth[VERIFY_SKILL]);
    }
    assert_int_equal(distorted, SANITIZED(4, 20));
    domain_free(&t.domain);
}

/* One map has one score, of however many members it is. */
static void members_do_not_count(void **state)
{
    static struct twin t;
    forecast(&t, 1.3, 0.2);
    observe(&t, 1);
    const double few = verify_log_score(&t.f);
    assert_true(few > 0.01 && few < 1);
    for (int i = 0; i < CELLS; i++) t.count[i] *= 100;
    t.f.weight *= 100;
    for (int k = 0; k < 2; k++) {
        t.f.members = k ? 30 : 10000;
        assert_true(verify_log_score(&t.f) == few);
        assert_true(fabs(verified(&t).score[VERIFY_LOG].value - few) < 1e-12);
    }
}

/* Members that agree are not sure; without dry cells there is no skill. */
static void certainty_is_bounded(void **state)
{
    static struct twin t;
    forecast(&t, 1, 0);
    observe(&t, 3);
    for (int i = 0; i < CELLS; i++) t.count[i] = t.outline[i] ? 0 : MEMBERS; /* all wrong */
    struct verification v = verified(&t);
    assert_true(fabs(v.score[VERIFY_LOG].value - log(400)) < 1e-12);
    assert_true(v.score[VERIFY_BRIER].value == 1 && v.score[VERIFY_ROC].value == 0);
    assert_true(v.reliability == 1 && v.score[VERIFY_SKILL].value < 0);
    assert_true(v.best == 0 && v.both[0] == v.both[100]); /* of equal levels the lowest */
    for (int i = 0; i < CELLS; i++) t.outline[i] = 1;
    use(&t, &everywhere);
    v = verified(&t);
    assert_true(isnan(v.score[VERIFY_SKILL].value) && isnan(v.score[VERIFY_ROC].value));
    domain_free(&t.domain);
}

/* ---- two forecasts --------------------------------------------------------------------------- */

static void a_better_forecast_is_better_beyond_its_error(void **state)
{
    static struct twin a, b;
    struct verify_difference x, y;
    struct error e = {0};
    forecast(&a, 1, 0);
    observe(&a, 5);
    b = a;
    b.domain.cell = NULL;
    use(&b, &(struct domain_within){.distance_m = 30});
    must(verify_compare(&x, &a.f, &b.f, &e), &e);
    assert_true(b.domain.cells < a.domain.cells && x.cells == a.domain.cells);
    for (int k = 0; k < VERIFY_SCORES; k++)
        assert_true(x.difference[k].value == 0 && x.difference[k].error == 0);
    forecast(&b, 2.5, 0.3);
    must(verify_compare(&x, &a.f, &b.f, &e), &e);
    assert_true(x.difference[VERIFY_BRIER].value < -3 * x.difference[VERIFY_BRIER].error);
    assert_true(x.difference[VERIFY_LOG].value < -3 * x.difference[VERIFY_LOG].error);
    assert_true(x.difference[VERIFY_SKILL].value > 3 * x.difference[VERIFY_SKILL].error);
    const struct verification v = verified(&a);
    assert_true(fabs(x.score[0][VERIFY_BRIER] - v.score[VERIFY_BRIER].value) < 1e-12);
    /* paired: less uncertain than either */
    assert_true(x.difference[VERIFY_BRIER].error < v.score[VERIFY_BRIER].error);
    /* the other way about, with domains of their own */
    must(verify_compare(&y, &b.f, &a.f, &e), &e);
    assert_true(y.cells == x.cells && y.observed == x.observed);
    for (int k = 0; k < VERIFY_SCORES; k++) {
        assert_true(y.difference[k].value == -x.difference[k].value);
        assert_true(y.difference[k].error == x.difference[k].error);
    }
    domain_free(&a.domain);
    domain_free(&b.domain);
}

/* ---- discrepancy ----------------------------------------------------------------------------- */

static void the_vicinity_is_a_mean_of_cells(void **state)
{
    static struct twin t;
    struct vicinity near;
    struct error e = {0};
    const double metres = 37; /* cells are 10 m */
    forecast(&t, 1, 0);
    memset(t.count, 0, sizeof *t.count * COLS * 2); /* the box of lava is less than the grid */
    observe(&t, 2);
    must(vicinity_open(&near, &t.f, ROWS, COLS, 10, &e), &e);
    for (int i = 0; i < CELLS; i++) /* at a distance of 0 as it was */
        assert_true(fabs((double)vicinity_count(&near, (size_t)i) / VICINITY_WEIGHT -
                         (double)t.count[i] / MEMBERS) < 1e-9);
    must(vicinity_set(&near, metres, &e), &e);
    double apart = 0;
    for (int i = 0; i < CELLS; i += 11) {
        double sum = 0;
        int cells = 0;
        for (int r = -4; r <= 4; r++)
            for (int c = -4; c <= 4; c++) {
                const int row = i / COLS + r, col = i % COLS + c;
                if (hypot(r, c) * 10 > metres) continue;
                cells++; /* outside the grid 0 */
                if (row >= 0 && row < ROWS && col >= 0 && col < COLS)
                    sum += (double)t.count[row * COLS + col] / MEMBERS;
            }
        const double p = (double)vicinity_count(&near, (size_t)i) / VICINITY_WEIGHT;
        assert_int_equal(cells, 45);
        assert_true(fabs(p - sum / cells) < 1e-9);
        apart = fmax(apart, fabs(p - (double)t.count[i] / MEMBERS));
    }
    assert_true(apart > 0.05);
    vicinity_free(&near);
    domain_free(&t.domain);
}

/* A forecast that is right but for a displacement, another one in each flow: the mean of displacements
 * of up to 80 m is the mean within 80 m. One that is right needs none. */
static void the_discrepancy_is_recovered(void **state)
{
    enum { FLOWS = SANITIZED(10, 40), REACH = 8 };
    static struct twin t, right;
    struct discrepancy moved = {0}, still = {0};
    struct error e = {0};
    forecast(&right, 1, 0);
    for (int k = 0; k < FLOWS; k++) {
        double wave, other, u = philox_unit(philox_bits(5, 1, (uint64_t)k, 0));
        real_turn(360 * philox_unit(philox_bits(5, 1, (uint64_t)k, 1)), &wave, &other);
        const int dr = (int)lround(REACH * sqrt(u) * wave),
                  dc = (int)lround(REACH * sqrt(u) * other);
        observe(&right, k);
        for (int i = 0; i < CELLS; i++) {
            const int row = i / COLS + dr, col = i % COLS + dc;
            const bool inside = row >= 0 && row < ROWS && col >= 0 && col < COLS;
            t.count[i] = inside && level(row, col) > 0 ? MEMBERS : 0;
            t.outline[i] = level(i / COLS, i % COLS) > 0;
        }
        use(&t, &everywhere);
        must(discrepancy_add(&moved, &t.f, &e), &e);
        must(discrepancy_add(&still, &right.f, &e), &e);
    }
    const int best = discrepancy_best(&moved);
    assert_true(moved.eruptions == FLOWS);
    assert_true(discrepancy_list_m[best] >= 60 && discrepancy_list_m[best] <= 120);
    assert_true(moved.log_score[best] < 0.5 * moved.log_score[0]);
    assert_int_equal(discrepancy_best(&still), 0);
    assert_int_equal(discrepancy_best(&(struct discrepancy){0}), 0); /* all are equal */
    assert_true(fabs(still.log_score[0] / FLOWS - verify_log_score(&right.f)) < 0.05);
    domain_free(&t.domain);
    domain_free(&right.domain);
}

/* ---- domains --------------------------------------------------------------------------------- */

/* A distance in metres or kilometres, up to DOMAIN_WITHIN_M in both; anything else is the name of a file. */
static void distances_have_units(void **state)
{
    static const struct {
        const char *text;
        double most; /* part of DOMAIN_WITHIN_M; NaN: no distance */
        bool good;
    } of[] = {{"%.9g", 1, true},
              {"%.9g m", 1, true},
              {"%.9gm", 0.5, true},
              {"%.9g km", 1e-3, true},
              {"%.9gkm", 2e-6, true},
              {"%.9g", 1.001, false},
              {"%.9g km", 1.001e-3, false},
              {"%.9g km", 1, false},
              {"%.9g km", 0, false},
              {"%.9g m", -1, false},
              {"%.9g mm", NAN, false},
              {"%.9g.json", NAN, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[64];
        double distance_m = 0;
        bool good = !of[i].good;
        const double number = (isnan(of[i].most) ? 1 : of[i].most) * DOMAIN_WITHIN_M;
        snprintf(text, sizeof text, of[i].text, number);
        assert_int_equal(domain_is_distance(text, &distance_m, &good), !isnan(of[i].most));
        if (isnan(of[i].most)) continue;
        assert_int_equal(good, of[i].good);
        assert_true(fabs(distance_m - number * (strstr(text, "km") ? 1000 : 1)) <=
                    1e-9 * fabs(number) * 1000);
    }
}

static void domains_follow_the_outline(void **state)
{
    static struct twin t;
    static double elevation_m[CELLS];
    struct problem holed = plain;
    struct error e = {0};
    for (int i = 0; i < CELLS; i++)
        t.outline[i] = i / COLS >= 20 && i / COLS < 30 && i % COLS >= 100 && i % COLS < 140;
    use(&t, &(struct domain_within){0}); /* 50 cells on each side, within 60 rows */
    assert_true(t.domain.cells == 60 * 140 && t.domain.observed == 400 && !t.domain.beyond);
    use(&t, &(struct domain_within){.distance_m = 30});
    assert_int_equal(domain_at(&t.domain, 17, 100), DOMAIN_IN);
    assert_int_equal(domain_at(&t.domain, 16, 100), 0);
    assert_int_equal(domain_at(&t.domain, 18, 98), DOMAIN_IN); /* sqrt(8) cells */
    assert_int_equal(domain_at(&t.domain, 17, 98), 0);
    assert_int_equal(domain_at(&t.domain, 20, 100), DOMAIN_IN | DOMAIN_OBSERVED);

    for (int i = 0; i < CELLS; i++) elevation_m[i] = i % COLS < 110 ? NAN : 1000;
    holed.elevation_m = elevation_m;
    domain_free(&t.domain);
    must(domain_create(&t.domain, &(struct domain_within){0}, t.outline, &holed, &geo, "p", &e),
         &e);
    assert_true(t.domain.cells == 60 * 80 && t.domain.observed == 300 && t.domain.beyond == 100);
    assert_int_equal(domain_at(&t.domain, 20, 105), DOMAIN_OBSERVED);
    domain_free(&t.domain);
}

static void a_domain_may_be_a_file(void **state)
{
    static struct twin t;
    static double inside[CELLS];
    struct scratch s;
    struct error e = {0};
    scratch_create(&s);
    const char *path = scratch_file(&s, "within.asc");
    const struct domain_within within = {.path = path};
    for (int i = 0; i < CELLS; i++) {
        t.outline[i] = i % COLS >= 100 && i % COLS < 140;
        inside[i] = i % COLS >= 130 && i % COLS < 150;
    }
    write_grid(path, ROWS, COLS, inside);
    struct georef here = {.west_m = 0, .south_m = 0, .cell_m = 10};
    struct raster like;
    must(raster_read(&like, path, 0, &e), &e);
    here = like.geo;
    raster_free(&like);
    must(domain_create(&t.domain, &within, t.outline, &plain, &here, "plan", &e), &e);
    assert_true(t.domain.cells == 20 * ROWS && t.domain.observed == 10 * ROWS);
    assert_true(t.domain.beyond == 30 * ROWS);
    assert_int_equal(domain_at(&t.domain, 0, 100), DOMAIN_OBSERVED);
    domain_free(&t.domain);
    for (int i = 0; i < CELLS; i++) t.outline[i] = i % COLS < 20;
    assert_int_equal(domain_create(&t.domain, &within, t.outline, &plain, &here, "plan", &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "plan: verify_within has no cell with observed lava"));
    assert_null(t.domain.cell);
    scratch_remove(&s);
}

/* ---- numbers of members ---------------------------------------------------------------------- */

static void members_are_scored_as_a_distribution(void **state)
{
    struct weighted m[] = {{5, 1}, {1, 2}, {2, 1}, {9, 4}, {3, 2}}, one = {7, 3};
    const struct percentiles p = percentiles_of(m, 5);
    assert_true(p.members == 5 && p.mean == 5.1 && p.p05 == 1 && p.p50 == 3 && p.p95 == 9);
    for (double seen = -1; seen < 12; seen += 0.5) { /* the integral, on a fine grid */
        double sum = 0;
        const double step = 1.0 / 256;
        for (double x = -2 + step / 2; x < 13; x += step) {
            double below = 0;
            for (int i = 0; i < 5; i++) below += m[i].value <= x ? m[i].weight / 10 : 0;
            sum += pow(below - (x >= seen), 2) * step;
        }
        assert_true(fabs(percentiles_crps(m, 5, seen) - sum) < 1e-9);
    }
    assert_true(percentiles_crps(&one, 1, 4) == 3);
    double edge[15 * 64]; /* in classes, the same up to their width */
    uint64_t class[15 * 64] = {0};
    for (int k = 0; k < 15 * 64; k++) edge[k] = (k + 1) / 64.0;
    for (int i = 1; i < 5; i++) class[(int)(m[i].value * 64)] = (uint64_t)m[i].weight;
    m[0].value = 0; /* the first lies below */
    for (double seen = 0; seen < 15; seen += 0.25) {
        const double of_classes =
            percentiles_crps_of_classes(edge, 15 * 64, class, m[0].weight, 10, seen);
        assert_true(fabs(of_classes - percentiles_crps(m, 5, seen)) < 1.0 / 64);
    }
    assert_true(isnan(percentiles_of(m, 0).mean) && isnan(percentiles_of(m, 0).p50));
}

int main(void)
{
    return UNIT_RUN(scores_are_those_of_plain_loops, levels_are_those_of_plain_loops,
                    intervals_count_columns, errors_are_those_of_a_sample_of_blocks,
                    blocks_are_longer_than_runs, intervals_hold_for_reliable_forecasts,
                    the_truth_is_preferred, members_do_not_count, certainty_is_bounded,
                    a_better_forecast_is_better_beyond_its_error, the_vicinity_is_a_mean_of_cells,
                    the_discrepancy_is_recovered, distances_have_units, domains_follow_the_outline,
                    a_domain_may_be_a_file, members_are_scored_as_a_distribution);
}
