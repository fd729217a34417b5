/* The state of a run in a file: a run that is stopped at any step and goes on from the file, in
 * another variant and on another number of threads, has the same bits, records and ledgers in every
 * later step as one that was not stopped. And what is wrong with a file is said in one line. */
/* tests: output/restart */
/* run: plain, sanitized */
/* build: emulator */
#include "effort.h"
#include "every_variant.h"
#include "random_case.h"
#include "reference/team.h"
#include "record/runfolder.h"
#include "restart/restart.h"
#include "scratch.h"
#include "sim/vent.h"

/* ---- a case and a run of it ------------------------------------------------------------------ */

struct world {
    struct random_case r;
    struct sim_case c;
    struct scratch folder;
    const char *path;
};

static void world_create(struct world *w, int rows, int cols, uint64_t seed)
{
    random_case_create(&w->r, rows, cols, seed % 2 ? 0.02 : 0.0, seed);
    w->c = (struct sim_case){.name = "random",
                             .geo = {.west_m = 500000, .south_m = 4170000, .cell_m = 10},
                             .problem = w->r.problem};
    scratch_create(&w->folder);
    w->path = scratch_file(&w->folder, "state_000000.tif");
}

static void world_free(struct world *w)
{
    random_case_free(&w->r);
    scratch_remove(&w->folder);
}

/* The state that the case has at that step, from the beginning or from an earlier state. */
static struct fields state_at(const struct variant *v, const struct world *w,
                              const struct fields *from, int64_t step, int threads, bool *stopped)
{
    struct problem p = w->c.problem;
    struct variant_options o = {.threads = threads, .team = TEAM_ALL};
    struct variant_status now = {0};
    struct error e = {0};
    struct ledger ledger;
    struct fields f;
    void *self;
    p.from = from;
    const int64_t steps = step - fields_begin(&p);
    must(v->create(&self, &p, &o, &e), &e);
    p.from = NULL; /* create() has taken what it needs */
    if (steps) must(v->advance(self, steps, &now, &e), &e);
    f = snapshot_of(v, self, &p);
    v->destroy(self);
    must(fields_ledger(&ledger, &f, &p, &e), &e);
    if (stopped) *stopped = now.stopped;
    return f;
}

static uint64_t digest_of_state(const struct fields *f)
{
    return fields_digest(f, f->window.rows, f->window.cols);
}

static struct fields through_file(const struct world *w, const struct fields *f)
{
    struct restart out = {.variant = "test", .version = "0"}, in;
    struct fields got;
    struct error e = {0};
    memcpy(out.name, w->c.name, sizeof out.name);
    struct identity now;
    must(restart_write(w->path, &out, &w->c, f, &e), &e);
    must(restart_read(&in, &got, w->path, &e), &e);
    must(identity_of(&now, &w->c, f->window, &e), &e);
    must(restart_fits(&in, &now, false, w->path, &e), &e);
    assert_true(in.step == f->step && in.digest == digest_of_state(f));
    restart_free(&in);
    return got;
}

static size_t solid_cells(const struct fields *f)
{
    size_t cells = 0;
    for (size_t i = 0; i < (size_t)f->window.rows * (size_t)f->window.cols; i++)
        cells += f->solid_m[i] > 0;
    return cells;
}

/* ---- going on -------------------------------------------------------------------------------- */

/* From each variant to another, stopped twice. */
static void goes_on(void **state)
{
    const int from = (int)(size_t)*state;
    static const int size[][2] = {{20, 20}, {33, 17}};
    for (uint64_t seed = 0; seed < SANITIZED(1, 2); seed++) {
        struct world w;
        uint64_t rng = 977 * seed + (uint64_t)from;
        size_t wet;
        world_create(&w, size[seed][0], size[seed][1], 40 + 7 * seed + (uint64_t)from);
        w.c.problem.full_domain = seed == 1 && from % 2;
        emulator_seed = seed;
        const int64_t first = 5 + (int64_t)(60 * random_unit(&rng)),
                      second = first + 1 + (int64_t)(60 * random_unit(&rng)), last = 150;
        const struct variant *const by[] = {all[from], all[(from + 1 + seed) % ALL],
                                            all[(from + 3) % ALL]};
        struct fields whole = state_at(&variant_reference, &w, NULL, last, 1, NULL);
        struct fields a = state_at(by[0], &w, NULL, first, 2, NULL), b = through_file(&w, &a);
        struct fields c = state_at(by[1], &w, &b, second, 1, NULL), d = through_file(&w, &c);
        struct fields e = state_at(by[2], &w, &d, last, 3, NULL);
        fields_mobile(&a, &wet);
        assert_true(wet > 4 && solid_cells(&c) > 0 && a.emitted > 0 && whole.left_domain > 0);
        assert_true(digest_of_state(&a) != digest_of_state(&whole));
        same(&a, &b);
        same(&c, &d);
        same(&e, &whole);
        struct fields *each[] = {&whole, &a, &b, &c, &d, &e};
        for (size_t i = 0; i < sizeof each / sizeof *each; i++) fields_free(each[i]);
        world_free(&w);
    }
}

/* At 50 random steps, one after the other, each time in another variant. */
static void stopped_often(void **state)
{
    enum { TIMES = SANITIZED(5, 50) };
    struct world w;
    uint64_t rng = 12;
    int64_t step = 0;
    world_create(&w, 20, 22, 3);
    struct fields now = state_at(&variant_reference, &w, NULL, 0, 1, NULL);
    for (int i = 0; i < TIMES; i++) {
        step += 1 + (int64_t)(6 * random_unit(&rng));
        struct fields next = state_at(all[i % ALL], &w, &now, step, 1 + i % 3, NULL);
        fields_free(&now);
        now = through_file(&w, &next);
        fields_free(&next);
    }
    struct fields whole = state_at(&variant_reference, &w, NULL, step, 1, NULL);
    assert_true(solid_cells(&whole) > 10 || TIMES < 50);
    same(&now, &whole);
    fields_free(&now);
    fields_free(&whole);
    world_free(&w);
}

/* Etna 2006: some hundred steps by the reference, then a few by each variant in turn;
 * STATE_STOPS=50 stops that often. */
static void etna(void **state)
{
    struct world w = {0};
    struct error e = {0};
    uint64_t rng = 2006;
    char path[512];
    if (!etna_folder()) skip();
    snprintf(path, sizeof path, "%s/2006_000000000000.cfg", etna_folder());
    must(case_load(&w.c, path, &e), &e);
    scratch_create(&w.folder);
    w.path = scratch_file(&w.folder, "state_000000.tif");
    int64_t step = 300 + (int64_t)(200 * random_unit(&rng));
    struct fields now = state_at(&variant_reference, &w, NULL, step, 2, NULL);
    const char *stops = getenv("STATE_STOPS");
    for (int i = 0; i < (stops ? atoi(stops) : ALL); i++) {
        struct fields read = through_file(&w, &now);
        fields_free(&now);
        step += 1 + (int64_t)(5 * random_unit(&rng));
        now = state_at(all[(i + 1) % ALL], &w, &read, step, 1 + i % 2, NULL);
        fields_free(&read);
    }
    struct fields whole = state_at(&variant_reference, &w, NULL, step, 1, NULL);
    assert_true(whole.emitted > 0 && solid_cells(&whole) > 0);
    same(&now, &whole);
    fields_free(&now);
    fields_free(&whole);
    case_free(&w.c);
    scratch_remove(&w.folder);
}

/* The stopping rule ends a run that goes on in the same step; and a state says whether it has. */
static void stops_alike(void **state)
{
    struct world w;
    bool stopped, again;
    world_create(&w, 20, 20, 7);
    struct problem *p = &w.c.problem;
    p->params.cooling = 1000;
    p->stop_when_still = true;
    p->stop_mobile_m = 20.0;
    struct fields whole = state_at(&variant_reference, &w, NULL, 700, 1, &stopped);
    struct fields part = state_at(&variant_reference, &w, NULL, whole.step - 11, 1, &again);
    assert_true(stopped && !again && whole.step < 700);
    for (int i = 0; i < ALL; i++) {
        struct fields rest = state_at(all[i], &w, &part, whole.step + 5, 1, &again);
        assert_true(again);
        same(&whole, &rest);
        assert_true(fields_stopped(&rest, p) && !fields_stopped(&part, p));
        fields_free(&rest);
    }
    fields_free(&whole);
    fields_free(&part);
    world_free(&w);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void refused(const struct world *w, const char *why)
{
    struct restart r;
    struct fields f;
    struct error e = {0};
    assert_int_equal(restart_read(&r, &f, w->path, &e), ERROR_INPUT);
    if (!strstr(e.text, why)) print_message("%s\n", e.text);
    assert_non_null(strstr(e.text, why));
    assert_non_null(strstr(e.text, w->path));
    assert_null(strchr(e.text, '\n'));
}

static void write_bytes(const char *path, const char *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Every truncation and every flipped bit that is tried is found. */
static void damage_is_found(void **state)
{
    struct world w;
    struct stat s;
    uint64_t rng = 5;
    world_create(&w, 40, 37, 9);
    struct fields f = state_at(&variant_reference, &w, NULL, 60, 1, NULL);
    struct fields g = through_file(&w, &f);
    assert_int_equal(stat(w.path, &s), 0);
    const size_t size = (size_t)s.st_size;
    char *data = malloc(size);
    FILE *in = fopen(w.path, "rb");
    assert_int_equal(fread(data, 1, size, in), size);
    fclose(in);
    for (int i = 0; i < SANITIZED(50, 150); i++) {
        const size_t at = (size_t)(random_unit(&rng) * (double)size);
        const char bit = (char)(1 << i % 8);
        data[at] ^= bit;
        write_bytes(w.path, data, size);
        refused(&w, at < size - 16 ? "is damaged" : "is ");
        data[at] ^= bit;
        write_bytes(w.path, data, at);
        refused(&w, "is not a whole state of a run");
    }
    write_bytes(w.path, data, size);
    struct restart r;
    struct error e = {0};
    must(restart_read(&r, NULL, w.path, &e), &e);
    assert_true(restart_is(w.path));
    restart_free(&r);
    remove(w.path);
    refused(&w, "No such file");
    free(data);
    fields_free(&f);
    fields_free(&g);
    world_free(&w);
}

/* A case that differs is refused by the name of what differs. */
static void belongs_to_a_case(void **state)
{
    struct world w;
    struct restart r = {.name = "random"};
    struct identity now;
    struct error e = {0};
    char text[IDENTITY_TEXT];
    world_create(&w, 20, 20, 2);
    struct problem *p = &w.c.problem;
    must(identity_of(&r.identity, &w.c, p->window, &e), &e);
    double *const z = w.r.elevation_m, *const h = w.r.thickness_m;
#define DIFFERS(change, back, words, may)                                                          \
    do {                                                                                           \
        change;                                                                                    \
        must(identity_of(&now, &w.c, p->window, &e), &e);                                          \
        assert_int_equal(identity_differ(&r.identity, &now, text), may);                           \
        assert_string_equal(text, words);                                                          \
        assert_int_equal(restart_fits(&r, &now, RESTART_UNCHANGED, "state", &e), ERROR_INPUT);     \
        assert_non_null(strstr(e.text, words));                                                    \
        assert_int_equal(restart_fits(&r, &now, RESTART_CHANGED, "state", &e),                     \
                         (may) == IDENTITY_SAME_TERRAIN ? 0 : ERROR_INPUT);                        \
        assert_int_equal(restart_fits(&r, &now, RESTART_OTHER_TERRAIN, "state", &e),               \
                         (may) == IDENTITY_OTHER ? ERROR_INPUT : 0);                               \
        assert_true(identity_digest(&now) != identity_digest(&r.identity));                        \
        back;                                                                                      \
    } while (0)
    DIFFERS(z[5] += 0.5, z[5] -= 0.5, "the terrain", IDENTITY_OTHER_TERRAIN);
    DIFFERS(h[7] += 0.5, h[7] -= 0.5, "the lava at the beginning", 0);
    DIFFERS(p->first_step++, p->first_step--, "first_step (0, now 1)", 0);
    DIFFERS(w.c.geo.west_m++, w.c.geo.west_m--, "the western edge (500000, now 500001)", 0);
    DIFFERS(w.r.vents[1].row ^= 1, w.r.vents[1].row ^= 1, "the vents", 1);
    DIFFERS(w.r.amount_m[1][0] += 1, w.r.amount_m[1][0] -= 1, "the rates", 1);
    DIFFERS(w.r.fraction[1][0]++, w.r.fraction[1][0]--, "the rates", 1);
    DIFFERS(w.r.phase[1][0]++, w.r.phase[1][0]--, "the rates", 1);
    DIFFERS(p->params.cooling = 2.5, p->params.cooling = 60, "Pcool (60, now 2.5)", 1);
    DIFFERS(p->reduce_every = 10, p->reduce_every = 25, "reduce_every (25, now 10)", 1);
    DIFFERS(p->stop_when_still = true, p->stop_when_still = false,
            "the mobile lava in metres below which to stop (-1, now 0)", 1);
    must(identity_of(&now, &w.c, p->window, &e), &e);
    must(restart_fits(&r, &now, false, "state", &e), &e);
    p->full_domain = true; /* decides no bit */
    must(identity_of(&now, &w.c, p->window, &e), &e);
    must(restart_fits(&r, &now, false, "state", &e), &e);
    world_free(&w);
}

/* From a state of another window, in each variant, as from the beginning. */
static void goes_on_in(const struct world *w, const struct fields *from, int64_t step)
{
    const struct problem *p = &w->c.problem;
    struct fields expected = state_at(&variant_reference, w, NULL, step, 1, NULL);
    for (int i = 0; i < ALL; i++) {
        struct fields f = state_at(all[i], w, from, step, 1, NULL);
        assert_true(!window_equal(f.window, from->window) && window_equal(f.window, p->window));
        same(&f, &expected);
        fields_free(&f);
    }
    fields_free(&expected);
}

/* A state of a part of the domain with all of its lava: it knows the terrain there alone, is read by
 * the whole, and is refused by a case that differs there. */
static void of_a_window(void **state)
{
    struct world w;
    struct restart r = {.name = "random"}, in;
    struct identity now;
    struct error e = {0};
    struct fields f, g;
    world_create(&w, 33, 30, 2);
    struct problem *p = &w.c.problem;
    double *const z = w.r.elevation_m;
    const struct window part = {2, 3, 25, 20};
    p->thickness_m = p->temp_K = p->solid_m = NULL;
    for (int v = 0; v < p->vent_count; v++) w.r.vents[v].row = 12 + v, w.r.vents[v].col = 12;
    struct fields whole = state_at(&variant_reference, &w, NULL, 8, 1, NULL);
    p->window = part;
    f = state_at(&variant_reference, &w, NULL, 8, 1, NULL);
    const uint64_t digest = fields_digest(&whole, p->rows, p->cols);
    assert_true(fields_digest(&f, p->rows, p->cols) == digest && whole.emitted > 0);
    must(restart_write(w.path, &r, &w.c, &f, &e), &e);
    must(restart_read(&in, &g, w.path, &e), &e);
    same(&f, &g);
    assert_true(in.digest == digest && memcmp(&g.window, &part, sizeof part) == 0);
    p->window = whole.window;
    goes_on_in(&w, &g, 40);
    p->window = part;
    goes_on_in(&w, &whole, 9);
    p->window = whole.window;
    z[0] += 1; /* outside */
    must(identity_of(&now, &w.c, in.identity.window, &e), &e);
    must(restart_fits(&in, &now, RESTART_UNCHANGED, w.path, &e), &e);
    z[2 * p->cols + 3] += 1; /* inside */
    must(identity_of(&now, &w.c, in.identity.window, &e), &e);
    assert_int_equal(restart_fits(&in, &now, RESTART_UNCHANGED, w.path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "differs in the terrain; resume"));
    z[0] -= 1, z[2 * p->cols + 3] -= 1;
    p->rows = p->window.rows = 20; /* another domain, without a part of the window */
    must(identity_of(&now, &w.c, in.identity.window, &e), &e);
    assert_int_equal(restart_fits(&in, &now, RESTART_OTHER_TERRAIN, w.path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "the rows of the grid (33, now 20);"));
    restart_free(&r);
    restart_free(&in);
    fields_free(&whole);
    fields_free(&f);
    fields_free(&g);
    world_free(&w);
}

/* The chain of states that a run went on from, and sums of 128 bits. */
static void keeps_everything(void **state)
{
    struct world w;
    struct restart a = {.name = "random", .variant = "cfamo", .version = "1"}, b, c, d;
    struct error e = {0};
    struct fields f, g;
    world_create(&w, 20, 20, 2);
    f = state_at(&variant_reference, &w, NULL, 25, 1, NULL);
    f.emitted = -((quanta)1 << 100) - 3;
    f.heat.cooled = ((quanta)1 << 110) + 7;
    must(restart_write(w.path, &a, &w.c, &f, &e), &e);
    const struct sample rows[] = {{3, 10, 4, 3, 2, 1, 0.5, 1300}, {9, 25, 9, 8, 5, 3, 0.25, 0}};
    for (int i = 0; i < 2; i++) must(samples_add(&a.samples, &rows[i], &e), &e);
    /* a link is about the state that was gone on from, not about the one that is written now */
    b = (struct restart){.variant = "global", .version = "2", .step = 20, .digest = 7};
    must(restart_chain(&b, &a, true, &e), &e);
    d = (struct restart){.variant = "tiled", .version = "3"};
    must(restart_chain(&d, &b, false, &e), &e);
    must(restart_write(w.path, &d, &w.c, &f, &e), &e);
    must(restart_read(&c, &g, w.path, &e), &e);
    assert_int_equal(c.link_count, 2);
    assert_true(c.link[0].changed && !c.link[1].changed);
    assert_string_equal(c.link[0].variant, "cfamo");
    assert_string_equal(c.link[0].version, "1");
    assert_true(c.link[0].step == 25 && c.link[0].digest == digest_of_state(&f));
    assert_true(c.link[0].identity == identity_digest(&a.identity));
    assert_string_equal(c.link[1].variant, "global");
    assert_string_equal(c.link[1].version, "2");
    assert_true(c.link[1].step == 20 && c.link[1].digest == 7);
    assert_true(c.link[1].identity == identity_digest(&(struct identity){0}));
    assert_true(c.step == 25 && c.digest == digest_of_state(&f));
    assert_string_equal(c.version, "3");
    assert_true(c.time_s == 25 * 120.0 && !c.stopped);
    assert_int_equal(c.samples.count, 2);
    for (int i = 0; i < 2; i++) {
        const struct sample *x = &c.samples.item[i], *y = &rows[i];
        assert_true(x->step == y->step && x->emitted == y->emitted && x->mobile == y->mobile &&
                    x->solidified == y->solidified && x->left_domain == y->left_domain &&
                    x->entered_sea == y->entered_sea && x->thickest_m == y->thickest_m &&
                    x->hottest_K == y->hottest_K);
    }
    same(&f, &g);
    restart_free(&a);
    restart_free(&b);
    restart_free(&c);
    restart_free(&d);
    fields_free(&f);
    fields_free(&g);
    world_free(&w);
}

static void lists_a_folder(void **state)
{
    static const char *const names[] = {"state_000100.tif", "state_001200.tif",
                                        "state_000020.tif", "state_2147483646.tif",
                                        "state_1.tif",      "thickness_m_000300.tif"};
    struct scratch s;
    int64_t step[3], one;
    scratch_create(&s);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_text(scratch_file(&s, names[i]), "");
    assert_int_equal(restart_list(s.path, step, 3), 3);
    assert_true(step[0] == 2147483646 && step[1] == 1200 && step[2] == 100);
    assert_int_equal(restart_list(s.path, step, 2), 2);
    assert_true(step[0] == 2147483646 && step[1] == 1200);
    assert_int_equal(restart_list("none", step, 3), 0);
    assert_false(runfolder_is_state("state_000100.tif.aux.xml", NULL));
    assert_true(runfolder_is_state("state_000100.tif", &one) && one == 100);
    char *path = restart_path("a/b", 16000);
    assert_string_equal(path, "a/b/state_016000.tif");
    free(path);
    scratch_remove(&s);
}

int main(void)
{
    struct CMUnitTest tests[ALL + 8] = {
        cmocka_unit_test(stopped_often),   cmocka_unit_test(stops_alike),
        cmocka_unit_test(damage_is_found), cmocka_unit_test(belongs_to_a_case),
        cmocka_unit_test(of_a_window),     cmocka_unit_test(keeps_everything),
        cmocka_unit_test(lists_a_folder),  cmocka_unit_test(etna),
    };
    for (size_t i = 0; i < ALL; i++)
        tests[8 + i] = (struct CMUnitTest){all[i]->name, goes_on, NULL, NULL, (void *)i};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
