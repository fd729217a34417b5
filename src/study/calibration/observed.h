/* observed.h — what was observed of an eruption, and how well a simulated one agrees with it.
 *
 * A run is judged by its contribution to an ensemble: the reached cells, their arrivals and their thickness
 * at the end; so processors and devices are judged alike.
 * Every score is from 0 to 1, 1 for perfect agreement:
 *
 *     outline    J = both / either, or F1, precision or recall, of the cells that lava came to by
 *                that time (in the end)
 *     volume     the smaller of observed and simulated over the larger; simulated is what was
 *                emitted less what left the terrain
 *     run-out    the smaller over the larger, of the distances of the farthest cell that lava came to
 *                by that time from the nearest vent of the case
 *
 * or 1 / (1 + error / scale) of an error, which is reported as well:
 *
 *     outline    the distance of the outlines (compare/outline.h): mean, or what 95 % keep; or the
 *                mean time by which cells are too late, inside, or too early, outside
 *     thickness  mean absolute error, over the cells with lava, observed or simulated, where the
 *                raster has data; simulated is the thickness at the end of the run
 *     arrivals   mean absolute error, over the cells with a time; where lava did not come in time
 *                for the end of the runs, it comes then
 *
 * An observation counts for what the search sees, for what it does not see (hold_out), or, where a
 * line divides it, for both. Sums are of whole numbers: cells may come in any order. */
#pragma once

#include "members/ensemble.h"
#include "keys.h"

enum part { PART_SEEN, PART_HELD, PARTS };
enum { OBSERVATIONS_MAX = OBSERVED_MAX + 1 };

struct observation {
    struct observed_key key;
    char name[64];         /* "outline", "outline at 17 h": for tables */
    int score;             /* enum score_kind, for an outline */
    const char *unit;      /* the unit of its error, "m" or "h"; NULL: it has none */
    double scale;          /* the error that scores one half */
    bool counts[PARTS];    /* the parts for which it counts */
    unsigned char *inside; /* of an outline, rows * cols */
    struct window box;     /* the window of its cells */
    int64_t *value; /* of thickness in 1/1024 m, of arrivals in ms, rows * cols; < 0: unknown */
    uint64_t cells[PARTS]; /* cells inside, cells with lava, or cells with a time */
    double apart_m; /* median thickness where there is no lava, if it is to be noted; else 0 */
    int64_t missed[PARTS]; /* sum of the errors of a run without lava */
    int last_class;        /* the last class of arrival that is not too late */
};

struct observations {
    int count, score; /* enum score_kind, of outlines */
    struct observation item[OBSERVATIONS_MAX];
    int rows, cols;
    double cell_m;
    unsigned char *held;   /* rows * cols, 1 where the search sees nothing; NULL: it sees all */
    double *distance_m;    /* rows * cols, from the nearest vent; NULL: not needed */
    bool any[PARTS];       /* whether anything counts for a part */
    bool arrivals;         /* whether errors of time are asked for */
    int64_t after_ms;      /* arrivals later than that are held out; INT64_MAX: none */
    int64_t end_ms;        /* the end of the runs, or twice the latest time that was observed */
    double arrival_step_s; /* classes of arrival for these observations: their length and number */
    int arrival_steps;
    const struct axis *arrival_s; /* borrowed */
};

/* How a run agrees with each observation, and with all by their weights (`all`); NaN: an observation does not count. `error`:
 * of each observation that has an error; INFINITY: there is no lava, or no outline. `joint`, of the first eruption: the score
 * over all eruptions by their weights. */
struct agreement {
    double of[OBSERVATIONS_MAX][PARTS], error[OBSERVATIONS_MAX][PARTS], all[PARTS], joint[PARTS];
};

/* Whether a cell of an observation counts for PART_SEEN or for PART_HELD. */
static inline int observed_part(const struct observations *o, const struct observation *x,
                                size_t place)
{
    if (o->held) return o->held[place];
    if (x->key.kind == OBSERVED_ARRIVALS && x->value[place] > o->after_ms) return PART_HELD;
    return x->counts[PART_HELD] && !x->counts[PART_SEEN] ? PART_HELD : PART_SEEN;
}

static inline int64_t observed_ms(double time_s)
{
    return (int64_t)(time_s * 1000 + 0.5);
}

/* Reads the cells or values in that file, as x->key.kind says; the caller frees them. */
int observation_read(struct observation *x, const char *path, const struct sim_case *c,
                     struct error *e);

/* Notes in the case if its thickness is not 0 where there is no lava. */
void observation_note_shift(const struct observation *x, const char *path, struct sim_case *c);

/* Warns of the parts of outlines that lie outside the terrain. */
int observations_warn_outlines(struct plan *p, const struct calibration_keys *k, struct error *e);

/* `c` is the case as it stands, with its vents; h: what is held out, NULL: nothing. */
int observations_create(struct observations *o, const struct calibration_keys *k,
                        const struct sim_case *c, const struct hold_out_key *h, struct error *e);

/* The outline in the end; NULL: there is none. */
const unsigned char *observations_outline(const struct observations *o);

/* Warns in the case of a plan of what was probably meant otherwise: zeros for no data. */
int observations_warn(const struct observations *o, struct sim_case *c, struct error *e);

void observations_free(struct observations *o); /* all-zero is fine */

/* Adds these numbers to `hash`; `what` tells what they are. */
uint64_t observations_hash(uint64_t hash, const double *number, int count, int what);

/* Adds all observations to `hash`, as they lie on the grid, with the values in their lines. */
uint64_t observations_digest(const struct observations *o, uint64_t hash);

/* Lists the times at which classes of arrival have to end, increasing, each once; returns how
 * many. */
int observations_times(const struct observations *o, double time_s[OBSERVATIONS_MAX]);

/* Asks for these times, and for fine classes if o->arrivals is set; *w borrows time_s. */
void observations_request(const struct observations *o, struct statistics_request *w,
                          double time_s[OBSERVATIONS_MAX]);

/* Takes the axis of arrivals, which has the classes of observations_request(); it is used as long as runs are judged.
 * */
void observations_use_axis(struct observations *o, const struct axis *arrival_s);

/* The scores of all together, by their weights. */
void observations_weigh(const struct observations *o, struct agreement *a);

/* Judges a run by all observations; without any there is nothing to judge. */
int observations_judge(const struct observations *o, const struct contribution *one,
                       struct agreement *a, struct error *e);
