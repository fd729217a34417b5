/* cuda_emulator.cpp — fibers for cuda_emulator.h. */
#include "cuda_emulator.h"

#include <algorithm>
#include <assert.h>
#include <ucontext.h>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;
uint64_t emulator_seed;
long emulator_launches;

namespace {

const size_t STACK = 128 * 1024;

struct fiber {
    ucontext_t context;
    std::vector<char> stack;
    int number;
    int waits; /* -1: running, 0: at a barrier of the block, 1: of its warp, 2: ended */
    uint64_t offered;
};

std::vector<fiber> fibers;
ucontext_t scheduler;
fiber *current;
const std::function<void()> *body;

void run()
{
    (*body)();
    current->waits = 2;
    swapcontext(&current->context, &scheduler);
}

void start(fiber *f, int number)
{
    if (f->stack.empty()) f->stack.resize(STACK);
    f->number = number;
    f->waits = -1;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack.data();
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = NULL;
    makecontext(&f->context, run, 0);
}

void resume(fiber *f)
{
    current = f;
    f->waits = -1;
    unsigned n = (unsigned)f->number;
    threadIdx = dim3(n % blockDim.x, n / blockDim.x % blockDim.y, n / blockDim.x / blockDim.y);
    swapcontext(&scheduler, &f->context);
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
    for (size_t i = 0; i < threads; i++) start(&fibers[i], (int)i);
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
    for (size_t i = 0; i < threads; i++) assert(fibers[i].waits == 2); /* else: a barrier not all reach */
}

} // namespace

void emulator_barrier(int scope)
{
    current->waits = scope;
    swapcontext(&current->context, &scheduler);
}

int emulator_lane() { return current->number % 32; }

uint64_t emulator_exchange(uint64_t mine, int source_lane)
{
    fiber *self = current;
    self->offered = mine;
    emulator_barrier(1);
    uint64_t got = fibers[(size_t)(self->number / 32 * 32 + source_lane)].offered;
    emulator_barrier(1); /* nobody offers anew before all have read */
    return got;
}

void emulator_launch(dim3 grid, dim3 block, const std::function<void()> &thread)
{
    size_t threads = (size_t)block.x * block.y * block.z, blocks = (size_t)grid.x * grid.y * grid.z;
    uint64_t rng = emulator_seed + (uint64_t)emulator_launches * 0x9e3779b97f4a7c15ULL;
    if (fibers.size() < threads) fibers.resize(threads);
    body = &thread;
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
