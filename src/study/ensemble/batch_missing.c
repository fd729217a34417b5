/* batch_missing.c — replaces src/study/batch in a program without CUDA, and in programs that compute no members.
 * batch_create() fails, so no other function gets a batch. */
#include "batch.h"

int batch_available(int device, char what[128], struct error *e)
{
    return error_device(e, "this program was built without CUDA; choose the variant reference, "
                           "which computes on the processors");
}

void batch_warm(int device) {}

int batch_create(struct batch **b, const struct batch_setup *s, struct error *e)
{
    char what[128];
    return batch_available(s->device, what, e);
}

void batch_destroy(struct batch *b) {}

int batch_blocks_at_once(const struct batch *b)
{
    return 0;
}

int batch_members_at_most(const struct batch *b)
{
    return 0;
}

bool batch_takes(const struct batch *b, const struct batch_job *job)
{
    return false;
}

int batch_begin(struct batch *b, int lane, const struct batch_job *jobs, int count, int blocks,
                struct error *e)
{
    return error_failed(e, "no batch");
}

void batch_stop(struct batch *b) {}

int batch_end(struct batch *b, int lane, struct batch_outcome *out, struct error *e)
{
    return error_failed(e, "no batch");
}
