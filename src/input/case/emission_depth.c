/* emission_depth.c — how much lava the vents of a cell emit in one step: exact arithmetic has a
 * limit, and real vents stay far below it. */
#include "emission.h"
#include "base/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the peak -------------------------------------------------------------------------------- */

/* A vent's amount changes. */
struct change {
    int64_t step;
    double by_m;
};

static int by_cell(const void *a, const void *b)
{
    const struct vent *v = *(const struct vent *const *)a, *w = *(const struct vent *const *)b;
    return v->row != w->row ? (v->row > w->row) - (v->row < w->row)
                            : (v->col > w->col) - (v->col < w->col);
}

static void lift(struct emission_peak *peak, double amount_m, int64_t step, const struct vent *v,
                 int id)
{
    if (!(amount_m > peak->amount_m)) return;
    *peak = (struct emission_peak){amount_m, step, v->row, v->col, id, 0};
}

/* Sums of the changes of all `count` vents of a cell. Amounts are on the lattice, so that sums up
 * to the limit, and well beyond, are exact. */
static int cell_peak(struct emission_peak *peak, const struct vent *const *vents, int count,
                     struct error *e)
{
    size_t n = 0;
    if (count == 1) { /* nearly always, in every member of an ensemble */
        for (int k = 0; k < vents[0]->interval_count; k++)
            lift(peak, vents[0]->amount_m[k], vents[0]->first_step[k], vents[0], vents[0]->id);
        return 0;
    }
    for (int i = 0; i < count; i++) n += (size_t)vents[i]->interval_count;
    struct change *c = malloc((n + 1) * sizeof *c);
    if (!c) return error_memory(e);
    n = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < vents[i]->interval_count; k++)
            c[n++] = (struct change){vents[i]->first_step[k],
                                     vents[i]->amount_m[k] - (k ? vents[i]->amount_m[k - 1] : 0)};
    qsort(c, n, sizeof *c, order_words);
    double amount_m = 0;
    for (size_t i = 0; i < n; i++) {
        amount_m += c[i].by_m;
        const bool all = i + 1 == n || c[i + 1].step > c[i].step; /* of this step */
        if (all) lift(peak, amount_m, c[i].step, vents[0], 0);
    }
    free(c);
    return 0;
}

int emission_find_peak(struct emission_peak *peak, const struct vent *vents, int count,
                       struct error *e)
{
    *peak = (struct emission_peak){0};
    const struct vent **order = malloc(((size_t)count + 1) * sizeof(struct vent *));
    if (!order) return error_memory(e);
    for (int i = 0; i < count; i++) order[i] = &vents[i];
    qsort(order, (size_t)count, sizeof *order, by_cell);
    int status = 0;
    for (int i = 0, next; i < count && !status; i = next) {
        for (next = i + 1; next < count && by_cell(&order[i], &order[next]) == 0;) next++;
        status = cell_peak(peak, order + i, next - i, e);
    }
    free(order);
    for (int i = 0; i < count; i++) peak->cells += peak->id && vents[i].id == peak->id;
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The advice has to suffice, also if a number equals the limit only by rounding.  */
#define MORE (1 + 1e-9)

/* Three digits, less than x. */
static double rounded_down(double x)
{
    const double unit = pow(10, floor(log10(x)) - 2), down = floor(x / unit) * unit;
    return down * MORE < x ? down : down - unit;
}

char *emission_remedy(char buffer[EMISSION_REMEDY], double amount_m, double limit_m, int cells,
                      double clock_s)
{
    const double times = amount_m / limit_m * MORE, clock = rounded_down(clock_s / times);
    if (times > 1000) /* nothing else helps */
        snprintf(buffer, EMISSION_REMEDY, "for example the unit: m3/s");
    else if (cells == EMISSION_NOT_SHARED)
        snprintf(buffer, EMISSION_REMEDY, "or give a Pclock of at most %g s", clock);
    else if (cells == EMISSION_SEVERAL)
        snprintf(buffer, EMISSION_REMEDY,
                 "move them apart, spread each over at least %.0f times as many cells, or give a "
                 "Pclock of at most %g s",
                 floor(times) + 1, clock);
    else
        snprintf(buffer, EMISSION_REMEDY,
                 "spread the vent over at least %.0f cells, or give a Pclock of at most %g s",
                 floor(times * cells) + 1, clock);
    return buffer;
}

static char *name_of(const struct emission_peak *peak, char buffer[64])
{
    if (!peak->id) snprintf(buffer, 64, "several vents emit");
    else if (peak->cells == 1) snprintf(buffer, 64, "vent %d emits", peak->id);
    else snprintf(buffer, 64, "vent %d, of %d cells, emits", peak->id, peak->cells);
    return buffer;
}

int emission_check_peak(const struct vent *vents, int count, const struct emission_input *in,
                        struct error *e)
{
    struct emission_peak peak;
    char name[64], remedy[EMISSION_REMEDY];
    int status = emission_find_peak(&peak, vents, count, e);
    if (status || peak.amount_m <= EMISSION_MAX_M) return status;
    const int cells = in->original ? EMISSION_NOT_SHARED : peak.cells;
    return error_input(
        e,
        "%s: %s %.4g m of lava into the cell at row %d, column %d in step %lld, more than %g; "
        "correct the rates, %s",
        in->rates->path, name_of(&peak, name), peak.amount_m, peak.row, peak.col,
        (long long)peak.step, EMISSION_MAX_M,
        emission_remedy(remedy, peak.amount_m, EMISSION_MAX_M, cells, in->params->clock_s));
}

int emission_warning(char *out, size_t size, const struct vent *vents, int count,
                     const struct params *p, struct error *e)
{
    struct emission_peak peak;
    char name[64], remedy[EMISSION_REMEDY];
    int status = emission_find_peak(&peak, vents, count, e);
    *out = '\0';
    if (status || peak.amount_m < EMISSION_MUCH_M) return status;
    snprintf(out, size,
             "%s up to %.3g m of lava in a step into the cell at row %d, column %d; to stay below "
             "%g m, %s",
             name_of(&peak, name), peak.amount_m, peak.row, peak.col, EMISSION_MUCH_M,
             emission_remedy(remedy, peak.amount_m, EMISSION_MUCH_M, peak.cells, p->clock_s));
    return 0;
}
