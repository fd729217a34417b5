/* quantities.h — the words that pages and bulletins use for the columns of the table of members. */
#pragma once

#include <stddef.h>

struct quantity {
    const char *name;    /* name in tables and plans: "Phc(Tsol)" */
    const char *words;   /* name for people, a row of words.tsv */
    const char *unit;    /* unit for people, a row of words.tsv if it is a word; "": none */
    double factor, more; /* value * factor + more is in `unit` */
};

/* The last entry has no name. */
extern const struct quantity quantities[];

/* Writes a condition on members (ask/ask.h) as a packed text (text/words.h). Words and units replace the names of
 * columns. A condition that is too long is packed unchanged. Returns out. */
char *quantities_condition(char *out, size_t size, const char *condition);
