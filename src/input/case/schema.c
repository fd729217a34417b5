#include "schema.h"

#include "model/params.h"
#include "text/number.h"
#include "text/scan.h"

#include <stdio.h>
#include <string.h>

/* ---- keys ------------------------------------------------------------------------------------ */

bool schema_key(const struct key_section *s, int i, struct key *found)
{
    const int rows = i - (s->parameters ? PARAMETERS : 0);
    if (rows < 0) {
        const struct parameter *p = &params_table[i];
        *found = (struct key){.name = p->name,
                              .type = KEY_REAL,
                              .counts = COUNTS_LINE,
                              .part = PART_PARAMETERS,
                              .at = s->params_at + p->at,
                              .low = p->low,
                              .high = p->high,
                              .unit = p->unit,
                              .usual = p->usual,
                              .meaning = p->meaning};
        return true;
    }
    if (rows >= s->keys) return false;
    *found = s->key[rows];
    return true;
}

static bool is_prefix(const struct key *k)
{
    return k->name[strlen(k->name) - 1] == '_';
}

static bool is_called(const struct key *k, const char *name)
{
    if (is_prefix(k)) return !strncmp(k->name, name, strlen(k->name));
    return !strcmp(k->name, name) || (k->original && !strcmp(k->original, name));
}

bool schema_find(const struct schema *s, const char *name, struct key *found)
{
    for (const struct key_section *section = s->section; section->name; section++)
        for (int i = 0; schema_key(section, i, found); i++)
            if (is_called(found, name)) return true;
    return false;
}

char *schema_range(char out[128], const struct key *k)
{
    char low[32], high[32];
    size_t n = 0;
    *out = '\0';
    if (k->type == KEY_CHOICE)
        for (int i = 0; k->choices[i] && n < 128; i++)
            n += (size_t)snprintf(out + n, 128 - n, "%s%s",
                                  !i                  ? ""
                                  : k->choices[i + 1] ? ", "
                                                      : " or ",
                                  k->choices[i]);
    else if (k->high > k->low && k->type != KEY_TEXT)
        snprintf(out, 128, "%s to %s", number_text(k->low, low), number_text(k->high, high));
    return out;
}

int schema_check_number(const struct schema *s, const char *key, const char *name, double value,
                        struct error *e)
{
    struct key k;
    char range[128];
    if (schema_find(s, key, &k) && value >= k.low && value <= k.high) return 0;
    return error_input(e, "%s: is %g; give a value from %s", name, value, schema_range(range, &k));
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Refuses a key that no schema of the file has. */
static int refuse_unknown(const char *path, const struct keyvalue *line,
                          const struct schema_values *into, struct error *e)
{
    char excerpt[48];
    struct key k;
    struct scan_nearest near = {.given = line->key};
    scan_excerpt(excerpt, line->key);
    for (int i = 0; schemas[i]; i++)
        if (schemas[i]->refusal && schema_find(schemas[i], line->key, &k))
            return error_line(e, path, line->line, "%s makes this %s", excerpt,
                              schemas[i]->refusal);
    for (; into->schema; into++)
        for (const struct key_section *s = into->schema->section; s->name; s++)
            for (int i = 0; schema_key(s, i, &k); i++)
                if (!is_prefix(&k)) scan_nearest(&near, k.name);
    return error_line(e, path, line->line, "unknown key '%s'; %s%s%s lists the keys%s", excerpt,
                      near.name ? "did you mean " : "", near.name ? near.name : "",
                      near.name ? "? sciara help keys" : "sciara help keys",
                      near.name ? "" : ", comments start with #");
}

static int read_choice(const struct key *k, const struct entry *at, struct error *e)
{
    char remedy[160] = "give ";
    for (int i = 0; k->choices[i]; i++)
        if (!strcmp(at->line->value, k->choices[i])) {
            *(int *)at->target = (int)k->low + i;
            return 0;
        }
    schema_range(remedy + strlen(remedy), k);
    return entry_refuse(at, k->remedy ? k->remedy : remedy, e);
}

static int read_value(const struct key *k, const struct entry *at, struct error *e)
{
    switch (k->type) {
    case KEY_REAL:
        return entry_real(at, e);
    case KEY_COUNT:
        return entry_count(at, e);
    case KEY_TEXT:
    case KEY_FILE:
        return entry_text(at, e);
    case KEY_CHOICE:
        return read_choice(k, at, e);
    case KEY_DURATION:
        return entry_time(at, NULL, e);
    case KEY_MOMENT:
        return entry_time(at, at->start_time, e);
    case KEY_OWN:
        return k->read(at, e);
    }
    return 0;
}

/* Returns the number of a line above line i with the same key; 0: there is none. */
static int line_before(const struct keyvalues *lines, int i, const struct key *k)
{
    for (int n = 0; n < i && !k->repeats; n++) {
        const char *other = lines->item[n].key;
        if (is_prefix(k) ? !strcmp(other, lines->item[i].key) : is_called(k, other))
            return lines->item[n].line;
    }
    return 0;
}

static int read_line(const struct keyvalues *lines, int i, const char *start_time,
                     const struct schema_values *into, struct error *e)
{
    enum { PATH_LENGTH_MAX = 4095 };
    const struct keyvalue *line = &lines->item[i];
    const char *path = lines->file.path;
    struct key k, found;
    void *values = NULL;
    for (const struct schema_values *v = into; v->schema; v++)
        if (schema_find(v->schema, line->key, &found)) {
            k = found;
            values = v->values;
        }
    if (!values) return refuse_unknown(path, line, into, e);
    const int before = line_before(lines, i, &k);
    if (before)
        return error_line(e, path, line->line,
                          "%s was given in line %d already; remove one of them", line->key, before);
    const struct entry at = {.path = path,
                             .line = line,
                             .min = k.low,
                             .max = k.type == KEY_FILE ? PATH_LENGTH_MAX : k.high,
                             .unit = k.unit ? k.unit : "",
                             .target = (char *)values + k.at,
                             .start_time = start_time};
    return read_value(&k, &at, e);
}

int schema_read(const struct keyvalues *lines, const char *start_time,
                const struct schema_values *into, struct error *e)
{
    int status = 0;
    for (int i = 0; i < lines->count && !status; i++)
        status = read_line(lines, i, start_time, into, e);
    return status;
}
