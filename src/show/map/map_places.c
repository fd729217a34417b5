/* map_places.c — draws places of interest and isochrones, and finds places for labels. No label hides a vent, a place or
 * another label, and the frame cuts no label. */
/* build: optimized */
#include "map_page.h"

#include "isochrones/isochrones.h"
#include "record/map_background.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is taken of the map, by squares ------------------------------------------------------ */

enum { SQUARE = 4, MARGIN = 3 /* MARGIN: between label and frame */ }; /* units */

int map_taken_create(struct map_page *p, struct error *e)
{
    p->taken.wide = (int)((p->map.x1 - p->map.x0) / SQUARE) + 1;
    p->taken.high = (int)((p->map.y1 - p->map.y0) / SQUARE) + 1;
    p->taken.square = calloc((size_t)p->taken.wide, (size_t)p->taken.high);
    return p->taken.square ? 0 : error_memory(e);
}

static struct window squares_of(const struct map_page *p, const struct map_box *b)
{
    const int left = (int)floor((b->x0 - p->map.x0) / SQUARE),
              right = (int)floor((b->x1 - p->map.x0) / SQUARE),
              top = (int)floor((b->y0 - p->map.y0) / SQUARE),
              bottom = (int)floor((b->y1 - p->map.y0) / SQUARE);
    return (struct window){top, left, bottom - top + 1, right - left + 1};
}

void map_take(struct map_page *p, const struct map_box *b, enum map_taken_by by)
{
    const struct window k = squares_of(p, b);
    for (int row = k.row0; row < k.row0 + k.rows; row++)
        for (int col = k.col0; col < k.col0 + k.cols; col++)
            if (row >= 0 && col >= 0 && row < p->taken.high && col < p->taken.wide)
                p->taken.square[row * p->taken.wide + col] |= (unsigned char)by;
}

/* The area outside the map counts as taken. */
static bool is_taken(const struct map_page *p, const struct map_box *b, unsigned by)
{
    const struct window k = squares_of(p, b);
    if (k.row0 < 0 || k.col0 < 0 || k.row0 + k.rows > p->taken.high ||
        k.col0 + k.cols > p->taken.wide)
        return true;
    for (int row = k.row0; row < k.row0 + k.rows; row++) {
        const unsigned char *square = &p->taken.square[row * p->taken.wide + k.col0];
        unsigned char taken = 0;
        /* The inner loop has no exit, so the compiler can vectorise it. */
        for (int col = 0; col < k.cols; col++) taken |= square[col];
        if (taken & by) return true;
    }
    return false;
}

bool map_is_free(const struct map_page *p, const struct map_box *b, unsigned by)
{
    return b->x0 >= p->map.x0 + MARGIN && b->x1 <= p->map.x1 - MARGIN &&
           b->y0 >= p->map.y0 + MARGIN && b->y1 <= p->map.y1 - MARGIN && !is_taken(p, b, by);
}

/* ---- points, lines and areas of interest ----------------------------------------------------- */

/* If a map has more than NAMES_MOST places, their labels are numbers. If it has more than
 * NUMBERS_MOST places, there are no labels, because they would cover the map. */
enum { NAMES_MOST = 40, NUMBERS_MOST = 200 };
enum { RADIUS = 9 }; /* radius of the disc of a point */

/* The colour of places. It is green, which differs from all colours of lava. On maps of times or classes it is
 * black, because their colours may be green. */
static struct rgb place_colour(const struct map_page *p)
{
    const bool times = p->m->colours == COLOURS_TIME || p->m->kind == MAP_CLASSES;
    return times ? canvas_black : colours_place;
}

void map_at(const struct map_page *p, const double xy[2], double *x, double *y)
{
    *x = p->map.x0 + (xy[0] - p->west_m) / p->metres_per_unit;
    *y = p->map.y0 + (p->north_m - xy[1]) / p->metres_per_unit;
}

static void draw_place(struct map_page *p, double x, double y)
{
    canvas_disc(&p->canvas, x, y, RADIUS);
    canvas_ink(&p->canvas, canvas_white, 1);
    canvas_disc(&p->canvas, x, y, 6.5);
    canvas_ink(&p->canvas, place_colour(p), 1);
}

static void add_part(struct map_page *p, const double (*xy)[2], int count, bool closed)
{
    cairo_t *cr = p->canvas.cr;
    for (int k = 0; k < count + closed; k++) {
        double x, y;
        map_at(p, xy[k % count], &x, &y);
        if (k) cairo_line_to(cr, x, y);
        else cairo_move_to(cr, x, y);
    }
}

void map_path(struct map_page *p, const struct map_place *t)
{
    const double(*xy)[2] = t->xy;
    for (int i = 0; i < t->parts; xy += t->part_size[i++]) add_part(p, xy, t->part_size[i], false);
}

static void draw_lines(struct map_page *p, const struct map_place *t, struct rgb colour)
{
    map_path(p, t);
    canvas_stroke_cased(&p->canvas, 5.6, canvas_white, 0.7, 2.8, colour);
}

static bool is_shown(const struct map_page *p, double x, double y)
{
    return x >= p->map.x0 && x <= p->map.x1 && y >= p->map.y0 && y <= p->map.y1;
}

/* Finds the position on a line that is nearest to the middle of the line, among the positions that the map shows. */
static bool find_on_line(const struct map_page *p, const struct map_place *t, double *x, double *y)
{
    enum { PARTS = 32 }; /* parts of a segment */
    const int segments = t->part_size[0] - 1, middle = segments / 2;
    for (int away = 0; away <= segments; away++)
        for (int side = -1; side < 2; side += 2) {
            const int k = middle + side * away;
            double from[2], to[2];
            if (k < 0 || k > segments) continue;
            map_at(p, t->xy[k], &from[0], &from[1]);
            map_at(p, t->xy[k < segments ? k + 1 : k], &to[0], &to[1]);
            for (int i = 0; i < PARTS; i++) {
                *x = from[0] + (to[0] - from[0]) * i / PARTS;
                *y = from[1] + (to[1] - from[1]) * i / PARTS;
                if (is_shown(p, *x, *y)) return true;
            }
        }
    return false;
}

/* Finds the middle of the visible part of the box around an area's first ring. False: no part of the area is
 * visible. */
static bool find_in_area(struct map_page *p, const struct map_place *t, double *x, double *y)
{
    struct map_box b = {p->map.x1, p->map.y1, p->map.x0, p->map.y0};
    bool any = false;
    for (int k = 0; k < t->part_size[0]; k++) {
        double qx, qy;
        map_at(p, t->xy[k], &qx, &qy);
        any = any || is_shown(p, qx, qy);
        b.x0 = fmin(b.x0, fmax(qx, p->map.x0));
        b.y0 = fmin(b.y0, fmax(qy, p->map.y0));
        b.x1 = fmax(b.x1, fmin(qx, p->map.x1));
        b.y1 = fmax(b.y1, fmin(qy, p->map.y1));
    }
    *x = (b.x0 + b.x1) / 2;
    *y = (b.y0 + b.y1) / 2;
    if (any) return true;
    map_path(p, t);
    any = cairo_in_fill(p->canvas.cr, *x, *y);
    cairo_new_path(p->canvas.cr);
    return any;
}

/* Finds the point that a label belongs to. False: the map does not show the place. */
static bool find_anchor(struct map_page *p, const struct map_place *t, double *x, double *y)
{
    if (t->kind == MAP_LINE) return find_on_line(p, t, x, y);
    if (t->kind == MAP_AREA) return find_in_area(p, t, x, y);
    for (int k = 0; k < t->parts; k++) {
        map_at(p, t->xy[k], x, y);
        if (is_shown(p, *x, *y)) return true;
    }
    return false;
}

/* ---- labels of them -------------------------------------------------------------------------- */

struct name {
    const struct map_place *place;
    int number;     /* number of the place, from 1 */
    bool is_number; /* a number is written, because there is no room for the name */
    bool far, area; /* far: a line leads to the place; area: the place is an area */
    double x, y;    /* position of the place */
    struct font font;
    double width;
    struct map_box box;
};

enum { HIGH = 22 }; /* height of a label */

static double clamp_between(double v, double low, double high)
{
    return fmax(low, fmin(high, v));
}

/* Sets the box of a label at (x, y), moved inside the map if needed. */
static void set_box(const struct map_page *p, struct name *n, double x, double y)
{
    x = clamp_between(x, p->map.x0 + MARGIN + 1, p->map.x1 - MARGIN - 1 - n->width);
    n->box = (struct map_box){x, y - 12, x + n->width, y - 12 + HIGH};
}

/* label: kinds (enum map_taken_by) that a label avoids; line: kinds that the line from the place to the label avoids.
 * alone: the label also keeps its distance from the discs of other places, so that it is not read as the name of one of
 * them. */
struct avoided {
    unsigned label, line;
    bool alone;
};

static bool is_beside_other(const struct map_page *p, const struct name *n)
{
    enum { APART = 32 }; /* twice the distance between a label and its own place */
    for (int i = 0; i < p->m->place_count; i++) {
        const struct map_place *t = &p->m->places[i];
        if (t == n->place || t->kind != MAP_POINT) continue;
        for (int k = 0; k < t->parts; k++) {
            double x, y;
            map_at(p, t->xy[k], &x, &y);
            const double dx = x - clamp_between(x, n->box.x0, n->box.x1),
                         dy = y - clamp_between(y, n->box.y0, n->box.y1);
            if (fabs(dx) < APART && fabs(dy) < APART && hypot(dx, dy) < APART) return true;
        }
    }
    return false;
}

static bool is_label_free(const struct map_page *p, const struct name *n, struct avoided by)
{
    return map_is_free(p, &n->box, by.label) && !(by.alone && is_beside_other(p, n));
}

/* Finds room for a label: at the sides or corners of a point, or at the middle of an area, moved up or down. */
static bool find_near(const struct map_page *p, struct name *n, struct avoided by)
{
    enum { BESIDE = 8, MIDDLE = 5 };
    static const double beside[BESIDE][3] =
        {/* x in widths of the label, x to add in units, y in units */
         {0, 16, 0},  {-1, -16, 0}, {-0.5, 0, -26}, {-0.5, 0, 26},
         {0, 4, -26}, {0, 4, 26},   {-1, -4, -26},  {-1, -4, 26}},
                        middle[MIDDLE][3] = {{-0.5, 0, 0},
                                             {-0.5, 0, -HIGH},
                                             {-0.5, 0, HIGH},
                                             {-0.5, 0, 2 * HIGH},
                                             {-0.5, 0, -2 * HIGH}};
    for (int i = 0; i < (n->area ? MIDDLE : BESIDE); i++) {
        const double *shift = n->area ? middle[i] : beside[i];
        set_box(p, n, n->x + shift[0] * n->width + shift[1], n->y + shift[2]);
        if (is_label_free(p, n, by)) return true;
    }
    return false;
}

/* The position on the line from a place to its label, `way` units from the place; false: the line is shorter. */
static bool leader_at(const struct name *n, double way, struct map_box *at)
{
    const double dx = clamp_between(n->x, n->box.x0, n->box.x1) - n->x,
                 dy = clamp_between(n->y, n->box.y0, n->box.y1) - n->y, length = hypot(dx, dy);
    if (way >= length - SQUARE) return false;
    const double x = n->x + dx * way / length, y = n->y + dy * way / length;
    *at = (struct map_box){x, y, x, y};
    return true;
}

enum { LEADER_FROM = 18 }; /* nearer positions belong to the place itself */

static bool is_leader_free(const struct map_page *p, const struct name *n, unsigned avoids)
{
    struct map_box at;
    for (double way = LEADER_FROM; leader_at(n, way, &at); way += SQUARE)
        if (is_taken(p, &at, avoids)) return false;
    return true;
}

/* Finds room for a label farther from the place. Then a line leads from the label to the place. */
static bool find_far(const struct map_page *p, struct name *n, struct avoided by)
{
    enum { FIRST = 40, APART = 20, WAYS = 16 };
    const double reach = hypot(p->map.x1 - p->map.x0, p->map.y1 - p->map.y0),
                 turn = 4 * acos(0.0) / WAYS;
    for (double r = FIRST; r < reach; r += APART)
        for (int k = 0; k < WAYS; k++) {
            set_box(p, n, n->x + (r + n->width / 2) * cos(k * turn) - n->width / 2,
                    n->y + r * sin(k * turn));
            if (is_label_free(p, n, by) && is_leader_free(p, n, by.line)) return true;
        }
    return false;
}

/* Finds room for a label. If there is no room, the label may cover dots of possible vents. If there is still no room, the
 * line to the place may cross places and vents and, if `across`, other names. */
static bool place_name(struct map_page *p, struct name *n, bool across)
{
    static const struct avoided avoided[] = {{MAP_ANY, MAP_ANY, true},
                                             {MAP_ANY, MAP_ANY, false},
                                             {MAP_ANY & ~MAP_DOT, MAP_ANY & ~MAP_DOT, false},
                                             {MAP_ANY & ~MAP_DOT, MAP_NAME, false},
                                             {MAP_ANY & ~MAP_DOT, 0, false}};
    struct map_box at;
    for (int i = 0; i < 4 + across; i++) {
        n->far = !find_near(p, n, avoided[i]);
        if (n->far && !find_far(p, n, avoided[i])) continue;
        map_take(p, &n->box, MAP_NAME);
        for (double way = LEADER_FROM; n->far && leader_at(n, way, &at); way += SQUARE)
            map_take(p, &at, MAP_NAME);
        return true;
    }
    return false;
}

static const char *text_of(const struct map_page *p, const struct name *n, char out[MAP_TEXT])
{
    if (!n->is_number) return map_text(p->m, n->place->label, out);
    snprintf(out, MAP_TEXT, "%d", n->number);
    return out;
}

/* Measures a name. If it is wider than the map, its letters shrink. */
static void measure_name(struct map_page *p, struct name *n)
{
    char text[MAP_TEXT];
    const double room = p->map.x1 - p->map.x0 - 2 * HIGH;
    n->width = font_width(&p->canvas, &n->font, text_of(p, n, text));
    if (n->width <= room) return;
    n->font.size *= room / n->width;
    n->width = room;
}

static void forget_names(struct map_page *p)
{
    for (int i = 0; i < p->taken.wide * p->taken.high; i++)
        p->taken.square[i] &= (unsigned char)~MAP_NAME;
}

/* Moves name i before all other names. */
static void prefer_name(struct name *name, int i)
{
    const struct name first = name[i];
    memmove(name + 1, name, (size_t)i * sizeof *name);
    name[0] = first;
}

/* Places the labels. If a label has no room, all labels are placed anew, beginning with this label. If this does not
 * help, lines may cross other names, and at last a number replaces a name. Returns the number of placed labels. */
static int place_names(struct map_page *p, struct name *name, int count)
{
    for (int tries = 0, i = 0; i < count; i++) {
        if (place_name(p, &name[i], tries >= count)) continue;
        if (tries++ < count) prefer_name(name, i);
        else if (name[i].is_number) name[i] = name[--count];
        else {
            name[i].is_number = true;
            measure_name(p, &name[i]);
        }
        forget_names(p);
        i = -1;
    }
    return count;
}

static void draw_name(struct map_page *p, const struct name *n)
{
    char text[MAP_TEXT];
    struct map_box from = {n->x, n->y, 0, 0};
    if (n->far) {
        leader_at(n, n->area ? 0 : RADIUS, &from);
        canvas_segment(&p->canvas, from.x0, from.y0, clamp_between(n->x, n->box.x0, n->box.x1),
                       clamp_between(n->y, n->box.y0, n->box.y1));
        canvas_stroke_cased(&p->canvas, 3.6, canvas_white, 0.9, 1.4, canvas_black);
    }
    font_write_clear(&p->canvas, &n->font, n->box.x0, n->box.y1 - 4, canvas_black,
                     text_of(p, n, text));
}

void map_names(struct map_page *p)
{
    struct name name[NUMBERS_MOST];
    int count = 0;
    for (int i = 0; i < p->m->place_count && p->m->place_count <= NUMBERS_MOST; i++) {
        struct name *n = &name[count];
        *n = (struct name){.place = &p->m->places[i],
                           .number = i + 1,
                           .font = {17, FONT_BOLD, 0, 0},
                           .is_number = p->m->place_count > NAMES_MOST,
                           .area = p->m->places[i].kind == MAP_AREA};
        if (!find_anchor(p, &p->m->places[i], &n->x, &n->y)) continue;
        measure_name(p, n);
        count++;
    }
    count = place_names(p, name, count);
    for (int i = 0; i < count; i++) {
        p->numbered = p->numbered || name[i].is_number;
        draw_name(p, &name[i]);
    }
}

static void take_layer(struct map_page *p)
{
    const struct map_grid *g = &p->grid;
    for (int row = 0; row < p->taken.high; row++)
        for (int col = 0; col < p->taken.wide; col++) {
            const int r = (int)((row + 0.5) * SQUARE / p->node),
                      c = (int)((col + 0.5) * SQUARE / p->node);
            if (r < g->rows && c < g->cols && g->cover[(size_t)r * g->cols + c])
                p->taken.square[row * p->taken.wide + col] |= MAP_LAYER;
        }
}

/* Finds room for a name next to the longest part of a line, or else next to another part. */
static bool name_line(struct map_page *p, struct name *n, struct map_place part, unsigned avoids)
{
    const struct map_place *all = n->place;
    for (int i = 0; i < (n->area ? 1 : all->parts); i++) {
        if (find_anchor(p, &part, &n->x, &n->y) &&
            find_near(p, n, (struct avoided){.label = avoids}))
            return true;
        part.xy += part.part_size[0];
        part.part_size++;
    }
    return false;
}

/* Names of the background avoid all other labels. A name is omitted if there is no room next to its feature. Only names of
 * towns may be on the layer. */
void map_background_names(struct map_page *p)
{
    enum { MOST = 60 };
    const struct map_background *b = p->m->background;
    int left = MOST;
    if (b) take_layer(p);
    for (int kind = BACKGROUND_KINDS; kind-- && left;)
        for (int i = 0; b && i < b->count && left; i++) {
            const struct background_feature *f = &b->feature[i];
            char text[MAP_TEXT];
            if ((int)f->kind != kind || !*f->shape.label) continue;
            struct name n = {.place = &f->shape,
                             .font = {13, FONT_REGULAR, 0, 0},
                             .area = f->shape.kind == MAP_AREA};
            struct map_place part = f->shape;
            if (part.kind != MAP_AREA) part.parts = 1;
            measure_name(p, &n);
            if (!name_line(p, &n, part, MAP_ANY | MAP_LAYER) &&
                !(kind == BACKGROUND_PLACE && name_line(p, &n, part, MAP_ANY)))
                continue;
            left--;
            map_take(p, &n.box, MAP_NAME);
            font_write_clear(&p->canvas, &n.font, n.box.x0, n.box.y1 - 4,
                             background_looks[kind].ink, text_of(p, &n, text));
        }
}

void map_fronts(struct map_page *p)
{
    const struct isochrones *all = p->m->fronts;
    for (int i = 0; all && i < all->count - 1; i++) {
        for (int k = 0; k < all->at[i].line_count; k++) {
            const struct isochrone_path *line = &all->at[i].line[k];
            add_part(p, (const double(*)[2])line->xy, line->count, line->closed);
        }
        canvas_stroke(&p->canvas, 1.6, canvas_white, 0.9);
    }
}

/* Finds the position with room that is farthest from the vents, so that it is at the front of the flow, not on its flank.
 * False: no position has room. */
static bool find_room(struct map_page *p, const struct isochrone *t, double width,
                      struct map_box *out)
{
    double farthest = -1;
    for (int i = 0; i < t->line_count; i++)
        for (int k = 0; k < t->line[i].count; k++) {
            double x, y;
            map_at(p, t->line[i].xy[k], &x, &y);
            const struct map_box b = {x - width / 2, y - 9, x + width / 2, y + 9};
            const double way = hypot(x - p->vents_x, y - p->vents_y);
            if (way <= farthest || !map_is_free(p, &b, MAP_ANY)) continue;
            farthest = way;
            *out = b;
        }
    return farthest >= 0;
}

void map_front_labels(struct map_page *p)
{
    enum { APART = 20 };
    static const struct font letters = {13, FONT_BOLD, 0, 0};
    const struct isochrones *all = p->m->fronts;
    char packed[ISOCHRONES_TEXT], text[ISOCHRONES_TEXT];
    for (int i = 0; all && i < all->count - 1; i++) {
        struct map_box b = {0};
        words_fill(text, sizeof text, isochrones_time_pack(packed, all->at[i].time_h),
                   p->m->language);
        if (!find_room(p, &all->at[i], font_width(&p->canvas, &letters, text), &b)) continue;
        font_write_clear(&p->canvas, &letters, b.x0, b.y0 + 15, canvas_black, text);
        b = (struct map_box){b.x0 - APART, b.y0 - APART, b.x1 + APART, b.y1 + APART};
        map_take(p, &b, MAP_TAKEN);
    }
}

void map_places(struct map_page *p)
{
    const struct map *m = p->m;
    for (int i = 0; i < m->barrier_count; i++) draw_lines(p, &m->barriers[i], map_barrier);
    for (int i = 0; i < m->place_count; i++) {
        const struct map_place *t = &m->places[i];
        if (t->kind != MAP_POINT) draw_lines(p, t, place_colour(p));
        for (int k = 0; t->kind == MAP_POINT && k < t->parts; k++) {
            double x, y;
            map_at(p, t->xy[k], &x, &y);
            draw_place(p, x, y);
            const struct map_box b = {x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS};
            map_take(p, &b, MAP_TAKEN);
        }
    }
}

void map_place_sample(struct map_page *p, double x, double y)
{
    canvas_segment(&p->canvas, x - 23, y, x + 23, y);
    canvas_stroke(&p->canvas, 2.8, place_colour(p), 1);
    draw_place(p, x, y);
}
