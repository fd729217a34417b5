/* template.h — fills the gaps of a text with values from a tree:
 *
 *     {{name}}                  a value of this object, or of an object around it; no text if there is none
 *     {{&name}}                 the value as HTML inside XML: & becomes &amp;amp;
 *     {{"Vents"}}               a text to translate
 *     {{#name}} ... {{/name}}   once for each object of a list, or once for another value; not if there is none
 *     {{>}}                     the text `other`
 *
 * The end of a line after {{#name}} or {{/name}} is not written. */
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
/* Sets a value for {{#name}}, which only has to exist. */
#define template_flag(o, name) template_set(o, name, "1")
