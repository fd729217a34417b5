/* output_animation.h — the frames of a run's animation: kept, and drawn at its end, where their
 * scale and the part of the domain that they show are known. */
#ifndef SCIARA_OUTPUT_ANIMATION_H
#define SCIARA_OUTPUT_ANIMATION_H

#include "output_kept.h"

enum { FRAMES_MOST = 240 };

struct output_frames {
    struct output_kept kept[FRAMES_MOST];
    int count;
    int64_t every; /* steps between those that are kept; 0: as asked */
    struct output_view view;
};

/* A state; where they get too many, every second one goes, and those to come should be multiples of
 * `every`. */
int output_frames_add(struct output_frames *all, const struct output_info *info,
                      const struct sim_case *c, const struct fields *f, struct error *e);
void output_frames_free(struct output_frames *all);

/* Writes animation.webp, and animation.mp4 where that is asked for. */
int output_animation(struct output_frames *all, const struct output_info *info,
                     const struct sim_case *c, const struct output_view *v,
                     const unsigned char *outline, struct error *e);

#endif
