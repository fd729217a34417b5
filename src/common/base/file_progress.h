/* file_progress.h — shows another thread the progress of reading or writing a large file: `done` of `all` cells of file
 * number `file`. The threads that read or write update the numbers; no thread waits. With a NULL pointer no progress is
 * kept. The other thread can also cancel: reading or writing then ends within a few cells with ERROR_CANCELLED, and
 * leaves no partial file or memory behind. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

struct file_progress {
    atomic_int file; /* 0: none yet */
    atomic_llong done, all;
    atomic_bool cancel;
};

/* Restarts the count of files. */
static inline void file_progress_begin(struct file_progress *w)
{
    if (w) atomic_store(&w->file, 0);
}

/* Begins another file. cells: its number of cells; 0: not known. */
static inline void file_progress_begin_file(struct file_progress *w, long long cells)
{
    if (!w) return;
    atomic_store(&w->done, 0);
    atomic_store(&w->all, cells);
    atomic_fetch_add(&w->file, 1);
}

static inline void file_progress_cells(struct file_progress *w, long long cells)
{
    if (w) atomic_fetch_add_explicit(&w->done, cells, memory_order_relaxed);
}

static inline void file_progress_cancel(struct file_progress *w)
{
    atomic_store(&w->cancel, true);
}

static inline bool file_progress_cancelled(struct file_progress *w)
{
    return w && atomic_load_explicit(&w->cancel, memory_order_relaxed);
}
