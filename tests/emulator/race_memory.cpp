/* race_memory.cpp — the memory that the race detector watches: where it is, and what is kept of it.
 */
#include "race_memory.h"
#include "race_detector.h"

#include <stdlib.h>
#include <sys/mman.h>

namespace
{

const size_t ROOM = (size_t)1 << 28; /* for either kind */
char *device, *shared_memory;
size_t device_used, shared_used;
long device_arrays;
struct word *device_words, *shared_words, *static_words;

extern "C" char __start_emulator_shared[] __attribute__((weak)); /* by the linker */
extern "C" char __stop_emulator_shared[] __attribute__((weak));

void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) abort();
    return p;
}

void reserve_all(void)
{
    size_t statics = (size_t)(__stop_emulator_shared - __start_emulator_shared) / 8 + 2;
    if (device) return;
    device = (char *)reserve(ROOM);
    shared_memory = (char *)reserve(ROOM);
    device_words = (struct word *)reserve(ROOM / 8 * sizeof(struct word));
    shared_words = (struct word *)reserve(ROOM / 8 * sizeof(struct word));
    static_words = (struct word *)reserve(statics * sizeof(struct word));
}

} // namespace

struct word *race_word_at(uintptr_t at, bool *shared)
{
    uintptr_t statics = (uintptr_t)__start_emulator_shared / 8 * 8;
    *shared = false;
    if (at - (uintptr_t)device < ROOM) return &device_words[(at - (uintptr_t)device) / 8];
    *shared = true;
    if (at - (uintptr_t)shared_memory < ROOM)
        return &shared_words[(at - (uintptr_t)shared_memory) / 8];
    if (at >= statics && at < (uintptr_t)__stop_emulator_shared)
        return &static_words[(at - statics) / 8];
    return NULL;
}

/* A gap lies behind each array. */
static void *take(char *room, size_t *used, size_t bytes)
{
    if (*used + bytes + 512 > ROOM) return NULL;
    void *p = room + *used;
    *used += (bytes + 511) / 256 * 256;
    return p;
}

void *race_allocate(size_t bytes)
{
    reserve_all();
    device_arrays++;
    return take(device, &device_used, bytes);
}

/* Space is used again when no array is left. */
void race_free(void *p)
{
    if (p && --device_arrays == 0) device_used = 0;
}

void *race_allocate_shared(size_t bytes)
{
    reserve_all();
    return take(shared_memory, &shared_used, bytes);
}

/* There are as many pieces as blocks, and they are used again by later launches. */
void race_free_shared(void *) {}
