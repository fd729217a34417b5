/* exchange.h — how the blocks of one launch tell each other things while they run: messages from cell to cell,
 * and meetings of the whole grid.
 *
 * A message is one number. It travels through L2 in a word of 16 bytes that carries its own proof: two halves
 * of the number, each in 64 bits beside the number of the step. Whoever waits reads the word until both
 * halves show the step awaited; no flag, no fence, and one trip through L2 instead of three. (A 64-bit access
 * to global memory is never torn; two of them may be.)
 *
 *     64 bits                        64 bits
 *     [ step | low half of number ]  [ step | high half of number ] */
#ifndef SCIARA_RESIDENT_EXCHANGE_H
#define SCIARA_RESIDENT_EXCHANGE_H

#include "../common/gpu_host.h"

enum { NOTICES = 32 };

struct mail_word {
    unsigned long long half[2];
};

/* In device memory; zeros when a kernel begins. */
struct exchange {
    unsigned arrived; /* blocks, at all meetings so far */
    int unused[31];   /* so that those who look at a notice do not disturb those who arrive */
    struct {
        struct mail_word word;
        int unused[28];
    } notice[NOTICES]; /* what the last to arrive has to say: all the same; not all have to look at one */
};

__device__ static inline void mail_write(struct mail_word *to, unsigned long long bits, unsigned step)
{
    unsigned long long tag = (unsigned long long)step << 32, low = tag | (bits & 0xffffffffu), high = tag | (bits >> 32);
#if defined(SCIARA_EMULATOR)
    to->half[0] = low;
    to->half[1] = high;
#else
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(low), "l"(high) : "memory");
#endif
}

__device__ static inline struct mail_word mail_look(const struct mail_word *from)
{
    struct mail_word w;
#if defined(SCIARA_EMULATOR)
    w = *from;
#else
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(w.half[0]), "=l"(w.half[1])
                 : "l"(from)
                 : "memory");
#endif
    return w;
}

__device__ static inline bool mail_is_of(struct mail_word w, unsigned step)
{
    return (unsigned)(w.half[0] >> 32) == step && (unsigned)(w.half[1] >> 32) == step;
}

__device__ static inline unsigned long long mail_bits(struct mail_word w)
{
    return (w.half[0] & 0xffffffffu) | w.half[1] << 32;
}

/* Between two looks at what another block writes. */
__device__ static inline void exchange_pause(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_pause();
#endif
}

/* What was written before is seen by whoever sees what is written after. */
__device__ static inline void exchange_fence(void)
{
#if !defined(SCIARA_EMULATOR)
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/* The meeting with this number, 1, 2, ..., of all threads of all blocks, which have to be on the device at once
 * (a cooperative launch). What was written before is seen after. One thread of the block that comes last,
 * alone while all others wait, calls duty(); what it returns is returned to all. `told` is in shared memory. */
template <class Duty>
__device__ static inline unsigned long long exchange_meet(struct exchange *x, unsigned number,
                                                          unsigned long long *told, Duty duty)
{
    __syncthreads();
    if (threadIdx.x < 32) {
        int last = 0;
        unsigned long long say = 0;
        if (threadIdx.x == 0) {
            exchange_fence();
            last = atomicAdd(&x->arrived, 1u) + 1 == number * gridDim.x;
            if (last) {
                exchange_fence();
                say = duty();
                exchange_fence();
            }
        }
        last = __shfl_sync(0xffffffffu, last, 0);
        say = __shfl_sync(0xffffffffu, say, 0);
        if (last) mail_write(&x->notice[threadIdx.x % NOTICES].word, say, number);
        else if (threadIdx.x == 0) {
            struct mail_word w = mail_look(&x->notice[blockIdx.x % NOTICES].word);
            for (; !mail_is_of(w, number); w = mail_look(&x->notice[blockIdx.x % NOTICES].word)) exchange_pause();
            say = mail_bits(w);
            exchange_fence();
        }
        if (threadIdx.x == 0) *told = say;
    }
    __syncthreads();
    return *told;
}

#endif
