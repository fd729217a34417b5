/* output_inside.h — shared by the files about the folder of a run: output_folder.c, output_search.c, output_work.c and
 * output_previous.c. */
#pragma once

#include "output.h"

#define OUTPUT_PREVIOUS "previous"

/* Adds a malloc'ed name. *n becomes its owner; on an error the name is freed. name NULL: out of memory. */
int output_names_add(struct output_names *n, char *name, struct error *e);
bool output_names_has(const struct output_names *n, const char *name);
void output_names_free(struct output_names *n);

/* Examines the folder at `path` for a run that is about to start. Sets the lists of names, the notice and the borrowed
 * members of *f. ERROR_INPUT: the run must not use the folder (output_folder_take()). */
int output_look(const char *path, const struct output_info *info, const struct sim_case *c,
                bool rejoined, struct output_folder *f, struct error *e);

/* Reads writing.json of a folder; *list is NULL if the file is missing. ERROR_INPUT: another program wrote the file. */
int output_writing(struct cJSON **list, const char *folder, struct error *e);

/* Adds to the record what report.html shows of a run that ended with *x. */
int output_page(const struct output_info *info, const struct output_cut *x, struct error *e);

/* Restores the earlier results of a folder after a failed run that wrote no file. writing.json stays if it existed before
 * the run. */
void output_restore(struct output_folder *f);
