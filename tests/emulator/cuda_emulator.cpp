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

namespace
{

const size_t STACK = 128 * 1024;

typedef void *jump[5]; /* for __builtin_setjmp */

struct fiber {
    ucontext_t first;
    jump point; /* where it goes on, once entered */
    bool entered;
    void *fake_stack; /* of AddressSanitizer */
    std::unique_ptr<char[]> stack;
    int number;
    int waits; /* -1: running, 0: at a barrier of the block, 1: of its warp, 2: ended */
    uint64_t offered;
};

std::deque<fiber> fibers; /* which stay where they are: contexts point into themselves */
jump scheduler;
const void *scheduler_stack;
size_t scheduler_stack_size;
fiber *current;
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
        (*body)();
        yield(2);
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
    f->waits = -1;
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
bool all_wait(size_t first, size_t end, int scope)
{
    bool any = false;
    for (size_t i = first; i < end; i++) {
        if (fibers[i].waits != scope && fibers[i].waits != 2) return false;
        any = any || fibers[i].waits == scope;
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

void run_block(size_t threads, uint64_t *rng)
{
    std::vector<unsigned> order(threads);
    for (size_t i = 0; i < threads; i++) order[i] = (unsigned)i;
    shuffle(order, rng);
    for (unsigned i : order) resume(&fibers[i]);
    for (;;) {
        bool moved = false;
        for (size_t w = 0; w < threads; w += 32) {
            size_t end = std::min(threads, w + 32);
            if (!all_wait(w, end, 1)) continue;
            for (size_t i = w; i < end; i++)
                if (fibers[i].waits == 1) resume(&fibers[i]);
            moved = true;
        }
        if (!moved && all_wait(0, threads, 0)) {
            shuffle(order, rng);
            std::vector<unsigned> waiting;
            for (unsigned i : order)
                if (fibers[i].waits == 0) waiting.push_back(i);
            for (unsigned i : waiting) resume(&fibers[i]);
            moved = true;
        }
        if (!moved) break;
    }
    for (size_t i = 0; i < threads; i++)
        assert(fibers[i].waits == 2); /* else: a barrier not all reach */
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

uint64_t emulator_exchange(uint64_t mine, int source_lane)
{
    fiber *self = current;
    self->offered = mine;
    emulator_barrier(1);
    uint64_t got = fibers[(size_t)(self->number / 32 * 32 + source_lane)].offered;
    emulator_barrier(1); /* nobody offers anew before all have read */
    return got;
}

unsigned __ballot_sync(unsigned, bool mine)
{
    fiber *self = current;
    unsigned ballot = 0;
    self->offered = mine;
    emulator_barrier(1);
    size_t first = (size_t)(self->number / 32 * 32);
    for (size_t i = 0; i < 32 && first + i < block_threads; i++)
        if (fibers[first + i].waits != 2 && fibers[first + i].offered) ballot |= 1u << i;
    emulator_barrier(1);
    return ballot;
}

bool __syncthreads_or(bool mine)
{
    bool any = false;
    current->offered = mine;
    emulator_barrier(0);
    for (size_t i = 0; i < block_threads; i++)
        any = any || (fibers[i].waits != 2 && fibers[i].offered);
    emulator_barrier(0);
    return any;
}

void emulator_launch(dim3 grid, dim3 block, const std::function<void()> &thread)
{
    size_t threads = (size_t)block.x * block.y * block.z, blocks = (size_t)grid.x * grid.y * grid.z;
    uint64_t rng = emulator_seed + (uint64_t)emulator_launches * 0x9e3779b97f4a7c15ULL;
    for (size_t i = fibers.size(); i < threads; i++) {
        fibers.emplace_back();
        prepare(&fibers[i], (int)i);
    }
    body = &thread;
    block_threads = threads;
    blockDim = block;
    gridDim = grid;
    std::vector<unsigned> order(blocks);
    for (size_t i = 0; i < blocks; i++) order[i] = (unsigned)i;
    shuffle(order, &rng);
    for (unsigned b : order) {
        blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y);
        run_block(threads, &rng);
    }
    emulator_launches++;
}
