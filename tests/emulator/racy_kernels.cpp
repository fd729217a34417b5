/* racy_kernels.cpp — small kernels with one mistake each, and the same without it, for
 * tests/common/test_races.c. Compiled as the variants are for the race detector. */
#include "cuda_emulator.h"

namespace
{

enum { THREADS = 64, BLOCKS = 3 };

struct memory {
    int word[THREADS * BLOCKS], sum, flag, copy[THREADS];
    struct {
        unsigned long long half[2];
    } box;
};

struct memory *memory_create()
{
    void *p = NULL;
    if (cudaMalloc(&p, sizeof(struct memory)) != cudaSuccess) abort();
    cudaMemset(p, 0, sizeof(struct memory));
    return (struct memory *)p;
}

int thread_of_all()
{
    return (int)(blockIdx.x * THREADS + threadIdx.x);
}

/* ---- a block --------------------------------------------------------------------------------- */

void neighbour_in_shared(struct memory *m, bool barrier)
{
    __shared__ int row[THREADS];
    row[threadIdx.x] = (int)threadIdx.x;
    if (barrier) __syncthreads();
    m->word[thread_of_all()] = row[(threadIdx.x + 32) % THREADS];
}

void neighbour_in_warp(struct memory *m, bool sync)
{
    __shared__ int row[THREADS];
    row[threadIdx.x] = (int)threadIdx.x;
    if (sync) __syncwarp();
    else __shfl_sync(0xffffffffu, 1, 0); /* orders nothing */
    m->word[thread_of_all()] = row[threadIdx.x ^ 1];
}

void never_written(struct memory *m, bool write)
{
    __shared__ int total;
    if (threadIdx.x == 0 && write) total = 0;
    __syncthreads();
    atomicAdd(&total, 1);
    __syncthreads();
    if (threadIdx.x == 0) m->word[blockIdx.x] = total;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

void add_up(struct memory *m, bool atomic)
{
    if (atomic) atomicAdd(&m->sum, 1);
    else m->sum += 1;
}

void say_the_same(struct memory *m, bool same)
{
    m->flag = same ? 7 : thread_of_all();
}

/* ---- kernel after kernel --------------------------------------------------------------------- */

void fill(struct memory *m)
{
    emulator_wait();
    m->word[thread_of_all()] = thread_of_all();
}

void idle(struct memory *, bool waits)
{
    if (waits) emulator_wait();
}

void reverse(struct memory *m, bool waits)
{
    if (waits) emulator_wait();
    int other = m->word[THREADS * BLOCKS - 1 - thread_of_all()];
    emulator_wait();
    atomicAdd(&m->sum, other);
}

void reverse_from_l2(struct memory *m, bool waits)
{
    if (waits) emulator_wait();
    int other = __ldcg(&m->word[THREADS * BLOCKS - 1 - thread_of_all()]);
    emulator_wait();
    if (blockIdx.x == 0) m->copy[threadIdx.x] = other < 0; /* rubbish */
}

/* ---- blocks that wait for each other --------------------------------------------------------- */

void hand_on(struct memory *m, bool release, bool acquire)
{
    if (threadIdx.x != 0) return;
    unsigned long long ready[2] = {1, 1}, seen[2] = {0, 0};
    if (blockIdx.x == 0) {
        m->flag = 42;
        if (release) __threadfence();
        emulator_mail_write(&m->box, ready);
    } else if (blockIdx.x == 1) {
        for (; !seen[0] || !seen[1]; emulator_mail_look(seen, &m->box)) emulator_pause();
        if (acquire) __threadfence();
        m->sum = m->flag;
    }
}

/* What the one has read the other overwrites, after a message or without. */
void hand_back(struct memory *m, bool message)
{
    unsigned long long ready[2] = {1, 1}, seen[2] = {0, 0};
    if (blockIdx.x == 0) {
        m->copy[threadIdx.x] = m->flag;
        __syncthreads();
        if (threadIdx.x == 0) emulator_mail_write(&m->box, ready);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        for (; message && (!seen[0] || !seen[1]); emulator_mail_look(seen, &m->box))
            emulator_pause();
        m->flag = 43;
    }
}

template <class Kernel> void launch(Kernel kernel)
{
    emulator_launch(dim3(BLOCKS), dim3(THREADS), kernel);
}

template <class Kernel> void launch_all(Kernel kernel)
{
    emulator_launch_cooperative(dim3(BLOCKS), dim3(THREADS), kernel);
}

} // namespace

/* Runs pair `which`, with its mistake or without. Returns its name; NULL: there is no such pair. */
extern "C" const char *racy_run(int which, int good, int only_name);
const char *racy_run(int which, int good, int only_name)
{
    static const char *const name[] = {"barrier of the block",
                                       "barrier of the warp",
                                       "shared memory written",
                                       "atomic addition",
                                       "the same written",
                                       "waits for the kernel before",
                                       "waits for the one before that",
                                       "fence before a word is written",
                                       "fence after a word is seen",
                                       "a message after what is read"};
    if (which >= (int)(sizeof name / sizeof *name)) return NULL;
    if (only_name) return name[which];
    struct memory *m = memory_create();
    bool ok = good != 0;
    switch (which) {
    case 0:
        launch([=] { neighbour_in_shared(m, ok); });
        break;
    case 1:
        launch([=] { neighbour_in_warp(m, ok); });
        break;
    case 2:
        launch([=] { never_written(m, ok); });
        break;
    case 3:
        launch([=] { add_up(m, ok); });
        break;
    case 4:
        launch([=] { say_the_same(m, ok); });
        break;
    case 5:
        launch([=] { fill(m); });
        launch([=] { reverse(m, ok); });
        break;
    case 6:
        launch([=] { fill(m); });
        launch([=] { idle(m, ok); });
        launch([=] { reverse(m, false); });
        break;
    case 7:
        launch_all([=] { hand_on(m, ok, true); });
        break;
    case 8:
        launch_all([=] { hand_on(m, true, ok); });
        break;
    case 9:
        launch_all([=] { hand_back(m, ok); });
        break;
    }
    cudaFree(m);
    return name[which];
}

/* How many of the loads from the L2 that may come too early, or do not, find rubbish. */
extern "C" int racy_rubbish(int waits);
int racy_rubbish(int waits)
{
    struct memory *m = memory_create();
    int rubbish = 0;
    launch([=] { fill(m); });
    launch([=] { reverse_from_l2(m, waits != 0); });
    for (int i = 0; i < THREADS; i++) rubbish += m->copy[i];
    cudaFree(m);
    return rubbish;
}
