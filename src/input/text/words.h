/* words.h — the texts of pages, maps and bulletins in the languages of words.tsv. The English text, in the first
 * column, is the name of a row. Each {} in a text is a value; {one|many} becomes "one" after a value of 1, else
 * "many". A text is translated before its values are filled in. */
#pragma once

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { WORDS_TEXT = 1200 };

/* The codes of the languages, "en" first; NULL ends the list. A `language` below is one of these; NULL: English. */
extern const char *const words_languages[];

/* Whether a text is one of words_languages[]; NULL is not. */
bool words_is_language(const char *language);

/* A text in a language; unchanged if words.tsv has no row for it. */
const char *words_of(const char *english, const char *language);

/* A packed text has a row of words.tsv, then its values in order, each after WORDS_NEXT; without values it ends with
 * WORDS_NEXT. words_pack() makes a packed text from a format of printf (d, u, x, s, e, f, g, without `*`). Its row has
 * {} for each conversion, and % for %%. A value may be a packed text, which is translated, too; other values are
 * numbers and names. words_fill() writes a packed text in a language, and numbers with the marks of that language.
 * Both functions return out. A text with its values has less than WORDS_TEXT bytes. */
#define WORDS_NEXT   "\x1f"
#define WORDS_WITHIN "\x1e" /* stands for WORDS_NEXT within a value */
/* separates texts, which are filled one after the other; a text without WORDS_NEXT is copied */
#define WORDS_PART     "\x1d"
#define WORDS_SENTENCE "\x1c" /* before a packed text: it gets a capital letter and a full stop */
#define WORDS_TOGETHER "\x1b" /* before a value: no line breaks within it */
ERROR_FORMAT(3, 4) char *words_pack(char *out, size_t size, const char *format, ...);
char *words_pack_list(char *out, size_t size, const char *format, va_list values);
char *words_fill(char *out, size_t size, const char *packed, const char *language);

/* Replaces the marks of a number in the C locale by those of a language, and its hyphen by a true minus sign. The
 * number may have commas between thousands. Returns number. */
char *words_number(char *number, size_t size, const char *language);

/* Returns the text in English; its buffer lasts to the end of the block. */
#define WORDS_ENGLISH(packed) words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, packed, NULL)

/* The rows of words.tsv, made by tools/words-table: row by row, a text for each language; NULL ends the list. */
extern const char *const words_rows[];
extern const int words_columns;
