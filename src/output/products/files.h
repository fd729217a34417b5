/* files.h — the folder of a run or a study, with a list of the files that were written and of those
 * that failed. The computation costs more than the files: after a failure all others are written. */
#pragma once

#include "case/case.h"
#include "formats.h"
#include "sim/fields.h"
#include "text/textfile.h"

/* ---- the extent ------------------------------------------------------------------------------
 * The part of the domain that layers, maps and exports show: the cells that lava came
 * to, vents and the observed outline, with a margin. Its edges lie on multiples of EXTENT_BLOCK
 * cells of the domain or on its edge, so that it grows in few steps and files of different extents
 * have the same cells. */

enum output_extent {
    OUTPUT_EXTENT_BY_SIZE, /* around the flow if the domain has more cells than EXTENT_FULL_MOST */
    OUTPUT_EXTENT_FLOW,
    OUTPUT_EXTENT_FULL, /* the whole domain */
    OUTPUT_EXTENTS
};

enum { EXTENT_FULL_MOST = 1 << 20, EXTENT_BLOCK = 64, EXTENT_MARGIN = 16 };

/* Extends the smallest window so far (window_add()) to the cells that have or had lava, and to vents. */
void reach_add_fields(struct window *reach, const struct fields *f);
void reach_add_vents(struct window *reach, const struct problem *p);

/* Whether a rule asks for the whole domain; the window that a rule gives around a reach or, without
 * one, in the middle of the domain. */
bool extent_is_full(enum output_extent rule, const struct problem *p);
struct window extent_around(struct window reach, enum output_extent rule, const struct problem *p);

/* ---- the folder ------------------------------------------------------------------------------ */

/* Kinds of maps, or'ed. Each snapshot has the first two; the others are only of the end. */
enum output_map {
    OUTPUT_MAP_THICKNESS = 1,
    OUTPUT_MAP_TEMPERATURE = 2,
    OUTPUT_MAP_ARRIVAL = 4,
    OUTPUT_MAP_MAX_THICKNESS = 8,
    OUTPUT_MAPS_OF_SNAPSHOTS = OUTPUT_MAP_THICKNESS | OUTPUT_MAP_TEMPERATURE
};

/* The maps that are asked for, and their pages. All zero: thickness and arrival, as large as the
 * map needs. */
struct output_pictures {
    unsigned maps;
    double width_in, height_in, dpi;
    int64_t frame_every;  /* steps between the frames of an animation; 0: there is none */
    const char *language; /* of words_languages; NULL: English */
};

struct file_progress;  /* file_progress.h */
struct product_reader; /* products.h */

/* A file as it was written. */
struct output_file {
    char *name; /* in the folder */
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

/* The folder of a run, for as long as it writes there. All-zero: none. */
struct output_folder {
    char *path;  /* of the folder */
    size_t made; /* length of the path of the first folder that was made; 0: all existed */
    bool open;   /* `lock` is an open file */
    int lock;
    int count;
    struct output_file *file; /* written so far */
    int on_disk;              /* how many of them, the first ones, are known to be on the disk */
    char digest[17];          /* digest of the results, once they are known */
    double scale_denominator; /* n of the scale 1 : n of the last maps; 0: no map */
    struct window extent; /* the part of the domain that the last layers show; rows 0: no layers */
    bool notes;           /* a file that cannot be written is noted here: */
    int failures;
    struct output_failure *failure;
    /* Set by output_make_way(): */
    struct output_names old;      /* of earlier results, and of what a killed command left */
    struct output_names aside;    /* files of another plan that cost computing, with new names */
    struct output_names unmarked; /* patterns of the files to come that bear no mark of sciara */
    struct output_names previous; /* files in previous/ that are whole results */
    bool replaced;                /* the folder has newer results that are whole: previous/ goes */
    const char *study;            /* borrowed */
    const struct made_by *by;     /* borrowed */
    char *notice;                 /* what is set aside, and why; NULL: nothing */
    bool places_alone; /* the plan of what is set aside differs from this one only in its places */
    bool under_way, first;        /* output_make_way() was called; it made previous/ */
    int entries;                  /* files of the folder after it */
    bool left;                    /* writing.json was there before, of a command that had died */
    bool partial;                 /* the new results are not whole: previous ones stay */
    struct record_writer *record; /* from output_make_way() to output_end(); or NULL */
};

struct made_by;
struct product_table;
struct output_info {
    const char *directory;
    struct product_reader *reader; /* not NULL: one product is read, nothing is written */
    unsigned formats;              /* of enum output_format */
    const char *variant;           /* "cfamo" */
    const char *device;            /* "NVIDIA H200" or the CPU's name */
    const char *version;
    bool full_domain;
    enum output_extent extent; /* the extent that layers, maps and exports show */
    int threads;               /* most threads for packing layers; 0: all */
    struct output_pictures pictures;
    const char *layers; /* also files of these names, or patterns of names, separated by commas, or
                           "all" (product_asked()); NULL: the usual ones */
    struct file_progress *progress;    /* NULL: no progress is reported */
    struct output_folder *folder;      /* NULL: no list of files is kept */
    const struct product_table *files; /* of a study; NULL: the files of a run */
    struct output_saving *saving;      /* NULL: no states are written */
    const struct warnings *told;       /* warnings about a run, none until it has ended; or NULL */
    struct samples *samples; /* of the snapshots until now; the writer adds to them; or NULL */
    const char *study; /* the name of the study; NULL: it is a run, and what follows is not set */
    const char *state; /* the file of the study's state; NULL: it cannot be resumed */
    uint64_t plan_digest; /* the digest of the plan of its members */
    const struct made_by *by;
    bool replace;      /* replace also files that cost computing */
    bool restarts;     /* a state that it left itself does not refuse it, */
    bool covers;       /* nor any of that plan */
    bool resumed;      /* the run resumes from a state in the folder: */
    int64_t from_step; /* its step; -1: there is no good state */
};

/* Notes in info->folder that the file at that path has been written. */
int output_wrote(const struct output_info *info, const char *path, struct error *e);

/* Is called before the files at the end of a computation: from then on a file that cannot be
 * written is noted in info->folder, all others are written, and the summary, which comes last,
 * names it. Only one thread at a time may note a file. */
void output_note_failures(const struct output_info *info);
/* After writing the file at that path with the result `status` and *e: calls output_wrote(), or
 * notes the failure and removes an older file of that name, which would be out of date. 0, or the
 * status that ends all writing: it was cancelled, or failures are not noted. */
int output_done(const struct output_info *info, const char *path, int status, struct error *e);
/* Notes a failure alone; `path` may be a name of several files. */
int output_missed(const struct output_info *info, const char *path, int status, struct error *e);
/* Writes and frees the summary (NULL: out of memory). ERROR_FAILED with one line if the failure of
 * any file was noted. */
int output_end(const struct output_info *info, const struct sim_case *c, char *summary,
               struct error *e);
/* Notes in shown.json (record/shown.h) which of these files were painted; output_end() calls it. */
int output_shown(const struct output_folder *f, struct error *e);
/* Whether `status` is a failure that was noted, so that everything else is written. */
bool output_misses(const struct output_info *info, int status);

/* "FOLDER/NAME", malloc'ed; NULL and the error, also where it is an input of *c. */
char *output_file_path(const struct output_info *info, const struct sim_case *c, const char *name,
                       struct error *e);

/* ERROR_INPUT if *c was read from the file at that path, which is about to be written. */
int output_spare(const struct sim_case *c, const char *path, struct error *e);

struct cJSON;
/* Adds the files, and those that could not be written, to the summary. */
void output_list_files(struct cJSON *root, const struct output_folder *f);
void output_failures_free(struct output_folder *f);
