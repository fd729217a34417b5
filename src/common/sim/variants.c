/* variants.c — the variants by name and by speed. The Makefile passes the names of all variants as a list for the
 * preprocessor: each(NAME) each(NAME) ... */
#include "variant.h"
#include "variant_names.h"

#include <string.h>

#ifndef SCIARA_VARIANTS /* CUDA variants, built or not */
#define SCIARA_VARIANTS(each)
#endif

#define NAME(name) #name,
const char *const variant_names[] = {NAME(reference) SCIARA_VARIANTS(NAME) NULL};

const struct variant *variant_find(const char *name)
{
    for (int i = 0; variants[i]; i++)
        if (strcmp(variants[i]->name, name) == 0) return variants[i];
    return NULL;
}

static bool goes_before(int i, int j)
{
    int a = variants[i]->steps_per_ms, b = variants[j]->steps_per_ms;
    return a > b || (a == b && i < j);
}

const struct variant *variant_fastest(int n)
{
    for (int i = 0; variants[i]; i++) {
        int before = 0;
        for (int j = 0; variants[j]; j++) before += goes_before(j, i);
        if (before == n) return variants[i];
    }
    return NULL;
}

const char *variant_name(int n)
{
    const struct variant *v = variant_fastest(n);
    if (v) return v->name;
    for (int i = 0; variants[i]; i++) n--;
    for (int i = 0; variant_names[i]; i++)
        if (!variant_find(variant_names[i]) && n-- == 0) return variant_names[i];
    return NULL;
}
