/* info.h — the parts of `sciara info` among themselves. */
#ifndef SCIARA_CLI_INFO_H
#define SCIARA_CLI_INFO_H

#include "base/error.h"

#include <cJSON.h>

/* Adds to *o what a plan says, once every member of it has been looked at. */
int info_plan(cJSON *o, const char *path, struct error *e);

#endif
