/* original_case.h — cases of the published program: NAME_000000000000.cfg and the files next to it
 * (docs/formats/original.md). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct case_files; /* case_terrain.h */
struct raster;

/* Whether a path is that of an original case: it ends in "_", 12 digits and ".cfg". *step becomes the number that the
 * digits form; *name and *length locate NAME in the path. */
bool original_case(const char *path, int64_t *step, const char **name, int *length);

/* Finds the files next to an original case. */
int original_case_files(struct case_files *f, const char *path, struct error *e);

/* Interprets the cells of a raster of an original case. If `as_published`, cells keep the numbers of the file. Else
 * NODATA_value and -9999 become NaN. Returns the number of cells with -9999 if another NODATA_value is declared. */
size_t original_values(struct raster *r, bool as_published);

/* Moves *r to the corner of the terrain if its own corner is at most a cell away. The published program matches cells
 * by row and column, not by place. */
void original_place(struct raster *r, const struct raster *dem);
