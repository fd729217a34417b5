#include "case_background.h"

#include "case_notes.h"

#include "base/order.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kind of a feature ------------------------------------------------------------------- */

enum { HIGHWAY, WATERWAY, BUILDING, NATURAL, PLACE, FCLASS, KIND, NAME };
/* Attributes of OpenStreetMap; `fclass` for extracts of OpenStreetMap, `kind` for files drawn by hand. */
static const char *const wanted[] = {"highway", "waterway", "building", "natural", "place",
                                     "fclass",  "kind",     "name",     NULL};

/* Beginnings of attribute values: "primary" also stands for "primary_link". */
static const char *const values[BACKGROUND_KINDS][8] = {
    [BACKGROUND_MAIN_ROAD] = {"motorway", "trunk", "primary", "secondary", "main_road"},
    [BACKGROUND_TRACK] = {"track", "path", "footway", "cycleway", "bridleway", "steps",
                          "pedestrian"},
    [BACKGROUND_ROAD] = {"road", "tertiary", "residential", "unclassified", "service",
                         "living_street", "street"},
    [BACKGROUND_RIVER] = {"river", "stream", "canal", "drain"},
    [BACKGROUND_WATER] = {"water", "lake", "reservoir", "bay"},
    [BACKGROUND_BUILDING] = {"building", "house"},
    [BACKGROUND_COAST] = {"coast"}};

static bool find_value(enum background_kind *kind, const char *value)
{
    for (int k = 0; value && k < BACKGROUND_KINDS; k++)
        for (int i = 0; values[k][i]; i++)
            if (!strncmp(value, values[k][i], strlen(values[k][i]))) {
                *kind = (enum background_kind)k;
                return true;
            }
    return false;
}

/* Returns `kind` if it fits the shape of a geometry, else another kind that fits. */
static enum background_kind fitting(enum background_kind kind, enum vector_kind shape)
{
    static const enum background_kind any[VECTOR_KINDS] = {[VECTOR_POINT] = BACKGROUND_PLACE,
                                                           [VECTOR_LINE] = BACKGROUND_LINE,
                                                           [VECTOR_AREA] = BACKGROUND_AREA};
    const bool water = kind == BACKGROUND_WATER || kind == BACKGROUND_RIVER;
    if (shape == VECTOR_POINT) return any[shape];
    if (water) return shape == VECTOR_AREA ? BACKGROUND_WATER : BACKGROUND_RIVER;
    if (kind == BACKGROUND_COAST) return kind;
    return (kind == BACKGROUND_BUILDING) == (shape == VECTOR_AREA) && kind != BACKGROUND_PLACE
               ? kind
               : any[shape];
}

/* Returns the kind of a feature by the first attribute that decides it. *known: there is such an attribute. */
static enum background_kind kind_of(const struct vectors *v, int i, bool *known)
{
    const char *value[NAME];
    enum background_kind kind = BACKGROUND_PLACE;
    for (int k = 0; k < NAME; k++) value[k] = vectors_value(v, i, k);
    *known = true;
    if (value[HIGHWAY]) {
        if (!find_value(&kind, value[HIGHWAY])) kind = BACKGROUND_ROAD;
    } else if (value[WATERWAY]) {
        kind = BACKGROUND_RIVER;
    } else if (value[BUILDING] && strcmp(value[BUILDING], "no") != 0) {
        kind = BACKGROUND_BUILDING;
    } else if (!find_value(&kind, value[NATURAL]) && !value[PLACE] &&
               !find_value(&kind, value[FCLASS]) && !find_value(&kind, value[KIND])) {
        *known = value[NATURAL] || value[FCLASS];
    }
    return fitting(kind, v->feature[i].kind);
}

/* Returns the rank of a place by its kind: 0 for the largest. */
static int rank_of(const struct vectors *v, int i)
{
    static const char *const places[] = {"city", "town", "village", "suburb", "hamlet"};
    const int all = sizeof places / sizeof *places;
    const char *value = vectors_value(v, i, PLACE);
    if (!value) value = vectors_value(v, i, FCLASS);
    int rank = 0;
    while (rank < all && (!value || strcmp(value, places[rank]) != 0)) rank++;
    return rank;
}

/* ---- pieces on the terrain ------------------------------------------------------------------- */

struct source {
    enum background_kind kind;
    enum vector_kind shape;
    int rank;
    char name[64];
};

/* A point, a part of a line, or a ring; the rings of a polygon follow one another. */
struct piece {
    int of;      /* index of its source in struct pieces */
    int polygon; /* number of its polygon, counted over all files */
    int count;
    double (*xy)[2];             /* metres from the south-west corner of the terrain */
    const struct source *source; /* source of the piece; set once the list of sources is complete */
};

struct pieces {
    const struct georef *geo;
    double end[2]; /* north-east corner of the terrain, in the coordinates of piece.xy */
    int sources, count, polygons;
    struct source *source;
    struct piece *item;
};

static void pieces_free(struct pieces *all)
{
    for (int i = 0; i < all->count; i++) free(all->item[i].xy);
    FREE_ALL(all->item, all->source);
}

/* Moves a piece that has positions to the list. */
static bool keep_piece(struct pieces *all, struct piece *p)
{
    if (p->count && !APPEND(all->item, all->count, *p)) return false;
    p->count = 0;
    p->xy = NULL;
    return true;
}

static bool add_part_way(struct piece *p, const double a[2], const double b[2], double t)
{
    return grow_position(&p->xy, &p->count, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]));
}

/* Clips a line. It becomes several pieces if it leaves the terrain and comes back. */
static bool clip_line(struct pieces *all, struct piece *p, const double (*xy)[2], int count)
{
    for (int i = 1; i < count; i++) {
        double t[2];
        if (!measure_cut(xy[i - 1], xy[i], all->end, t)) continue;
        if (t[0] > 0 && !keep_piece(all, p)) return false;
        if (!p->count && !add_part_way(p, xy[i - 1], xy[i], t[0])) return false;
        if (!add_part_way(p, xy[i - 1], xy[i], t[1])) return false;
        if (t[1] < 1 && !keep_piece(all, p)) return false;
    }
    return keep_piece(all, p);
}

/* Clips a ring at one side of the terrain (Sutherland and Hodgman 1974). */
static bool clip_side(struct piece *p, int axis, double at, double sign)
{
    struct piece in = *p;
    bool good = true;
    p->count = 0;
    p->xy = NULL;
    for (int i = 0; i < in.count && good; i++) {
        const double *b = in.xy[i], *a = in.xy[i ? i - 1 : in.count - 1],
                     from = sign * (a[axis] - at), to = sign * (b[axis] - at);
        if ((from < 0) != (to < 0)) good = add_part_way(p, a, b, from / (from - to));
        if (to >= 0) good = good && grow_position(&p->xy, &p->count, b[0], b[1]);
    }
    free(in.xy);
    return good;
}

static bool clip_ring(struct pieces *all, struct piece *p, const double (*xy)[2], int count)
{
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = grow_position(&p->xy, &p->count, xy[i][0], xy[i][1]);
    for (int axis = 0; axis < 2 && good; axis++)
        good = clip_side(p, axis, 0, 1) && clip_side(p, axis, all->end[axis], -1);
    if (good && p->count) good = grow_position(&p->xy, &p->count, p->xy[0][0], p->xy[0][1]);
    return good && keep_piece(all, p);
}

static bool clip_points(struct pieces *all, struct piece *p, const double (*xy)[2], int count)
{
    for (int i = 0; i < count; i++) {
        const bool there =
            xy[i][0] >= 0 && xy[i][1] >= 0 && xy[i][0] <= all->end[0] && xy[i][1] <= all->end[1];
        if (there && !(grow_position(&p->xy, &p->count, xy[i][0], xy[i][1]) && keep_piece(all, p)))
            return false;
    }
    return true;
}

static bool add_part(struct pieces *all, const struct vectors *v, const struct vector_part *part)
{
    typedef bool clip(struct pieces *, struct piece *, const double(*)[2], int);
    static clip *const clips[VECTOR_KINDS] = {
        [VECTOR_POINT] = clip_points, [VECTOR_LINE] = clip_line, [VECTOR_AREA] = clip_ring};
    FREED double(*xy)[2] = malloc((size_t)part->count * sizeof *xy);
    struct piece p = {.of = all->sources - 1, .polygon = all->polygons + part->polygon};
    for (int i = 0; xy && i < part->count; i++) {
        xy[i][0] = v->xy[part->first + i][0] - all->geo->west_m;
        xy[i][1] = v->xy[part->first + i][1] - all->geo->south_m;
    }
    const bool good =
        xy && clips[all->source[p.of].shape](all, &p, (const double(*)[2])xy, part->count);
    free(p.xy);
    return good;
}

static bool add_features(struct pieces *all, const struct vectors *v)
{
    int polygons = 0;
    for (int i = 0; i < v->features; i++) {
        const struct vector_feature *f = &v->feature[i];
        const char *name = vectors_value(v, i, NAME);
        bool known;
        struct source s = {kind_of(v, i, &known), f->kind, rank_of(v, i), ""};
        if (name && !scan_blank(name)) vectors_name(s.name, sizeof s.name, v, i, NAME, NAME);
        if (f->kind == VECTOR_POINT && known && !*s.name) continue; /* a crossing or a tree */
        if (!APPEND(all->source, all->sources, s)) return false;
        for (int k = f->first; k < f->first + f->count; k++) {
            if (!add_part(all, v, &v->part[k])) return false;
            if (v->part[k].polygon >= polygons) polygons = v->part[k].polygon + 1;
        }
    }
    all->polygons += polygons;
    return true;
}

/* ---- as detailed as cells -------------------------------------------------------------------- */

/* Drops positions that are at most detail_m from the remaining line, in one pass (Williams 1978). A line from a kept
 * position has to pass within detail_m of each dropped position. So the direction of this line has to lie between two
 * angles. `to` has room for all positions. */
static int thin_line(double (*to)[2], const double (*xy)[2], int count, double detail_m)
{
    const double *from = xy[0];
    double along = 0, low = 0, high = 0, far_m = 0;
    int kept = 0;
    memcpy(to[kept++], xy[0], sizeof *xy);
    for (int i = 1; i < count; i++) {
        const double dx = xy[i][0] - from[0], dy = xy[i][1] - from[1], away_m = hypot(dx, dy);
        const double angle = remainder(atan2(dy, dx) - along, 4 * acos(0.0)),
                     half = away_m > detail_m ? asin(detail_m / away_m) : 4;
        if (far_m > 0 &&
            (away_m < far_m - detail_m || (away_m > detail_m && (angle < low || angle > high)))) {
            from = xy[--i]; /* the loop then looks at this position again */
            memcpy(to[kept++], from, sizeof *xy);
            far_m = 0;
            continue;
        }
        if (away_m <= detail_m) continue;
        low = far_m > 0 ? fmax(low, angle - half) : -half;
        high = far_m > 0 ? fmin(high, angle + half) : half;
        if (!(far_m > 0)) along = atan2(dy, dx);
        far_m = fmax(far_m, away_m);
    }
    if (count > 1) memcpy(to[kept++], xy[count - 1], sizeof *xy);
    return kept;
}

/* Rounds positions to multiples of unit_m, a power of two of at most an eighth of a cell, so that they have few digits.
 * Drops repetitions. */
static int round_off(double (*xy)[2], int count, const struct georef *g)
{
    const double unit_m = exp2(floor(log2(g->cell_m / 8)));
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double at[2] = {round((g->west_m + xy[i][0]) / unit_m) * unit_m,
                              round((g->south_m + xy[i][1]) / unit_m) * unit_m};
        if (kept && !memcmp(xy[kept - 1], at, sizeof at)) continue;
        memcpy(xy[kept++], at, sizeof at);
    }
    return kept;
}

static double extent_of(const double (*xy)[2], int count)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], xy[i][k]);
            high[k] = fmax(high[k], xy[i][k]);
        }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* Whether the dot of a source has a name. A point keeps its name; a small building loses its name. */
static bool dot_is_named(const struct source *s)
{
    return *s->name && s->shape == VECTOR_POINT;
}

/* Moves a dot to the middle of its square in a grid of squares with sides of 4 * detail_m. So dots that look like one
 * dot on a map become one dot. */
static void move_dot(double xy[2], double detail_m)
{
    for (int k = 0; k < 2; k++) xy[k] = (floor(xy[k] / (4 * detail_m)) + 0.5) * 4 * detail_m;
}

/* Writes the positions with which maps show a piece. Returns their number: 0: maps do not show the piece; 1: a dot. */
static int show_piece(double (*to)[2], const struct pieces *all, const struct piece *p,
                      double detail_m)
{
    const struct source *s = &all->source[p->of];
    const double(*xy)[2] = (const double(*)[2])p->xy;
    const bool small = extent_of(xy, p->count) < detail_m,
               building = s->kind == BACKGROUND_BUILDING;
    int count = small ? 1 : thin_line(to, xy, p->count, detail_m);
    if (small) memcpy(to[0], xy[0], sizeof *xy);
    if (s->shape == VECTOR_AREA && count < 4) count = 1;
    if (count == 1 && s->shape != VECTOR_POINT && !building) return 0;
    if (count == 1 && !dot_is_named(s)) move_dot(to[0], detail_m);
    count = round_off(to, count, all->geo);
    return s->shape == VECTOR_AREA && count < 4 ? building : count;
}

/* ---- features of a map ----------------------------------------------------------------------- */

/* The features of a background while they are made. */
struct making {
    const struct pieces *all;
    double (*room)[2]; /* room for the positions of a piece */
    double detail_m;
    struct made {
        struct background_feature of;
        int rank, polygon, positions;
    } * made;
    int count;
    int64_t positions;
};

static void made_free(struct background_feature *f)
{
    FREE_ALL((char *)(size_t)f->shape.label, (int *)(size_t)f->shape.part_size,
             (void *)(size_t)f->shape.xy);
}

/* Whether a piece belongs to the feature before it. A feature has all rings of a polygon, or lines or points of one
 * kind and name. */
static bool is_same(const struct made *m, const char *label, const struct piece *p,
                    enum background_kind kind, int shape)
{
    if (m->of.kind != kind || (int)m->of.shape.kind != shape) return false;
    if (shape == MAP_AREA) return m->polygon == p->polygon;
    return !strcmp(m->of.shape.label, label) && (shape == MAP_LINE || !*label);
}

/* Orders dots by place, so that equal dots are neighbours. */
static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return order_by(ORDER(p[0], q[0]), ORDER(p[1], q[1]));
}

static void join_dots(struct made *m)
{
    double(*xy)[2] = (double(*)[2])(size_t)m->of.shape.xy;
    int kept = 0;
    qsort(xy, (size_t)m->positions, sizeof *xy, by_place);
    for (int i = 0; i < m->positions; i++)
        if (!kept || by_place(xy[kept - 1], xy[i]) != 0) memmove(xy[kept++], xy[i], sizeof *xy);
    m->positions = m->of.shape.parts = kept;
}

static bool add_made(struct making *k, const struct piece *p, int count)
{
    const struct source *s = &k->all->source[p->of];
    const int shape = count == 1 ? MAP_POINT : s->shape == VECTOR_AREA ? MAP_AREA : MAP_LINE;
    const char *label = dot_is_named(s) || shape != MAP_POINT ? s->name : "";
    struct made *m = k->count ? &k->made[k->count - 1] : NULL;
    if (!m || !is_same(m, label, p, s->kind, shape)) {
        struct made new = {.rank = s->rank, .polygon = p->polygon};
        new.of.kind = s->kind;
        new.of.shape.kind = shape;
        new.of.shape.label = text_format("%s", label);
        if (!new.of.shape.label || !APPEND(k->made, k->count, new)) return false;
        m = &k->made[k->count - 1];
    }
    struct map_place *t = &m->of.shape;
    int *size = (int *)(size_t)t->part_size;
    double(*xy)[2] = (double(*)[2])(size_t)t->xy;
    bool good = APPEND(size, t->parts, count);
    t->part_size = size;
    for (int i = 0; i < count && good; i++) {
        good = GROW(xy, m->positions);
        if (good) memcpy(xy[m->positions++], k->room[i], sizeof *xy);
    }
    t->xy = (const double(*)[2])xy;
    return good;
}

static int by_source(const void *a, const void *b)
{
    const struct piece *p = a, *q = b;
    const struct source *s = p->source, *t = q->source;
    const int own = order_by(ORDER(s->kind, t->kind), ORDER(s->shape, t->shape));
    if (own || s->shape == VECTOR_AREA) return order_by(own, ORDER(p->polygon, q->polygon));
    const int name = order_by(ORDER(s->rank, t->rank), strcmp(s->name, t->name));
    return order_by(name, order_by(ORDER(q->count, p->count), ORDER(p->of, q->of)));
}

/* Orders features: larger places and longer roads come first, so that their names are shown. */
static int by_importance(const void *a, const void *b)
{
    const struct made *p = a, *q = b;
    const int rank = order_by(ORDER(p->of.kind, q->of.kind), ORDER(p->rank, q->rank));
    return order_by(
        order_by(rank, ORDER(q->positions, p->positions)),
        order_by(strcmp(p->of.shape.label, q->of.shape.label), ORDER(p->polygon, q->polygon)));
}

static void making_free(struct making *k)
{
    for (int i = 0; i < k->count; i++) made_free(&k->made[i].of);
    free(k->made);
    k->made = NULL;
    k->count = 0;
}

static bool make_features(struct making *k)
{
    const struct pieces *all = k->all;
    int places = 0;
    /* Dots are added in a second loop. So all small buildings follow one another, and become one feature. */
    for (int dots = 0; dots < 2; dots++)
        for (int i = 0; i < all->count; i++) {
            const int count = show_piece(k->room, all, &all->item[i], k->detail_m);
            const bool place = all->source[all->item[i].of].kind == BACKGROUND_PLACE;
            if (!count || dots != (count == 1)) continue;
            if (place && places++ == BACKGROUND_PLACES_MOST) break; /* places come last */
            if (!add_made(k, &all->item[i], count)) return false;
        }
    k->positions = 0;
    for (int i = 0; i < k->count; i++) {
        if (k->made[i].of.shape.kind == MAP_POINT) join_dots(&k->made[i]);
        k->positions += k->made[i].positions;
    }
    if (k->count) qsort(k->made, (size_t)k->count, sizeof *k->made, by_importance);
    return true;
}

/* Makes the background coarser until it has few enough positions. The loop ends, since with a detail_m as large as the
 * terrain only some places remain. */
static int show_pieces(struct case_background *b, struct pieces *all, struct error *e)
{
    int longest = 0;
    for (int i = 0; i < all->count; i++) {
        if (all->item[i].count > longest) longest = all->item[i].count;
        all->item[i].source = &all->source[all->item[i].of];
    }
    FREED double(*room)[2] = malloc(((size_t)longest + 1) * sizeof *room);
    FREED_BY(making_free)
    struct making k = {.all = all, .room = room, .detail_m = all->geo->cell_m / 4};
    if (!room) return error_memory(e);
    if (all->count) qsort(all->item, (size_t)all->count, sizeof *all->item, by_source);
    bool good = make_features(&k);
    while (good && k.positions > BACKGROUND_POSITIONS_MOST) {
        making_free(&k);
        k.detail_m *= 2;
        good = make_features(&k);
    }
    struct background_feature *list = good ? calloc((size_t)k.count + 1, sizeof *list) : NULL;
    if (!list) return error_memory(e);
    for (int i = 0; i < k.count; i++) list[i] = k.made[i].of;
    b->shown = (struct map_background){k.count, list};
    b->detail_m = k.detail_m;
    k.count = 0;
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a file. Does not warn of features outside the terrain, since most files reach beyond the terrain. */
static int read_file(struct case_background *b, struct pieces *all, struct sim_case *c,
                     const char *name, struct error *e)
{
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    const struct case_background_file file = {.path = path_beside(c->path, name)};
    if (!file.path || !APPEND(b->file, b->files, file)) return free(file.path), error_memory(e);
    case_note_input(c, file.path);
    FREED_BY(vectors_free) struct vectors v;
    int status = vectors_read(&v, file.path, &grid, VECTORS_TAKE_ALL, wanted, e);
    if (status) return status;
    struct vectors_about *about = &b->file[b->files - 1].about;
    *about = v.about;
    *about->doubt = '\0';
    about->placed = false;
    case_note_vectors(c, about, file.path);
    return add_features(all, &v) ? 0 : error_memory(e);
}

int case_background_read(struct sim_case *c, const struct settings *s, struct error *e)
{
    FREED_BY(pieces_free)
    struct pieces all = {.geo = &c->geo,
                         .end = {c->problem.cols * c->geo.cell_m, c->problem.rows * c->geo.cell_m}};
    int status = 0;
    if (!s->background) return 0;
    c->background = calloc(1, sizeof *c->background);
    if (!c->background) return error_memory(e);
    for (int i = 0; i < s->lines.count && !status; i++)
        if (!strcmp(s->lines.item[i].key, "background"))
            status = read_file(c->background, &all, c, s->lines.item[i].value, e);
    if (!status) status = show_pieces(c->background, &all, e);
    if (!status && c->background->detail_m > c->geo.cell_m / 4)
        warnings_say(&c->told, WARNING_NOTE,
                     "background: has too many details for a map; those below %.3g m are skipped",
                     c->background->detail_m);
    return status;
}

const struct map_background *case_background_of(const struct sim_case *c)
{
    return c->background && c->background->shown.count ? &c->background->shown : NULL;
}

void case_background_free(struct case_background *b)
{
    if (!b) return;
    for (int i = 0; i < b->shown.count; i++)
        made_free((struct background_feature *)(size_t)&b->shown.feature[i]);
    for (int i = 0; i < b->files; i++) free(b->file[i].path);
    FREE_ALL((void *)(size_t)b->shown.feature, b->file, b);
}
