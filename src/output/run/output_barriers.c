/* output_barriers.c — the barriers of a case as a map has them. */
#include "output_parts.h"

#include "case/barriers.h"
#include "map/map.h"

#include <stdlib.h>

/* The parts of a feature and their positions follow one another. */
static int take(struct map_thing *t, const struct vectors *v, const struct vector_feature *f)
{
    int *size = malloc((size_t)f->count * sizeof *size);
    if (!size) return -1;
    for (int i = 0; i < f->count; i++) size[i] = v->part[f->first + i].count;
    *t = (struct map_thing){.kind = f->kind == VECTOR_AREA ? MAP_AREA : MAP_LINE,
                            .label = "",
                            .parts = f->count,
                            .part_size = size,
                            .xy = (const double(*)[2])(v->xy + v->part[f->first].first)};
    return 0;
}

int output_barriers(struct map *m, const struct sim_case *c, struct error *e)
{
    const struct barriers *b = c->barriers;
    m->barriers = NULL;
    m->barrier_count = 0;
    if (!b) return 0;
    struct map_thing *list = calloc((size_t)b->count, sizeof *list);
    int done = 0;
    while (list && done < b->count &&
           !take(&list[done], &b->from, &b->from.feature[b->item[done].feature]))
        done++;
    m->barriers = list;
    m->barrier_count = done;
    if (list && done == b->count) return 0;
    output_barriers_free(m);
    return error_memory(e);
}

void output_barriers_free(struct map *m)
{
    for (int i = 0; i < m->barrier_count; i++) free((int *)(size_t)m->barriers[i].part_size);
    free((struct map_thing *)(size_t)m->barriers);
    m->barriers = NULL;
    m->barrier_count = 0;
}
