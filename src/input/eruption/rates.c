/* rates.c — makes lists of rates, and reads the rates CSV. */
#include "rates.h"

#include "text/csv.h"
#include "text/grow.h"
#include "vents.h"

#include <math.h>
#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

static const double far = 1e15; /* a step after the end of any run */

int64_t rates_first_step(double at, double unit_s, double clock_s)
{
    double near = floor(at * unit_s / clock_s) - 2; /* below the result, even with rounding */
    if (near > far) return (int64_t)far;
    int64_t n = near < 1 ? 1 : (int64_t)near;
    while ((double)n * clock_s / unit_s < at) n++;
    return n;
}

int rate_lists_get(struct rate_list **list, struct rate_lists *r, int id, struct error *e)
{
    int status = id_list_get(list, &r->list, &r->count, sizeof **list, id, r->path, e);
    if (!status && !(*list)->count) (*list)->place = r->count - 1;
    return status;
}

int rate_list_add(struct rate_list *list, const struct rate *rate, struct error *e)
{
    return APPEND(list->rate, list->count, *rate) ? 0 : error_memory(e);
}

/* Checks an interval before it is appended to a list. Returns what is wrong with it, for a message; NULL: nothing. */
static const char *fault_of(const struct rate_lists *r, const struct rate_list *list, double from_s,
                            double to_s, double rate_m3_s, double clock_s)
{
    if (rate_m3_s < 0) return "the rate is negative; give 0 or more m3/s";
    if (from_s < 0) return "the time is negative; count from the start of the eruption";
    if (to_s <= from_s) return "the end is not after the start; swap or correct them";
    if (to_s > 1e12 || to_s / clock_s > 1e15) return "the end is too late; give an earlier one";
    if (!list->count || from_s >= list->end_s) return NULL;
    return r->array ? "overlaps with another interval of this vent; shorten one of them"
                    : "begins before the row above for this vent ends; sort the rows of a vent by "
                      "time, without overlap";
}

int rate_list_add_interval(const struct rate_lists *r, struct rate_list *list, double from_s,
                           double to_s, double rate_m3_s, double clock_s, int line, struct error *e)
{
    const char *fault = fault_of(r, list, from_s, to_s, rate_m3_s, clock_s);
    if (fault) return error_input(e, RATE_AT ": %s", RATE_PLACE(r, line), fault);
    const struct rate rate = {.from_s = from_s,
                              .to_s = to_s,
                              .first_step = rates_first_step(from_s, 1, clock_s),
                              .end_step = rates_first_step(to_s, 1, clock_s),
                              .rate_m3_s = rate_m3_s,
                              .line = line};
    list->end_s = to_s;
    return rate_list_add(list, &rate, e);
}

/* Checks that there are rates. Refuses totals together with rates of single vents, since it is not clear which vents
 * would share a total. */
int rate_lists_check(const struct rate_lists *r, struct error *e)
{
    if (r->count == 0)
        return error_input(e, "%s: has no rate; add a row for each interval", r->path);
    if (r->count == 1 || r->list[0].id != RATES_OF_ALL) return 0;
    return error_input(
        e,
        RATE_AT
        ": rates of all vents (*) and of single vents in one file; keep one of the two kinds",
        RATE_PLACE(r, r->list[0].rate[0].line));
}

void rates_free(struct rate_lists *r)
{
    for (int i = 0; i < r->count; i++) free(r->list[i].rate);
    RELEASE(r, r->list);
}

/* ---- the file -------------------------------------------------------------------------------- */

struct columns {
    int id, from, to, rate;
    enum times_plain plain; /* unit of times that are written without a unit */
};

static int find_columns(struct columns *c, const struct csv *t, const char *rate, struct error *e)
{
    static const struct {
        const char *from, *to;
        enum times_plain plain;
    } forms[] = {{"from_h", "to_h", TIMES_HOURS},
                 {"from_s", "to_s", TIMES_SECONDS},
                 {"from", "to", TIMES_HOURS}};
    const char *taken = NULL, *other = NULL;
    *c = (struct columns){.id = csv_column(t, "vent"), .rate = csv_column(t, rate)};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const int from = csv_column(t, forms[i].from), to = csv_column(t, forms[i].to);
        if (from < 0 && to < 0) continue;
        if (from < 0 || to < 0 || taken) {
            other = from < 0 ? forms[i].to : forms[i].from;
            continue;
        }
        taken = forms[i].from;
        c->from = from;
        c->to = to;
        c->plain = forms[i].plain;
    }
    if (taken && other)
        return error_line(e, t->file.path, t->file.line, "has times in both %s and %s; keep one",
                          taken, other);
    if (taken && c->id >= 0 && c->rate >= 0) return 0;
    if (csv_column(t, "radiant_power_W") >= 0 || csv_column(t, "radiant_power_MW") >= 0)
        return error_line(e, t->file.path, t->file.line,
                          "the table has radiant power, not rates; a plan takes it as "
                          "observed_rates, with a line such as 'radiant_density 2e8 factor 1.5'");
    return error_line(
        e, t->file.path, t->file.line,
        "the header has to be 'vent,from,to,%s' (or from_h and to_h, or from_s and to_s)", rate);
}

static int read_id(int64_t *id, const struct csv *t, const struct columns *c, struct error *e)
{
    if (strcmp(t->cell[c->id], "*") != 0) return csv_integer(t, c->id, 1, 1000000000, id, e);
    *id = RATES_OF_ALL;
    return 0;
}

static int read_row(struct rate_lists *r, const struct csv *t, const struct columns *c,
                    double clock_s, const char *start_time, struct error *e)
{
    int status;
    int64_t id;
    double from, to, rate;
    struct rate_list *list;
    if ((status = read_id(&id, t, c, e)) ||
        (status = csv_time(t, c->from, c->plain, start_time, &from, e)) ||
        (status = csv_time(t, c->to, c->plain, start_time, &to, e)) ||
        (status = csv_real(t, c->rate, &rate, e)) ||
        (status = rate_lists_get(&list, r, (int)id, e)))
        return status;
    return rate_list_add_interval(r, list, from, to, rate, clock_s, t->file.line, e);
}

int rates_read(struct rate_lists *r, const char *path, double clock_s, const char *start_time,
               struct error *e)
{
    return rates_read_as(r, "rate_m3_s", path, clock_s, start_time, e);
}

int rates_read_as(struct rate_lists *r, const char *column, const char *path, double clock_s,
                  const char *start_time, struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    struct columns c;
    *r = (struct rate_lists){.path = path};
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&c, &t, column, e);
    CSV_EACH (&t, status, e) status = read_row(r, &t, &c, clock_s, start_time, e);
    if (!status) status = rate_lists_check(r, e);
    if (status) rates_free(r);
    return status;
}

/* ---- radiant power --------------------------------------------------------------------------- */

/* Limits that show a mistaken unit. Satellites cannot detect smaller powers. No eruption had a rate above
 * RATE_MOST_M3_S; Laki reached 10^4 m3/s. */
static const double POWER_LEAST_W = 1e5, RATE_MOST_M3_S = 1e5;

struct power_columns {
    int time, power;
    enum times_plain plain;
    double unit_W;
};

static int find_power(struct power_columns *c, const struct csv *t, struct error *e)
{
    const int in_W = csv_column(t, "radiant_power_W"), in_MW = csv_column(t, "radiant_power_MW"),
              seconds = csv_column(t, "time_s"), hours = csv_column(t, "time_h"),
              any = csv_column(t, "time"), times = (seconds >= 0) + (hours >= 0) + (any >= 0);
    *c = (struct power_columns){seconds >= 0 ? seconds
                                : hours >= 0 ? hours
                                             : any,
                                in_W >= 0 ? in_W : in_MW,
                                seconds >= 0 ? TIMES_SECONDS : TIMES_HOURS, in_W >= 0 ? 1 : 1e6};
    if (times == 1 && (in_W < 0) != (in_MW < 0)) return 0;
    return csv_refuse(t, e,
                      "with radiant_density the header has to be 'time,radiant_power_W' (or "
                      "time_h, or time_s; or radiant_power_MW)");
}

struct power {
    bool any;
    double time_s, W, greatest_W;
};

static int read_power(struct rate_lists *r, struct power *last, const struct csv *t,
                      const struct power_columns *c, double clock_s, const char *start_time,
                      double density_J_m3, struct error *e)
{
    struct rate_list *list;
    double time_s, W;
    int status = csv_time(t, c->time, c->plain, start_time, &time_s, e);
    if (!status) status = csv_real(t, c->power, &W, e);
    if (status) return status;
    W *= c->unit_W;
    const double rate_m3_s = 0.5 * (last->W + W) / density_J_m3;
    const struct power before = *last;
    *last = (struct power){true, time_s, W, fmax(last->greatest_W, W)};
    if (!(W >= 0)) return csv_refuse(t, e, "the power is negative; give 0 or more");
    if (before.any && time_s <= before.time_s)
        return csv_refuse(t, e,
                          "the time is not later than in the row above; sort the rows by time");
    if (before.any && rate_m3_s > RATE_MOST_M3_S)
        return csv_refuse(t, e,
                          "the power means a rate of %.3g m3/s, which is impossible; correct the "
                          "unit of the power, or radiant_density",
                          rate_m3_s);
    if (!before.any && time_s < 0)
        return csv_refuse(t, e, "the time is negative; count from the start of the eruption");
    if (!before.any || (status = rate_lists_get(&list, r, RATES_OF_ALL, e))) return status;
    return rate_list_add_interval(r, list, before.time_s, time_s, rate_m3_s, clock_s, t->file.line,
                                  e);
}

int rates_read_power(struct rate_lists *r, const char *path, double clock_s, const char *start_time,
                     double density_J_m3, struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    struct power_columns c;
    struct power last = {0};
    *r = (struct rate_lists){.path = path};
    int status = csv_open(&t, path, e);
    if (!status) status = find_power(&c, &t, e);
    CSV_EACH (&t, status, e)
        status = read_power(r, &last, &t, &c, clock_s, start_time, density_J_m3, e);
    if (!status && !r->count)
        status = error_input(
            e, "%s: has fewer than two times, but a rate is computed between two; add rows", path);
    if (!status && last.greatest_W > 0 && last.greatest_W < POWER_LEAST_W)
        status = error_input(e,
                             "%s: its greatest power is %.3g W, too little to be seen from a "
                             "satellite; correct the unit of the power",
                             path, last.greatest_W);
    if (status) rates_free(r);
    return status;
}
