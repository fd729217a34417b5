/* choice.c — which variant computes. */
#include "run.h"

#include <string.h>

/* The fastest on a lava flow first. */
const char *const choice_preference[] = {"resident", "cfamo",  "cfame",     "tiled_halo",
                                         "tiled",    "global", "reference", NULL};

int choice_named(const struct variant **v, const char *name, struct error *e)
{
    *v = variant_find(name);
    if (*v) return 0;
    for (int i = 0; choice_preference[i]; i++)
        if (!strcmp(choice_preference[i], name))
            return error_device(e, "%s: was not built into this program (building it needs nvcc)",
                                name);
    return error_input(e, "run: --variant %s: no such variant; see sciara variants", name);
}
