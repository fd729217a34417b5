/* observed_doubt.c — a raster of arrivals that has 0 where lava did not come says that it came at
 * once. */
#include "observed_parts.h"

#include "case/case_parts.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The outline in the end; NULL: there is none. */
static const unsigned char *last_outline(const struct observations *o)
{
    for (int i = 0; i < o->count; i++)
        if (o->item[i].inside && isinf(o->item[i].key.time_s)) return o->item[i].inside;
    return NULL;
}

/* How many cells are 0 where they can hardly be: outside the outline, anywhere without one. Hours
 * are 0 at vents, and near them where they are whole; so it is most of these cells or nothing, and
 * a tenth of all, as a vent may lie outside. */
static size_t doubtful(const struct observations *o, const struct observation *x,
                       const unsigned char *outline, size_t *known)
{
    size_t zeros = 0, all = 0;
    *known = 0;
    for (size_t i = 0; i < (size_t)o->rows * (size_t)o->cols; i++) {
        all += x->value[i] >= 0;
        if (x->value[i] < 0 || (outline && outline[i])) continue;
        zeros += x->value[i] == 0;
        ++*known;
    }
    return 2 * zeros > *known && 10 * zeros > all ? zeros : 0;
}

int observations_warn(const struct observations *o, struct sim_case *c, struct error *e)
{
    const unsigned char *outline = last_outline(o);
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        char sentence[1024];
        size_t known = 0, zeros = 0;
        if (x->key.kind == OBSERVED_ARRIVALS && !observed_in_table(x->key.file))
            zeros = doubtful(o, x, outline, &known);
        if (!zeros) continue;
        char *path = path_beside(c->path, x->key.file);
        if (!path) return error_memory(e);
        snprintf(
            sentence, sizeof sentence,
            "%.300s: has 0 in %zu of %zu cells%s, as if lava came to them at hour 0; if it did "
            "not come there, declare 0 as no data: gdal_edit.py -a_nodata 0 %.200s",
            path, zeros, known, outline ? " outside the outline" : "", path);
        free(path);
        case_warn(c, sentence);
    }
    return 0;
}
