#include "template.h"

#include "text/scan.h"
#include "text/words.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void template_set(struct template *t, const char *name, const char *format, ...)
{
    int i = 0;
    size_t size;
    char *value = NULL;
    FILE *to = open_memstream(&value, &size);
    va_list values;
    va_start(values, format);
    if (to) vfprintf(to, format, values);
    va_end(values);
    if (to)
        fclose(to); /* (without memory the value is empty, and the document has no memory either) */
    while (i < t->count && strcmp(t->value[i].name, name) != 0) i++;
    assert(i < TEMPLATE_VALUES);
    if (i == t->count) t->value[t->count++].name = name;
    else free(t->value[i].value);
    t->value[i].value = value;
}

static void put_value(const struct template *t, const char *name, size_t length)
{
    char text[WORDS_TEXT];
    const bool html = *name == '&', words = *name == '"';
    const char *value = NULL, *and = html ? "&amp;" : "&";
    name += html || words;
    length -= html + 2 * words;
    for (int i = 0; i < t->count && !words; i++)
        if (strlen(t->value[i].name) == length && !memcmp(t->value[i].name, name, length))
            value = t->value[i].value ? t->value[i].value : "";
    if (words) {
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        value = words_of(text, t->language);
    }
    assert(value);
    scan_put_xml(t->f, value, and);
}

/* Behind the line with its name. */
static const char *find_section(const char *text, const char *section)
{
    const size_t length = strlen(section);
    while ((text = strstr(text, "\n@@ ")) != NULL) {
        text += 4;
        if (!strncmp(text, section, length) && text[length] == '\n') return text + length + 1;
    }
    return NULL;
}

void template_put(const struct template *t, const char *section)
{
    const char *at = find_section(t->text, section), *end = at ? strstr(at, "\n@@ ") : NULL;
    assert(at);
    if (!end) end = at + strlen(at) - 1;
    while (at <= end) {
        const char *gap = strstr(at, "{{"), *stop = gap && gap < end ? gap : end + 1;
        fwrite(at, 1, (size_t)(stop - at), t->f);
        if (stop > end) return;
        const char *close = strstr(gap, "}}");
        put_value(t, gap + 2, (size_t)(close - gap - 2));
        at = close + 2;
    }
}

void template_free(struct template *t)
{
    for (int i = 0; i < t->count; i++) free(t->value[i].value);
    *t = (struct template){0};
}
