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
        if (!more) return error_failed(e, "%s: out of memory", r->path);
        r->list = more;
        memmove(&more[at + 1], &more[at], (size_t)(r->count++ - at) * sizeof *more);
        more[at] = (struct rate_list){.id = id, .place = r->count - 1};
    }
    *list = &r->list[at];
    return 0;
}

int rate_list_add(const struct rate_lists *r, struct rate_list *list, const struct rate *rate,
                  struct error *e)
{
    struct rate *more = grow(list->rate, list->count, sizeof *more);
    if (!more) return error_failed(e, "%s: out of memory", r->path);
    list->rate = more;
    more[list->count++] = *rate;
    return 0;
}

void rates_free(struct rate_lists *r)
{
    for (int i = 0; i < r->count; i++) free(r->list[i].rate);
    free(r->list);
    *r = (struct rate_lists){0};
}
