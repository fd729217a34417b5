/* corner.h — a sample of several numbers that belong together, as a picture: a histogram of each,
 * and below the diagonal each against each other, as dots with their weight as area. */
#pragma once

#include "base/error.h"

enum { CORNER_AXES_MAX = 32, CORNER_TICKS = 3 };

struct corner_axis {
    const char *title;
    const char *head;               /* above the histogram: "4.1 (3.9 to 4.3)" */
    const char *tick[CORNER_TICKS]; /* what the low end, the middle and the high end are */
    double mark[3];                 /* lines in the histogram, from 0 to 1: low, middle, high */
};

struct corner {
    const char *title, *subtitle, *note; /* may be NULL */
    int count;                           /* 1 to CORNER_AXES_MAX */
    const struct corner_axis *axis;
    int points;
    const double *at;     /* points * count, from 0 to 1 */
    const double *weight; /* of each; they sum up to 1 */
};

/* Errors as in map_write. */
int corner_write(const char *path, const struct corner *q, struct error *e);
