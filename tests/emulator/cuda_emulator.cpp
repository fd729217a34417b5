/* cuda_emulator.cpp — fibers for cuda_emulator.h.
 *
 * A fiber is entered once, by setcontext; every later switch is a jump, which makes no system call
 * and takes a hundredth of the time of swapcontext. A fiber serves one thread number, block after
 * block. */
#include "cuda_emulator.h"

#include <algorithm>
#include <assert.h>
#include <deque>
#include <memory>
#include <ucontext.h>
#include <vector>

#ifdef __SANITIZE_ADDRESS__ /* AddressSanitizer wants to know on which stack the program is */
#include <sanitizer/common_interface_defs.h>
#define LEAVE_STACK(saved, to, size)   __sanitizer_start_switch_fiber(saved, to, size)
#define ENTER_STACK(saved, from, size) __sanitizer_finish_switch_fiber(saved, from, size)
#else
#define LEAVE_STACK(saved, to, size)   ((void)(saved), (void)(to), (void)(size))
#define ENTER_STACK(saved, from, size) ((void)(saved), (void)(from), (void)(size))
#endif

/* AddressSanitizer would clear its knowledge of the whole stack at every jump */
#define UNCHECKED __attribute__((noinline, no_sanitize_address))

dim3 threadIdx, blockIdx, blockDim, gridDim;
uint64_t emulator_seed;
long emulator_launches;
int emulator_registers = 32;
size_t emulator_shared_bytes;
int emulator_processors = 2;

namespace
{

const size_t STACK = 128 * 1024;

typedef void *jump[5]; /* for __builtin_setjmp */

enum { RUNNING = -1, BLOCK, WARP, PAUSE, ENDED, NEW }; /* what a fiber waits for */

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    int commit;
};

struct fiber {
    ucontext_t first;
    jump point; /* where it goes on, once entered */
    bool entered;
    void *fake_stack; /* of AddressSanitizer */
    std::unique_ptr<char[]> stack;
    int number;
    int waits;
    uint64_t offered;
    std::deque<copy> copies; /* that are not made yet */
    int commits;
};

struct block_run {
    dim3 index;
    std::deque<fiber> fibers; /* which stay where they are: contexts point into themselves */
    std::vector<char> shared;
};

jump scheduler;
const void *scheduler_stack;
size_t scheduler_stack_size;
fiber *current;
block_run *block; /* that of the current fiber */
size_t block_threads;
const std::function<void()> *body;

/* On its own, since no function may both set and take such jumps. */
UNCHECKED void go_on_at(jump point)
{
    __builtin_longjmp(point, 1);
}

/* From the running fiber to the scheduler, until resumed. */
UNCHECKED void yield(int waits)
{
    fiber *self = current;
    self->waits = waits;
    if (!__builtin_setjmp(self->point)) {
        LEAVE_STACK(&self->fake_stack, scheduler_stack, scheduler_stack_size);
        go_on_at(scheduler);
    }
    ENTER_STACK(self->fake_stack, &scheduler_stack, &scheduler_stack_size);
}

/* The life of a fiber: one CUDA thread after the other. */
void run()
{
    ENTER_STACK(NULL, &scheduler_stack, &scheduler_stack_size);
    for (;;) {
        current->copies.clear();
        current->commits = 0;
        (*body)();
        yield(ENDED);
    }
}

void prepare(fiber *f, int number)
{
    f->stack.reset(new char[STACK]);
    f->number = number;
    f->entered = false;
    getcontext(&f->first);
    f->first.uc_stack.ss_sp = f->stack.get();
    f->first.uc_stack.ss_size = STACK;
    f->first.uc_link = NULL;
    makecontext(&f->first, run, 0);
}

/* From the scheduler to a fiber, until it yields. */
UNCHECKED void resume(fiber *f)
{
    void *fake_stack = NULL;
    current = f;
    f->waits = RUNNING;
    unsigned n = (unsigned)f->number;
    threadIdx = dim3(n % blockDim.x, n / blockDim.x % blockDim.y, n / blockDim.x / blockDim.y);
    if (!__builtin_setjmp(scheduler)) {
        LEAVE_STACK(&fake_stack, f->stack.get(), STACK);
        if (f->entered) go_on_at(f->point);
        f->entered = true;
        setcontext(&f->first);
    }
    ENTER_STACK(fake_stack, NULL, NULL);
}

/* Whether all of a group have reached the same kind of barrier; those that ended do not count. */
bool all_wait(const block_run *b, size_t first, size_t end, int scope)
{
    bool any = false;
    for (size_t i = first; i < end; i++) {
        if (b->fibers[i].waits != scope && b->fibers[i].waits != ENDED) return false;
        any = any || b->fibers[i].waits == scope;
    }
    return any;
}

void shuffle(std::vector<unsigned> &order, uint64_t *rng)
{
    for (size_t i = order.size(); emulator_seed && i > 1; i--) {
        *rng = *rng * 6364136223846793005ULL + 1442695040888963407ULL;
        std::swap(order[i - 1], order[(*rng >> 33) % i]);
    }
}

/* What the threads of one block can do until all of them wait for others, or have ended. NOTHING if
 * there is nothing, LOOKED if none passed a barrier of the block. */
enum progress { NOTHING, LOOKED, PASSED };

progress advance(block_run *b, uint64_t *rng)
{
    bool moved = false, passed = false;
    blockIdx = b->index;
    block = b;
    auto resume_all = [&](int waiting_for) {
        std::vector<unsigned> order;
        for (unsigned i = 0; i < block_threads; i++)
            if (b->fibers[i].waits == waiting_for) order.push_back(i);
        shuffle(order, rng);
        for (unsigned i : order) resume(&b->fibers[i]);
        moved = moved || !order.empty();
    };
    resume_all(NEW);
    passed = moved;
    for (size_t w = 0; w < block_threads; w += 32) {
        size_t end = std::min(block_threads, w + 32);
        if (!all_wait(b, w, end, WARP)) continue;
        for (size_t i = w; i < end; i++)
            if (b->fibers[i].waits == WARP) resume(&b->fibers[i]);
        moved = true;
    }
    if (!moved && all_wait(b, 0, block_threads, BLOCK)) {
        resume_all(BLOCK);
        passed = true;
    }
    if (!moved) resume_all(PAUSE);
    return passed ? PASSED : moved ? LOOKED : NOTHING;
}

void start(block_run *b, unsigned number)
{
    b->index =
        dim3(number % gridDim.x, number / gridDim.x % gridDim.y, number / gridDim.x / gridDim.y);
    for (size_t i = b->fibers.size(); i < block_threads; i++) {
        b->fibers.emplace_back();
        prepare(&b->fibers[i], (int)i);
    }
    for (size_t i = 0; i < block_threads; i++) b->fibers[i].waits = NEW;
}

void finish(const block_run *b)
{
    for (size_t i = 0; i < block_threads; i++)
        assert(b->fibers[i].waits == ENDED); /* else: a barrier not all reach */
}

std::deque<block_run>
    blocks; /* the first serves all launches whose blocks come one after the other */

std::vector<unsigned> begin_launch(dim3 grid, dim3 block_shape, const std::function<void()> &thread,
                                   uint64_t *rng)
{
    size_t count = (size_t)grid.x * grid.y * grid.z;
    std::vector<unsigned> order(count);
    *rng = emulator_seed + (uint64_t)emulator_launches++ * 0x9e3779b97f4a7c15ULL;
    body = &thread;
    block_threads = (size_t)block_shape.x * block_shape.y * block_shape.z;
    blockDim = block_shape;
    gridDim = grid;
    for (size_t i = 0; i < count; i++) order[i] = (unsigned)i;
    shuffle(order, rng);
    return order;
}

} // namespace

void emulator_barrier(int scope)
{
    yield(scope);
}

int emulator_lane()
{
    return current->number % 32;
}

void emulator_copy_async(void *to, const void *from, size_t bytes)
{
    current->copies.push_back({to, from, bytes, current->commits});
}

void emulator_copy_commit()
{
    current->commits++;
}

void emulator_copy_wait(int last_commits)
{
    std::deque<copy> &all = current->copies;
    for (; !all.empty() && all[0].commit < current->commits - last_commits; all.pop_front())
        memcpy(all[0].to, all[0].from, all[0].bytes);
}

uint64_t emulator_exchange(uint64_t mine, int source_lane)
{
    fiber *self = current;
    self->offered = mine;
    emulator_barrier(WARP);
    uint64_t got = block->fibers[(size_t)(self->number / 32 * 32 + source_lane)].offered;
    emulator_barrier(WARP); /* nobody offers anew before all have read */
    return got;
}

unsigned __ballot_sync(unsigned, bool mine)
{
    fiber *self = current;
    unsigned ballot = 0;
    self->offered = mine;
    emulator_barrier(WARP);
    size_t first = (size_t)(self->number / 32 * 32);
    for (size_t i = 0; i < 32 && first + i < block_threads; i++)
        if (block->fibers[first + i].waits != ENDED && block->fibers[first + i].offered)
            ballot |= 1u << i;
    emulator_barrier(WARP);
    return ballot;
}

bool __any_sync(unsigned, bool mine)
{
    return __ballot_sync(0xffffffffu, mine) != 0;
}

int __syncthreads_count(bool mine)
{
    int count = 0;
    current->offered = mine;
    emulator_barrier(BLOCK);
    for (size_t i = 0; i < block_threads; i++)
        count += block->fibers[i].waits != ENDED && block->fibers[i].offered;
    emulator_barrier(BLOCK);
    return count;
}

void emulator_launch(dim3 grid, dim3 block_shape, const std::function<void()> &thread)
{
    uint64_t rng;
    std::vector<unsigned> order = begin_launch(grid, block_shape, thread, &rng);
    if (blocks.empty()) blocks.emplace_back();
    for (unsigned number : order) {
        start(&blocks[0], number);
        while (advance(&blocks[0], &rng) != NOTHING) {
        }
        finish(&blocks[0]);
    }
}

namespace
{

/* One block at a time lies still while the others go on, as one may on a device, for as long as a
 * few steps take. */
struct laggard {
    unsigned block, turns;
};

void choose(laggard *l, size_t count, uint64_t *rng)
{
    const unsigned longest = 400;
    if (emulator_seed == 0 || l->turns-- > 0) return;
    *rng = *rng * 6364136223846793005ULL + 1442695040888963407ULL;
    l->block = (unsigned)((*rng >> 33) % count);
    l->turns = (unsigned)(*rng >> 20) % longest;
}

} // namespace

/* All blocks at once, in an order that changes all the time. */
void emulator_launch_cooperative(dim3 grid, dim3 block_shape, const std::function<void()> &thread)
{
    const int patience = 20000; /* turns without a barrier: longer than any laggard sleeps */
    uint64_t rng;
    std::vector<unsigned> order = begin_launch(grid, block_shape, thread, &rng);
    laggard late = {0, 0};
    while (blocks.size() < order.size()) blocks.emplace_back();
    for (unsigned number : order) {
        blocks[number].shared.clear();
        start(&blocks[number], number);
    }
    int vain = 0;
    for (bool moved = true; moved;) {
        moved = false;
        vain++;
        choose(&late, order.size(), &rng);
        shuffle(order, &rng);
        for (unsigned number : order) {
            bool sleeps = emulator_seed != 0 && late.turns > 0 && number == late.block;
            progress p = sleeps ? LOOKED : advance(&blocks[number], &rng);
            moved = moved || p != NOTHING;
            if (p == PASSED) vain = 0;
        }
        assert(vain < patience); /* else: blocks wait for each other for ever */
    }
    for (unsigned number : order) finish(&blocks[number]);
}

void *emulator_shared(size_t bytes)
{
    if (block->shared.empty()) block->shared.assign(bytes, (char)0xa5);
    assert(block->shared.size() == bytes);
    return block->shared.data();
}

void emulator_pause()
{
    yield(PAUSE);
}
