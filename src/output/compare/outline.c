#include "outline.h"

#include "base/order.h"
#include "raster/marks.h"
#include "raster/raster.h"
#include "text/archive.h"
#include "text/textfile.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct box {
    double west, south, east, north;
};

/* ---- polygons -------------------------------------------------------------------------------- */

/* Makes a grid around all polygons, aligned with the grid *geo. The cells are as large as those of *geo or, if the grid
 * would have too many cells, a multiple of this size. */
static struct georef frame_of(const struct vectors_about *r, const struct georef *geo, int *rows,
                              int *cols)
{
    enum { CELLS_ACROSS = 2000 };
    const double cell = geo->cell_m;
    const double across = r->east - r->west, up = r->north - r->south;
    const double coarse = ceil(fmax(1, fmax(across, up) / cell / CELLS_ACROSS)) * cell;
    struct georef frame = *geo;
    frame.cell_m = coarse;
    frame.west_m += floor((r->west - geo->west_m) / coarse) * coarse;
    frame.south_m += floor((r->south - geo->south_m) / coarse) * coarse;
    *cols = (int)ceil((r->east - frame.west_m) / coarse) + 1;
    *rows = (int)ceil((r->north - frame.south_m) / coarse) + 1;
    return frame;
}

static bool is_on_grid(const struct georef *geo, int rows, int cols, double x, double y)
{
    return x >= geo->west_m && x < geo->west_m + cols * geo->cell_m && y >= geo->south_m &&
           y < geo->south_m + rows * geo->cell_m;
}

static void fill_inside(unsigned char *inside, const struct vectors *v,
                        const struct vector_grid *grid)
{
    struct cell_mask mask = cell_mask_on(inside, grid);
    for (int i = 0; i < v->features; i++) cell_mask_fill(&mask, v, &v->feature[i]);
}

static int measure_beyond(double *beyond_m2, const struct vectors *v, int rows, int cols,
                          const struct georef *geo, struct error *e)
{
    int wide, high;
    *beyond_m2 = 0;
    const struct georef frame = frame_of(&v->about, geo, &high, &wide);
    FREED unsigned char *inside = calloc((size_t)high * (size_t)wide, 1);
    if (!inside) return error_memory(e);
    fill_inside(inside, v, &(struct vector_grid){high, wide, &frame});
    for (int row = 0; row < high; row++)
        for (int col = 0; col < wide; col++) {
            const double x = frame.west_m + (col + 0.5) * frame.cell_m;
            const double y = frame.south_m + (high - row - 0.5) * frame.cell_m;
            if (inside[(size_t)row * (size_t)wide + (size_t)col] &&
                !is_on_grid(geo, rows, cols, x, y))
                *beyond_m2 += frame.cell_m * frame.cell_m;
        }
    return 0;
}

static int fill_from_vectors(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                             int cols, const struct georef *geo, struct error *e)
{
    const struct vector_grid grid = {rows, cols, geo};
    FREED_BY(vectors_free) struct vectors v;
    int status = vectors_read(&v, path, &grid, VECTORS_TAKE_AREAS, NULL, e);
    if (status) return status;
    fill_inside(inside, &v, &grid);
    if (beyond_m2) status = measure_beyond(beyond_m2, &v, rows, cols, geo, e);
    return status;
}

/* ---- rasters --------------------------------------------------------------------------------- */

/* A run reads its outline several times: for its layers, its report, and its agreement. So the last raster of at
 * most KEPT_CELLS cells is kept until its file changes. If the file changed in the last 2 s, its raster is not
 * kept, because the next change of the file might have the same time. */
enum { KEPT_CELLS = 1 << 22 };
static struct {
    pthread_mutex_t lock;
    char *path; /* NULL: nothing is kept */
    struct stat file;
    struct raster raster;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_kept(const char *path, const struct stat *file)
{
    const struct stat *k = &kept.file;
    return kept.path && !strcmp(kept.path, path) && k->st_dev == file->st_dev &&
           k->st_ino == file->st_ino && k->st_size == file->st_size &&
           k->st_mtim.tv_sec == file->st_mtim.tv_sec && k->st_mtim.tv_nsec == file->st_mtim.tv_nsec;
}

static void drop_raster(void)
{
    raster_free(&kept.raster);
    free(kept.path);
    kept.path = NULL;
}

/* Returns the kept raster, or reads it. After success the caller has to call give_raster(); other threads wait for
 * this call. */
static int take_raster(const struct raster **r, const char *path, struct error *e)
{
    struct stat file = {0};
    int status = 0;
    pthread_mutex_lock(&kept.lock);
    *r = &kept.raster;
    if (stat(path, &file) == 0 && is_kept(path, &file)) return 0;
    drop_raster();
    if (!(status = raster_read(&kept.raster, path, 0, e))) {
        if (time(NULL) - file.st_mtim.tv_sec > 2) kept.path = strdup(path);
        kept.file = file;
    } else {
        pthread_mutex_unlock(&kept.lock);
    }
    return status;
}

static void give_raster(void)
{
    if (!kept.path || (size_t)kept.raster.rows * (size_t)kept.raster.cols > KEPT_CELLS)
        drop_raster();
    pthread_mutex_unlock(&kept.lock);
}

/* Each cell gets the value of the raster at the centre of the cell, so the two grids may differ. */
static void sample_raster(unsigned char *inside, const struct raster *r, int rows, int cols,
                          const struct georef *geo)
{
    const double north = geo->south_m + rows * geo->cell_m;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (raster_at(r, geo->west_m + (col + 0.5) * geo->cell_m,
                          north - (row + 0.5) * geo->cell_m) > 0)
                inside[(size_t)row * (size_t)cols + (size_t)col] = 1;
}

static double raster_beyond_m2(const struct raster *r, int rows, int cols, const struct georef *geo)
{
    size_t count = 0;
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            const double x = r->geo.west_m + (col + 0.5) * r->geo.cell_m;
            const double y = r->geo.south_m + (r->rows - row - 0.5) * r->geo.cell_m;
            count += r->value[(size_t)row * (size_t)r->cols + (size_t)col] > 0 &&
                     !is_on_grid(geo, rows, cols, x, y);
        }
    return (double)count * r->geo.cell_m * r->geo.cell_m;
}

/* Whether a raster seems to have elevations, not a flow: all values are above 0, and they differ. */
static bool is_like_terrain(const struct raster *r)
{
    const size_t count = (size_t)r->rows * (size_t)r->cols;
    bool varies = false;
    if (r->missing) return false;
    for (size_t i = 0; i < count; i++) {
        if (!(r->value[i] > 0)) return false;
        varies = varies || r->value[i] > r->value[0] || r->value[i] < r->value[0];
    }
    return varies;
}

/* Whether all values are whole numbers, as those of a mask are. */
static bool is_whole(const struct raster *r)
{
    const size_t count = (size_t)r->rows * (size_t)r->cols;
    for (size_t i = 0; i < count; i++)
        if (r->value[i] > floor(r->value[i])) return false;
    return true;
}

/* Refuses a raster whose greatest value is usually a mark of no data: the cells with this mark
 * would count as lava. Accepts the greatest value as a mark of lava if no other value is above 0.
 * Accepts the greatest value as a thickness if the next smaller value is at least half as large.
 * Also accepts a greatest value of at most 255 as a thickness if some value has a fraction. */
static int check_marks(const struct raster *r, const char *path, struct error *e)
{
    static const double usual[] = {127, 255, 9999, 32767, 65535};
    struct raster_marks m = RASTER_MARKS_NONE;
    char command[RASTER_COMMAND];
    raster_marks_add(&m, r->value, (size_t)r->rows * (size_t)r->cols);
    const struct raster_extreme *x = &m.greatest;
    if (!(x->next > 0 && x->next < x->value / 2) || (x->value <= 255 && !is_whole(r))) return 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (x->value < usual[i] || x->value > usual[i]) continue;
        raster_nodata_command(command, r, NULL, x->value, path);
        return error_input(
            e,
            "%s: %zu cell%s %g and all others are %g or less; if that marks no data, declare it: "
            "%s; if it marks lava, write 1 in its place",
            path, x->cells, x->cells == 1 ? " is" : "s are", x->value, x->next, command);
    }
    return 0;
}

static int fill_from_raster(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                            int cols, const struct georef *geo, struct error *e)
{
    const struct raster *r;
    int status = take_raster(&r, path, e);
    if (status) return status;
    status = raster_check_crs(r, path, geo, e);
    if (!status) status = raster_check_values(r, path, -RASTER_VALUE_MAX, RASTER_VALUE_MAX, e);
    if (!status) status = check_marks(r, path, e);
    if (!status && is_like_terrain(r))
        status = error_input(e,
                             "%s: is above 0 in every cell, as a terrain is; name a raster that is "
                             "above 0 only where lava came, or polygons",
                             path);
    if (!status) sample_raster(inside, r, rows, cols, geo);
    if (!status && beyond_m2) *beyond_m2 = raster_beyond_m2(r, rows, cols, geo);
    give_raster();
    return status;
}

/* The box around the cells with lava. */
static struct box raster_box(const struct raster *r)
{
    const struct georef *g = &r->geo;
    struct box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            if (!(r->value[(size_t)row * (size_t)r->cols + (size_t)col] > 0)) continue;
            const double x = g->west_m + col * g->cell_m,
                         y = g->south_m + (r->rows - row - 1) * g->cell_m;
            b.west = fmin(b.west, x);
            b.south = fmin(b.south, y);
            b.east = fmax(b.east, x + g->cell_m);
            b.north = fmax(b.north, y + g->cell_m);
        }
    return b;
}

/* ---- raster or polygons ---------------------------------------------------------------------- */

int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e)
{
    return outline_read_beyond(inside, NULL, path, rows, cols, geo, e);
}

static int check_raster(const char *path, struct error *e)
{
    FREED char *file = archive_file_of(path);
    return file ? textfile_check_regular(file, "a raster or a vector file", e) : error_memory(e);
}

static int read_box(struct box *b, const char *path, const struct vector_grid *grid,
                    struct error *e)
{
    const struct raster *r;
    struct vectors v;
    if (vectors_are_in(path)) {
        const int status = vectors_read(&v, path, grid, VECTORS_TAKE_AREAS, NULL, e);
        if (status) return status;
        *b = (struct box){v.about.west, v.about.south, v.about.east, v.about.north};
        vectors_free(&v);
        return 0;
    }
    int status = check_raster(path, e);
    if (!status) status = take_raster(&r, path, e);
    if (status) return status;
    *b = raster_box(r);
    give_raster();
    return 0;
}

/* Sets *first and *count to the cells between two positions along a row or column, and one more cell on either side.
 * `low` and `high` are in cells. */
static void enclose(int *first, int *count, double low, double high, int cells)
{
    low = fmin(fmax(floor(low) - 1, 0), cells - 1);
    high = fmin(fmax(ceil(high) + 1, low + 1), cells);
    *first = (int)low;
    *count = (int)(high - low);
}

int outline_window(struct window *w, const char *path, int rows, int cols, const struct georef *geo,
                   struct error *e)
{
    const struct vector_grid grid = {rows, cols, geo};
    const double cell = geo->cell_m, north = geo->south_m + rows * cell;
    struct box b;
    const int status = read_box(&b, path, &grid, e);
    if (status) return status;
    enclose(&w->row0, &w->rows, (north - b.north) / cell, (north - b.south) / cell, rows);
    enclose(&w->col0, &w->cols, (b.west - geo->west_m) / cell, (b.east - geo->west_m) / cell, cols);
    return 0;
}

int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e)
{
    const size_t n = (size_t)rows * (size_t)cols;
    *inside = NULL;
    const bool vectors = vectors_are_in(path);
    int status = vectors ? 0 : check_raster(path, e);
    if (status) return status;
    *inside = calloc(n, 1);
    if (!*inside) return error_memory(e);
    status = vectors ? fill_from_vectors(*inside, beyond_m2, path, rows, cols, geo, e)
                     : fill_from_raster(*inside, beyond_m2, path, rows, cols, geo, e);
    if (!status && !memchr(*inside, 1, n))
        status = error_input(e,
                             "%s: no cell of the grid has its centre in the outline; correct its "
                             "coordinates, or name another file",
                             path);
    if (!status) return 0;
    free(*inside);
    *inside = NULL;
    return status;
}

/* ---- distances of all cells -------------------------------------------------------------------
 * The first pass finds the distance g of each cell to the nearest mark in its column. The second pass finds, in each
 * row, the lower envelope of the parabolas g(i)^2 + (x - i)^2, one for each column i (A. Meijster, J. Roerdink, W.
 * Hesselink: A general algorithm for computing distance transforms in linear time, 2000). All numbers are whole, so
 * nothing is rounded. */

/* The distance in cells to the nearest mark of the same column; -1: the column has no mark. */
static void scan_column(int64_t *g, const unsigned char *mark, int rows, int cols)
{
    int64_t last = -1;
    for (int row = 0; row < rows; row++) {
        const size_t i = (size_t)row * (size_t)cols;
        if (mark[i]) last = row;
        g[i] = last < 0 ? -1 : row - last;
    }
    last = -1;
    for (int row = rows - 1; row >= 0; row--) {
        const size_t i = (size_t)row * (size_t)cols;
        if (mark[i]) last = row;
        if (last >= 0 && (g[i] < 0 || last - row < g[i])) g[i] = last - row;
    }
}

/* A parabola: height + (x - at)^2 is the squared distance from column x of a row to the nearest mark in column `at`.
 * The parabola that is lowest at x gives the distance to all marks. from: the first column where it is the lowest. */
struct parabola {
    int64_t at, height, from;
};

static int64_t value(const struct parabola *p, int64_t x)
{
    return p->height + (x - p->at) * (x - p->at);
}

/* The first column where `right` is below `left`. `right` is below `left` in all later columns, too. */
static int64_t first_below(const struct parabola *left, const struct parabola *right)
{
    const int64_t over = right->at * right->at - left->at * left->at + right->height - left->height,
                  under = 2 * (right->at - left->at);
    return (over >= 0 ? over / under : -((under - 1 - over) / under)) + 1;
}

static void scan_row(int64_t *squared, struct parabola *stack, int cols)
{
    int top = -1;
    for (int col = 0; col < cols; col++) {
        if (squared[col] < 0) continue;
        struct parabola next = {col, squared[col] * squared[col], 0};
        while (top >= 0 && value(&stack[top], stack[top].from) > value(&next, stack[top].from))
            top--;
        if (top >= 0) next.from = first_below(&stack[top], &next);
        if (next.from < cols) stack[++top] = next;
    }
    for (int col = cols - 1; col >= 0; col--) {
        squared[col] = top < 0 ? DISTANCE_NONE : value(&stack[top], col);
        if (top > 0 && col == stack[top].from) top--;
    }
}

int distance_transform(int64_t *squared, const unsigned char *mark, int rows, int cols,
                       struct error *e)
{
    FREED struct parabola *stack = malloc((size_t)cols * sizeof *stack);
    if (!stack) return error_memory(e);
    for (int col = 0; col < cols; col++) scan_column(squared + col, mark + col, rows, cols);
    for (int row = 0; row < rows; row++)
        scan_row(squared + (size_t)row * (size_t)cols, stack, cols);
    return 0;
}

/* ---- two outlines ---------------------------------------------------------------------------- */

static bool is_beside(const unsigned char *cell, int of)
{
    return !(*cell & (of | DISTANCE_UNKNOWN));
}

static size_t mark_outline(unsigned char *mark, const unsigned char *cell, int of, int rows,
                           int cols)
{
    size_t count = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const size_t i = (size_t)row * (size_t)cols + (size_t)col;
            const unsigned char *here = cell + i;
            mark[i] = (*here & of) && ((row > 0 && is_beside(here - cols, of)) ||
                                       (row < rows - 1 && is_beside(here + cols, of)) ||
                                       (col > 0 && is_beside(here - 1, of)) ||
                                       (col < cols - 1 && is_beside(here + 1, of)));
            count += mark[i];
        }
    return count;
}

/* Adds up the distances from each cell on one outline to the other outline. Returns the squared distance that 95 % of
 * these cells do not exceed. */
static int64_t gather_distances(double *sum, int64_t *list, const unsigned char *from,
                                const int64_t *squared, size_t cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells; i++)
        if (from[i]) list[count++] = squared[i];
    for (size_t i = 0; i < count; i++) *sum += sqrt((double)list[i]);
    qsort(list, count, sizeof *list, order_words);
    return list[(count * 95 + 99) / 100 - 1];
}

struct room {
    unsigned char *a, *b;
    int64_t *squared, *list;
};

static int compute_distance(struct outline_distance *d, const struct room *r, const size_t count[2],
                            int rows, int cols, double cell_m, struct error *e)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    double sum = 0;
    int status = distance_transform(r->squared, r->b, rows, cols, e);
    if (status) return status;
    const int64_t there = gather_distances(&sum, r->list, r->a, r->squared, cells);
    status = distance_transform(r->squared, r->a, rows, cols, e);
    if (status) return status;
    const int64_t back = gather_distances(&sum, r->list, r->b, r->squared, cells);
    d->mean_m = sum / (double)(count[0] + count[1]) * cell_m;
    d->p95_m = sqrt((double)(there > back ? there : back)) * cell_m;
    return 0;
}

int outline_distance(struct outline_distance *d, const unsigned char *cell, int rows, int cols,
                     double cell_m, struct error *e)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    FREED unsigned char *mark = malloc(2 * cells);
    FREED int64_t *number = malloc(2 * cells * sizeof *number);
    if (!mark || !number) return error_memory(e);
    const struct room r = {mark, mark + cells, number, number + cells};
    const size_t count[2] = {mark_outline(r.a, cell, DISTANCE_A, rows, cols),
                             mark_outline(r.b, cell, DISTANCE_B, rows, cols)};
    const double none = count[0] || count[1] ? INFINITY : 0;
    *d = (struct outline_distance){none, none};
    return count[0] && count[1] ? compute_distance(d, &r, count, rows, cols, cell_m, e) : 0;
}
