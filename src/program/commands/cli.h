/* cli.h — what the commands of `sciara` share. */
#pragma once

#include "options/options.h"

/* The commands in the order of `sciara --help`. A new one needs a word here and a command_NAME in cmd_NAME.c. */
#define COMMANDS(C)                                                                                \
    C(run), C(forecast), C(plan), C(ensemble), C(merge), C(calibrate), C(sensitivity), C(ask),     \
        C(nowcast), C(hazard), C(null), C(bank), C(serve), C(report), C(show), C(info), C(fit),    \
        C(compare), C(dem), C(terrain), C(parameters), C(variants), C(benchmark), C(help)
#define COMMAND_NAME(NAME) command_##NAME
extern const struct command COMMANDS(COMMAND_NAME);

const struct command *command_find(const char *name);   /* NULL: there is none */
int command_unknown(const char *name, struct error *e); /* ERROR_INPUT, suggests a similar one */

int cmd_run(int argc, char **argv);

/* All that a program does: sciara_VARIANT or, if `variant` is NULL, sciara. Returns the exit status. */
int program_main(const char *variant, int argc, char **argv);

/* What `sciara_VARIANT ...` does: runs a case with that variant and no other. */
int cmd_run_variant(const char *variant, int argc, char **argv);

/* Prints a JSON tree, its texts made printable, and frees it. */
struct cJSON;
int cli_print_json(struct cJSON *tree, struct error *e);

/* Prints a line of a report: the map that the summary of a folder names as the first to look at. */
void cli_print_map(const char *folder);
/* Prints the lines of a text, made printable. */
void cli_print_lines(const char *text);

/* If a file is missing, but NAME.cfg is there, or comes with the program, changes the remedy to that path. */
void cli_name_place(const char *path, struct error *e);

/* Watches nothing. But with a watcher the library works on a thread of its own, so that signals come to this one. */
extern const struct sciara_watcher cli_watcher;

/* Loads a case by sciara_case_load() or, unless `member` is negative, a member of the plan `path` by
 * sciara_case_load_member(). An error names the path of a case that came with the program. */
int cli_load_case(sciara_case **c, const char *path, int64_t member, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct error *e);

/* Prints "PROGRAM: <text>" on one line of stderr, whatever file names it contains, and returns the error's code. */
int cli_fail(const char *program, const struct error *e);
/* Changes "option 'new_terrain'", as the library says, into --new-terrain, if the command has that option. */
void cli_name_options(const struct command *c, struct error *e);

/* A line for a shell that continues this command line after an interruption: the same words, with --resume if the command
 * has it. `program` comes first; malloc'ed, NULL: out of memory. */
char *cli_again(const char *program, const struct command *c, int argc, char **argv);

/* Does for `sciara serve` what `sciara dem` does, without printing anything or taking signals. */
struct file_progress;
int cli_dem(int argc, char **argv, struct file_progress *progress, struct error *e);

/* Carries out a command; argv[0] is its name. Returns the exit status. */
int cli_run(const struct command *c, int argc, char **argv);
