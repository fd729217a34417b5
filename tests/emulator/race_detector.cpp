/* race_detector.cpp — happens-before for race_detector.h.
 *
 * For each 8 bytes of device and shared memory the last few accesses are kept: who, in which
 * launch, and how many barriers of each kind that thread had passed (its epochs). Whether an access
 * is ordered after an earlier one is then a comparison of numbers, except between blocks of one
 * cooperative launch: what they know of each other are clocks, which travel with fences. */
#include "race_detector.h"
#include "race_memory.h"

#include <algorithm>
#include <dlfcn.h>
#include <memory>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace
{

/* What is known of the blocks of a launch: of each, all that its threads did before that barrier;
 * of some threads more, up to that fence. */
struct clock {
    std::vector<uint32_t> barriers;
    std::vector<std::pair<uint32_t, uint32_t>> fences; /* of thread number; sorted */
};
typedef std::shared_ptr<const struct clock> clock_ref;

struct thread {
    uint32_t barriers, syncwarps, fences;
    bool waited;
    clock_ref release;             /* as of its last fence: what a word that it writes stands for */
    std::vector<clock_ref> looked; /* words seen since the last fence */
    clock_ref acquired;            /* since the last barrier of the block */
    clock_ref heard;               /* likewise, by messages without fences */
};

struct block {
    uint32_t barriers;
    struct clock known, order; /* order: of reads alone, with what messages tell besides */
    std::vector<clock_ref> acquired, heard, released; /* since the last barrier */
    std::vector<clock_ref> warp_release;
    clock_ref release;
    clock_ref message; /* what a message sent now stands for */
};

struct launch {
    enum race_launch kind;
    uint32_t number;
    uint32_t done_at_start, done_after_wait; /* launches: all up to this one */
    bool waited;                             /* any thread has */
    uint32_t threads;                        /* of a block */
};

struct launch now, before;
bool host_came = true; /* since the launch before */
std::vector<struct thread> threads;
std::vector<struct block> blocks;
std::unordered_map<const void *, clock_ref> released; /* by a word, to whoever sees it */
std::unordered_map<const void *, clock_ref> sent;
struct thread *self; /* NULL: the host */
uint32_t my_block, my_thread;

/* ---- clocks ---------------------------------------------------------------------------------- */

void join(struct clock *into, const struct clock &other)
{
    if (into->barriers.size() < other.barriers.size()) into->barriers.resize(other.barriers.size());
    for (size_t i = 0; i < other.barriers.size(); i++)
        into->barriers[i] = std::max(into->barriers[i], other.barriers[i]);
    for (auto &f : other.fences) {
        auto at =
            std::lower_bound(into->fences.begin(), into->fences.end(), std::make_pair(f.first, 0u));
        if (at == into->fences.end() || at->first != f.first) into->fences.insert(at, f);
        else at->second = std::max(at->second, f.second);
    }
}

clock_ref joined(const clock_ref &a, const clock_ref &b)
{
    if (!a || a == b) return b;
    if (!b) return a;
    auto c = std::make_shared<struct clock>(*a);
    join(c.get(), *b);
    return c;
}

bool knows(const struct clock &c, const struct access &a)
{
    if (a.block < c.barriers.size() && a.barriers < c.barriers[a.block]) return true;
    uint32_t thread = a.block * now.threads + a.thread;
    auto at = std::lower_bound(c.fences.begin(), c.fences.end(), std::make_pair(thread, 0u));
    if (at == c.fences.end() || at->first != thread) return false;
    return a.fences < at->second + (a.kind & ATOMIC ? 1 : 0); /* by which the fence was seen */
}

/* Whether what the running thread does now comes after an access in the past. It may write where
 * it has seen a word that says so; to read it needs a fence, or may find what it had read before.
 */
bool comes_after(const struct access &a, bool writes)
{
    if (a.launch != now.number)
        return a.launch <= (self->waited ? now.done_after_wait : now.done_at_start) ||
               (self->waited && a.launch == before.number);
    if (a.block == my_block) {
        if (a.thread == my_thread || a.barriers < self->barriers) return true;
        if (a.thread / 32 == my_thread / 32 && a.syncwarps < self->syncwarps) return true;
    }
    if (now.kind != RACE_COOPERATIVE) return false;
    const struct block &b = blocks[my_block];
    if (knows(b.known, a) || (self->acquired && knows(*self->acquired, a))) return true;
    if (writes)
        for (auto &c : self->looked)
            if (knows(*c, a)) return true;
    if (a.kind & WRITE) return false;
    return knows(b.order, a) || (self->heard && knows(*self->heard, a));
}

/* ---- accesses -------------------------------------------------------------------------------- */

void tell(const char *which, const struct access &a)
{
    fprintf(stderr, "  %s %s%s by block %u, thread %u of launch %u, after %u barriers\n", which,
            a.kind & ATOMIC ? "atomic " : "", a.kind & WRITE ? "write" : "read", a.block, a.thread,
            a.launch, a.barriers);
}

[[noreturn]] void end_program(const char *what, const struct access &a, const struct access *b)
{
    Dl_info info = {};
    const void *here = (const void *)race_begin;
    dladdr(here, &info);
    uint32_t begin = (uint32_t)((uintptr_t)here - (uintptr_t)info.dli_fbase) - 1;
    fprintf(stderr, "%s\n", what);
    tell("a", a);
    if (b) tell("not after a", *b);
    fprintf(stderr, "where: addr2line -Cifpe %s 0x%x 0x%x\n", info.dli_fname, begin + a.where,
            begin + (b ? b->where : a.where));
    abort();
}

/* Whether a write changes anything is known when the thread goes on. One that does not disturbs
 * nobody, and counts as a read: several threads may write the same. */
struct written {
    const char *at;
    size_t bytes;
    char then[8];
    struct access *kept;
    struct access other; /* launch 0: none, or the one that it races with */
};
enum { MOST_WRITTEN = 64 };
struct written written[MOST_WRITTEN];
int written_count;

void look_at_written(void)
{
    for (int i = 0; i < written_count; i++) {
        struct written *w = &written[i];
        if (memcmp(w->at, w->then, w->bytes) == 0) w->kept->kind = READ;
        else if (w->other.launch) end_program("race in a kernel:", *w->kept, &w->other);
    }
    written_count = 0;
}

/* Whether the access races, if the caller wants to know; else a race is the end. */
bool visit(uintptr_t at, size_t bytes, uint8_t kind, const void *pc, bool may_race, bool keep)
{
    bool races = false;
    uint32_t where = (uint32_t)((uintptr_t)pc - (uintptr_t)race_begin);
    if (written_count) look_at_written();
    while (bytes) {
        size_t from = at % 8, n = std::min(bytes, 8 - from);
        uint8_t mask = (uint8_t)(((1u << n) - 1) << from);
        bool shared;
        struct word *w = race_word_at(at, &shared);
        at += n;
        bytes -= n;
        if (!w) continue;
        struct access mine = {
            now.number, my_block, my_thread, self->barriers, self->syncwarps, self->fences,
            where,      mask,     kind};
        int slot = -1;
        struct access other = {};
        for (int i = 0; i < KEPT; i++) {
            struct access &a = w->kept[i];
            bool gone =
                a.launch == 0 || (shared && (a.launch != now.number || a.block != my_block));
            if (gone || (a.launch == now.number && a.block == my_block && a.thread == my_thread &&
                         a.kind == kind && (a.bytes & ~mask) == 0)) {
                slot = i;
                continue;
            }
            if (!(a.bytes & mask) || !((a.kind | kind) & WRITE) || (a.kind & kind & ATOMIC))
                continue;
            if (comes_after(a, kind & WRITE)) {
                if ((kind & WRITE) && (a.bytes & ~mask) == 0) slot = i;
                continue;
            }
            races = true;
            other = a;
            if (kind != WRITE && !may_race) end_program("race in a kernel:", mine, &a);
        }
        if (shared) {
            if (w->written_launch != now.number || w->written_block != my_block) w->written = 0;
            if ((kind != WRITE) && (mask & ~w->written))
                end_program("shared memory that its block has not written is read:", mine, NULL);
            w->written_launch = now.number;
            w->written_block = my_block;
            if (kind & WRITE) w->written |= mask;
        }
        if (!keep) continue;
        static uint32_t turn;
        if (slot < 0) slot = (int)(turn++ % KEPT);
        w->kept[slot] = mine;
        if (kind != WRITE) continue;
        if (written_count == MOST_WRITTEN) end_program("too much written at once:", mine, NULL);
        struct written *now_written = &written[written_count++];
        *now_written = {(const char *)at - n, n, {}, &w->kept[slot], other};
        memcpy(now_written->then, now_written->at, n);
    }
    return races;
}

} // namespace

/* ---- what the compiler calls ----------------------------------------------------------------- */

#define HERE __builtin_return_address(0)
#define WATCH(name, type, bytes, kind)                                                             \
    extern "C" void __tsan_##name(type *at);                                                       \
    void __tsan_##name(type *at)                                                                   \
    {                                                                                              \
        if (self) visit((uintptr_t)at, bytes, kind, HERE, false, true);                            \
    }
#define WATCH_BYTES(n)                                                                             \
    WATCH(read##n, void, n, READ)                                                                  \
    WATCH(write##n, void, n, WRITE)                                                                \
    WATCH(unaligned_read##n, void, n, READ)                                                        \
    WATCH(unaligned_write##n, void, n, WRITE)
WATCH_BYTES(1)
WATCH_BYTES(2)
WATCH_BYTES(4)
WATCH_BYTES(8)
WATCH_BYTES(16)

extern "C" void __tsan_init(void);
extern "C" void __tsan_read_range(void *at, unsigned long bytes);
extern "C" void __tsan_write_range(void *at, unsigned long bytes);
void __tsan_init(void) {}
void __tsan_read_range(void *at, unsigned long bytes)
{
    if (self) visit((uintptr_t)at, bytes, READ, HERE, false, true);
}
void __tsan_write_range(void *at, unsigned long bytes)
{
    if (self) visit((uintptr_t)at, bytes, WRITE, HERE, false, true);
}

/* To the other threads of the warp, behind a __syncwarp. */
static void pass_on(struct block *b)
{
    clock_ref &warp = b->warp_release[my_thread / 32];
    warp = joined(warp, self->release);
}

/* An atomic hands on what it has found, without a fence in between: what was written out before
 * stays there. It is seen by those alone who have a fence after they have looked. */
void race_atomic(void *at, size_t bytes, const void *pc)
{
    visit((uintptr_t)at, bytes, WRITE | ATOMIC, pc, false, true);
    if (now.kind != RACE_COOPERATIVE) return;
    clock_ref &r = released[at];
    if (r) self->looked.push_back(r);
    r = joined(r, self->release);
    self->release = r;
    pass_on(&blocks[my_block]);
}

void race_copy(void *to, const void *from, size_t bytes)
{
    visit((uintptr_t)from, bytes, READ, HERE, false, true);
    visit((uintptr_t)to, bytes, WRITE, HERE, false, true);
    if (memcmp(to, from, bytes) == 0) return;
    for (int i = 0; i < written_count; i++) /* at any time from now on */
        if (written[i].other.launch)
            end_program("race in a kernel:", *written[i].kept, &written[i].other);
}

/* In a launch that may begin early, integers are lists of tiles and their lengths, loaded while
 * others write what will not be needed: that these were here before is not kept. */
bool race_from_l2(const void *at, size_t bytes, const void *pc)
{
    bool keep = now.kind == RACE_COOPERATIVE || bytes == 8;
    return !visit((uintptr_t)at, bytes, READ, pc, true, keep);
}

/* ---- what orders them ------------------------------------------------------------------------ */

void race_begin(enum race_launch kind, size_t block_count, size_t thread_count)
{
    before = now;
    now.kind = kind;
    now.number = before.number + 1;
    now.threads = (uint32_t)thread_count;
    now.waited = false;
    now.done_at_start = now.done_after_wait = before.number;
    if (kind == RACE_PROGRAMMATIC && !host_came) {
        now.done_at_start = before.waited ? before.done_after_wait : before.done_at_start;
        if (!before.waited) now.done_after_wait = before.done_at_start;
    }
    if (before.kind != RACE_PROGRAMMATIC) now.done_at_start = now.done_after_wait = before.number;
    host_came = false;
    threads.assign(block_count * thread_count, {});
    blocks.assign(kind == RACE_COOPERATIVE ? block_count : 0, {});
    for (auto &b : blocks) {
        b.known.barriers.resize(block_count);
        b.order.barriers.resize(block_count);
        b.warp_release.resize(thread_count / 32 + 1);
    }
    released.clear();
    sent.clear();
}

void race_end(void)
{
    look_at_written();
    self = NULL;
}

void race_host(void)
{
    host_came = true;
}

void race_thread(size_t block, size_t thread)
{
    look_at_written();
    my_block = (uint32_t)block;
    my_thread = (uint32_t)thread;
    self = &threads[block * now.threads + thread];
}

/* The first thread behind a barrier tells the others what any of them has learned before it. */
static void next_epoch(struct block *b)
{
    b->barriers++;
    for (auto &c : b->acquired) join(&b->known, *c);
    b->known.barriers[my_block] = b->barriers;
    join(&b->order, b->known);
    for (auto &c : b->heard) join(&b->order, *c);
    for (auto &c : b->released) b->release = joined(b->release, c);
    b->acquired.clear();
    b->heard.clear();
    b->released.clear();
    b->warp_release.assign(b->warp_release.size(), NULL);
    b->message = NULL;
}

void race_barrier(void)
{
    self->barriers++;
    self->syncwarps++;
    if (now.kind != RACE_COOPERATIVE) return;
    struct block *b = &blocks[my_block];
    if (b->barriers < self->barriers) next_epoch(b);
    self->acquired = self->heard = NULL;
    self->release = b->release;
}

void race_syncwarp(void)
{
    self->syncwarps++;
    if (now.kind == RACE_COOPERATIVE)
        self->release = joined(self->release, blocks[my_block].warp_release[my_thread / 32]);
}

void race_wait(void)
{
    self->waited = now.waited = true;
}

/* Of what is seen behind a fence, all is seen that came before another. And devices write out what
 * a block has written, not only what the thread has: so a word may also be written by another
 * thread of the block, behind a barrier. */
void race_fence(void)
{
    self->fences++;
    if (now.kind != RACE_COOPERATIVE) return;
    struct block *b = &blocks[my_block];
    for (auto &c : self->looked) self->acquired = joined(self->acquired, c);
    if (!self->looked.empty()) b->acquired.push_back(self->acquired);
    self->looked.clear();
    auto c = std::make_shared<struct clock>(b->known);
    c->barriers[my_block] = self->barriers;
    if (self->acquired) join(c.get(), *self->acquired);
    struct clock mine;
    mine.fences.push_back({my_block * now.threads + my_thread, self->fences});
    join(c.get(), mine);
    self->release = c;
    b->released.push_back(c);
    pass_on(b);
}

void race_mail_written(const void *at)
{
    struct block *b = &blocks[my_block];
    if (self->release) released[at] = self->release;
    else released.erase(at);
    if (!b->message) b->message = std::make_shared<struct clock>(b->order);
    sent[at] = b->message;
}

void race_mail_seen(const void *at)
{
    auto r = released.find(at);
    if (r != released.end() && (self->looked.empty() || self->looked.back() != r->second))
        self->looked.push_back(r->second);
    auto s = sent.find(at);
    if (s == sent.end()) return;
    struct block *b = &blocks[my_block];
    self->heard = joined(self->heard, s->second);
    if (std::find(b->heard.begin(), b->heard.end(), s->second) == b->heard.end())
        b->heard.push_back(s->second);
}
