/* case.c — cases, and their properties. */
#include "inside.h"
#include "library.h"

#include "base/trace.h"
#include "case/case_notes.h"
#include "case/parameter_sets.h"
#include "case/resolution.h"
#include "sim/vent.h"
#include "text/plain_locale.h"
#include "text/scan.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Both in the order of the table. */
void sciara_parameters_etna2006(struct sciara_parameters *p)
{
    double value[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) scan_real(params_table[i].usual, &value[i]);
    memcpy(p, value, sizeof *p);
}

static struct sciara_parameters parameters_of(const struct params *p)
{
    struct sciara_parameters out;
    double value[PARAMETERS];
    _Static_assert(sizeof value == sizeof out, "one number for each parameter");
    for (int i = 0; i < PARAMETERS; i++) value[i] = params_value(p, &params_table[i]);
    memcpy(&out, value, sizeof out);
    return out;
}

int sciara_parameter_set_count(void)
{
    return parameter_set_count();
}

const char *sciara_parameter_set_name(int i)
{
    return parameter_set_name(i);
}

static struct sciara_parameter_score score_of(const struct parameter_score *s)
{
    struct sciara_parameter_score out = {.jaccard = s->jaccard, .error = s->error};
    _Static_assert(sizeof out.of == sizeof s->of, "the same text");
    memcpy(out.of, s->of, sizeof out.of);
    return out;
}

int sciara_parameter_set_get(struct sciara_parameter_set *s, const char *name,
                             struct sciara_error *e)
{
    struct error mine = {0};
    struct parameter_set found;
    *s = (struct sciara_parameter_set){0};
    const struct plain_locale locale = plain_locale_enter();
    int status = parameter_set_find(&found, name ? name : "", &mine);
    plain_locale_leave(locale);
    if (status) return return_error(e, &mine);
    s->name = found.name;
    s->parameters = parameters_of(&found.params);
    s->calibrated_cell_m = found.calibrated_cell_m;
    _Static_assert(sizeof s->eruption == sizeof found.eruption &&
                       sizeof s->source == sizeof found.source &&
                       sizeof s->not_for == sizeof found.not_for,
                   "the same texts");
    memcpy(s->eruption, found.eruption, sizeof s->eruption);
    memcpy(s->source, found.source, sizeof s->source);
    memcpy(s->not_for, found.not_for, sizeof s->not_for);
    s->in_sample = score_of(&found.in_sample);
    s->held_out = score_of(&found.held_out);
    return 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

static sciara_case *create(struct error *e)
{
    sciara_case *c = calloc(1, sizeof *c);
    if (!c) error_memory(e);
    else atomic_store(&c->users, 1);
    return c;
}

void case_keep(sciara_case *c)
{
    atomic_fetch_add(&c->users, 1);
}

void sciara_case_free(sciara_case *c)
{
    if (!c || atomic_fetch_sub(&c->users, 1) > 1) return;
    if (c->plan) member_free(&c->member);
    else case_free(&c->c);
    plan_free(c->plan);
    free(c);
}

struct reading {
    sciara_case *c;
    const char *path;
    int64_t member;
    struct file_progress progress;
};

static int read_case(void *what, struct error *e)
{
    struct reading *r = what;
    trace_begin("read the case");
    int status = case_load_watched(&r->c->c, r->path, !r->c->published, &r->progress, e);
    trace_end();
    return status;
}

static int read_member(void *what, struct error *e)
{
    struct reading *r = what;
    sciara_case *c = r->c;
    trace_begin("read the plan");
    int status = plan_read(&c->plan, r->path, NULL, &r->progress, e);
    if (!status) status = member_create(&c->member, c->plan, r->member, e);
    if (!status) {
        c->c = c->member.c;
        memcpy(c->c.warning, c->plan->base.warning, sizeof c->c.warning);
        if (*c->member.c.warning) case_warn(&c->c, c->member.c.warning);
    }
    trace_end();
    return status;
}

static int load(sciara_case **c, struct reading *r, bool published,
                int (*work)(void *what, struct error *e), const struct sciara_watcher *watcher,
                struct error *e)
{
    struct background w = {watcher, SCIARA_READING, &r->progress, true, work, r, 0, false};
    if (!(r->c = create(e))) return e->code;
    r->c->published = published;
    int status = background_run(&w, e);
    if (!status) *c = r->c;
    else sciara_case_free(r->c);
    return status;
}

int sciara_case_load(sciara_case **c, const char *path, const char *arithmetic,
                     const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct error mine = {0};
    struct reading r = {.path = path};
    const bool published = arithmetic && !strcmp(arithmetic, "published");
    int status = 0;
    *c = NULL;
    if (!path || !*path) status = error_input(&mine, "name a case file");
    else if (arithmetic && !published && strcmp(arithmetic, "exact"))
        status = error_input(&mine, "arithmetic %.100s: choose exact or published", arithmetic);
    if (!status) status = load(c, &r, published, read_case, watcher, &mine);
    return status ? return_error(e, &mine) : 0;
}

int sciara_case_load_member(sciara_case **c, const char *path, int64_t number,
                            const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct error mine = {0};
    struct reading r = {.path = path, .member = number};
    *c = NULL;
    int status = path && *path ? load(c, &r, false, read_member, watcher, &mine)
                               : error_input(&mine, "name a plan");
    return status ? return_error(e, &mine) : 0;
}

void sciara_case_input_init(struct sciara_case_input *input, size_t size)
{
    structure_write(input, size, &(struct sciara_case_input){0}, sizeof(struct sciara_case_input));
}

int sciara_case_create(sciara_case **c, const struct sciara_case_input *input,
                       struct sciara_error *e)
{
    struct sciara_case_input in = {0};
    struct error mine = {0};
    *c = NULL;
    const struct plain_locale locale = plain_locale_enter();
    if (!input) error_input(&mine, "case_input: is NULL");
    else if (!structure_read(&in, sizeof in, offsetof(struct sciara_case_input, calibrated_cell_m),
                             input, "case_input", &mine) &&
             (*c = create(&mine)) && case_from_arrays(&(*c)->c, &in, &mine)) {
        sciara_case_free(*c);
        *c = NULL;
    }
    plain_locale_leave(locale);
    return mine.code ? return_error(e, &mine) : 0;
}

const struct sim_case *case_inside(const sciara_case *c)
{
    return &c->c;
}

/* ---- properties ------------------------------------------------------------------------------ */

struct sciara_case_info case_grid_info(const struct sim_case *c)
{
    return (struct sciara_case_info){
        .name = c->name,
        .title = c->title,
        .path = c->path,
        .terrain_source = c->terrain_source,
        .start_time = c->start_time,
        .outline = c->outline_path,
        .synthetic = c->synthetic,
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .cell_m = c->geo.cell_m,
        .west_m = c->geo.west_m,
        .south_m = c->geo.south_m,
        .epsg = c->geo.crs.epsg,
        .has_crs = c->geo.crs.epsg || c->geo.crs.key_count,
        .crs_name = c->geo.crs.name,
        .max_steps = c->max_steps,
        .stop_below_m = -1,
        .elevation_m = c->elevation_m,
        .notice = c->notice,
        .height_unit = c->height_unit,
        .crs_scale_least = c->crs_scale_least,
        .crs_scale_greatest = c->crs_scale_greatest,
        .warning = c->warning,
        .parameter_set = c->parameter_set,
    };
}

int sciara_case_read_terrain(sciara_case *of, struct sciara_error *e)
{
    struct error mine = {0};
    const struct problem *p = &of->c.problem;
    const int status = problem_read_terrain(p, problem_domain(p), &mine);
    if (!status) atomic_store(&of->whole, true);
    return status ? return_error(e, &mine) : 0;
}

void sciara_case_info(const sciara_case *of, struct sciara_case_info *info)
{
    const struct sim_case *c = &of->c;
    const struct problem *p = &c->problem;
    const bool there = !p->terrain || atomic_load(&of->whole);
    *info = case_grid_info(c);
    info->original = c->original;
    info->published = of->published;
    info->parameters = parameters_of(resolution_given(c));
    info->first_step = p->first_step;
    info->snapshot_every = c->snapshot_every;
    info->reduce_every = p->reduce_every;
    info->last_vent_step = p->last_vent_step;
    if (p->stop_when_still) info->stop_below_m = p->stop_mobile_m;
    info->vent_count = p->vent_count;
    info->thickness_m = c->thickness_m;
    info->elevation_m = there ? c->elevation_m : NULL;
    info->temperature_K = there ? c->temp_K : NULL;
    info->solidified_m = there ? c->solid_m : NULL;
    info->emission =
        c->emission == EMISSION_INTEGRAL ? SCIARA_EMISSION_INTEGRAL : SCIARA_EMISSION_PUBLISHED;
    info->asked_m3 = case_asked_m3(c, 1, INT64_MAX);
    info->volume_m3 = case_emitted_m3(c, 1, INT64_MAX);
    info->calibrated_cell_m = c->calibrated_cell_m;
    info->calibrated_clock_s = c->calibrated_clock_s;
    info->Pcool_scaled = p->params.cooling;
    info->Pclock_proposed = resolution_clock_s(c);
}

void sciara_case_vent(const sciara_case *c, int i, struct sciara_vent *vent, double *volume)
{
    const struct problem *p = &c->c.problem;
    const bool there = i >= 0 && i < p->vent_count;
    const struct vent *v = there ? &p->vents[i] : NULL;
    if (vent) *vent = v ? (struct sciara_vent){v->id, v->row, v->col} : (struct sciara_vent){0};
    const double cell_m = c->c.geo.cell_m;
    if (volume) *volume = v ? vent_sum_m(v, 1, INT64_MAX) * cell_m * cell_m : 0;
}

void sciara_case_volume(const sciara_case *c, int64_t first_step, int64_t last_step,
                        double *asked_m3, double *emitted_m3)
{
    const int64_t first = first_step < 0 ? 1 : first_step + (first_step < INT64_MAX);
    const bool some = last_step >= first;
    if (asked_m3) *asked_m3 = some ? case_asked_m3(&c->c, first, last_step) : 0;
    if (emitted_m3) *emitted_m3 = some ? case_emitted_m3(&c->c, first, last_step) : 0;
}
