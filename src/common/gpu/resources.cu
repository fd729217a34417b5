/* resources.cu — the resources that a kernel needs on the device, and the resource that limits its number of blocks. */
#include "host.h"

#include <stdio.h>

/* What a multiprocessor has for the blocks that it holds at once. */
struct multiprocessor {
    int threads, blocks, shared_bytes;
    int reserved_bytes; /* of shared memory, for each block */
};

static cudaError_t room_of(int device, struct multiprocessor *r)
{
    const struct {
        int *value;
        cudaDeviceAttr what;
    } all[] = {{&r->threads, cudaDevAttrMaxThreadsPerMultiProcessor},
               {&r->blocks, cudaDevAttrMaxBlocksPerMultiprocessor},
               {&r->shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
               {&r->reserved_bytes, cudaDevAttrReservedSharedMemoryPerBlock}};
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < 4 && status == cudaSuccess; i++)
        status = cudaDeviceGetAttribute(all[i].value, all[i].what, device);
    return status;
}

/* The resource that limits the number of blocks on a multiprocessor. Only the CUDA runtime knows
 * how registers are allocated. So registers are the limit if nothing else is. */
static const char *limit_of(const struct variant_kernel *k, const struct multiprocessor *r)
{
    int shared_bytes = (int)k->shared_bytes + r->reserved_bytes;
    if (k->blocks >= r->threads / (k->cols * k->rows)) return "threads";
    if (k->blocks >= r->blocks) return "blocks";
    if (k->shared_bytes && k->blocks >= r->shared_bytes / shared_bytes) return "shared memory";
    return "registers";
}

int gpu_kernels(const struct gpu_kernel *list, struct variant_kernel k[VARIANT_KERNELS], int *count,
                const struct variant_options *o, struct error *e)
{
    char device[128];
    int code = gpu_available(o, device, e), threads;
    struct multiprocessor room = {};
    cudaFuncAttributes f;
    if (code) return code;
    cudaError_t status = cudaSetDevice(o ? o->device : 0);
    if (status == cudaSuccess) status = room_of(o ? o->device : 0, &room);
    *count = 0;
    for (const struct gpu_kernel *from = list; from->name; from++) {
        struct variant_kernel *to = &k[*count];
        if (*count == VARIANT_KERNELS) break;
        threads = from->cols * from->rows;
        if (status == cudaSuccess) status = cudaFuncGetAttributes(&f, from->function);
        if (status == cudaSuccess)
            status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&to->blocks, from->function,
                                                                   threads, from->dynamic_bytes);
        if (status != cudaSuccess) break;
        snprintf(to->name, sizeof to->name, "%.*s", (int)strcspn(from->name, "<"), from->name);
        to->cols = from->cols;
        to->rows = from->rows;
        to->registers = f.numRegs;
        to->shared_bytes = f.sharedSizeBytes + from->dynamic_bytes;
        to->local_bytes = f.localSizeBytes;
        to->occupancy = (double)(to->blocks * threads) / room.threads;
        to->limit = limit_of(to, &room);
        ++*count;
    }
    return status == cudaSuccess ? 0
                                 : error_failed(e, "CUDA: kernels: %s", cudaGetErrorString(status));
}
