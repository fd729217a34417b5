/* null_study.h — the null model (null/null_model.h) of a case or a plan of any kind as a study. Its
 * files are those of an ensemble less thickness and arrival. */
#pragma once

#include "keys.h"
#include "null/null_model.h"
#include "study/study.h"

struct null_study {
    struct null_plan of; /* null_state is of its model */
    struct null_model persistence;
    struct calibration_keys keys; /* keys of a plan that has some; they count for nothing */
};

/* The study of a struct null_study; its options are a struct null_numbers. */
extern const struct study study_null;
