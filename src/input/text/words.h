/* words.h — the texts of pages, maps and bulletins in the languages of words.tsv. A text is named by its English, the first
 * column; each {} in it is a value, and {one|many} goes with the value before it, 1 or another. Formats are translated and then filled, so no value is looked for in a sentence. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { WORDS_TEXT = 1200 };

/* Their codes, "en" first; NULL ends the list. A language in what follows is one of these; NULL: English. */
extern const char *const words_languages[];

/* Whether this is one of the codes; NULL is none. */
bool words_is_language(const char *language);

/* A text in a language; as it is where words.tsv has no row of it. */
const char *words_of(const char *english, const char *language);

/* A text that is not filled yet: its row, then its values in their order, each after WORDS_NEXT; a text without values ends with
 * that. pack() makes it from a format of printf (d, u, x, s, e, f, g, without `*`), whose row has {} for each conversion and %
 * for %%. A %s that is itself packed but has no values is a text to translate, too; all others are numbers and names. fill()
 * writes it in a language, and numbers with the marks of that. Both return out; a text with its values has less than WORDS_TEXT
 * bytes. */
#define WORDS_NEXT   "\x1f"
#define WORDS_WITHIN "\x1e" /* stands for WORDS_NEXT within a value */
/* Between two texts that are filled one after the other; one of them that has no values, and no WORDS_NEXT, is as it is. */
#define WORDS_PART     "\x1d"
#define WORDS_SENTENCE "\x1c" /* before a packed text: its first letter large, and a full stop */
#define WORDS_TOGETHER "\x1b" /* before a value: no line breaks within it */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
char *
words_pack(char *out, size_t size, const char *format, ...);
char *words_pack_list(char *out, size_t size, const char *format, va_list values);
char *words_fill(char *out, size_t size, const char *packed, const char *language);

/* A number in the C locale, perhaps with a comma before each three digits, with the marks of a language and a true minus sign. Returns number. */
char *words_number(char *number, size_t size, const char *language);

/* The text in English, in a room that lasts to the end of the block. */
#define WORDS_ENGLISH(packed) words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, packed, NULL)

/* The rows of words.tsv, made by tools/words-table: row by row, a text for each language; NULL ends
 * the list. */
extern const char *const words_rows[];
extern const int words_columns;
