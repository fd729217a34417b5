/* ensemble_page.c — `--format html` of the commands that compute many runs. */
#include "ensemble.h"

#include "cli.h"

#include "report/page.h"

const char *const ensemble_formats[] = {"html", NULL};

int ensemble_set_format(const struct option *o, void *field, const char *const value[],
                        struct error *e)
{
    (void)o, (void)value, (void)e; /* the parser has checked the word */
    *(int *)field = 1;
    return 0;
}

int ensemble_page(int format, const char *folder, const char *plan, struct error *e)
{
    const struct page_options o = {.plan = plan, .version = sciara_version(), .trusted = true};
    return format ? page_write(folder, &o, e) : 0;
}

int ensemble_page_check(int format, const char *folder, struct error *e)
{
    return format ? page_check(folder, e) : 0;
}
