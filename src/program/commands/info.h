/* info.h — the parts of `sciara info` among themselves. */
#ifndef SCIARA_CLI_INFO_H
#define SCIARA_CLI_INFO_H

#include "base/error.h"
#include "vector/vectors.h"

#include <cJSON.h>

/* Adds to *o what a plan says, once every member of it has been looked at. */
int info_plan(cJSON *o, const char *path, struct error *e);

/* Adds what a vector file is, where it lies in its own CRS. */
int info_vectors(cJSON *o, const char *path, struct error *e);

/* Adds an object of that name: what was understood of a vector file that a case names; nothing
 * where it was none. */
void info_understood(cJSON *parent, const char *name, const struct vectors_about *a);

#endif
