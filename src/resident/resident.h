/* resident.h — the status of `resident` in addition to that of every variant. */
#ifndef SCIARA_RESIDENT_H
#define SCIARA_RESIDENT_H

#include "sim/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct variant variant_resident;

/* Epochs made so far. */
struct resident_epochs {
    int on_chip, through_memory;
};

/* For a simulation that create() of this variant has made. */
int resident_count_epochs(void *self, struct resident_epochs *out, struct error *e);

#ifdef __cplusplus
}
#endif
#endif
