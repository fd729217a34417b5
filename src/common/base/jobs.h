/* jobs.h — several pieces of work at once, none of which needs another. */
#pragma once

/* Calls job(of, i) for every i from 0 to count-1 and returns when all have ended. As many run at once
 * as the loops of the calling thread have threads, 16 at most; they begin in this order, and the
 * loops of each have its share of the threads. With one thread, or where the system grants no other,
 * the calling thread does them in this order. Locale and signals are those of the library's threads
 * (loops.h) and of the caller. */
void jobs_run(int count, void (*job)(void *of, int i), void *of);
