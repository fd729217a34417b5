/* variants.c — which variants this program was built with. The Makefile defines HAVE_NAME for each
 * that it compiles; the reference is always there. */
#include "variant.h"
#include "variant_names.h"

#include <string.h>

extern const struct variant variant_reference;
#ifdef HAVE_global
extern const struct variant variant_global;
#endif
#ifdef HAVE_tiled
extern const struct variant variant_tiled;
#endif
#ifdef HAVE_tiled_halo
extern const struct variant variant_tiled_halo;
#endif
#ifdef HAVE_cfame
extern const struct variant variant_cfame;
#endif
#ifdef HAVE_cfamo
extern const struct variant variant_cfamo;
#endif
#ifdef HAVE_resident
extern const struct variant variant_resident;
#endif

const struct variant *const variants[] = {
    &variant_reference,
#ifdef HAVE_global
    &variant_global,
#endif
#ifdef HAVE_tiled
    &variant_tiled,
#endif
#ifdef HAVE_tiled_halo
    &variant_tiled_halo,
#endif
#ifdef HAVE_cfame
    &variant_cfame,
#endif
#ifdef HAVE_cfamo
    &variant_cfamo,
#endif
#ifdef HAVE_resident
    &variant_resident,
#endif
    NULL,
};

const char *const variant_names[] = {"resident", "cfamo",  "cfame",     "tiled_halo",
                                     "tiled",    "global", "reference", NULL};

const struct variant *variant_find(const char *name)
{
    for (int i = 0; variants[i]; i++)
        if (strcmp(variants[i]->name, name) == 0) return variants[i];
    return NULL;
}
