/* choice.c — which variant computes. */
#include "run.h"

#include <string.h>

static bool goes_before(int i, int j)
{
    int a = variants[i]->steps_per_ms, b = variants[j]->steps_per_ms;
    return a > b || (a == b && i < j);
}

const struct variant *choice_fastest(int n)
{
    for (int i = 0; variants[i]; i++) {
        int before = 0;
        for (int j = 0; variants[j]; j++) before += goes_before(j, i);
        if (before == n) return variants[i];
    }
    return NULL;
}

const char *choice_name(int n)
{
    const struct variant *v = choice_fastest(n);
    if (v) return v->name;
    for (int i = 0; variants[i]; i++) n--;
    for (int i = 0; variant_names[i]; i++)
        if (!variant_find(variant_names[i]) && n-- == 0) return variant_names[i];
    return NULL;
}

int choice_named(const struct variant **v, const char *name, struct error *e)
{
    *v = variant_find(name);
    if (*v) return 0;
    for (int i = 0; variant_names[i]; i++)
        if (!strcmp(variant_names[i], name))
            return error_device(e, "%s: was not built into this program (building it needs nvcc)",
                                name);
    return error_input(e, "run: --variant %s: no such variant; see sciara variants", name);
}
