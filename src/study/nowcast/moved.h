/* moved.h — whether a front fits the members better where it is not. Members know where lava of this eruption may be: a
 * map in another CRS, or of another eruption, is likelier some 100 m away. No member is computed for it. */
#pragma once

#include "sights.h"

enum { MOVES = 24 }; /* 100, 200 and 300 m in eight directions */

struct moved {
    const struct sights *sights;
    int fronts;
    int64_t *gain; /* (member * fronts + front) * MOVES + move, as of struct sight_of_member */
};

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e);
void moved_free(struct moved *m); /* all-zero is fine */

/* Adds cells of a member, as sights_look() does. */
void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count);

/* A warning for each front that is 20 times likelier elsewhere, by members that weigh `before` and mine[] of all sights. */
void moved_warn(const struct moved *m, const struct sight_of_member *mine, const uint64_t *before,
                int64_t members, struct warnings *told);
