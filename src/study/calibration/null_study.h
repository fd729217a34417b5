/* null_study.h — the study of a null model (null/null_model.h), for a case or any plan. It writes the files of an
 * ensemble, except thickness and arrival. */
#pragma once

#include "keys.h"
#include "null/null_model.h"
#include "study/study.h"

struct null_study {
    struct null_plan of;
    struct null_model persistence;
    struct calibration_keys keys; /* read and ignored, because the plan of a calibration has them */
};

/* The study of a struct null_study; its options are a struct null_numbers. */
extern const struct study study_null;
