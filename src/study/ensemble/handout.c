#include "handout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int handout_create(struct handout *h, const struct ensemble *s, int processes, struct error *e)
{
    const struct ensemble_source *source = s->source;
    *h = (struct handout){.processes = processes};
    int status = engine_order(s, &h->number, &h->count, e);
    if (!status) {
        h->left = calloc((size_t)h->count + 1, sizeof *h->left);
        h->at_once = calloc((size_t)processes, sizeof *h->at_once);
        if (!h->left || !h->at_once) status = error_memory(e);
    }
    for (int64_t i = h->count; !status && i-- > 0;) {
        const double cost =
            source->cost ? source->cost(source->of, source->first + h->number[i]) : 1;
        h->left[i] = h->left[i + 1] + (cost > 0 ? cost : 0);
    }
    if (status) handout_free(h);
    return status;
}

void handout_free(struct handout *h)
{
    RELEASE(h, h->number, h->left, h->at_once);
}

/* All processes together compute a number of members at once. Returns the share of one process in
 * this number. A process that has not asked yet counts like the process with the largest number. */
static double share_of(const struct handout *h, int process)
{
    double all = 0;
    int most = 1;
    for (int i = 0; i < h->processes; i++)
        if (h->at_once[i] > most) most = h->at_once[i];
    for (int i = 0; i < h->processes; i++) all += h->at_once[i] ? h->at_once[i] : most;
    return h->at_once[process] / all;
}

int handout_next(struct handout *h, int process, int64_t *number, int at_once, int least, int most)
{
    h->at_once[process] = at_once;
    const double until = h->left[h->next] * (1 - share_of(h, process) / 3);
    int count = 0;
    while (count < most && h->next < h->count && (count < least || h->left[h->next] > until))
        number[count++] = h->number[h->next++];
    return count;
}

/* Counts the processes before `process` that have the device `id`. */
static int owners(const int *place, const struct placement_view *view, int process, const char *id)
{
    int count = 0;
    for (int i = 0; i < process; i++) count += place[i] >= 0 && !strcmp(view[i].id[place[i]], id);
    return count;
}

bool placement_choose(int *place, const struct placement_view *view, int processes, bool share,
                      int *without)
{
    for (int i = 0; i < processes; i++) {
        int least = INT_MAX;
        place[i] = -1;
        for (int d = 0; d < view[i].count; d++) {
            const int count = owners(place, view, i, view[i].id[d]);
            if (count >= least) continue;
            least = count;
            place[i] = d;
        }
        if (place[i] < 0 || !least || share) continue;
        *without = i;
        return false;
    }
    return true;
}
