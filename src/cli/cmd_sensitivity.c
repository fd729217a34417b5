/* cmd_sensitivity.c — `sciara sensitivity PLAN`: which parameters matter, for what, and where. It
 * uses the inner rooms, as `sciara ensemble` does. */
#include "sensitivity.h"

#include "cli.h"
#include "ensemble.h"
#include "options.h"
#include "run.h"

#include "calibrate/keys.h"

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
    {.name = "--output",
     .value = "DIR",
     .set = option_text,
     .at = AT(output),
     .completes = COMPLETE_FOLDER,
     .help = "folder for the files",
     .usual = "output/NAME-OF-PLAN"},
    {.name = "--resume",
     .at = AT(resume),
     .help = "go on with the analysis in that folder, to the same bits, also with more samples; "
             "begin one where there is none"},
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
    .exits = exits,
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
