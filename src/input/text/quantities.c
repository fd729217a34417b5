#include "quantities.h"

#include "words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const struct quantity quantities[] = {
    {"area_m2", "covered area", "km²", 1e-6, 0},
    {"runout_m", "run-out", "km", 1e-3, 0},
    {"emitted_m3", "emitted lava", "million m³", 1e-6, 0},
    {"max_thickness_m", "greatest thickness", "m", 1, 0},
    {"jaccard", "overlap with the observed outline", "", 1, 0},
    {"x", "vent, easting", "m", 1, 0},
    {"y", "vent, northing", "m", 1, 0},
    {"rate_factor", "effusion rate", "times the one given", 1, 0},
    {"duration_factor", "duration of the eruption", "times the one given", 1, 0},
    {"vent_east_m", "shift of the vents to the east", "m", 1, 0},
    {"vent_north_m", "shift of the vents to the north", "m", 1, 0},
    {"azimuth_deg", "direction of the fissures", "°", 1, 0},
    {"fissure_length_m", "length of the fissures", "m", 1, 0},
    {"volume_m3", "volume of the eruption", "million m³", 1e-6, 0},
    {"duration_h", "duration of the eruption", "h", 1, 0},
    {"run_h", "simulated time", "h", 1, 0},
    {"eruption_end_h", "end of the eruption", "h", 1, 0},
    {"terrain_error_m", "error of the terrain", "m", 1, 0},
    {"terrain_error_length_m", "correlation length of the terrain's error", "m", 1, 0},
    {"steps", "steps of the run", "", 1, 0},
    {"Pclock", "length of a step", "s", 1, 0},
    {"PTsol", "temperature of solidification", "°C", 1, -273.15},
    {"PTvent", "temperature at the vent", "°C", 1, -273.15},
    {"Pr(Tsol)", "relaxation rate at solidification", "", 1, 0},
    {"Pr(Tvent)", "relaxation rate at the vent", "", 1, 0},
    {"Phc(Tsol)", "critical thickness at solidification", "m", 1, 0},
    {"Phc(Tvent)", "critical thickness at the vent", "m", 1, 0},
    {"Pcool", "cooling", "", 1, 0},
    {"Prho", "density", "kg/m³", 1, 0},
    {"Pepsilon", "emissivity", "", 1, 0},
    {"Psigma", "Stefan-Boltzmann constant", "W/(m² K⁴)", 1, 0},
    {"Pcv", "specific heat", "J/(kg K)", 1, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* ---- conditions -------------------------------------------------------------------------------- */

/* Words between comparisons. They are translated. */
static const struct quantity joints[] = {
    {"and", "and", "", 1, 0},
    {"or", "or", "", 1, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* Functions of a place, and functions without an argument. The name of the place replaces {}. */
static const struct quantity functions[] = {
    {"arrival_h", "arrival at {} (h)", "", 1, 0},
    {"thickness_m", "greatest thickness at {} (m)", "", 1, 0},
    {"share", "covered share of {}", "", 1, 0},
    {"overlap", "overlap with the observed outline", "", 1, 0},
    {"apart_m", "distance of the outlines (m)", "", 1, 0},
    {"class", "class of the eruption", "", 1, 0},
    {"vent", "vent", "", 1, 0},
    {"member", "member", "", 1, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* A condition as a row of words.tsv, and the values of that row. */
struct condition {
    char row[WORDS_TEXT], values[WORDS_TEXT];
    bool lost; /* the condition cannot be packed */
};

static void append_text(struct condition *c, char to[WORDS_TEXT], const char *text, size_t length)
{
    const size_t used = strlen(to);
    if (used + length >= WORDS_TEXT) c->lost = true;
    else snprintf(to + used, WORDS_TEXT - used, "%.*s", (int)length, text);
}

static void append_value(struct condition *c, const char *text, size_t length)
{
    append_text(c, c->row, "{}", 2);
    append_text(c, c->values, WORDS_NEXT, 1);
    append_text(c, c->values, text, length);
}

static const struct quantity *find_name(const struct quantity *of, const char *name, size_t length)
{
    while (of->name && !(strlen(of->name) == length && !strncmp(of->name, name, length))) of++;
    return of->name ? of : NULL;
}

/* Returns the unit of the numbers in a column of a table. `factor` and `more` convert from this unit to q->unit. */
static const char *unit_of(const struct quantity *q)
{
    const char *end = strrchr(q->name, '_');
    if (q->factor == 1 && q->more == 0) return q->unit;
    return q->more != 0 ? "K" : !strcmp(end, "_m2") ? "m²" : !strcmp(end, "_m3") ? "m³" : "m";
}

static void append_word(struct condition *c, const struct quantity *q)
{
    append_value(c, q->words, strlen(q->words));
    append_text(c, c->values, WORDS_WITHIN, 1);
}

static void append_column(struct condition *c, const struct quantity *q)
{
    const char *unit = unit_of(q);
    append_word(c, q);
    if (!*unit) return;
    append_text(c, c->row, " (", 2);
    append_value(c, unit, strlen(unit));
    append_text(c, c->values, WORDS_WITHIN, 1);
    append_text(c, c->row, ")", 1);
}

/* Appends a function and, if a bracket follows at `at`, its argument. The argument is a place, perhaps in quotes, with
 * '' for a quote in its name. Returns the text after the function. */
static const char *append_function(struct condition *c, const struct quantity *q, const char *at)
{
    const bool of_place = strstr(q->words, "{}");
    append_word(c, q);
    if (*at != '(') return at;
    at += 1 + strspn(at + 1, " ");
    const bool quoted = *at == '\'';
    if (quoted)
        while (*++at && (*at != '\'' || *++at == '\''))
            if (of_place) append_text(c, c->values, at, 1);
    const size_t length = strcspn(at, ")");
    if (of_place && !quoted) append_text(c, c->values, at, length);
    return at + length + (at[length] == ')');
}

/* Appends the next word, number, quoted text or operator, and returns the text after it. */
static const char *append_next(struct condition *c, const char *at)
{
    const char *quoted = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
    size_t length = quoted                        ? (size_t)(quoted - at) + 1
                    : isdigit((unsigned char)*at) ? strspn(at, "0123456789.eE")
                    : isalpha((unsigned char)*at) ? strcspn(at, " \t<>=!+-*/(),")
                                                  : 1;
    const bool named = *at == '"' && quoted;
    const struct quantity *column = find_name(quantities, at + named, named ? length - 2 : length);
    const struct quantity *function = column ? NULL : find_name(functions, at, length),
                          *joint = column ? NULL : find_name(joints, at, length);
    if (column) append_column(c, column);
    else if (function) return append_function(c, function, at + length);
    else if (joint) append_word(c, joint);
    else if (isdigit((unsigned char)*at)) append_value(c, at, length);
    else append_text(c, c->row, at, length);
    return at + length;
}

char *quantities_condition(char *out, size_t size, const char *condition)
{
    struct condition c = {.lost = strpbrk(condition, "{}") != NULL};
    for (const char *at = condition; *at && !c.lost;) at = append_next(&c, at);
    if (c.lost || strlen(c.row) + strlen(c.values) >= size)
        return words_pack(out, size, "%s", condition);
    snprintf(out, size, "%s%s", c.row, *c.values ? c.values : WORDS_NEXT);
    return out;
}
