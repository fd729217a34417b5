/* sights_hot.c — hot spots of satellites, as FIRMS (NASA) lists those of VIIRS and MODIS: the middle of a
 * pixel in degrees, its size along scan and track in km, when in UTC, and how sure it is. How the pixel
 * is turned is not known, so its lava is anywhere in the circle around it. */
#include "sights_inside.h"

#include "base/order.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/scan.h"
#include "vector/vectors.h"

#include "random/quantile.h"
#include "text/number.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { LATITUDE, LONGITUDE, SCAN, TRACK, DATE, TIME, CONFIDENCE, NEEDED, SPOTS_MOST = 4096 };
static const char *const columns[NEEDED] = {"latitude", "longitude", "scan",      "track",
                                            "acq_date", "acq_time",  "confidence"};

struct timed_spot {
    double time_s;
    struct hot_spot of;
};

struct spots {
    struct csv csv;
    int column[NEEDED];
    struct transform *transform;
    int64_t start_s;
    struct timed_spot *spot;
    int count, rows;
};

/* ---- a row ----------------------------------------------------------------------------------- */

/* How likely lava is there. Low confidence of VIIRS is sun glint, or a weak spot: it shows nothing. */
static int read_confidence(const struct spots *t, double *odds, struct error *e)
{
    static const struct {
        const char *letter, *word;
        double percent;
    } classes[] = {{"l", "low", 50}, {"n", "nominal", 90}, {"h", "high", 99}};
    const char *text = t->csv.cell[t->column[CONFIDENCE]];
    double percent = -1;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(text, classes[i].letter) || !strcmp(text, classes[i].word))
            percent = classes[i].percent;
    if (percent < 0 && !(scan_real(text, &percent) && percent >= 0 && percent <= 100))
        return csv_refuse(&t->csv, e, "confidence: give l, n or h (VIIRS), or 0 to 100 (MODIS)");
    percent = fmin(99, fmax(50, percent));
    *odds = real_log(percent / (100 - percent));
    return 0;
}

/* acq_time is 5 at five minutes past midnight, and 1130. */
static int read_time(const struct spots *t, double *time_s, struct error *e)
{
    int64_t clock, unix_s;
    const char *date = t->csv.cell[t->column[DATE]];
    const int status = csv_integer(&t->csv, t->column[TIME], 0, 2359, &clock, e);
    if (status) return status;
    if (strlen(date) != 10 || !times_date_scan(date, &unix_s) || clock % 100 > 59)
        return csv_refuse(&t->csv, e, "give acq_date as 2006-07-14 and acq_time as HHMM, in UTC");
    *time_s = (double)(unix_s + clock / 100 * 3600 + clock % 100 * 60 - t->start_s);
    return 0;
}

static int read_place(const struct spots *t, struct hot_spot *s, bool *there,
                      const struct sim_case *c, struct error *e)
{
    double xy[2], size_km[2];
    const char *why;
    for (int i = 0; i < 2; i++) {
        int status = csv_real(&t->csv, t->column[LONGITUDE - i], &xy[i], e);
        if (!status) status = csv_real(&t->csv, t->column[SCAN + i], &size_km[i], e);
        if (status) return status;
        if (!(fabs(xy[i]) <= (i ? 90 : 180) && size_km[i] > 0 && size_km[i] <= 10))
            return csv_refuse(&t->csv, e,
                              "give latitude and longitude in degrees, and scan and track in km");
    }
    *there = !t->transform || transform_apply(t->transform, xy, &why);
    s->radius = 500 * sqrt(size_km[0] * size_km[0] + size_km[1] * size_km[1]) / c->geo.cell_m;
    s->col = (xy[0] - c->geo.west_m) / c->geo.cell_m;
    s->row = c->problem.rows - (xy[1] - c->geo.south_m) / c->geo.cell_m;
    *there = *there && s->row >= 0 && s->row < c->problem.rows && s->col >= 0 &&
             s->col < c->problem.cols;
    return 0;
}

/* Rows before the eruption, or with a pixel in the middle of other terrain, are of something else. */
static int read_row(struct spots *t, const struct sim_case *c, struct error *e)
{
    struct timed_spot s = {0};
    bool there = false;
    int status = read_time(t, &s.time_s, e);
    if (!status) status = read_place(t, &s.of, &there, c, e);
    if (!status) status = read_confidence(t, &s.of.odds, e);
    t->rows++;
    if (status || !there || s.time_s <= 0) return status;
    if (t->count == SPOTS_MOST)
        return csv_refuse(&t->csv, e, "more than 4096 hot spots on the terrain; give fewer days");
    return APPEND(t->spot, t->count, s) ? 0 : error_memory(e);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static int open_table(struct spots *t, const struct sim_case *c, const struct seen_line *l,
                      const char *path, struct error *e)
{
    if (!times_date_scan(c->start_time, &t->start_s))
        return error_line(e, l->path, l->line,
                          "hot spots have dates; give start_time, when the eruption began");
    if (!crs_known(&c->geo.crs))
        return error_line(
            e, c->path, l->line,
            "hot spots have degrees, but the DEM names no CRS; declare it: crs EPSG:n");
    int status = csv_open(&t->csv, path, e);
    for (int i = 0; i < NEEDED && !status; i++)
        if ((t->column[i] = csv_column(&t->csv, columns[i])) < 0)
            status = error_input(e, "%s: its first line lacks the column %s of FIRMS; add it", path,
                                 columns[i]);
    return status ? status : transform_open(&t->transform, CRS_DEGREES, &c->geo.crs, path, e);
}

static int in_order(const void *a, const void *b)
{
    const struct timed_spot *x = a, *y = b;
    const int place = order_by(ORDER(x->of.row, y->of.row), ORDER(x->of.col, y->of.col)),
              size = order_by(ORDER(x->of.radius, y->of.radius), ORDER(x->of.odds, y->of.odds));
    return order_by(ORDER(x->time_s, y->time_s), order_by(place, size));
}

/* Of rows that are there twice one remains. */
static void sort_spots(struct spots *t)
{
    int kept = 0;
    qsort(t->spot, (size_t)t->count, sizeof *t->spot, in_order);
    for (int i = 0; i < t->count; i++)
        if (!i || in_order(&t->spot[i - 1], &t->spot[i])) t->spot[kept++] = t->spot[i];
    t->count = kept;
}

/* The cell that it lies in, and those with their middle in its circle. */
static bool is_of_spot(const struct hot_spot *s, int row, int col)
{
    const double down = row + 0.5 - s->row, right = col + 0.5 - s->col;
    return down * down + right * right <= s->radius * s->radius ||
           (row == (int)s->row && col == (int)s->col);
}

static struct window box_of(const struct hot_spot *s, const struct problem *p)
{
    const int reach = 1 + (int)s->radius;
    const struct window w = {(int)s->row - reach, (int)s->col - reach, 2 * reach + 1,
                             2 * reach + 1};
    return window_common(w, problem_domain(p));
}

static int mark_spots(struct sight *o, const struct problem *p, struct error *e)
{
    for (int i = 0; i < o->spot_count; i++) o->box = window_of_both(o->box, box_of(&o->spot[i], p));
    if (!(o->spots = calloc(window_cells(o->box), sizeof *o->spots))) return error_memory(e);
    for (int i = 0; i < o->spot_count; i++) {
        const struct window w = box_of(&o->spot[i], p);
        for (int row = w.row0; row < w.row0 + w.rows; row++)
            for (int col = w.col0; col < w.col0 + w.cols; col++)
                if (is_of_spot(&o->spot[i], row, col))
                    o->spots[window_place(o->box, row, col)] |= UINT64_C(1) << i;
    }
    return 0;
}

static int add_spots(struct sights *x, const struct seen_line *l, const struct spots *t,
                     struct error *e)
{
    int status = 0, part = 0;
    for (int i = 0, end; i < t->count && !status; i = end) {
        char hours[32];
        part = i && t->spot[i].time_s == t->spot[i - 1].time_s ? part + 1 : 1;
        struct sight *o = sights_add(x, l, "hot spots", t->spot[i].time_s, e);
        if (o && part > 1) {
            number_text(o->time_s / 3600, hours);
            words_pack(o->said, sizeof o->said, "hot spots (%d) %.30s h", part, hours);
            words_fill(o->name, sizeof o->name, o->said, NULL);
        }
        if (!o || !(o->spot = calloc(SIGHT_SPOTS, sizeof *o->spot))) return error_memory(e);
        for (end = i;
             end < t->count && end < i + SIGHT_SPOTS && t->spot[end].time_s == t->spot[i].time_s;
             end++)
            o->spot[o->spot_count++] = t->spot[end].of;
        status = mark_spots(o, &x->plan->base.problem, e);
    }
    return status;
}

int sights_read_hot(struct sights *x, const struct seen_line *l, const char *path, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    struct spots t = {.count = 0};
    int status = open_table(&t, c, l, path, e);
    CSV_EACH (&t.csv, status, e) status = read_row(&t, c, e);
    if (!status && !t.count)
        status = error_input(e,
                             "%s: none of its %d rows lies on this terrain after the start of the "
                             "eruption; give others, or remove the line",
                             path, t.rows);
    if (!status) {
        sort_spots(&t);
        status = add_spots(x, l, &t, e);
    }
    transform_close(t.transform);
    csv_close(&t.csv);
    free(t.spot);
    return status;
}

/* ---- how many tell the same ------------------------------------------------------------------ */

/* Their circles overlap, or they lie within half a correlation length. */
static bool tell_the_same(const struct hot_spot *a, const struct hot_spot *b, double reach)
{
    const double down = fabs(a->row - b->row), right = fabs(a->col - b->col),
                 both = a->radius + b->radius;
    return down * down + right * right < both * both || (down <= reach && right <= reach);
}

/* Those of its time, and once those of each earlier one. */
static double n_of_spot(const struct sights *x, int i, const struct hot_spot *s, const int *time_of,
                        const double *share)
{
    double all = 0, earlier = 0;
    for (int k = 0, here = 0; k < x->count && time_of[k] <= time_of[i]; k++) {
        for (int n = 0; n < x->of[k].spot_count; n++)
            here += tell_the_same(s, &x->of[k].spot[n], x->of[i].reach);
        if (k + 1 < x->count && time_of[k + 1] == time_of[k]) continue;
        if (time_of[k] == time_of[i]) all = here;
        else if (here) earlier += share[time_of[k]];
        here = 0;
    }
    return all * (1 + earlier);
}

void sights_count_hot(struct sights *x, int i, const int *time_of, const double *share)
{
    struct sight *o = &x->of[i];
    for (int k = 0; k < o->spot_count; k++)
        o->spot[k].n = n_of_spot(x, i, &o->spot[k], time_of, share);
}
