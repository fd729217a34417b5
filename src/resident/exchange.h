/* exchange.h — how the blocks of one launch tell each other things while they run: messages from cell to cell,
 * a barrier of the whole grid.
 *
 * A message is one number of a cell after one step. It travels through L2 in words of 16 bytes that carry
 * their own proof: two halves of the number, each in a 64-bit half beside the number of the step. Whoever
 * waits reads the word until both halves show the step awaited; no flag, no fence, and one trip through L2
 * instead of three. (A 64-bit access to global memory is never torn; two of them may be.)
 *
 *     64 bits                        64 bits
 *     [ step | low half of number ]  [ step | high half of number ] */
#ifndef SCIARA_RESIDENT_EXCHANGE_H
#define SCIARA_RESIDENT_EXCHANGE_H

#include "../common/gpu_host.h"

struct mail_word {
    unsigned long long half[2];
};

__device__ static inline void mail_write(struct mail_word *to, double number, unsigned step)
{
    unsigned long long bits = (unsigned long long)bits_of(number), tag = (unsigned long long)step << 32;
    unsigned long long low = tag | (bits & 0xffffffffu), high = tag | (bits >> 32);
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

__device__ static inline double mail_number(struct mail_word w)
{
    return real_of((ints)((w.half[0] & 0xffffffffu) | w.half[1] << 32));
}

/* Between two looks at what another block writes. */
__device__ static inline void exchange_pause(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_pause();
#endif
}

__device__ static inline unsigned exchange_read(const unsigned *at)
{
#if defined(SCIARA_EMULATOR)
    return *at;
#else
    unsigned n;
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(n) : "l"(at) : "memory");
    return n;
#endif
}

/* All threads of all blocks, which have to be on the device at once (a cooperative launch). What was written
 * before is seen after. `arrived` is 0 when the kernel begins, `due` in every block. */
__device__ static inline void exchange_barrier(unsigned *arrived, unsigned *due)
{
    *due += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (exchange_read(arrived) < *due) exchange_pause();
        __threadfence();
    }
    __syncthreads();
}

#endif
