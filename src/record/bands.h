/* bands.h — bands of arrival between round times: the lines between the bands, and the classes of a legend. Maps, globes
 * and GIS show them. */
#pragma once

#include "isochrones/isochrones.h"
#include "map_scene.h"

struct bands {
    struct isochrones lines;
    struct map_class class[ISOCHRONES_LEVELS]; /* class[i] ends at lines.at[i].time_h */
    char label[ISOCHRONES_LEVELS][200];
};

/* start_time: "" if the case has none. On an error *b is all zero. */
int bands_create(struct bands *b, const struct isochrones_input *in, const char *start_time,
                 struct error *e);
void bands_free(struct bands *b); /* all-zero is fine */
