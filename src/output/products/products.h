/* products.h — the files of a study as a table: a row for each layer, map, table, diagram and entry of summary.json.
 * products_files() writes these files. Sciara recognises its own files in a folder by the names in the table. To add a
 * file, add a row.
 *
 * A row without '*' in its name is one file, or no file if its count is 0. A row with '*' has
 * `count` files. The function word() gives the words that replace '*' in the name and in the
 * description of file i. Consecutive rows with the same `count` are written together: all files of
 * number 0, all files of number 1, ... */
#pragma once

#include "case/case_cut.h"
#include "export/export.h"
#include "files.h"
#include "picture.h"
#include "raster/geotiff.h"
#include "record/painters.h"
#include "text/table.h"

#include <stdio.h>

/* This caveat is next to the arrivals of a single run on reports, maps and the terminal. */
#define PRODUCT_ARRIVAL_CAVEAT                                                                     \
    "Times of a single run depend on its step and cells by up to a factor of 3; they were never "  \
    "compared with "                                                                               \
    "observed fronts."

enum product_kind {
    PRODUCT_LAYER, /* NAME.tif, a Cloud Optimized GeoTIFF */
    PRODUCT_CODES, /* a layer of class numbers; these have no means, so the layer has no overviews */
    PRODUCT_MAP,   /* NAME.png, NAME.svg, NAME.pdf */
    PRODUCT_DIAGRAM, /* NAME.png, NAME.svg, NAME.pdf */
    PRODUCT_TABLE,   /* NAME with its ending, a text */
    PRODUCT_FILE,    /* NAME with its ending */
    PRODUCT_ENTRY,   /* an object of summary.json */
    PRODUCT_LIST     /* an array of summary.json */
};

/* When a run writes a file: always; if the case has places of interest; if frames or states are requested. */
enum product_wanted { PRODUCT_ALWAYS, PRODUCT_OF_ASSETS, PRODUCT_OF_FRAMES, PRODUCT_OF_STATES };

struct product;
struct products;

/* One of the files of a row. */
struct product_at {
    const void *of; /* `of` of the struct products */
    int i;          /* < count */
    const struct product *row;
    const struct products *all;
    const char *name; /* name in the folder, without the ending of layers and pictures */
};

enum { PRODUCT_WORD = 128, PRODUCT_ABOUT = 2000, PRODUCT_PLACE = 160 };

/* The large warning on pictures of the case: that its terrain is synthetic; NULL: none. */
const char *product_warning(const struct sim_case *c);
/* The small print of pictures, packed. product_by() is for a study: "sciara 0.2.0, ensemble 0123456789abcdef".
 * product_by_run() is for a run: "sciara 0.2.0, cfamo, state 0123456789abcdef". product_note() adds a line before this
 * text with the source of the terrain, for maps. All return out. */
enum { PRODUCT_BY = 160, PRODUCT_NOTE = 1600 };
char *product_by(char out[PRODUCT_BY], const struct product_at *at);
char *product_by_run(char out[PRODUCT_BY], const struct output_info *info, uint64_t state);
char *product_note(char *out, size_t size, const struct sim_case *c, const char *by);

/* Warns that a study was interrupted: its first members are not a random sample of all. */
void products_warn_incomplete(struct warnings *w, int64_t done, int64_t all);

/* The last words of a warning about lava that left the terrain. */
#define PRODUCTS_OUTSIDE "; flow outside the terrain is not simulated"

/* The map of a row. What all maps of a study have in common is set before map() of the row, which may change it. */
struct product_map {
    struct map map; /* map.value points to `value`; the row may let it point elsewhere */
    double *value;  /* rows*cols; NaN: no value */
    char subtitle[600], alert[400]; /* packed (text/words.h); alert: a text before the warnings */
    char label[160];                /* label of a class, packed */
    struct map_class classes[16];   /* room for classes that depend on the results */
};

struct cJSON;
struct made_by;

struct product {
    enum product_kind kind;
    const char *name, *unit, *about;
    size_t count; /* PRODUCT_COUNT(): offset of the int in *of that counts the files; 0: one file */
    /* Writes the words of file i for its name and description; false: file i is not written. */
    bool (*word)(const void *of, int i, char *name, char *about);
    int number; /* the functions of the row decide what it means */
    double (*value)(const struct product_at *at, size_t cell); /* layer, map; NaN: nothing */
    /* Table: rows() writes its rows, or put() writes any text. */
    void (*rows)(struct table *t, const struct product_at *at);
    int (*put)(FILE *f, const struct product_at *at, struct error *e);
    /* Diagram: calls product_paint(). */
    int (*draw)(const struct product_at *at, struct error *e);
    /* Map: completes *m; false: the map shows nothing. */
    bool (*map)(const struct product_at *at, struct product_map *m);
    /* Map: writes the label of a place of interest, which follows its name. */
    void (*place)(const struct product_at *at, int asset, char *text, size_t size);
    int (*write)(const struct product_at *at, const char *path, struct error *e); /* file */
    void (*entry)(struct cJSON *o, const struct product_at *at);
    /* Used for runs: */
    bool of_steps;    /* _STEP and the date of the step follow the name */
    unsigned formats; /* written if any of these formats is requested; 0: always */
    /* `further`: a file is written only if info->layers names it, a format of `by` needs it, or its name fits `usual`.
     * A picture is in the record even if its files are not written. */
    bool further;
    unsigned by;
    const char *usual;
    enum product_wanted wanted;
    /* Whether a file with this name belongs to the row. NULL: it does if the name fits the row's pattern. */
    bool (*is)(const struct sim_case *c, const char *name);
    const char *head; /* how the row's text files begin; NULL: in different ways */
    /* For files that are expensive to compute. Reads which plan made the file, and the digest of this plan; false:
     * another kind of file. */
    bool (*work)(const char *path, uint64_t *plan_digest, struct made_by *by);
    void (*fill)(const void *context, int row, float *out); /* layer */
    export_file *export;                                    /* file */
    enum features what;
};

#define PRODUCT_COUNT(type, member) .count = offsetof(type, member)

/* The rows of a study. */
struct product_table {
    const struct product *row;
    int count;
    bool styled; /* each layer may have painted files, such as a QGIS style: NAME.qml */
    /* shown() sets how globes and GIS show a layer, except its name and description. `layers` is the name of the KMZ
     * with all layers, without ending. Both may be NULL. */
    void (*shown)(const struct product_at *at, struct layer_quantity *k);
    const char *layers;
    const struct product_table *next; /* further files of the study; NULL: none */
};
#define PRODUCT_TABLE_OF(rows) .row = (rows), .count = sizeof(rows) / sizeof *(rows)

/* The metadata of layers, with room for the texts. */
struct product_items {
    struct geotiff_item item[12];
    int count;
    size_t used;
    char text[4096];
};
/* Adds an item, unless its text is empty. */
__attribute__((format(printf, 3, 4))) void product_item(struct product_items *m, const char *name,
                                                        const char *format, ...);

struct assets;

struct products {
    const struct output_info *info;
    const struct sim_case *c; /* gives grid, title and terrain; its inputs are not overwritten */
    const char *known;        /* inputs that are not varied, for the text of maps; NULL: none */
    const char *varied;       /* packed text about inputs that are varied; NULL, "": none */
    const void *of;
    const struct product_table *table;
    const char *kind;     /* name of the study on maps and in the summary: "ensemble" */
    struct warnings told; /* warnings about the results */
    uint64_t digest;      /* digest of the results */
    struct product_items items;
    /* Used for maps: */
    const struct assets *assets;
    const uint32_t *vent; /* the cells of vents, row * cols + col */
    int vents;
    const unsigned char *outline; /* NULL: none */
    /* Whether lava of any member came to a cell, for products_cut(). */
    bool (*reached)(const void *of, size_t cell);
    /* The first cell at or after `cell` that lava may have reached; NULL: lava may have reached any cell. */
    size_t (*next)(const void *of, size_t cell);
    const struct product_cut *cut; /* set by products_cut(); NULL: files show the whole domain */
    /* Returns an error if the file at `path` is an input. May be NULL. */
    int (*spare)(const void *of, const char *path, struct error *e);
    const char *vent_name; /* name of a vent in a KMZ: "Vent" */
};

/* With more vents than this, maps show the vents smaller. Globes then show no pins, because pins would hide the lava. */
enum { PRODUCT_VENTS_LARGE = 20 };

/* If info->reader is set, no file is written, and the reader receives the product that it names. */
struct product_reader {
    const char *name; /* the file that is read: "members.csv"; NULL: `list` is called */
    float *values;    /* receives a layer: rows*cols, NaN: no value; owned by the caller */
    char *text;       /* receives a table or the summary, malloc'ed; NULL: not found */
    bool found;       /* there is a layer of this name */
    /* Called for each layer and table. */
    int (*list)(void *of, const char *name, const struct product *row, const char *about,
                struct error *e);
    void *of;
};

/* The extent of the layers and maps (files.h). */
struct product_cut {
    struct case_cut part;
    unsigned char *outline, *reached; /* masks of the part; NULL: there is none */
    uint32_t *vent;
    struct map_around around;
};
/* Changes *p to the part of the domain with all lava, vents and the outline, and notes this part in the folder. For a
 * reader *p keeps the whole domain. Functions of rows always receive cells of the whole domain. *k has to outlive *p. */
int products_cut(struct products *p, struct product_cut *k, struct error *e);
void product_cut_free(struct product_cut *k); /* all-zero is fine */

/* Writes the files of all rows of the table, but not those of table->next. Other threads draw the maps at the same
 * time. Failures are noted (output_done()). */
int products_files(const struct products *p, struct error *e);
/* Writes record.zip with all pictures so far (output_picture_record()). Called once, at the end. Writes nothing for a
 * reader. */
int products_record(const struct products *p, struct error *e);
/* Adds the entries of summary.json to *root, each as an object or a list. */
void products_entries(struct cJSON *root, const struct products *p);
/* A new summary.json: software, version, kind. */
struct cJSON *products_summary(const struct products *p);

/* Calls products_cut(), writes all files, and frees the cut; p->c, p->vent and p->outline are not valid afterwards. */
int products_write(struct products *p, struct error *e);

/* Adds to the record what report.html shows of *p: terrain, outline, places of interest and vents. Called after
 * products_cut(). vent: the cells of vents, row * cols + col of the whole domain. possible, bin_h: values of
 * `possible` and arrival_bin_h in struct report_page. */
int products_page(const struct products *p, const uint32_t *vent, int vents, bool possible,
                  double bin_h, struct error *e);

/* The row of a file, found by its name; NULL: none. c may be NULL if no row has `is`. */
const struct product *products_find(const struct product_table *t, const struct sim_case *c,
                                    const char *name);
/* Whether a file of this row is written. Some are always written, others if info->layers names them. name: the name of the
 * file, without an ending if it is a layer or a picture. */
bool product_asked(const struct output_info *info, const struct product *row, const char *name);
/* Whether `layers`, a list like info->layers, names a file of the table that is written only on request. */
bool products_asked(const char *layers, const struct product_table *t);
/* ERROR_INPUT: info->layers has a word that fits no file of *t. */
int products_check_asked(const struct output_info *info, const struct product_table *t,
                         struct error *e);

/* The formats that need the file of this name and row; 0: the file is always written. */
unsigned product_formats(const struct product *row, const char *name);

/* Paints the picture of a row in all requested formats, and notes its files. */
int product_paint(const struct product_at *at, const struct scene *s, struct error *e);

/* Paints a plot of `series`. First sets the members of *p that all plots of a study have in common: title, small print,
 * warning. */
int product_paint_plot(const struct product_at *at, struct plot *p,
                       const struct plot_series *series, int count, struct error *e);

/* Calls `use` with the map of the row named `row` in at->all->table. The map is the same as in the
 * file of this row. Does not call `use` if the map shows nothing. */
int product_with_map(const struct product_at *at, const char *row, map_use *use, void *to,
                     struct error *e);

/* product_describe() is a map_use that describes the map for the record. */
struct product_described {
    const struct output_info *info;
    const char *name;
    struct record *record; /* NULL: there is nothing to show */
};
int product_describe(const struct map *m, void *described, struct error *e);

/* The path "FOLDER/NAME", malloc'ed. On an error returns NULL and sets *e. An input is refused. */
char *product_path(const struct products *p, const char *name, struct error *e);

/* A map with the members that follow from a case: grid, title, sea, stamp, warning. */
struct map product_map_of(const struct sim_case *c, const struct output_info *info);
