/* null_study.h — the null model (null/null_model.h) of a case or a plan of any kind as a study. It
 * writes the files of an ensemble, except thickness and arrival. */
#pragma once

#include "keys.h"
#include "null/null_model.h"
#include "study/study.h"

struct null_study {
    struct null_plan of; /* null_state (null_model.h) is the state of its model */
    struct null_model persistence;
    struct calibration_keys keys; /* a plan may have these keys; they are ignored */
};

/* The study of a struct null_study; its options are a struct null_numbers. */
extern const struct study study_null;
