/* resident.h — counts of the variant `resident` that other variants do not have. */
#ifndef SCIARA_RESIDENT_H
#define SCIARA_RESIDENT_H

#include "sim/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct variant variant_resident;

/* Numbers of epochs made so far by each kernel (resident.cu). */
struct resident_epochs {
    int on_chip, through_memory;
};

/* `self` is a simulation that create() of variant_resident has made. */
int resident_count_epochs(void *self, struct resident_epochs *out, struct error *e);

#ifdef __cplusplus
}
#endif
#endif
