/* output_timeline.c — writes timeline.csv and its picture: the course of a run.
 *
 * The arrivals of the last state show where the flow was at each step, and the vents show the emission. So a run keeps no
 * data for this while it computes. Only snapshots have the amounts of mobile, solidified and lost lava. All numbers have
 * the same bits in every variant. */
#include "output.h"

#include "base/order.h"
#include "sim/vent.h"
#include "text/atomic_file.h"
#include "text/table.h"
#include "text/times.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char output_timeline_head[] = "step,time_h,date,area_m2,runout_m,front_speed_m_s,";

/* ---- rows ------------------------------------------------------------------------------------ */

enum { REGULAR_MOST = 100000 };

/* Lists the last step before each change of a rate, so that vents emit at one rate between two rows. If there are
 * very many changes, lists no steps. All cells of a vent change at the same steps. row NULL: only counts the steps. */
static int64_t list_changes(struct timeline_row *row, const struct problem *p, int64_t last)
{
    int64_t count = 0;
    for (int v = 0; v < p->vent_count && count <= REGULAR_MOST; v++) {
        const struct vent *u = &p->vents[v];
        if (v && u->id == u[-1].id) continue;
        for (int i = 0; i < u->interval_count; i++) {
            const int64_t step = u->first_step[i] - 1;
            if (step <= p->first_step || step >= last) continue;
            if (row) row[count].step = step;
            count++;
        }
    }
    return count <= REGULAR_MOST ? count : 0;
}

/* Lists the first and the last step, and the steps of reductions of mobile lava, of changes of rates, and of samples.
 * Each step is listed once. If there are very many reductions, only every second, fourth, ... reduction is listed. */
static int list_steps(struct timeline *t, const struct problem *p, const struct samples *s,
                      int64_t last, struct error *e)
{
    const int64_t first = p->first_step;
    int64_t every = p->reduce_every;
    while ((last - first) / every > REGULAR_MOST) every *= 2;
    const int64_t changes = list_changes(NULL, p, last),
                  most = (last - first) / every + 3 + changes + s->count;
    t->row = calloc((size_t)most, sizeof *t->row);
    if (!t->row) return error_memory(e);
    int n = 0;
    t->row[n++].step = first;
    for (int64_t step = (first / every + 1) * every; step < last; step += every)
        t->row[n++].step = step;
    for (int i = 0; i < s->count; i++)
        if (s->item[i].step >= first && s->item[i].step <= last) t->row[n++].step = s->item[i].step;
    t->row[n++].step = last;
    if (changes) n += (int)list_changes(t->row + n, p, last);
    qsort(t->row, (size_t)n, sizeof *t->row, order_words);
    for (int i = 0; i < n; i++)
        if (!i || t->row[i].step != t->row[i - 1].step) t->row[t->count++].step = t->row[i].step;
    return 0;
}

static int fill_spread(struct timeline *t, const struct fields *f, const struct problem *p,
                       struct error *e)
{
    const double area_m2 = p->params.cell_m * p->params.cell_m;
    FREED int64_t *step = malloc((size_t)t->count * sizeof *step);
    FREED struct spread *at = malloc((size_t)t->count * sizeof *at);
    if (!step || !at) return error_memory(e);
    for (int i = 0; i < t->count; i++) step[i] = t->row[i].step;
    lava_spread(at, step, t->count, f, p);
    for (int i = 0; i < t->count; i++) {
        t->row[i].area_m2 = (double)at[i].cells * area_m2;
        t->row[i].runout_m = at[i].runout_m;
    }
    return 0;
}

static void fill_sample(struct timeline_row *r, const struct sample *s, double area_m2)
{
    r->emitted_m3 = quanta_m(s->emitted) * area_m2;
    r->mobile_m3 = quanta_m(s->mobile) * area_m2;
    r->solidified_m3 = quanta_m(s->solidified) * area_m2;
    r->left_m3 = quanta_m(s->left_domain) * area_m2;
    r->sea_m3 = quanta_m(s->entered_sea) * area_m2;
    r->thickest_m = s->thickest_m;
    r->hottest_K = s->hottest_K > 0 ? s->hottest_K : (double)NAN;
}

static void fill_samples(struct timeline *t, const struct samples *s, const struct sample *last,
                         double area_m2)
{
    int k = 0;
    for (int i = 0; i < t->count; i++) {
        struct timeline_row *r = &t->row[i];
        r->mobile_m3 = r->solidified_m3 = r->left_m3 = r->sea_m3 = NAN;
        r->thickest_m = r->hottest_K = NAN;
        while (k < s->count && s->item[k].step < r->step) k++;
        if (k < s->count && s->item[k].step == r->step) fill_sample(r, &s->item[k], area_m2);
    }
    fill_sample(&t->row[t->count - 1], last, area_m2);
}

int timeline_create(struct timeline *t, const struct problem *p, const struct fields *f,
                    const struct samples *s, int64_t emission_from, struct error *e)
{
    const struct sample last = sample_of(f);
    *t = (struct timeline){0};
    int status = list_steps(t, p, s, f->step, e);
    if (!status) status = fill_spread(t, f, p, e);
    if (status) {
        timeline_free(t);
        return status;
    }
    /* The loop goes back from the last step, at which the emitted amount is known. Before step
     * emission_from the run had another case, so only samples have the emitted amount. */
    const double area_m2 = p->params.cell_m * p->params.cell_m;
    quanta emitted = f->emitted;
    for (int i = t->count - 1; i >= 0; i--) {
        struct timeline_row *r = &t->row[i];
        if (i < t->count - 1) emitted -= vents_sum(p->vents, p->vent_count, r->step + 1, r[1].step);
        r->emitted_m3 = r->step < emission_from ? (double)NAN : quanta_m(emitted) * area_m2;
    }
    fill_samples(t, s, &last, area_m2);
    const double clock_s = p->params.clock_s;
    t->row[0].front_speed_m_s = t->row[0].effusion_m3_s = NAN;
    for (int i = 1; i < t->count; i++) {
        struct timeline_row *r = &t->row[i];
        const double time_s = (double)(r->step - r[-1].step) * clock_s;
        r->front_speed_m_s = (r->runout_m - r[-1].runout_m) / time_s;
        r->effusion_m3_s = (r->emitted_m3 - r[-1].emitted_m3) / time_s;
    }
    return 0;
}

void timeline_free(struct timeline *t)
{
    RELEASE(t, t->row);
}

/* ---- the picture: area, distance, volumes and effusion rate below one another, over time ------ */

enum { AREA, RUNOUT, EMITTED, MOBILE, SOLIDIFIED, GONE, SEA, EFFUSION, LINES };
enum { VOLUMES = SEA - EMITTED + 1 };

/* The columns of a timeline, each with `count` numbers. */
struct columns {
    int count;
    double *time, *line[LINES];
};

/* Time is in days or hours, area in km2, distance in km, volume in million m3 or m3. */
static int columns_create(struct columns *k, const struct timeline *t, double unit_s, double m3,
                          double clock_s, struct error *e)
{
    k->count = t->count;
    k->time = malloc((LINES + 1) * (size_t)t->count * sizeof *k->time);
    if (!k->time) return error_memory(e);
    for (int i = 0; i < LINES; i++) k->line[i] = k->time + (size_t)(i + 1) * (size_t)k->count;
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

/* The end of an axis from 0: a little above the largest number of the given lines. */
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

static void describe_span(char *out, size_t size, const struct sim_case *c,
                          const struct timeline *t)
{
    const double clock_s = c->problem.params.clock_s;
    char from[TIMES_TEXT], to[TIMES_TEXT];
    times_date(from, c->start_time, (double)t->row[0].step * clock_s, TIMES_SAID);
    times_date(to, c->start_time, (double)t->row[t->count - 1].step * clock_s, TIMES_SAID);
    if (*from && *to) words_pack(out, size, "%s to %s", from, to);
    else
        words_pack(out, size, "steps %lld to %lld", (long long)t->row[0].step,
                   (long long)t->row[t->count - 1].step);
}

/* Chooses the lines of volumes that are shown, with their names. Lava that left the terrain has a line only if there is
 * such lava. */
static int take_volumes(struct plot_series volume[VOLUMES], const struct plot_series *line,
                        const struct columns *k)
{
    static const char *const diagram_words[VOLUMES] = {
        "emitted", "mobile, at snapshots", "solidified, at snapshots",
        "left the terrain, at snapshots", "entered the sea, at snapshots"};
    int count = 0;
    for (int i = 0; i < VOLUMES; i++) {
        if (EMITTED + i >= GONE && !any(k->line[EMITTED + i], k->count)) continue;
        volume[count] = line[EMITTED + i];
        volume[count++].label = diagram_words[i];
    }
    return count;
}

struct drawing {
    const struct sim_case *c;
    const struct timeline *t;
    struct columns k;
    bool days, millions; /* whether time is in days, and volume in millions of m3 */
    char by[PRODUCT_BY];
};

static int paint_timeline(const struct output_painting *to, const struct drawing *d,
                          struct error *e)
{
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
    describe_span(subtitle, sizeof subtitle, c, d->t);
    const struct plot plots[] = {
        {.title = *c->title ? c->title : c->name,
         .subtitle = subtitle,
         .warning = product_warning(c),
         .x = x,
         .y = {"area reached, km\xC2\xB2", 0, highest(k, AREA, AREA)},
         .count = 1,
         .series = &line[AREA]},
        {.x = x,
         .y = {"distance reached, km", 0, highest(k, RUNOUT, RUNOUT)},
         .count = 1,
         .series = &line[RUNOUT]},
        {.x = x,
         .y = {d->millions ? "volume, million m\xC2\xB3" : "volume, m\xC2\xB3", 0,
               highest(k, EMITTED, SEA)},
         .count = volumes,
         .series = volume},
        {.by = d->by,
         .x = {d->days ? "days since the start" : "hours since the start", x.low, x.high},
         .y = {"effusion, m\xC2\xB3/s", 0, highest(k, EFFUSION, EFFUSION)},
         .count = 1,
         .series = &line[EFFUSION]}};
    const struct scene scene = scene_of_plots(plots, sizeof plots / sizeof *plots);
    return output_picture(to, "timeline", &scene, e);
}

static int timeline_plot(const struct output_info *info, const struct sim_case *c,
                         const struct timeline *t, uint64_t digest, struct error *e)
{
    const struct timeline_row *last = &t->row[t->count - 1];
    const double clock_s = c->problem.params.clock_s;
    struct drawing d = {.c = c,
                        .t = t,
                        .days = (double)last->step * clock_s >= 3 * 86400,
                        .millions = last->emitted_m3 >= 1e5 || last->mobile_m3 >= 1e5};
    product_by_run(d.by, info, digest);
    int status = columns_create(&d.k, t, d.days ? 86400 : 3600, d.millions ? 1e6 : 1, clock_s, e);
    const struct product *row = products_find(&output_other_files, c, "timeline.png");
    const struct output_painting to = {
        .info = info, .c = c, .recorded = !product_asked(info, row, "timeline")};
    if (!status) status = paint_timeline(&to, &d, e);
    free(d.k.time);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Speed and effusion are differences of numbers with 12 digits, so only 9 digits are significant. */
static void put_rows(FILE *f, const struct timeline *t, const struct sim_case *c)
{
    char date[TIMES_TEXT];
    struct table to = table_to(f);
    TABLE_ROWS (to, i, t->count) {
        const struct timeline_row *r = &t->row[i];
        const double time_s = (double)r->step * c->problem.params.clock_s;
        TABLE_COUNT(&to, "step", r->step);
        TABLE_REAL(&to, "time", "h", 12, time_s / 3600);
        TABLE_TEXT(&to, "date", times_date(date, c->start_time, time_s, TIMES_ISO));
        TABLE_REAL(&to, "area", "m2", 12, r->area_m2);
        TABLE_REAL(&to, "runout", "m", 12, r->runout_m);
        TABLE_REAL(&to, "front_speed", "m_s", 9, r->front_speed_m_s);
        TABLE_REAL(&to, "emitted", "m3", 12, r->emitted_m3);
        TABLE_REAL(&to, "effusion", "m3_s", 9, r->effusion_m3_s);
        TABLE_REAL(&to, "mobile", "m3", 12, r->mobile_m3);
        TABLE_REAL(&to, "solidified", "m3", 12, r->solidified_m3);
        TABLE_REAL(&to, "left", "m3", 12, r->left_m3);
        TABLE_REAL(&to, "entered_sea", "m3", 12, r->sea_m3);
        TABLE_REAL(&to, "thickest", "m", 12, r->thickest_m);
        TABLE_REAL(&to, "hottest", "K", 12, r->hottest_K);
    }
}

static int write_table(const struct output_info *info, const struct sim_case *c,
                       const struct timeline *t, struct error *e)
{
    struct atomic_file w;
    FREED char *path = output_file_path(info, c, "timeline.csv", e);
    if (!path) return e->code;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        put_rows(w.stream, t, c);
        status = atomic_file_finish(&w, e);
    }
    return status;
}

int output_timeline_done(const struct output_info *info, struct output_timeline *t, struct error *e)
{
    FREED char *path = text_format("%s/timeline.csv", info->directory);
    int status = path ? output_done(info, path, t->table, &t->why_table) : error_memory(e);
    if (path && status && e) *e = t->why_table;
    if (status) return status;
    status = output_picture_done(info, "timeline", t->picture, &t->why_picture);
    if (status && e) *e = t->why_picture;
    return status;
}

void output_timeline(struct output_timeline *out, const struct output_info *info,
                     const struct sim_case *c, const struct fields *f, uint64_t digest,
                     int64_t emission_from)
{
    FREED_BY(timeline_free) struct timeline t;
    *out = (struct output_timeline){0};
    out->table = timeline_create(&t, &c->problem, f, info->samples, emission_from, &out->why_table);
    if (out->table) return;
    out->table = write_table(info, c, &t, &out->why_table);
    if (info->formats & OUTPUT_RECORDED)
        out->picture = timeline_plot(info, c, &t, digest, &out->why_picture);
}
