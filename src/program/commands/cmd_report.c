/* cmd_report.c — `sciara report RUN`: one page of a folder, for people. */
#include "cli.h"
#include "options.h"

#include "page/page.h"

#include <stdio.h>

struct request {
    const char *folder, *output, *plan;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    {.name = "RUN",
     .set = option_text,
     .at = AT(folder),
     .completes = COMPLETE_FOLDER,
     .help = "the folder of a run, an ensemble or a calibration"},
    {0},
};
static const struct option options[] = {
    {.name = "--output",
     .value = "FILE",
     .set = option_text,
     .at = AT(output),
     .completes = COMPLETE_FILE,
     .help = "the page",
     .usual = "report.html in that folder"},
    {.name = "--plan",
     .value = "PLAN",
     .set = option_text,
     .at = AT(plan),
     .completes = COMPLETE_FILE,
     .help = "the plan of an ensemble, which has its terrain, vents and places",
     .usual = "where it was"},
    {0},
};

const struct command command_report = {
    .name = "report",
    .summary = "make one page of a run, an ensemble or a calibration, for a browser",
    .about =
        "Makes report.html of what a run, an ensemble or a calibration has left: a map to move "
        "about in, on which the flow comes again, the values of each cell, charts, tables, and "
        "where it all comes from. The page is one file, and asks no network.",
    .operands = operands,
    .options = options,
    .missing = "name the folder of a run, an ensemble or a calibration",
    .exits = command_exits,
    .run = cmd_report,
};

int cmd_report(int argc, char **argv)
{
    struct request q = {0};
    struct error e = {0};
    int status = options_parse(&command_report, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    const struct page_options o = {.output = q.output, .plan = q.plan, .version = sciara_version()};
    if (!status) status = page_write(q.folder, &o, &e);
    if (status) return cli_fail(&e);
    printf("page          %s%s\n", q.output ? q.output : q.folder, q.output ? "" : "/report.html");
    return 0;
}
