/* variant_names.h — what variants are called, built or not. */
#ifndef SCIARA_VARIANT_NAMES_H
#define SCIARA_VARIANT_NAMES_H

/* The fastest on a lava flow first, the reference last; ends with NULL. */
extern const char *const variant_names[];

#endif
