/* cli.h — what the commands of `sciara` share. */
#pragma once

#include "options/options.h"

/* The commands in the order of `sciara --help`. A new command needs a word here and a command_NAME in cmd_NAME.c. */
#define COMMANDS(C)                                                                                \
    C(run), C(forecast), C(plan), C(ensemble), C(merge), C(calibrate), C(sensitivity), C(ask),     \
        C(nowcast), C(hazard), C(null), C(bank), C(serve), C(report), C(show), C(info), C(fit),    \
        C(compare), C(dem), C(terrain), C(parameters), C(variants), C(benchmark), C(help)
#define COMMAND_NAME(NAME) command_##NAME
extern const struct command COMMANDS(COMMAND_NAME);

const struct command *command_find(const char *name);   /* NULL: there is none */
int command_unknown(const char *name, struct error *e); /* ERROR_INPUT; suggests a similar name */

int cmd_run(int argc, char **argv);

/* Runs the program sciara_VARIANT or, if `variant` is NULL, sciara. Returns the exit status. */
int program_main(const char *variant, int argc, char **argv);

/* Runs a case. variant NULL: the command line chooses the variant, as in `sciara run`. Otherwise only `variant` is allowed, as
 * in the program sciara_VARIANT. Returns the exit status. */
int cmd_run_variant(const char *variant, int argc, char **argv);

/* Replaces control characters in a JSON tree, prints the tree, and frees it. */
struct cJSON;
int cli_print_json(struct cJSON *tree, struct error *e);

/* Prints a line of a report: the path of the main map, as the summary of the folder names it. */
void cli_print_map(const char *folder);
/* Prints the lines of a text. Control characters in them are replaced. */
void cli_print_lines(const char *text);

/* If `path` is missing, the error suggests PATH.cfg or, if that is missing too, a case of this name that comes with
 * the program. */
void cli_name_place(const char *path, struct error *e);

/* A watcher that does nothing. With any watcher the library computes on another thread, so that this thread gets signals. */
extern const struct sciara_watcher cli_watcher;

/* Loads a case by sciara_case_load() or, if `member` is 0 or more, a member of the plan `path` by
 * sciara_case_load_member(). An error suggests a similar file, as cli_name_place() does. */
int cli_load_case(sciara_case **c, const char *path, int64_t member, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct error *e);

/* Prints "PROGRAM: <text>" on one line of stderr and returns the error's code. Control characters, for example of file names,
 * are replaced. */
int cli_fail(const char *program, const struct error *e);
/* Replaces the library's words "option 'new_terrain'" by --new-terrain, if the command has that option. */
void cli_name_options(const struct command *c, struct error *e);

/* The command line that continues this one after an interruption: `program`, the words of argv, and --resume if the command
 * has that option. Quoted for a shell; malloc'ed, NULL: out of memory. */
char *cli_again(const char *program, const struct command *c, int argc, char **argv);

/* `sciara dem` for `sciara serve`: prints nothing and handles no signals. */
struct file_progress;
int cli_dem(int argc, char **argv, struct file_progress *progress, struct error *e);

/* Runs a command; argv[0] is its name. Returns the exit status. */
int cli_run(const struct command *c, int argc, char **argv);
