/* map_places.c — points, lines and areas of interest. */
#include "map_page.h"

#include "case/assets.h"

#include <math.h>

enum { NAMES_MOST = 40 /* more would cover the map */, NAME_PLACES = 4 };

static const struct rgb barrier_colour = {120, 0, 150};

/* Green is near none of the lava's colours, but among those of times. */
static struct rgb place_colour(const struct map_page *p)
{
    const bool times = p->m->colours == COLOURS_TIME || p->m->kind == MAP_CLASSES;
    return times ? map_black : colours_place;
}

static void at(const struct map_page *p, const double xy[2], double *x, double *y)
{
    *x = p->map.x0 + (xy[0] - p->west_m) / p->metres_per_unit;
    *y = p->map.y0 + (p->north_m - xy[1]) / p->metres_per_unit;
}

static void draw_dot(struct map_page *p, double x, double y)
{
    canvas_disc(&p->canvas, x, y, 9);
    canvas_ink(&p->canvas, map_white, 1);
    canvas_disc(&p->canvas, x, y, 6.5);
    canvas_ink(&p->canvas, place_colour(p), 1);
}

static void add_path(struct map_page *p, const struct map_place *t)
{
    const double(*xy)[2] = t->xy;
    for (int i = 0; i < t->parts; xy += t->part_size[i++])
        for (int k = 0; k < t->part_size[i]; k++) {
            double x, y;
            at(p, xy[k], &x, &y);
            if (k) cairo_line_to(p->canvas.cr, x, y);
            else cairo_move_to(p->canvas.cr, x, y);
        }
}

/* A pale casing, then the line. */
static void draw_lines(struct map_page *p, const struct map_place *t, struct rgb colour)
{
    for (int pass = 0; pass < 2; pass++) {
        add_path(p, t);
        canvas_stroke(&p->canvas, pass ? 2.8 : 5.6, pass ? colour : map_white, pass ? 1 : 0.7);
    }
}

/* Beside the middle of a line; in the middle of what an area's first ring encloses. */
static void find_middle(const struct map_page *p, const struct map_place *t, double *x, double *y)
{
    double low[2], high[2];
    at(p, t->xy[t->kind == MAP_LINE ? t->part_size[0] / 2 : 0], x, y);
    if (t->kind != MAP_AREA) return;
    low[0] = high[0] = *x, low[1] = high[1] = *y;
    for (int k = 1; k < t->part_size[0]; k++) {
        double q[2];
        at(p, t->xy[k], &q[0], &q[1]);
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], q[i]);
            high[i] = fmax(high[i], q[i]);
        }
    }
    *x = (low[0] + high[0]) / 2;
    *y = (low[1] + high[1]) / 2;
}

/* Positions of a name: next to, above or below a point, and in the middle of an area or moved up
 * or down; all of it in the map. */
static struct map_box name_box(const struct map_page *p, const struct map_place *t, double width,
                               int choice)
{
    enum { HIGH = 22 };
    static const double beside[NAME_PLACES][3] = {/* shares of the width, and units */
                                                  {0, 14, 0},
                                                  {-1, -14, 0},
                                                  {-0.5, 0, -24},
                                                  {-0.5, 0, 24}};
    static const double middle[NAME_PLACES][3] = {
        {-0.5, 0, 0}, {-0.5, 0, -HIGH}, {-0.5, 0, HIGH}, {-0.5, 0, 2 * HIGH}};
    const double *shift = t->kind == MAP_AREA ? middle[choice] : beside[choice];
    double x, y;
    find_middle(p, t, &x, &y);
    if (x < p->map.x0 || x > p->map.x1 || y < p->map.y0 || y > p->map.y1)
        return (struct map_box){0, 0, 0, 0};
    x += shift[0] * width + shift[1];
    y += shift[2] + 6;
    x = fmax(p->map.x0 + 6, fmin(p->map.x1 - 6 - width, x));
    y = fmax(p->map.y0 + 20, fmin(p->map.y1 - 6, y));
    return (struct map_box){x, y - HIGH + 4, x + width, y + 4};
}

static bool meet(const struct map_box *a, const struct map_box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* White around the letters keeps them legible on any ground. A name without room next to others
 * is not written: two on one spot are none. */
void map_names(struct map_page *p)
{
    if (p->m->place_count > NAMES_MOST) return;
    const struct font letters = {17, FONT_BOLD, 0, 0};
    struct map_box taken[2 * NAMES_MOST];
    int count = 0;
    for (int i = 0; i < p->m->place_count; i++) {
        double x, y;
        find_middle(p, &p->m->places[i], &x, &y);
        if (p->m->places[i].kind == MAP_POINT)
            taken[count++] = (struct map_box){x - 9, y - 9, x + 9, y + 9};
    }
    for (int i = 0; i < p->m->place_count; i++) {
        const struct map_place *t = &p->m->places[i];
        const double width = font_width(&p->canvas, &letters, t->label);
        for (int choice = 0; choice < NAME_PLACES; choice++) {
            const struct map_box b = name_box(p, t, width, choice);
            bool room = b.x1 > b.x0;
            for (int k = 0; k < count && room; k++) room = !meet(&b, &taken[k]);
            if (!room) continue;
            font_write_clear(&p->canvas, &letters, b.x0, b.y1 - 4, map_black, t->label);
            taken[count++] = b;
            break;
        }
    }
}

/* Of the positions with room between other labels and the frame the one farthest from the vents: at
 * the front, not along a flank. False: no room. */
static bool find_room(const struct map_page *p, const struct map_place *t, double (*placed)[2],
                      int count)
{
    enum { ROOM = 46 };
    double farthest = -1;
    int positions = 0;
    for (int i = 0; i < t->parts; i++) positions += t->part_size[i];
    for (int k = 0; k < positions; k++) {
        double x, y, room;
        at(p, t->xy[k], &x, &y);
        room = 2 * fmin(fmin(x - p->map.x0, p->map.x1 - x), fmin(y - p->map.y0, p->map.y1 - y));
        for (int i = 0; i < count; i++)
            room = fmin(room, hypot(x - placed[i][0], y - placed[i][1]));
        const double way = hypot(x - p->vents_x, y - p->vents_y);
        if (room <= ROOM || way <= farthest) continue;
        farthest = way;
        placed[count][0] = x;
        placed[count][1] = y;
    }
    return farthest >= 0;
}

void map_class_lines(struct map_page *p)
{
    for (int i = 0; i < p->m->line_count; i++) {
        add_path(p, &p->m->lines[i]);
        canvas_stroke(&p->canvas, 1.6, map_white, 0.9);
    }
}

void map_class_labels(struct map_page *p)
{
    static const struct font letters = {13, FONT_BOLD, 0, 0.5};
    double placed[NAMES_MOST][2];
    int count = 0;
    for (int i = 0; i < p->m->line_count && count < NAMES_MOST; i++) {
        if (!find_room(p, &p->m->lines[i], placed, count)) continue;
        font_write_clear(&p->canvas, &letters, placed[count][0], placed[count][1] + 6, map_black,
                         p->m->lines[i].label);
        count++;
    }
}

void map_places(struct map_page *p)
{
    const struct map *m = p->m;
    for (int i = 0; i < m->barrier_count; i++) draw_lines(p, &m->barriers[i], barrier_colour);
    for (int i = 0; i < m->place_count; i++) {
        const struct map_place *t = &m->places[i];
        if (t->kind != MAP_POINT) draw_lines(p, t, place_colour(p));
        for (int k = 0; t->kind == MAP_POINT && k < t->parts; k++) {
            double x, y;
            at(p, t->xy[k], &x, &y);
            draw_dot(p, x, y);
        }
    }
}

void map_barrier_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x, y, x + width, y);
    canvas_stroke(&p->canvas, 2.8, barrier_colour, 1);
}

void map_place_sample(struct map_page *p, double x, double y)
{
    canvas_segment(&p->canvas, x - 23, y, x + 23, y);
    canvas_stroke(&p->canvas, 2.8, place_colour(p), 1);
    draw_dot(p, x, y);
}

struct map_place map_place_of(const struct asset *a, const char *label)
{
    return (struct map_place){.kind = a->kind == ASSET_POINT  ? MAP_POINT
                                      : a->kind == ASSET_LINE ? MAP_LINE
                                                              : MAP_AREA,
                              .label = label,
                              .parts = a->parts,
                              .part_size = a->part_size,
                              .xy = (const double(*)[2])a->xy};
}
