/* race_detector.h — finds accesses that race in kernels which the emulator runs: of two to the same
 * bytes, one of them a write, neither of which has to come first. The kernels are compiled with
 * -fsanitize=thread, and what the compiler then calls at every load and store is not the runtime
 * library of ThreadSanitizer but race_detector.cpp, which knows what orders accesses on a GPU:
 *
 *   __syncthreads          the threads of a block
 *   __syncwarp             those of a warp; a shuffle or a vote orders nothing
 *   gpu_wait               all of the kernel before; ahead of it a kernel may be running beside the
 *                          one before, but not beside the one before that (if that waited, too)
 *   fence, then a word written; the word seen, then a fence
 *                          what came before the one and what comes after the other
 *   a message without a fence (emulator_mail_...)
 *                          what the sender's block had read before is not disturbed by what the
 *                          receiver writes after; nothing that was written is seen for sure
 *   end of a launch        all, unless the next one may be set up early
 *
 * It does not matter in which order the emulator happens to run threads. A race ends the program.
 * So does a read of shared memory that its block has not written. A load from the L2 (__ldcg) may
 * race, for kernels load what they may need before they know whether they do: what it returns is
 * rubbish then. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

enum race_launch { RACE_ALONE, RACE_PROGRAMMATIC, RACE_COOPERATIVE };

#if defined(EMULATOR_RACES)

/* Code that is not watched: the emulator's own, called from a kernel. */
#define RACE_UNSEEN __attribute__((noinline, no_sanitize_thread))

void race_begin(enum race_launch kind, size_t blocks, size_t threads);
void race_end(void);
void race_thread(size_t block, size_t thread); /* runs from now on */
void race_host(void); /* the host does something in the stream, which comes after all kernels */

/* Of the running thread: */
void race_barrier(void); /* after __syncthreads */
void race_syncwarp(void);
void race_wait(void); /* for the kernel before */
void race_fence(void);
void race_atomic(void *at, size_t bytes, const void *pc = __builtin_return_address(0));
void race_copy(void *to, const void *from, size_t bytes); /* when asked for, and when there */
void race_mail_written(const void *at);
void race_mail_seen(const void *at);
/* Whether what is read there is anything. */
bool race_from_l2(const void *at, size_t bytes, const void *pc = __builtin_return_address(0));

/* Memory whose accesses are watched; NULL where there is no more. */
void *race_allocate(size_t bytes);
void race_free(void *p);
void *race_allocate_shared(size_t bytes);
void race_free_shared(void *p);
inline bool race_other_room(size_t room, size_t bytes)
{
    return room < bytes;
}

#else

#define RACE_UNSEEN
inline void race_begin(enum race_launch, size_t, size_t) {}
inline void race_end() {}
inline void race_thread(size_t, size_t) {}
inline void race_host() {}
inline void race_barrier() {}
inline void race_syncwarp() {}
inline void race_wait() {}
inline void race_fence() {}
inline void race_atomic(void *, size_t) {}
inline void race_copy(void *, const void *, size_t) {}
inline void race_mail_written(const void *) {}
inline void race_mail_seen(const void *) {}
inline bool race_from_l2(const void *, size_t)
{
    return true;
}
inline void *race_allocate(size_t bytes)
{
    return malloc(bytes); /* array by array, for AddressSanitizer */
}
inline void race_free(void *p)
{
    free(p);
}
inline void *race_allocate_shared(size_t bytes)
{
    return malloc(bytes);
}
inline void race_free_shared(void *p)
{
    free(p);
}
inline bool race_other_room(size_t room, size_t bytes)
{
    return room != bytes; /* AddressSanitizer knows where it ends */
}

#endif
