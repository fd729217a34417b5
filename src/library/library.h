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

/* Copies a structure of the caller, which begins with its size, over the defaults in *mine; NULL: nothing is copied. A structure
 * of an older version is shorter and leaves the other defaults. In one of a newer version the members that are unknown here
 * must be 0. `least`: the size in the first version. */
int structure_read(void *mine, size_t size, size_t least, const void *given, const char *what,
                   struct error *e);

/* Fills a structure of the caller, of `size` bytes, from *mine, of `mine_size`, which has the defaults. */
void structure_write(void *given, size_t size, const void *mine, size_t mine_size);

/* ---- background.c ---------------------------------------------------------------------------- */

/* Does some work. With a watcher the work runs on a thread of its own, and the caller's thread reports its progress ten times a
 * second. If the watcher cancels, `cancelled` becomes true and, with `stop`, the file progress is cancelled, too. The result is
 * then ERROR_CANCELLED, even if the work was completed. */
struct background {
    const struct sciara_watcher *watcher; /* NULL: nobody watches */
    enum sciara_phase phase;
    struct file_progress *progress; /* progress of the work */
    bool stop;
    int (*work)(void *what, struct error *e);
    void *what;
    int threads; /* most threads for its loops; 0: all */
    bool cancelled;
};
int background_run(struct background *w, struct error *e);

/* ---- variants.c ------------------------------------------------------------------------------ */

/* Finds a variant by its name. ERROR_INPUT: unknown; ERROR_DEVICE: it was not built. */
int variant_named(const struct variant **v, const char *name, struct error *e);

/* ---- objects --------------------------------------------------------------------------------- */

struct sciara_case {
    atomic_int users;
    struct sim_case c;
    bool published;
    atomic_bool whole;    /* set by sciara_case_read_terrain(), which has read all of it */
    struct plan *plan;    /* NULL: the case is not a member of a plan */
    struct member member; /* the member whose case `c` is */
    struct assets places; /* places of interest of the plan */
};

enum { STEPS_MAX = 2147483646 }; /* as an arrival is a 32-bit step */

struct sciara_simulation {
    atomic_int users;
    sciara_case *given;
    struct sim_case c; /* the case, as changed by the options; its arrays are borrowed */
    struct sciara_watcher watcher;
    const struct variant *variant;
    struct held *held;    /* NULL once the caller has freed the simulation, or its device is left */
    bool leaves;          /* the next run is the last that uses the device */
    struct held *leaving; /* what `leaver` is freeing; NULL: none */
    pthread_t leaver;
    char device[128];
    bool published;
    int threads;   /* for the CPU variant and snapshots; 0: all */
    pid_t process; /* the process that made the simulation */
    size_t memory_bytes;
    double create_s, steps_s;
    struct variant_status now;
    int64_t batch;     /* how many steps to try at once */
    double reported_s; /* when progress was last reported */

    /* Guards calls of the variant: by the thread of the simulation, or by one that waits for a snapshot. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy;
    sciara_snapshot *copying; /* the snapshot whose copy has begun and not yet been waited for */

    /* for a terrain that changes: */
    struct variant_options machine; /* the options with which the variant is created anew */
    int ground_count;
    double **ground; /* all terrains so far: c.problem has the last, and snapshots may need any */
    int next_change; /* index of the next change in c.change */
    struct ground_sums changed_by; /* the total of all changes */

    /* What resuming needs: */
    struct fields from;   /* the state, until the variant has it */
    int64_t from_step;    /* -1: not resumed */
    bool resumed;         /* from a state in the run's own folder */
    struct error over;    /* why the newest state was passed over; no text: it was not */
    struct restart about; /* for writing states, see simulation_about() */
    int64_t saved_step;   /* step of the last state written; -1: none */

    bool has_summary; /* summary of the last sciara_run() */
    struct output_summary summary;
    int64_t snapshot_every;
    bool has_files; /* whether that run was to write files */
    struct output_folder files;
};

struct sciara_snapshot {
    sciara_simulation *s;
    struct fields f;      /* the state in the window that was computed */
    struct fields whole;  /* the state in the domain, once the caller has asked (guarded by lock) */
    const double *ground; /* elevations of the domain at that step */
    int64_t step;
    bool copied; /* guarded by the lock of the simulation; if true, the members below are known */
    int copy_status;
    pthread_mutex_t lock; /* guards the members below */
    bool checked;
    int status; /* status of the copy and its ledger */
    struct error error;
    struct ledger ledger;
};

/* ---- case.c ---------------------------------------------------------------------------------- */

void case_keep(sciara_case *c);

/* The properties of a case that a plan has, too: names, grid and notes. */
struct sciara_case_info case_grid_info(const struct sim_case *c);

/* ---- simulation.c ---------------------------------------------------------------------------- */

/* Applies options, which take precedence over the case. */
void simulation_set_options(struct sim_case *c, const struct sciara_options *o);

/* The last step that is allowed; and whether nothing is left to do. */
int64_t simulation_last_step(const sciara_simulation *s);
bool simulation_ended(const sciara_simulation *s);

/* Makes as many steps, at most to `end`, as fit between two looks at the clock. Completes the copy made meanwhile. */
int simulation_advance(sciara_simulation *s, int64_t end, struct error *e);

/* Reports how far the steps are, at most ten times a second; true: the watcher cancels. */
bool simulation_report(sciara_simulation *s, int64_t first_step, int64_t last_step, double began_s);

/* ERROR_FAILED: the simulation can make no more steps, because of an error, or as the caller has freed it. */
int simulation_lives(const sciara_simulation *s, struct error *e);

/* Begins loops over the simulation's cells on the caller's thread; loops_end() ends them. A forked process has none of
 * OpenMP's threads, and so uses only one. */
struct loops simulation_loops(const sciara_simulation *s);

void turn_begin(sciara_simulation *s);
void turn_end(sciara_simulation *s);
void simulation_collect(sciara_simulation *s); /* completes the copy; the caller has begun a turn */
void simulation_leave(
    sciara_simulation *s); /* leaves the device, if simulation_leave_device() was called */
void simulation_drop(sciara_simulation *s); /* one user less; the last frees it */

/* ---- changing.c ------------------------------------------------------------------------------ */

/* The step after which the terrain changes next; INT64_MAX: it never does. */
int64_t simulation_next_change(const sciara_simulation *s);

/* Makes the change that is due after the present step. The caller holds the turn. */
int simulation_change(sciara_simulation *s, struct error *e);

/* Reads the state that the options name, if any, and sets s->c.problem.from and s->now. simulation_forget_state() frees it,
 * once the variant has it. */
int simulation_resume(sciara_simulation *s, const struct sciara_options *o, struct error *e);
void simulation_forget_state(sciara_simulation *s);

/* What restart_write() has to know; its chain belongs to the simulation. */
struct restart simulation_about(const sciara_simulation *s);

/* ---- snapshot.c ------------------------------------------------------------------------------ */

int snapshot_create(sciara_snapshot **x, sciara_simulation *s, struct error *e);
int snapshot_begin(sciara_snapshot *x, struct error *e);
int snapshot_ready(sciara_snapshot *x, struct error *e); /* waits, and checks its ledger */
struct output_info snapshot_info(const sciara_simulation *s, const char *folder, unsigned formats,
                                 struct file_progress *progress);
