/* bulletin.h — a page for who has to decide: what is likely at each place, since when, and how far
 * yesterday's forecast was right. As HTML, with the maps of the folder, and as a picture or PDF. */
#pragma once

#include "nowcast.h"

int bulletin_put(FILE *f, const struct product_at *at, struct error *e);
int bulletin_draw(const struct product_at *at, struct error *e);
