/* cli.h — what the commands of `sciara` share. */
#pragma once

#include "options/options.h"

/* The commands in the order of `sciara --help`. A new one is a word here and a file cmd_NAME.c with its command_NAME. */
#define COMMANDS(C)                                                                                \
    C(run), C(forecast), C(plan), C(ensemble), C(merge), C(calibrate), C(sensitivity), C(ask),     \
        C(nowcast), C(hazard), C(null), C(bank), C(serve), C(report), C(show), C(info), C(fit),    \
        C(compare), C(dem), C(terrain), C(parameters), C(variants), C(benchmark), C(help)
#define COMMAND_NAME(NAME) command_##NAME
extern const struct command COMMANDS(COMMAND_NAME);

const struct command *command_find(const char *name);   /* NULL: no such */
int command_unknown(const char *name, struct error *e); /* ERROR_INPUT; suggests a command */

int cmd_run(int argc, char **argv);

/* All of a program: of sciara_VARIANT, or of sciara where `variant` is NULL. Returns the exit status. */
int program_main(const char *variant, int argc, char **argv);

/* `sciara_VARIANT ...`: run with that variant and no other. */
int cmd_run_variant(const char *variant, int argc, char **argv);

/* Prints the tree to standard output, with its texts made printable, and frees it. */
struct cJSON;
int cli_print_json(struct cJSON *tree, struct error *e);

/* The map of a folder of results to look at first, as its summary names it, as a line of a report. */
void cli_print_map(const char *folder);
/* The lines of a text, made printable. */
void cli_print_lines(const char *text);

/* If a file is missing, but one of that name and .cfg is there, or comes with the program, the remedy is its path. */
void cli_name_place(const char *path, struct error *e);

/* It watches nothing, but with a watcher a thread of the library works, and signals come to this one. */
extern const struct sciara_watcher cli_watcher;

/* sciara_case_load(), which also tells where a case that came with the program is; of a member of the
 * plan `path` if that is not negative, sciara_case_load_member(). */
int cli_load_case(sciara_case **c, const char *path, int64_t member, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct error *e);

/* Prints "PROGRAM: <text>" to stderr, one line whatever the file names in it contain, and returns the
 * code. */
int cli_fail(const char *program, const struct error *e);
/* The library says "option 'new_terrain'"; where the command has it, --new-terrain replaces that. */
void cli_name_options(const struct command *c, struct error *e);

/* The line to give a shell to continue this command line, after an interruption: the same words, and --resume
 * where the command has it. `program` is in front; malloc'ed, NULL: out of memory. */
char *cli_again(const char *program, const struct command *c, int argc, char **argv);

/* `sciara dem` of these words for `sciara serve`: nothing is printed, no signal is taken. */
struct file_progress;
int cli_dem(int argc, char **argv, struct file_progress *progress, struct error *e);

/* Carries out a command; argv[0] is its name. Returns the exit status. */
int cli_run(const struct command *c, int argc, char **argv);
