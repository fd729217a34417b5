/* cmd_calibrate.c — `sciara calibrate PLAN`: the parameters with which runs agree best with what
 * was observed. It uses the inner rooms, as `sciara ensemble` does. */
#include "calibrate.h"

#include "cli.h"
#include "ensemble.h"
#include "options.h"
#include "run.h"

#define AT(member) offsetof(struct calibrate_request, member)
static const struct option operands[] = {
    ENSEMBLE_OPERAND_PLAN("a plan: a case file with parameters to fit and observations"),
    {0},
};
static const struct option options[] = {
    RUN_OPTION_OUTPUT(output,
                      "output/NAME-OF-PLAN, with --posterior output/NAME-OF-PLAN-posterior"),
    ENSEMBLE_OPTION_RESUME(resume, "search"),
    OPTION("--evaluations", "N", option_whole, evaluations,
           "evaluate at most N candidates; each is run with every terrain error",
           .low = 5 /* the case as it stands, and the smallest population */, .high = 10000000,
           .usual = "as in the plan"),
    OPTION("--seed", "N", option_whole, seed,
           "seed of the search and of the terrain errors; another seed gives other numbers",
           .high = INT64_C(9007199254740992), .usual = "as in the plan"),
    OPTION_FLAG("--posterior", posterior,
                "sample all parameters that agree well enough, with weights, instead of searching "
                "for the best; writes members.csv and forecast.cfg for `sciara ensemble`"),
    OPTION_FLAG("--hold-out", hold_out,
                "keep the observations that hold_out in the plan names from the search, and score "
                "them at the end"),
    ENSEMBLE_OPTION_VARIANT(variant),
    ENSEMBLE_OPTION_DEVICES(devices),
    RUN_OPTION_THREADS(threads, "threads; each computes one run at a time"),
    ENSEMBLE_OPTION_FORMAT(formats),
    RUN_OPTION_MAP_SIZE(map.page),
    RUN_OPTION_MAP_DPI(map.dpi),
    RUN_OPTION_QUIET(quiet),
    RUN_OPTION_JSON(json),
    {0},
};

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "fit parameters to an observed eruption, averaged over terrain errors",
    .about =
        "Searches between the bounds of a plan for the parameters that agree best with the "
        "observations. Each candidate is run with several terrain errors, the same for all, and "
        "scored by the mean. The best candidate is run again with errors that the search has "
        "not used, and written as a case for `sciara run`.\n\n"
        "With --posterior it samples all parameters that agree well enough, with weights "
        "(approximate Bayesian computation), for an ensemble that carries the uncertainty of "
        "the calibration.\n\n"
        "The results have the same bits for any number of threads or GPUs, and after --resume.",
    .examples = "sciara calibrate plan.cfg --hold-out\n"
                "sciara calibrate plan.cfg --posterior\n",
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
