/* cmd_report.c — `sciara report RUN`: makes the page report.html of a folder. */
#include "run.h"

#include "library/inside.h"

#include <stdio.h>

struct request {
    const char *folder, *output, *language;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("RUN", option_text, folder, "the folder of a run, an ensemble or a calibration",
            .completes = COMPLETE_FOLDER),
    OPTION("--output", "FILE", option_text, output, "the page", .completes = COMPLETE_FILE,
           .usual = "report.html in that folder"),
    RUN_OPTION_LANGUAGE(language, "language of the page"),
    {0},
};

static int report_folder(void *request, struct error *e)
{
    const struct request *q = request;
    const int status = show_report(q->folder, q->output, q->language, e);
    if (status) return status;
    printf("page          %s%s\n", q->output ? q->output : q->folder,
           q->output ? "" : "/report.html");
    return 0;
}

const struct command command_report = {
    .name = "report",
    .summary = "make a page for the browser from a run, an ensemble or a calibration",
    .about = "Makes report.html from the folder of a run, an ensemble or a calibration: a map that "
             "replays the flow, the values of each cell, charts, tables and provenance. The page "
             "is one file and works offline.",
    .missing = "name the folder of a run, an ensemble or a calibration",
    COMMAND_OF(struct request, report_folder),
};
