/* parts.h — measures the time of the parts of a step, in a build with -DRESIDENT_PARTS
 * (profiling/resident_parts). The first thread of a block adds up the cycles between the marks that
 * it passes. In all other builds the functions are empty. */
#ifndef SCIARA_RESIDENT_PARTS_H
#define SCIARA_RESIDENT_PARTS_H

#include "gpu/view.h"

enum part { PART_LOAD, PART_WAIT, PART_OUTFLOWS, PART_SETTLE, PART_STORE, PART_MEET, PARTS };

/* Cycles of each part, and steps, both summed over all blocks with a tile. */
struct part_sums {
    gpu_word cycles[PARTS], steps;
};

#if defined(RESIDENT_PARTS)

struct part_marks {
    long long last, sum[PARTS];
};
__device__ static inline void part_begins(struct part_marks *p)
{
    p->last = clock64();
}
__device__ static inline void part_ends(struct part_marks *p, enum part which)
{
    long long now = clock64();
    p->sum[which] += now - p->last;
    p->last = now;
}
/* part_ends() after a barrier. The warp first reads shared data, so that it has surely passed the
 * barrier. */
__device__ static inline void part_ends_at_barrier(struct part_marks *p, enum part which,
                                                   const volatile unsigned *shared)
{
    (void)*shared;
    part_ends(p, which);
}
/* Adds the cycles of *p to *sums, and sets them to 0 in *p. sums is NULL in a block without a tile. */
__device__ static inline void parts_count(struct part_marks *p, struct part_sums *sums, int steps)
{
    if (sums && threadIdx.x == 0) {
        for (int i = 0; i < PARTS; i++) atomicAdd(&sums->cycles[i], (gpu_word)p->sum[i]);
        atomicAdd(&sums->steps, (gpu_word)steps);
    }
    for (int i = 0; i < PARTS; i++) p->sum[i] = 0;
}

#else

struct part_marks {
};
__device__ static inline void part_begins(struct part_marks *) {}
__device__ static inline void part_ends(struct part_marks *, enum part) {}
__device__ static inline void part_ends_at_barrier(struct part_marks *, enum part,
                                                   const volatile unsigned *)
{
}
__device__ static inline void parts_count(struct part_marks *, struct part_sums *, int) {}

#endif
#endif
