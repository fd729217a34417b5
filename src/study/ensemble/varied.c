/* varied.c — finds the name of a column of draws, and the number that a member drew for a column. Also describes the
 * quantities in which members differ, with their ranges from 5 to 95 %, for maps and bulletins. */
#include "report.h"

#include "plan/plan.h"

#include "record/roundnum.h"
#include "text/quantities.h"
#include "text/words.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMITTED = -1 };

/* Finds cell i of a line of names or of values. Returns its length; 0: the cell is empty, or there is no such cell. */
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

/* Lists the numbers of a column with the weights of their members. column EMITTED: the lava that members emit. */
static int64_t find_values(const struct ensemble *s, int column, struct weighted *room)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        const struct member_result *r = &s->result[i];
        const double value = !r->done || !r->weight ? (double)NAN
                             : column == EMITTED    ? r->emitted_m3
                                                    : report_drawn(r, column);
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

/* Adds a range such as "cooling 1.8 to 3.9" to the text, if there is room. */
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

/* Adds the words of a column to the text, without a range. kinds: number of different values that
 * members have; 0: adds only the words. all: number of values in the plan. With 7 kinds, "one of 7"
 * follows the words; if the plan has 64 values, "one of 7 of 64" follows. */
static void add_kinds(char out[REPORT_VARIED], const char *words, int kinds, int all)
{
    const size_t used = strlen(out);
    char number[64] = "";
    if (all > kinds)
        snprintf(number, sizeof number,
                 WORDS_PART " " WORDS_PART "one of {} of {}" WORDS_NEXT "%d" WORDS_NEXT "%d", kinds,
                 all);
    else if (kinds)
        snprintf(number, sizeof number, WORDS_PART " " WORDS_PART "one of {}" WORDS_NEXT "%d",
                 kinds);
    const int length =
        snprintf(out + used, REPORT_VARIED - used, WORDS_PART "%s" WORDS_PART "%s" WORDS_NEXT "%s",
                 used ? "; " : "", words, number);
    if (length < 0 || (size_t)length >= REPORT_VARIED - used) out[used] = '\0';
}

/* The words of a bulletin for a group of columns; NULL: the column is in no group. */
static const char *find_group(const char *name)
{
    return *name == 'P' ? "properties of the lava"
           : !strncmp(name, "vent_", 5) || !strncmp(name, "azimuth", 7) ||
                   !strncmp(name, "fissure", 7)
               ? "place of the vents"
               : NULL;
}

static const struct quantity *find_quantity(const char *name, size_t length)
{
    const struct quantity *q = quantities;
    while (q->name && !is_named(name, length, q->name)) q++;
    return q;
}

/* Adds the text of a column: its range, or how many values it has. */
static void add_column(char out[REPORT_VARIED], const char *name, size_t length,
                       struct percentiles p, int kinds, int vents)
{
    const struct quantity *q = find_quantity(name, length);
    if (q->name) add_range(out, q, p);
    else if (is_named(name, length, "vent")) add_kinds(out, "vent", kinds, vents);
    else if (is_named(name, length, "terrain_seed")) add_kinds(out, "terrain error", 0, 0);
}

/* Counts the classes of the plan that members have. */
static int count_classes(const struct ensemble *s, const struct classes *of, int column)
{
    int kinds = 0;
    for (int k = 0; k < of->choice.count; k++) {
        bool has = false;
        for (int64_t i = 0; !has && i < s->source->count; i++) {
            const struct member_result *r = &s->result[i];
            const char *at;
            const size_t length = r->done && r->weight ? cell_at(r->drawn, column, &at) : 0;
            has = length && is_named(at, length, of->item[k].name);
        }
        kinds += has;
    }
    return kinds;
}

/* Whether members draw errors of the rates. No column has these errors. */
static bool rates_err(const struct plan *p)
{
    bool err = p->shares.sd > 0 || (p->history.sd && p->history.shared_sd > 0);
    for (int i = 0; p->history.sd && i < p->rates.count; i++) err = err || p->history.sd[i] > 0;
    return err;
}

/* Adds the classes, the tables of rates and the errors of rates. If these differ between members,
 * also adds the range of the emitted lava. */
static void add_rates(char out[REPORT_VARIED], const struct ensemble *s, const struct plan *p,
                      struct weighted *room)
{
    const char *name;
    size_t length;
    int classes = 0;
    for (int i = 0; (length = report_column(s, i, &name)) > 0; i++)
        if (is_named(name, length, "class")) classes = count_classes(s, &p->classes, i);
    if (classes > 1) add_kinds(out, "class of the eruption (volume, duration)", classes, 0);
    if (p->table.rates_count > 1) add_kinds(out, "effusion rate", p->table.rates_count, 0);
    if (rates_err(p)) add_kinds(out, "errors of the effusion rates", 0, 0);
    else if (classes < 2 && p->table.rates_count < 2) return;
    const int64_t count = find_values(s, EMITTED, room);
    const struct percentiles emitted = percentiles_of(room, count);
    if (count_kinds(room, count) > 1)
        add_range(out, find_quantity("emitted_m3", strlen("emitted_m3")), emitted);
}

char *report_varied(char out[REPORT_VARIED], const struct ensemble *s, const struct plan *p,
                    bool grouped)
{
    FREED struct weighted *room = malloc(((size_t)s->source->count + 1) * sizeof *room);
    const char *name;
    size_t length;
    *out = '\0';
    for (int i = 0; room && (length = report_column(s, i, &name)) > 0; i++) {
        const int64_t count = find_values(s, i, room);
        const struct percentiles of = percentiles_of(room, count);
        const int kinds = count_kinds(room, count);
        const char *group = grouped ? find_group(name) : NULL;
        if (kinds < 2 || is_named(name, length, "x") || is_named(name, length, "y")) continue;
        if (!group) add_column(out, name, length, of, kinds, p ? p->sources.choice.count : 0);
        else if (!strstr(out, group)) add_kinds(out, group, 0, 0);
    }
    if (room && p) add_rates(out, s, p, room); /* p is NULL for a calibration */
    return out;
}
