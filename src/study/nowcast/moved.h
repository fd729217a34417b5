/* moved.h — finds fronts that agree better with the members if the front is moved by 100 to 300 m. Such a front may
 * be from a map in a wrong CRS, or of another eruption. The search needs no runs and only a sample of the members,
 * so it takes no longer for a large library. */
#pragma once

#include "sights.h"

/* Moves of 100 to 300 m in 8 directions; largest sample of members. */
enum { MOVES = 24, MOVED_SAMPLE = 400 };

struct moved {
    const struct sights *sights;
    int fronts;
    int64_t members, sample;
    /* The log-likelihood of a moved front in 1 / SIGHTS_UNIT, for each member of the sample, front and move. The
     * last move leaves the front where it is. */
    int64_t *gain;
};

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e);
void moved_free(struct moved *m); /* all-zero is fine */

/* Adds at most BLOCK_CELLS cells of a member. */
void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count);

/* Warns of each front that is 20 times more likely after a move. `before`: weights of the members in the plan. */
void moved_warn(const struct moved *m, const uint64_t *before, struct warnings *told);
