/* output_inside.h — what output_folder.c and output_previous.c share. */
#pragma once

#include "output.h"

#define OUTPUT_WRITING  "writing.json"
#define OUTPUT_PREVIOUS "previous"

/* Takes the name, also where there is no memory; NULL is that. */
int output_names_add(struct output_names *n, char *name, struct error *e);
bool output_names_has(const struct output_names *n, const char *name);
void output_names_free(struct output_names *n);

/* writing.json of a folder, *list NULL: there is none. ERROR_INPUT: it is another's. */
int output_writing(struct cJSON **list, const char *folder, struct error *e);

/* For a failed run: earlier results are in the folder again, if no new file came. */
void output_restore(struct output_folder *f);
