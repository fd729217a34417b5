/* case.c — where all ways to a case meet: vents and rates together, and the problem that a variant
 * computes. */
#include "case.h"

#include "case_parts.h"
#include "rates.h"

#include <stdlib.h>
#include <sys/stat.h>

void case_note_input(struct sim_case *c, const char *path)
{
    struct stat s;
    if (c->input_count < CASE_INPUTS_MAX && stat(path, &s) == 0)
        c->input[c->input_count++] = (struct case_input){s.st_dev, s.st_ino};
}

static int mark_vents(struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    c->vent_id = calloc((size_t)p->rows * (size_t)p->cols, sizeof *c->vent_id);
    if (!c->vent_id) return error_failed(e, "%s: out of memory", c->path);
    for (int i = p->vent_count - 1; i >= 0; i--) /* of two in one cell the first one is shown */
        c->vent_id[(size_t)c->vents[i].row * (size_t)p->cols + (size_t)c->vents[i].col] =
            c->vents[i].id;
    return 0;
}

static int64_t last_vent_step(const struct vent *vents, int count)
{
    int64_t last = 0;
    for (int i = 0; i < count; i++) {
        int n = vents[i].interval_count; /* the last change is to nothing */
        if (n && vents[i].first_step[n - 1] - 1 > last) last = vents[i].first_step[n - 1] - 1;
    }
    return last;
}

/* The rates as they stand in the file, for output in the same format. */
static int keep_rates(struct sim_case *c, struct rate_lists *rates, struct error *e)
{
    if (!(c->words.rates = malloc(sizeof *rates)))
        return error_failed(e, "%s: out of memory", c->path);
    *c->words.rates = *rates;
    *rates = (struct rate_lists){0};
    return 0;
}

int case_emission(struct sim_case *c, const struct vent_sites *sites, struct rate_lists *rates,
                  bool rounded, struct error *e)
{
    struct problem *p = &c->problem;
    int status = emission_create(&c->vents, &p->vent_count, sites, rates, &p->params, !c->original,
                                 rounded, e);
    if (!status && c->original) status = keep_rates(c, rates, e);
    if (status) return status;
    p->last_vent_step = last_vent_step(c->vents, p->vent_count);
    return mark_vents(c, e);
}

void case_point(struct sim_case *c)
{
    struct problem *p = &c->problem;
    p->window = (struct window){0, 0, p->rows, p->cols};
    p->elevation_m = c->elevation_m;
    p->thickness_m = c->thickness_m;
    p->temp_K = c->temp_K;
    p->solid_m = c->solid_m;
    p->vents = c->vents;
}

void case_free(struct sim_case *c)
{
    emission_free(c->vents, c->vents ? c->problem.vent_count : 0);
    if (c->words.rates) rates_free(c->words.rates);
    free(c->words.rates);
    free(c->path);
    free(c->outline_path);
    free(c->elevation_m);
    free(c->thickness_m);
    free(c->temp_K);
    free(c->solid_m);
    free(c->vent_id);
    *c = (struct sim_case){0};
}
