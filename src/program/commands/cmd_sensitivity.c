/* cmd_sensitivity.c — `sciara sensitivity PLAN`: which parameters matter, for what, and where. It
 * uses the inner rooms, as `sciara ensemble` does. */
#include "sensitivity.h"

#include "cli.h"
#include "ensemble.h"
#include "options.h"
#include "run.h"

#include "calibration/keys.h"

/* Of enum sensitivity_method, from 1. */
static const char *const methods[] = {"morris", "sobol", "both", NULL};

#define AT(member) offsetof(struct sensitivity_request, member)
static const struct option operands[] = {
    {.name = "PLAN",
     .set = option_text,
     .at = AT(plan),
     .completes = COMPLETE_FILE,
     .help = "a plan: a case file with what varies between which bounds (docs/formats.md)"},
    {0},
};
static const struct option options[] = {
    RUN_OPTION_OUTPUT(AT(output), "output/NAME-OF-PLAN"),
    ENSEMBLE_OPTION_RESUME(AT(resume), "analysis, also with more samples,"),
    {.name = "--method",
     .value = "NAME",
     .set = option_choice,
     .at = AT(method),
     .choices = methods,
     .usual = "as the plan says",
     .help = "morris, the screening; sobol, the indices; or both"},
    {.name = "--samples",
     .value = "N",
     .set = option_whole,
     .at = AT(samples),
     .low = 2,
     .high = SENSITIVITY_SAMPLES_MAX,
     .usual = "as the plan says",
     .help = "of Sobol: each has as many points as there are parameters, and two more"},
    {.name = "--trajectories",
     .value = "N",
     .set = option_whole,
     .at = AT(trajectories),
     .low = 2,
     .high = SENSITIVITY_SAMPLES_MAX,
     .usual = "as the plan says",
     .help = "of Morris: each has as many points as there are parameters, and one more"},
    {.name = "--seed",
     .value = "N",
     .set = option_whole,
     .at = AT(seed),
     .low = 0,
     .high = INT64_C(9007199254740992),
     .usual = "as the plan says",
     .help = "another seed: other points, and other noise"},
    ENSEMBLE_OPTION_VARIANT(AT(variant)),
    ENSEMBLE_OPTION_DEVICES(AT(devices)),
    RUN_OPTION_THREADS(AT(threads), "threads; each computes a run at a time"),
    ENSEMBLE_OPTION_PICTURES(AT(formats)),
    RUN_OPTION_MAP_SIZE(AT(map.page)),
    RUN_OPTION_MAP_DPI(AT(map.dpi)),
    RUN_OPTION_QUIET(AT(quiet)),
    RUN_OPTION_JSON(AT(json)),
    {0},
};

const struct command command_sensitivity = {
    .name = "sensitivity",
    .summary = "tell which parameters matter, for what, and where",
    .about =
        "Runs the case of a plan at points between the bounds of its parameters, and tells how "
        "much each of them has to do with area, run-out, fit to what was observed, arrival at "
        "places, and whether lava comes to each cell: effects by Morris, Sobol indices of "
        "first order and total, with intervals. A point is run with several errors of the "
        "terrain, the same for all, and its mean counts.\n\n"
        "The results have the same bits for any number of threads or GPUs, and after "
        "--resume.",
    .operands = operands,
    .options = options,
    .missing = "name a plan",
    .exits = ensemble_exits,
    .run = cmd_sensitivity,
};

int cmd_sensitivity(int argc, char **argv)
{
    struct sensitivity_request q = {.method = -1, .seed = -1};
    struct error e = {0};
    int status = options_parse(&command_sensitivity, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = sensitivity_job(&q, &e);
    return status && status != EXIT_INTERRUPTED ? cli_fail(&e) : status;
}
