/* exchange.h — how the blocks of one launch communicate while they run: by messages from cell to cell, and by meetings
 * of all blocks.
 *
 * A message is the new state of a cell after a step. It is one word of 16 bytes that also identifies the step. So the
 * receiver needs no flag and no fence, and the message passes through the L2 cache once instead of three times. In
 * this layout, each field ends with its number of bits, and lambda is 2^-36 m:
 *
 *     64 bits: [ step, 13 | solidified, 1 | h, or the solidified thickness, in lambda, 50 ]
 *     64 bits: [ step / 2, 1 | T, 63 ]
 *
 * The lava of a cell solidifies as a whole. Then h is 0, T is PTsol, and z has grown by the solidified thickness. z
 * changes at no other time, so a message has no z. T is never negative, so its sign bit is free (-0 becomes 0).
 * An access of 128 bits may be torn into two accesses of 64 bits, so each half of the word identifies the step. A
 * receiver has two boxes, for even and for odd steps. So one bit is enough to distinguish a message from the previous
 * message in its box. Before every epoch, boxes are set to a value that differs from the next messages. */
#ifndef SCIARA_RESIDENT_EXCHANGE_H
#define SCIARA_RESIDENT_EXCHANGE_H

#include "gpu/view.h"

enum { NOTICES = 32, MOST_PROCESSORS = 1024 };

struct mail_word {
    unsigned long long half[2];
};

/* Data in device memory, all 0 when a kernel begins. Meeting n - 2 resets the counter of meeting n. The counters of a
 * list are reset an epoch before blocks fill the list. So no block has to wait for a reset. */
struct exchange {
    /* arrived[n % 3]: number of blocks that have arrived at meeting n, plus listed_bits() of the tiles that they have
     * listed. */
    unsigned long long arrived[3];
    /* Fills a cache line of 128 bytes. So atomics on `arrived` do not wait for blocks that poll the data below. */
    int unused[26];
    struct {
        int heavy, light;
    } fill[4]; /* fill[n % 4]: numbers of heavy and of light tiles on the list for epoch n */
    /* For an epoch through memory: the number of panels on the list, and the first panel that no warp has taken in
     * this step. */
    int panels, next_panel;
    int unused_too[22];
    /* The result of a meeting. The last block to arrive writes equal copies, so that not all blocks poll the same
     * copy. */
    struct {
        struct mail_word word;
        int unused[28];
    } notice[NOTICES];
    int blocks_on[MOST_PROCESSORS]; /* number of blocks on each multiprocessor */
};

/* Numbers of heavy and of light tiles that have been listed. A domain has fewer than 2^26 tiles, so listed_bits()
 * packs the two numbers into one word for one atomic addition. */
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

#define MESSAGE_BASE                                                                               \
    65536.0 /* from this value to twice this value, the lowest bit of a double is worth 2^-36 m */
/* The new state of a cell after a step. Thicknesses are below 2^14 m. */
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

/* A word that differs in both halves from all messages of a step. */
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

/* Called between two reads of data that another block writes. In the emulator, other threads run during this call. */
__device__ static inline void exchange_pause(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_pause();
#endif
}

/* An acquire-release fence. Thread A writes or sees data, calls the fence, and then writes a value.
 * Thread B reads this value and then calls the fence. Afterwards B sees all data that A wrote or
 * saw before its fence. */
__device__ static inline void exchange_fence(void)
{
#if defined(SCIARA_EMULATOR)
    __threadfence();
#else
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/* A meeting, at which all threads of all blocks wait for each other. Meetings have the numbers 1, 2, and so on. There
 * are fewer than 4,096 blocks, and a cooperative launch has put all of them on the device. All writes before the
 * meeting are visible after it. One thread of the last block to arrive calls on_last_arrival() while all other
 * threads wait. *stop becomes the result of on_last_arrival(). Returns the numbers of tiles that all blocks have
 * listed. `notice` is in shared memory. */
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

/* The number of the multiprocessor of this block. */
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

/* A meeting that is only a barrier. */
__device__ static inline void exchange_meet(struct exchange *x, unsigned number,
                                            unsigned long long *notice)
{
    bool stop;
    exchange_meet(x, number, {0, 0}, notice, &stop, [] { return false; });
}

/* Gives each block a new number, its place. The first places go to one block of every multiprocessor, the next places
 * to a second block of every multiprocessor, and so on. blockIdx does not have this order. All threads of all blocks
 * call this function, because it includes a meeting. `place` is in shared memory. */
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
    first = (int)*notice; /* number of blocks of this multiprocessor that come before this block */
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
