/* Sets of parameters by name: the files of data/parameters are in the program as they are, a case
 * that names one has the bits of the numbers written out, and what is after it counts. */
/* tests: input/case */
#include "case/parameter_sets.h"
#include "case/resolution.h"
#include "plan/plan.h"
#include "reference/reference.h"
#include "text/scan.h"

#include "case_checks.h"
#include "plan_files.h"

#include <math.h>

static const char *put_case(const char *name, const char *parameters)
{
    char text[4096];
    snprintf(text, sizeof text, "dem dem.asc\nvents vents.csv\nrates rates.csv\nmax_steps 40\n%s",
             parameters);
    put_text(&dir, name, text);
    return scratch_file(&dir, name);
}

/* A set as lines of a case. */
static void write_out(const struct parameter_set *s, char *text, size_t size)
{
    int n = snprintf(text, size, "calibrated_cell_m %.17g\n", s->calibrated_cell_m);
    for (int i = 0; i < PARAMETERS; i++)
        n += snprintf(text + n, size - (size_t)n, "%s %.17g\n", params_table[i].name,
                      params_value(&s->params, &params_table[i]));
}

static uint64_t run(const char *path)
{
    struct sim_case c;
    struct fields f;
    struct error e;
    void *self;
    load(&c, path);
    assert_int_equal(variant_reference.create(&self, &c.problem, NULL, &e), 0);
    assert_int_equal(fields_create(&f, c.problem.window, &e), 0);
    assert_int_equal(variant_reference.advance(self, 40, NULL, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    int wet = 0;
    for (int i = 0; i < 48; i++) wet += f.max_thickness_m[i] > 0;
    assert_true(wet > 1);
    const uint64_t digest = fields_digest(&f, c.problem.rows, c.problem.cols);
    fields_free(&f);
    variant_reference.destroy(self);
    case_free(&c);
    return digest;
}

/* ---- the files ------------------------------------------------------------------------------- */

static void test_all(void **state)
{
    const int count = parameter_set_count();
    assert_true(count >= 3 && count == count_files("data/parameters"));
    for (int i = 0; i < count; i++) {
        struct parameter_set s;
        struct error e = {0};
        char path[256];
        const char *name = parameter_set_name(i);
        if (i) assert_true(strcmp(parameter_set_name(i - 1), name) < 0);
        if (parameter_set_find(&s, name, &e)) fail_msg("%s", e.text);
        assert_string_equal(s.name, name);
        assert_true(*s.source && *s.eruption && *s.not_for && *s.in_sample.of && *s.held_out.of);
        assert_true(isnan(s.in_sample.jaccard) || s.in_sample.jaccard > 0);
        snprintf(path, sizeof path, "data/parameters/%s.cfg", name);
        char *text = read_text(path);
        assert_non_null(text);
        assert_string_equal(parameter_texts[i].text, text);
        free(text);
    }
    assert_null(parameter_set_name(count));
    assert_null(parameter_set_name(-1));
}

static void test_etna_2006(void **state)
{
    struct parameter_set s;
    struct error e;
    assert_int_equal(parameter_set_find(&s, "etna-2006", &e), 0);
    assert_true(s.calibrated_cell_m == PUBLISHED_CELL_M);
    for (int i = 0; i < PARAMETERS; i++) {
        double usual;
        assert_true(scan_real(params_table[i].usual, &usual));
        assert_true(params_value(&s.params, &params_table[i]) == usual);
    }
}

/* ---- cases that name one --------------------------------------------------------------------- */

static void test_bits(void **state)
{
    uint64_t before = 0;
    for (int i = 0; i < parameter_set_count(); i++) {
        struct parameter_set s;
        struct error e;
        char line[128], whole[2048];
        assert_int_equal(parameter_set_find(&s, parameter_set_name(i), &e), 0);
        snprintf(line, sizeof line, "parameters %s\n", s.name);
        write_out(&s, whole, sizeof whole);
        const uint64_t digest = run(put_case("named.cfg", line));
        assert_true(digest == run(put_case("written.cfg", whole)));
        assert_true(digest != before);
        before = digest;
    }
}

static void test_overriding(void **state)
{
    struct sim_case c;
    load(&c, put_case("named.cfg", "parameters etna-2006\nPcool 3\ncalibrated_cell_m 20\n"));
    assert_string_equal(c.parameter_set, "etna-2006");
    assert_true(c.given.cooling == 3 && c.problem.params.cooling == 0.75);
    assert_true(c.problem.params.clock_s == 60 && c.calibrated_cell_m == 20);
    assert_true(c.unscaled_clock_s == 120 && resolution_clock_s(&c) == 0);
    case_free(&c);
    load(&c, put_case("named.cfg", "parameters etna-2006\nPclock 60\n"));
    assert_true(c.calibrated_clock_s == 120 && resolution_clock_s(&c) == 120);
    case_free(&c);
}

static void test_refusals(void **state)
{
    static const struct bad bad[] = {
        {"named.cfg", "parameters etna-206\n", "named.cfg:5: ", "did you mean etna-2006?"},
        {"named.cfg", "parameters vesuvius\n", "named.cfg:5: ", "called 'vesuvius'; sciara param"},
        {"named.cfg", "parameters etna-2006\nparameters etna-2006\n",
         "named.cfg:6: ", "was given in line 5 already"},
        {"named.cfg", "parameters etna-2006\nparameters etna-2001-daily\n",
         "named.cfg:6: ", "was given in line 5 already"},
        {"named.cfg", "Pcool 3\nparameters etna-2006\n",
         "named.cfg:6: ", "contains Pcool, which line 5 gives already"},
        {"named.cfg", "calibrated_cell_m 10\nparameters etna-2006\n",
         "named.cfg:6: ", "contains calibrated_cell_m"},
        {"named.cfg", "parameters etna-2006\nPcool 3\nPcool 4\n", "named.cfg:7: ", "line 6"},
        {"named.cfg", "parameters etna-2006\nPTvent 1100\n",
         "named.cfg:6: ", "PTvent = 1100 is not above PTsol = 1143 with parameters etna-2006"},
        {"named.cfg", "parameters etna-2006\nPTsol 1400\n", "named.cfg:6: ", "PTsol = 1400"},
        {"named.cfg", "parameters etna-2006\nPTsol 1300\nPTvent 1200\n",
         "named.cfg:7: ", "PTvent = 1200 is not above PTsol = 1300; lava"},
        {"named.cfg", "parameters\n", "named.cfg:5: ", "has no value"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refusal(&bad[i], put_case(bad[i].file, bad[i].text));
}

/* What a name stands for may change with the program: an ensemble does not go on then. */
static void test_digest_of_plans(void **state)
{
    static const char *const lines[] = {"parameters etna-2006\nmembers 3\nvary_Pcool uniform 2 4\n",
                                        "parameters etna-2006\nmembers 3\nPcool 3\n"
                                        "vary_Phc(Tsol) uniform 30 50\n",
                                        "parameters etna-2001-daily\nmembers 3\n"
                                        "vary_Pcool uniform 2 4\n"};
    uint64_t digest[3];
    for (int i = 0; i < 3; i++) {
        struct plan *p;
        struct error e = {0};
        if (plan_load(&p, put_case("plan.cfg", lines[i]), &e)) fail_msg("%s", e.text);
        digest[i] = p->digest;
        plan_free(p);
    }
    assert_true(digest[0] != digest[1] && digest[0] != digest[2] && digest[1] != digest[2]);
}

/* ---- what a file may hold -------------------------------------------------------------------- */

static void test_scores(void **state)
{
    struct parameter_set s;
    struct error e;
    char text[4096], values[2048];
    assert_int_equal(parameter_set_find(&s, "etna-2006", &e), 0);
    write_out(&s, values, sizeof values);
    static const struct {
        const char *score;
        double jaccard, error;
        const char *of, *refused;
    } scores[] = {{"0.5 one run", 0.5, NAN, "one run", NULL},
                  {"0.624 +- 0.003 100 terrains", 0.624, 0.003, "100 terrains", NULL},
                  {"none, no outline", NAN, NAN, "none, no outline", NULL},
                  {"good", 0, 0, NULL, "give J (or J +- ERROR)"},
                  {"1.2 one run", 0, 0, NULL, "give J (or J +- ERROR)"},
                  {"0.5 +- x one run", 0, 0, NULL, "give J (or J +- ERROR)"},
                  {"0.5", 0, 0, NULL, "give J (or J +- ERROR)"}};
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        snprintf(text, sizeof text,
                 "%seruption E\nsource S\nnot_for N\nheld_out none\nin_sample %s\n", values,
                 scores[i].score);
        const int status = parameter_set_parse(&s, "mine", text, &e);
        if (scores[i].refused) {
            assert_int_equal(status, ERROR_INPUT);
            assert_non_null(strstr(e.text, scores[i].refused));
            continue;
        }
        assert_int_equal(status, 0);
        const struct sciara_parameter_score *x = &s.in_sample;
        assert_true(x->jaccard == scores[i].jaccard || (isnan(x->jaccard) && i == 2));
        assert_true(x->error == scores[i].error || (isnan(x->error) && i != 1));
        assert_string_equal(x->of, scores[i].of);
    }
    assert_int_equal(parameter_set_parse(&s, "mine", values, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, " is missing; see the other sets"));
    assert_int_equal(parameter_set_parse(&s, "mine", "dem x.tif\n", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "unknown key"));
    assert_int_equal(parameter_set_parse(&s, "mine", "Pcool 1\nPcool 2\n", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "already"));
    assert_int_equal(parameter_set_parse(&s, "mine", "Pcool -1\n", &e), ERROR_INPUT);
}

int main(void)
{
    const int failed =
        UNIT_RUN_IN(plan_set_up, NULL, NULL, NULL, test_all, test_etna_2006, test_bits,
                    test_overriding, test_refusals, test_digest_of_plans, test_scores);
    scratch_remove(&dir);
    return failed;
}
