/* case_terrain.c — the terrain of a case and the lava that lies on it at the beginning. */
#include "case_terrain.h"

#include "case_notes.h"
#include "original_case.h"

#include "base/memory.h"
#include "model/lattice.h"
#include "raster/raster.h"
#include "raster/raster_formats.h"
#include "text/number.h"
#include "text/scan.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define INDEX_MAX     (2147483648.0 - 1048576.0) /* of padded cells: indices are ints */
#define TEMP_MAX_K    2000.0
#define INITIAL_MAX_M THICKNESS_MAX_M
#define FAR_MAX_M     1e9
#define ANY_MAX       1e9 /* of any number that the published program computes with */

/* ---- how large ------------------------------------------------------------------------------- */

/* The number of cells that fit the memory. */
static size_t cells_max(void)
{
    return (size_t)fmin(INDEX_MAX, fmax(1, memory_available() / RASTER_RUN_BYTES));
}

int case_terrain_check_count(int rows, int cols, const char *name, struct error *e)
{
    if (rows < 3 || cols < 3)
        return error_input(e, "%s: %d x %d cells; give a DEM of at least 3 x 3", name, rows, cols);
    if ((rows + 34.0) * (cols + 48.0) >= INDEX_MAX) /* whole tiles, a ring, alignment */
        return error_input(e, "%s: %d x %d cells are more than 2^31; " RASTER_CROP, name, rows,
                           cols);
    return 0;
}

int case_terrain_check_size(int rows, int cols, const char *name, struct error *e)
{
    int status = case_terrain_check_count(rows, cols, name, e);
    return status ? status : raster_check_size(name, rows, cols, cells_max(), e);
}

/* Cells are distinguished by their coordinates, to a thousandth of a side (raster_same_grid()): a
 * double has to have the digits for that. Nothing on a planet is as far off as the limit. */
int case_terrain_check_place(const struct georef *geo, int rows, int cols, const char *name,
                             struct error *e)
{
    const double across = cols * geo->cell_m, up = rows * geo->cell_m;
    const double x = fmax(fabs(geo->west_m), fabs(geo->west_m + across));
    const double y = fmax(fabs(geo->south_m), fabs(geo->south_m + up)), far = fmax(x, y);
    if (far <= FAR_MAX_M && far * DBL_EPSILON <= 1e-3 * geo->cell_m) return 0;
    return error_input(
        e, "%s: its lower-left corner is at %.6g, %.6g; give coordinates in metres from %g to %g",
        name, geo->west_m, geo->south_m, -FAR_MAX_M, FAR_MAX_M);
}

/* ---- the sea --------------------------------------------------------------------------------- */

/* Lava or a vent in the sea is refused later, as in any cell without data. */
int case_sea_fill(struct sim_case *c, double level_m, const char *said_at, struct error *e)
{
    const size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    const double most_m = level_m + number_tolerance(level_m);
    size_t land = 0, cells = 0;
    if (!(c->sea = calloc(n, 1))) return error_memory(e);
    for (size_t i = 0; i < n; i++) {
        if (isnan(c->elevation_m[i])) continue;
        c->sea[i] = c->elevation_m[i] <= most_m;
        cells += c->sea[i];
        land += !c->sea[i];
        if (c->sea[i]) c->elevation_m[i] = NAN;
    }
    c->sea_level_m = level_m;
    c->sea_cells = cells;
    if (!land)
        return error_input(e, "%s: the whole terrain is at or below %g m; give a lower level",
                           said_at, level_m);
    if (!cells) case_note(c, "no cell is at or below sea_level");
    return 0;
}

/* ---- one raster ------------------------------------------------------------------------------ */

/* Where cell i lies, for a message. */
struct spot {
    int row, col;
};
static struct spot spot_of(size_t i, int cols)
{
    return (struct spot){(int)(i / (size_t)cols), (int)(i % (size_t)cols)};
}

/* Temperatures have no unit that could be converted: kelvins, or not declared. */
static int check_kelvin(const struct raster *r, const char *path, struct error *e)
{
    const char *unit = r->unit;
    if (!*unit || !strcmp(unit, "K") || !strcasecmp(unit, "kelvin")) return 0;
    return error_input(e,
                       "%s: its values are in '%s', not in kelvins; convert them, then declare the "
                       "unit: gdal_edit.py -units K %s",
                       path, unit, path);
}

/* Reads a raster that must lie on the DEM's grid, of thicknesses or (`lengths` false) of
 * temperatures; the caller frees *value. */
static int read_matching(double **value, const struct sim_case *c, const char *dem_path,
                         const char *path, bool lengths, struct file_progress *progress,
                         struct error *e)
{
    struct raster r, dem = {.rows = c->problem.rows, .cols = c->problem.cols, .geo = c->geo};
    int status = raster_read_watched(&r, path, (size_t)INDEX_MAX, progress, e);
    if (status) return status;
    if (c->original) {
        original_values(&r, c->unrounded);
        original_place(&r, &dem);
    }
    status = raster_same_grid(&dem, dem_path, &r, path, e);
    if (!status) status = raster_check_crs(&r, path, &c->geo, e);
    if (!status) status = lengths ? raster_to_metres(&r, NULL, path, e) : check_kelvin(&r, path, e);
    *value = r.value;
    r.value = NULL;
    raster_free(&r);
    return status;
}

/* The published program computes with any number that it reads. */
static int check_any(double *value, const struct sim_case *c, const char *path, struct error *e)
{
    size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    for (size_t i = 0; i < n; i++) {
        struct spot at = spot_of(i, c->problem.cols);
        if (!(fabs(value[i]) <= ANY_MAX))
            return error_input(e, "%s: %g at row %d, column %d; give numbers from %g to %g", path,
                               value[i], at.row, at.col, -ANY_MAX, ANY_MAX);
    }
    return 0;
}

/* A thickness of lava, mobile or solid: 0 where the raster has no data, and rounded to the lattice. */
int case_terrain_accept_thickness(double *value, const struct sim_case *c, const char *path,
                                  bool rounded, struct error *e)
{
    if (c->original && c->unrounded) return check_any(value, c, path, e);
    size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    for (size_t i = 0; i < n; i++) {
        struct spot at = spot_of(i, c->problem.cols);
        if (isnan(value[i])) value[i] = 0;
        if (value[i] < 0 || value[i] > INITIAL_MAX_M)
            return error_input(e, "%s: thickness %g m at row %d, column %d; give 0 to %g m", path,
                               value[i], at.row, at.col, INITIAL_MAX_M);
        if (value[i] > 0 && isnan(c->elevation_m[i]))
            return error_input(e, "%s: lava at row %d, column %d, where %s; remove it or %s", path,
                               at.row, at.col,
                               c->sea && c->sea[i] ? "the sea is" : "the DEM has no data",
                               c->sea && c->sea[i] ? "lower sea_level" : "fill the hole");
        if (rounded) value[i] = lattice_round(value[i]);
    }
    return 0;
}

/* Mobile lava is between solidification and vent; without lava any temperature is as good, 0 where
 * there is none. */
int case_terrain_accept_temperature(double *value, const struct sim_case *c, const char *path,
                                    struct error *e)
{
    if (c->original && c->unrounded) return check_any(value, c, path, e);
    const struct params *p = &c->problem.params;
    size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    for (size_t i = 0; i < n; i++) {
        struct spot at = spot_of(i, c->problem.cols);
        bool lava = c->thickness_m && c->thickness_m[i] > 0;
        if (isnan(value[i]) && !lava) value[i] = 0;
        if (lava && !(value[i] >= p->temp_sol_K && value[i] <= p->temp_vent_K))
            return error_input(e,
                               "%s: %g K in the mobile lava at row %d, column %d; give PTsol to "
                               "PTvent (%g to %g K)",
                               path, value[i], at.row, at.col, p->temp_sol_K, p->temp_vent_K);
        if (value[i] < 0 || value[i] > TEMP_MAX_K)
            return error_input(e, "%s: %g K at row %d, column %d; give kelvins from 0 to %g", path,
                               value[i], at.row, at.col, TEMP_MAX_K);
    }
    return 0;
}

/* Refuses an elevation out of range; else rounds it to the lattice. `declare`: how to declare a value
 * as no data. */
static int accept_elevation(double *z, const struct raster *r, const char *path,
                            const char *declare, bool rounded, struct error *e)
{
    size_t n = (size_t)r->rows * (size_t)r->cols;
    if (r->missing == n)
        return error_input(e, "%s: no cell has data; check the value that marks no data (%g)", path,
                           r->nodata);
    for (size_t i = 0; i < n; i++) {
        struct spot at = spot_of(i, r->cols);
        if (isnan(z[i])) continue;
        if (z[i] < ELEVATION_MIN_M || z[i] > ELEVATION_MAX_M)
            return error_input(e,
                               "%s: elevation %g m at row %d, column %d; give %g to %g m, or "
                               "declare the value as no data (%s)",
                               path, z[i], at.row, at.col, ELEVATION_MIN_M, ELEVATION_MAX_M,
                               declare);
        if (rounded) z[i] = lattice_round(z[i]);
    }
    return 0;
}

int case_terrain_accept_elevation(struct sim_case *c, size_t missing, const char *name,
                                  struct error *e)
{
    const struct raster r = {.rows = c->problem.rows,
                             .cols = c->problem.cols,
                             .missing = missing,
                             .nodata = (double)NAN};
    return accept_elevation(c->elevation_m, &r, name, "NaN", true, e);
}

/* ---- all of them ----------------------------------------------------------------------------- */

void case_terrain_set_source(struct sim_case *c, const char *of_dem, const char *declared)
{
    static const char mark[] = "SYNTHETIC TERRAIN";
    bool made_up = strncmp(of_dem, mark, strlen(mark)) == 0;
    snprintf(c->terrain_source, sizeof c->terrain_source, "%s",
             declared && !made_up ? declared : of_dem);
    scan_make_printable(c->terrain_source);
    scan_make_printable(c->geo.crs.name);
    c->synthetic = strncmp(c->terrain_source, mark, strlen(mark)) == 0;
}

/* In an original case -9999 is no data, whatever its header declares; the published arithmetic
 * computes with it, as the published program does. */
static void read_original_terrain(struct sim_case *c, struct raster *r, const char *path)
{
    const size_t holes = original_values(r, c->unrounded);
    c->words.nodata = r->nodata;
    char sentence[400];
    if (holes == 0) return;
    snprintf(sentence, sizeof sentence,
             "%.200s: %zu cell%s of elevation -9999 %s no data, though the file declares %g; the "
             "published arithmetic computes with them, as the published program does",
             path, holes, holes == 1 ? "" : "s", holes == 1 ? "has" : "have", r->nodata);
    case_note(c, sentence);
}

static int read_dem(struct sim_case *c, const struct case_files *f, const struct settings *s,
                    bool rounded, struct file_progress *progress, struct error *e)
{
    struct raster r;
    char at[512];
    int status = raster_read_watched(&r, f->dem, cells_max(), progress, e);
    if (status) return status;
    if (c->original) read_original_terrain(c, &r, f->dem);
    snprintf(at, sizeof at, "%.490s:%d", c->path, settings_line(s, "crs"));
    if ((status = raster_to_metres(&r, c->height_unit, f->dem, e))) {
        raster_free(&r);
        return status;
    }
    c->geo = r.geo;
    c->problem.rows = r.rows;
    c->problem.cols = r.cols;
    c->problem.params.cell_m = r.geo.cell_m;
    c->elevation_m = r.value;
    r.value = NULL;
    case_terrain_set_source(c, r.terrain_source, s->terrain_source);
    status = case_terrain_check_count(r.rows, r.cols, f->dem, e);
    if (!status) status = case_terrain_check_place(&c->geo, r.rows, r.cols, f->dem, e);
    if (!status) status = crs_declare(c, s->epsg, f->dem, at, e);
    if (!status && c->original && c->unrounded) status = check_any(c->elevation_m, c, f->dem, e);
    else if (!status)
        status = accept_elevation(c->elevation_m, &r, f->dem, "gdal_edit.py -a_nodata VALUE in.tif",
                                  rounded, e);
    if (!status && !c->original) case_doubt_terrain(c, r.bytes, f->dem);
    raster_free(&r);
    return status;
}

int case_terrain_read_survey(double **elevation_m, const struct sim_case *c, const char *dem_path,
                             const char *path, struct file_progress *progress, struct error *e)
{
    struct raster r = {.rows = c->problem.rows, .cols = c->problem.cols, .nodata = (double)NAN};
    int status = read_matching(&r.value, c, dem_path, path, true, progress, e);
    *elevation_m = r.value;
    return status ? status
                  : accept_elevation(r.value, &r, path, "gdal_edit.py -a_nodata VALUE in.tif", true,
                                     e);
}

/* The published program computes with cells without data as with any others. */
static int fill_sea(struct sim_case *c, const struct settings *s, struct error *e)
{
    char said_at[512];
    if (!settings_line(s, "sea_level")) return 0;
    snprintf(said_at, sizeof said_at, "%.480s:%d", c->path, settings_line(s, "sea_level"));
    if (c->unrounded)
        return error_input(e, "%s: sea_level: the published arithmetic has no sea; remove the line",
                           said_at);
    return case_sea_fill(c, s->sea_level_m, said_at, e);
}

int case_terrain_set_temperature(struct sim_case *c, double temp_K, struct error *e)
{
    size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    c->temp_K = calloc(n, sizeof *c->temp_K);
    if (!c->temp_K) return error_memory(e);
    for (size_t i = 0; i < n; i++)
        if (c->thickness_m[i] > 0) c->temp_K[i] = temp_K;
    return 0;
}

int case_terrain_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                      bool rounded, struct file_progress *progress, struct error *e)
{
    const char *const paths[] = {f->thickness, f->solidified};
    double **const layers[] = {&c->thickness_m, &c->solid_m};
    int status = read_dem(c, f, s, rounded, progress, e);
    if (!status) status = fill_sea(c, s, e);
    for (int i = 0; i < 2 && !status; i++) {
        if (!paths[i]) continue;
        status = read_matching(layers[i], c, f->dem, paths[i], true, progress, e);
        if (!status) status = case_terrain_accept_thickness(*layers[i], c, paths[i], rounded, e);
    }
    if (!status && f->temperature) {
        status = read_matching(&c->temp_K, c, f->dem, f->temperature, false, progress, e);
        if (!status) status = case_terrain_accept_temperature(c->temp_K, c, f->temperature, e);
    } else if (!status && c->thickness_m) {
        status = case_terrain_set_temperature(c, s->initial_temp_K, e);
    }
    return status;
}
