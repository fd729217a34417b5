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
#include "text/words.h"
#include "unit.h"
#include "verify/discrepancy.h"
#include "verify/verify.h"

#include <cJSON.h>
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
static const struct problem plain_any = {.rows = 26, .cols = 34}; /* DOWN, ACROSS */
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

/* ---- any forecast on any domain -------------------------------------------------------------- */

/* A flow at any angle on a small grid, a domain of any cells in a box around it, and a forecast that knows little. */
enum { DOWN = 26, ACROSS = 34, PLACES = DOWN * ACROSS };
struct any {
    unsigned char flags[PLACES], cell[PLACES]; /* of the grid; of the box */
    uint64_t count[PLACES];
    double p[PLACES];
    struct domain domain;
    struct forecast f;
};

static double uniform(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 40) / (double)(1 << 24);
}

static void make_any(struct any *t, const unsigned char *outline, double turn, uint64_t *random)
{
    static const uint64_t weights[] = {100, 7, 1000, 60};
    const uint64_t weight = weights[(int)(4 * uniform(random))];
    const struct window box = {1 + (int)(3 * uniform(random)), 2 + (int)(3 * uniform(random)), 21,
                               27};
    *t = (struct any){
        .domain = {.rows = DOWN, .cols = ACROSS, .cell_m = 20, .box = box, .cell = t->cell}};
    t->f = (struct forecast){&t->domain, reached, t->count, weight, 50};
    for (int i = 0; i < PLACES; i++) {
        const int row = i / ACROSS - box.row0, col = i % ACROSS - box.col0;
        const double y = i / ACROSS - DOWN / 2.0, x = i % ACROSS - ACROSS / 2.0,
                     along = x * cos(turn) + y * sin(turn), aside = y * cos(turn) - x * sin(turn),
                     p = 1.4 - fabs(along - 2) / 12 - fabs(aside) / 6 + uniform(random) / 4;
        t->count[i] = (uint64_t)(fmin(fmax(p, 0), 1) * (double)weight);
        t->p[i] = (double)t->count[i] / (double)weight;
        if (outline[i]) t->flags[i] = DOMAIN_OBSERVED;
        if (row < 0 || col < 0 || row >= box.rows || col >= box.cols) continue;
        if (uniform(random) < 0.8) t->flags[i] |= DOMAIN_IN;
        t->cell[row * box.cols + col] = t->flags[i];
    }
    for (int i = 0; i < PLACES; i++) {
        t->domain.cells += t->flags[i] & DOMAIN_IN;
        t->domain.observed += t->flags[i] == (DOMAIN_IN | DOMAIN_OBSERVED);
        t->domain.beyond += t->flags[i] == DOMAIN_OBSERVED;
    }
}

/* Scores over the cells with `flags`, from their definitions. */
static void slow_scores(double score[VERIFY_SCORES], const double *p, const unsigned char *flags)
{
    double cells = 0, lava = 0, squares = 0, logs = 0, won = 0;
    for (int i = 0; i < PLACES; i++) {
        const bool seen = flags[i] & DOMAIN_OBSERVED;
        if (!(flags[i] & DOMAIN_IN)) continue;
        cells++, lava += seen, squares += pow(p[i] - seen, 2);
        logs -= log(fmin(fmax(seen ? p[i] : 1 - p[i], 0.0025), 0.9975));
        for (int j = 0; seen && j < PLACES; j++)
            if (flags[j] == DOMAIN_IN) won += ((p[i] > p[j]) + (p[i] >= p[j])) / 2.0;
    }
    score[VERIFY_BRIER] = squares / cells;
    score[VERIFY_SKILL] = 1 - squares / cells / (lava / cells * (1 - lava / cells));
    score[VERIFY_LOG] = logs / cells;
    score[VERIFY_ROC] = won / lava / (cells - lava);
}

/* Bands across the principal axis of the observed cells, which the angle of the covariance gives. Returns how many of
 * them make a block and, in `block`, the block of each cell. */
static int slow_blocks(int block[PLACES], int *correlation, const unsigned char *flags,
                       const double *residual)
{
    enum { SLABS = 64 };
    double n = 0, mean[2] = {0}, of[3] = {0}, low = INFINITY, high = -INFINITY, sum[SLABS] = {0};
    for (int i = 0; i < PLACES; i++)
        if (flags[i] == (DOMAIN_IN | DOMAIN_OBSERVED))
            n++, mean[0] += i / ACROSS, mean[1] += i % ACROSS;
    for (int i = 0; i < PLACES; i++) {
        const double y = i / ACROSS - mean[0] / n, x = i % ACROSS - mean[1] / n;
        if (flags[i] == (DOMAIN_IN | DOMAIN_OBSERVED))
            of[0] += y * y, of[1] += x * y, of[2] += x * x;
    }
    double angle = atan2(2 * of[1], of[0] - of[2]) / 2; /* from down to across */
    if (of[0] < of[2] && sin(angle) < 0) angle += acos(-1);
    for (int i = 0; i < PLACES; i++) {
        const double at = i / ACROSS * cos(angle) + i % ACROSS * sin(angle);
        if (flags[i] & DOMAIN_IN) low = fmin(low, at), high = fmax(high, at);
    }
    for (int i = 0; i < PLACES; i++) {
        block[i] = (int)(i / ACROSS * cos(angle) + i % ACROSS * sin(angle) - low);
        if (flags[i] & DOMAIN_IN) sum[block[i]] += residual[i];
    }
    const int slabs = (int)(high - low) + 1;
    double all = 0, part = INFINITY;
    for (int i = 0; i < slabs; i++) all += sum[i] * sum[i];
    for (*correlation = 0; part > all * exp(-1) && *correlation < slabs;) {
        ++*correlation;
        part = 0;
        for (int i = *correlation; i < slabs; i++) part += sum[i] * sum[i - *correlation];
    }
    const int length = 6 * *correlation < slabs / 8 ? 6 * *correlation : slabs / 8;
    for (int i = 0; i < PLACES; i++) block[i] /= length;
    return length;
}

/* The error of the mean of a number of each cell, over blocks, to first order. */
static double slow_error(const double *value, const int block[PLACES], const unsigned char *flags,
                         int *blocks)
{
    double sum[PLACES] = {0}, cells[PLACES] = {0}, all = 0, n = 0, squares = 0;
    *blocks = 0;
    for (int i = 0; i < PLACES; i++)
        if (flags[i] & DOMAIN_IN) {
            sum[block[i]] += value[i], cells[block[i]]++, all += value[i], n++;
            if (block[i] >= *blocks) *blocks = block[i] + 1;
        }
    for (int b = 0; b < *blocks; b++) squares += pow(sum[b] - all / n * cells[b], 2);
    return sqrt(squares * *blocks / (*blocks - 1)) / n;
}

static void expect_number(const cJSON *o, const char *name, double expected)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    assert_non_null(item);
    assert_true(cJSON_IsNumber(item) &&
                fabs(item->valuedouble - expected) <= 1e-12 * fabs(expected));
}

static void expect_summary(const struct verification *v, const struct domain *d)
{
    static const char *const names[] = {"brier", "brier_skill", "log_score", "roc_area"};
    cJSON *o = cJSON_CreateObject();
    verify_add(o, v, d);
    expect_number(o, "cells", (double)d->cells);
    expect_number(o, "observed_cells", (double)d->observed);
    expect_number(o, "observed_outside", (double)d->beyond);
    for (int k = 0; k < VERIFY_SCORES; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_error", names[k]);
        expect_number(o, names[k], v->score[k].value);
        expect_number(o, name, v->score[k].error);
    }
    expect_number(o, "reliability", v->reliability);
    expect_number(o, "resolution", v->resolution);
    expect_number(o, "uncertainty", v->uncertainty);
    expect_number(o, "log_score_reference", v->log_reference);
    expect_number(o, "blocks", v->blocks);
    expect_number(o, "block_m", v->block_m);
    expect_number(o, "correlation_m", v->correlation_m);
    expect_number(o, "best_jaccard", (double)v->both[v->best] / (double)v->either[v->best]);
    expect_number(o, "best_probability", v->best / 100.0);
    cJSON_Delete(o);
}

static void expect_bins_and_levels(const struct verification *v, const struct any *t)
{
    static const int to[VERIFY_BINS] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100};
    double reliability = 0, share = (double)t->domain.observed / (double)t->domain.cells;
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v->bin[k];
        double cells = 0, lava = 0, sum = 0;
        for (int i = 0; i < PLACES; i++) {
            const uint64_t per_cent = t->count[i] * 100;
            if (!(t->flags[i] & DOMAIN_IN) || per_cent > t->f.weight * (uint64_t)to[k]) continue;
            if (k && per_cent <= t->f.weight * (uint64_t)to[k - 1]) continue;
            cells++, lava += t->flags[i] > DOMAIN_IN, sum += t->p[i];
        }
        assert_true((double)b->cells == cells && (double)b->observed == lava);
        if (cells == 0) assert_true(isnan(b->forecast) && isnan(b->share) && isnan(b->low));
        if (cells == 0) continue;
        assert_true(fabs(b->forecast - sum / cells) < 1e-12 && b->share == lava / cells);
        reliability += cells * pow(sum / cells - lava / cells, 2);
        assert_true(isnan(b->low) || (0 <= b->low && b->low <= b->share));
        assert_true(isnan(b->low) ? isnan(b->high) : b->share <= b->high && b->high <= 1);
    }
    assert_true(fabs(v->reliability - reliability / (double)v->cells) < 1e-12);
    assert_true(fabs(v->uncertainty - share * (1 - share)) < 1e-12);
    assert_true(fabs(v->reliability - v->resolution + v->uncertainty -
                     v->score[VERIFY_BRIER].value) < 1e-12);
    assert_true(fabs(v->log_reference + share * log(share) + (1 - share) * log(1 - share)) < 1e-12);
    double best = -1;
    int first = 0;
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        uint64_t hits = 0, alarms = 0, both = 0, either = 0;
        for (int i = 0; i < PLACES; i++) {
            const bool above = t->count[i] && t->count[i] * 100 >= (uint64_t)k * t->f.weight,
                       seen = t->flags[i] & DOMAIN_OBSERVED, in = t->flags[i] & DOMAIN_IN;
            hits += above && in && seen, alarms += above && in && !seen;
            both += above && seen, either += above || seen;
        }
        assert_true(v->hit_rate[k] == (double)hits / (double)v->observed);
        assert_true(v->false_alarm_rate[k] == (double)alarms / (double)(v->cells - v->observed));
        assert_true(v->both[k] == both && v->either[k] == either);
        if ((double)both / (double)either > best) best = (double)both / (double)either, first = k;
    }
    assert_true(v->best == first && verify_jaccard(v, first) == best);
}

/* Wilson's interval of a share s of n independent cells, with the quantile t. */
static void expect_interval(const struct verify_bin *b, double n, double t, double off)
{
    const double s = b->share, middle = (s + t * t / (2 * n)) / (1 + t * t / n),
                 half = t / (1 + t * t / n) * sqrt(s * (1 - s) / n + t * t / (4 * n * n));
    assert_true(fabs(b->low - fmax(0, middle - half)) < off);
    assert_true(fabs(b->high - fmin(1, middle + half)) < off);
}

/* Bins whose cells are in many blocks: their error, to first order, and as many degrees of freedom as there are blocks
 * of equal numbers of cells. Returns the number of these bins. */
static int expect_intervals(const struct verification *v, const struct any *t,
                            const int block[PLACES])
{
    static const double student[] = {2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
                                     2.179, 2.160, 2.145, 2.131, 2.120, 2.110};
    int known = 0;
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v->bin[k];
        double cells[PLACES] = {0}, lava[PLACES] = {0}, squares = 0, error2 = 0;
        for (int i = 0; i < PLACES; i++) {
            if (!(t->flags[i] & DOMAIN_IN) || t->p[i] * 100 > verify_percent[k] + 1e-9) continue;
            if (k && t->p[i] * 100 < verify_percent[k - 1] + 1e-9) continue;
            cells[block[i]]++, lava[block[i]] += t->flags[i] > DOMAIN_IN;
        }
        const double all = (double)b->cells, spread = b->share * (1 - b->share);
        for (int n = 0; n < v->blocks; n++) {
            squares += cells[n] * cells[n] / all / all;
            error2 += pow(lava[n] - b->share * cells[n], 2) / all / all;
        }
        const int freedom = (int)(1 / squares + 0.5) - 1;
        const bool rare = b->observed < 5 || b->cells < b->observed + 5; /* not of first order */
        if (!b->cells || freedom < 5 || freedom > 17 || (spread > 0 && rare)) continue;
        error2 *= v->blocks / (v->blocks - 1.0);
        expect_interval(b, spread > 0 ? fmin(all, spread / error2) : freedom + 1,
                        student[freedom - 5], 0.06);
        known += spread > 0;
    }
    return known;
}

static void any_forecast_on_any_domain(void **state)
{
    enum { ROUNDS = SANITIZED(16, 60) };
    static struct any t[2];
    uint64_t random = 17;
    double off[2] = {0};
    int known = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double turn = 0.11 + round * 0.37, half = 5 + round % 9;
        unsigned char outline[PLACES], either[PLACES];
        int block[PLACES], correlation, blocks, length;
        double miss[2][PLACES], score[VERIFY_SCORES];
        struct verification v;
        struct verify_difference x;
        struct error e = {0};
        for (int i = 0; i < PLACES; i++) {
            const double r = i / ACROSS - DOWN / 2.0, c = i % ACROSS - ACROSS / 2.0,
                         along = c * cos(turn) + r * sin(turn),
                         aside = r * cos(turn) - c * sin(turn);
            const bool inner = fabs(r) < 8 && fabs(c) < 10; /* of every box */
            outline[i] = inner && fabs(along) < half && fabs(aside) < 3 && uniform(&random) < 0.9;
        }
        for (int k = 0; k < 2; k++) make_any(&t[k], outline, turn, &random);
        must(verify(&v, &t[0].f, &e), &e);
        assert_true(v.cells == t[0].domain.cells && v.observed == t[0].domain.observed);
        assert_true(v.observed > 20 && t[0].domain.beyond > 0);
        slow_scores(score, t[0].p, t[0].flags);
        for (int k = 0; k < VERIFY_SCORES; k++)
            assert_true(fabs(v.score[k].value - score[k]) < 1e-12 * fmax(1, fabs(score[k])));
        assert_true(fabs(verify_log_score(&t[0].f) - score[VERIFY_LOG]) < 1e-12);
        expect_bins_and_levels(&v, &t[0]);
        expect_summary(&v, &t[0].domain);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < PLACES; i++) miss[k][i] = (outline[i] != 0) - t[k].p[i];
        length = slow_blocks(block, &correlation, t[0].flags, miss[0]);
        known += expect_intervals(&v, &t[0], block);
        for (int i = 0; i < PLACES; i++) miss[0][i] *= miss[0][i], miss[1][i] *= miss[1][i];
        off[0] = fmax(off[0], fabs(v.score[VERIFY_BRIER].error /
                                       slow_error(miss[0], block, t[0].flags, &blocks) -
                                   1));
        assert_true(v.blocks == blocks && v.block_m == 20 * length);
        assert_true(v.correlation_m == 20 * correlation);

        must(verify_compare(&x, &t[0].f, &t[1].f, &e), &e);
        uint64_t cells = 0, seen = 0;
        for (int i = 0; i < PLACES; i++) {
            either[i] = t[0].flags[i] | t[1].flags[i];
            cells += either[i] & DOMAIN_IN, seen += either[i] == (DOMAIN_IN | DOMAIN_OBSERVED);
            miss[0][i] -= miss[1][i];
        }
        assert_true(x.cells == cells && x.observed == seen && cells > v.cells);
        for (int n = 0; n < 2; n++) {
            slow_scores(score, t[n].p, either);
            for (int k = 0; k < VERIFY_SCORES; k++)
                assert_true(fabs(x.score[n][k] - score[k]) < 1e-12 * fmax(1, fabs(score[k])));
        }
        for (int k = 0; k < VERIFY_SCORES; k++)
            assert_true(x.difference[k].value == x.score[0][k] - x.score[1][k]);
        slow_blocks(block, &correlation, either, miss[0]);
        off[1] = fmax(off[1], fabs(x.difference[VERIFY_BRIER].error /
                                       slow_error(miss[0], block, either, &blocks) -
                                   1));
    }
    assert_true(known > ROUNDS);
    assert_true(off[0] < 0.15 && off[1] < 0.2); /* of 1,000 draws, to first order */
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

/* The scores of t, or its scores less those of another one; and of all draws with replacement, each once, their variance,
 * and that of a variance of as many of them as the bootstrap takes, as a share. */
static void draw_all(double whole[VERIFY_SCORES], double variance[VERIFY_SCORES],
                     double spread[VERIFY_SCORES], const struct small_flow *t,
                     const struct small_flow *less)
{
    const int cols = t->domain.cols, one[WIDE] = {1, 1, 1, 1, 1};
    const double share = (double)t->domain.observed / (double)t->domain.cells;
    double sum[5][VERIFY_SCORES] = {{0}}, score[VERIFY_SCORES], other[VERIFY_SCORES] = {0};
    score_columns(whole, t, one, share * (1 - share), 0);
    if (less) score_columns(other, less, one, share * (1 - share), 0);
    const double brier = whole[VERIFY_BRIER], its = other[VERIFY_BRIER];
    for (int k = 0; k < VERIFY_SCORES; k++) whole[k] -= other[k];
    int draws = 1;
    for (int i = 0; i < cols; i++) draws *= cols;
    for (int n = 0; n < draws; n++) {
        int drawn[WIDE] = {0};
        for (int i = 0, rest = n; i < cols; i++, rest /= cols) drawn[rest % cols]++;
        score_columns(score, t, drawn, share * (1 - share), brier);
        if (less) score_columns(other, less, drawn, share * (1 - share), its);
        for (int k = 0; k < VERIFY_SCORES; k++)
            for (int power = 1; power < 5; power++)
                sum[power][k] += pow(score[k] - other[k] - whole[k], power) / draws;
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
    int known = 0, paired = 0;
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
            if (cols < WIDE)
                draw_all(whole, variance, spread, &t, &other); /* the differences, too */
            for (int k = 0; k < VERIFY_SCORES && cols < WIDE; k++) {
                const double expected = variance[k] * cols / (cols - 1),
                             got = x.difference[k].error * x.difference[k].error;
                assert_true(fabs(got - expected) <= (4 * spread[k] + 0.01) * expected);
                paired += expected > 0;
                assert_true(fabs(x.difference[k].value - whole[k]) < 1e-12);
            }
            draw_all(whole, variance, spread, &t, NULL);
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
    assert_true(known > 90 && paired > 40);
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

/* One forecast is right in some runs of 20 columns and wrong in the others, one knows nothing; lava is in every second
 * column. The squared errors have differences like the runs, the errors have others in each column. Blocks as long as
 * the runs show how uncertain the difference is. */
static void blocks_of_a_difference_are_longer_than_runs(void **state)
{
    enum { RUN = 20, RUNS = 32, ALL = RUN * RUNS, ROWS_ALL = 3 };
    static unsigned char cell[ROWS_ALL * ALL];
    static uint64_t a[ROWS_ALL * ALL], b[ROWS_ALL * ALL];
    struct domain d = {ROWS_ALL,           ALL, 10, {0, 0, ROWS_ALL, ALL}, cell, ROWS_ALL * ALL,
                       ROWS_ALL * ALL / 2, 0,   ""};
    const struct forecast right = {&d, reached, a, 2, 100}, nothing = {&d, reached, b, 2, 100};
    double good = 0, squares[2] = {0};
    struct verify_difference x;
    struct error e = {0};
    for (int i = 0; i < ROWS_ALL * ALL; i++) {
        const int run = i % ALL / RUN;
        const bool seen = i % ALL % 2, knows = philox_bits(9, 9, 9, (uint32_t)run) >> 63;
        cell[i] = seen ? DOMAIN_IN | DOMAIN_OBSERVED : DOMAIN_IN;
        a[i] = seen == knows ? 2 : 0;
        b[i] = 1;
        good += (double)knows / (ROWS_ALL * ALL);
    }
    assert_true(good > 0.3 && good < 0.7);
    for (int k = 0; k < 2; k++) { /* in blocks of 80 columns and of 6 */
        const int length = k ? 6 : ALL / 8;
        for (int first = 0; first < ALL; first += length) {
            double sum = 0;
            for (int i = first; i < first + length && i < ALL; i++)
                sum += (i % 2 == 1) == (a[i] > 0) ? -(1 - good) : good;
            squares[k] += sum * sum / ALL / ALL;
        }
    }
    must(verify_compare(&x, &right, &nothing, &e), &e);
    assert_true(fabs(x.difference[VERIFY_BRIER].value - (0.75 - good)) < 1e-12);
    assert_true(squares[1] < 0.5 * squares[0]);
    assert_true(fabs(x.difference[VERIFY_BRIER].error / sqrt(squares[0] * 8 / 7) - 1) < 0.1);
}

/* One block shows no error, two that are alike are one correlation length, and a single cell has no axis. */
static void few_blocks_have_no_error(void **state)
{
    static struct small_flow t;
    static struct any one;
    unsigned char outline[PLACES] = {0};
    uint64_t random = 3;
    struct verification v;
    struct error e = {0};
    make_small(&t, 1, 0);
    must(verify(&v, &t.f, &e), &e);
    assert_int_equal(v.blocks, 1);
    for (int k = 0; k < VERIFY_SCORES; k++) assert_true(isnan(v.score[k].error));
    for (int k = 0; k < VERIFY_BINS; k++) assert_true(isnan(v.bin[k].low) && isnan(v.bin[k].high));
    make_small(&t, 2, 0);
    memset(t.count, 0, sizeof t.count);
    must(verify(&v, &t.f, &e), &e);
    assert_true(v.blocks == 2 && v.block_m == 10 && v.correlation_m == 20);
    expect_interval(&v.bin[0], (double)v.cells, 12.706, 1e-9);
    outline[13 * ACROSS + 17] = 1;
    do make_any(&one, outline, 0, &random);
    while (!one.domain.observed);
    must(verify(&v, &one.f, &e), &e);
    assert_true(v.observed == 1 && v.blocks >= 8 && v.score[VERIFY_BRIER].error > 0);
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
    assert_true(v.uncertainty == 0 && v.log_reference == 0);
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

/* The mean of p over the cells within a distance; outside the grid p is 0. */
static double slow_mean(const double *p, int cell, double cells)
{
    const int reach = (int)cells, row = cell / ACROSS, col = cell % ACROSS;
    double sum = 0;
    int count = 0;
    for (int r = -reach; r <= reach; r++) {
        int half = 0;
        while (r * r + (half + 1) * (half + 1) <= cells * cells) half++;
        count += 2 * half + 1;
        for (int c = 0; c < ACROSS && row + r >= 0 && row + r < DOWN; c++)
            if (abs(c - col) <= half) sum += p[(row + r) * ACROSS + c];
    }
    return sum / count;
}

/* Lava in a part of the grid, or nowhere; from no distance to one that is larger than the grid. */
static void vicinities_of_any_forecast(void **state)
{
    static struct any t;
    static const double metres[] = {0, 19.9, 20, 29, 75, 300, 40};
    const unsigned char outline[PLACES] = {
        [8 * ACROSS + 9] = 1, [9 * ACROSS + 9] = 1, [9 * ACROSS + 10] = 1};
    uint64_t random = 31;
    struct discrepancy x = {0};
    double sums[DISCREPANCY_DISTANCES] = {0};
    for (int round = 0; round < 8; round++) {
        struct vicinity near;
        struct error e = {0};
        const int top = round * 2, left = round * 3;
        make_any(&t, outline, round, &random);
        for (int i = 0; i < PLACES; i++) {
            const int row = i / ACROSS, col = i % ACROSS;
            if (round == 7 || row < top || row > top + 9 || col < left || col > left + 11)
                t.count[i] = 0, t.p[i] = 0;
        }
        must(vicinity_open(&near, &t.f, DOWN, ACROSS, 20, &e), &e);
        const struct forecast f = vicinity_forecast(&near, &t.f);
        assert_true(f.domain == &t.domain && f.members == t.f.members);
        for (size_t k = 0; k < sizeof metres / sizeof *metres; k++) {
            if (k) must(vicinity_set(&near, metres[k], &e), &e);
            for (int i = (int)k; i < PLACES; i += 11) {
                const double mean = slow_mean(t.p, i, metres[k] / 20),
                             found = (double)f.count(f.of, (size_t)i) / (double)f.weight;
                assert_true(fabs(found - mean) < 1e-9 && (found > 0) == (mean > 0));
            }
        }
        vicinity_free(&near);
        must(discrepancy_add(&x, &t.f, &e), &e);
        assert_int_equal(x.eruptions, round + 1);
        for (int k = 0; k < DISCREPANCY_DISTANCES && round < 3; k += SANITIZED(5, 1)) {
            double sum = 0;
            for (int i = 0; i < PLACES; i++) {
                if (!(t.flags[i] & DOMAIN_IN)) continue;
                const double p = slow_mean(t.p, i, discrepancy_list_m[k] / 20);
                sum -= log(fmin(fmax(t.flags[i] > DOMAIN_IN ? p : 1 - p, 0.0025), 0.9975));
            }
            sums[k] += sum / (double)t.domain.cells;
            assert_true(fabs(x.log_score[k] - sums[k]) < 1e-6);
        }
    }
    for (int k = 0; k < DISCREPANCY_DISTANCES; k++) { /* the best may be any of them */
        assert_true(discrepancy_list_m[k] > discrepancy_list_m[k - (k > 0)] || k == 0);
        x.log_score[k] = -1e6;
        assert_int_equal(discrepancy_best(&x), k);
        x.log_score[k] = 1e6;
    }
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

/* A source of a terrain that is read in windows. */
struct source {
    double *to;
    const double *from;
};

static int read_source(void *self, struct window w, struct error *e)
{
    const struct source *s = self;
    if (!s->from) return error_input(e, "no terrain");
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        memcpy(s->to + row * ACROSS + w.col0, s->from + row * ACROSS + w.col0,
               (size_t)w.cols * sizeof(double));
    return 0;
}

/* Whether a cell is so near to the outline, by its box or by its cells. */
static bool is_near(const unsigned char *outline, int cell, double box, double round)
{
    bool above = false, below = false, west = false, east = false, near = false;
    for (int i = 0; i < PLACES; i++) {
        const int rows = i / ACROSS - cell / ACROSS, cols = i % ACROSS - cell % ACROSS;
        if (!outline[i]) continue;
        above = above || rows <= box, below = below || rows >= -box;
        west = west || cols <= box, east = east || cols >= -box;
        near = near || rows * rows + cols * cols <= round * round;
    }
    return (above && below && west && east) || near;
}

/* Domains of a box, of a distance and of a file, with holes in the terrain, and what two of them have together. */
static void domains_of_any_outline(void **state)
{
    const char *const about[] = {"the outline's box and 500 m", "%.6g m around the outline",
                                 "the polygons of a file"};
    uint64_t random = 41;
    struct scratch s;
    int refused = 0, beyond = 0;
    scratch_create(&s);
    const char *path = scratch_file(&s, "within.asc");
    for (int round = 0; round < 60; round++) {
        static double elevation[PLACES], later[PLACES], inside[PLACES];
        unsigned char outline[PLACES] = {0}, flags[PLACES] = {0};
        const int kind = round % 3, top = (int)(18 * uniform(&random)),
                  left = (int)(26 * uniform(&random));
        struct source from = {later, elevation};
        const struct terrain_source source = {.self = &from, .read = read_source};
        struct problem p = {.rows = DOWN, .cols = ACROSS};
        const struct georef here = {
            .west_m = 1000, .south_m = 2000, .cell_m = kind == 2 ? 10 : 60 + round};
        const struct domain_within within = {
            .distance_m = kind == 1 ? (1 + 11 * uniform(&random)) * here.cell_m : 0,
            .path = kind == 2 ? path : NULL};
        struct domain d[2], both;
        struct error e = {0};
        char text[64];
        uint64_t cells[2] = {0}, seen[2] = {0}, all = 0;
        for (int i = 0; i < PLACES; i++) {
            const int row = i / ACROSS - top, col = i % ACROSS - left;
            outline[i] =
                row >= 0 && col >= 0 && row < 8 && col < 8 && uniform(&random) < 0.3 ? 7 : 0;
            elevation[i] = uniform(&random) < (round % 10 == 9 ? 0.97 : 0.2) ? NAN : 100;
            later[i] = 100;
            inside[i] = row >= 2 && col <= 4;
        }
        outline[(top + 3) * ACROSS + left + 3] = 1;
        if (round % 4) p.elevation_m = elevation;
        if (round % 4 == 1) p.elevation_m = later, p.terrain = &source;
        if (kind == 2) write_grid(path, DOWN, ACROSS, inside);
        for (int i = 0; i < PLACES; i++) {
            const bool in = kind == 2
                                ? inside[i] > 0
                                : is_near(outline, i, kind ? -PLACES : ceil(500 / here.cell_m),
                                          kind ? within.distance_m / here.cell_m : -0.0);
            flags[i] =
                (unsigned char)((in && !(p.elevation_m && isnan(elevation[i])) ? DOMAIN_IN : 0) |
                                (outline[i] ? DOMAIN_OBSERVED : 0));
            cells[0] += flags[i] & DOMAIN_IN, all += outline[i] != 0;
            seen[0] += flags[i] == (DOMAIN_IN | DOMAIN_OBSERVED);
        }
        const int status = domain_create(&d[0], &within, outline, &p, &here, "plan.cfg", &e);
        if (!seen[0]) {
            assert_int_equal(status, ERROR_INPUT);
            assert_ptr_equal(strstr(e.text, "plan.cfg: verify_within has no cell"), e.text);
            assert_null(d[0].cell);
            refused++;
            continue;
        }
        must(status, &e);
        snprintf(text, sizeof text, about[kind], within.distance_m);
        assert_string_equal(WORDS_ENGLISH(d[0].about), text);
        assert_true(d[0].rows == DOWN && d[0].cols == ACROSS && d[0].cell_m == here.cell_m);
        for (int row = -1; row <= DOWN; row++)
            for (int col = -1; col <= ACROSS; col++) {
                const bool on = row >= 0 && col >= 0 && row < DOWN && col < ACROSS;
                assert_int_equal(domain_at(&d[0], row, col), on ? flags[row * ACROSS + col] : 0);
            }
        assert_true(d[0].cells == cells[0] && d[0].observed == seen[0]);
        assert_true(d[0].beyond == all - seen[0]);
        beyond += d[0].beyond > 0;

        must(domain_create(&d[1], &(struct domain_within){.distance_m = 0.5 * here.cell_m}, outline,
                           &plain_any, &here, "plan.cfg", &e),
             &e);
        must(domain_union(&both, &d[round % 2], &d[1 - round % 2], &e), &e);
        assert_true(both.rows == DOWN && both.cols == ACROSS && both.cell_m == here.cell_m);
        for (int i = 0; i < PLACES; i++) {
            const unsigned of = flags[i] | (outline[i] ? DOMAIN_IN : 0);
            assert_int_equal(domain_at(&both, i / ACROSS, i % ACROSS), of);
            cells[1] += of & DOMAIN_IN;
        }
        assert_true(both.cells == cells[1] && both.observed == all && both.beyond == 0);
        for (int k = 0; k < 2; k++) domain_free(&d[k]);
        domain_free(&both);
        from.from = NULL;
        assert_int_equal(domain_create(&d[0], &within, outline, &p, &here, "plan.cfg", &e),
                         p.terrain ? ERROR_INPUT : 0);
        domain_free(&d[0]);
    }
    assert_true(refused > 1 && beyond > 10);
    scratch_remove(&s);
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
    /* in few classes: numbers that are counted from the other end have the same score */
    const double wide[] = {1, 4, 6, 13}, other[] = {7, 9, 12, 13};
    const uint64_t few[] = {3, 0, 5, 1}, back[] = {1, 5, 0, 3};
    for (double seen = 0; seen <= 13; seen += 0.5)
        assert_true(fabs(percentiles_crps_of_classes(wide, 4, few, 2, 15, seen) -
                         percentiles_crps_of_classes(other, 4, back, 4, 15, 13 - seen)) < 1e-12);
    assert_true(isnan(percentiles_of(m, 0).mean) && isnan(percentiles_of(m, 0).p50));
}

/* Percentiles and mean by their definitions, and the integral of the score as a sum over all pairs. */
static void members_of_any_weights(void **state)
{
    static const double percent[] = {0.05, 0.5, 0.95};
    uint64_t random = 51;
    int apart = 0;
    for (int round = 0; round < 200; round++) {
        enum { MOST = 45 };
        struct weighted m[MOST], of[MOST] = {{0}};
        const int members = 1 + (int)(MOST * uniform(&random)) * (round % 5 > 0);
        double sum = 0, mean = 0, found[3], misses = 0, pairs = 0,
               least[3] = {INFINITY, INFINITY, INFINITY};
        for (int i = 0; i < members; i++) {
            of[i].value = floor(60 * uniform(&random)) - 20;
            of[i].weight = round % 2 ? 1 : 1 + floor(uniform(&random) * 9);
            sum += of[i].weight, mean += of[i].weight * of[i].value;
        }
        memcpy(m, of, sizeof m);
        const struct percentiles p = percentiles_of(m, members);
        found[0] = p.p05, found[1] = p.p50, found[2] = p.p95;
        for (int i = 0; i < members; i++) {
            double below = 0;
            for (int j = 0; j < members; j++) {
                if (of[j].value <= of[i].value) below += of[j].weight;
                pairs += of[i].weight * of[j].weight * fabs(of[i].value - of[j].value) / 2;
            }
            for (int k = 0; k < 3; k++)
                if (below >= percent[k] * sum) least[k] = fmin(least[k], of[i].value);
            misses += of[i].weight * fabs(of[i].value - 7);
        }
        assert_true(p.members == members && fabs(p.mean - mean / sum) < 1e-12);
        for (int k = 0; k < 3; k++) assert_true(found[k] == least[k]);
        assert_true(fabs(percentiles_crps(m, members, 7) - (misses / sum - pairs / sum / sum)) <
                    1e-12);
        apart += p.p05 < p.p50 && p.p50 < p.p95;
    }
    assert_true(apart > 100);
}

int main(void)
{
    return UNIT_RUN(
        scores_are_those_of_plain_loops, levels_are_those_of_plain_loops,
        any_forecast_on_any_domain, intervals_count_columns, errors_are_those_of_a_sample_of_blocks,
        blocks_are_longer_than_runs, blocks_of_a_difference_are_longer_than_runs,
        few_blocks_have_no_error, intervals_hold_for_reliable_forecasts, the_truth_is_preferred,
        members_do_not_count, certainty_is_bounded, a_better_forecast_is_better_beyond_its_error,
        the_vicinity_is_a_mean_of_cells, vicinities_of_any_forecast, the_discrepancy_is_recovered,
        distances_have_units, domains_follow_the_outline, domains_of_any_outline,
        a_domain_may_be_a_file, members_of_any_weights, members_are_scored_as_a_distribution);
}
