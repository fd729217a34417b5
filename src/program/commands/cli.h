/* cli.h — the commands of `sciara`. Each is a table, the source of parsing, --help, the man page and
 * completion, so that all of them have the same options. It takes its own arguments (argv[0] is the
 * command), prints its results to stdout and one line of error to stderr, and returns the exit status. */
#pragma once

#include "sciara.h"

#include "base/error.h"
#include "text/times.h"

#include <stddef.h>
#include <string.h>

struct option;

/* Writes value[0] (and value[1] of an option with two values) to *field, the place `at` of the
 * command's own struct. ERROR_INPUT with the values allowed; the parser prepends the command, the
 * option and the value. The texts are valid as long as argv. */
typedef int option_setter(const struct option *o, void *field, const char *const value[],
                          struct error *e);

/* How a shell completes a word */
enum option_completes {
    COMPLETE_NOTHING,
    COMPLETE_FILE,
    COMPLETE_CASE, /* NAME.cfg */
    COMPLETE_FOLDER,
    COMPLETE_COMMAND,
    COMPLETE_PARAMETERS /* a parameter set */
};

/* An option or an operand. */
struct option {
    const char *name;           /* "--every"; of an operand "CASE" */
    const char *value;          /* name of its value: "N", or of two values "X Y"; NULL: a flag */
    option_setter *set;         /* NULL: a flag, the bool at `at` becomes true */
    size_t at;                  /* offset in the command's struct */
    int64_t low, high;          /* of a whole number; of a real one `low` is the least */
    const char *unit;           /* of a real number, in words: "metres" */
    enum times_plain plain;     /* of a time: the unit of a number without one */
    const char *const *choices; /* all values allowed; ends with NULL. NULL: any */
    const unsigned *bits;       /* of each choice, for option_bits; NULL: 1, 2, 4, ... */
    const char *also;           /* one more choice, or NULL */
    bool list;                  /* several choices, with commas between them */
    bool optional, repeated;    /* of an operand; only the last one can be repeated */
    enum option_completes completes; /* how a shell completes it, if there are no choices */
    const char *preset;              /* the default, set before the words are read */
    const char *usual;               /* the default in words, if it is no preset */
    const char *help;                /* its effect, without its default; `...` is literal text */
    const char *group; /* heading above it and the rows below; NULL: as the row above */
};

/* Rows of a table. AT(member) is an offset in the command's struct; the arguments after it are the
 * help and further members, such as .low = 1. */
#define OPTION(NAME, VALUE, SETTER, MEMBER, ...)                                                   \
    {                                                                                              \
        .name = NAME, .value = VALUE, .set = SETTER, .at = AT(MEMBER), .help = __VA_ARGS__         \
    }
#define OPTION_FLAG(NAME, MEMBER, ...)                                                             \
    {                                                                                              \
        .name = NAME, .at = AT(MEMBER), .help = __VA_ARGS__                                        \
    }
#define OPERAND(NAME, SETTER, MEMBER, ...)                                                         \
    {                                                                                              \
        .name = NAME, .set = SETTER, .at = AT(MEMBER), .help = __VA_ARGS__                         \
    }

/* Setters, and the type of the field */
option_setter option_whole;  /* int64_t */
option_setter option_int;    /* int */
option_setter option_real;   /* double; with two values double[2] */
option_setter option_span;   /* double, in seconds; at least `low` */
option_setter option_text;   /* const char * */
option_setter option_choice; /* int: index of the choice */
option_setter option_bits;   /* unsigned: the bits of all choices in a list */
option_setter option_words;  /* struct option_words, of a repeated operand */

struct option_words {
    char **word;
    int count;
};

/* Exit statuses of a command. */
struct option_exit {
    int status;
    const char *meaning;
};

struct command {
    const char *name, *summary;      /* the summary is one line without a full stop */
    const char *synopsis;            /* another way to call it, or NULL */
    const char *about;               /* paragraphs with an empty line between them */
    const char *examples;            /* command lines, each with a line end; or NULL */
    const struct option *operands;   /* both end with an entry without a name, or are NULL */
    const struct option *options;    /* --help is added automatically */
    const char *missing;             /* "name a case file": the remedy if operands are missing */
    const struct option_exit *exits; /* ends with an entry without a meaning */
    size_t size;                     /* of the command's struct, */
    const void *defaults;            /* and its contents before the words are read; NULL: zero */
    size_t again; /* offset of a const char * there that gets cli_again(); 0: none */
    /* Carries out what the words ask for. Returns an exit status, with *e if it is an error. */
    int (*run)(void *request, struct error *e);
    /* Instead, where all words or exit statuses matter; argv[0] is the command. */
    int (*main)(int argc, char **argv);
};

/* The parts of a command with tables of these names, the struct that its words are read into, and the
 * function that gets it. */
#define COMMAND_OF(request, function)                                                              \
    .operands = operands, .options = options, .size = sizeof(request), .run = function

/* Reads the words after argv[0] into the command's struct, which holds the defaults of options
 * without a preset. An option is --name VALUE or --name=VALUE, at most once if it has a value;
 * after -- all words are operands, and so is a negative number. argv is permuted if an operand is
 * repeated. ERROR_INPUT with one line; OPTIONS_HELP: --help was given and is printed.  */
int options_parse(const struct command *c, void *into, int argc, char **argv, struct error *e);
enum { OPTIONS_HELP = -1, OPTIONS_MAX = 32 };

/* Number of the values of an option: 0, 1 or 2. */
int option_values(const struct option *o);

/* The i-th value allowed: those of `choices` and then `also`; NULL after the last. */
const char *option_choice_name(const struct option *o, int i);

/* ---- --help ---------------------------------------------------------------------------------- */

void help_command(const struct command *c); /* to standard output, at most 80 columns wide */

/* A line of two columns, or a text from the left: at most 80 columns. */
void help_row(const char *left, const char *text);
void help_exits(const struct option_exit *exits);
void help_formats(void); /* where files are documented */

/* "--every N", "[STEPS]", "FILE...", as in the synopsis; and "text (default DEFAULT)". Return out.
 */
char *option_form(char out[64], const struct option *o);
char *option_help(char out[1024], const struct option *o);

extern const struct option_exit command_exits[]; /* of a command that needs no GPU */

/* ---- cmd_help.c: the commands ---------------------------------------------------------------- */

/* All commands of `sciara`; ends with NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);   /* NULL: no such */
int command_unknown(const char *name, struct error *e); /* ERROR_INPUT; suggests a command */

void help_overview(void);

/* ---- options_complete.c ---------------------------------------------------------------------- */

void complete_bash(void);
void complete_zsh(void);
void complete_fish(void);

/* ---- what commands share --------------------------------------------------------------------- */

extern const struct command command_run, command_info, command_fit, command_compare,
    command_terrain, command_variants, command_benchmark, command_ensemble, command_merge,
    command_calibrate, command_sensitivity, command_ask, command_nowcast, command_null,
    command_plan, command_bank, command_parameters, command_report, command_show, command_serve,
    command_help;

int cmd_run(int argc, char **argv);

/* All of a program: of sciara_VARIANT, or of sciara where `variant` is NULL. Returns the exit status. */
int program_main(const char *variant, int argc, char **argv);

/* `sciara_VARIANT ...`: run with that variant and no other. */
int cmd_run_variant(const char *variant, int argc, char **argv);

/* Prints the tree to standard output, with its texts made printable; the caller keeps it, also
 * after an error. */
struct cJSON;
int cli_print_json(struct cJSON *tree, struct error *e);

/* Each line of a text, which is made printable, with `label` in front. */
void cli_print_lines(const char *label, const char *text);

/* If a file is missing, but one of that name and .cfg is there, or comes with the program, the remedy is its path. */
void cli_name_place(const char *path, struct error *e);

/* sciara_case_load(), which also tells where a case that came with the program is; of a member of the
 * plan `path` if that is not negative, sciara_case_load_member(). */
int cli_load_case(sciara_case **c, const char *path, int64_t member, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct error *e);

/* Prints "PROGRAM: <text>" to stderr, one line whatever the file names in it contain, and returns the
 * code. */
int cli_fail(const char *program, const struct error *e);
/* The library says "option 'new_terrain'"; where the command has it, --new-terrain replaces that. */
void cli_name_options(const struct command *c, struct error *e);

/* What a shell would be given to continue this command line, after an interruption: the same words, and --resume
 * where the command has it. `program` is in front; malloc'ed, NULL: out of memory. */
char *cli_again(const char *program, const struct command *c, int argc, char **argv);

/* Carries out a command; argv[0] is its name. Returns the exit status. */
int cli_run(const struct command *c, int argc, char **argv);
