/* moved.h — finds fronts that would fit the members better elsewhere. Members know where lava of this eruption may be: a map
 * in a wrong CRS, or of another eruption, is likelier some 100 m away. No member is computed for this, and only a sample of
 * them is looked at, so that a large library costs no more than a small one. */
#pragma once

#include "sights.h"

enum { MOVES = 24, MOVED_SAMPLE = 400 }; /* 100 to 300 m in 8 directions; members at most */

struct moved {
    const struct sights *sights;
    int fronts;
    int64_t members, sample;
    int64_t *gain; /* as in sight_of_member, by member of the sample, front, and move or none */
};

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e);
void moved_free(struct moved *m); /* all-zero is fine */

/* Adds cells of a member, as sights_look() does. */
void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count);

/* Warns of each front that is 20 times likelier elsewhere, by members that weigh `before`. */
void moved_warn(const struct moved *m, const uint64_t *before, struct warnings *told);
