/* classes.h — kinds of eruptions: a CSV with the columns class, weight or probability, volume_m3,
 * duration_h and shape (rate_series.h), and peak or decay of the shape. */
#pragma once

#include "choice.h"
#include "rate_series.h"

enum { CLASS_NAME = 40 };

struct eruption_class {
    char name[CLASS_NAME];
    double volume_m3, duration_s;
    struct rate_series series; /* of volume 1 and duration 1 */
};

struct classes {
    struct choice choice; /* choice.count: how many, 0: none */
    struct eruption_class *item;
    char doubt[160]; /* a sentence on a column that is probably a mistake, "": none */
};

/* On an error *classes is all zero. */
int classes_read(struct classes *classes, const char *path, struct error *e);
int classes_find(const struct classes *classes, const char *name); /* -1: none */
void classes_free(struct classes *classes);                        /* all-zero is fine */
