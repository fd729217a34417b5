/* print_json.c — the output of --json. */
#include "cli.h"

#include "restart/json_number.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>

int cli_print_json(struct cJSON *tree, struct error *e)
{
    json_clean(tree);
    char *text = cJSON_Print(tree);
    if (!text) return error_memory(e);
    puts(text);
    free(text);
    return 0;
}
