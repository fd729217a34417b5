/* cmd_help.c — `sciara help`: commands as lists and man pages, for readers and for programs. */
#include "cli.h"

#include "export/export.h"
#include "record/painters.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <stdio.h>

#define COMMAND_ADDRESS(NAME) &command_##NAME
const struct command *const commands[] = {COMMANDS(COMMAND_ADDRESS), NULL};

const struct command *command_find(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(name, commands[i]->name)) return commands[i];
    return NULL;
}

int command_unknown(const char *name, struct error *e)
{
    struct scan_nearest near = {.given = name};
    for (int i = 0; commands[i]; i++) scan_nearest(&near, commands[i]->name);
    if (text_ends(name, ".cfg"))
        return error_input(e, "%.900s: no such command; run a case with sciara run CASE", name);
    if (near.name) return error_input(e, "%s: no such command; did you mean %s?", name, near.name);
    return error_input(e, "%s: no such command; see sciara --help", name);
}

/* Loads the optional libraries and prints the formats that they read and write. */
static void print_formats(void)
{
    char read[160], written[96];
    vectors_formats(read);
    export_formats(written);
    printf("%s\n%s\npictures and pages: %s\n", read, written, painters_about);
}

/* ---- the command ---------------------------------------------------------------------------- */

struct help_options {
    const char *command, *topic;
    int shell; /* index of a shell; -1: none */
    bool man, options;
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static void (*const complete[])(void) = {complete_bash, complete_zsh, complete_fish};

#define AT(member) offsetof(struct help_options, member)
static const struct option words[] = {
    OPERAND("COMMAND", option_text, command,
            "the command to explain; keys: the keys of cases and plans, with unit, range and "
            "default; formats: what is read and written through libraries that are loaded where "
            "they are installed",
            .optional = true, .completes = COMPLETE_COMMAND, .usual = "all, one line each"),
    OPERAND("TOPIC", option_text, topic,
            "show only options under headings with this word, such as files", .optional = true,
            .usual = "the headings"),
    OPTION_FLAG("--man", man, "write the man page of COMMAND, or of sciara",
                .not_with = "TOPIC --completion --options"),
    OPTION("--completion", "SHELL", option_choice, shell,
           "write the completion script of a shell: bash, zsh or fish", .choices = shells,
           .not_with = "COMMAND TOPIC --options"),
    OPTION_FLAG("--options", options,
                "list the operands and options of COMMAND for other programs (without COMMAND: all "
                "commands; "
                "for keys: all keys): name, name of the value, type, and range or "
                "choices, separated by tabs; - means none"),
    {0},
};

/* Prints the type of a value: "text -", "whole 0..5", "choice lava full", "list geotiff png". */
static void print_type(const struct option *o)
{
    if (o->choices) printf("%s\t", o->list ? "list" : "choice");
    else if (o->set == option_whole || o->set == option_int)
        printf("whole\t%lld..%lld", (long long)o->low, (long long)o->high);
    else
        printf("%s\t-", o->set == option_real || o->set == option_span ? "real"
                        : o->set                                       ? "text"
                                                                       : "flag");
    const char *name;
    for (int i = 0; (name = option_choice_name(o, i)); i++) printf("%s%s", i ? " " : "", name);
    putchar('\n');
}

static void list_options(const struct command *c)
{
    for (const struct option *o = c->words; o->name; o++) {
        printf("%s\t%s\t", o->name, o->value ? o->value : "-");
        print_type(o);
    }
    puts("--help\t-\tflag\t-");
}

static int help(void *request, struct error *e)
{
    const struct help_options *o = request;
    const bool keys = o->command && !strcmp(o->command, "keys");
    const bool formats = o->command && !strcmp(o->command, "formats");
    const bool topic = keys || formats;
    const struct command *c = o->command && !topic ? command_find(o->command) : NULL;
    const int asked = o->man + o->options + (o->shell >= 0);
    if (o->command && !topic && !c) return command_unknown(o->command, e);
    if (topic && asked && !(keys && o->options))
        return error_input(e,
                           "help: %s has no man page, completion or options; see man 5 sciara-case",
                           o->command);
    if (o->shell >= 0) complete[o->shell]();
    else if (keys) help_keys(o->options);
    else if (formats) print_formats();
    else if (o->man) man_page(c);
    else if (o->topic && !(c && help_topic(c, o->topic)))
        return error_input(e, "help: '%.60s' is not a topic of %s; see sciara help %s", o->topic,
                           o->command, o->command);
    else if (o->topic) return 0;
    else if (!o->options && c && help_has_topics(c)) help_topics(c);
    else if (!o->options) c ? help_command(c) : help_overview();
    else if (c) list_options(c);
    else
        for (int i = 0; commands[i]; i++) puts(commands[i]->name);
    return 0;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain a command, keys or formats; write man pages and completion scripts",
    .about =
        "Explains a command, as `sciara COMMAND --help` does; `sciara help keys` lists the keys of "
        "cases and plans, `sciara help formats` what other libraries read and write. Man pages and "
        "completion scripts come from the same tables; `make install` installs them.",
    .defaults = &(const struct help_options){.shell = -1},
    COMMAND_OF(struct help_options, help),
};
