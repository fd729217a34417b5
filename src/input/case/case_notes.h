/* case_notes.h — warnings of a case (text/warnings.h), and the list of the files that it read. */
#pragma once

#include "case.h"

/* Adds the file at that path, if it exists, to the inputs, which no run may overwrite. */
void case_note_input(struct sim_case *c, const char *path);

/* Warns of a PTsol at which no lava of silicates is liquid. */
void case_warn_celsius(struct sim_case *c);

/* Warns of a name in that file that is probably a mistake; "": nothing. */
void case_doubt(struct sim_case *c, const char *path, const char *doubt);

/* Notes what was assumed about a vector file, and warns of doubtful names in it and of its features
 * without geometry or outside the terrain. Does nothing without features. */
void case_note_vectors(struct sim_case *c, const struct vectors_about *a, const char *path);

/* ERROR_FAILED: the file at `path` has changed since *a was read from it, or is gone. 0 where the path is NULL. */
int case_same_vectors(const struct vectors_about *a, const char *path, struct error *e);
/* Warns of a file that case_same_vectors() refuses. */
void case_warn_changed(const struct vectors_about *a, const char *path, struct warnings *w);
/* Warns of all vector files of a case that have changed, except that of its places (assets_warn()). */
void case_warn_all_changed(const struct sim_case *c, struct warnings *w);

/* Reads a vector file to check it and to fill *about, which stays zero where the path is NULL.
 * `kinds`: VECTORS_TAKE_..., others are refused; `wanted` as of vectors_read(). */
int case_check_vectors(struct sim_case *c, const char *path, int kinds, const char *const *wanted,
                       struct vectors_about *about, struct error *e);

/* Checks an outline in the same way, if it is a vector file: before the run rather than after its last step. */
int case_check_outline(struct sim_case *c, const char *path, struct vectors_about *about,
                       struct error *e);
