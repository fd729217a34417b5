/* observed.h — the observations of an eruption, and the scores of runs against them (docs/model.md, section 6).
 *
 * A run is judged by its contribution to an ensemble: the reached cells, their arrivals and their thickness at the
 * end. Every score is from 0 to 1, with 1 for perfect agreement. An observation counts for PART_SEEN, which the search
 * sees, or for PART_HELD, which is held out. An observation that a line divides counts for both parts. Sums are
 * whole numbers, so the order of cells does not matter. */
#pragma once

#include "members/ensemble.h"
#include "keys.h"

enum part { PART_SEEN, PART_HELD, PARTS };
enum { OBSERVATIONS_MAX = OBSERVED_MAX + 1 };

struct observation {
    struct observed_key key;
    char name[64];         /* "outline", "outline_17h": for tables */
    int score;             /* enum score_kind, for an outline */
    const char *unit;      /* the unit of its error, "m" or "h"; NULL: there is no error */
    double scale;          /* the error at which the score is one half */
    bool counts[PARTS];    /* the parts for which this observation counts */
    unsigned char *inside; /* cells of an outline, rows * cols, nonzero inside */
    struct window box;     /* the window of its cells with lava */
    int64_t *value;        /* thickness in 1/1024 m, or arrival in ms, rows * cols; < 0: unknown */
    uint64_t cells[PARTS]; /* number of cells with observed lava */
    double apart_m; /* median thickness outside the lava, if a note has to report it; else 0 */
    int64_t missed[PARTS]; /* sum of the errors that a run without lava has */
    int last_class;        /* the last class of arrival that ends by key.time_s */
};

struct observations {
    int count, score; /* score: enum score_kind, for outlines */
    struct observation item[OBSERVATIONS_MAX];
    int rows, cols;
    double cell_m;
    unsigned char *held; /* rows * cols, 1: held out; NULL: no line divides the terrain */
    double *distance_m;  /* rows * cols, from the nearest vent; NULL: not needed */
    bool any[PARTS];     /* whether any observation counts for a part */
    bool arrivals;       /* whether any observation has an error in hours */
    int64_t after_ms;    /* later arrivals are held out; INT64_MAX: none */
    int64_t end_ms; /* end of the runs; if the case has no end, twice the latest observed time */
    double arrival_step_s;        /* length of a class of arrival */
    int arrival_steps;            /* number of classes */
    const struct axis *arrival_s; /* borrowed */
};

/* The agreement of a run with observations. of: score of each observation; NaN: it does not count. error: error of
 * each observation with a unit; INFINITY: there is no lava, or no outline. all: weighted mean of the scores. joint:
 * weighted mean over all eruptions, set only for the first eruption. */
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

/* Reads the file `path`: cells or values, depending on x->key.kind. The caller frees them. */
int observation_read(struct observation *x, const char *path, const struct sim_case *c,
                     struct error *e);

/* Adds a note to the case if the observed thickness is not 0 outside the lava. */
void observation_note_shift(const struct observation *x, const char *path, struct sim_case *c);

/* Warns of parts of outlines that are outside the terrain. */
int observations_warn_outlines(struct plan *p, const struct calibration_keys *k, struct error *e);

/* Reads all observations of an eruption. c: the case as it stands, with its vents; h: what is held out, or NULL. */
int observations_create(struct observations *o, const struct calibration_keys *k,
                        const struct sim_case *c, const struct hold_out_key *h, struct error *e);

/* The final outline; NULL: there is none. */
const unsigned char *observations_outline(const struct observations *o);

/* Adds warnings to the case of a plan about probable mistakes, such as zeros for no data. */
int observations_warn(const struct observations *o, struct sim_case *c, struct error *e);

void observations_free(struct observations *o); /* all-zero is fine */

/* Adds numbers to `hash`. `what` identifies their meaning. */
uint64_t observations_hash(uint64_t hash, const double *number, int count, int what);

/* Adds all observations to `hash`: their cells on the grid, and the values in their lines of the plan. */
uint64_t observations_digest(const struct observations *o, uint64_t hash);

/* Lists the times at which classes of arrival have to end, in increasing order and each once. Returns their number. */
int observations_times(const struct observations *o, double time_s[OBSERVATIONS_MAX]);

/* Asks in *w for the times of observations_times(), and for fine classes if o->arrivals is set. *w borrows time_s. */
void observations_request(const struct observations *o, struct statistics_request *w,
                          double time_s[OBSERVATIONS_MAX]);

/* Sets the axis of arrivals. It must have the classes of observations_request(), and exist while runs are judged. */
void observations_use_axis(struct observations *o, const struct axis *arrival_s);

/* Sets a->all to the weighted means of the scores of all observations. */
void observations_weigh(const struct observations *o, struct agreement *a);

/* Judges a run by all observations, and sets all of *a except `joint`. */
int observations_judge(const struct observations *o, const struct contribution *one,
                       struct agreement *a, struct error *e);
