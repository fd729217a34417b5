/* study_command.h — what the commands that compute many runs (ensemble, merge, calibrate, sensitivity and others) have in
 * common: options, devices, and all steps from the command line to the report. */
#pragma once

#include "run.h"

#include "ensemble/engine.h"
#include "record/painters.h"

#include <pthread.h>

/* The options that all these commands have. */
struct study_request {
    const char *plan, *output; /* output NULL: output/PLAN and an ending such as -nowcast */
    int threads;               /* 0: all */
    int variant;               /* index in study_variants */
    const char *devices;       /* NULL: the first device */
    unsigned formats;          /* formats of PAINTED_STUDY_LIST */
    const char *layers;        /* further files, in addition to the usual files; NULL: none */
    unsigned extent;           /* enum sciara_layer_extent */
    struct run_map map;
    double checkpoint_s; /* time between two states of an ensemble; 0: default */
    bool resume, or_anew, replace, quiet, json;
    bool bulletin;         /* an ensemble writes its bulletin */
    bool keeps;            /* the command has no --replace, so no message names it */
    bool untold;           /* do not print results, because the command runs another study next */
    const char *language;  /* language of maps and pages; NULL: English */
    bool keeps_brief;      /* study_keep_members() writes only the files that pages need */
    struct warnings *said; /* warnings that the command has printed already; NULL: none */
    const char *again; /* command line that resumes after an interruption; NULL: do not print it */
};

/* Rows of the option tables of these commands. WHAT: the computation in the help, such as "ensemble" or "search". */
#define STUDY_PLAN_AND_FOLDER(HELP, FOLDER)                                                        \
    OPERAND("PLAN", option_text, of.plan, HELP, .completes = COMPLETE_CASE),                       \
        RUN_OPTION_OUTPUT(of.output, FOLDER)
#define STUDY_OPTION_LIBRARY(MEMBER, HELP)                                                         \
    OPTION("--library", "FILE", option_text, MEMBER, HELP, .completes = COMPLETE_FILE,             \
           .usual = "output/NAME-OF-PLAN/library.gpkg")
#define STUDY_OPTION_ASSETS(MEMBER, GROUP)                                                         \
    OPTION("--assets", "FILE", option_text, MEMBER, "places of interest, a vector file",           \
           .completes = COMPLETE_FILE, .usual = "the places of the plan", .group = GROUP)
#define STUDY_OPTION_RESUME(MEMBER, WHAT)                                                          \
    OPTION_FLAG("--resume", MEMBER,                                                                \
                "resume the " WHAT                                                                 \
                " in that folder, with the same bits; start one if there is none")
#define STUDY_OPTION_REPLACE(MEMBER)                                                               \
    OPTION_FLAG(                                                                                   \
        "--replace", MEMBER,                                                                       \
        "remove files that are in the way, also the state of an unfinished study; and "            \
        "libraries and states of other plans, otherwise kept as NAME-DIGEST.gpkg or .state")
#define STUDY_OPTION_CHECKPOINT(MEMBER)                                                            \
    OPTION("--checkpoint", "S", option_span, MEMBER,                                               \
           "seconds between two states of the ensemble on the disk, at most 45; a crash loses at " \
           "most this work and the members being computed",                                        \
           .plain = TIMES_SECONDS, .usual = "30")
#define STUDY_OPTION_FORMATS(NAMES, LIST, USUAL)                                                   \
    OPTION("--format", "LIST", option_bits, of.formats,                                            \
           "formats, separated by commas; " LIST(FORMAT_HELP) "PNG is always written",             \
           .group = "output files", .choices = NAMES, .bits = study_format_bits, .list = true,     \
           .usual = USUAL)
#define STUDY_OPTION_PICTURES STUDY_OPTION_FORMATS(study_pictures, PAINTED_PICTURE_LIST, "png")
#define STUDY_OPTION_FORMAT   STUDY_OPTION_FORMATS(study_formats, PAINTED_STUDY_LIST, "png")
#define STUDY_OPTION_PAGE     STUDY_OPTION_FORMATS(study_formats, PAINTED_STUDY_LIST, "png,html")
#define STUDY_OPTION_LAYERS   RUN_OPTION_LAYERS(of.layers, "members")
/* The last rows of the table of each study. FORMAT: STUDY_OPTION_PICTURES, STUDY_OPTION_FORMAT or STUDY_OPTION_PAGE. */
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
extern const unsigned study_format_bits[]; /* bits of study_formats and study_pictures */
/* Exit statuses. study_exits: the command continues with --resume; study_exits_again: it continues when called again. */
extern const struct option_exit study_exits[], study_exits_again[];
/* COMMAND_OF() for a request that begins with a struct study_request `of`, and these exit statuses. */
#define STUDY_COMMAND_OF(request, function, statuses)                                              \
    .exits = statuses, .again = AT(of.again), COMMAND_OF(request, function)

/* Runs a study from the plan to the report. options: the options of the study. Returns EXIT_INTERRUPTED after Ctrl-C. */
int study_command(const struct study *s, const struct study_request *q, const void *options,
                  struct error *e);

/* Makes the results of an ensemble from a library in its folder that has all members of the plan, without computing.
 * The library may have been set aside as library-DIGEST.gpkg. *taken: whether the folder has that library. */
int merge_library(const struct study_request *q, bool *taken, struct error *e);
/* `library` is of an earlier version of the plan. Sets this library aside, and begins a new library
 * with those members that the plan still has. ERROR_INPUT: the plan has no member of `library`. */
int merge_other_plan(const struct study_request *of, const char *library, struct error *e);

struct plan_draws;

/* study_keep_members() completes the library of a plan, or of draws if `draws` is not NULL: it
 * computes the missing members and prints that it does. study_library_left(): whether a command
 * left the library's folder unfinished (output_unfinished()). Even then the library may be complete. */
int study_keep_members(const struct study_request *q, const char *library,
                       const struct plan_draws *draws, struct error *e);
bool study_library_left(const char *library);
/* Whether study_keep_members() resumes an ensemble in the library's folder. An ensemble that kept no members is computed
 * again. */
bool study_library_resumes(const char *library);

/* ---- its parts, also for merge and sciara_mpi ------------------------------------------------ */

/* Fills in the folder, the formats and the page of maps from the request. */
int study_command_folder(struct study_job *j, const struct study_request *q, struct error *e);
/* Writes all files, with report.html at the end, and prints the report. */
int study_command_finish(struct study_job *j, const struct study_request *q, struct error *e);
/* Closes *j and returns the exit status. */
int study_command_end(struct study_job *j, int status);

/* Shows progress as a line on the terminal; progress_clear() ends the line. */
void study_line_show(struct progress *line, const struct study_progress *now);

/* Prints the report on standard output. *said: warnings that have been printed; `again`: the command
 * line that computes the missing members, or NULL. */
void study_print(const struct study_job *j, const char *again, struct warnings *said);

/* ---- devices --------------------------------------------------------------------------------- */

struct study_devices {
    int count; /* 0: processors compute */
    int number[ENGINE_DEVICES_MAX];
};
int study_devices(struct study_devices *d, const struct study_request *q, struct error *e);

/* Threads that make devices ready while plans are read. devices_ready() waits for these threads; until then *d must not
 * move. */
struct devices_warming {
    int count;
    pthread_t thread[ENGINE_DEVICES_MAX];
};
void devices_warm(struct devices_warming *w, struct study_devices *d);
void devices_ready(struct devices_warming *w);

/* ---- cmd_ensemble.c, for sciara_mpi ---------------------------------------------------------- */

struct ensemble_request {
    struct study_request of;
    double until_error;     /* < 0: the plan decides */
    const char *shard_text; /* NULL: the whole ensemble */
    const char *from;       /* path of a state; NULL: the plan decides */
    unsigned pairs;         /* 1: each member with and without barriers */
    bool list, keep;
    bool share_devices; /* several ranks of sciara_mpi may compute on one device */
};
int ensemble_check(const struct ensemble_request *q, struct error *e);
