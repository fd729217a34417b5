/* help.c — the text of `sciara COMMAND --help` and of `sciara --help`. */
#include "options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 80, LEFT = 22 };

const struct option_exit command_exits[] = {
    {0, "done"},
    {1, "failed: full disk or out of memory"},
    {2, "invalid file or command line"},
    {130, "interrupted"},
    {0, NULL},
};
const struct option_exit program_exits[] = {
    {0, "done"},
    {1, "failed: full disk, out of memory or GPU error"},
    {2, "invalid input or command line"},
    {3, "no CUDA device"},
    {130, "interrupted"},
    {0, NULL},
};

/* Prints text to the right of `indent` columns; `used` columns of the first line are taken. */
static void wrap(const char *text, size_t indent, size_t used)
{
    size_t column = used;
    for (const char *word = text; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        if (column > indent && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        if (column > indent) printf(" %.*s", (int)length, word);
        else printf("%*s%.*s", (int)(indent - column), "", (int)length, word);
        column = (column > indent ? column + 1 : indent) + length;
        word += length;
    }
    putchar('\n');
}

void help_row(const char *left, const char *text)
{
    printf("  %s", left);
    if (strlen(left) > LEFT - 4) putchar('\n');
    wrap(text, LEFT, strlen(left) > LEFT - 4 ? 0 : strlen(left) + 2);
}

static void help_paragraphs(const char *text)
{
    char paragraph[2048];
    for (const char *end; *text; text = end + strspn(end, "\n")) {
        if (!(end = strstr(text, "\n\n"))) end = text + strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)(end - text), text);
        wrap(paragraph, 0, 0);
        if (*end) putchar('\n');
    }
}

/* The length of PREFIX in a path that begins with PREFIX/bin. bin_end: the end of PREFIX/bin. */
static int root_length(const char *path, const char *bin_end)
{
    const char *end = bin_end;
    while (end > path && *--end != '/') continue;
    return (int)(end - path);
}

/* Prints where the formats are described: in man pages that `make install` has installed, or in their source. */
static void print_formats(void)
{
    static const char page[] = "/../share/man/man5/sciara-case.5";
    char path[PATH_MAX + sizeof page];
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) memcpy(slash, page, sizeof page);
    if (slash && access(path, R_OK) == 0)
        printf("\nfile formats: man sciara-case, man sciara-output (%.*s/share/man)\n",
               root_length(path, slash), path);
    else puts("\nfile formats: docs/formats.md");
}

static void print_exits(const struct option_exit *exits)
{
    char status[16];
    puts("\nexit status:");
    for (; exits->meaning; exits++) {
        snprintf(status, sizeof status, "%d", exits->status);
        help_row(status, exits->meaning);
    }
}

char *option_form(char out[64], const struct option *o)
{
    if (o->name[0] == '-')
        snprintf(out, 64, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    else
        snprintf(out, 64, "%s%s%s%s", o->optional ? "[" : "", o->name, o->repeated ? "..." : "",
                 o->optional ? "]" : "");
    return out;
}

char *option_help(char out[1024], const struct option *o)
{
    const char *usual = o->usual ? o->usual : o->preset;
    if (usual) snprintf(out, 1024, "%s (default %s)", o->help, usual);
    else snprintf(out, 1024, "%s", o->help);
    return out;
}

static void print_option(const struct option *o, bool first)
{
    char form[64], text[1024];
    if (o->group) printf("%s%s:\n", first ? "" : "\n", o->group);
    help_row(option_form(form, o), option_help(text, o));
}

static void print_usage(const struct command *c)
{
    char form[64];
    printf("usage: sciara %s", c->name);
    EACH_OPERAND (o, c) printf(" %s", option_form(form, o));
    puts(" [options]");
    if (c->synopsis) printf("       %s\n", c->synopsis);
    putchar('\n');
}

static void print_examples(const struct command *c)
{
    if (c->examples) puts("\nexamples:");
    for (const char *line = c->examples; line && *line; line = strchr(line, '\n') + 1)
        printf("  %.*s\n", (int)strcspn(line, "\n"), line);
}

void help_command(const struct command *c)
{
    char text[1024];
    print_usage(c);
    help_paragraphs(c->about);
    putchar('\n');
    EACH_OPERAND (o, c) help_row(o->name, option_help(text, o));
    if (option_is_operand(c->words)) putchar('\n');
    EACH_OPTION (o, c) print_option(o, o == option_first(c));
    help_row("-h, --help", "show this text");
    print_examples(c);
    print_exits(c->exits ? c->exits : command_exits);
    print_formats();
}

/* ---- by topic ---------------------------------------------------------------------------------- */

/* Prints a row: the heading of a topic, and the names of its options. first: the first of these. */
static void print_topic_row(const struct option *first)
{
    char names[512] = "";
    size_t used = 0;
    for (const struct option *o = first; o->name && (o == first || !o->group); o++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", o->name);
    help_row(first->group, names);
}

void help_topics(const struct command *c)
{
    char text[1024];
    print_usage(c);
    EACH_OPERAND (o, c) help_row(o->name, option_help(text, o));
    for (const struct option *o = option_first(c); !o->group; o++) print_option(o, true);
    printf("\noptions by topic (`sciara help %s TOPIC`; all: `sciara %s --help`):\n", c->name,
           c->name);
    EACH_OPTION (o, c)
        if (o->group) print_topic_row(o);
    print_examples(c);
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
    return false;
}

bool help_topic(const struct command *c, const char *topic)
{
    bool of_topic = false, any = false;
    EACH_OPTION (o, c) {
        if (o->group) of_topic = has_word(o->group, topic);
        if (of_topic) print_option(o, !any);
        any = any || of_topic;
    }
    return any;
}

bool help_has_topics(const struct command *c)
{
    EACH_OPTION (o, c)
        if (o->group) return true;
    return false;
}

void help_overview(void)
{
    puts("usage: sciara COMMAND [arguments]\n"
         "\n"
         "Simulates lava flows with the cellular automaton Sciara-fv2.\n");
    /* One line for each command, so that all commands fit on a screen. */
    for (int i = 0; commands[i]; i++)
        printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    putchar('\n');
    help_row("--version", "show the version");
    help_row("-h, --help", "show this text; `sciara COMMAND --help`: help for a command");
    print_exits(program_exits);
    print_formats();
}
