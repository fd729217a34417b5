/* pairs_map.c — where the barriers make lava less and more probable. */
#include "pairs_report.h"

#include "draw/roundnum.h"
#include "map/map.h"
#include "run/output_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Differences in percentage points; what is within twice its standard error is pale. */
enum { LESS = 4, UNSURE, CLASSES = 2 * LESS + 1, LABEL_ROOM = 160 };
static const double lower_points[LESS - 1] = {5, 15, 40}; /* a class ends there */
static const struct map_class classes[CLASSES] = {
    {{8, 48, 107}, "more than 40 points less"},
    {{33, 113, 181}, "15 to 40 less"},
    {{88, 160, 206}, "5 to 15 less"},
    {{150, 198, 224}, "up to 5 less"},
    {{222, 222, 218}, "within twice its error"},
    {{253, 212, 158}, "up to 5 points more"},
    {{252, 141, 89}, "5 to 15 more"},
    {{215, 48, 31}, "15 to 40 more"},
    {{127, 0, 0}, "more than 40 more"},
};

/* From 1. */
static int class_of(const struct pair_said *s)
{
    const double points = 100 * fabs(s->difference);
    int size = 0;
    if (!(fabs(s->difference) > 2 * s->error)) return UNSURE;
    while (size < LESS - 1 && points > lower_points[size]) size++;
    return s->difference < 0 ? LESS - size : UNSURE + 1 + size;
}

struct sheet {
    double *value;
    unsigned char *mark;
    struct map_thing *thing;
    char (*label)[LABEL_ROOM];
};

static void take_thing(struct sheet *t, const struct pairs *x, int i)
{
    const struct asset *a = &x->assets.asset[i];
    const struct pair_said s =
        pair_sums_say(&x->things, pair_sums_at(&x->things, (size_t)i), x->class_h);
    snprintf(t->label[i], LABEL_ROOM, "%s: %+.3g points", a->name, 100 * s.difference);
    t->thing[i] = (struct map_thing){.kind = a->kind == ASSET_POINT  ? MAP_POINT
                                             : a->kind == ASSET_LINE ? MAP_LINE
                                                                     : MAP_AREA,
                                     .label = t->label[i],
                                     .parts = a->parts,
                                     .part_size = a->part_size,
                                     .xy = (const double(*)[2])a->xy};
}

static void fill(struct sheet *t, const struct pairs *x)
{
    for (size_t i = 0; i < x->cells.places; i++) {
        const struct pair_count *c = pair_sums_at(&x->cells, i);
        const struct pair_said said = pair_sums_say(&x->cells, c, x->class_h);
        t->value[i] = c ? class_of(&said) : (double)NAN;
    }
    for (int i = 0; i < x->assets.count; i++) take_thing(t, x, i);
    const struct ensemble_source *from = &x->supply[PAIR_WITH].source;
    for (int v = 0; v < from->vents; v++) t->mark[from->vent[v]] = 1;
}

static int draw(const struct pairs_report *r, const struct sheet *t, struct error *e)
{
    const struct pairs *x = r->x;
    const struct sim_case *c = plan_case(x->plan);
    const struct pairs_found found = pairs_find(x);
    char subtitle[300], note[500], error[32];
    snprintf(subtitle, sizeof subtitle,
             "Probability that lava comes, with the barriers less without: %" PRId64
             " pairs of simulated eruptions by the same noise, standard error at most %s "
             "percentage points",
             x->done, roundnum_brief(error, 100 * found.largest_error));
    snprintf(note, sizeof note, "%s%ssciara %s, pairs %016" PRIx64, c->terrain_source,
             *c->terrain_source ? "; " : "", r->info->version, pairs_digest(x));
    struct map m = {.rows = c->problem.rows,
                    .cols = c->problem.cols,
                    .geo = c->geo,
                    .elevation_m = c->problem.elevation_m,
                    .value = t->value,
                    .kind = MAP_CLASSES,
                    .class_count = CLASSES,
                    .classes = classes,
                    .title = *c->title ? c->title : c->name,
                    .subtitle = subtitle,
                    .quantity = "difference of probability",
                    .note = note,
                    .alert =
                        x->done < x->count ? "Not all pairs are done: no sample of the plan" : NULL,
                    .warning = c->synthetic ? "SYNTHETIC TERRAIN" : NULL,
                    .mark = t->mark,
                    .sea = c->sea,
                    .paper = output_paper(r->info),
                    .thing_count = x->assets.count,
                    .things = t->thing};
    int status = output_barriers(&m, c, e);
    m.stamp = c->map_note;
    if (!status && !c->map_domain) map_crop_content(&m);
    if (!status) status = output_picture(r->info, c, "map_difference", output_draw_map, &m, e);
    output_barriers_free(&m);
    return status;
}

int pairs_map(const struct pairs_report *r, struct error *e)
{
    const struct pairs *x = r->x;
    const size_t cells = x->cells.places, things = (size_t)x->assets.count;
    struct sheet t = {.value = malloc(cells * sizeof *t.value),
                      .mark = calloc(cells, 1),
                      .thing = calloc(things + 1, sizeof *t.thing),
                      .label = calloc(things + 1, sizeof *t.label)};
    int status = 0;
    if (t.value && t.mark && t.thing && t.label) {
        fill(&t, x);
        status = draw(r, &t, e);
    } else {
        status = error_memory(e);
    }
    free(t.value);
    free(t.mark);
    free(t.thing);
    free(t.label);
    return status;
}
