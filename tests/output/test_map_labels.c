/* Labels of maps, read back from their SVG: whatever places, vents and sheets there are, none is cut, none hides a vent or another
 * one, and no place that is shown goes without. */
/* tests: show/map */
/* run: plain */
/* build: show */
#include "isochrones/isochrones.h"
#include "map/map.h"
#include "record/map_scene.h"
#include "picture.h"
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { ROWS = 40, COLS = 50, CELLS = ROWS * COLS, PLACES_MOST = 60, LABELS_MOST = 300, RING = 40 };

struct scene {
    double elevation[CELLS], value[CELLS], at[PLACES_MOST][3][2];
    unsigned char mark[CELLS];
    char name[PLACES_MOST][80];
    struct map_place place[PLACES_MOST];
    double ring[3][RING][2];
    struct isochrone_path line[3];
    struct isochrone level[4];
    struct isochrones fronts;
    struct map map;
};

static unsigned next(unsigned *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

static double uniform(unsigned *seed)
{
    return next(seed) / 4294967296.0;
}

/* Names of 1 to 6 words, on three edges of the map, on a vent, and anywhere. */
static void add_places(struct scene *s, int count, unsigned *seed)
{
    static const int sizes[] = {1, 2, 3};
    static const char word[] = "Rifugio Sapienza, Monte Rossi, San Nicolo";
    for (int i = 0; i < count; i++) {
        double *xy = s->at[i][0];
        xy[0] = 500000 + 10 * COLS * (i % 7 == 1 ? 0.001 : i % 7 == 2 ? 0.999 : uniform(seed));
        xy[1] = 4170000 + 10 * ROWS * (i % 7 == 3 ? 0.001 : uniform(seed));
        if (i == 0) xy[0] = 500205, xy[1] = 4170195; /* the vent below */
        for (int k = 1; k < 3; k++) {
            s->at[i][k][0] = xy[0] + 60 * uniform(seed) - 30;
            s->at[i][k][1] = xy[1] + 60 * uniform(seed) - 30;
        }
        snprintf(s->name[i], sizeof s->name[i], "%c%d %.*s", 'A' + i % 26, i,
                 (int)(next(seed) >> 8) % 36, word);
        s->place[i] = (struct map_place){i % 9 == 4   ? MAP_LINE
                                         : i % 9 == 5 ? MAP_AREA
                                                      : MAP_POINT,
                                         s->name[i], 1, NULL, (const double(*)[2])s->at[i]};
        s->place[i].part_size = &sizes[i % 9 == 4 ? 1 : i % 9 == 5 ? 2 : 0];
    }
    s->map.places = s->place;
    s->map.place_count = count;
}

static void add_fronts(struct scene *s)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < RING; k++) {
            s->ring[i][k][0] = 500250 + 55 * (i + 1) * cos(k * 0.15708);
            s->ring[i][k][1] = 4170200 + 45 * (i + 1) * sin(k * 0.15708);
        }
        s->line[i] = (struct isochrone_path){RING, true, s->ring[i]};
        s->level[i] = (struct isochrone){.time_h = i + 1, .line_count = 1, .line = &s->line[i]};
    }
    s->fronts = (struct isochrones){.count = 4, .at = s->level};
    s->map.fronts = &s->fronts;
}

static void scene_make(struct scene *s, int places, bool small, unsigned seed)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < CELLS; i++) {
        s->elevation[i] = 1500 - 3.0 * (i % COLS) + 30 * sin(0.2 * (i / COLS));
        s->value[i] = hypot(i % COLS - 25, i / COLS - 20) < 14 ? 2 : (double)NAN;
    }
    s->map = (struct map){.rows = ROWS,
                          .cols = COLS,
                          .geo = {500000, 4170000, 10, {0}},
                          .elevation_m = s->elevation,
                          .value = s->value,
                          .title = "Labels",
                          .quantity = "thickness",
                          .unit = "m",
                          .mark = s->mark,
                          .mark_small = small};
    s->mark[20 * COLS + 20] = 1;
    for (int i = 0; i < (small ? 60 : 12); i++) /* vents anywhere, two in corners */
        s->mark[i == 1 ? 0 : i == 2 ? CELLS - 1 : next(&seed) % CELLS] = (unsigned char)(2 + i);
    add_places(s, places, &seed);
    add_fronts(s);
}

/* ---- the reader ------------------------------------------------------------------------------ */

struct box {
    double x0, y0, x1, y1;
    char text[100];
    bool bold;
};

static double number_after(const char *tag, const char *name)
{
    const char *p = strstr(tag, name);
    assert_non_null(p);
    return strtod(p + strlen(name), NULL);
}

/* The frame of the map is the first that is drawn after the labels, or the largest. */
static struct box find_frame(const char *svg, double points)
{
    struct box most = {0, 0, 0, 0, "", false};
    for (const char *p = svg; (p = strstr(p, "fill-rule:evenodd")); p++) {
        double x0, y0, x1, y1, z;
        const char *d = strstr(p, " d=\"M ");
        if (!d || sscanf(d, " d=\"M %lf %lf L %lf %lf L %lf %lf", &x0, &y0, &x1, &z, &z, &y1) != 6)
            continue;
        if ((x1 - x0) * (y1 - y0) > (most.x1 - most.x0) * (most.y1 - most.y0))
            most = (struct box){x0, y0, x1, y1, "", false};
    }
    return (struct box){most.x0 / points + 2,
                        most.y0 / points + 2,
                        most.x1 / points - 2,
                        most.y1 / points - 2,
                        "",
                        false};
}

/* Those with white around their letters, and those of contours, which are turned. */
static int read_labels(const char *svg, struct box *label)
{
    int count = 0;
    for (const char *p = svg; (p = strstr(p, "<text ")); p++) {
        char tag[600];
        const char *end = strchr(p, '>'), *more = strchr(end, '<');
        snprintf(tag, sizeof tag, "%.*s", (int)(end - p), p);
        const bool name = strstr(tag, "stroke=\"#fff\""), contour = strstr(tag, "#543e28");
        if (!name && !(contour && strlen(end) > 4 && end[1] >= '0' && end[1] <= '9')) continue;
        assert_true(count < LABELS_MOST);
        const double x = number_after(tag, " x=\""), y = number_after(tag, " y=\""),
                     wide = number_after(tag, "textLength=\""),
                     high = number_after(tag, "font-size=\"") * 0.729;
        struct box *b = &label[count++];
        *b = (struct box){x, y - high, x + wide, y + 0.2 * high, "", name};
        if (strstr(tag, "rotate(")) {
            const double turn = number_after(tag, "rotate(") * acos(-1.0) / 180;
            const double cx = x + wide / 2 * cos(turn) + high / 2 * sin(turn),
                         cy = y + wide / 2 * sin(turn) - high / 2 * cos(turn);
            *b = (struct box){cx - wide / 2, cy - wide / 2, cx + wide / 2, cy + wide / 2, "", name};
        }
        snprintf(b->text, sizeof b->text, "%.*s", (int)(more - end - 1), end + 1);
    }
    return count;
}

static bool overlap(const struct box *a, const struct box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

static void check_apart(const struct box *label, int count, const struct box *frame)
{
    for (int i = 0; i < count; i++) {
        const struct box *a = &label[i];
        if (!(a->x0 > frame->x0 && a->y0 > frame->y0 && a->x1 < frame->x1 && a->y1 < frame->y1))
            fail_msg("%s is cut by the frame", a->text);
        for (int k = 0; k < i; k++)
            if (overlap(a, &label[k])) fail_msg("%s is over %s", a->text, label[k].text);
    }
}

/* Names beside cells that are marked, whose symbols are this large. */
static void check_vents(const struct scene *s, const struct box *label, int count,
                        const struct box *frame)
{
    const double cell = (frame->x1 - frame->x0) / COLS;
    for (int i = 0; i < CELLS; i++) {
        const double x = frame->x0 + cell * (i % COLS + 0.5),
                     y = frame->y0 + cell * (i / COLS + 0.5);
        const struct box vent = {x - 9, y - 11, x + 9, y + 6, "", false},
                         dot = {x - 5, y - 5, x + 5, y + 5, "", false};
        if (!s->mark[i]) continue;
        for (int k = 0; k < count; k++)
            if (overlap(&label[k], s->map.mark_small ? &dot : &vent))
                fail_msg("%s hides the vent in cell %d, %d", label[k].text, i / COLS, i % COLS);
    }
}

static bool is_said(const struct box *label, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (label[i].bold && !strcmp(label[i].text, text)) return true;
    return false;
}

/* Returns how many have names. */
static int check_places(const struct scene *s, const struct box *label, int count, const char *svg)
{
    int names = 0;
    for (int i = 0; i < s->map.place_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        const bool named = is_said(label, count, s->name[i]);
        names += named;
        if (named) continue;
        if (!is_said(label, count, number)) fail_msg("%s has no label", s->name[i]);
        assert_non_null(strstr(svg, ">place, row of its table<"));
    }
    return names;
}

/* A label beside the disc of another place would be read as that place's. Returns how many pairs were looked at. */
static int check_beside(const struct scene *s, const struct box *label, int count,
                        const struct box *frame)
{
    const double cell = (frame->x1 - frame->x0) / COLS;
    int pairs = 0;
    for (int i = 0; i < s->map.place_count; i++) {
        if (s->place[i].kind != MAP_POINT) continue;
        const double x = frame->x0 + cell * (s->at[i][0][0] - 500000) / 10,
                     y = frame->y0 + cell * (ROWS - (s->at[i][0][1] - 4170000) / 10);
        const struct box round = {x - 28, y - 28, x + 28, y + 28, "", true};
        for (int k = 0; k < count; k++) {
            const bool other = label[k].bold && label[k].text[0] >= 'A' &&
                               label[k].text[0] <= 'Z' && strcmp(label[k].text, s->name[i]);
            const struct box *b = &label[k];
            if (other && overlap(b, &round) &&
                hypot(x - fmax(b->x0, fmin(x, b->x1)), y - fmax(b->y0, fmin(y, b->y1))) < 28)
                fail_msg("%s is beside the disc of %s", b->text, s->name[i]);
            pairs += other;
        }
    }
    return pairs;
}

static void labels_hide_nothing(void **state)
{
    static struct scene s;
    static struct box label[LABELS_MOST];
    static const struct map_paper papers[] = {{0, 0, 0}, {11.7, 8.27, 100}, {3.5, 4, 100}};
    static const int places[] = {4, 12, 40, 60};
    int names = 0, times = 0, contours = 0, pairs = 0;
    for (unsigned i = 0; i < 24; i++) {
        struct error e = {0};
        const char *path = scratch_file(*state, "map.svg");
        scene_make(&s, places[i % 4], i >= 20, i);
        s.map.paper = papers[i / 4 % 3];
        must(map_write(path, &s.map, NULL, &e), &e);
        char *svg = read_text(path);
        const struct box frame = find_frame(svg, number_after(svg, "<g transform=\"scale("));
        const int count = read_labels(svg, label);
        assert_true(frame.x1 - frame.x0 > 200);
        check_apart(label, count, &frame);
        if (i < 20 || i % 4 < 2)
            check_vents(&s, label, count, &frame); /* (dots may leave no room) */
        const int named = check_places(&s, label, count, svg);
        if (i % 4 < 2) assert_int_equal(named, places[i % 4]); /* there is room */
        if (i % 4 < 2) pairs += check_beside(&s, label, count, &frame);
        names += named;
        for (int k = 0; k < count; k++) {
            times += strstr(label[k].text, " h") && label[k].text[0] <= '9';
            contours += !label[k].bold;
        }
        free(svg);
        unlink(path);
    }
    assert_true(names > 200 && times > 30 && contours > 20 && pairs > 400);
}

int main(void)
{
    return UNIT_RUN_IN(set_up, tear_down, NULL, NULL, labels_hide_nothing);
}
