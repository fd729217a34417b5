/* batch_missing.c — replaces src/study/batch in a program without CUDA: batch_create() fails, so the
 * other functions never get a batch. */
#include "batch.h"

#ifndef SCIARA_BATCH

#include <assert.h>

int batch_available(int device, char what[128], struct error *e)
{
    (void)device;
    (void)what;
    return error_device(e, "this program was built without CUDA; choose the variant reference, "
                           "which computes on the processors");
}

void batch_warm(int device)
{
    (void)device;
}

int batch_create(struct batch **b, const struct batch_setup *s, struct error *e)
{
    char what[128];
    (void)b;
    return batch_available(s->device, what, e);
}

void batch_destroy(struct batch *b)
{
    (void)b;
}

int batch_blocks_at_once(const struct batch *b)
{
    assert(!b);
    return 0;
}

int batch_members_at_most(const struct batch *b)
{
    assert(!b);
    return 0;
}

size_t batch_memory(const struct batch *b)
{
    assert(!b);
    return 0;
}

bool batch_takes(const struct batch *b, const struct batch_job *job)
{
    (void)job;
    assert(!b);
    return false;
}

int batch_begin(struct batch *b, int lane, const struct batch_job *jobs, int count, int blocks,
                struct error *e)
{
    (void)lane;
    (void)jobs;
    (void)count;
    (void)blocks;
    assert(!b);
    return error_failed(e, "no batch");
}

void batch_stop(struct batch *b)
{
    (void)b;
}

void batch_go_on(struct batch *b)
{
    (void)b;
}

int batch_end(struct batch *b, int lane, struct batch_outcome *out, struct error *e)
{
    (void)lane;
    (void)out;
    assert(!b);
    return error_failed(e, "no batch");
}

#endif
