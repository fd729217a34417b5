/* watch.h — the progress of reading or writing a large file, for another thread: `done` of `all`
 * cells of file number `file`. The reading or writing threads update it; nothing waits. A watch may
 * be NULL: no progress is kept. The other thread can also cancel: reading or writing then ends
 * within a few cells with ERROR_CANCELLED, and leaves nothing behind. */
#ifndef SCIARA_WATCH_H
#define SCIARA_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>

struct watch {
    atomic_int file; /* 0: none yet */
    atomic_llong done, all;
    atomic_bool cancel;
};

/* Restarts the count of files. */
static inline void watch_begin(struct watch *w)
{
    if (w) atomic_store(&w->file, 0);
}

/* Begins another file, of this many cells; 0: not known. */
static inline void watch_file(struct watch *w, long long cells)
{
    if (!w) return;
    atomic_store(&w->done, 0);
    atomic_store(&w->all, cells);
    atomic_fetch_add(&w->file, 1);
}

static inline void watch_cells(struct watch *w, long long cells)
{
    if (w) atomic_fetch_add_explicit(&w->done, cells, memory_order_relaxed);
}

static inline void watch_cancel(struct watch *w)
{
    atomic_store(&w->cancel, true);
}

static inline bool watch_cancelled(struct watch *w)
{
    return w && atomic_load_explicit(&w->cancel, memory_order_relaxed);
}

#endif
