/* output.h — the files of a run: GeoTIFF layers, maps, the original text format, summary.json. Each file is written under
 * a temporary name and renamed when it is complete. */
#pragma once

#include "compare/lava_extent.h"
#include "products/products.h"
#include "products/summary.h"
#include "restart/restart.h"

/* The states that a run writes. */
struct output_saving {
    struct restart about;   /* for restart_write(); its links are borrowed */
    int64_t latest, before; /* steps of the states that are kept; -1: none */
    bool written;           /* this run wrote the latest state */
};

struct output_summary {
    struct ledger ledger;
    /* published arithmetic: `ledger` has totals, for which ledger_closes() may be false */
    bool published;
    struct extent extent;
    struct warnings told; /* set by output_warnings() */
    uint64_t digest;
    int64_t step;
    int64_t from_step;            /* step of the state from which the run resumed; -1: none */
    const char *passed_over;      /* a damaged state that was not used; NULL: none */
    const struct restart *states; /* all states from which the run resumed, a chain */
    bool stopped;                 /* the stopping rule has ended the run */
    bool interrupted;             /* Ctrl-C has ended the run */
    int threads;
    size_t device_bytes;
    double load_s, steps_s, total_s; /* wall-clock time of reading, of the steps, of everything */
    double device_ms;                /* time of the steps on the device */
};

/* Adds the formats that `formats` need: a KMZ, a QGIS project and a NetCDF file need layers. */
unsigned output_formats_whole(unsigned formats, const struct sim_case *c);
/* ERROR_INPUT: one of the formats cannot show this case, or this machine lacks the format's library. */
int output_export_check(unsigned formats, const struct sim_case *c, struct error *e);

/* Makes the folder and its parents, tests that files can be written there, and removes temporary
 * files of killed processes. On an error new folders are removed again. */
int output_prepare(const char *directory, struct error *e);

/* Prepares info->directory (output_prepare()), and locks it for a run or a study. Earlier results
 * stay in place until output_make_way(). ERROR_INPUT: another run writes to the folder; the folder
 * has an unfinished study; or this run would replace an input of *c, or a file that no run wrote.
 * If a run resumes from a state in the folder, states and files of steps up to from_step stay, and
 * become files of this run. rejoined: a study resumes, so its state stays. */
int output_folder_take(struct output_folder *f, const struct output_info *info,
                       const struct sim_case *c, bool rejoined, struct error *e);
/* Only locks a folder, for a command that reads its results and adds files. ERROR_INPUT: a run writes to the folder. */
int output_folder_hold(struct output_folder *f, const char *directory, struct error *e);
/* Called before the first file, in one thread. Notes in writing.json what is being written, and moves earlier results to
 * previous/ (output_previous.c). Later calls do nothing; NULL is fine. */
int output_make_way(struct output_folder *f, struct error *e);
/* Called before the summary of a study. If earlier results have the same plan and digest, their report and bulletin stay,
 * unless the study has written new ones. */
int output_keep_same(const struct output_info *info, struct error *e);
/* Called at the end. If the new results are complete, with a summary, removes the earlier results. NULL is fine. */
void output_settle(struct output_folder *f);
/* Whether a command that wrote to the folder was killed, was interrupted, or could not write all files. */
bool output_unfinished(const char *folder);
/* Reads which case or plan made the results in a folder, as far as this is known. */
int output_made_by(struct made_by *by, const char *folder, struct error *e);
/* The digest of the plan in the state of a study (study/state.h); false: the file is not such a state. */
bool output_state_plan(uint64_t *digest, const char *path);
/* Undoes a failed run: restores earlier results, and removes empty folders that were made for the run. */
void output_folder_unmake(struct output_folder *f);
void output_folder_leave(struct output_folder *f); /* unlocks *f, which keeps its list of files */
void output_folder_free(struct output_folder *f);  /* also unlocks the folder; all-zero is fine */

/* The layers of a state, in the order in which they are written. */
enum output_layer {
    OUTPUT_THICKNESS,
    OUTPUT_TEMPERATURE,
    OUTPUT_SOLIDIFIED,
    OUTPUT_TOTAL,
    OUTPUT_ELEVATION,
    OUTPUT_ARRIVAL,
    OUTPUT_MAX_THICKNESS,
    OUTPUT_MAX_TEMPERATURE,
    OUTPUT_MEDIAN,
    OUTPUT_LAYERS
};

/* How the name of the layer's file begins: "thickness_m". */
const char *output_layer_prefix(enum output_layer layer);
/* Whether a run writes a layer. It always writes total thickness, greatest thickness and arrival. */
bool output_layer_asked(const struct output_info *info, enum output_layer layer);

/* The observed outline of a case, in a window around the outline; rows 0: the case has no outline. */
struct output_outline {
    struct window window;
    unsigned char *inside; /* cells of the window, nonzero inside; owned */
};
int output_outline_read(struct output_outline *o, const struct output_info *info,
                        const struct sim_case *c, struct error *e);
void output_outline_free(struct output_outline *o); /* all-zero is fine */

/* The part of a state that layers, maps and exports show: its extent (products/files.h). The state is not copied, because
 * a copy of a large extent would need more memory than the simulation. */
struct output_cut {
    struct case_cut part;          /* without elevations and initial thickness (case_cut_bare()) */
    struct window window;          /* the part's rows and columns in the domain */
    const struct fields *f;        /* the whole state, in any window */
    const struct problem *problem; /* problem of the domain; it has terrain in the extent */
    unsigned char *outline;        /* the outline in the extent: nonzero inside; NULL: none */
    uint64_t digest;               /* digest of the whole state */
};
/* *o, *c and *f have to outlive *x. On an error *x is all zero. */
int output_cut(struct output_cut *x, const struct output_info *info, const struct sim_case *c,
               const struct fields *f, const struct output_outline *o, struct error *e);
void output_cut_free(struct output_cut *x); /* all-zero is fine */
/* Finds the overlap of lava and x->outline as `sciara fit` does. The run-outs stay unknown. */
struct sciara_overlap;
int output_overlap(struct sciara_overlap *o, const struct output_cut *x, struct error *e);

/* The numbers of struct fields for one cell. */
struct output_cell {
    double elevation_m, thickness_m, temp_K, solid_m, max_thickness_m, max_temp_K;
    int32_t arrival;
};
struct output_cell output_initial_cell(const struct problem *p, int row, int col);

static inline struct output_cell output_cell_at(const struct fields *f, size_t i)
{
    return (struct output_cell){f->elevation_m[i], f->thickness_m[i],     f->temp_K[i],
                                f->solid_m[i],     f->max_thickness_m[i], f->max_temp_K[i],
                                f->arrival[i]};
}

/* A cell of the extent. A cell that the state lacks has its initial values. */
static inline struct output_cell output_cell(const struct output_cut *x, int row, int col)
{
    const struct window *w = &x->f->window;
    const int r = x->window.row0 + row, c = x->window.col0 + col;
    const unsigned in_row = (unsigned)(r - w->row0), in_col = (unsigned)(c - w->col0);
    if (in_row < (unsigned)w->rows && in_col < (unsigned)w->cols &&
        fields_has(x->f, (int)in_row, (int)in_col))
        return output_cell_at(x->f, (size_t)in_row * (size_t)w->cols + in_col);
    return output_initial_cell(x->problem, r, c);
}

/* Computes a layer of the extent; NaN: no value. Arrivals have the unit of `time_per_step`. Uses only window, f and
 * problem of *x. If the state has all cells of the window, problem is not used. */
void output_layer_values(enum output_layer layer, const struct output_cut *x, double time_per_step,
                         float *out);

/* Writes layers and maps of one state. Layer names end in the step, zero-padded to 6 digits or more. */
int output_state(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                 struct error *e);
/* Writes a state of a run, and removes all states except the latest two. info->saving is not NULL. */
int output_save(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                struct error *e);
/* Sets s->told to the warnings about the case and its result *f. All other members of *s are already set. */
void output_warnings(struct output_summary *s, const struct sim_case *c, const struct fields *f);
/* Warns of the lava of a state that has left the terrain. */
void output_warn_of_left(struct warnings *w, const struct lava_left *left, const char *remedy);
/* summary.json of a run, malloc'ed; NULL: out of memory. */
char *output_summary_text(const struct output_info *info, const struct sim_case *c,
                          const struct output_summary *s);

/* Adds the sample of a snapshot to info->samples, if its step is a multiple of c->snapshot_every and has no sample yet.
 * So a resumed run has the samples of an uninterrupted run. The writer calls this before it writes the state of the
 * step, because the state includes the sample. */
int output_sample(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);

/* Writes timeline.csv and its picture for a run that ended with *f: a row for each reduction of mobile lava, each
 * change of a rate, and each sample of info->samples. digest: the digest of *f. emission_from: the vents of *c have
 * emitted since this step; the emission before is not known. The writer may work at the same time;
 * output_timeline_done() notes the files. */
struct output_timeline { /* status and error of table and picture */
    int table, picture;
    struct error why_table, why_picture;
};
void output_timeline(struct output_timeline *t, const struct output_info *info,
                     const struct sim_case *c, const struct fields *f, uint64_t digest,
                     int64_t emission_from);
int output_timeline_done(const struct output_info *info, struct output_timeline *t,
                         struct error *e);

/* Writes "22 days 5 h 20 min" as a packed text (text/words.h); returns out. */
char *output_duration_pack(char *out, size_t size, double seconds);

/* A writer has a thread, which writes one state at a time. put() waits while an earlier state is being written. Then it
 * takes over the arrays of *f and zeroes *f. Errors of put() and finish() may come from an earlier state. */
struct output_writer;
/* What put() writes of a state; or'ed. */
enum output_part {
    OUTPUT_FILES = 1, /* all files of the state except maps */
    OUTPUT_MAPS = 2,
    OUTPUT_SAVE = 4,  /* the state itself */
    OUTPUT_FRAME = 8, /* a frame of the animation */
    OUTPUT_END = 16   /* at the last state: all remaining maps, the exports, the table of places */
};
int output_writer_create(struct output_writer **w, const struct output_info *info,
                         const struct sim_case *c, struct error *e);
/* Starts the thread of a writer, before the first put(). create() does not start the thread, because create() may itself
 * run on an extra thread (background_run()). So only one extra thread runs at a time. */
int output_writer_start(struct output_writer *w, struct error *e);
int output_writer_put(struct output_writer *w, struct fields *f, int parts, struct error *e);
/* Like output_writer_put(), for a state that stays with the caller. The caller must not change the state until
 * finish(). */
int output_writer_lend(struct output_writer *w, const struct fields *f, int parts, struct error *e);
/* Reads the terrain that files show if all lava of the state is in the window `lava`. Later calls
 * of put() for such states read no file of the case. */
int output_writer_keep(const struct output_writer *w, struct window lava, struct error *e);
/* Waits until put() or lend() can begin at once. */
int output_writer_wait(struct output_writer *w, struct error *e);
/* Whether put() or lend() would have to wait. */
bool output_writer_busy(struct output_writer *w);
int output_writer_finish(struct output_writer *w, struct error *e); /* waits, and destroys w */

/* ---- the parts ------------------------------------------------------------------------------- */

#define OUTPUT_NODATA (-9999.0)
/* The cells from which `digest` in summary.json is computed. Summaries of earlier versions lack
 * this text, because their digest is computed from all cells. */
#define OUTPUT_DIGEST_OF "cells with lava"

int output_layers(const struct output_info *info, const struct output_cut *x, struct error *e);
/* ERROR_INPUT: the rates of the case cannot be written in the original format. */
int output_original_check(const struct sim_case *c, const char *what, struct error *e);

/* Writes all files of a state except its maps; *x is cut from *f. */
int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, const struct output_cut *x, struct error *e);

/* Writes assets.csv, if the case names places of interest. */
#define OUTPUT_ASSETS "assets.csv"
int output_assets(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);

/* Makes the bands of arrival between round times, on the grid of *x. */
struct bands;
int output_bands(struct bands *out, const struct output_cut *x, struct error *e);
/* Writes the exports of info->formats for a run that ended with *x, and adds the description of its layers to the record. */
int output_export(const struct output_info *info, const struct output_cut *x, struct error *e);

/* All files of a run, as rows (products.h). output_files has the layers, and its `next` leads to the other tables. */
extern const struct product_table output_files, output_map_files, output_export_files,
    output_other_files;
/* the first bytes of timeline.csv and of assets.csv */
extern const char output_timeline_head[], output_assets_head[];

/* ---- the rows of a timeline ------------------------------------------------------------------ */

/* A row of the timeline; NaN: not known. */
struct timeline_row {
    int64_t step;
    double area_m2, runout_m; /* area and run-out of the cells that lava had reached by this step */
    double front_speed_m_s, effusion_m3_s; /* means since the previous row */
    double emitted_m3;
    /* NaN in rows that are not snapshots. */
    double mobile_m3, solidified_m3, left_m3, sea_m3, thickest_m, hottest_K;
};

struct timeline {
    int count; /* at least 1 */
    struct timeline_row *row;
};

/* *f is the last state of the run. */
int timeline_create(struct timeline *t, const struct problem *p, const struct fields *f,
                    const struct samples *s, int64_t emission_from, struct error *e);
void timeline_free(struct timeline *t); /* all-zero is fine */
