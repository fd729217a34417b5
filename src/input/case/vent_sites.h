/* vent_sites.h — building the list of vents; for those who read or take them. */
#ifndef SCIARA_VENT_SITES_H
#define SCIARA_VENT_SITES_H

#include "vents.h"

#include <stddef.h>

/* The vent of that id, added with `line` if it is new. *site is valid until the next call. */
int vent_sites_get(struct vent_site **site, struct vent_sites *v, int id, int line,
                   struct error *e);

/* Adds a cell to a vent; it may be there already. Refuses a cell without data. */
int vent_site_add(struct vent_sites *v, struct vent_site *site, const struct vent_ground *ground,
                  struct vent_cell cell, int line, struct error *e);

/* Adds a point to a vent: its first, the first of another part, or the next of a fissure, whose
 * cells are those that the straight line from the one before crosses. */
int vent_sites_add_point(struct vent_sites *v, int id, struct place p, int part,
                         const struct vent_ground *g, int line, struct error *e);

/* Puts the cells of each vent in order, each once, and checks how many there are. */
int vent_sites_finish(struct vent_sites *v, struct error *e);

/* Lower bound of `id` in an array of structs, by increasing id, that begin with their `int id`. */
int id_position(const void *first, int count, size_t size, int id);

#endif
