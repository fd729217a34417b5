#include "template.h"

#include "text/scan.h"
#include "text/textfile.h"
#include "text/words.h"

#include <cJSON.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void template_set(struct cJSON *o, const char *name, const char *format, ...)
{
    size_t size;
    FREED char *value = NULL;
    FILE *to = open_memstream(&value, &size);
    va_list values;
    va_start(values, format);
    if (to) vfprintf(to, format, values);
    va_end(values);
    if (text_of_stream(to, &value)) cJSON_AddStringToObject(o, name, value);
}

/* An object in which values are searched, and the scope around the object. */
struct scope {
    const cJSON *o;
    const struct scope *around;
};

static const cJSON *find_value(const struct scope *s, const char *name, size_t length)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    for (; s; s = s->around) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(s->o, text);
        if (item) return item;
    }
    return NULL;
}

static void put_gap(FILE *f, const struct template *t, const struct scope *s, const char *name,
                    size_t length)
{
    char text[WORDS_TEXT];
    const bool html = *name == '&';
    if (*name == '"') {
        snprintf(text, sizeof text, "%.*s", (int)length - 2, name + 1);
        scan_put_xml(f, words_of(text, t->language), "&");
        return;
    }
    const cJSON *item = find_value(s, name + html, length - html);
    if (cJSON_IsString(item)) scan_put_xml(f, item->valuestring, html ? "&amp;" : "&");
}

static const char *put_text(FILE *f, const struct template *t, const struct scope *s,
                            const char *at);

/* Writes a section once for each object; f NULL: writes nothing. Returns the text after the section. */
static const char *put_section(FILE *f, const struct template *t, const struct scope *s,
                               const cJSON *item, const char *at)
{
    const char *end = NULL;
    const cJSON *first = cJSON_IsArray(item) ? item->child : item;
    for (; f && first; first = cJSON_IsArray(item) ? first->next : NULL) {
        const struct scope inner = {first, s};
        end = put_text(f, t, cJSON_IsObject(first) ? &inner : s, at);
    }
    return end ? end : put_text(NULL, t, s, at);
}

/* Writes text up to the end of its section. Returns the text after the section. */
static const char *put_text(FILE *f, const struct template *t, const struct scope *s,
                            const char *at)
{
    for (const char *gap; (gap = strstr(at, "{{"));) {
        const char *name = gap + 2, *close = strstr(name, "}}");
        const bool begins = *name == '#', ends = *name == '/';
        if (f) fwrite(at, 1, (size_t)(gap - at), f);
        at = close + 2;
        if (begins || ends) at += *at == '\n';
        if (ends) return at;
        const size_t length = (size_t)(close - name);
        if (begins) at = put_section(f, t, s, find_value(s, name + 1, length - 1), at);
        else if (f && *name == '>') put_text(f, t, s, t->other);
        else if (f) put_gap(f, t, s, name, length);
    }
    if (f) fputs(at, f);
    return at + strlen(at);
}

void template_write(FILE *f, const struct template *t, const struct cJSON *values)
{
    put_text(f, t, &(struct scope){values, NULL}, t->text);
}

char *template_text(const struct template *t, const struct cJSON *values, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (f) template_write(f, t, values);
    return text_of_stream(f, &text);
}
