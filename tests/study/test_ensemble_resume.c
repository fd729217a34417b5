/* An ensemble that does not go through in one piece: kills at random moments, a full disk, memory
 * that does not do, a member that fails, a state that is damaged, and the end by --until-error. */
/* tests: study/ensemble, study/study */
/* run: plain, sanitized */
#include "base/loops.h"
#include "members/ensemble_state.h"
#include "effort.h"
#include "ensemble_run.h"
#include "folder.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/* ---- kills and full disks -------------------------------------------------------------------- */

/* A process that goes on where the file says; its status is 0 when all is done. */
static pid_t begin_child(const struct ensemble_source *source, const char *path, bool full_disk)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child) return child;
    loops_limit(1); /* the threads of loops have stayed with the parent */
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    const struct engine_options o = {
        .threads = 2, .batch = 1, .state = path, .checkpoint_s = 0.002};
    int status = ensemble_create(&s, source, unsharded, SIZE_MAX, &e);
    if (!status && access(path, R_OK) == 0) status = state_read(&ensemble_state, &s, path, &e);
    if (full_disk) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){3000, 3000});
    }
    if (!status) status = engine_run(&s, &o, &end, &e);
    if (status && !full_disk) fprintf(stderr, "%s\n", e.text);
    _exit(status);
}

static uint64_t digest_in(const struct ensemble_source *source, const char *path, int64_t *done)
{
    struct ensemble s;
    struct error e = {0};
    *done = 0;
    if (access(path, R_OK)) return 0;
    ok(ensemble_create(&s, source, unsharded, SIZE_MAX, &e), &e);
    ok(state_read(&ensemble_state, &s, path, &e), &e); /* whole, whenever the process died */
    const uint64_t digest = ensemble_digest(&s);
    *done = s.done;
    ensemble_free(&s);
    return digest;
}

/* A command that has no option for it computes members too: it must not write states one after the other. */
static void writes_a_state_now_and_then(void **state)
{
    assert_true(engine_options_of(&(struct study_job){.threads = 1}).checkpoint_s == 30);
    assert_true(engine_options_of(&(struct study_job){.checkpoint_s = 2}).checkpoint_s == 2);
}

static void resumes_after_kills(void **state)
{
    struct test_plan plan;
    struct ensemble_source source;
    int64_t done = 0, before = 0;
    const int all_kills = sample(SANITIZED(5, 10), SANITIZED(8, 20));
    int kills = 0, advanced = 0, status = -1;
    uint64_t random = (uint64_t)time(NULL);
    test_plan_create(&plan, &source, sample(SANITIZED(300, 900), SANITIZED(600, 1500)));
    const char *path = scratch_file(&dir, "a.state");
    print_message("seed %llu\n", (unsigned long long)random);

    assert_true(waitpid(begin_child(&source, path, true), &status, 0) > 0);
    assert_int_equal(WEXITSTATUS(status), ERROR_FAILED); /* a full disk */
    const struct engine_options plain = {.threads = 1, .batch = 1};
    const uint64_t digest = run(&source, unsharded, 0, plain, NULL);
    for (bool complete = false; !complete || kills < all_kills;) {
        if (complete) unlink(path); /* it was too quick: from the beginning */
        const pid_t child = begin_child(&source, path, false);
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const struct timespec t = {0, (long)(20000000 + (random >> 33) % 250000000)};
        nanosleep(&t, NULL);
        if (kills < all_kills) kill(child, SIGKILL);
        assert_true(waitpid(child, &status, 0) > 0);
        kills += WIFSIGNALED(status);
        before = complete ? 0 : done;
        const uint64_t now = digest_in(&source, path, &done);
        advanced += done > before;
        complete = done == source.count;
        if (complete) assert_int_equal(now, digest);
    }
    print_message("%d kills, %d of them with progress\n", kills, advanced);
    assert_true(kills == all_kills && advanced >= sample(1, SANITIZED(2, 5)));
    test_plan_free(&plan);
}

/* ---- when it is sure ------------------------------------------------------------------------- */

static bool stop_late(const struct study_progress *now, void *user)
{
    return now->done >= *(const int64_t *)user;
}

static void stops_when_sure(void **state)
{
    struct trial t;
    enum engine_end end;
    int64_t enough = 70;
    trial_create(&t, 2000);
    const char *path = scratch_file(&t.scratch, "a.state");
    const double error = 0.045;
    const uint64_t digest =
        run(&t.source, unsharded, error, (struct engine_options){.threads = 1, .batch = 1}, &t.s);
    const int64_t done = t.s.done;
    assert_true(done > 128 && done < 1000 && engine_boundary(done - 1, 2000) == done);
    assert_true(ensemble_cautious_error(&t.s) < error);
    ensemble_free(&t.s);
    static const int threads[] = {2, 9, 3}, batches[] = {7, 1, 64};
    for (int i = 0; i < SANITIZED(0, 3); i++) {
        const struct engine_options o = {.threads = threads[i], .batch = batches[i]};
        assert_int_equal(run(&t.source, unsharded, error, o, NULL), digest);
    }

    /* stopped on the way, and once more when it is sure */
    struct engine_options o = {.threads = 3,
                               .batch = 1,
                               .state = path,
                               .checkpoint_s = 9,
                               .tell = stop_late,
                               .user = &enough};
    for (int i = 0; i < 3; i++, enough = i == 1 ? INT64_MAX : 0) {
        ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
        t.s.until_error = error;
        if (i) ok(state_read(&ensemble_state, &t.s, path, &t.e), &t.e);
        ok(engine_run(&t.s, &o, &end, &t.e), &t.e);
        assert_int_equal(end, i ? ENGINE_SURE : ENGINE_STOPPED);
        if (i) assert_true(t.s.done == done && ensemble_digest(&t.s) == digest);
        ensemble_free(&t.s);
    }
    trial_free(&t);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void names_the_member_that_fails(void **state)
{
    struct trial t;
    enum engine_end end;
    const struct engine_options o = {.threads = 3, .batch = 1};
    trial_create(&t, 40);
    t.plan.fails_at = 23;
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    assert_int_equal(engine_run(&t.s, &o, &end, &t.e), ERROR_INPUT);
    assert_string_equal(t.e.text, "member 23: volcano.cfg:7: cannot be made; mend it");
    assert_false(t.s.result[23].done);
    ensemble_free(&t.s);
    trial_free(&t);
}

/* Where the counters have no room the ensemble ends with the remedy, and goes on with more. */
static void goes_on_with_more_memory(void **state)
{
    struct trial t;
    enum engine_end end;
    trial_create(&t, 40);
    const char *path = scratch_file(&t.scratch, "a.state");
    const struct engine_options o = {.threads = 1, .batch = 1, .state = path, .checkpoint_s = 9};
    t.source.cost = NULL; /* a short one first, for which there is memory */
    const uint64_t digest = run(&t.source, unsharded, 0, o, &t.s);
    const size_t bytes = t.s.cells.bytes;
    ensemble_free(&t.s);
    unlink(path);
    ok(ensemble_create(&t.s, &t.source, unsharded, bytes - 1, &t.e), &t.e);
    assert_int_equal(engine_run(&t.s, &o, &end, &t.e), ERROR_INPUT);
    assert_true(t.s.done > 0 && t.s.done < t.source.count);
    assert_non_null(strstr(t.e.text, "use a coarser resolution"));
    ensemble_free(&t.s);
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    ok(state_read(&ensemble_state, &t.s, path, &t.e), &t.e);
    ok(engine_run(&t.s, &o, &end, &t.e), &t.e);
    assert_int_equal(ensemble_digest(&t.s), digest);
    ensemble_free(&t.s);
    trial_free(&t);
}

/* Any byte that is another one, and any end that comes early, is seen. */
static void refuses_damaged_states(void **state)
{
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    test_plan_create(&plan, &source, 12);
    const char *path = scratch_file(&dir, "a.state"), *bad = scratch_file(&dir, "b.state");
    run(&source, unsharded, 0,
        (struct engine_options){.threads = 2, .batch = 1, .state = path, .checkpoint_s = 9}, NULL);
    char *text;
    size_t size;
    ok(textfile_load(&text, &size, path, &e), &e);
    assert_true(size > 2000);
    for (size_t i = 0; i < 2 * size; i += 1 + size / 100) {
        FILE *f = fopen(bad, "wb");
        if (i < size) text[i] ^= 4;
        fwrite(text, 1, i < size ? size : i - size, f);
        fclose(f);
        if (i < size) text[i] ^= 4;
        ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
        assert_int_equal(state_read(&ensemble_state, &s, bad, &e), ERROR_INPUT);
        ensemble_free(&s);
    }
    source.digest++;
    ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
    assert_int_equal(state_read(&ensemble_state, &s, path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "with another plan"));
    ensemble_free(&s);
    free(text);
    test_plan_free(&plan);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, stops_when_sure,
                       names_the_member_that_fails, writes_a_state_now_and_then,
                       goes_on_with_more_memory, refuses_damaged_states, resumes_after_kills);
}
