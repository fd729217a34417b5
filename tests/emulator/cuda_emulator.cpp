/* cuda_emulator.cpp — fibers for cuda_emulator.h.
 *
 * A fiber is entered once, by setcontext; every later switch is a jump, which makes no system call
 * and takes a hundredth of the time of swapcontext. A fiber goes straight to the next thread of its
 * warp that can run, and by way of the scheduler only where there is none. A thread gets a fiber
 * when it begins; one that ends without having waited leaves its fiber to the next. */
#include "cuda_emulator.h"

#include <algorithm>
#include <assert.h>
#include <deque>
#include <memory>
#include <mutex>
#include <ucontext.h>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;
uint64_t emulator_seed;
long emulator_launches;
int emulator_registers = 32;
size_t emulator_shared_bytes;
int emulator_processors = 2;
int emulator_devices = 1;
size_t emulator_largest;
long emulator_calls, emulator_allocations, emulator_fails_at;
bool emulator_stays_failed;
int emulator_torn = 64;
int emulator_rubbish = 0xa5;
int emulator_lane;

static bool emulator_failed()
{
    return emulator_stays_failed && emulator_fails_at && emulator_calls >= emulator_fails_at;
}

bool emulator_call(bool allocates)
{
    __atomic_add_fetch(&emulator_calls, 1, __ATOMIC_RELAXED);
    if (!allocates) return emulator_failed();
    const long which = __atomic_add_fetch(&emulator_allocations, 1, __ATOMIC_RELAXED);
    return emulator_failed() || (!emulator_stays_failed && which == emulator_fails_at);
}

namespace
{

const size_t STACK = 32 * 1024; /* with sanitizers kernels take 8 KiB */
const unsigned LANES = 32;

typedef void *jump[5]; /* for __builtin_setjmp */

enum { BLOCK, WARP, PAUSE, ENDED, READY, STATES }; /* what a thread waits for */

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    int commit;
};

/* A line of the cache, with what going from one to the other reads. */
struct fiber {
    jump point; /* where it goes on, once entered */
    bool entered;
    std::unique_ptr<ucontext_t> first;
    std::unique_ptr<char[]> stack;
};

struct thread {
    fiber *on; /* NULL before it begins */
    dim3 index;
    unsigned number;
    unsigned exchanges;      /* in which it has taken part */
    bool counted;            /* its word at __syncthreads_count() */
    std::deque<copy> copies; /* that are not made yet */
    int commits;
};

/* What the threads of a warp that have not ended tell each other */
struct exchange {
    unsigned part, ballot; /* a bit for each */
    uint64_t sum, offered[LANES];
};

struct warp {
    unsigned in[STATES]; /* a bit for each of its threads that waits for that */
    unsigned all;
    /* Two by turns: nobody comes to the one after the next before all have read. */
    exchange turns[2];
    unsigned exchanges;
};

struct block_run {
    dim3 index;
    unsigned number;
    std::vector<thread> threads;
    std::vector<warp> warps;
    char *shared;
    size_t shared_bytes, shared_room;
    std::vector<unsigned> order; /* of warps, in which they go on */
    ~block_run() { race_free_shared(shared); }
};

std::deque<fiber> fibers; /* which stay where they are: contexts point into themselves */
std::vector<fiber *> idle;
jump scheduler;
thread *current;
block_run *block; /* those of the current thread */
warp *team;
size_t block_threads;
const emulator_body *body;
unsigned soon, later; /* lanes of the warp that are to run yet, the former first */

/* Stacks that begin at equal addresses within pages would take the same places of the cache from
 * each other: each begins a little further than the one before. */
void prepare(fiber *f, void (*life)())
{
    const size_t page = 4096, further = 17 * 64;
    f->stack.reset(new char[STACK + page]);
    f->first.reset(new ucontext_t);
    f->entered = false;
    getcontext(f->first.get());
    f->first->uc_stack.ss_sp = f->stack.get() + fibers.size() * further % page;
    f->first->uc_stack.ss_size = STACK;
    f->first->uc_link = NULL;
    makecontext(f->first.get(), life, 0);
}

void waits(int what)
{
    team->in[what] |= 1u << emulator_lane;
}

/* The next thread of the warp that is to run, NULL if there is none. It is the current one then. */
thread *next_ready()
{
    if (!soon) soon = later, later = 0;
    if (!soon) return NULL;
    thread *t = current + ((ptrdiff_t)__builtin_ctz(soon) - emulator_lane);
    team->in[READY] &= ~(soon & -soon);
    soon &= soon - 1;
    current = t;
    emulator_lane = (int)(t->number % LANES);
    threadIdx = t->index;
    race_thread(block->number, t->number);
    return t;
}

void run();

/* To a thread, or to the scheduler if it is NULL. */
__attribute__((noinline)) void go_to(thread *t)
{
    if (!t) __builtin_longjmp(scheduler, 1);
    if (!t->on) {
        if (idle.empty()) {
            fibers.emplace_back();
            prepare(&fibers.back(), run);
            idle.push_back(&fibers.back());
        }
        t->on = idle.back();
        idle.pop_back();
    }
    if (t->on->entered) __builtin_longjmp(t->on->point, 1);
    t->on->entered = true;
    setcontext(t->on->first.get());
}

/* From the fiber that runs to where others go on, until it is resumed. Most often that is a fiber
 * that left here, too, and the processor, which expects functions to return to where they were
 * called, is right if nothing has been called in between. */
__attribute__((noinline)) void leave(fiber *f)
{
    thread *next = next_ready();
    if (__builtin_setjmp(f->point)) return;
#if !defined(__clang__) /* whose functions may not both set and take such jumps */
    if (next && next->on && next->on->entered) __builtin_longjmp(next->on->point, 1);
#endif
    go_to(next);
}

void yield(int what)
{
    waits(what);
    leave(current->on);
}

/* Whether the next thread to run has yet to begin. */
bool next_begins()
{
    unsigned lanes = soon ? soon : later;
    return lanes && !current[(ptrdiff_t)__builtin_ctz(lanes) - emulator_lane].on;
}

/* The life of a fiber: one CUDA thread after the other. */
void run()
{
    for (;;) {
        body->run(body->captured);
        fiber *self = current->on;
        waits(ENDED);
        if (next_begins()) {
            next_ready()->on = self;
        } else {
            idle.push_back(self);
            leave(self);
        }
    }
}

/* From the scheduler to the threads of a warp that are ready, from a lane on, until each waits. */
__attribute__((noinline)) bool run_ready(block_run *b, unsigned number, unsigned first)
{
    unsigned ready = b->warps[number].in[READY];
    if (!ready) return false;
    soon = ready & ~0u << first;
    later = ready & ~soon;
    team = &b->warps[number];
    current = &b->threads[number * LANES];
    emulator_lane = 0;
    thread *next = next_ready();
    if (!__builtin_setjmp(scheduler)) go_to(next);
    return true;
}

/* Whether all of a warp have reached the same kind of barrier; those that ended do not count. */
bool all_wait(const warp &w, int what)
{
    return (w.in[what] | w.in[ENDED]) == w.all;
}

void let_go(warp &w, int what)
{
    w.in[READY] |= w.in[what];
    w.in[what] = 0;
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

/* Lets a warp run until all its threads wait for the block or for other blocks, or have ended.
 * Between what its threads wait for together they run one after the other, from any one on. */
bool run_warp(block_run *b, unsigned number)
{
    warp &w = b->warps[number];
    bool moved = false;
    for (bool again = true; again;) {
        again = run_ready(b, number, emulator_seed ? random_below(LANES) : 0);
        moved = moved || again;
        if (w.in[WARP] && all_wait(w, WARP)) {
            let_go(w, WARP);
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
    size_t warps = b->warps.size(), one = emulator_seed ? random_below(warps) : 0;
    b->order.clear();
    for (size_t i = 0; i < warps; i++) b->order.push_back((unsigned)i);
    shuffle(b->order);
    if (schedule == ONE_LAST || schedule == ONE_FIRST) {
        size_t place = schedule == ONE_LAST ? warps - 1 : 0;
        std::swap(b->order[place], *std::find(b->order.begin(), b->order.end(), one));
    }
}

/* What the threads of one block can do until all of them wait for others, or have ended. NOTHING if
 * there is nothing, LOOKED if they pass no barrier of the block. */
enum progress { NOTHING, LOOKED, PASSED };

bool at_barrier(const block_run *b)
{
    bool any = false;
    for (const warp &w : b->warps) {
        if (!all_wait(w, BLOCK)) return false;
        any = any || w.in[BLOCK];
    }
    return any;
}

progress advance(block_run *b)
{
    blockIdx = b->index;
    block = b;
    bool moved = false;
    auto run_warps = [&] {
        for (unsigned w : b->order) moved = run_warp(b, w) || moved;
    };
    run_warps();
    if (!moved) {
        for (warp &w : b->warps) let_go(w, PAUSE);
        run_warps();
    }
    if (!at_barrier(b)) return moved ? LOOKED : NOTHING;
    for (warp &w : b->warps) let_go(w, BLOCK);
    if (schedule == ANY_WARP) shuffle(b->order);
    return PASSED;
}

void start(block_run *b, unsigned number)
{
    b->number = number;
    b->shared_bytes = 0;
    b->index =
        dim3(number % gridDim.x, number / gridDim.x % gridDim.y, number / gridDim.x / gridDim.y);
    b->threads.resize(block_threads);
    for (unsigned n = 0; n < block_threads; n++) {
        thread &t = b->threads[n];
        t.on = NULL;
        t.index = dim3(n % blockDim.x, n / blockDim.x % blockDim.y, n / blockDim.x / blockDim.y);
        t.number = n;
        t.exchanges = 0;
        t.copies.clear();
        t.commits = 0;
    }
    b->warps.assign((block_threads + LANES - 1) / LANES, warp());
    for (size_t i = 0; i < b->warps.size(); i++) {
        size_t lanes = std::min((size_t)LANES, block_threads - i * LANES);
        b->warps[i].all = b->warps[i].in[READY] = ~0u >> (LANES - lanes);
    }
    first_order(b);
}

void finish(const block_run *b)
{
    for (const warp &w : b->warps) assert(w.in[ENDED] == w.all); /* else: a barrier not all reach */
}

std::deque<block_run>
    blocks; /* the first serves all launches whose blocks come one after the other */

std::mutex turn; /* of the launches of several threads */

std::vector<unsigned> begin_launch(enum race_launch kind, dim3 grid, dim3 block_shape,
                                   const emulator_body &thread)
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

/* To the others of the warp, and what all said */
static const exchange *tell(uint64_t mine)
{
    thread *self = current;
    unsigned turn_of_warp = ++self->exchanges;
    exchange *x = &team->turns[turn_of_warp % 2];
    if (team->exchanges != turn_of_warp) {
        team->exchanges = turn_of_warp;
        x->part = x->ballot = 0;
        x->sum = 0;
    }
    x->part |= 1u << emulator_lane;
    x->ballot |= (unsigned)(mine != 0) << emulator_lane;
    x->sum += mine;
    x->offered[emulator_lane] = mine;
    yield(WARP);
    return x;
}

uint64_t emulator_exchange(uint64_t mine, int source_lane)
{
    const exchange *x = tell(mine);
    return x->part >> source_lane & 1 ? x->offered[source_lane] : mine;
}

uint64_t emulator_sum(uint64_t mine)
{
    return tell(mine)->sum;
}

unsigned __ballot_sync(unsigned, bool mine)
{
    return tell(mine)->ballot;
}

bool __any_sync(unsigned, bool mine)
{
    return __ballot_sync(0xffffffffu, mine) != 0;
}

int __syncthreads_count(bool mine)
{
    int count = 0;
    current->counted = mine;
    yield(BLOCK);
    for (size_t i = 0; i < block_threads; i++)
        count += !(block->warps[i / LANES].in[ENDED] >> i % LANES & 1) && block->threads[i].counted;
    yield(BLOCK); /* nobody says it anew, or ends, before all have counted */
    race_barrier();
    return count;
}

void emulator_launch(dim3 grid, dim3 block_shape, const emulator_body &thread)
{
    if (emulator_failed()) return;
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
void emulator_launch_cooperative(dim3 grid, dim3 block_shape, const emulator_body &thread)
{
    if (emulator_failed()) return;
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
