/* cli.h — the subcommands of `sciara`. Each takes its own arguments (argv[0] is the subcommand),
 * prints its results to stdout and one line of error to stderr, and returns the exit status. */
#ifndef SCIARA_CLI_H
#define SCIARA_CLI_H

#include "base/error.h"

#include "sciara.h"

/* What the run subcommand is called with from main(): which variant a sciara_VARIANT binary is. */
int cmd_run(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_variants(int argc, char **argv);
int cmd_terrain(int argc, char **argv);
int cmd_benchmark(int argc, char **argv);

/* Prints "sciara: <text>" to stderr and returns the code. */
int cli_fail(const struct error *e);

#endif
