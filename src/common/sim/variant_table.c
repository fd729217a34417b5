/* variant_table.c — the variants of a program. sciara has all variants that were built. sciara_NAME has the
 * reference and NAME. The Makefile passes a list for the preprocessor: each(NAME) each(NAME) ... */
#include "variant.h"

#ifndef SCIARA_BUILT /* CUDA variants */
#define SCIARA_BUILT(each)
#endif

#define DECLARE(name) extern const struct variant variant_##name;
DECLARE(reference)
SCIARA_BUILT(DECLARE)

#define ADDRESS(name) &variant_##name,
const struct variant *const variants[] = {ADDRESS(reference) SCIARA_BUILT(ADDRESS) NULL};
