/* cuda_emulator.h — just enough of CUDA on one CPU thread to run the project's kernels, unchanged,
 * where there is no GPU: compile a .cu file as C++ with -DSCIARA_EMULATOR.
 *
 * Every CUDA thread of a block is a fiber. A fiber runs until it reaches a barrier (__syncthreads,
 * a warp shuffle) or ends; then the next one runs. Blocks run one after the other. The order of
 * blocks and of threads between barriers is shuffled at every launch (emulator_seed), so that a
 * missing barrier or a dependence on order shows. Static __shared__ variables are one per kernel,
 * which is enough since one block runs at a time. In a cooperative launch all blocks are there at
 * once and take turns, and now and then one falls far behind the others; whoever waits for another
 * block calls emulator_pause(). That all of them wait for ever is an assertion that fails. Their
 * shared memory is that of emulator_shared(), rubbish at first, one per block. Out-of-bounds
 * accesses are found by AddressSanitizer, since device memory is malloc'ed array by array. */
#pragma once

#include "race_detector.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#if defined(EMULATOR_RACES) /* all in one place, so that it is known what is shared */
#define __shared__ static __attribute__((section("emulator_shared")))
#else
#define __shared__ static
#endif
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) alignas(n)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;
extern uint64_t emulator_seed; /* of the order of blocks and threads; 0: ascending */
extern long emulator_launches; /* counted, so that a test can show that kernels ran */
extern int emulator_registers; /* what every kernel is said to need */
extern size_t emulator_shared_bytes;
extern int emulator_rubbish;       /* a byte that stands wherever nobody has written */
extern int emulator_torn;          /* one message in so many is seen in halves */
extern size_t emulator_largest;    /* bytes that cudaMalloc() gives at once; 0: any number */
extern int emulator_processors;    /* multiprocessors of a device that is asked from now on */
extern int emulator_devices;       /* which take turns: a launch at a time */
extern long emulator_calls;        /* of the runtime that can fail, counted */
extern long emulator_allocations;  /* those of them that ask for memory */
extern long emulator_fails_at;     /* the number of the one that does, from 1; 0: none */
extern bool emulator_stays_failed; /* of all calls, for good; else of allocations, once */

/* What every thread of a launch runs. (Of compiling a kernel, std::function takes a third.) */
struct emulator_body {
    void (*run)(const void *);
    const void *captured;
    template <class F>
    emulator_body(const F &f) : run([](const void *c) { (*(const F *)c)(); }), captured(&f)
    {
    }
};
void emulator_launch(dim3 grid, dim3 block, const emulator_body &thread);
void emulator_launch_cooperative(dim3 grid, dim3 block, const emulator_body &thread);
void *emulator_shared(size_t bytes); /* of this block */
void emulator_pause();               /* lets others run */
void emulator_barrier(int scope);    /* 0: the block, 1: the warp */
uint64_t emulator_exchange(uint64_t mine, int source_lane);
uint64_t emulator_sum(uint64_t mine); /* of the warp */
extern int emulator_lane;             /* of the thread that runs */
/* Asynchronous copies of a thread: made when they are waited for, and not before. */
void emulator_copy_async(void *to, const void *from, size_t bytes);
void emulator_copy_commit();
void emulator_copy_wait(int last_commits);

/* A message of 16 bytes: halves may be seen one after the other, in either order. */
void emulator_mail_write(void *to, const void *message);
void emulator_mail_look(void *message, const void *from);

inline void __syncthreads()
{
    emulator_barrier(0);
    race_barrier();
}
inline void __syncwarp(unsigned = 0)
{
    emulator_barrier(1);
    race_syncwarp();
}
/* griddepcontrol.wait: the kernel before has ended, and what it wrote can be read. */
inline void emulator_wait()
{
    race_wait();
}

template <class T> T emulator_shuffle(T value, int lane)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = emulator_exchange(bits, lane);
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> T __shfl_xor_sync(unsigned, T value, int lanes)
{
    return emulator_shuffle(value, emulator_lane ^ lanes);
}
template <class T> T __shfl_down_sync(unsigned, T value, int lanes)
{
    return emulator_shuffle(value,
                            emulator_lane + lanes < 32 ? emulator_lane + lanes : emulator_lane);
}

template <class T> T __shfl_up_sync(unsigned, T value, int lanes)
{
    return emulator_shuffle(value, emulator_lane >= lanes ? emulator_lane - lanes : emulator_lane);
}
template <class T> T __shfl_sync(unsigned, T value, int lane)
{
    return emulator_shuffle(value, lane);
}
template <class T> T __reduce_add_sync(unsigned, T value)
{
    return (T)emulator_sum((uint64_t)value);
}
unsigned __ballot_sync(unsigned, bool mine);
bool __any_sync(unsigned, bool mine);
int __syncthreads_count(bool mine);

inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}
template <class T> T __ldg(const T *at)
{
    return *at;
}
template <class T> RACE_UNSEEN T __ldcg(const T *at)
{
    T value = *at;
    if (!race_from_l2(at, sizeof value)) memset(&value, 0xa5, sizeof value);
    return value;
}
inline void __threadfence()
{
    race_fence();
}
template <class T> T max(T a, T b)
{
    return a > b ? a : b;
}
template <class T> T min(T a, T b)
{
    return a < b ? a : b;
}
template <class T> RACE_UNSEEN T atomicAdd(T *at, T value)
{
    race_atomic(at, sizeof *at);
    T old = *at;
    *at = old + value;
    return old;
}
inline RACE_UNSEEN unsigned atomicOr(unsigned *at, unsigned value)
{
    race_atomic(at, sizeof *at);
    unsigned old = *at;
    *at |= value;
    return old;
}
inline RACE_UNSEEN unsigned atomicAnd(unsigned *at, unsigned value)
{
    race_atomic(at, sizeof *at);
    unsigned old = *at;
    *at &= value;
    return old;
}
inline RACE_UNSEEN int atomicMax(int *at, int value)
{
    race_atomic(at, sizeof *at);
    int old = *at;
    *at = max(old, value);
    return old;
}
inline RACE_UNSEEN int atomicExch(int *at, int value)
{
    race_atomic(at, sizeof *at);
    int old = *at;
    *at = value;
    return old;
}

/* ---- the CUDA runtime, synchronous ----------------------------------------------------------- */

typedef int cudaError_t;
typedef int cudaStream_t, cudaEvent_t, cudaGraphExec_t;
enum {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorInsufficientDriver,
    cudaErrorLaunchFailure
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaStreamNonBlocking, cudaEventDisableTiming, cudaHostRegisterDefault };
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrMaxBlocksPerMultiprocessor,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrReservedSharedMemoryPerBlock,
};
struct cudaDeviceProp {
    char name[32];
};

/* Whether a call of the runtime fails. A device that has failed once does nothing any more; one
 * that has no memory for a call may have some for the next one. */
bool emulator_call(bool allocates);
#define EMULATED_CALL()                                                                            \
    if (emulator_call(false)) return cudaErrorLaunchFailure

inline const char *cudaGetErrorString(cudaError_t)
{
    return "emulated error";
}
inline cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int *count)
{
    return *count = emulator_devices, cudaSuccess;
}
inline cudaError_t cudaSetDevice(int)
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaDeviceReset()
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    EMULATED_CALL();
    strcpy(p->name, "emulator");
    return cudaSuccess;
}
/* Of the multiprocessors each has room for as much as compute capability 9.0 says. */
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int)
{
    EMULATED_CALL();
    const int values[] = {emulator_processors, 2048, 32, 233472, 1024};
    return *value = values[what], cudaSuccess;
}
struct cudaFuncAttributes {
    int numRegs;
    size_t sharedSizeBytes, localSizeBytes;
};
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *f, const void *)
{
    EMULATED_CALL();
    *f = cudaFuncAttributes{emulator_registers, emulator_shared_bytes, 0};
    return cudaSuccess;
}
/* A multiprocessor has 65,536 registers and gives them to warps by 256. */
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *,
                                                                 int threads, size_t dynamic_bytes)
{
    int warp = (emulator_registers * 32 + 255) / 256 * 256, warps = threads / 32;
    int all[] = {2048 / threads, 32, 65536 / warp / warps,
                 (int)(233472 / (emulator_shared_bytes + dynamic_bytes + 1024))};
    *blocks = all[0];
    for (int most : all)
        if (most < *blocks) *blocks = most;
    return cudaSuccess;
}
inline cudaError_t cudaMalloc(void **p, size_t n)
{
    if (emulator_call(true)) return cudaErrorMemoryAllocation;
    *p = emulator_largest && n > emulator_largest ? NULL : race_allocate(n);
    if (*p) memset(*p, emulator_rubbish, n);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaMallocHost(void **p, size_t n)
{
    if (emulator_call(true)) return cudaErrorMemoryAllocation;
    *p = malloc(n);
    if (*p) memset(*p, emulator_rubbish, n);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void *p)
{
    return race_free(p), cudaSuccess;
}
inline cudaError_t cudaFreeHost(void *p)
{
    return free(p), cudaSuccess;
}
inline cudaError_t cudaMemset(void *p, int v, size_t n)
{
    EMULATED_CALL();
    return race_host(), memset(p, v, n), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t)
{
    EMULATED_CALL();
    return race_host(), memset(p, v, n), cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t n, int)
{
    EMULATED_CALL();
    return race_host(), memcpy(to, from, n), cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, int, cudaStream_t)
{
    EMULATED_CALL();
    return race_host(), memcpy(to, from, n), cudaSuccess;
}
inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, int)
{
    EMULATED_CALL();
    race_host();
    for (size_t i = 0; i < height; i++)
        memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, int kind, cudaStream_t)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    EMULATED_CALL();
    return *free_bytes = *all = (size_t)1 << 40, cudaSuccess;
}
inline cudaError_t cudaHostRegister(void *, size_t, int)
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, int)
{
    EMULATED_CALL();
    return *s = 1, cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    EMULATED_CALL();
    return race_host(), cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, int)
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize()
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    EMULATED_CALL();
    return *e = 1, cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, int)
{
    EMULATED_CALL();
    return *e = 1, cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    EMULATED_CALL();
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    EMULATED_CALL();
    return *ms = 0, cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t)
{
    return cudaSuccess;
}
