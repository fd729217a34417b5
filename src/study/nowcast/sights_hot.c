/* sights_hot.c — reads hot spots of satellites in the format of FIRMS (NASA), from a CSV or vector file. A row has
 * the middle of a pixel in degrees, its size along scan and track in km, the time in UTC and the confidence. The
 * orientation of the pixel is not known, so its lava is somewhere in the circle around it. */
#include "sights_inside.h"

#include "base/order.h"
#include "case/case_notes.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/scan.h"
#include "vector/vectors.h"

#include "random/quantile.h"
#include "text/times.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SPOTS_MOST = 4096 };
enum {
    LATITUDE,
    LONGITUDE,
    DATE,
    TIME,
    CONFIDENCE,
    SCAN,
    TRACK,
    INSTRUMENT,
    SATELLITE,
    FRP,
    CELLS
};
static const char *const columns[CELLS + 1] = {"latitude",   "longitude", "acq_date", "acq_time",
                                               "confidence", "scan",      "track",    "instrument",
                                               "satellite",  "frp",       NULL};

struct timed_spot {
    double time_s;
    struct hot_spot of;
};

struct spots {
    const struct seen_line *line;
    const char *path;
    /* Row or feature of the file, for messages; feature 0: the file is a table. */
    int row, feature;
    const char *cell[CELLS]; /* cells of that row; NULL: the column is missing */
    struct transform *transform;
    int64_t start_s;
    struct timed_spot *spot;
    int count, rows;
};

/* ---- a row ----------------------------------------------------------------------------------- */

static int refuse_row(const struct spots *t, const char *why, struct error *e)
{
    return t->feature ? error_input(e, "%s: feature %d: %s", t->path, t->feature, why)
                      : error_line(e, t->path, t->row, "%s", why);
}

/* Reads the confidence and sets the odds of lava. VIIRS and Landsat have a word or its first letter. MODIS has a
 * percentage, which sets *graded. A hot spot of low confidence may be sun glint, so it has odds of 1 and no effect. */
static int read_confidence(const struct spots *t, bool *graded, double *odds, struct error *e)
{
    static const struct {
        const char *word;
        double percent;
    } classes[] = {{"low", 50}, {"nominal", 90}, {"medium", 90}, {"high", 99}};
    const char *text = t->cell[CONFIDENCE] ? t->cell[CONFIDENCE] : "";
    double percent = -1;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcasecmp(text, classes[i].word) ||
            (strlen(text) == 1 && !strncasecmp(text, classes[i].word, 1)))
            percent = classes[i].percent;
    *graded = percent < 0;
    if (percent < 0 && !(scan_real(text, &percent) && percent >= 0 && percent <= 100))
        return refuse_row(
            t, "confidence: give low, nominal or high (VIIRS, Landsat), or 0 to 100 (MODIS)", e);
    percent = fmin(99, fmax(50, percent));
    *odds = real_log(percent / (100 - percent));
    return 0;
}

/* Reads a time as seconds since midnight: HHMM without leading zeros (5 is five minutes past midnight), HH:MM or
 * HH:MM:SS. -1: it is none of these. */
static int64_t clock_of(const char *text)
{
    int64_t clock = -1, part[3] = {0};
    int count = 0, length = 0;
    if (strchr(text, ':'))
        for (const char *at = text; count < 3 && *at; count++, at += length + (at[length] == ':')) {
            char word[3] = "";
            length = (int)strcspn(at, ":");
            if (length != 2 || !scan_integer(memcpy(word, at, 2), &part[count])) return -1;
        }
    else if (scan_integer(text, &clock)) part[0] = clock / 100, part[1] = clock % 100;
    if ((clock < 0 && count < 2) || part[0] < 0 || part[0] > 23 || part[1] > 59 || part[2] > 59)
        return -1;
    return part[0] * 3600 + part[1] * 60 + part[2];
}

/* Reads a time from the columns acq_date and acq_time. Some services have date and time in acq_time. */
static int read_time(const struct spots *t, double *time_s, struct error *e)
{
    enum { DAY_S = 86400 };
    int64_t unix_s, day_s;
    const char *date = t->cell[DATE] ? t->cell[DATE] : "",
               *clock = t->cell[TIME] ? t->cell[TIME] : "";
    const int64_t clock_s = clock_of(clock);
    const bool day = times_stamp_scan(date, &day_s);
    if (day && clock_s >= 0) unix_s = day_s - day_s % DAY_S + clock_s;
    else if (!(clock_s < 0 && times_stamp_scan(clock, &unix_s)))
        return refuse_row(t, "give acq_date as 2006-07-14 and acq_time as HHMM or HH:MM, in UTC",
                          e);
    *time_s = (double)(unix_s - t->start_s);
    return 0;
}

/* The size of a pixel straight below the satellite, km. The satellite or the instrument decides. If they are
 * unknown, the kind of confidence decides. */
static double nominal_km(const struct spots *t, bool graded)
{
    static const struct {
        const char *name;
        double km;
    } pixels[] = {
        {"VIIRS", 0.375},   {"MODIS", 1},         {"N", 0.375},        {"1", 0.375},
        {"2", 0.375},       {"N20", 0.375},       {"N21", 0.375},      {"NOAA-20", 0.375},
        {"NOAA-21", 0.375}, {"Suomi NPP", 0.375}, {"SNPP", 0.375},     {"T", 1},
        {"A", 1},           {"Terra", 1},         {"Aqua", 1},         {"OLI", 0.03},
        {"L8", 0.03},       {"L9", 0.03},         {"Landsat 8", 0.03}, {"Landsat 9", 0.03}};
    for (int c = INSTRUMENT; c <= SATELLITE; c++)
        for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++)
            if (t->cell[c] && !strcasecmp(t->cell[c], pixels[i].name)) return pixels[i].km;
    return graded ? 1 : 0.375;
}

/* Reads the size of a pixel from the columns scan and track. For Landsat these columns have the row and the column
 * of a scene. All pixels of Landsat have one size. */
static int read_size(const struct spots *t, bool graded, double size_km[2], struct error *e)
{
    static const double LANDSAT_KM = 0.03;
    const double nominal = nominal_km(t, graded);
    for (int i = 0; i < 2; i++) {
        const char *text = t->cell[SCAN + i];
        size_km[i] = nominal;
        if (!text || nominal <= LANDSAT_KM) continue;
        if (!scan_real(text, &size_km[i]) || !(size_km[i] > 0 && size_km[i] <= 10))
            return refuse_row(t, "give scan and track in km, above 0 to 10", e);
    }
    return 0;
}

static int read_place(const struct spots *t, double xy[2], const double size_km[2],
                      struct hot_spot *s, bool *there, const struct sim_case *c, struct error *e)
{
    const char *why;
    for (int i = 0; i < 2; i++) {
        const char *text = t->cell[LONGITUDE - i];
        if ((text && !scan_real(text, &xy[i])) || !(fabs(xy[i]) <= (i ? 90 : 180)))
            return refuse_row(t, "give latitude and longitude in degrees", e);
    }
    *there = !t->transform || transform_apply(t->transform, xy, &why);
    s->radius = 500 * sqrt(size_km[0] * size_km[0] + size_km[1] * size_km[1]) / c->geo.cell_m;
    s->col = (xy[0] - c->geo.west_m) / c->geo.cell_m;
    s->row = c->problem.rows - (xy[1] - c->geo.south_m) / c->geo.cell_m;
    *there = *there && s->row >= 0 && s->row < c->problem.rows && s->col >= 0 &&
             s->col < c->problem.cols;
    return 0;
}

/* Reads the radiative power. If FIRMS found none in a pixel, the least power is used. */
static int read_power(const struct spots *t, double *power, struct error *e)
{
    static const double LEAST_MW = 0.1, MOST_MW = 1e5;
    *power = 1;
    if (!t->line->frp) return 0;
    const char *text = t->cell[FRP];
    if (!text || !scan_real(text, power) || !(*power >= 0 && *power <= MOST_MW))
        return refuse_row(t, "frp: give the radiative power of each hot spot in MW", e);
    *power = fmax(*power, LEAST_MW);
    return 0;
}

/* Reads a row. Hot spots before the eruption or outside the terrain do not count. xy: position of the feature, in
 * degrees. */
static int read_row(struct spots *t, double xy[2], const struct sim_case *c, struct error *e)
{
    struct timed_spot s = {0};
    bool there = false, graded = false;
    double size_km[2];
    for (int i = 0; i < CELLS; i++)
        if (t->cell[i] && !*t->cell[i]) t->cell[i] = NULL;
    int status = read_time(t, &s.time_s, e);
    if (!status) status = read_confidence(t, &graded, &s.of.odds, e);
    if (!status) status = read_size(t, graded, size_km, e);
    if (!status) status = read_place(t, xy, size_km, &s.of, &there, c, e);
    if (!status) status = read_power(t, &s.of.power, e);
    t->rows++;
    if (status || !there || s.time_s <= 0) return status;
    if (t->count == SPOTS_MOST)
        return refuse_row(t, "there are more than 4096 hot spots on the terrain; give fewer days",
                          e);
    return APPEND(t->spot, t->count, s) ? 0 : error_memory(e);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static int read_table(struct spots *t, const struct sim_case *c, struct error *e)
{
    FREED_BY(csv_close) struct csv csv;
    int column[CELLS], status = csv_open(&csv, t->path, e);
    for (int i = 0; i < CELLS && !status; i++)
        if ((column[i] = csv_column(&csv, columns[i])) < 0 && i <= CONFIDENCE)
            status = error_input(e, "%s: its first line lacks the column %s of FIRMS; add it",
                                 t->path, columns[i]);
    CSV_EACH (&csv, status, e) {
        double xy[2] = {NAN, NAN};
        for (int i = 0; i < CELLS; i++) t->cell[i] = column[i] < 0 ? NULL : csv.cell[column[i]];
        t->row = csv.file.line;
        status = read_row(t, xy, c, e);
    }
    return status;
}

/* Reads features. If there are no columns of latitude and longitude, takes the point of the feature. */
static int read_features(struct spots *t, struct plan *p, struct error *e)
{
    FREED_BY(vectors_free) struct vectors v;
    int status = vectors_read(&v, t->path, NULL, VECTORS_TAKE_POINTS, columns, e);
    if (status) return status;
    case_note_vectors(&p->base, &v.about, t->path);
    for (int i = 0; i < v.features && !status; i++) {
        const struct vector_feature *f = &v.feature[i];
        double xy[2];
        memcpy(xy, v.xy[v.part[f->first].first], sizeof xy);
        for (int k = 0; k < CELLS; k++) t->cell[k] = vectors_value(&v, i, k);
        t->feature = f->number;
        status = read_row(t, xy, &p->base, e);
    }
    return status;
}

static int open_spots(struct spots *t, const struct sim_case *c, struct error *e)
{
    const struct seen_line *l = t->line;
    if (!times_date_scan(c->start_time, &t->start_s))
        return error_line(e, l->path, l->line,
                          "hot spots have dates; to make them times of the eruption, add "
                          "start_time, the date when the eruption began");
    if (!crs_known(&c->geo.crs))
        return error_line(
            e, c->path, l->line,
            "hot spots have degrees, but the DEM names no CRS; declare it: crs EPSG:n");
    return transform_open(&t->transform, CRS_DEGREES, &c->geo.crs, t->path, e);
}

static int in_order(const void *a, const void *b)
{
    const struct timed_spot *x = a, *y = b;
    const int place = order_by(ORDER(x->of.row, y->of.row), ORDER(x->of.col, y->of.col)),
              size = order_by(ORDER(x->of.radius, y->of.radius), ORDER(x->of.odds, y->of.odds));
    return order_by(ORDER(x->time_s, y->time_s),
                    order_by(place, order_by(size, ORDER(x->of.power, y->of.power))));
}

/* Sorts the spots and removes duplicates. */
static void sort_spots(struct spots *t)
{
    int kept = 0;
    qsort(t->spot, (size_t)t->count, sizeof *t->spot, in_order);
    for (int i = 0; i < t->count; i++)
        if (!i || in_order(&t->spot[i - 1], &t->spot[i])) t->spot[kept++] = t->spot[i];
    t->count = kept;
}

/* Whether a cell is in a hot spot: the cell has the middle of the spot, or the middle of the cell is in the circle. */
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
    for (int i = 0; i < o->hot.count; i++)
        o->box = window_of_both(o->box, box_of(&o->hot.spot[i], p));
    if (!(o->hot.bits = calloc(window_cells(o->box), sizeof *o->hot.bits))) return error_memory(e);
    for (int i = 0; i < o->hot.count; i++) {
        const struct window w = box_of(&o->hot.spot[i], p);
        for (int row = w.row0; row < w.row0 + w.rows; row++)
            for (int col = w.col0; col < w.col0 + w.cols; col++)
                if (is_of_spot(&o->hot.spot[i], row, col))
                    o->hot.bits[window_place(o->box, row, col)] |= UINT64_C(1) << i;
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
            times_hours_said(hours, o->time_s);
            words_pack(o->said, sizeof o->said, "hot spots (%d) %.30s h", part, hours);
            words_fill(o->name, sizeof o->name, o->said, NULL);
        }
        if (!o || !(o->hot.spot = calloc(SIGHT_SPOTS, sizeof *o->hot.spot))) return error_memory(e);
        for (end = i;
             end < t->count && end < i + SIGHT_SPOTS && t->spot[end].time_s == t->spot[i].time_s;
             end++)
            o->hot.spot[o->hot.count++] = t->spot[end].of;
        status = mark_spots(o, &x->plan->base.problem, e);
    }
    return status;
}

int sights_read_hot(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                    struct error *e)
{
    struct spots t = {.line = l, .path = path};
    int status = open_spots(&t, &p->base, e);
    if (!status)
        status = vectors_are_in(path) ? read_features(&t, p, e) : read_table(&t, &p->base, e);
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
    free(t.spot);
    return status;
}

/* ---- n of hot spots -------------------------------------------------------------------------- */

/* Whether two hot spots have the same information: their circles overlap, or their middles are within half a
 * correlation length. */
static bool tell_the_same(const struct hot_spot *a, const struct hot_spot *b, double reach)
{
    const double down = fabs(a->row - b->row), right = fabs(a->col - b->col),
                 both = a->radius + b->radius;
    return down * down + right * right < both * both || (down <= reach && right <= reach);
}

/* n of a hot spot is N (1 + e). N is the power of all hot spots of its time with the same information, divided by its
 * own power. e is the sum of `share` over the earlier times that have a hot spot with this information. */
static double n_of_spot(const struct sights *x, int i, const struct hot_spot *s, const int *time_of,
                        const double *share)
{
    double all = 0, earlier = 0, here = 0;
    for (int k = 0; k < x->count && time_of[k] <= time_of[i]; k++) {
        for (int n = 0; n < x->of[k].hot.count; n++)
            if (tell_the_same(s, &x->of[k].hot.spot[n], x->of[i].reach))
                here += x->of[k].hot.spot[n].power / s->power;
        if (k + 1 < x->count && time_of[k + 1] == time_of[k]) continue;
        if (time_of[k] == time_of[i]) all = here;
        else if (here > 0) earlier += share[time_of[k]];
        here = 0;
    }
    return all * (1 + earlier);
}

void sights_count_hot(struct sights *x, int i, const int *time_of, const double *share)
{
    struct sight *o = &x->of[i];
    for (int k = 0; k < o->hot.count; k++)
        o->hot.spot[k].n = n_of_spot(x, i, &o->hot.spot[k], time_of, share);
}
