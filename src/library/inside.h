/* inside.h — access to the inside of a case, which sciara.h does not offer: `sciara benchmark`
 * times variants itself (bench/), without the stopping rule of the case; `sciara info` prints a
 * tree. */
#pragma once

#include "sciara.h"

#include "case/case.h"
#include "sim/fields.h"
#include "sim/variant.h"

#include <pthread.h>
#include <stdbool.h>

/* An error of sciara.h as one of the program; returns its code. */
int error_of_sciara(const struct sciara_error *why, struct error *e);

const struct sim_case *case_inside(const sciara_case *c);

/* The state of a snapshot that sciara_run() has returned, in the window that the simulation held. */
const struct fields *snapshot_inside(const sciara_snapshot *x);

/* The object of sciara_info(), with numbers that have not been rounded to be printed. */
struct cJSON;
int info_describe(struct cJSON *o, const char *path, const struct sciara_watcher *watcher,
                  struct error *e);

/* report.html of a folder, at that path or, NULL, in the folder; language: of its words, NULL: English. */
int show_report(const char *folder, const char *path, const char *language, struct error *e);

/* What has to be told of a run that has ended. */
const struct warnings *simulation_told(const sciara_simulation *s);

/* What the numbers of a fit exclude. */
const struct warnings *fit_told(const struct sciara_fit *f);

/* Whether a run of that case with these options has an end. sciara_run() checks this too, but only
 * after the simulation has allocated its memory. 0 or ERROR_INPUT. */
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
