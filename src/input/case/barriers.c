#include "barriers.h"
#include "case_notes.h"

#include "base/memory.h"
#include "base/order.h"
#include "model/lattice.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- barriers as rules for cells of the terrain ---------------------------------------------- */

/* Draws the cells of barrier i into an empty mask. */
static struct cell_mask draw_barrier(unsigned char *cell, const struct barriers *b, int i,
                                     const struct sim_case *c)
{
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    const struct barrier *x = &b->item[i];
    const struct vector_feature *f = &b->from.feature[x->feature];
    struct cell_mask m = cell_mask_on(cell, &grid);
    if (f->kind == VECTOR_AREA) cell_mask_fill(&m, &b->from, f);
    if (f->kind == VECTOR_AREA && m.row_max >= 0) {
        cell_mask_tighten(&m);
        if (!(x->width_m > 0)) return m;
    }
    cell_mask_band(&m, &b->from, f, x->width_m);
    return m;
}

static struct ground_rule rule_of(const struct barrier *x, size_t place)
{
    struct ground_rule r = {.place = (uint32_t)place, .crest_m = -INFINITY};
    if (x->form == BARRIER_HEIGHT) r.height_m = x->value_m;
    if (x->form == BARRIER_CREST) r.crest_m = x->value_m;
    if (x->form == BARRIER_DEPTH) r.depth_m = x->value_m;
    return r;
}

static void join_rules(struct ground_rule *to, const struct ground_rule *r)
{
    to->height_m = fmax(to->height_m, r->height_m);
    to->crest_m = fmax(to->crest_m, r->crest_m);
    to->depth_m = fmax(to->depth_m, r->depth_m);
}

/* Reads the terrain under the cells of a mask. */
static int read_under(const struct cell_mask *m, const struct problem *p, struct error *e)
{
    int status = 0;
    for (int row = m->row_min; row <= m->row_max && p->terrain; row++)
        for (int col = 0; col < p->cols && !status; col++)
            if (m->cell[(size_t)row * (size_t)p->cols + (size_t)col])
                status = problem_read_terrain(p, (struct window){row, col, 1, 1}, e);
    return status;
}

static int measure_cells(struct barriers *b, int i, unsigned char *cell, const struct sim_case *c,
                         struct error *e)
{
    struct barrier *x = &b->item[i];
    const struct cell_mask m = draw_barrier(cell, b, i, c);
    const size_t cols = (size_t)c->problem.cols;
    int status = read_under(&m, &c->problem, e);
    if (status) return status;
    for (size_t k = (size_t)m.row_min * cols; m.row_max >= 0 && k < ((size_t)m.row_max + 1) * cols;
         k++) {
        const double z = c->elevation_m[k];
        if (!cell[k] || isnan(z)) continue;
        const struct ground_rule rule = rule_of(x, k);
        const double rise_m = ground_by_rule(&rule, z) - z;
        if (rise_m > 0) x->raised += (quanta)(rise_m * LATTICE_PER_M);
        if (rise_m < 0) x->lowered -= (quanta)(rise_m * LATTICE_PER_M);
        x->cells++;
    }
    if (x->cells) return 0;
    return error_input(
        e, "%s: barrier %s: has no cell of the terrain with data; move it, or remove it", b->path,
        x->name);
}

/* Adds the rules of a barrier to *r. index[i] is 1 + the index in *r of the rule for cell i, or 0 if the cell has no
 * rule. */
static bool gather_rules(struct ground_rules *r, uint32_t *index, const struct cell_mask *m,
                         const struct barrier *x, const struct sim_case *c)
{
    const size_t cols = (size_t)m->grid.cols;
    for (size_t i = (size_t)m->row_min * cols;
         m->row_max >= 0 && i < ((size_t)m->row_max + 1) * cols; i++) {
        if (!m->cell[i] || isnan(c->elevation_m[i])) continue;
        const struct ground_rule rule = rule_of(x, i);
        if (index[i]) {
            join_rules(&r->rule[index[i] - 1], &rule);
            continue;
        }
        if (!APPEND(r->rule, r->count, rule)) return false;
        index[i] = (uint32_t)r->count;
    }
    return true;
}

static void empty(const struct cell_mask *m)
{
    const size_t cols = (size_t)m->grid.cols;
    if (m->row_max >= m->row_min)
        memset(m->cell + (size_t)m->row_min * cols, 0,
               ((size_t)(m->row_max - m->row_min) + 1) * cols);
}

/* Makes the rules of all barriers that are built at time_s. */
static int barrier_rules(struct ground_rules *r, const struct sim_case *c, const struct barriers *b,
                         double time_s, struct error *e)
{
    const size_t n = case_cells(c);
    unsigned char *cell = memory_reserve(n);
    uint32_t *index = memory_reserve(n * sizeof *index);
    bool whole = cell && index;
    *r = (struct ground_rules){0};
    for (int i = 0; i < b->count && whole; i++) {
        if (b->item[i].time_s != time_s) continue;
        struct cell_mask m = draw_barrier(cell, b, i, c);
        whole = gather_rules(r, index, &m, &b->item[i], c);
        empty(&m);
    }
    if (r->count) qsort(r->rule, r->count, sizeof *r->rule, order_places);
    memory_release(cell, n);
    memory_release(index, n * sizeof *index);
    return whole ? 0 : error_memory(e);
}

/* ---- the barriers of a case ------------------------------------------------------------------ */

const char *const barrier_forms[BARRIER_FORMS] = {"height_m", "crest_m", "depth_m"};

/* Indices of `wanted`, which begins with an attribute for each enum barrier_form. */
enum { WIDTH = BARRIER_FORMS, FROM, NAME };
static const char *const wanted[] = {"height_m", "crest_m", "depth_m", "width_m",
                                     "from",     "name",    NULL};

static const struct {
    double low, high;
} ranges[] = {{0, 1000}, {ELEVATION_MIN_M, ELEVATION_MAX_M}, {0, 1000}, {0, 10000}};

/* ---- one barrier ----------------------------------------------------------------------------- */

static int refuse_barrier(const struct barriers *b, const struct barrier *x, const char *what,
                          struct error *e)
{
    return error_input(e, "%s: barrier %s: %s", b->path, x->name, what);
}

static int read_number(const struct barriers *b, const struct barrier *x, int attribute,
                       double *value, struct error *e)
{
    char what[128];
    int status =
        vectors_real(&b->from, x->feature, attribute, b->path, wanted[attribute], value, e);
    if (status || (*value >= ranges[attribute].low && *value <= ranges[attribute].high))
        return status;
    snprintf(what, sizeof what, "%s is %g; give %g to %g m", wanted[attribute], *value,
             ranges[attribute].low, ranges[attribute].high);
    return refuse_barrier(b, x, what, e);
}

#define GIVE_HEIGHT                                                                                \
    "give one of height_m (above the ground), crest_m (elevation) and depth_m (of a channel)"

static int read_form(const struct barriers *b, struct barrier *x, struct error *e)
{
    int forms = 0;
    for (int k = 0; k < BARRIER_FORMS; k++)
        if (vectors_value(&b->from, x->feature, k)) x->form = k, forms++;
    if (forms != 1)
        return refuse_barrier(
            b, x, forms ? "has more than one height; " GIVE_HEIGHT : "has no height; " GIVE_HEIGHT,
            e);
    int status = read_number(b, x, (int)x->form, &x->value_m, e);
    x->value_m = lattice_round(x->value_m);
    if (status || x->form == BARRIER_CREST || x->value_m > 0) return status;
    return refuse_barrier(b, x, "is 0 m high or deep; remove it", e);
}

static int read_time(const struct barriers *b, struct barrier *x, const struct sim_case *c,
                     struct error *e)
{
    const char *text = vectors_value(&b->from, x->feature, FROM);
    char excerpt[48], what[sizeof e->text];
    struct error why;
    if (!text || !times_moment(&x->time_s, text, TIMES_HOURS, c->start_time, &why)) return 0;
    snprintf(what, sizeof what, "from is '%s'; %.400s", scan_excerpt(excerpt, text), why.text);
    return refuse_barrier(b, x, what, e);
}

static void measure_length(const struct barriers *b, struct barrier *x)
{
    const struct vector_feature *f = &b->from.feature[x->feature];
    for (int i = f->first; i < f->first + f->count; i++) {
        const struct vector_part *p = &b->from.part[i];
        double(*xy)[2] = b->from.xy + p->first;
        for (int k = 1; k < p->count; k++)
            x->length_m += hypot(xy[k][0] - xy[k - 1][0], xy[k][1] - xy[k - 1][1]);
    }
}

static int read_barrier(struct barriers *b, int i, const struct sim_case *c, struct error *e)
{
    struct barrier *x = &b->item[i];
    *x = (struct barrier){.feature = i};
    vectors_name(x->name, sizeof x->name, &b->from, i, NAME, NAME);
    int status = read_form(b, x, e);
    if (!status) status = read_number(b, x, WIDTH, &x->width_m, e);
    if (!status) status = read_time(b, x, c, e);
    measure_length(b, x);
    if (status) return status;
    /* Counts the cells of barrier i, and measures how much this barrier alone raises and lowers the ground. */
    unsigned char *cell = memory_reserve(case_cells(c));
    status = cell ? measure_cells(b, i, cell, c, e) : error_memory(e);
    memory_release(cell, case_cells(c));
    return status;
}

/* ---- all barriers ---------------------------------------------------------------------------- */

/* Reads barriers from a vector file or a CSV file. */
static int read_features(struct barriers *b, const struct sim_case *c, struct error *e)
{
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    if (vectors_are_in(b->path))
        return vectors_read(&b->from, b->path, &grid, VECTORS_TAKE_LINES | VECTORS_TAKE_AREAS,
                            wanted, e);
    return vectors_read_csv(&b->from, b->path, "barrier", &grid,
                            VECTORS_TAKE_LINES | VECTORS_TAKE_AREAS, wanted, e);
}

/* Builds barriers into the terrain of the case, cell by cell. */
static int build_terrain(struct sim_case *c, struct barriers *b, const struct ground_rules *r,
                         struct error *e)
{
    if (!r->count) return 0;
    if (!(b->bare_m = case_array(c, sizeof *b->bare_m))) return error_memory(e);
    if (c->tiles) case_tiles_keep_bare(c);
    else case_keep_bare(c, case_domain(c));
    for (size_t i = 0; i < r->count; i++) {
        double *z = &c->elevation_m[r->rule[i].place];
        const double before = *z;
        *z = ground_by_rule(&r->rule[i], before);
        ground_count(&b->built, *z - before);
        if (*z >= ELEVATION_MIN_M && *z <= ELEVATION_MAX_M) continue;
        return error_input(e, "%s: the ground would be at %g m; give elevations from %g to %g m",
                           b->path, *z, ELEVATION_MIN_M, ELEVATION_MAX_M);
    }
    b->cells = (uint32_t)r->count;
    return 0;
}

/* Builds all barriers of one time together. Barriers that stand at the start become part of the terrain. */
static int place_all(struct sim_case *c, struct barriers *b, struct error *e)
{
    const double begins_s = (double)c->problem.first_step * c->problem.params.clock_s;
    struct ground_rules r;
    int status = 0;
    for (int i = 0; i < b->count; i++)
        if (b->item[i].time_s <= begins_s) b->item[i].time_s = 0;
    status = barrier_rules(&r, c, b, 0, e);
    if (!status) status = build_terrain(c, b, &r, e);
    free(r.rule);
    for (int i = 0; i < b->count && !status; i++) {
        bool done = b->item[i].time_s == 0;
        for (int k = 0; k < i && !done; k++) done = b->item[k].time_s == b->item[i].time_s;
        if (done) continue;
        status = barrier_rules(&r, c, b, b->item[i].time_s, e);
        if (!status) status = changes_add_rules(c, b->item[i].time_s, b->path, &r, e);
        if (status) free(r.rule);
    }
    return status;
}

int barriers_read(struct sim_case *c, const struct settings *s, struct error *e)
{
    if (!s->barriers) return 0;
    if (c->unrounded)
        return error_line(e, c->path, settings_line(s, "barriers"),
                          "barriers: the published arithmetic has no barriers; remove the line");
    struct barriers *b = c->barriers = calloc(1, sizeof *b);
    if (!b || !(b->path = path_beside(c->path, s->barriers))) return error_memory(e);
    case_note_input(c, b->path);
    int status = read_features(b, c, e);
    if (status) return status;
    b->item = calloc((size_t)b->from.features, sizeof *b->item);
    if (!b->item) return error_memory(e);
    for (int i = 0; i < b->from.features && !status; i++, b->count++)
        status = read_barrier(b, i, c, e);
    if (!status) case_note_vectors(c, &b->from.about, b->path);
    return status ? status : place_all(c, b, e);
}

void barriers_free(struct barriers *b, const struct sim_case *c)
{
    if (!b) return;
    vectors_free(&b->from);
    FREE_ALL(b->path, b->item);
    case_array_free(c, b->bare_m, sizeof *b->bare_m);
    free(b);
}
