/* keyvalue.h — a file with a key and a value in each line, separated by blanks. A value may be in double quotes. '#'
 * starts a comment at the beginning of a line or after a blank. */
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

/* Reads a file, and refuses a key without a value. Keys may repeat. On an error *k is all zero. */
int keyvalues_read(struct keyvalues *k, const char *path, struct error *e);
/* Reads the keys of a text in memory. `name`: the text's name in messages; it has to outlive *k. */
int keyvalues_of_text(struct keyvalues *k, const char *name, const char *text, struct error *e);

/* Returns the number of the first line with that key; 0: there is no such line. */
int keyvalues_line(const struct keyvalues *k, const char *key);

void keyvalues_free(struct keyvalues *k); /* all-zero is fine */

/* Writes a line from which `key` and `value` are read back; `value` has no line end. `width`: columns of the key. */
void keyvalue_put(FILE *out, int width, const char *key, const char *value);

/* ---- a line, and what its value has to be ---------------------------------------------------- */

struct entry {
    const char *path;
    const struct keyvalue *line;
    double min, max;  /* limits of a number; `max` of a text: bytes */
    const char *unit; /* "": none */
    void *target;
    const char *start_time; /* start_time of the case, for dates; "": none */
};

/* Each function checks the value and writes it to *target, which is a double, an int64_t or a pointer into the line. */
int entry_real(const struct entry *at, struct error *e);
int entry_count(const struct entry *at, struct error *e);
int entry_text(const struct entry *at, struct error *e);

/* Writes a time in seconds to *target. `min`, `max` and a value without a unit are in hours. `start_time` as in
 * times_moment(). */
int entry_time(const struct entry *at, const char *start_time, struct error *e);

/* Splits a value into words at blanks, except within quotes, and removes the quotes. `layer NAME` and `where 'SQL'`
 * are appended to the word that names the file (vectors.h). False: there is no word, there are too many, or a word is
 * too long. */
enum { ENTRY_WORDS = 16, ENTRY_WORD = 1024 };
struct entry_words {
    int count;
    char word[ENTRY_WORDS][ENTRY_WORD];
};
#define ENTRY_FILE "FILE ('in quotes' where its name has blanks)"
bool entry_words(struct entry_words *w, const struct entry *at);

/* Returns ERROR_INPUT; the message has the value and the remedy. */
int entry_refuse(const struct entry *at, const char *remedy, struct error *e);
int entry_refuse_range(const struct entry *at, struct error *e);
