/* How a run went: what the arrivals say against counting, what the tables of the vents say against
 * adding, and rows that are each there once. */
/* tests: output/compare, output/run */
#include "compare/lava_extent.h"
#include "run/output.h"
#include "model/lattice.h"
#include "record/record.h"
#include "sim/vent.h"
#include "text/words.h"
#include "scratch.h"
#include "unit.h"

#include <math.h>
#include <time.h>

enum { ROWS = 40, COLS = 50, CELLS = ROWS * COLS, LAST = 1234 };

struct world {
    struct problem p;
    struct vent vent[3];
    int64_t first[3];
    double amount_m[3];
    uint64_t fraction[3], phase[3];
    struct fields f;
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Some cells without lava, some that have it from the beginning. */
static void world_create(struct world *w, uint64_t seed)
{
    *w = (struct world){.first = {3, 500, 1000},
                        .amount_m = {0.25, 3 * LATTICE_M, 0},
                        .fraction = {UINT64_C(1) << 63, UINT64_MAX / 3, 0},
                        .phase = {77, UINT64_C(1) << 62, 0}};
    for (int v = 0; v < 3; v++)
        w->vent[v] = (struct vent){.row = 5 + 11 * v,
                                   .col = 30 - 7 * v,
                                   .id = v + 1,
                                   .interval_count = 3,
                                   .first_step = w->first,
                                   .amount_m = w->amount_m,
                                   .fraction = w->fraction,
                                   .phase = w->phase};
    w->p = (struct problem){.rows = ROWS,
                            .cols = COLS,
                            .window = {0, 0, ROWS, COLS},
                            .params = {.clock_s = 60, .cell_m = 10},
                            .reduce_every = 100,
                            .vent_count = 3,
                            .vents = w->vent};
    assert_int_equal(fields_create(&w->f, w->p.window, NULL), 0);
    for (int i = 0; i < CELLS; i++)
        if (draw(&seed) % 3) w->f.arrival[i] = (int32_t)(draw(&seed) % (LAST + 1));
    w->f.step = LAST;
    w->f.emitted = vents_sum(w->vent, 3, 1, LAST);
}

static void spread_is_what_counting_says(void **state)
{
    enum { EVEN = 200, UNEVEN = 11, TOP = 4, LEFT = 9 };
    static const int64_t uneven[2][UNEVEN] = {
        {0, 1, 2, 3, 50, 51, 700, 701, 702, LAST - 1, LAST},
        {0, 700, 1100, 1101, 1102, 1150, 1200, 1201, 1230, LAST - 1, LAST}};
    for (uint64_t seed = 1; seed < 11; seed++) {
        struct world w;
        int64_t step[EVEN];
        struct spread at[EVEN];
        world_create(&w, seed);
        const int count = seed == 10 ? 1 : seed % 2 ? EVEN : (int)UNEVEN;
        w.p.vent_count = seed == 5 ? 0 : 3;
        w.f.window.row0 = TOP, w.f.window.col0 = LEFT;
        for (int i = 0; i < count; i++) /* from 0 on, and from step 34 on */
            step[i] = seed % 2 ? 6 * i + (seed > 4 ? 34 : 0) : uneven[seed / 2 % 2][i];
        if (count == 1) step[0] = LAST - 100;
        lava_spread(at, step, count, &w.f, &w.p);
        for (int k = 0; k < count; k++) {
            size_t cells = 0;
            double farthest = -1;
            for (int i = 0; i < CELLS; i++) {
                double nearest = INFINITY;
                if (w.f.arrival[i] > step[k]) continue;
                cells++;
                for (int v = 0; v < w.p.vent_count; v++)
                    nearest = fmin(nearest, hypot(10 * (TOP + i / COLS - w.vent[v].row),
                                                  10 * (LEFT + i % COLS - w.vent[v].col)));
                if (w.p.vent_count) farthest = fmax(farthest, nearest);
            }
            assert_int_equal(at[k].cells, cells);
            if (farthest < 0) assert_true(isnan(at[k].runout_m));
            else assert_true(fabs(at[k].runout_m - farthest) < 1e-9);
        }
        assert_true(at[count - 1].cells > CELLS / 2);
        fields_free(&w.f);
    }
}

static void emission_is_what_adding_says(void **state)
{
    struct world w;
    quanta sum = 0;
    world_create(&w, 1);
    for (int64_t step = 1; step <= LAST; step++) {
        for (int v = 0; v < 3; v++)
            sum += (int64_t)(vent_amount_m(&w.vent[v], step) * LATTICE_PER_M);
        assert_true(vents_sum(w.vent, 3, 1, step) == sum);
        assert_true(vents_sum(w.vent, 3, step / 2 + 1, step) + vents_sum(w.vent, 3, 1, step / 2) ==
                    sum);
    }
    assert_true(sum > 0 && vents_sum(w.vent, 3, 7, 6) == 0);
    fields_free(&w.f);
}

static void rows_are_there_once(void **state)
{
    struct world w;
    struct samples s = {0};
    struct timeline t;
    int moved = 0;
    world_create(&w, 2);
    static const int64_t steps[] = {250, 250, 200, 500, 900, LAST};
    for (int i = 0; i < 6; i++) {
        const struct sample one = {.step = steps[i],
                                   .emitted = vents_sum(w.vent, 3, 1, steps[i]),
                                   .mobile = 5 * steps[i],
                                   .solidified = 7 * steps[i],
                                   .left_domain = 11 * steps[i],
                                   .entered_sea = 13 * steps[i],
                                   .thickest_m = (double)steps[i] / 8,
                                   .hottest_K =
                                       steps[i] == 500 ? 1200 : 0}; /* 0: no cell had lava */
        assert_int_equal(samples_add(&s, &one, NULL), 0);
    }
    assert_int_equal(s.count, 4); /* neither 250 again nor 200 after it */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &s, 0, NULL), 0);
    assert_int_equal(t.count, 18); /* 0, 100, ..., 1200, 250, 2, 499 and 999, and the last */
    for (int i = 0; i < t.count; i++) {
        const struct timeline_row *r = &t.row[i];
        const bool sampled = r->step == 250 || r->step == 500 || r->step == 900 || r->step == LAST;
        assert_true(!i || r->step > r[-1].step);
        assert_true(isnan(r->mobile_m3) == !sampled);
        assert_true(r->step == 500 ? r->hottest_K == 1200 : isnan(r->hottest_K));
        if (sampled && r->step != LAST) {
            assert_true(r->mobile_m3 == quanta_m(5 * r->step) * 100);
            assert_true(r->solidified_m3 == quanta_m(7 * r->step) * 100);
            assert_true(r->left_m3 == quanta_m(11 * r->step) * 100);
            assert_true(r->sea_m3 == quanta_m(13 * r->step) * 100);
            assert_true(r->thickest_m == (double)r->step / 8);
        }
        assert_true(r->emitted_m3 == quanta_m(vents_sum(w.vent, 3, 1, r->step)) * 100);
        assert_true(!i || r->area_m2 >= r[-1].area_m2);
        if (!i) continue;
        const double past_s =
            60.0 * (double)(r->step - r[-1].step); /* means since the row before */
        assert_true(r->effusion_m3_s == (r->emitted_m3 - r[-1].emitted_m3) / past_s);
        assert_true(r->front_speed_m_s == (r->runout_m - r[-1].runout_m) / past_s);
        moved += r->front_speed_m_s > 0;
        for (int k = 0; k < 3; k++) /* one rate between two rows */
            assert_true(w.first[k] - 1 <= r[-1].step || w.first[k] - 1 >= r->step);
    }
    assert_true(moved > 0);
    assert_true(t.row[0].emitted_m3 == 0 && t.row[1].effusion_m3_s == 0);
    assert_true(t.row[2].effusion_m3_s > 0); /* from step 3 on */
    timeline_free(&t);

    /* Of a case that was changed at step 400, what was emitted before is not what it says now. */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &s, 400, NULL), 0);
    for (int i = 0; i < t.count; i++)
        assert_true(isnan(t.row[i].emitted_m3) == (t.row[i].step < 400 && t.row[i].step != 250));
    timeline_free(&t);
    samples_free(&s);
    fields_free(&w.f);
}

/* A run of many steps that looks at each has no more rows than can be drawn. */
static void rows_have_a_limit(void **state)
{
    struct world w;
    struct samples none = {0};
    struct timeline t;
    world_create(&w, 3);
    w.p.reduce_every = 1;
    for (int every = 8; every <= 16; every *= 2) { /* as many as there may be, at least half */
        w.f.step = 62500 * every + 1;
        assert_int_equal(timeline_create(&t, &w.p, &w.f, &none, 0, NULL), 0);
        assert_in_range(t.count, 50000, 100002);
        assert_int_equal(t.row[1].step, 2);
        assert_int_equal(t.row[2].step, every);
        assert_int_equal(t.row[t.count - 1].step, w.f.step);
        timeline_free(&t);
    }
    w.f.step = w.p.first_step = 7; /* not a step was made */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &none, 7, NULL), 0);
    assert_int_equal(t.count, 1);
    timeline_free(&t);
    fields_free(&w.f);
}

static void samples_are_copied_with_room(void **state)
{
    struct samples s = {0}, copy;
    for (int i = 1; i < 12; i++) {
        const struct sample one = {.step = i, .mobile = i};
        assert_int_equal(samples_add(&s, &one, NULL), 0);
        assert_int_equal(samples_copy(&copy, &s, NULL), 0);
        const struct sample next = {.step = i + 1, .mobile = 99};
        assert_int_equal(samples_add(&copy, &next, NULL), 0);
        assert_int_equal(copy.count, i + 1);
        assert_true(copy.item[i - 1].mobile == i && copy.item[i].mobile == 99);
        samples_free(&copy);
    }
    samples_free(&s);
}

/* ---- the files: each column, and each line of the picture, is what its name says ----------------- */

static const struct column {
    const char *name;
    size_t at;
} columns[] = {{"area_m2", offsetof(struct timeline_row, area_m2)},
               {"runout_m", offsetof(struct timeline_row, runout_m)},
               {"front_speed_m_s", offsetof(struct timeline_row, front_speed_m_s)},
               {"emitted_m3", offsetof(struct timeline_row, emitted_m3)},
               {"effusion_m3_s", offsetof(struct timeline_row, effusion_m3_s)},
               {"mobile_m3", offsetof(struct timeline_row, mobile_m3)},
               {"solidified_m3", offsetof(struct timeline_row, solidified_m3)},
               {"left_m3", offsetof(struct timeline_row, left_m3)},
               {"entered_sea_m3", offsetof(struct timeline_row, sea_m3)},
               {"thickest_m", offsetof(struct timeline_row, thickest_m)},
               {"hottest_K", offsetof(struct timeline_row, hottest_K)}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double number_in(const struct timeline_row *r, size_t at)
{
    double x;
    memcpy(&x, (const char *)r + at, sizeof x);
    return x;
}

static bool near(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-8 * fabs(b);
}

static const char *date_of(char out[32], double time_s)
{
    const time_t then = 1152914400 + (time_t)time_s; /* 2006-07-14T22:00:00Z */
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime(&then));
    return out;
}

/* Returns how many numbers were there. */
static int check_table(const char *path, const struct timeline *t, double clock_s)
{
    FREED char *text = read_text(path);
    char *line = strchr(text, '\n') + 1, date[32];
    int found = 0, row = 0;
    assert_int_equal(strncmp(text, "step,time_h,date,", 17), 0);
    for (; *line; row++) {
        const struct timeline_row *r = &t->row[row];
        char *name = text + 17, *cell;
        assert_true(row < t->count);
        assert_int_equal(strtoll(line, &cell, 10), r->step);
        assert_true(near(strtod(cell + 1, &cell), (double)r->step * clock_s / 3600));
        cell++;
        assert_int_equal(strncmp(cell, date_of(date, (double)r->step * clock_s), strlen(date)), 0);
        cell += strlen(date);
        for (int k = 0; k < COLUMNS; k++) {
            const size_t length = strcspn(name, ",\n");
            assert_int_equal(length, strlen(columns[k].name));
            assert_int_equal(strncmp(name, columns[k].name, length), 0);
            assert_int_equal(*cell++, ',');
            const bool none = strchr(",\n", *cell);
            const double said = none ? (double)NAN : strtod(cell, &cell);
            assert_true(near(said, number_in(r, columns[k].at)));
            found += !none;
            name += length + 1;
        }
        assert_int_equal(*cell, '\n');
        line = cell + 1;
    }
    assert_int_equal(row, t->count);
    return found;
}

/* The lines of the picture, by the label of a line or the title of its axis, in an unknown unit of volume. */
static const struct {
    const char *begins;
    size_t at;
    double unit; /* 0: that of the axis */
    int kind;
} lines[] = {{"area reached, km", offsetof(struct timeline_row, area_m2), 1e6, PLOT_LINE},
             {"distance reached, km", offsetof(struct timeline_row, runout_m), 1e3, PLOT_LINE},
             {"effusion, m", offsetof(struct timeline_row, effusion_m3_s), 1, PLOT_STEPS},
             {"emitted", offsetof(struct timeline_row, emitted_m3), 0, PLOT_LINE},
             {"mobile", offsetof(struct timeline_row, mobile_m3), 0, PLOT_DOTS},
             {"solidified", offsetof(struct timeline_row, solidified_m3), 0, PLOT_DOTS},
             {"left the terrain", offsetof(struct timeline_row, left_m3), 0, PLOT_DOTS},
             {"entered the sea", offsetof(struct timeline_row, sea_m3), 0, PLOT_DOTS}};

static void check_line(const struct plot *p, const struct plot_series *s, const struct timeline *t,
                       double time_s, double clock_s)
{
    const char *name = s->label ? s->label : p->y.title;
    const double volume = strstr(p->y.title, "million") ? 1e6 : 1;
    size_t k = 0;
    double most = 0;
    while (strncmp(name, lines[k].begins, strlen(lines[k].begins)) != 0)
        assert_true(++k < sizeof lines / sizeof *lines);
    assert_int_equal(s->count, t->count);
    assert_int_equal(s->kind, lines[k].kind);
    for (int i = 0; i < s->count; i++) {
        const double y =
            number_in(&t->row[i], lines[k].at) / (lines[k].unit ? lines[k].unit : volume);
        assert_true(near(s->x[i] * time_s, (double)t->row[i].step * clock_s) && near(s->y[i], y));
        if (y > most) most = y;
    }
    assert_true(p->y.low == 0 && p->y.high > most && (p->count > 1 || p->y.high < 1.2 * most));
    assert_true(near(p->x.low, s->x[0]) && near(p->x.high, s->x[s->count - 1]));
}

/* Returns how many lines there are. */
static int check_picture(const struct record *r, const struct timeline *t, double clock_s,
                         const char *span)
{
    struct record_scene s;
    struct error e = {0};
    char text[WORDS_TEXT];
    int found = 0;
    must(record_scene(&s, r, 0, &e), &e);
    const struct plot *plot = s.scene.of;
    const bool days = t->row[t->count - 1].step * clock_s >= 3 * 86400;
    assert_true(s.scene.kind == SCENE_PLOTS && s.scene.plots == 4);
    assert_string_equal(words_fill(text, sizeof text, plot[0].subtitle, NULL), span);
    assert_string_equal(plot[3].x.title, days ? "days since the start" : "hours since the start");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < plot[i].count; k++, found++)
            check_line(&plot[i], &plot[i].series[k], t, days ? 86400 : 3600, clock_s);
    record_release(&s);
    return found;
}

/* A short run and a long one, small and large volumes, with and without lava that left or entered the sea. */
static void files_have_the_rows(void **state)
{
    struct world w;
    struct scratch dir;
    struct timeline t;
    struct error e = {0};
    scratch_create(&dir);
    world_create(&w, 4);
    for (int n = 0; n < 16; n++) {
        struct samples s = {0};
        struct output_timeline done;
        struct output_folder folder = {.path = dir.path};
        const struct output_info info = {.directory = dir.path,
                                         .formats = OUTPUT_GEOTIFF,
                                         .variant = "reference",
                                         .version = "0",
                                         .samples = &s,
                                         .folder = &folder};
        struct sim_case c = {.name = "hand", .problem = w.p};
        if (n & 4) strcpy(c.start_time, "2006-07-14T22:00:00Z");
        const double clock_s = c.problem.params.clock_s = n & 1 ? 600 : 60;
        for (int i = 0; i < 50; i++) w.f.thickness_m[i] = n & 2 ? 40 : 2, w.f.temp_K[i] = 1000 + i;
        for (int i = 0; i < 20; i++) w.f.solid_m[i] = 0.5;
        w.f.left_domain = n & 4 ? (quanta)3 << 36 : 0;
        w.f.entered_sea = n & 8 ? (quanta)1000000 << 36 : 0; /* more than all others */
        const struct sample one = {.step = 333,
                                   .emitted = vents_sum(w.vent, 3, 1, 333),
                                   .mobile = (quanta)1 << 36,
                                   .solidified = (quanta)9 << 33,
                                   .left_domain = w.f.left_domain / 3,
                                   .entered_sea = w.f.entered_sea / 5,
                                   .thickest_m = 1.5,
                                   .hottest_K = 1234};
        must(samples_add(&s, &one, &e), &e);
        must(record_create(&folder.record, dir.path, &e), &e);
        output_timeline(&done, &info, &c, &w.f, 7, 0);
        must(done.table, &done.why_table);
        must(done.picture, &done.why_picture);
        must(timeline_create(&t, &c.problem, &w.f, &s, 0, &e), &e);
        if (n & 4)
            assert_in_range(check_table(scratch_file(&dir, "timeline.csv"), &t, clock_s),
                            5 * t.count, 6 * t.count);
        struct record *r;
        must(record_write(folder.record, scratch_file(&dir, "record.zip"), "sciara 0", 7, &e), &e);
        must(record_open(&r, scratch_file(&dir, "record.zip"), &e), &e);
        const int shown = check_picture(r, &t, clock_s,
                                        !(n & 4) ? "steps 0 to 1234"
                                        : n & 1  ? "2006-07-14 22:00 UTC to 2006-07-23 11:40 UTC"
                                                 : "2006-07-14 22:00 UTC to 2006-07-15 18:34 UTC");
        assert_int_equal(shown, 6 + !!(n & 4) + !!(n & 8));
        record_close(r);
        record_discard(folder.record);
        timeline_free(&t);
        samples_free(&s);
    }
    fields_free(&w.f);
    scratch_remove(&dir);
}

int main(void)
{
    return UNIT_RUN(spread_is_what_counting_says, emission_is_what_adding_says, rows_are_there_once,
                    rows_have_a_limit, files_have_the_rows, samples_are_copied_with_room);
}
