/* complete.c — scripts with which bash, zsh and fish complete the words after `sciara`. */
#include "complete_texts.h"
#include "options.h"

#include "sim/variant_names.h"

#include <stdio.h>

/* Prints a part of complete.bash or complete.zsh and returns the next part. The build has replaced each @@@ between parts by
 * a zero byte. */
static const char *put_part(const char *script)
{
    fputs(script, stdout);
    return script + strlen(script) + 1;
}

/* Prints the possible values of an option, with blanks between them. */
static void print_choices(const struct option *o)
{
    const char *name;
    if (o->completes == COMPLETE_COMMAND)
        for (int i = 0; commands[i]; i++) printf("%s%s", i ? " " : "", commands[i]->name);
    for (int i = 0; o->completes == COMPLETE_PARAMETERS && i < sciara_parameter_set_count(); i++)
        printf("%s%s", i ? " " : "", sciara_parameter_set_name(i));
    for (int i = 0; (name = option_choice_name(o, i)); i++) printf("%s%s", i ? " " : "", name);
}

static bool has_choices(const struct option *o)
{
    return o->choices || o->completes == COMPLETE_COMMAND || o->completes == COMPLETE_PARAMETERS;
}

static enum option_completes operand_files(const struct command *c)
{
    EACH_OPERAND (o, c)
        if (o->completes && !has_choices(o)) return o->completes;
    return COMPLETE_NOTHING;
}

/* Prints the help of an option up to the first of the characters ";:(". Omits the characters `not_these`, which the
 * script cannot quote. */
static void print_brief(const char *help, const char *not_these)
{
    for (const char *c = help; *c && !strchr(";:(", *c); c++)
        if (!strchr(not_these, *c)) putchar(*c);
}

/* ---- bash ------------------------------------------------------------------------------------ */

/* The value of `files` in the script: an option of compgen for folders or files, or the ending of the files to offer. */
static const char *bash_files(enum option_completes completes)
{
    return completes == COMPLETE_FOLDER ? "-d" : completes == COMPLETE_CASE ? ".cfg" : "-f";
}

/* Writes the branch of the script's `case` that completes the value after `COMMAND OPTION`. */
static void bash_value(const struct command *c, const struct option *o)
{
    printf("    '%s %s') ", c->name, o->name);
    if (has_choices(o)) {
        printf("%swords='", o->list ? "list=1 " : "");
        print_choices(o);
        puts("' ;;");
    } else if (o->completes) printf("files=%s ;;\n", bash_files(o->completes));
    else puts("return ;;");
}

/* Writes the branch of the script's `case` for the other words of a command: its options and operands. */
static void bash_command(const struct command *c)
{
    const enum option_completes files = operand_files(c);
    printf("    '%s '*)\n        words='", c->name);
    EACH_OPTION (o, c) printf("%s ", o->name);
    printf("--help'\n");
    if (files) printf("        [[ $cur == -* ]] || files=%s words=\n", bash_files(files));
    EACH_OPERAND (o, c)
        if (has_choices(o)) {
            fputs("        [[ $cur == -* ]] || words='", stdout);
            print_choices(o);
            puts("'");
        }
    puts("        ;;");
}

void complete_bash(void)
{
    const char *script = put_part(complete_bash_text);
    for (int i = 0; commands[i]; i++) printf("%s ", commands[i]->name);
    script = put_part(script);
    for (int i = 0; commands[i]; i++) {
        EACH_OPTION (o, commands[i])
            if (o->value) bash_value(commands[i], o);
        bash_command(commands[i]);
    }
    script = put_part(script);
    for (int i = 0; variant_names[i]; i++) printf(" sciara_%s", variant_names[i]);
    put_part(script);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_action(const struct option *o)
{
    if (o->list) {
        printf("_values -s , %s ", o->name + 2);
        print_choices(o);
    } else if (has_choices(o)) {
        putchar('(');
        print_choices(o);
        putchar(')');
    } else
        fputs(o->completes == COMPLETE_FILE     ? "_files"
              : o->completes == COMPLETE_CASE   ? "_files -g \"*.cfg\""
              : o->completes == COMPLETE_FOLDER ? "_files -/"
                                                : " ",
              stdout);
}

static void zsh_option(const struct option *o)
{
    printf("            '%s%s[", o->name, o->value ? "=" : "");
    print_brief(o->help, "[]'\\");
    putchar(']');
    for (int i = 0; i < option_values(o); i++) {
        printf(":%s:", o->value);
        zsh_action(o);
    }
    puts("' \\");
}

static void zsh_operand(const struct option *o)
{
    printf("            '%s:%s:", o->repeated ? "*" : o->optional ? ":" : "", o->name);
    zsh_action(o);
    puts("' \\");
}

void complete_zsh(void)
{
    const char *script = put_part(complete_zsh_text);
    for (int i = 0; variant_names[i]; i++) printf(" sciara_%s", variant_names[i]);
    script = put_part(script);
    for (int i = 0; commands[i]; i++) {
        printf("                '%s:", commands[i]->name);
        print_brief(commands[i]->summary, "'\\");
        puts("'");
    }
    script = put_part(script);
    for (int i = 0; commands[i]; i++) {
        printf("    %s)\n        _arguments \\\n", commands[i]->name);
        EACH_OPTION (o, commands[i]) zsh_option(o);
        EACH_OPERAND (o, commands[i]) zsh_operand(o);
        puts("            '(-h --help)'{-h,--help}'[show the usage]'\n        ;;");
    }
    put_part(script);
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish_option(const struct command *c, const struct option *o)
{
    printf("complete -c sciara -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name + 2);
    if (has_choices(o)) {
        fputs(o->list ? " -x -a '(__fish_append , " : " -x -a '", stdout);
        print_choices(o);
        fputs(o->list ? ")'" : "'", stdout);
    } else if (o->completes == COMPLETE_FILE) fputs(" -r -F", stdout);
    else if (o->completes == COMPLETE_CASE) fputs(" -x -a '(__fish_complete_suffix .cfg)'", stdout);
    else if (o->completes == COMPLETE_FOLDER)
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    else if (o->value) fputs(" -x", stdout);
    fputs(" -d '", stdout);
    print_brief(o->help, "'\\");
    puts("'");
}

/* Lets fish complete every operand as if it were the first operand, because fish does not count words. */
static void fish_operand(const struct command *c, const struct option *o)
{
    if (!o->completes) return;
    printf("complete -c sciara -n '__fish_seen_subcommand_from %s' ", c->name);
    if (has_choices(o)) {
        fputs("-a '", stdout);
        print_choices(o);
        puts("'");
    } else
        puts(o->completes == COMPLETE_FOLDER ? "-a '(__fish_complete_directories)'"
             : o->completes == COMPLETE_CASE ? "-a '(__fish_complete_suffix .cfg)'"
                                             : "-F");
}

void complete_fish(void)
{
    put_part(complete_fish_text);
    for (int i = 0; commands[i]; i++) {
        printf("complete -c sciara -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        print_brief(commands[i]->summary, "'\\");
        puts("'");
    }
    for (int i = 0; commands[i]; i++) {
        EACH_OPTION (o, commands[i]) fish_option(commands[i], o);
        if (option_is_operand(commands[i]->words)) fish_operand(commands[i], commands[i]->words);
    }
}
