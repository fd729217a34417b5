/* observed_parts.h — the parts of observed.c among themselves. */
#ifndef SCIARA_OBSERVED_PARTS_H
#define SCIARA_OBSERVED_PARTS_H

#include "observed.h"

/* observed_files.c: x->value of a raster of thickness, and of a raster or a table of arrivals. */
int observed_read_thickness(struct observation *x, const char *path, const struct sim_case *c,
                            struct error *e);
int observed_read_arrivals(struct observation *x, const char *path, const struct sim_case *c,
                           struct error *e);

bool observed_in_table(const char *file); /* by its name */

/* For what a cell of an observation counts. */
static inline int observed_part(const struct observations *o, const struct observation *x,
                                size_t place)
{
    if (o->held) return o->held[place];
    if (x->key.kind == OBSERVED_ARRIVALS && x->value[place] > o->after_ms) return PART_HELD;
    return x->counts[PART_HELD] && !x->counts[PART_SEEN] ? PART_HELD : PART_SEEN;
}

static inline int64_t observed_ms(double time_s)
{
    return (int64_t)(time_s * 1000 + 0.5);
}

#endif
