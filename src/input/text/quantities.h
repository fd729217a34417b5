/* quantities.h — words for the numbers of members, by the names of their columns, for pages and bulletins. */
#pragma once

#include <stddef.h>

struct quantity {
    const char *name;    /* its name in tables and plans: "Phc(Tsol)" */
    const char *words;   /* its name for people, a row of words.tsv */
    const char *unit;    /* a unit that people use, a row of words.tsv if it is a word; "": none */
    double factor, more; /* value * factor + more is in this unit */
};

/* The last has no name. */
extern const struct quantity quantities[];

/* A condition on members (ask/ask.h), packed (text/words.h), with words and units in place of the names of columns;
 * unchanged if it is too long. Returns out. */
char *quantities_condition(char *out, size_t size, const char *condition);
