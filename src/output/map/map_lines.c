/* map_lines.c — what is drawn on top of relief and layer. */
#include "map_page.h"

#include <math.h>
#include <stdlib.h>

/* Softened by half towards the neighbours, so that single rough cells do not make a line tremble.
 */
static void soften(float *soft, const float *v, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            const float *here = v + (size_t)row * cols + col;
            float n[4] = {row ? here[-cols] : *here, row + 1 < rows ? here[cols] : *here,
                          col ? here[-1] : *here, col + 1 < cols ? here[1] : *here};
            for (int k = 0; k < 4; k++)
                if (isnan(n[k])) n[k] = *here;
            soft[here - v] = 0.5f * *here + 0.125f * (n[0] + n[1] + n[2] + n[3]);
        }
    }
}

static int draw_outline(struct map_page *p, const float *soft, struct error *e)
{
    const struct isolines lines = map_isolines(p, soft);
    int status = isolines_draw(&p->canvas, &lines, 0.499, 10, 1, e);
    cairo_path_t *line = cairo_copy_path(p->canvas.cr);
    canvas_stroke(&p->canvas, 6, map_white, 1); /* a casing, then the line */
    cairo_append_path(p->canvas.cr, line);
    cairo_path_destroy(line);
    canvas_stroke(&p->canvas, 2.8, colours_outline, 1);
    return status;
}

void map_outline_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x, y, x + width, y);
    canvas_stroke(&p->canvas, 2.8, colours_outline, 1);
}

int map_lines(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    float *soft = malloc((size_t)g->rows * g->cols * sizeof *soft);
    int status = 0;
    if (!soft) return error_memory(e);
    canvas_clip(&p->canvas, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    if (p->contour_m > 0) {
        soften(soft, g->elevation_m, g->rows, g->cols);
        status = map_contours(p, soft, e);
    }
    map_place_vents(p);
    if (!status) map_class_lines(p);
    if (!status && g->inside) {
        soften(soft, g->inside, g->rows, g->cols);
        status = draw_outline(p, soft, e);
    }
    if (!status) map_places(p);
    if (!status) map_class_labels(p);
    if (!status && p->m->mark) map_vents(p);
    if (!status) map_names(p);
    canvas_unclip(&p->canvas);
    free(soft);
    return status;
}
