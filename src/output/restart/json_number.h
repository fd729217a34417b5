/* json_number.h — strict numbers in a JSON object; internal. Whole numbers within +-2^53. Each
 * reader is false where the member is missing or not such a number. */
#ifndef SCIARA_JSON_NUMBER_H
#define SCIARA_JSON_NUMBER_H

#include "sim/fields.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

void json_add_hex(struct cJSON *o, const char *name, uint64_t word);   /* "00ff..." */
void json_add_quanta(struct cJSON *o, const char *name, quanta value); /* "-123" */

bool json_real(const struct cJSON *o, const char *name, double *value); /* finite */
bool json_whole(const struct cJSON *o, const char *name, int64_t *value);
bool json_int(const struct cJSON *o, const char *name, int *value);
bool json_hex(const struct cJSON *o, const char *name, uint64_t *word);
bool json_quanta(const struct cJSON *o, const char *name, quanta *value);

/* A printable text that fits. */
bool json_text(const struct cJSON *o, const char *name, char *text, size_t size);

#endif
