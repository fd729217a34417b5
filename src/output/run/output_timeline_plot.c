/* output_timeline_plot.c — the timeline as a picture: area, run-out, volumes and effusion rate
 * below one another, over time. */
#include "output_timeline.h"

#include "products/picture.h"

#include "draw/plot.h"
#include "draw/roundnum.h"
#include "text/times.h"

#include <stdio.h>
#include <stdlib.h>

enum { AREA, RUNOUT, EMITTED, MOBILE, SOLIDIFIED, GONE, SEA, EFFUSION, LINES };
enum { VOLUMES = SEA - EMITTED + 1 };

/* The columns of all rows, one after the other. */
struct columns {
    int count;
    double *time, *line[LINES];
};

static double *column_of(const struct columns *k, int i)
{
    return k->time + (size_t)(i + 1) * (size_t)k->count;
}

/* Time in days or hours, area in km2, run-out in km, volumes in million m3 or m3. */
static int columns_create(struct columns *k, const struct timeline *t, double unit_s, double m3,
                          double clock_s, struct error *e)
{
    k->count = t->count;
    k->time = malloc((LINES + 1) * (size_t)t->count * sizeof *k->time);
    if (!k->time) return error_memory(e);
    for (int i = 0; i < LINES; i++) k->line[i] = column_of(k, i);
    for (int i = 0; i < t->count; i++) {
        const struct timeline_row *r = &t->row[i];
        k->time[i] = (double)r->step * clock_s / unit_s;
        k->line[AREA][i] = r->area_m2 * 1e-6;
        k->line[RUNOUT][i] = r->runout_m * 1e-3;
        k->line[EMITTED][i] = r->emitted_m3 / m3;
        k->line[MOBILE][i] = r->mobile_m3 / m3;
        k->line[SOLIDIFIED][i] = r->solidified_m3 / m3;
        k->line[GONE][i] = r->left_m3 / m3;
        k->line[SEA][i] = r->sea_m3 / m3;
        k->line[EFFUSION][i] = r->effusion_m3_s;
    }
    return 0;
}

/* From 0 to a little above all numbers of those lines. */
static double highest(const struct columns *k, int from, int to)
{
    double most = 0;
    for (int line = from; line <= to; line++)
        for (int i = 0; i < k->count; i++)
            if (k->line[line][i] > most) most = k->line[line][i];
    return most > 0 ? 1.05 * most : 1;
}

static bool any(const double *value, int count)
{
    for (int i = 0; i < count; i++)
        if (value[i] > 0) return true;
    return false;
}

static void describe(char *out, size_t size, const struct sim_case *c, const struct timeline *t)
{
    const double clock_s = c->problem.params.clock_s;
    char from[TIMES_TEXT], to[TIMES_TEXT];
    times_date(from, c->start_time, (double)t->row[0].step * clock_s, TIMES_SAID);
    times_date(to, c->start_time, (double)t->row[t->count - 1].step * clock_s, TIMES_SAID);
    if (*from && *to) snprintf(out, size, "%s to %s", from, to);
    else
        snprintf(out, size, "steps %lld to %lld", (long long)t->row[0].step,
                 (long long)t->row[t->count - 1].step);
}

/* With their names; where no lava has left, none of it. */
static int take_volumes(struct plot_series volume[VOLUMES], const struct plot_series *line,
                        const struct columns *k)
{
    static const char *const names[VOLUMES] = {
        "emitted", "mobile, at snapshots", "solidified, at snapshots",
        "left the terrain, at snapshots", "entered the sea, at snapshots"};
    int count = 0;
    for (int i = 0; i < VOLUMES; i++) {
        if (EMITTED + i >= GONE && !any(k->line[EMITTED + i], k->count)) continue;
        volume[count] = line[EMITTED + i];
        volume[count++].label = names[i];
    }
    return count;
}

struct drawing {
    const struct sim_case *c;
    const struct timeline *t;
    struct columns k;
    bool days, millions; /* units of time and volume */
};

static int draw(const char *path, const void *of, struct error *e)
{
    const struct drawing *d = of;
    const struct sim_case *c = d->c;
    const struct columns *k = &d->k;
    char subtitle[128];
    const double end = k->time[k->count - 1];
    const struct plot_axis x = {NULL, k->time[0], end > k->time[0] ? end : k->time[0] + 1};
    struct plot_series line[LINES] = {{0}};
    for (int i = 0; i < LINES; i++)
        line[i] = (struct plot_series){.count = k->count,
                                       .x = k->time,
                                       .y = k->line[i],
                                       .kind = i == EFFUSION             ? PLOT_STEPS
                                               : i >= MOBILE && i <= SEA ? PLOT_DOTS
                                                                         : PLOT_LINE};
    struct plot_series volume[VOLUMES];
    const int volumes = take_volumes(volume, line, k);
    describe(subtitle, sizeof subtitle, c, d->t);
    const struct plot plots[] = {
        {.title = *c->title ? c->title : c->name,
         .subtitle = subtitle,
         .x = x,
         .y = {"area reached, km\xC2\xB2", 0, highest(k, AREA, AREA)},
         .count = 1,
         .series = &line[AREA]},
        {.x = x,
         .y = {"run-out, km", 0, highest(k, RUNOUT, RUNOUT)},
         .count = 1,
         .series = &line[RUNOUT]},
        {.x = x,
         .y = {d->millions ? "volume, million m\xC2\xB3" : "volume, m\xC2\xB3", 0,
               highest(k, EMITTED, SEA)},
         .count = volumes,
         .series = volume},
        {.note = c->synthetic ? "SYNTHETIC TERRAIN" : NULL,
         .x = {d->days ? "days since the start" : "hours since the start", x.low, x.high},
         .y = {"effusion, m\xC2\xB3/s", 0, highest(k, EFFUSION, EFFUSION)},
         .count = 1,
         .series = &line[EFFUSION]}};
    return plots_write(path, plots, (int)(sizeof plots / sizeof *plots), e);
}

int timeline_plot(const struct output_info *info, const struct sim_case *c,
                  const struct timeline *t, struct error *e)
{
    const struct timeline_row *last = &t->row[t->count - 1];
    const double clock_s = c->problem.params.clock_s;
    struct drawing d = {.c = c,
                        .t = t,
                        .days = (double)last->step * clock_s >= 3 * 86400,
                        .millions = last->emitted_m3 >= 1e5 || last->mobile_m3 >= 1e5};
    int status = columns_create(&d.k, t, d.days ? 86400 : 3600, d.millions ? 1e6 : 1, clock_s, e);
    if (!status) status = output_picture_draw(info, c, "timeline", draw, &d, e);
    free(d.k.time);
    return status;
}
