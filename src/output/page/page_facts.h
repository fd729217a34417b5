/* page_facts.h — what the files of this folder share: the facts of a page, and how numbers are packed. */
#pragma once

#include "page.h"
#include "page_texts.h"

#include "record/runfolder.h"
#include "raster/raster.h"

#include <cJSON.h>
#include <stddef.h>
#include <stdint.h>

/* ---- page.c: numbers, quantised to 16 bits, predicted, deflated, as base64 --------------------
 *
 * A quantity x becomes the whole number round((x - base) / unit), 0 to 65534; 65535: no value. Of
 * these a prediction from numbers before it is subtracted (modulo 65536), so that little more than
 * small differences is left, and 0, -1, 1, -2, ... become 0, 1, 2, 3, ...; all low bytes come
 * first, then all high ones. src/output/page/data.js undoes it. */

enum { PACK_NONE = 65535, PACK_MOST = 65534 };

/* How a quantity is counted. */
struct pack_scale {
    double base, unit;
};

/* Of values from `least` to `most` (NaN: there are none): the unit is the smallest of 1, 2 or 5
 * times a power of ten that is at least `finest` and lets all of them fit. */
struct pack_scale pack_scale(double least, double most, double finest);
uint16_t pack_quantum(struct pack_scale s, double value); /* NaN: PACK_NONE */

/* Bytes that grow; all-zero: none. */
struct pack_bytes {
    unsigned char *data;
    size_t size, room;
};
void pack_free(struct pack_bytes *b);

/* A list: each number is predicted by the one before it, and if `before` is not NULL, by how much
 * that has changed there, too (an earlier state of the same cells). */
int pack_list(struct pack_bytes *b, const uint16_t *value, const uint16_t *before, size_t count,
              struct error *e);
/* A grid, row by row: each number is predicted by its neighbours in the west, north and north-west,
 * as LOCO-I does: by the greater or the smaller of the first two where there seems to be an edge,
 * and else by the plane through the three. */
int pack_grid(struct pack_bytes *b, const uint16_t *value, int rows, int cols, struct error *e);
/* One bit for each byte that is not 0, the highest bit first. */
int pack_bits(struct pack_bytes *b, const unsigned char *set, size_t count, struct error *e);

/* The bytes, deflated (zlib), as base64: malloc'ed and ended by a NUL. NULL: out of memory. */
char *pack_text(const struct pack_bytes *b);

/* ---- page.c ---------------------------------------------------------------------------------- */

enum page_kind { PAGE_RUN, PAGE_ENSEMBLE, PAGE_CALIBRATION, PAGE_POSTERIOR };

/* Cells that lava came to: of every `every`-th row and column, within a box of the grid. */
struct page_cells {
    int every, row0, col0, rows, cols; /* of the box, in those rows and columns */
    size_t count;
    uint32_t *at; /* row * cols + col of the whole grid, increasing */
};

struct page {
    struct page_options o;
    const char *folder;
    bool early;           /* the folder has no summary yet */
    struct runfolder run; /* its summary goes into the page */
    enum page_kind kind;
    int rows, cols;
    struct georef geo;
    double *ground_m; /* rows * cols, NaN: no data; NULL: not known */
    struct page_cells cells;
    cJSON *facts, *arrays, *layers, *notes; /* notes: what the page lacks, and why */
    struct pack_bytes bytes;
    char *numbers; /* these as text */
};

/* The most cells that a page holds in full, and the most of its terrain; of larger grids every
 * second, third, ... row and column is left, and means of blocks. */
enum { PAGE_CELLS_MOST = 1200000, PAGE_GROUND_MOST = 1 << 21, PAGE_NUMBERS_MOST = 4 << 20 };
enum { PAGE_SNAPSHOTS_MOST = 60, PAGE_ROWS_MOST = 2000 };

int page_note(struct page *p, const char *packed, struct error *e);

/* ---- page_run.c: cells ----------------------------------------------------------------------- */

/* Of the raster of that name in the folder, on the grid of the first one, which shows all lava. */
int page_raster(struct page *p, const char *name, struct raster *r, struct error *e);
/* The cells where values are; also their mask into the page. */
int page_take_cells(struct page *p, const struct raster *r, struct error *e);
/* The values of a raster in these cells, counted on a scale; *array: the number of the entry that is
 * added to p->arrays. `last`, unless NULL: an earlier state on the same scale, by which they are
 * predicted if it has quanta, which are malloc'ed; it becomes this one. */
struct page_state {
    int array;
    uint16_t *quanta;
};
int page_add_cells(struct page *p, const double *value, struct pack_scale scale,
                   struct page_state *last, int *array, struct error *e);
/* Of all values of a raster; NaN where there are none. */
double page_most(const struct raster *r);
/* The terrain, and the ground of the cells where the terrain is left coarser. */
int page_add_ground(struct page *p, struct error *e);

/* A layer to be shown: its array, kind of colours ("thickness", "temperature", "arrival",
 * "probability", "error"), unit and words. The entry belongs to p->layers. */
cJSON *page_add_layer(struct page *p, const char *name, const char *kind, const char *unit,
                      const char *label, int array);

/* ---- page_run.c: what is in a folder --------------------------------------------------------- */

int page_run(struct page *p, struct error *e);

/* ---- page.c: tables -------------------------------------------------------------------------- */

/* A table of the folder, of at most PAGE_ROWS_MOST rows (of more, every second, third, ... and the
 * last), into facts.tables; where it is missing, nothing. `numbers`: without its texts. */
int page_add_table(struct page *p, const char *name, bool numbers, struct error *e);

/* ---- page_run.c: where places are ------------------------------------------------------------ */

int page_add_degrees(struct page *p, struct error *e);
/* `thickness_m`: lava to compare it with, rows * cols; NULL: none. */
int page_add_outline(struct page *p, const char *path, const double *thickness_m, struct error *e);
int page_add_assets(struct page *p, const char *path, struct error *e);
