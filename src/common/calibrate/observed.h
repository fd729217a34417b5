/* observed.h — what was observed of an eruption, and how well a simulated one agrees with it.
 *
 * A run is judged by what an ensemble is shown of it (struct contribution): the cells that lava
 * came to, and when; so processors and devices are judged alike. Every score is from 0 to 1, 1 for
 * perfect agreement:
 *
 *     outline   J = both / either, or F1, precision or recall, of the cells that lava came to by
 *               that time (in the end)
 *     volume    the smaller of observed and simulated over the larger; simulated is what was
 *               emitted less what left the terrain
 *     run-out   the same of the distance from the nearest vent, as the case has them, of the
 *               farthest cell that lava came to by that time
 *
 * An observation counts for what the search sees, for what it does not see (hold_out), or, as an
 * outline that a line divides, for both. */
#ifndef SCIARA_CALIBRATE_OBSERVED_H
#define SCIARA_CALIBRATE_OBSERVED_H

#include "ensemble/ensemble.h"
#include "keys.h"

enum part { PART_SEEN, PART_HELD, PARTS };
enum { OBSERVATIONS_MAX = OBSERVED_MAX + 1 };

struct observation {
    struct observed_key key;
    char name[48];         /* "outline", "outline at 17 h": for tables */
    bool counts[PARTS];    /* for what it counts */
    unsigned char *inside; /* of an outline, rows * cols */
    uint64_t cells[PARTS]; /* of that, inside */
    int last_class;        /* the last class of arrival that is not too late */
};

struct observations {
    int count, score; /* enum score_kind, of outlines */
    struct observation item[OBSERVATIONS_MAX];
    unsigned char *held; /* rows * cols, 1 where the search sees nothing; NULL: it sees all */
    double *distance_m;  /* rows * cols, from the nearest vent; NULL: not needed */
};

/* How a run agrees with each, and with all by their weights; NaN where it does not count. */
struct agreement {
    double of[OBSERVATIONS_MAX][PARTS], all[PARTS];
};

/* Warns of what of the outlines lies outside the terrain. */
int observations_look(struct plan *p, const struct calibration_keys *k, struct error *e);

/* `c` is the case as it stands, with its vents; hold_out: whether that key counts. */
int observations_create(struct observations *o, const struct calibration_keys *k,
                        const struct sim_case *c, bool hold_out, struct error *e);
void observations_free(struct observations *o); /* all-zero is fine */

/* Of `hash` and all outlines as they lie on the grid. */
uint64_t observations_digest(const struct observations *o, const struct sim_case *c, uint64_t hash);

/* Their times, increasing, each once; how many. */
int observations_times(const struct observations *o, double time_s[OBSERVATIONS_MAX]);

/* Arrivals are counted in the classes of that axis, which has all times as edges. */
void observations_use_axis(struct observations *o, const struct axis *arrival_s);

void observations_judge(const struct observations *o, const struct contribution *c,
                        struct agreement *a);

#endif
