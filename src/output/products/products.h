/* products.h — the files of a study as a table: a row for each layer, map, table, diagram and entry
 * of summary.json. products_files() writes them, and a folder knows sciara's files by these
 * names. To add a file, add a row.
 *
 * A row without '*' in its name is one file, or none if `count` is 0. A row with '*' is `count`
 * files; '*' becomes the word of each, in the name and in the description. Rows that stand together
 * and have the same `count` are written in turn: all of number 0, all of number 1, ... */
#pragma once

#include "case/case_cut.h"
#include "export/export.h"
#include "files.h"
#include "picture.h"
#include "raster/geotiff.h"
#include "record/painters.h"

#include <stdio.h>

/* Stands with the arrivals of a single run wherever they are: report, map, terminal. */
#define PRODUCT_ARRIVAL_CAVEAT                                                                     \
    "Times of a single run depend on its step and cells by up to a factor of 3; they were never "  \
    "compared with "                                                                               \
    "observed fronts."

enum product_kind {
    PRODUCT_LAYER,   /* NAME.tif, a Cloud Optimized GeoTIFF */
    PRODUCT_CODES,   /* a layer of class numbers, which have no means: without overviews */
    PRODUCT_MAP,     /* NAME.png, NAME.svg, NAME.pdf */
    PRODUCT_DIAGRAM, /* NAME.png, NAME.svg, NAME.pdf */
    PRODUCT_TABLE,   /* NAME with its ending, a text */
    PRODUCT_FILE,    /* NAME with its ending */
    PRODUCT_ENTRY,   /* an object of summary.json */
    PRODUCT_LIST     /* an array of summary.json */
};

/* When a run writes a file: always; if the case has places of interest; if frames or states are asked for. */
enum product_wanted { PRODUCT_ALWAYS, PRODUCT_OF_ASSETS, PRODUCT_OF_FRAMES, PRODUCT_OF_STATES };

struct product;
struct products;

/* One of the files of a row. */
struct product_at {
    const void *of; /* a struct products */
    int i;          /* < count */
    const struct product *row;
    const struct products *all;
    const char *name; /* its name in the folder, without the ending of layers and pictures */
};

enum { PRODUCT_WORD = 128, PRODUCT_ABOUT = 2000, PRODUCT_PLACE = 160 };

/* What pictures of the case show large: that its terrain is synthetic; NULL: nothing. */
const char *product_warning(const struct sim_case *c);
/* The small print of pictures, packed: "sciara 0.2.0, ensemble 0123456789abcdef" of a study, "sciara 0.2.0, cfamo,
 * state 0123456789abcdef" of a run. product_note() puts the source of the terrain in a line before it, for maps: however
 * long the source is, the digest is seen. All return out. */
enum { PRODUCT_BY = 160, PRODUCT_NOTE = 1600 };
char *product_by(char out[PRODUCT_BY], const struct product_at *at);
char *product_by_run(char out[PRODUCT_BY], const struct output_info *info, uint64_t state);
char *product_note(char *out, size_t size, const struct sim_case *c, const char *by);

/* Warns of a study that was interrupted: the first members are not drawn at random. */
void products_warn_incomplete(struct warnings *w, int64_t done, int64_t all);

/* Ends a warning where lava left the terrain. */
#define PRODUCTS_OUTSIDE "; flow outside the terrain is not simulated"

/* The map of a row, which may change it. What all maps of a study have in common is set before. */
struct product_map {
    struct map map;                 /* .value may be changed */
    double *value;                  /* rows*cols; NaN: nothing there */
    char subtitle[600], alert[400]; /* packed (text/words.h); alert: before the warnings */
    char label[160];                /* of a class, packed */
    struct map_class classes[16];   /* room for a map of classes that are known only now */
};

struct cJSON;
struct made_by;

struct product {
    enum product_kind kind;
    const char *name, *unit, *about;
    size_t count; /* offset in *of of the number of files, an int (PRODUCT_COUNT); 0: one file */
    /* Writes the words of file i for the name and the description; false: file i is not written. */
    bool (*word)(const void *of, int i, char *name, char *about);
    int number;                                                /* for use by the functions below */
    double (*value)(const struct product_at *at, size_t cell); /* layer, map; NaN: nothing */
    int (*put)(FILE *f, const struct product_at *at, struct error *e); /* table */
    /* Diagram: calls product_paint(). */
    int (*draw)(const struct product_at *at, struct error *e);
    /* Map: completes *m; false: there is nothing to draw. */
    bool (*map)(const struct product_at *at, struct product_map *m);
    /* Map: the label of a place of interest after its name. */
    void (*place)(const struct product_at *at, int asset, char *text, size_t size);
    int (*write)(const struct product_at *at, const char *path, struct error *e); /* file */
    void (*entry)(struct cJSON *o, const struct product_at *at);
    /* Used for runs: */
    bool of_steps;    /* _STEP, and its date, follow the name */
    unsigned formats; /* written if any of these is asked for; 0: always */
    /* Written only if info->layers names it, if a format of `by` needs it, or if it is one of many and its name fits
     * `usual`. The record has pictures in any case. */
    bool further;
    unsigned by;
    const char *usual;
    enum product_wanted wanted;
    /* Whether a file of that name is of this row; NULL: it is if the name fits the pattern. */
    bool (*is)(const struct sim_case *c, const char *name);
    const char *head; /* how sciara's text files begin; NULL: they have no such mark */
    /* Reads from a file that cost computing the digest of its plan and what it was made by; false: the file is not such
     * a file. */
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
    bool styled; /* each layer may have a QGIS style: NAME.qml */
    /* Sets how globes and GIS show a layer, all but its name and description; and the name of the KMZ of all layers,
     * without ending. May be NULL. */
    void (*shown)(const struct product_at *at, struct layer_quantity *k);
    const char *layers;
    const struct product_table *next; /* further files that it writes; NULL: none */
};
#define PRODUCT_TABLE_OF(rows) .row = (rows), .count = sizeof(rows) / sizeof *(rows)

/* The metadata of layers, with room for the texts. */
struct product_items {
    struct geotiff_item item[12];
    int count;
    size_t used;
    char text[4096];
};
/* An empty text is not added. */
__attribute__((format(printf, 3, 4))) void product_item(struct product_items *m, const char *name,
                                                        const char *format, ...);

struct assets;

struct products {
    const struct output_info *info;
    const struct sim_case *c; /* its grid, title, terrain; its inputs are spared */
    const char *known;        /* what is not varied, for the text of maps; NULL: nothing */
    const char *varied;       /* and what is, parts of a text; NULL, "": nothing */
    const void *of;
    const struct product_table *table;
    const char *kind;     /* "ensemble": on maps, in the summary */
    struct warnings told; /* warnings about the results */
    uint64_t digest;      /* of the results */
    struct product_items items;
    /* Used for maps: */
    const struct assets *assets;
    const uint32_t *vent; /* the cells of vents, row * cols + col */
    int vents;
    const unsigned char *outline; /* NULL: none */
    /* Tells products_cut() whether lava of any member came to a cell. */
    bool (*reached)(const void *of, size_t cell);
    /* The first cell from this one on that may be reached; NULL: any may. */
    size_t (*next)(const void *of, size_t cell);
    const struct product_cut *cut; /* set by products_cut(); NULL: files show the whole domain */
    /* Returns an error if the file at that path is an input. May be NULL. */
    int (*spare)(const void *of, const char *path, struct error *e);
    const char *vent_name; /* what a vent is called in a KMZ: "Vent" */
};

/* More vents than this are drawn small on maps, and have no pins on globes: they would hide the lava. */
enum { PRODUCT_VENTS_LARGE = 20 };

/* If info->reader is set, nothing is written: the product of that name comes to this reader. */
struct product_reader {
    const char *name; /* the file that is read: "members.csv"; NULL: `list` is called */
    float *values;    /* receives a layer: rows*cols, NaN where there is nothing; the caller's */
    char *text;       /* receives a table or the summary, malloc'ed; NULL: not found */
    bool found;       /* there is a layer of that name */
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
/* Changes *p to the part of the domain that has its lava, vents and outline, and notes that in the folder; for a reader
 * *p stays whole. Functions of rows receive cells of the whole domain in any case. *k outlives *p. */
int products_cut(struct products *p, struct product_cut *k, struct error *e);
void product_cut_free(struct product_cut *k); /* all-zero is fine */

/* Writes the files of all rows except table->next. A thread of its own draws the maps.
 * Failures are noted as output_done() does. */
int products_files(const struct products *p, struct error *e);
/* Writes record.zip of all pictures so far (output_picture_record()), once, at the end. Writes nothing for a reader. */
int products_record(const struct products *p, struct error *e);
/* The entries of summary.json, each as an object or a list of *root. */
void products_entries(struct cJSON *root, const struct products *p);
/* A new summary.json: software, version, kind. */
struct cJSON *products_summary(const struct products *p);

/* Calls products_cut(), writes all files, and frees the cut; p->c, p->vent and p->outline are not
 * valid after it. */
int products_write(struct products *p, struct error *e);

/* Adds to the record what report.html shows of *p, after products_cut(): terrain, outline, places, and these vents, which
 * are cells of the whole domain. `possible`, bin_h: as in struct report_page. */
int products_page(const struct products *p, const uint32_t *vent, int vents, bool possible,
                  double bin_h, struct error *e);

/* The row of a file, found by its name; NULL: none. c may be NULL where no row has `is`. */
const struct product *products_find(const struct product_table *t, const struct sim_case *c,
                                    const char *name);
/* Whether a file of that row is written: a usual one, or info->layers names it. `name`: without the ending of layers and
 * pictures. */
bool product_asked(const struct output_info *info, const struct product *row, const char *name);
/* Whether `layers`, a list as info->layers, names a file of the table that is written only if it is
 * named. */
bool products_asked(const char *layers, const struct product_table *t);
/* ERROR_INPUT: info->layers has a word that no file of *t bears. */
int products_check_asked(const struct output_info *info, const struct product_table *t,
                         struct error *e);

/* The formats that ask for the file of that name and row; 0: it is always written. */
unsigned product_formats(const struct product *row, const char *name);

/* Paints a picture in all formats, as the file of its row. */
int product_paint(const struct product_at *at, const struct scene *s, struct error *e);

/* Paints a plot of those lines. First sets in *p what all plots of a study have: title, small print, warning. */
int product_paint_plot(const struct product_at *at, struct plot *p,
                       const struct plot_series *series, int count, struct error *e);

/* Gives the map of a row of the same table to `use`, as its file has it; nothing is used where there is none. */
int product_with_map(const struct product_at *at, const char *row, map_use *use, void *to,
                     struct error *e);

/* product_describe() is a map_use that makes a part of the record of a map. */
struct product_described {
    const struct output_info *info;
    const char *name;
    struct record *record; /* NULL: there is nothing to show */
};
int product_describe(const struct map *m, void *described, struct error *e);

/* "FOLDER/NAME", which is not an input, malloc'ed; NULL and the error. */
char *product_path(const struct products *p, const char *name, struct error *e);

/* What maps have from a case: grid, title, sea, stamp, warning. */
struct map product_map_of(const struct sim_case *c, const struct output_info *info);
