/* ensemble_page.c — `--format` of the commands that compute many runs, and their page. */
#include "ensemble.h"

#include "cli.h"
#include "run.h"

#include "report/page.h"

const char *const ensemble_formats[] = {"svg", "pdf", "html", NULL};
const char *const ensemble_pictures[] = {"svg", "pdf", NULL};
const unsigned ensemble_format_bits[] = {OUTPUT_SVG, OUTPUT_PDF, RUN_HTML};

int ensemble_page(unsigned formats, const char *folder, const char *plan, struct error *e)
{
    const struct page_options o = {.plan = plan, .version = sciara_version(), .trusted = true};
    return formats & RUN_HTML ? page_write(folder, &o, e) : 0;
}

int ensemble_page_check(unsigned formats, const char *folder, struct error *e)
{
    return formats & RUN_HTML ? page_check(folder, e) : 0;
}
