/* verify_json.h — the scores of a forecast as an object of JSON, the same wherever they stand. */
#ifndef SCIARA_VERIFY_JSON_H
#define SCIARA_VERIFY_JSON_H

#include "verify.h"

struct cJSON;

/* NaN becomes null. */
void verify_add(struct cJSON *o, const struct verification *v, const struct domain *d);

#endif
