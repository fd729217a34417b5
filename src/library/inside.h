/* inside.h — access to the inside of a case, which sciara.h does not offer, for commands: `sciara benchmark` times variants
 * itself (bench/), without the stopping rule of the case, and `sciara info` prints a tree. */
#pragma once

#include "sciara.h"

#include "case/case.h"
#include "sim/fields.h"
#include "sim/variant.h"

#include <pthread.h>
#include <stdbool.h>

/* Turns an error of sciara.h into one of the program; returns its code. */
int error_of_sciara(const struct sciara_error *why, struct error *e);

const struct sim_case *case_inside(const sciara_case *c);

/* The state of a snapshot that sciara_run() has returned, in the window that the simulation computed. */
const struct fields *snapshot_inside(const sciara_snapshot *x);

/* Fills the tree that sciara_info() prints, with numbers that are not rounded yet. */
struct cJSON;
int info_describe(struct cJSON *o, const char *path, const struct sciara_watcher *watcher,
                  struct error *e);

/* Writes the report of a folder to `path` or, if that is NULL, as report.html in the folder; language NULL: English. */
int show_report(const char *folder, const char *path, const char *language, struct error *e);

/* The warnings about a run that has ended. */
const struct warnings *simulation_told(const sciara_simulation *s);

/* The warnings about what the numbers of a fit do not include. */
const struct warnings *fit_told(const struct sciara_fit *f);

/* ERROR_INPUT: a run of that case with these options has no end. sciara_run() checks this too, but only when memory for the
 * simulation has been allocated. */
int case_check_end(const sciara_case *c, const struct sciara_options *o, struct error *e);

/* Starts the device that a simulation with these options will use, on a thread of its own, while its
 * files are read. device_wait() ends the thread, also before the program ends. *w stays in place
 * meanwhile. */
struct device_waking {
    const struct variant *variant;
    struct variant_options options;
    pthread_t thread;
    bool started;
};
void device_wake(struct device_waking *w, const char *variant, int device);
void device_wait(struct device_waking *w);

/* The next sciara_run() of this simulation is the last use of its device by the process: as soon as the
 * last state is in host memory, the variant is destroyed and its device left, on a thread of their own,
 * while files are written. sciara_free() ends the thread. A step after that run fails. */
void simulation_leave_device(sciara_simulation *s);
