/* man.c — the man pages of the commands, in the macros of man(7). */
#include "options.h"

#include <ctype.h>
#include <stdio.h>

/* Prints text as roff: backslashes and hyphens escaped, `words to type` in bold; no line begins with a control
 * character. */
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

/* Prints the head of a man page, with its title in capitals, and the beginning of its section NAME. */
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

static void man_row(const struct option *o)
{
    char text[1024];
    if (o->group) printf(".SS %s\n", o->group);
    if (o->name[0] == '-') man_tag(o->name, o->value);
    else printf(".TP\n\\fI%s\\fR\n", o->name);
    roff(option_help(text, o));
}

static void man_exits(const struct option_exit *exits)
{
    puts(".SH EXIT STATUS");
    for (; exits->meaning; exits++) {
        printf(".TP\n.B %d\n", exits->status);
        roff(exits->meaning);
    }
}

/* Prints references to all other pages; name: the command of this page, NULL: sciara itself. */
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
    EACH_OPERAND (o, c) printf("\\fI%s\\fR\n", option_form(form, o));
    puts("[\\fIoptions\\fR]");
    if (c->synopsis) {
        puts(".br");
        roff(c->synopsis);
    }
    puts(".SH DESCRIPTION");
    roff(c->about);
    if (option_is_operand(c->words)) puts(".SH OPERANDS");
    EACH_OPERAND (o, c) man_row(o);
    puts(".SH OPTIONS");
    EACH_OPTION (o, c) man_row(o);
    man_tag("-h, --help", NULL);
    roff("show the usage");
    puts(".PP\nThe value of an option follows as the next word or after =; after \\fB\\-\\-\\fR "
         "all words are operands.");
    if (c->examples) puts(".SH EXAMPLES\n.nf");
    if (c->examples) fputs(c->examples, stdout), puts(".fi");
    man_exits(c->exits ? c->exits : command_exits);
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

void man_page(const struct command *c)
{
    if (c) man_command(c);
    else man_overview();
}
