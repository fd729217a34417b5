/* changes.h — changes of the terrain during an eruption: later surveys, and barriers.
 *
 * A change is made in the whole state, at the end of the step that contains its time: elevations change, the lava on
 * them stays. Lava that has solidified since the beginning keeps its thickness, so that the ledger of lava closes;
 * separate sums count how the ground beneath it changes. Cells without data stay without data; cells for which a
 * change has no data keep theirs. */
#pragma once

#include "case.h"
#include "case_tiles.h"
#include "settings.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/held.h"

struct change {
    double time_s; /* since the start of the eruption */
    char *path;    /* of the survey, or of the barriers; owned */
    /* A survey */
    bool with_lava;          /* the survey includes solidified lava */
    double *elevation_m;     /* rows*cols, on the lattice, NaN: stays as it is; owned */
    char vertical[128];      /* the CRS of its heights; empty: not declared */
    bool shifted;            /* the line gives shift_m */
    double shift_m;          /* added to its heights */
    struct case_layer layer; /* the file that it is read from, where terrain is read in tiles */
    /* Barriers: elevation_m is NULL */
    size_t rules;
    struct ground_rule *rule; /* owned */
};

/* The rules of cells, by place. */
struct ground_rules {
    size_t count;
    struct ground_rule *rule; /* malloc'ed */
};

/* Adds a change by rules, and takes these from *r. */
int changes_add_rules(struct sim_case *c, double time_s, const char *path, struct ground_rules *r,
                      struct error *e);

/* Sorts all changes by time, surveys before barriers of the same step. */
int changes_sort(struct sim_case *c, struct error *e);

/* Reads the surveys of all terrain_update lines of a case. Surveys of the beginning change its terrain at once. */
struct file_progress;
int changes_read(struct sim_case *c, const struct settings *s, const char *dem_path,
                 struct file_progress *progress, struct error *e);

/* Cuts the value of a line into its words; false: there are too few. */
bool change_words(char *value, char **time, char **file, char **lava);

/* Frees what belongs to a change of that case. */
void change_free(const struct sim_case *c, struct change *x);
/* Frees the first changes of a case, which have been made. */
void changes_drop(struct sim_case *c, int count);

/* Applies a survey of the beginning to the elevations of a window. */
void change_begin_in(const struct sim_case *c, const struct change *x, struct window w);

/* Returns the step at the end of which the change is made; 0: at the beginning. */
int64_t change_step(const struct change *x, const struct params *p);

/* Returns the first change that is made at the end of step `step` or later; change_count: there are no more. */
int changes_next(const struct sim_case *c, int64_t step);

/* Makes a change in *f, a state of *p. sim/ground.h explains `ground` and the errors. */
int change_make(const struct change *x, struct fields *f, const struct problem *p, double *ground,
                struct error *e);

/* Makes a change in *h between two steps; *h continues on the new terrain, ground[rows*cols], which has to be read
 * completely. *p, the problem before with any window, gets that terrain. *sums: all changes so far, including this
 * one. `ground` has to live as long as *h, also after an error. */
int change_held(const struct change *x, struct held *h, struct problem *p, double *ground,
                struct ground_sums *sums, struct error *e);

/* If the terrain of a case is read in tiles and has later surveys, reads all of it. */
int changes_read_surveys(const struct sim_case *c, struct error *e);

/* The digest of all changes of a case, for its identity; 0: it has none. All surveys have to be read. */
uint64_t changes_digest(const struct sim_case *c);
