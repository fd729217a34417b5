/* page.h — report.html: one file with the results of a run, an ensemble or a
 * calibration, which needs nothing but a browser, no network either. docs/formats.md describes it.
 *
 * It is made of the files in a folder alone, and of the plan of an ensemble, where that still is
 * what it was. */
#pragma once

#include "base/error.h"
#include "sim/window.h"

#include <stdbool.h>
#include <stdio.h>

struct page_options {
    const char *output;  /* path of the file; NULL: report.html in the folder */
    const char *plan;    /* of an ensemble; NULL: where it was when it was computed */
    const char *version; /* of this program */
    const char *
        language; /* of its words, one of words_languages; NULL: English, to the same bytes as ever */
    bool trusted; /* the folder was written just now: contents are not compared with sums */
    bool
        changed; /* outline or places have changed since the run read them: they are not read again */
};

/* report.html in two parts, so that pictures may be drawn between them: open() reads the files that
 * the page is made of, finish() writes it with the summary.json that the folder has then, and frees
 * *p, as page_free() does. `summary`: that file as far as it is known, without its list of what
 * could not be written; NULL: it is there. Errors as of page_write(); on an error *p is NULL. */
struct page;
int page_open(struct page **p, const char *folder, const struct page_options *o,
              const char *summary, struct error *e);
int page_finish(struct page *p, struct error *e);
void page_free(struct page *p); /* NULL is fine */

/* Both. ERROR_INPUT: the folder is not a result, a layer or a table is missing or damaged, or another
 * file has the name of the report. The file appears whole or not at all. */
int page_write(const char *folder, const struct page_options *o, struct error *e);

/* ERROR_INPUT if the folder, which need not exist yet, has another file with the name of the
 * report. */
int page_check(const char *folder, struct error *e);

/* ---- parts, for another page with a map ------------------------------------------------------ */

/* Adds `grid`, `colours` and, where PROJ knows them, `degrees` to an object. */
struct cJSON;
struct georef;
int page_grid_facts(struct cJSON *facts, int rows, int cols, const struct georef *geo,
                    struct error *e);

/* Lines of arrival as a map draws them: a list, which the caller deletes, of {"hours", "label", "lines"}, in
 * cells from the north-west corner of a grid. arrival(of, row, col): hours, NaN where lava never came; it is
 * asked for the cells of a window, outside of which there is no lava. */
typedef float page_arrival(const void *of, int row, int col);
int page_isochrones(struct cJSON **list, int rows, int cols, const struct georef *geo,
                    struct window w, page_arrival *arrival, const void *of, struct error *e);

/* JSON within a <script>: no `<` ends it or begins a comment, and U+2028 and U+2029 are no ends of
 * lines. */
void page_write_json(FILE *out, const char *json);

bool page_is_ours(const char *path); /* whether a file begins as a report does */
