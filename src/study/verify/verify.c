/* build: optimized */
#include "verify.h"

#include "base/order.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "record/json_number.h"
#include "text/words.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Sums over the cells of one flow have correlated errors, because lava often reaches neighbours together. Standard
 * errors come from the block bootstrap (H. R. Kuensch: The jackknife and the bootstrap for general stationary
 * observations. Ann. Statist. 17, 1989), with blocks along the flow.
 *
 * A block is a band across the domain, perpendicular to the principal axis of the observed cells. Its length along this
 * axis is several times the correlation length of the residuals. */
enum {
    BLOCKS_LONGER = 6,  /* length of a block in correlation lengths */
    BLOCKS_LEAST = 8,   /* least number of blocks; if necessary, blocks become shorter */
    BLOCKS_DRAWS = 1000 /* replicates */
};

struct blocks {
    double along[2]; /* unit vector of the principal axis: rows, columns */
    double first;    /* coordinate of slab 0 along the axis; a slab is one cell long */
    int slabs;
    int correlation; /* lag in slabs at which the autocorrelation of residuals is below 1/e */
    int length;      /* number of slabs in a block */
    int count;
};

/* Finds the principal axis: the eigenvector with the larger eigenvalue of the covariance matrix of rows and columns
 * of observed cells. */
static void principal_axis(double along[2], const struct domain *d)
{
    double n = 0, r = 0, c = 0, rr = 0, rc = 0, cc = 0;
    for (int row = 0; row < d->box.rows; row++)
        for (int col = 0; col < d->box.cols; col++) {
            const unsigned char flags = d->cell[(size_t)row * (size_t)d->box.cols + (size_t)col];
            if (flags != (DOMAIN_IN | DOMAIN_OBSERVED)) continue;
            n++, r += row, c += col;
            rr += (double)row * row, rc += (double)row * col, cc += (double)col * col;
        }
    const double vr = rr / n - r / n * (r / n), vc = cc / n - c / n * (c / n),
                 both = rc / n - r / n * (c / n), half = (vr - vc) / 2,
                 root = sqrt(half * half + both * both);
    /* Two formulas give this vector; the sign of `half` selects the one without cancellation. */
    const double x = half > 0 ? half + root : both, y = half > 0 ? both : root - half;
    const double length = sqrt(x * x + y * y);
    along[0] = length > 0 ? x / length : 0;
    along[1] = length > 0 ? y / length : 1;
}

static double coordinate(const struct blocks *b, int row, int col)
{
    return b->along[0] * row + b->along[1] * col;
}

/* Sets the axis and divides a domain with observed cells into slabs. */
static void blocks_lay(struct blocks *b, const struct domain *d)
{
    double low = INFINITY, high = -INFINITY;
    *b = (struct blocks){0};
    principal_axis(b->along, d);
    for (int row = 0; row < d->box.rows; row++)
        for (int col = 0; col < d->box.cols; col++) {
            if (!(d->cell[(size_t)row * (size_t)d->box.cols + (size_t)col] & DOMAIN_IN)) continue;
            low = fmin(low, coordinate(b, row, col));
            high = fmax(high, coordinate(b, row, col));
        }
    b->first = low;
    b->slabs = (int)(high - low) + 1;
}

/* The number of the slab with cell i of the domain's box. */
static int blocks_slab(const struct blocks *b, const struct domain *d, size_t i)
{
    const size_t cols = (size_t)d->box.cols;
    return (int)(coordinate(b, (int)(i / cols), (int)(i % cols)) - b->first);
}

/* The first lag with an autocorrelation below 1/e. The residuals of a reliable forecast have mean 0, so no mean is
 * subtracted. */
static int correlation_of(const double *residual, int slabs)
{
    double all = 0;
    for (int i = 0; i < slabs; i++) all += residual[i] * residual[i];
    for (int lag = 1; lag < slabs; lag++) {
        double sum = 0;
        for (int i = lag; i < slabs; i++) sum += residual[i] * residual[i - lag];
        if (!(sum * 2.718281828459045 > all)) return lag;
    }
    return slabs;
}

/* Chooses length and number of the blocks. residual: the sum of the residuals in each slab. */
static void blocks_choose(struct blocks *b, const double *residual)
{
    b->correlation = correlation_of(residual, b->slabs);
    const int most = b->slabs / BLOCKS_LEAST > 0 ? b->slabs / BLOCKS_LEAST : 1,
              wanted = b->correlation < most ? BLOCKS_LONGER * b->correlation : most;
    b->length = wanted < most ? wanted : most;
    b->count = (b->slabs + b->length - 1) / b->length;
}

static size_t blocks_of(const struct blocks *b, int slab)
{
    const int block = slab / b->length;
    return (size_t)(block < b->count ? block : b->count - 1);
}

/* Draws replicate k: b->count blocks with replacement. sum[]: the sum of each column over these blocks. block[]:
 * b->count rows of `columns` numbers. The draw is a function of k and the number of blocks. */
static void blocks_draw(double *sum, const struct blocks *b, const double *block, int columns,
                        int k)
{
    enum { STREAM = 0x626c6f63 }; /* "bloc" in ASCII */
    memset(sum, 0, (size_t)columns * sizeof *sum);
    for (int i = 0; i < b->count; i++) {
        const uint64_t bits = philox_bits(0, STREAM, (uint64_t)k, (uint32_t)i) >> 32;
        const double *one = block + (bits * (uint64_t)b->count >> 32) * (uint64_t)columns;
        for (int j = 0; j < columns; j++) sum[j] += one[j];
    }
}

/* Mean and squared deviations of numbers that are added one by one; NaN is not counted. */
struct blocks_moments {
    double mean, squares;
    int count;
};
static void blocks_add(struct blocks_moments *m, double x)
{
    if (!isfinite(x)) return;
    const double before = x - m->mean;
    m->mean += before / ++m->count;
    m->squares += before * (x - m->mean);
}

/* The standard error by the bootstrap: the standard deviation of the replicates times sqrt(b / (b - 1)), where b is
 * the number of blocks. NaN: there are fewer than two replicates or blocks. */
static double blocks_error(const struct blocks *b, const struct blocks_moments *m)
{
    if (m->count < 2 || b->count < 2) return NAN;
    return sqrt(m->squares / (m->count - 1) * b->count / (b->count - 1));
}

const int verify_percent[VERIFY_BINS] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100};
const char *const verify_score_names[VERIFY_SCORES] = {"brier", "brier_skill", "log_score",
                                                       "roc_area"};

/* ---- a cell ---------------------------------------------------------------------------------- */

/* The highest level, in per cent, that a probability reaches; -1: the probability is 0. */
static int level_of(const struct forecast *f, uint64_t count)
{
    return count ? (int)(count * 100 / f->weight) : -1;
}

static int bin_of(const struct forecast *f, uint64_t count)
{
    int bin = 0;
    while (count * 100 > f->weight * (uint64_t)verify_percent[bin]) bin++;
    return bin;
}

static double probability_of(const struct forecast *f, uint64_t count)
{
    return (double)count / (double)f->weight;
}

double verify_log_of(double p)
{
    return -real_log(fmin(fmax(p, VERIFY_FLOOR), 1 - VERIFY_FLOOR));
}

/* Reads the count of cell i of d->box, and whether lava was observed there. False: the cell is not in the domain. */
static bool read_cell(const struct forecast *f, const struct domain *d, size_t i, uint64_t *count,
                      bool *observed)
{
    *observed = d->cell[i] & DOMAIN_OBSERVED;
    *count = f->count(f->of, domain_place(d, i));
    return d->cell[i] & DOMAIN_IN;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The sums of a block. HITS + k and FALSE_ALARMS + k are for cells whose level_of() is k - 1. */
enum {
    CELLS,
    OBSERVED,
    BRIER,
    LOG,
    BIN_CELLS,
    BIN_OBSERVED = BIN_CELLS + VERIFY_BINS,
    BIN_FORECAST = BIN_OBSERVED + VERIFY_BINS,
    HITS = BIN_FORECAST + VERIFY_BINS,
    FALSE_ALARMS = HITS + VERIFY_LEVELS + 1,
    COLUMNS = FALSE_ALARMS + VERIFY_LEVELS + 1
};

static void add_cell(double *sum, const struct forecast *f, uint64_t count, bool observed)
{
    const double p = probability_of(f, count), miss = p - observed;
    const int bin = bin_of(f, count), level = level_of(f, count) + 1;
    sum[CELLS]++;
    sum[OBSERVED] += observed;
    sum[BRIER] += miss * miss;
    sum[LOG] += verify_log_of(observed ? p : 1 - p);
    sum[BIN_CELLS + bin]++;
    sum[BIN_OBSERVED + bin] += observed;
    sum[BIN_FORECAST + bin] += p;
    sum[(observed ? HITS : FALSE_ALARMS) + level]++;
}

/* One or two forecasts on a domain, and their sums in each block: blocks * forecasts * COLUMNS numbers. */
struct test {
    const struct domain *domain;
    const struct forecast *of[2];
    int forecasts;
    struct blocks blocks;
    double *block;
};

/* The residual of a cell, from which the length of blocks follows. For one forecast it is o - p; for two forecasts
 * it is the difference of their squared errors. */
static double residual(const struct test *t, const uint64_t count[2], bool observed)
{
    const double a = probability_of(t->of[0], count[0]) - observed;
    if (t->forecasts == 1) return -a;
    const double b = probability_of(t->of[1], count[1]) - observed;
    return a * a - b * b;
}

static int choose_blocks(struct test *t, struct error *e)
{
    const struct domain *d = t->domain;
    blocks_lay(&t->blocks, d);
    FREED double *slab = calloc((size_t)t->blocks.slabs, sizeof *slab);
    if (!slab) return error_memory(e);
    for (size_t i = 0; i < window_cells(d->box); i++) {
        uint64_t count[2] = {0};
        bool observed = false, in = true;
        for (int k = 0; k < t->forecasts; k++) in = read_cell(t->of[k], d, i, &count[k], &observed);
        if (in) slab[blocks_slab(&t->blocks, d, i)] += residual(t, count, observed);
    }
    blocks_choose(&t->blocks, slab);
    return 0;
}

static int test_open(struct test *t, struct error *e)
{
    const struct domain *d = t->domain;
    int status = choose_blocks(t, e);
    if (status) return status;
    const size_t columns = (size_t)t->forecasts * COLUMNS;
    if (!(t->block = calloc((size_t)t->blocks.count * columns, sizeof *t->block)))
        return error_memory(e);
    for (size_t i = 0; i < window_cells(d->box); i++) {
        if (!(d->cell[i] & DOMAIN_IN)) continue;
        double *sum = t->block + blocks_of(&t->blocks, blocks_slab(&t->blocks, d, i)) * columns;
        uint64_t count;
        bool observed;
        for (int k = 0; k < t->forecasts; k++, sum += COLUMNS) {
            read_cell(t->of[k], d, i, &count, &observed);
            add_cell(sum, t->of[k], count, observed);
        }
    }
    return 0;
}

static void sum_up(double *sum, const struct test *t)
{
    const int columns = t->forecasts * COLUMNS;
    memset(sum, 0, (size_t)columns * sizeof *sum);
    for (int b = 0; b < t->blocks.count; b++)
        for (int j = 0; j < columns; j++)
            sum[j] += t->block[(size_t)b * (size_t)columns + (size_t)j];
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* The area below the ROC curve through the levels. It is the probability that a cell with lava has a higher forecast
 * than a cell without lava; equal forecasts count half. */
static double roc_of_levels(const double *sum)
{
    double area = 0, below = 0;
    for (int k = 0; k <= VERIFY_LEVELS; k++) {
        area += sum[HITS + k] * (below + sum[FALSE_ALARMS + k] / 2);
        below += sum[FALSE_ALARMS + k];
    }
    return area / (sum[OBSERVED] * (sum[CELLS] - sum[OBSERVED]));
}

static double uncertainty(const double *sum)
{
    const double share = sum[OBSERVED] / sum[CELLS];
    return share * (1 - share);
}

/* Sets the scores of a replicate from its sums and from the sums over all blocks (`whole`). The uncertainty is the
 * divisor of the skill, and is nearly 0 if a replicate has few observed cells. So the skill is replaced by its linear
 * approximation around the sums over all blocks. */
static void scores_of(double score[VERIFY_SCORES], const double *sum, const double *whole)
{
    const double reference = uncertainty(whole), ratio = whole[BRIER] / whole[CELLS] / reference;
    score[VERIFY_BRIER] = sum[BRIER] / sum[CELLS];
    score[VERIFY_SKILL] = 1 - ratio - (score[VERIFY_BRIER] - ratio * uncertainty(sum)) / reference;
    score[VERIFY_LOG] = sum[LOG] / sum[CELLS];
    score[VERIFY_ROC] = roc_of_levels(sum);
    for (int k = 0; k < VERIFY_SCORES; k++)
        if (!isfinite(score[k])) score[k] = NAN;
}

/* Finds the area below the ROC curve through all distinct probabilities. NaN: lava was observed in all cells or in no
 * cell. */
static int roc_area(double *area, const struct forecast *f, const struct domain *d, struct error *e)
{
    FREED uint64_t *list = malloc(d->cells * sizeof *list);
    uint64_t count;
    size_t cells = 0;
    bool observed;
    if (!list) return error_memory(e);
    for (size_t i = 0; i < window_cells(d->box); i++)
        if (read_cell(f, d, i, &count, &observed)) list[cells++] = 2 * count + observed;
    qsort(list, cells, sizeof *list, order_words);
    double twice = 0, below = 0;
    for (size_t i = 0; i < cells;) {
        double with = 0, without = 0;
        for (const uint64_t same = list[i] / 2; i < cells && list[i] / 2 == same; i++)
            *(list[i] & 1 ? &with : &without) += 1;
        twice += with * (2 * below + without);
        below += without;
    }
    const double pairs = (double)d->observed * (double)(d->cells - d->observed);
    *area = pairs > 0 ? twice / 2 / pairs : (double)NAN;
    return 0;
}

/* ---- reliability ----------------------------------------------------------------------------- */

/* The 0.975 quantile of Student's distribution, with an error below 3 %, by the series of Cornish and Fisher. */
static double student(int freedom)
{
    static const double z = 1.959963984540054;
    const double z3 = z * z * z, z5 = z3 * z * z, n = freedom;
    if (freedom < 2) return 12.706;
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

/* Sets Wilson's interval of the share of a bin (E. L. Korn, B. I. Graubard, Survey Methodology 24, 1998). n is the
 * number of independent cells whose share would have the standard error that the bootstrap has found. A share of 0 or 1
 * has no standard error; then n is the effective number of blocks. */
static void set_interval(struct verify_bin *b, double error, int blocks)
{
    b->low = b->high = NAN;
    if (blocks < 2) return;
    const double s = b->share, spread = s * (1 - s), cells = (double)b->cells,
                 t = student(blocks - 1);
    double n = spread > 0 ? fmin(cells, spread / (error * error)) : blocks;
    if (!(n >= 1)) n = 1;
    const double middle = (s + t * t / (2 * n)) / (1 + t * t / n),
                 half = t * sqrt(spread / n + t * t / (4 * n * n)) / (1 + t * t / n);
    b->low = fmax(0, fmin(s, middle - half));
    b->high = fmin(1, fmax(s, middle + half));
}

static void fill_bins(struct verification *v, const double *sum, const struct test *t,
                      const struct blocks_moments *share)
{
    double reliability = 0;
    for (int k = 0; k < VERIFY_BINS; k++) {
        struct verify_bin *b = &v->bin[k];
        const double cells = sum[BIN_CELLS + k];
        double squares = 0;
        for (int i = 0; i < t->blocks.count; i++) {
            const double n = t->block[(size_t)i * COLUMNS + (size_t)(BIN_CELLS + k)];
            squares += n * n;
        }
        *b =
            (struct verify_bin){.cells = (uint64_t)cells,
                                .observed = (uint64_t)sum[BIN_OBSERVED + k],
                                .forecast = cells > 0 ? sum[BIN_FORECAST + k] / cells : (double)NAN,
                                .share = cells > 0 ? sum[BIN_OBSERVED + k] / cells : (double)NAN};
        set_interval(b, blocks_error(&t->blocks, &share[k]), (int)(cells * cells / squares + 0.5));
        if (cells > 0) reliability += cells * (b->forecast - b->share) * (b->forecast - b->share);
    }
    v->reliability = reliability / sum[CELLS];
    v->resolution = v->uncertainty + v->reliability - v->score[VERIFY_BRIER].value;
}

/* ---- one forecast ---------------------------------------------------------------------------- */

static void fill_rates(struct verification *v, const double *sum)
{
    double hits = 0, alarms = 0;
    for (int k = VERIFY_LEVELS - 1; k >= 0; k--) {
        hits += sum[HITS + k + 1];
        alarms += sum[FALSE_ALARMS + k + 1];
        v->hit_rate[k] = hits / sum[OBSERVED];
        v->false_alarm_rate[k] = alarms / (sum[CELLS] - sum[OBSERVED]);
    }
}

static void resample_scores(struct verification *v, const struct test *t, const double *whole,
                            struct blocks_moments share[VERIFY_BINS])
{
    double sum[COLUMNS];
    struct blocks_moments of[VERIFY_SCORES] = {{0}};
    double score[VERIFY_SCORES];
    for (int k = 0; k < BLOCKS_DRAWS; k++) {
        blocks_draw(sum, &t->blocks, t->block, COLUMNS, k);
        scores_of(score, sum, whole);
        for (int i = 0; i < VERIFY_SCORES; i++) blocks_add(&of[i], score[i]);
        for (int i = 0; i < VERIFY_BINS; i++)
            blocks_add(&share[i], sum[BIN_OBSERVED + i] / sum[BIN_CELLS + i]);
    }
    for (int i = 0; i < VERIFY_SCORES; i++) v->score[i].error = blocks_error(&t->blocks, &of[i]);
}

static void overlap_regions(struct verification *v, const struct forecast *f,
                            const struct domain *d)
{
    uint64_t region[VERIFY_LEVELS] = {0}; /* number of cells in a region, outside the outline */
    for (int row = 0; row < d->rows; row++)
        for (int col = 0; col < d->cols; col++) {
            const uint64_t count = f->count(f->of, (size_t)row * (size_t)d->cols + (size_t)col);
            const bool observed = count && domain_at(d, row, col) & DOMAIN_OBSERVED;
            for (int k = level_of(f, count); k >= 0; k--)
                *(observed ? &v->both[k] : &region[k]) += 1;
        }
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        v->either[k] = region[k] + d->observed + d->beyond;
        if (verify_jaccard(v, k) > verify_jaccard(v, v->best)) v->best = k;
    }
}

int verify(struct verification *v, const struct forecast *f, struct error *e)
{
    struct test t = {.domain = f->domain, .of = {f}, .forecasts = 1};
    struct blocks_moments share[VERIFY_BINS] = {{0}};
    double sum[COLUMNS], score[VERIFY_SCORES];
    *v = (struct verification){.cells = f->domain->cells, .observed = f->domain->observed};
    const double observed = (double)v->observed / (double)v->cells;
    int status = test_open(&t, e);
    if (!status) {
        sum_up(sum, &t);
        resample_scores(v, &t, sum, share);
        scores_of(score, sum, sum);
        for (int k = 0; k < VERIFY_SCORES; k++) v->score[k].value = score[k];
        status = roc_area(&v->score[VERIFY_ROC].value, f, f->domain, e);
    }
    if (!status) {
        v->uncertainty = uncertainty(sum);
        if (v->uncertainty > 0)
            v->log_reference =
                -observed * real_log(observed) - (1 - observed) * real_log(1 - observed);
        fill_bins(v, sum, &t, share);
        fill_rates(v, sum);
        v->blocks = t.blocks.count;
        v->block_m = t.blocks.length * f->domain->cell_m;
        v->correlation_m = t.blocks.correlation * f->domain->cell_m;
        overlap_regions(v, f, f->domain);
    }
    free(t.block);
    return status;
}

double verify_log_score(const struct forecast *f)
{
    const struct domain *d = f->domain;
    double sum = 0;
    uint64_t count;
    bool observed;
    for (size_t i = 0; i < window_cells(d->box); i++)
        if (read_cell(f, d, i, &count, &observed)) {
            const double p = probability_of(f, count);
            sum += verify_log_of(observed ? p : 1 - p);
        }
    return sum / (double)d->cells;
}

double verify_jaccard(const struct verification *v, int level)
{
    return (double)v->both[level] / (double)v->either[level];
}

/* ---- two forecasts --------------------------------------------------------------------------- */

static int compare_on(struct verify_difference *x, struct test *t, struct error *e)
{
    struct blocks_moments of[VERIFY_SCORES] = {{0}};
    double whole[2 * COLUMNS], sum[2 * COLUMNS], score[2][VERIFY_SCORES];
    int status = test_open(t, e);
    if (!status) sum_up(whole, t);
    for (int k = 0; k < BLOCKS_DRAWS && !status; k++) {
        blocks_draw(sum, &t->blocks, t->block, 2 * COLUMNS, k);
        for (int i = 0; i < 2; i++) scores_of(score[i], sum + i * COLUMNS, whole + i * COLUMNS);
        for (int i = 0; i < VERIFY_SCORES; i++) blocks_add(&of[i], score[0][i] - score[1][i]);
    }
    for (int i = 0; i < 2 && !status; i++) {
        scores_of(x->score[i], whole + i * COLUMNS, whole + i * COLUMNS);
        status = roc_area(&x->score[i][VERIFY_ROC], t->of[i], t->domain, e);
    }
    for (int i = 0; i < VERIFY_SCORES && !status; i++)
        x->difference[i] = (struct sciara_estimate){x->score[0][i] - x->score[1][i],
                                                    blocks_error(&t->blocks, &of[i])};
    return status;
}

int verify_compare(struct verify_difference *x, const struct forecast *a, const struct forecast *b,
                   struct error *e)
{
    FREED_BY(domain_free) struct domain either = {0};
    struct test t = {.domain = &either, .of = {a, b}, .forecasts = 2};
    int status = domain_union(&either, a->domain, b->domain, e);
    *x = (struct verify_difference){.cells = either.cells, .observed = either.observed};
    if (!status) status = compare_on(x, &t, e);
    free(t.block);
    return status;
}

void verify_add(cJSON *o, const struct verification *v, const struct domain *d)
{
    char name[32];
    cJSON_AddStringToObject(o, "within", WORDS_ENGLISH(d->about));
    json_add_numbers(o, {"cells", v->cells}, {"observed_cells", v->observed},
                     {"observed_outside", d->beyond});
    for (int k = 0; k < VERIFY_SCORES; k++) {
        cJSON_AddNumberToObject(o, verify_score_names[k], v->score[k].value);
        snprintf(name, sizeof name, "%s_error", verify_score_names[k]);
        cJSON_AddNumberToObject(o, name, v->score[k].error);
    }
    json_add_numbers(
        o, {"reliability", v->reliability}, {"resolution", v->resolution},
        {"uncertainty", v->uncertainty}, {"log_score_reference", v->log_reference},
        {"blocks", v->blocks}, {"block_m", v->block_m}, {"correlation_m", v->correlation_m},
        {"best_jaccard", verify_jaccard(v, v->best)}, {"best_probability", v->best / 100.0});
}

/* ---- members that are numbers ---------------------------------------------------------------- */

static double weight_of(const struct weighted *member, int64_t members)
{
    double weight = 0;
    for (int64_t i = 0; i < members; i++) weight += member[i].weight;
    return weight;
}

struct percentiles percentiles_of(struct weighted *member, int64_t members)
{
    struct percentiles s = {members, 0, NAN, NAN, NAN};
    const double weight = weight_of(member, members);
    double sum = 0;
    for (int64_t i = 0; i < members; i++) s.mean += member[i].weight * member[i].value;
    s.mean /= weight; /* NaN without members */
    qsort(member, (size_t)members, sizeof *member, order_reals);
    for (int64_t i = 0; i < members && isnan(s.p95); i++) {
        sum += member[i].weight;
        if (isnan(s.p05) && sum >= 0.05 * weight) s.p05 = member[i].value;
        if (isnan(s.p50) && sum >= 0.5 * weight) s.p50 = member[i].value;
        if (sum >= 0.95 * weight) s.p95 = member[i].value;
    }
    return s;
}

/* The score is the mean of |x - observed| minus half the mean of |x - x'| over all pairs. For sorted members, half
 * the mean of |x - x'| is the mean of x (share below x - share above x). */
double percentiles_crps(const struct weighted *member, int64_t members, double observed)
{
    const double weight = weight_of(member, members);
    double sum = 0, below = 0;
    for (int64_t i = 0; i < members; i++) {
        const double w = member[i].weight / weight;
        sum += w * (fabs(member[i].value - observed) - member[i].value * (2 * below + w - 1));
        below += w;
    }
    return sum;
}

double percentiles_crps_of_classes(const double *edge, int edges, const uint64_t *class,
                                   double below, double weight, double observed)
{
    double sum = 0, low = 0;
    for (int k = 0; k < edges; k++) {
        const double share = (below + (double)class[k] / 2) / weight, high = edge[k],
                     before = fmin(fmax(observed, low), high) - low;
        sum += before * share * share + (high - low - before) * (1 - share) * (1 - share);
        below += (double)class[k];
        low = high;
    }
    return sum;
}
