#include "json_clean.h"

#include "scan.h"
#include "textfile.h"

#include <cJSON.h>
#include <stdlib.h>

void json_clean(struct cJSON *tree)
{
    for (cJSON *item = tree; item; item = item->next) {
        if (cJSON_IsString(item) && item->valuestring) scan_make_printable(item->valuestring);
        if (item->string && !(item->type & cJSON_StringIsConst)) scan_make_printable(item->string);
        json_clean(item->child); /* trees from files are no deeper than the parser allows */
    }
}

char *json_printed(struct cJSON *tree)
{
    json_clean(tree);
    char *json = cJSON_Print(tree), *text = json ? text_format("%s\n", json) : NULL;
    cJSON_Delete(tree);
    free(json);
    return text;
}
