/* output_map.c — draws one state as maps over the hillshade. */
#include "output_map.h"

#include "base/order.h"
#include "case/assets.h"
#include "record/bands.h"
#include "record/roundnum.h"
#include "text/atomic_file.h"
#include "text/scan.h"
#include "text/table.h"
#include "text/times.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELSIUS_K 273.15

/* ---- snapshots that wait for their maps: the cells that differ from the terrain -------------- */

struct output_kept_cell {
    size_t at; /* row * cols + col of the whole domain */
    double terrain;
    float thickness_m, temperature_C; /* NaN: the cell is not drawn */
};

/* Whether cell i of a state has lava, or another elevation than the terrain of the case. */
static bool cell_differs(const struct sim_case *c, const struct fields *f, size_t i)
{
    const double here = f->elevation_m[i],
                 there = c->problem.elevation_m[window_in_domain(f->window, i, c->problem.cols)];
    return f->thickness_m[i] + f->solid_m[i] > 0 ||
           (here != there && !(isnan(here) && isnan(there)));
}

/* An elevation as maps show it. In published arithmetic a cell without data is a deep hole; maps show no data there. */
static double output_drawn_m(const struct sim_case *c, double elevation_m)
{
    const bool holes = c->original && c->unrounded;
    return holes && elevation_m < ELEVATION_MIN_M ? (double)NAN : elevation_m;
}

/* The value that a kind of map shows in a cell; NaN: nothing. */
static double output_map_value(enum output_map kind, const struct sim_case *c,
                               const struct output_cell *cell)
{
    const double total = cell->thickness_m + cell->solid_m;
    if (kind == OUTPUT_MAP_ARRIVAL && cell->arrival != ARRIVAL_NEVER)
        return cell->arrival * (c->problem.params.clock_s / 3600);
    if (kind == OUTPUT_MAP_MAX_THICKNESS && case_shows(c, cell->max_thickness_m))
        return cell->max_thickness_m;
    if (kind == OUTPUT_MAP_THICKNESS && case_shows(c, total)) return total;
    if (kind == OUTPUT_MAP_TEMPERATURE && case_shows(c, total)) return cell->temp_K - CELSIUS_K;
    return (double)NAN;
}

static void output_view_take(struct output_view *v, const double *thickness_m, size_t count)
{
    double low, high;
    map_range(thickness_m, count, &low, &high);
    if (high > v->scale_high_m) v->scale_high_m = high;
}

/* Keeps the cells that a map needs. *thickness_m receives the thickness that a map shows in each kept cell, malloc'ed. */
static int keep_cells(struct output_sheet *s, double **thickness_m, const struct sim_case *c,
                      const struct fields *f, struct error *e)
{
    size_t count = 0;
    FIELDS_EACH (f, row, i) count += cell_differs(c, f, i);
    s->cell = malloc((count + 1) * sizeof *s->cell);
    *thickness_m = malloc((count + 1) * sizeof **thickness_m);
    if (!s->cell || !*thickness_m) return error_memory(e);
    FIELDS_EACH (f, row, i) {
        if (!cell_differs(c, f, i)) continue;
        const struct output_cell k = output_cell_at(f, i);
        (*thickness_m)[s->count] = output_map_value(OUTPUT_MAP_THICKNESS, c, &k);
        s->cell[s->count] = (struct output_kept_cell){
            window_in_domain(f->window, i, c->problem.cols), output_drawn_m(c, k.elevation_m),
            (float)(*thickness_m)[s->count],
            (float)output_map_value(OUTPUT_MAP_TEMPERATURE, c, &k)};
        s->count++;
    }
    return 0;
}

void output_sheet_free(struct output_sheet *s)
{
    RELEASE(s, s->cell);
}

int output_sheet_keep(struct output_sheet *s, struct output_view *v, const struct sim_case *c,
                      const struct fields *f, struct error *e)
{
    FREED double *thickness_m = NULL;
    *s = output_sheet_of(c, f, fields_digest(f, c->problem.rows, c->problem.cols), NULL);
    const int status = keep_cells(s, &thickness_m, c, f, e);
    if (status) output_sheet_free(s);
    else if (!(c->display.scale_m[1] > 0)) output_view_take(v, thickness_m, s->count);
    return status;
}

/* ---- assets.csv: what lava did at the places of interest of a run ---------------------------- */

const char output_assets_head[] = "name,kind,cells,cells_with_lava,arrival_h,";

/* The reached cells of a place of interest: their number, the first arrival as a step, and the largest thicknesses.
 * `cells` is NaN if the place has no terrain; the other numbers are NaN if lava reached no cell. */
struct covering {
    double cells, arrival, max_thickness_m, end_thickness_m;
};

static struct covering covering_of(const struct asset *a, const struct fields *f, int cols)
{
    struct covering s = {a->bare ? (double)NAN : 0, NAN, NAN, NAN};
    for (uint32_t k = 0; k < a->cells; k++) {
        const uint32_t row = a->cell[k] / (uint32_t)cols, col = a->cell[k] % (uint32_t)cols;
        size_t i;
        if (!fields_find(f, (int)row, (int)col, &i) || f->arrival[i] == ARRIVAL_NEVER) continue;
        s.cells++;
        s.arrival = fmin(s.arrival, f->arrival[i]);
        s.max_thickness_m = fmax(s.max_thickness_m, f->max_thickness_m[i]);
        s.end_thickness_m = fmax(s.end_thickness_m, f->thickness_m[i] + f->solid_m[i]);
    }
    return s;
}

static void put_assets(FILE *out, const struct sim_case *c, const struct fields *f)
{
    struct table t = table_to(out);
    TABLE_ROWS (t, i, c->assets->count) {
        const struct asset *a = &c->assets->asset[i];
        const struct covering s = covering_of(a, f, c->problem.cols);
        const double time_s = s.arrival * c->problem.params.clock_s;
        char date[TIMES_TEXT] = "";
        if (!isnan(time_s)) times_date(date, c->start_time, time_s, TIMES_ISO);
        assets_put(&t, a);
        TABLE_REAL(&t, "cells_with_lava", "", 12, s.cells);
        TABLE_REAL(&t, "arrival", "h", 12, time_s / 3600);
        TABLE_TEXT(&t, "arrival_date", date);
        TABLE_REAL(&t, "max_thickness", "m", 9, s.max_thickness_m);
        TABLE_REAL(&t, "end_thickness", "m", 9, s.end_thickness_m);
    }
}

/* The places of interest for maps, malloc'ed; their labels follow the last place. NULL: out of memory. */
static struct map_place *output_places(const struct assets *a)
{
    struct map_place *list =
        calloc((size_t)a->count + 1, sizeof *list + PRODUCT_PLACE * sizeof(char));
    char *label = list ? (char *)(list + a->count) : NULL, name[80];
    for (int i = 0; list && i < a->count; i++, label += PRODUCT_PLACE) {
        const struct asset *x = &a->asset[i];
        if (x->bare)
            snprintf(label, PRODUCT_PLACE, "%s: " WORDS_PART ASSETS_BARE WORDS_NEXT,
                     scan_isolated(name, sizeof name, x->name));
        else snprintf(label, PRODUCT_PLACE, "%s", x->name);
        list[i] = map_place_of(x, label);
    }
    return list;
}

int output_assets(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e)
{
    struct atomic_file w;
    if (!c->assets) return 0;
    FREED char *path = output_file_path(info, c, OUTPUT_ASSETS, e);
    if (!path) return e->code;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        put_assets(w.stream, c, f);
        status = atomic_file_finish(&w, e);
    }
    return output_done(info, path, status, e);
}

/* ---- what all maps of a run have in common --------------------------------------------------- */

/* A mask of all reached cells, malloc'ed; NULL: out of memory. */
static unsigned char *reached_by(const struct output_cut *x)
{
    const struct window *w = &x->window;
    unsigned char *mask = malloc(window_cells(*w)), *to = mask;
    for (int row = 0; mask && row < w->rows; row++)
        for (int col = 0; col < w->cols; col++) {
            const struct output_cell k = output_cell(x, row, col);
            *to++ = k.arrival != ARRIVAL_NEVER || k.thickness_m + k.solid_m > 0;
        }
    return mask;
}

static int widen_view(struct output_view *v, const struct output_cut *x, struct error *e)
{
    const struct window *w = &x->window;
    size_t most = 0, count = 0;
    for (size_t i = 0; i < window_cells(*w); i++) most += v->reached[i];
    FREED double *thickness_m = malloc((most + 1) * sizeof *thickness_m);
    if (!thickness_m) return error_memory(e);
    for (int row = 0; row < w->rows; row++)
        for (int col = 0; col < w->cols; col++) {
            if (!v->reached[(size_t)row * (size_t)w->cols + (size_t)col]) continue;
            const struct output_cell k = output_cell(x, row, col);
            thickness_m[count++] = output_map_value(OUTPUT_MAP_THICKNESS, &x->part.c, &k);
        }
    output_view_take(v, thickness_m, count);
    return 0;
}

int output_view_of(struct output_view *v, double scale_high_m, bool fixed,
                   const struct output_cut *x, struct error *e)
{
    const struct case_display *d = &x->part.c.display;
    *v = (struct output_view){
        .scale_low_m = d->scale_m[0], .scale_high_m = d->scale_m[1], .reached = reached_by(x)};
    if (!v->reached) return error_memory(e);
    if (!d->domain) { /* the map shows all lava, all vents and the observed outline */
        const struct problem *p = &x->part.c.problem;
        window_add_mask(&v->crop, v->reached, p->rows, p->cols);
        for (int i = 0; i < p->vent_count; i++)
            window_add(&v->crop, p->vents[i].row, p->vents[i].col);
        window_add_mask(&v->crop, x->outline, p->rows, p->cols);
        map_crop_finish(&v->crop, p->rows, p->cols);
    }
    const int status = output_around(&v->around, &x->part, v->reached, e);
    if (status || d->scale_m[1] > 0) return status;
    v->scale_high_m = scale_high_m;
    return fixed ? 0 : widen_view(v, x, e);
}

void output_view_free(struct output_view *v)
{
    output_around_free(&v->around);
    RELEASE(v, v->reached);
}

/* ---- texts above and below a map ------------------------------------------------------------- */

char *output_duration_pack(char *out, size_t size, double seconds)
{
    const long long minutes = (long long)(seconds / 60);
    const long long days = minutes / (24 * 60), hours = minutes / 60 % 24;
    if (days)
        return words_pack(out, size,
                          days == 1 ? "%lld day %lld h %lld min" : "%lld days %lld h %lld min",
                          days, hours, minutes % 60);
    if (hours) return words_pack(out, size, "%lld h %lld min", hours, minutes % 60);
    return words_pack(out, size, "%lld min %g s", minutes, seconds - 60.0 * (double)minutes);
}

static const char *volume_unit(bool large)
{
    return large ? "million m\xC2\xB3" WORDS_NEXT : "m\xC2\xB3";
}

/* Writes "1 h 0 min since start, step 30: 0.983 km2 covered, 2.93 million m3 erupted", for a state. The units have
 * superscripts. */
static void amount_text(char *out, size_t size, const struct sim_case *c, const struct fields *f,
                        const char *since)
{
    const double cell_m2 = c->geo.cell_m * c->geo.cell_m, m3 = quanta_m(f->emitted) * cell_m2;
    const bool large = m3 >= 1e6;
    char area[32], volume[32];
    size_t covered = 0;
    FIELDS_EACH (f, row, i) covered += f->thickness_m[i] + f->solid_m[i] > 0;
    const double m2 = (double)covered * cell_m2;
    const bool wide = m2 >= 1e4;
    words_pack(out, size, "%s since start, step %lld: %s %s covered, %s %s erupted", since,
               (long long)f->step, roundnum_brief(area, wide ? m2 / 1e6 : m2),
               wide ? "km\xC2\xB2" : "m\xC2\xB2", roundnum_brief(volume, large ? m3 / 1e6 : m3),
               volume_unit(large));
}

/* Writes "Effusion rates: 4.70 million m3 in 9 days 12 h 0 min from 2006-07-14 21:00 UTC; " for the steps so far. The
 * volume is computed as `asked_m3` in summary.json. */
static void rates_text(char *out, size_t size, const struct sim_case *c, int64_t step)
{
    const struct problem *p = &c->problem;
    const int64_t last = step < p->last_vent_step ? step : p->last_vent_step;
    const double m3 = case_asked_m3(c, p->first_step + 1, step);
    const bool large = m3 >= 1e6;
    char volume[32], time[64], date[TIMES_TEXT], text[200];
    *out = '\0';
    if (!(m3 > 0)) return;
    output_duration_pack(time, sizeof time, (double)(last - p->first_step) * p->params.clock_s);
    times_date(date, c->start_time, (double)p->first_step * p->params.clock_s, TIMES_SAID);
    roundnum_brief(volume, large ? m3 / 1e6 : m3);
    if (*date)
        words_pack(text, sizeof text, "Effusion rates: %s %s in %s from %s", volume,
                   volume_unit(large), time, date);
    else
        words_pack(text, sizeof text, "Effusion rates: %s %s in %s", volume, volume_unit(large),
                   time);
    snprintf(out, size, "%s" WORDS_PART "; " WORDS_PART, text);
}

/* Writes "; 12 % of the lava (0.3 million m3) has entered the sea, the first after 4 h 20 min", or "" if no lava has
 * entered it. */
static void sea_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const struct lava_sea sea = lava_sea(f, &c->problem);
    const bool large = sea.volume_m3 >= 1e6;
    char share[32], volume[32], since[64];
    *out = '\0';
    if (!(sea.volume_m3 > 0)) return;
    output_duration_pack(since, sizeof since, (double)sea.step * c->problem.params.clock_s);
    words_pack(out, size, "; %s %% of the lava (%s %s) has entered the sea, the first after %s",
               roundnum_brief(share, 100 * sea.share),
               roundnum_brief(volume, large ? sea.volume_m3 / 1e6 : sea.volume_m3),
               volume_unit(large), since);
}

static void subtitle_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const double elapsed_s = (double)f->step * c->problem.params.clock_s;
    char since[64], date[TIMES_TEXT], amount[260], into_sea[260];
    output_duration_pack(since, sizeof since, elapsed_s);
    times_date(date, c->start_time, elapsed_s, TIMES_SAID);
    amount_text(amount, sizeof amount, c, f, since);
    sea_text(into_sea, sizeof into_sea, c, f);
    snprintf(out, size, "%s%s%s" WORDS_PART "%s", date, *date ? ", " WORDS_PART : "", amount,
             into_sea);
}

struct output_sheet output_sheet_of(const struct sim_case *c, const struct fields *f,
                                    uint64_t digest, const struct warnings *told)
{
    const struct lava_left left = lava_left(f, &c->problem); /* the map does not show this lava */
    struct output_sheet s = {.step = f->step, .digest = digest};
    const bool ended = told && told->count;
    struct warnings now = ended ? *told : c->told;
    if (!ended) output_warn_of_left(&now, &left, NULL);
    subtitle_text(s.subtitle, sizeof s.subtitle, c, f);
    warnings_of_result(&now, s.alert, sizeof s.alert);
    return s;
}

/* ---- a state, row by row --------------------------------------------------------------------- */

/* What a map of a kind shows. Only the map of arrival has `bands`. */
struct shown {
    const struct output_sheet *sheet;
    const struct output_cut *x;
    enum output_map kind;
    const struct bands *bands;
};

/* The band to which a time of arrival belongs; the first band is 1. NaN: lava never came. */
static double band_of(const struct bands *b, double hours)
{
    int k = 0;
    if (isnan(hours)) return hours;
    while (k + 1 < b->lines.count && (float)hours > (float)b->lines.at[k].time_h) k++;
    return k + 1;
}

static void show_state(const struct shown *s, int row, double *elevation_m, double *value)
{
    const struct sim_case *c = &s->x->part.c;
    for (int col = 0; col < s->x->window.cols; col++) {
        const struct output_cell k = output_cell(s->x, row, col);
        elevation_m[col] = output_drawn_m(c, k.elevation_m);
        value[col] = output_map_value(s->kind, c, &k);
        if (s->kind == OUTPUT_MAP_ARRIVAL) value[col] = band_of(s->bands, value[col]);
    }
}

static void show_kept(const struct shown *s, int row, double *elevation_m, double *value)
{
    const struct window *w = &s->x->window;
    const struct problem *p = s->x->problem;
    const size_t first = (size_t)(w->row0 + row) * (size_t)p->cols + (size_t)w->col0,
                 end = first + (size_t)w->cols;
    for (size_t at = first; at < end; at++) {
        elevation_m[at - first] = output_drawn_m(&s->x->part.c, p->elevation_m[at]);
        value[at - first] = (double)NAN;
    }
    const struct output_kept_cell *k = s->sheet->cell;
    size_t from = 0, kept = s->sheet->count;
    ORDER_HALVE(i, from, kept, k[i].at < first);
    for (k += from; k < s->sheet->cell + s->sheet->count && k->at < end; k++) {
        elevation_m[k->at - first] = k->terrain;
        value[k->at - first] = s->kind == OUTPUT_MAP_THICKNESS ? k->thickness_m : k->temperature_C;
    }
}

static void show_row(const void *shown, int row, double *elevation_m, double *value)
{
    const struct shown *s = shown;
    (s->sheet->cell ? show_kept : show_state)(s, row, elevation_m, value);
}

void output_sheet_row(const struct output_sheet *s, enum output_map kind,
                      const struct output_cut *x, int row, double *elevation_m, double *value)
{
    show_row(&(struct shown){s, x, kind, NULL}, row, elevation_m, value);
}

static const struct product rows[] = {
    {PRODUCT_MAP, "map", "m", "total lava thickness", .number = OUTPUT_MAP_THICKNESS,
     .of_steps = true},
    {PRODUCT_MAP, "map_arrival", NULL, "first arrival of lava, since the start",
     .number = OUTPUT_MAP_ARRIVAL, .of_steps = true, .further = true},
    {PRODUCT_MAP, "map_temperature", "\xC2\xB0\x43", "lava temperature",
     .number = OUTPUT_MAP_TEMPERATURE, .of_steps = true},
    {PRODUCT_MAP, "map_max_thickness", "m", "largest total thickness so far",
     .number = OUTPUT_MAP_MAX_THICKNESS, .of_steps = true},
};
const struct product_table output_map_files = {PRODUCT_TABLE_OF(rows),
                                               .next = &output_export_files};

static const struct product *row_of(enum output_map kind)
{
    const struct product *row = rows;
    while (row->number != (int)kind) row++;
    return row;
}

static void describe_map(struct map *m, enum output_map kind, const struct sim_case *c,
                         const struct output_view *v, const struct bands *b)
{
    m->kind = MAP_SEQUENTIAL;
    m->quantity = row_of(kind)->about;
    m->unit = row_of(kind)->unit;
    if (kind == OUTPUT_MAP_ARRIVAL) {
        m->unit = "h";
        map_set_classes(m, b->class, b->lines.count);
        m->fronts = &b->lines;
    } else if (kind == OUTPUT_MAP_TEMPERATURE) {
        m->colours = COLOURS_HEAT;
        m->scale_low = c->problem.params.temp_sol_K - CELSIUS_K;
        m->scale_high = c->problem.params.temp_vent_K - CELSIUS_K;
    } else if (kind == OUTPUT_MAP_THICKNESS || c->display.scale_m[1] > 0) {
        m->scale_low = v->scale_low_m;
        m->scale_high = v->scale_high_m;
    }
}

int output_sheet_done(const struct output_scene *at, enum output_map kind, int64_t step,
                      double scale_denominator, int status, struct error *e)
{
    FREED char *name = export_layer_name(&at->x->part.c, row_of(kind)->name, step, "");
    if (at->info->folder && !status && scale_denominator > 0)
        at->info->folder->scale_denominator = scale_denominator;
    return name ? output_picture_done(at->info, name, status, e) : error_memory(e);
}

char *output_sheet_note(const struct output_sheet *s, enum output_map kind,
                        const struct output_scene *at)
{
    char by[PRODUCT_BY], note[PRODUCT_NOTE], rates[260];
    product_note(note, sizeof note, &at->x->part.c, product_by_run(by, at->info, s->digest));
    rates_text(rates, sizeof rates, &at->x->part.c, s->step);
    return text_format("%s%s%s",
                       kind == OUTPUT_MAP_ARRIVAL ? PRODUCT_ARRIVAL_CAVEAT WORDS_NEXT WORDS_PART
                           " " WORDS_PART
                                                  : "",
                       rates, note);
}

int output_sheet_with_map(const struct output_sheet *s, enum output_map kind,
                          const struct output_scene *at, map_use *use, void *to, struct error *e)
{
    const struct output_info *info = at->info;
    const struct sim_case *c = &at->x->part.c;
    const struct output_view *v = at->view;
    FREED unsigned char *mark = calloc(window_cells(at->x->window), 1);
    FREED_BY(bands_free) struct bands bands = {0};
    const struct shown shown = {s, at->x, kind, &bands};
    FREED char *note = output_sheet_note(s, kind, at);
    int status = mark && note ? 0 : error_memory(e);
    if (!status && kind == OUTPUT_MAP_ARRIVAL) status = output_bands(&bands, at->x, e);
    if (!status) {
        const struct problem *p = &c->problem;
        for (int i = 0; i < p->vent_count; i++)
            if (!c->vent_spread || !c->vent_spread[i])
                mark[(size_t)p->vents[i].row * (size_t)p->cols + (size_t)p->vents[i].col] =
                    map_mark(p->vents[i].id);
        FREED struct map_place *places = NULL;
        FREED_BY(output_barriers_free) struct map m = product_map_of(c, info);
        m.ground_m = c->problem.elevation_m;
        m.row = show_row;
        m.row_of = &shown;
        m.subtitle = s->subtitle;
        m.note = note;
        m.alert = s->alert;
        m.room_subtitle = v->room_subtitle;
        m.room_alert = v->room_alert;
        m.mark = mark;
        m.outline = at->x->outline;
        m.crop = v->crop;
        m.reached = v->reached;
        m.around = v->around.rows ? &v->around : NULL;
        describe_map(&m, kind, c, v, &bands);
        status = output_barriers(&m, c, e);
        m.places = places = c->assets ? output_places(c->assets) : NULL;
        if (m.places) m.place_count = c->assets->count;
        if (!status) status = use(&m, to, e);
    }
    return status;
}

int output_sheet_paint(const struct output_sheet *s, enum output_map kind,
                       const struct output_scene *at, double *scale_denominator, struct error *e)
{
    FREED char *name = export_layer_name(&at->x->part.c, row_of(kind)->name, s->step, "");
    const struct output_painting to = {.info = at->info,
                                       .c = &at->x->part.c,
                                       .recorded = !at->info->pictures.maps &&
                                                   !product_asked(at->info, row_of(kind), "")};
    struct product_described d = {at->info, name, NULL};
    const int status =
        name ? output_sheet_with_map(s, kind, at, product_describe, &d, e) : error_memory(e);
    return status ? status : output_picture_paint(&to, d.record, scale_denominator, e);
}
