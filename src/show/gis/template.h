/* template.h — a document from a text with gaps and a tree of values:
 *
 *     {{name}}                  a value of this object, or of one around it; nothing where none has it
 *     {{&name}}                 such a value as HTML within XML
 *     {{"Vents"}}               a text to translate
 *     {{#name}} ... {{/name}}   for each object of a list, for an object, or for a value that is there
 *     {{>}}                     the other text
 *
 * The end of a line behind {{#name}} and {{/name}} is not written. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct cJSON;
struct template
{
    const char *text, *other;
    const char *language; /* NULL: English */
};
void template_write(FILE *f, const struct template *t, const struct cJSON *values);
/* The written text, malloc'ed; NULL: out of memory. */
char *template_text(const struct template *t, const struct cJSON *values, size_t *size);

/* Sets a value, formatted as by printf(). */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
void
template_set(struct cJSON *o, const char *name, const char *format, ...);
/* Sets a value that is merely there. */
#define template_flag(o, name) template_set(o, name, "1")
