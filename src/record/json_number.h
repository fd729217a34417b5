/* json_number.h — members of a JSON object, many at once, strict numbers, and printable texts. Whole
 * numbers within +-2^53. Each reader is false where the member is missing or not such a number. */
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

/* Add members in this order: json_add_numbers(o, {"row", row}, {"col", col}). The "given" one leaves out texts that are
 * NULL or empty. */
#define json_add_numbers(o, ...)                                                                   \
    json_add_number_list(o, (const struct json_number[]){__VA_ARGS__, {NULL, 0}})
#define json_add_texts(o, ...)                                                                     \
    json_add_text_list(o, (const struct json_text[]){__VA_ARGS__, {NULL, NULL}})
#define json_add_given(o, ...)                                                                     \
    json_add_given_list(o, (const struct json_text[]){__VA_ARGS__, {NULL, NULL}})
#define json_add_bools(o, ...)                                                                     \
    json_add_bool_list(o, (const struct json_bool[]){__VA_ARGS__, {NULL, false}})
void json_add_number_list(struct cJSON *o, const struct json_number *n); /* ends with a NULL name */
void json_add_text_list(struct cJSON *o, const struct json_text *t);
void json_add_given_list(struct cJSON *o, const struct json_text *t);
void json_add_bool_list(struct cJSON *o, const struct json_bool *b);

/* A packed text (text/words.h). Without values it is a text; else a list of its row and its values, each of which is a text
 * or such a list. */
struct cJSON *json_words(const char *packed);

/* Sorts a list of objects, each with a text called "name", unless memory is lacking. */
void json_sort_by_name(struct cJSON *list);

/* Lets FREED_BY call cJSON_Delete(). */
void json_free_at(struct cJSON **tree);

/* A new object at the end of a list. */
struct cJSON *json_add_object(struct cJSON *list);

/* Add a list of texts, and a list of numbers with their unit. */
void json_add_words(struct cJSON *o, const char *name, char *const *text, int count);
void json_add_values(struct cJSON *o, const char *name, const double *x, int count, double unit);

void json_add_hex(struct cJSON *o, const char *name, uint64_t word);   /* "00ff..." */
void json_add_quanta(struct cJSON *o, const char *name, quanta value); /* "-123" */

bool json_real(const struct cJSON *o, const char *name, double *value); /* finite */
bool json_whole(const struct cJSON *o, const char *name, int64_t *value);
bool json_int(const struct cJSON *o, const char *name, int *value);
bool json_hex(const struct cJSON *o, const char *name, uint64_t *word);
bool json_quanta(const struct cJSON *o, const char *name, quanta *value);

/* Copies a printable text; false if it does not fit. */
bool json_text(const struct cJSON *o, const char *name, char *text, size_t size);

/* Makes all texts of a tree printable (scan.h): paths, and names in foreign files, may hold any
 * bytes, but JSON is UTF-8. NULL is fine. */
void json_clean(struct cJSON *tree);

/* Prints the tree, cleaned, with a line feed at the end, and deletes it. The text is malloc'ed; NULL: out of memory. */
char *json_printed(struct cJSON *tree);
