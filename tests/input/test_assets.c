/* Places of interest: points, lines and areas as cells of the grid, and what is refused. */
/* tests: input/case, input/vector */
#include "case/assets.h"
#include "eruption/vents.h"
#include "folder.h"
#include "random_case.h"
#include "raster/raster.h"
#include "unit.h"

#include <math.h>

static struct assets read_places(struct scratch *s, const char *features)
{
    const struct georef geo = {.west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};
    struct assets a;
    struct error e = {0};
    const char *path = scratch_file(s, "a.json");
    write_text(path, features);
    assert_int_equal(assets_read(&a, path, 8, 10, &geo, &e), 0);
    return a;
}

static void places_become_cells(void **state)
{
    /* along the diagonal from south-west to north-east, through corners, and level */
    struct assets a = read_places(
        &dir, "{\"type\":\"FeatureCollection\",\"features\":["
              "{\"type\":\"Feature\",\"properties\":null,\"geometry\":"
              "{\"type\":\"LineString\",\"coordinates\":[[5,5],[45,25]]}},"
              "{\"type\":\"Feature\",\"id\":\"area\",\"properties\":{},\"geometry\":"
              "{\"type\":\"Polygon\",\"coordinates\":[[[20,20],[50,20],[50,40],[20,40],[20,20]]]}},"
              "{\"type\":\"Feature\",\"geometry\":"
              "{\"type\":\"Polygon\",\"coordinates\":[[[61,61],[62,61],[62,62],[61,61]]]}},"
              "{\"type\":\"Feature\",\"geometry\":"
              "{\"type\":\"MultiPoint\",\"coordinates\":[[1,79],[99,1],[500,500]]}},"
              "{\"type\":\"LineString\",\"coordinates\":[[-100,35],[1000,35]]},"
              /* edges and corners of cells; a name of 61 bytes, whose last character is cut */
              "{\"type\":\"Point\",\"coordinates\":[0,0]},"
              "{\"type\":\"Feature\",\"properties\":{\"name\":"
              "\"a\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
              "\u00e9\u00e9"
              "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
              "\u00e9\"},"
              "\"geometry\":{\"type\":\"Point\",\"coordinates\":[20,40]}},"
              "{\"type\":\"Point\",\"coordinates\":[100,80]}]}");
    assert_int_equal(a.count, 7); /* not that on the north-eastern corner */
    assert_true(a.asset[5].cells == 1 && a.asset[5].cell[0] == 70);
    assert_true(a.asset[6].cells == 1 && a.asset[6].cell[0] == 32);
    assert_int_equal(strlen(a.asset[6].name), 59);
    assert_null(strchr(a.asset[6].name, '?'));
    static const uint32_t line[] = {53, 54, 61, 62, 63, 70, 71}; /* rows from the north */
    static const uint32_t area[] = {42, 43, 44, 52, 53, 54};
    assert_string_equal(a.asset[0].name, "1");
    assert_int_equal(a.asset[0].kind, ASSET_LINE);
    assert_true(a.asset[0].cells == 7 && !memcmp(a.asset[0].cell, line, sizeof line));
    assert_string_equal(a.asset[1].name, "area");
    assert_true(a.asset[1].cells == 6 && !memcmp(a.asset[1].cell, area, sizeof area));
    assert_true(a.asset[2].cells == 1 && a.asset[2].cell[0] == 16); /* smaller than a cell */
    assert_true(a.asset[3].cells == 2 && a.asset[3].cell[0] == 0 && a.asset[3].cell[1] == 79);
    assert_true(a.asset[4].cells == 10 && a.asset[4].cell[0] == 40);
    /* m of a line on the terrain, m2 of the cells of an area, 1 for a point */
    const double size[] = {hypot(40, 20), 600, 100, 1, 100, 1, 1};
    for (int i = 0; i < 7; i++) assert_true(fabs(a.asset[i].size - size[i]) < 1e-9);
    assets_free(&a);
}

/* A place is bare if none of its cells has data, and in the sea if the sea is why, in each of them. */
static void bare_places(void **state)
{
    struct assets a = read_places(
        &dir, "{\"type\":\"FeatureCollection\",\"features\":["
              "{\"type\":\"Feature\",\"id\":7,\"properties\":{\"name\":\"road\"},\"geometry\":"
              "{\"type\":\"LineString\",\"coordinates\":[[5,75],[35,75]]}}]}");
    static const struct {
        const char *cells; /* l: land, h: a hole, s: sea */
        bool bare, sea;
    } cases[] = {{"llll", false, false}, {"hhhl", false, false}, {"sssl", false, false},
                 {"lsss", false, false}, {"hhhh", true, false},  {"hsss", true, false},
                 {"sssh", true, false},  {"ssss", true, true}};
    assert_string_equal(a.asset[0].name, "road");
    assert_int_equal(a.asset[0].cells, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double z[80] = {0};
        uint8_t sea[80] = {0};
        const struct problem p = {.rows = 8, .cols = 10, .elevation_m = z, .sea = sea};
        for (int k = 0; k < 4; k++) {
            z[k] = cases[i].cells[k] == 'l' ? 100 : (double)NAN;
            sea[k] = cases[i].cells[k] == 's';
        }
        assets_find_bare(&a, &p);
        assert_true(a.asset[0].bare == cases[i].bare && a.asset[0].sea == cases[i].sea);
    }
    assets_free(&a);
}

/* ---- on edges and corners (docs/formats/vectors.md) --------------------------------------------------- */

enum {
    SIDE = 3,
    STEPS = 2 * SIDE + 1
}; /* positions each half a cell, so every second one is on an edge */
static const struct georef square = {
    .west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};

/* Of one feature, -1: none of it is on the terrain. *bits: a bit for each of its cells. */
static int cells_of(unsigned *bits, const char *geometry)
{
    struct assets a;
    struct error e = {0};
    const char *path = scratch_file(&dir, "edge.json");
    *bits = 0;
    write_text(path, geometry);
    if (assets_read(&a, path, SIDE, SIDE, &square, &e)) return -1;
    assert_int_equal(a.count, 1);
    for (uint32_t i = 0; i < a.asset[0].cells; i++) *bits |= 1U << a.asset[0].cell[i];
    const int cells = (int)a.asset[0].cells;
    assets_free(&a);
    return cells;
}

static unsigned bit_of(int up, int col)
{
    return 1U << ((SIDE - 1 - up) * SIDE + col);
}

/* In the eastern or northern cell, and so is a vent. */
static void points_on_edges(void **state)
{
    const double flat[SIDE * SIDE] = {0};
    const struct vent_ground ground = {
        .rows = SIDE, .cols = SIDE, .geo = &square, .elevation_m = flat};
    const char *csv = scratch_file(&dir, "edge.csv");
    for (int y = 0; y < STEPS; y++)
        for (int x = 0; x < STEPS; x++) {
            char text[96];
            unsigned bits;
            struct vent_sites v = {0};
            struct error e = {0};
            const bool on = x < STEPS - 1 && y < STEPS - 1;
            snprintf(text, sizeof text, "{\"type\":\"Point\",\"coordinates\":[%d,%d]}", 5 * x,
                     5 * y);
            assert_int_equal(cells_of(&bits, text), on ? 1 : -1);
            if (on) assert_int_equal(bits, bit_of(y / 2, x / 2));
            snprintf(text, sizeof text, "vent,x,y\n1,%d,%d\n", 5 * x, 5 * y);
            write_text(csv, text);
            assert_int_equal(vents_read(&v, csv, &ground, &e), on ? 0 : ERROR_INPUT);
            if (on)
                assert_int_equal(bit_of(SIDE - 1 - v.site[0].cell[0].row, v.site[0].cell[0].col),
                                 bits);
            vents_free(&v);
        }
}

/* A fissure along an edge has the northern cells, a line of places the southern or eastern cells, one through corners those that it enters; a polygon those with their
 * centre inside it or on its western or southern edge. */
static void lines_and_areas_on_edges(void **state)
{
    char text[160];
    unsigned bits;
    const double flat[SIDE * SIDE] = {0};
    const struct vent_ground ground = {SIDE, SIDE, &square, flat, NULL, NULL};
    for (int k = 0; k < SIDE; k++) {
        struct vent_sites v = {0};
        struct error e = {0};
        const char *csv = scratch_file(&dir, "edge.csv");
        snprintf(text, sizeof text, "vent,x,y\n1,5,%d\n1,15,%d\n", 10 * k, 10 * k);
        write_text(csv, text);
        assert_int_equal(vents_read(&v, csv, &ground, &e), 0);
        assert_int_equal(v.site[0].count, 2);
        for (int i = 0; i < 2; i++)
            assert_true(v.site[0].cell[i].row == SIDE - 1 - k && v.site[0].cell[i].col == i);
        vents_free(&v);
    }
    for (int k = 0; k <= SIDE; k++) {
        snprintf(text, sizeof text, "{\"type\":\"LineString\",\"coordinates\":[[5,%d],[15,%d]]}",
                 10 * k, 10 * k);
        assert_int_equal(cells_of(&bits, text), k ? 2 : -1);
        if (k) assert_int_equal(bits, bit_of(k - 1, 0) | bit_of(k - 1, 1));
        snprintf(text, sizeof text, "{\"type\":\"LineString\",\"coordinates\":[[%d,5],[%d,15]]}",
                 10 * k, 10 * k);
        assert_int_equal(cells_of(&bits, text), k < SIDE ? 2 : -1);
        if (k < SIDE) assert_int_equal(bits, bit_of(0, k) | bit_of(1, k));
    }
    assert_int_equal(cells_of(&bits, "{\"type\":\"LineString\",\"coordinates\":[[5,5],[25,25]]}"),
                     SIDE);
    assert_int_equal(bits, bit_of(0, 0) | bit_of(1, 1) | bit_of(2, 2));
    assert_int_equal(
        cells_of(&bits,
                 "{\"type\":\"Polygon\",\"coordinates\":[[[5,5],[25,5],[25,25],[5,25],[5,5]]]}"),
        4);
    assert_int_equal(bits, bit_of(0, 0) | bit_of(0, 1) | bit_of(1, 0) | bit_of(1, 1));
}

/* A raster with other cells is sampled as GDAL does it: in the southern or eastern cell. */
static void rasters_on_edges(void **state)
{
    double value[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) value[i] = i;
    const struct raster r = {.rows = SIDE, .cols = SIDE, .geo = square, .value = value};
    for (int y = 0; y < STEPS; y++)
        for (int x = 0; x < STEPS; x++) {
            const double got = raster_at(&r, 5.0 * x, 5.0 * y);
            if (!y || x == STEPS - 1) assert_true(isnan(got));
            else assert_true(got == (SIDE - (y + 1) / 2) * SIDE + x / 2);
        }
}

/* ---- all that is known of a place, anew, of many files ------------------------------------------------ */

enum { UP = 8, ACROSS = 10, PLACES = 14, FINE = 4000 };
static const struct georef plain = {
    .west_m = 500000, .south_m = 4000000, .cell_m = 10, .crs = {.epsg = 32633}};

/* A place as it is written: points, lines or triangles, one to three of them. */
struct written {
    int kind, parts, positions[3]; /* positions of each part */
    double xy[3][4][2];            /* metres from the south-western corner */
    char name[16], people[16];     /* "": it has none */
};

static struct written random_place(uint64_t *rng, int number)
{
    struct written w = {.kind = (int)(random_unit(rng) * 3),
                        .parts = 1 + (int)(random_unit(rng) * 3)};
    for (int part = 0; part < 3; part++)
        w.positions[part] = w.kind == ASSET_POINT ? 1 : w.kind == ASSET_LINE ? 4 - part : 4;
    const double off = random_unit(rng) < 0.2 ? 150 : 0;
    for (int part = 0; part < w.parts; part++)
        for (int i = 0; i < w.positions[part]; i++) {
            w.xy[part][i][0] = floor(1300 * random_unit(rng)) / 10 - 10.03 + off;
            w.xy[part][i][1] = floor(1000 * random_unit(rng)) / 10 - 10.03;
        }
    if (w.kind == ASSET_AREA)
        for (int part = 0; part < w.parts; part++)
            memcpy(w.xy[part][3], w.xy[part][0], sizeof *w.xy[part]);
    if (random_unit(rng) < 0.8) snprintf(w.name, sizeof w.name, "place %d", 7 * number);
    if (random_unit(rng) < 0.7) snprintf(w.people, sizeof w.people, "%d", 3 + 5 * number);
    return w;
}

static int put_place(char *out, size_t size, const struct written *w)
{
    static const char *const types[] = {"MultiPoint", "MultiLineString", "MultiPolygon"};
    static const char *const open[] = {"", "[", "[["}, *const close[] = {"", "]", "]]"};
    int n = snprintf(out, size,
                     "{\"type\":\"Feature\",\"properties\":{%s%s%s%s%s%s},\"geometry\":{\"type\":"
                     "\"%s\",\"coordinates\":[",
                     *w->name ? "\"name\":\"" : "", w->name, *w->name ? "\"" : "",
                     *w->name && *w->people ? "," : "", *w->people ? "\"people\":" : "", w->people,
                     types[w->kind]);
    for (int part = 0; part < w->parts; part++) {
        n += snprintf(out + n, size - (size_t)n, "%s%s", part ? "," : "", open[w->kind]);
        for (int i = 0; i < w->positions[part]; i++)
            n += snprintf(out + n, size - (size_t)n, "%s[%.2f,%.2f]", i ? "," : "",
                          plain.west_m + w->xy[part][i][0], plain.south_m + w->xy[part][i][1]);
        n += snprintf(out + n, size - (size_t)n, "%s", close[w->kind]);
    }
    return n + snprintf(out + n, size - (size_t)n, "]}}");
}

/* The cell of a position; -1: outside. */
static int cell_at(double x, double y)
{
    const int col = (int)floor(x / 10), up = (int)floor(y / 10);
    return col < 0 || up < 0 || col >= ACROSS || up >= UP ? -1 : (UP - 1 - up) * ACROSS + col;
}

/* Marks the cells that a segment passes through; returns its length on the terrain. */
static double walk(bool cell[UP * ACROSS], const double a[2], const double b[2])
{
    int inside = 0;
    for (int i = 0; i < FINE; i++) {
        const double t = (i + 0.5) / FINE;
        const int at = cell_at(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]));
        if (at >= 0) cell[at] = true;
        inside += at >= 0;
    }
    return hypot(b[0] - a[0], b[1] - a[1]) * inside / FINE;
}

static bool in_triangle(double (*p)[2], double x, double y)
{
    int left = 0;
    for (int i = 0; i < 3; i++)
        left += (p[i + 1][0] - p[i][0]) * (y - p[i][1]) > (p[i + 1][1] - p[i][1]) * (x - p[i][0]);
    return left == 0 || left == 3;
}

/* Marks the cells of a place, and returns its size. */
static double draw_place(bool cell[UP * ACROSS], struct written *w)
{
    double length_m = 0;
    int cells = 0, edge = 0; /* a small area has the cells of its edge */
    memset(cell, 0, UP * ACROSS * sizeof *cell);
    for (int i = 0; i < UP * ACROSS && w->kind == ASSET_AREA; i++) {
        const double x = i % ACROSS * 10 + 5, y = (UP - 1 - i / ACROSS) * 10 + 5;
        for (int part = 0; part < w->parts; part++) cell[i] |= in_triangle(w->xy[part], x, y);
        cells += cell[i];
    }
    for (int part = 0; part < w->parts && !cells; part++) {
        double(*xy)[2] = w->xy[part];
        const int only = cell_at(xy[0][0], xy[0][1]);
        if (w->kind == ASSET_POINT && only >= 0) cell[only] = true;
        for (int i = 1; i < w->positions[part]; i++) length_m += walk(cell, xy[i - 1], xy[i]);
    }
    if (w->kind == ASSET_LINE) return length_m;
    for (int i = 0; i < UP * ACROSS && !cells; i++) edge += cell[i];
    return w->kind == ASSET_POINT ? 1 : 100 * (cells + edge);
}

static void expect_place(const struct asset *a, struct written *w, const bool cell[UP * ACROSS],
                         double size)
{
    uint32_t k = 0;
    int at = 0;
    assert_int_equal(a->kind, w->kind);
    for (int i = 0; i < UP * ACROSS; i++)
        if (cell[i]) assert_true(k < a->cells && (int)a->cell[k++] == i);
    assert_int_equal(k, a->cells);
    assert_true(fabs(a->size - size) < (w->kind == ASSET_LINE ? 0.2 : 1e-9));
    assert_int_equal(a->parts, w->parts);
    for (int part = 0; part < w->parts; part++) {
        assert_int_equal(a->part_size[part], w->positions[part]);
        for (int i = 0; i < w->positions[part]; i++, at++)
            for (int axis = 0; axis < 2; axis++)
                assert_true(fabs(a->xy[at][axis] - w->xy[part][i][axis] -
                                 (axis ? plain.south_m : plain.west_m)) < 1e-6);
    }
}

/* A list of names of which a warning shows the first: all, or as many as there is room for and "...". */
static void add_listed(char list[1024], const char *name)
{
    snprintf(list + strlen(list), 1024 - strlen(list), "%s%s", *list ? ", " : "", name);
}

static void expect_warning(const struct warnings *w, const char *where, int count, int all,
                           const char *list)
{
    char said[256], line[WARNING_TEXT];
    const char *names = NULL;
    snprintf(said, sizeof said,
             "places of interest %s, where nothing is computed: %d of %d: ", where, count, all);
    for (int i = 0; i < w->count; i++) {
        if (strncmp(warnings_line(w, i, line), said, strlen(said)) != 0) continue;
        names = line + strlen(said);
        assert_int_equal(w->of[i].kind, WARNING_RESULT);
        break;
    }
    assert_int_equal(names != NULL, count > 0);
    if (!count || !strcmp(names, list)) return;
    const size_t shown = strlen(names) - strlen(", ...");
    assert_string_equal(names + shown, ", ...");
    assert_true(!strncmp(names, list, shown) && !strncmp(list + shown, ", ", 2));
    assert_true(strlen(names) < ASSETS_NAMES && strlen(names) + 14 >= ASSETS_NAMES);
}

static void put_row(const struct asset *a, char out[128])
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct table t = table_to(f);
    TABLE_ROWS (t, i, 1) assets_put(&t, a);
    fclose(f);
    assert_true(!strncmp(text, "name,kind,cells\n", 16));
    snprintf(out, 128, "%s", text + 16);
    free(text);
}

/* Reads the file of places w[PLACES], and compares all of it with what was written. Returns how many are shown. */
static int expect_file(struct written w[PLACES], const struct problem *p)
{
    static const char *const kinds[] = {"point", "line", "area"};
    static char text[PLACES * 1024];
    const struct vector_grid grid = {UP, ACROSS, &plain};
    const char *path = scratch_file(&dir, "many.json");
    char outside[1024] = "", sea[1024] = "", bare[1024] = "";
    bool cell[UP * ACROSS];
    double amount[PLACES];
    struct assets a;
    struct warnings said = {0};
    struct error e = {0};
    int n = snprintf(text, sizeof text, "{\"type\":\"FeatureCollection\",\"features\":["), k = 0,
        seas = 0, bares = 0;
    for (int i = 0; i < PLACES; i++) {
        if (i) text[n++] = ',';
        n += put_place(text + n, sizeof text - (size_t)n, &w[i]);
    }
    snprintf(text + n, sizeof text - (size_t)n, "]}");
    write_text(path, text);
    must(assets_on(&a, path, p, &plain, &e), &e);
    must(assets_amounts(amount, &a, path, "people", &grid, &e), &e);
    for (int i = 0; i < PLACES; i++) {
        const double size = draw_place(cell, &w[i]);
        int cells = 0, data = 0, wet = 0;
        char name[64], row[128], put[128];
        for (int c = 0; c < UP * ACROSS; c++) {
            cells += cell[c];
            data += cell[c] && !isnan(p->elevation_m[c]);
            wet += cell[c] && p->sea[c];
        }
        snprintf(name, sizeof name, "%s", w[i].name);
        if (!*name) snprintf(name, sizeof name, "%d", i + 1);
        if (!cells) {
            add_listed(outside, name);
            continue;
        }
        const struct asset *x = &a.asset[k];
        assert_true(k < a.count);
        assert_string_equal(x->name, name);
        assert_int_equal(x->feature, i);
        expect_place(x, &w[i], cell, size);
        assert_true(amount[k++] == (*w[i].people ? atof(w[i].people) : 0));
        assert_true(x->bare == !data && x->sea == (wet == cells));
        if (!data) add_listed(wet == cells ? sea : bare, name);
        seas += wet == cells;
        bares += !data && wet < cells;
        put_row(x, row);
        snprintf(put, sizeof put, "%s,%s,%d\n", name, kinds[w[i].kind], data ? cells : 0);
        assert_string_equal(row, put);
    }
    assert_int_equal(a.count, k);
    assets_warn(&a, NULL, &said);
    expect_warning(&said, "outside the terrain", PLACES - k, PLACES, outside);
    expect_warning(&said, "in the sea", seas, PLACES, sea);
    expect_warning(&said, "outside the terrain's data", bares, PLACES, bare);
    assets_free(&a);
    return k;
}

static void places_anew(void **state)
{
    uint64_t rng = 12;
    int shown = 0;
    for (int round = 0; round < 30; round++) {
        struct written w[PLACES];
        double z[UP * ACROSS];
        uint8_t sea[UP * ACROSS] = {0};
        const struct problem p = {.rows = UP, .cols = ACROSS, .elevation_m = z, .sea = sea};
        for (int i = 0; i < UP * ACROSS; i++) {
            sea[i] = random_unit(&rng) < 0.2 * (round % 4);
            z[i] = sea[i] || random_unit(&rng) < 0.3 ? (double)NAN : 100;
        }
        for (int i = 0; i < PLACES; i++) w[i] = random_place(&rng, i);
        for (int part = 0; round == 1 && part < 3; part++)
            w[0].xy[part][0][0] = 500, w[0].kind = ASSET_POINT, w[0].positions[part] = 1;
        if (round == 2) w[0] = (struct written){ASSET_POINT, 1, {1}, {{{35, 35}}}, "place 0", "3"};
        for (int i = 1; round == 2 && i < PLACES; i++)
            for (int part = 0; part < 3; part++)
                for (int k = 0; k < 4; k++) w[i].xy[part][k][0] += 400;
        shown += expect_file(w, &p);
    }
    assert_true(shown > 200);
}

/* Numbers that are no amounts, and an attribute that no place has. */
static void amounts_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"-1", "people of \"two\" is -1; give 0 to 1e+15"},
        {"2e15", "people of \"two\" is 2e+15; give 0 to 1e+15"},
        {"\"many\"", "many"},
    };
    const struct vector_grid grid = {UP, ACROSS, &plain};
    const char *path = scratch_file(&dir, "bad.json");
    struct error e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[600];
        double amount[2];
        struct assets a;
        snprintf(text, sizeof text,
                 "{\"type\":\"FeatureCollection\",\"features\":["
                 "{\"type\":\"Feature\",\"properties\":{\"name\":\"one\",\"people\":1},"
                 "\"geometry\":{\"type\":\"Point\",\"coordinates\":[500005,4000005]}},"
                 "{\"type\":\"Feature\",\"properties\":{\"name\":\"two\",\"people\":%s},"
                 "\"geometry\":{\"type\":\"Point\",\"coordinates\":[500015,4000005]}}]}",
                 bad[i][0]);
        write_text(path, text);
        must(assets_read(&a, path, UP, ACROSS, &plain, &e), &e);
        assert_int_equal(assets_amounts(amount, &a, path, "people", &grid, &e), ERROR_INPUT);
        if (!strstr(e.text, bad[i][1])) fail_msg("%s", e.text);
        assert_int_equal(assets_amounts(amount, &a, path, "cows", &grid, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "no place has an attribute cows"));
        assets_free(&a);
    }
}

static void refuses_bad_places(void **state)
{
    static const char *const bad[][2] = {
        {"{\"type\":\"Point\",\"coordinates\":[5000,5]}", "lies outside the terrain"},
        {"{\"type\":\"LineString\",\"coordinates\":[[-50,50],[20,150]]}", "touches no cell"},
        {"{\"type\":\"Point\",\"coordinates\":[\"a\",5]}", "not a pair of numbers"},
        {"{\"type\":\"LineString\",\"coordinates\":[]}", "has no features with a geometry"},
        {"{\"type\":\"Circle\",\"coordinates\":[1,2]}", "neither point, line nor polygon"},
        {"{\"type\":\"FeatureCollection\",\"features\":[]}", "has no features with a geometry"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[1,1]]]}", "less than four"},
        {"{\"crs\":{\"properties\":{\"name\":\"EPSG:4326\"}},\"type\":\"Point\",\"coordinates\":"
         "[5,5]}",
         "its CRS: EPSG:4326, transformed to EPSG:32633"},
        {"{\"crs\":{\"properties\":{\"name\":\"+proj=utm\"}},\"type\":\"Point\",\"coordinates\":"
         "[5,5]}",
         "names an unknown CRS"},
        {"{\"type\":", "is not JSON"},
        {"", "is not one of GeoJSON"},
    };
    const struct georef geo = {.west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};
    const char *path = scratch_file(&dir, "a.json");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = {0};
        struct assets a;
        write_text(path, bad[i][0]);
        assert_int_equal(assets_read(&a, path, 8, 10, &geo, &e), ERROR_INPUT);
        if (!strstr(e.text, bad[i][1])) print_error("%s\n", e.text);
        assert_non_null(strstr(e.text, bad[i][1]));
        assert_non_null(strstr(e.text, path));
        assert_null(strchr(e.text, '\n'));
        assert_null(a.asset);
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, bare_places, places_become_cells,
                       points_on_edges, lines_and_areas_on_edges, rasters_on_edges,
                       refuses_bad_places, places_anew, amounts_are_refused);
}
