/* output.h — the files of a run: GeoTIFF layers, maps, the original text format,
 * summary.json. Everything is written under a temporary name and renamed when whole. */
#ifndef SCIARA_OUTPUT_H
#define SCIARA_OUTPUT_H

#include "case/case.h"
#include "base/error.h"
#include "compare/lava_extent.h"
#include "products/products.h"
#include "products/summary.h"
#include "restart/restart.h"
#include "sim/fields.h"
#include "sim/sample.h"
#include "text/filesum.h"

#include <stdbool.h>
#include <stdint.h>

/* The states that a run writes. */
struct output_saving {
    struct restart about;   /* its chain is borrowed */
    int64_t latest, before; /* steps of those that are kept; -1: none */
    bool written;           /* the latest is this run's */
};

struct output_summary {
    struct ledger ledger;
    bool published; /* published arithmetic: *ledger holds totals, which need not close */
    struct extent extent;
    uint64_t digest;
    int64_t step;
    int64_t from_step;            /* of the state that it went on from; -1: none */
    const char *passed_over;      /* a damaged state that it did not go on from; NULL: none */
    const struct restart *states; /* those that it has gone on from */
    bool stopped;                 /* by the stopping rule */
    bool interrupted;             /* by Ctrl-C */
    int threads;
    size_t device_bytes;
    double load_s, steps_s, total_s; /* wall clock: reading, steps, all */
    double device_ms;                /* time of the steps on the device */
};

/* With the formats that some need: the layers that a KMZ, a project of QGIS and a NetCDF file show.
 */
unsigned output_formats_whole(unsigned formats, const struct sim_case *c);
/* ERROR_INPUT where one of OUTPUT_EXPORTS, or the original format, cannot be written of this case,
 * or by this program. */
int output_export_check(unsigned formats, const struct sim_case *c, struct error *e);

/* Makes the folder (and its parents), makes sure that files can be written there, and removes the
 * temporary files of killed processes. If it fails, new folders are removed again. */
int output_prepare(const char *directory, struct error *e);

/* The same for info->directory and a run, which from then on has the folder for itself: what an
 * earlier run of sciara left there is removed. ERROR_INPUT, and nothing is changed: another run is
 * writing to it; a file there that is not an earlier run's has a name that this one may write to;
 * or one that would be removed or written to is read by *c. Where a run goes on from a state there,
 * states and files of steps up to from_step stay, and are listed. */
int output_folder_take(struct output_folder *f, const struct output_info *info,
                       const struct sim_case *c, struct error *e);
/* The same for what goes on from a state that info->files has: existing files stay, but those of
 * its pictures that are not drawn again, and its page. */
int output_folder_rejoin(struct output_folder *f, const struct output_info *info,
                         const struct sim_case *c, struct error *e);
/* For a failed run: removes empty folders that were made for it. */
void output_folder_unmake(struct output_folder *f);
void output_folder_leave(struct output_folder *f); /* others may write there; the list stays */
void output_folder_free(struct output_folder *f);  /* leaves it, too; all-zero is fine */

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
    OUTPUT_LAYERS
};

/* "thickness_m": the beginning of its file's name */
const char *output_layer_prefix(enum output_layer layer);

/* A layer into rows * cols floats, NaN where it has no value. An arrival is counted in whatever
 * unit `time_per_step` is in. */
void output_layer_values(enum output_layer layer, const struct fields *f, double time_per_step,
                         float *out);

/* Writes layers and map of one state. Layer names end in the step, zero-padded to 6 digits or more.
 */
int output_state(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                 struct error *e);
/* Writes a state of a run, and removes those before the latest two; info->saving is not NULL. */
int output_save(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                struct error *e);
/* summary.json of a run, malloc'ed; NULL: out of memory. */
char *output_summary_text(const struct output_info *info, const struct sim_case *c,
                          const struct output_summary *s);

/* Adds the sample of a snapshot to info->samples if it came at its interval and is not there yet:
 * so a run that was stopped in between and goes on has the same as one that was not. The writer
 * does it before it writes the state of that step, which has it, too. */
int output_sample(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);

/* timeline.csv and its picture of a run that ended with *f: a row for each
 * reduction, and for info->samples. `emission_from`: the step since which the vents of *c are those
 * of the run. The writer may be at work beside it; output_timeline_done() notes the files. */
struct output_timeline { /* what came of them */
    int table, picture;
    struct error why_table, why_picture;
};
void output_timeline(struct output_timeline *t, const struct output_info *info,
                     const struct sim_case *c, const struct fields *f, int64_t emission_from);
int output_timeline_done(const struct output_info *info, struct output_timeline *t,
                         struct error *e);

/* "22 days 5 h 20 min" */
void output_duration_text(char *out, size_t size, double seconds);

/* A writer that does output_save() or output_state() or both on its own thread, for one state at a
 * time, and for the last one, OUTPUT_END, what other programs get (OUTPUT_EXPORTS). put() takes
 * ownership of the contents of *f (and zeroes *f), waiting while an earlier state is still being
 * written; its error, and finish()'s, may be that of an earlier state. */
struct output_writer;
enum output_part {
    OUTPUT_FILES = 1,
    OUTPUT_SAVE = 2,
    OUTPUT_END = 4,
    OUTPUT_FRAME = 8
}; /* or'ed */
int output_writer_create(struct output_writer **w, const struct output_info *info,
                         const struct sim_case *c, struct error *e);
int output_writer_put(struct output_writer *w, struct fields *f, int parts, struct error *e);
/* The same with a state of the caller, who must not change it until finish(). */
int output_writer_lend(struct output_writer *w, const struct fields *f, int parts, struct error *e);
/* Waits until put() or lend() would not. */
int output_writer_wait(struct output_writer *w, struct error *e);
/* Whether put() or lend() would have to wait. */
bool output_writer_busy(struct output_writer *w);
int output_writer_finish(struct output_writer *w, struct error *e); /* waits, and destroys w */

/* ---- the parts ------------------------------------------------------------------------------- */

#define OUTPUT_NODATA (-9999.0)

int output_layers(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);
/* ERROR_INPUT where its rates cannot be written in that format. */
int output_original_check(const struct sim_case *c, struct error *e);
int output_original(const struct output_info *info, const struct sim_case *c,
                    const struct fields *f, struct error *e);

/* Of a state: all but its maps. */
int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, struct error *e);

/* assets.csv, of a case that names places of interest; else nothing. */
#define OUTPUT_ASSETS "assets.csv"
struct map_place *output_places(const struct assets *a); /* for its maps; malloc'ed, or NULL */
int output_assets(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);

/* Writes what info->formats has of OUTPUT_EXPORTS, of a run whose last state is *f. */
int output_export(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  const unsigned char *outline, struct error *e);

/* The observed outline of the case on its grid, malloc'ed; NULL where the case has none. */
int output_outline(unsigned char **outline, const struct sim_case *c, struct error *e);

/* Whether a file's name is the name of a file in the original format of a step after the first of
 * *c. */
bool output_is_original(const struct sim_case *c, const char *name);

/* All files of a run, as rows (products.h): layers and the tables that follow them. */
#define output_files output_layer_files
extern const struct product_table output_layer_files, output_map_files, output_export_files,
    output_other_files;
extern const char output_timeline_head[], output_assets_head[]; /* how these tables begin */

/* "DIRECTORY/PREFIX_016000.ENDING", or with its date, where the case has start_time,
 * "DIRECTORY/PREFIX_016000_20060803T2120Z.ENDING" (runfolder_layer_step() reads it), malloc'ed;
 * NULL: out of memory. */
char *output_path(const struct output_info *info, const struct sim_case *c, const char *prefix,
                  int64_t step, const char *ending);

/* Where a window lies. */
struct georef output_georef(const struct sim_case *c, const struct window *w);

#endif
