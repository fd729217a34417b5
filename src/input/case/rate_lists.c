#include "rate_lists.h"

#include "text/grow.h"
#include "vent_sites.h"

#include <string.h>

int rate_lists_get(struct rate_list **list, struct rate_lists *r, int id, struct error *e)
{
    int at = id_position(r->list, r->count, sizeof *r->list, id);
    if (at == r->count || r->list[at].id != id) {
        if (r->count == VENTS_MAX)
            return error_input(
                e, "%s: rates of more than %d vents; join neighbouring ones to fissures", r->path,
                VENTS_MAX);
        struct rate_list *more = grow(r->list, r->count, sizeof *more);
        if (!more) return error_memory(e);
        r->list = more;
        memmove(&more[at + 1], &more[at], (size_t)(r->count++ - at) * sizeof *more);
        more[at] = (struct rate_list){.id = id, .place = r->count - 1};
    }
    *list = &r->list[at];
    return 0;
}

int rate_list_add(struct rate_list *list, const struct rate *rate, struct error *e)
{
    struct rate *more = grow(list->rate, list->count, sizeof *more);
    if (!more) return error_memory(e);
    list->rate = more;
    more[list->count++] = *rate;
    return 0;
}

/* What is wrong with an interval after those of the list, NULL: nothing. */
static const char *fault_of(const struct rate_lists *r, const struct rate_list *list, double from_s,
                            double to_s, double rate_m3_s, double clock_s)
{
    if (rate_m3_s < 0) return "the rate is negative; give 0 or more m3/s";
    if (from_s < 0) return "the time is negative; count from the start of the eruption";
    if (to_s <= from_s) return "the end is not after the start; swap or correct them";
    if (to_s > 1e12 || to_s / clock_s > 1e15) return "the end is too far away; give an earlier one";
    if (!list->count || from_s >= list->end_s) return NULL;
    return r->array ? "overlaps with another interval of this vent; cut one of them"
                    : "begins before the row above for this vent ends; put the rows of a vent in "
                      "order of time, without overlap";
}

int rate_list_add_interval(const struct rate_lists *r, struct rate_list *list, double from_s,
                           double to_s, double rate_m3_s, double clock_s, int line, struct error *e)
{
    const char *fault = fault_of(r, list, from_s, to_s, rate_m3_s, clock_s);
    if (fault) return error_input(e, RATE_AT ": %s", RATE_PLACE(r, line), fault);
    const struct rate rate = {.from_s = from_s,
                              .to_s = to_s,
                              .first_step = rates_first_step(from_s, 1, clock_s),
                              .end_step = rates_first_step(to_s, 1, clock_s),
                              .rate_m3_s = rate_m3_s,
                              .line = line};
    list->end_s = to_s;
    return rate_list_add(list, &rate, e);
}

/* Rates of all together and of single vents do not go together: which of them would a total be of?
 */
int rate_lists_check(const struct rate_lists *r, struct error *e)
{
    if (r->count == 0)
        return error_input(e, "%s: has no rate; add a row for each interval", r->path);
    if (r->count == 1 || r->list[0].id != RATES_OF_ALL) return 0;
    return error_input(e,
                       RATE_AT
                       ": rates of all vents (*) stand beside rates of single vents; use one of "
                       "the two ways",
                       RATE_PLACE(r, r->list[0].rate[0].line));
}

void rates_free(struct rate_lists *r)
{
    for (int i = 0; i < r->count; i++) free(r->list[i].rate);
    free(r->list);
    *r = (struct rate_lists){0};
}
