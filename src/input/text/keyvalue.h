/* keyvalue.h — a file of `key value` lines, separated by blanks; '#' starts a comment (at the
 * beginning of a line or after a blank), a value may be in double quotes. */
#pragma once

#include "textfile.h"
#include "times.h"

#include <stdbool.h>

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
/* Reads the keys of a text in memory; `name` is its name in messages, and has to outlive *k. */
int keyvalues_of_text(struct keyvalues *k, const char *name, const char *text, struct error *e);

/* The line of the first entry of that key; 0: there is none. */
int keyvalues_line(const struct keyvalues *k, const char *key);

void keyvalues_free(struct keyvalues *k); /* all-zero is fine */

/* Writes a line that is read as this value, which has no line end. `width`: columns for the key. */
void keyvalue_put(FILE *out, int width, const char *key, const char *value);

/* ---- a line with what its value has to be ---------------------------------------------------- */

struct entry {
    const char *path;
    const struct keyvalue *line;
    double min, max;  /* limits of a number; for a text max is its greatest length */
    const char *unit; /* "": none */
    void *target;
    const char *start_time; /* start_time of the case, for dates; "": none */
};

/* Each writes the value to *target: double, int64_t, const char * (into the line). */
int entry_real(const struct entry *at, struct error *e);
int entry_count(const struct entry *at, struct error *e);
int entry_text(const struct entry *at, struct error *e);

/* A time in seconds; min, max and a number without a unit are in hours. start_time as of times_moment(). */
int entry_time(const struct entry *at, const char *start_time, struct error *e);

/* Splits a value into its words. Blanks separate them, except within quotes, which are removed. `layer NAME` and
 * `where 'SQL'` belong to the word of the file before them (vectors.h). False: there is none, there are too many, or
 * one is too long. */
enum { ENTRY_WORDS = 16, ENTRY_WORD = 1024 };
struct entry_words {
    int count;
    char word[ENTRY_WORDS][ENTRY_WORD];
};
#define ENTRY_FILE "FILE ('in quotes' where its name has blanks)"
bool entry_words(struct entry_words *w, const struct entry *at);

/* ERROR_INPUT with the value and the remedy. */
int entry_refuse(const struct entry *at, const char *remedy, struct error *e);
int entry_refuse_range(const struct entry *at, struct error *e);
