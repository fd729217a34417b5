/* null_numbers.h — the numbers of a null model (null/null_model.h): fitted to the outline, or from another eruption. */
#pragma once

#include <math.h>

struct null_numbers {
    double length_m, half_width_m; /* both NaN: to be fitted to the outline */
};
#define NULL_FITTED ((struct null_numbers){NAN, NAN})
