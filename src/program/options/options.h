/* options.h — a command line as a table. Parser, --help, man page and completion all read this table, so that they agree.
 * A command gets its own arguments (argv[0] is its name), prints its results to stdout and one line of error to stderr, and
 * returns the exit status. */
#pragma once

#include "sciara.h"

#include "base/error.h"
#include "text/times.h"

#include <stdbool.h>
#include <stddef.h>

struct option;

/* Writes value[0], and value[1] if an option has two values, to *field, at the offset `at` of the command's struct.
 * ERROR_INPUT: the text names the allowed values; the parser prepends command, option and value. The texts of `value` live
 * as long as argv. */
typedef int option_setter(const struct option *o, void *field, const char *const value[],
                          struct error *e);

/* How a shell completes a word. */
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
    const char *name;           /* "--every"; for an operand "CASE" */
    const char *value;          /* name of the value, "N", or of two values, "X Y"; NULL: a flag */
    option_setter *set;         /* NULL: a flag, the bool at `at` becomes true */
    size_t at;                  /* offset in the command's struct */
    int64_t low, high;          /* limits of a whole number; a real number has only `low` */
    const char *unit;           /* unit of a real number, in words: "metres" */
    bool above;                 /* `low` itself is refused, for a real number */
    enum times_plain plain;     /* unit of a time that is a plain number */
    const char *const *choices; /* allowed values, ends with NULL; NULL: any value */
    const unsigned *bits;       /* for option_bits: the bits of each choice; NULL: 1, 2, 4, ... */
    const char *also;           /* one more choice, or NULL */
    bool list;                  /* several choices, with commas between them */
    bool optional, repeated;    /* for operands; only the last operand may be repeated */
    enum option_completes completes; /* how a shell completes a value without choices */
    const char *preset;              /* the default, set before the words are read */
    const char *usual;               /* the default in words, if there is no preset */
    const char *help;  /* effect of the option, without the default; `...`: literal text */
    const char *group; /* heading of a group that begins here; NULL: the group goes on */
    /* Words with blanks between them: an option or operand such as "--case", or values of an option such as
     * "--method=sobol,both". The option is refused if the command line has none of `needs`, or one of `not_with`.
     * --NAME=VALUE in `needs` is also fulfilled if --NAME is not given and has no preset, as its default may be
     * VALUE. */
    const char *needs, *not_with;
};

/* Rows of a table. AT(MEMBER), the offset of a field in the command's struct, has to be defined. The
 * arguments after MEMBER are the help and further members of struct option, such as .low = 1. */
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

/* Setters, each with the type of its field: */
option_setter option_whole;  /* int64_t */
option_setter option_int;    /* int */
option_setter option_real;   /* double; with two values double[2] */
option_setter option_span;   /* double, in seconds; at least `low` */
option_setter option_text;   /* const char * */
option_setter option_choice; /* int: index of the choice */
option_setter option_bits;   /* unsigned: the bits of all choices in a list */
option_setter option_words;  /* struct option_words, of a repeated operand */

option_setter option_edges; /* double[4]: WEST,SOUTH,EAST,NORTH; WEST < EAST, SOUTH < NORTH */

/* For setters: reads a text of exactly `count` numbers with commas, such as "37.75,14.99". False: the text has another
 * form. */
bool option_numbers(double *out, int count, const char *text);

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
    const char *synopsis;            /* another form of the command line, or NULL */
    const char *about;               /* paragraphs with an empty line between them */
    const char *examples;            /* command lines, each with a line end; or NULL */
    const struct option *words;      /* operands, then options; ends with an entry without a name */
    const char *missing;             /* "name a case file": the remedy if operands are missing */
    const struct option_exit *exits; /* ends with an entry without a meaning; NULL: command_exits */
    size_t size;                     /* size of the struct for the words */
    const void *defaults;            /* initial value of that struct; NULL: zeros */
    /* Offset in that struct of the const char * that gets the command line for resuming, from cli_again(). 0: the
     * struct has none. */
    size_t again;
    /* Runs the command. Returns an exit status; *e is set if that is an error. */
    int (*run)(void *request, struct error *e);
    /* In place of run(), for a command that reads its words itself. argv[0] is the name of the command. */
    int (*main)(int argc, char **argv);
};

/* Members of struct command if its table is named `words`. request: the struct for the words; function: run(). */
#define COMMAND_OF(request, function) .words = words, .size = sizeof(request), .run = function

/* Reads the words after argv[0] into *into, the command's struct. Options that have no preset in the table keep the
 * values that *into has before the call. Options are --name VALUE or --name=VALUE; an option with a value may be given
 * once. Words after -- and negative numbers are operands. Words of a repeated operand are moved together in argv.
 * OPTIONS_HELP: --help was given and is printed. */
int options_parse(const struct command *c, void *into, int argc, char **argv, struct error *e);
enum { OPTIONS_HELP = -1, OPTIONS_MAX = 40 };

static inline bool option_is_operand(const struct option *o)
{
    return o->name && o->name[0] != '-';
}
/* The first option behind the operands. --help, which every command has, is not in the table. */
static inline const struct option *option_first(const struct command *c)
{
    const struct option *o = c->words;
    while (option_is_operand(o)) o++;
    return o;
}
#define EACH_OPERAND(o, c) for (const struct option *o = (c)->words; option_is_operand(o); o++)
#define EACH_OPTION(o, c)  for (const struct option *o = option_first(c); o->name; o++)

/* The number of values of an option: 0, 1 or 2. */
int option_values(const struct option *o);

/* The i-th allowed value: a value of `choices`, then `also`; NULL after the last value. */
const char *option_choice_name(const struct option *o, int i);

/* The option with a name such as "--every"; NULL: the command has none. */
const struct option *option_find(const struct command *c, const char *name);

/* ---- help.c: --help -------------------------------------------------------------------------- */

void help_command(const struct command *c); /* to standard output, at most 80 columns wide */
/* Options of a command may have groups. help_topics() prints the names of the groups, on one screen. help_topic() prints the
 * groups with the word `topic` in their names; false: there is no such group. */
bool help_has_topics(const struct command *c);
void help_topics(const struct command *c);
bool help_topic(const struct command *c, const char *topic);
void help_overview(void);

/* Prints two columns, at most 80 characters wide. */
void help_row(const char *left, const char *text);

/* option_form() writes an option as in the synopsis: "--every N", "[STEPS]", "FILE...". option_help() writes its help: "text
 * (default DEFAULT)". Both return out. */
char *option_form(char out[64], const struct option *o);
char *option_help(char out[1024], const struct option *o);

/* Exit statuses. command_exits: of a command that needs no GPU and has no table of its own. program_exits: of all
 * commands. */
extern const struct option_exit command_exits[], program_exits[];

/* ---- what a program has ---------------------------------------------------------------------- */

/* All commands of `sciara`; ends with NULL. */
extern const struct command *const commands[];

/* ---- man.c, keys.c, complete.c --------------------------------------------------------------- */

void man_page(const struct command *c); /* NULL: the page of sciara itself */
void help_keys(bool list);              /* keys of cases and plans; list: as a table with tabs */
void complete_bash(void);
void complete_zsh(void);
void complete_fish(void);
