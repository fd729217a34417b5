/* chart.h — a horizontal bar chart as a picture: one bar per measurement, with whiskers from its
 * least to its largest repetition. */
#pragma once

#include "base/error.h"

struct chart {
    const char *title; /* may be NULL, as all texts */
    const char *subtitle;
    const char *unit; /* of the values: "ms per 1,000 steps" */
    const char *note; /* small print */
    int count;
    const char *const *label;
    const double *value;   /* below 0: its number without a bar; NaN: "not measured" */
    const double *lo, *hi; /* ends of the whiskers; NULL: none; NaN: none for this bar. They cut the
                              digits of the number, and are drawn from 0 on */
    const int *group;      /* colour of each bar, >= 0; NULL: all alike */
    int group_count;
    const char *const *group_label; /* legend; NULL: none */
};

/* Bars stand in the given order from the top. Errors as in map_write. */
int chart_bars(const char *path, const struct chart *c, struct error *e);
