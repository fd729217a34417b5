/* variant_names.h — the names of all variants, built or not. */
#pragma once

/* The reference first, the others as the Makefile lists them; ends with NULL. */
extern const char *const variant_names[];

/* Name n = 0, 1, ... of all variants: those that were built, the fastest on a lava flow first, then
 * the others. NULL: no more. */
const char *variant_name(int n);
