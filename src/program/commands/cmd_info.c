/* cmd_info.c — `sciara info FILE...`: shows how the program reads a case, a plan, a raster, a vector file, a state or the
 * folder of a run: as indented text, or with --json as the tree itself. */
#include "cli.h"

#include "library/inside.h"
#include "record/json_number.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>

struct request {
    struct option_words files;
    bool json;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("FILE", option_words, files,
            "a case file or a plan (.cfg), a raster (GeoTIFF, Arc/Info ASCII), a vector file, a "
            "state or the folder of a run",
            .repeated = true, .completes = COMPLETE_FILE),
    OPTION_FLAG("--json", json, "print JSON: an object, or a list if there are several files"),
    {0},
};

static void print_scalar(const cJSON *value)
{
    if (cJSON_IsString(value)) fputs(value->valuestring, stdout);
    else if (cJSON_IsBool(value)) fputs(cJSON_IsTrue(value) ? "yes" : "no", stdout);
    else if (cJSON_IsNumber(value) && isfinite(value->valuedouble))
        printf("%.12g", value->valuedouble);
    else fputs("none", stdout);
}

/* Prints a tree as `key   value`, with groups indented. Each object of a list has a line. The parser limits the depth
 * of a tree from a file. */
static void print_tree(const cJSON *parent, int indent)
{
    const cJSON *item, *part;
    cJSON_ArrayForEach (item, parent) {
        const char *key = item->string ? item->string : "-";
        printf("%*s%-*s ", indent, "", 22 - indent, key);
        if (cJSON_IsObject(item) && cJSON_IsArray(parent)) {
            cJSON_ArrayForEach (part, item) {
                printf("%s ", part->string);
                print_scalar(part);
                fputs(part->next ? ", " : "\n", stdout);
            }
        } else if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
            putchar('\n');
            print_tree(item, indent < 20 ? indent + 2 : indent);
        } else {
            print_scalar(item);
            putchar('\n');
        }
    }
}

static int print_info(cJSON *all, bool json, struct error *e)
{
    const cJSON *item;
    if (json)
        return cli_print_json(
            cJSON_Duplicate(cJSON_GetArraySize(all) == 1 ? all->child : all, true), e);
    json_clean(all);
    cJSON_ArrayForEach (item, all) {
        print_tree(item, 0);
        if (item->next) putchar('\n');
    }
    return 0;
}

static int describe_all(void *request, struct error *e)
{
    const struct request *q = request;
    int status = 0;
    FREED_BY(json_free_at) cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < q->files.count && !status; i++) {
        status = info_describe(json_add_object(all), q->files.word[i], &cli_watcher, e);
        if (status == ERROR_INPUT) cli_name_place(q->files.word[i], e);
    }
    if (!status) status = print_info(all, q->json, e);
    const cJSON *one;
    cJSON_ArrayForEach (one, all) {
        const cJSON *why = cJSON_GetObjectItemCaseSensitive(one, "run_refuses");
        if (!status && cJSON_IsString(why)) status = error_input(e, "%s", why->valuestring);
    }
    return status;
}

const struct command command_info = {
    .name = "info",
    .summary = "show how the program reads a case, plan, raster, vector file, state or run",
    .about = "Shows how the program reads each FILE: grid, coordinate reference system, range of "
             "values, parameters, vents, volume, terrain, vector files. For a plan, also shows "
             "what each member draws, the statistics, and the standard error that this number of "
             "members reaches.",
    .missing = "name a case, a plan, a raster or the folder of a run",
    COMMAND_OF(struct request, describe_all),
};
