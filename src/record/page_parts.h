/* page_parts.h — what report.html and the page of `sciara serve` have in common. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "sim/window.h"

#include <stdio.h>

struct cJSON;

/* page_style_facts() adds `colours` and `quantities`; page_grid_facts() `grid` and, if PROJ knows the CRS, `degrees`. */
void page_style_facts(struct cJSON *facts);
int page_grid_facts(struct cJSON *facts, int rows, int cols, const struct georef *geo,
                    struct error *e);

/* A line as a list x, y, x, y, ... in cells from the north-west corner of a grid, to a hundredth of a cell. */
struct cJSON *page_line(const struct georef *geo, int rows, const double (*xy)[2], int count);

/* Adds `background` to an object, unless b is NULL: `looks` (map_background.h) by their names, and `features` in the order of
 * painting, each with its `look` and what page_shape() adds. */
struct map_background;
void page_background(struct cJSON *facts, const struct georef *geo, int rows,
                     const struct map_background *b);

/* Adds a shape at the end of a list: `name`, unless it is empty, `kind` and `parts`. */
struct map_place;
struct cJSON *page_shape(struct cJSON *list, const struct georef *geo, int rows,
                         const struct map_place *t);

/* The lines of arrival that a map draws, as a list of {"hours", "lines"}, which the caller deletes; positions are in cells
 * from the north-west corner of a grid. arrival(of, row, col) gives hours, NaN where lava never came; it is called for the
 * cells of the window w, outside of which there is no lava. */
typedef float page_arrival(const void *of, int row, int col);
int page_isochrones(struct cJSON **list, int rows, int cols, const struct georef *geo,
                    struct window w, page_arrival *arrival, const void *of, struct error *e);

/* Writes JSON within a <script>, escaped: no `<` ends the script or begins a comment, and U+2028 and U+2029 end no line. */
void page_write_json(FILE *out, const char *json);
