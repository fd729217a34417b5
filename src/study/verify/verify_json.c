#include "verify_json.h"

#include "restart/json_number.h"

#include <cJSON.h>
#include <stdio.h>

void verify_add(cJSON *o, const struct verification *v, const struct domain *d)
{
    char name[32];
    cJSON_AddStringToObject(o, "within", d->about);
    json_add_numbers(o, {"cells", v->cells}, {"observed_cells", v->observed},
                     {"observed_outside", d->beyond});
    for (int k = 0; k < VERIFY_SCORES; k++) {
        cJSON_AddNumberToObject(o, verify_score_names[k], v->score[k].value);
        snprintf(name, sizeof name, "%s_error", verify_score_names[k]);
        cJSON_AddNumberToObject(o, name, v->score[k].error);
    }
    json_add_numbers(
        o, {"reliability", v->reliability}, {"resolution", v->resolution},
        {"uncertainty", v->uncertainty}, {"log_score_reference", v->log_reference},
        {"blocks", v->blocks}, {"block_m", v->block_m}, {"correlation_m", v->correlation_m},
        {"best_jaccard", verify_jaccard(v, v->best)}, {"best_probability", v->best / 100.0});
}
