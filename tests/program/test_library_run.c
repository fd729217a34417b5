/* The library: progress and cancelling, whole runs, published arithmetic, variants. */
/* tests: library */
#include "base/file_progress.h"
#include "library/inside.h"
#include "library/library.h"
#include "text/textfile.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "case_files.h"
#include "library_case.h"
#include "folder.h"
#include "unit.h"

/* ---- progress and cancelling ----------------------------------------------------------------- */

/* Counts the calls of one phase, and cancels at one of them; 0: never. Whether there are calls of
 * the other phases depends on how long they take. */
struct seen {
    pthread_t thread;
    enum sciara_phase phase;
    int calls, cancel_at;
    int64_t step;
};

static int see(const struct sciara_progress *now, void *user)
{
    struct seen *seen = user;
    assert_true(pthread_equal(pthread_self(), seen->thread));
    assert_true(now->elapsed_s >= 0);
    if (now->phase != seen->phase) return 0;
    seen->step = now->step;
    return ++seen->calls == seen->cancel_at;
}

/* One that `seen` looks at. */
static sciara_simulation *start_seen(sciara_case *c, struct seen *seen)
{
    struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_simulation *s;
    o.watcher = (struct sciara_watcher){see, seen};
    OK(sciara_create(&s, c, &o, &e));
    return s;
}

static struct sciara_run_options into(const char *folder)
{
    struct sciara_run_options run;
    sciara_run_options_init(&run, sizeof run);
    run.folder = folder;
    return run;
}

static void steps_can_be_cancelled_and_go_on(void **state)
{
    struct seen seen = {pthread_self(), SCIARA_COMPUTING, 0, 1, 0};
    struct sciara_error e = {0};
    struct sciara_state now;
    sciara_case *c = slope();
    sciara_simulation *s = start_seen(c, &seen);
    assert_int_equal(sciara_advance(s, 150, &e), SCIARA_CANCELLED);
    assert_string_equal(e.text, "cancelled");
    e.status = 0;
    sciara_state(s, &now);
    assert_true(now.step > 0 && now.step < 150);
    assert_true(seen.calls == 1 && seen.step == now.step);
    OK(sciara_advance(s, 150 - now.step, &e));
    assert_true(digest_now(s) == digest_after(150));
    sciara_free(s);
    sciara_case_free(c);
}

/* Work that lasts until it is cancelled. */
static int wait_for_cancel(void *what, struct error *e)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!file_progress_cancelled(what)) nanosleep(&moment, NULL);
    return error_cancelled(e);
}

static int be_unlucky(void *what, struct error *e)
{
    (void)what;
    return error_failed(e, "no luck");
}

static void work_in_the_background(void **state)
{
    struct file_progress progress = {0};
    struct seen seen = {pthread_self(), SCIARA_READING, 0, 3, 0};
    const struct sciara_watcher watcher = {see, &seen};
    struct background w = {&watcher,        SCIARA_READING, &progress, true,
                           wait_for_cancel, &progress,      0,         false};
    struct error e = {0};
    assert_int_equal(background_run(&w, &e), ERROR_CANCELLED);
    assert_true(w.cancelled && seen.calls == 3);
    w.work = be_unlucky;
    assert_int_equal(background_run(&w, &e), ERROR_FAILED);
    assert_string_equal(e.text, "no luck");
}

static void cancelled_files_leave_nothing(void **state)
{
    struct file_progress progress = {0};
    struct error mine = {0};
    struct sciara_error e = {0};
    struct sim_case read;
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *x;
    file_progress_cancel(&progress);
    const char *path = write_case(&dir);
    assert_int_equal(case_load_watched(&read, path, true, &progress, &mine), ERROR_CANCELLED);
    assert_string_equal(mine.text, "cancelled");
    assert_null(read.path);
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    const char *folder = scratch_file(&dir, "out");
    for (unsigned format = SCIARA_GEOTIFF; format <= SCIARA_ORIGINAL; format *= 2) {
        const struct output_info info = snapshot_info(s, folder, format, &progress);
        assert_int_equal(output_prepare(folder, &mine), 0);
        assert_int_equal(output_state(&info, &s->c, &x->f, &mine), ERROR_CANCELLED);
        assert_int_equal(count_files(folder), 0);
    }
    OK(sciara_snapshot_write(x, folder, SCIARA_GEOTIFF | SCIARA_PNG, NULL, &e));
    assert_int_equal(count_files(folder), 11); /* it can be done, too */
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
}

/* ---- whole runs ------------------------------------------------------------------------------ */

/* Of each step three layers and a map, and of the run its table, summary, record and the list of what was painted. */
enum { OF_STEP = 4, OF_RUN = 4 };

static void runs(void **state)
{
    struct seen seen = {pthread_self(), SCIARA_COMPUTING, 0, 0, 0};
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start_seen(c, &seen);
    sciara_snapshot *last;
    struct sciara_run_options run = into(scratch_file(&dir, "whole"));
    run.every = 90;
    OK(sciara_run(s, &run, &last, &e));
    assert_int_equal(sciara_snapshot_step(last), 200);
    assert_true(sciara_snapshot_digest(last) == digest_after(200));
    assert_int_equal(count_files(run.folder), 3 * OF_STEP + OF_RUN);
    assert_true(seen.calls > 0);
    char *text = sciara_summary(s), digest[20];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)digest_after(200));
    assert_non_null(strstr(text, digest));
    assert_non_null(strstr(text, "\"closed\":\ttrue"));
    sciara_text_free(text);
    sciara_snapshot_free(last);
    run.folder = scratch_file(&dir, "again"); /* nothing is left to do but to write the end */
    OK(sciara_run(s, &run, NULL, &e));
    assert_int_equal(count_files(run.folder), OF_STEP + OF_RUN);
    sciara_free(s);
    sciara_case_free(c);
}

/* Pictures are larger than all else. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_IGN);
}

static void what_cannot_be_written_is_named(void **state)
{
    enum { LEAST = 60000 };
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *last;
    struct sciara_run_options run = into(scratch_file(&dir, "part"));
    run.layers = "all";
    limit_files(LEAST);
    const int status = sciara_run(s, &run, &last, &e);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, SCIARA_FAILED);
    assert_non_null(strstr(e.text, "map_000200.png: cannot be written: "));
    assert_non_null(strstr(e.text, "; 2 more could not be written, and summary.json names them"));
    assert_non_null(last);
    assert_true(sciara_snapshot_digest(last) == digest_after(200));
    assert_int_equal(count_files(run.folder), 9 + 3); /* a record: without pictures, for a page */
    char *text = sciara_summary(s);
    const char *missing = strstr(text, "\"not_written\"");
    assert_non_null(missing);
    assert_non_null(strstr(missing, "\"map_000200\""));
    assert_non_null(strstr(missing, "\"map_arrival_000200\""));
    assert_non_null(strstr(missing, "\"timeline\""));
    sciara_text_free(text);
    sciara_snapshot_free(last);
    e.status = 0;
    OK(sciara_run(s, &run, NULL, &e)); /* only the end is written again */
    assert_int_equal(count_files(run.folder), 10 + 1 + 5);
    text = sciara_summary(s);
    assert_null(strstr(text, "not_written"));
    sciara_text_free(text);
    sciara_free(s);
    sciara_case_free(c);
}

/* Each file is the picture of that name in the folder of the run. */
struct pictures {
    pthread_t thread;
    const char *of;
    int calls, cancel_at;
};

static int see_picture(const struct sciara_show_progress *now, void *user)
{
    struct pictures *p = user;
    struct error e;
    char *made, *first;
    size_t size, first_size;
    assert_true(pthread_equal(pthread_self(), p->thread));
    assert_true(now->done == ++p->calls && now->all == 3);
    assert_string_equal(now->note, "");
    char *name = text_format("%s/%s", p->of, path_name(now->path));
    assert_int_equal(file_load(&made, &size, now->path, 1 << 20, &e), 0);
    assert_int_equal(file_load(&first, &first_size, name, 1 << 20, &e), 0);
    assert_int_equal(size, first_size);
    assert_memory_equal(made, first, size);
    free(name);
    free(made);
    free(first);
    return p->calls == p->cancel_at;
}

static void pictures_are_painted_again(void **state)
{
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    struct sciara_run_options run = into(scratch_file(&dir, "first"));
    struct sciara_show_options show;
    struct pictures seen = {pthread_self(), run.folder, 0, 0};
    run.formats = SCIARA_PNG;
    run.layers = "map_arrival,timeline";
    run.map_dpi = 60;
    OK(sciara_run(s, &run, NULL, &e));
    sciara_free(s);
    sciara_case_free(c);
    sciara_show_options_init(&show, sizeof show);
    show.output = scratch_file(&dir, "again");
    show.progress = see_picture;
    show.user = &seen;
    OK(sciara_show(run.folder, &show, &e));
    assert_int_equal(seen.calls, 3);
    assert_int_equal(count_files(show.output), 4);
    seen.calls = 0;
    seen.cancel_at = 1;
    show.output = scratch_file(&dir, "part");
    assert_int_equal(sciara_show(run.folder, &show, &e), SCIARA_CANCELLED);
    assert_int_equal(count_files(show.output), 2);
}

static void refuse_to_show(const struct sciara_show_options *o, const char *why)
{
    struct sciara_error e = {0};
    assert_int_equal(sciara_show(scratch_file(&dir, "none"), o, &e), SCIARA_INPUT);
    if (!strstr(e.text, why)) fail_msg("%s: not in: %s", why, e.text);
}

static void any_options_to_show_are_refused(void **state)
{
    const char *const output = scratch_file(&dir, "never");
    const struct sciara_show_options good = {
        .size = sizeof good, .formats = SCIARA_PNG, .output = output};
    struct sciara_show_options o = good;
    struct sciara_error e = {0};
    refuse_to_show(&good, "none: is not a folder"); /* nothing else is wrong */
    o.size = 8;
    refuse_to_show(&o, "sciara_show_options_init");
    const unsigned formats[] = {0, SCIARA_PNG | SCIARA_NETCDF, 1u << 31};
    for (int i = 0; i < 3; i++) {
        o = good, o.formats = formats[i];
        refuse_to_show(&o, "give SCIARA_PNG, SCIARA_SVG, SCIARA_PDF");
    }
    o = good, o.extent[0] = 5, o.extent[2] = 3;
    refuse_to_show(&o, "give west, south, east, north");
    o = good, o.output = "";
    refuse_to_show(&o, "output: name a folder");
    o = good, o.language = "tlh";
    refuse_to_show(&o, "language tlh: give one of en it");
    const double sizes[][3] = {{4, 0, 0}, {NAN, 4, 0}, {0, 0, -1}, {0, 0, NAN}, {1e300, 4, 100}};
    for (int i = 0; i < 5; i++) {
        o = good, o.map_width_in = sizes[i][0], o.map_height_in = sizes[i][1];
        o.map_dpi = sizes[i][2];
        refuse_to_show(&o, "pixels");
    }
    assert_int_equal(sciara_show(NULL, &good, &e), SCIARA_INPUT);
    assert_int_equal(sciara_show("", &good, NULL), SCIARA_INPUT);
    assert_int_equal(access(output, F_OK), -1);
}

static void a_folder_holds_one_run(void **state)
{
    struct sciara_error e = {0};
    sciara_case *c = slope();
    struct sciara_run_options run = into(scratch_file(&dir, "out"));
    for (int second = 0; second < 2; second++) {
        sciara_simulation *s = start(c);
        run.every = second ? 0 : 90;
        OK(sciara_run(s, &run, NULL, &e));
        assert_int_equal(count_files(run.folder), (second ? 1 : 3) * OF_STEP + OF_RUN);
        char *text = sciara_summary(s);
        assert_non_null(strstr(text, "\"name\":\t\"map_000200.png\""));
        assert_int_equal(strstr(text, "map_000090.png") != NULL, !second);
        sciara_text_free(text);
        sciara_free(s);
    }
    sciara_simulation *s = start(c);
    put_text(&dir, "out/map_000180.png", "mine");
    assert_int_equal(sciara_run(s, &run, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "map_000180.png: would be overwritten"));
    assert_int_equal(count_files(run.folder), OF_STEP + OF_RUN + 1);
    sciara_free(s);
    sciara_case_free(c);
}

/* The one file that a case from arrays is read from is its outline. */
static void what_was_read_is_not_written(void **state)
{
    struct library_case *with_outline = calloc(1, sizeof *with_outline);
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *x;
    struct sciara_run_options run = into(scratch_file(&dir, "out"));
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_write(x, run.folder, SCIARA_GEOTIFF, NULL, &e));
    OK(sciara_snapshot_write(x, run.folder, SCIARA_GEOTIFF, NULL, &e)); /* over its own */
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);

    library_case_fill(with_outline);
    with_outline->input.outline = scratch_file(&dir, "out/thickness_m_000000.tif");
    OK(sciara_case_create(&c, &with_outline->input, &e));
    s = start(c);
    OK(sciara_snapshot_take(&x, s, &e));
    assert_int_equal(sciara_snapshot_write(x, run.folder, SCIARA_GEOTIFF, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "thickness_m_000000.tif: is an input of this run"));
    assert_int_equal(sciara_run(s, &run, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "thickness_m_000000.tif: is an input of this run"));
    assert_int_equal(count_files(run.folder), 9);
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
    free(with_outline);
}

static void a_cancelled_run_writes_what_it_has(void **state)
{
    struct seen seen = {pthread_self(), SCIARA_COMPUTING, 0, 1, 0};
    struct sciara_error e = {0};
    struct sciara_state now;
    sciara_case *c = slope();
    sciara_simulation *s = start_seen(c, &seen);
    sciara_snapshot *last;
    struct sciara_run_options run = into(scratch_file(&dir, "out"));
    assert_int_equal(sciara_run(s, &run, &last, &e), SCIARA_CANCELLED);
    assert_non_null(last);
    sciara_state(s, &now);
    assert_true(now.step < 200 && now.step == sciara_snapshot_step(last));
    assert_int_equal(count_files(run.folder), OF_STEP + OF_RUN);
    char *text = sciara_summary(s);
    assert_non_null(strstr(text, "\"interrupted\":\ttrue"));
    sciara_text_free(text);
    sciara_snapshot_free(last);
    sciara_free(s);
    sciara_case_free(c);
}

static void a_run_needs_an_end(void **state)
{
    struct library_case *c = calloc(1, sizeof *c);
    const struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_case *made;
    sciara_simulation *s;
    assert_non_null(c);
    library_case_fill(c);
    c->input.max_steps = 0;
    OK(sciara_case_create(&made, &c->input, &e));
    OK(sciara_create(&s, made, &o, &e));
    assert_int_equal(sciara_run(s, NULL, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "slope: has neither"));
    e.status = 0;
    OK(sciara_advance(s, 5, &e)); /* steps do not */
    sciara_free(s);
    sciara_case_free(made);
    c->input.stop_below_m = 1e9; /* after the eruption, at the next reduction */
    OK(sciara_case_create(&made, &c->input, &e));
    OK(sciara_create(&s, made, &o, &e));
    OK(sciara_run(s, NULL, NULL, &e));
    struct sciara_state now;
    sciara_state(s, &now);
    assert_true(now.stopped && now.ended && now.step == 100 && now.mobile_m > 0);
    sciara_free(s);
    sciara_case_free(made);
    c->input.first_step = 2147483646;
    OK(sciara_case_create(&made, &c->input, &e));
    assert_int_equal(sciara_create(&s, made, &o, &e), SCIARA_INPUT);
    sciara_case_free(made);
    free(c);
}

static void published_arithmetic(void **state)
{
    struct sciara_error e = {0};
    struct sciara_state now;
    struct sciara_options o = with(1);
    sciara_case *c;
    sciara_simulation *s;
    sciara_snapshot *x;
    int64_t exact[48];
    OK(sciara_case_load(&c, write_case(&dir), "published", NULL, &e));
    o.variant = "cfamo";
    assert_int_equal(sciara_create(&s, c, &o, &e), SCIARA_INPUT);
    e.status = 0;
    OK(sciara_create(&s, c, NULL, &e));
    OK(sciara_advance(s, 20, &e));
    sciara_state(s, &now);
    assert_string_equal(now.variant, "published");
    assert_int_equal(now.threads, 1);
    OK(sciara_snapshot_take(&x, s, &e));
    assert_true(sciara_snapshot_field(x, SCIARA_THICKNESS)[2 * 8 + 3] > 0);
    assert_true(sciara_snapshot_field(x, SCIARA_ELEVATION)[2 * 8 + 3] == 1000.1 - 20 + 3);
    assert_int_equal(sciara_snapshot_read_exact(x, SCIARA_THICKNESS, exact, 48, &e), SCIARA_INPUT);
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
}

static void variants_are_described(void **state)
{
    struct sciara_variant v;
    struct sciara_kernel k[8];
    struct sciara_error e = {0};
    int count = -1;
    assert_true(sciara_variant_count() > 1);
    assert_null(sciara_variant_name(-1));
    assert_null(sciara_variant_name(sciara_variant_count()));
    for (int i = 0; i < sciara_variant_count(); i++) {
        OK(sciara_variant_describe(&v, sciara_variant_name(i), 0, &e));
        assert_string_equal(v.name, sciara_variant_name(i));
        assert_true(v.available ? *v.device && !*v.reason : !*v.device && *v.reason);
    }
    OK(sciara_variant_describe(&v, "reference", 0, &e));
    assert_string_equal(v.name, "reference");
    assert_true(v.built && v.available && !v.cuda && v.bytes_per_cell > 8);
    OK(sciara_variant_kernels(k, 8, &count, "reference", 0, &e));
    assert_int_equal(count, 0);
    assert_int_equal(sciara_variant_describe(&v, "fast", 0, &e), SCIARA_INPUT);
    assert_int_equal(sciara_variant_describe(&v, NULL, 0, &e), SCIARA_INPUT);
    assert_int_equal(sciara_variant_kernels(k, 8, &count, "fast", 0, &e), SCIARA_INPUT);
    /* and the commit, where it is known */
    const size_t length = strlen(SCIARA_VERSION);
    assert_memory_equal(sciara_version(), SCIARA_VERSION, length);
    assert_true(sciara_version()[length] == '\0' || !strncmp(sciara_version() + length, "+g", 2));
}

static int left_device;

static void leave_device(const struct variant_options *o)
{
    assert_int_equal(o->device, 0);
    left_device++;
}

static void a_device_is_left_while_files_are_written(void **state)
{
    struct sciara_error e = {0};
    struct variant mine = *variant_find("reference");
    struct sciara_run_options run = into(scratch_file(&dir, "left"));
    sciara_snapshot *x;
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    mine.leave = leave_device;
    s->variant = &mine;
    simulation_leave_device(s);
    OK(sciara_advance(s, 50, &e));
    assert_int_equal(left_device, 0);
    OK(sciara_run(s, &run, &x, &e));
    assert_true(sciara_snapshot_digest(x) == digest_after(200));
    sciara_free(s);
    assert_int_equal(left_device, 1);
    sciara_snapshot_free(x);
    sciara_case_free(c);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, steps_can_be_cancelled_and_go_on,
                       work_in_the_background, cancelled_files_leave_nothing, runs,
                       what_cannot_be_written_is_named, pictures_are_painted_again,
                       any_options_to_show_are_refused, a_folder_holds_one_run,
                       what_was_read_is_not_written, a_cancelled_run_writes_what_it_has,
                       a_run_needs_an_end, published_arithmetic, variants_are_described,
                       a_device_is_left_while_files_are_written);
}
