/* layers.c — the layers of a run that has ended, as the program writes them. */
#include "page.h"

#include "library/inside.h"
#include "run/output.h"
#include "sciara.h"

#include <stdlib.h>

/* Row by row from the north, malloc'ed, NaN where there is no value; *rows x *cols of the case. NULL: an error. */
float *page_layer(struct page *w, double id, int layer)
{
    struct ended r = session_take_ended(&w->session, (int64_t)id);
    struct problem of = r.id ? case_inside(r.drawn.c)->problem : (struct problem){0},
                   *p = r.id ? &of : NULL;
    struct sciara_error why;
    sciara_snapshot *x = NULL;
    float *out = NULL;
    int status = 0;
    if (!p) status = error_input(&w->e, "only the last run has layers; run that one again");
    else if (sciara_snapshot_take(&x, r.simulation, &why)) status = error_of_sciara(&why, &w->e);
    else if (!(status = problem_read_terrain(p, problem_domain(p), &w->e))) {
        const struct output_cut cut = {
            .window = problem_domain(p), .f = snapshot_inside(x), .problem = p};
        if ((out = malloc(window_cells(cut.window) * sizeof *out)))
            output_layer_values((enum output_layer)layer, &cut, p->params.clock_s / 3600, out);
        else status = error_memory(&w->e);
    }
    sciara_snapshot_free(x);
    if (r.id) session_keep_ended(&w->session, r);
    return out;
}
const char *page_layer_name(int layer)
{
    return layer < OUTPUT_LAYERS ? output_layer_prefix((enum output_layer)layer) : NULL;
}
