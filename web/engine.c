/* engine.c — what WebAssembly shows of Sciara: a case of files that lie in the memory of the module, and the simulation
 * of it on one thread. The rules of a case and of a step are the program's own sources; what they call of libraries that a
 * page does not have is in absent.c. Sizes and steps come as doubles, which JavaScript has. */
#include "case/case.h"
#include "case/changes.h"
#include "case/schema.h"
#include "plan/plan.h"
#include "reference/reference.h"
#include "sim/held.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the keys that a file may have; calibrations are not read here. */
const struct schema *const schemas[] = {&case_schema, &plan_schema, NULL};

struct engine {
    struct sim_case c;
    struct held *held;
    struct variant_status now;
    struct fields f; /* the state of now.step, if `shown` */
    bool shown;
    double **ground; /* of each change of the terrain so far */
    int grounds, next_change;
    struct ground_sums changed;
    char digest[17];
    struct error e; /* of the last call that failed */
};

struct engine *engine_create(void)
{
    return calloc(1, sizeof(struct engine));
}

void engine_free(struct engine *w)
{
    held_destroy(w->held);
    fields_free(&w->f);
    for (int i = 0; i < w->grounds; i++) free(w->ground[i]);
    free(w->ground);
    case_free(&w->c);
    free(w);
}

const char *engine_error(const struct engine *w)
{
    return w->e.text;
}

/* Once; 0, or the exit status of the program for this error. */
int engine_load(struct engine *w, const char *path)
{
    const struct variant_options one = {.threads = 1};
    const struct variant *v = &variant_reference;
    int status = case_load(&w->c, path, &w->e);
    if (!status) status = held_create(&w->held, v, &w->c.problem, &one, held_usual(v), &w->e);
    w->now.step = w->c.problem.first_step;
    w->next_change = status ? 0 : changes_next(&w->c, w->now.step);
    return status;
}

static int64_t next_change(const struct engine *w)
{
    const int next = w->next_change;
    return next < w->c.change_count ? change_step(&w->c.change[next], &w->c.problem.params)
                                    : INT64_MAX;
}

/* As library/changing.c. */
static int change(struct engine *w)
{
    struct problem *p = &w->c.problem;
    double **all = realloc(w->ground, ((size_t)w->grounds + 1) * sizeof *all);
    if (!all) return error_memory(&w->e);
    w->ground = all;
    if (problem_read_terrain(p, problem_domain(p), &w->e)) return w->e.code;
    double *ground = all[w->grounds] = malloc(window_cells(problem_domain(p)) * sizeof *ground);
    if (!ground) return error_memory(&w->e);
    w->grounds++;
    return change_held(&w->c.change[w->next_change++], w->held, p, ground, &w->changed, &w->e);
}

/* Up to so many steps, to the end of the case. */
int engine_advance(struct engine *w, double steps)
{
    int64_t end = w->now.step + (int64_t)steps;
    int status = 0;
    if (w->c.max_steps && end > w->c.max_steps) end = w->c.max_steps;
    w->shown = false;
    while (!status && w->now.step < end && !w->now.stopped) {
        while (!status && next_change(w) == w->now.step) status = change(w);
        const int64_t until = next_change(w) < end ? next_change(w) : end;
        if (!status) status = held_advance(w->held, until - w->now.step, &w->now, &w->e);
    }
    return status;
}

double engine_step(const struct engine *w)
{
    return (double)w->now.step;
}
double engine_last_step(const struct engine *w)
{
    return (double)w->c.max_steps;
}
int engine_stopped(const struct engine *w)
{
    return w->now.stopped;
}
int engine_rows(const struct engine *w)
{
    return w->c.problem.rows;
}
int engine_cols(const struct engine *w)
{
    return w->c.problem.cols;
}
double engine_cell_m(const struct engine *w)
{
    return w->c.problem.params.cell_m;
}

static int show(struct engine *w)
{
    if (w->shown) return 0;
    int status = held_snapshot(w->held, &w->f, &w->e);
    if (!status) status = held_wait(w->held, &w->e);
    w->f.ground = w->changed;
    w->shown = !status;
    return status;
}

/* The digest of the state as the program prints it, if its ledgers close; NULL: an error. */
const char *engine_digest(struct engine *w)
{
    const struct problem *p = &w->c.problem;
    struct ledger ledger;
    if (show(w) || fields_ledger(&ledger, &w->f, p, &w->e)) return NULL;
    snprintf(w->digest, sizeof w->digest, "%016llx",
             (unsigned long long)fields_digest(&w->f, p->rows, p->cols));
    return w->digest;
}

/* A layer of the domain, row by row from the north, malloc'ed; NULL: an error. */
enum {
    LAYER_ELEVATION,
    LAYER_THICKNESS,
    LAYER_TEMP,
    LAYER_SOLID,
    LAYER_MAX_THICKNESS,
    LAYER_ARRIVAL
};
double *engine_layer(struct engine *w, int layer)
{
    const struct problem *p = &w->c.problem;
    double *out = show(w) ? NULL : calloc(window_cells(problem_domain(p)), sizeof *out);
    const struct fields *f = &w->f;
    const double *const of[] = {f->elevation_m, f->thickness_m, f->temp_K, f->solid_m,
                                f->max_thickness_m};
    size_t i, at = 0;
    for (int row = 0; out && row < p->rows; row++)
        for (int col = 0; col < p->cols; col++, at++) {
            const bool there = fields_find(f, row, col, &i);
            if (layer == LAYER_ARRIVAL)
                out[at] = there && f->arrival[i] != ARRIVAL_NEVER ? f->arrival[i] : NAN;
            else if (there) out[at] = of[layer][i];
            else if (layer == LAYER_ELEVATION) out[at] = p->elevation_m[at];
        }
    return out;
}
