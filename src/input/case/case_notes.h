/* case_notes.h — warnings of a case (text/warnings.h), and the list of its input files. */
#pragma once

#include "case.h"

/* Adds the file at that path to the inputs, which no run may overwrite. A missing file is ignored. */
void case_note_input(struct sim_case *c, const char *path);

/* Warns of a PTsol that is too low for silicate lava, and so is probably in degrees Celsius. */
void case_warn_celsius(struct sim_case *c);

/* Adds the warning `doubt` of a probably misspelt name in the file at `path`. If it is "", adds nothing. */
void case_doubt(struct sim_case *c, const char *path, const char *doubt);

/* Warns of a probably misspelt name in the file. If *a has features, also warns of features without geometry or outside
 * the terrain, and notes what was assumed about the file. */
void case_note_vectors(struct sim_case *c, const struct vectors_about *a, const char *path);

/* ERROR_FAILED: the file at `path` has changed since *a was read from it, or is gone. Returns 0 if the path is NULL. */
int case_same_vectors(const struct vectors_about *a, const char *path, struct error *e);
/* Warns of a file that case_same_vectors() refuses. */
void case_warn_changed(const struct vectors_about *a, const char *path, struct warnings *w);
/* Warns of all vector files of a case that have changed, except the file of its places (assets_warn()). */
void case_warn_all_changed(const struct sim_case *c, struct warnings *w);

/* Reads a vector file to check it and to fill *about, which is all zero if the path is NULL. `kinds`:
 * the kinds of features that the file may have, VECTORS_TAKE_...; `wanted` as in vectors_read(). */
int case_check_vectors(struct sim_case *c, const char *path, int kinds, const char *const *wanted,
                       struct vectors_about *about, struct error *e);

/* Calls case_check_vectors() for an outline that is a vector file, so that an error is found before the run. */
int case_check_outline(struct sim_case *c, const char *path, struct vectors_about *about,
                       struct error *e);
