/* case_emission.c — vents and rates become tables of steps (problem.h). */
#include "rates.h"

#include "model/lattice.h"
#include "rate_lists.h"
#include "vent_sites.h"

#include <stdlib.h>

enum { CHANGES_MAX = 1 << 24 }; /* of all vents together: 256 MiB */
#define AMOUNT_MAX_M 500.0

/* The order of the operands is that of the published program. Sharing comes first: exact for one.
 */
static double amount_of(double rate_m3_s, double shares, const struct params *p)
{
    return rate_m3_s / shares / (p->cell_m * p->cell_m) * p->clock_s;
}

static int check_amounts(const struct rate_lists *rates, const struct rate_list *list,
                         double shares, const struct params *p, struct error *e)
{
    for (int i = 0; i < list->count; i++) {
        double amount_m = amount_of(list->rate[i].rate_m3_s, shares, p);
        if (!(amount_m <= AMOUNT_MAX_M))
            return error_input(e,
                               RATE_AT
                               ": a rate of %g m3/s puts %.4g m of lava into a cell in one step, "
                               "more than %g; correct the rate or shorten Pclock",
                               RATE_PLACE(rates, list->rate[i].line), list->rate[i].rate_m3_s,
                               amount_m, AMOUNT_MAX_M);
    }
    return 0;
}

/* From `step` on the vent emits `amount_m`; what changes nothing is skipped, so that a table does
 * not depend on how the user cut up the time. */
static void change(struct vent *v, int64_t step, double amount_m)
{
    int n = v->interval_count;
    if (n && v->first_step[n - 1] == step) n = --v->interval_count;
    if (amount_m == (n ? v->amount_m[n - 1] : 0)) return;
    v->first_step[n] = step;
    v->amount_m[n] = amount_m;
    v->interval_count++;
}

static int fill(struct vent *v, const struct rate_list *list, double shares, const struct params *p,
                bool rounded, struct error *e)
{
    size_t room = 2 * (size_t)list->count + 1;
    v->first_step = malloc(room * sizeof *v->first_step);
    v->amount_m = malloc(room * sizeof *v->amount_m);
    if (!v->first_step || !v->amount_m) return error_failed(e, "out of memory for the rates");
    for (int i = 0; i < list->count; i++) {
        const struct rate *r = &list->rate[i];
        if (r->first_step == r->end_step) continue;
        double amount_m = amount_of(r->rate_m3_s, shares, p);
        change(v, r->first_step, rounded ? lattice_round(amount_m) : amount_m);
        change(v, r->end_step, 0);
    }
    return 0;
}

/* The rates of a vent, and by how many cells they are shared. */
static const struct rate_list *list_of(const struct vent_site *site, const struct vent_sites *sites,
                                       const struct rate_lists *rates, double *shares)
{
    *shares = site->shares;
    if (rates->count && rates->list[0].id == RATES_OF_ALL) {
        *shares *= sites->count;
        return &rates->list[0];
    }
    int at = id_position(rates->list, rates->count, sizeof *rates->list, site->id);
    return at < rates->count && rates->list[at].id == site->id ? &rates->list[at] : NULL;
}

static int check_strict(const struct vent_sites *sites, const struct rate_lists *rates,
                        struct error *e)
{
    for (int i = 0; i < rates->count; i++) {
        const struct rate_list *list = &rates->list[i];
        int at = id_position(sites->site, sites->count, sizeof *sites->site, list->id);
        if (list->id != RATES_OF_ALL && (at == sites->count || sites->site[at].id != list->id))
            return error_input(e,
                               RATE_AT
                               ": rates of vent %d, which %s does not have; add it there or take "
                               "the row out",
                               RATE_PLACE(rates, list->rate[0].line), list->id, sites->path);
    }
    return 0;
}

/* Checks every vent's rates and counts the cells. */
static int check_sites(const struct vent_sites *sites, const struct rate_lists *rates,
                       const struct params *p, int *cells, struct error *e)
{
    double changes = 0;
    *cells = 0;
    for (int i = 0; i < sites->count; i++) {
        double shares;
        const struct vent_site *site = &sites->site[i];
        const struct rate_list *list = list_of(site, sites, rates, &shares);
        if (!list)
            return error_input(e,
                               "%s: vent %d of %s has no rates; add rows for it, with rate 0 if it "
                               "emits nothing",
                               rates->path, site->id, sites->path);
        int status = check_amounts(rates, list, shares, p, e);
        if (status) return status;
        *cells += site->count;
        changes += (2.0 * list->count + 1) * site->count;
    }
    if (changes <= CHANGES_MAX) return 0;
    return error_input(e,
                       "%s: %.3g rates of cells are too many; use fewer cells or longer intervals",
                       rates->path, changes);
}

int emission_create(struct vent **vents, int *count, const struct vent_sites *sites,
                    const struct rate_lists *rates, const struct params *p, bool strict,
                    bool rounded, struct error *e)
{
    int cells = 0, status = strict ? check_strict(sites, rates, e) : 0;
    *vents = NULL;
    *count = 0;
    if (!status) status = check_sites(sites, rates, p, &cells, e);
    if (status || cells == 0) return status;
    struct vent *v = *vents = calloc((size_t)cells, sizeof *v);
    if (!v) return error_failed(e, "out of memory for the vents");
    for (int i = 0; i < sites->count && !status; i++) {
        double shares;
        const struct vent_site *site = &sites->site[i];
        const struct rate_list *list = list_of(site, sites, rates, &shares);
        for (int k = 0; k < site->count && !status; k++) {
            struct vent *one = &v[(*count)++];
            *one =
                (struct vent){.row = site->cell[k].row, .col = site->cell[k].col, .id = site->id};
            status = fill(one, list, shares, p, rounded, e);
        }
    }
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
    }
    free(vents);
}
