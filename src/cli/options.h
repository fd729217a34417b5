/* options.h — the words of a command line. Each command is a table; from it come parsing, --help,
 * the man page and completion, so that none of them can know an option that another does not. */
#ifndef SCIARA_CLI_OPTIONS_H
#define SCIARA_CLI_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option;

/* Writes value[0] (and value[1] of an option with two values) to *field, the place `at` of the
 * command's own struct. ERROR_INPUT with what to give instead; the parser puts the command, the
 * option and the value in front. The texts last as long as argv. */
typedef int option_setter(const struct option *o, void *field, const char *const value[],
                          struct error *e);

enum option_completes { COMPLETE_NOTHING, COMPLETE_FILE, COMPLETE_FOLDER, COMPLETE_COMMAND };

/* An option, or one of the words that go without: an operand. */
struct option {
    const char *name;           /* "--every"; of an operand "CASE" */
    const char *value;          /* what its value is called: "N", or of two "X Y"; NULL: a flag */
    option_setter *set;         /* NULL: a flag, the bool at `at` becomes true */
    size_t at;                  /* offset in the command's struct */
    int64_t low, high;          /* of a whole number; of a real one `low` is the least */
    const char *unit;           /* of a real number, in words: "metres" */
    const char *const *choices; /* all that it can be; ends with NULL. NULL: anything */
    const char *also;           /* one more choice, or NULL */
    bool list;                  /* several choices, with commas between them */
    bool optional, repeated;    /* of an operand; only the last one can be repeated */
    enum option_completes
        completes;      /* with what a shell completes it, where there are no choices */
    const char *preset; /* the default, set before the words are read */
    const char *usual;  /* the default in words, where it is no preset */
    const char *help;   /* what it does, without its default; `...` are words to type */
};

/* Setters, and the type of the field */
option_setter option_whole;  /* int64_t */
option_setter option_int;    /* int */
option_setter option_real;   /* double; with two values double[2] */
option_setter option_text;   /* const char * */
option_setter option_choice; /* int: which of the choices */
option_setter option_words;  /* struct option_words, of a repeated operand */

struct option_words {
    char **word;
    int count;
};

/* How a command can end, beside 0. */
struct option_exit {
    int status;
    const char *meaning;
};

struct command {
    const char *name, *summary;      /* the summary is one line without a full stop */
    const char *synopsis;            /* another way to call it, or NULL */
    const char *about;               /* paragraphs with an empty line between them */
    const struct option *operands;   /* both end with an entry without a name, or are NULL */
    const struct option *options;    /* --help comes by itself */
    const char *missing;             /* "name a case file": what to do where operands are missing */
    const struct option_exit *exits; /* ends with an entry without a meaning */
    int (*run)(int argc, char **argv); /* argv[0] is the command; returns the exit status */
};

/* Reads the words after argv[0] into the command's struct, which holds what counts where nothing is
 * said and there is no preset. An option is --name VALUE or --name=VALUE, and at most once where it
 * has a value; after -- all words are operands, and so is a negative number. argv is permuted where
 * an operand is repeated. ERROR_INPUT with one line; OPTIONS_HELP: --help was there and is printed.
 */
int options_parse(const struct command *c, void *into, int argc, char **argv, struct error *e);
enum { OPTIONS_HELP = -1, OPTIONS_MAX = 32 };

/* Number of the values of an option: 0, 1 or 2. */
int option_values(const struct option *o);

/* The word i that an option can be, those of `choices` and then `also`; NULL after the last. */
const char *option_choice_name(const struct option *o, int i);

/* ---- options_help.c: --help ------------------------------------------------------------------ */

void help_command(const struct command *c); /* to standard output, at most 80 columns wide */

/* A line of two columns, or a text from the left: at most 80 columns. */
void help_row(const char *left, const char *text);
void help_paragraphs(const char *text);
void help_exits(const struct option_exit *exits);
void help_formats(void); /* where files are described */

/* "--every N", "[STEPS]", "FILE...", as in the synopsis; and "text (default DEFAULT)". Return out.
 */
char *option_form(char out[64], const struct option *o);
char *option_help(char out[1024], const struct option *o);

extern const struct option_exit command_exits[]; /* of a command that needs no GPU */

/* ---- cmd_help.c: the commands ------------------------------------------------------------------
 */

/* All commands of `sciara`; ends with NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);   /* NULL: no such */
int command_unknown(const char *name, struct error *e); /* ERROR_INPUT; says which may be meant */

extern const struct option_exit program_exits[];
void help_overview(void);

/* ---- options_man.c, options_complete.c ---------------------------------------------------------
 */

void man_overview(void);
void man_command(const struct command *c);

void complete_bash(void);
void complete_zsh(void);
void complete_fish(void);

#endif
