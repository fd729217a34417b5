/* observed_files.c — rasters and tables of what was observed, as whole numbers on the cells of a
 * case. */
#include "observed_parts.h"

#include "raster/raster.h"
#include "text/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int make_values(struct observation *x, const struct sim_case *c, struct error *e)
{
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    x->value = malloc(cells * sizeof *x->value);
    if (!x->value) return error_memory(e);
    for (size_t i = 0; i < cells; i++) x->value[i] = -1;
    return 0;
}

/* Each cell looks up what the raster has at its middle, so that the grids may differ. */
static int look_up(struct observation *x, const struct raster *r, int64_t (*take)(double),
                   const struct sim_case *c)
{
    const struct georef *g = &c->geo;
    const int rows = c->problem.rows, cols = c->problem.cols;
    int count = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const double value = raster_at(r, g->west_m + (col + 0.5) * g->cell_m,
                                           g->south_m + (rows - row - 0.5) * g->cell_m);
            const int64_t whole = isnan(value) ? -1 : take(value);
            x->value[(size_t)row * (size_t)cols + (size_t)col] = whole;
            count += whole >= 0;
        }
    return count;
}

/* ---- thickness ------------------------------------------------------------------------------- */

/* Differences of two surveys scatter around 0, and where a crater fell in they are far below. */
static const double THICKNESS_LEAST_M = -500, THICKNESS_MOST_M = 4000;

/* Below 0 is none. */
static int64_t take_thickness(double thickness_m)
{
    return thickness_m > 0 ? (int64_t)statistics_thickness(thickness_m) : 0;
}

int observed_read_thickness(struct observation *x, const char *path, const struct sim_case *c,
                            struct error *e)
{
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    struct raster r;
    bool any = false;
    int status = textfile_check_regular(path, "a raster", e);
    if (!status) status = raster_read(&r, path, 0, e);
    if (status) return status;
    status = raster_check_crs(&r, path, &c->geo, e);
    if (!status) status = raster_to_metres(&r, NULL, path, e);
    if (!status) status = raster_check_values(&r, path, THICKNESS_LEAST_M, THICKNESS_MOST_M, e);
    if (!status) status = make_values(x, c, e);
    if (!status) look_up(x, &r, take_thickness, c);
    for (size_t i = 0; i < cells && !status; i++) any = any || x->value[i] > 0;
    raster_free(&r);
    if (status || any) return status;
    return error_input(e,
                       "%s: no cell of the grid has lava in it; give a thickness in m where it was "
                       "surveyed, and no data elsewhere",
                       path);
}

/* ---- arrivals -------------------------------------------------------------------------------- */

/* Which unit it says, if any, in hours; 0: not known. */
static double hours_of(const char *unit)
{
    static const struct {
        const char *name;
        double hours;
    } units[] = {{"", 1},
                 {"h", 1},
                 {"hr", 1},
                 {"hour", 1},
                 {"hours", 1},
                 {"d", 24},
                 {"day", 24},
                 {"days", 24},
                 {"min", 1.0 / 60},
                 {"s", 1 / 3600.0},
                 {"seconds", 1 / 3600.0},
                 {"minutes", 1.0 / 60}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcasecmp(unit, units[i].name)) return units[i].hours;
    return 0;
}

static int to_hours(struct raster *r, const char *path, struct error *e)
{
    const double hours = hours_of(r->unit);
    if (hours == 0)
        return error_input(e,
                           "%s: its times are in '%s'; give hours, and say so: gdal_edit.py "
                           "-units h %s",
                           path, r->unit, path);
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols && hours != 1; i++)
        r->value[i] *= hours;
    return 0;
}

static int64_t take_hours(double hours)
{
    return hours >= 0 && hours < 1e9 ? observed_ms(hours * 3600) : -1;
}

static int read_raster(struct observation *x, const char *path, const struct sim_case *c,
                       struct error *e)
{
    struct raster r;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    status = raster_check_crs(&r, path, &c->geo, e);
    if (!status) status = to_hours(&r, path, e);
    if (!status && !look_up(x, &r, take_hours, c))
        status = error_input(e,
                             "%s: no cell of the grid has a time; give hours since the start, and "
                             "no data where lava did not come",
                             path);
    raster_free(&r);
    return status;
}

/* Of several points in a cell the first that lava came to counts. */
static int take_point(struct observation *x, const struct csv *t, const int column[3],
                      const struct sim_case *c, struct error *e)
{
    const struct georef *g = &c->geo;
    double at[2], time_s;
    int status = csv_real(t, column[0], &at[0], e);
    if (!status) status = csv_real(t, column[1], &at[1], e);
    if (!status) status = csv_time(t, column[2], TIMES_HOURS, c->start_time, &time_s, e);
    if (status) return status;
    const double col = floor((at[0] - g->west_m) / g->cell_m),
                 row = c->problem.rows - 1 - floor((at[1] - g->south_m) / g->cell_m);
    if (!(row >= 0 && row < c->problem.rows && col >= 0 && col < c->problem.cols))
        return error_input(e, "%s:%d: the point lies outside the terrain; correct x and y",
                           t->file.path, t->file.line);
    if (!(time_s >= 0 && time_s < 3.6e12))
        return error_input(e, "%s:%d: give a time since the start of the eruption", t->file.path,
                           t->file.line);
    int64_t *value = &x->value[(size_t)row * (size_t)c->problem.cols + (size_t)col];
    if (*value < 0 || *value > observed_ms(time_s)) *value = observed_ms(time_s);
    return 0;
}

static int read_table(struct observation *x, const char *path, const struct sim_case *c,
                      struct error *e)
{
    struct csv t;
    bool more = true, any = false;
    int status = csv_open(&t, path, e);
    if (status) return status;
    const int column[3] = {csv_column(&t, "x"), csv_column(&t, "y"), csv_column(&t, "time")};
    if (column[0] < 0 || column[1] < 0 || column[2] < 0)
        status = error_input(e, "%s: no columns x, y and time in the first line", path);
    while (!status && !(status = csv_row(&t, &more, e)) && more) {
        status = take_point(x, &t, column, c, e);
        any = true;
    }
    if (!status && !any) status = error_input(e, "%s: no point in it; add rows x,y,time", path);
    csv_close(&t);
    return status;
}

bool observed_in_table(const char *file)
{
    const size_t length = strlen(file);
    return length > 4 && !strcasecmp(file + length - 4, ".csv");
}

int observed_read_arrivals(struct observation *x, const char *path, const struct sim_case *c,
                           struct error *e)
{
    int status = textfile_check_regular(path, "a raster or a table", e);
    if (!status) status = make_values(x, c, e);
    if (status) return status;
    return observed_in_table(path) ? read_table(x, path, c, e) : read_raster(x, path, c, e);
}
