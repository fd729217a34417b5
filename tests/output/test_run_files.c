/* What a run leaves of its states, read back: maps, layers and report in the record, vents, places. Each is what the
 * arrays of the state say, computed anew; the extent is a part of the domain. */
/* tests: output/run, output/export, record */
/* run: quick */
#include "case/assets.h"
#include "record/record.h"
#include "run/output_map.h"
#include "sim/vent.h"
#include "text/words.h"

#include "scratch.h"
#include "unit.h"

#include <math.h>

enum {
    SIDE = 200,
    CELLS = SIDE * SIDE,
    ROW0 = 64,
    COL0 = 128,
    PART = 64, /* the extent: cells 64 to 127 of the rows, 128 to 191 of the columns */
    VENTS = 5,
    PLACES = 3
};
static const struct window lava = {96, 140, 24, 40}; /* the cells of the states */

struct world {
    struct scratch s;
    struct sim_case c;
    double z[CELLS], outline[CELLS];
    unsigned char sea[CELLS];
    struct vent vent[VENTS];
    bool spread[VENTS];
    int64_t first_step[2];
    double amount_m[2];
    struct asset asset[PLACES];
    uint32_t cell[PLACES][40];
    struct assets assets;
    struct fields last;
    uint64_t digest;
    struct output_folder folder;
    struct output_info info;
};

/* Lava that is thickest in the middle of the run. Some is solid alone, some has gone. */
static void make_state(struct fields *f, const struct world *w, int64_t step)
{
    struct error e;
    must(fields_create(f, lava, &e), &e);
    f->step = step;
    for (int i = 0; i < lava.rows * lava.cols; i++) {
        const int row = lava.row0 + i / lava.cols, col = lava.col0 + i % lava.cols;
        const double far = hypot(row - 104, (col - 160) * 0.5);
        f->elevation_m[i] = w->z[row * SIDE + col];
        if (far > 7.2 || far * 8 > (double)step) continue;
        f->arrival[i] = 2 + (int32_t)(far * 5);
        f->temp_K[i] = 1150 + far * 20;
        f->thickness_m[i] = (i % 7 ? 1 : 0) * (10 - far) * (step == 40 ? 0.75 : 0.125);
        f->solid_m[i] = i % 3 ? 0 : 0.25;
        f->elevation_m[i] += f->solid_m[i];
        f->max_thickness_m[i] = 12 - far;
        f->max_temp_K[i] = 1300 - far;
    }
    f->emitted = vents_sum(w->vent, VENTS, 1, step);
    f->entered_sea = (quanta)1 << 30;
}

static void make_places(struct world *w)
{
    static const char *const name[PLACES] = {"Road", "Hut", "Islet"};
    static double xy[2][2] = {{2600, 2950}, {2700, 3000}};
    static int size[] = {2};
    for (int k = 0; k < PLACES; k++) {
        struct asset *a = &w->asset[k];
        *a = (struct asset){.kind = k ? ASSET_POINT : ASSET_LINE,
                            .bare = k == 2,
                            .cells = k ? 1 : 40,
                            .cell = w->cell[k],
                            .parts = 1,
                            .part_size = size,
                            .xy = xy};
        strcpy(a->name, name[k]);
        for (uint32_t i = 0; i < a->cells; i++)
            w->cell[k][i] = k == 0 ? (104 + i / 20) * SIDE + 145 + i : k == 1 ? 70 * SIDE + 130 : 0;
    }
    w->assets = (struct assets){.count = PLACES, .asset = w->asset};
}

static void make_case(struct world *w)
{
    static const int place[VENTS][3] = {
        {103, 154, 7}, {104, 156, 7}, {105, 163, 7}, {88, 175, 3}, {104, 157, 7}};
    struct sim_case *c = &w->c;
    w->first_step[0] = 1, w->first_step[1] = 31;
    w->amount_m[0] = 0.5, w->amount_m[1] = 0.25;
    for (int i = 0; i < CELLS; i++) {
        w->z[i] = 500 + i / SIDE * 0.5 + i % SIDE * 0.25;
        w->sea[i] = i % SIDE > 185;
        if (w->sea[i]) w->z[i] = (double)NAN;
        w->outline[i] = abs(i / SIDE - 102) < 8 && abs(i % SIDE - 156) < 8;
    }
    for (int v = 0; v < VENTS; v++)
        w->vent[v] = (struct vent){.row = place[v][0],
                                   .col = place[v][1],
                                   .id = place[v][2],
                                   .interval_count = 1 + v % 2,
                                   .first_step = w->first_step,
                                   .amount_m = w->amount_m};
    w->spread[4] = true;
    write_grid(scratch_file(&w->s, "outline.asc"), SIDE, SIDE, w->outline);
    *c = (struct sim_case){.name = "hand",
                           .title = "By hand",
                           .path = (char *)"hand.cfg",
                           .outline_path = (char *)scratch_file(&w->s, "outline.asc"),
                           .terrain_source = "SYNTHETIC TERRAIN: by hand",
                           .synthetic = true,
                           .geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10},
                           .start_time = "2006-07-14T22:00:00Z",
                           .display = {.visual_threshold_m = 0.2, .note = "an exercise"},
                           .vent_spread = w->spread,
                           .vents = w->vent,
                           .sea = w->sea,
                           .elevation_m = w->z,
                           .assets = &w->assets,
                           .snapshot_every = 20};
    c->problem = (struct problem){
        .rows = SIDE,
        .cols = SIDE,
        .params = {120, 1143, 1360, 0.5, 0.95, 40, 1.5, 2.8, 2600, 0.9, 5.68e-8, 1150, 10},
        .vent_count = VENTS,
        .last_vent_step = 60,
        .reduce_every = 10};
    case_point(c);
}

static int make_run(void **state)
{
    struct world *w = *state = calloc(1, sizeof *w);
    if (!w) return -1;
    scratch_create(&w->s);
    make_places(w);
    make_case(w);
    w->info = (struct output_info){.directory = scratch_file(&w->s, "run"),
                                   .formats = OUTPUT_GEOTIFF,
                                   .layers = "all",
                                   .extent = OUTPUT_EXTENT_FLOW,
                                   .variant = "reference",
                                   .version = "0",
                                   .pictures.maps = 15,
                                   .folder = &w->folder};
    return 0;
}

/* A run of three states, with maps of all kinds. */
static struct record *run_of(struct world *w)
{
    struct output_writer *writer;
    struct record *r;
    struct error e = {0};
    must(output_folder_take(&w->folder, &w->info, &w->c, false, &e), &e);
    must(output_make_way(&w->folder, &e), &e);
    must(output_writer_create(&writer, &w->info, &w->c, &e), &e);
    must(output_writer_start(writer, &e), &e);
    for (int64_t step = 20; step <= 60; step += 20) {
        struct fields f;
        make_state(&f, w, step);
        must(output_writer_put(writer, &f, OUTPUT_FILES | (step == 60 ? OUTPUT_END : OUTPUT_MAPS),
                               &e),
             &e);
    }
    must(output_writer_finish(writer, &e), &e);
    make_state(&w->last, w, 60);
    w->digest = fields_digest(&w->last, SIDE, SIDE);
    must(output_picture_record(&w->info, &w->c, w->digest, &e), &e);
    must(record_open(&r, scratch_file(&w->s, "run/record.zip"), &e), &e);
    return r;
}

static void forget_run(struct world *w)
{
    fields_free(&w->last);
    output_folder_free(&w->folder);
    w->folder = (struct output_folder){0};
    remove_at(AT_FDCWD, w->info.directory);
}

static int remove_run(void **state)
{
    struct world *w = *state;
    fields_free(&w->last);
    output_folder_free(&w->folder);
    scratch_remove(&w->s);
    free(w);
    return 0;
}

static void scene_named(struct record_scene *s, const struct record *r, const char *name)
{
    struct error e = {0};
    for (int i = 0; i < record_count(r); i++)
        if (!strcmp(record_name(r, i), name)) {
            must(record_scene(s, r, i, &e), &e);
            return;
        }
    fail_msg("no %s", name);
}

/* The cell of the part in the state; -1: the state lacks it. */
static int in_state(int row, int col)
{
    const int r = row + ROW0 - lava.row0, c = col + COL0 - lava.col0;
    return r >= 0 && r < lava.rows && c >= 0 && c < lava.cols ? r * lava.cols + c : -1;
}

static size_t in_domain(int row, int col)
{
    return (size_t)(ROW0 + row) * SIDE + (size_t)(COL0 + col);
}

static void expect_part(int rows, int cols, const struct georef *g)
{
    assert_true(rows == PART && cols == PART && g->cell_m == 10);
    assert_true(g->west_m == 1000 + 10 * COL0 && g->south_m == 2000 + 10 * (SIDE - ROW0 - PART));
}

/* ---- maps ---------------------------------------------------------------------------------------- */

static const struct kind {
    const char *name, *quantity, *unit;
    enum output_map kind;
} kinds[] = {
    {"map", "total lava thickness", "m", OUTPUT_MAP_THICKNESS},
    {"map_arrival", "first arrival of lava, since the start", "h", OUTPUT_MAP_ARRIVAL},
    {"map_temperature", "lava temperature", "\xC2\xB0\x43", OUTPUT_MAP_TEMPERATURE},
    {"map_max_thickness", "largest total thickness so far", "m", OUTPUT_MAP_MAX_THICKNESS}};

static double shown(const struct fields *f, enum output_map kind, int i)
{
    const double total = f->thickness_m[i] + f->solid_m[i];
    if (kind == OUTPUT_MAP_ARRIVAL)
        return f->arrival[i] == ARRIVAL_NEVER ? NAN : f->arrival[i] / 30.0;
    if (kind == OUTPUT_MAP_MAX_THICKNESS)
        return f->max_thickness_m[i] >= 0.2 ? f->max_thickness_m[i] : (double)NAN;
    if (!(total >= 0.2)) return NAN;
    return kind == OUTPUT_MAP_THICKNESS ? total : f->temp_K[i] - 273.15;
}

/* Returns the number of cells with a value. */
static int check_values(const struct world *w, const struct map *m, enum output_map kind)
{
    int found = 0;
    for (int row = 0; row < PART; row++) {
        double room[2 * PART];
        const struct map_cells c = map_cells(m, row, room);
        for (int col = 0; col < PART; col++) {
            const int i = in_state(row, col);
            const double z = i < 0 ? w->z[in_domain(row, col)] : w->last.elevation_m[i],
                         v = i < 0 ? (double)NAN : shown(&w->last, kind, i), is = c.value[col];
            const size_t at = (size_t)(row * PART + col);
            assert_true(isnan(z) ? isnan(c.elevation_m[col]) : c.elevation_m[col] == (float)z);
            assert_true(isnan(v) == isnan(is));
            assert_true(!m->reached[at] == (i < 0 || w->last.arrival[i] == ARRIVAL_NEVER));
            assert_true(!m->outline[at] == !(w->outline[in_domain(row, col)] > 0));
            assert_true(!m->sea[at] == !w->sea[in_domain(row, col)]);
            if (isnan(v)) continue;
            found++;
            if (kind != OUTPUT_MAP_ARRIVAL) assert_true(is == (float)v);
            else {
                const int k = (int)is - 1;
                assert_true(k >= 0 && k < m->class_count && (float)v <= (float)m->classes[k].upper);
                assert_true(!k || (float)v > (float)m->classes[k - 1].upper);
            }
        }
    }
    return found;
}

static void check_marks(const struct world *w, const struct map *m)
{
    for (int i = 0; i < PART * PART; i++) {
        int id = -1;
        for (int v = 0; v < VENTS; v++)
            if (!w->spread[v] && w->vent[v].row == ROW0 + i / PART &&
                w->vent[v].col == COL0 + i % PART)
                id = w->vent[v].id;
        assert_int_equal(m->mark[i], id < 0 ? 0 : map_mark(id));
    }
}

/* The window has what the map is about, and not all of the part. */
static void check_crop(const struct world *w, const struct map *m)
{
    struct window all = {0};
    for (int row = 0; row < PART; row++)
        for (int col = 0; col < PART; col++) {
            const int i = in_state(row, col);
            bool vent = false;
            for (int v = 0; v < VENTS; v++)
                vent = vent || (w->vent[v].row == ROW0 + row && w->vent[v].col == COL0 + col);
            if (vent || w->outline[in_domain(row, col)] > 0 ||
                (i >= 0 && w->last.arrival[i] != ARRIVAL_NEVER))
                window_add(&all, row, col);
        }
    map_crop_finish(&all, PART, PART);
    assert_true(all.rows > 0 && window_equal(all, m->crop));
}

static void maps_show_the_last_state(void **state)
{
    struct world *w = *state;
    static const double scales[][2] = {{0, 0}, {1, 7}};
    struct record *r;
    for (int n = 0; n < 2; n++) {
        memcpy(w->c.display.scale_m, scales[n], sizeof scales[n]);
        r = run_of(w);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char name[64], text[WORDS_TEXT];
            struct record_scene s;
            snprintf(name, sizeof name, "%s_000060_20060715T0000Z", kinds[k].name);
            scene_named(&s, r, name);
            const struct map *m = s.map;
            const bool thickness = !strcmp(kinds[k].unit, "m");
            expect_part(m->rows, m->cols, &m->geo);
            assert_string_equal(m->title, "By hand");
            assert_string_equal(m->stamp, "an exercise");
            assert_string_equal(m->warning, "SYNTHETIC TERRAIN");
            assert_string_equal(m->quantity, kinds[k].quantity);
            assert_string_equal(m->unit, kinds[k].unit);
            assert_int_equal(m->colours,
                             kinds[k].kind == OUTPUT_MAP_TEMPERATURE ? COLOURS_HEAT : 0);
            assert_in_range(check_values(w, m, kinds[k].kind), 200, 500);
            check_marks(w, m);
            check_crop(w, m);
            if (n && thickness) assert_true(m->scale_low == 1 && m->scale_high == 7);
            else if (k == 0)
                assert_true(m->scale_low == 0 && m->scale_high >= 1.25 && m->scale_high < 2);
            else if (k == 2)
                assert_true(m->scale_low == 1143 - 273.15 && m->scale_high == 1360 - 273.15);
            else assert_true(m->scale_low == 0 && m->scale_high == 0);
            assert_int_equal(m->place_count, PLACES);
            assert_string_equal(m->places[1].label, "Hut");
            assert_string_equal(words_fill(text, sizeof text, m->places[2].label, NULL),
                                "Islet: in the sea or outside the terrain's data");
            assert_true(m->places[0].kind == MAP_LINE && m->places[0].part_size[0] == 2 &&
                        m->places[0].xy[1][0] == 2700);
            words_fill(text, sizeof text, m->note, NULL);
            assert_true(!strstr(text, "Times of a single run") == (k != 1));
            words_fill(text, sizeof text, m->subtitle, NULL);
            assert_non_null(strstr(text, "2006-07-15 00:00 UTC, 2 h 0 min since start, step 60: "));
            assert_true(m->around->domain_rows == SIDE && m->around->row0 == ROW0 &&
                        m->around->col0 == COL0);
            record_release(&s);
        }
        record_close(r);
        if (!n) forget_run(w);
    }
}

static double most_of(const struct world *w, int64_t step)
{
    struct fields f;
    double most = 0;
    make_state(&f, w, step);
    for (int i = 0; i < lava.rows * lava.cols; i++)
        most = fmax(most, f.thickness_m[i] + f.solid_m[i]);
    fields_free(&f);
    return most;
}

/* ---- the animation --------------------------------------------------------------------------------- */

/* Runs with a state every ten steps. States at 20 and 40 are only frames; the one at 30 is between two frames. */
static struct record *frames_of(struct world *w)
{
    struct output_writer *writer;
    struct record *r;
    struct error e = {0};
    must(output_folder_take(&w->folder, &w->info, &w->c, false, &e), &e);
    must(output_make_way(&w->folder, &e), &e);
    output_note_failures(
        &w->info); /* the record has the frames also where nothing can paint them */
    must(output_writer_create(&writer, &w->info, &w->c, &e), &e);
    must(output_writer_start(writer, &e), &e);
    for (int64_t step = 20; step <= 60; step += step < 40 ? 10 : 20) {
        struct fields f;
        make_state(&f, w, step);
        must(output_writer_put(writer, &f,
                               OUTPUT_FRAME | (step == 60 ? OUTPUT_FILES | OUTPUT_END : 0), &e),
             &e);
    }
    must(output_writer_finish(writer, &e), &e);
    must(output_picture_record(&w->info, &w->c, 1, &e), &e);
    must(record_open(&r, scratch_file(&w->s, "run/record.zip"), &e), &e);
    return r;
}

/* Returns the number of cells with lava in a frame, each compared with its state. */
static int check_frame(const struct world *w, const struct frames *all, int i,
                       const struct fields *f)
{
    struct error e = {0};
    int found = 0;
    must(all->begin(all->of, i, &e), &e);
    for (int row = 0; row < PART; row++) {
        double z[PART], value[PART];
        all->row(all->of, i, row, z, value);
        for (int col = 0; col < PART; col++) {
            const int at = in_state(row, col);
            const double ground = at < 0 ? w->z[in_domain(row, col)] : f->elevation_m[at],
                         lava_m = at < 0 ? (double)NAN : shown(f, OUTPUT_MAP_THICKNESS, at);
            assert_true(isnan(ground) ? isnan(z[col]) : z[col] == (float)ground);
            assert_true(isnan(lava_m) ? isnan(value[col]) : value[col] == (float)lava_m);
            found += !isnan(lava_m);
        }
    }
    return found;
}

/* Each frame shows its own state with its own words; all have one scale, which has the thickest state, also if that is
 * no snapshot, and room for the longest words. Maps of the end keep the scale of the snapshots. */
static void frames_have_one_scale(void **state)
{
    struct world *w = *state;
    const double most[] = {most_of(w, 20), most_of(w, 40), most_of(w, 60)};
    assert_true(most[1] > 4 * most[2] && most[1] > 2 * most[0]);
    w->info.pictures.frame_every = 20;
    for (int given = 0; given < 2; given++) {
        struct record_scene s;
        size_t longest = 0;
        char text[WORDS_TEXT], says[64];
        if (given) memcpy(w->c.display.scale_m, (double[]){1, 7}, sizeof w->c.display.scale_m);
        struct record *r = frames_of(w);
        scene_named(&s, r, "animation");
        assert_int_equal(s.scene.kind, SCENE_FRAMES);
        const struct frames *all = s.scene.of;
        const struct map *m = all->map;
        expect_part(m->rows, m->cols, &m->geo);
        assert_true(given ? m->scale_low == 1 && m->scale_high == 7
                          : m->scale_low == 0 && m->scale_high >= most[1] &&
                                m->scale_high < 1.3 * most[1]);
        assert_string_equal(m->quantity, "total lava thickness");
        assert_int_equal(all->count, 3);
        for (int i = 0; i < 3; i++) {
            struct fields f;
            make_state(&f, w, 20 * (i + 1));
            assert_true(check_frame(w, all, i, &f) > 10 * (i + 1) * (i + 1));
            words_fill(text, sizeof text, all->frame[i].subtitle, NULL);
            longest = strlen(text) > longest ? strlen(text) : longest;
            snprintf(says, sizeof says, " step %d: ", 20 * (i + 1));
            assert_non_null(strstr(text, says));
            words_fill(text, sizeof text, all->frame[i].note, NULL);
            snprintf(says, sizeof says, "reference, state %016llx",
                     (unsigned long long)fields_digest(&f, SIDE, SIDE));
            assert_non_null(strstr(text, says));
            assert_null(strstr(text, "Times of a single run"));
            fields_free(&f);
        }
        assert_int_equal(strlen(words_fill(text, sizeof text, m->room_subtitle, NULL)), longest);
        record_release(&s);
        scene_named(&s, r, "map_000060_20060715T0000Z");
        assert_true(given ? s.map->scale_high == 7
                          : s.map->scale_high >= most[2] && s.map->scale_high < 2 * most[2]);
        record_release(&s);
        record_close(r);
        forget_run(w);
    }
}

/* ---- layers ---------------------------------------------------------------------------------------- */

static const struct layer {
    const char *name, *about;
    enum layer_use use;
    enum colours colours;
    const char *unit;
} layers[] = {
    {"total_thickness_m", "Thickness of the lava", LAYER_TIMES, COLOURS_LAVA, "m"},
    {"arrival_h", "Time of arrival", LAYER_ARRIVAL, COLOURS_TIME, "h"},
    {"median_thickness_m", "Thickness, medians of 3 x 3 cells", LAYER_LAST, COLOURS_LAVA, "m"},
    {"max_thickness_m", "Largest thickness", LAYER_LAST, COLOURS_LAVA, "m"},
    {"thickness_m", "Mobile lava", LAYER_LAST, COLOURS_LAVA, "m"},
    {"solidified_m", "Solidified lava", LAYER_LAST, COLOURS_LAVA, "m"},
    {"temperature_K", "Temperature", LAYER_LAST, COLOURS_HEAT, "\xC2\xB0\x43"},
    {"max_temperature_K", "Largest temperature", LAYER_LAST, COLOURS_HEAT, "\xC2\xB0\x43"},
    {"elevation_after_m", "Terrain", LAYER_RELIEF, COLOURS_LAVA, "m"}};
enum { LAYERS = sizeof layers / sizeof *layers };

/* The cell of a fissure that is shown: none of its cells is nearer to their mean. */
static void check_vents(const struct world *w, const struct layer_set *s)
{
    assert_int_equal(s->vents, 2);
    assert_string_equal(s->vent_name, "Vent");
    for (int k = 0; k < 2; k++) {
        const struct layer_vent *at = &s->vent[k];
        double x = 0, y = 0, least = INFINITY;
        int cells = 0;
        assert_int_equal(at->id, w->vent[k ? 3 : 0].id);
        for (int pass = 0; pass < 2; pass++)
            for (int v = 0; v < VENTS; v++) {
                const double east = 1005 + 10.0 * w->vent[v].col,
                             north = 2000 + 10 * (SIDE - 0.5 - w->vent[v].row);
                if (w->vent[v].id != at->id) continue;
                if (pass) least = fmin(least, hypot(east - x / cells, north - y / cells));
                else x += east, y += north, cells++;
            }
        assert_int_equal(at->cells, cells);
        assert_true(fabs(hypot(at->x - x / cells, at->y - y / cells) - least) < 1e-6);
    }
}

static void check_layers(struct world *w, bool given)
{
    struct record *r = run_of(w);
    struct record_scene s;
    struct error e = {0};
    char digest[17];
    scene_named(&s, r, "run");
    struct layer_set *set = (struct layer_set *)(size_t)s.scene.of;
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)w->digest);
    assert_string_equal(set->of, digest);
    assert_string_equal(set->title, "By hand");
    assert_string_equal(set->start_time, "2006-07-14T22:00:00Z");
    assert_string_equal(set->terrain, "SYNTHETIC TERRAIN: by hand");
    assert_true(set->least < 0.2 && set->least > 0.1999 && set->step_h == 1 / 30.0);
    assert_true(set->kinds == LAYERS && set->times == 3);
    for (int i = 0; i < 3; i++) {
        char stamp[LAYER_STAMP];
        snprintf(stamp, sizeof stamp, "_0000%d_2006071%dT%02d%02dZ", 20 * (i + 1), i < 2 ? 4 : 5,
                 (22 + (i + 1) * 40 / 60) % 24, (i + 1) * 40 % 60);
        assert_string_equal(set->time[i].stamp, stamp);
        assert_true(set->time[i].time_s == 2400 * (i + 1));
    }
    for (int i = 0; i < PART * PART; i++)
        assert_true(!set->outline[i] == !(w->outline[in_domain(i / PART, i % PART)] > 0));
    check_vents(w, set);
    const double most = most_of(w, 40);
    int latest = 0;
    for (int i = 0; i < lava.rows * lava.cols; i++)
        if (w->last.arrival[i] != ARRIVAL_NEVER) latest = int_most(latest, w->last.arrival[i]);
    assert_true(most > 4 * most_of(w, 60) && most > most_of(w, 20));
    set->folder = w->info.directory;
    must(layer_set_complete(set, &e), &e);
    expect_part(set->rows, set->cols, &set->geo);
    for (int i = 0; i < LAYERS; i++) {
        const struct layer_quantity *k = &set->kind[i];
        const struct legend *l = &k->legend;
        const bool heat = l->colours == COLOURS_HEAT;
        assert_string_equal(k->name, layers[i].name);
        assert_string_equal(k->about, layers[i].about);
        assert_string_equal(l->unit, layers[i].unit);
        assert_true(k->use == layers[i].use && l->colours == layers[i].colours);
        assert_true(l->zero == (heat ? 273.15 : 0));
        if (given && l->colours == COLOURS_LAVA && k->use != LAYER_RELIEF)
            assert_true(l->low == 1 && l->high == 7);
        else if (heat) assert_true(l->low == 1143 && l->high == 1360);
        else if (k->use == LAYER_ARRIVAL) /* also lava at 0 h is shown */
            assert_true(l->low < 0 && l->count > 2 &&
                        l->classes[l->count - 1].upper == latest / 30.0);
        else if (k->use != LAYER_RELIEF)
            assert_true(l->low == 0 && l->high >= most && l->high < 1.3 * most);
    }
    layer_set_free(set);
    record_release(&s);
    record_close(r);
}

/* Whatever state is thickest, the scale has it, unless the case has one. */
static void layers_have_scales_of_all_times(void **state)
{
    struct world *w = *state;
    check_layers(w, false);
    forget_run(w);
    w->c.display.scale_m[0] = 1, w->c.display.scale_m[1] = 7;
    check_layers(w, true);
}

/* A layer with a few cells that are far thicker than all others. */
static void fill_row(const void *most, int row, float *out)
{
    for (int col = 0; col < PART; col++)
        out[col] =
            row < 2 ? -9999 : (float)(row == 9 && col == 9 ? *(const double *)most : 0.01 * col);
}

/* Each quantity has the scale of the layer that it names, at the time with its largest value; with arrivals, as of a run,
 * the scale may leave out a few cells. */
static void scales_are_those_of_their_sources(void **state)
{
    static const double most[2][3] = {{3, 50, 4}, {90, 7, 8}};
    static const struct layer_time time[] = {{"_000001", 1}, {"_000002", 2}, {"_000003", 3}};
    struct world *w = *state;
    struct error e = {0};
    for (int run = 0; run < 2; run++) {
        struct layer_quantity kind[] = {
            {.name = "a_m",
             .about = "",
             .use = run ? LAYER_TIMES : LAYER_CHOICE,
             .scale_of = "a_m"},
            {.name = "b_m", .about = "", .use = LAYER_LAST, .scale_of = "b_m"},
            {.name = "a_m", .about = "", .use = LAYER_LAST, .scale_of = "b_m"},
            {.name = "b_m", .about = "", .use = LAYER_LAST, .scale_of = "a_m"},
            {.name = "a_m",
             .about = "",
             .use = run ? LAYER_ARRIVAL : LAYER_LAST,
             .scale_of = "none"}};
        struct layer_set s = {
            .folder = w->s.path, .kinds = 5, .times = 3, .kind = kind, .time = time};
        for (int i = 0; i < 6; i++) {
            const struct geotiff_layer layer = {.rows = PART,
                                                .cols = PART,
                                                .geo = {.cell_m = 10},
                                                .nodata = -9999,
                                                .row = fill_row,
                                                .context = &most[i / 3][i % 3]};
            char name[80];
            snprintf(name, sizeof name, "%s%s.tif", i < 3 ? "a_m" : "b_m", time[i % 3].stamp);
            must(geotiff_write(scratch_file(&w->s, name), &layer, &e), &e);
        }
        must(layer_set_complete(&s, &e), &e);
        for (int i = 0; i < 5; i++) {
            const double high = kind[i].legend.high, whole = i == 1 || i == 2 ? 90 : 50;
            assert_true(run ? high > 0.5 && high < 3 : high == whole);
        }
        assert_true(s.rows == PART && s.cols == PART && s.geo.cell_m == 10);
        layer_set_free(&s);
    }
}

/* ---- the report, the tables ------------------------------------------------------------------------- */

static void report_has_what_was_there_before(void **state)
{
    struct world *w = *state;
    struct record *r = run_of(w);
    struct record_scene s;
    double cells[2][2] = {{0}};
    scene_named(&s, r, "report");
    const struct report_page *p = s.scene.of;
    expect_part(p->rows, p->cols, &p->geo);
    for (int row = 0; row < PART; row++)
        for (int col = 0; col < PART; col++) {
            const size_t at = (size_t)(row * PART + col);
            const int i = in_state(row, col);
            const double z = w->z[in_domain(row, col)];
            const bool seen = w->outline[in_domain(row, col)] > 0,
                       is = i >= 0 && w->last.thickness_m[i] + w->last.solid_m[i] > 0;
            assert_true(isnan(z) ? isnan(p->elevation_m[at]) : p->elevation_m[at] == (float)z);
            assert_true(!p->outline[at] == !seen);
            cells[seen][is]++;
        }
    assert_true(cells[0][1] > 10 && cells[1][0] > 10 && cells[0][1] != cells[1][0]);
    assert_true(p->fit->hits == cells[1][1] && p->fit->misses == cells[1][0] &&
                p->fit->false_alarms == cells[0][1]);
    assert_true(fabs(p->fit->jaccard - cells[1][1] / (cells[1][1] + cells[1][0] + cells[0][1])) <
                1e-12);
    assert_int_equal(p->place_count, PLACES);
    assert_string_equal(p->places[2].label, "Islet");
    assert_string_equal(p->caveat, PRODUCT_ARRIVAL_CAVEAT);
    record_release(&s);
    record_close(r);
}

static void places_have_their_first_and_most(void **state)
{
    struct world *w = *state;
    record_close(run_of(w));
    FREED char *text = read_text(scratch_file(&w->s, "run/assets.csv"));
    char wanted[300], date[32];
    double first = INFINITY, most = 0, end = 0;
    int reached = 0, mobile = 0;
    for (uint32_t k = 0; k < w->asset[0].cells; k++) {
        const int i =
            in_state((int)(w->cell[0][k] / SIDE) - ROW0, (int)(w->cell[0][k] % SIDE) - COL0);
        if (i < 0 || w->last.arrival[i] == ARRIVAL_NEVER) continue;
        reached++;
        mobile += w->last.thickness_m[i] > 0;
        first = fmin(first, w->last.arrival[i]);
        most = fmax(most, w->last.max_thickness_m[i]);
        end = fmax(end, w->last.thickness_m[i] + w->last.solid_m[i]);
    }
    assert_true(reached > 5 && mobile > 3 && reached < 40 && first > 1 && most > end);
    snprintf(date, sizeof date, "2006-07-14T22:%02d:00Z", (int)(2 * first));
    snprintf(
        wanted, sizeof wanted,
        "name,kind,cells,cells_with_lava,arrival_h,arrival_date,max_thickness_m,end_thickness_m\n"
        "Road,line,40,%d,%.12g,%s,%.9g,%.9g\nHut,point,1,0,,,,\nIslet,point,0,,,,,\n",
        reached, first / 30, date, most, end);
    assert_string_equal(text, wanted);
}

int main(void)
{
    return UNIT_RUN_IN(make_run, remove_run, NULL, NULL, maps_show_the_last_state,
                       frames_have_one_scale, layers_have_scales_of_all_times,
                       scales_are_those_of_their_sources, report_has_what_was_there_before,
                       places_have_their_first_and_most);
}
