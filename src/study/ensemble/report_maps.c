/* report_maps.c — probability, arrival and thickness as maps. */
#include "report.h"

#include "draw/roundnum.h"
#include "map/map.h"
#include "products/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double report_upper_percent[REPORT_CLASSES] = {0.1, 1, 5, 10, 25, 50, 75, 100};

/* Pale yellow to dark red, equally far apart in OKLab: the scale of the lava, turned round. */
const struct map_class report_classes[REPORT_CLASSES] = {
    {{250, 240, 170}, "up to 0.1 %"}, {{250, 214, 110}, "0.1 to 1 %"},
    {{247, 182, 62}, "1 to 5 %"},     {{240, 144, 36}, "5 to 10 %"},
    {{224, 104, 26}, "10 to 25 %"},   {{196, 62, 26}, "25 to 50 %"},
    {{150, 26, 30}, "50 to 75 %"},    {{92, 8, 28}, "above 75 %"},
};

enum { VENTS_LARGE = 20, VENTS_SHOWN = 1000, LABEL_ROOM = 160 };

struct sheet {
    const struct report *r;
    size_t cells;
    double *value;
    unsigned char *mark;
    struct map_thing *thing;
    char (*label)[LABEL_ROOM]; /* of each thing */
    char note[500], alert[200];
};

static int write_sheet(const struct sheet *t, const char *name, struct map m, struct error *e)
{
    const struct ensemble *s = t->r->s;
    const struct sim_case *c = s->source->base;
    m.rows = c->problem.rows;
    m.cols = c->problem.cols;
    m.geo = c->geo;
    m.elevation_m = c->problem.elevation_m;
    m.value = t->value;
    m.title = *c->title ? c->title : c->name;
    m.note = t->note;
    m.alert = t->alert;
    m.warning = c->synthetic ? "SYNTHETIC TERRAIN" : NULL;
    m.mark = t->mark;
    m.mark_name = s->source->chosen ? "possible vent" : NULL;
    m.mark_small = s->source->vents > VENTS_LARGE;
    m.outline = s->outline;
    m.sea = c->sea;
    m.paper = output_paper(t->r->info);
    m.thing_count = s->assets.count;
    m.things = t->thing;
    int status = output_barriers(&m, c, e);
    m.stamp = c->map_note;
    if (!status && !c->map_domain) map_crop_content(&m);
    if (!status) status = output_picture_draw(t->r->info, c, name, output_draw_map, &m, e);
    output_barriers_free(&m);
    return status;
}

static const char PROBABILITY[] = "map_probability", ARRIVAL[] = "map_arrival",
                  THICKNESS[] = "map_thickness";

int report_maps_done(const struct report *r, struct report_drawn *d, struct error *e)
{
    const char *const name[REPORT_MAPS] = {PROBABILITY, ARRIVAL, THICKNESS};
    int status = 0;
    for (int i = 0; !status && i < REPORT_MAPS; i++) {
        status = output_picture_done(r->info, name[i], d->status[i], &d->error[i]);
        if (status && e) *e = d->error[i];
    }
    return status;
}

/* ---- what cells show ------------------------------------------------------------------------- */

static void fill(const struct sheet *t, double (*value)(const struct ensemble *, const uint64_t *))
{
    const struct ensemble *s = t->r->s;
    for (size_t i = 0; i < t->cells; i++) {
        const uint64_t *c = statistics_at(&s->cells, i);
        t->value[i] = statistics_reached(&s->cells, c) ? value(s, c) : (double)NAN;
    }
}

static double probability_class(const struct ensemble *s, const uint64_t *c)
{
    const double percent =
        100 * statistics_probability(&s->cells, statistics_reached(&s->cells, c));
    int k = 0;
    while (k < REPORT_CLASSES - 1 && percent > report_upper_percent[k]) k++;
    return k + 1;
}

static double median_arrival_h(const struct ensemble *s, const uint64_t *c)
{
    return report_arrival_h(s, statistics_arrival_class(&s->cells, c, 50));
}

static double thickness_m(const struct ensemble *s, const uint64_t *c)
{
    return report_thickness_m(s, statistics_thickness_class(&s->cells, c, 95));
}

static double largest_error(const struct ensemble *s)
{
    double most = 0;
    for (size_t i = 0; i < s->cells.places; i++) {
        const uint64_t *c = statistics_at(&s->cells, i);
        if (c) most = fmax(most, statistics_error(&s->cells, statistics_reached(&s->cells, c)));
    }
    return most;
}

/* ---- what stands beside places --------------------------------------------------------------- */

static void say_probability(char *text, size_t size, const struct ensemble *s, const uint64_t *c)
{
    char number[32];
    const double p = statistics_probability(&s->things, statistics_reached(&s->things, c));
    snprintf(text, size, "%s %%", roundnum_brief(number, 100 * p));
}

static void say_arrival(char *text, size_t size, const struct ensemble *s, const uint64_t *c)
{
    double hour[REPORT_PERCENTS];
    for (int k = 0; k < REPORT_PERCENTS; k++)
        hour[k] = report_arrival_h(s, statistics_arrival_class(&s->things, c, report_percents[k]));
    snprintf(text, size, "%.6g h (%.6g to %.6g h)", hour[1], hour[0], hour[2]);
}

static void say_thickness(char *text, size_t size, const struct ensemble *s, const uint64_t *c)
{
    snprintf(text, size, "%.6g m",
             report_thickness_m(s, statistics_thickness_class(&s->things, c, 95)));
}

static void label(const struct sheet *t,
                  void (*say)(char *, size_t, const struct ensemble *, const uint64_t *))
{
    const struct ensemble *s = t->r->s;
    for (int i = 0; i < s->assets.count; i++) {
        char text[80] = "no lava";
        const uint64_t *c = statistics_at(&s->things, (size_t)i);
        if (statistics_reached(&s->things, c)) say(text, sizeof text, s, c);
        snprintf(t->label[i], LABEL_ROOM, "%s: %s", s->assets.asset[i].name, text);
    }
}

/* ---- the three ------------------------------------------------------------------------------- */

static int draw_probability(const struct sheet *t, struct error *e)
{
    const struct ensemble *s = t->r->s;
    char subtitle[240], effective[32], error[32];
    fill(t, probability_class);
    label(t, say_probability);
    snprintf(subtitle, sizeof subtitle,
             "Probability that lava comes: %" PRId64
             " simulated eruptions (effective number %s), standard error at most %s percentage "
             "points",
             s->done, roundnum_brief(effective, statistics_effective(&s->cells)),
             roundnum_brief(error, 100 * largest_error(s)));
    return write_sheet(t, PROBABILITY,
                       (struct map){.kind = MAP_CLASSES,
                                    .class_count = REPORT_CLASSES,
                                    .classes = report_classes,
                                    .subtitle = subtitle,
                                    .quantity = "probability that lava comes"},
                       e);
}

static int draw_arrival(const struct sheet *t, struct error *e)
{
    char subtitle[240], step[32];
    const double step_h = t->r->s->source->request.arrival_step_s / 3600;
    fill(t, median_arrival_h);
    label(t, say_arrival);
    snprintf(
        subtitle, sizeof subtitle,
        "Median arrival since the start, of eruptions whose lava comes%s; rounded down to %s h",
        t->r->s->assets.count ? " (beside places: 5 to 95 % of them)" : "",
        roundnum_text(step, step_h, step_h));
    return write_sheet(t, ARRIVAL,
                       (struct map){.kind = MAP_SEQUENTIAL,
                                    .colours = COLOURS_TIME,
                                    .subtitle = subtitle,
                                    .quantity = "median arrival",
                                    .unit = "h"},
                       e);
}

static int draw_thickness(const struct sheet *t, struct error *e)
{
    char subtitle[240], step[32];
    const double step_m = t->r->s->source->request.thickness_step_m;
    fill(t, thickness_m);
    label(t, say_thickness);
    snprintf(subtitle, sizeof subtitle,
             "Greatest thickness that 95 %% of the simulated eruptions whose lava comes do not "
             "exceed; rounded up to %s m",
             roundnum_text(step, step_m, step_m));
    return write_sheet(t, THICKNESS,
                       (struct map){.kind = MAP_SEQUENTIAL,
                                    .subtitle = subtitle,
                                    .quantity = "greatest thickness, 95\u00a0%",
                                    .unit = "m"},
                       e);
}

/* ---- what all of them have ------------------------------------------------------------------- */

static void mark_vents(struct sheet *t)
{
    const struct ensemble_source *from = t->r->s->source;
    if (from->vents > VENTS_SHOWN) return; /* they would hide the map */
    for (int v = 0; v < from->vents; v++) t->mark[from->vent[v]] = 1;
}

/* Beyond the terrain nobody knows anything; and long members begin first. */
static void tell_what_left(struct sheet *t)
{
    const struct ensemble *s = t->r->s;
    uint64_t left = 0;
    char share[32];
    if (s->done < s->source->count && strcmp(t->r->end, "until_error")) {
        snprintf(t->alert, sizeof t->alert,
                 "%" PRId64 " of %" PRId64 " members: no sample of the plan, whose probabilities "
                 "may be others",
                 s->done, s->source->count);
        return;
    }
    for (int64_t i = 0; i < s->source->count; i++)
        if (s->result[i].done && member_off_terrain(&s->result[i])) left += s->result[i].weight;
    if (!left) return;
    snprintf(t->alert, sizeof t->alert,
             "Lava leaves the terrain with a probability of %s %%: what it does beyond is not "
             "known",
             roundnum_brief(share, 100 * statistics_probability(&s->cells, left)));
}

static void take_things(struct sheet *t)
{
    const struct assets *a = &t->r->s->assets;
    for (int i = 0; i < a->count; i++) t->thing[i] = map_thing_of(&a->asset[i], t->label[i]);
}

void report_maps(const struct report *r, struct report_drawn *d)
{
    const struct sim_case *c = r->s->source->base;
    struct sheet t = {.r = r, .cells = r->s->cells.places};
    t.value = malloc(t.cells * sizeof *t.value);
    t.mark = calloc(t.cells, 1);
    t.thing = calloc((size_t)r->s->assets.count + 1, sizeof *t.thing);
    t.label = calloc((size_t)r->s->assets.count + 1, sizeof *t.label);
    *d = (struct report_drawn){0};
    if (!t.value || !t.mark || !t.thing || !t.label) {
        for (int i = 0; i < REPORT_MAPS; i++)
            d->status[i] = error_failed(&d->error[i], "out of memory while drawing the maps");
    } else {
        mark_vents(&t);
        take_things(&t);
        tell_what_left(&t);
        snprintf(t.note, sizeof t.note, "%s%ssciara %s, ensemble %016" PRIx64, c->terrain_source,
                 *c->terrain_source ? "; " : "", r->info->version, r->digest);
        d->status[0] = draw_probability(&t, &d->error[0]);
        d->status[1] = draw_arrival(&t, &d->error[1]);
        d->status[2] = draw_thickness(&t, &d->error[2]);
    }
    free(t.value);
    free(t.mark);
    free(t.thing);
    free(t.label);
}
