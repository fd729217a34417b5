/* What the library refuses: every wrong number, text or pointer in what the caller fills in gives
 * SCIARA_INPUT, one line that names it, and no object. */
/* tests: input/drawing, library */
#define _DEFAULT_SOURCE /* realpath */
#include <float.h>
#include <limits.h>
#include <stdlib.h>

#include "case_files.h"
#include "case/changes.h"
#include "drawing/drawing.h"
#include "library_case.h"
#include "unit.h"

static struct library_case *fresh(void)
{
    struct library_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    library_case_fill(c);
    return c;
}

/* Frees c; wants to find `words` in the message. */
static void refused(struct library_case *c, const char *words)
{
    struct sciara_error e = {0};
    sciara_case *made = (sciara_case *)c;
    const int status = sciara_case_create(&made, &c->input, &e);
    if (status != SCIARA_INPUT || !strstr(e.text, words))
        print_error("status %d, '%s' without '%s'\n", status, e.text, words);
    assert_int_equal(status, SCIARA_INPUT);
    assert_int_equal(e.status, SCIARA_INPUT);
    assert_non_null(strstr(e.text, words));
    assert_null(strchr(e.text, '\n'));
    assert_null(made);
    assert_int_equal(sciara_case_create(&made, &c->input, NULL), SCIARA_INPUT);
    free(c);
}

/* The same case is good without the change. */
#define REFUSED(words, ...)                                                                        \
    do {                                                                                           \
        struct library_case *c = fresh();                                                          \
        struct sciara_case_input *in = &c->input;                                                  \
        (void)in;                                                                                  \
        __VA_ARGS__;                                                                               \
        refused(c, words);                                                                         \
    } while (0)

static void the_case_itself_is_good(void **state)
{
    struct library_case *c = fresh();
    struct sciara_error e;
    sciara_case *made;
    assert_int_equal(sciara_case_create(&made, &c->input, &e), SCIARA_OK);
    free(c); /* all is copied */
    sciara_case_free(made);
    sciara_case_free(NULL);
}

static void grids(void **state)
{
    const double bad[] = {(double)INFINITY, -(double)INFINITY, 1e300, -1e300, 10001, -4001};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED("elevation_m: the elevation is", c->elevation_m[3 * COLS + 5] = bad[i]);
    REFUSED("at row 3, column 5", c->elevation_m[3 * COLS + 5] = 1e9);
    REFUSED("elevation_m: no cell has data",
            for (int i = 0; i < CELLS; i++) c->elevation_m[i] = (double)NAN);
    REFUSED("elevation_m: is NULL", in->elevation_m = NULL);
    REFUSED("thickness_m: the thickness is 4001", c->thickness_m[7] = 4001);
    REFUSED("slope: 4000.5 m of mobile and solidified lava at row 6, column 1",
            c->thickness_m[6 * COLS + 1] = 3999.9;
            c->temperature_K[6 * COLS + 1] = 1200);
    REFUSED("thickness_m: the thickness is -1", c->thickness_m[7] = -1);
    REFUSED("thickness_m: the thickness is inf", c->thickness_m[7] = (double)INFINITY);
    REFUSED("thickness_m: has lava at row 20, column 3", c->thickness_m[20 * COLS + 3] = 1);
    REFUSED("solidified_m: the thickness is -0.5", c->solidified_m[7] = -0.5);
    REFUSED("temperature_K: the mobile lava has 1142 K", c->temperature_K[5 * COLS] = 1142);
    REFUSED("temperature_K: the mobile lava has nan K", c->temperature_K[5 * COLS] = (double)NAN);
    REFUSED("temperature_K: has inf K", c->temperature_K[0] = (double)INFINITY);
    REFUSED("temperature_K: is given without", in->thickness_m = NULL);
    REFUSED("no lava", in->thickness_m = in->temperature_K = NULL;
            in->vent_count = in->rate_count = 0);
}

static void sizes(void **state)
{
    const int bad[] = {0, -1, 1, 2, INT_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        REFUSED("elevation_m: ", in->rows = bad[i]);
        REFUSED("elevation_m: ", in->cols = bad[i]);
    }
    REFUSED("elevation_m: ", in->rows = in->cols = INT_MAX);
    REFUSED("elevation_m: ", in->rows = INT_MAX);
    REFUSED("elevation_m: ", in->cols = INT_MAX);
    REFUSED("cell_m", in->cell_m = 0);
    REFUSED("cell_m", in->cell_m = -10);
    REFUSED("cell_m", in->cell_m = (double)NAN);
    REFUSED("cell_m", in->cell_m = 1e300);
    REFUSED("west_m", in->west_m = (double)NAN);
    REFUSED("west_m", in->west_m = -(double)INFINITY);
    REFUSED("south_m", in->south_m = 1e10);
    REFUSED("south_m", in->south_m = 1e9);
    REFUSED("epsg: is -1", in->epsg = -1);
    REFUSED("epsg: is 2147483647", in->epsg = INT_MAX);
    REFUSED("epsg: EPSG:4326", in->epsg = 4326);
    REFUSED("epsg: Web Mercator", in->epsg = 3857);
}

static void vents_and_rates(void **state)
{
    REFUSED("vents: is NULL", in->vents = NULL);
    REFUSED("rates: is NULL", in->rates = NULL);
    REFUSED("vent_count: is -1", in->vent_count = -1);
    REFUSED("vent_count: is 2147483647", in->vent_count = INT_MAX);
    REFUSED("rate_count: is 2147483647", in->rate_count = INT_MAX);
    REFUSED("rate_count: is -2147483648", in->rate_count = INT_MIN);
    REFUSED("vents: have no rates", in->rate_count = 0);
    REFUSED("rates: have no vents", in->vent_count = 0);
    REFUSED("vents[1]: row -1", c->vents[1].row = -1);
    REFUSED("vents[1]: row 24", c->vents[1].row = ROWS);
    REFUSED("vents[2]: row 3, column 2147483647", c->vents[2].col = INT_MAX);
    REFUSED("vents[0]: its id is 0", c->vents[0].id = 0);
    REFUSED("vents[0]: its id is 2147483647", c->vents[0].id = INT_MAX);
    REFUSED("vents: vent 2 has a cell at row 20, column 3",
            c->vents[1] = ((struct sciara_vent){2, 20, 3}));
    REFUSED("rates[1]: the id is -1", c->rates[1].id = -1);
    REFUSED("rates: vent 2 of vents has no rates", c->rates[1].id = 7; c->rates[1].from_s = 9000;
            c->rates[1].to_s = 9900);
    REFUSED("rates[1]: rates of vent 9", c->rates[1].id = 9);
    REFUSED("rates[2]: rates of all vents", c->rates[2].id = 0);
    REFUSED("rates[0]: overlaps", c->rates[0].from_s = 3599);
    REFUSED("rates[1]: the rate is negative", c->rates[1].rate_m3_s = -1e-300);
    REFUSED("rates[1]: the time is negative", c->rates[1].from_s = -1);
    REFUSED("rates[1]: the end is not after", c->rates[1].to_s = 0);
    REFUSED("rates[1]: the end is too late", c->rates[1].to_s = DBL_MAX);
    REFUSED("rates[1]: no step of 120 s", c->rates[1].from_s = 1; c->rates[1].to_s = 2;
            in->emission = SCIARA_EMISSION_PUBLISHED);
    REFUSED("emission: is 2;", in->emission = 2);
    REFUSED("emission: is -1;", in->emission = -1);
    REFUSED("rates[1]: a rate of 84 m3/s adds 100.8 m of lava", c->rates[1].rate_m3_s = 84);
    REFUSED("rates: several vents emit 102.6 m of lava into the cell at row 10, column 10 in step "
            "1, more than 100", /* 3 m3/s, and 4.25 of them and three more */
            c->vents[0] = (struct sciara_vent){7, 10, 10};
            c->vents[2] = c->vents[0]; c->rates[2].rate_m3_s = 82.5);
    REFUSED("rates[1]: is not finite", c->rates[1].from_s = (double)NAN);
    REFUSED("rates[1]: is not finite", c->rates[1].to_s = (double)INFINITY);
    REFUSED("rates[1]: is not finite", c->rates[1].rate_m3_s = (double)NAN);
    REFUSED("rates[1]: a rate of", c->rates[1].rate_m3_s = DBL_MAX);
}

static void parameters_and_steps(void **state)
{
    for (size_t i = 0; i < sizeof(struct sciara_parameters) / sizeof(double); i++) {
        const double bad[] = {(double)NAN, (double)INFINITY, -1, DBL_MAX};
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
            REFUSED(": is ",
                    memcpy((char *)&in->parameters + i * sizeof(double), &bad[k], sizeof(double)));
    }
    REFUSED("Pclock: is 0", in->parameters.Pclock = 0);
    REFUSED("PTvent: is not above PTsol", in->parameters.PTvent = in->parameters.PTsol);
    REFUSED("max_steps: is -1", in->max_steps = -1);
    REFUSED("max_steps: ", in->max_steps = INT64_MAX);
    REFUSED("first_step: ", in->first_step = INT64_MIN);
    REFUSED("reduce_every: is -1", in->reduce_every = -1);
    REFUSED("reduce_every: ", in->reduce_every = INT64_MAX);
    REFUSED("stop_below_m: is nan", in->stop_below_m = (double)NAN);
    REFUSED("stop_below_m: is -1", in->stop_below_m = -1);
}

static void words(void **state)
{
    static char text[300];
    memset(text, 'x', sizeof text - 1);
    REFUSED("name: give 1 to 63", in->name = "");
    REFUSED("name: give 1 to 63", in->name = text);
    REFUSED("name: a/b has a slash", in->name = "a/b");
    REFUSED("name: .. is reserved for folders", in->name = "..");
    REFUSED("name: has a control character", in->name = "\xc2\x9b");
    REFUSED("title: give 1 to 127", in->title = text);
    REFUSED("title: is not UTF-8", in->title = "\xff");
    REFUSED("title: has a control character", in->title = "two\nlines");
    REFUSED("terrain_source: give 1 to 255", in->terrain_source = text);
    REFUSED("start_time: give a date", in->start_time = "yesterday");
    REFUSED("outline: the file none.json cannot", in->outline = "none.json");
}

static void structures_of_other_versions(void **state)
{
    struct library_case *c = fresh();
    struct sciara_error e;
    sciara_case *made;
    struct {
        struct sciara_case_input known;
        char later[16];
    } newer = {.known = c->input};
    newer.known.size = sizeof newer;
    assert_int_equal(sciara_case_create(&made, &newer.known, &e), SCIARA_OK);
    sciara_case_free(made);
    newer.later[15] = 1;
    assert_int_equal(sciara_case_create(&made, &newer.known, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "newer library"));
    assert_int_equal(sciara_case_create(&made, NULL, &e), SCIARA_INPUT);
    c->input.size = 0;
    refused(c, "sciara_case_input_init()");

    char small[sizeof(size_t) + 4]; /* of an older caller: nothing after its end is written */
    memset(small, 'x', sizeof small);
    sciara_options_init((struct sciara_options *)(void *)small, sizeof small - 1);
    assert_int_equal(small[sizeof small - 1], 'x');
}

static sciara_case *good_case(void)
{
    struct library_case *c = fresh();
    sciara_case *made = NULL;
    assert_int_equal(sciara_case_create(&made, &c->input, NULL), SCIARA_OK);
    free(c);
    return made;
}

/* Options that cannot be, one at a time. */
static void options(void **state)
{
    const struct {
        struct sciara_options o;
        const char *words;
    } bad[] = {
        {{.device = -1}, "device: is -1"},
        {{.device = INT_MAX}, "device: is"},
        {{.threads = -1}, "threads: is -1"},
        {{.threads = INT_MAX}, "threads: is"},
        {{.max_steps = -1}, "max_steps: is -1"},
        {{.max_steps = INT64_MAX}, "max_steps: is"},
        {{.stop_below_m = (double)NAN}, "stop_below_m"},
        {{.variant = "fast"}, "fast: no such variant"},
        {{.variant = ""}, "no such variant"},
    };
    sciara_case *c = good_case();
    sciara_simulation *s;
    struct sciara_error e;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sciara_options o = bad[i].o;
        o.size = sizeof o;
        assert_int_equal(sciara_create(&s, c, &o, &e), SCIARA_INPUT);
        assert_null(s);
        assert_non_null(strstr(e.text, bad[i].words));
    }
    struct sciara_options none = {0};
    assert_int_equal(sciara_create(&s, c, &none, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "sciara_options_init()"));
    sciara_case_free(c);
}

static void calls_of_a_simulation(void **state)
{
    sciara_case *c = good_case();
    sciara_simulation *s;
    sciara_snapshot *x;
    struct sciara_error e;
    float few[4];
    int64_t exact[CELLS];
    assert_int_equal(sciara_create(&s, c, NULL, &e), SCIARA_OK);
    assert_int_equal(sciara_advance(s, -1, &e), SCIARA_INPUT);
    assert_int_equal(sciara_advance(s, INT64_MIN, &e), SCIARA_INPUT);
    assert_int_equal(sciara_advance_to(s, (double)NAN, &e), SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_take(&x, s, &e), SCIARA_OK);
    assert_int_equal(sciara_snapshot_read(x, SCIARA_THICKNESS, few, 4, &e), SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_read(x, SCIARA_THICKNESS, NULL, CELLS, &e), SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_read(x, (enum sciara_field)99, few, 4, &e), SCIARA_INPUT);
    assert_null(sciara_snapshot_field(x, (enum sciara_field)99));
    assert_null(sciara_snapshot_field(x, SCIARA_ARRIVAL));
    assert_int_equal(sciara_snapshot_read_exact(x, SCIARA_TEMPERATURE, exact, CELLS, &e),
                     SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_write(x, NULL, SCIARA_PNG, NULL, &e), SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_write(x, "", SCIARA_PNG, NULL, &e), SCIARA_INPUT);
    assert_int_equal(sciara_snapshot_write(x, "build/tmp/none", 64, NULL, &e), SCIARA_INPUT);
    struct sciara_run_options o;
    sciara_run_options_init(&o, sizeof o);
    o.folder = "";
    assert_int_equal(sciara_run(s, &o, NULL, &e), SCIARA_INPUT);
    o.folder = "build/tmp/none";
    o.formats = 1u << 31;
    assert_int_equal(sciara_run(s, &o, NULL, &e), SCIARA_INPUT);
    assert_null(sciara_summary(s));
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
}

static void files(void **state)
{
    sciara_case *c;
    struct sciara_error e;
    assert_int_equal(sciara_case_load(&c, NULL, NULL, NULL, &e), SCIARA_INPUT);
    assert_int_equal(sciara_case_load(&c, "", NULL, NULL, &e), SCIARA_INPUT);
    assert_int_equal(sciara_case_load(&c, "none.cfg", "decimal", NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "decimal"));
    assert_int_equal(sciara_case_load(&c, "none.cfg", NULL, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "none.cfg: "));
    assert_null(c);
}

/* A case, and the same as a drawing, in a folder. */
struct drawn {
    struct scratch dir;
    struct sim_case base;
    struct settings settings;
    struct case_files files;
    struct drawing_ground g;
    char *folder;
};

static void drawn_open(struct drawn *d, const char *text)
{
    const struct schema_values more = {0};
    struct error e = {0};
    *d = (struct drawn){0};
    scratch_create(&d->dir);
    const char *path = write_case(&d->dir);
    put_text(&d->dir, "vents.csv",
             "vent,x,y,part\n2,500005,4000055,0\n2,500035,4000055,0\n2,500005,4000025,1\n"
             "1,500045,4000045,0\n");
    put_text(&d->dir, "rates.csv",
             "vent,from_h,to_h,rate_m3_s\n1,0,0.1,2.5\n1,0.1,0.25,1\n1,0.5,0.75,0.3\n"
             "2,0.2,0.4,1.25\n");
    put_text(&d->dir, "b.csv",
             "barrier,x,y,height_m,depth_m,width_m,kind,from,name\n"
             "1,500015,4000015,2,,30,,,wall\n1,500045,4000015,,,,,,\n"
             "2,500051,4000031,,1.5,,area,1h,pit\n2,500079,4000031,,,,,,\n"
             "2,500079,4000049,,,,,,\n");
    assert_int_equal(mkdir(scratch_file(&d->dir, "old"), 0777), 0);
    put_grid(&d->dir, "old/dem.asc", 3);
    put_text(&d->dir, "case.cfg", text);
    if (case_load_base(&d->base, &d->settings, &d->files, path, &more, NULL, &e))
        fail_msg("%s", e.text);
    d->folder = realpath(d->dir.path, NULL);
    d->g = (struct drawing_ground){
        .c = &d->base, .settings = &d->settings, .files = &d->files, .folder = d->folder};
    assert_int_equal(drawing_of_case(&d->g, &e), 0);
}

static void drawn_close(struct drawn *d)
{
    cJSON_Delete(d->g.drawing);
    case_free(&d->base);
    settings_free(&d->settings);
    case_files_free(&d->files);
    free(d->folder);
    scratch_remove(&d->dir);
}

static void expect_case(const char *path, const struct sim_case *wanted)
{
    const size_t n = 48 * sizeof(double);
    struct sim_case c;
    struct error e = {0};
    if (case_load(&c, path, &e)) fail_msg("%s", e.text);
    assert_memory_equal(c.elevation_m, wanted->elevation_m, n);
    assert_memory_equal(c.solid_m, wanted->solid_m, n);
    assert_int_equal(c.vents[0].row, wanted->vents[0].row);
    case_free(&c);
}

/* Writes the case twice, in a folder with a file of others. It needs dem.asc unless it has a copy. */
static void write_beside(struct scratch *s, const struct drawing_ground *g, const char *beside,
                         int number, const struct sim_case *wanted)
{
    char to[32], name[64];
    struct sim_case copied = {0};
    struct error e = {0};
    put_text(s, beside, "");
    snprintf(to, sizeof to, "to_%d", number);
    assert_int_equal(mkdir(scratch_file(s, to), 0777), 0);
    snprintf(name, sizeof name, "%s/places.geojson", to);
    put_text(s, name, "of others");
    for (int again = 0; again < 2; again++)
        if (drawing_write(g->drawing, g, scratch_file(s, to), "drawn", NULL, &e))
            fail_msg("%s", e.text);
    assert_int_equal(access(scratch_file(s, name), F_OK), 0);
    remove(scratch_file(s, beside));
    snprintf(name, sizeof name, "%s/drawn.cfg", to);
    expect_case(scratch_file(s, name), wanted);
    remove(scratch_file(s, "dem.asc"));
    assert_int_equal(case_load(&copied, scratch_file(s, name), &e) != 0, number > 0);
    case_free(&copied);
    put_grid(s, "dem.asc", TERRAIN);
}

/* A drawing takes a small file of its case along, but none that is read with a file beside it, nor a second one of the
 * same name. What is written is the same case, and leaves the files of others. */
static void copies_of_a_drawing(void **state)
{
    static const char *const beside[] = {"none",        "dem.prj",     "dem.tfw",
                                         "dem.hdr",     "dem.aux.xml", "dem.asc.prj",
                                         "dem.asc.tfw", "dem.asc.hdr", "dem.asc.aux.xml"};
    struct drawn d;
    struct sim_case c;
    struct error e = {0};
    drawn_open(&d, CASE_TEXT "solidified old/dem.asc\n");
    d.g.relative = true;
    assert_int_equal(case_load(&c, scratch_file(&d.dir, "case.cfg"), &e), 0);
    for (int i = 0; i < (int)(sizeof beside / sizeof *beside); i++)
        write_beside(&d.dir, &d.g, beside[i], i, &c);
    case_free(&c);
    drawn_close(&d);
}

static void same_vents(const struct sim_case *a, const struct sim_case *b)
{
    assert_int_equal(a->problem.vent_count, b->problem.vent_count);
    for (int i = 0; i < a->problem.vent_count; i++) {
        const struct vent *v = &a->vents[i], *w = &b->vents[i];
        const size_t n = (size_t)v->interval_count;
        assert_true(v->row == w->row && v->col == w->col && v->id == w->id);
        assert_int_equal(v->interval_count, w->interval_count);
        assert_memory_equal(v->first_step, w->first_step, n * sizeof *v->first_step);
        assert_memory_equal(v->amount_m, w->amount_m, n * sizeof *v->amount_m);
    }
}

/* A drawing of all lists of a case, written, is that case: a fissure and a point of one vent, rates with a gap, a wall,
 * and a channel that is dug later. */
static void lists_of_a_drawing(void **state)
{
    struct drawn d;
    struct sim_case c, again;
    struct error e = {0};
    struct drawing_fault fault;
    drawn_open(&d, CASE_TEXT "run_h 2\nbarriers b.csv\n");
    cJSON *lists = d.g.drawing;
    d.g.drawing = cJSON_CreateObject(); /* so that each differs */
    if (drawing_check(lists, &d.g, &fault, &e)) fail_msg("%s", e.text);
    const cJSON *pit = cJSON_GetArrayItem(cJSON_GetObjectItem(lists, "barriers"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(pit, "points")), 3);
    assert_int_equal(mkdir(scratch_file(&d.dir, "to"), 0777), 0);
    if (drawing_write(lists, &d.g, scratch_file(&d.dir, "to"), "drawn", NULL, &e))
        fail_msg("%s", e.text);
    assert_int_equal(access(scratch_file(&d.dir, "to/rates.csv"), F_OK), 0);
    if (case_load(&c, scratch_file(&d.dir, "case.cfg"), &e)) fail_msg("%s", e.text);
    if (case_load(&again, scratch_file(&d.dir, "to/drawn.cfg"), &e)) fail_msg("%s", e.text);
    same_vents(&c, &again);
    assert_true(c.vents[0].interval_count > 3 && c.max_steps == again.max_steps);
    assert_memory_equal(c.elevation_m, again.elevation_m, 48 * sizeof *c.elevation_m);
    assert_true(c.change_count == 1 && again.change_count == 1);
    assert_int_equal(c.change[0].rules, again.change[0].rules);
    assert_true(changes_digest(&c) == changes_digest(&again));
    case_free(&c);
    case_free(&again);
    cJSON_Delete(lists);
    drawn_close(&d);
}

#define VENT(id) "{\"id\":" #id ",\"points\":[[500005,4000005]]}"
#define RATE(id) "{\"vent\":" #id ",\"points\":[[0,1],[1,0]]}"
#define VENTS    "{\"hours\":1,\"vents\":[" VENT(1) "," VENT(2) "," VENT(1) "],\"rates\":["

/* Vents and rates have to fit each other, whatever stands between them. */
static void eruptions_of_a_drawing(void **state)
{
    static const struct {
        const char *text, *object, *field;
        int number;
    } cases[] = {
        {VENTS RATE(1) "," RATE(2) "]}", NULL, NULL, 0},
        {VENTS RATE(2) "," RATE(1) "]}", NULL, NULL, 0},
        {VENTS RATE(0) "]}", NULL, NULL, 0},
        {VENTS RATE(1) "]}", "vents", "", 1},
        {VENTS "]}", "vents", "", 0},
        {VENTS RATE(1) "," RATE(2) "," RATE(1) "]}", "rates", "vent", 0},
        {VENTS RATE(1) "," RATE(2) "," RATE(3) "]}", "rates", "vent", 2},
        {VENTS RATE(1) "," RATE(2) "," RATE(0) "]}", "rates", "vent", 2},
        {VENTS RATE(0) "," RATE(1) "]}", "rates", "vent", 0},
        {"{\"hours\":1,\"vents\":[]}", "vents", "", -1},
    };
    struct drawn d;
    drawn_open(&d, CASE_TEXT "run_h 2\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drawing_fault fault;
        struct error e = {0};
        cJSON *drawing = cJSON_Parse(cases[i].text);
        assert_non_null(drawing);
        const int status = drawing_check(drawing, &d.g, &fault, &e);
        if ((status != 0) != (cases[i].object != NULL)) fail_msg("%s: %s", cases[i].text, e.text);
        if (status && (strcmp(fault.object, cases[i].object) ||
                       strcmp(fault.field, cases[i].field) || fault.number != cases[i].number))
            fail_msg("%s: %s %d %s", cases[i].text, fault.object, fault.number, fault.field);
        cJSON_Delete(drawing);
    }
    drawn_close(&d);
}

/* What is wrong with a written table or list is the fault of one entry. */
static void entries_at_fault(void **state)
{
    static const struct {
        const char *said, *object;
        int number;
    } cases[] = {
        {"vents.csv:2: no", "vents", 0},
        {"vents.csv:3: no", "vents", 0},
        {"vents.csv:4: no", "vents", 1},
        {"vents.csv:5: no", "vents", 2},
        {"vents.csv:6: no", "vents", -1},
        {"vents.csv: no", "vents", -1},
        {"rates.csv:1: no", "rates", -1},
        {"rates.csv:2: no", "rates", 0},
        {"rates.csv:5: no", "rates", 0},
        {"rates.csv:6: no", "rates", 1},
        {"rates.csv:7: no", "rates", -1},
        {"barriers.geojson: barrier pit: no", "barriers", 1},
        {"barriers.geojson: barrier wall: no", "barriers", 0},
        {"barriers.geojson: barrier pitch: no", "barriers", -1},
        {"barriers.geojson: feature 2: no", "barriers", 1},
        {"barriers.geojson: feature 3: no", "barriers", -1},
    };
    struct drawn d;
    drawn_open(&d, CASE_TEXT "run_h 2\nbarriers b.csv\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drawing_fault fault;
        struct error e = {.code = ERROR_INPUT};
        snprintf(e.text, sizeof e.text, "%s/%s", d.dir.path, cases[i].said);
        drawing_blame(&fault, d.g.drawing, d.dir.path, &e);
        if (strcmp(fault.object, cases[i].object) || fault.number != cases[i].number)
            fail_msg("%s: %s %d", cases[i].said, fault.object, fault.number);
        assert_null(strstr(e.text, d.dir.path));
    }
    drawn_close(&d);
}

int main(void)
{
    return UNIT_RUN(the_case_itself_is_good, grids, sizes, vents_and_rates, parameters_and_steps,
                    words, structures_of_other_versions, options, calls_of_a_simulation, files,
                    copies_of_a_drawing, lists_of_a_drawing, eruptions_of_a_drawing,
                    entries_at_fault);
}
