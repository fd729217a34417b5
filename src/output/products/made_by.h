/* made_by.h — the case or plan that made results: its text, and checksums of the files that it names. So a message can
 * say in what another case or plan differs. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct made_by {
    char *text;  /* lines: key "value" */
    char *files; /* lines: key "CRC32 BYTES NAME", for each file whose content counts */
    bool every;  /* keys that change no result, such as a date, are differences, too */
};

/* Reads the case or plan at `path`. Omits files that were removed since the case was read. */
int made_by_read(struct made_by *m, const char *path, struct error *e);
/* Adds the value of an option that replaces a key of the plan. */
int made_by_add(struct made_by *m, const char *key, int64_t value, struct error *e);
void made_by_free(struct made_by *m); /* all-zero is fine */

/* The differences, such as "members 200, now 300; dem.tif has changed"; never empty. malloc'ed; NULL: out of memory. */
char *made_by_difference(const struct made_by *was, const struct made_by *is);

/* Whether there are differences. */
bool made_by_differs(const struct made_by *was, const struct made_by *is);

/* Whether the only difference is `key` or its file. */
bool made_by_differs_in(const struct made_by *was, const struct made_by *is, const char *key);

struct cJSON;
/* made_by_put() adds an object "made_by" with `text` and `files` as lists of lines. made_by_get() reads it; *m is all zero
 * if the object is missing. */
void made_by_put(struct cJSON *o, const struct made_by *m);
int made_by_get(struct made_by *m, const struct cJSON *o, struct error *e);
