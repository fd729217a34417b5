/* variant_names.h — the names of all variants, built or not. */
#pragma once

/* The reference first, the others as the Makefile lists them; ends with NULL. */
extern const char *const variant_names[];

/* The name of variant n = 0, 1, ...: first the variants that were built, from the fastest on a lava flow to the
 * slowest, then all others. NULL: there are no more. */
const char *variant_name(int n);
