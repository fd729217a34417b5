/* files.h — the folder that a run or a study writes to, and what it knows of its files: those that
 * are written, and those that could not be. The computation costs more than they do, so that all
 * others are written. */
#ifndef SCIARA_OUTPUT_FILES_H
#define SCIARA_OUTPUT_FILES_H

#include "base/error.h"
#include "case/case.h"
#include "formats.h"
#include "text/filesum.h"

#include <stdbool.h>
#include <stdint.h>

/* report.html, which is made later of what a folder holds (report/page.h), and how it begins. */
#define OUTPUT_REPORT      "report.html"
#define OUTPUT_REPORT_MARK "<!doctype html>\n<!-- sciara report -->\n"

/* Kinds of maps, or'ed. The first two of each snapshot, the others of the end alone. */
enum output_map {
    OUTPUT_MAP_THICKNESS = 1,
    OUTPUT_MAP_TEMPERATURE = 2,
    OUTPUT_MAP_ARRIVAL = 4,
    OUTPUT_MAP_MAX_THICKNESS = 8,
    OUTPUT_MAPS_OF_SNAPSHOTS = OUTPUT_MAP_THICKNESS | OUTPUT_MAP_TEMPERATURE
};

/* Which maps, and their pages: all-zero are thickness and arrival, as large as the map needs. */
struct output_pictures {
    unsigned maps;
    double width_in, height_in, dpi;
    int64_t frame_every; /* steps between the frames of an animation; 0: there is none */
    bool film;           /* it becomes an MP4, too */
};

struct file_progress;  /* file_progress.h */
struct product_reader; /* products.h */

/* A file as it was written. */
struct output_file {
    char *name; /* in the folder */
    struct filesum sum;
};

/* A file that could not be written, and the line that says why. */
struct output_failure {
    char *name, *why;
};

/* The folder of a run, for as long as it writes there. All-zero: none. */
struct output_folder {
    char *path;  /* of the folder */
    size_t made; /* how long that is down to the first folder that was made; 0: none was */
    bool open;   /* `lock` is an open file */
    int lock;
    int count;
    struct output_file *file; /* written so far */
    int on_disk;              /* how many of them are known to be there */
    double scale_denominator; /* of the maps that were drawn last: n of 1 : n; 0: there are none */
    bool goes_on;             /* a file that cannot be written is noted: */
    int failures;
    struct output_failure *failure;
};

struct product_table;
struct output_info {
    const char *directory;
    struct product_reader *reader; /* not NULL: one product is read, nothing is written */
    unsigned formats;              /* of enum output_format */
    const char *variant;           /* "cfamo" */
    const char *device;            /* "NVIDIA H200" or the CPU's name */
    const char *version;
    bool full_domain;
    int threads; /* for packing layers, at most; 0: all */
    struct output_pictures pictures;
    struct file_progress *progress;    /* NULL: nobody looks */
    struct output_folder *folder;      /* NULL: no list of files is kept */
    const struct product_table *files; /* of a study: its files; NULL: those of a run */
    struct output_saving *saving;      /* NULL: no states are written */
    struct samples *samples; /* of the snapshots so far; the writer adds to them. NULL: none kept */
    bool resumed;            /* the run goes on from what the folder has: */
    int64_t from_step;       /* a state of this step; -1: none that is good */
};

/* Notes in info->folder that the file at that path has been written. */
int output_wrote(const struct output_info *info, const char *path, struct error *e);

/* The files at the end of a computation, which costs more than they do. After output_go_on() one
 * that cannot be written is noted in info->folder, all others are written, and the summary, the
 * last of them, names it. No two threads note at the same time. */
void output_go_on(const struct output_info *info);
/* After the file at that path, with `status` and *e of writing it: output_wrote(), or notes why
 * not, and takes away what is there from an earlier time, which would tell of less. 0, or what ends
 * all writing: it was cancelled, or nothing is noted. */
int output_done(const struct output_info *info, const char *path, int status, struct error *e);
/* The same of a failure alone; a name in place of the path will do, of several files too. */
int output_missed(const struct output_info *info, const char *path, int status, struct error *e);
/* Writes the summary, which is freed (NULL: there was no memory for it). ERROR_FAILED with one line
 * if any file was noted so. */
int output_end(const struct output_info *info, const struct sim_case *c, char *summary,
               struct error *e);
/* Whether `status` is that: all else has been done. */
bool output_misses(const struct output_info *info, int status);

/* "FOLDER/NAME", which is no input of *c, malloc'ed; NULL and the error. */
char *output_file_path(const struct output_info *info, const struct sim_case *c, const char *name,
                       struct error *e);

/* ERROR_INPUT if *c was read from the file at that path, which is about to be written. */
int output_spare(const struct sim_case *c, const char *path, struct error *e);

struct cJSON;
/* For the summary: the files, and those that could not be written. */
void output_list_files(struct cJSON *root, const struct output_folder *f);
void output_failures_free(struct output_folder *f);

#endif
