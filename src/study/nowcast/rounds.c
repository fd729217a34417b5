#include "rounds.h"

#include "random/philox.h"
#include "random/quantile.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST_SD = 0.02, EXPONENT_MOST = 600, EXPONENT_LEAST = -40;

/* The members around which the next members are drawn. */
struct ancestors {
    int64_t count;
    int64_t *member;
    double *chosen; /* how often each ancestor was chosen */
    double *z;      /* the numbers z of each ancestor (rounds.h), divided by `width` */
    double *width;  /* standard deviation of the draws in each dimension */
    double log_widths;
};

static int64_t own_of(int64_t count)
{
    return (count + ROUNDS_OWN - 1) / ROUNDS_OWN;
}

/* ---- the density ------------------------------------------------------------------------------- */

static void find_widths(struct ancestors *a, const struct rounds_from *from)
{
    const int d = from->dimensions;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < from->count; i++) {
        const double w = (double)from->weight[i];
        sum += w;
        squares += w * w;
    }
    const double n = sum * sum / squares, h = real_exp(real_log(4 / ((d + 2) * n)) / (d + 4));
    a->log_widths = 0;
    for (int k = 0; k < d; k++) {
        double mean = 0, variance = 0;
        for (int64_t i = 0; i < from->count; i++)
            mean += (double)from->weight[i] / sum * from->z[i * d + k];
        for (int64_t i = 0; i < from->count; i++) {
            const double off = from->z[i * d + k] - mean;
            variance += (double)from->weight[i] / sum * off * off;
        }
        a->width[k] = h * fmax(LEAST_SD, sqrt(variance));
        a->log_widths += real_log(a->width[k]);
    }
}

/* Chooses ancestors at equal steps along the cumulative sum of the weights. */
static void choose_ancestors(struct ancestors *a, const struct rounds_from *from)
{
    const int64_t drawn = from->count - own_of(from->count);
    wide up_to = 0, sum = 0;
    int64_t next = 0;
    for (int64_t i = 0; i < from->count; i++) sum += from->weight[i];
    for (int64_t i = 0; i < from->count; i++) {
        const int64_t first = next;
        up_to += from->weight[i];
        while (next < drawn && (wide)(2 * next + 1) * sum < up_to * (wide)(2 * drawn)) next++;
        if (next == first) continue;
        a->member[a->count] = i;
        a->chosen[a->count++] = (double)(next - first);
    }
}

static void scale(struct ancestors *a, const struct rounds_from *from)
{
    const int d = from->dimensions;
    for (int64_t i = 0; i < a->count; i++)
        for (int k = 0; k < d; k++) a->z[i * d + k] = from->z[a->member[i] * d + k] / a->width[k];
}

/* The density at z of the draws around all ancestors, divided by the density of the plan. */
static double density_ratio(const struct ancestors *a, const double *z, int d)
{
    double sum = 0, own = -a->log_widths;
    for (int k = 0; k < d; k++) own += 0.5 * z[k] * z[k];
    for (int64_t i = 0; i < a->count; i++) {
        const double *at = a->z + i * d;
        double squares = 0;
        for (int k = 0; k < d; k++) {
            const double off = z[k] / a->width[k] - at[k];
            squares += off * off;
        }
        const double exponent = own - 0.5 * squares;
        if (exponent > EXPONENT_LEAST)
            sum += a->chosen[i] * real_exp(fmin(exponent, EXPONENT_MOST));
    }
    return sum;
}

/* ---- members ------------------------------------------------------------------------------------- */

/* Draws all numbers. Every fifth member is drawn from the plan. The other members are drawn around the ancestors, in
 * the order of the ancestors. */
static void draw_all(double *z, const struct ancestors *a, const struct rounds_from *from)
{
    const int d = from->dimensions;
    int64_t ancestor = 0;
    double left = a->count ? a->chosen[0] : 0;
    for (int64_t i = 0; i < from->count; i++) {
        const uint64_t number = (uint64_t)from->round << 32 | (uint64_t)i;
        const bool own = i % ROUNDS_OWN == 0;
        if (!own && left == 0) left = a->chosen[++ancestor];
        left -= !own;
        for (int k = 0; k < d; k++) {
            const double x = normal_quantile(
                philox_unit(philox_bits(from->seed, STREAM_ROUND, number, (uint32_t)k)));
            z[i * d + k] = own ? x : from->z[a->member[ancestor] * d + k] + a->width[k] * x;
        }
    }
}

int rounds_draw(double *z, double *w, const struct rounds_from *from, struct error *e)
{
    const size_t count = (size_t)from->count, d = (size_t)from->dimensions;
    FREED int64_t *member = malloc(count * sizeof *member);
    FREED double *chosen = malloc(count * sizeof *chosen),
                 *of_members = malloc((count * d + 1) * sizeof *of_members),
                 *width = malloc((d + 1) * sizeof *width);
    if (!member || !chosen || !of_members || !width) return error_memory(e);
    struct ancestors a = {.member = member, .chosen = chosen, .z = of_members, .width = width};
    find_widths(&a, from);
    choose_ancestors(&a, from);
    scale(&a, from);
    draw_all(z, &a, from);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        w[i] = (double)count /
               ((double)own_of(from->count) + density_ratio(&a, z + i * d, from->dimensions));
    return 0;
}

/* ---- rounds of a plan ------------------------------------------------------------------------ */

/* The number of errors that a member draws for rates until now. Observations do not depend on
 * errors of later rates. */
static int rates_seen(const struct plan *p, double now_s)
{
    int count = 0;
    while (p->history.sd && count < p->history.turns && p->history.middle_s[count] <= now_s)
        count++;
    return count + (count && p->history.shared_sd > 0);
}

static int draw_next(struct plan_draws *next, const struct nowcast *x, struct error *e)
{
    const struct plan *p = x->ask.of.plan;
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    *next = (struct plan_draws){.count = p->count,
                                .dimensions = p->sampling.dimensions,
                                .rates = rates_seen(p, x->sights.now_s),
                                .round = p->draws ? p->draws->round + 1 : 1,
                                .alone = p->draws ? p->draws->alone : p->digest};
    const int all = next->dimensions + next->rates;
    const size_t count = (size_t)p->count, numbers = count * (size_t)all;
    FREED double *z = malloc((numbers + 1) * sizeof *z), *w = malloc(count * sizeof *w);
    next->z = malloc((numbers + 1) * sizeof *next->z);
    next->weight = calloc(count, sizeof *next->weight);
    if (!z || !w || !next->z || !next->weight) return error_memory(e);
    for (int64_t i = 0; i < p->count; i++) draws_read(z + i * all, p, i, next->rates);
    const struct rounds_from from = {p->count, all, z, now->weight, p->sampling.seed, next->round};
    const int status = rounds_draw(next->z, w, &from, e);
    if (status) return status;
    ask_round(next->weight, w, p->count);
    draws_finish(next);
    return 0;
}

int rounds_next(struct plan_draws *next, double *effective, const char *plan,
                const struct nowcast_options *o, int threads, struct error *e)
{
    struct study_job j = {.study = &study_nowcast, .plan = plan, .options = o, .threads = threads};
    int status = study_open(&j, e);
    if (!status) status = nowcast_only_weigh(&j, e);
    if (!status) {
        *effective = ((struct nowcast *)j.self)->set[NOWCAST_NOW].full;
        status = draw_next(next, j.self, e);
    }
    study_close(&j);
    if (status) draws_free(next);
    return status;
}
