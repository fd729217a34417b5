/* variant.h — the functions that a memory strategy has to provide.
 *
 * To add a variant, add a folder under src/ that defines `const struct variant variant_NAME`, and
 * one word in VARIANTS of the Makefile (docs/kernels.md). All state belongs to *self: several
 * simulations, on several devices, can exist in one process. destroy(NULL) is fine. */
#pragma once

#include "base/error.h"
#include "fields.h"
#include "problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Techniques of a CUDA variant that can be disabled, to measure their gain
 * (profiling/techniques.cu); the bits stay the same. */
enum {
    VARIANT_DISABLE_GRAPH = 1, /* the host launches every kernel, one by one */
    VARIANT_DISABLE_PROGRAMMATIC_LAUNCH =
        2, /* no kernel is set up while the previous one still runs */
};

struct variant_options {
    int threads;       /* CPU: largest number of threads; 0: as many as the machine grants */
    int team;          /* CPU: rule for the number of threads in use, enum team_rule; usually 0 */
    int device;        /* CUDA: device number */
    unsigned disabled; /* CUDA: VARIANT_DISABLE_..., or'ed; usually 0 */
};

/* The status of a running simulation. */
struct variant_status {
    int64_t step;     /* steps done, counted from the beginning of the eruption */
    bool stopped;     /* the stopping rule ended the run: advance() does nothing more */
    quanta mobile;    /* sum of mobile lava at the last reduction */
    int threads;      /* CPU: largest number of threads that compute; GPU: 0 */
    double device_ms; /* time of the steps themselves so far (CUDA events; CPU: wall clock) */
};

/* The resources of a kernel on a device. */
struct variant_kernel {
    char name[32];
    int cols, rows;      /* threads of a block: blockDim.x, blockDim.y */
    int registers;       /* registers of a thread */
    size_t shared_bytes; /* shared memory of a block */
    size_t local_bytes;  /* bytes of a thread for data that did not fit into registers */
    int blocks;          /* most at once on a multiprocessor; 0: the kernel cannot be launched */
    double occupancy;    /* threads of these blocks, as a share of a multiprocessor's maximum */
    const char *limit;   /* what limits blocks: "threads", "blocks", "shared memory", "registers" */
};
enum { VARIANT_KERNELS = 8 };

struct variant {
    const char *name;
    const char *summary; /* one line for `sciara variants` */
    bool cuda;
    /* Speed in steps per millisecond, for Etna 2006 without full_domain. It was measured in profiling/results/h200: in
     * host.csv for the reference, in benchmark.csv for the others. By default the program uses the fastest variant. 0:
     * the speed was not measured, and the variant is never used by default. */
    int steps_per_ms;
    /* Returns 0 if this machine can run the variant; else ERROR_DEVICE with the reason. `what` becomes the name of
     * the processor. */
    int (*available)(const struct variant_options *o, char what[128], struct error *e);
    /* Starts the device, so that create() does not have to wait for the device. Ignores errors:
     * create() reports them. May run in a thread of its own. NULL: there is nothing to start. */
    void (*wake)(const struct variant_options *o);
    /* Frees the device after all its simulations are destroyed, so that the end of the process does not have to wait
     * for the device. Afterwards the process cannot use the device. NULL: nothing to free. */
    void (*leave)(const struct variant_options *o);
    /* Bytes of memory for one cell of a large grid, on the device, or on the host for a CPU
     * variant. */
    size_t bytes_per_cell;
    /* Whether only the parts of *p near lava take memory, so that snapshots may lack all other blocks. Such a
     * variant reads its terrain itself, between two steps. So its advance() and snapshot() may return ERROR_INPUT.
     * NULL: false for every *p. */
    bool (*lazy)(const struct problem *p);
    int (*create)(void **self, const struct problem *p, const struct variant_options *o,
                  struct error *e);
    /* Makes `steps` steps, with few or no host round trips inside. */
    int (*advance)(void *self, int64_t steps, struct variant_status *status, struct error *e);
    /* Starts to copy the present state into *out, which the caller has created for the problem's
     * window. *out is valid after snapshot_wait(); advance() may be called in between. */
    int (*snapshot)(void *self, struct fields *out, struct error *e);
    int (*snapshot_wait)(void *self, struct error *e);
    /* *reach becomes a window of the domain that has all mobile lava and all vents; rows 0: there is neither. NULL: the
     * variant cannot find such a window, so it computes the whole domain (held.h). */
    int (*reach)(void *self, struct window *reach, struct error *e);
    /* Adds the new cells after the problem's window has grown from `before`. The new cells are in
     * their initial state, which has no lava. The state of the other cells stays on the device. The
     * caller makes sure that no snapshot is under way. On an error the simulation is as it was, in
     * the window `before`. NULL: the caller creates another simulation, from the state of this one. */
    int (*widen)(void *self, struct window before, struct error *e);
    /* Copies the 8 outflow layers of the last step, in metres, to out[8][rows][cols]. Layer k has the flow to neighbour
     * k of physics.h. NULL: the strategy keeps no layers. */
    int (*outflows)(void *self, double *out, struct error *e);
    size_t (*memory)(void *self); /* bytes in use, on the device or the host */
    void (*destroy)(void *self);
    /* Writes the resources of the kernels of a step to k, and their number to *count. NULL: the variant is for a
     * CPU. */
    int (*kernels)(struct variant_kernel k[VARIANT_KERNELS], int *count,
                   const struct variant_options *o, struct error *e);
};

/* The variants of this program, reference first; ends with NULL (variant_table.c). */
extern const struct variant *const variants[];
const struct variant *variant_find(const char *name); /* NULL: there is no such variant */

/* Variant n by speed on a lava flow; n = 0: the fastest. NULL: there are no more. */
const struct variant *variant_fastest(int n);

#ifdef __cplusplus
}
#endif
