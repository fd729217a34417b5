/* rates.c — the rates CSV, and what the two kinds of rate files have in common. */
#include "rates.h"

#include "text/csv.h"
#include "rate_lists.h"

#include <math.h>
#include <string.h>

int64_t rates_first_step(double at, double unit_s, double clock_s)
{
    double near = floor(at * unit_s / clock_s) - 2; /* surely before the step, by rounding or not */
    int64_t n = near < 1 ? 1 : (int64_t)near;
    while ((double)n * clock_s / unit_s < at) n++;
    return n;
}

struct columns {
    int id, from, to, rate;
    double unit_s; /* of from and to */
};

static int find_columns(struct columns *c, const struct csv *t, struct error *e)
{
    bool hours = csv_column(t, "from_h") >= 0;
    *c = (struct columns){csv_column(t, "vent"), csv_column(t, hours ? "from_h" : "from_s"),
                          csv_column(t, hours ? "to_h" : "to_s"), csv_column(t, "rate_m3_s"),
                          hours ? 3600 : 1};
    if (c->id >= 0 && c->from >= 0 && c->to >= 0 && c->rate >= 0) return 0;
    return error_input(e,
                       "%s:%d: the header has to be 'vent,from_s,to_s,rate_m3_s' (or from_h and "
                       "to_h: hours)",
                       t->file.path, t->file.line);
}

static int read_id(int64_t *id, const struct csv *t, const struct columns *c, struct error *e)
{
    if (strcmp(t->cell[c->id], "*") != 0) return csv_integer(t, c->id, 1, 1000000000, id, e);
    *id = RATES_OF_ALL;
    return 0;
}

/* Checks one row against the one before it of the same vent. */
static int check_interval(const struct rate_list *list, const struct csv *t, double from, double to,
                          double rate, double clock_s, struct error *e)
{
    const char *wrong = NULL;
    if (rate < 0) wrong = "the rate is negative; give 0 or more m3/s";
    else if (from < 0) wrong = "the time is negative; count from the start of the eruption";
    else if (to <= from) wrong = "the end is not after the start; swap or correct them";
    else if (to > 1e12 || to / clock_s > 1e15)
        wrong = "the end is too far away; give an earlier one";
    else if (list->count && from < list->end_s)
        wrong =
            "begins before the row above for this vent ends; put the rows of a vent in order of "
            "time, without overlap";
    if (!wrong) return 0;
    return error_input(e, "%s:%d: %s", t->file.path, t->file.line, wrong);
}

static int read_row(struct rate_lists *r, const struct csv *t, const struct columns *c,
                    double clock_s, struct error *e)
{
    int status;
    int64_t id;
    double from, to, rate;
    struct rate_list *list;
    if ((status = read_id(&id, t, c, e)) || (status = csv_real(t, c->from, &from, e)) ||
        (status = csv_real(t, c->to, &to, e)) || (status = csv_real(t, c->rate, &rate, e)) ||
        (status = rate_lists_get(&list, r, (int)id, e)))
        return status;
    from *= c->unit_s;
    to *= c->unit_s;
    if ((status = check_interval(list, t, from, to, rate, clock_s, e))) return status;
    struct rate new = {rates_first_step(from, 1, clock_s), rates_first_step(to, 1, clock_s), rate,
                       t->file.line};
    if (rate > 0 && new.first_step == new.end_step)
        return error_input(
            e,
            "%s:%d: no step of %g s (Pclock) falls into this interval, its lava would "
            "be lost; make it longer",
            t->file.path, t->file.line, clock_s);
    list->end_s = to;
    return rate_list_add(r, list, &new, e);
}

/* Rates of all together and of single vents do not go together: which of them would a total be of?
 */
static int check_total(const struct rate_lists *r, struct error *e)
{
    if (r->count == 0)
        return error_input(e, "%s: has no rate; add a row for each interval", r->path);
    if (r->count == 1 || r->list[0].id != RATES_OF_ALL) return 0;
    return error_input(
        e,
        "%s:%d: rates of all vents (*) stand beside rates of single vents; use one of "
        "the two ways",
        r->path, r->list[0].rate[0].line);
}

int rates_read(struct rate_lists *r, const char *path, double clock_s, struct error *e)
{
    struct csv t;
    struct columns c;
    bool more;
    *r = (struct rate_lists){.path = path};
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&c, &t, e);
    while (!status && !(status = csv_row(&t, &more, e)) && more)
        status = read_row(r, &t, &c, clock_s, e);
    if (!status) status = check_total(r, e);
    csv_close(&t);
    if (status) rates_free(r);
    return status;
}
