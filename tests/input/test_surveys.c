/* Later surveys of the terrain (terrain_update): the words of their lines, which of them count from the first step on, in
 * which order the others come, whose heights are of another datum, and which bits they decide. */
/* tests: input/case */
/* run: quick */
#include "case/changes.h"
#include "model/lattice.h"

#include "case_checks.h"
#include "folder.h"

#include <math.h>

enum { ROWS = 6, COLS = 8, CELLS = ROWS * COLS, BARE = 47, STEP_S = 120 };

static double terrain_of(int cell)
{
    return 1000.1 - 10 * (cell / COLS) + cell % COLS;
}

/* The terrain of the case times a factor and raised, without a cell. */
static void put_survey(const char *name, double factor, double raised_m, int hole)
{
    FILE *f = fopen(scratch_file(&dir, name), "w");
    assert_non_null(f);
    fputs(HEAD8 "NODATA_value -9999\n", f);
    for (int i = 0; i < CELLS; i++)
        fprintf(f, "%.10g ", i == hole ? -9999 : factor * terrain_of(i) + raised_m);
    assert_int_equal(fclose(f), 0);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A file may have blanks, and words that only begin or end like those of a line: the last whole one counts. */
static void words_of_a_line(void **state)
{
    static const char *const times[] = {"0", "2h", "2006-07-14T06:00Z"},
                             *const files[] = {"a.asc",           "a b.asc",
                                               "with_lava x.asc", "x with_lava.asc",
                                               "with_lavas y",    "a without_lava b c"},
                             *const words[] = {"with_lava", "without_lava"},
                             *const tails[] = {"", " shift_m 3", "  shift_m -0.5"};
    for (int n = 0; n < 3 * 6 * 2 * 3; n++) {
        char text[200], *time, *file, *lava, expected[60];
        const char *word = words[n / 18 % 2], *tail = tails[n / 36];
        sprintf(text, "%s %s%s  %s%s", times[n % 3], n % 2 ? " \t" : "", files[n / 3 % 6], word,
                tail);
        assert_true(change_words(text, &time, &file, &lava));
        sprintf(expected, "%s%s", word, tail);
        assert_string_equal(time, times[n % 3]);
        assert_string_equal(file, files[n / 3 % 6]);
        assert_string_equal(lava, expected);
    }
    char *time, *file, *lava, few[2][20] = {"2h", "2h with_lava"}, other[] = "2h a b.asc lava";
    for (int i = 0; i < 2; i++) assert_false(change_words(few[i], &time, &file, &lava));
    assert_true(change_words(other, &time, &file, &lava)); /* the last word, which is refused */
    assert_string_equal(file, "a b.asc");
    assert_string_equal(lava, "lava");
}

/* ---- what is read ---------------------------------------------------------------------------- */

static const struct {
    const char *time, *lava;
    double time_s, raised_m, shift_m;
    int hole;
} surveys[] = {{"1h", "with_lava", 3600, 5, -2, 3},
               {"0", "without_lava", 0, 2, 0.5, 9},
               {"2280s", "with_lava", 2280, -4, 1, 20}, /* of step 19 */
               {"2281s", "without_lava", 2281, 8, 0, BARE},
               {"1000s", "with_lava", 1000, 7, 3, 9}};
enum { SURVEYS = sizeof surveys / sizeof *surveys };

static int step_of(int k)
{
    return (int)ceil(surveys[k].time_s / STEP_S);
}

static void write_surveys(int first_step, int from, char text[2000])
{
    int used = sprintf(text, "%sfirst_step %d\n", CASE_TEXT, first_step);
    for (int i = 0; i < SURVEYS; i++) {
        const int k = (i + from) % SURVEYS;
        char name[20];
        sprintf(name, "a survey %d.asc", k);
        put_survey(name, 1, surveys[k].raised_m, surveys[k].hole);
        used += sprintf(text + used, "terrain_update %s %s %s shift_m %g\n", surveys[k].time, name,
                        surveys[k].lava, surveys[k].shift_m);
    }
    write_case(&dir);
    put_text(&dir, "case.cfg", text);
}

/* What the case begins with has the surveys until then, each where it has heights; the others come in order of time. */
static void surveys_in_their_order(void **state)
{
    static const int order[SURVEYS] = {1, 4, 2, 3, 0}, firsts[] = {0, 8, 9, 19, 20, 29, 30};
    char text[2000];
    for (int n = 0; n < 7 * SURVEYS; n++) {
        const int first = firsts[n % 7];
        struct sim_case c;
        int left = 0, made = 0;
        write_surveys(first, n / 7, text);
        load(&c, scratch_file(&dir, "case.cfg"));
        for (int i = 0; i < SURVEYS; i++) made += step_of(order[i]) <= first;
        for (int i = 0; i < CELLS; i++) {
            double height_m = i == BARE ? NAN : lattice_round(terrain_of(i));
            for (int k = 0; k < made && i != BARE; k++)
                if (i != surveys[order[k]].hole)
                    height_m = lattice_round(terrain_of(i) + surveys[order[k]].raised_m +
                                             surveys[order[k]].shift_m);
            assert_true(isnan(height_m) ? isnan(c.elevation_m[i])
                                        : fabs(c.elevation_m[i] - height_m) < 1e-9);
        }
        assert_int_equal(c.change_count, SURVEYS - made);
        for (int k = made; k < SURVEYS; k++, left++) {
            const struct change *x = &c.change[left];
            char name[20];
            sprintf(name, "a survey %d.asc", order[k]);
            assert_true(x->time_s == surveys[order[k]].time_s && x->shifted &&
                        x->shift_m == surveys[order[k]].shift_m);
            assert_int_equal(x->with_lava, !strcmp(surveys[order[k]].lava, "with_lava"));
            assert_string_equal(x->path, scratch_file(&dir, name));
            assert_int_equal(change_step(x, &c.problem.params), step_of(order[k]));
        }
        for (int step = 0; step < 40; step++) { /* the first that is not over */
            int next = made;
            while (next < SURVEYS && step_of(order[next]) < step) next++;
            assert_int_equal(changes_next(&c, step), next - made);
        }
        case_free(&c);
    }
}

static void surveys_that_are_refused(void **state)
{
    static const struct bad bad[] = {
        {"case.cfg", CASE_TEXT "terrain_update 1h s.asc with_lava shift_m -10001\n", "case.cfg:16",
         "shift_m: give the number of metres"},
        {"case.cfg", CASE_TEXT "terrain_update 1h s.asc with_lava shift_m 10001\n", "case.cfg:16",
         "shift_m: give the number of metres"},
        {"case.cfg", CASE_TEXT "terrain_update 1h s.asc lava\n", "case.cfg:16",
         "end it with with_lava"},
        {"case.cfg", CASE_TEXT "terrain_update 1h s.asc with_lava shift 3\n", "case.cfg:16",
         "end it with with_lava"},
        {"case.cfg", CASE_TEXT "terrain_update -1 s.asc with_lava\n", "case.cfg:16",
         "before the start of the eruption"},
        {"case.cfg", CASE_TEXT "terrain_update s.asc with_lava\n", "case.cfg:16", "give a time"},
        {"case.cfg",
         CASE_TEXT
         "terrain_update 301s s.asc with_lava shift_m 0\nterrain_update 359s t.asc with_lava "
         "shift_m 0\n",
         "case.cfg: ", "s.asc and"},
        {"case.cfg",
         CASE_TEXT
         "terrain_update 359s s.asc with_lava shift_m 0\nterrain_update 301s t.asc with_lava "
         "shift_m 0\n",
         "t.asc and ", "s.asc are of the same step; remove one of them"}};
    write_case(&dir);
    put_survey("s.asc", 1, 1, 5);
    put_survey("t.asc", 1, 2, 5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_text(&dir, "case.cfg", bad[i].text);
        expect_refusal(&bad[i], scratch_file(&dir, "case.cfg"));
    }
    struct sim_case c;
    struct error e = {0};
    put_text(&dir, "case.cfg", CASE_TEXT "terrain_update 1h s.asc with_lava shift_m 0\n");
    assert_int_equal(case_load_watched(&c, scratch_file(&dir, "case.cfg"), false, NULL, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "the published arithmetic has one terrain; remove the line"));
}

/* Heights all over above or below those of the terrain, or in feet: refused, noted, or nothing, unless they are shifted. */
static void heights_of_another_datum(void **state)
{
    static const struct {
        double factor, raised_m;
        const char *refused, *noted;
    } heights[] = {
        {1, 40,
         "s.asc are 40 m above the heights of the terrain all over: they count from another "
         "vertical datum; end the line with 'shift_m -40', or",
         NULL},
        {1, -40,
         "are 40 m below the heights of the terrain all over: they count from another "
         "vertical datum; end the line with 'shift_m 40', or",
         NULL},
        {1, 0.5, NULL,
         "s.asc: its heights are 0.5 m above the heights of the terrain (median); add "
         "'shift_m -0.5' to the line"},
        {1, -0.5, NULL,
         "its heights are 0.5 m below the heights of the terrain (median); add "
         "'shift_m 0.5' to the line"},
        {1, 0.2, NULL, NULL},
        {3.28084, 0, "s.asc are 3.281 times the heights of the terrain: one of them is in feet",
         NULL},
        {1 / 3.28084, 0, "are 0.3048 times the heights of the terrain", NULL}};
    for (size_t n = 0; n < 2 * (sizeof heights / sizeof *heights); n++) {
        struct sim_case c;
        struct error e = {0};
        write_case(&dir);
        put_survey("s.asc", heights[n / 2].factor, heights[n / 2].raised_m, 5);
        put_text(&dir, "case.cfg",
                 n % 2 ? CASE_TEXT "terrain_update 1h s.asc with_lava shift_m 0\n"
                       : CASE_TEXT "terrain_update 1h s.asc with_lava\n");
        const char *refused = n % 2 ? NULL : heights[n / 2].refused,
                   *noted = n % 2 ? NULL : heights[n / 2].noted;
        const int status = case_load(&c, scratch_file(&dir, "case.cfg"), &e);
        assert_int_equal(status, refused ? ERROR_INPUT : 0);
        if (refused) {
            if (!strstr(e.text, "case.cfg:16") || !strstr(e.text, refused)) fail_msg("%s", e.text);
            continue;
        }
        assert_int_equal(strstr(c.told.notice, "its heights") != NULL, noted != NULL);
        if (noted && !strstr(c.told.notice, noted)) fail_msg("%s", c.told.notice);
        case_free(&c);
    }
}

/* ---- which bits they decide -------------------------------------------------------------------- */

/* The digest of changes is another one if a step, a word or a height is, also if two files are interchanged. The name of a
 * file and what is made already do not count. */
static void what_the_digest_has(void **state)
{
    static const char *const lines[] = {"terrain_update 1h s.asc with_lava shift_m "
                                        "0\nterrain_update 2h t.asc with_lava shift_m 0\n",
                                        "terrain_update 1h s.asc without_lava shift_m "
                                        "0\nterrain_update 2h t.asc with_lava shift_m 0\n",
                                        "terrain_update 1h s.asc with_lava shift_m "
                                        "0\nterrain_update 2h t.asc without_lava shift_m 0\n",
                                        "terrain_update 1h t.asc with_lava shift_m "
                                        "0\nterrain_update 2h s.asc with_lava shift_m 0\n",
                                        "terrain_update 1.1h s.asc with_lava shift_m "
                                        "0\nterrain_update 2h t.asc with_lava shift_m 0\n",
                                        "terrain_update 1h s.asc with_lava shift_m "
                                        "0\nterrain_update 2h t.asc with_lava shift_m 0.1\n",
                                        "terrain_update 1h s.asc with_lava shift_m 0\n",
                                        "terrain_update 1h u.asc with_lava shift_m "
                                        "0\nterrain_update 2h t.asc with_lava shift_m 0\n",
                                        "",
                                        "terrain_update 1h v.asc with_lava shift_m "
                                        "0\nterrain_update 3590s w.asc with_lava shift_m 0\n"};
    enum { CASES = sizeof lines / sizeof *lines };
    uint64_t digest[CASES] = {0};
    write_case(&dir);
    put_survey("s.asc", 1, 1, 5);
    put_survey("t.asc", 1, 2, 6);
    put_survey("u.asc", 1, 1, 4); /* it lacks another cell */
    put_survey("v.asc", 1, 1, 5);
    put_survey("w.asc", 1, 2, 6);
    for (int i = 0; i < CASES - 1; i++) {
        struct sim_case c;
        char text[1000];
        sprintf(text, "%s%s", CASE_TEXT, lines[i]);
        put_text(&dir, "case.cfg", text);
        load(&c, scratch_file(&dir, "case.cfg"));
        digest[i] = changes_digest(&c);
        assert_int_equal(digest[i] == 0, !*lines[i]);
        for (int k = 0; k < i; k++) assert_true(digest[i] != digest[k]);
        if (c.change_count == 2) { /* walls: of each cell the place, and what is asked of it */
            static const struct ground_rule rules[] = {{3, 1, -INFINITY, 0}, {4, 1, -INFINITY, 0},
                                                       {3, 2, -INFINITY, 0}, {3, 0, 1, 0},
                                                       {3, 1, -INFINITY, 2}, {3, 1, 1, 0}};
            uint64_t of[6];
            for (int r = 0; r < 6; r++) {
                struct ground_rule rule = rules[r];
                struct change was = c.change[1];
                c.change[1] = (struct change){.time_s = was.time_s, .rules = 1, .rule = &rule};
                of[r] = changes_digest(&c);
                c.change[1] = was;
                for (int k = 0; k < r; k++) assert_true(of[r] != of[k]);
            }
        }
        case_free(&c);
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, words_of_a_line,
                       surveys_in_their_order, surveys_that_are_refused, heights_of_another_datum,
                       what_the_digest_has);
}
