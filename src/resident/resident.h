/* resident.h — numbers that only the variant `resident` counts. */
#ifndef SCIARA_RESIDENT_H
#define SCIARA_RESIDENT_H

#include "sim/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct variant variant_resident;

/* How many epochs each kernel of resident.cu has made so far. An epoch is up to 8 steps with the same list of tiles. */
struct resident_epochs {
    int on_chip, through_memory;
};

/* `self` is a simulation that create() of variant_resident has made. */
int resident_count_epochs(void *self, struct resident_epochs *out, struct error *e);

#ifdef __cplusplus
}
#endif
#endif
