/* page.h — makes report.html from only the record, layers, tables and summary.json of a finished folder
 * (docs/formats/report.md). */
#pragma once

#include "paint/paint.h"
#include "record/pack.h"
#include "record/report_page.h"
#include "record/runfolder.h"

#include <cJSON.h>

enum page_kind { PAGE_RUN, PAGE_ENSEMBLE, PAGE_CALIBRATION, PAGE_POSTERIOR };

/* The reached cells in a box of the grid. If `every` is above 1, only one of `every` rows and one of `every` columns
 * counts. */
struct page_cells {
    int every;
    struct window box; /* window of the grid, in units of `every` rows and columns */
    size_t count;
    uint32_t *at; /* increasing numbers row * cols + col in the whole grid */
};

struct page {
    const struct painting *of;
    struct runfolder run; /* the folder; its summary goes into the page */
    enum page_kind kind;
    struct record_scene scene;
    const struct report_page *site; /* content of `scene`; NULL: the folder has no record */
    const char *language;           /* language of the page; NULL: English */
    int rows, cols;
    struct georef geo;
    struct page_cells cells;
    struct page_ahead
        *ahead; /* layers that page_read_ahead() has read, until page_raster() takes them */
    int ahead_count;
    cJSON *facts, *arrays, *layers, *notes; /* notes: texts about what the page lacks, and why */
    struct pack_bytes bytes;
};

/* The most cells of lava and of terrain in a page. If there is more lava, the page has only every second, third, ... row
 * and column. If there is more terrain, the page has means of blocks. */
enum { PAGE_CELLS_MOST = 1200000, PAGE_GROUND_MOST = 1 << 21, PAGE_NUMBERS_MOST = 4 << 20 };
enum { PAGE_SNAPSHOTS_MOST = 60, PAGE_ROWS_MOST = 2000 };

/* ---- page_cells.c: numbers of cells, terrain, places ----------------------------------------- */

struct raster;
/* Reads a raster of the folder. It has to have the grid of the first raster, which shows all lava. */
int page_raster(struct page *p, const char *name, struct raster *r, struct error *e);
/* Reads small layers of the folder, each on a thread of its own, for later calls of page_raster(). */
void page_read_ahead(struct page *p, const char *const *name, int count, int threads);
void page_drop_ahead(struct page *p);
/* Sets p->cells to the cells that have a value, and adds their mask to the page. */
int page_take_cells(struct page *p, const struct raster *r, struct error *e);
/* The last added state of a series. */
struct page_state {
    int array;        /* number in p->arrays */
    uint16_t *quanta; /* malloc'ed; NULL: no state was added yet */
};
/* Adds the values that a raster has in p->cells, as quanta of a scale. *array becomes the number of the new array in
 * p->arrays. All states of a series have one scale. Each state is predicted from *last, which then becomes this state.
 * last NULL: the values are not of a series. */
int page_add_cells(struct page *p, const double *value, struct pack_scale scale,
                   struct page_state *last, int *array, struct error *e);
/* The largest value of a raster; NaN: it has none. */
double page_most(const struct raster *r);
/* Adds the terrain. ground_m: rows * cols heights, NaN: no data. If the terrain has to be coarser
 * than the grid, also adds the height of each cell of p->cells. */
int page_add_ground(struct page *p, const double *ground_m, struct error *e);

/* Adds an entry for a layer to p->layers, which owns the entry. kind: the colours, "thickness", "temperature",
 * "arrival", "probability" or "error". label: the words for the reader. array: number in p->arrays. */
cJSON *page_add_layer(struct page *p, const char *name, const char *kind, const char *unit,
                      const char *label, int array);

/* ERROR_INPUT: the record has another grid than the layers. p->site is not NULL. */
int page_check_site(const struct page *p, struct error *e);
void page_add_places(struct page *p);
int page_add_outline(struct page *p, struct error *e);

/* ---- page_run.c, page_many.c: what is in a folder -------------------------------------------- */

/* ERROR_INPUT: p->run lacks a layer that a page of its kind shows. */
int page_run_check(const struct page *p, struct error *e);
/* Reads the layers that a page of a run needs, with page_read_ahead(). */
void page_run_ahead(struct page *p, int threads);
int page_many_check(const struct page *p, struct error *e);
int page_run(struct page *p, struct error *e);
int page_many(struct page *p, struct error *e);

/* page_text.c: writes a page of text, whole or not at all. */
int page_text(const char *path, const struct text_page *p, struct error *e);
/* text_page_style.css: the style of a page of text. On a phone each row of a table is a block with the name of a place on
 * top. On paper the text is smaller, to fit a page. */
extern const char text_page_style_text[];

/* ---- page.c ---------------------------------------------------------------------------------- */

/* Adds a table of the folder to facts.tables: at most PAGE_ROWS_MOST rows. If there are more, adds every second, third,
 * ... row, and the last row. Adds nothing if the table is missing. numbers: without columns of text. */
int page_add_table(struct page *p, const char *name, bool numbers, struct error *e);
