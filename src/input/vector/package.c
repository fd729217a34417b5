/* package.c — reads vector packages of the Copernicus Emergency Management Service (Rapid Mapping). Each area of the
 * observed event names the image that shows it (dmg_src_id). The table "source" of the package lists the images. */
#include "vectors.h"

#include "text/times.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { ID, DATE, TIME, PHASE };

/* Reads a date, "06/08/2015", and a time, "T09:02:36Z", which may be shorter or missing. */
static bool read_moment(int64_t *unix_s, const char *date, const char *time)
{
    char text[32];
    int day, month, year, end = 0;
    if (!date || sscanf(date, "%2d/%2d/%4d%n", &day, &month, &year, &end) != 3 || date[end])
        return date && times_stamp_scan(date, unix_s);
    time = time && *time == 'T' ? time + 1 : time ? time : "";
    snprintf(text, sizeof text, "%04d-%02d-%02d%s%.8s", year, month, day, *time ? "T" : "", time);
    text[strcspn(text, " Z")] = '\0';
    return times_stamp_scan(text, unix_s);
}

static bool shows_event(const struct vectors *event, const struct vectors *source, int row)
{
    const char *id = vectors_value(source, row, ID), *phase = vectors_value(source, row, PHASE);
    if (!vectors_any_has(event, 0)) return !phase || strncasecmp(phase, "pre", 3) != 0;
    for (int i = 0; i < event->features && id; i++)
        if (vectors_value(event, i, 0) && !strcmp(vectors_value(event, i, 0), id)) return true;
    return false;
}

int vectors_package_time(const char *path, int64_t *unix_s, struct error *e)
{
    static const char *const of_event[] = {"dmg_src_id", NULL}, *const of_source[] = {
                                                                    "src_id", "src_date",
                                                                    "source_tm", "eventphase",
                                                                    NULL};
    FREED_BY(vectors_free) struct vectors event = {0}, source = {0};
    FREED char *file = vectors_file_of(path),
               *table = file ? text_format("%s:*_source*", file) : NULL;
    int found = 0, status = table
                                ? vectors_read(&event, path, NULL, VECTORS_TAKE_AREAS, of_event, e)
                                : error_memory(e);
    if (!status) status = vectors_read(&source, table, NULL, VECTORS_TAKE_ROWS, of_source, e);
    for (int i = 0; i < source.features && !status; i++) {
        int64_t seen_s;
        if (!shows_event(&event, &source, i) ||
            !read_moment(&seen_s, vectors_value(&source, i, DATE), vectors_value(&source, i, TIME)))
            continue;
        if (found++ && seen_s != *unix_s)
            return error_input(
                e,
                "%s: its outlines are from images of several times; give the time of this front "
                "(at TIME), or name one image (where 'dmg_src_id = N')",
                path);
        *unix_s = seen_s;
    }
    if (status || found) return status;
    return error_input(
        e, "%s: its table of images has no time of the outline; give the time (at TIME)", path);
}
