/* case_terrain.c — reads the terrain of a case and its initial lava. */
#include "case_terrain.h"
#include "changes.h"
#include "original_case.h"

#include "base/memory.h"
#include "model/lattice.h"
#include "raster/marks.h"
#include "raster/raster.h"
#include "raster/raster_formats.h"
#include "text/number.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- doubts: marks of no data that are not declared ------------------------------------------- */

/* Writes the command that declares a height as no data in a file; "" if the file cannot be read. */
static void nodata_command(char out[RASTER_COMMAND], const char *path, double value_m)
{
    struct raster_file *f;
    struct raster_unit unit;
    *out = '\0';
    if (raster_open(&f, path, RASTER_ANY_SIZE, NULL, NULL)) return;
    if (!raster_find_unit(&unit, raster_head(f), NULL, path, NULL))
        raster_nodata_command(out, raster_head(f), &unit, value_m, path);
    raster_close(f);
}

/* ---- doubts: zeros, which programs write where they have no source --------------------------- */

struct coast {
    size_t zeros, edges, cliffs; /* cells at 0 m; their edges to other cells; steep edges */
};

static void look_at_edge(struct coast *k, double a_m, double b_m, double most_m)
{
    const double other_m = a_m == 0 ? b_m : a_m;
    if ((a_m == 0) == (b_m == 0) || isnan(other_m)) return;
    k->edges++;
    k->cliffs += fabs(other_m) > most_m;
}

void case_warn_zeros(struct sim_case *c, const double *z, struct window w, const char *path)
{
    const size_t cols = (size_t)c->problem.cols;
    /* A cliff is a step from 0 m, up or down, of more than 100 m and of more than two cell sizes. No coast has cliffs on
     * most of its length. */
    const double most_m = fmax(100, 2 * c->geo.cell_m);
    struct coast k = {0};
    char command[RASTER_COMMAND];
    EACH_CELL(c, w, row, col, i)
    {
        k.zeros += z[i] == 0;
        if ((int)col + 1 < w.col0 + w.cols) look_at_edge(&k, z[i], z[i + 1], most_m);
        if (row + 1 < w.row0 + w.rows) look_at_edge(&k, z[i], z[i + cols], most_m);
    }
    if (2 * k.cliffs <= k.edges) return;
    nodata_command(command, path, 0);
    warnings_say(&c->told, WARNING_INPUT,
                 "%.300s: %zu cell%s at 0 m, below cliffs of more than %g m; if its source does "
                 "not cover them, declare 0 as no data: %s",
                 path, k.zeros, k.zeros == 1 ? " is" : "s are", most_m, command);
}

/* ---- doubts: terraces and pictures ----------------------------------------------------------- */

/* A grid with fewer cells or less relief may be an example with whole numbers, written by hand. */
#define WHOLE_CELLS_MIN    10000
#define WHOLE_RELIEF_MIN_M 10

static bool is_whole(const struct sim_case *c, const double *z, struct window w)
{
    double low = INFINITY, high = -INFINITY;
    size_t cells = 0;
    EACH_CELL(c, w, row, col, i)
    {
        if (isnan(z[i])) continue;
        if (z[i] != floor(z[i])) return false;
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
        cells++;
    }
    return cells >= WHOLE_CELLS_MIN && high - low >= WHOLE_RELIEF_MIN_M;
}

/* ---- doubts: spikes -------------------------------------------------------------------------- */

#define SPIKE_M 1000.0

/* Whether a cell is a spike. Its height differs by more than SPIKE_M, and by more than two cell sizes, from more than
 * three quarters of its neighbours. */
static bool is_spike(const struct sim_case *c, const double *z, struct window w, int row, int col)
{
    const int cols = c->problem.cols;
    const double here_m = z[(size_t)row * (size_t)cols + (size_t)col];
    const double most_m = fmax(SPIKE_M, 2 * c->geo.cell_m);
    int neighbours = 0, far = 0;
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = col - 1; j <= col + 1; j++) {
            if (i < w.row0 || j < w.col0 || i >= w.row0 + w.rows || j >= w.col0 + w.cols ||
                (i == row && j == col))
                continue;
            const double other_m = z[(size_t)i * (size_t)cols + (size_t)j];
            neighbours += !isnan(other_m);
            far += fabs(other_m - here_m) > most_m;
        }
    return far > 0 && 4 * far > 3 * neighbours;
}

static void warn_spikes(struct sim_case *c, const double *z, struct window w, const char *path)
{
    const size_t cols = (size_t)c->problem.cols;
    size_t spikes = 0, first = 0;
    char command[RASTER_COMMAND];
    EACH_CELL(c, w, row, col, i)
    {
        /* a fast check, since most cells differ little from the cell before */
        if (isnan(z[i]) || ((int)col > w.col0 && fabs(z[i] - z[i - 1]) <= SPIKE_M)) continue;
        if (!is_spike(c, z, w, row, (int)col)) continue;
        if (!spikes++) first = i;
    }
    if (!spikes) return;
    nodata_command(command, path, z[first]);
    warnings_say(&c->told, WARNING_INPUT,
                 "%.300s: %zu cell%s more than %g m above or below the neighbours, the first at "
                 "row %zu, column %zu (%g m); correct the DEM, or declare the value as no data: %s",
                 path, spikes, spikes == 1 ? " is" : "s are", fmax(SPIKE_M, 2 * c->geo.cell_m),
                 first / cols, first % cols, z[first], command);
}

void case_doubt_terrain(struct sim_case *c, struct window w, bool bytes, const char *path)
{
    const double *z = c->elevation_m;
    char command[RASTER_COMMAND];
    case_warn_zeros(c, z, w, path);
    if (bytes)
        warnings_say(&c->told, WARNING_INPUT,
                     "%.300s: has only 8 bits for each value, as a picture has; give a DEM with "
                     "heights in metres (Float32)",
                     path);
    else if (is_whole(c, z, w)) {
        raster_dem_command(command, NULL, DEM_SMOOTH, path);
        warnings_say(&c->told, WARNING_INPUT,
                     "%.300s: has whole metres only, which make terraces on which lava stops; "
                     "export it with decimals, or smooth it: %s",
                     path, command);
    }
    warn_spikes(c, z, w, path);
}

/* ---- the rasters of a case ------------------------------------------------------------------- */

/* A padded domain has fewer than INDEX_MAX cells, so that their indices fit in an int. */
#define INDEX_MAX     (2147483648.0 - 1048576.0)
#define CELLS_MAX     4294967296.0 /* limit of the cells of a domain: their indices have 32 bits */
#define TEMP_MAX_K    2000.0
#define INITIAL_MAX_M THICKNESS_MAX_M
#define FAR_MAX_M     1e9
#define ANY_MAX       1e9 /* greatest number that the oracle reads */

/* ---- size and place -------------------------------------------------------------------------- */

/* Returns the number of cells that fit the memory. */
static size_t cells_max(void)
{
    return (size_t)fmin(INDEX_MAX, fmax(1, memory_available() / RASTER_RUN_BYTES));
}

int case_terrain_check_count(int rows, int cols, const char *name, struct error *e)
{
    if (rows < 3 || cols < 3)
        return error_input(e, "%s: has %d x %d cells; give a DEM of at least 3 x 3", name, rows,
                           cols);
    if ((double)rows * cols >= CELLS_MAX)
        return remedy_refuse(
            e, name,
            "%s: has %d x %d cells; at most 2^32 - 1 can be numbered; " REMEDY_CROP_OR_COARSEN,
            name, rows, cols);
    return 0;
}

int case_terrain_check_size(int rows, int cols, const char *name, struct error *e)
{
    int status = case_terrain_check_count(rows, cols, name, e);
    /* 34 rows and 48 columns: the most padding, for whole tiles, alignment and a ring of cells around the domain */
    if (!status && (rows + 34.0) * (cols + 48.0) >= INDEX_MAX)
        status =
            remedy_refuse(e, name, "%s: %d x %d cells are more than 2^31; " REMEDY_CROP_OR_COARSEN,
                          name, rows, cols);
    return status ? status : raster_check_size(name, rows, cols, cells_max(), e);
}

/* Coordinates have to distinguish cells to a thousandth of a side (raster_same_grid()), but a double has only some 16
 * digits. No planet is as large as FAR_MAX_M. */
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

/* ---- arrays of the domain -------------------------------------------------------------------- */

void *case_array(const struct sim_case *c, size_t cell_bytes)
{
    return c->tiles ? memory_reserve(case_cells(c) * cell_bytes)
                    : calloc(case_cells(c), cell_bytes);
}

void case_array_free(const struct sim_case *c, void *array, size_t cell_bytes)
{
    if (c->tiles) memory_release(array, case_cells(c) * cell_bytes);
    else free(array);
}

/* ---- the sea --------------------------------------------------------------------------------- */

size_t case_sea_in(const struct sim_case *c, struct window w, size_t *land)
{
    const double most_m = c->sea_level_m + number_tolerance(c->sea_level_m);
    size_t cells = 0;
    *land = 0;
    EACH_CELL(c, w, row, col, i)
    {
        if (isnan(c->elevation_m[i])) continue;
        c->sea[i] = c->elevation_m[i] <= most_m;
        cells += c->sea[i];
        *land += !c->sea[i];
        if (c->sea[i]) c->elevation_m[i] = NAN;
    }
    return cells;
}

/* ---- a raster on the grid of the DEM --------------------------------------------------------- */

/* Temperatures are not converted: their unit has to be the kelvin, or not declared. */
static int check_kelvin(const struct raster *r, const char *path, struct error *e)
{
    const char *unit = r->unit;
    if (!*unit || !strcmp(unit, "K") || !strcasecmp(unit, "kelvin")) return 0;
    return remedy_refuse(e, path,
                         "%s: its values are in '%s', not in kelvins; declare how they become "
                         "kelvins (stored number * SCALE + OFFSET): " REMEDY_CONVERTED,
                         path, unit, "K");
}

void case_layer_close(struct case_layer *l)
{
    raster_close(l->file);
    RELEASE(l, l->path);
}

enum layer_of { TEMPERATURES, THICKNESSES, HEIGHTS };

static int check_layer(struct case_layer *l, const struct sim_case *c, const char *dem_path,
                       enum layer_of of, struct error *e)
{
    const struct raster dem = {.rows = c->problem.rows, .cols = c->problem.cols, .geo = c->geo};
    struct raster r = *raster_head(l->file);
    r.terrain = of == HEIGHTS;
    if (c->original) original_place(&r, &dem);
    int status = raster_same_grid(&dem, dem_path, &r, l->path, e);
    if (!status) status = raster_check_crs(&r, l->path, &c->geo, e);
    if (status) return status;
    l->unit = (struct raster_unit){1, 1};
    return of != TEMPERATURES ? raster_find_unit(&l->unit, &r, NULL, l->path, e)
                              : check_kelvin(&r, l->path, e);
}

/* Opens a raster, which has to be on the grid of the DEM. */
static int open_layer(struct case_layer *l, const struct sim_case *c, const char *dem_path,
                      const char *path, enum layer_of of, struct file_progress *progress,
                      struct error *e)
{
    *l = (struct case_layer){.path = text_format("%s", path)};
    int status =
        l->path ? raster_open(&l->file, path, RASTER_ANY_SIZE, progress, e) : error_memory(e);
    if (!status) status = check_layer(l, c, dem_path, of, e);
    if (status) case_layer_close(l);
    return status;
}

/* Reads a window into an array of the domain. For an original case, whose window is the domain, *holes becomes the
 * result of original_values(); else 0. */
static int read_cells(const struct case_layer *l, const struct sim_case *c, struct window w,
                      double *array, size_t *holes, struct error *e)
{
    const size_t cols = (size_t)c->problem.cols;
    const struct raster_cells to = {w, array + (size_t)w.row0 * cols + (size_t)w.col0, cols};
    struct raster r = *raster_head(l->file);
    int status = raster_read_window(l->file, &to, NULL, e);
    if (status) return status;
    r.value = array;
    *holes = c->original ? original_values(&r, c->unrounded) : 0;
    raster_convert(&l->unit, &to);
    return 0;
}

int case_layer_read(const struct case_layer *l, const struct sim_case *c, struct window w,
                    double *array, struct error *e)
{
    size_t holes;
    return read_cells(l, c, w, array, &holes, e);
}

/* Checks numbers for the oracle. The published program computes with any number that it reads, so only NaN and numbers
 * beyond ±ANY_MAX are refused. */
static int check_any(double *value, const struct sim_case *c, const char *path, struct error *e)
{
    EACH_CELL(c, case_domain(c), row, col, i)
    {
        if (!(fabs(value[i]) <= ANY_MAX))
            return error_input(e, "%s: has %g at row %d, column %d; give numbers from %g to %g",
                               path, value[i], row, (int)col, -ANY_MAX, ANY_MAX);
    }
    return 0;
}

static int accept_thickness(double *value, const struct sim_case *c, struct window w,
                            const char *path, bool rounded, struct error *e)
{
    if (c->original && c->unrounded) return check_any(value, c, path, e);
    EACH_CELL(c, w, row, col, i)
    {
        if (value[i] == 0) continue;
        if (isnan(value[i])) value[i] = 0;
        if (value[i] < 0 || value[i] > INITIAL_MAX_M)
            return error_input(e, "%s: the thickness is %g m at row %d, column %d; give 0 to %g m",
                               path, value[i], row, (int)col, INITIAL_MAX_M);
        if (value[i] > 0 && isnan(c->elevation_m[i]))
            return error_input(e, "%s: has lava at row %d, column %d, where %s; remove it or %s",
                               path, row, (int)col,
                               c->sea && c->sea[i] ? "the sea is" : "the DEM has no data",
                               c->sea && c->sea[i] ? "lower sea_level" : "fill the hole");
        if (rounded) value[i] = lattice_round(value[i]);
    }
    return 0;
}

/* Checks temperatures: PTsol to PTvent in mobile lava, 0 to TEMP_MAX_K elsewhere. A cell without lava and without data
 * gets 0. */
static int accept_temperature(double *value, const struct sim_case *c, struct window w,
                              const char *path, struct error *e)
{
    if (c->original && c->unrounded) return check_any(value, c, path, e);
    const struct params *p = &c->problem.params;
    EACH_CELL(c, w, row, col, i)
    {
        bool lava = c->thickness_m && c->thickness_m[i] > 0;
        if (isnan(value[i]) && !lava) value[i] = 0;
        if (lava && !(value[i] >= p->temp_sol_K && value[i] <= p->temp_vent_K))
            return error_input(e,
                               "%s: the mobile lava has %g K at row %d, column %d; give PTsol to "
                               "PTvent (%g to %g K)",
                               path, value[i], row, (int)col, p->temp_sol_K, p->temp_vent_K);
        if (value[i] < 0 || value[i] > TEMP_MAX_K)
            return error_input(e, "%s: has %g K at row %d, column %d; give kelvins from 0 to %g",
                               path, value[i], row, (int)col, TEMP_MAX_K);
    }
    return 0;
}

/* Sets the temperature of the initial lava of a window. */
static void heat(const struct sim_case *c, struct window w, double temp_K)
{
    EACH_CELL(c, w, row, col, i)
    {
        if (c->thickness_m[i] > 0) c->temp_K[i] = temp_K;
    }
}

int case_lava_accept(const struct sim_case *c, const struct case_lava_names *l, struct window w,
                     bool rounded, double temp_K, struct error *e)
{
    int status = 0;
    if (c->thickness_m) status = accept_thickness(c->thickness_m, c, w, l->thickness, rounded, e);
    if (!status && c->solid_m)
        status = accept_thickness(c->solid_m, c, w, l->solidified, rounded, e);
    if (!status && l->temperature) status = accept_temperature(c->temp_K, c, w, l->temperature, e);
    else if (!status && c->thickness_m) heat(c, w, temp_K);
    return status;
}

/* Refuses an elevation out of range; else rounds it to the lattice. */
static int accept_elevation(double *z, const struct sim_case *c, struct window w, const char *path,
                            bool rounded, struct error *e)
{
    char command[RASTER_COMMAND];
    EACH_CELL(c, w, row, col, i)
    {
        if (isnan(z[i])) continue;
        if (z[i] < ELEVATION_MIN_M || z[i] > ELEVATION_MAX_M) {
            nodata_command(command, path, z[i]);
            return error_input(e,
                               "%s: the elevation is %g m at row %d, column %d; give %g to %g m, "
                               "or declare the value as no data: %s",
                               path, z[i], row, (int)col, ELEVATION_MIN_M, ELEVATION_MAX_M,
                               *command ? command : "NaN");
        }
        if (rounded) z[i] = lattice_round(z[i]);
    }
    return 0;
}

/* Converts a height to the number in the file. If the result is nearly a whole number, returns that number. */
static double stored_as(const struct case_layer *l, double height_m)
{
    const struct raster *r = raster_head(l->file);
    const double value = height_m * l->unit.per / l->unit.times,
                 stored = r->scale != 0 ? (value - r->offset) / r->scale : value;
    return fabs(stored - rint(stored)) < 1e-6 ? rint(stored) : stored;
}

/* Refuses a terrain with undeclared marks of no data. The whole terrain has been read, in metres. accept_elevation()
 * does not find a mark such as -9999 ft, which is a possible height in metres. */
static int check_marks(const struct case_layer *l, const struct sim_case *c, struct error *e)
{
    struct raster_marks m = RASTER_MARKS_NONE;
    char command[RASTER_COMMAND];
    raster_marks_add(&m, c->elevation_m, case_cells(c));
    double *const value[] = {&m.least.value, &m.least.next, &m.greatest.value, &m.greatest.next};
    const double low_m = m.least.value, high_m = m.greatest.value;
    for (int i = 0; i < 4; i++) *value[i] = stored_as(l, *value[i]);
    const double scale = raster_head(l->file)->scale,
                 ratio = (scale != 0 ? scale : 1) * l->unit.times / l->unit.per;
    const struct raster_extreme *x = raster_marks_find(&m, ratio, c->geo.cell_m, false);
    if (!x) return 0;
    nodata_command(command, l->path, x == &m.least ? low_m : high_m);
    return error_input(e, "%s: %zu cell%s %g, far from all others; declare it as no data: %s",
                       l->path, x->cells, x->cells == 1 ? " is" : "s are", x->value, command);
}

int case_layer_elevation(const struct case_layer *l, const struct sim_case *c, struct window w,
                         double *array, struct error *e)
{
    int status = case_layer_read(l, c, w, array, e);
    if (!status && fabs(l->shift_m) > 0) EACH_CELL(c, w, row, col, i) array[i] += l->shift_m;
    return status ? status : accept_elevation(array, c, w, l->path, true, e);
}

/* Refuses a grid in which no cell has data; `nodata` is the value that marks no data. */
static int check_data(const double *z, double nodata, const struct sim_case *c, const char *path,
                      struct error *e)
{
    EACH_CELL(c, case_domain(c), row, col, i)
    {
        if (!isnan(z[i])) return 0;
    }
    return error_input(e, "%s: no cell has data; check the value that marks no data (%g)", path,
                       nodata);
}

int case_terrain_accept_elevation(struct sim_case *c, const char *name, struct error *e)
{
    int status = check_data(c->elevation_m, (double)NAN, c, name, e);
    return status ? status : accept_elevation(c->elevation_m, c, case_domain(c), name, true, e);
}

/* ---- the whole terrain ----------------------------------------------------------------------- */

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

/* Packs a source that terrain_describe() has written, so that it can be translated (text/words.h). */
char *case_terrain_pack_source(char out[TERRAIN_SOURCE], const struct sim_case *c)
{
    char kind[40], plain[sizeof c->terrain_source];
    int rows, cols;
    double cell_m;
    unsigned long long seed;
    if (sscanf(c->terrain_source,
               "SYNTHETIC TERRAIN: %38[^,], %9d x %9d cells of %lg m, seed %20llu", kind, &rows,
               &cols, &cell_m, &seed) == 5) {
        snprintf(plain, sizeof plain, "SYNTHETIC TERRAIN: %s, %d x %d cells of %g m, seed %llu",
                 kind, rows, cols, cell_m, seed);
        strcat(kind, WORDS_NEXT);
        words_pack(out, TERRAIN_SOURCE, "SYNTHETIC TERRAIN: %s, %d × %d cells of %g m, seed %llu",
                   kind, rows, cols, cell_m, seed);
        if (!strcmp(plain, c->terrain_source)) return out;
    }
    snprintf(out, TERRAIN_SOURCE, "%s", c->terrain_source);
    return out;
}

/* Warns of cells with -9999 in an original case that declares another mark of no data. These cells count as no
 * data, but the published arithmetic computes with them, as the published program does. */
static void note_holes(struct sim_case *c, size_t holes, const char *path)
{
    if (holes == 0) return;
    warnings_say(
        &c->told, WARNING_NOTE,
        "%.200s: %zu cell%s of elevation -9999 count%s as no data, though the file declares %g; "
        "the published arithmetic computes with them, as the published program does",
        path, holes, holes == 1 ? "" : "s", holes == 1 ? "s" : "", c->words.nodata);
}

/* Checks size, place and CRS. Without a CRS the elevations show whether coordinates are degrees; so elevations are
 * read first, unless terrain is read in tiles. */
static int check_head(struct sim_case *c, const struct settings *s, const char *path,
                      struct error *e)
{
    const int rows = c->problem.rows, cols = c->problem.cols;
    char at[512];
    snprintf(at, sizeof at, "%.490s:%d", c->path, settings_line(s, "crs"));
    int status = case_terrain_check_count(rows, cols, path, e);
    if (!status) status = case_terrain_check_place(&c->geo, rows, cols, path, e);
    return status ? status : crs_declare(c, s->epsg, path, at, e);
}

static int read_whole_dem(struct sim_case *c, const struct case_layer *dem,
                          const struct settings *s, bool rounded, struct error *e)
{
    const struct raster *head = raster_head(dem->file);
    const char *path = dem->path;
    size_t holes;
    if (!(c->elevation_m = case_array(c, sizeof *c->elevation_m))) return error_memory(e);
    int status = read_cells(dem, c, case_domain(c), c->elevation_m, &holes, e);
    if (status) return status;
    if (c->original) c->words.nodata = head->nodata;
    note_holes(c, holes, path);
    status = check_head(c, s, path, e);
    if (status || (c->original && c->unrounded))
        return status ? status : check_any(c->elevation_m, c, path, e);
    status = check_data(c->elevation_m, head->nodata, c, path, e);
    if (!status && !c->original) status = check_marks(dem, c, e);
    if (!status) status = accept_elevation(c->elevation_m, c, case_domain(c), path, rounded, e);
    if (!status && !c->original) case_doubt_terrain(c, case_domain(c), head->bytes, path);
    return status;
}

/* Copies what the header of the DEM declares into the case. */
static int take_head(struct sim_case *c, struct case_layer *dem, const struct settings *s,
                     struct error *e)
{
    const struct raster *r = raster_head(dem->file);
    c->geo = r->geo;
    memcpy(c->vertical, r->vertical.name, sizeof c->vertical);
    c->problem.rows = r->rows;
    c->problem.cols = r->cols;
    c->problem.params.cell_m = r->geo.cell_m;
    case_terrain_set_source(c, r->terrain_source, s->terrain_source);
    return raster_find_unit(&dem->unit, r, c->height_unit, dem->path, e);
}

/* Reads a DEM of more than c->whole_cells cells in tiles, and any other DEM at once. For an original case or the
 * oracle, the DEM is always read at once. */
static int read_dem(struct sim_case *c, const struct case_files *f, const struct settings *s,
                    bool rounded, struct file_progress *progress, struct error *e)
{
    struct case_layer dem = {.path = text_format("%s", f->dem)};
    if (strlen(f->dem) < sizeof c->dem) strcpy(c->dem, f->dem);
    const bool whole = c->original || c->unrounded;
    int status = dem.path ? raster_open(&dem.file, f->dem, whole ? cells_max() : RASTER_ANY_SIZE,
                                        progress, e)
                          : error_memory(e);
    if (!status) status = take_head(c, &dem, s, e);
    if (!status && (whole || case_cells(c) <= c->whole_cells)) {
        status = raster_check_size(f->dem, c->problem.rows, c->problem.cols, cells_max(), e);
        if (!status) status = read_whole_dem(c, &dem, s, rounded, e);
    } else if (!status) {
        status = check_head(c, s, f->dem, e);
        if (!status) status = case_tiles_create(c, &dem, e);
    }
    case_layer_close(&dem);
    return status;
}

int case_terrain_read_survey(struct change *x, const struct sim_case *c, const char *dem_path,
                             struct file_progress *progress, struct error *e)
{
    struct case_layer l;
    int status = open_layer(&l, c, dem_path, x->path, HEIGHTS, progress, e);
    if (status) return status;
    const struct window all = case_domain(c);
    l.shift_m = x->shift_m;
    memcpy(x->vertical, raster_head(l.file)->vertical.name, sizeof x->vertical);
    if (!(x->elevation_m = case_array(c, sizeof *x->elevation_m))) status = error_memory(e);
    else if (!c->tiles) status = case_layer_elevation(&l, c, all, x->elevation_m, e);
    if (c->tiles) x->layer = l;
    else case_layer_close(&l);
    return status || c->tiles ? status : check_data(x->elevation_m, (double)NAN, c, x->path, e);
}

/* Makes the sea. The published program has no sea: it computes with cells without data as with other cells. */
static int fill_sea(struct sim_case *c, const struct settings *s, struct error *e)
{
    char said_at[512];
    if (!settings_line(s, "sea_level")) return 0;
    snprintf(said_at, sizeof said_at, "%.480s:%d", c->path, settings_line(s, "sea_level"));
    if (c->unrounded)
        return error_input(e, "%s: sea_level: the published arithmetic has no sea; remove the line",
                           said_at);
    /* Lava or a vent in the sea is refused later, as in any cell without data. */
    const double level_m = s->sea_level_m;
    size_t land;
    if (!(c->sea = case_array(c, 1))) return error_memory(e);
    c->sea_level_m = level_m;
    if (c->tiles) return 0;
    c->sea_cells = case_sea_in(c, case_domain(c), &land);
    if (!land)
        return error_input(e, "%s: the whole terrain is at or below %g m; give a lower level",
                           said_at, level_m);
    if (!c->sea_cells)
        warnings_add(&c->told, WARNING_INPUT, "no cell is at or below sea_level", NULL);
    return 0;
}

static int open_lava(struct case_lava *l, const struct sim_case *c, const struct case_files *f,
                     struct file_progress *progress, struct error *e)
{
    int status = 0;
    if (f->thickness)
        status = open_layer(&l->thickness, c, f->dem, f->thickness, THICKNESSES, progress, e);
    if (!status && f->solidified)
        status = open_layer(&l->solidified, c, f->dem, f->solidified, THICKNESSES, progress, e);
    if (!status && f->temperature)
        status = open_layer(&l->temperature, c, f->dem, f->temperature, TEMPERATURES, progress, e);
    return status;
}

void case_lava_close(struct case_lava *l)
{
    case_layer_close(&l->thickness);
    case_layer_close(&l->solidified);
    case_layer_close(&l->temperature);
}

/* Allocates each array of initial lava that has a file. Allocates temperatures even if only thicknesses have a file. */
static int make_lava_arrays(struct sim_case *c, const struct case_lava *l, struct error *e)
{
    const struct {
        bool needed;
        double **array;
    } arrays[] = {{l->thickness.path, &c->thickness_m},
                  {l->solidified.path, &c->solid_m},
                  {l->thickness.path || l->temperature.path, &c->temp_K}};
    for (int i = 0; i < 3; i++)
        if (arrays[i].needed && !(*arrays[i].array = case_array(c, sizeof **arrays[i].array)))
            return error_memory(e);
    return 0;
}

/* Refuses a raster of thicknesses that follows the relief: it is the DEM, or another DEM of the same place. */
static int check_thickness(const struct sim_case *c, const char *path, const double *value,
                           struct error *e)
{
    double apart_m = 0, relief_m = 0, first_m = NAN;
    if (c->original || !value) return 0;
    EACH_CELL(c, case_domain(c), row, col, i)
    {
        if (isnan(c->elevation_m[i])) continue;
        if (isnan(first_m)) first_m = c->elevation_m[i];
        relief_m += fabs(c->elevation_m[i] - first_m);
        apart_m += fabs(c->elevation_m[i] - (isnan(value[i]) ? 0 : value[i]));
    }
    if (!(apart_m < relief_m / 10)) return 0;
    return error_input(e,
                       "%s: has the heights of the terrain; name a raster of thicknesses of lava, "
                       "0 where there is none",
                       path);
}

static int read_lava(struct sim_case *c, const struct case_lava *l, bool rounded, double temp_K,
                     struct error *e)
{
    const struct {
        const struct case_layer *layer;
        double *array;
    } layers[] = {{&l->thickness, c->thickness_m},
                  {&l->solidified, c->solid_m},
                  {&l->temperature, c->temp_K}};
    int status = 0;
    for (int i = 0; i < 3 && !status; i++)
        if (layers[i].layer->file)
            status = case_layer_read(layers[i].layer, c, case_domain(c), layers[i].array, e);
    if (!status) status = check_thickness(c, l->thickness.path, c->thickness_m, e);
    if (!status) status = check_thickness(c, l->solidified.path, c->solid_m, e);
    const struct case_lava_names names = {l->thickness.path, l->solidified.path,
                                          l->temperature.path};
    return status ? status : case_lava_accept(c, &names, case_domain(c), rounded, temp_K, e);
}

int case_terrain_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                      bool rounded, struct file_progress *progress, struct error *e)
{
    struct case_lava lava = {0};
    int status = read_dem(c, f, s, rounded, progress, e);
    if (!status) status = fill_sea(c, s, e);
    if (!status) status = open_lava(&lava, c, f, progress, e);
    if (!status) status = make_lava_arrays(c, &lava, e);
    if (!status)
        status = c->tiles ? case_tiles_take_lava(c, &lava, s->initial_temp_K, e)
                          : read_lava(c, &lava, rounded, s->initial_temp_K, e);
    case_lava_close(&lava);
    return status;
}
