/* moved.h — whether a front fits the members better where it is not. Members know where lava of this eruption may be: a
 * map in another CRS, or of another eruption, is likelier some 100 m away. No member is computed for it, and a sample of
 * those that there are is looked at, so that a large library costs no more than a small one. */
#pragma once

#include "sights.h"

enum {
    MOVES = 24,
    MOVED_SAMPLE = 400
}; /* the largest sample; moves of 100, 200 and 300 m in eight directions */

struct moved {
    const struct sights *sights;
    int fronts;
    int64_t members, sample;
    int64_t *gain; /* of a member of the sample, for a front, by move and without one; as in struct
               * sight_of_member */
};

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e);
void moved_free(struct moved *m); /* all-zero is fine */

/* Adds cells of a member, as sights_look() does. */
void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count);

/* A warning for each front that is 20 times likelier elsewhere, by members that weigh `before`. */
void moved_warn(const struct moved *m, const uint64_t *before, struct warnings *told);
