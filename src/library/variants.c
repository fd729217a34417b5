/* variants.c — lists the variants, and finds those that this machine can run. */
#include "inside.h"
#include "library.h"

#include "sim/variant_names.h"

#include <stdio.h>
#include <string.h>

int sciara_variant_count(void)
{
    int count = 0;
    while (variant_names[count]) count++;
    return count;
}

const char *sciara_variant_name(int i)
{
    return i >= 0 ? variant_name(i) : NULL;
}

int variant_named(const struct variant **v, const char *name, struct error *e)
{
    *v = variant_find(name);
    if (*v) return 0;
    for (int i = 0; variant_names[i]; i++)
        if (!strcmp(variant_names[i], name))
            return error_device(e, "%s: was not built into this program (building it needs nvcc)",
                                name);
    return error_input(e, "variant %.200s: no such variant; see sciara variants", name);
}

static void *wake(void *waking)
{
    const struct device_waking *w = waking;
    w->variant->wake(&w->options);
    return NULL;
}

void device_wake(struct device_waking *w, const char *variant, int device)
{
    const bool automatic = !variant || !strcmp(variant, "auto");
    *w = (struct device_waking){.variant = automatic ? variant_fastest(0) : variant_find(variant),
                                .options = {.device = device}};
    if (w->variant && w->variant->wake) w->started = loops_start_thread(&w->thread, NULL, wake, w);
}

void device_wait(struct device_waking *w)
{
    if (w->started) pthread_join(w->thread, NULL);
    w->started = false;
}

int sciara_variant_describe(struct sciara_variant *v, const char *name, int device,
                            struct sciara_error *e)
{
    const struct variant_options machine = {.device = device};
    const struct variant *found;
    struct error mine = {0};
    *v = (struct sciara_variant){.name = "", .summary = ""};
    if (!name) name = "";
    if (variant_named(&found, name, &mine) == ERROR_INPUT) return return_error(e, &mine);
    for (int i = 0; variant_names[i]; i++)
        if (!strcmp(variant_names[i], name)) v->name = variant_names[i];
    v->cuda = strcmp(name, "reference") != 0;
    if (!found) {
        snprintf(v->reason, sizeof v->reason, "not built (building it needs nvcc)");
        return 0;
    }
    v->built = 1;
    v->summary = found->summary;
    v->bytes_per_cell = found->bytes_per_cell;
    v->available = !found->available(&machine, v->device, &mine);
    if (v->available) return 0;
    v->device[0] = '\0';
    memcpy(v->reason, mine.text, sizeof v->reason);
    return 0;
}

static struct sciara_kernel kernel_of(const struct variant_kernel *k)
{
    struct sciara_kernel out = {
        .cols = k->cols,
        .rows = k->rows,
        .registers = k->registers,
        .shared_bytes = k->shared_bytes,
        .local_bytes = k->local_bytes,
        .blocks = k->blocks,
        .occupancy = k->occupancy,
    };
    snprintf(out.name, sizeof out.name, "%.31s", k->name);
    snprintf(out.limit, sizeof out.limit, "%s", k->limit ? k->limit : "");
    return out;
}

int sciara_variant_kernels(struct sciara_kernel *kernels, int room, int *count, const char *name,
                           int device, struct sciara_error *e)
{
    const struct variant_options machine = {.device = device};
    struct variant_kernel k[VARIANT_KERNELS];
    const struct variant *v;
    struct error mine = {0};
    *count = 0;
    int status = variant_named(&v, name ? name : "", &mine);
    if (status) return return_error(e, &mine);
    if (!v->kernels) return 0;
    if (v->kernels(k, count, &machine, &mine)) {
        *count = 0;
        return return_error(e, &mine);
    }
    for (int i = 0; i < *count && i < room; i++) kernels[i] = kernel_of(&k[i]);
    return 0;
}
