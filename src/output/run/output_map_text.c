/* output_map_text.c — what stands above and below the map of a state. */
#include "output_map.h"

#include "draw/roundnum.h"
#include "text/times.h"

#include <stdio.h>

/* "22 days 5 h 20 min" */
void output_duration_text(char *out, size_t size, double seconds)
{
    const long long minutes = (long long)(seconds / 60);
    const long long days = minutes / (24 * 60), hours = minutes / 60 % 24;
    if (days)
        snprintf(out, size, "%lld day%s %lld h %lld min", days, days == 1 ? "" : "s", hours,
                 minutes % 60);
    else if (hours) snprintf(out, size, "%lld h %lld min", hours, minutes % 60);
    else snprintf(out, size, "%lld min %g s", minutes, seconds - 60.0 * (double)minutes);
}

/* "0.983 km2 covered, 2.93 million m3 erupted", with superscripts. */
static void amount_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const double cell_m2 = c->geo.cell_m * c->geo.cell_m, m3 = quanta_m(f->emitted) * cell_m2;
    const bool large = m3 >= 1e6;
    char area[32], volume[32];
    size_t covered = 0;
    FIELDS_EACH (f, row, i) covered += f->thickness_m[i] + f->solid_m[i] > 0;
    const double m2 = (double)covered * cell_m2;
    const bool wide = m2 >= 1e4;
    snprintf(out, size, "%s %s covered, %s %s erupted", roundnum_brief(area, wide ? m2 / 1e6 : m2),
             wide ? "km\xC2\xB2" : "m\xC2\xB2", roundnum_brief(volume, large ? m3 / 1e6 : m3),
             large ? "million m\xC2\xB3" : "m\xC2\xB3");
}

static void lost_text(char *out, size_t size, double volume_m3, double share, const char *where)
{
    const bool large = volume_m3 >= 1e6;
    char per_cent[32], volume[32];
    *out = '\0';
    if (!(volume_m3 > 0)) return;
    snprintf(out, size, "%s %% of the lava (%s %s) has %s", roundnum_brief(per_cent, 100 * share),
             roundnum_brief(volume, large ? volume_m3 / 1e6 : volume_m3),
             large ? "million m\xC2\xB3" : "m\xC2\xB3", where);
}

/* Lava beyond the edges cannot be seen: "97 % of the lava (2.8 million m3) has left the map". */
void output_map_alert(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const struct lava_left left = lava_left(f, &c->problem);
    lost_text(out, size, left.volume_m3, left.share, "left the terrain");
}

/* ", 12 % of the lava (0.3 million m3) has entered the sea since 4 h 20 min" */
static void sea_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const struct lava_sea sea = lava_sea(f, &c->problem);
    char lost[160], since[64];
    *out = '\0';
    lost_text(lost, sizeof lost, sea.volume_m3, sea.share, "entered the sea");
    if (!*lost) return;
    output_duration_text(since, sizeof since, (double)sea.step * c->problem.params.clock_s);
    snprintf(out, size, "; %s, the first after %s", lost, since);
}

void output_map_subtitle(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const double elapsed_s = (double)f->step * c->problem.params.clock_s;
    char since[64], date[TIMES_TEXT], amount[128], into_sea[260];
    output_duration_text(since, sizeof since, elapsed_s);
    times_date(date, c->start_time, elapsed_s, TIMES_SAID);
    amount_text(amount, sizeof amount, c, f);
    sea_text(into_sea, sizeof into_sea, c, f);
    snprintf(out, size, "%s%s%s since start, step %lld: %s%s", date, *date ? ", " : "", since,
             (long long)f->step, amount, into_sea);
}
