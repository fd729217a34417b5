/* give.h — outflows added to the neighbours by atomics, for variants with GPU_SUMS. Every sum is
 * exact, so the order in which the atomics arrive does not matter: thicknesses are doubles on the
 * lattice, heats integers. */
#ifndef SCIARA_GPU_GIVE_H
#define SCIARA_GPU_GIVE_H

#include "cell.h"

__device__ static inline void gpu_give_flow(const struct gpu_view *v, int at, double T,
                                            const double flow[8])
{
    double out = 0.0;
    long long heat_out = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (!(flow[k] > 0.0)) continue;
        long long heat = heat_of(flow[k], T);
        atomicAdd(&v->gain_m[at + gpu_next_to(v, k)], flow[k]);
        atomicAdd(&v->heat[at + gpu_next_to(v, k)], (gpu_word)heat);
        out += flow[k];
        heat_out += heat;
    }
    if (!(out > 0.0)) return;
    atomicAdd(&v->gain_m[at], -out);
    atomicAdd(&v->heat[at], (gpu_word)-heat_out);
}

#endif
