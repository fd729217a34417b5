/* published.c — one step in published arithmetic: libm, doubles, no fused multiply-add, and the operand order of the
 * published program. Rearranging an expression changes bits. The states have the bits of the published program, if pow,
 * atan and cos of the C library round as in glibc 2.36 on a processor with FMA. The exception is a number that the
 * published program reads outside its grid (docs/model.md, section 3). */
/* build: optimized */
#include "published.h"

#include "base/clock.h"
#include "reference.h"
#include "sim/vent.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Neighbour 0 is the cell itself, 1 to 4 are N W E S, 5 to 8 are the diagonals NW SW SE NE. opposite[k] is the number
 * of this cell among the neighbours of neighbour k. */
enum { NEIGHBOURS = 9, VON_NEUMANN = 5 };
static const int row_of[NEIGHBOURS] = {0, -1, 0, 0, 1, -1, 1, 1, -1};
static const int col_of[NEIGHBOURS] = {0, 0, -1, 1, 0, -1, -1, 1, 1};
static const int opposite[NEIGHBOURS] = {0, 4, 3, 2, 1, 7, 8, 5, 6};

/* Columns col0 to col1 - 1 of a row of the domain; col0 = col1 = 0: no column. */
struct published_span {
    int col0, col1;
};

/* Layers have a ring of ghost cells. Ghost cells and cells without data have infinitely high ground, so they never have
 * lava. */
struct published {
    struct problem problem;
    int64_t step;
    bool stopped;
    double mobile_m;  /* mobile lava at the last reduction */
    double emitted_m; /* lava emitted so far */
    double seconds;   /* time spent in published_advance() */

    size_t stride, cells;         /* stride and size of a layer */
    ptrdiff_t offset[NEIGHBOURS]; /* index of a neighbour minus the index of the cell */
    double *memory;               /* all layers of doubles, one after another */
    double *z, *h, *T, *s;
    double *h_next, *T_next;
    double *f[NEIGHBOURS]; /* f[k]: outflow to neighbour k >= 1 */
    double *max_thickness, *max_temp;
    int32_t *arrival;
    unsigned char *border;

    struct published_span *lava;  /* for each row, the span of all cells that ever had lava */
    struct published_span *reach; /* for each row, the span of cells that lava can reach in this
                                     step */
    double a, b, c, d;            /* log10 r = a + b T, log10 hc = c + d T */
    double area_m2;
};

static size_t cell_at(const struct published *p, int row, int col)
{
    return ((size_t)row + 1) * p->stride + (size_t)col + 1;
}

/* ---- spans ----------------------------------------------------------------------------------- */

static void span_include(struct published_span *span, int col0, int col1)
{
    if (span->col0 >= span->col1) *span = (struct published_span){col0, col1};
    if (col0 < span->col0) span->col0 = col0;
    if (col1 > span->col1) span->col1 = col1;
}

/* Finds the spans that lava can reach in this step, in which lava moves by at most one cell. */
static void find_reach(struct published *p)
{
    const int rows = p->problem.rows, cols = p->problem.cols;
    for (int row = 0; row < rows; row++) {
        struct published_span reach = {0, 0};
        for (int near = row - (row > 0); near <= row + 1 && near < rows; near++) {
            const struct published_span lava = p->lava[near];
            if (lava.col0 < lava.col1)
                span_include(&reach, lava.col0 - (lava.col0 > 0), lava.col1 + (lava.col1 < cols));
        }
        p->reach[row] = reach;
    }
}

/* ---- the elementary processes ---------------------------------------------------------------- */

static void emit_lava(struct published *p)
{
    for (int i = 0; i < p->problem.vent_count; i++) {
        const struct vent *vent = &p->problem.vents[i];
        const size_t cell = cell_at(p, vent->row, vent->col);
        const double amount = vent_amount_m(vent, p->step);
        p->h[cell] += amount;
        p->T[cell] = p->problem.params.temp_vent_K;
        p->emitted_m += amount;
        if (p->h[cell] > 0) span_include(&p->lava[vent->row], vent->col, vent->col + 1);
    }
}

/* Minimisation of differences. Removes candidates from `takes` and returns the average level of those that remain. The
 * cell itself (0) may be removed, too. */
static double shared_level(double h, const double level[NEIGHBOURS], bool takes[NEIGHBOURS])
{
    double average;
    bool removed;
    do {
        int count = 0;
        removed = false;
        average = h;
        for (int k = 0; k < NEIGHBOURS; k++)
            if (takes[k]) {
                average += level[k];
                count++;
            }
        if (count) average = average / (double)count;
        for (int k = 0; k < NEIGHBOURS; k++)
            if (takes[k] && average <= level[k]) {
                takes[k] = false;
                removed = true;
            }
    } while (removed);
    return average;
}

/* Computes the outflows of a cell. A cell without lava keeps the outflows of its last step with lava. This defect of
 * the published program is kept on purpose. */
static void compute_outflows(struct published *p, size_t cell)
{
    const double z = p->z[cell], h = p->h[cell], T = p->T[cell];
    if (h <= 0) return;

    const double rate = pow(10, p->a + p->b * T);
    const double critical = pow(10, p->c + p->d * T);
    double level[NEIGHBOURS] = {z}, theta[NEIGHBOURS] = {0};
    bool takes[NEIGHBOURS] = {true};
    for (int k = 1; k < NEIGHBOURS; k++) {
        const size_t there = cell + (size_t)p->offset[k];
        double seen = p->z[there];
        if (k >= VON_NEUMANN) seen = z - (z - seen) / sqrt(2.0);
        level[k] = seen + p->h[there];
        takes[k] = z + h > level[k];
        if (takes[k]) theta[k] = atan((z + h - level[k]) / p->problem.params.cell_m);
    }
    const double average = shared_level(h, level, takes);
    for (int k = 1; k < NEIGHBOURS; k++)
        p->f[k][cell] =
            takes[k] && h > critical * cos(theta[k]) ? rate * (average - level[k]) : 0.0;
}

static void mass_balance(struct published *p, size_t cell)
{
    const double h = p->h[cell], T = p->T[cell];
    double h_next = h, heat_next = h * T;
    for (int k = 1; k < NEIGHBOURS; k++) {
        const size_t there = cell + (size_t)p->offset[k];
        const double in = p->f[opposite[k]][there], out = p->f[k][cell];
        h_next += in - out;
        heat_next += (in * p->T[there] - out * T);
    }
    p->h_next[cell] = h_next > 0 ? h_next : h;
    p->T_next[cell] = h_next > 0 ? heat_next / h_next : T;
}

static void solidify(struct published *p, size_t cell)
{
    const struct params *q = &p->problem.params;
    const double h = p->h[cell], T = p->T[cell];
    const double aus =
        1.0 + (3 * pow(T, 3.0) * q->emissivity * q->stefan_W_m2K4 * q->clock_s * q->cooling) /
                  (q->density_kg_m3 * q->heat_J_kgK * h * p->area_m2);
    const double cooled = T / pow(aus, 1.0 / 3.0);
    if (cooled > q->temp_sol_K) {
        p->T[cell] = cooled;
    } else {
        p->z[cell] += h;
        p->s[cell] += h;
        p->h[cell] = 0;
        p->T[cell] = q->temp_sol_K;
    }
}

/* Updates the records of a cell with lava in this step. The published program has no such records. */
static void keep_record(struct published *p, size_t cell)
{
    const double thickness = p->h[cell] + p->s[cell];
    if (thickness > p->max_thickness[cell]) p->max_thickness[cell] = thickness;
    if (p->T[cell] > p->max_temp[cell]) p->max_temp[cell] = p->T[cell];
    if (p->arrival[cell] == ARRIVAL_NEVER) p->arrival[cell] = (int32_t)p->step;
}

/* ---- one step -------------------------------------------------------------------------------- */

static void next_to_now(struct published *p)
{
    for (int row = 0; row < p->problem.rows; row++) {
        const struct published_span span = p->reach[row];
        const size_t cell = cell_at(p, row, span.col0);
        const size_t bytes = (size_t)(span.col1 - span.col0) * sizeof(double);
        memcpy(p->h + cell, p->h_next + cell, bytes);
        memcpy(p->T + cell, p->T_next + cell, bytes);
    }
}

static void reduce_add(struct published *p)
{
    double sum = 0;
    for (int row = 0; row < p->problem.rows; row++)
        for (int col = p->lava[row].col0; col < p->lava[row].col1; col++)
            sum += p->h[cell_at(p, row, col)];
    p->mobile_m = sum;
    if (p->problem.stop_when_still && p->step > p->problem.last_vent_step)
        p->stopped = sum <= p->problem.stop_mobile_m;
}

static void make_step(struct published *p)
{
    const int rows = p->problem.rows;
    p->step++;
    emit_lava(p);

    for (int row = 0; row < rows; row++)
        for (int col = p->lava[row].col0; col < p->lava[row].col1; col++)
            compute_outflows(p, cell_at(p, row, col));

    find_reach(p);
    for (int row = 0; row < rows; row++)
        for (int col = p->reach[row].col0; col < p->reach[row].col1; col++)
            mass_balance(p, cell_at(p, row, col));
    next_to_now(p);

    for (int row = 0; row < rows; row++)
        for (int col = p->reach[row].col0; col < p->reach[row].col1; col++) {
            const size_t cell = cell_at(p, row, col);
            if (!(p->h[cell] > 0)) continue;
            span_include(&p->lava[row], col, col + 1);
            if (!p->border[cell]) solidify(p, cell);
            keep_record(p, cell);
        }
    /* boundaryConditions follows here, and does nothing in the published program */
    if (p->step % p->problem.reduce_every == 0) reduce_add(p);
}

static quanta quanta_of(double length_m)
{
    return (quanta)(length_m * 68719476736.0); /* 2^36 */
}

/* Makes steps. status->mobile is truncated to a multiple of 2^-36 m. */
static int advance_published(void *self, int64_t steps, struct variant_status *status,
                             struct error *e)
{
    struct published *p = self;
    const double began_s = clock_now_s();
    for (int64_t i = 0; i < steps && !p->stopped; i++) make_step(p);
    p->seconds += clock_now_s() - began_s;
    if (status)
        *status = (struct variant_status){.step = p->step,
                                          .stopped = p->stopped,
                                          .mobile = quanta_of(p->mobile_m),
                                          .threads = 1,
                                          .device_ms = 1e3 * p->seconds};
    return 0;
}

/* ---- creation -------------------------------------------------------------------------------- */

static int allocate_layers(struct published *p, struct error *e)
{
    double **layers[] = {&p->z,       &p->h,    &p->T,    &p->s,    &p->h_next,
                         &p->T_next,  &p->f[1], &p->f[2], &p->f[3], &p->f[4],
                         &p->f[5],    &p->f[6], &p->f[7], &p->f[8], &p->max_thickness,
                         &p->max_temp};
    const size_t count = sizeof layers / sizeof *layers;
    p->memory = calloc(p->cells, count * sizeof(double));
    p->arrival = malloc(p->cells * sizeof *p->arrival);
    p->border = calloc(p->cells, 1);
    p->lava = calloc((size_t)p->problem.rows, sizeof *p->lava);
    p->reach = calloc((size_t)p->problem.rows, sizeof *p->reach);
    if (!p->memory || !p->arrival || !p->border || !p->lava || !p->reach) {
        const double bytes =
            (double)p->cells * (double)(count * sizeof(double) + sizeof *p->arrival + 1);
        return error_input(e,
                           "the published arithmetic needs %.2f GiB of memory for %d x %d cells, "
                           "more than this machine has; use a smaller or coarser grid",
                           bytes / (1024.0 * 1024.0 * 1024.0), p->problem.rows, p->problem.cols);
    }
    for (size_t i = 0; i < count; i++) *layers[i] = p->memory + i * p->cells;
    return 0;
}

/* Finds the line through (temp_sol, log10 at_sol) and (temp_vent, log10 at_vent). */
static void line_through(const struct params *q, double at_sol, double at_vent, double *constant,
                         double *slope)
{
    *slope = (log10(at_vent) - log10(at_sol)) / (q->temp_vent_K - q->temp_sol_K);
    *constant = log10(at_sol) - *slope * q->temp_sol_K;
}

static void load_state(struct published *p)
{
    const struct problem *q = &p->problem;
    for (size_t i = 0; i < p->cells; i++) {
        p->z[i] = INFINITY;
        p->arrival[i] = ARRIVAL_NEVER;
    }
    for (int row = 0; row < q->rows; row++) {
        if (q->full_domain) span_include(&p->lava[row], 0, q->cols);
        for (int col = 0; col < q->cols; col++) {
            const size_t from = (size_t)row * (size_t)q->cols + (size_t)col;
            const size_t cell = cell_at(p, row, col);
            if (!isnan(q->elevation_m[from])) p->z[cell] = q->elevation_m[from];
            if (q->thickness_m) p->h[cell] = q->thickness_m[from];
            if (q->temp_K) p->T[cell] = q->temp_K[from];
            if (q->solid_m) p->s[cell] = q->solid_m[from];
            p->max_thickness[cell] = p->h[cell] + p->s[cell];
            if (!(p->h[cell] > 0)) continue;
            p->max_temp[cell] = p->T[cell];
            p->arrival[cell] = (int32_t)p->step;
            span_include(&p->lava[row], col, col + 1);
        }
    }
}

/* Marks border cells: cells with data next to a cell without data, such as a ghost cell. For the published program a
 * cell below 0 m has no data. */
static void mark_border(struct published *p)
{
    for (int row = 0; row < p->problem.rows; row++)
        for (int col = 0; col < p->problem.cols; col++)
            for (int k = 0; k < NEIGHBOURS; k++) {
                const size_t cell = cell_at(p, row, col);
                const double z = p->z[cell + (size_t)p->offset[k]];
                if (p->z[cell] >= 0 && (z < 0 || isinf(z))) p->border[cell] = 1;
            }
}

static void destroy(void *self)
{
    struct published *p = self;
    if (!p) return;
    FREE_ALL(p->memory, p->arrival, p->border, p->lava, p->reach, p);
}

static int create_published(void **self, const struct problem *problem,
                            const struct variant_options *o, struct error *e)
{
    assert(window_equal(problem->window, problem_domain(problem)));
    *self = NULL;
    struct published *p = calloc(1, sizeof *p);
    if (!p) return error_input(e, "not enough memory for a simulation; end other programs");

    p->problem = *problem;
    p->step = problem->first_step;
    p->stride = (size_t)problem->cols + 2;
    p->cells = p->stride * ((size_t)problem->rows + 2);
    for (int k = 0; k < NEIGHBOURS; k++)
        p->offset[k] = row_of[k] * (ptrdiff_t)p->stride + col_of[k];
    const int status = allocate_layers(p, e);
    if (status) {
        destroy(p);
        return status;
    }
    const struct params *q = &p->problem.params;
    line_through(q, q->rate_sol, q->rate_vent, &p->a, &p->b);
    line_through(q, q->critical_sol_m, q->critical_vent_m, &p->c, &p->d);
    p->area_m2 = q->cell_m * q->cell_m;
    load_state(p);
    mark_border(p);
    *self = p;
    return 0;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* Copies the layers as they are, even values that are not multiples of 2^-36 m. The emitted amount is truncated to
 * such a multiple. No lava ever leaves the domain. */
static int snapshot(void *self, struct fields *out, struct error *e)
{
    const struct published *p = self;
    const size_t cols = (size_t)p->problem.cols, bytes = cols * sizeof(double);
    assert(out->window.rows == p->problem.rows && out->window.cols == p->problem.cols);
    for (int row = 0; row < p->problem.rows; row++) {
        const size_t to = (size_t)row * cols, cell = cell_at(p, row, 0);
        memcpy(out->thickness_m + to, p->h + cell, bytes);
        memcpy(out->temp_K + to, p->T + cell, bytes);
        memcpy(out->solid_m + to, p->s + cell, bytes);
        memcpy(out->max_thickness_m + to, p->max_thickness + cell, bytes);
        memcpy(out->max_temp_K + to, p->max_temp + cell, bytes);
        memcpy(out->arrival + to, p->arrival + cell, cols * sizeof *p->arrival);
        for (size_t i = 0; i < cols; i++)
            out->elevation_m[to + i] = isinf(p->z[cell + i]) ? NAN : p->z[cell + i];
    }
    out->step = p->step;
    out->emitted = quanta_of(p->emitted_m);
    out->left_domain = 0;
    return 0;
}

/* Copies the outflows. A cell that has become dry has the outflows of its last step with lava. */
static int outflows(void *self, double *out, struct error *e)
{
    const struct published *p = self;
    const size_t cols = (size_t)p->problem.cols;
    for (int k = 1; k < NEIGHBOURS; k++)
        for (int row = 0; row < p->problem.rows; row++, out += cols)
            memcpy(out, p->f[k] + cell_at(p, row, 0), cols * sizeof *out);
    return 0;
}

const struct variant variant_oracle = {
    .name = "reference, published arithmetic",
    .summary = "CPU, one thread: the published program, bit for bit",
    .available = reference_available,
    .create = create_published,
    .advance = advance_published,
    .snapshot = snapshot,
    .snapshot_wait = reference_snapshot_wait,
    .outflows = outflows,
    .destroy = destroy,
};
