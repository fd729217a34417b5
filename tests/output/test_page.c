/* report.html: its numbers come back as they were, to half a unit; it holds what the layers hold;
 * and whatever a summary says, there is a page or one line of error. */
/* tests: show/page, show/paint */
#include "raster/raster.h"
#include "record/pack.h"
#include "record/page_parts.h"
#include "record/painters.h"
#include "record/picture_mark.h"

#include "scratch.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "library_case.h"
#include "unit.h"

/* ---- the other way round, as src/show/page/data.js goes ------------------------------------ */

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Bytes from base64, inflated: malloc'ed. */
static unsigned char *unpack(const char *text, size_t length, size_t size)
{
    unsigned char *deflated = malloc(length + 1), *out = malloc(size + 1);
    size_t n = 0;
    assert_true(length % 4 == 0);
    for (size_t i = 0; i < length; i += 4) {
        uint32_t bits = 0;
        int left = 3;
        for (int k = 0; k < 4; k++) {
            const int digit = digit_of(text[i + (size_t)k]);
            if (digit < 0) left--;
            bits = bits << 6 | (uint32_t)(digit < 0 ? 0 : digit);
        }
        for (int k = 0; k < left; k++) deflated[n++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    uLongf got = (uLongf)size;
    assert_int_equal(uncompress(out, &got, deflated, (uLong)n), Z_OK);
    assert_int_equal(got, size);
    free(deflated);
    return out;
}

static uint16_t unfold(const unsigned char *low, size_t count, size_t i)
{
    const uint16_t q = (uint16_t)(low[i] | low[count + i] << 8);
    return (uint16_t)(q & 1 ? ~(q >> 1) : q >> 1);
}

static void unlist(uint16_t *out, const unsigned char *low, const uint16_t *before, size_t count)
{
    uint16_t last = 0, last_before = 0;
    for (size_t i = 0; i < count; i++) {
        last = (uint16_t)(last + unfold(low, count, i));
        if (before) last = (uint16_t)(last + before[i] - last_before);
        if (before) last_before = before[i];
        out[i] = last;
    }
}

static void ungrid(uint16_t *out, const unsigned char *low, size_t count, size_t cols)
{
    for (size_t i = 0; i < count; i++) {
        const uint16_t w = i % cols ? out[i - 1] : 0, n = i >= cols ? out[i - cols] : 0;
        const uint16_t c = i % cols && i >= cols ? out[i - cols - 1] : 0;
        const uint16_t least = w < n ? w : n, most = w < n ? n : w;
        const uint16_t near = c >= most ? least : c <= least ? most : (uint16_t)(w + n - c);
        out[i] = (uint16_t)(near + unfold(low, count, i));
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum { MANY = 5000, ACROSS = 50 };

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void test_numbers_come_back(void **unused)
{
    static uint16_t a[MANY], b[MANY], got[MANY];
    static unsigned char set[MANY];
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint64_t state = seed;
        struct pack_bytes bytes = {0};
        struct error e;
        for (int i = 0; i < MANY; i++) { /* noise, and slow changes with holes */
            a[i] = (uint16_t)(seed % 2 ? draw(&state) : 3000 + (unsigned)(i % ACROSS) * 7);
            b[i] = (uint16_t)(a[i] + draw(&state) % 5);
            if (draw(&state) % 7 == 0) a[i] = PACK_NONE;
            set[i] = draw(&state) % 3 == 0;
        }
        assert_int_equal(pack_list(&bytes, a, NULL, MANY, &e), 0);
        assert_int_equal(pack_list(&bytes, b, a, MANY, &e), 0);
        assert_int_equal(pack_grid(&bytes, a, MANY / ACROSS, ACROSS, &e), 0);
        assert_int_equal(pack_bits(&bytes, set, MANY, &e), 0);
        assert_int_equal(bytes.size, 6 * MANY + (MANY + 7) / 8);
        char *text = pack_text(&bytes);
        unsigned char *back = unpack(text, strlen(text), bytes.size);
        unlist(got, back, NULL, MANY);
        assert_memory_equal(got, a, sizeof a);
        unlist(got, back + 2 * MANY, a, MANY);
        assert_memory_equal(got, b, sizeof b);
        ungrid(got, back + 4 * MANY, MANY, ACROSS);
        assert_memory_equal(got, a, sizeof a);
        for (int i = 0; i < MANY; i++)
            assert_int_equal(back[6 * MANY + i / 8] >> (7 - i % 8) & 1, set[i]);
        free(text);
        free(back);
        pack_free(&bytes);
    }
}

static void test_base64_of_all_lengths(void **unused)
{
    static unsigned char bytes[] = {0, 255, 17, 128, 63, 62, 1};
    (void)unused;
    for (size_t size = 0; size <= sizeof bytes; size++) {
        const struct pack_bytes b = {bytes, size, size};
        char *text = pack_text(&b);
        unsigned char *back = unpack(text, strlen(text), size);
        assert_memory_equal(back, bytes, size);
        free(text);
        free(back);
    }
}

static void test_scales_hold_all_values(void **unused)
{
    static const double most[] = {0.004, 1, 21.12, 655.33, 655.35, 700, 9000, 1e6};
    (void)unused;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        const struct pack_scale s = pack_scale(0, most[i], 0.01);
        assert_true(s.unit >= 0.01 && s.base == 0);
        assert_true(s.unit < 0.011 || most[i] > 655);
        for (int k = 0; k <= 100; k++) {
            const double x = most[i] * k / 100, q = pack_quantum(s, x);
            assert_true(fabs(s.base + s.unit * q - x) <= 0.5000001 * s.unit);
        }
    }
    const struct pack_scale below = pack_scale(-12.34, 3400, 0.1);
    assert_true(fabs(below.base + 12.3) < 1e-9 && fabs(below.unit - 0.1) < 1e-12);
    assert_int_equal(pack_quantum(below, (double)NAN), PACK_NONE);
    assert_int_equal(pack_quantum(below, 1e9), PACK_MOST);
    assert_true(pack_scale((double)NAN, (double)NAN, 0.01).unit > 0);
}

/* ---- a page of a run ------------------------------------------------------------------------- */

struct world {
    struct scratch s;
    const char *folder;
};

static void run_slope(const char *folder, const char *layers, int every)
{
    struct sciara_error e = {0};
    struct sciara_run_options o;
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_run_options_init(&o, sizeof o);
    o.folder = folder;
    o.formats = SCIARA_GEOTIFF;
    o.layers = layers;
    o.every = every;
    OK(sciara_run(s, &o, NULL, &e));
    sciara_free(s);
    sciara_case_free(c);
}

static int make_run(void **state)
{
    static struct world w;
    scratch_create(&w.s);
    w.folder = scratch_file(&w.s, "run");
    run_slope(w.folder, "all", 50);
    *state = &w;
    return 0;
}

static int remove_run(void **state)
{
    struct world *w = *state;
    scratch_remove(&w->s);
    return 0;
}

static const struct painting plain = {.version = "test"};

static int write_page(const char *folder, const struct painting *how, struct error *e)
{
    struct painting p = *how;
    struct record *record = NULL;
    char path[200];
    snprintf(path, sizeof path, "%s/" RECORD_FILE, folder);
    if (access(path, F_OK) == 0) assert_int_equal(record_open(&record, path, e), 0);
    p.record = record;
    p.folder = p.output = folder;
    p.formats = SCIARA_HTML;
    const int status = painters_paint(&p, e);
    record_close(record);
    return status;
}

/* What stands between a start and the next </script>. */
static char *part_of(const char *page, const char *start)
{
    const char *begin = strstr(page, start);
    assert_non_null(begin);
    begin += strlen(start);
    const char *end = strstr(begin, "</script>");
    assert_non_null(end);
    char *part = malloc((size_t)(end - begin) + 1);
    memcpy(part, begin, (size_t)(end - begin));
    part[end - begin] = '\0';
    return part;
}

static double number(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(o, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Of a layer's last state in all cells, against the raster that it is from. */
static void check_list(const cJSON *facts, const unsigned char *bytes, const cJSON *arrays,
                       int array, const char *raster, int *compared)
{
    const cJSON *a = cJSON_GetArrayItem(arrays, array),
                *cells = cJSON_GetObjectItem(facts, "cells");
    const size_t count = (size_t)number(a, "count");
    static uint16_t state[2][CELLS];
    int chain[8], links = 0;
    struct raster r;
    struct error e;
    for (int k = array;; k = (int)number(cJSON_GetArrayItem(arrays, k), "before")) {
        chain[links++] = k;
        if (!cJSON_GetObjectItem(cJSON_GetArrayItem(arrays, k), "before")) break;
    }
    for (int k = links - 1, odd = 0; k >= 0; k--, odd = !odd)
        unlist(state[odd], bytes + (size_t)number(cJSON_GetArrayItem(arrays, chain[k]), "at"),
               k < links - 1 ? state[!odd] : NULL, count);
    const uint16_t *q = state[(links - 1) % 2];
    assert_int_equal(raster_read(&r, raster, 0, &e), 0);
    const unsigned char *mask =
        bytes + (size_t)number(cJSON_GetArrayItem(arrays, (int)number(cells, "mask")), "at");
    const int cols = (int)number(cells, "cols"), rows = (int)number(cells, "rows");
    size_t n = 0;
    for (int i = 0; i < rows * cols; i++) {
        if (!(mask[i / 8] >> (7 - i % 8) & 1)) continue;
        const int row = (int)number(cells, "row0") + i / cols,
                  col = (int)number(cells, "col0") + i % cols;
        const double kelvin = strstr(raster, "temperature_K") ? 273.15 : 0; /* the page has °C */
        const double exact = r.value[row * COLS + col] - kelvin;
        const double got = number(a, "base") + number(a, "unit") * q[n];
        assert_int_equal(q[n] == PACK_NONE, isnan(exact));
        if (q[n] != PACK_NONE) {
            assert_true(fabs(got - exact) <= 0.5001 * number(a, "unit"));
            ++*compared;
        }
        n++;
    }
    assert_int_equal(n, count);
    raster_free(&r);
}

static void test_a_page_holds_the_layers(void **state)
{
    struct world *w = *state;
    struct error e;
    char path[200], raster[200];
    int compared = 0;
    assert_int_equal(write_page(w->folder, &plain, &e), 0);
    snprintf(path, sizeof path, "%s/report.html", w->folder);
    assert_true(picture_is_ours(path));
    char *page = read_text(path);
    char *json = part_of(page, "id=\"facts\">"), *text = part_of(page, "id=\"numbers\">");
    cJSON *facts = cJSON_Parse(json);
    assert_non_null(facts);
    const cJSON *arrays = cJSON_GetObjectItem(facts, "arrays"), *layer;
    const cJSON *last = cJSON_GetArrayItem(arrays, cJSON_GetArraySize(arrays) - 1);
    assert_non_null(last);
    size_t size = 0;
    const cJSON *a;
    cJSON_ArrayForEach (a, arrays) {
        const double count = number(a, "count");
        const bool bits = !strcmp(cJSON_GetObjectItem(a, "form")->valuestring, "bits");
        const size_t end = (size_t)number(a, "at") + (size_t)(bits ? ceil(count / 8) : 2 * count);
        if (end > size) size = end;
    }
    unsigned char *bytes = unpack(text, strlen(text), size);
    int layers = 0, states = 0;
    cJSON_ArrayForEach (layer, cJSON_GetObjectItem(facts, "layers")) {
        const char *name = cJSON_GetObjectItem(layer, "name")->valuestring;
        snprintf(raster, sizeof raster, "%s/%s_000200.tif", w->folder, name);
        check_list(facts, bytes, arrays, (int)number(layer, "array"), raster, &compared);
        const cJSON *shot;
        cJSON_ArrayForEach (shot, cJSON_GetObjectItem(layer, "states")) {
            snprintf(raster, sizeof raster, "%s/%s_%06d.tif", w->folder, name,
                     (int)number(shot, "step"));
            check_list(facts, bytes, arrays, (int)number(shot, "array"), raster, &compared);
            states++;
        }
        layers++;
    }
    assert_int_equal(layers, 4);
    assert_int_equal(states, 2 * 4);
    assert_true(compared > 500);
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(facts, "summary"), "files"));
    cJSON_Delete(facts);
    free(bytes);
    free(json);
    free(text);
    free(page);
}

/* Of more snapshots than a page shows: the last, and others as evenly as their number allows. */
static void test_many_snapshots(void **state)
{
    struct world *w = *state;
    struct error e;
    enum { EVERY = 3, LAST = 200, MOST = 60 };
    const char *folder = scratch_file(&w->s, "many");
    run_slope(folder, "arrival_h,max_thickness_m,total_thickness_m", EVERY);
    must(write_page(folder, &plain, &e), &e);
    FREED char *page = read_text(scratch_file(&w->s, "many/report.html"));
    FREED char *json = part_of(page, "id=\"facts\">");
    cJSON *facts = cJSON_Parse(json);
    const cJSON *layer, *shot;
    int states = 0, before = 0;
    cJSON_ArrayForEach (layer, cJSON_GetObjectItem(facts, "layers"))
        cJSON_ArrayForEach (shot, cJSON_GetObjectItem(layer, "states")) {
            const int step = (int)number(shot, "step"),
                      place = step == LAST ? LAST / EVERY + 1 : step / EVERY;
            assert_true(place > before && place - before <= 2);
            before = place;
            states++;
        }
    assert_int_equal(states, MOST);
    assert_int_equal(before, LAST / EVERY + 1);
    cJSON_Delete(facts);
}

/* Degrees are those of PROJ, to the error that the page states. */
static void test_degrees(void **state)
{
    struct world *w = *state;
    struct error e;
    char path[200];
    assert_int_equal(write_page(w->folder, &plain, &e), 0);
    snprintf(path, sizeof path, "%s/report.html", w->folder);
    char *page = read_text(path), *json = part_of(page, "id=\"facts\">");
    cJSON *facts = cJSON_Parse(json), *degrees = cJSON_GetObjectItem(facts, "degrees");
    assert_true(number(degrees, "error_m") < 1e-3);
    const cJSON *lon = cJSON_GetArrayItem(cJSON_GetObjectItem(degrees, "lon"), 0);
    /* x = 500,000 is the central meridian of zone 33, 15 degrees east */
    assert_true(fabs(lon->valuedouble - 15) < 1e-8);
    cJSON_Delete(facts);
    free(json);
    free(page);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void assert_refused(const char *folder, const struct painting *o, const char *words)
{
    struct error e = {0};
    assert_int_equal(write_page(folder, o, &e), ERROR_INPUT);
    assert_null(strchr(e.text, '\n'));
    if (!strstr(e.text, words)) print_error("%s\n", e.text);
    assert_non_null(strstr(e.text, words));
}

static void test_refusals(void **state)
{
    struct world *w = *state;
    char path[200], saved[220];
    assert_refused("build/tmp/nothing-there", &plain, "is not a folder");
    mkdir(scratch_file(&w->s, "empty"), 0777);
    assert_refused(scratch_file(&w->s, "empty"), &plain, "neither layers nor summary.json");
    snprintf(path, sizeof path, "%s/max_thickness_m_000200.tif", w->folder);
    snprintf(saved, sizeof saved, "%s.away", path);
    assert_int_equal(rename(path, saved), 0);
    assert_refused(w->folder, &plain, "has no layer max_thickness_m of the last step");
    write_text(path, "II*");
    assert_refused(w->folder, &plain, "max_thickness_m_000200.tif");
    assert_int_equal(rename(saved, path), 0);
}

/* A page, or one line; and no `<` that is not the page's own. */
static void test_any_summary(void **state)
{
    struct world *w = *state;
    char path[200], out[200];
    int pages = 0, refused = 0;
    snprintf(path, sizeof path, "%s/summary.json", w->folder);
    snprintf(out, sizeof out, "%s/report.html", w->folder);
    char *text = read_text(path);
    const size_t length = strlen(text);
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        struct error e = {0};
        char *changed = strdup(text);
        for (uint64_t k = 0; k <= draw(&seed) % 3; k++) {
            static const char put[] = "0-9.eE\"{}[],:<>/\\tn \x80\xe2";
            changed[draw(&seed) % length] = put[draw(&seed) % (sizeof put - 1)];
        }
        write_text(path, changed);
        if (write_page(w->folder, &plain, &e)) {
            assert_null(strchr(e.text, '\n'));
            refused++;
        } else {
            char *page = read_text(out), *json = part_of(page, "id=\"facts\">");
            cJSON *facts = cJSON_Parse(json);
            assert_non_null(facts);
            assert_null(strpbrk(json, "<>&"));
            cJSON_Delete(facts);
            free(json);
            free(page);
            pages++;
        }
        free(changed);
    }
    assert_true(pages > 50 && refused > 20);
    write_text(path, text);
    free(text);
}

/* ---- lines of arrival ------------------------------------------------------------------------ */

/* A sheet of lava on a box, the front of which is ragged, with holes: lines end on the edge of the box. With the seed 0
 * lava comes from the middle: lines around it are closed. */
struct sheet {
    struct window box;
    uint64_t seed;
};

static float sheet_at(const void *of, int row, int col)
{
    const struct sheet *s = of;
    uint64_t noise = s->seed + (uint64_t)(1000 * row + col);
    if (!window_has(s->box, (struct window){row, col, 1, 1})) return (float)NAN;
    if (!s->seed) return (float)hypot(row - 22, col - 28);
    const double ragged = (double)(draw(&noise) % 1000) / 1000;
    return ragged > 0.95 ? (float)NAN : (float)(col + 8 * sin(row * 0.3) + 12 * ragged);
}

/* Whether a line is closed. Else it ends on the edge of the lava: between a cell that has some and one that has none. */
static bool closed_or_at_edge(const cJSON *line, const struct sheet *s)
{
    const int last = cJSON_GetArraySize(line) - 2;
    double end[2][2];
    for (int k = 0; k < 4; k++)
        end[k / 2][k % 2] = cJSON_GetArrayItem(line, k / 2 * last + k % 2)->valuedouble;
    if (end[0][0] == end[1][0] && end[0][1] == end[1][1]) return true;
    for (int k = 0; k < 2; k++) {
        int lava = 0;
        for (int i = 0; i < 4; i++)
            lava += !isnan(sheet_at(s, (int)floor(end[k][1] - 0.25 + i / 2 * 0.5),
                                    (int)floor(end[k][0] - 0.25 + i % 2 * 0.5)));
        assert_true(lava > 0 && lava < 4);
    }
    return false;
}

static void test_lines_of_arrival_depend_on_no_window(void **state)
{
    const struct georef geo = {.west_m = 500000, .south_m = 4100000, .cell_m = 10};
    const struct window whole = {0, 0, 60, 70};
    int closed = 0;
    for (uint64_t n = 0; n <= 20; n++) {
        const struct sheet s = {{6, 6, 32, 44}, 100000 * n};
        cJSON *list[2] = {NULL};
        struct error e = {0};
        for (int i = 0; i < 2; i++)
            assert_int_equal(page_isochrones(&list[i], whole.rows, whole.cols, &geo,
                                             i ? s.box : whole, sheet_at, &s, &e),
                             0);
        char *text = cJSON_PrintUnformatted(list[0]);
        assert_true(cJSON_GetArraySize(list[0]) > 2 && strlen(text) > 1000);
        assert_true(cJSON_Compare(list[0], list[1], true));
        const cJSON *one, *line;
        cJSON_ArrayForEach (one, list[0])
            cJSON_ArrayForEach (line, cJSON_GetObjectItem(one, "lines"))
                closed += closed_or_at_edge(line, &s);
        free(text);
        cJSON_Delete(list[0]);
        cJSON_Delete(list[1]);
    }
    assert_true(closed > 2);
}

/* Where a line runs on the page: to half a hundredth of a cell. */
static void test_places_of_lines(void **state)
{
    const struct georef geo = {.west_m = 500000, .south_m = 4100000, .cell_m = 12.5};
    enum { POINTS = 60, HIGH = 70 };
    double xy[POINTS][2];
    for (int i = 0; i < POINTS; i++) {
        xy[i][0] = geo.west_m + 13.37 * i;
        xy[i][1] = geo.south_m + 9.173 * i - 50;
    }
    cJSON *line = page_line(&geo, HIGH, (const double(*)[2])xy, POINTS);
    assert_int_equal(cJSON_GetArraySize(line), 2 * POINTS);
    for (int i = 0; i < POINTS; i++) {
        const double x = cJSON_GetArrayItem(line, 2 * i)->valuedouble,
                     y = cJSON_GetArrayItem(line, 2 * i + 1)->valuedouble;
        assert_true(fabs(geo.west_m + x * geo.cell_m - xy[i][0]) <= 0.005001 * geo.cell_m);
        assert_true(fabs(geo.south_m + (HIGH - y) * geo.cell_m - xy[i][1]) <=
                    0.005001 * geo.cell_m);
    }
    cJSON_Delete(line);
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, make_run, remove_run, test_numbers_come_back,
                       test_base64_of_all_lengths, test_scales_hold_all_values,
                       test_a_page_holds_the_layers, test_many_snapshots, test_degrees,
                       test_refusals, test_any_summary, test_lines_of_arrival_depend_on_no_window,
                       test_places_of_lines);
}
