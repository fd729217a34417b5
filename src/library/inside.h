/* inside.h — functions for the program's commands that sciara.h does not offer. */
#pragma once

#include "sciara.h"

#include "case/case.h"
#include "sim/fields.h"
#include "sim/variant.h"

#include <pthread.h>
#include <stdbool.h>

/* Turns *why, an error of sciara.h, into the program's error *e. Returns e->code. */
int error_of_sciara(const struct sciara_error *why, struct error *e);

const struct sim_case *case_inside(const sciara_case *c);

/* The state of a snapshot from sciara_run(), in the window that the simulation computed. */
const struct fields *snapshot_inside(const sciara_snapshot *x);

/* Fills the tree that sciara_info() prints. Its numbers are not rounded. */
struct cJSON;
int info_describe(struct cJSON *o, const char *path, const struct sciara_watcher *watcher,
                  struct error *e);

/* Writes the report of a folder to `path`, or to report.html in the folder if `path` is NULL. language NULL:
 * English. */
int show_report(const char *folder, const char *path, const char *language, struct error *e);

/* The warnings of a finished run. */
const struct warnings *simulation_told(const sciara_simulation *s);

/* The warnings about lava and parts of the outline that a fit does not count. */
const struct warnings *fit_told(const struct sciara_fit *f);

/* ERROR_INPUT: a run of this case with these options has no end. A command checks this early; sciara_run() checks it
 * only after memory has been allocated for the simulation. */
int case_check_end(const sciara_case *c, const struct sciara_options *o, struct error *e);

/* Starts the device of a simulation on another thread, while the caller reads the simulation's files. device_wait()
 * ends the thread; the caller has to call it before the program ends. *w must not move before device_wait(). */
struct device_waking {
    const struct variant *variant;
    struct variant_options options;
    pthread_t thread;
    bool started;
};
void device_wake(struct device_waking *w, const char *variant, int device);
void device_wait(struct device_waking *w);

/* Tells the simulation that its next sciara_run() is the last, and that the process then needs the device no more.
 * When the last state is in host memory, another thread frees the device while files are written. Later steps fail.
 * sciara_free() waits for the thread. */
void simulation_leave_device(sciara_simulation *s);
