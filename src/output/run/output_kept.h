/* output_kept.h — a snapshot as maps need it later: the cells where it differs from the terrain of
 * the case. */
#ifndef SCIARA_OUTPUT_KEPT_H
#define SCIARA_OUTPUT_KEPT_H

#include "output_parts.h"

struct output_kept_cell; /* with lava, or with another ground than at the beginning */

struct output_kept {
    struct output_sheet sheet; /* without its arrays */
    size_t count;
    struct output_kept_cell *cell;
};

/* The scale of the view becomes one for it, too. On an error *k is all zero. */
int output_kept_take(struct output_kept *k, struct output_view *v, const struct sim_case *c,
                     const struct fields *f, struct error *e);
void output_kept_free(struct output_kept *k); /* all-zero is fine */

/* Gives k->sheet its arrays, until output_sheet_free(); then the values of a map of a kind. */
int output_kept_unfold(struct output_kept *k, const struct sim_case *c, struct error *e);
void output_kept_values(struct output_kept *k, enum output_map kind);

#endif
