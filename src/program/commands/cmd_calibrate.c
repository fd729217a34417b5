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
    RUN_OPTION_OUTPUT(AT(output),
                      "output/NAME-OF-PLAN, with --posterior output/NAME-OF-PLAN-posterior"),
    ENSEMBLE_OPTION_RESUME(AT(resume), "search"),
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
    {.name = "--posterior",
     .at = AT(posterior),
     .help = "in place of the best look for all parameters that agree as well, as a sample with "
             "weights: members.csv and forecast.cfg, for `sciara ensemble`"},
    {.name = "--hold-out",
     .at = AT(hold_out),
     .help = "keep from the search what the plan's hold_out names, and score it at the end"},
    ENSEMBLE_OPTION_VARIANT(AT(variant)),
    ENSEMBLE_OPTION_DEVICES(AT(devices)),
    RUN_OPTION_THREADS(AT(threads), "threads; each computes a run at a time"),
    ENSEMBLE_OPTION_FORMAT(AT(formats)),
    RUN_OPTION_MAP_SIZE(AT(map.page)),
    RUN_OPTION_MAP_DPI(AT(map.dpi)),
    RUN_OPTION_QUIET(AT(quiet)),
    RUN_OPTION_JSON(AT(json)),
    {0},
};

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "fit parameters to an observed eruption, averaged over terrain noise",
    .about =
        "Searches between the bounds of a plan for the parameters whose runs agree best with "
        "what was observed. A candidate is run with several errors of the terrain, the same "
        "for all, and their mean score counts. The best is then run with errors that the "
        "search has not seen, and left as a case for `sciara run`.\n\n"
        "With --posterior it looks for all parameters that agree well enough, as a sample with "
        "weights (approximate Bayesian computation), for an ensemble that carries the "
        "uncertainty of the calibration.\n\n"
        "The search has the same bits for any number of threads or GPUs, and after --resume.",
    .operands = operands,
    .options = options,
    .missing = "name a plan",
    .exits = ensemble_exits,
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
