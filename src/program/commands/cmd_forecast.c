/* cmd_forecast.c — `sciara forecast CASE`: makes a page for decision makers from a case. It writes a plan
 * (draft/kept_plan.h) and computes its members as `sciara ensemble` does, a few members first. If there are observations,
 * it weighs the members as `sciara nowcast` does. */
#include "study_command.h"

#include "draft/kept_plan.h"
#include "ensemble/ensemble_study.h"
#include "ensemble/report.h"
#include "members/library.h"
#include "nowcast/nowcast.h"
#include "text/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct forecast_request {
    struct study_request of;
    const char *place;
    struct option_words seen;
    int64_t members; /* number of members of a drafted plan; 0: the usual number */
};

#define AT(member) offsetof(struct forecast_request, member)
static const struct option words[] = {
    OPERAND("CASE", option_text, place,
            "a case file, the folder that has one, or a plan; its plan is written next to it",
            .completes = COMPLETE_CASE),
    OPERAND("OBSERVATION", option_words, seen,
            "a line to add to the plan, such as 'observed_front FILE at TIME error_m E'; FILE is "
            "relative to the current folder",
            .optional = true, .repeated = true, .completes = COMPLETE_FILE),
    OPTION("--members", "N", option_whole, members, "number of members of a new plan", .low = 1,
           .high = PLAN_MEMBERS_MAX, .usual = "200"),
    RUN_OPTION_LANGUAGE(of.language, "language of bulletin, maps and report.html"),
    STUDY_OPTIONS_OF_DEVICES("member"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
};

/* ---- members ----------------------------------------------------------------------------------- */

/* Number of members of the first map, and the factor by which this number grows from map to map. */
enum { FIRST = 8, GROWTH = 5 };

/* Prints what is computed next, and how long it will take. */
static void say_next(const struct study_request *of, const char *folder, int64_t done, int64_t next,
                     int64_t all, double per_s)
{
    char until_next[32], until_all[32];
    if (of->quiet) return;
    if (done)
        fprintf(stderr,
                "sciara: map of %" PRId64 " of %" PRId64 " members: %s/map_probability.png\n", done,
                all, folder);
    else
        fprintf(stderr, "sciara: the first map has %" PRId64 " of %" PRId64 " members\n", next,
                all);
    if (!(per_s > 0)) return;
    progress_left(until_next, (double)(next - done) / per_s);
    progress_left(until_all, (double)(all - done) / per_s);
    if (next < all) fprintf(stderr, "sciara: %" PRId64 " members in about %s, ", next, until_next);
    else fputs("sciara: ", stderr);
    fprintf(stderr, "all %" PRId64 " in about %s\n", all, until_all);
}

/* If the plan has been edited, makes a new library from the members that the old library and the edited plan have in
 * common. If only the number of members has grown, these are all members of the old library. */
static int take_shared(struct study_request of, const struct plan *p, const char *library,
                       struct error *e)
{
    struct error why = {0};
    if (access(library, F_OK) != 0 || library_count(library, p->digest) >= 0) return 0;
    of.untold = true;
    const int status = merge_other_plan(&of, library, &why);
    if (status == ERROR_INPUT) return 0; /* no shared members */
    const int64_t shared = library_count(library, p->digest);
    if (!status && !of.quiet)
        fprintf(stderr, "sciara: %" PRId64 " of %" PRId64 " members are there already\n", shared,
                p->count);
    if (status) *e = why;
    return status;
}

/* Computes members in rounds and draws maps after each round. Each round ends like an interrupted ensemble, and the next
 * round resumes it. So a crash loses no more than in `sciara ensemble`. */
static int compute_members(const struct forecast_request *q, const struct plan *p,
                           const char *folder, const char *library, bool last, struct error *e)
{
    struct study_request of = q->of;
    bool taken = false;
    of.untold = !last;
    if (!last) of.layers = NULL;
    of.bulletin = of.keeps = true;
    int status = merge_library(&of, &taken, e);
    if (!status && !taken) status = take_shared(of, p, library, e);
    if (status || taken) return status;
    of.or_anew = true;
    int64_t done = library_count(library, p->digest);
    double per_s = 0;
    if (done < 0) done = 0;
    for (int64_t next = FIRST;; next *= GROWTH) {
        if (next <= done) continue;
        if (next > p->count / 2) next = p->count;
        const struct ensemble_options o = {
            .until_error = -1, .keep = true, .bulletin = true, .first = next};
        const double began_s = clock_now_s();
        of.resume = study_library_resumes(library);
        say_next(&of, folder, done, next, p->count, per_s);
        of.untold = next < p->count || !last;
        status = study_command(&study_ensemble, &of, &o, e);
        if (status != EXIT_INTERRUPTED || interrupts_seen() || next == p->count) return status;
        per_s = (double)(next - done) / (clock_now_s() - began_s);
        done = next;
    }
}

/* ---- the forecast ------------------------------------------------------------------------------ */

/* Whether the members only have to be weighed: there are observations, and the library and its files are complete. */
static bool only_weighs(const struct plan *p, const char *folder, const char *library)
{
    return p->keys.seen.count > 0 && library_count(library, p->digest) == p->count &&
           !output_unfinished(folder);
}

static int forecast_plan(struct forecast_request *q, const struct plan *p, struct error *e)
{
    FREED char *folder = text_format("output/%s", p->base.name);
    FREED char *library = text_format("output/%s/" LIBRARY_NAME, p->base.name);
    const bool seen = p->keys.seen.count > 0;
    if (!folder || !library) return error_memory(e);
    int status = 0;
    if (!only_weighs(p, folder, library)) status = compute_members(q, p, folder, library, !seen, e);
    if (status || !seen) return status;
    const struct nowcast_options o = {.ask = {.library = library, .ensemble.until_error = -1},
                                      .now_s = NAN,
                                      .brief = !products_asked(q->of.layers, &report_files)};
    return study_command(&study_nowcast, &q->of, &o, e);
}

/* Checks that the current folder can be written to, because the command has no --output. */
static int check_current_folder(const struct plan *p, struct error *e)
{
    FREED char *members = text_format("output/%s", p->base.name);
    FREED char *library = text_format("output/%s/" LIBRARY_NAME, p->base.name);
    FREED char *weighed = text_format("output/%s-nowcast", p->base.name);
    if (!members || !library || !weighed) return error_memory(e);
    const char *folder = only_weighs(p, members, library) ? weighed : members;
    const char *there = access(folder, F_OK) == 0     ? folder
                        : access("output", F_OK) == 0 ? "output"
                                                      : ".";
    if (access(there, W_OK) == 0) return 0;
    return error_failed(
        e,
        "%s: cannot be written: %s; a forecast is written to output/ of the current folder: change "
        "to a folder that can be written, and name the case from there",
        folder, strerror(errno));
}

static int forecast_case(void *request, struct error *e)
{
    struct forecast_request *q = request;
    const struct nowcast_options all = {.ask.ensemble.until_error = -1, .now_s = NAN};
    struct warnings said = {0};
    FREED_BY(kept_plan_free) struct kept_plan kept;
    FREED_BY(plan_free_at) struct plan *p = NULL;
    int status = kept_plan_open(&kept, q->place, q->members, q->seen.word, q->seen.count, e);
    if (!status && (status = nowcast_check(kept.path, &all, false, e))) kept_plan_undo(&kept, e);
    if (!status) status = plan_read(&p, kept.path, NULL, NULL, e);
    if (!status && (status = check_current_folder(p, e))) kept_plan_undo(&kept, e);
    if (status) return status;
    if (!q->of.quiet && kept.drafted)
        fprintf(stderr,
                "sciara: %s: states what is uncertain; edit it, and the next forecast uses it\n",
                kept.path);
    if (!q->of.quiet && kept.differs)
        fprintf(stderr,
                "sciara: warning: %s: is used, but the case has changed (%s); edit the plan, or "
                "rename it "
                "so that a new plan is drafted\n",
                kept.path, kept.differs);
    q->of.plan = kept.path;
    q->of.said = &said;
    return forecast_plan(q, p, e);
}

const struct command command_forecast = {
    .name = "forecast",
    .summary = "forecast an eruption: from a case to maps and a bulletin, and again each day",
    .about = "Writes a plan of CASE next to it, NAME-forecast.cfg, unless it is there; computes "
             "its members, with a first map after a few of them; and weighs them by all "
             "observations. `sciara plan`, `ensemble --keep` and `nowcast` have the same results, "
             "in the same folders: output/NAME-forecast, and with observations "
             "output/NAME-forecast-nowcast/DATE.\n\n"
             "The same command again continues what was interrupted, reads the plan as it was "
             "edited, and after a new observation computes no member again.",
    .examples = "sciara forecast volcano.cfg\n"
                "sciara forecast volcano.cfg 'observed_front front.geojson at 24h error_m 30'\n",
    .missing = "name a case",
    STUDY_COMMAND_OF(struct forecast_request, forecast_case, study_exits_again),
};
