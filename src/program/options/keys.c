/* keys.c — lists the keys of cases and plans for readers, and for tools/key-tables, which makes tables of docs/formats. */
#include "options.h"

#include "case/schema.h"

#include <limits.h>
#include <stdio.h>

/* Writes how a key is used: "observed_outline FILE at TIME", "vary_NAME DISTRIBUTION". */
static char *form_of(char out[96], const struct key *k)
{
    const bool prefix = k->name[strlen(k->name) - 1] == '_';
    const char *form = k->form ? k->form : k->type == KEY_FILE ? "FILE" : "";
    snprintf(out, 96, "%s%s%s", k->name, *form && !prefix ? " " : "", form);
    return out;
}

/* Writes the range of a key: "0.001 to 100", "1e-6 to 1e6", "at most 127 bytes", or "0 or more" if only
 * the type limits the value. */
static char *range_of(char out[128], const struct key *k)
{
    char *end = strstr(schema_range(out, k), " to ");
    if (end && k->high >= INT_MAX) strcpy(end, " or more");
    for (char *p; end && ((p = strstr(out, "e+0")) || (p = strstr(out, "e-0")));) {
        const size_t sign = p[1] == '-';
        memmove(p + 1 + sign, p + 3, strlen(p + 3) + 1);
    }
    if (k->type == KEY_TEXT && !k->form) snprintf(out, 128, "at most %.0f bytes", k->high);
    return out;
}

/* Writes range, unit and default: "[0.001 to 100 m; default 1]". */
static char *limits_of(char out[256], const struct key *k, const char *usual)
{
    char range[128];
    const char *unit = k->unit ? k->unit : "";
    const bool limited = *range_of(range, k) || *unit;
    snprintf(out, 256, "%s%s%s%s%s%s%s%s", limited || k->usual ? " [" : "", range,
             *range && *unit ? " " : "", unit, limited && k->usual ? "; " : "",
             k->usual ? usual : "", k->usual ? k->usual : "", limited || k->usual ? "]" : "");
    return out;
}

static void print_rows(const struct key_section *s)
{
    struct key k;
    char form[96], text[1024], limits[256];
    for (int i = 0; schema_key(s, i, &k); i++) {
        snprintf(text, sizeof text, "%s%s", k.meaning,
                 limits_of(limits, &k, s->parameters ? "Etna 2006: " : "default: "));
        help_row(form_of(form, &k), text);
    }
}

/* Lists keys for programs: a line with names of columns, then a line for each key, with tabs between columns. */
static void list_rows(const struct key_section *s)
{
    struct key k;
    char form[96], range[128];
    printf("%s\tkey\tmeaning\tunit\trange\t%s\n", s->name, s->parameters ? "Etna 2006" : "default");
    for (int i = 0; schema_key(s, i, &k); i++)
        printf("%s\t%s\t%s\t%s\t%s\t%s\n", s->name, k.form ? form_of(form, &k) : k.name, k.meaning,
               k.unit ? k.unit : "", range_of(range, &k), k.usual ? k.usual : "");
}

void help_keys(bool list)
{
    for (int n = 0; schemas[n]; n++)
        for (const struct key_section *s = schemas[n]->section; s->name; s++) {
            if (!list) printf("%s%s:\n", n || s != schemas[n]->section ? "\n" : "", s->name);
            list ? list_rows(s) : print_rows(s);
        }
}
