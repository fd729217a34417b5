#include "placement.h"

#include <limits.h>
#include <string.h>

/* Processes before this one that have the device. */
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
