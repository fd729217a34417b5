/* cmd_bank.c — `sciara bank FOLDER`: reads and checks all eruptions of a folder. Shows what is known of each
 * eruption, and what is missing for a calibration or a validation. */
#define _XOPEN_SOURCE 700 /* scandir */
#include "cli.h"

#include "calibration/keys.h"
#include "plan/plan.h"
#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    const char *folder;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("FOLDER", option_text, folder, "a folder with a file NAME.cfg for each eruption",
            .completes = COMPLETE_FOLDER),
    {0},
};

/* ---- an eruption ----------------------------------------------------------------------------- */

static void list_observed(const struct plan *p, const struct calibration_keys *k)
{
    static const char *const kinds[OBSERVED_KINDS] = {"dated outline", "volume", "run-out",
                                                      "thickness", "arrivals"};
    int count[OBSERVED_KINDS] = {0};
    const char *before = "";
    for (int i = 0; i < k->observed_count; i++) count[k->observed[i].kind]++;
    printf("  observed    ");
    if (p->base.outline_path) printf("%s", "outline"), before = ", ";
    for (int i = 0; i < OBSERVED_KINDS; i++) {
        if (!count[i]) continue;
        printf("%s%d %s", before, count[i], kinds[i]);
        before = ", ";
    }
    puts(*before ? "" : "nothing");
}

/* Lists the data that an eruption of a bank should have and that *p lacks. */
static void list_missing(const struct plan *p, const struct calibration_keys *k)
{
    const struct {
        bool there;
        const char *what;
    } wanted[] = {
        {p->base.outline_path || k->observed_count, "an observation (outline, observed_outline)"},
        {k->fit[RATE_FACTOR].line, "bounds of the rates (fit_rate_factor LOW HIGH)"},
        {plan_terrain_errs(p) || p->base.synthetic, "terrain_error"},
        {*p->base.terrain_source, "source and licence (terrain_source)"},
        {*p->base.start_time, "start_time"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!wanted[i].there) printf("  lacks       %s\n", wanted[i].what);
}

static void list_eruption(const struct plan *p, const struct calibration_keys *k)
{
    const struct sim_case *c = &p->base;
    const struct fit_key *rate = &k->fit[RATE_FACTOR];
    printf("%s: %s\n", c->name, *c->title ? c->title : c->name);
    printf("  terrain     %d x %d cells of %g m, error %g m over %g m\n", c->problem.rows,
           c->problem.cols, c->geo.cell_m, p->keys.terrain_error_m, p->keys.terrain_error_length_m);
    printf("  eruption    %d vent cells, %.4g m3 in %.4g h", p->vents.count, p->rates.volume_m3,
           p->rates.end_s / 3600);
    if (rate->line) printf(", rates times %g to %g", rate->low, rate->high);
    putchar('\n');
    list_observed(p, k);
    if (*c->terrain_source) printf("  source      %s\n", c->terrain_source);
    if (*c->told.warning) printf("  warning     %s\n", c->told.warning);
    list_missing(p, k);
}

static int read_eruption(const char *path, struct error *e)
{
    FREED struct calibration_keys *k = malloc(sizeof *k);
    FREED_BY(plan_free_at) struct plan *p = NULL;
    if (!k) return error_memory(e);
    struct plan_more more = calibration_keys_default(k);
    more.members = 1;
    int status = plan_read(&p, path, &more, NULL, e);
    if (!status) list_eruption(p, k);
    return status;
}

static int is_eruption(const struct dirent *entry)
{
    return *entry->d_name != '.' && text_ends(entry->d_name, ".cfg");
}

/* Shows all eruptions. For an invalid eruption prints a line on standard error and continues with the next. */
static int bank(void *request, struct error *e)
{
    const char *folder = ((const struct request *)request)->folder;
    FREED struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_eruption, alphasort);
    int status = 0;
    if (count < 0) return error_input(e, "%s: %s; name a folder", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        struct error why = {0};
        FREED char *path = text_format("%s/%s", folder, entry[i]->d_name);
        const int bad = path ? read_eruption(path, &why) : error_memory(&why);
        if (bad && status) cli_fail("sciara", e); /* cli_run() prints the last error */
        if (bad) *e = why, status = bad;
        free(entry[i]);
    }
    return count ? status
                 : error_input(e, "%s: has no case of an eruption; add a file NAME.cfg for each",
                               folder);
}

const struct command command_bank = {
    .name = "bank",
    .summary = "list and check the eruptions of a folder",
    .about =
        "Reads each NAME.cfg of FOLDER and all files that it names, and lists what is known of the "
        "eruption: cells, vents, volume, duration, what was observed, the bounds of its rates, the "
        "error of its terrain, and what it lacks. Such a file is a case with the observations of a "
        "calibration: a plan names it in a line `eruption FILE`, `null` and `run` read it "
        "directly.",
    .examples = "sciara bank data/bank\n",
    .missing = "name a folder of eruptions",
    COMMAND_OF(struct request, bank),
};
