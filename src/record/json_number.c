#include "json_number.h"

#include "text/scan.h"
#include "text/textfile.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_add_number_list(cJSON *o, const struct json_number *n)
{
    for (; n->name; n++) cJSON_AddNumberToObject(o, n->name, n->value);
}

void json_add_text_list(cJSON *o, const struct json_text *t)
{
    for (; t->name; t++) cJSON_AddStringToObject(o, t->name, t->value);
}

void json_add_given_list(cJSON *o, const struct json_text *t)
{
    for (; t->name; t++)
        if (t->value && *t->value) cJSON_AddStringToObject(o, t->name, t->value);
}

void json_add_bool_list(cJSON *o, const struct json_bool *b)
{
    for (; b->name; b++) cJSON_AddBoolToObject(o, b->name, b->value);
}

void json_free_at(cJSON **tree)
{
    cJSON_Delete(*tree);
}

void json_add_words(cJSON *o, const char *name, char *const *text, int count)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateString(text[i]));
}

void json_add_values(cJSON *o, const char *name, const double *x, int count, double unit)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(x[i] / unit));
}

cJSON *json_add_object(cJSON *list)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(list, o);
    return o;
}

/* The name of an entry, or "". An entry of an edited file may lack its name. */
static const char *name_of(const cJSON *entry)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "name"));
    return name ? name : "";
}

static int by_name(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp(name_of(*x), name_of(*y));
}

void json_sort_by_name(cJSON *list)
{
    const int count = cJSON_GetArraySize(list);
    FREED cJSON **item = calloc((size_t)count + 1, sizeof(cJSON *));
    for (int i = 0; item && i < count; i++) item[i] = cJSON_DetachItemFromArray(list, 0);
    if (item) qsort(item, (size_t)count, sizeof *item, by_name);
    for (int i = 0; item && i < count; i++) cJSON_AddItemToArray(list, item[i]);
}

void json_add_hex(cJSON *o, const char *name, uint64_t word)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, word);
    cJSON_AddStringToObject(o, name, digits);
}

void json_add_quanta(cJSON *o, const char *name, quanta value)
{
    char digits[48];
    cJSON_AddStringToObject(o, name, quanta_text(value, digits));
}

static const char *text_of(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

bool json_real(const cJSON *o, const char *name, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return false;
    *value = item->valuedouble;
    return true;
}

bool json_whole(const cJSON *o, const char *name, int64_t *value)
{
    double x;
    if (!json_real(o, name, &x) || fabs(x) > 9007199254740992.0 || x != floor(x)) return false;
    *value = (int64_t)x;
    return true;
}

bool json_int(const cJSON *o, const char *name, int *value)
{
    int64_t n;
    if (!json_whole(o, name, &n) || n < INT_MIN || n > INT_MAX) return false;
    *value = (int)n;
    return true;
}

bool json_hex(const cJSON *o, const char *name, uint64_t *word)
{
    const char *text = text_of(o, name);
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *word = strtoull(text, NULL, 16);
    return true;
}

/* Numbers of at most 38 digits fit in the 127 bits of a quanta. */
bool json_quanta(const cJSON *o, const char *name, quanta *value)
{
    const char *text = text_of(o, name);
    if (!text) return false;
    const bool negative = *text == '-';
    const char *digits = text + negative;
    const size_t count = strspn(digits, "0123456789");
    if (count < 1 || count > 38 || digits[count]) return false;
    quanta sum = 0;
    for (size_t i = 0; i < count; i++) sum = 10 * sum + (digits[i] - '0');
    *value = negative ? -sum : sum;
    return true;
}

bool json_text(const cJSON *o, const char *name, char *text, size_t size)
{
    const char *given = text_of(o, name);
    if (!given || strlen(given) >= size || !scan_printable(given)) return false;
    memcpy(text, given, strlen(given) + 1);
    return true;
}

/* Makes a JSON text. If `packed` has separators, makes a list of the parts between them. */
static cJSON *words_item(const char *packed, const char *separator)
{
    const char *at = packed;
    char part[WORDS_TEXT];
    if (!strpbrk(packed, separator)) return cJSON_CreateString(packed);
    cJSON *list = cJSON_CreateArray();
    for (;; at++) {
        const size_t length = strcspn(at, separator);
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (length) cJSON_AddItemToArray(list, words_item(part, WORDS_WITHIN));
        at += length;
        if (!*at) return list;
    }
}

cJSON *json_words(const char *packed)
{
    return words_item(packed, WORDS_NEXT);
}

void json_clean(struct cJSON *tree)
{
    for (cJSON *item = tree; item; item = item->next) {
        if (cJSON_IsString(item) && item->valuestring) scan_make_printable(item->valuestring);
        if (item->string && !(item->type & cJSON_StringIsConst)) scan_make_printable(item->string);
        json_clean(item->child); /* the parser of files limits the depth of this recursion */
    }
}

char *json_printed(struct cJSON *tree)
{
    json_clean(tree);
    char *json = cJSON_Print(tree), *text = json ? text_format("%s\n", json) : NULL;
    cJSON_Delete(tree);
    free(json);
    return text;
}
