/* template.h — a document from a text with gaps. The text has sections, each under a line "@@ NAME"; what is before the first is
 * for who reads it. In a section {{name}} is a value, {{&name}} one in HTML within XML, and {{"Vents"}} a text to translate. */
#pragma once

#include <stdio.h>

enum { TEMPLATE_VALUES = 40 };

struct template
{
    FILE *f;
    const char *text; /* borrowed, as `language` (NULL: English) */
    const char *language;
    int count;
    struct {
        const char *name; /* a constant */
        char *value;
    } value[TEMPLATE_VALUES];
};

/* Sets a value until it is set again, as printf() would write it. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
void
template_set(struct template *t, const char *name, const char *format, ...);
/* Writes that section with the values as they are now. */
void template_put(const struct template *t, const char *section);
void template_free(struct template *t); /* all-zero is fine; the stream is the caller's */
