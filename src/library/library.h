/* library.h — the implementation behind sciara.h; internal to this room.
 *
 * Objects count their users: a simulation keeps its case, a snapshot its simulation, so that the
 * caller can free them in any order. An object that the caller has freed lives on for its other
 * users. */
#pragma once

#include "sciara.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/loops.h"
#include "base/file_progress.h"
#include "case/assets.h"
#include "case/case.h"
#include "plan/member.h"
#include "run/output.h"
#include "restart/restart.h"
#include "sim/held.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* ---- common.c -------------------------------------------------------------------------------- */

/* Passes an error to the caller; returns its status. */
int return_error(struct sciara_error *e, const struct error *mine);

/* Copies a structure of the caller (NULL: none), which begins with its size, over the defaults in *mine: a
 * structure of an older version leaves the rest unchanged; in one of a newer version the members
 * unknown here must be 0. `least`: the size of the first version. */
int structure_read(void *mine, size_t size, size_t least, const void *given, const char *what,
                   struct error *e);

/* Fills a structure of the caller, of `size` bytes, with defaults of `mine_size`. */
void structure_write(void *given, size_t size, const void *mine, size_t mine_size);

/* ---- background.c ---------------------------------------------------------------------------- */

/* Does the work: on a separate thread if there is a watcher, to which the caller's thread reports
 * progress ten times a second. If the watcher cancels, `*cancelled` becomes true and, if `stop`,
 * the file progress is cancelled too; then the result is ERROR_CANCELLED, however far the work got. */
struct background {
    const struct sciara_watcher *watcher; /* NULL: none */
    enum sciara_phase phase;
    struct file_progress *progress; /* of the work */
    bool stop;
    int (*work)(void *what, struct error *e);
    void *what;
    int threads; /* largest number for its loops; 0: all */
    bool cancelled;
};
int background_run(struct background *w, struct error *e);

/* ---- variants.c ------------------------------------------------------------------------------ */

/* The variant of that name. ERROR_INPUT: unknown; ERROR_DEVICE: it was not built. */
int variant_named(const struct variant **v, const char *name, struct error *e);

/* ---- objects --------------------------------------------------------------------------------- */

struct sciara_case {
    atomic_int users;
    struct sim_case c;
    bool published;
    atomic_bool whole;    /* sciara_case_read_terrain() has read all of it */
    struct plan *plan;    /* NULL: not a member of one */
    struct member member; /* `c` is its case */
    struct assets places; /* of the plan */
};

enum { STEPS_MAX = 2147483646 }; /* an arrival is a 32-bit step */

struct sciara_simulation {
    atomic_int users;
    sciara_case *given;
    struct sim_case c; /* the same with what the options change; its arrays are borrowed */
    struct sciara_watcher watcher;
    const struct variant *variant;
    struct held *held;    /* NULL once the caller has freed the simulation, or its device is left */
    bool leaves;          /* the device, with the next run */
    struct held *leaving; /* by `leaver`; NULL: none */
    pthread_t leaver;
    char device[128];
    bool published;
    int threads;   /* of the CPU variant and its snapshots; 0: all */
    pid_t process; /* that made it */
    size_t memory_bytes;
    double create_s, steps_s;
    struct variant_status now;
    int64_t batch;     /* steps to try at once */
    double reported_s; /* time of the last progress report */

    /* Who may call the variant now: the thread of the simulation, or one that waits for a
     * snapshot. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy;
    sciara_snapshot *copying; /* begun, and not yet waited for */

    /* A terrain that changes: what p->elevation_m was and is, of which c.problem has the last; and
     * how much in all. Snapshots may need any of them. */
    struct variant_options machine;
    int ground_count;
    double **ground;
    int next_change; /* of c.change */
    struct ground_sums changed_by;

    /* Resuming from a state */
    struct fields from;   /* until the variant has taken it */
    int64_t from_step;    /* -1: from none */
    bool resumed;         /* from what the folder of the run has */
    struct error over;    /* the newest state that resuming passed over; no text: none */
    struct restart about; /* for states of this simulation; simulation_about() */
    int64_t saved_step;   /* of the last state written; -1: none */

    bool has_summary; /* of the last sciara_run() */
    struct output_summary summary;
    int64_t snapshot_every;
    bool has_files; /* it was to write some */
    struct output_folder files;
};

struct sciara_snapshot {
    sciara_simulation *s;
    struct fields f;      /* of the window that was held */
    struct fields whole;  /* the same of the domain, once the caller has asked for it (its lock) */
    const double *ground; /* elevations of the problem at that step */
    int64_t step;
    bool copied; /* under the simulation's lock; the members below are then known */
    int copy_status;
    pthread_mutex_t lock; /* of the members below */
    bool checked;
    int status; /* of the copy and its ledger */
    struct error error;
    struct ledger ledger;
};

/* ---- case.c ---------------------------------------------------------------------------------- */

void case_keep(sciara_case *c);

/* The names, the grid and the notes of a case; a plan has no more of it. */
struct sciara_case_info case_grid_info(const struct sim_case *c);

/* ---- simulation.c ---------------------------------------------------------------------------- */

/* The options take precedence over the case. */
void simulation_set_options(struct sim_case *c, const struct sciara_options *o);

/* The last step there can be, and whether nothing is left to do. */
int64_t simulation_last_step(const sciara_simulation *s);
bool simulation_ended(const sciara_simulation *s);

/* Makes some steps, at most to `end`: as many as fit between two looks at the clock. Ends the copy
 * made meanwhile. */
int simulation_advance(sciara_simulation *s, int64_t end, struct error *e);

/* Reports the progress of the steps, at most ten times a second; true: cancelled. */
bool simulation_report(sciara_simulation *s, int64_t first_step, int64_t last_step, double began_s);

/* Whether it can make steps; ERROR_FAILED: an error has ended it, or its caller. */
int simulation_lives(const sciara_simulation *s, struct error *e);

/* Begins loops over the simulation's cells on the caller's thread, to be ended by loops_end(). A
 * forked process lacks OpenMP's threads, so that there is only one. */
struct loops simulation_loops(const sciara_simulation *s);

void turn_begin(sciara_simulation *s);
void turn_end(sciara_simulation *s);
void simulation_collect(sciara_simulation *s); /* ends the copy, holding the turn */
void simulation_leave(sciara_simulation *s);   /* if simulation_leave_device() was called */
void simulation_drop(sciara_simulation *s);    /* one user less */

/* ---- changing.c ------------------------------------------------------------------------------ */

/* The step after which the terrain changes next; INT64_MAX: never. */
int64_t simulation_next_change(const sciara_simulation *s);

/* Makes the change that is due after the present step. The caller has the turn. */
int simulation_change(sciara_simulation *s, struct error *e);

/* Reads the state that the options name, if any: s->c.problem.from and s->now are set. After that
 * simulation_forget_state(), when the variant has it. */
int simulation_resume(sciara_simulation *s, const struct sciara_options *o, struct error *e);
void simulation_forget_state(sciara_simulation *s);

/* What restart_write() needs; its chain belongs to the simulation. */
struct restart simulation_about(const sciara_simulation *s);

/* ---- snapshot.c ------------------------------------------------------------------------------ */

int snapshot_create(sciara_snapshot **x, sciara_simulation *s, struct error *e);
int snapshot_begin(sciara_snapshot *x, struct error *e);
int snapshot_ready(sciara_snapshot *x, struct error *e); /* copied, and the ledger closes */
struct output_info snapshot_info(const sciara_simulation *s, const char *folder, unsigned formats,
                                 struct file_progress *progress);
