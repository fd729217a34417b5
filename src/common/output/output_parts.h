/* output_parts.h — the pieces of output.h among themselves. */
#ifndef SCIARA_OUTPUT_PARTS_H
#define SCIARA_OUTPUT_PARTS_H

#include "compare/outline.h"
#include "output.h"

#define OUTPUT_NODATA (-9999.0)

int output_layers(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);
int output_original(const struct output_info *info, const struct sim_case *c,
                    const struct fields *f, struct error *e);

/* outline: of the whole domain, nonzero inside; NULL: none to draw. */
int output_map(const struct output_info *info, const struct sim_case *c, const struct fields *f,
               const unsigned char *outline, struct error *e);
int output_state_with(const struct output_info *info, const struct sim_case *c,
                      const struct fields *f, const unsigned char *outline, struct error *e);

/* Writes what info->formats has of OUTPUT_EXPORTS, of a run whose last state is *f. */
int output_export(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  const unsigned char *outline, struct error *e);

/* The observed outline of the case on its grid, malloc'ed; NULL where the case has none. */
int output_outline(unsigned char **outline, const struct sim_case *c, struct error *e);

/* Whether a file begins as a timeline.csv does. */
bool output_timeline_is_ours(const char *path);

/* Whether a file's name is that of a layer, of a timeline, or of a file in the original format of a
 * step after the first of *c. */
bool output_is_layer(const char *name);
bool output_is_timeline(const char *name);
bool output_is_export(const char *name, unsigned formats); /* of a run with such formats */
bool output_is_original(const struct sim_case *c, const char *name);

/* "DIRECTORY/PREFIX_016000.ENDING", or with its date, where the case has start_time,
 * "DIRECTORY/PREFIX_016000_20060803T2120Z.ENDING" (runfolder_layer_step() reads it), malloc'ed;
 * NULL: out of memory. */
char *output_path(const struct output_info *info, const struct sim_case *c, const char *prefix,
                  int64_t step, const char *ending);

/* Where the window of *f lies. */
struct georef output_georef(const struct sim_case *c, const struct fields *f);

#endif
