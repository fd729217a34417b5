/* cmd_variants.c — `sciara variants`: shows the variants that were built, and whether they can run here. */
#include "cli.h"

#include "library/inside.h"
#include "record/json_number.h"

#include <cJSON.h>
#include <stdio.h>

struct variants_options {
    bool json, resources;
};

#define AT(member) offsetof(struct variants_options, member)
static const struct option words[] = {
    OPTION_FLAG("--json", json, "print JSON", .not_with = "--resources"),
    OPTION_FLAG("--resources", resources,
                "print the resources of the kernels of a step as CSV: block (columns x rows of "
                "threads), registers and local memory per thread, shared memory per block, blocks "
                "that a multiprocessor holds at once, its occupancy, and the limiting resource"),
    {0},
};

static const struct option_exit exits[] = {
    {0, "done"},
    {1, "failed: GPU error"},
    {2, "invalid command line"},
    {3, "with --resources: no CUDA device, or no variant that runs on one was built"},
    {0, NULL},
};

/* Prints two lines for a variant, or one line if it was not built. */
static void print_text(const struct sciara_variant *v, bool chosen)
{
    printf("%c %-10s  ", chosen ? '*' : ' ', v->name);
    if (!v->built) {
        printf("%10s  %s\n", "-", v->reason);
        return;
    }
    printf("%10zu  %s\n%26s%s%s\n", v->bytes_per_cell, v->summary, "",
           v->available ? "runs on " : "cannot run here: ", v->available ? v->device : v->reason);
}

static void add_json(cJSON *list, const struct sciara_variant *v, bool chosen)
{
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"name", v->name}, {"summary", v->summary});
    cJSON_AddBoolToObject(o, "built", v->built);
    if (v->built) cJSON_AddNumberToObject(o, "bytes_per_cell", (double)v->bytes_per_cell);
    json_add_bools(o, {"cuda", v->cuda}, {"available", v->available}, {"default", chosen});
    if (v->available) cJSON_AddStringToObject(o, "device", v->device);
    else cJSON_AddStringToObject(o, "reason", v->reason);
}

/* Prints all variants. The default is the first variant that can run here. */
static int print_variants(bool json, struct error *e)
{
    bool chosen = false;
    cJSON *all = json ? cJSON_CreateArray() : NULL;
    if (!json) printf("  %-10s  %10s  %s\n", "variant", "bytes/cell", "how it works");
    for (int i = 0; i < sciara_variant_count(); i++) {
        struct sciara_variant v;
        sciara_variant_describe(&v, sciara_variant_name(i), 0, NULL);
        if (json) add_json(all, &v, v.available && !chosen);
        else print_text(&v, v.available && !chosen);
        chosen = chosen || v.available;
    }
    return json ? cli_print_json(all, e) : 0;
}

static void print_kernel(const char *variant, const struct sciara_kernel *k)
{
    char block[32];
    snprintf(block, sizeof block, k->rows > 1 ? "%dx%d" : "%d", k->cols, k->rows);
    printf("%s,%s,%s,%d,%d,%zu,%zu,%d,%.1f,%s\n", variant, k->name, block, k->cols * k->rows,
           k->registers, k->shared_bytes, k->local_bytes, k->blocks, 100 * k->occupancy, k->limit);
}

enum { KERNELS = 32 };

/* Lists what the kernels of each variant need from a device, the simplest variant first. */
static int list_resources(struct error *e)
{
    struct sciara_kernel k[KERNELS];
    struct sciara_error why;
    int count, shown = 0;
    for (int i = sciara_variant_count() - 1; i >= 0; i--) {
        struct sciara_variant v;
        sciara_variant_describe(&v, sciara_variant_name(i), 0, NULL);
        if (!v.built || !v.cuda) continue;
        int status = sciara_variant_kernels(k, KERNELS, &count, v.name, 0, &why);
        if (status) return error_of_sciara(&why, e);
        if (!shown++)
            puts("variant,kernel,block,threads,registers,shared_bytes,local_bytes,blocks_per_"
                 "multiprocessor,occupancy_percent,limited_by");
        for (int n = 0; n < count && n < KERNELS; n++) print_kernel(v.name, &k[n]);
    }
    return shown ? 0
                 : error_device(e, "variants: none that runs on a GPU was built (it needs nvcc)");
}

static int list_variants(void *request, struct error *e)
{
    const struct variants_options *o = request;
    return o->resources ? list_resources(e) : print_variants(o->json, e);
}

const struct command command_variants = {
    .name = "variants",
    .summary = "list the variants, and those that this machine can run",
    .about = "Lists the variants, which all compute the same bits: whether each was built, whether "
             "this machine can run it and on which device, its memory per cell of a large grid, "
             "and the one that `sciara run` uses by default (*).",
    .exits = exits,
    COMMAND_OF(struct variants_options, list_variants),
};
