/* varied.c — what members drew: its columns and numbers; and, for the small print of maps and for bulletins, what members
 * differ in, with the range of 5 to 95 % of the members. */
#include "report.h"

#include "record/roundnum.h"
#include "text/quantities.h"
#include "text/words.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds cell i of a line of names or of values; returns its length, 0: it is empty, or there is none. */
static size_t cell_at(const char *line, int i, const char **at)
{
    for (; line && i; i--)
        if ((line = strchr(line, ','))) line++;
    *at = line;
    return line ? strcspn(line, ",") : 0;
}

size_t report_column(const struct ensemble *s, int column, const char **name)
{
    return cell_at(s->source->columns, column, name);
}

double report_drawn(const struct member_result *r, int column)
{
    const char *at;
    char *end;
    if (!cell_at(r->drawn, column, &at)) return NAN;
    const double x = strtod(at, &end);
    return *end && *end != ',' ? (double)NAN : x;
}

static bool is_named(const char *name, size_t length, const char *other)
{
    return strlen(other) == length && !strncmp(name, other, length);
}

/* Lists the numbers of a column, with the weights of their members. */
static int64_t find_values(const struct ensemble *s, int column, struct weighted *room)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        const struct member_result *r = &s->result[i];
        const double value = r->done && r->weight ? report_drawn(r, column) : (double)NAN;
        if (!isnan(value)) room[count++] = (struct weighted){value, (double)r->weight};
    }
    return count;
}

/* Counts the distinct values of a sorted list. */
static int count_kinds(const struct weighted *of, int64_t count)
{
    int kinds = 0;
    for (int64_t i = 0; i < count; i++) kinds += !i || of[i].value != of[i - 1].value;
    return kinds;
}

/* Adds "cooling 1.8 to 3.9" to the text, if there is room. */
static void add_range(char out[REPORT_VARIED], const struct quantity *q, struct percentiles p)
{
    const size_t used = strlen(out);
    char low[32], high[32];
    const int length = snprintf(
        out + used, REPORT_VARIED - used,
        WORDS_PART "%s" WORDS_PART "%s" WORDS_NEXT WORDS_PART " " WORDS_PART "{} to {}" WORDS_NEXT
                   "%s" WORDS_NEXT "%s" WORDS_PART "%s" WORDS_PART "%s" WORDS_NEXT,
        used ? "; " : "", q->words, roundnum_brief(low, p.p05 * q->factor + q->more),
        roundnum_brief(high, p.p95 * q->factor + q->more), *q->unit ? " " : "", q->unit);
    if (length < 0 || (size_t)length >= REPORT_VARIED - used) out[used] = '\0';
}

/* Adds the words of a column without a range to the text; kinds > 0: "one of 7". */
static void add_kinds(char out[REPORT_VARIED], const char *words, int kinds)
{
    const size_t used = strlen(out);
    char number[64] = "";
    if (kinds)
        snprintf(number, sizeof number, WORDS_PART " " WORDS_PART "one of {}" WORDS_NEXT "%d",
                 kinds);
    const int length =
        snprintf(out + used, REPORT_VARIED - used, WORDS_PART "%s" WORDS_PART "%s" WORDS_NEXT "%s",
                 used ? "; " : "", words, number);
    if (length < 0 || (size_t)length >= REPORT_VARIED - used) out[used] = '\0';
}

/* The word that a bulletin has for a group of columns; NULL: the column has words of its own. */
static const char *find_group(const char *name)
{
    return *name == 'P' ? "properties of the lava"
           : !strncmp(name, "vent_", 5) || !strncmp(name, "azimuth", 7) ||
                   !strncmp(name, "fissure", 7)
               ? "place of the vents"
               : NULL;
}

/* Adds a column with its range. */
static void add_column(char out[REPORT_VARIED], const char *name, size_t length,
                       struct percentiles p, int kinds)
{
    const struct quantity *q = quantities;
    while (q->name && !is_named(name, length, q->name)) q++;
    if (q->name) add_range(out, q, p);
    else if (is_named(name, length, "vent")) add_kinds(out, "vent", kinds);
    else if (is_named(name, length, "terrain_seed")) add_kinds(out, "terrain error", 0);
}

char *report_varied(char out[REPORT_VARIED], const struct ensemble *s, bool grouped)
{
    FREED struct weighted *room = malloc(((size_t)s->source->count + 1) * sizeof *room);
    const char *name;
    size_t length;
    *out = '\0';
    for (int i = 0; room && (length = report_column(s, i, &name)) > 0; i++) {
        const int64_t count = find_values(s, i, room);
        const struct percentiles p = percentiles_of(room, count);
        const int kinds = count_kinds(room, count);
        const char *group = grouped ? find_group(name) : NULL;
        if (kinds < 2 || is_named(name, length, "x") || is_named(name, length, "y")) continue;
        if (!group) add_column(out, name, length, p, kinds);
        else if (!strstr(out, group)) add_kinds(out, group, 0);
    }
    return out;
}
