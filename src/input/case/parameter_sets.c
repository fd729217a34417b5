#include "parameter_sets.h"

#include "schema.h"
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

/* ---- a file ---------------------------------------------------------------------------------- */

/* Copies the text of a line. Refuses a text of at->max bytes or more. */
static int read_text(const struct entry *at, struct error *e)
{
    if (!scan_utf8(at->line->value)) return entry_refuse(at, "write the file in UTF-8", e);
    if (strlen(at->line->value) >= (size_t)at->max) return entry_refuse(at, "shorten it", e);
    strcpy(at->target, at->line->value);
    return 0;
}

/* Reads a score J, or its absence: `J OF WHAT`, `J +- ERROR OF WHAT` or `none, WHY`. */
static int read_score(const struct entry *at, struct error *e)
{
    struct sciara_parameter_score *s = at->target;
    struct entry of = *at;
    char word[3][32] = {"", "", ""};
    int end[2] = {0, 0};
    const char *text = at->line->value;
    of.target = s->of;
    of.max = sizeof s->of;
    int status = read_text(&of, e);
    s->jaccard = s->error = NAN;
    if (status || !strncmp(text, "none", 4)) return status;
    sscanf(text, "%31s%n %31s %31s%n", word[0], &end[0], word[1], word[2], &end[1]);
    const bool with_error = !strcmp(word[1], "+-");
    const char *rest = text + end[with_error];
    if (!scan_real(word[0], &s->jaccard) || !(s->jaccard >= 0 && s->jaccard <= 1) ||
        (with_error && !scan_real(word[2], &s->error)) || !*rest)
        return entry_refuse(
            at, "give J (or J +- ERROR) and what was compared, or 'none' and the reason", e);
    snprintf(s->of, sizeof s->of, "%s", rest + strspn(rest, " \t"));
    return 0;
}

#define AT(member)   offsetof(struct parameter_set, member)
#define SIZE(member) sizeof(((struct parameter_set *)NULL)->member)
static const struct key keys[] = {
    {"calibrated_cell_m", KEY_REAL, COUNTS_NOT, AT(calibrated_cell_m), 1e-3, 1e5, .unit = "m"},
    {"eruption", KEY_OWN, .at = AT(eruption), .high = SIZE(eruption), .read = read_text},
    {"source", KEY_OWN, .at = AT(source), .high = SIZE(source), .read = read_text},
    {"in_sample", KEY_OWN, .at = AT(in_sample), .read = read_score},
    {"held_out", KEY_OWN, .at = AT(held_out), .read = read_score},
    {"not_for", KEY_OWN, .at = AT(not_for), .high = SIZE(not_for), .read = read_text},
};
static const struct key_section sections[] = {
    {"parameter set", KEYS_OF(keys), .parameters = true, .params_at = AT(params)}, {0}};
static const struct schema schema = {NULL, sections};

int parameter_set_parse(struct parameter_set *s, const char *name, const char *text,
                        struct error *e)
{
    const struct schema_values into[] = {{&schema, s}, {0}};
    FREED_BY(keyvalues_free) struct keyvalues lines;
    struct key k;
    *s = (struct parameter_set){.name = name};
    int status = keyvalues_of_text(&lines, name, text, e);
    if (!status) status = schema_read(&lines, "", into, e);
    for (int i = 0; !status && schema_key(sections, i, &k); i++)
        if (!keyvalues_line(&lines, k.name))
            status = error_input(e, "%s: key %s is missing; see the other sets in data/parameters",
                                 name, k.name);
    if (!status && !(s->params.temp_vent_K > s->params.temp_sol_K))
        status = error_input(e, "%s: PTvent is not above PTsol", name);
    return status;
}

int parameter_set_find(struct parameter_set *s, const char *name, struct error *e)
{
    struct scan_nearest near = {.given = name};
    char excerpt[48];
    for (int i = 0; parameter_texts[i].name; i++) {
        if (!strcmp(parameter_texts[i].name, name))
            return parameter_set_parse(s, parameter_texts[i].name, parameter_texts[i].text, e);
        scan_nearest(&near, parameter_texts[i].name);
    }
    *s = (struct parameter_set){0};
    return error_input(e, "no parameter set is called '%s'; %s%s%ssciara parameters lists them",
                       scan_excerpt(excerpt, name), near.name ? "did you mean " : "",
                       near.name ? near.name : "", near.name ? "? " : "");
}
