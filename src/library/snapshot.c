/* snapshot.c — the state at a step, copied while the steps continue. */
#include "inside.h"
#include "library.h"

#include "base/lock.h"
#include "compare/lava_extent.h"
#include "model/lattice.h"
#include "record/painters.h"
#include "sim/grid.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking a snapshot ----------------------------------------------------------------------- */

int snapshot_create(sciara_snapshot **out, sciara_simulation *s, struct error *e)
{
    *out = NULL;
    sciara_snapshot *x = calloc(1, sizeof *x);
    if (!x) return error_memory(e);
    int status = simulation_lives(s, e);
    if (!status) {
        FREED_BY(loops_end) const struct loops before = simulation_loops(s);
        status = held_room(s->held, &x->f, e);
    }
    if (status) {
        free(x);
        return status;
    }
    pthread_mutex_init(&x->lock, NULL);
    atomic_fetch_add(&s->users, 1);
    x->s = s;
    x->copied = true; /* there is no copy to wait for */
    *out = x;
    return 0;
}

int snapshot_begin(sciara_snapshot *x, struct error *e)
{
    sciara_simulation *s = x->s;
    if (simulation_lives(s, e)) return ERROR_FAILED;
    FREED_BY(loops_end) const struct loops before = simulation_loops(s);
    turn_begin(s);
    simulation_collect(s);
    int status = held_snapshot(s->held, &x->f, e);
    if (!status) {
        pthread_mutex_lock(&s->lock);
        x->copied = false;
        s->copying = x;
        pthread_mutex_unlock(&s->lock);
        x->step = s->now.step;
        x->ground = s->c.problem.elevation_m;
        x->f.ground = s->changed_by;
    }
    turn_end(s);
    return status;
}

int sciara_snapshot_take(sciara_snapshot **snapshot, sciara_simulation *s, struct sciara_error *e)
{
    struct error mine = {0};
    int status = snapshot_create(snapshot, s, &mine);
    if (status) return return_error(e, &mine);
    status = snapshot_begin(*snapshot, &mine);
    if (!status) return 0;
    sciara_snapshot_free(*snapshot);
    *snapshot = NULL;
    return return_error(e, &mine);
}

/* Completes the copy. If another thread is calling the variant (turn_begin()), waits until that thread has completed
 * the copy. */
static void wait_for_copy(sciara_snapshot *x)
{
    sciara_simulation *s = x->s;
    pthread_mutex_lock(&s->lock);
    while (!x->copied && s->busy) pthread_cond_wait(&s->changed, &s->lock);
    const bool mine = !x->copied;
    if (mine) s->busy = true;
    pthread_mutex_unlock(&s->lock);
    if (!mine) return;
    FREED_BY(loops_end) const struct loops before = simulation_loops(s);
    simulation_collect(s);
    turn_end(s);
}

void sciara_snapshot_free(sciara_snapshot *x)
{
    if (!x) return;
    wait_for_copy(x);
    fields_free(&x->f);
    fields_free(&x->whole);
    pthread_mutex_destroy(&x->lock);
    simulation_drop(x->s);
    free(x);
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Returns the sums for the variants with the published arithmetic. Their heights are no multiples of the ledger's
 * unit, so the sums are truncated, and need not balance. */
static struct ledger totals(const struct fields *f)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    double solid_m = 0;
    for (size_t i = 0; i < n; i++) solid_m += f->solid_m[i];
    return (struct ledger){.emitted = f->emitted,
                           .mobile = fields_mobile(f, NULL),
                           .solidified = (quanta)(solid_m * LATTICE_PER_M),
                           .left_domain = f->left_domain};
}

/* The message of fields_ledger() names the thickest cell. Adds the coordinates of this cell to the message. */
static void add_place(sciara_snapshot *x)
{
    const struct georef *geo = &x->s->c.geo;
    const struct window *w = &x->f.window;
    const size_t i = fields_thickest(&x->f), cols = (size_t)w->cols;
    const double row = (double)(i / cols) + w->row0, col = (double)(i % cols) + w->col0;
    const double north_m = geo->south_m + x->s->c.problem.rows * geo->cell_m;
    struct error *e = &x->error;
    const size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used, " (the cell's centre: x %.10g, y %.10g)",
             geo->west_m + (col + 0.5) * geo->cell_m, north_m - (row + 0.5) * geo->cell_m);
}

/* Waits for the copy, and checks its ledger once. */
int snapshot_ready(sciara_snapshot *x, struct error *e)
{
    wait_for_copy(x);
    LOCKED(&x->lock);
    if (!x->checked) {
        FREED_BY(loops_end) const struct loops before = simulation_loops(x->s);
        struct problem then = x->s->c.problem;
        then.elevation_m = x->ground;
        x->status = x->copy_status;
        if (!x->status && x->s->published) x->ledger = totals(&x->f);
        else if (!x->status) x->status = fields_ledger(&x->ledger, &x->f, &then, &x->error);
        if (x->status == ERROR_INPUT && !x->copy_status) add_place(x);
        x->checked = true;
    }
    if (x->status && e) *e = x->error;
    return x->status;
}

int sciara_snapshot_wait(sciara_snapshot *x, struct sciara_error *e)
{
    struct error mine = {0};
    return snapshot_ready(x, &mine) ? return_error(e, &mine) : 0;
}

const struct fields *snapshot_inside(const sciara_snapshot *x)
{
    return &x->f;
}

/* ---- fields ---------------------------------------------------------------------------------- */

int64_t sciara_snapshot_step(sciara_snapshot *x)
{
    return x->step;
}

/* `at`: offset of the array in struct fields; 0: the field is computed. */
static const struct {
    size_t at;
    enum output_layer layer;
} fields_table[] = {
    [SCIARA_ELEVATION] = {offsetof(struct fields, elevation_m), OUTPUT_ELEVATION},
    [SCIARA_THICKNESS] = {offsetof(struct fields, thickness_m), OUTPUT_THICKNESS},
    [SCIARA_TEMPERATURE] = {offsetof(struct fields, temp_K), OUTPUT_TEMPERATURE},
    [SCIARA_SOLIDIFIED] = {offsetof(struct fields, solid_m), OUTPUT_SOLIDIFIED},
    [SCIARA_MAX_THICKNESS] = {offsetof(struct fields, max_thickness_m), OUTPUT_MAX_THICKNESS},
    [SCIARA_MAX_TEMPERATURE] = {offsetof(struct fields, max_temp_K), OUTPUT_MAX_TEMPERATURE},
    [SCIARA_TOTAL_THICKNESS] = {0, OUTPUT_TOTAL},
    [SCIARA_ARRIVAL] = {0, OUTPUT_ARRIVAL},
};

/* The state in the whole domain. Outside the window it is the initial state. NULL: out of memory, or the terrain
 * cannot be read. */
static const struct fields *whole(sciara_snapshot *x, struct error *e)
{
    struct problem then = x->s->c.problem;
    const struct window all = problem_domain(&then);
    if (snapshot_ready(x, e)) return NULL;
    if (!x->f.there && window_equal(x->f.window, all)) return &x->f;
    LOCKED(&x->lock);
    if (x->whole.arrival) return &x->whole;
    FREED_BY(loops_end) const struct loops before = simulation_loops(x->s);
    then.elevation_m = x->ground;
    return fields_in(&x->whole, &x->f, &then, all, e) ? NULL : &x->whole;
}

static const double *stored(const struct fields *f, int field)
{
    const bool known = field >= SCIARA_ELEVATION && field <= SCIARA_ARRIVAL;
    if (!known || !fields_table[field].at) return NULL;
    return *(double *const *)((const char *)f + fields_table[field].at);
}

const double *sciara_snapshot_field(sciara_snapshot *x, enum sciara_field field)
{
    const struct fields *f = whole(x, NULL);
    return f ? stored(f, (int)field) : NULL;
}

const int32_t *sciara_snapshot_arrival_step(sciara_snapshot *x)
{
    const struct fields *f = whole(x, NULL);
    return f ? f->arrival : NULL;
}

static int check_room(const sciara_snapshot *x, int field, const void *out, size_t count,
                      struct error *e)
{
    const struct problem *p = &x->s->c.problem;
    const size_t n = window_cells(problem_domain(p));
    if (field < SCIARA_ELEVATION || field > SCIARA_ARRIVAL)
        return error_input(e, "field %d: no such field", field);
    if (!out) return error_input(e, "out: is NULL; give an array of %zu elements", n);
    if (count == n) return 0;
    return error_input(e, "out: has %zu elements; give %d x %d", count, p->rows, p->cols);
}

int sciara_snapshot_read(sciara_snapshot *x, enum sciara_field field, float *out, size_t count,
                         struct sciara_error *e)
{
    const struct problem *p = &x->s->c.problem;
    const struct sciara_window all = {0, 0, p->rows, p->cols};
    return sciara_snapshot_read_window(x, field, &all, out, count, e);
}

int sciara_snapshot_window(sciara_snapshot *x, struct sciara_window *w, struct sciara_error *e)
{
    struct error mine = {0};
    *w = (struct sciara_window){0};
    if (snapshot_ready(x, &mine)) return return_error(e, &mine);
    const struct window *of = &x->f.window;
    *w = (struct sciara_window){of->row0, of->col0, of->rows, of->cols};
    return 0;
}

static int check_window(const sciara_snapshot *x, const struct sciara_window *w, size_t count,
                        struct error *e)
{
    const struct problem *p = &x->s->c.problem;
    if (w->row0 < 0 || w->col0 < 0 || w->rows <= 0 || w->cols <= 0 || w->rows > p->rows - w->row0 ||
        w->cols > p->cols - w->col0)
        return error_input(
            e, "window: row0 %d, col0 %d, rows %d, cols %d is not in the domain of %d x %d cells",
            w->row0, w->col0, w->rows, w->cols, p->rows, p->cols);
    if (count == (size_t)w->rows * (size_t)w->cols) return 0;
    return error_input(e, "out: has %zu elements; give %d x %d", count, w->rows, w->cols);
}

int sciara_snapshot_read_window(sciara_snapshot *x, enum sciara_field field,
                                const struct sciara_window *w, float *out, size_t count,
                                struct sciara_error *e)
{
    struct error mine = {0};
    struct problem then = x->s->c.problem;
    const size_t all = window_cells(problem_domain(&then));
    int status = check_room(x, (int)field, out, all, &mine);
    if (!status) status = check_window(x, w, count, &mine);
    if (!status) status = snapshot_ready(x, &mine);
    if (status) return return_error(e, &mine);
    const struct window of = {w->row0, w->col0, w->rows, w->cols};
    FREED_BY(loops_end) const struct loops before = simulation_loops(x->s);
    then.elevation_m = x->ground;
    const struct output_cut cut = {.window = of, .f = &x->f, .problem = &then};
    status = problem_read_terrain(&then, of, &mine);
    if (!status) output_layer_values(fields_table[field].layer, &cut, then.params.clock_s, out);
    return status ? return_error(e, &mine) : 0;
}

/* A length in units of the ledger. It is below 2^15 m and a multiple of the unit, so the conversion is exact. */
static int64_t units_of(double m)
{
    return isnan(m) ? INT64_MIN : (int64_t)(m * LATTICE_PER_M);
}

static void read_exact(const struct fields *f, enum sciara_field field, int64_t *out, size_t count)
{
    const double *value = field == SCIARA_TOTAL_THICKNESS ? f->thickness_m : stored(f, (int)field);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        if (field == SCIARA_ARRIVAL)
            out[i] = f->arrival[i] == ARRIVAL_NEVER ? INT64_MAX : f->arrival[i];
        else if (field == SCIARA_TOTAL_THICKNESS)
            out[i] = units_of(value[i]) + units_of(f->solid_m[i]);
        else out[i] = units_of(value[i]);
    }
}

int sciara_snapshot_read_exact(sciara_snapshot *x, enum sciara_field field, int64_t *out,
                               size_t count, struct sciara_error *e)
{
    struct error mine = {0};
    const struct fields *f;
    if (check_room(x, (int)field, out, count, &mine)) return return_error(e, &mine);
    if (field == SCIARA_TEMPERATURE || field == SCIARA_MAX_TEMPERATURE)
        error_input(&mine,
                    "temperatures are not stored in whole units; use sciara_snapshot_field()");
    else if (x->s->published)
        error_input(&mine,
                    "published arithmetic does not store whole units; use sciara_snapshot_field()");
    else if ((f = whole(x, &mine))) {
        FREED_BY(loops_end) const struct loops before = simulation_loops(x->s);
        read_exact(f, field, out, count);
    }
    return mine.code ? return_error(e, &mine) : 0;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static struct sciara_sum sum_of(quanta q)
{
    return (struct sciara_sum){.low = (uint64_t)q, .high = (int64_t)(q >> 64)};
}

double sciara_sum_value(struct sciara_sum sum)
{
    return (double)((quanta)sum.high * ((quanta)1 << 64) + (quanta)sum.low);
}

static struct sciara_heat_ledger heat_ledger_of(const struct heat_ledger *l, double unit_J)
{
    return (struct sciara_heat_ledger){.initial = sum_of(l->initial),
                                       .emitted = sum_of(l->emitted),
                                       .mobile = sum_of(l->mobile),
                                       .solidified = sum_of(l->solidified),
                                       .left_domain = sum_of(l->left_domain),
                                       .cooled = sum_of(l->cooled),
                                       .unit_J = unit_J};
}

int sciara_snapshot_ledger(sciara_snapshot *x, struct sciara_ledger *ledger, struct sciara_error *e)
{
    struct error mine = {0};
    const struct params *p = &x->s->c.problem.params;
    *ledger = (struct sciara_ledger){.unit_m3 = p->cell_m * p->cell_m / LATTICE_PER_M,
                                     .heat.unit_J = quanta_J(1, p)};
    if (snapshot_ready(x, &mine)) return return_error(e, &mine);
    ledger->initial = sum_of(x->ledger.initial);
    ledger->emitted = sum_of(x->ledger.emitted);
    ledger->mobile = sum_of(x->ledger.mobile);
    ledger->solidified = sum_of(x->ledger.solidified);
    ledger->left_domain = sum_of(x->ledger.left_domain);
    ledger->entered_sea = sum_of(x->ledger.entered_sea);
    ledger->ground_raised = sum_of(x->ledger.ground.raised);
    ledger->ground_lowered = sum_of(x->ledger.ground.lowered);
    ledger->heat = heat_ledger_of(&x->ledger.heat, ledger->heat.unit_J);
    return 0;
}

uint64_t sciara_snapshot_digest(sciara_snapshot *x)
{
    if (snapshot_ready(x, NULL)) return 0;
    FREED_BY(loops_end) const struct loops before = simulation_loops(x->s);
    const struct problem *p = &x->s->c.problem;
    return fields_digest(&x->f, p->rows, p->cols);
}

size_t sciara_snapshot_differ(sciara_snapshot *a, sciara_snapshot *b, const char **field)
{
    const char *first = NULL;
    const struct problem *p = &a->s->c.problem, *q = &b->s->c.problem;
    if (field) *field = "";
    if (snapshot_ready(a, NULL) || snapshot_ready(b, NULL) || p->rows != q->rows ||
        p->cols != q->cols)
        return SIZE_MAX;
    FREED_BY(loops_end) const struct loops before = simulation_loops(a->s);
    const size_t cells = fields_differ(&a->f, &b->f, &first);
    if (field && first) *field = first;
    return cells;
}

int sciara_snapshot_extent(sciara_snapshot *x, struct sciara_extent *extent, struct sciara_error *e)
{
    struct error mine = {0};
    const struct problem *p = &x->s->c.problem;
    *extent = (struct sciara_extent){
        .runout_m = (double)NAN, .sea_step = -1, .sea_row = -1, .sea_col = -1};
    if (snapshot_ready(x, &mine)) return return_error(e, &mine);
    const struct extent found = extent_of(&x->f, p);
    extent->cells = found.cells;
    extent->area_m2 = (double)found.cells * (p->params.cell_m * p->params.cell_m);
    extent->runout_m = found.runout_m;
    extent->max_thickness_m = found.max_thickness_m;
    extent->thickest_m = found.thickest_m;
    extent->left_m3 = found.left.volume_m3;
    extent->left_share = found.left.share;
    extent->front_cells = found.front.way;
    extent->front_cells_at_limit = found.front.at_limit;
    extent->sea_m3 = found.sea.volume_m3;
    extent->sea_share = found.sea.share;
    extent->sea_step = found.sea.step;
    extent->sea_row = found.sea.row;
    extent->sea_col = found.sea.col;
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

struct output_info snapshot_info(const sciara_simulation *s, const char *folder, unsigned formats,
                                 struct file_progress *progress)
{
    return (struct output_info){.directory = folder,
                                .formats = formats,
                                .variant = s->variant->name,
                                .device = s->device,
                                .version = sciara_version(),
                                .full_domain = s->c.problem.full_domain,
                                .threads = s->threads,
                                .progress = progress};
}

struct writing {
    sciara_snapshot *x;
    struct output_info info;
    struct file_progress progress;
};

static int write_files(void *what, struct error *e)
{
    struct writing *w = what;
    int status = output_prepare(w->info.directory, e);
    return status ? status : output_state(&w->info, &w->x->s->c, &w->x->f, e);
}

int sciara_snapshot_write(sciara_snapshot *x, const char *folder, unsigned formats,
                          const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct error mine = {0};
    struct writing writing = {.x = x};
    struct background w = {watcher,     SCIARA_WRITING, &writing.progress, true,
                           write_files, &writing,       x->s->threads,     false};
    if (!folder || !*folder) error_input(&mine, "folder: name an output folder");
    else if (formats & ~(unsigned)OUTPUT_SNAPSHOTS)
        error_input(&mine, "formats %#x: unknown bits; combine enum sciara_format", formats);
    else if (!painters_have(formats, &mine) && !snapshot_ready(x, &mine)) {
        writing.info = snapshot_info(x->s, folder, formats, &writing.progress);
        writing.info.layers = "all";
        background_run(&w, &mine);
    }
    return mine.code ? return_error(e, &mine) : 0;
}
