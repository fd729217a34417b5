/* sensitivity_map.c — which parameter decides most whether lava comes, as a map. */
#include "sensitivity_report.h"

#include "draw/roundnum.h"
#include "map/map.h"
#include "products/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLOURS = COLOURS_DISTINCT - 1 }; /* parameters that decide in fewer cells share grey */

struct sheet {
    int *best;     /* of each cell: its parameter, -1: none */
    double *value; /* class */
    unsigned char *mark;
    int64_t cells[FITS_MAX];
    int order[FITS_MAX], class_of[FITS_MAX]; /* the most cells first */
    int shown;
    struct map_class classes[COLOURS + 1];
};

static void count_cells(struct sheet *t, const struct sensitivity *x, const struct stage *s)
{
    const struct cell_view v = stage_cells(x, s);
    for (size_t i = 0; i < s->cells.places; i++) {
        const int64_t *sum = cells_at(&s->cells, i);
        t->best[i] = sum ? cell_dominating(&v, sum) : -1;
        if (t->best[i] >= 0) t->cells[t->best[i]]++;
    }
}

static void take_classes(struct sheet *t, const struct sensitivity *x)
{
    for (int i = 0; i < x->fits; i++) {
        int k = i;
        for (; k > 0 && t->cells[i] > t->cells[t->order[k - 1]]; k--) t->order[k] = t->order[k - 1];
        t->order[k] = i;
    }
    while (t->shown < x->fits && t->shown < COLOURS && t->cells[t->order[t->shown]]) {
        const int i = t->order[t->shown];
        t->classes[t->shown] =
            (struct map_class){colours_distinct(t->shown), sensitivity_name(x, i)};
        t->class_of[i] = ++t->shown;
    }
    if (t->shown < x->fits && t->shown == COLOURS && t->cells[t->order[COLOURS]]) {
        t->classes[COLOURS] = (struct map_class){colours_distinct(COLOURS), "others"};
        for (int k = COLOURS; k < x->fits; k++) t->class_of[t->order[k]] = COLOURS + 1;
        t->shown++;
    }
}

/* Vents of the case as it stands. */
static void mark_vents(struct sheet *t, const struct plan *p)
{
    const struct problem *q = &p->base.problem;
    for (int i = 0; i < p->vents.count; i++) {
        const struct place at = p->vents.point[i].at;
        t->mark[(size_t)(q->rows - 1 - (int)at.up) * (size_t)q->cols + (size_t)at.right] = 1;
    }
}

static const unsigned char *outline_of(const struct sensitivity *x)
{
    for (int i = 0; i < x->observed.count; i++)
        if (x->observed.item[i].inside && isinf(x->observed.item[i].key.time_s))
            return x->observed.item[i].inside;
    return NULL;
}

static int draw(const struct sheet *t, const struct sensitivity_report *r, int stage,
                struct error *e)
{
    const struct sensitivity *x = r->x;
    const struct sim_case *c = &x->plan->base;
    const struct stage *s = &x->stage[stage];
    char name[32], effort[96], subtitle[300], note[500], alert[200], share[32];
    sensitivity_effort(x, stage, effort);
    snprintf(subtitle, sizeof subtitle,
             "What decides most whether lava comes: the parameter with the largest %s (%s)",
             stage == STAGE_SOBOL ? "total Sobol index" : "mu_star", effort);
    snprintf(note, sizeof note, "%s%ssciara %s, sensitivity %016" PRIx64, c->terrain_source,
             *c->terrain_source ? "; " : "", r->info->version, sensitivity_digest(x));
    snprintf(alert, sizeof alert,
             "Lava leaves the terrain in %s %% of the runs: what it does beyond is "
             "not known",
             roundnum_brief(share, 100.0 * (double)s->left / (double)stage_runs(x, s, s->done)));
    struct map m = {.rows = c->problem.rows,
                    .cols = c->problem.cols,
                    .geo = c->geo,
                    .elevation_m = c->problem.elevation_m,
                    .value = t->value,
                    .kind = MAP_CLASSES,
                    .class_count = t->shown,
                    .classes = t->classes,
                    .title = *c->title ? c->title : c->name,
                    .subtitle = subtitle,
                    .quantity = "deciding parameter",
                    .note = note,
                    .alert = s->left ? alert : NULL,
                    .warning = c->synthetic ? "SYNTHETIC TERRAIN" : NULL,
                    .mark = t->mark,
                    .outline = outline_of(x),
                    .sea = c->sea,
                    .paper = output_paper(r->info)};
    snprintf(name, sizeof name, "map_%s", stage_names[stage]);
    m.stamp = c->map_note;
    if (!c->map_domain) map_crop_content(&m);
    return output_picture(r->info, c, name, output_draw_map, &m, e);
}

int sensitivity_map(const struct sensitivity_report *r, int stage, struct error *e)
{
    const struct sensitivity *x = r->x;
    const size_t cells = x->stage[stage].cells.places;
    struct sheet t = {.best = malloc(cells * sizeof *t.best),
                      .value = malloc(cells * sizeof *t.value),
                      .mark = calloc(cells, 1)};
    int status = 0;
    if (!t.best || !t.value || !t.mark) {
        status = error_memory(e);
    } else {
        count_cells(&t, x, &x->stage[stage]);
        take_classes(&t, x);
        mark_vents(&t, x->plan);
        for (size_t i = 0; i < cells; i++)
            t.value[i] = t.best[i] < 0 ? (double)NAN : t.class_of[t.best[i]];
        if (t.shown) status = draw(&t, r, stage, e); /* else nothing is decided anywhere */
    }
    free(t.best);
    free(t.value);
    free(t.mark);
    return status;
}
