/* record.h — what all pictures of a folder show, in one file of it: record.zip, a zip archive of record.json and of
 * GeoTIFF (docs/formats/record.md). It is written while a run or a study writes its pictures, and read to paint them again,
 * in other formats, sizes and languages, where nothing of the run is there. */
#pragma once

#include "scene.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define RECORD_FILE    "record.zip"
#define RECORD_VERSION 1

/* ---- writing ----------------------------------------------------------------------------------- */

struct record;
struct record_writer;
/* folder: of the file to come; grids on their way to it lie there for a moment. */
int record_create(struct record_writer **w, const char *folder, struct error *e);
/* Describes what a picture shows, under its name in the folder without ending, as a record in memory that can be painted;
 * *s is not needed any more, but for an animation. w: where record_keep() adds it; NULL: nowhere. Several threads may do
 * so at once; the order does not matter. */
int record_describe(struct record **r, struct record_writer *w, const char *name,
                    const struct scene *s, struct error *e);
int record_keep(struct record *r, struct error *e);
/* Both, of what is not painted now. */
int record_add(struct record_writer *w, const char *name, const struct scene *s, struct error *e);
bool record_has_pictures(const struct record_writer *w);
/* A table that has no file of its own, by the name that it would have; the text is copied. Several threads may do so. */
int record_add_table(struct record_writer *w, const char *name, const char *text, struct error *e);
/* Writes what it has so far, whole or not at all; software: "sciara 0.2.0". More can be added, and all of it written again. */
int record_write(struct record_writer *w, const char *path, const char *software, uint64_t digest,
                 struct error *e);
void record_discard(struct record_writer *w); /* NULL is fine */

/* ---- reading ----------------------------------------------------------------------------------- */

/* ERROR_INPUT: there is no record, it is damaged, or of a later version. */
int record_open(struct record **r, const char *path, struct error *e);
int record_count(const struct record *r);
const char *record_name(const struct record *r, int i);
const char *record_digest(const struct record *r);    /* of the results */
bool record_moves(const struct record *r, int i);     /* an animation */
bool record_is_map(const struct record *r, int i);    /* SCENE_MAP */
bool record_is_layers(const struct record *r, int i); /* SCENE_LAYERS */
bool record_is_page(const struct record *r, int i);   /* SCENE_PAGE */

/* Where csv_open() reads the table of a folder: its own file, or that in the record. Malloc'ed; NULL: it has none. */
char *record_table_path(const char *folder, const char *name);

/* Scene i with all that it shows; it lives until record_release(), and no longer than the record. */
struct record_frames;
struct record_scene {
    struct scene scene;
    struct map *map; /* of SCENE_MAP, and of a SCENE_PAGE that has one, for changes; NULL: none */
    int count;
    void **owned;
    struct record_frames *frames; /* of an animation; NULL: none */
};
int record_scene(struct record_scene *s, const struct record *r, int i, struct error *e);
void record_release(struct record_scene *s); /* all-zero is fine */
void record_close(struct record *r);         /* NULL is fine */
