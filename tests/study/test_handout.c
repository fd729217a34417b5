/* Members of an ensemble that several processes compute: how they are handed out (handout.h), who
 * has which GPU, and the states that the processes leave (ensemble_state.h). */
/* tests: program/mpi, study/ensemble */
#include "ensemble/handout.h"
#include "members/ensemble_state.h"
#include "ensemble_run.h"
#include "scratch.h"

#include <string.h>
#include <unistd.h>

/* ---- handing out ----------------------------------------------------------------------------- */

enum { MEMBERS = 500, MOST = 64 };

/* One in fifty takes as long as a hundred others. */
static double uneven_cost(const void *of, int64_t number)
{
    (void)of;
    return number % 50 == 7 ? 100 : 1;
}

/* Processes that each compute one member at a time, in virtual time. */
struct runner {
    double free_at;
    int64_t stock[MOST];
    int count, next, parts;
};

static void hands_out_all_once(void **state)
{
    struct trial t;
    struct handout h;
    struct runner r[4] = {{0}};
    char seen[MEMBERS] = {0};
    double all = 0, longest = 0, last = 0;
    trial_create(&t, MEMBERS);
    t.source.cost = uneven_cost;
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    for (int64_t i = 0; i < 20; i++)
        t.s.result[i * 11].done = (seen[i * 11] = 1) != 0; /* done before */
    ok(handout_create(&h, &t.s, 4, &t.e), &t.e);
    for (int open = 4, first = 1; open; first = 0) {
        struct runner *now = &r[0];
        for (int i = 1; i < 4; i++)
            if (r[i].free_at < now->free_at) now = &r[i];
        if (now->next == now->count) {
            now->next = 0;
            now->count = handout_next(&h, (int)(now - r), now->stock, 1, 1, MOST);
            now->parts++;
            if (first) assert_true(uneven_cost(NULL, now->stock[0]) == 100); /* long ones first */
        }
        if (!now->count) {
            now->free_at = 1e300;
            open--;
            continue;
        }
        const int64_t n = now->stock[now->next++];
        const double cost = uneven_cost(NULL, n);
        assert_false(seen[n]);
        seen[n] = 1;
        all += cost;
        now->free_at += cost;
        if (now->free_at > last) last = now->free_at;
        if (cost > longest) longest = cost;
    }
    for (int i = 0; i < MEMBERS; i++) assert_true(seen[i]);
    assert_true(all > 1000 && longest == 100);
    assert_true(last < all / 4 + 2); /* all end together, within the short ones */
    for (int i = 0; i < 4; i++) assert_in_range(r[i].parts, 5, 60); /* and ask now and then */
    handout_free(&h);
    for (int i = 0; i < MEMBERS; i++) t.s.result[i].done = false;
    ensemble_free(&t.s);
    trial_free(&t);
}

static void keeps_to_its_bounds(void **state)
{
    struct trial t;
    struct handout h;
    int64_t number[MOST];
    int count, taken = 0;
    trial_create(&t, 100);
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    ok(handout_create(&h, &t.s, 2, &t.e), &t.e);
    assert_int_equal(handout_next(&h, 0, number, 8, 8, 10), 10); /* a sixth would be 16 */
    assert_int_equal(handout_next(&h, 1, number, 8, 40, 60), 40);
    for (taken = 50; (count = handout_next(&h, 0, number, 8, 8, 10)); taken += count)
        assert_true(count >= 8 || taken + count == 100);
    assert_int_equal(taken, 100);
    assert_int_equal(handout_next(&h, 1, number, 8, 8, 10), 0);
    handout_free(&h);
    ensemble_free(&t.s);
    trial_free(&t);
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

static struct placement_view sees(const char *ids)
{
    struct placement_view v = {0};
    for (; *ids; ids++) {
        v.number[v.count] = v.count;
        v.id[v.count++][0] = *ids;
    }
    return v;
}

/* "0121": of each process the device, '-': none. */
static void placed(const char *expected, bool share, int count, const char *const *ids)
{
    struct placement_view view[4] = {{0}};
    int place[4], without = -1;
    char got[5] = "";
    for (int i = 0; i < count; i++) view[i] = sees(ids[i]);
    assert_true(placement_choose(place, view, count, share, &without));
    for (int i = 0; i < count; i++) got[i] = place[i] < 0 ? '-' : (char)('0' + place[i]);
    assert_string_equal(got, expected);
}

static void gives_each_a_device(void **state)
{
    placed("0123", false, 4, (const char *const[]){"abcd", "abcd", "abcd", "abcd"});
    placed("000", false, 3, (const char *const[]){"a", "b", "c"}); /* each sees its own alone */
    placed("01", false, 2, (const char *const[]){"ba", "ba"});
    placed("-0-", false, 3, (const char *const[]){"", "a", ""}); /* processors */
    placed("0101", true, 4, (const char *const[]){"ab", "ab", "ab", "ab"});
}

static void refuses_two_on_one(void **state)
{
    int place[3], without = -1;
    const struct placement_view same[] = {sees("ab"), sees("ab"), sees("ab")};
    assert_false(placement_choose(place, same, 3, false, &without));
    assert_int_equal(without, 2);
    const struct placement_view other[] = {sees("ab"), sees("a")}; /* by identity, not by number */
    assert_false(placement_choose(place, other, 2, false, &without));
    assert_int_equal(without, 1);
    assert_true(placement_choose(place, other, 2, true, &without));
    assert_int_equal(place[1], 0);
}

/* ---- states of processes --------------------------------------------------------------------- */

static void compute_shard(const struct ensemble_source *source, struct ensemble *s, int index,
                          int count)
{
    struct error e = {0};
    enum engine_end end;
    const struct engine_options o = {.threads = 1, .batch = 1};
    ok(ensemble_create(s, source, (struct shard){index, count}, SIZE_MAX, &e), &e);
    ok(engine_run(s, &o, &end, &e), &e);
    s->shard = unsharded;
}

static void write_rank(const char *folder, int rank, const struct ensemble *s)
{
    struct error e = {0};
    char *path = rank_state_path(folder, rank);
    ok(state_write(&ensemble_state, s, path, &e), &e);
    free(path);
}

static void adds_states_of_others(void **state)
{
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble whole, part[3], s;
    struct scratch scratch;
    struct error e = {0};
    char *bytes, *path;
    size_t size;
    int found;
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 40);
    const char *folder = scratch.path;
    compute_shard(&source, &whole, 1, 1);
    assert_false(rank_states_there(folder));
    for (int i = 0; i < 3; i++) {
        compute_shard(&source, &part[i], i + 1, 3);
        assert_true(part[i].done > 0 && ensemble_digest(&part[i]) != ensemble_digest(&whole));
        if (i) write_rank(folder, i, &part[i]);
    }
    assert_true(rank_states_there(folder)); /* the first one's is not there */
    ok(rank_files_visit(folder, STATE_NAME, rank_state_add, &part[0], &found, &e), &e);
    assert_int_equal(found, 2);
    assert_int_equal(part[0].done, 40);
    assert_true(ensemble_digest(&part[0]) == ensemble_digest(&whole));

    /* Killed before they were removed: once more changes nothing. */
    ok(rank_files_visit(folder, STATE_NAME, rank_state_add, &part[0], &found, &e), &e);
    assert_true(ensemble_digest(&part[0]) == ensemble_digest(&whole));

    /* Half of it is there already: no sum can be right. */
    compute_shard(&source, &s, 2, 6);
    assert_int_equal(rank_files_visit(folder, STATE_NAME, rank_state_add, &s, &found, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "which another folder has too"));
    ensemble_free(&s);

    /* In memory as in a file. */
    ok(state_pack(&ensemble_state, &part[0], &bytes, &size, &e), &e);
    ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
    ok(state_unpack(&ensemble_state, &s, bytes, size, "rank 1", &e), &e);
    assert_true(ensemble_digest(&s) == ensemble_digest(&whole));
    ensemble_free(&s);
    ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
    bytes[size / 2] ^= 1;
    assert_int_equal(state_unpack(&ensemble_state, &s, bytes, size, "rank 1", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "rank 1: "));
    ensemble_free(&s);
    free(bytes);

    ok(rank_files_remove(folder, STATE_NAME, &e), &e);
    assert_false(rank_states_there(folder));
    path = rank_state_path(folder, 0);
    assert_true(access(path, F_OK) != 0);
    free(path);
    for (int i = 0; i < 3; i++) ensemble_free(&part[i]);
    ensemble_free(&whole);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

static void knows_their_names(void **state)
{
    assert_true(rank_file_is("ensemble.state.1", STATE_NAME) &&
                rank_file_is("ensemble.state.127", STATE_NAME));
    assert_false(rank_file_is("ensemble.state", STATE_NAME) ||
                 rank_file_is("ensemble.state.", STATE_NAME) ||
                 rank_file_is("ensemble.state.1x", STATE_NAME) || rank_file_is("x.1", STATE_NAME));
}

int main(void)
{
    return UNIT_RUN(hands_out_all_once, keeps_to_its_bounds, gives_each_a_device,
                    refuses_two_on_one, adds_states_of_others, knows_their_names);
}
