/* null_study.h — the null model (ensemble/null_model.h) of a case or a plan of any kind as a study. Its
 * files are those of an ensemble less thickness and arrival. */
#pragma once

#include "calibration/keys.h"
#include "ensemble/null_model.h"
#include "study/study.h"

struct null_study {
    struct calibration_keys keys; /* of a plan that has some; they count for nothing */
    struct null_plan of;
    struct null_model persistence;
};

/* Of a struct null_study, with struct null_numbers. */
extern const struct study study_null;
