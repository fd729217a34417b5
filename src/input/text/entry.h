/* entry.h — a line of a key-value file with what its value has to be: reading it, or refusing it
 * with one line of text. */
#ifndef SCIARA_ENTRY_H
#define SCIARA_ENTRY_H

#include "keyvalue.h"
#include "times.h"

#include <stdbool.h>

struct entry {
    const char *path;
    const struct keyvalue *line;
    double min, max;  /* of a number; of a text max is its greatest length */
    const char *unit; /* "": none */
    void *target;
    const char *start_time; /* of the case, for dates; "": none */
};

/* Each writes the value to *target: double, int64_t, const char * (into the line). */
int entry_real(const struct entry *at, struct error *e);
int entry_count(const struct entry *at, struct error *e);
int entry_text(const struct entry *at, struct error *e);

/* A time in seconds; min and max are in the unit of a number without one. A duration; and a time
 * since the start of the eruption, or a date. */
int entry_span(const struct entry *at, enum times_plain plain, struct error *e);
int entry_moment(const struct entry *at, enum times_plain plain, struct error *e);

/* The words of a value, with blanks between them. False: it has none, more, or longer ones. */
enum { ENTRY_WORDS = 16, ENTRY_WORD = 1024 };
struct entry_words {
    int count;
    char word[ENTRY_WORDS][ENTRY_WORD];
};
bool entry_words(struct entry_words *w, const struct entry *at);

/* ERROR_INPUT: the value, and what to do. */
int entry_refuse(const struct entry *at, const char *remedy, struct error *e);
int entry_refuse_range(const struct entry *at, struct error *e);

#endif
