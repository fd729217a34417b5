/* files.h — the folder of a run or a study, with lists of the files that were written and of the files that could not
 * be written. The computation is more expensive than the files, so after a failure all other files are still written. */
#pragma once

#include "case/case.h"
#include "formats.h"
#include "sim/fields.h"
#include "text/textfile.h"

/* ---- the extent ------------------------------------------------------------------------------
 * The part of the domain that layers, maps and exports show: the cells that lava came to, vents and the observed
 * outline, with a margin. The edges of the extent are at multiples of EXTENT_BLOCK cells or at the edge of the domain.
 * So the extent grows in few steps, and files of different extents have the same cells. */

enum output_extent {
    OUTPUT_EXTENT_BY_SIZE, /* FLOW if the domain has more than EXTENT_FULL_MOST cells, else FULL */
    OUTPUT_EXTENT_FLOW,
    OUTPUT_EXTENT_FULL, /* the whole domain */
    OUTPUT_EXTENTS
};

enum { EXTENT_FULL_MOST = 1 << 20, EXTENT_BLOCK = 64, EXTENT_MARGIN = 16 };

/* Extend *reach (window_add()) to all cells that have or had lava, or to all vents. */
void reach_add_fields(struct window *reach, const struct fields *f);
void reach_add_vents(struct window *reach, const struct problem *p);

/* extent_is_full(): whether a rule selects the whole domain. extent_around(): the window that a rule selects around
 * `reach` or, if `reach` is empty, in the middle of the domain. */
bool extent_is_full(enum output_extent rule, const struct problem *p);
struct window extent_around(struct window reach, enum output_extent rule, const struct problem *p);

/* ---- the folder ------------------------------------------------------------------------------ */

/* Kinds of maps, or'ed. Each snapshot has the first two; the end of the run also has the other two. */
enum output_map {
    OUTPUT_MAP_THICKNESS = 1,
    OUTPUT_MAP_TEMPERATURE = 2,
    OUTPUT_MAP_ARRIVAL = 4,
    OUTPUT_MAP_MAX_THICKNESS = 8,
    OUTPUT_MAPS_OF_SNAPSHOTS = OUTPUT_MAP_THICKNESS | OUTPUT_MAP_TEMPERATURE
};

/* The requested maps and the size of their pages. All zero: the maps of thickness and arrival, each as large as it
 * needs. */
struct output_pictures {
    unsigned maps;
    double width_in, height_in, dpi;
    int64_t frame_every;  /* steps between the frames of an animation; 0: no animation */
    const char *language; /* a language of words_languages; NULL: English */
};

struct file_progress;  /* file_progress.h */
struct product_reader; /* products.h */

/* A file that was written, and its checksum. */
struct output_file {
    char *name; /* name in the folder */
    struct filesum sum;
};

/* A file that could not be written, and the message. */
struct output_failure {
    char *name, *why;
};

/* A list of names of files in a folder. */
struct output_names {
    int count;
    char **name;
};

struct record_writer; /* record/record.h */

/* The folder of a run or study while files are written to it. All-zero: there is no folder. */
struct output_folder {
    char *path;  /* path of the folder */
    size_t made; /* length of the path of the outermost new folder; 0: all folders existed */
    bool open;   /* `lock` is an open file */
    int lock;
    int count;
    struct output_file *file; /* written so far */
    int on_disk;              /* the first on_disk files are certainly on the disk */
    char digest[17];          /* digest of the results; "": not yet known */
    double scale_denominator; /* n of the scale 1 : n of the last maps; 0: no map */
    struct window extent; /* the part of the domain that the last layers show; rows 0: no layers */
    bool notes;           /* a file that cannot be written is noted in `failure` */
    int failures;
    struct output_failure *failure;
    /* Set by output_make_way(): */
    struct output_names old;   /* files of earlier results, and of a killed command */
    struct output_names aside; /* pairs: an expensive file of another plan, and its new name */
    /* patterns of the names of new files in which sciara leaves no mark, such as tables */
    struct output_names unmarked;
    struct output_names previous; /* files of complete results in previous/ */
    bool replaced;                /* newer results are complete, so previous/ is removed */
    const char *study;            /* borrowed */
    const struct made_by *by;     /* borrowed */
    char *notice;                 /* which files are set aside, and why; NULL: none */
    /* the plan of `aside` differs from the new plan only in its places of interest */
    bool places_alone;
    bool under_way;               /* output_make_way() was called */
    bool first;                   /* previous/ had no files before output_make_way() */
    int entries;                  /* number of files in the folder after output_make_way() */
    bool left;                    /* the folder had writing.json: a killed command left it there */
    bool partial;                 /* the new results are incomplete, so previous results stay */
    struct record_writer *record; /* open from output_make_way() to output_end(); or NULL */
};

struct made_by;
struct product_table;
struct output_info {
    const char *directory;
    struct product_reader *reader; /* not NULL: it receives products, and nothing is written */
    unsigned formats;              /* bits of enum output_format */
    const char *variant;           /* "cfamo" */
    const char *device;            /* "NVIDIA H200" or the CPU's name */
    const char *version;
    bool full_domain;
    enum output_extent extent; /* the extent that layers, maps and exports show */
    int threads;               /* most threads for packing layers; 0: processors_granted() */
    struct output_pictures pictures;
    const char *layers; /* additional files: names or patterns, separated by commas, or "all"
                         * (product_asked()); NULL: only the usual files */
    struct file_progress *progress;    /* NULL: no progress is reported */
    struct output_folder *folder;      /* NULL: no list of files is kept */
    const struct product_table *files; /* the files of a study; NULL: the files of a run */
    struct output_saving *saving;      /* NULL: no states are written */
    const struct warnings *told;       /* warnings about a run, empty until its end; or NULL */
    struct samples *samples; /* samples of the snapshots so far; the writer adds to them; or NULL */
    const char *study;       /* the name of the study; NULL: it is a run */
    const char *state;       /* file of the study's state; NULL: the study cannot be resumed */
    uint64_t plan_digest;    /* the digest of the plan of the study's members */
    const struct made_by *by;
    bool replace; /* also replace files that took long to compute */
    /* an unfinished state of this plan may be replaced if it is from a study of this name */
    bool restarts;
    bool covers;       /* any unfinished state of this plan may be replaced */
    bool resumed;      /* the run resumes from a state in the folder */
    int64_t from_step; /* step of the state from which the run resumes; -1: no state is intact */
};

/* Notes in info->folder that the file at `path` has been written. */
int output_wrote(const struct output_info *info, const char *path, struct error *e);

/* Called before the files of the end of a computation are written. From then on, a file that cannot be written is noted
 * in info->folder, and all other files are written. The summary comes last and names the failed files. Only one thread
 * at a time may note a file. */
void output_note_failures(const struct output_info *info);
/* Called after the file at `path` was written with the result `status` and *e. Calls output_wrote(), or notes the failure
 * and removes an older file of this name, because it is out of date. Returns 0, or the status that ends all writing: the
 * command was cancelled, or failures are not noted. */
int output_done(const struct output_info *info, const char *path, int status, struct error *e);
/* Only notes a failure; no file is removed. `path` may be a word for several files, such as "maps". */
int output_missed(const struct output_info *info, const char *path, int status, struct error *e);
/* Writes and frees the summary (NULL: out of memory). ERROR_FAILED: a failure was noted; *e has the
 * first failure and the number of further ones. */
int output_end(const struct output_info *info, const struct sim_case *c, char *summary,
               struct error *e);
/* Notes in shown.json (record/shown.h) which files of *f were painted; output_end() calls it. */
int output_shown(const struct output_folder *f, struct error *e);
/* Whether a failure with this status is noted, so that all other files are still written. */
bool output_misses(const struct output_info *info, int status);

/* The path "FOLDER/NAME", malloc'ed. On an error returns NULL and sets *e. An input of *c is refused. */
char *output_file_path(const struct output_info *info, const struct sim_case *c, const char *name,
                       struct error *e);

/* ERROR_INPUT: *c was read from the file at `path`, which is about to be written. */
int output_spare(const struct sim_case *c, const char *path, struct error *e);

struct cJSON;
/* Adds to the summary the files that were written, and those that could not be written. */
void output_list_files(struct cJSON *root, const struct output_folder *f);
void output_failures_free(struct output_folder *f);
