/* report_tables.c — members.csv and assets.csv. */
#include "report.h"

#include "text/csv.h"
#include "text/number.h"
#include "text/atomic_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ",1.5"; nothing behind the comma where there is no number. */
static void put_number(FILE *f, double x)
{
    if (isnan(x)) putc(',', f);
    else fprintf(f, ",%.9g", x);
}

/* Opens, lets put() write, and gives the file its name. */
static int write_table(const struct report *r, const char *name,
                       void (*put)(FILE *f, const struct ensemble *s), struct error *e)
{
    struct atomic_file w;
    char *path = report_path(r, name, e);
    if (!path) return ERROR_FAILED;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        put(w.stream, r->s);
        status = atomic_file_finish(&w, e);
    }
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

static void put_member(FILE *f, const struct ensemble *s, int64_t number)
{
    const struct member_result *r = &s->result[number];
    const double cell_m = s->source->base->geo.cell_m;
    fprintf(f, "%" PRId64 ",%" PRIu64, number, r->weight);
    if (*s->source->columns) fprintf(f, ",%s", r->drawn ? r->drawn : "");
    fprintf(f, ",%" PRId64, r->step);
    put_number(f, r->end_s / 3600);
    fprintf(f, ",%d", r->stopped);
    put_number(f, r->advance_s / 3600);
    put_number(f, (double)r->cells * cell_m * cell_m);
    put_number(f, r->runout_m);
    put_number(f, r->max_thickness_m);
    put_number(f, r->emitted_m3);
    put_number(f, r->left_m3);
    put_number(f, r->jaccard);
    fprintf(f, ",%016" PRIx64 ",", r->digest);
    csv_put_text(f, r->notice);
    if (s->source->base->sea) fprintf(f, ",%d", r->into_sea);
    putc('\n', f);
}

static void put_members(FILE *f, const struct ensemble *s)
{
    const char *columns = s->source->columns;
    fprintf(f,
            "member,weight%s%s,steps,end_h,stopped,last_advance_h,area_m2,runout_m,"
            "max_thickness_m,emitted_m3,volume_off_terrain_m3,jaccard,digest,notice%s\n",
            *columns ? "," : "", columns, s->source->base->sea ? ",into_sea" : "");
    for (int64_t i = 0; i < s->source->count; i++)
        if (s->result[i].done) put_member(f, s, i);
}

/* ---- things of interest ---------------------------------------------------------------------- */

static void put_pair(FILE *f, const struct statistics *x, uint64_t weight)
{
    put_number(f, statistics_probability(x, weight));
    put_number(f, statistics_error(x, weight));
}

static void put_thing(FILE *f, const struct ensemble *s, int number)
{
    static const char *const kinds[] = {"point", "line", "area"};
    const struct statistics_request *w = &s->source->request;
    const struct asset *a = &s->assets.asset[number];
    const struct statistics *x = &s->things;
    const uint64_t *c = statistics_at(x, (size_t)number);
    csv_put_text(f, a->name);
    fprintf(f, ",%s,%" PRIu32, kinds[a->kind], a->cells);
    put_pair(f, x, statistics_reached(x, c));
    for (int i = 0; i < w->threshold_count; i++)
        put_pair(f, x, statistics_exceeding(x, c, axis_edge(&s->thickness_m, w->threshold_m[i])));
    for (int i = 0; i < w->time_count; i++)
        put_pair(f, x, statistics_within(x, c, axis_edge(&s->arrival_s, w->time_s[i])));
    put_number(f, report_arrival_h(s, statistics_first_arrival_class(x, c)));
    for (int i = 0; i < REPORT_PERCENTS; i++)
        put_number(f, report_arrival_h(s, statistics_arrival_class(x, c, report_percents[i])));
    put_number(f, statistics_mean_thickness_m(x, c));
    for (int i = 0; i < REPORT_PERCENTS; i++)
        put_number(f, report_thickness_m(s, statistics_thickness_class(x, c, report_percents[i])));
    put_number(f, statistics_mean_share(x, c));
    for (int i = 0; i < REPORT_PERCENTS; i++) {
        const int share = statistics_share_class(x, c, report_percents[i]);
        put_number(f, share < 0 ? (double)NAN : share / 100.0);
    }
    putc('\n', f);
}

static void put_pair_names(FILE *f, const char *name, double number, const char *unit)
{
    char text[32];
    number_text(number, text);
    fprintf(f, ",%s_%s%s,%s_%s%s_error", name, text, unit, name, text, unit);
}

static void put_percents(FILE *f, const char *name, const char *unit)
{
    for (int i = 0; i < REPORT_PERCENTS; i++)
        fprintf(f, ",%s_p%02d%s", name, report_percents[i], unit);
}

static void put_things(FILE *f, const struct ensemble *s)
{
    const struct statistics_request *w = &s->source->request;
    fputs("name,kind,cells,probability,probability_error", f);
    for (int i = 0; i < w->threshold_count; i++)
        put_pair_names(f, "probability_above", w->threshold_m[i], "m");
    for (int i = 0; i < w->time_count; i++)
        put_pair_names(f, "probability_within", w->time_s[i] / 3600, "h");
    fputs(",arrival_first_h", f);
    put_percents(f, "arrival", "_h");
    fputs(",thickness_mean_m", f);
    put_percents(f, "thickness", "_m");
    fputs(",share_mean", f);
    put_percents(f, "share", "");
    putc('\n', f);
    for (int i = 0; i < s->assets.count; i++) put_thing(f, s, i);
}

int report_tables(const struct report *r, struct error *e)
{
    int status = write_table(r, "members.csv", put_members, e);
    if (!status && r->s->assets.count) status = write_table(r, "assets.csv", put_things, e);
    return status;
}
