/* entry.h — a line of a key-value file with what its value has to be: reading it, or refusing it
 * with one line of text. */
#ifndef SCIARA_ENTRY_H
#define SCIARA_ENTRY_H

#include "keyvalue.h"
#include "times.h"

struct entry {
    const char *path;
    const struct keyvalue *line;
    double min, max;  /* of a number; of a text max is its greatest length */
    const char *unit; /* "": none */
    void *target;
};

/* Each writes the value to *target: double, int64_t, const char * (into the line). */
int entry_real(const struct entry *at, struct error *e);
int entry_count(const struct entry *at, struct error *e);
int entry_text(const struct entry *at, struct error *e);

/* A time in seconds, of which min and max are in the unit of a number without one. How long
 * something lasts; and since the start of an eruption, with start_time as in times_moment(). */
int entry_span(const struct entry *at, enum times_plain plain, struct error *e);
int entry_moment(const struct entry *at, enum times_plain plain, const char *start_time,
                 struct error *e);

/* ERROR_INPUT: the value, and what to do. */
int entry_refuse(const struct entry *at, const char *remedy, struct error *e);
int entry_refuse_range(const struct entry *at, struct error *e);

#endif
