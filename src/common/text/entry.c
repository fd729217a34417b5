#include "entry.h"

#include "number.h"
#include "scan.h"

#include <string.h>

int entry_refuse(const struct entry *at, const char *remedy, struct error *e)
{
    char excerpt[48];
    return error_input(e, "%s:%d: %s is '%s'; %s", at->path, at->line->line, at->line->key,
                       scan_excerpt(excerpt, at->line->value), remedy);
}

int entry_refuse_range(const struct entry *at, struct error *e)
{
    char excerpt[48], min[32], max[32];
    return error_input(e, "%s:%d: %s is %s; give a value from %s to %s%s%s", at->path,
                       at->line->line, at->line->key, scan_excerpt(excerpt, at->line->value),
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

int entry_text(const struct entry *at, struct error *e)
{
    if (!scan_utf8(at->line->value)) return entry_refuse(at, "write the file in UTF-8", e);
    if (strlen(at->line->value) > (size_t)at->max) return entry_refuse(at, "shorten it", e);
    *(const char **)at->target = at->line->value;
    return 0;
}
