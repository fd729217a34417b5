#include "sample.h"

#include "model/lattice.h"
#include "text/grow.h"

#include <stdlib.h>

struct sample sample_of(const struct fields *f)
{
    quanta solidified = 0;
    double thickest_m = 0, hottest_K = 0;
#pragma omp parallel for schedule(static) reduction(+ : solidified)                                \
    reduction(max : thickest_m, hottest_K)
    FIELDS_EACH (f, row, i) {
        const double h = f->thickness_m[i], all = h + f->solid_m[i];
        solidified += (int64_t)(f->solid_m[i] * LATTICE_PER_M);
        if (all > thickest_m) thickest_m = all;
        if (h > 0 && f->temp_K[i] > hottest_K) hottest_K = f->temp_K[i];
    }
    return (struct sample){.step = f->step,
                           .emitted = f->emitted,
                           .mobile = fields_mobile(f, NULL),
                           .solidified = solidified,
                           .left_domain = f->left_domain,
                           .entered_sea = f->entered_sea,
                           .thickest_m = thickest_m,
                           .hottest_K = hottest_K};
}

int samples_add(struct samples *s, const struct sample *one, struct error *e)
{
    if (s->count && one->step <= s->item[s->count - 1].step) return 0;
    return APPEND(s->item, s->count, *one) ? 0 : error_memory(e);
}

int samples_copy(struct samples *to, const struct samples *from, struct error *e)
{
    int status = 0;
    *to = (struct samples){0};
    for (int i = 0; i < from->count && !status; i++) status = samples_add(to, &from->item[i], e);
    if (status) samples_free(to);
    return status;
}

void samples_free(struct samples *s)
{
    free(s->item);
    *s = (struct samples){0};
}
