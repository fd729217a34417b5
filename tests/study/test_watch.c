/* A folder that is watched: through random sequences of files that are written in parts, completed, renamed into place
 * and away, and removed, without clocks: the test says what the folder has, and when a forecast is over. And on a disk. */
/* tests: study/nowcast */
#include "nowcast/watch.h"
#include "random/philox.h"
#include "case_files.h"
#include "unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 7, SEQUENCES = 100, STEPS = 60 };
static const char *const names[NAMES] = {"a.obs",      "b.obs",  "front.json", ".c.obs",
                                         "d.obs.part", "e.obs~", "f.obs.tmp"};

/* A folder: of each name which version is there (0: none), and whether it is whole. */
struct folder {
    int64_t version[NAMES];
    bool whole[NAMES];
};

struct sequence {
    struct folder is, begun,
        good; /* now; of the forecast that was begun last; of the last good one */
    struct watch_state tried;
    int64_t versions;
    int forecasts, changes, failed;
    bool any;
};

static bool is_equal(const struct folder *a, const struct folder *b)
{
    bool equal = true;
    for (int i = 0; i < 3; i++)
        equal = equal && a->version[i] == b->version[i] && a->whole[i] == b->whole[i];
    return equal;
}

static bool has_lines(const struct folder *f)
{
    return f->version[0] || f->version[1];
}

/* Lines of a.obs name the front. */
static bool is_good(const struct folder *f)
{
    return (!f->version[0] || (f->whole[0] && f->version[2] && f->whole[2])) &&
           (!f->version[1] || f->whole[1]);
}

/* Without files that do not count, by name. */
static struct watch_state listed(const struct folder *f)
{
    struct watch_state s = {.file = calloc(NAMES, sizeof *s.file)};
    assert_non_null(s.file);
    for (int k = 0; k < NAMES; k++) {
        if (!f->version[k] || !watch_counts(names[k])) continue;
        s.file[s.count++] = (struct watch_file){strdup(names[k]), f->whole[k] ? 100 : 50,
                                                f->version[k], (uint64_t)f->version[k]};
    }
    return s;
}

static uint64_t drawn(int sequence, int step, uint32_t which, uint64_t below)
{
    return philox_bits(29, 5, (uint64_t)sequence * STEPS + (uint64_t)step, which) % below;
}

/* One of: begin to write in place, complete, rename into place, rename away or remove. */
static void change(struct sequence *s, int sequence, int step)
{
    const int k = (int)drawn(sequence, step, 0, NAMES);
    struct folder *f = &s->is;
    const struct folder before = *f;
    switch (drawn(sequence, step, 1, 4)) {
    case 0:
        f->version[k] = ++s->versions, f->whole[k] = false;
        break;
    case 1:
        if (f->version[k] && !f->whole[k]) f->version[k] = ++s->versions, f->whole[k] = true;
        break;
    case 2:
        f->version[k] = ++s->versions, f->whole[k] = true;
        break;
    default:
        f->version[k] = 0, f->whole[k] = false;
        break;
    }
    s->changes += !is_equal(&before, f);
}

/* What the loop does each time that it looks: true, a forecast was made of what is there. */
static bool look(struct sequence *s)
{
    struct watch_state now = listed(&s->is);
    if (!watch_next(&s->tried, &now, s->any)) return false;
    s->begun = s->is;
    s->forecasts++;
    if (is_good(&s->is)) s->good = s->is;
    else s->failed++;
    return true;
}

static void play(int sequence, int *forecasts, int *failed)
{
    struct sequence s = {.tried = {.count = -1}, .any = sequence % 4 == 0};
    assert_int_equal(look(&s), s.any);
    for (int step = 0; step < STEPS; step++) {
        for (uint64_t n = 1 + drawn(sequence, step, 2, 3), i = 0; i < n; i++)
            change(&s, sequence * 3 + (int)i, step);
        const bool differs = !is_equal(&s.is, &s.begun) || !s.forecasts;
        assert_int_equal(look(&s), differs && (s.any || has_lines(&s.is)));
        assert_false(look(&s)); /* at rest, nothing begins, failed or not */
        if (!has_lines(&s.is) && !s.any) continue;
        assert_true(is_equal(&s.begun, &s.is));
        assert_true(!is_good(&s.is) || is_equal(&s.good, &s.is));
        assert_true(is_good(&s.good)); /* a failed one leaves it */
    }
    assert_true(s.forecasts <= s.changes + 1);
    *forecasts += s.forecasts;
    *failed += s.failed;
    watch_free(&s.tried);
}

static void random_sequences(void **state)
{
    int forecasts = 0, failed = 0;
    for (int i = 0; i < SEQUENCES; i++) play(i, &forecasts, &failed);
    assert_true(failed > SEQUENCES && forecasts - failed > SEQUENCES); /* of either kind many */
}

static void names_of_parts(void **state)
{
    for (int i = 0; i < NAMES; i++) assert_int_equal(watch_counts(names[i]), i < 3);
}

/* ---- on a disk --------------------------------------------------------------------------------- */

static bool looked(struct watch_state *tried, const char *folder)
{
    struct watch_state now;
    struct error e;
    assert_int_equal(watch_look(&now, folder, &e), 0);
    return watch_next(tried, &now, false);
}

static void a_folder(void **state)
{
    struct scratch scratch;
    struct watch_state tried = {.count = -1};
    struct seen_lines lines = {.count = 0};
    struct error e;
    scratch_create(&scratch);
    const char *folder = scratch.path;
    assert_false(looked(&tried, folder));
    put_text(&scratch, "front.json", "{}");
    put_text(&scratch, "a.obs.part", "observed_front front.json at 24h error_m 30\n");
    assert_false(looked(&tried, folder));
    char *there = strdup(scratch_file(&scratch, "a.obs"));
    assert_int_equal(rename(scratch_file(&scratch, "a.obs.part"), there), 0);
    assert_true(looked(&tried, folder));
    assert_false(looked(&tried, folder));
    assert_int_equal(tried.count, 2);
    assert_int_equal(watch_lines(&lines, &tried, folder, "", &e), 0);
    assert_int_equal(lines.count, 1);
    assert_string_equal(lines.line[0].file, scratch_file(&scratch, "front.json"));
    put_text(&scratch, "front.json", "{ }");
    assert_true(looked(&tried, folder));
    put_text(&scratch, "b.obs", "observed_dry front.json until 9h\nmembers 5\n");
    assert_true(looked(&tried, folder));
    assert_int_not_equal(watch_lines(&lines, &tried, folder, "", &e), 0);
    assert_non_null(strstr(e.text, "b.obs:2: 'members' is not an observation"));
    assert_int_equal(unlink(scratch_file(&scratch, "b.obs")), 0);
    assert_int_equal(unlink(there), 0);
    assert_false(looked(&tried, folder));
    free(there);
    seen_free(&lines);
    watch_free(&tried);
    scratch_remove(&scratch);
    struct watch_state none;
    assert_int_not_equal(watch_look(&none, "not/there", &e), 0);
    assert_non_null(strstr(e.text, "not/there"));
}

/* A file that is edited in place in the same second, that grows and keeps its time, and that is replaced by one of the same
 * size and time: each alone is a change. What is no file does not count. */
static void changes_of_one_kind(void **state)
{
    struct scratch scratch;
    struct watch_state tried = {.count = -1};
    struct timespec time[2] = {{1000, 500}, {1000, 500}};
    scratch_create(&scratch);
    char *a = strdup(scratch_file(&scratch, "a.obs"));
    const char *other = scratch_file(&scratch, ".other");
    assert_int_equal(mkdir(scratch_file(&scratch, "b.obs"), 0777), 0);
    assert_int_equal(mkfifo(scratch_file(&scratch, "c.obs"), 0666), 0);
    put_text(&scratch, "0.json", "{}"); /* comes before the lines */
    assert_false(looked(&tried, scratch.path));
    for (int i = 0; i < 4; i++) {
        const char *to = i < 3 ? a : other;
        if (i != 1) write_text(to, i < 2 ? "one" : "three");
        if (i == 1) time[1].tv_nsec++;
        assert_int_equal(utimensat(AT_FDCWD, to, time, 0), 0);
        if (to != a) assert_int_equal(rename(to, a), 0);
        assert_true(looked(&tried, scratch.path));
        assert_false(looked(&tried, scratch.path));
        assert_int_equal(tried.count, 2);
    }
    free(a);
    watch_free(&tried);
    scratch_remove(&scratch);
}

/* Files that a line names are beside it, both of a front within an area; an end has none. Dates are those of the eruption. */
static void files_beside_their_lines(void **state)
{
    static const char *const kinds[] = {"observed_front x at 24h error_m 9 within y",
                                        "observed_dry x until 24h",
                                        "observed_arrival x at 24h error_h 1",
                                        "observed_survey x at 2006-07-15T06:00Z error_m 1",
                                        "observed_hot_spots x",
                                        "observed_end 24h",
                                        "weigh_rates x",
                                        "observed_fronts x date day error_m 9 within y"};
    struct scratch scratch;
    struct watch_state now;
    struct seen_lines lines = {.count = 0};
    struct error e;
    scratch_create(&scratch);
    char *x = strdup(scratch_file(&scratch, "x"));
    const char *y = scratch_file(&scratch, "y");
    put_text(&scratch, "x", "observed_dry front.json until 9h\n"); /* (which has no lines) */
    for (int i = 0; i < SEEN_KINDS; i++) {
        char name[8] = "0.obs", text[100];
        name[0] = (char)('0' + i);
        snprintf(text, sizeof text, "# a line\n%s\n", kinds[i]);
        put_text(&scratch, name, text);
    }
    must(watch_look(&now, scratch.path, &e), &e);
    assert_int_equal(now.count, SEEN_KINDS + 1);
    must(watch_lines(&lines, &now, scratch.path, "2006-07-14T06:00:00Z", &e), &e);
    assert_int_equal(lines.count, SEEN_KINDS);
    for (int i = 0; i < SEEN_KINDS; i++) {
        const struct seen_line *l = &lines.line[i];
        assert_int_equal(l->kind, i);
        assert_string_equal(l->file, strchr(kinds[i], 'x') ? x : "");
        assert_string_equal(l->within,
                            strchr(kinds[i], 'y') && strstr(kinds[i], "within") ? y : "");
        assert_true(isnan(l->time_s) || l->time_s == 86400);
        assert_int_equal(l->line, 2);
    }
    seen_free(&lines);
    watch_free(&now);

    /* a path that is longer than any line: the message names file and line */
    char folder[ENTRY_WORD], text[ENTRY_WORD] = "observed_end 3h\nobserved_dry ";
    strcpy(folder, scratch.path);
    while (strlen(folder) < ENTRY_WORD / 2) strcat(folder, "/.");
    while (strlen(text) < ENTRY_WORD - 100) strcat(text, "./");
    put_text(&scratch, "0.obs", strcat(text, "x until 9h\n"));
    must(watch_look(&now, folder, &e), &e);
    assert_int_equal(watch_lines(&lines, &now, folder, "", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "0.obs:2: "));
    assert_non_null(strstr(e.text, "the path of the file is too long"));
    seen_free(&lines);
    watch_free(&now);
    free(x);
    scratch_remove(&scratch);
}

int main(void)
{
    return UNIT_RUN(random_sequences, names_of_parts, a_folder, changes_of_one_kind,
                    files_beside_their_lines);
}
