/* techniques.cpp — the kernels of profiling/techniques.cu on the CPU, for tests/common/test_techniques.c.
 */
#include "../../profiling/techniques_kernels.cuh"

extern "C" {

extern const int emulated_tile = PIECE_TILE; /* the side that the grid's tiles have to have */

/* Computes in the given form and returns its name; NULL: there is no such form. */
const char *emulated_outflows(int form, const struct physics *physics, const struct grid *g,
                              const double *z, const double *h, const double *T, double *flow);
const char *emulated_sum(int form, const double *h, int size, int most_blocks, gpu_word word[2]);

const char *emulated_outflows(int form, const struct physics *physics, const struct grid *g,
                              const double *z, const double *h, const double *T, double *flow)
{
    if (form >= OUTFLOWS_FORMS) return NULL;
    const struct piece p = {
        *physics, g->stride, g->size, g->tiles_across, g->tiles_across * g->tiles_down, z,
        h,        T,         flow};
    outflows_forms[form].launch(p, 0);
    return outflows_forms[form].name;
}

const char *emulated_sum(int form, const double *h, int size, int most_blocks, gpu_word word[2])
{
    struct gpu_sum sum = {{0, 0}};
    if (form >= SUM_FORMS) return NULL;
    launch_sum(sum_forms[form], h, size, most_blocks, &sum, 0);
    word[0] = sum.word[0];
    word[1] = sum.word[1];
    return sum_forms[form].name;
}
}
