/* run.h — interfaces between the parts of `sciara run`. */
#pragma once

#include "cli.h"

#include "base/clock.h"
#include "sim/variant_names.h"
#include "text/warnings.h"
#include "text/words.h"

/* ---- run_options.c: the command line --------------------------------------------------------- */

/* A number of steps, or a simulated time. */
struct run_span {
    int64_t steps;
    double time_s; /* above 0; 0: `steps` counts */
};

/* The size of paper, in inches or in pixels. The resolution converts pixels to inches. */
struct run_page {
    double width, height;
    bool pixels;
};

/* The size of maps; all zero: as large as a map needs, with the usual resolution. */
struct run_map {
    struct run_page page;
    double dpi; /* 0: the usual resolution */
};

/* option_page reads "A4", "A4-portrait" or "1600x900" into a struct run_page. run_map_inches() gives the size of a page in
 * inches; 0: no size is given. */
option_setter option_page;
void run_map_inches(const struct run_map *m, double *width_in, double *height_in);

struct run_options {
    const char *case_path;
    const char *output;            /* NULL: output/NAME-OF-CASE */
    int64_t member;                /* -1: case_path is a case; else index of a member of the plan */
    const char *until;             /* time of the last step, as given; NULL: with.max_steps */
    struct sciara_options with;    /* options of sciara_create() that are given */
    struct sciara_run_options run; /* options of sciara_run() that are given */
    struct run_span every; /* interval of snapshots; 0 steps: only at the end; -1: as in the case */
    struct run_map map;
    bool animate;
    struct run_span frame_every; /* interval of frames; all zero: about sixty frames */
    struct run_span state_every; /* interval of states; all zero: no states */
    double state_s;              /* interval of states in real time; 0: none */
    bool state, resume, changed;
    bool published, no_output, quiet, json;
};

/* Reads a command line as options_parse() does. `fixed`: the variant of the program sciara_NAME, NULL for `sciara run`. */
int run_options_parse(struct run_options *o, const char *fixed, int argc, char **argv,
                      struct error *e);

enum { RUN_STEPS_MAX = 2147483646 }; /* an arrival is a step in 32 bits */
enum { RUN_THREADS_MAX = 1024, RUN_DEVICE_MAX = 1023 };
enum { EXIT_INTERRUPTED = 130 }; /* the status that a shell gives after SIGINT */
enum { EXIT_GOES_ON = 75 };      /* EX_TEMPFAIL of sysexits.h: --resume continues the study */

/* Rows of tables that several commands share; AT(member) has to be defined. */
#define RUN_OPERAND_CASE(MEMBER)                                                                   \
    OPERAND("CASE", option_text, MEMBER, "a case file, or an original NAME_000000000000.cfg",      \
            .completes = COMPLETE_CASE)
#define RUN_OPERAND_STEPS(MEMBER)                                                                  \
    OPERAND("STEPS", option_whole, MEMBER, "the last step", .low = 1, .high = RUN_STEPS_MAX,       \
            .optional = true, .usual = "the maximum of the case")
#define RUN_OPTION_DEVICE(MEMBER, NOT_WITH)                                                        \
    OPTION("--device", "N", option_int, MEMBER, "number of the CUDA device",                       \
           .high = RUN_DEVICE_MAX, .preset = "0", .not_with = NOT_WITH)
#define RUN_OPTION_THREADS(MEMBER, ...)                                                            \
    OPTION("--threads", "N", option_int, MEMBER, __VA_ARGS__, .low = 1, .high = RUN_THREADS_MAX,   \
           .usual = "all")
#define RUN_OPTION_OUTPUT(MEMBER, USUAL)                                                           \
    OPTION("--output", "DIR", option_text, MEMBER, "output folder", .completes = COMPLETE_FOLDER,  \
           .usual = USUAL)
#define RUN_OPTION_EXTENT(MEMBER)                                                                  \
    OPTION("--extent", "WHICH", option_bits, MEMBER,                                               \
           "cells in layers, maps and exports: flow, the lava, vents and observed outline with a " \
           "margin; full, the whole terrain",                                                      \
           .choices = run_extents, .usual = "flow for more than 1048576 cells, else full")
#define RUN_OPTION_LAYERS(MEMBER, EXAMPLE)                                                         \
    OPTION("--layers", "LIST", option_text, MEMBER,                                                \
           "also write these files: names without ending, such as " EXAMPLE ", patterns, or all, " \
           "separated by commas; `sciara show` can paint pictures later",                          \
           .usual = "the usual files alone")
extern const char *const run_extents[]; /* the words for enum sciara_layer_extent from 1 on */
#define RUN_OPTION_MAP_SIZE(MEMBER, NEEDS)                                                         \
    OPTION("--map-size", "SIZE", option_page, MEMBER,                                              \
           "size of each map: A3, A4 or A5; upright: A4-portrait; in pixels: 1600x900",            \
           .usual = "chosen for each map", .needs = NEEDS)
#define RUN_OPTION_MAP_DPI(MEMBER, NEEDS)                                                          \
    OPTION("--map-dpi", "N", option_real, MEMBER, "resolution of maps", .low = 30, .high = 1200,   \
           .unit = "pixels per inch", .usual = "200; 300 with --map-size", .needs = NEEDS)
#define RUN_OPTION_LANGUAGE(MEMBER, HELP)                                                          \
    OPTION("--language", "NAME", option_text, MEMBER, HELP, .choices = words_languages,            \
           .usual = "en")
#define RUN_OPTION_QUIET(MEMBER)                                                                   \
    OPTION_FLAG("--quiet", MEMBER, "show neither progress nor a report")
#define RUN_OPTION_JSON(MEMBER)                                                                    \
    OPTION_FLAG("--json", MEMBER, "print the summary as JSON and nothing else")

/* ---- cli.c: Ctrl-C --------------------------------------------------------------------------- */

/* From now on SIGINT, SIGTERM, SIGHUP and SIGUSR1 are counted, and cancel the operation that *w watches. w NULL:
 * signals are only counted. Without this call a signal ends the process at once, so commands that write files make this
 * call. */
struct file_progress;
void interrupt_watch(struct file_progress *w);
int interrupts_seen(void); /* the number of signals so far */
/* ends: true while a command only reads. A signal then ends the process at once, even while the process waits for a file. */
void interrupt_ends(bool ends);

/* ---- progress.c: the line on the terminal ---------------------------------------------------- */

struct progress {
    bool on;                     /* stderr is a terminal, and --quiet is not given */
    const char *name[4];         /* what is read, set up or written; index: enum sciara_phase */
    double clock_s;              /* length of a step */
    double area_m2;              /* area of a cell */
    double shown_s;              /* when the line was last written; 0: the line is empty */
    int interrupts;              /* number of signals that have been handled */
    const struct warnings *told; /* printed before the steps, which may take hours; NULL: none */
    struct warnings said;        /* warnings printed so far */
};

/* Whether to show progress: on a terminal, or for a program that reads the line and has set SCIARA_PROGRESS. */
bool progress_wanted(bool quiet);
/* A sciara_progress_function that shows the progress and cancels after Ctrl-C. When it is first called for steps, all
 * checks have passed, and it prints the warnings `told`. */
int progress_tell(const struct sciara_progress *now, void *self);
void progress_clear(struct progress *p);
void progress_warn(const char *warning); /* prints at once; "": nothing */
/* Print each warning on a line: progress_tell_all() to standard error, progress_report() as lines of a report. They print no
 * notes, and no warning that *said has. They add what they print to *said, so that a command prints no warning twice. */
void progress_tell_all(const struct warnings *w, struct warnings *said);
void progress_report(const struct warnings *w, struct warnings *said);
/* A warning if pictures cannot show a title, malloc'ed; NULL: they can. */
char *progress_letters(const char *title);
void progress_left(char text[32], double seconds); /* "0:07", "3:05:00" */
