/* opening_fit.c — the bandwidth and the axis of a kernel, by leaving one vent out after the other. */
#include "opening.h"

#include "random/quantile.h"
#include "text/grow.h"

/* 1 / (1 - e^-8): what is beyond four bandwidths is cut off. */
static const double WITHIN_4H = 1.0003355752004945;
static const double PI = 3.14159265358979323846;

double opening_kernel_of(enum opening_kernel kernel, const struct opening_shape *s, double dx,
                         double dy)
{
    const double along = dx * s->east + dy * s->north, across = dy * s->east - dx * s->north,
                 h2 = s->h_m * s->h_m,
                 r2 = (along * along / s->ratio + across * across * s->ratio) / h2;
    if (kernel == KERNEL_EPANECHNIKOV) return r2 < 1 ? 2 / (PI * h2) * (1 - r2) : 0;
    return r2 < 16 ? WITHIN_4H / (2 * PI * h2) * real_exp(-r2 / 2) : 0;
}

/* The density of a zone at a point of one of its vents, by all others. */
static double density_without(const struct opening *o, int left, const double at[2],
                              const struct opening_shape *s)
{
    double sum = 0, weights = 0;
    for (int v = 0; v < o->vents; v++) {
        const struct past_vent *u = &o->vent[v];
        double k = 0;
        if (v == left || u->zone != o->vent[left].zone) continue;
        for (int p = u->first; p < u->first + u->count; p++)
            k += opening_kernel_of(o->kernel, s, at[0] - o->xy[p][0], at[1] - o->xy[p][1]);
        sum += u->weight * k / u->count;
        weights += u->weight;
    }
    return weights > 0 ? sum / weights : 0;
}

double opening_score(const struct opening *o, int zone, const struct opening_shape *s)
{
    double sum = 0, weights = 0;
    for (int v = 0; v < o->vents; v++) {
        const struct past_vent *u = &o->vent[v];
        double mine = 0;
        if (u->zone != zone || !(u->weight > 0)) continue;
        for (int p = u->first; p < u->first + u->count; p++) {
            const double density = density_without(o, v, o->xy[p], s);
            if (!(density > 0)) return -INFINITY;
            mine += real_log(density);
        }
        sum += u->weight * mine / u->count;
        weights += u->weight;
    }
    return weights > 0 ? sum / weights : -INFINITY;
}

/* The direction in which the points of a zone are spread most: the first eigenvector of [a b; b c], of which the
 * second pass knows the mean. */
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
    s->east = length > 0 ? east / length : 0; /* both 0: along the north */
    s->north = length > 0 ? b / length : 1;
}

static bool try_bandwidths(struct opening *o, int zone, struct opening_shape s, double least_m,
                           double most_m)
{
    static const double quarter[] = {1, 1.189207115002721, 1.4142135623730951, 1.681792830507429};
    double octave = least_m;
    for (int k = 0; octave * quarter[k % 4] <= most_m; octave *= ++k % 4 ? 1 : 2) {
        s.h_m = octave * quarter[k % 4];
        s.score = opening_score(o, zone, &s);
        if (!(s.score > -INFINITY)) continue;
        if (!APPEND(o->tried[zone], o->tries[zone], s)) return false;
        if (!(s.score <= o->shape[zone].score)) o->shape[zone] = s;
    }
    return true;
}

int opening_fit(struct opening *o, int zone, double least_m, double most_m, const char *path,
                struct error *e)
{
    static const double ratios[] = {1, 1.5, 2, 3, 4};
    struct opening_shape axis = {0};
    find_axis(&axis, o, zone);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        axis.ratio = ratios[i];
        if (!try_bandwidths(o, zone, axis, least_m, most_m)) return error_memory(e);
    }
    if (o->tries[zone]) return 0;
    return error_input(e,
                       "%s: a bandwidth needs two vents or more in each zone%s%s; add the line "
                       "'opening_bandwidth_m METRES'",
                       path, *o->zone[zone] ? ", also in " : "", o->zone[zone]);
}

/* One of the shapes that were tried; where none was, the one that was given. */
static struct opening_shape draw_shape(const struct opening *o, int zone, double u)
{
    double sum = 0, until = 0;
    int vents = 0;
    for (int v = 0; v < o->vents; v++) vents += o->vent[v].zone == zone;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < o->tries[zone]; i++) {
            const struct opening_shape *s = &o->tried[zone][i];
            const double part = real_exp(vents * (s->score - o->shape[zone].score));
            if (!pass) sum += part;
            else if ((until += part) >= u * sum) return *s;
        }
    return o->shape[zone];
}

/* By as much as the kernel of a vent spreads. */
static void move_vent(struct opening *to, const struct opening *o, int vent, const double u[2])
{
    const struct past_vent *v = &o->vent[vent];
    const struct opening_shape *s = &o->shape[v->zone];
    double sine, cosine;
    real_turn(360 * u[1], &sine, &cosine);
    const double r = s->h_m * (o->kernel == KERNEL_GAUSSIAN ? sqrt(-2 * real_log(u[0]))
                                                            : sqrt(1 - sqrt(1 - u[0]))),
                 along = r * cosine * sqrt(s->ratio), across = r * sine / sqrt(s->ratio);
    for (int p = v->first; p < v->first + v->count; p++) {
        to->xy[p][0] = o->xy[p][0] + along * s->east - across * s->north;
        to->xy[p][1] = o->xy[p][1] + along * s->north + across * s->east;
    }
}

bool opening_draw(struct opening *to, const struct opening *o, const double *u)
{
    *to = *o;
    to->mass = malloc(((size_t)o->vents + 1) * sizeof *to->mass);
    to->xy = malloc(((size_t)o->points + 1) * sizeof *to->xy);
    if (!to->mass || !to->xy) return false;
    for (int z = 0; z < o->zones; z++) to->shape[z] = draw_shape(o, z, u[z]);
    for (int v = 0; v < o->vents; v++) move_vent(to, o, v, u + o->zones + 2 * v);
    if (o->vents) opening_weigh(to);
    return true;
}
