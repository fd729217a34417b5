/* parts.h — where the time of a step goes, in a build for measuring (-DRESIDENT_PARTS,
 * profiling/resident_parts): the first thread of a block adds up the cycles between the marks that
 * it passes. In any other build there is nothing here. */
#ifndef SCIARA_RESIDENT_PARTS_H
#define SCIARA_RESIDENT_PARTS_H

#include "gpu/gpu.h"

enum part { PART_LOAD, PART_WAIT, PART_OUTFLOWS, PART_SETTLE, PART_STORE, PART_MEET, PARTS };

#if defined(RESIDENT_PARTS)

struct parts {
    long long last, sum[PARTS];
};
__device__ static inline void part_begins(struct parts *p)
{
    p->last = clock64();
}
__device__ static inline void part_ends(struct parts *p, enum part which)
{
    long long now = clock64();
    p->sum[which] += now - p->last;
    p->last = now;
}
/* The same after a barrier, which a warp has only passed when it reads what others wrote before. */
__device__ static inline void part_ends_at_barrier(struct parts *p, enum part which,
                                                   const volatile unsigned *shared)
{
    (void)*shared;
    part_ends(p, which);
}
/* Into control->parts, and in the last place how many steps of a tile these were; control is NULL
 * in a block that has no tile. */
__device__ static inline void parts_count(struct parts *p, struct gpu_control *control, int steps)
{
    if (control && threadIdx.x == 0) {
        for (int i = 0; i < PARTS; i++) atomicAdd(&control->parts[i], (gpu_word)p->sum[i]);
        atomicAdd(&control->parts[PARTS], (gpu_word)steps);
    }
    for (int i = 0; i < PARTS; i++) p->sum[i] = 0;
}

#else

struct parts {
};
__device__ static inline void part_begins(struct parts *) {}
__device__ static inline void part_ends(struct parts *, enum part) {}
__device__ static inline void part_ends_at_barrier(struct parts *, enum part,
                                                   const volatile unsigned *)
{
}
__device__ static inline void parts_count(struct parts *, struct gpu_control *, int) {}

#endif
#endif
