/* device_id.c — the UUID of a GPU. Ranks compare UUIDs, so that two ranks do not use one GPU by mistake. */
#include "ranks.h"

#include <stdio.h>

#ifdef SCIARA_BATCH

#include <cuda_runtime_api.h>

bool device_id(int device, char id[40])
{
    struct cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess) return false;
    for (int i = 0; i < 16; i++) snprintf(id + 2 * i, 3, "%02x", (unsigned char)p.uuid.bytes[i]);
    return true;
}

#else

bool device_id(int device, char id[40])
{
    return false;
}

#endif
