/* emission.c — vents and rates become tables of steps (problem.h), and volumes. */
#include "emission.h"

#include <math.h>
#include <stdlib.h>

enum { CHANGES_MAX = 1 << 24 }; /* of all vents together: 512 MiB */
#define UNROUNDED_MAX_M 500.0   /* in published arithmetic, which has no limit of its own */

/* The rates of a vent, by how many cells they are shared, and the turns of the cells: a total goes
 * from vent to vent, and in each from cell to cell. */
struct share {
    const struct rate_list *list; /* NULL: it has none */
    int64_t shares;
    int64_t first_turn, turns; /* of cell k: first_turn + k * turns */
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

/* ---- checks ---------------------------------------------------------------------------------- */

/* What the steps emit into each cell of a vent, rate by rate. */
static int check_rates(const struct emission_input *in, int site, const struct share *s,
                       struct error *e)
{
    const struct params *p = in->params;
    const double most_m = in->rule == EMISSION_UNROUNDED ? UNROUNDED_MAX_M : EMISSION_MAX_M;
    const int cells = in->original ? EMISSION_NOT_SHARED : in->sites->site[site].count;
    char remedy[EMISSION_REMEDY];
    for (int i = 0; i < s->list->count; i++) {
        const struct rate *r = &s->list->rate[i];
        const double amount_m = emission_amount_m(r->rate_m3_s, (double)s->shares, p);
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

/* In an original case the programs pass over such rates. */
static int check_lists(const struct emission_input *in, struct error *e)
{
    const struct vent_sites *sites = in->sites;
    for (int i = 0; i < in->rates->count && !in->original; i++) {
        const struct rate_list *list = &in->rates->list[i];
        if (list->id != RATES_OF_ALL &&
            !id_find(sites->site, sites->count, sizeof *sites->site, list->id))
            return error_input(
                e,
                RATE_AT
                ": rates of vent %d, which %s does not have; add it there or remove the row",
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
    return error_input(
        e,
        "%s: %.3g rates (intervals times cells of vents) are too many; use fewer cells or "
        "longer intervals",
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
        free(vents[i].first_step);
        free(vents[i].amount_m);
        free(vents[i].fraction);
        free(vents[i].phase);
    }
    free(vents);
}

/* ---- volumes --------------------------------------------------------------------------------- */

/* The number of cells in which all of a list's rate comes out: cells of an original case do not
 * share. */
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
