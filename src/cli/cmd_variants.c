/* cmd_variants.c — `sciara variants`: what was built, and what of it can run here. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variants_options {
    bool json, resources;
};

#define AT(member) offsetof(struct variants_options, member)
static const struct option options[] = {
    {.name = "--json", .at = AT(json), .help = "print JSON"},
    {.name = "--resources",
     .at = AT(resources),
     .help =
         "print, as CSV, what the kernels of a step need of the device: their block (columns x "
         "rows of threads), registers and local memory of a thread, shared memory of a block, "
         "how many blocks a multiprocessor holds at once, which share of its threads these are, "
         "and what keeps it from more"},
    {0},
};

static const struct option_exit exits[] = {
    {0, "done"},
    {1, "the machine failed"},
    {2, "the command line cannot be used"},
    {3, "with --resources: no CUDA device, or no variant that runs on one was built"},
    {0, NULL},
};

const struct command command_variants = {
    .name = "variants",
    .summary = "which variants were built and can run on this machine",
    .about =
        "Lists the variants, which all compute the same bits: whether each was built, whether this "
        "machine can run it and on what, the memory that a cell of a large grid takes there, and "
        "which one `sciara run` takes by itself (*).",
    .options = options,
    .exits = exits,
    .run = cmd_variants,
};

struct finding {
    const char *name;
    const struct variant *v; /* NULL: not built */
    bool runs, chosen;
    char device[128];
    struct error why_not;
};

static struct finding examine(const char *name)
{
    const struct variant_options machine = {0};
    struct finding f = {.name = name, .v = variant_find(name)};
    if (f.v) f.runs = !f.v->available(&machine, f.device, &f.why_not);
    else error_device(&f.why_not, "not built (building it needs nvcc)");
    return f;
}

/* Two lines a variant under one header; what was not built has only one. */
static void print_text(const struct finding *f)
{
    printf("%c %-10s  ", f->chosen ? '*' : ' ', f->name);
    if (!f->v) {
        printf("%10s  %s\n", "-", f->why_not.text);
        return;
    }
    printf("%10zu  %s\n%26s%s%s\n", f->v->bytes_per_cell, f->v->summary, "",
           f->runs ? "runs on " : "cannot run here: ", f->runs ? f->device : f->why_not.text);
}

static void add_json(cJSON *list, const struct finding *f)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(list, o);
    cJSON_AddStringToObject(o, "name", f->name);
    cJSON_AddStringToObject(o, "summary", f->v ? f->v->summary : "");
    cJSON_AddBoolToObject(o, "built", f->v != NULL);
    if (f->v) cJSON_AddNumberToObject(o, "bytes_per_cell", (double)f->v->bytes_per_cell);
    cJSON_AddBoolToObject(o, "cuda", strcmp(f->name, "reference") != 0);
    cJSON_AddBoolToObject(o, "available", f->runs);
    cJSON_AddBoolToObject(o, "default", f->chosen);
    if (f->runs) cJSON_AddStringToObject(o, "device", f->device);
    else cJSON_AddStringToObject(o, "reason", f->why_not.text);
}

static int list(bool json, struct error *e)
{
    bool chosen = false;
    cJSON *all = json ? cJSON_CreateArray() : NULL;
    if (!json) printf("  %-10s  %10s  %s\n", "variant", "bytes/cell", "how it works");
    for (int i = 0; choice_name(i); i++) {
        struct finding f = examine(choice_name(i));
        f.chosen = f.runs && f.v->steps_per_ms && !chosen;
        chosen = chosen || f.chosen;
        if (json) add_json(all, &f);
        else print_text(&f);
    }
    if (!json) return 0;
    int status = cli_print_json(all, e);
    cJSON_Delete(all);
    return status;
}

static void print_kernel(const char *variant, const struct variant_kernel *k)
{
    char block[32];
    snprintf(block, sizeof block, k->rows > 1 ? "%dx%d" : "%d", k->cols, k->rows);
    printf("%s,%s,%s,%d,%d,%zu,%zu,%d,%.1f,%s\n", variant, k->name, block, k->cols * k->rows,
           k->registers, k->shared_bytes, k->local_bytes, k->blocks, 100 * k->occupancy, k->limit);
}

/* Of all variants that run on a device. */
static int list_resources(struct error *e)
{
    const struct variant_options machine = {0};
    struct variant_kernel k[VARIANT_KERNELS];
    int count, shown = 0;
    for (int i = 0; variants[i]; i++) {
        if (!variants[i]->kernels) continue;
        int status = variants[i]->kernels(k, &count, &machine, e);
        if (status) return status;
        if (!shown++)
            puts("variant,kernel,block,threads,registers,shared_bytes,local_bytes,"
                 "blocks_per_multiprocessor,occupancy_percent,limited_by");
        for (int n = 0; n < count; n++) print_kernel(variants[i]->name, &k[n]);
    }
    return shown ? 0
                 : error_device(e, "variants: none that runs on a GPU was built (it needs nvcc)");
}

int cmd_variants(int argc, char **argv)
{
    struct variants_options o = {0};
    struct error e = {0};
    int status = options_parse(&command_variants, &o, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status && o.json && o.resources)
        status = error_input(&e, "variants: choose one of --json and --resources");
    if (!status) status = o.resources ? list_resources(&e) : list(o.json, &e);
    return status ? cli_fail(&e) : 0;
}
