/* Roads, rivers, buildings and names beneath the lava: by which attribute a feature is of which kind, and that what
 * is shown is what the files have on the terrain, as detailed as its cells, in an order by which large things have names. */
/* tests: input/case */
#include "case/case_background.h"
#include "case_checks.h"
#include "folder.h"
#include "random_case.h"

#include <math.h>

/* The terrain of case_files.h, and details of a quarter of a cell, to which at most half a metre is rounded. */
enum { WIDE = 80, HIGH = 60, PARTS_MOST = 4, POSITIONS_MOST = 9 };
static const double WEST = 500000, SOUTH = 4000000, DETAIL = 2.5, NEAR = 2.5 + 0.75;

static char text[1 << 22];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, values);
    va_end(values);
    assert_true(used < sizeof text);
}

static void begin(void)
{
    used = 0;
    put("{\"type\":\"FeatureCollection\",\"features\":[");
}

static void end(const char *name)
{
    put("]}");
    put_text(&dir, name, text);
}

static void feature(const char *properties, const char *name)
{
    put("%s{\"type\":\"Feature\",\"properties\":{%s%s\"name\":\"%s\"},\"geometry\":",
        text[used - 1] == '[' ? "" : ",", properties, *properties ? "," : "", name);
}

static const struct map_background *shown_of(struct sim_case *c, const char *more)
{
    char lines[1024];
    write_case(&dir);
    snprintf(lines, sizeof lines, CASE_TEXT "%s", more);
    put_text(&dir, "case.cfg", lines);
    load(c, scratch_file(&dir, "case.cfg"));
    assert_null(strstr(c->told.warning, "json"));
    return case_background_of(c);
}

/* ---- kinds (docs/formats/vectors.md) ------------------------------------------------------------------- */

static const struct {
    const char *attributes;
    enum background_kind line, area;
} kinds[] = {
#define KIND(attribute, value, line, area)                                                         \
    {                                                                                              \
        "\"" attribute "\":\"" value "\"", BACKGROUND_##line, BACKGROUND_##area                    \
    }
    KIND("highway", "motorway", MAIN_ROAD, AREA),
    KIND("highway", "trunk_link", MAIN_ROAD, AREA),
    KIND("highway", "primary", MAIN_ROAD, AREA),
    KIND("highway", "secondary", MAIN_ROAD, AREA),
    KIND("highway", "track", TRACK, AREA),
    KIND("highway", "path", TRACK, AREA),
    KIND("highway", "footway", TRACK, AREA),
    KIND("highway", "cycleway", TRACK, AREA),
    KIND("highway", "bridleway", TRACK, AREA),
    KIND("highway", "steps", TRACK, AREA),
    KIND("highway", "pedestrian", TRACK, AREA),
    KIND("highway", "tertiary", ROAD, AREA),
    KIND("highway", "residential", ROAD, AREA),
    KIND("highway", "raceway", ROAD, AREA),
    KIND("waterway", "river", RIVER, WATER),
    KIND("waterway", "ditch", RIVER, WATER),
    KIND("building", "yes", LINE, BUILDING),
    KIND("building", "no", LINE, AREA),
    KIND("natural", "coastline", COAST, COAST),
    KIND("natural", "water", RIVER, WATER),
    KIND("natural", "bay", RIVER, WATER),
    KIND("natural", "wood", LINE, AREA),
    KIND("place", "hamlet", LINE, AREA),
    KIND("fclass", "primary_link", MAIN_ROAD, AREA),
    KIND("fclass", "service", ROAD, AREA),
    KIND("fclass", "unclassified", ROAD, AREA),
    KIND("fclass", "living_street", ROAD, AREA),
    KIND("fclass", "stream", RIVER, WATER),
    KIND("fclass", "reservoir", RIVER, WATER),
    KIND("fclass", "building", LINE, BUILDING),
    KIND("fclass", "shrine", LINE, AREA),
    KIND("kind", "road", ROAD, AREA),
    KIND("kind", "main_road", MAIN_ROAD, AREA),
    KIND("kind", "street", ROAD, AREA),
    KIND("kind", "river", RIVER, WATER),
    KIND("kind", "canal", RIVER, WATER),
    KIND("kind", "drain", RIVER, WATER),
    KIND("kind", "lake", RIVER, WATER),
    KIND("kind", "house", LINE, BUILDING),
    KIND("kind", "coast", COAST, COAST),
    KIND("kind", "fence", LINE, AREA),
    KIND("colour", "red", LINE, AREA),
    /* the first of several */
    KIND("highway", "path\",\"waterway\":\"river", TRACK, AREA),
    KIND("waterway", "river\",\"building\":\"yes", RIVER, WATER),
    KIND("building", "yes\",\"natural\":\"water", LINE, BUILDING),
    KIND("building", "no\",\"natural\":\"water", RIVER, WATER),
    KIND("natural", "coastline\",\"fclass\":\"primary", COAST, COAST),
    KIND("natural", "wood\",\"fclass\":\"primary", MAIN_ROAD, AREA),
    KIND("place", "city\",\"fclass\":\"primary", LINE, AREA),
    KIND("fclass", "primary\",\"kind\":\"river", MAIN_ROAD, AREA),
};

static const struct background_feature *find(const struct map_background *b, const char *label)
{
    for (int i = 0; i < b->count; i++)
        if (!strcmp(b->feature[i].shape.label, label)) return &b->feature[i];
    return NULL;
}

static bool has_dot(const struct background_feature *f, double x, double y)
{
    int found = 0;
    for (int i = 0; i < f->shape.parts; i++) {
        assert_int_equal(f->shape.part_size[i], 1);
        found += f->shape.xy[i][0] == WEST + x && f->shape.xy[i][1] == SOUTH + y;
    }
    assert_true(found <= 1);
    return found == 1;
}

static void kinds_by_attributes(void **state)
{
    enum { COUNT = sizeof kinds / sizeof *kinds };
    struct sim_case c;
    char name[16];
    begin();
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "line %d", i);
        feature(kinds[i].attributes, name);
        put("{\"type\":\"LineString\",\"coordinates\":[[500005,4000005],[500075,4000045]]}}");
        snprintf(name, sizeof name, "area %d", i);
        feature(kinds[i].attributes, name);
        put("{\"type\":\"Polygon\",\"coordinates\":[[[500005,4000005],[500075,4000005],"
            "[500075,4000045],[500005,4000005]]]}}");
        snprintf(name, sizeof name, "point %d", i);
        feature(kinds[i].attributes, name);
        put("{\"type\":\"Point\",\"coordinates\":[500005,4000005]}}");
        feature(kinds[i].attributes, ""); /* a crossing or a tree */
        put("{\"type\":\"Point\",\"coordinates\":[%d,%d]}}", 500005 + 10 * (i % 8),
            4000005 + 10 * (i / 8 % 6));
    }
    end("kinds.json");
    const struct map_background *b = shown_of(&c, "background kinds.json\n");
    assert_int_equal(b->count, 3 * COUNT + 1);
    for (int i = 0; i < COUNT; i++) {
        const enum background_kind kind[] = {kinds[i].line, kinds[i].area, BACKGROUND_PLACE};
        static const char *const shape[] = {"line", "area", "point"};
        static const int map[] = {MAP_LINE, MAP_AREA, MAP_POINT};
        for (int k = 0; k < 3; k++) {
            snprintf(name, sizeof name, "%s %d", shape[k], i);
            const struct background_feature *f = find(b, name);
            assert_non_null(f);
            if (f->kind != kind[k])
                fail_msg("%s of %s is %d", shape[k], kinds[i].attributes, f->kind);
            assert_int_equal(f->shape.kind, map[k]);
        }
    }
    /* without a name only those that none of the attributes tells are shown, as dots */
    const struct background_feature *dots = find(b, "");
    assert_true(dots->kind == BACKGROUND_PLACE && dots->shape.parts == 3);
    for (int i = 0; i < COUNT; i++)
        if (strstr("\"kind\":\"fence\" \"colour\":\"red\" \"building\":\"no\"",
                   kinds[i].attributes))
            assert_true(has_dot(dots, 5 + 10 * (i % 8), 5 + 10 * (i / 8 % 6)));
    case_free(&c);
}

/* ---- shapes on the terrain ----------------------------------------------------------------------------- */

struct shape {
    bool area;
    int parts, size;
    double xy[PARTS_MOST][POSITIONS_MOST][2]; /* metres from the south-western corner */
};

/* A line of up to four parts, or two polygons, each a large quadrilateral with a hole in it. */
static struct shape random_shape(uint64_t *rng)
{
    struct shape s = {.area = random_unit(rng) < 0.4, .parts = 1 + (int)(random_unit(rng) * 4)};
    s.size = s.area ? 5 : 2 + (int)(random_unit(rng) * 7);
    if (s.area) s.parts = 4;
    for (int part = 0; part < s.parts; part++) {
        const double x = random_unit(rng) * WIDE, y = random_unit(rng) * HIGH;
        for (int i = 0; i < s.size; i++) {
            double *xy = s.xy[part][i];
            const double r = (part % 2 ? 8 : 25) + 15 * random_unit(rng),
                         angle = (i + 0.8 * random_unit(rng)) * acos(0.0);
            xy[0] = s.area ? (part % 2 ? s.xy[part - 1][4][0] : x) + r * cos(angle)
                           : random_unit(rng) * 2 * WIDE - 40;
            xy[1] = s.area ? (part % 2 ? s.xy[part - 1][4][1] : y) + r * sin(angle)
                           : random_unit(rng) * 2 * HIGH - 30;
        }
        if (s.area) memcpy(s.xy[part][4], s.xy[part][0], sizeof s.xy[part][0]);
    }
    return s;
}

static void put_shape(const struct shape *s)
{
    put("{\"type\":\"%s\",\"coordinates\":[", s->area ? "MultiPolygon" : "MultiLineString");
    for (int part = 0; part < s->parts; part++) {
        put("%s[", !s->area ? (part ? "," : "") : part % 2 ? "," : part ? ",[" : "[");
        for (int i = 0; i < s->size; i++)
            put("%s[%.3f,%.3f]", i ? "," : "", WEST + s->xy[part][i][0], SOUTH + s->xy[part][i][1]);
        put("]%s", s->area && part % 2 ? "]" : "");
    }
    put("]}}");
}

static double away(double x, double y, const double a[2], const double b[2])
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    const double t =
        square > 0 ? fmax(0, fmin(1, ((x - a[0]) * dx + (y - a[1]) * dy) / square)) : 0;
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

static bool on_terrain(double x, double y)
{
    return x >= 0 && y >= 0 && x <= WIDE && y <= HIGH;
}

/* How far a position is from a shape as it was written, and from the lines or edges that are shown. */
static double away_from(const struct shape *s, double x, double y)
{
    double least = INFINITY;
    for (int part = 0; part < s->parts; part++)
        for (int i = 1; i < s->size; i++)
            least = fmin(least, away(x, y, s->xy[part][i - 1], s->xy[part][i]));
    return least;
}

static double away_from_shown(const struct map_place *p, double x, double y)
{
    const double(*xy)[2] = p->xy;
    double least = INFINITY;
    for (int part = 0; part < p->parts; xy += p->part_size[part++])
        for (int i = 1; i < p->part_size[part]; i++)
            least = fmin(least, away(WEST + x, SOUTH + y, xy[i - 1], xy[i]));
    return least;
}

static void expect_line(const struct shape *s, const struct map_place *shown)
{
    enum { FINE = 200 };
    int pieces = 0, doubtful = 0;
    for (int part = 0; part < s->parts; part++) {
        bool inside = false;
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i <= (s->size - 1) * FINE; i++) {
            const int k = i / FINE, last = i == (s->size - 1) * FINE;
            const double *a = s->xy[part][k - last], *b = s->xy[part][k - last + 1],
                         t = last ? 1 : i % FINE / (double)FINE;
            const double at[2] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])};
            const bool now = on_terrain(at[0], at[1]);
            for (int axis = 0; axis < 2 && now; axis++) {
                low[axis] = fmin(low[axis], at[axis]);
                high[axis] = fmax(high[axis], at[axis]);
            }
            if (now && shown && away_from_shown(shown, at[0], at[1]) > NEAR) {
                const double extent = fmax(high[0] - low[0], high[1] - low[1]);
                if (extent > 2 * DETAIL) fail_msg("%g, %g is not shown", at[0], at[1]);
            }
            if (inside && (!now || last)) {
                const double extent = fmax(high[0] - low[0], high[1] - low[1]);
                pieces += extent >= DETAIL;
                doubtful += fabs(extent - DETAIL) < 1;
                for (int axis = 0; axis < 2; axis++) low[axis] = INFINITY, high[axis] = -INFINITY;
            }
            inside = now;
        }
    }
    const int parts = shown ? shown->parts : 0;
    assert_true(parts >= pieces - doubtful && parts <= pieces + doubtful);
}

static bool in_ring(const double (*xy)[2], int size, double x, double y)
{
    bool in = false;
    for (int i = 1; i < size; i++) {
        const double *a = xy[i - 1], *b = xy[i];
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            in = !in;
    }
    return in;
}

static bool in_shown(const struct map_place *p, double x, double y)
{
    const double(*xy)[2] = p->xy;
    bool in = false;
    for (int part = 0; part < p->parts; xy += p->part_size[part++])
        in ^= in_ring(xy, p->part_size[part], WEST + x, SOUTH + y);
    return in;
}

/* Each polygon is a feature; where it is, is decided by the even-odd rule. */
static int expect_area(const struct shape *s, const struct map_background *b, const char *label)
{
    int inside = 0;
    for (double y = NEAR; y < HIGH - NEAR; y += 2)
        for (double x = NEAR; x < WIDE - NEAR; x += 2) {
            bool was = false, is = false;
            if (away_from(s, x, y) < NEAR) continue;
            for (int part = 0; part < s->parts; part += 2)
                was |= in_ring((const double(*)[2])s->xy[part], s->size, x, y) ^
                       in_ring((const double(*)[2])s->xy[part + 1], s->size, x, y);
            for (int i = 0; i < b->count; i++)
                if (!strcmp(b->feature[i].shape.label, label))
                    is |= in_shown(&b->feature[i].shape, x, y);
            if (was != is) fail_msg("%s at %g, %g: %d, not %d", label, x, y, is, was);
            inside += was;
        }
    return inside;
}

/* All that is shown is on the terrain, and on or near what was written; features are in their order. */
static void expect_shown(const struct map_background *b, const struct shape *const files[2],
                         int count)
{
    for (int i = 0; i < b->count; i++) {
        const struct map_place *p = &b->feature[i].shape;
        const struct shape *s = &files[p->label[0] == 'b'][atoi(p->label + 1)];
        int positions = 0, before = 0;
        assert_true(strchr("ab", p->label[0]) && atoi(p->label + 1) < count);
        assert_int_equal(p->kind, s->area ? MAP_AREA : MAP_LINE);
        const double(*xy)[2] = p->xy;
        for (int part = 0; part < p->parts; xy += p->part_size[part++])
            for (int k = 0; k < p->part_size[part]; k++) {
                const double x = xy[k][0] - WEST, y = xy[k][1] - SOUTH;
                assert_true(on_terrain(x, y) && x == floor(x) && y == floor(y));
                if (!s->area && k) {
                    const double middle[2] = {(x + xy[k - 1][0] - WEST) / 2,
                                              (y + xy[k - 1][1] - SOUTH) / 2};
                    assert_true(away_from(s, middle[0], middle[1]) <= NEAR);
                }
                if (!s->area) assert_true(away_from(s, x, y) <= NEAR);
                positions++;
            }
        if (!i) continue;
        const struct map_place *q = &b->feature[i - 1].shape;
        for (int part = 0; part < q->parts; part++) before += q->part_size[part];
        assert_true(b->feature[i - 1].kind <= b->feature[i].kind);
        if (b->feature[i - 1].kind < b->feature[i].kind) continue;
        assert_true(before > positions || (before == positions && strcmp(q->label, p->label) <= 0));
    }
}

static void shapes_on_the_terrain(void **state)
{
    enum { COUNT = 25 };
    uint64_t rng = 3;
    int inside = 0, features = 0;
    for (int round = 0; round < 2; round++) {
        static struct shape file[2][COUNT];
        const struct shape *const files[2] = {file[0], file[1]};
        struct sim_case c;
        for (int k = 0; k < 2; k++) {
            begin();
            for (int i = 0; i < COUNT; i++) {
                char name[16];
                file[k][i] = random_shape(&rng);
                snprintf(name, sizeof name, "%c%d", "ab"[k], i);
                feature(i % 3 ? "\"natural\":\"water\"" : "\"highway\":\"path\"", name);
                put_shape(&file[k][i]);
            }
            end(k ? "b.json" : "a.json");
        }
        const struct map_background *b = shown_of(&c, "background a.json\nbackground b.json\n");
        assert_int_equal(c.background->files, 2);
        for (int k = 0; k < 2; k++) {
            assert_string_equal(c.background->file[k].path,
                                scratch_file(&dir, k ? "b.json" : "a.json"));
            assert_int_equal(c.background->file[k].about.features, COUNT);
        }
        assert_true(c.background->detail_m == DETAIL);
        assert_null(strstr(c.told.notice, "background"));
        expect_shown(b, files, COUNT);
        features += b->count;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < COUNT; i++) {
                char name[16];
                snprintf(name, sizeof name, "%c%d", "ab"[k], i);
                const struct background_feature *f = find(b, name);
                if (file[k][i].area) inside += expect_area(&file[k][i], b, name);
                else expect_line(&file[k][i], f ? &f->shape : NULL);
            }
        case_free(&c);
    }
    assert_true(features > 75 && inside > 1500);
}

/* ---- dots and names ------------------------------------------------------------------------------------ */

/* Dots without a name are in the middles of squares of four details, each once: of points, and of small
 * buildings, which have none even if they are named. */
static void dots_without_a_name(void **state)
{
    static const enum background_kind kind[] = {BACKGROUND_PLACE, BACKGROUND_BUILDING};
    bool there[2][HIGH / 10][WIDE / 10] = {{{false}}};
    int dots[2] = {0};
    uint64_t rng = 17;
    struct sim_case c;
    begin();
    for (int i = 0; i < 60; i++) {
        const double x = random_unit(&rng) * 110 - 15, y = random_unit(&rng) * 90 - 15;
        const int building = i % 2;
        feature(building ? "\"building\":\"yes\"" : "", i % 4 == 1 ? "hut" : "");
        if (building)
            put("{\"type\":\"Polygon\",\"coordinates\":[[[%.3f,%.3f],[%.3f,%.3f],[%.3f,%.3f],"
                "[%.3f,%.3f]]]}}",
                WEST + x, SOUTH + y, WEST + x + 0.001, SOUTH + y, WEST + x, SOUTH + y + 0.001,
                WEST + x, SOUTH + y);
        else put("{\"type\":\"Point\",\"coordinates\":[%.3f,%.3f]}}", WEST + x, SOUTH + y);
        if (on_terrain(x, y)) there[building][(int)(y / 10)][(int)(x / 10)] = true;
    }
    end("dots.json");
    const struct map_background *b = shown_of(&c, "background dots.json\n");
    for (int k = 0; k < 2; k++) {
        const struct background_feature *f = &b->feature[0];
        for (int i = 0; i < b->count; i++)
            if (b->feature[i].kind == kind[k]) f = &b->feature[i];
        assert_true(f->kind == kind[k] && f->shape.kind == MAP_POINT && !*f->shape.label);
        for (int row = 0; row < HIGH / 10; row++)
            for (int col = 0; col < WIDE / 10; col++) {
                assert_int_equal(has_dot(f, 10 * col + 5, 10 * row + 5), there[k][row][col]);
                dots[k] += there[k][row][col];
            }
    }
    assert_true(b->count == 2 && dots[0] > 10 && dots[1] > 5);
    case_free(&c);
}

/* Larger places come first, and only they are shown where there are many; each stands where it is, to a metre. */
static void places_by_their_size(void **state)
{
    static const char *const sizes[] = {"city", "town", "village", "suburb", "hamlet", "farm"};
    uint64_t rng = 23;
    for (int many = 0; many < 2; many++) {
        const int count = many ? 2600 : 90;
        static double xy[2600][2];
        struct sim_case c;
        int before = 0, shown = 0;
        begin();
        for (int i = 0; i < count; i++) {
            char name[16], size[40];
            snprintf(name, sizeof name, "p%d", i);
            snprintf(size, sizeof size, "\"%s\":\"%s\"", i % 2 ? "place" : "fclass",
                     sizes[i * 7 % 6]);
            feature(size, name);
            xy[i][0] = floor(random_unit(&rng) * 110 * 8) / 8 - 15.5;
            xy[i][1] = many ? 5 : floor(random_unit(&rng) * 90 * 8) / 8 - 15.5;
            if (many) xy[i][0] = i % WIDE;
            put("{\"type\":\"Point\",\"coordinates\":[%.3f,%.3f]}}", WEST + xy[i][0],
                SOUTH + xy[i][1]);
        }
        end("places.json");
        const struct map_background *b = shown_of(&c, "background places.json\n");
        for (int i = 0; i < count; i++) shown += on_terrain(xy[i][0], xy[i][1]);
        assert_int_equal(b->count, shown < BACKGROUND_PLACES_MOST ? shown : BACKGROUND_PLACES_MOST);
        assert_true(shown > 20);
        for (int i = 0; i < b->count; i++) {
            const struct map_place *p = &b->feature[i].shape;
            const int n = atoi(p->label + 1), rank = n * 7 % 6;
            assert_true(p->kind == MAP_POINT && p->parts == 1 && on_terrain(xy[n][0], xy[n][1]));
            assert_true(p->xy[0][0] == WEST + round(xy[n][0]) &&
                        p->xy[0][1] == SOUTH + round(xy[n][1]));
            assert_true(rank >= before);
            before = rank;
        }
        assert_int_equal(before, many ? 4 : 5);
        case_free(&c);
    }
}

/* Lines of a kind and a name are one feature, wherever they stand in a file. */
static void lines_of_a_name(void **state)
{
    struct sim_case c;
    begin();
    for (int i = 0; i < 12; i++) {
        feature(i % 2 ? "\"highway\":\"path\"" : "\"highway\":\"primary\"", i % 3 ? "Road" : "");
        put("{\"type\":\"LineString\",\"coordinates\":[[500005,%d],[500075,%d]]}}", 4000004 + 4 * i,
            4000004 + 4 * i);
    }
    end("lines.json");
    const struct map_background *b = shown_of(&c, "background lines.json\n");
    assert_int_equal(b->count, 4); /* two kinds, with a name and without */
    for (int i = 0; i < 4; i++) {
        const struct map_place *p = &b->feature[i].shape;
        assert_int_equal(b->feature[i].kind, i < 2 ? BACKGROUND_TRACK : BACKGROUND_MAIN_ROAD);
        assert_int_equal(p->parts, *p->label ? 4 : 2); /* of 6 of a kind, two have none */
        assert_int_equal(!*p->label, i % 2);           /* longer ones first */
        for (int k = 0; k < p->parts; k++) {
            const int n = (int)(p->xy[2 * k][1] - SOUTH - 4) / 4;
            assert_true(p->part_size[k] == 2 && n % 2 == (i < 2) && !*p->label == !(n % 3));
        }
    }
    case_free(&c);
}

/* Where there are too many positions, details are as coarse as need be, by factors of 2, and a note says so. */
static void too_many_details(void **state)
{
    uint64_t rng = 29;
    struct sim_case c;
    char said[128];
    int positions = 0;
    begin();
    for (int i = 0; i < 700; i++) {
        feature("\"highway\":\"path\"", "");
        put("{\"type\":\"LineString\",\"coordinates\":[");
        for (int k = 0; k < 120; k++)
            put("%s[%.1f,%.1f]", k ? "," : "", WEST + random_unit(&rng) * (i ? WIDE : 3),
                SOUTH + random_unit(&rng) * (i ? 12 : 3));
        put("]}}");
    }
    end("many.json");
    const struct map_background *b = shown_of(&c, "background many.json\n");
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < b->feature[i].shape.parts; k++)
            positions += b->feature[i].shape.part_size[k];
    assert_true(positions <= BACKGROUND_POSITIONS_MOST &&
                positions > BACKGROUND_POSITIONS_MOST / 8);
    const double factor = c.background->detail_m / DETAIL;
    assert_true(factor == 2 || factor == 4);
    snprintf(said, sizeof said,
             "background: has too many details for a map; those below %.3g m are skipped",
             c.background->detail_m);
    assert_non_null(strstr(c.told.notice, said));
    case_free(&c);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, kinds_by_attributes,
                       shapes_on_the_terrain, dots_without_a_name, places_by_their_size,
                       lines_of_a_name, too_many_details);
}
