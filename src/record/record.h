/* record.h — the record of a folder, record.zip, describes what all its pictures show. It is a zip archive of
 * record.json and GeoTIFF (docs/formats/record.md). A run or a study writes the record when it writes its pictures. The
 * pictures can be painted again from the record, in other formats, sizes and languages. */
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
/* folder: where the record will be written. The folder has temporary files while grids are packed. */
int record_create(struct record_writer **w, const char *folder, struct error *e);
/* Describes a picture as a record in memory that can be painted. name: the name of the picture's file, without ending. w:
 * the writer to which record_keep() adds the picture; NULL: none. Only an animation needs *s afterwards. Several threads
 * may describe pictures at once, in any order. */
int record_describe(struct record **r, struct record_writer *w, const char *name,
                    const struct scene *s, struct error *e);
int record_keep(struct record *r, struct error *e);
/* Adds a picture to the record without painting it: calls record_describe() and record_keep(). */
int record_add(struct record_writer *w, const char *name, const struct scene *s, struct error *e);
bool record_has_pictures(const struct record_writer *w);
/* Adds a copy of a table that has no file of its own. name: the name that the file would have. Several threads may
 * add tables at once. */
int record_add_table(struct record_writer *w, const char *name, const char *text, struct error *e);
/* Writes the record, whole or not at all. software: "sciara 0.2.0". Afterwards pictures may be added, and the record
 * may be written again. */
int record_write(struct record_writer *w, const char *path, const char *software, uint64_t digest,
                 struct error *e);
void record_discard(struct record_writer *w); /* NULL is fine */

/* ---- reading ----------------------------------------------------------------------------------- */

/* ERROR_INPUT: there is no record, or it is damaged, or of another version. */
int record_open(struct record **r, const char *path, struct error *e);
int record_count(const struct record *r);
const char *record_name(const struct record *r, int i);
const char *record_digest(const struct record *r); /* digest of the results */
/* Whether picture i is of `kind`. */
bool record_is(const struct record *r, int i, enum scene_kind kind);

/* The path at which csv_open() finds a table of a folder, as a file or in the record. Malloc'ed; NULL: no such table. */
char *record_table_path(const char *folder, const char *name);

/* A picture with all its data. The data are valid until record_release() or record_close(). */
struct record_frames;
struct record_scene {
    struct scene scene;
    struct map *map; /* map of SCENE_MAP or SCENE_PAGE, which the caller may change; or NULL */
    int count;
    void **owned;
    struct record_frames *frames; /* cells of an animation; NULL for other scenes */
};
int record_scene(struct record_scene *s, const struct record *r, int i, struct error *e);
void record_release(struct record_scene *s); /* all-zero is fine */
void record_close(struct record *r);         /* NULL is fine */
