/* cmd_calibrate.c — `sciara calibrate PLAN`: finds the parameters with which runs agree best with observations. */
#include "study_command.h"

#include "calibration/calibration.h"

struct calibrate_request {
    struct study_request of;
    struct calibration_options options;
};

#define AT(member) offsetof(struct calibrate_request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER(
        "case file that also names parameters to fit and observations",
        "output/NAME-OF-PLAN-calibration, with --posterior output/NAME-OF-PLAN-posterior"),
    STUDY_OPTION_RESUME(of.resume, "search"),
    STUDY_OPTION_REPLACE(of.replace),
    OPTION("--evaluations", "N", option_whole, options.evaluations,
           "evaluate at most N candidates; each is run with every terrain error", .group = "search",
           .low = 5 /* 1 for the case as it is, 4 for the smallest population */, .high = 10000000,
           .usual = "as in the plan"),
    OPTION("--seed", "N", option_whole, options.seed,
           "seed of the search and of the terrain errors; another seed draws other numbers",
           .high = INT64_C(9007199254740992), .usual = "as in the plan"),
    OPTION_FLAG("--posterior", options.posterior,
                "sample all parameters that agree well enough, with weights, instead of searching "
                "for the best; writes members.csv and forecast.cfg for `sciara ensemble`"),
    OPTION_FLAG("--hold-out", options.hold_out,
                "exclude the observations that the plan names in hold_out from the search, and "
                "score them at the end"),
    STUDY_OPTIONS_OF_DEVICES("run"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
};

static int calibrate(void *request, struct error *e)
{
    const struct calibrate_request *q = request;
    const struct study *s = q->options.posterior ? &study_posterior : &study_calibration;
    return study_command(s, &q->of, &q->options, e);
}

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "fit parameters to an observed eruption, averaged over terrain errors",
    .about =
        "Searches between the bounds of a plan for the parameters that agree best with the "
        "observations. Each candidate is run with several terrain errors, the same for all, and "
        "scored by the mean. The best candidate is run again with errors that the search has not "
        "used, and written as a case for `sciara run`.\n\n"
        "With --posterior it samples all parameters that agree well enough, with weights "
        "(approximate Bayesian computation), for an ensemble that carries the uncertainty of the "
        "calibration.\n\n"
        "The results have the same bits for any number of threads or GPUs, and after --resume.",
    .examples = "sciara calibrate plan.cfg --hold-out\n"
                "sciara calibrate plan.cfg --posterior\n",
    .missing = "name a plan",
    .defaults = &(const struct calibrate_request){.options.seed = -1},
    STUDY_COMMAND_OF(struct calibrate_request, calibrate, study_exits),
};
