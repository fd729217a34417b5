/* study_command.h — what the commands that compute many runs (ensemble, merge, calibrate,
 * sensitivity) have in common: options, devices, and the path from the command line to the report. */
#pragma once

#include "run.h"

#include "ensemble/engine.h"
#include "record/painters.h"

#include <pthread.h>

/* The options that all of them have. */
struct study_request {
    const char *plan, *output; /* output NULL: output/NAME-OF-PLAN and the study's ending */
    int threads;               /* 0: all */
    int variant;               /* of study_variants */
    const char *devices;       /* NULL: the first */
    unsigned formats;          /* of PAINTED_STUDY_LIST */
    const char *layers;        /* files besides the usual ones; NULL: none */
    unsigned extent;           /* enum sciara_layer_extent */
    struct run_map map;
    double checkpoint_s; /* between two states of an ensemble; 0: usual */
    bool resume, or_anew, replace, quiet, json;
    bool bulletin;        /* of an ensemble */
    bool keeps;           /* of a command without --replace */
    bool untold;          /* of a command of several studies: its results are not printed */
    const char *language; /* of maps and pages; NULL: English */
    bool keeps_brief; /* members that are kept first leave only the files that every page shows */
    struct warnings *said; /* what a command of several studies has printed already; NULL:
                            * nothing */
    const char
        *again; /* the command line that continues what was interrupted; NULL: none is told */
};

/* Rows of their tables; WHAT: "ensemble", "search". */
#define STUDY_OPERAND_PLAN(HELP)                                                                   \
    OPERAND("PLAN", option_text, of.plan, HELP, .completes = COMPLETE_CASE)
#define STUDY_OPTION_RESUME(MEMBER, WHAT)                                                          \
    OPTION_FLAG("--resume", MEMBER,                                                                \
                "resume the " WHAT                                                                 \
                " in that folder, with the same bits; start one if there is none")
#define STUDY_OPTION_REPLACE(MEMBER)                                                               \
    OPTION_FLAG("--replace", MEMBER,                                                               \
                "remove what is in the way, also the state of an unfinished study, and libraries " \
                "and states of other plans, which are else kept as NAME-DIGEST.gpkg or .state")
#define STUDY_OPTION_CHECKPOINT(MEMBER)                                                            \
    OPTION("--checkpoint", "S", option_span, MEMBER,                                               \
           "seconds between two states of the ensemble on the disk, at most 45; a crash loses at " \
           "most this work and the members being computed",                                        \
           .plain = TIMES_SECONDS, .usual = "30")
#define STUDY_OPTION_FORMATS(NAMES, LIST)                                                          \
    OPTION("--format", "LIST", option_bits, of.formats,                                            \
           "formats, separated by commas; " LIST(FORMAT_HELP) "PNG is always written",             \
           .group = "output files", .choices = NAMES, .bits = study_format_bits, .list = true,     \
           .usual = "png")
#define STUDY_OPTION_PICTURES STUDY_OPTION_FORMATS(study_pictures, PAINTED_PICTURE_LIST)
#define STUDY_OPTION_FORMAT   STUDY_OPTION_FORMATS(study_formats, PAINTED_STUDY_LIST)
#define STUDY_OPTION_LAYERS   RUN_OPTION_LAYERS(of.layers, "members")
/* The rows that all studies end in; FORMAT: STUDY_OPTION_FORMAT or STUDY_OPTION_PICTURES. */
#define STUDY_OPTIONS_OF_FILES(FORMAT)                                                             \
    FORMAT, STUDY_OPTION_LAYERS, RUN_OPTION_EXTENT(of.extent),                                     \
        RUN_OPTION_MAP_SIZE(of.map.page, NULL), RUN_OPTION_MAP_DPI(of.map.dpi, NULL),              \
        RUN_OPTION_QUIET(of.quiet), RUN_OPTION_JSON(of.json)
#define STUDY_OPTIONS_OF_DEVICES(UNIT)                                                             \
    OPTION("--variant", "NAME", option_choice, of.variant,                                         \
           "device: reference, the processors; batch, a GPU; auto, a GPU if there is one",         \
           .group = "computer", .choices = study_variants, .usual = "auto"),                       \
        OPTION("--devices", "N,N...", option_text, of.devices,                                     \
               "numbers of the GPUs that compute together, such as 0,1", .usual = "0",             \
               .not_with = "--variant=reference"),                                                 \
        RUN_OPTION_THREADS(of.threads, "threads; each computes one " UNIT " at a time")
enum { STUDY_AUTO, STUDY_REFERENCE };
extern const char *const study_variants[], *const study_formats[], *const study_pictures[];
extern const unsigned study_format_bits[]; /* of the names of either */
/* Their exit statuses, where --resume continues and where the same command does */
extern const struct option_exit study_exits[], study_exits_again[];

/* Runs a study from the plan to the report. `options`: of the study. Returns EXIT_INTERRUPTED after
 * Ctrl-C. */
int study_command(const struct study *s, const struct study_request *q, const void *options,
                  struct error *e);

/* Where the folder of an ensemble holds a library of its plan with all members, also one that was set aside
 * (library-DIGEST.gpkg): results and library of the ensemble from it, without computing. Else *taken is false. */
int merge_library(const struct study_request *q, bool *taken, struct error *e);
/* The library in the folder is of another plan: the members that both have are the first of the new one, and the old one is set
 * aside. ERROR_INPUT: they have none in common. */
int merge_other_plan(const struct study_request *of, const char *library, struct error *e);

struct plan_draws;

/* The members of a plan, or of draws (NULL: none), into the library of that path, FOLDER/library.gpkg: what is missing is
 * computed, and said. And whether the files next to one, which may have all members, are not all there. */
int study_keep_members(const struct study_request *q, const char *library,
                       const struct plan_draws *draws, struct error *e);
bool study_library_left(const char *library);
/* Whether what is in its folder is resumed: members of an ensemble that kept none are computed again. */
bool study_library_resumes(const char *library);

/* ---- its parts, also for merge and sciara_mpi ------------------------------------------------ */

/* The folder, with formats and the page of maps as asked for. */
int study_command_folder(struct study_job *j, const struct study_request *q, struct error *e);
/* All files, also report.html, and then what is printed. */
int study_command_finish(struct study_job *j, const struct study_request *q, struct error *e);
/* The exit status; closes *j. */
int study_command_end(struct study_job *j, int status);

/* The line on a terminal; progress_clear() ends it. */
void study_line_show(struct progress *line, const struct study_progress *now);

/* The report on standard output; *said: warnings that have been printed; `again`: how what is missing is computed, or NULL. */
void study_print(const struct study_job *j, const char *again, struct warnings *said);

/* ---- devices --------------------------------------------------------------------------------- */

struct study_devices {
    int count; /* 0: the processors compute */
    int number[ENGINE_DEVICES_MAX];
};
int study_devices(struct study_devices *d, const struct study_request *q, struct error *e);

/* Threads that make devices ready while plans are read; devices_ready() waits for all of them, and *d
 * stays in place meanwhile. */
struct devices_warming {
    int count;
    pthread_t thread[ENGINE_DEVICES_MAX];
};
void devices_warm(struct devices_warming *w, struct study_devices *d);
void devices_ready(struct devices_warming *w);

/* ---- cmd_ensemble.c, for sciara_mpi ---------------------------------------------------------- */

struct ensemble_request {
    struct study_request of;
    double until_error;     /* < 0: as the plan has it */
    const char *shard_text; /* NULL: the whole */
    const char *from;       /* a state; NULL: as the plan has it */
    unsigned pairs;         /* with and without barriers: 1 */
    bool list, keep;
    bool share_devices; /* of sciara_mpi: several ranks on one */
};
int ensemble_check(const struct ensemble_request *q, struct error *e);
