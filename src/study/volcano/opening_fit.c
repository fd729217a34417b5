/* opening_fit.c — fits bandwidth and axis of a kernel by cross-validation, which omits one vent after the other. */
#include "opening.h"

#include "random/quantile.h"
#include "text/grow.h"

/* 1 / (1 - e^-8): the kernel is cut off at four bandwidths, and this factor restores the integral 1. */
static const double WITHIN_4H = 1.0003355752004945;
static const double PI = 3.14159265358979323846;

/* The kernel is the product of two factors: K = kernel_top() * kernel_fall(r^2). */
static double kernel_top(enum opening_kernel kernel, double h2)
{
    return kernel == KERNEL_EPANECHNIKOV ? 2 / (PI * h2) : WITHIN_4H / (2 * PI * h2);
}

static double kernel_fall(enum opening_kernel kernel, double r2)
{
    if (kernel == KERNEL_EPANECHNIKOV) return r2 < 1 ? 1 - r2 : 0;
    return r2 < 16 ? real_exp(-r2 / 2) : 0;
}

/* The squared distance in the metric of an anisotropic kernel. */
static double squared_of(const struct opening_shape *s, double dx, double dy)
{
    const double along = dx * s->east + dy * s->north, across = dy * s->east - dx * s->north;
    return along * along / s->ratio + across * across * s->ratio;
}

double opening_kernel_of(enum opening_kernel kernel, const struct opening_shape *s, double dx,
                         double dy)
{
    const double h2 = s->h_m * s->h_m;
    return kernel_top(kernel, h2) * kernel_fall(kernel, squared_of(s, dx, dy) / h2);
}

/* All bandwidths that are tried with one ratio, in increasing order. A distance between vents is computed once for
 * all of them. A bandwidth is skipped as soon as a vent has no density. */
enum { BANDWIDTHS_MAX = 128 };
struct bandwidths {
    int count, first; /* bandwidths before `first` leave a vent without density */
    double h_m[BANDWIDTHS_MAX], h2[BANDWIDTHS_MAX], top[BANDWIDTHS_MAX];
    double density[BANDWIDTHS_MAX], score[BANDWIDTHS_MAX];
};

static void add_bandwidth(struct bandwidths *b, enum opening_kernel kernel, double h_m)
{
    b->h_m[b->count] = h_m;
    b->h2[b->count] = h_m * h_m;
    b->top[b->count] = kernel_top(kernel, h_m * h_m);
    b->score[b->count++] = 0;
}

/* Sets the density at a point of vent `left`, due to all other vents of its zone, for each bandwidth. */
static void set_density(struct bandwidths *b, const struct opening *o, int left, const double at[2],
                        const struct opening_shape *s)
{
    const double reach2 = o->kernel == KERNEL_EPANECHNIKOV ? 1 : 16;
    double weights = 0;
    for (int k = b->first; k < b->count; k++) b->density[k] = 0;
    for (int v = 0; v < o->vents; v++) {
        const struct past_vent *u = &o->vent[v];
        const double w = u->weight / u->count;
        if (v == left || u->zone != o->vent[left].zone) continue;
        for (int p = u->first; p < u->first + u->count; p++) {
            const double d2 = squared_of(s, at[0] - o->xy[p][0], at[1] - o->xy[p][1]);
            for (int k = b->count - 1; k >= b->first && d2 < reach2 * b->h2[k]; k--)
                b->density[k] += w * b->top[k] * kernel_fall(o->kernel, d2 / b->h2[k]);
        }
        weights += u->weight;
    }
    for (int k = b->first; k < b->count; k++) b->density[k] /= weights > 0 ? weights : 1;
}

static void set_scores(struct bandwidths *b, const struct opening *o, int zone,
                       const struct opening_shape *s)
{
    double weights = 0;
    for (int v = 0; v < o->vents; v++) {
        const struct past_vent *u = &o->vent[v];
        if (u->zone != zone || !(u->weight > 0)) continue;
        for (int p = u->first; p < u->first + u->count; p++) {
            set_density(b, o, v, o->xy[p], s);
            while (b->first < b->count && !(b->density[b->first] > 0)) b->first++;
            for (int k = b->first; k < b->count; k++)
                b->score[k] += u->weight / u->count * real_log(b->density[k]);
        }
        weights += u->weight;
    }
    if (!(weights > 0)) b->first = b->count;
    for (int k = b->first; k < b->count; k++) b->score[k] /= weights;
}

double opening_score(const struct opening *o, int zone, const struct opening_shape *s)
{
    struct bandwidths b = {0};
    add_bandwidth(&b, o->kernel, s->h_m);
    set_scores(&b, o, zone, s);
    return b.first ? -INFINITY : b.score[0];
}

/* Finds the axis along which the points of a zone are spread most: the first eigenvector of the covariance matrix [a
 * b; b c]. The first pass finds the mean, the second the covariance. */
static void find_axis(struct opening_shape *s, const struct opening *o, int zone)
{
    double n = 0, x = 0, y = 0, a = 0, b = 0, c = 0;
    for (int pass = 0; pass < 2; pass++) {
        const double mean[2] = {pass ? x / n : 0, pass ? y / n : 0};
        for (int v = 0, p = 0; v < o->vents; v++)
            for (const struct past_vent *u = &o->vent[v]; p < u->first + u->count; p++) {
                const double w = u->zone == zone ? u->weight / u->count : 0,
                             dx = o->xy[p][0] - mean[0], dy = o->xy[p][1] - mean[1];
                if (!pass) n += w, x += w * dx, y += w * dy;
                else a += w * dx * dx, b += w * dx * dy, c += w * dy * dy;
            }
    }
    const double half = (a - c) / 2, east = half + sqrt(half * half + b * b),
                 length = sqrt(east * east + b * b);
    s->east = length > 0 ? east / length : 0; /* if both are 0, the axis points north */
    s->north = length > 0 ? b / length : 1;
}

static void try_bandwidths(struct opening *o, int zone, struct opening_shape s)
{
    static const double quarter[] = {1, 1.189207115002721, 1.4142135623730951, 1.681792830507429};
    double octave = o->least_m;
    struct bandwidths b = {0};
    for (int k = 0; k < BANDWIDTHS_MAX && octave * quarter[k % 4] <= o->most_m;
         octave *= ++k % 4 ? 1 : 2)
        add_bandwidth(&b, o->kernel, octave * quarter[k % 4]);
    set_scores(&b, o, zone, &s);
    for (int k = b.first; k < b.count; k++) {
        s.h_m = b.h_m[k];
        s.score = b.score[k];
        if (!o->tries[zone]++ || s.score > o->shape[zone].score) o->shape[zone] = s;
    }
}

void opening_fit(struct opening *o, int zone)
{
    static const double ratios[] = {1, 1.5, 2, 3, 4};
    struct opening_shape axis = {0};
    find_axis(&axis, o, zone);
    o->tries[zone] = 0;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        axis.ratio = ratios[i];
        try_bandwidths(o, zone, axis);
    }
}

/* ---- other vents ------------------------------------------------------------------------------- */

/* Picks vent floor(u n) among the n >= 1 vents of a zone. */
static const struct past_vent *pick_vent(const struct opening *o, int zone, double u)
{
    int all = 0, k = 0;
    for (int v = 0; v < o->vents; v++) all += o->vent[v].zone == zone;
    const int wanted = (int)(u * all);
    for (int v = 0;; v++)
        if (o->vent[v].zone == zone && k++ == wanted) return &o->vent[v];
}

static bool begin_vents(struct opening *to, const struct opening *o)
{
    *to = *o;
    to->vents = to->points = 0;
    to->xy = NULL;
    to->mass = malloc(((size_t)o->vents + 1) * sizeof *to->mass);
    to->vent = malloc(((size_t)o->vents + 1) * sizeof *to->vent);
    return to->mass && to->vent;
}

/* Adds a vent of *o, moved by an offset. */
static bool add_vent_moved(struct opening *to, const struct opening *o,
                           const struct past_vent *from, const double by[2])
{
    struct past_vent *v = &to->vent[to->vents++];
    *v = *from;
    v->first = to->points;
    for (int p = from->first; p < from->first + from->count; p++) {
        if (!GROW(to->xy, to->points)) return false;
        to->xy[to->points][0] = o->xy[p][0] + by[0];
        to->xy[to->points++][1] = o->xy[p][1] + by[1];
    }
    return true;
}

bool opening_before(struct opening *to, const struct opening *o, double age_y)
{
    static const double stays[2] = {0, 0};
    if (!begin_vents(to, o)) return false;
    for (const struct past_vent *v = o->vent; v < o->vent + o->vents; v++) {
        if (!add_vent_moved(to, o, v, stays)) return false;
        if (v->age_y <= age_y) to->vent[to->vents - 1].weight = 0;
    }
    for (int z = 0; z < o->zones && o->least_m > 0; z++) opening_fit(to, z);
    opening_weigh(to);
    return true;
}

/* Adds to by[] the part of one point in the mean offset of its vent. The offset of a point is half of the way to a mean
 * of the points of its zone. The kernel around the point weighs these points. */
static void add_half_way(double by[2], const struct opening *o, const struct past_vent *of,
                         const double at[2])
{
    double x = 0, y = 0, sum = 0;
    for (int v = 0; v < o->vents; v++) {
        const struct past_vent *u = &o->vent[v];
        for (int p = u->first; u->zone == of->zone && p < u->first + u->count; p++) {
            const double dx = o->xy[p][0] - at[0], dy = o->xy[p][1] - at[1],
                         k = u->weight / u->count *
                             opening_kernel_of(o->kernel, &o->shape[u->zone], dx, dy);
            x += k * dx;
            y += k * dy;
            sum += k;
        }
    }
    if (sum > 0) by[0] += x / sum / 2 / of->count;
    if (sum > 0) by[1] += y / sum / 2 / of->count;
}

bool opening_sharpen(struct opening *to, const struct opening *o)
{
    if (!begin_vents(to, o)) return false;
    for (const struct past_vent *v = o->vent; v < o->vent + o->vents; v++) {
        double by[2] = {0, 0};
        for (int p = v->first; p < v->first + v->count; p++) add_half_way(by, o, v, o->xy[p]);
        if (!add_vent_moved(to, o, v, by)) return false;
    }
    opening_weigh(to);
    return true;
}

/* Adds a vent, moved by a random offset with the distribution of its kernel. */
static bool add_drawn(struct opening *to, const struct opening *o, const struct past_vent *from,
                      const double u[2])
{
    const struct opening_shape *s = &o->shape[from->zone];
    double sine, cosine;
    real_turn(360 * u[1], &sine, &cosine);
    const double r = s->h_m * (o->kernel == KERNEL_GAUSSIAN ? sqrt(-2 * real_log(u[0]))
                                                            : sqrt(1 - sqrt(1 - u[0]))),
                 along = r * cosine * sqrt(s->ratio), across = r * sine / sqrt(s->ratio);
    return add_vent_moved(to, o, from,
                          (const double[2]){along * s->east - across * s->north,
                                            along * s->north + across * s->east});
}

bool opening_draw(struct opening *to, const struct opening *o, const double *u)
{
    if (!begin_vents(to, o)) return false;
    for (int v = 0; v < o->vents; v++)
        if (!add_drawn(to, o, pick_vent(o, o->vent[v].zone, u[3 * v]), u + 3 * v + 1)) return false;
    for (int z = 0; z < o->zones && o->least_m > 0; z++) opening_fit(to, z);
    opening_weigh(to);
    return true;
}
