/* cmd_nowcast.c — `sciara nowcast PLAN`: computes the members of a plan that its library lacks, then weighs all members by
 * what has been observed. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "study_command.h"

#include "base/processors.h"
#include "ensemble/report.h"
#include "members/library.h"
#include "nowcast/rounds.h"
#include "text/textfile.h"
#include "text/times.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct nowcast_request {
    struct study_request of;
    struct nowcast_options nowcast;
    const char *now, *watch;
    const char *folder; /* absolute path of the folder of --watch; NULL: none */
    int rounds;
    bool any;            /* whether the plan has observations */
    const char *library; /* library of the plan; nowcast.ask.library: library of the last round */
    struct plan_draws draws;
};

#define AT(member) offsetof(struct nowcast_request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER("plan of an ensemble that also names observations",
                          "output/NAME-OF-PLAN-nowcast/DATE"),
    STUDY_OPTION_LIBRARY(nowcast.ask.library,
                         "library of members, as written by `sciara ensemble PLAN --keep`; members "
                         "that it lacks are computed first"),
    OPTION("--now", "TIME", option_text, now,
           "time of the forecast, in hours since the start or as a date: later observations do not "
           "count",
           .group = "forecasts", .usual = "the last observation"),
    OPTION("--watch", "FOLDER", option_text, watch,
           "also read observations, in lines as in a plan, from all NAME.obs in FOLDER; forecast "
           "anew whenever these files change, until Ctrl-C",
           .completes = COMPLETE_FOLDER),
    OPTION("--rounds", "N", option_int, rounds,
           "number of times that all members are drawn again, around those that agree with the "
           "observations; the new members are computed, and kept next to the library",
           .low = 0, .high = ROUNDS_MOST, .usual = "0, the members of the plan"),
    STUDY_OPTION_ASSETS(nowcast.ask.ensemble.assets, NULL),
    RUN_OPTION_LANGUAGE(of.language, "language of bulletin, maps and report.html"),
    STUDY_OPTION_REPLACE(of.replace),
    OPTION_FLAG("--members", nowcast.ask.members,
                "also list typical members, with a map of each, as `ask` does"),
    STUDY_OPTIONS_OF_DEVICES("member"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
};

/* Reads the plan, before anything is computed: the time of the forecast, the usual path of the library, and whether that
 * library lacks members. */
static int read_plan(struct nowcast_request *q, char **library, bool *missing, struct error *e)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    struct error why;
    const int status = plan_read(&p, q->of.plan, NULL, NULL, e);
    if (status) return status;
    q->any = p->keys.seen.count > 0;
    if (!q->any && !q->watch)
        return error_input(e,
                           "%s: has no observation; add a line such as 'observed_front "
                           "front.geojson at 24h error_m 30'",
                           q->of.plan);
    if (q->now && times_moment(&q->nowcast.now_s, q->now, TIMES_HOURS, p->base.start_time, &why))
        return error_input(e, "nowcast: --now %.60s: %.400s", q->now, why.text);
    if (!(*library = text_format("output/%s/" LIBRARY_NAME, p->base.name))) return error_memory(e);
    *missing = library_count(*library, p->digest) < p->count;
    return 0;
}

/* Draws the members of the next round around members of the last round's library. Computes the drawn members that
 * the library of the next round lacks. */
static int draw_round(struct nowcast_request *q, struct error *e)
{
    struct plan_draws next = {0};
    double effective;
    const int threads = q->of.threads ? q->of.threads : processors_granted();
    int status = rounds_next(&next, &effective, q->of.plan, &q->nowcast, threads, e);
    if (status) return status;
    draws_free(&q->draws);
    q->draws = next;
    if (!q->of.quiet)
        fprintf(stderr, "sciara: round %d; effective number of members, untempered: %.0f\n",
                next.round, effective);
    /* The name of a round's library has the digest of its draws, so that a round that was computed before is found. */
    const char *slash = strrchr(q->library, '/');
    char *library = text_format("%.*sround_%d_%016" PRIx64 "/" LIBRARY_NAME,
                                slash ? (int)(slash + 1 - q->library) : 0, q->library,
                                q->draws.round, q->draws.digest);
    if (!library) return error_memory(e);
    if (library_count(library, draws_plan_digest(&q->draws)) < next.count ||
        study_library_left(library))
        status = study_keep_members(&q->of, library, &q->draws, e);
    if (q->nowcast.ask.library != q->library) free((char *)q->nowcast.ask.library);
    q->nowcast.ask.library = library;
    q->nowcast.ask.ensemble.draws = &q->draws;
    return status;
}

static int forecast_by_rounds(struct nowcast_request *q, struct error *e)
{
    int status = 0;
    for (int i = 0; i < q->rounds && !status; i++) status = draw_round(q, e);
    if (!status) status = study_command(&study_nowcast, &q->of, &q->nowcast, e);
    if (q->nowcast.ask.library != q->library) free((char *)q->nowcast.ask.library);
    q->nowcast.ask.library = q->library;
    q->nowcast.ask.ensemble.draws = NULL;
    draws_free(&q->draws);
    return status;
}

/* Makes a new forecast. If that fails, the last forecast stays. */
static int forecast_again(struct nowcast_request *q)
{
    struct error why = {0};
    *q->of.said = (struct warnings){0}; /* each forecast prints all its warnings */
    const int status = forecast_by_rounds(q, &why);
    if (!status || status == EXIT_INTERRUPTED) return status;
    fprintf(stderr, "sciara: %s\n", why.text);
    fprintf(stderr, "sciara: no new forecast; the last one stays until %s changes\n", q->watch);
    return 0;
}

/* Opens all files that a forecast reads, before members are computed for hours. A bad file in the watched folder only causes
 * a message: it can be corrected meanwhile. */
static int check_request(struct nowcast_request *q, struct error *e)
{
    struct watch_state now;
    struct error why = {0};
    int status = nowcast_check(q->of.plan, &q->nowcast, q->rounds > 0, e);
    if (!status && q->folder) status = watch_look(&now, q->folder, e);
    if (status || !q->folder) return status;
    q->nowcast.folder = q->folder;
    q->nowcast.files = &now;
    if (nowcast_check(q->of.plan, &q->nowcast, false, &why))
        fprintf(stderr, "sciara: %s\nsciara: correct it while the members are computed\n",
                why.text);
    q->nowcast.folder = NULL;
    watch_free(&now);
    return 0;
}

/* Looks at the folder twice a second, since files that come over a network cause no event. */
static int watch(struct nowcast_request *q, struct error *e)
{
    const struct timespec pause = {.tv_nsec = 500000000};
    struct watch_state tried = {.count = -1}, now;
    const char *folder = q->nowcast.folder = q->folder;
    int status = 0;
    interrupt_watch(NULL);
    if (!q->of.quiet) fprintf(stderr, "sciara: watching %s for NAME.obs; Ctrl-C ends\n", folder);
    q->nowcast.files = &tried;
    while (!status && !interrupts_seen() && !(status = watch_look(&now, folder, e))) {
        if (watch_next(&tried, &now, q->any)) status = forecast_again(q);
        else nanosleep(&pause, NULL);
    }
    watch_free(&tried);
    return status;
}

static int nowcast(void *request, struct error *e)
{
    struct nowcast_request *q = request;
    struct warnings said = {0};
    FREED char *usual = NULL;
    bool missing = false;
    int status = read_plan(q, &usual, &missing, e);
    FREED char *folder = q->watch ? realpath(q->watch, NULL) : NULL;
    if (!status && q->watch && !folder)
        status = error_input(e, "nowcast: --watch %s: %s", q->watch, strerror(errno));
    q->folder = folder;
    q->nowcast.brief = !products_asked(q->of.layers, &report_files);
    const bool given = q->nowcast.ask.library;
    if (!status && !given) q->nowcast.ask.library = usual;
    q->library = q->nowcast.ask.library;
    q->of.said = &said;
    const bool left = !status && !given && (missing || study_library_left(usual));
    if (left) status = check_request(q, e);
    if (!status && left) status = study_keep_members(&q->of, usual, NULL, e);
    if (status) return status;
    return q->watch ? watch(q, e) : forecast_by_rounds(q, e);
}

const struct command command_nowcast = {
    .name = "nowcast",
    .summary = "forecast an eruption that continues, by what was seen of it",
    .about =
        "Weighs the members of a plan by the fronts, dry places, arrivals and rates that the plan "
        "names. Writes the probability that lava arrives: now, yesterday, and before the first "
        "observation; how it has changed; scores of yesterday's forecast; and a bulletin. Members "
        "that the library lacks are computed first. A new front needs no new runs.",
    .examples = "sciara nowcast etna.cfg --now 2021-09-23T12:00\n"
                "sciara nowcast etna.cfg --watch incoming\n",
    .missing = "name a plan",
    .defaults =
        &(const struct nowcast_request){.nowcast = {.now_s = NAN, .ask.ensemble.until_error = -1}},
    STUDY_COMMAND_OF(struct nowcast_request, nowcast, study_exits_again),
};
