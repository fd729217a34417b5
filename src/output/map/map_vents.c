/* map_vents.c — vents: triangles, dots where there are many, and lines where they touch. */
#include "map_page.h"

enum { AROUND = 8 };
static const int around[AROUND][2] = {{0, 1},  {1, -1}, {1, 0},  {1, 1},
                                      {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};

static bool marked(const struct map *m, int row, int col)
{
    return row >= 0 && col >= 0 && row < m->rows && col < m->cols &&
           m->mark[(size_t)row * m->cols + col];
}

static bool is_alone(const struct map *m, int row, int col)
{
    for (int k = 0; k < AROUND; k++)
        if (marked(m, row + around[k][0], col + around[k][1])) return false;
    return true;
}

/* Calls `each` for the marks in what is shown. */
static void for_marks(struct map_page *p, void (*each)(struct map_page *, int row, int col))
{
    const struct map *m = p->m;
    const struct map_crop *k = &p->grid.crop;
    for (int row = k->row0; m->mark && row < k->row0 + k->rows; row++)
        for (int col = k->col0; col < k->col0 + k->cols; col++)
            if (m->mark[(size_t)row * m->cols + col]) each(p, row, col);
}

static void find(struct map_page *p, int row, int col)
{
    if (p->m->mark_small || is_alone(p->m, row, col)) p->vents = true;
    else p->fissures = true;
}

void map_find_vents(struct map_page *p)
{
    for_marks(p, find);
}

static double x_of(const struct map_page *p, int col)
{
    return p->map.x0 + p->node / p->grid.block * (col - p->grid.crop.col0 + 0.5);
}

static double y_of(const struct map_page *p, int row)
{
    return p->map.y0 + p->node / p->grid.block * (row - p->grid.crop.row0 + 0.5);
}

/* To the neighbours behind it, so that each line is drawn once; across a corner only where no
 * neighbour connects them. */
static void add_lines(struct map_page *p, int row, int col)
{
    for (int k = 0; k < AROUND / 2; k++) {
        const int r = row + around[k][0], c = col + around[k][1];
        if (!marked(p->m, r, c)) continue;
        if (r != row && c != col && (marked(p->m, row, c) || marked(p->m, r, col))) continue;
        canvas_segment(&p->canvas, x_of(p, col), y_of(p, row), x_of(p, c), y_of(p, r));
    }
}

static void stroke(struct map_page *p)
{
    cairo_path_t *line = cairo_copy_path(p->canvas.cr);
    canvas_stroke(&p->canvas, 8.5, map_black, 1);
    cairo_append_path(p->canvas.cr, line);
    cairo_path_destroy(line);
    canvas_stroke(&p->canvas, 4, map_white, 1);
}

static void draw_dot(struct map_page *p, double x, double y)
{
    canvas_disc(&p->canvas, x, y, 5);
    canvas_ink(&p->canvas, map_black, 1);
    canvas_disc(&p->canvas, x, y, 3);
    canvas_ink(&p->canvas, map_white, 1);
}

void map_vent_symbol(struct map_page *p, double x, double y)
{
    if (p->m->mark_small) {
        draw_dot(p, x, y);
        return;
    }
    const double w = 9.5, up = 11, down = 6;
    const double corner[3][2] = {{x - w, y + down}, {x, y - up}, {x + w, y + down}};
    canvas_polygon(&p->canvas, corner, 3);
    canvas_ink(&p->canvas, map_white, 1);
    canvas_polygon(&p->canvas, corner, 3);
    canvas_stroke(&p->canvas, 2.6, map_black, 1);
}

static void draw_alone(struct map_page *p, int row, int col)
{
    if (p->m->mark_small || is_alone(p->m, row, col))
        map_vent_symbol(p, x_of(p, col), y_of(p, row));
}

static void sum_up(struct map_page *p, int row, int col)
{
    p->vents_x += x_of(p, col);
    p->vents_y += y_of(p, row);
    p->marks++;
}

void map_place_vents(struct map_page *p)
{
    p->vents_x = p->vents_y = p->marks = 0;
    for_marks(p, sum_up);
    if (!p->marks) return;
    p->vents_x /= p->marks;
    p->vents_y /= p->marks;
}

void map_vents(struct map_page *p)
{
    if (p->fissures) {
        for_marks(p, add_lines);
        stroke(p);
    }
    for_marks(p, draw_alone);
}

void map_fissure_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x + 6, y, x + width - 6, y);
    stroke(p);
}
