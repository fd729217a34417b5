/* output_map.c — one state as a PNG map: total lava thickness over the hillshade. */
#include "output_parts.h"

#include "map/map.h"
#include "draw/roundnum.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* "22 days 5 h 20 min" */
static void duration_text(char *out, size_t size, double seconds)
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
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    const bool large = m3 >= 1e6;
    char area[32], volume[32];
    size_t covered = 0;
    for (size_t i = 0; i < n; i++) covered += f->thickness_m[i] + f->solid_m[i] > 0;
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
static void alert_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
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
    duration_text(since, sizeof since, (double)sea.step * c->problem.params.clock_s);
    snprintf(out, size, "; %s, the first after %s", lost, since);
}

static void subtitle_text(char *out, size_t size, const struct sim_case *c, const struct fields *f)
{
    const double elapsed_s = (double)f->step * c->problem.params.clock_s;
    char since[64], date[TIMES_TEXT], amount[128], into_sea[240];
    duration_text(since, sizeof since, elapsed_s);
    times_date(date, c->start_time, elapsed_s, TIMES_SAID);
    amount_text(amount, sizeof amount, c, f);
    sea_text(into_sea, sizeof into_sea, c, f);
    snprintf(out, size, "%s%s%s since start, step %lld: %s%s", date, *date ? ", " : "", since,
             (long long)f->step, amount, into_sea);
}

/* In published arithmetic cells without data are deep holes; a map shows them as what they are.
 * malloc'ed; NULL: no memory. */
static double *drawn_terrain(const struct fields *f)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    double *z = malloc(n * sizeof *z);
    for (size_t i = 0; z && i < n; i++)
        z[i] = f->elevation_m[i] < ELEVATION_MIN_M ? (double)NAN : f->elevation_m[i];
    return z;
}

/* Lava that is thick enough to be drawn, NaN elsewhere. */
static void drawn_thickness(double *value, const struct fields *f, double threshold_m)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const double total = f->thickness_m[i] + f->solid_m[i];
        value[i] = total > 0 && total >= threshold_m ? total : (double)NAN;
    }
}

static void mark_vents(unsigned char *mark, const struct sim_case *c, const struct window *w)
{
    for (int v = 0; v < c->problem.vent_count; v++) {
        const int row = c->problem.vents[v].row - w->row0, col = c->problem.vents[v].col - w->col0;
        if (row >= 0 && row < w->rows && col >= 0 && col < w->cols)
            mark[(size_t)row * (size_t)w->cols + (size_t)col] = 1;
    }
}

/* The window's part of a mask of the domain. */
static void cut_mask(unsigned char *part, const unsigned char *whole, const struct window *w,
                     int domain_cols)
{
    for (int row = 0; row < w->rows; row++)
        for (int col = 0; col < w->cols; col++)
            part[(size_t)row * (size_t)w->cols + (size_t)col] =
                whole[(size_t)(row + w->row0) * (size_t)domain_cols + (size_t)(col + w->col0)];
}

int output_map(const struct output_info *info, const struct sim_case *c, const struct fields *f,
               const unsigned char *outline, struct error *e)
{
    const struct window *w = &f->window;
    const size_t n = (size_t)w->rows * (size_t)w->cols;
    double *value = malloc(n * sizeof *value);
    const bool holes = c->original && c->unrounded;
    double *terrain = holes ? drawn_terrain(f) : NULL;
    unsigned char *mark = calloc(n, 1), *observed = outline ? malloc(n) : NULL,
                  *sea = c->sea ? malloc(n) : NULL;
    char *path = output_path(info, c, "map", f->step, ".png");
    char subtitle[560], note[400], alert[160];
    int status;
    if (!value || !mark || !path || (outline && !observed) || (c->sea && !sea) ||
        (holes && !terrain)) {
        status = error_failed(e, "out of memory while drawing the map");
    } else {
        drawn_thickness(value, f, c->visual_threshold_m);
        mark_vents(mark, c, w);
        if (outline) cut_mask(observed, outline, w, c->problem.cols);
        if (sea) cut_mask(sea, c->sea, w, c->problem.cols);
        subtitle_text(subtitle, sizeof subtitle, c, f);
        alert_text(alert, sizeof alert, c, f);
        snprintf(note, sizeof note, "%s%ssciara %s, %s", c->terrain_source,
                 *c->terrain_source ? "; " : "", info->version, info->variant);
        struct map m = {
            .rows = w->rows,
            .cols = w->cols,
            .geo = output_georef(c, f),
            .elevation_m = holes ? terrain : f->elevation_m,
            .value = value,
            .kind = MAP_SEQUENTIAL,
            .title = *c->title ? c->title : c->name,
            .subtitle = subtitle,
            .quantity = "total lava thickness",
            .unit = "m",
            .note = note,
            .alert = alert,
            .warning = c->synthetic ? "SYNTHETIC TERRAIN" : NULL,
            .mark = mark,
            .outline = observed,
            .sea = sea,
        };
        status = output_spare(c, path, e);
        if (!status) status = output_barriers(&m, c, e);
        if (!status) status = map_write(path, &m, e);
        output_barriers_free(&m);
        if (!status) status = output_wrote(info, path, e);
    }
    free(value);
    free(terrain);
    free(mark);
    free(observed);
    free(sea);
    free(path);
    return status;
}
