/* cmd_variants.c — `sciara variants`: what was built, and what of it can run here. */
#include "cli.h"
#include "run.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: sciara variants [--json | --resources]\n"
    "\n"
    "Lists the variants, which all compute the same bits: whether each was built, whether this\n"
    "machine can run it and on what, the memory that a cell of a large grid takes there, and "
    "which\n"
    "one `sciara run` takes by itself (*).\n"
    "\n"
    "With --resources, as CSV, what the kernels of a step need of the device: their block (columns "
    "x "
    "rows\n"
    "of threads), registers and local memory of a thread, shared memory of a block, how many "
    "blocks\n"
    "a multiprocessor holds at once, which share of its threads these are, and what keeps it from "
    "more.\n";

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
    char *text = cJSON_Print(all);
    cJSON_Delete(all);
    if (!text) return error_failed(e, "out of memory");
    puts(text);
    free(text);
    return 0;
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
    struct error e = {0};
    bool json = false, resources = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json")) json = true;
        else if (!strcmp(argv[i], "--resources")) resources = true;
        else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return fputs(usage, stdout) < 0;
        else {
            error_input(&e, "variants: %s: not understood; see sciara variants --help", argv[i]);
            return cli_fail(&e);
        }
    }
    if (json && resources) {
        error_input(&e, "variants: choose one of --json and --resources");
        return cli_fail(&e);
    }
    return (resources ? list_resources(&e) : list(json, &e)) ? cli_fail(&e) : 0;
}
