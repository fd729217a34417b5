/* The team of threads: every step is made once, by each member once, wherever the system takes the
 * processor from a member that has arrived at a barrier. */
/* tests: reference */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* The caller is never interrupted: it may be stretches ahead when a member continues. */
static pthread_t caller;
static int arrive(atomic_int *waiting)
{
    const int before = atomic_fetch_add(waiting, 1);
    if (!pthread_equal(pthread_self(), caller)) usleep(200);
    return before;
}
#undef atomic_fetch_add_explicit
#define atomic_fetch_add_explicit(waiting, one, order) arrive(waiting)
#include "reference/team.c"

#include "unit.h"

enum { STRETCHES = 100 };

struct steps {
    struct team *team;
    int stretch;       /* its length */
    int made;          /* counted by the last to arrive */
    atomic_int shares; /* of all members in all steps */
};

static void count_step(void *of)
{
    ((struct steps *)of)->made++;
}

static void make_stretch(void *of, int rank)
{
    struct steps *s = of;
    const int length = s->stretch;
    for (int i = 0; i < length; i++) {
        atomic_fetch_add(&s->shares, 1);
        team_barrier(s->team, NULL, NULL);
        team_barrier(s->team, count_step, s);
    }
}

static void every_step_is_made_once(void **state)
{
    caller = pthread_self();
    for (int most = 2; most <= 4; most++) {
        struct steps s = {.team = team_create(most, TEAM_CHANGES)};
        int steps = 0, shares = 0, smaller = 0, before = 0;
        assert_int_equal(team_most(s.team), most);
        for (int i = 0; i < STRETCHES; i++) {
            const int threads = team_gather(s.team, &s.stretch);
            team_run(s.team, make_stretch, &s);
            steps += s.stretch;
            shares += s.stretch * threads;
            smaller += threads < before;
            before = threads;
            assert_int_equal(s.made, steps);
            assert_int_equal(s.shares, shares);
        }
        assert_true(smaller > STRETCHES / 10);
        team_free(s.team);
        assert_int_equal(s.made, steps);
    }
}

int main(void)
{
    return UNIT_RUN(every_step_is_made_once);
}
