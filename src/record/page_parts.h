/* page_parts.h — what report.html and the page of `sciara serve` have in common. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "sim/window.h"

#include <stdio.h>

struct cJSON;

/* page_style_facts() adds `colours`, `classes` and `quantities`. page_grid_facts() adds `grid` and, if PROJ knows the
 * CRS, `degrees`. */
void page_style_facts(struct cJSON *facts);
int page_grid_facts(struct cJSON *facts, int rows, int cols, const struct georef *geo,
                    struct error *e);

/* A line as a list x, y, x, y, ... in cells from the north-west corner of a grid, to a hundredth of a cell. */
struct cJSON *page_line(const struct georef *geo, int rows, const double (*xy)[2], int count);

/* Adds `background` to an object, unless b is NULL. `looks` has each struct background_look by its name. `features` is a
 * list in the order of painting. A feature has its `look`, and the members that page_shape() adds. */
struct map_background;
void page_background(struct cJSON *facts, const struct georef *geo, int rows,
                     const struct map_background *b);

/* Adds a shape at the end of a list. The shape has `kind`, `parts` and, unless the label is empty, `name`. */
struct map_place;
struct cJSON *page_shape(struct cJSON *list, const struct georef *geo, int rows,
                         const struct map_place *t);

/* Makes a list of {"hours", "lines"} of the isochrones that a map draws. The caller deletes the list. Positions are
 * in cells from the north-west corner of the grid. arrival(of, row, col) returns hours, NaN if lava never came. Lava
 * came only to cells in the window w, so arrival() is called only for these cells. */
typedef float page_arrival(const void *of, int row, int col);
int page_isochrones(struct cJSON **list, int rows, int cols, const struct georef *geo,
                    struct window w, page_arrival *arrival, const void *of, struct error *e);

/* Writes JSON in a <script>. Escapes `<`, because it could end the script or begin a comment. Escapes U+2028 and
 * U+2029, because they could end a line. */
void page_write_json(FILE *out, const char *json);
