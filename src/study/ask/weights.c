/* weights.c — weighs members by other weights of vents or of classes of eruptions. The weight of a member is multiplied by
 * the new weight of its vent or class and divided by the weight of the vent or class in the plan. */
#include "ask.h"

#include "base/divisor.h"
#include "base/order.h"
#include "plan/member.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>

/* Factors of the weights of members, by the number of their vent or class; NULL: weights stay. */
struct factors {
    double *vent, *class;
};

static double share_of(const struct choice *c, int i, double sum)
{
    return c->kind == CHOICE_ALIKE ? 1 : c->share[i] / sum;
}

/* The divisor of weights: 1 for whole numbers, which stay whole; else the sum of the weights. */
static double sum_of(const struct choice *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++) sum += c->share[i];
    return c->kind == CHOICE_WEIGHTS ? 1 : sum;
}

/* The weight of a vent in the plan. In a plan of `sciara hazard` this is the vent's probability. Half of the members of
 * such a plan draw their vent in other proportions (plan_hazard.c). */
static double vent_of(const struct plan *p, int i, double sum)
{
    return p->hazard ? plan_hazard_vent(p, i) : share_of(&p->sources.choice, i, sum);
}

static uint64_t cell_of(const struct sources *s, int i)
{
    const struct place *at = &s->point[s->source[i].first].at;
    return (uint64_t)at->up << 32 | (uint64_t)at->right;
}

struct source_cell {
    uint64_t cell;
    int i; /* number of the source */
};

/* The cells of the sources, malloc'ed and sorted for bsearch(), because there may be many; NULL: out of memory. */
static struct source_cell *sorted_cells(const struct sources *s)
{
    const size_t count = (size_t)s->choice.count;
    struct source_cell *cells = malloc((count ? count : 1) * sizeof *cells);
    for (size_t i = 0; cells && i < count; i++)
        cells[i] = (struct source_cell){cell_of(s, (int)i), (int)i};
    if (cells) qsort(cells, count, sizeof *cells, order_words);
    return cells;
}

/* The source in the same cell as source i of s; NULL: none. */
static const struct source_cell *find_cell(const struct source_cell *cells, size_t count,
                                           const struct sources *s, int i)
{
    const struct source_cell key = {cell_of(s, i), 0};
    return bsearch(&key, cells, count, sizeof key, order_words);
}

/* Refuses a vent that the plan does not have. Its weight would go to the other vents without notice. */
static int check_vents(const struct sources *new, const struct sources *old, const char *path,
                       struct error *e)
{
    FREED struct source_cell *cells = sorted_cells(old);
    if (!cells) return error_memory(e);
    for (int i = 0; i < new->choice.count; i++)
        if (!find_cell(cells, (size_t)old->choice.count, new, i))
            return error_input(e,
                               "%s: vent %d: the library's plan has no vent there; remove it, or "
                               "compute an ensemble with it",
                               path, new->source[i].id);
    return 0;
}

/* Finds the factors of vents from a list. A vent of the plan gets the weight of the list's vent in the same cell. */
static int weigh_list(struct factors *f, const struct plan *p, const char *path, struct error *e)
{
    const struct vent_ground ground = plan_ground(p);
    const struct sources *old = &p->sources;
    FREED_BY(sources_free) struct sources new;
    int status = sources_read_list(&new, path, &ground, e);
    if (!status) status = check_vents(&new, old, path, e);
    if (status) return status;
    const double before = sum_of(&old->choice), now = sum_of(&new.choice);
    FREED struct source_cell *cells = sorted_cells(&new);
    if (!cells) return error_memory(e);
    for (int i = 0; i < old->choice.count; i++) {
        const struct source_cell *at = find_cell(cells, (size_t) new.choice.count, old, i);
        if (at) f->vent[i] = share_of(&new.choice, at->i, now) / vent_of(p, i, before);
    }
    return 0;
}

/* The value of a raster at a vent; NULL: the vent is outside the raster, or the value is not above 0. */
static const double *value_at(const struct raster *r, const struct plan *p, int vent)
{
    const struct sources *s = &p->sources;
    const struct georef *geo = &p->base.geo;
    const struct place *at = &s->point[s->source[vent].first].at;
    const double x = geo->west_m + at->right * geo->cell_m, y = geo->south_m + at->up * geo->cell_m,
                 col = floor((x - r->geo.west_m) / r->geo.cell_m),
                 up = floor((y - r->geo.south_m) / r->geo.cell_m);
    if (!(col >= 0 && col < r->cols && up >= 0 && up < r->rows)) return NULL;
    const double *value =
        &r->value[(size_t)(r->rows - 1 - (int)up) * (size_t)r->cols + (size_t)col];
    return *value > 0 ? value : NULL;
}

/* Finds the factors of vents from a raster; vents in the same cell share its value. */
static int share_raster(struct factors *f, const struct raster *r, const struct plan *p,
                        const char *path, struct error *e)
{
    const struct choice *old = &p->sources.choice;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    const double before = sum_of(old);
    double now = 0;
    FREED uint32_t *vents = calloc(cells, sizeof *vents);
    if (!vents) return error_memory(e);
    for (size_t i = 0; i < cells; i++) {
        if (r->value[i] < 0)
            return error_input(e,
                               "%s: the probability is %g at row %zu, column %zu; give 0 or more",
                               path, r->value[i], i / (size_t)r->cols, i % (size_t)r->cols);
        if (r->value[i] > 0) now += r->value[i];
    }
    for (int i = 0; i < old->count; i++) {
        const double *at = value_at(r, p, i);
        if (at) vents[at - r->value]++;
    }
    for (int i = 0; i < old->count; i++) {
        const double *at = value_at(r, p, i);
        if (at) f->vent[i] = *at / now / vents[at - r->value] / vent_of(p, i, before);
    }
    return 0;
}

static int weigh_raster(struct factors *f, const struct plan *p, const char *path, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int status = raster_read(&r, path, SOURCES_MAX, e);
    if (status) return status;
    status = raster_check_crs(&r, path, &p->base.geo, e);
    if (!status) status = raster_check_values(&r, path, -RASTER_VALUE_MAX, RASTER_VALUE_MAX, e);
    return status ? status : share_raster(f, &r, p, path, e);
}

static int read_vents(struct factors *f, const struct plan *p, const char *path, struct error *e)
{
    const int vents = p->sources.choice.count;
    if (!vents)
        return error_input(
            e, "%s: members of the plan do not choose among vents; ask without this file", path);
    if (!(f->vent = calloc((size_t)vents, sizeof *f->vent))) return error_memory(e);
    const bool raster = text_has_extension(path, ".tif") || text_has_extension(path, ".asc");
    return (raster ? weigh_raster : weigh_list)(f, p, path, e);
}

static int read_classes(struct factors *f, const struct plan *p, const char *path, struct error *e)
{
    const struct classes *old = &p->classes;
    FREED_BY(classes_free) struct classes new = {.item = NULL};
    if (!old->choice.count)
        return error_input(e, "%s: the plan has no classes of eruptions; ask without this file",
                           path);
    const int status = classes_read(&new, path, e);
    if (status) return status;
    for (int k = 0; k < new.choice.count; k++)
        if (classes_find(old, new.item[k].name) < 0)
            return error_input(e,
                               "%s: class '%s': the library's plan has no such class; remove it, "
                               "or compute an ensemble with it",
                               path, new.item[k].name);
    if (!(f->class = calloc((size_t)old->choice.count, sizeof *f->class))) return error_memory(e);
    const double before = sum_of(&old->choice), now = sum_of(&new.choice);
    for (int i = 0; i < old->choice.count; i++) {
        const int k = classes_find(&new, old->item[i].name);
        const double was = p->hazard ? plan_hazard_class(p, i) : share_of(&old->choice, i, before);
        if (k >= 0) f->class[i] = share_of(&new.choice, k, now) / was;
    }
    return 0;
}

void ask_round(uint64_t *weight, const double *w, int64_t count)
{
    static const double MOST = 16777216; /* the sum over 10,000,000 members stays below 2^53 */
    double most = 0;
    bool whole = true;
    int64_t divisor = 0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, w[i]);
        whole = whole && w[i] == floor(w[i]);
    }
    const double scale = whole && most <= MOST ? 1 : MOST / most;
    for (int64_t i = 0; i < count; i++) {
        weight[i] = (uint64_t)rint(w[i] * scale);
        if (w[i] > 0 && !weight[i]) weight[i] = 1;
        divisor = divisor_common(divisor, (int64_t)weight[i]);
    }
    for (int64_t i = 0; divisor && i < count; i++) weight[i] /= (uint64_t)divisor;
}

static int weigh_by_factors(struct ask *x, const struct factors *f, struct error *e)
{
    const int64_t count = x->of.s.source->count;
    FREED double *w = calloc((size_t)count, sizeof *w);
    FREED struct member *m = malloc(sizeof *m);
    if (!w || !m) return error_memory(e);
    for (int64_t i = 0; i < count; i++) {
        if (!x->weight[i]) continue;
        const int status = member_create_flat(m, x->of.plan, i, e);
        if (status) return status;
        w[i] = (double)x->weight[i];
        if (f->vent) w[i] = m->source < 0 ? 0 : w[i] * f->vent[m->source];
        if (f->class) w[i] = m->class < 0 ? 0 : w[i] * f->class[m->class];
        member_free(m);
    }
    ask_round(x->weight, w, count);
    return 0;
}

int ask_weights(struct ask *x, const char *vents, const char *classes, struct error *e)
{
    struct factors f = {NULL, NULL};
    int status = vents ? read_vents(&f, x->of.plan, vents, e) : 0;
    if (!status && classes) status = read_classes(&f, x->of.plan, classes, e);
    if (!status) status = weigh_by_factors(x, &f, e);
    FREE_ALL(f.vent, f.class);
    return status;
}
