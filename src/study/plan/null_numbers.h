/* null_numbers.h — what the null model has by fitting (null/null_model.h), and carries to another eruption. */
#pragma once

#include <math.h>

struct null_numbers {
    double length_m, half_width_m; /* both NaN: they are to be fitted to the outline */
};
#define NULL_FITTED ((struct null_numbers){NAN, NAN})
