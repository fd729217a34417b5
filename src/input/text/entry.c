#include "entry.h"

#include "number.h"
#include "scan.h"

#include <string.h>

int entry_refuse(const struct entry *at, const char *remedy, struct error *e)
{
    char excerpt[48];
    return error_line(e, at->path, at->line->line, "%s is '%s'; %s", at->line->key,
                      scan_excerpt(excerpt, at->line->value), remedy);
}

int entry_refuse_range(const struct entry *at, struct error *e)
{
    char excerpt[48], min[32], max[32];
    return error_line(e, at->path, at->line->line, "%s is %s; give a value from %s to %s%s%s",
                      at->line->key, scan_excerpt(excerpt, at->line->value),
                      number_text(at->min, min), number_text(at->max, max), *at->unit ? " " : "",
                      at->unit);
}

int entry_real(const struct entry *at, struct error *e)
{
    double value;
    if (!scan_real(at->line->value, &value))
        return entry_refuse(at, "give one finite number and nothing after it", e);
    if (!(value >= at->min && value <= at->max)) return entry_refuse_range(at, e);
    *(double *)at->target = value;
    return 0;
}

int entry_count(const struct entry *at, struct error *e)
{
    int64_t value;
    if (!scan_integer(at->line->value, &value))
        return entry_refuse(at, "give one whole number and nothing after it", e);
    if ((double)value < at->min || (double)value > at->max) return entry_refuse_range(at, e);
    *(int64_t *)at->target = value;
    return 0;
}

static int take_time(const struct entry *at, double time_s, enum times_plain plain, struct error *e)
{
    const double unit_s = times_unit_s(plain);
    if (!(time_s >= at->min * unit_s && time_s <= at->max * unit_s))
        return entry_refuse_range(at, e);
    *(double *)at->target = time_s;
    return 0;
}

int entry_span(const struct entry *at, enum times_plain plain, struct error *e)
{
    struct error why;
    double time_s;
    if (times_span(&time_s, at->line->value, plain, &why)) return entry_refuse(at, why.text, e);
    return take_time(at, time_s, plain, e);
}

int entry_moment(const struct entry *at, enum times_plain plain, struct error *e)
{
    struct error why;
    double time_s;
    if (times_moment(&time_s, at->line->value, plain, at->start_time, &why))
        return entry_refuse(at, why.text, e);
    return take_time(at, time_s, plain, e);
}

int entry_text(const struct entry *at, struct error *e)
{
    if (!scan_utf8(at->line->value)) return entry_refuse(at, "write the file in UTF-8", e);
    if (strlen(at->line->value) > (size_t)at->max) return entry_refuse(at, "shorten it", e);
    *(const char **)at->target = at->line->value;
    return 0;
}

bool entry_words(struct entry_words *w, const struct entry *at)
{
    w->count = 0;
    for (const char *p = at->line->value; *(p += strspn(p, " \t"));) {
        const size_t length = strcspn(p, " \t");
        if (w->count == ENTRY_WORDS || length >= ENTRY_WORD) return false;
        memcpy(w->word[w->count], p, length);
        w->word[w->count++][length] = '\0';
        p += length;
    }
    return w->count > 0;
}
