/* schemas.c — all keys of the program, for messages and help. */
#include "case/settings.h"
#include "plan/plan.h"
#include "calibration/keys.h"

const struct schema *const schemas[] = {&case_schema, &plan_schema, &calibration_schema, NULL};
