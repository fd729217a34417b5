/* The tables of keys: every key has a meaning and a place of its own for its value, and a line with
 * it is read by its own row and by no other. */
#include "case/case.h"
#include "case/schema.h"
#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

#include "plan_files.h"
#include "unit.h"

/* Calls `check` with every key. */
static int each_key(void (*check)(const struct schema *s, const struct key *k))
{
    struct key k;
    int count = 0;
    for (int n = 0; schemas[n]; n++)
        for (const struct key_section *s = schemas[n]->section; s->name; s++)
            for (int i = 0; schema_key(s, i, &k); i++, count++) check(schemas[n], &k);
    return count;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void check_row(const struct schema *s, const struct key *k)
{
    struct key found;
    int same = 0;
    assert_true(schema_find(s, k->name, &found));
    assert_string_equal(found.name, k->name); /* no other row comes first */
    if (k->original) assert_true(schema_find(s, k->original, &found));
    if (k->original) assert_string_equal(found.name, k->name);
    assert_non_null(k->meaning);
    assert_true(*k->meaning && k->meaning[strlen(k->meaning) - 1] != '.');
    assert_int_equal(k->type == KEY_OWN, k->read != NULL);
    assert_int_equal(k->type == KEY_CHOICE, k->choices != NULL);
    if (k->type == KEY_OWN) assert_non_null(k->form ? k->form : k->unit);
    if (k->type == KEY_REAL || k->type == KEY_COUNT || k->type == KEY_TEXT)
        assert_true(k->low < k->high);
    for (const struct key_section *t = s->section; t->name; t++)
        for (int i = 0; schema_key(t, i, &found); i++)
            same += k->type != KEY_OWN && found.type != KEY_OWN && found.at == k->at;
    assert_int_equal(same, k->type != KEY_OWN);
}

static void test_rows(void **state)
{
    assert_true(each_key(check_row) > 90);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static struct error message_of(const char *text, bool plan)
{
    struct error e = {0};
    struct sim_case c;
    struct plan *p = NULL;
    put_text(&dir, "case.cfg", text);
    const char *path = scratch_file(&dir, "case.cfg");
    if ((plan ? plan_load(&p, path, &e) : case_load(&c, path, &e)) == 0)
        fail_msg("read: '%s'", text);
    return e;
}

/* A bad value is refused under the key's own name, in a file that has such keys; in others the
 * message names the file that has. */
static void check_line(const struct schema *s, const struct key *k)
{
    char text[128];
    const bool prefix = k->name[strlen(k->name) - 1] == '_', plan = s == &plan_schema;
    snprintf(text, sizeof text, "%s%s \"\xff, = \"\n", k->name, prefix ? "Pcool" : "");
    const struct error e = message_of(text, plan);
    assert_int_equal(e.code, ERROR_INPUT);
    if (s != schemas[0] && !plan) {
        assert_non_null(strstr(e.text, "makes this a plan of a calibration"));
        return;
    }
    if (prefix) return; /* the distribution is read after all lines */
    if (!strstr(e.text, k->name)) fail_msg("%s: %s", k->name, e.text);
    assert_non_null(strstr(e.text, "case.cfg:1: "));
    if (!plan) return;
    const struct error of_case = message_of(text, false);
    if (strcmp(k->name, "assets") != 0 && strcmp(k->name, "run_h") != 0) /* a case has them, too */
        assert_non_null(strstr(of_case.text, "makes this a plan of many runs"));
}

static void test_lines(void **state)
{
    each_key(check_line);
}

static void test_hints(void **state)
{
    static const struct {
        bool plan;
        const char *text, *message;
    } lines[] = {
        {false, "dem=dem.tif\n", "case.cfg:1: dem=dem.tif: write a blank in place of ="},
        {false, "dem = dem.tif\n", "case.cfg:1: dem: write a blank in place of ="},
        {false, "dem =\n", "case.cfg:1: dem: write a blank in place of ="},
        {false, "snapshot_every 6\n", "did you mean snapshot_every_steps? sciara help keys lists"},
        {false, "colour red\n", "unknown key 'colour'; sciara help keys lists the keys"},
        {false, "max_step 6\n", "did you mean max_steps?"},
        {true, "vary_rate uniform 1 2\n", "did you mean vary_rate_factor?"},
        {true, "vary_volume uniform 1 2\n", "did you mean vary_volume_m3?"},
        {true, PLAN_OF_CASE "vary_Prho uniform 1, 2\n",
         "'1,' is not a number (example: 2.8); blanks separate values"},
        {true, "exceed_m 1,2\n", "give up to 16 numbers, separated by blanks"},
        {true, "arrive_within_h 6h,12h\n", "give up to 16 times, separated by blanks"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct error e = message_of(lines[i].text, lines[i].plan);
        if (!strstr(e.text, lines[i].message)) fail_msg("%s%s", lines[i].text, e.text);
    }
}

int main(void)
{
    scratch_create(&dir);
    write_plan(&dir);
    const int failed = UNIT_RUN(test_rows, test_lines, test_hints);
    scratch_remove(&dir);
    return failed;
}
