/* settings_missing.c — the keys that a case lacks, all of them in one message. */
#include "settings_missing.h"

#include "case_parts.h"

#include <stdio.h>

/* Keys that are missing, and lines such as would do. */
struct missing {
    int count;
    const char *key[PARAMETERS + 3], *value[PARAMETERS + 3];
};

static void miss(struct missing *m, const char *key, const char *value)
{
    m->key[m->count] = key;
    m->value[m->count++] = value;
}

/* What case_file.c misses, too, where it is all that is missing: it says more of it. Where a plan
 * has its vents and rates from is its own business. */
static void find_missing_files(struct missing *m, const struct settings *s, bool plan)
{
    int64_t step;
    const char *name;
    int length;
    if (!s->dem && original_case(s->lines.file.path, &step, &name, &length)) return;
    const bool erupts = !plan && (!s->thickness || s->vents || s->rates);
    if (!s->dem) miss(m, "dem", "terrain.tif");
    if (erupts && !s->vents) miss(m, "vents", "vents.csv");
    if (erupts && !s->rates) miss(m, "rates", "rates.csv");
}

/* "a, b and c"; with values "'a 1', 'b 2' and 'c 3'". */
static char *list_missing(char out[512], const struct missing *m, bool values)
{
    size_t n = 0;
    for (int i = 0; i < m->count && n < 512; i++) {
        const char *before = i == 0 ? "" : i == m->count - 1 ? " and " : ", ";
        n += (size_t)(values
                          ? snprintf(out + n, 512 - n, "%s'%s %s'", before, m->key[i], m->value[i])
                          : snprintf(out + n, 512 - n, "%s%s", before, m->key[i]));
    }
    return out;
}

/* Then one line is the remedy, not a dozen. */
static bool no_parameter(const struct settings *s, const int seen[])
{
    bool none = !s->parameter_set;
    for (int i = 0; i < PARAMETERS; i++) none = none && !seen[i];
    return none;
}

int settings_check_required(const struct settings *s, const int seen[], bool plan, struct error *e)
{
    const char *path = s->lines.file.path;
    const struct parameter *p = NULL;
    struct missing m = {0};
    char names[512], lines[512];
    find_missing_files(&m, s, plan);
    const bool none = no_parameter(s, seen);
    if (none) miss(&m, "parameters", "etna-2006");
    for (int i = 0; i < PARAMETERS && !none && !s->parameter_set; i++) {
        if (seen[i]) continue;
        p = &params_table[i];
        miss(&m, p->name, p->usual);
    }
    if (m.count == 1 && none)
        return error_input(e,
                           "%s: the parameters of the lava are missing; add a line such as "
                           "'parameters etna-2006' (sciara parameters lists the sets), or one for "
                           "each, from Pclock to Pcv",
                           path);
    if (m.count == 1 && p)
        return error_input(e, "%s: key %s (%s) is missing; add a line such as '%s %s'", path,
                           p->name, p->meaning, p->name, p->usual);
    if (m.count < 2 || (!p && !none && s->dem)) return 0;
    return error_input(e, "%.300s: keys %s are missing; add lines such as %s", path,
                       list_missing(names, &m, false), list_missing(lines, &m, true));
}
