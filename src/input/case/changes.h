/* changes.h — changes of the terrain during an eruption: later surveys, and barriers.
 *
 * A change is made at the end of the step that contains its time. Elevations change; the lava on them stays. Lava that
 * has solidified since the beginning keeps its thickness, so that the volume of all lava stays the same. Separate sums
 * count how the ground changes. A cell without data stays without data. A cell for which the change has no data keeps
 * its elevation. */
#pragma once

#include "case.h"
#include "case_tiles.h"
#include "settings.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/held.h"

struct change {
    double time_s; /* since the start of the eruption */
    char *path;    /* file of the survey or of the barriers; owned */
    /* A survey */
    bool with_lava;          /* the survey includes solidified lava */
    double *elevation_m;     /* rows*cols, on the lattice; NaN: the elevation stays; owned */
    char vertical[128];      /* vertical CRS of the survey; empty: not declared */
    bool shifted;            /* the line of the case gives shift_m */
    double shift_m;          /* added to the heights of the survey */
    struct case_layer layer; /* the file of the survey, if terrain is read in tiles */
    /* Barriers: elevation_m is NULL */
    size_t rules;
    struct ground_rule *rule; /* owned */
};

/* Rules for cells, in order of place. */
struct ground_rules {
    size_t count;
    struct ground_rule *rule; /* malloc'ed */
};

/* Adds a change by rules. Takes ownership of r->rule, except on an error. */
int changes_add_rules(struct sim_case *c, double time_s, const char *path, struct ground_rules *r,
                      struct error *e);

/* Sorts all changes by time, surveys before barriers of the same step. */
int changes_sort(struct sim_case *c, struct error *e);

/* Reads the surveys of all terrain_update lines of a case. A survey that applies from the first step on changes the
 * terrain of the case at once. */
struct file_progress;
int changes_read(struct sim_case *c, const struct settings *s, const char *dem_path,
                 struct file_progress *progress, struct error *e);

/* Cuts the value of a terrain_update line into its words; false: there are too few. */
bool change_words(char *value, char **time, char **file, char **lava);

/* Frees the members of a change of a case. */
void change_free(const struct sim_case *c, struct change *x);
/* Frees the first `count` changes of a case, and removes them from its list. */
void changes_drop(struct sim_case *c, int count);

/* Replaces the elevations of a window by those of a survey that applies from the first step. */
void change_begin_in(const struct sim_case *c, const struct change *x, struct window w);

/* Returns the step that ends with the change; 0: the change is made before the first step. */
int64_t change_step(const struct change *x, const struct params *p);

/* Returns the first change that is made at the end of step `step` or later; change_count: there are no more. */
int changes_next(const struct sim_case *c, int64_t step);

/* Makes a change in *f, a state of *p. The caller then replaces p->elevation_m by ground[rows*cols]. After an error *f
 * and `ground` have no meaning (sim/ground.h). */
int change_make(const struct change *x, struct fields *f, const struct problem *p, double *ground,
                struct error *e);

/* Makes a change in the simulation *h between two steps. *h resumes on the new terrain, which is written to
 * ground[rows*cols] and becomes the elevations of *p. Before the call, the whole terrain of *p has to be read. *sums:
 * the sums of all changes so far, to which this change is added. `ground` has to live as long as *h, also after an
 * error. */
int change_held(const struct change *x, struct held *h, struct problem *p, double *ground,
                struct ground_sums *sums, struct error *e);

/* If the case has later surveys, reads all tiles of the terrain, and the surveys with them. */
int changes_read_surveys(const struct sim_case *c, struct error *e);

/* Returns the digest of all changes of a case, for its identity; 0: the case has none. All surveys have to be read. */
uint64_t changes_digest(const struct sim_case *c);
