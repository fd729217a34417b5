/* parts.h — measures the time of the parts of a step, in a build with -DRESIDENT_PARTS
 * (profiling/resident_parts). The first thread of a block adds up the cycles between the marks that
 * it passes. In all other builds the functions are empty. */
#ifndef SCIARA_RESIDENT_PARTS_H
#define SCIARA_RESIDENT_PARTS_H

#include "gpu/view.h"

enum part { PART_LOAD, PART_WAIT, PART_OUTFLOWS, PART_SETTLE, PART_STORE, PART_MEET, PARTS };

/* Sums over all blocks that have a tile: the cycles of each part, and the number of steps. */
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
/* Ends a part at a barrier, as part_ends() does. Reading shared data first makes sure that the warp has passed the
 * barrier. */
__device__ static inline void part_ends_at_barrier(struct part_marks *p, enum part which,
                                                   const volatile unsigned *shared)
{
    (void)*shared;
    part_ends(p, which);
}
/* Adds the cycles of *p to *sums, and sets the cycles of *p to 0. sums is NULL in a block without a tile. */
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
