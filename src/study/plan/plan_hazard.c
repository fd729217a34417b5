/* plan_hazard.c — draws vents and classes of members from past vents and eruptions. */
#include "plan.h"

#include "case/case_notes.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>

void plan_hazard_free(struct plan_hazard *h)
{
    if (!h) return;
    opening_free(&h->opening);
    catalogue_free(&h->catalogue);
    FREE_ALL(h->opens, h);
}

/* The probability that an eruption is from a vent and of a class, summed over the kinds of eruptions. opens[zone]: the
 * probability of the vent in a zone; NULL: any vent. class -1: any class. */
static double sum_kinds(const struct plan_hazard *h, const double *opens, int class)
{
    double sum = 0;
    for (int k = 0; k < h->catalogue.kinds; k++) {
        const struct eruption_kind *kind = &h->catalogue.kind[k];
        sum += plan_hazard_part(h, k) * (opens ? opens[kind->zone] : 1) *
               (class < 0 ? 1 : kind->share[class]);
    }
    return sum;
}

static const double *opens_at(const struct plan *p, int source)
{
    return p->hazard->opens + (size_t)source * (size_t)p->hazard->opening.zones;
}

double plan_hazard_vent(const struct plan *p, int source)
{
    return sum_kinds(p->hazard, opens_at(p, source), -1);
}

double plan_hazard_class(const struct plan *p, int class)
{
    return sum_kinds(p->hazard, NULL, class);
}

double plan_hazard_ratio(const struct plan *p, int source, int class)
{
    return sum_kinds(p->hazard, opens_at(p, source), class) /
           (p->sources.choice.share[source] * p->classes.choice.share[class]);
}

/* Makes a source of each possible vent. Half of the members draw vents in proportion to their probabilities. The other
 * half draw in proportion to the square roots, so that enough members have rare vents. */
static int make_sources(struct plan *p, struct error *e)
{
    struct plan_hazard *h = p->hazard;
    const struct opening *o = &h->opening;
    const struct vent_ground ground = plan_ground(p);
    const size_t cells = (size_t)o->rows * (size_t)o->cols;
    FREED double *likely = calloc(cells, sizeof *likely);
    double roots = 0, sum = 0, x, y;
    int status = 0, used = 0;
    if (!likely) return error_memory(e);
    p->sources = (struct sources){.choice = {.kind = CHOICE_SHARES}};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cells && !status; i++) {
            if (!o->allowed[i] || (pass && !(likely[i] > 0))) continue;
            opening_middle(o, i, &x, &y);
            if (pass) {
                status = sources_add(&p->sources, x, y, likely[i] / sum + sqrt(likely[i]) / roots,
                                     p->base.path, &ground, e);
                continue;
            }
            double share[OPENING_ZONES_MAX];
            opening_shares(share, o, x, y);
            likely[i] = sum_kinds(h, share, -1);
            sum += likely[i];
            roots += sqrt(likely[i]);
        }
    if (!status) status = choice_finish(&p->sources.choice, p->base.path, e);
    const size_t sources = (size_t)p->sources.choice.count, zones = (size_t)o->zones;
    if (!status && !(h->opens = malloc(sources * zones * sizeof *h->opens))) return error_memory(e);
    for (size_t i = 0; i < cells && !status; i++)
        if (likely[i] > 0) {
            opening_middle(o, i, &x, &y);
            opening_shares(h->opens + (size_t)used++ * zones, o, x, y);
        }
    return status;
}

/* Makes the classes. Half of the members draw classes by their probabilities, half draw all classes equally often. */
static int make_classes(struct plan *p, struct error *e)
{
    const struct catalogue *from = &p->hazard->catalogue;
    const struct rate_series_shape usual = {NAN, NAN};
    const char *word = p->keys.shape ? p->keys.shape : "risefall";
    FREED char *table = strchr(word, '.') ? path_beside(p->base.path, word) : NULL;
    char at[512];
    int status = 0;
    snprintf(at, sizeof at, "%.480s:%d: shape", p->base.path, plan_line(p, "shape"));
    p->classes.choice.kind = CHOICE_SHARES;
    for (int c = 0; c < from->classes && !status; c++) {
        const double share = 1.0 / from->classes + plan_hazard_class(p, c);
        if (!GROW(p->classes.item, c)) return error_memory(e);
        struct eruption_class *one = &p->classes.item[c];
        *one = (struct eruption_class){.volume_m3 = from->class[c].volume_m3,
                                       .duration_s = from->class[c].duration_s};
        snprintf(one->name, sizeof one->name, "size_%d", c + 1);
        status = choice_add(&p->classes.choice, share, p->base.path, e);
        if (!status) status = rate_series_shape(&one->series, word, table, &usual, at, e);
    }
    return status ? status : choice_finish(&p->classes.choice, p->base.path, e);
}

struct catalogue_request plan_hazard_request(const struct hazard_keys *k)
{
    struct catalogue_request w = k->catalogue;
    w.classes = (int)k->size_classes;
    w.lognormal = k->lognormal;
    if (w.rate > 0 && !w.bands) w.bands = 1; /* the given rate is for one band of all sizes */
    return w;
}

int plan_hazard_read(struct plan *p, struct error *e)
{
    struct hazard_keys *k = &p->keys.hazard;
    const struct vent_ground ground = plan_ground(p);
    struct opening_request opening = k->opening;
    struct catalogue_request catalogue = plan_hazard_request(k);
    const char **name[] = {&opening.vents, &opening.raster, &opening.within, &opening.never,
                           &catalogue.path};
    char *kept[sizeof name / sizeof *name] = {NULL};
    int status = 0;
    struct plan_hazard *h = p->hazard = calloc(1, sizeof *h);
    if (!h) return error_memory(e);
    if (!opening.vents && !opening.raster)
        return error_line(
            e, p->base.path, plan_line(p, "catalogue"),
            "catalogue needs past vents; add a line such as 'past_vents vents.geojson'");
    for (size_t i = 0; i < sizeof name / sizeof *name && !status; i++) {
        status = plan_find_file(p, &kept[i], *name[i], e);
        *name[i] = kept[i];
    }
    if (!status) status = opening_read(&h->opening, &opening, &ground, e);
    if (!status && opening.vents) case_note_vectors(&p->base, &h->opening.about, opening.vents);
    if (!status)
        status = catalogue_read(&h->catalogue, &catalogue, h->opening.zone, h->opening.zones, e);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) free(kept[i]);
    if (!status) status = make_classes(p, e);
    return status ? status : make_sources(p, e);
}
