/* keyvalue.h — a file of `key value` lines, separated by blanks; '#' starts a comment (at the
 * beginning of a line or after a blank), a value may be in double quotes. */
#ifndef SCIARA_KEYVALUE_H
#define SCIARA_KEYVALUE_H

#include "textfile.h"

struct keyvalue {
    const char *key, *value; /* neither is empty */
    int line;
};

struct keyvalues {
    struct textfile file; /* holds the text */
    int count;
    struct keyvalue *item;
};

/* Refuses a key without a value. Keys may repeat. On an error *k is all zero. */
int keyvalues_read(struct keyvalues *k, const char *path, struct error *e);
/* The same of a text in memory; `name` is its name in messages, and has to outlive this. */
int keyvalues_of_text(struct keyvalues *k, const char *name, const char *text, struct error *e);

/* The line of the first entry of that key; 0: there is none. */
int keyvalues_line(const struct keyvalues *k, const char *key);

void keyvalues_free(struct keyvalues *k); /* all-zero is fine */

#endif
