/* json.c — the functions of cJSON that the page's engine calls, with its structure: the library itself is not there for
 * WebAssembly. What they do is cJSON's documentation; NULL as a tree is fine wherever it is there. */
#include "base/error.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- trees ----------------------------------------------------------------------------------- */

static cJSON *make(int type)
{
    cJSON *o = calloc(1, sizeof *o);
    if (o) o->type = type;
    return o;
}

void cJSON_Delete(cJSON *o)
{
    while (o) {
        cJSON *next = o->next;
        cJSON_Delete(o->child);
        FREE_ALL(o->valuestring, o->string, o);
        o = next;
    }
}

cJSON *cJSON_CreateObject(void)
{
    return make(cJSON_Object);
}
cJSON *cJSON_CreateArray(void)
{
    return make(cJSON_Array);
}
cJSON *cJSON_CreateNull(void)
{
    return make(cJSON_NULL);
}
cJSON *cJSON_CreateNumber(double value)
{
    cJSON *o = make(cJSON_Number);
    if (o) o->valuedouble = value;
    if (o && fabs(value) < 2147483647) o->valueint = (int)value;
    return o;
}
cJSON *cJSON_CreateString(const char *text)
{
    cJSON *o = text ? make(cJSON_String) : NULL;
    if (o && !(o->valuestring = strdup(text))) free(o), o = NULL;
    return o;
}
cJSON *cJSON_CreateIntArray(const int *value, int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(value[i]));
    return list;
}
cJSON *cJSON_CreateDoubleArray(const double *value, int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(value[i]));
    return list;
}

/* The first item's `prev` is the last one. */
cJSON_bool cJSON_AddItemToArray(cJSON *list, cJSON *item)
{
    if (!list || !item) return false;
    cJSON *first = list->child;
    item->prev = first ? first->prev : item;
    if (first) first->prev->next = item, first->prev = item;
    else list->child = item;
    return true;
}
cJSON_bool cJSON_AddItemToObject(cJSON *o, const char *name, cJSON *item)
{
    char *own = o && item ? strdup(name) : NULL;
    if (!own) return false;
    free(item->string);
    item->string = own;
    return cJSON_AddItemToArray(o, item);
}
static cJSON *add(cJSON *o, const char *name, cJSON *item)
{
    if (cJSON_AddItemToObject(o, name, item)) return item;
    cJSON_Delete(item);
    return NULL;
}
cJSON *cJSON_AddStringToObject(cJSON *o, const char *name, const char *text)
{
    return add(o, name, cJSON_CreateString(text));
}
cJSON *cJSON_AddNumberToObject(cJSON *o, const char *name, double value)
{
    return add(o, name, cJSON_CreateNumber(value));
}
cJSON *cJSON_AddBoolToObject(cJSON *o, const char *name, cJSON_bool value)
{
    return add(o, name, make(value ? cJSON_True : cJSON_False));
}
cJSON *cJSON_AddTrueToObject(cJSON *o, const char *name)
{
    return cJSON_AddBoolToObject(o, name, true);
}
cJSON *cJSON_AddNullToObject(cJSON *o, const char *name)
{
    return add(o, name, cJSON_CreateNull());
}
cJSON *cJSON_AddObjectToObject(cJSON *o, const char *name)
{
    return add(o, name, cJSON_CreateObject());
}
cJSON *cJSON_AddArrayToObject(cJSON *o, const char *name)
{
    return add(o, name, cJSON_CreateArray());
}

cJSON *cJSON_Duplicate(const cJSON *of, cJSON_bool whole)
{
    cJSON *o = of ? make(of->type) : NULL;
    if (!o) return NULL;
    o->valueint = of->valueint;
    o->valuedouble = of->valuedouble;
    if (of->valuestring) o->valuestring = strdup(of->valuestring);
    if (of->string) o->string = strdup(of->string);
    const cJSON *child;
    if (whole)
        cJSON_ArrayForEach (child, of) cJSON_AddItemToArray(o, cJSON_Duplicate(child, true));
    return o;
}

/* ---- looking at them ------------------------------------------------------------------------- */

cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *o, const char *name)
{
    cJSON *child = o ? o->child : NULL;
    while (child && (!child->string || strcmp(child->string, name))) child = child->next;
    return child;
}
cJSON *cJSON_GetObjectItem(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}
cJSON_bool cJSON_HasObjectItem(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name) != NULL;
}
/* In its place. */
cJSON_bool cJSON_ReplaceItemInObject(cJSON *o, const char *name, cJSON *item)
{
    cJSON *old = cJSON_GetObjectItemCaseSensitive(o, name);
    if (!old || !item) return cJSON_Delete(item), false;
    cJSON *next = old->next, *prev = old->prev;
    struct cJSON keep = *item;
    char *own = old->string;
    FREE_ALL(keep.string, old->valuestring);
    cJSON_Delete(old->child);
    *old = keep;
    old->string = own, old->next = next, old->prev = prev;
    free(item);
    return true;
}
void cJSON_DeleteItemFromObjectCaseSensitive(cJSON *o, const char *name)
{
    cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    if (!item) return;
    cJSON *first = o->child, *last = first->prev;
    if (item == first) o->child = item->next;
    else item->prev->next = item->next;
    if (item->next) item->next->prev = item->prev;
    if (o->child) o->child->prev = item == last ? item->prev : last;
    item->next = NULL;
    cJSON_Delete(item);
}
int cJSON_GetArraySize(const cJSON *list)
{
    int count = 0;
    const cJSON *child;
    cJSON_ArrayForEach (child, list) count++;
    return count;
}
cJSON *cJSON_GetArrayItem(const cJSON *list, int i)
{
    cJSON *child = list ? list->child : NULL;
    while (child && i-- > 0) child = child->next;
    return child;
}
#define IS(NAME, TYPES)                                                                            \
    cJSON_bool cJSON_Is##NAME(const cJSON *o)                                                      \
    {                                                                                              \
        return o && (o->type & (TYPES));                                                           \
    }
IS(String, cJSON_String)
IS(Number, cJSON_Number)
IS(Array, cJSON_Array)
IS(Object, cJSON_Object)
IS(Null, cJSON_NULL)
IS(True, cJSON_True)
IS(Bool, cJSON_True | cJSON_False)

/* Members of an object in any order. */
cJSON_bool cJSON_Compare(const cJSON *a, const cJSON *b, cJSON_bool exact)
{
    if (!a || !b || a->type != b->type) return false;
    if (a->type == cJSON_Number) return a->valuedouble == b->valuedouble;
    if (a->type == cJSON_String) return !strcmp(a->valuestring, b->valuestring);
    if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b)) return false;
    const cJSON *other = b->child;
    for (const cJSON *x = a->child; x; x = x->next, other = other->next)
        if (!cJSON_Compare(x, x->string ? cJSON_GetObjectItemCaseSensitive(b, x->string) : other,
                           exact))
            return false;
    return true;
}

/* ---- as text --------------------------------------------------------------------------------- */

static void print_text(FILE *out, const char *text)
{
    static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        const char *known = strchr(letters, *c);
        if (known) fprintf(out, "\\%c", names[known - letters]);
        else if ((unsigned char)*c < 32) fprintf(out, "\\u%04x", *c);
        else fputc(*c, out);
    }
    fputc('"', out);
}

static void print_number(FILE *out, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%1.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%1.17g", value);
    fputs(isfinite(value) ? text : "null", out);
}

static void print(FILE *out, const cJSON *o)
{
    const bool list = o->type == cJSON_Array;
    if (o->type == cJSON_String) print_text(out, o->valuestring);
    else if (o->type == cJSON_Number) print_number(out, o->valuedouble);
    else if (o->type == cJSON_NULL) fputs("null", out);
    else if (o->type != cJSON_Object && !list) fputs(cJSON_IsTrue(o) ? "true" : "false", out);
    else {
        fputc(list ? '[' : '{', out);
        for (const cJSON *child = o->child; child; child = child->next) {
            if (child != o->child) fputc(',', out);
            if (!list) print_text(out, child->string), fputc(':', out);
            print(out, child);
        }
        fputc(list ? ']' : '}', out);
    }
}

char *cJSON_PrintUnformatted(const cJSON *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = o ? open_memstream(&text, &size) : NULL;
    if (out) print(out, o);
    return out && !fclose(out) ? text : NULL;
}

/* ---- from text ------------------------------------------------------------------------------- */

struct reading {
    const char *at;
    int depth;
};

static cJSON *read_value(struct reading *r);

static bool read_mark(struct reading *r, char mark)
{
    r->at += strspn(r->at, " \t\r\n");
    if (*r->at != mark) return false;
    r->at++;
    return true;
}

/* Four digits of \uXXXX; -1: it is no such. */
static int read_unit(const char *at)
{
    char digits[5] = "";
    memcpy(digits, at, strnlen(at, 4));
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int)strtol(digits, NULL, 16) : -1;
}

static char *put_character(char *to, unsigned c)
{
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(first[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | (c >> 6 * i & 0x3f));
    return to;
}

/* Behind the \ of an escape. NULL: there is no such. */
static char *read_escape(struct reading *r, char *to)
{
    static const char names[] = "\"\\/bfnrt", letters[] = "\"\\/\b\f\n\r\t";
    const char *known = *r->at ? strchr(names, *r->at) : NULL;
    if (known) {
        r->at++;
        *to++ = letters[known - names];
        return to;
    }
    int c = *r->at == 'u' ? read_unit(r->at + 1) : -1;
    if (c <= 0 || (c >= 0xdc00 && c < 0xe000)) return NULL;
    r->at += 5;
    if (c < 0xd800 || c >= 0xe000) return put_character(to, (unsigned)c);
    const int low = r->at[0] == '\\' && r->at[1] == 'u' ? read_unit(r->at + 2) : -1;
    if (low < 0xdc00 || low >= 0xe000) return NULL;
    r->at += 6;
    return put_character(to,
                         0x10000u + ((unsigned)c - 0xd800u) * 0x400u + ((unsigned)low - 0xdc00u));
}

/* Behind its first quotation mark; what is read is never longer than what stands there. */
static char *read_text(struct reading *r)
{
    char *text = malloc(strlen(r->at) + 1), *to = text;
    while (to && *r->at != '"') {
        const char c = *r->at;
        if ((unsigned char)c < 32) to = NULL;
        else if (r->at++, c == '\\') to = read_escape(r, to);
        else *to++ = c;
    }
    if (!to) return free(text), NULL;
    r->at++;
    *to = '\0';
    return text;
}

static bool read_items(struct reading *r, cJSON *list, char end)
{
    if (read_mark(r, end)) return true;
    do {
        FREED char *name = end == '}' && read_mark(r, '"') ? read_text(r) : NULL;
        if (end == '}' && (!name || !read_mark(r, ':'))) return false;
        cJSON *item = read_value(r);
        if (!(name ? cJSON_AddItemToObject(list, name, item) : cJSON_AddItemToArray(list, item)))
            return cJSON_Delete(item), false;
    } while (read_mark(r, ','));
    return read_mark(r, end);
}

static cJSON *read_list(struct reading *r, int type, char end)
{
    cJSON *list = make(type);
    const bool whole = list && ++r->depth < CJSON_NESTING_LIMIT && read_items(r, list, end);
    r->depth--;
    return whole ? list : (cJSON_Delete(list), NULL);
}

static cJSON *read_word(struct reading *r)
{
    static const struct {
        const char *word;
        int type;
    } words[] = {{"null", cJSON_NULL}, {"true", cJSON_True}, {"false", cJSON_False}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(r->at, words[i].word, strlen(words[i].word))) {
            r->at += strlen(words[i].word);
            return make(words[i].type);
        }
    char *end;
    if (!strspn(r->at, "-0123456789")) return NULL;
    const double value = strtod(r->at, &end);
    if (end == r->at) return NULL;
    r->at = end;
    return cJSON_CreateNumber(value);
}

static cJSON *read_value(struct reading *r)
{
    if (read_mark(r, '{')) return read_list(r, cJSON_Object, '}');
    if (read_mark(r, '[')) return read_list(r, cJSON_Array, ']');
    if (!read_mark(r, '"')) return read_word(r);
    FREED char *text = read_text(r);
    return cJSON_CreateString(text);
}

/* The whole text has to be one value: *end is behind it, or where it is none. */
cJSON *cJSON_ParseWithLengthOpts(const char *text, size_t size, const char **end, cJSON_bool ended)
{
    struct reading r = {.at = text};
    cJSON *o = read_value(&r);
    const bool whole = o && read_mark(&r, '\0');
    if (end) *end = whole ? r.at - 1 : r.at;
    return whole ? o : (cJSON_Delete(o), NULL);
}
cJSON *cJSON_Parse(const char *text)
{
    return text ? cJSON_ParseWithLengthOpts(text, strlen(text) + 1, NULL, true) : NULL;
}
