#include "parameter_sets.h"

#include "text/entry.h"
#include "text/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int parameter_set_count(void)
{
    int count = 0;
    while (parameter_texts[count].name) count++;
    return count;
}

const char *parameter_set_name(int i)
{
    return i >= 0 && i < parameter_set_count() ? parameter_texts[i].name : NULL;
}

const char *parameter_set_nearest(const char *name)
{
    struct scan_nearest near = {.given = name};
    for (int i = 0; parameter_texts[i].name; i++) scan_nearest(&near, parameter_texts[i].name);
    return near.name;
}

/* ---- a file ---------------------------------------------------------------------------------- */

enum { KEYS = PARAMETERS + 6 };

static int take_text(char *out, size_t size, const struct entry *at, struct error *e)
{
    const char *text;
    struct entry to = *at;
    to.max = (double)size - 1;
    to.target = &text;
    int status = entry_text(&to, e);
    if (!status) snprintf(out, size, "%s", text);
    return status;
}

/* `none, WHY`, `J OF WHAT` or `J +- ERROR OF WHAT`. */
static int take_score(struct parameter_score *s, const struct entry *at, struct error *e)
{
    char word[3][32] = {"", "", ""};
    int end[2] = {0, 0};
    const char *text = at->line->value;
    int status = take_text(s->of, sizeof s->of, at, e);
    s->jaccard = s->error = NAN;
    if (status || !strncmp(text, "none", 4)) return status;
    sscanf(text, "%31s%n %31s %31s%n", word[0], &end[0], word[1], word[2], &end[1]);
    const bool with_error = !strcmp(word[1], "+-");
    const char *rest = text + end[with_error];
    if (!scan_real(word[0], &s->jaccard) || !(s->jaccard >= 0 && s->jaccard <= 1) ||
        (with_error && !scan_real(word[2], &s->error)) || !*rest)
        return entry_refuse(at, "give J of what, J +- ERROR of what, or none, and why", e);
    snprintf(s->of, sizeof s->of, "%s", rest + strspn(rest, " \t"));
    return 0;
}

static int take_line(struct parameter_set *s, const struct entry *given, bool seen[KEYS],
                     struct error *e)
{
    static const char *const words[] = {"calibrated_cell_m", "eruption", "source",
                                        "in_sample",         "held_out", "not_for"};
    struct entry at = *given;
    int k = 0;
    while (k < PARAMETERS && strcmp(params_table[k].name, at.line->key)) k++;
    for (int i = 0; k == PARAMETERS + i && i < 6 && strcmp(words[i], at.line->key); i++) k++;
    if (k == KEYS) return entry_refuse(&at, "a parameter set has no such key", e);
    if (seen[k]) return entry_refuse(&at, "is a second line of this key; remove one of them", e);
    seen[k] = true;
    switch (k - PARAMETERS) {
    case 0:
        at.min = 1e-3;
        at.max = 1e5;
        at.target = &s->calibrated_cell_m;
        return entry_real(&at, e);
    case 1:
        return take_text(s->eruption, sizeof s->eruption, &at, e);
    case 2:
        return take_text(s->source, sizeof s->source, &at, e);
    case 3:
        return take_score(&s->in_sample, &at, e);
    case 4:
        return take_score(&s->held_out, &at, e);
    case 5:
        return take_text(s->not_for, sizeof s->not_for, &at, e);
    default:
        at.min = params_table[k].low;
        at.max = params_table[k].high;
        at.unit = params_table[k].unit;
        at.target = (char *)&s->params + params_table[k].at;
        return entry_real(&at, e);
    }
}

int parameter_set_parse(struct parameter_set *s, const char *name, const char *text,
                        struct error *e)
{
    struct keyvalues lines;
    bool seen[KEYS] = {false};
    *s = (struct parameter_set){.name = name};
    int status = keyvalues_of_text(&lines, name, text, e);
    for (int i = 0; i < lines.count && !status; i++) {
        const struct entry at = {name, &lines.item[i], 0, 0, "", NULL, ""};
        status = take_line(s, &at, seen, e);
    }
    keyvalues_free(&lines);
    for (int k = 0; k < KEYS && !status; k++)
        if (!seen[k])
            status =
                error_input(e, "%s: keys are missing; see the other sets in data/parameters", name);
    if (!status && !(s->params.temp_vent_K > s->params.temp_sol_K))
        status = error_input(e, "%s: PTvent is not above PTsol", name);
    return status;
}

int parameter_set_find(struct parameter_set *s, const char *name, struct error *e)
{
    for (int i = 0; parameter_texts[i].name; i++)
        if (!strcmp(parameter_texts[i].name, name))
            return parameter_set_parse(s, parameter_texts[i].name, parameter_texts[i].text, e);
    char excerpt[48];
    const char *nearest = parameter_set_nearest(name);
    *s = (struct parameter_set){0};
    if (!nearest)
        return error_input(e, "no parameter set is called '%s'; sciara parameters lists them",
                           scan_excerpt(excerpt, name));
    return error_input(
        e, "no parameter set is called '%s'; did you mean %s? sciara parameters lists them",
        scan_excerpt(excerpt, name), nearest);
}
