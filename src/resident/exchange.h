/* exchange.h — how the blocks of one launch communicate while they run: messages from cell to cell,
 * and meetings of the whole grid.
 *
 * A message is the new state of a cell after a step. It travels through L2 in one word of 16 bytes
 * that identifies its step, so that the receiver needs no flag and no fence, and one trip through
 * L2 instead of three:
 *
 *     64 bits: [ step, 13 | solidified, 1 | h, or the solidified thickness, in lambda, 50 ]
 *     64 bits: [ step / 2, 1 | T, 63 ]
 *
 * When lava solidifies, all of it does: h is 0 afterwards, T is PTsol, and z has grown by the
 * solidified thickness; z changes at no other time, so it need not be sent. T is never negative (-0
 * becomes 0): its sign bit is free. A box is used in every second step, so one bit distinguishes a
 * message from the previous one, whichever half of the word arrives first (an aligned access of 64
 * bits is never torn; one of 128 bits may be). Before every epoch boxes are cleared to a value that
 * differs from the next messages. */
#ifndef SCIARA_RESIDENT_EXCHANGE_H
#define SCIARA_RESIDENT_EXCHANGE_H

#include "gpu/view.h"

enum { NOTICES = 32, MOST_PROCESSORS = 1024 };

struct mail_word {
    unsigned long long half[2];
};

/* In device memory; zeros when a kernel begins. Counters of one meeting or epoch are reset to zero
 * in another that is two away, so that no block has to wait for the reset. */
struct exchange {
    unsigned long long arrived[3]; /* meeting n: n % 3; blocks, and the tiles that they have listed
                                      (struct listed) */
    int unused[26];                /* so that polling a notice does not disturb arrivals */
    struct {
        int heavy, light;
    } fill[4];              /* of lists: epoch n, n % 4 */
    int panels, next_panel; /* of an epoch through memory: on the list, and the first not yet taken
                               in a step */
    int unused_too[22];
    struct {
        struct mail_word word;
        int unused[28];
    } notice[NOTICES]; /* from the last block to arrive; equal copies, so that not all blocks poll
                          the same one */
    int blocks_on[MOST_PROCESSORS]; /* multiprocessors */
};

/* Numbers of tiles of both kinds, packed for one addition: a domain has less than 2^26 tiles. */
struct listed {
    int heavy, light;
};
__device__ static inline unsigned long long listed_bits(struct listed n)
{
    return (unsigned long long)n.heavy << 12 | (unsigned long long)n.light << 38;
}
__device__ static inline struct listed listed_of(unsigned long long bits)
{
    return {(int)(bits >> 12 & 0x3ffffff), (int)(bits >> 38)};
}

__device__ static inline void mail_write(struct mail_word *to, struct mail_word w)
{
#if defined(SCIARA_EMULATOR)
    emulator_mail_write(to, &w);
#else
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(w.half[0]),
                 "l"(w.half[1])
                 : "memory");
#endif
}

__device__ static inline struct mail_word mail_look(const struct mail_word *from)
{
    struct mail_word w;
#if defined(SCIARA_EMULATOR)
    emulator_mail_look(&w, from);
#else
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(w.half[0]), "=l"(w.half[1])
                 : "l"(from)
                 : "memory");
#endif
    return w;
}

/* The new state of a cell after a step. Thicknesses are below 2^14 m. */
#define MESSAGE_BASE                                                                               \
    65536.0 /* doubles from here to twice this value have a significand that counts lambda */
struct message {
    double h, T, solid_m;
};

__device__ static inline struct mail_word message_pack(struct message m, unsigned step)
{
    bool solidified = m.solid_m > 0.0;
    unsigned long long lambda =
        (unsigned long long)bits_of((solidified ? m.solid_m : m.h) + MESSAGE_BASE);
    return {{(unsigned long long)(step & 0x1fff) << 51 | (unsigned long long)solidified << 50 |
                 (lambda & 0x3ffffffffffffull),
             (unsigned long long)(step >> 1 & 1) << 63 |
                 ((unsigned long long)bits_of(m.T) & 0x7fffffffffffffffull)}};
}

__device__ static inline bool message_is_of(struct mail_word w, unsigned step)
{
    return (unsigned)(w.half[0] >> 51) == (step & 0x1fff) &&
           (unsigned)(w.half[1] >> 63) == (step >> 1 & 1);
}

/* A value that differs from any message of that step, in both halves. */
__device__ static inline struct mail_word message_clear(unsigned step)
{
    return {
        {(unsigned long long)(~step & 0x1fff) << 51, (unsigned long long)(~step >> 1 & 1) << 63}};
}

__device__ static inline struct message message_unpack(struct mail_word w)
{
    bool solidified = w.half[0] >> 50 & 1;
    double m =
        real_of((ints)(w.half[0] & 0x3ffffffffffffull) | bits_of(MESSAGE_BASE)) - MESSAGE_BASE;
    return {solidified ? 0.0 : m, real_of((ints)(w.half[1] & 0x7fffffffffffffffull)),
            solidified ? m : 0.0};
}

/* Between two reads of data that another block writes. */
__device__ static inline void exchange_pause(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_pause();
#endif
}

/* An acquire-release fence: if another thread sees, before its own fence, a value that this thread
 * wrote after this fence, then after its fence it sees everything that this thread wrote or saw
 * before. */
__device__ static inline void exchange_fence(void)
{
#if defined(SCIARA_EMULATOR)
    __threadfence();
#else
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/* The meeting with this number, 1, 2, ..., of all threads of all blocks (less than 4,096), which
 * have to be on the device at once (a cooperative launch). All writes before it are visible after
 * it. Returns how many tiles all blocks have listed, and in *stop the result of on_last_arrival(),
 * which one thread of the last block calls, alone while all others wait. `notice` is in shared
 * memory. */
template <class OnLastArrival>
__device__ static inline struct listed exchange_meet(struct exchange *x, unsigned number,
                                                     struct listed mine, unsigned long long *notice,
                                                     bool *stop, OnLastArrival on_last_arrival)
{
    __syncthreads();
    if (threadIdx.x < 32) {
        int last = 0;
        unsigned long long say = 0;
        if (threadIdx.x == 0) {
            unsigned long long me = listed_bits(mine) + 1;
            exchange_fence();
            say = atomicAdd(&x->arrived[number % 3], me) + me;
            last = (say & 0xfff) == gridDim.x;
            if (last) {
                x->arrived[(number + 2) % 3] = 0;
                say = (say & ~0xfffull) | (on_last_arrival() ? 1u : 0u);
            }
        }
        last = __shfl_sync(0xffffffffu, last, 0);
        say = __shfl_sync(0xffffffffu, say, 0);
        __syncwarp();
        const struct mail_word words = {{(say & 0xffffffffu) | (unsigned long long)number << 32,
                                         say >> 32 | (unsigned long long)number << 32}};
        if (last) mail_write(&x->notice[threadIdx.x % NOTICES].word, words);
        else if (threadIdx.x == 0) {
            struct mail_word w = mail_look(&x->notice[blockIdx.x % NOTICES].word);
            for (; w.half[0] >> 32 != number || w.half[1] >> 32 != number;
                 w = mail_look(&x->notice[blockIdx.x % NOTICES].word))
                exchange_pause();
            say = (w.half[0] & 0xffffffffu) | w.half[1] << 32;
        }
        if (threadIdx.x == 0) {
            exchange_fence();
            *notice = say;
        }
    }
    __syncthreads();
    *stop = *notice & 1;
    return listed_of(*notice);
}

/* The multiprocessor that this block runs on. */
__device__ static inline int exchange_processor(void)
{
#if defined(SCIARA_EMULATOR)
    return (int)(blockIdx.x % 2);
#else
    int processor;
    asm("mov.u32 %0, %%smid;" : "=r"(processor));
    return processor % MOST_PROCESSORS;
#endif
}

/* A meeting as a mere barrier. */
__device__ static inline void exchange_meet(struct exchange *x, unsigned number,
                                            unsigned long long *notice)
{
    bool stop;
    exchange_meet(x, number, {0, 0}, notice, &stop, [] { return false; });
}

/* Renumbers the blocks, so that every multiprocessor has one block before any has two, and so on:
 * the device distributes them in another order. All threads; a meeting. `place` is in shared
 * memory. */
__device__ static inline int exchange_place(struct exchange *x, unsigned number,
                                            unsigned long long *notice, int *place)
{
    int processor = exchange_processor(), before = 0, first = 0;
    if (threadIdx.x == 0) {
        *place = 0;
        first = atomicAdd(&x->blocks_on[processor], 1);
        *notice = (unsigned long long)first;
    }
    __syncthreads();
    first = (int)*notice; /* blocks of this multiprocessor that come before */
    exchange_meet(x, number, notice);
    for (int p = threadIdx.x; p < MOST_PROCESSORS; p += blockDim.x) {
        int blocks = __ldcg(&x->blocks_on[p]);
        before += (blocks < first ? blocks : first) + (p < processor && blocks > first);
    }
    if (before) atomicAdd(place, before);
    __syncthreads();
    return *place;
}

#endif
