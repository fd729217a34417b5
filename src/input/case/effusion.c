/* effusion.c — the volume that rates ask for, whatever the steps make of it. */
#include "emission.h"

#include "vent_sites.h"

#include <math.h>
#include <stdlib.h>

/* In how many cells all of a list's rate comes out: cells of an original case do not share. */
static double cells_of(const struct rate_list *list, const struct vent_sites *sites)
{
    if (list->id == RATES_OF_ALL) return 1;
    int at = id_position(sites->site, sites->count, sizeof *sites->site, list->id);
    if (at == sites->count || sites->site[at].id != list->id) return 0;
    return (double)sites->site[at].count / sites->site[at].shares;
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
