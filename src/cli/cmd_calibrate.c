/* cmd_calibrate.c — `sciara calibrate PLAN`: the parameters with which runs agree best with what
 * was observed. It uses the inner rooms, as `sciara ensemble` does. */
#include "calibrate.h"

#include "cli.h"
#include "ensemble.h"
#include "options.h"
#include "run.h"

#define AT(member) offsetof(struct calibrate_request, member)
static const struct option operands[] = {
    {.name = "PLAN",
     .set = option_text,
     .at = AT(plan),
     .completes = COMPLETE_FILE,
     .help = "a plan: a case file with what is fitted to what (docs/formats.md)"},
    {0},
};
static const struct option options[] = {
    {.name = "--output",
     .value = "DIR",
     .set = option_text,
     .at = AT(output),
     .completes = COMPLETE_FOLDER,
     .help = "folder for the files",
     .usual = "output/NAME-OF-PLAN"},
    {.name = "--resume",
     .at = AT(resume),
     .help = "go on with the search in that folder, to the same bits; begin one where there is "
             "none"},
    {.name = "--evaluations",
     .value = "N",
     .set = option_whole,
     .at = AT(evaluations),
     .low = 5, /* the case as it stands, and the smallest population */
     .high = 10000000,
     .usual = "as the plan says",
     .help = "evaluate N candidates at most; each is run with every number of noise"},
    {.name = "--seed",
     .value = "N",
     .set = option_whole,
     .at = AT(seed),
     .low = 0,
     .high = INT64_C(9007199254740992),
     .usual = "as the plan says",
     .help = "another seed: another search, and other noise"},
    {.name = "--hold-out",
     .at = AT(hold_out),
     .help = "keep from the search what the plan's hold_out names, and score it at the end"},
    {.name = "--variant",
     .value = "NAME",
     .set = option_choice,
     .at = AT(variant),
     .choices = ensemble_variants,
     .usual = "auto",
     .help = "who computes: reference, the processors; batch, a GPU; auto, a GPU where there is "
             "one"},
    {.name = "--devices",
     .value = "N,N...",
     .set = option_text,
     .at = AT(devices),
     .usual = "0",
     .help = "numbers of the GPUs that compute, as 0,1; all of them together"},
    {.name = "--threads",
     .value = "N",
     .set = option_int,
     .at = AT(threads),
     .low = 1,
     .high = RUN_THREADS_MAX,
     .usual = "all",
     .help = "threads; each computes a run at a time"},
    {.name = "--quiet", .at = AT(quiet), .help = "show neither progress nor a report"},
    {.name = "--json", .at = AT(json), .help = "print the summary as JSON and nothing else"},
    {0},
};

static const struct option_exit exits[] = {
    {0, "done"},
    {1, "failed: full disk or out of memory; continue with --resume"},
    {2, "invalid input or command line"},
    {3, "no GPU for what was asked for"},
    {130, "interrupted; all results up to then are written, continue with --resume"},
    {0, NULL},
};

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "fit parameters to an observed eruption, averaged over terrain noise",
    .about = "Searches between the bounds of a plan for the parameters whose runs agree best with "
             "what was observed. A candidate is run with several errors of the terrain, the same "
             "for all, and their mean score counts. The best is then run with errors that the "
             "search has not seen, and left as a case for `sciara run`.\n\n"
             "The search has the same bits for any number of threads or GPUs, and after --resume.",
    .operands = operands,
    .options = options,
    .missing = "name a plan",
    .exits = exits,
    .run = cmd_calibrate,
};

int cmd_calibrate(int argc, char **argv)
{
    struct calibrate_request q = {.seed = -1};
    struct error e = {0};
    int status = options_parse(&command_calibrate, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = calibrate_run(&q, &e);
    return status && status != EXIT_INTERRUPTED ? cli_fail(&e) : status;
}
