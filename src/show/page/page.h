/* page.h — report.html from a finished folder: its record, layers, tables and summary.json, and nothing else
 * (docs/formats/report.md). */
#pragma once

#include "paint/paint.h"
#include "record/pack.h"
#include "record/report_page.h"
#include "record/runfolder.h"

#include <cJSON.h>

enum page_kind { PAGE_RUN, PAGE_ENSEMBLE, PAGE_CALIBRATION, PAGE_POSTERIOR };

/* Cells that lava came to: of every `every`-th row and column, within a box of the grid. */
struct page_cells {
    int every, row0, col0, rows, cols; /* of the box, in those rows and columns */
    size_t count;
    uint32_t *at; /* row * cols + col of the whole grid, increasing */
};

struct page {
    const struct painting *of;
    struct runfolder run; /* its summary goes into the page */
    enum page_kind kind;
    struct record_scene scene;
    const struct report_page *site; /* of the scene; NULL: the folder has no record */
    const char *language;           /* of its words; NULL: English */
    int rows, cols;
    struct georef geo;
    struct page_cells cells;
    cJSON *facts, *arrays, *layers, *notes; /* notes: what the page lacks, and why */
    struct pack_bytes bytes;
};

/* The most cells that a page holds in full, and the most of its terrain; of larger grids every
 * second, third, ... row and column is left, and means of blocks. */
enum { PAGE_CELLS_MOST = 1200000, PAGE_GROUND_MOST = 1 << 21, PAGE_NUMBERS_MOST = 4 << 20 };
enum { PAGE_SNAPSHOTS_MOST = 60, PAGE_ROWS_MOST = 2000 };

/* ---- page_cells.c: numbers of cells, terrain, places ----------------------------------------- */

struct raster;
/* Reads the raster of that name in the folder, on the grid of the first one, which shows all
 * lava. */
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
/* The largest value of a raster; NaN: it has none. */
double page_most(const struct raster *r);
/* The terrain, rows * cols, NaN: no data, and the ground of the cells where that is left coarser. */
int page_add_ground(struct page *p, const double *ground_m, struct error *e);

/* A layer to be shown: its array, kind of colours ("thickness", "temperature", "arrival",
 * "probability", "error"), unit and words. The entry belongs to p->layers. */
cJSON *page_add_layer(struct page *p, const char *name, const char *kind, const char *unit,
                      const char *label, int array);

/* Checks that the record, which is there, is on the grid of the layers; else ERROR_INPUT. */
int page_check_site(const struct page *p, struct error *e);
void page_add_places(struct page *p);
int page_add_outline(struct page *p, struct error *e);

/* ---- page_run.c, page_many.c: what is in a folder -------------------------------------------- */

/* ERROR_INPUT: p->run lacks a layer that a page of its kind shows. */
int page_run_check(const struct page *p, struct error *e);
int page_many_check(const struct page *p, struct error *e);
int page_run(struct page *p, struct error *e);
int page_many(struct page *p, struct error *e);

/* page_text.c: a page of text, which is whole or not there. */
int page_text(const char *path, const struct text_page *p, struct error *e);

/* ---- page.c ---------------------------------------------------------------------------------- */

/* A table of the folder, of at most PAGE_ROWS_MOST rows (of more, every second, third, ... and the
 * last), into facts.tables; where it is missing, nothing. `numbers`: without its texts. */
int page_add_table(struct page *p, const char *name, bool numbers, struct error *e);
