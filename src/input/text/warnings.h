/* warnings.h — warnings: sentences about an input or its results, of three kinds. The kind decides who reads the
 * sentence, and where. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum warning_kind {
    WARNING_INPUT,  /* the input is doubtful: in `sciara info`, terminal and summary.json */
    WARNING_RESULT, /* how to read the result with care: also on maps, pages and bulletins */
    WARNING_NOTE,   /* numerics, or how the input was read: only in `sciara info`, summary.json */
    WARNING_KINDS
};
extern const char *const warning_kinds[WARNING_KINDS]; /* their names in summary.json */

enum { WARNINGS_MAX = 24, WARNING_TEXT = 1024 };

/* A part of a text of struct warnings, in bytes; length 0: there is no such part. */
struct warning_part {
    int from, length;
};

/* All warnings; all zero: none. */
struct warnings {
    char warning[2048]; /* sentences on input and results, with remedies; "; " separates them */
    char notice[1024];  /* sentences of notes, in the form of `warning` */
    int count;
    char packed[2048]; /* the sentences on results, packed (text/words.h) */
    struct warning {
        enum warning_kind kind;
        struct warning_part text, remedy, packed;
    } of[WARNINGS_MAX];
};

/* Adds a sentence without a full stop; false: it had been added before. A sentence about a result is a packed text
 * (words.h), in the words of a duty officer. Rows, columns, keys and parameters belong in the remedy, which says what
 * the user of the program can do (NULL: nothing). A text that does not fit is cut off. */
bool warnings_add(struct warnings *w, enum warning_kind kind, const char *text, const char *remedy);
/* Adds a formatted text without a remedy. */
ERROR_FORMAT(3, 4)
bool warnings_say(struct warnings *w, enum warning_kind kind, const char *fmt, ...);
bool warnings_add_one(struct warnings *w, const struct warnings *from, int i);
void warnings_add_all(struct warnings *w, const struct warnings *from);

/* Returns the kinds of warnings that occur, a bit 1 << kind for each. */
unsigned warnings_are_of(const struct warnings *w);

/* Sentence i < count with its remedy, as one line; returns `out`. */
char *warnings_line(const struct warnings *w, int i, char out[WARNING_TEXT]);
/* A part of sentence i: its text or its remedy; returns `out`. */
char *warnings_part(const struct warnings *w, int i, struct warning_part part,
                    char out[WARNING_TEXT]);

/* Sentence i; one about a result is a packed text (words.h). Returns `out`. */
char *warnings_packed(const struct warnings *w, int i, char out[WARNING_TEXT]);
/* Sentence i in a language, as it stands by itself: "The front may be late."; returns `out`. */
char *warnings_sentence(const struct warnings *w, int i, const char *language,
                        char out[WARNING_TEXT]);
/* All sentences about results, packed, as a paragraph of a map; "": there are none. */
char *warnings_of_result(const struct warnings *w, char *out, size_t size);
