/* emission.c — turns vents and rates into tables of steps (problem.h) and into volumes. */
#include "emission.h"
#include "double_double.h"

#include "base/order.h"
#include "model/lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the peak: exact arithmetic has a limit, and real vents stay far below it ---------------- */

/* In each step from `step` on, a vent emits by_m more into its cell than in the steps just before. */
struct change {
    int64_t step;
    double by_m;
};

static int by_cell(const void *a, const void *b)
{
    const struct vent *v = *(const struct vent *const *)a, *w = *(const struct vent *const *)b;
    return order_by(ORDER(v->row, w->row), ORDER(v->col, w->col));
}

static void lift(struct emission_peak *peak, double amount_m, int64_t step, const struct vent *v,
                 int id)
{
    if (!(amount_m > peak->amount_m)) return;
    *peak = (struct emission_peak){amount_m, step, v->row, v->col, id, 0};
}

/* Finds the peak of all `count` vents of a cell by adding up their changes. Amounts are on the lattice, so sums are
 * exact, even well above EMISSION_MAX_M. */
static int cell_peak(struct emission_peak *peak, const struct vent *const *vents, int count,
                     struct error *e)
{
    size_t n = 0;
    if (count == 1) { /* the usual case, also in members of ensembles */
        for (int k = 0; k < vents[0]->interval_count; k++)
            lift(peak, vents[0]->amount_m[k], vents[0]->first_step[k], vents[0], vents[0]->id);
        return 0;
    }
    for (int i = 0; i < count; i++) n += (size_t)vents[i]->interval_count;
    FREED struct change *c = malloc((n + 1) * sizeof *c);
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
        /* all changes of this step are added */
        const bool all = i + 1 == n || c[i + 1].step > c[i].step;
        if (all) lift(peak, amount_m, c[i].step, vents[0], 0);
    }
    return 0;
}

int emission_find_peak(struct emission_peak *peak, const struct vent *vents, int count,
                       struct error *e)
{
    *peak = (struct emission_peak){0};
    FREED const struct vent **order = malloc(((size_t)count + 1) * sizeof(struct vent *));
    if (!order) return error_memory(e);
    for (int i = 0; i < count; i++) order[i] = &vents[i];
    qsort(order, (size_t)count, sizeof *order, by_cell);
    int status = 0;
    for (int i = 0, next; i < count && !status; i = next) {
        for (next = i + 1; next < count && by_cell(&order[i], &order[next]) == 0;) next++;
        status = cell_peak(peak, order + i, next - i, e);
    }
    for (int i = 0; i < count; i++) peak->cells += peak->id && vents[i].id == peak->id;
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Numbers that messages advise have this margin, so that they suffice after rounding. */
#define MORE (1 + 1e-9)

/* Rounds x down to three digits. */
static double rounded_down(double x)
{
    const double unit = pow(10, floor(log10(x)) - 2), down = floor(x / unit) * unit;
    return down * MORE < x ? down : down - unit;
}

enum { EMISSION_REMEDY = 128, EMISSION_NOT_SHARED = -1, EMISSION_SEVERAL = 0 };

/* Writes a remedy for a vent of `cells` cells. The vent emits amount_m into each cell, which is more than limit_m. If
 * amount_m is more than a thousand times limit_m, the unit is probably wrong. Returns buffer. */
static char *emission_remedy(char buffer[EMISSION_REMEDY], double amount_m, double limit_m,
                             int cells, double clock_s)
{
    const double times = amount_m / limit_m * MORE, clock = rounded_down(clock_s / times);
    if (times > 1000) /* no other remedy would suffice */
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
             "%g m, give vent_radius_m %g, %s",
             name_of(&peak, name), peak.amount_m, peak.row, peak.col, EMISSION_MUCH_M,
             ceil(sqrt(peak.amount_m / EMISSION_MUCH_M / 3.14159) + 1) * p->cell_m,
             emission_remedy(remedy, peak.amount_m, EMISSION_MUCH_M, peak.cells, p->clock_s));
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* The emission of a step: `m` metres, on the lattice, and fraction * 2^-64 quanta, which are carried to later steps. */
struct amount {
    double m;
    uint64_t fraction;
};

struct table {
    struct vent *vent;
    /* phase * 2^-64 quanta are carried into the first interval (first_phase()) */
    uint64_t phase;
};

/* Notes that the vent emits `amount` from `step` on; intervals with the same amount are merged, so that a table does
 * not depend on how the user divides time. */
static void change_amount(struct table *t, int64_t step, struct amount amount)
{
    struct vent *v = t->vent;
    int n = v->interval_count;
    if (n && v->first_step[n - 1] == step) n = --v->interval_count;
    const struct amount before =
        n ? (struct amount){v->amount_m[n - 1], v->fraction[n - 1]} : (struct amount){0, 0};
    if (amount.m == before.m && amount.fraction == before.fraction) return;
    v->first_step[n] = step;
    v->amount_m[n] = amount.m;
    v->fraction[n] = amount.fraction;
    v->phase[n] =
        n ? v->phase[n - 1] + (uint64_t)(step - v->first_step[n - 1]) * before.fraction : t->phase;
    v->interval_count++;
}

static void emit(struct table *t, int64_t first, int64_t end, struct amount amount)
{
    change_amount(t, first, amount);
    change_amount(t, end, (struct amount){0, 0});
}

/* ---- the rate at the end of each step -------------------------------------------------------- */

/* The order of the operands is as in the published program. The division by `shares` comes first; it is exact for one
 * cell. */
static double published_amount_m(double rate_m3_s, double shares, const struct params *p)
{
    return rate_m3_s / shares / (p->cell_m * p->cell_m) * p->clock_s;
}

static void fill_published(struct table *t, const struct rate_list *list, double shares,
                           const struct params *p, bool rounded)
{
    for (int i = 0; i < list->count; i++) {
        const struct rate *r = &list->rate[i];
        if (r->first_step == r->end_step) continue;
        const double m = published_amount_m(r->rate_m3_s, shares, p);
        emit(t, r->first_step, r->end_step, (struct amount){rounded ? lattice_round(m) : m, 0});
    }
}

/* ---- the integral of the rate over each step ------------------------------------------------- */

__extension__ typedef unsigned __int128 parts; /* a quantum has 2^64 parts */

/* Truncates x_m, |x_m| < 2^17, to a whole number of parts. The operations on doubles are exact. */
static parts parts_of(double x_m)
{
    if (x_m < 0) return -parts_of(-x_m);
    const double quanta = x_m * LATTICE_PER_M, whole = floor(quanta);
    return ((parts)whole << 64) + (parts)((quanta - whole) * 0x1p64);
}

static struct amount amount_of(parts x)
{
    return (struct amount){(double)(uint64_t)(x >> 64) * LATTICE_M, (uint64_t)x};
}

struct integral {
    struct table table;
    double clock_s;
    struct double_double area_m2; /* area of a cell times the number of cells that share a rate */
    int64_t cut;                  /* a step in which an interval begins or ends; 0: none */
    parts so_far;                 /* emission of step `cut` so far */
};

static parts integral_of(const struct integral *g, double rate_m3_s, struct double_double time_s)
{
    const struct double_double m =
        double_double_over(double_double_times(time_s, rate_m3_s), g->area_m2);
    return parts_of(m.high) + parts_of(m.low);
}

/* Returns the exact time at which step n ends. */
static struct double_double end_of(const struct integral *g, int64_t n)
{
    return double_double_product((double)n, g->clock_s);
}

/* Returns a negative number, 0 or a positive number if step n ends before, at or after a time. */
static int compare_end(const struct integral *g, int64_t n, double at_s)
{
    const struct double_double end = end_of(g, n);
    const double ahead = end.high == at_s ? end.low : end.high - at_s;
    return (ahead > 0) - (ahead < 0);
}

/* Returns the first step that ends at a time or later. */
static int64_t step_ending(const struct integral *g, double at_s)
{
    const double near = floor(at_s / g->clock_s) - 2; /* below the result, even with rounding */
    int64_t n = near < 1 ? 1 : (int64_t)near;
    while (compare_end(g, n, at_s) < 0) n++;
    return n;
}

static void end_cut(struct integral *g)
{
    if (g->cut) emit(&g->table, g->cut, g->cut + 1, amount_of(g->so_far));
    g->cut = 0;
    g->so_far = 0;
}

/* Adds the emission in a part of step n. */
static void add_part(struct integral *g, int64_t n, double rate_m3_s, struct double_double time_s)
{
    if (g->cut != n) end_cut(g);
    g->cut = n;
    g->so_far += integral_of(g, rate_m3_s, time_s);
}

static void add_interval(struct integral *g, double from_s, double to_s, double rate_m3_s)
{
    const struct double_double from = {from_s, 0}, to = {to_s, 0}, clock = {g->clock_s, 0};
    const int64_t before = step_ending(g, from_s), last = step_ending(g, to_s);
    /* whether the interval begins at the end of a step or at 0; whether it ends at the end of a step */
    const bool begins = from_s == 0 || compare_end(g, before, from_s) == 0,
               ends = compare_end(g, last, to_s) == 0;
    int64_t first = from_s == 0 || !begins ? before : before + 1;
    if (first == last && !(begins && ends)) {
        const struct double_double start = begins ? end_of(g, first - 1) : from;
        add_part(g, first, rate_m3_s, double_double_minus(ends ? end_of(g, last) : to, start));
        return;
    }
    if (!begins) {
        add_part(g, first, rate_m3_s, double_double_minus(end_of(g, first), from));
        first++;
    }
    const int64_t end = ends ? last + 1 : last;
    if (first < end) {
        end_cut(g);
        emit(&g->table, first, end, amount_of(integral_of(g, rate_m3_s, clock)));
    }
    if (!ends) add_part(g, last, rate_m3_s, double_double_minus(to, end_of(g, last - 1)));
}

static void fill_integral(struct table t, const struct rate_list *list, double shares,
                          const struct params *p)
{
    struct integral g = {.table = t, .clock_s = p->clock_s};
    g.area_m2 = double_double_times(double_double_product(p->cell_m, p->cell_m), shares);
    for (int i = 0; i < list->count; i++) {
        const struct rate *r = &list->rate[i];
        while (i + 1 < list->count && list->rate[i].to_s == list->rate[i + 1].from_s &&
               list->rate[i + 1].rate_m3_s == r->rate_m3_s)
            i++;
        add_interval(&g, r->from_s, list->rate[i].to_s, r->rate_m3_s);
    }
    end_cut(&g);
}

/* ---- all rules ------------------------------------------------------------------------------- */

/* Returns an upper bound of how often the rates of a list change the emission of a cell. */
static double emission_changes(const struct rate_list *list, enum emission_rule rule)
{
    return (rule == EMISSION_INTEGRAL ? 4.0 : 2.0) * list->count + 1;
}

/* Returns the phase (turn + 1/2) / shares. The sum of floor(x + (k + 1/2) / n) over k = 0 ... n - 1 is floor(n x +
 * 1/2) (Hermite). So at the end of each step, the cells that share a rate have together emitted the whole number of
 * quanta nearest to the integral of the rate. */
static uint64_t first_phase(int64_t shares, int64_t turn)
{
    return (uint64_t)(((parts)(2 * turn + 1) << 64) / (parts)(2 * shares));
}

static int make_room(struct vent *v, size_t room, struct error *e)
{
    v->first_step = malloc(room * sizeof *v->first_step);
    v->amount_m = malloc(room * sizeof *v->amount_m);
    v->fraction = malloc(room * sizeof *v->fraction);
    v->phase = malloc(room * sizeof *v->phase);
    if (v->first_step && v->amount_m && v->fraction && v->phase) return 0;
    return error_memory(e);
}

int emission_fill_next(struct vent *v, const struct vent *before, int64_t shares, int64_t turn,
                       int64_t turn_before, struct error *e)
{
    const size_t n = (size_t)before->interval_count;
    const uint64_t later = first_phase(shares, turn) - first_phase(shares, turn_before);
    int status = make_room(v, n + 1, e);
    if (status) return status;
    memcpy(v->first_step, before->first_step, n * sizeof *v->first_step);
    memcpy(v->amount_m, before->amount_m, n * sizeof *v->amount_m);
    memcpy(v->fraction, before->fraction, n * sizeof *v->fraction);
    for (size_t i = 0; i < n; i++) v->phase[i] = before->phase[i] + later;
    v->interval_count = before->interval_count;
    return 0;
}

int emission_fill(struct vent *v, const struct rate_list *list, int64_t shares, int64_t turn,
                  const struct params *p, enum emission_rule rule, struct error *e)
{
    int status = make_room(v, (size_t)emission_changes(list, rule), e);
    if (status) return status;
    struct table t = {v, first_phase(shares, turn)};
    if (rule == EMISSION_INTEGRAL) fill_integral(t, list, (double)shares, p);
    else fill_published(&t, list, (double)shares, p, rule == EMISSION_PUBLISHED);
    return 0;
}

/* ---- rates ----------------------------------------------------------------------------------- */

enum { CHANGES_MAX = 1 << 24 }; /* limit on the entries of all tables together, 32 bytes each */
#define UNROUNDED_MAX_M 500.0   /* limit for a cell in a step; the published program has no limit */

/* The rates of a vent, the number of cells that share them, and the turns of these cells (emission_fill()). If all
 * vents share a total, the first cells of all vents have their turns before the second cells, and so on. */
struct share {
    const struct rate_list *list; /* NULL: the vent has no rates */
    int64_t shares;
    int64_t first_turn, turns; /* turn of cell k: first_turn + k * turns */
};

static struct share share_of(const struct emission_input *in, int i)
{
    const struct rate_lists *rates = in->rates;
    const struct vent_site *site = &in->sites->site[i];
    if (rates->count && rates->list[0].id == RATES_OF_ALL)
        return (struct share){rates->list, (int64_t)site->shares * in->sites->count, i,
                              in->sites->count};
    return (struct share){id_find(rates->list, rates->count, sizeof *rates->list, site->id),
                          site->shares, 0, !in->original};
}

/* ---- vents wider than a cell ----------------------------------------------------------------- */

/* A vent that may be spread. */
struct spread {
    double volume_m; /* the most that the vent emits in a step, as thickness on one cell, m */
    /* the most that all vents together emit into a cell of this vent, m, if all vents peak at once */
    double crowd_m;
    int own;                /* number of the vent's cells before the vent is spread */
    struct vent_cell *cell; /* these cells */
};
struct spread_cell {
    struct vent_cell at;
    int site;
};

static void spread_free(struct spread **list, int count)
{
    for (int i = 0; *list && i < count; i++) free((*list)[i].cell);
    free(*list);
}

static int spread_begin(struct spread *s, const struct emission_input *in, int i, struct error *e)
{
    const struct vent_site *site = &in->sites->site[i];
    const struct share share = share_of(in, i);
    double most_m = 0;
    for (int k = 0; share.list && k < share.list->count; k++)
        most_m = fmax(most_m, published_amount_m(share.list->rate[k].rate_m3_s,
                                                 (double)share.shares, in->params));
    *s = (struct spread){.volume_m = most_m * site->count, .own = site->count};
    if (!(s->cell = malloc((size_t)site->count * sizeof *s->cell))) return error_memory(e);
    memcpy(s->cell, site->cell, (size_t)site->count * sizeof *s->cell);
    return 0;
}

ORDER_MEMBERS(by_spread_cell, struct spread_cell, at.row, at.col)

/* Sets `crowd_m` of all vents. */
static int find_crowds(struct spread *s, const struct vent_sites *sites, struct error *e)
{
    size_t all = 0, n = 0;
    for (int i = 0; i < sites->count; i++) all += (size_t)sites->site[i].count;
    FREED struct spread_cell *cell = malloc((all + 1) * sizeof *cell);
    if (!cell) return error_memory(e);
    for (int i = 0; i < sites->count; i++) {
        s[i].crowd_m = 0;
        for (int k = 0; k < sites->site[i].count; k++)
            cell[n++] = (struct spread_cell){sites->site[i].cell[k], i};
    }
    qsort(cell, all, sizeof *cell, by_spread_cell);
    for (size_t i = 0, next; i < all; i = next) {
        double sum_m = 0;
        for (next = i; next < all && by_spread_cell(&cell[i], &cell[next]) == 0; next++)
            sum_m += s[cell[next].site].volume_m / sites->site[cell[next].site].count;
        for (size_t k = i; k < next; k++)
            s[cell[k].site].crowd_m = fmax(s[cell[k].site].crowd_m, sum_m);
    }
    return 0;
}

/* Spreads a vent anew: begins with the cells that it had before all rounds, and adds cells around them until they are as
 * many as crowd_m requires. *grew becomes true if the vent has more cells than before. */
static int spread_site(struct vent_sites *sites, int i, struct spread *s, double radius_cells,
                       const struct vent_ground *ground, bool *grew, struct error *e)
{
    struct vent_site *site = &sites->site[i];
    const int before = site->count;
    const double need = floor((double)before * s->crowd_m / EMISSION_MUCH_M * MORE) + 1;
    if (s->crowd_m * MORE < EMISSION_MUCH_M) return 0;
    memcpy(site->cell, s->cell, (size_t)s->own * sizeof *s->cell);
    site->count = s->own;
    int status =
        vent_site_spread(sites, site, (int64_t)fmin(need, VENT_CELLS_MAX), radius_cells, ground, e);
    *grew = *grew || site->count > before;
    return status;
}

/* Spreads vents over cells, in rounds. After a round vents may share cells. A shared cell gets lava from each of its
 * vents, so the next round spreads these vents over more cells. */
int emission_spread(struct vent_sites *sites, const struct emission_input *in, double radius_m,
                    const struct vent_ground *ground, struct error *e)
{
    const int count = sites->count;
    struct spread *s = calloc((size_t)count + 1, sizeof *s);
    int status = s ? 0 : error_memory(e);
    bool grew = true;
    for (int i = 0; i < count && !status; i++) status = spread_begin(&s[i], in, i, e);
    while (grew && !status) {
        grew = false;
        status = find_crowds(s, sites, e);
        for (int i = 0; i < count && !status; i++)
            status = spread_site(sites, i, &s[i], radius_m / in->params->cell_m, ground, &grew, e);
        if (!status) status = vent_sites_finish(sites, e);
    }
    spread_free(&s, count);
    return status;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks, rate by rate, how much a step emits into each cell of a vent. */
static int check_rates(const struct emission_input *in, int site, const struct share *s,
                       struct error *e)
{
    const struct params *p = in->params;
    const double most_m = in->rule == EMISSION_UNROUNDED ? UNROUNDED_MAX_M : EMISSION_MAX_M;
    const int cells = in->original ? EMISSION_NOT_SHARED : in->sites->site[site].count;
    char remedy[EMISSION_REMEDY];
    for (int i = 0; i < s->list->count; i++) {
        const struct rate *r = &s->list->rate[i];
        const double amount_m = published_amount_m(r->rate_m3_s, (double)s->shares, p);
        if (!(amount_m <= most_m))
            return error_input(e,
                               RATE_AT ": a rate of %g m3/s adds %.4g m of lava to a cell in one "
                                       "step, more than %g; correct the rate, %s",
                               RATE_PLACE(in->rates, r->line), r->rate_m3_s, amount_m, most_m,
                               emission_remedy(remedy, amount_m, most_m, cells, p->clock_s));
        if (in->rule != EMISSION_INTEGRAL && !in->original && r->rate_m3_s > 0 &&
            r->first_step == r->end_step)
            return error_input(e,
                               RATE_AT
                               ": no step of %g s (Pclock) ends in this interval, so the published "
                               "rule would lose its lava; make the interval longer",
                               RATE_PLACE(in->rates, r->line), p->clock_s);
    }
    return 0;
}

/* Refuses rates that belong to no vent. An original case may have them: the published program skips them. */
static int check_lists(const struct emission_input *in, struct error *e)
{
    const struct vent_sites *sites = in->sites;
    for (int i = 0; i < in->rates->count && !in->original; i++) {
        const struct rate_list *list = &in->rates->list[i];
        if (list->id != RATES_OF_ALL &&
            !id_find(sites->site, sites->count, sizeof *sites->site, list->id))
            return error_input(e,
                               RATE_AT ": rates of vent %d, but %s has no such vent; add the vent "
                                       "there, or remove the row",
                               RATE_PLACE(in->rates, list->rate[0].line), list->id, sites->path);
    }
    return 0;
}

/* Checks every vent's rates and counts the cells. */
static int check_sites(const struct emission_input *in, int *cells, struct error *e)
{
    double changes = 0;
    for (int i = 0; i < in->sites->count; i++) {
        const struct vent_site *site = &in->sites->site[i];
        const struct share s = share_of(in, i);
        if (!s.list)
            return error_input(
                e,
                "%s: vent %d of %s has no rates; add rows for it, with rate 0 if it emits nothing",
                in->rates->path, site->id, in->sites->path);
        int status = check_rates(in, i, &s, e);
        if (status) return status;
        *cells += site->count;
        changes += emission_changes(s.list, in->rule) * site->count;
    }
    if (changes <= CHANGES_MAX) return 0;
    return error_input(e,
                       "%s: %.3g rates (intervals times cells of vents) are too many; use fewer "
                       "cells or longer intervals",
                       in->rates->path, changes);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int fill_site(struct vent *vents, int *count, const struct emission_input *in, int i,
                     struct error *e)
{
    const struct vent_site *site = &in->sites->site[i];
    const struct share s = share_of(in, i);
    int status = 0;
    for (int k = 0; k < site->count && !status; k++) {
        struct vent *v = &vents[(*count)++];
        const int64_t turn = s.first_turn + k * s.turns;
        *v = (struct vent){.row = site->cell[k].row, .col = site->cell[k].col, .id = site->id};
        status = k ? emission_fill_next(v, v - 1, s.shares, turn, turn - s.turns, e)
                   : emission_fill(v, s.list, s.shares, turn, in->params, in->rule, e);
    }
    return status;
}

int emission_create(struct vent **vents, int *count, const struct emission_input *in,
                    struct error *e)
{
    int cells = 0, status = check_lists(in, e);
    *vents = NULL;
    *count = 0;
    if (!status) status = check_sites(in, &cells, e);
    if (status || cells == 0) return status;
    if (!(*vents = calloc((size_t)cells, sizeof **vents))) return error_memory(e);
    for (int i = 0; i < in->sites->count && !status; i++)
        status = fill_site(*vents, count, in, i, e);
    if (!status && in->rule != EMISSION_UNROUNDED)
        status = emission_check_peak(*vents, *count, in, e);
    if (status) {
        emission_free(*vents, *count);
        *vents = NULL;
        *count = 0;
    }
    return status;
}

void emission_free(struct vent *vents, int count)
{
    for (int i = 0; i < count; i++) {
        FREE_ALL(vents[i].first_step, vents[i].amount_m, vents[i].fraction, vents[i].phase);
    }
    free(vents);
}

/* ---- volumes --------------------------------------------------------------------------------- */

/* Returns the rate of all cells of a vent together, divided by the rate in the list. This is the number of cells in an
 * original case, and 1 in any other case. Returns 0 if there is no such vent. */
static double cells_of(const struct rate_list *list, const struct vent_sites *sites)
{
    if (list->id == RATES_OF_ALL) return 1;
    const struct vent_site *site =
        id_find(sites->site, sites->count, sizeof *sites->site, list->id);
    return site ? (double)site->count / site->shares : 0;
}

int effusion_create(struct effusion **x, int *count, const struct vent_sites *sites,
                    const struct rate_lists *rates, struct error *e)
{
    size_t all = 0;
    for (int i = 0; i < rates->count; i++) all += (size_t)rates->list[i].count;
    *count = 0;
    if (!(*x = malloc((all + 1) * sizeof **x))) return error_memory(e);
    for (int i = 0; i < rates->count; i++) {
        const struct rate_list *list = &rates->list[i];
        const double cells = cells_of(list, sites);
        for (int k = 0; k < list->count; k++) {
            const struct rate *r = &list->rate[k];
            if (cells * r->rate_m3_s > 0)
                (*x)[(*count)++] = (struct effusion){r->from_s, r->to_s, cells * r->rate_m3_s};
        }
    }
    return 0;
}

double effusion_m3(const struct effusion *x, int count, double from_s, double to_s)
{
    double m3 = 0;
    for (int i = 0; i < count; i++) {
        const double from = fmax(from_s, x[i].from_s), to = fmin(to_s, x[i].to_s);
        if (from < to) m3 += x[i].m3_s * (to - from);
    }
    return m3;
}
