/* moved.h — finds fronts that would agree better with the members elsewhere. Members show where lava of this eruption
 * may be. So a map in a wrong CRS, or of another eruption, is often more likely 100 m away. This needs no runs, and
 * only a sample of the members, so a large library takes no longer than a small one. */
#pragma once

#include "sights.h"

/* Moves of 100 to 300 m in 8 directions; largest sample of members. */
enum { MOVES = 24, MOVED_SAMPLE = 400 };

struct moved {
    const struct sights *sights;
    int fronts;
    int64_t members, sample;
    /* As sight_of_member.gain: for each member of the sample, front and move (the last: no move). */
    int64_t *gain;
};

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e);
void moved_free(struct moved *m); /* all-zero is fine */

/* Adds cells of a member, as sights_look() does. */
void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count);

/* Warns of each front that is 20 times more likely elsewhere. `before`: weights of members. */
void moved_warn(const struct moved *m, const uint64_t *before, struct warnings *told);
