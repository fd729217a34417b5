/* output_inside.h — what the files about the folder of a run share: output_folder.c, output_search.c, output_work.c
 * and output_previous.c. */
#pragma once

#include "output.h"

#define OUTPUT_WRITING  "writing.json"
#define OUTPUT_PREVIOUS "previous"

/* Adds a malloc'ed name, which *n owns from then on; on an error it is freed. name NULL: no memory. */
int output_names_add(struct output_names *n, char *name, struct error *e);
bool output_names_has(const struct output_names *n, const char *name);
void output_names_free(struct output_names *n);

/* Finds what is in the folder at that path for a run that is about to start: sets the names of *f, its notice, and what it
 * borrows of *info. ERROR_INPUT as output_folder_take(). */
int output_look(const char *path, const struct output_info *info, const struct sim_case *c,
                bool rejoined, struct output_folder *f, struct error *e);

/* Reads writing.json of a folder; *list NULL: there is none. ERROR_INPUT: another program wrote the file. */
int output_writing(struct cJSON **list, const char *folder, struct error *e);

/* Adds to the record what report.html shows of a run that ended with *x. */
int output_page(const struct output_info *info, const struct output_cut *x, struct error *e);

/* Brings the earlier results of a folder back after a failed run, if no new file came. writing.json stays if it was there
 * before the run. */
void output_restore(struct output_folder *f);
