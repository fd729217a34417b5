/* library.h — the implementation behind sciara.h, for the files of this folder.
 *
 * Objects count their users: a simulation is a user of its case, a snapshot is a user of its simulation. So the
 * caller can free objects in any order. An object exists until its last user has freed it. */
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

/* Passes an error to the caller. Returns the status. */
int return_error(struct sciara_error *e, const struct error *mine);

/* Copies a structure of the caller, which begins with its size, over the defaults in *mine. NULL: nothing is copied.
 * A structure of an older version is shorter, so later fields keep their defaults. A structure of a newer version may
 * have unknown fields, which must be 0. `least`: size in the first version. */
int structure_read(void *mine, size_t size, size_t least, const void *given, const char *what,
                   struct error *e);

/* Copies *mine, of mine_size bytes, into a structure of the caller, of `size` bytes. The rest of that structure
 * becomes 0. */
void structure_write(void *given, size_t size, const void *mine, size_t mine_size);

/* ---- background.c ---------------------------------------------------------------------------- */

/* Work with reports of its progress. With a watcher the work runs on another thread, and the caller's thread reports
 * progress ten times a second. If the watcher cancels, `cancelled` becomes true and, with `stop`, the work is asked
 * to stop. The result is then ERROR_CANCELLED, even if the work was completed. */
struct background {
    /* NULL: no reports, and the work runs on the caller's thread. */
    const struct sciara_watcher *watcher;
    enum sciara_phase phase;
    struct file_progress *progress; /* updated by the work */
    bool stop;
    int (*work)(void *what, struct error *e);
    void *what;
    int threads; /* greatest number of threads for loops of the work; 0: all */
    bool cancelled;
};
int background_run(struct background *w, struct error *e);

/* ---- variants.c ------------------------------------------------------------------------------ */

/* Finds a variant by its name. ERROR_INPUT: there is no such variant; ERROR_DEVICE: it was not built. */
int variant_named(const struct variant **v, const char *name, struct error *e);

/* ---- objects --------------------------------------------------------------------------------- */

struct sciara_case {
    atomic_int users;
    struct sim_case c;
    bool published;
    atomic_bool whole;    /* sciara_case_read_terrain() has read all terrain */
    struct plan *plan;    /* NULL: the case is not a member of a plan */
    struct member member; /* the member with the case `c` */
    struct assets places; /* places of interest of the plan */
};

enum { STEPS_MAX = 2147483646 }; /* arrivals are stored as 32-bit steps */

struct sciara_simulation {
    atomic_int users;
    sciara_case *given;
    struct sim_case c; /* the case as changed by the options; its arrays are borrowed */
    struct sciara_watcher watcher;
    const struct variant *variant;
    /* NULL after the caller has freed the simulation, or after the simulation has left its device. */
    struct held *held;
    bool leaves;          /* the next run is the last that uses the device */
    struct held *leaving; /* memory that the thread `leaver` is freeing; NULL: none */
    pthread_t leaver;
    char device[128];
    bool published;
    int threads;   /* for the CPU variant and snapshots; 0: all */
    pid_t process; /* the process that created the simulation */
    size_t memory_bytes;
    double create_s, steps_s;
    struct variant_status now;
    int64_t batch;     /* number of steps for the next batch */
    double reported_s; /* when progress was last reported */

    /* `busy`: a thread calls the variant, and other threads wait in turn_begin(). `lock` guards
     * `busy`, and `copied` of each snapshot. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy;
    sciara_snapshot *copying; /* the snapshot whose copy is not complete; NULL: none */

    /* For a terrain that changes: */
    struct variant_options machine; /* the options for creating the variant again */
    int ground_count;
    double **ground; /* all terrains so far, for snapshots; c.problem has the last one */
    int next_change; /* index of the next change in c.change */
    struct ground_sums changed_by; /* sums over all changes so far */

    /* For resuming: */
    struct fields from;   /* the state, until the variant has copied it */
    int64_t from_step;    /* step of that state; -1: not resumed */
    bool resumed;         /* the state was in the run's own folder */
    struct error over;    /* why the newest state was skipped; text "": it was not skipped */
    struct restart about; /* for writing states; see simulation_about() */
    int64_t saved_step;   /* step of the last written state; -1: none */

    bool has_summary; /* whether `summary` was set by the last sciara_run() */
    struct output_summary summary;
    int64_t snapshot_every;
    bool has_files; /* whether the last sciara_run() was to write files */
    struct output_folder files;
};

struct sciara_snapshot {
    sciara_simulation *s;
    struct fields f;      /* the state, in the window that was computed */
    struct fields whole;  /* the state in the whole domain, if requested; guarded by `lock` */
    const double *ground; /* elevations of the domain at that step */
    int64_t step;
    /* The copy is complete and copy_status is known; guarded by the simulation's lock. */
    bool copied;
    int copy_status;
    pthread_mutex_t lock; /* guards the fields below */
    bool checked;
    int status; /* status of the copy and of its ledger */
    struct error error;
    struct ledger ledger;
};

/* ---- case.c ---------------------------------------------------------------------------------- */

void case_keep(sciara_case *c);

/* The properties that a case has in common with a plan: names, grid and notes. */
struct sciara_case_info case_grid_info(const struct sim_case *c);

/* ---- simulation.c ---------------------------------------------------------------------------- */

/* Applies the options, which take precedence over the case. */
void simulation_set_options(struct sim_case *c, const struct sciara_options *o);

/* simulation_last_step(): the last step that is allowed. simulation_ended(): whether no steps remain. */
int64_t simulation_last_step(const sciara_simulation *s);
bool simulation_ended(const sciara_simulation *s);

/* Makes one batch of steps, at most until step `end`. Then completes the copy of a snapshot, if one was begun before
 * the batch. */
int simulation_advance(sciara_simulation *s, int64_t end, struct error *e);

/* Reports the progress of the steps, at most ten times a second. True: the watcher cancels. */
bool simulation_report(sciara_simulation *s, int64_t first_step, int64_t last_step, double began_s);

/* ERROR_FAILED: the simulation cannot make steps, because of an error or because it was freed. */
int simulation_lives(const sciara_simulation *s, struct error *e);

/* Limits the threads of loops on the caller's thread until loops_end(). In a forked process loops use one thread,
 * because OpenMP's threads do not exist there. */
struct loops simulation_loops(const sciara_simulation *s);

void turn_begin(sciara_simulation *s);
void turn_end(sciara_simulation *s);
/* Completes the copy of s->copying, if there is one. The caller has called turn_begin(). */
void simulation_collect(sciara_simulation *s);
/* Leaves the device, if simulation_leave_device() was called. */
void simulation_leave(sciara_simulation *s);
/* Removes a user; the last one frees the simulation. */
void simulation_drop(sciara_simulation *s);

/* ---- changing.c ------------------------------------------------------------------------------ */

/* The step after which the terrain changes next; INT64_MAX: there is no change. */
int64_t simulation_next_change(const sciara_simulation *s);

/* Makes the change that is due after the present step. The caller has called turn_begin(). */
int simulation_change(sciara_simulation *s, struct error *e);

/* Reads the state that the options name, if any. Sets s->c.problem.from and s->now. After the variant has copied the
 * state, simulation_forget_state() frees it. */
int simulation_resume(sciara_simulation *s, const struct sciara_options *o, struct error *e);
void simulation_forget_state(sciara_simulation *s);

/* The input of restart_write(). Its list of links belongs to the simulation. */
struct restart simulation_about(const sciara_simulation *s);

/* ---- snapshot.c ------------------------------------------------------------------------------ */

int snapshot_create(sciara_snapshot **x, sciara_simulation *s, struct error *e);
int snapshot_begin(sciara_snapshot *x, struct error *e);
/* Waits for the copy, and checks its ledger. */
int snapshot_ready(sciara_snapshot *x, struct error *e);
struct output_info snapshot_info(const sciara_simulation *s, const char *folder, unsigned formats,
                                 struct file_progress *progress);
