/* output_timeline.h — the rows of a timeline. */
#pragma once

#include "output.h"

/* NaN: not known. */
struct timeline_row {
    int64_t step;
    double area_m2, runout_m;              /* that lava had come to by then */
    double front_speed_m_s, effusion_m3_s; /* means since the row before */
    double emitted_m3;
    double mobile_m3, solidified_m3, left_m3, sea_m3, thickest_m, hottest_K; /* of snapshots */
};

struct timeline {
    int count; /* at least 1 */
    struct timeline_row *row;
};

/* *f is the last state of the run. */
int timeline_create(struct timeline *t, const struct problem *p, const struct fields *f,
                    const struct samples *s, int64_t emission_from, struct error *e);
void timeline_free(struct timeline *t); /* all-zero is fine */
