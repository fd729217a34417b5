#include "percentiles.h"

#include "base/order.h"
#include <math.h>
#include <stdlib.h>

static double weight_of(const struct weighted *member, int64_t members)
{
    double weight = 0;
    for (int64_t i = 0; i < members; i++) weight += member[i].weight;
    return weight;
}

struct percentiles percentiles_of(struct weighted *member, int64_t members)
{
    struct percentiles s = {members, 0, NAN, NAN, NAN};
    const double weight = weight_of(member, members);
    double sum = 0;
    for (int64_t i = 0; i < members; i++) s.mean += member[i].weight * member[i].value;
    s.mean /= weight; /* without members 0 / 0 */
    qsort(member, (size_t)members, sizeof *member, order_reals);
    for (int64_t i = 0; i < members && isnan(s.p95); i++) {
        sum += member[i].weight;
        if (isnan(s.p05) && sum >= 0.05 * weight) s.p05 = member[i].value;
        if (isnan(s.p50) && sum >= 0.5 * weight) s.p50 = member[i].value;
        if (sum >= 0.95 * weight) s.p95 = member[i].value;
    }
    return s;
}

/* The mean of |x - observed| less half the mean of |x - x'| over all pairs, which of sorted members is
 * a sum of x times the share below less the share above. */
double percentiles_crps(const struct weighted *member, int64_t members, double observed)
{
    const double weight = weight_of(member, members);
    double sum = 0, below = 0;
    for (int64_t i = 0; i < members; i++) {
        const double w = member[i].weight / weight;
        sum += w * (fabs(member[i].value - observed) - member[i].value * (2 * below + w - 1));
        below += w;
    }
    return sum;
}

double percentiles_crps_of_classes(const double *edge, int edges, const uint64_t *class,
                                   double below, double weight, double observed)
{
    double sum = 0, low = 0;
    for (int k = 0; k < edges; k++) {
        const double share = (below + (double)class[k] / 2) / weight, high = edge[k],
                     before = fmin(fmax(observed, low), high) - low;
        sum += before * share * share + (high - low - before) * (1 - share) * (1 - share);
        below += (double)class[k];
        low = high;
    }
    return sum;
}
