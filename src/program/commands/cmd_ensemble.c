/* cmd_ensemble.c — `sciara ensemble PLAN`: many eruptions of one plan. It calls internal functions,
 * because sciara.h does not offer all options of an ensemble yet. */
#include "study_command.h"

#include "ensemble/ensemble_study.h"
#include "plan/member.h"
#include "pairs/pairs.h"
#include "text/table.h"

#include <stdio.h>

static const char *const pair_words[] = {"barriers", NULL};

#define AT(member) offsetof(struct ensemble_request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER("case file that also describes what is uncertain", "output/NAME-OF-PLAN"),
    STUDY_OPTION_RESUME(of.resume, "ensemble"),
    STUDY_OPTION_REPLACE(of.replace),
    OPTION("--until-error", "E", option_real, until_error,
           "stop when the standard error of every probability in every cell is below E, such as "
           "0.01; 0: compute all members",
           .group = "members", .unit = "a probability", .usual = "as in the plan"),
    OPTION("--from", "STATE", option_text, from,
           "a state of a run, from which all members start (key from_state)",
           .completes = COMPLETE_FILE, .usual = "as in the plan"),
    OPTION("--shard", "I/N", option_text, shard_text,
           "compute part I of N of the members; `sciara merge` combines the parts",
           .not_with = "--with-and-without"),
    OPTION(
        "--with-and-without", "WHAT", option_bits, pairs,
        "compute every member with the barriers of the plan and without them, with the same draws, "
        "and write the differences with their standard errors to output/NAME-OF-PLAN-pairs",
        .choices = pair_words, .not_with = "--until-error --keep"),
    OPTION_FLAG("--keep", keep,
                "keep every member in library.gpkg: draws, outcome, outline, and what its lava did "
                "in every cell, for questions to `sciara ask`"),
    OPTION_FLAG("--list", list, "print the members with their draws as CSV, and compute nothing",
                .not_with = "--output --resume --replace --until-error --from --shard "
                            "--with-and-without --keep --checkpoint --variant --devices --threads "
                            "--format --extent --map-size --map-dpi --quiet --json"),
    OPTION_FLAG("--bulletin", of.bulletin,
                "also write a bulletin for decision makers: bulletin.html, and a picture in each "
                "format of maps",
                .group = "pages"),
    RUN_OPTION_LANGUAGE(of.language, "language of bulletin, maps and report.html"),
    STUDY_OPTIONS_OF_DEVICES("member"),
    STUDY_OPTION_CHECKPOINT(of.checkpoint_s),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_PAGE),
    {0},
};

/* ---- the table of members -------------------------------------------------------------------- */

static int list_members(const struct ensemble_request *q, struct error *e)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    struct table t = table_to(stdout);
    struct member m;
    char text[64];
    int status = plan_load_from(&p, q->of.plan, q->from, NULL, NULL, e);
    if (status) return status;
    TABLE_ROWS (t, n, ferror(stdout) ? 0 : p->count) {
        if (!t.head && (status = member_create_flat(&m, p, n, e))) return status;
        TABLE_COUNT(&t, "member", n);
        TABLE_COUNT(&t, "weight", m.weight);
        for (int i = 0; i < p->column_count; i++)
            TABLE_TEXT(&t, plan_column(p, i), (member_value(&m, i, text), text));
        if (!t.head) member_free(&m);
    }
    return 0;
}

/* Largest number of seconds between two states. A crash loses the work of this time, and of the time that writing a state
 * takes. */
enum { CHECKPOINT_MOST_S = 45 };

/* Refuses formats that do not work with --shard or --with-and-without. */
static int check_formats(const struct ensemble_request *q, struct error *e)
{
    const struct painted_format *layers =
        painted_needing(q->of.formats & PAINTED_LAYERS, NEEDS_LAYERS);
    if (layers && q->pairs)
        return error_input(e,
                           "ensemble: --format %s needs layers that --with-and-without does not "
                           "write; remove one of the two",
                           layers->word);
    if (q->of.formats & OUTPUT_HTML && (q->shard_text || q->pairs))
        return error_input(e, "ensemble: --format html: a page needs all layers; remove %s",
                           q->shard_text ? "--shard" : "--with-and-without");
    const char *drawn = q->of.formats              ? "--format"
                        : q->of.map.page.width > 0 ? "--map-size"
                        : q->of.map.dpi > 0        ? "--map-dpi"
                                                   : NULL;
    if (!drawn || !q->shard_text) return 0;
    return error_input(e,
                       "ensemble: %s: a picture shows all members, so a shard has none; give %s to "
                       "sciara merge instead",
                       drawn, drawn);
}

int ensemble_check(const struct ensemble_request *q, struct error *e)
{
    if (q->until_error >= 1)
        return error_input(e, "ensemble: --until-error %g: give a probability below 1",
                           q->until_error);
    if (q->from && q->pairs)
        return error_input(e, "ensemble: --from cannot be used together with --with-and-without; "
                              "remove --from, and add a line 'from_state FILE' to the plan");
    if (check_formats(q, e)) return (int)e->code;
    if (q->of.checkpoint_s > CHECKPOINT_MOST_S)
        return error_input(e, "ensemble: --checkpoint %g: give at most %d seconds",
                           q->of.checkpoint_s, CHECKPOINT_MOST_S);
    return 0;
}

static int parse_shard(struct shard *s, const char *text, struct error *e)
{
    char rest;
    *s = (struct shard){1, 1};
    if (!text) return 0;
    if (strspn(text, "0123456789/") == strlen(text) &&
        sscanf(text, "%6d/%6d%c", &s->index, &s->count, &rest) == 2 && s->index >= 1 &&
        s->index <= s->count)
        return 0;
    return error_input(
        e, "ensemble: --shard %.40s: give I/N, such as 3/16 for the third of 16 shards", text);
}

static int compute_ensemble(void *request, struct error *e)
{
    struct ensemble_request *q = request;
    /* a shard and pairs have no page */
    if (!q->of.formats && !q->shard_text && !q->pairs) q->of.formats = OUTPUT_HTML & ~painters_lack;
    struct ensemble_options o = {.until_error = q->until_error,
                                 .keep = q->keep,
                                 .bulletin = q->of.bulletin,
                                 .from = q->from};
    int status = ensemble_check(q, e);
    if (status) return status;
    if (q->pairs) return study_command(&study_pairs, &q->of, NULL, e);
    if (q->list) return list_members(q, e);
    status = parse_shard(&o.shard, q->shard_text, e);
    bool taken = false;
    const bool whole =
        !q->shard_text && !q->from && !(q->until_error > 0) && !q->of.replace && !q->of.resume;
    if (!status && whole) status = merge_library(&q->of, &taken, e);
    return status || taken ? status : study_command(&study_ensemble, &q->of, &o, e);
}

const struct command command_ensemble = {
    .name = "ensemble",
    .summary = "compute many eruptions of a plan: probabilities, arrivals, thicknesses",
    .about = "Computes the members of a plan on a GPU or on all processors, and writes layers, "
             "maps and tables of their statistics. The results have the same bits for any number "
             "of threads or GPUs, in any order, and after --resume.\n\n"
             "The plan is refused if any member would be invalid. `sciara run PLAN --member N` "
             "computes one member.\n\n"
             "On several machines: `mpirun -n 4 sciara_mpi ensemble PLAN`, with the same options "
             "and --share-devices for several ranks on one GPU.",
    .examples = "sciara ensemble plan.cfg --until-error 0.02 --format kmz,html\n"
                "sciara ensemble plan.cfg --resume\n",
    .missing = "name a plan",
    .defaults = &(const struct ensemble_request){.until_error = -1},
    STUDY_COMMAND_OF(struct ensemble_request, compute_ensemble, study_exits),
};
