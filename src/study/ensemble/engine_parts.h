/* engine_parts.h — the engine from within, for the threads that compute members. */
#ifndef SCIARA_ENGINE_PARTS_H
#define SCIARA_ENGINE_PARTS_H

#include "batch.h"
#include "engine.h"

#include <pthread.h>
#include <stdatomic.h>

struct contributions {
    int count;
    struct contribution *item;
};

struct engine {
    struct ensemble *s;
    const struct engine_options *o;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a thread ended, or a boundary was passed */
    atomic_bool stop;
    int64_t *order; /* members to compute */
    int64_t count, next;
    int64_t boundary;           /* members from this number on wait; INT64_MAX: none do */
    struct contributions ready; /* to be added together */
    struct contributions ahead; /* beyond the boundary */
    bool sure;
    int threads, running;
    struct batch *batch[ENGINE_DEVICES_MAX]; /* of the threads that have one now, or NULL */
    int status;                              /* the first error of all threads */
    struct error error;
};

/* While the lock is held: takes over what a member did. */
int engine_deliver(struct engine *g, struct contribution *c, struct error *e);

/* While the lock is held: the next members, at most `most`, of which no more than `ahead` wait
 * beyond a boundary. How many: 0 may mean that some have to be delivered first. */
int engine_next(struct engine *g, int64_t *number, int most, int ahead);

/* While the lock is held: the same from o->feed, for which it waits. 0: no more come. */
int engine_fetch(struct engine *g, int64_t *number, int at_once, int most);

/* While the lock is held: until something has changed. False: no members are left. */
bool engine_wait(struct engine *g);

/* While the lock is held: all threads end soon. */
void engine_stop(struct engine *g);

/* While the lock is held: the end of all threads, unless it is one that was asked for. */
void engine_fail(struct engine *g, int status, const struct error *e);

bool engine_stopping(const void *engine);

/* engine_device.c: the life of a thread that has a device. */
struct engine_device {
    struct engine *engine;
    int number, device; /* of the thread; of the device */
};
void *engine_work_on_device(void *device);

#endif
