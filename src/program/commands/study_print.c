/* study_print.c — the reports of the commands that compute many runs. */
#include "study_command.h"

#include "ask/ask.h"
#include "calibration/calibration_report.h"
#include "case/resolution.h"
#include "record/roundnum.h"
#include "record/probability.h"
#include "ensemble/ensemble_study.h"
#include "ensemble/report.h"
#include "hazard/hazard.h"
#include "nowcast/nowcast.h"
#include "calibration/null_study.h"
#include "pairs/pairs.h"
#include "products/files.h"
#include "sensitivity/sensitivity.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *end_of(const struct study_job *j)
{
    return j->stopped ? "; interrupted" : "";
}

/* Prints a name, such as the name of a place, as the first column of a line. */
static void print_name(const char *name)
{
    const int columns = scan_columns(name);
    printf("  %s%*s ", name, columns < 22 ? 22 - columns : 0, "");
}

/* ---- an ensemble ----------------------------------------------------------------------------- */

/* Prints mean and percentiles of a result, divided by `unit`, over the members that have this result. Prints `what` after the
 * mean and `symbol` after the last number. */
static void print_spread(const struct ensemble *s, enum report_result which, double unit,
                         const char *name, const char *what, const char *symbol)
{
    const struct percentiles of = report_spread(s, which, NAN, NULL);
    char mean[32], low[32], high[32];
    if (of.members)
        printf("%-13s mean %s%s, 5 to 95 %%: %s to %s%s\n", name,
               roundnum_brief(mean, of.mean / unit), what, roundnum_brief(low, of.p05 / unit),
               roundnum_brief(high, of.p95 / unit), symbol);
}

/* Prints areas. If reached cells were observed, prints no mean area of members, because members may lack the observed cells. */
static void print_extent(const struct ensemble *s)
{
    const struct report_area a = report_area_of(s);
    const struct percentiles end = report_spread(s, REPORT_AREA_M2, NAN, NULL);
    char low[32], high[32];
    if (s->done && s->shard.count == 1)
        printf("expected area %s km2 that lava reaches; %s km2 that at least one member reaches\n",
               roundnum_brief(low, a.expected_km2), roundnum_brief(high, a.any_km2));
    if (s->seen)
        printf("covered area  of members at their end, 5 to 95 %%: %s to %s km2\n",
               roundnum_brief(low, end.p05 * 1e-6), roundnum_brief(high, end.p95 * 1e-6));
    else print_spread(s, REPORT_AREA_M2, 1e6, "covered area", " km2", " km2");
    print_spread(s, REPORT_RUNOUT_M, 1e3, "run-out", " km", " km");
}

static void print_scores(const struct verification *v)
{
    printf("Brier skill %.3f%s, log score %.3f%s, ROC area %.3f%s\n", v->score[VERIFY_SKILL].value,
           PROBABILITY_ERROR(v->score[VERIFY_SKILL].error), v->score[VERIFY_LOG].value,
           PROBABILITY_ERROR(v->score[VERIFY_LOG].error), v->score[VERIFY_ROC].value,
           PROBABILITY_ERROR(v->score[VERIFY_ROC].error));
}

static void print_verification(const struct ensemble *s)
{
    const struct report r = {.s = s};
    struct verification v;
    if (s->shard.count > 1 || !s->outline || !s->done || report_verify(&v, &r, NULL)) return;
    printf("verification  within %s: ", WORDS_ENGLISH(s->domain.about));
    print_scores(&v);
    if (!report_has_discrepancy(s) || report_verify_discrepancy(&v, s, NULL)) return;
    printf("discrepancy   mean of %g m around each cell: ", s->source->discrepancy_m);
    print_scores(&v);
}

/* Prints the scores of the null model, which the forecast has to surpass. */
static void print_null_beside(const struct null_model *n)
{
    struct verification v;
    if (!n->s.done || null_model_verify(&v, n, NULL)) return;
    fputs("null model    ", stdout);
    print_scores(&v);
    printf("              paths of %.4g km, %.3g m to each side, %s\n", n->at.length_m / 1000,
           n->at.half_width_m,
           n->fitted ? "fitted to the outline: in sample" : "as fitted to another eruption");
    if (n->carried) print_null_beside(n->carried);
}

static void print_places(const struct ensemble *s)
{
    enum { SHOWN = 12 };
    char said[PROBABILITY_TEXT], when[ARRIVAL_TEXT];
    if (s->assets.count)
        printf(
            "places        probability that lava arrives, and times (in classes of %.4g h) of 5 to "
            "95 %% of the arrivals, if there are three or more:\n",
            s->source->request.arrival_step_s / 3600);
    for (int i = 0; i < s->assets.count && i < SHOWN; i++) {
        const struct report_range range = report_arrival_range(s, i);
        print_name(s->assets.asset[i].name);
        fputs(WORDS_ENGLISH(report_said(said, s, i)), stdout);
        if (isnan(ensemble_reached_s(s, i)) && !isnan(range.low_h))
            printf(", %s", arrival_range_text(when, range.low_h, range.high_h,
                                              s->source->base->start_time));
        putchar('\n');
    }
    if (s->assets.count > SHOWN) printf("  and %d more in assets.csv\n", s->assets.count - SHOWN);
}

static void print_error(const struct ensemble *s)
{
    const double worst = ensemble_worst_error(s);
    const char *where = s->assets.count ? "at the places of interest" : "in any cell";
    if (worst > 0) printf("error         at most %.4g %s\n", worst, where);
}

static void print_ensemble(const struct study_job *j)
{
    const struct ensemble_study *x = j->self;
    const struct ensemble *s = &x->s;
    const struct sim_case *c = s->source->base;
    char text[256];
    if (s->source->known) printf("known exactly %s\n", s->source->known);
    if (*resolution_text(c, text)) printf("resolution    %s\n", text);
    printf("grid          %d x %d cells of %.10g m\n", c->problem.rows, c->problem.cols,
           c->geo.cell_m);
    const double effective = statistics_effective(&s->cells);
    printf("members       %" PRId64 " of %" PRId64, s->done, s->source->count);
    if (effective < (double)s->done) printf(", effective number %.6g", effective);
    printf("%s", x->end == ENGINE_SURE ? "; the standard error is reached" : end_of(j));
    if (s->shard.count > 1) printf("; shard %d/%d", s->shard.index, s->shard.count);
    putchar('\n');
    for (int i = 0; x->shares > 1 && i < x->shares; i++)
        printf("%-4s %-8d %" PRId64 " members, at the end %.3f s idle\n", x->ranks ? "rank" : "GPU",
               x->ranks ? i : j->device[i], x->share[i].members, x->share[i].idle_s);
    print_extent(s);
    print_spread(s, REPORT_OVERLAP, 1, "overlap J", " with the observed outline", "");
    print_verification(s);
    print_null_beside(&x->null);
    print_places(s);
    print_error(s);
}

/* Prints sums over places. A nowcast does not call this function, because these sums ignore its observations. */
static void print_exposed(const struct ask *x)
{
    for (int i = 0; i < x->exposed.rows; i++) {
        const struct exposed_sum *r = &x->exposed.row[i];
        printf("%s  %s: mean %.4g%s%s of %.4g, 5 to 95 %%: %.4g to %.4g\n",
               i ? "            " : "reached     ", r->name, r->mean, *r->unit ? " " : "", r->unit,
               r->all, r->p05, r->p95);
    }
}

/* Writes a number with its sign. */
static const char *put_signed(char out[32], double x)
{
    char number[32];
    snprintf(out, 32, "%s%.30s", x > 0 ? "+" : "", roundnum_brief(number, x));
    return out;
}

static void print_asked(const struct study_job *j)
{
    enum { SHOWN = 30 };
    const struct ask *x = j->self;
    const struct named_members *n = &x->named;
    const struct compared *c = &x->compared;
    char area[32];
    if (c->asked)
        printf("compared      with %s: area %s%s km2, %" PRId64 " members, %" PRId64 " in both\n",
               WORDS_ENGLISH(c->question), put_signed(area, c->area_m2.difference * 1e-6),
               PROBABILITY_ERROR(c->area_m2.error * 1e-6), c->members, c->both);
    if (n->rows) printf("to look at    sciara run %s --member N computes one of these:\n", j->plan);
    for (int i = 0; i < n->rows && i < SHOWN; i++) {
        char words[NAMED_WORDS];
        ask_named_words(x, &n->row[i], words);
        printf("  --member %-12" PRId64 " %s\n", n->row[i].member, WORDS_ENGLISH(words));
    }
    if (n->rows > SHOWN) printf("  and %d more in named_members.csv\n", n->rows - SHOWN);
}

static void print_ask(const struct study_job *j)
{
    print_ensemble(j);
    print_exposed(j->self);
    print_asked(j);
}

/* ---- a nowcast ------------------------------------------------------------------------------- */

static const char *tempered(const struct nowcast *x, int set)
{
    return x->set[set].power < 1 ? " (tempered)" : "";
}

static void print_nowcast(const struct study_job *j)
{
    const struct nowcast *x = j->self;
    print_ensemble(j);
    print_asked(j);
    printf("observations  %d until %.9g h\n", x->sights.count, x->sights.now_s / 3600);
    printf("  %-22s %.6g before, %.6g%s yesterday, %.6g%s now\n", "effective number",
           x->set[NOWCAST_BEFORE].effective, x->set[NOWCAST_YESTERDAY].effective,
           tempered(x, NOWCAST_YESTERDAY), x->set[NOWCAST_NOW].effective, tempered(x, NOWCAST_NOW));
    for (int i = 0; i < x->places; i++) {
        char said[NOWCAST_SETS][PROBABILITY_TEXT];
        for (int k = 0; k < NOWCAST_SETS; k++) nowcast_said(said[k], x, k, i, INFINITY);
        const bool reached[] = {!isnan(nowcast_reached_s(x, NOWCAST_YESTERDAY, i)),
                                !isnan(nowcast_reached_s(x, NOWCAST_NOW, i))};
        print_name(x->ask.of.s.assets.asset[i].name);
        if (x->ask.of.s.assets.asset[i].bare && !reached[1]) {
            puts(ASSETS_BARE);
            continue;
        }
        printf("%s before", said[NOWCAST_BEFORE]);
        if (!reached[0]) printf(", %s yesterday", said[NOWCAST_YESTERDAY]);
        printf(reached[1] ? ", %s\n" : ", %s now\n", said[NOWCAST_NOW]);
    }
}

/* ---- the null model -------------------------------------------------------------------------- */

static void print_null(const struct study_job *j)
{
    const struct null_model *n = &((const struct null_study *)j->self)->of.model;
    printf("paths         %" PRId64 " of steepest descent, %.4g km long, half width %.4g m, %s\n",
           n->s.done, n->at.length_m / 1000, n->at.half_width_m,
           n->fitted ? "both fitted to the outline: in sample" : "as given");
    struct verification v;
    print_extent(&n->s);
    if (!n->s.outline || null_model_verify(&v, n, NULL)) return;
    printf("verification  within %s: ", WORDS_ENGLISH(n->s.domain.about));
    print_scores(&v);
    if (n->carried) print_null_beside(n->carried);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void print_pairs(const struct study_job *j)
{
    const struct pairs *x = j->self;
    const struct pairs_found f = pairs_find(x);
    const double pairs = pair_sums_effective(&x->cells);
    char with[PROBABILITY_TEXT], without[PROBABILITY_TEXT], less[PROBABILITY_TEXT];
    char one[32], other[32], more[32];
    printf("pairs         %" PRId64 " of %" PRId64 ", with barriers and without%s\n", x->done,
           x->count, end_of(j));
    printf("mean area     %s km2 with, %s km2 without: %s%s km2\n",
           roundnum_brief(one, f.area_m2[PAIR_WITH] * 1e-6),
           roundnum_brief(other, f.area_m2[PAIR_WITHOUT] * 1e-6),
           put_signed(more, f.area_difference_m2 * 1e-6),
           PROBABILITY_ERROR(f.area_difference_error_m2 * 1e-6));
    printf("lava is       less probable on %s km2, more probable on %s km2 (differences above "
           "twice the standard error)\n",
           roundnum_brief(one, f.less_likely_m2 * 1e-6),
           roundnum_brief(other, f.more_likely_m2 * 1e-6));
    if (x->assets.count) puts("places        probability, and delay of arrival by the barriers:");
    for (int i = 0; i < x->assets.count; i++) {
        print_name(x->assets.asset[i].name);
        if (x->assets.asset[i].bare) {
            puts(ASSETS_BARE);
            continue;
        }
        const struct pair_estimates s =
            pair_sums_estimate(&x->places, pair_sums_at(&x->places, (size_t)i), x->class_h);
        printf("%s with, %s without: %s", probability_text(with, s.with, pairs),
               probability_text(without, s.without, pairs),
               probability_difference_text(less, s.difference, s.error, pairs));
        if (isfinite(s.later_h))
            printf("; %+.3g h%s", s.later_h, PROBABILITY_ERROR(s.later_error_h));
        putchar('\n');
    }
}

/* ---- a sensitivity analysis ------------------------------------------------------------------ */

/* Prints the three parameters that matter most for a quantity. */
static void print_quantity(const struct sensitivity *x, int stage, int quantity)
{
    const struct indices *of = &x->stage[stage].index[quantity];
    const bool sobol = stage == STAGE_SOBOL;
    const double *value = of->of[sobol ? SOBOL_ST : MORRIS_MU_STAR],
                 *conf = of->of[sobol ? SOBOL_ST_CONF : MORRIS_MU_STAR_CONF];
    int order[FITS_MAX];
    print_name(x->quantity[quantity].name);
    if (!of->varies) {
        puts("the same everywhere");
        return;
    }
    sensitivity_rank(x, stage, quantity, order);
    for (int k = 0; k < x->fits && k < 3; k++)
        printf("%s%s %.3g%s", k ? ", " : "", x->fit[order[k]].name, value[order[k]],
               PROBABILITY_ERROR(conf[order[k]]));
    putchar('\n');
}

static void print_sensitivity(const struct study_job *j)
{
    const struct sensitivity *x = j->self;
    char effort[96];
    for (int i = 0; i < STAGES; i++) {
        if (!x->stage[i].wanted) continue;
        sensitivity_effort(x, i, effort);
        printf("%-14s%s of %" PRId64 "%s\n", stage_names[i], WORDS_ENGLISH(effort),
               stage_runs(x, &x->stage[i], x->stage[i].design.groups), end_of(j));
        if (!x->stage[i].index) continue;
        printf("%s\n", i == STAGE_SOBOL ? "  largest total indices (ST)"
                                        : "  largest mean effects (mu_star)");
        for (int q = 0; q < x->quantities; q++) print_quantity(x, i, q);
    }
}

/* ---- a calibration --------------------------------------------------------------------------- */

static void print_unseen(const char *what, const struct scores *u, int part)
{
    if (!u->members || isnan(u->all[part].mean)) return;
    printf("%-14s%.4f", what, u->all[part].mean);
    printf(" %s", part == PART_SEEN ? "in sample" : "held out");
    if (u->all[part].error > 0) printf(", ± %.4f", u->all[part].error);
    if (u->members > 1) printf(" over %" PRId64 " runs with unseen noise", u->members);
    putchar('\n');
}

static void print_eruptions(const struct calibration *c)
{
    const struct scores *u = &c->finalist;
    for (int k = 0; k < c->eruptions && c->eruptions > 1 && u->members; k++)
        for (int p = 0; p < PARTS; p++) {
            if (isnan(u->eruption[k][p].mean)) continue;
            print_name(eruption_name(c, k));
            printf("%.4f %s", u->eruption[k][p].mean, p == PART_SEEN ? "in sample" : "held out");
            if (u->eruption[k][p].error > 0) printf(", ± %.4f", u->eruption[k][p].error);
            putchar('\n');
        }
}

static void print_posterior(const struct calibration *c)
{
    const struct posterior_sample *s = &c->sample;
    int count;
    const struct smc_generation *g = smc_generations(c->posterior, &count);
    if (!s->count) return;
    printf("posterior     %d sets of parameters, effective number %.1f, all with a score of %.4f "
           "or more (%s)\n",
           s->count, g[count - 1].effective, 1 - g[count - 1].tolerance, posterior_end(c, false));
    for (int i = 0; i < c->fits; i++)
        printf("  %-22s%.4g, 95 %% from %.4g to %.4g\n", c->fit[i].name, s->of[i].p50,
               s->of[i].p025, s->of[i].p975);
}

static void print_calibration(const struct study_job *j)
{
    const struct calibration *c = j->self;
    printf("evaluations   %d of %" PRId64 ", %" PRId64 " runs each%s\n", c->count, c->budget,
           c->keys.noise_members, end_of(j));
    if (c->impossible) printf("no score      %d candidates, which cannot be run\n", c->impossible);
    if (c->posterior) {
        print_posterior(c);
    } else if (c->best >= 0) {
        const struct evaluation *x = &c->evaluation[c->best];
        printf("found         %.4f%s\n", x->score,
               c->keys.noise_members > 1 ? " with the noise of the search" : "");
        for (int i = 0; i < c->fits; i++) printf("  %-22s%.7g\n", c->fit[i].name, x->value[i]);
    }
    for (int p = 0; p < PARTS; p++) {
        print_unseen(c->posterior ? "posterior" : "best", &c->finalist, p);
        print_unseen("as it stands", &c->as_it_stands, p);
    }
    print_eruptions(c);
    if (c->finalist.members && !c->posterior) print_verification(&c->ensemble);
    print_null_beside(&c->null.model);
}

static void print_gain(const char *head, const struct past_gain *g, const char *by)
{
    if (g->flows)
        printf("%-13s %d: log score of the map less the score of vents alone %+.3g%s%s\n", head,
               g->flows, g->mean, PROBABILITY_ERROR(g->error), by);
}

static void print_hazard(const struct study_job *j)
{
    const struct hazard *x = j->self;
    const struct hazard_keys *k = &x->from->keys.hazard;
    const double years = hazard_years_shown(k);
    char rate[32];
    printf("eruptions     %s a year, %s %.4g of the catalogue; %d past vents\n",
           roundnum_brief(rate, x->all),
           k->catalogue.rate > 0 ? "as given, and sizes of" : "computed from",
           x->from->hazard->catalogue.count, x->from->hazard->opening.vents);
    print_gain("past flows", &x->flows.now, "");
    print_gain("", &x->flows.before, ", by what was known before");
    for (int i = 0; i < x->places; i++) {
        char said[PROBABILITY_TEXT];
        print_name(x->ask.of.s.assets.asset[i].name);
        printf("%s in %.10g year%s%s\n", WORDS_ENGLISH(hazard_said(said, &x->place[i], years)),
               years, years == 1 ? "" : "s",
               hazard_place_in_margin(x, i) ? ", but near where lava leaves the terrain" : "");
    }
}

static const struct {
    const struct study *of;
    void (*print)(const struct study_job *j);
} reports[] = {{&study_ensemble, print_ensemble},
               {&study_pairs, print_pairs},
               {&study_sensitivity, print_sensitivity},
               {&study_calibration, print_calibration},
               {&study_posterior, print_calibration},
               {&study_null, print_null},
               {&study_ask, print_ask},
               {&study_nowcast, print_nowcast},
               {&study_hazard, print_hazard}};

/* The file to open first: the bulletin if it is there, else the page, else the map; NULL: none of them is there. */
static const char *first_file(const char *folder)
{
    static const char *const names[] = {"bulletin.html", REPORT_FILE, "map_probability.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FREED char *path = text_format("%s/%s", folder, names[i]);
        const bool there = path && access(path, R_OK) == 0;
        if (there) return names[i];
    }
    return NULL;
}

void study_print(const struct study_job *j, const char *again, struct warnings *said)
{
    /* for a hazard study, cli_print_map() names the file to open first */
    const char *first = j->study == &study_hazard ? NULL : first_file(j->folder);
    const struct sim_case *c = j->c;
    const int devices = j->device_count, at_work = devices ? devices : j->threads;
    cli_print_map(j->folder);
    if (c->synthetic) printf("%s\n", c->terrain_source);
    printf("plan          %s\n", c->name);
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (reports[i].of == j->study) reports[i].print(j);
    const struct warnings told = study_told(j);
    progress_report(&told, said);
    if (j->study->digest) printf("digest        %016" PRIx64 "\n", j->study->digest(j->self));
    printf("time          %.3f s for the runs on %d %s%s, %.3f s in all\n", j->compute_s, at_work,
           devices ? "GPU" : "thread", at_work == 1 ? "" : "s", clock_now_s() - j->began_s);
    scan_make_printable(j->folder); /* printable from here on: no more files are opened */
    printf("files         %s\n", j->folder);
    if (again) printf("continue      %s\n", again);
    if (first) printf("open          %s/%s\n", j->folder, first);
}
