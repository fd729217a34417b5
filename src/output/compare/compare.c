#include "compare.h"

#include <math.h>
#include <string.h>

/* One cell into the sums; zero where the numbers skip it. */
static void add_numbers(struct difference *d, double *sum_a, double a, double b, size_t at)
{
    const double difference = fabs(a - b);
    *sum_a += fabs(a);
    d->l1 += difference;
    if (difference > d->largest) {
        d->largest = difference;
        d->largest_at = at;
    }
}

void compare_values(struct difference *d, const double *a, const double *b, size_t n,
                    bool absent_is_zero)
{
    double sum_a = 0;
    *d = (struct difference){.cells = n, .empty = true};
    for (size_t i = 0; i < n; i++) {
        const bool in_a = !isnan(a[i]), in_b = !isnan(b[i]);
        const bool lava_a = a[i] > 0, lava_b = b[i] > 0;
        d->differ += (in_a || in_b) && memcmp(&a[i], &b[i], sizeof *a);
        d->missing_a += in_b && !in_a;
        d->missing_b += in_a && !in_b;
        d->both += lava_a && lava_b;
        d->either += lava_a || lava_b;
        if ((in_a && a[i] != 0) || (in_b && b[i] != 0)) d->empty = false;
        if ((in_a && in_b) || absent_is_zero)
            add_numbers(d, &sum_a, in_a ? a[i] : 0.0, in_b ? b[i] : 0.0, i);
    }
    d->l1_relative = sum_a > 0 ? d->l1 / sum_a : (double)NAN;
    d->overlap = d->either ? (double)d->both / (double)d->either : (double)NAN;
}

bool compare_absent_is_zero(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strstr(name, "hickness") || strstr(name, "solidified");
}
