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
#include <mutex>
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
int emulator_devices = 1;
size_t emulator_largest;
int emulator_torn = 64;
int emulator_rubbish = 0xa5;

namespace
{

const size_t STACK = 128 * 1024;

typedef void *jump[5]; /* for __builtin_setjmp */

enum { RUNNING = -1, BLOCK, WARP, PAUSE, ENDED, READY }; /* what a fiber waits for */

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
    uint64_t offered;
    std::deque<copy> copies; /* that are not made yet */
    int commits;
};

struct block_run {
    dim3 index;
    unsigned number;
    std::deque<fiber> fibers;       /* which stay where they are: contexts point into themselves */
    std::vector<signed char> waits; /* of each fiber, for what */
    char *shared;
    size_t shared_bytes, shared_room;
    std::vector<unsigned> warps; /* in the order in which they go on */
    ~block_run() { race_free_shared(shared); }
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
    block->waits[(size_t)self->number] = (signed char)waits;
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
    block->waits[(size_t)f->number] = RUNNING;
    race_thread(block->number, (size_t)f->number);
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
        if (b->waits[i] != scope && b->waits[i] != ENDED) return false;
        any = any || b->waits[i] == scope;
    }
    return any;
}

uint64_t rng; /* of the launch */

unsigned random_below(size_t n)
{
    rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((rng >> 33) % n);
}

void shuffle(std::vector<unsigned> &order)
{
    for (size_t i = order.size(); emulator_seed && i > 1; i--)
        std::swap(order[i - 1], order[random_below(i)]);
}

void let_go(block_run *b, size_t first, size_t end, int waiting_for)
{
    for (size_t i = first; i < end; i++)
        if (b->waits[i] == waiting_for) b->waits[i] = READY;
}

/* Lets a warp run until all its threads wait for the block or for other blocks, or have ended.
 * Between what its threads wait for together they run one after the other, from any one on. */
bool run_warp(block_run *b, unsigned warp)
{
    size_t begin = warp * 32, end = std::min(block_threads, begin + 32);
    bool moved = false;
    auto run_ready = [&](size_t first, size_t past) {
        bool any = false;
        for (size_t i = first; i < past; i++) {
            if (b->waits[i] != READY) continue;
            resume(&b->fibers[i]);
            any = true;
        }
        return any;
    };
    for (bool again = true; again;) {
        size_t first = begin + (emulator_seed ? random_below(32) : 0);
        again = run_ready(std::min(first, end), end);
        again = run_ready(begin, std::min(first, end)) || again;
        moved = moved || again;
        if (all_wait(b, begin, end, WARP)) {
            let_go(b, begin, end, WARP);
            again = true;
        }
    }
    return moved;
}

/* Which warps of a block come first from one barrier to the next: any, always the same, or always
 * the same but for one that comes last, or first. What they may do before others begin is
 * everything up to the barrier. */
enum { ANY_WARP, ONE_LAST, ONE_FIRST, SAME_WARPS, SCHEDULES } schedule;

void first_order(block_run *b)
{
    size_t warps = (block_threads + 31) / 32, one = emulator_seed ? random_below(warps) : 0;
    b->warps.clear();
    for (size_t i = 0; i < warps; i++) b->warps.push_back((unsigned)i);
    shuffle(b->warps);
    if (schedule == ONE_LAST || schedule == ONE_FIRST) {
        size_t place = schedule == ONE_LAST ? warps - 1 : 0;
        std::swap(b->warps[place], *std::find(b->warps.begin(), b->warps.end(), one));
    }
}

/* What the threads of one block can do until all of them wait for others, or have ended. NOTHING if
 * there is nothing, LOOKED if they pass no barrier of the block. */
enum progress { NOTHING, LOOKED, PASSED };

progress advance(block_run *b)
{
    blockIdx = b->index;
    block = b;
    bool moved = false;
    auto run_warps = [&] {
        for (unsigned w : b->warps) moved = run_warp(b, w) || moved;
    };
    run_warps();
    if (!moved) {
        let_go(b, 0, block_threads, PAUSE);
        run_warps();
    }
    if (!all_wait(b, 0, block_threads, BLOCK)) return moved ? LOOKED : NOTHING;
    let_go(b, 0, block_threads, BLOCK);
    if (schedule == ANY_WARP) shuffle(b->warps);
    return PASSED;
}

void start(block_run *b, unsigned number)
{
    b->number = number;
    b->shared_bytes = 0;
    b->index =
        dim3(number % gridDim.x, number / gridDim.x % gridDim.y, number / gridDim.x / gridDim.y);
    for (size_t i = b->fibers.size(); i < block_threads; i++) {
        b->fibers.emplace_back();
        prepare(&b->fibers[i], (int)i);
    }
    b->waits.assign(block_threads, READY);
    first_order(b);
}

void finish(const block_run *b)
{
    for (size_t i = 0; i < block_threads; i++)
        assert(b->waits[i] == ENDED); /* else: a barrier not all reach */
}

std::deque<block_run>
    blocks; /* the first serves all launches whose blocks come one after the other */

std::mutex turn; /* of the launches of several threads */

std::vector<unsigned> begin_launch(enum race_launch kind, dim3 grid, dim3 block_shape,
                                   const std::function<void()> &thread)
{
    size_t count = (size_t)grid.x * grid.y * grid.z;
    std::vector<unsigned> order(count);
    rng = emulator_seed + (uint64_t)emulator_launches++ * 0x9e3779b97f4a7c15ULL;
    schedule = emulator_seed ? (decltype(schedule))random_below(SCHEDULES) : SAME_WARPS;
    body = &thread;
    block_threads = (size_t)block_shape.x * block_shape.y * block_shape.z;
    blockDim = block_shape;
    gridDim = grid;
    for (size_t i = 0; i < count; i++) order[i] = (unsigned)i;
    shuffle(order);
    race_begin(kind, count, block_threads);
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
    race_copy(to, from, bytes);
    current->copies.push_back({to, from, bytes, current->commits});
}

void emulator_copy_commit()
{
    current->commits++;
}

void emulator_copy_wait(int last_commits)
{
    std::deque<copy> &all = current->copies;
    for (; !all.empty() && all[0].commit < current->commits - last_commits; all.pop_front()) {
        race_copy(all[0].to, all[0].from, all[0].bytes);
        memcpy(all[0].to, all[0].from, all[0].bytes);
    }
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
        if (block->waits[first + i] != ENDED && block->fibers[first + i].offered) ballot |= 1u << i;
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
        count += block->waits[i] != ENDED && block->fibers[i].offered;
    emulator_barrier(BLOCK);
    race_barrier();
    return count;
}

void emulator_launch(dim3 grid, dim3 block_shape, const std::function<void()> &thread)
{
    std::lock_guard<std::mutex> mine(turn);
    std::vector<unsigned> order = begin_launch(RACE_PROGRAMMATIC, grid, block_shape, thread);
    if (blocks.empty()) blocks.emplace_back();
    for (unsigned number : order) {
        start(&blocks[0], number);
        while (advance(&blocks[0]) != NOTHING) {
        }
        finish(&blocks[0]);
    }
    race_end();
}

namespace
{

/* One block at a time lies still while the others go on, as one may on a device, for as long as a
 * few steps take. */
struct laggard {
    unsigned block, turns;
};

void choose(laggard *l, size_t count)
{
    const unsigned longest = 400;
    if (emulator_seed == 0 || l->turns-- > 0) return;
    l->block = random_below(count);
    l->turns = random_below(longest);
}

} // namespace

/* All blocks at once, in an order that changes all the time. */
void emulator_launch_cooperative(dim3 grid, dim3 block_shape, const std::function<void()> &thread)
{
    std::lock_guard<std::mutex> mine(turn);
    const int patience = 20000; /* turns without a barrier: longer than any laggard sleeps */
    std::vector<unsigned> order = begin_launch(RACE_COOPERATIVE, grid, block_shape, thread);
    laggard late = {0, 0};
    while (blocks.size() < order.size()) blocks.emplace_back();
    for (unsigned number : order) start(&blocks[number], number);
    int vain = 0;
    for (bool moved = true; moved;) {
        moved = false;
        vain++;
        choose(&late, order.size());
        shuffle(order);
        for (unsigned number : order) {
            bool sleeps = emulator_seed != 0 && late.turns > 0 && number == late.block;
            progress p = sleeps ? LOOKED : advance(&blocks[number]);
            moved = moved || p != NOTHING;
            if (p == PASSED) vain = 0;
        }
        assert(vain < patience); /* else: blocks wait for each other for ever */
    }
    for (unsigned number : order) finish(&blocks[number]);
    race_end();
}

/* Rubbish at first, in every launch. */
void *emulator_shared(size_t bytes)
{
    if (block->shared_bytes) {
        assert(block->shared_bytes == bytes);
        return block->shared;
    }
    if (race_other_room(block->shared_room, bytes)) {
        race_free_shared(block->shared);
        block->shared = (char *)race_allocate_shared(bytes);
        block->shared_room = bytes;
    }
    block->shared_bytes = bytes;
    return memset(block->shared, emulator_rubbish, bytes);
}

void emulator_mail_write(void *to, const void *message)
{
    const size_t half = 8;
    size_t first = emulator_seed && random_below(2) ? half : 0;
    bool torn = emulator_seed && random_below((size_t)emulator_torn) == 0;
    race_mail_written(to);
    memcpy((char *)to + first, (const char *)message + first, half);
    if (torn) emulator_pause();
    memcpy((char *)to + half - first, (const char *)message + half - first, half);
}

void emulator_mail_look(void *message, const void *from)
{
    race_mail_seen(from);
    memcpy(message, from, 16);
}

void emulator_pause()
{
    yield(PAUSE);
}
