/* json_number.h — adds members to a JSON object, several in one call, and reads numbers and texts strictly. Whole numbers
 * are within +-2^53. A reader returns false if the member is missing or has another type or range. */
#pragma once

#include "sim/fields.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

struct json_number {
    const char *name;
    double value; /* a number that is not finite becomes null */
};
struct json_text {
    const char *name, *value;
};

struct json_bool {
    const char *name;
    bool value;
};

/* Add members in the order of the arguments: json_add_numbers(o, {"row", row}, {"col", col}). json_add_given() omits texts
 * that are NULL or empty. */
#define json_add_numbers(o, ...)                                                                   \
    json_add_number_list(o, (const struct json_number[]){__VA_ARGS__, {NULL, 0}})
#define json_add_texts(o, ...)                                                                     \
    json_add_text_list(o, (const struct json_text[]){__VA_ARGS__, {NULL, NULL}})
#define json_add_given(o, ...)                                                                     \
    json_add_given_list(o, (const struct json_text[]){__VA_ARGS__, {NULL, NULL}})
#define json_add_bools(o, ...)                                                                     \
    json_add_bool_list(o, (const struct json_bool[]){__VA_ARGS__, {NULL, false}})
/* a NULL name ends the list */
void json_add_number_list(struct cJSON *o, const struct json_number *n);
void json_add_text_list(struct cJSON *o, const struct json_text *t);
void json_add_given_list(struct cJSON *o, const struct json_text *t);
void json_add_bool_list(struct cJSON *o, const struct json_bool *b);

/* Converts a packed text (text/words.h). A text without values becomes a JSON text. A text with values becomes a list:
 * the row of words.tsv, then the values. Each value becomes a text or a list by the same rule. */
struct cJSON *json_words(const char *packed);

/* Sorts a list of objects by their member "name", a text. If memory runs out, the list stays unsorted. */
void json_sort_by_name(struct cJSON *list);

/* Lets FREED_BY call cJSON_Delete(). */
void json_free_at(struct cJSON **tree);

/* Appends a new object to a list and returns it. */
struct cJSON *json_add_object(struct cJSON *list);

/* json_add_words() adds a list of texts, json_add_values() a list of the numbers x[i] / unit. */
void json_add_words(struct cJSON *o, const char *name, char *const *text, int count);
void json_add_values(struct cJSON *o, const char *name, const double *x, int count, double unit);

void json_add_hex(struct cJSON *o, const char *name, uint64_t word);   /* "00ff..." */
void json_add_quanta(struct cJSON *o, const char *name, quanta value); /* "-123" */

bool json_real(const struct cJSON *o, const char *name, double *value); /* finite */
bool json_whole(const struct cJSON *o, const char *name, int64_t *value);
bool json_int(const struct cJSON *o, const char *name, int *value);
bool json_hex(const struct cJSON *o, const char *name, uint64_t *word);
bool json_quanta(const struct cJSON *o, const char *name, quanta *value);

/* Copies a text. False: there is no text, it is not printable, or it does not fit. */
bool json_text(const struct cJSON *o, const char *name, char *text, size_t size);

/* Makes all texts of a tree printable (scan.h). Paths and names in foreign files may hold any bytes, but JSON is UTF-8.
 * NULL is fine. */
void json_clean(struct cJSON *tree);

/* Cleans the tree (json_clean()), prints it with a line feed at the end, and deletes it. The text is malloc'ed; NULL: out
 * of memory. */
char *json_printed(struct cJSON *tree);
