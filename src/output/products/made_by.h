/* made_by.h — what results were made by: the text of a case or plan and the sums of the files that it names, so that
 * a message can say in what another one differs. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct made_by {
    char *text;  /* lines: key "value" */
    char *files; /* lines: key "CRC32 BYTES NAME", for each file whose content counts */
    bool every;  /* also keys that change no result, such as a date, make a difference from it */
};

/* Reads the case or plan at that path, which has been read before, without files that cannot be read any
 * more. */
int made_by_read(struct made_by *m, const char *path, struct error *e);
/* Adds what an option decided in place of a key of the plan. */
int made_by_add(struct made_by *m, const char *key, int64_t value, struct error *e);
void made_by_free(struct made_by *m); /* all-zero is fine */

/* What differs, such as "members 200, now 300; dem.tif has changed"; never empty. malloc'ed; NULL: out of memory. */
char *made_by_difference(const struct made_by *was, const struct made_by *is);

/* Whether there is any such difference. */
bool made_by_differs(const struct made_by *was, const struct made_by *is);

/* Whether they differ in that key or its file, and in nothing else. */
bool made_by_differs_in(const struct made_by *was, const struct made_by *is, const char *key);

struct cJSON;
/* made_by_put() adds an object "made_by" with both as lists of texts; made_by_get() reads it: all zero if there is none. */
void made_by_put(struct cJSON *o, const struct made_by *m);
int made_by_get(struct made_by *m, const struct cJSON *o, struct error *e);
