/* cmd_help.c — `sciara help`: the commands and their tables as lists and man pages, for readers and for
 * programs. */
#include "cli.h"

#include "case/schema.h"
#include "export/export.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>

const struct command *const commands[] = {
    &command_run,       &command_plan,
    &command_ensemble,  &command_merge,
    &command_calibrate, &command_sensitivity,
    &command_ask,       &command_nowcast,
    &command_null,      &command_bank,
    &command_serve,     &command_report,
    &command_show,      &command_info,
    &command_fit,       &command_compare,
    &command_terrain,   &command_parameters,
    &command_variants,  &command_benchmark,
    &command_help,      NULL,
};

static const struct option_exit program_exits[] = {
    {0, "done"},
    {1, "failed: full disk, out of memory or GPU error"},
    {2, "invalid input or command line"},
    {3, "no CUDA device"},
    {130, "interrupted"},
    {0, NULL},
};

/* ---- man pages, in the macros of man(7) ------------------------------------------------------ */

/* Text as roff: backslashes and hyphens escaped, `words to type` in bold; no line of it begins with
 * a control character. */
static void roff(const char *text)
{
    bool bold = false;
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (const char *c = text; *c; c++) {
        if (*c == '`') fputs((bold = !bold) ? "\\fB" : "\\fR", stdout);
        else if (*c == '\\') fputs("\\e", stdout);
        else if (*c == '-') fputs("\\-", stdout);
        else if (*c == '\n') fputs(c[1] == '\n' ? "\n.PP" : "\n", stdout);
        else putchar(*c);
    }
    putchar('\n');
}

/* The title in capitals, as is usual */
static void title(const char *name)
{
    fputs(".TH SCIARA", stdout);
    if (name) putchar('-');
    for (const char *c = name ? name : ""; *c; c++) putchar(toupper((unsigned char)*c));
    puts(" 1 \"\" \"sciara " SCIARA_VERSION "\" \"User Commands\"");
    printf(".SH NAME\nsciara%s%s \\- ", name ? "\\-" : "", name ? name : "");
}

static void man_tag(const char *bold, const char *italic)
{
    printf(".TP\n\\fB");
    for (; *bold; bold++) printf(*bold == '-' ? "\\-" : "%c", *bold);
    if (italic) printf("\\fR \\fI%s", italic);
    puts("\\fR");
}

static void man_table(const struct option *table)
{
    char text[1024];
    for (const struct option *o = table; o && o->name; o++) {
        if (o->group) printf(".SS %s\n", o->group);
        if (o->name[0] == '-') man_tag(o->name, o->value);
        else printf(".TP\n\\fI%s\\fR\n", o->name);
        roff(option_help(text, o));
    }
}

static void man_exits(const struct option_exit *exits)
{
    puts(".SH EXIT STATUS");
    for (; exits->meaning; exits++) {
        printf(".TP\n.B %d\n", exits->status);
        roff(exits->meaning);
    }
}

/* All pages but one: name is a command, or NULL for sciara itself. */
static void see_also(const char *name)
{
    puts(".SH SEE ALSO");
    if (name) puts(".BR sciara (1),");
    for (int i = 0; commands[i]; i++)
        if (!name || strcmp(name, commands[i]->name))
            printf(".BR sciara\\-%s (1),\n", commands[i]->name);
    puts(".BR sciara\\-case (5),\n.BR sciara\\-output (5)");
}

static void man_command(const struct command *c)
{
    char form[64];
    title(c->name);
    roff(c->summary);
    printf(".SH SYNOPSIS\n.B sciara %s\n", c->name);
    for (const struct option *o = c->operands; o && o->name; o++)
        printf("\\fI%s\\fR\n", option_form(form, o));
    puts("[\\fIoptions\\fR]");
    if (c->synopsis) {
        puts(".br");
        roff(c->synopsis);
    }
    puts(".SH DESCRIPTION");
    roff(c->about);
    if (c->operands) puts(".SH OPERANDS");
    man_table(c->operands);
    puts(".SH OPTIONS");
    man_table(c->options);
    man_tag("-h, --help", NULL);
    roff("show the usage");
    puts(".PP\nThe value of an option follows as the next word or after =; after \\fB\\-\\-\\fR "
         "all words are operands.");
    if (c->examples) puts(".SH EXAMPLES\n.nf");
    if (c->examples) fputs(c->examples, stdout), puts(".fi");
    man_exits(c->exits);
    see_also(c->name);
}

static void man_overview(void)
{
    title(NULL);
    puts("simulate lava flows\n"
         ".SH SYNOPSIS\n"
         ".B sciara\n"
         "\\fICOMMAND\\fR [\\fIarguments\\fR]\n"
         ".SH DESCRIPTION\n"
         "Simulates lava flows with the cellular automaton Sciara\\-fv2: from a terrain, vents and "
         "effusion rates it computes where the lava goes, when it arrives, how thick and how hot "
         "it is, and how much of it has solidified.\n"
         ".SH COMMANDS");
    for (int i = 0; commands[i]; i++) {
        man_tag(commands[i]->name, NULL);
        roff(commands[i]->summary);
    }
    puts(".SH OPTIONS");
    man_tag("--version", NULL);
    roff("show the version");
    man_tag("-h, --help", NULL);
    roff("show the commands; `sciara COMMAND --help` shows the usage of one");
    man_exits(program_exits);
    see_also(NULL);
}

/* ---- all commands ---------------------------------------------------------------------------- */

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

void help_overview(void)
{
    puts("usage: sciara COMMAND [arguments]\n"
         "\n"
         "Simulates lava flows with the cellular automaton Sciara-fv2.\n");
    for (int i = 0; commands[i]; i++) help_row(commands[i]->name, commands[i]->summary);
    putchar('\n');
    help_row("--version", "show the version");
    help_row("-h, --help", "show this text; `sciara COMMAND --help`: help for a command");
    help_exits(program_exits);
    help_formats();
}

/* ---- the keys of cases and plans, also as Markdown for docs/formats.md (tools/key-tables) ---- */

/* "observed_outline FILE at TIME", "vary_NAME DISTRIBUTION" */
static char *form_of(char out[96], const struct key *k)
{
    const bool prefix = k->name[strlen(k->name) - 1] == '_';
    const char *form = k->form ? k->form : k->type == KEY_FILE ? "FILE" : "";
    snprintf(out, 96, "%s%s%s", k->name, *form && !prefix ? " " : "", form);
    return out;
}

/* "0.001 to 100", "1e-6 to 1e6"; "0 or more", where the upper limit is only that of the number; "at
 * most 127 bytes". */
static char *range_of(char out[128], const struct key *k)
{
    char *end = strstr(schema_range(out, k), " to ");
    if (end && k->high >= INT_MAX) strcpy(end, " or more");
    for (char *p; end && ((p = strstr(out, "e+0")) || (p = strstr(out, "e-0")));) {
        const size_t sign = p[1] == '-';
        memmove(p + 1 + sign, p + 3, strlen(p + 3) + 1);
    }
    if (k->type == KEY_TEXT && !k->form) snprintf(out, 128, "at most %.0f bytes", k->high);
    return out;
}

/* "[0.001 to 100 m; default 1]" */
static char *limits_of(char out[256], const struct key *k, const char *usual)
{
    char range[128];
    const char *unit = k->unit ? k->unit : "";
    const bool limited = *range_of(range, k) || *unit;
    snprintf(out, 256, "%s%s%s%s%s%s%s%s", limited || k->usual ? " [" : "", range,
             *range && *unit ? " " : "", unit, limited && k->usual ? "; " : "",
             k->usual ? usual : "", k->usual ? k->usual : "", limited || k->usual ? "]" : "");
    return out;
}

static void print_rows(const struct key_section *s)
{
    struct key k;
    char form[96], text[1024], limits[256];
    for (int i = 0; schema_key(s, i, &k); i++) {
        snprintf(text, sizeof text, "%s%s", k.meaning,
                 limits_of(limits, &k, s->parameters ? "Etna 2006: " : "default: "));
        help_row(form_of(form, &k), text);
    }
}

/* A section has a column only if one of its keys has an entry. */
struct columns {
    bool unit, range, usual;
};

static void print_row(const struct columns *c, const char *first, const char *meaning,
                      const char *unit, const char *range, const char *usual)
{
    printf("| %s | %s |", first, meaning);
    if (c->unit) printf(" %s |", unit);
    if (c->range) printf(" %s |", range);
    if (c->usual) printf(" %s |", usual);
    putchar('\n');
}

static void print_table(const struct key_section *s)
{
    struct columns c = {false};
    struct key k;
    char form[96], name[100], range[128];
    for (int i = 0; schema_key(s, i, &k); i++) {
        c.unit = c.unit || (k.unit && *k.unit);
        c.range = c.range || *range_of(range, &k);
        c.usual = c.usual || k.usual;
    }
    print_row(&c, "key", "meaning", "unit", "range", s->parameters ? "Etna 2006" : "default");
    printf("|---|---|%s%s%s\n", c.unit ? "---|" : "", c.range ? "---|" : "", c.usual ? "---|" : "");
    for (int i = 0; schema_key(s, i, &k); i++) {
        snprintf(name, sizeof name, "`%s`", k.form ? form_of(form, &k) : k.name);
        print_row(&c, name, k.meaning, k.unit ? k.unit : "", range_of(range, &k),
                  k.usual ? k.usual : "");
    }
}

static void help_keys(bool markdown)
{
    for (int n = 0; schemas[n]; n++)
        for (const struct key_section *s = schemas[n]->section; s->name; s++) {
            printf("%s%s:\n", n || s != schemas[n]->section ? "\n" : "", s->name);
            markdown ? print_table(s) : print_rows(s);
        }
}

/* What other libraries, which are loaded for it, read and write. */
static void print_formats(void)
{
    char read[160], written[96];
    vectors_formats(read);
    export_formats(written);
    printf("%s\n%s\n", read, written);
}

/* ---- the command ---------------------------------------------------------------------------- */

struct help_options {
    const char *command;
    int shell; /* -1: none */
    bool man, options, markdown;
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static void (*const complete[])(void) = {complete_bash, complete_zsh, complete_fish};

#define AT(member) offsetof(struct help_options, member)
static const struct option operands[] = {
    OPERAND(
        "COMMAND", option_text, command,
        "the command to explain; keys: the keys of cases and plans, with unit, range and default; "
        "formats: what is read and written through libraries that are loaded where they are "
        "installed",
        .optional = true, .completes = COMPLETE_COMMAND, .usual = "all, one line each"),
    {0},
};
static const struct option options[] = {
    OPTION_FLAG("--man", man, "write the man page of COMMAND, or of sciara"),
    OPTION("--completion", "SHELL", option_choice, shell,
           "write the completion script of a shell: bash, zsh or fish", .choices = shells),
    OPTION_FLAG("--markdown", markdown, "list the keys as tables of Markdown (help keys)"),
    OPTION_FLAG(
        "--options", options,
        "list the operands and options of COMMAND (without COMMAND: the commands) for other "
        "programs: name, name of the value, type, and range or choices, separated by "
        "tabs; - means none"),
    {0},
};

/* "text -", "whole 0..5", "choice lava full", "list geotiff png" */
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

static void list_table(const struct option *table)
{
    for (const struct option *o = table; o && o->name; o++) {
        printf("%s\t%s\t", o->name, o->value ? o->value : "-");
        print_type(o);
    }
}

static void list_options(const struct command *c)
{
    list_table(c->operands);
    list_table(c->options);
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
    if (asked > 1) return error_input(e, "help: choose one of --man, --completion and --options");
    if (o->markdown && !keys) return error_input(e, "help: --markdown needs the operand keys");
    if (topic && asked)
        return error_input(e,
                           "help: %s has no man page, completion or options; see man 5 sciara-case",
                           o->command);
    if (o->shell >= 0) complete[o->shell]();
    else if (keys) help_keys(o->markdown);
    else if (formats) print_formats();
    else if (o->man) c ? man_command(c) : man_overview();
    else if (!o->options) c ? help_command(c) : help_overview();
    else if (c) list_options(c);
    else
        for (int i = 0; commands[i]; i++) puts(commands[i]->name);
    return 0;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain a command, keys or formats; write man pages and completion scripts",
    .about = "Explains a command, as `sciara COMMAND --help` does; `sciara help keys` lists the "
             "keys of cases and plans, `sciara help formats` what other libraries read and write. "
             "Man pages and completion scripts come from the same tables; "
             "`make install` installs them.",
    .exits = command_exits,
    .defaults = &(const struct help_options){.shell = -1},
    COMMAND_OF(struct help_options, help),
};
