/* original_case.h — cases of the published program: NAME_000000000000.cfg and the files next to it
 * (docs/formats/original.md). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct case_files; /* case_terrain.h */
struct raster;

/* Whether a path is that of an original case: it ends in _ and 12 digits and .cfg. Then *step is
 * that number, and *name and *length locate NAME in the path. */
bool original_case(const char *path, int64_t *step, const char **name, int *length);

/* The paths of the files next to an original case. */
int original_case_files(struct case_files *f, const char *path, struct error *e);

/* Interprets the cells of a raster of an original case. As published: the number in the file. Else
 * NaN for NODATA_value, as in any raster, and for -9999; returns the number of cells with -9999
 * where another NODATA_value is declared. */
size_t original_values(struct raster *r, bool as_published);

/* The published program matches the cells of a raster by row and column if its corner is at most a
 * cell away from the corner of the terrain: moves *r there. */
void original_place(struct raster *r, const struct raster *dem);
