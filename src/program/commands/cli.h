/* cli.h — the commands of `sciara`. Each takes its own arguments (argv[0] is the command), prints
 * its results to stdout and one line of error to stderr, and returns the exit status. */
#pragma once

#include "sciara.h"

#include "base/error.h"

#include <string.h>

struct command;
extern const struct command command_run, command_info, command_fit, command_compare,
    command_terrain, command_variants, command_benchmark, command_ensemble, command_merge,
    command_calibrate, command_sensitivity, command_ask, command_nowcast, command_null,
    command_plan, command_bank, command_parameters, command_report, command_serve, command_help;

int cmd_run(int argc, char **argv);

/* `sciara_VARIANT ...`: run with that variant and no other. */
int cmd_run_variant(const char *variant, int argc, char **argv);

/* Prints the tree to standard output, with its texts made printable; the caller keeps it, also
 * after an error. */
struct cJSON;
int cli_print_json(struct cJSON *tree, struct error *e);

/* sciara_case_load(), which also tells where a case that came with the program is. */
int cli_load_case(sciara_case **c, const char *path, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct sciara_error *e);

/* Converts an error of the library; returns `to`. */
static inline struct error *cli_error(struct error *to, const struct sciara_error *from)
{
    to->code = (enum error_code)from->status;
    memcpy(to->text, from->text, sizeof to->text);
    return to;
}

/* Prints "PROGRAM: <text>" to stderr, one line whatever the file names in it contain, and returns the
 * code. */
int cli_fail(const char *program, const struct error *e);

/* Carries out a command; argv[0] is its name. Returns the exit status. */
int cli_run(const struct command *c, int argc, char **argv);
