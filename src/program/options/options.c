/* options.c — parses a command line by its table. */
#include "options.h"

#include "text/number.h"
#include "text/scan.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

int option_whole(const struct option *o, void *field, const char *const value[], struct error *e)
{
    int64_t *n = field;
    if (scan_integer(value[0], n) && *n >= o->low && *n <= o->high) return 0;
    return error_input(e, "give a whole number from %lld to %lld", (long long)o->low,
                       (long long)o->high);
}

int option_int(const struct option *o, void *field, const char *const value[], struct error *e)
{
    int64_t n = 0;
    assert(o->low >= INT_MIN && o->high <= INT_MAX);
    int status = option_whole(o, &n, value, e);
    *(int *)field = (int)n;
    return status;
}

int option_real(const struct option *o, void *field, const char *const value[], struct error *e)
{
    const bool any = o->low == INT64_MIN;
    double *x = field;
    char from[32] = "";
    bool good = true;
    for (int i = 0; i < option_values(o); i++)
        good = good && scan_real(value[i], &x[i]) &&
               (any || (o->above ? x[i] > (double)o->low : x[i] >= (double)o->low));
    if (good) return 0;
    if (!any)
        snprintf(from, sizeof from, " %s %lld", o->above ? "above" : "from", (long long)o->low);
    if (option_values(o) == 2) return error_input(e, "give two numbers%s, in %s", from, o->unit);
    return error_input(e, "give %s, a number%s", o->unit, from);
}

int option_span(const struct option *o, void *field, const char *const value[], struct error *e)
{
    double *time_s = field;
    if (times_span(time_s, value[0], o->plain, e)) return ERROR_INPUT;
    if (*time_s >= (double)o->low && *time_s <= 1e12) return 0;
    return error_input(e, "give a time from %lld to 1e12 s", (long long)o->low);
}

bool option_numbers(double *out, int count, const char *text)
{
    for (int i = 0; i < count && text; i++) {
        text = number_scan(text, &out[i]);
        if (text && (!isfinite(out[i]) || *text++ != (i < count - 1 ? ',' : '\0'))) text = NULL;
    }
    return text != NULL;
}

int option_edges(const struct option *o, void *field, const char *const value[], struct error *e)
{
    const double *b = field;
    if (option_numbers(field, 4, value[0]) && b[0] < b[2] && b[1] < b[3]) return 0;
    return error_input(e, "give four numbers with commas between them: west, south, east, north");
}

int option_text(const struct option *o, void *field, const char *const value[], struct error *e)
{
    *(const char **)field = value[0];
    return 0;
}

const char *option_choice_name(const struct option *o, int i)
{
    int n = 0;
    for (; o->choices && o->choices[n]; n++)
        if (n == i) return o->choices[n];
    return n == i ? o->also : NULL;
}

static int choice_number(const struct option *o, const char *word, size_t length)
{
    const char *name;
    for (int i = 0; (name = option_choice_name(o, i)); i++)
        if (strlen(name) == length && !strncmp(name, word, length)) return i;
    return -1;
}

/* Sets the index of a choice, which the parser has already checked. */
int option_choice(const struct option *o, void *field, const char *const value[], struct error *e)
{
    *(int *)field = choice_number(o, value[0], strlen(value[0]));
    return 0;
}

int option_bits(const struct option *o, void *field, const char *const value[], struct error *e)
{
    unsigned *all = field;
    *all = 0;
    for (const char *word = value[0]; *word; word += strspn(word, ",")) {
        const size_t length = strcspn(word, ",");
        const int i = choice_number(o, word, length);
        *all |= o->bits ? o->bits[i] : 1u << i;
        word += length;
    }
    return 0;
}

/* Writes "did you mean geotiff? " if a choice is similar to the word. Otherwise writes "webp is
 * unknown; " if the list has several words, or "" if the word is alone. */
static void nearest_choice(char out[64], const struct option *o, const char *word, size_t length,
                           bool several)
{
    char text[32];
    const char *name, *best = NULL;
    int least = 3;
    snprintf(text, sizeof text, "%.*s", length < 31 ? (int)length : 31, word);
    for (int i = 0; (name = option_choice_name(o, i)); i++) {
        const int distance = length > 2 && strstr(name, text) ? 0 : scan_distance(name, text);
        if (distance < least && distance * 3 < (int)strlen(name)) least = distance, best = name;
    }
    *out = '\0';
    if (best) snprintf(out, 64, "did you mean %s? ", best);
    else if (several && length) snprintf(out, 64, "%s is unknown; ", text);
}

/* Fails with the remedy "choose lava, full or both". */
static int name_choices(const struct option *o, const char *word, size_t length, bool several,
                        struct error *e)
{
    char all[400] = "", meant[64];
    size_t n = 0;
    const char *name;
    for (int i = 0; (name = option_choice_name(o, i)) && n < sizeof all; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s",
                              !i                             ? ""
                              : option_choice_name(o, i + 1) ? ", "
                              : o->list                      ? " and "
                                                             : " or ",
                              name);
    nearest_choice(meant, o, word, length, several);
    return error_input(e, o->list ? "%sgive a list of %s, separated by commas" : "%schoose %s",
                       meant, all);
}

static int check_choices(const struct option *o, const char *text, struct error *e)
{
    if (!o->choices) return 0;
    for (const char *word = text;; word += strcspn(word, ",") + 1) {
        const size_t length = o->list ? strcspn(word, ",") : strlen(word);
        if (choice_number(o, word, length) < 0)
            return name_choices(o, word, length, length < strlen(text), e);
        if (!word[length]) return 0;
    }
}

int option_words(const struct option *o, void *field, const char *const value[], struct error *e)
{
    struct option_words *w = field;
    w->word[w->count++] = (char *)(uintptr_t)value[0]; /* a word of argv, to which `word` points */
    return 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

int option_values(const struct option *o)
{
    return !o->value && o->name[0] == '-' ? 0 : o->value && strchr(o->value, ' ') ? 2 : 1;
}

/* The state of the parser. */
struct reading {
    const struct command *command;
    char *into;
    char **argv, **word, **end; /* all words; the next word; the end */
    const struct option *operand;
    const char *value[OPTIONS_MAX]; /* first value of each option, given or preset */
    bool given[OPTIONS_MAX], only_operands, help;
};

const struct option *option_find(const struct command *c, const char *name)
{
    const struct option *o = c->words;
    while (o->name && strcmp(o->name, name)) o++;
    return o->name ? o : NULL;
}

/* Refuses a time in two words, such as "6 h". Without this check "h" would be refused as an operand, which misleads. */
static bool refuse_unit(const struct reading *r, const char *word, struct error *e)
{
    double time_s;
    char joined[48];
    const char *before = r->word - r->argv > 2 ? r->word[-2] : "";
    const char *number = strchr(before, '=') ? strchr(before, '=') + 1 : before;
    if (!isdigit((unsigned char)*number) || isdigit((unsigned char)*word)) return false;
    if (snprintf(joined, sizeof joined, "%s%s", number, word) >= (int)sizeof joined) return false;
    if (times_span(&time_s, joined, TIMES_NONE, NULL)) return false;
    error_input(e, "%s: %s %s: a time is one word; write %s", r->command->name, number, word,
                joined);
    return true;
}

static int set_option(struct reading *r, const struct option *o, const char *const value[],
                      struct error *e)
{
    struct error why = {0};
    char excerpt[48];
    double time_s;
    if (!*value[0])
        return error_input(e, "%s: %s: is empty; see sciara %s --help", r->command->name, o->name,
                           r->command->name);
    int status = check_choices(o, value[0], &why);
    if (!status) status = o->set(o, r->into + o->at, value, &why);
    r->value[o - r->command->words] = value[0];
    if (!status) return 0;
    if (o->name[0] != '-' && refuse_unit(r, value[0], e)) return ERROR_INPUT;
    const bool is_time = o->name[0] != '-' && option_find(r->command, "--until") &&
                         !times_span(&time_s, value[0], TIMES_NONE, NULL);
    return error_input(e, "%s: %s %s: %s%s%s", r->command->name, o->name,
                       scan_excerpt(excerpt, value[0]), why.text,
                       is_time ? "; or use --until " : "", is_time ? excerpt : "");
}

static int unknown_option(const struct reading *r, const char *name, struct error *e)
{
    struct scan_nearest near = {.given = name};
    char excerpt[48];
    scan_excerpt(excerpt, name);
    EACH_OPTION (o, r->command) scan_nearest(&near, o->name);
    if (near.name)
        return error_input(e, "%s: unknown option %s; did you mean %s?", r->command->name, excerpt,
                           near.name);
    return error_input(e, "%s: unknown option %s; see sciara %s --help", r->command->name, excerpt,
                       r->command->name);
}

/* Takes the values of an option from the next words. first: the value after "=", which replaces the first word;
 * NULL: there is no "=". */
static int take_values(struct reading *r, const struct option *o, const char *first,
                       struct error *e)
{
    const char *value[2] = {first, NULL};
    for (int i = 0; i < option_values(o); i++) {
        if (!value[i] && r->word < r->end) value[i] = *r->word++;
        if (!value[i])
            return error_input(e, "%s: %s: its value is missing; see sciara %s --help",
                               r->command->name, o->name, r->command->name);
    }
    return set_option(r, o, value, e);
}

static int take_option(struct reading *r, const char *word, struct error *e)
{
    const size_t length = strcspn(word, "=");
    const char *first = word[length] ? word + length + 1 : NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < 63 ? (int)length : 63, word);
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        r->help = true;
        return 0;
    }
    if (!strcmp(name, "--help"))
        return error_input(e, "%s: --help: takes no value", r->command->name);
    const struct option *o = option_find(r->command, name);
    if (!o) return unknown_option(r, name, e);
    assert(o - r->command->words < OPTIONS_MAX);
    bool *given = &r->given[o - r->command->words];
    if (o->set && *given)
        return error_input(e, "%s: %s: is given twice", r->command->name, o->name);
    *given = true;
    if (o->set) return take_values(r, o, first, e);
    if (first) return error_input(e, "%s: %s: takes no value", r->command->name, o->name);
    *(bool *)(r->into + o->at) = true;
    return 0;
}

static int take_operand(struct reading *r, const char *word, struct error *e)
{
    const struct option *o = r->operand;
    char excerpt[48];
    if (!option_is_operand(o) && refuse_unit(r, word, e)) return ERROR_INPUT;
    if (!option_is_operand(o))
        return error_input(e, "%s: %s: is one argument too many; see sciara %s --help",
                           r->command->name, scan_excerpt(excerpt, word), r->command->name);
    if (o->repeated && o->set == option_words) {
        struct option_words *w = (struct option_words *)(r->into + o->at);
        if (!w->count) w->word = r->word - 1; /* overwrites words of argv that have been read */
    }
    if (!o->repeated) r->operand++;
    r->given[o - r->command->words] = true;
    return set_option(r, o, &word, e);
}

/* Whether a word is an option. The parser takes "-5" as a number, which is refused later, and "-" as a file name. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]);
}

/* ---- options that have an effect only with others -------------------------------------------- */

/* Whether two lists with commas have a word in common: `list`, and the first `length` bytes of `others`. */
static bool list_shares(const char *list, const char *others, size_t length)
{
    for (; *list; list += strspn(list, ",")) {
        const size_t one = strcspn(list, ",");
        for (size_t at = 0; at < length; at += strcspn(others + at, ", ") + 1)
            if (strcspn(others + at, ", ") == one && !strncmp(others + at, list, one)) return true;
        list += one;
    }
    return false;
}

/* The first of `words` (`needs` or `not_with`) that is true of the command line; NULL: none is. usual: --NAME=VALUE is
 * also true if --NAME is not given and has no preset, as its default may be VALUE. */
static const char *find_met(const struct reading *r, const char *words, bool usual)
{
    char name[64];
    for (size_t length; *words; words += length + strspn(words + length, " ")) {
        length = strcspn(words, " ");
        const size_t head = strcspn(words, " =");
        snprintf(name, sizeof name, "%.*s", (int)head, words);
        const struct option *o = option_find(r->command, name);
        assert(o);
        const int i = (int)(o - r->command->words);
        if (head == length ? r->given[i]
            : r->value[i]  ? list_shares(r->value[i], words + head + 1, length - head - 1)
                           : usual)
            return words;
    }
    return NULL;
}

/* Writes words for a message, such as "--method sobol or both". `all` false: writes only the first word. */
static char *words_said(char out[256], const char *words, bool all)
{
    size_t n = 0;
    for (; *words && (all || *words != ' ') && n < 250; words++)
        if (*words == ',' && (!words[1] || words[1] == ' ')) continue;
        else
            n += (size_t)snprintf(out + n, 256 - n, strchr(" ,", *words) ? " or " : "%c",
                                  *words == '=' ? ' ' : *words);
    return out;
}

static int check_together(const struct reading *r, struct error *e)
{
    char other[256];
    const char *command = r->command->name, *met;
    EACH_OPTION (o, r->command) {
        if (!r->given[o - r->command->words]) continue;
        if (o->needs && !find_met(r, o->needs, true)) {
            words_said(other, o->needs, true);
            return error_input(e, "%s: %s: has no effect without %s; add %s, or omit %s", command,
                               o->name, other, other, o->name);
        }
        if (o->not_with && (met = find_met(r, o->not_with, false)))
            return error_input(e, "%s: %s and %s contradict each other; omit one", command, o->name,
                               words_said(other, met, false));
    }
    return 0;
}

static void set_presets(struct reading *r)
{
    for (const struct option *o = r->command->words; o->name; o++) {
        struct error e = {0};
        int status = o->preset ? set_option(r, o, &o->preset, &e) : 0;
        assert(!status);
        (void)status;
    }
}

int options_parse(const struct command *c, void *into, int argc, char **argv, struct error *e)
{
    struct reading r = {.command = c,
                        .into = into,
                        .argv = argv,
                        .word = argv + (argc > 0),
                        .end = argv + argc,
                        .operand = c->words};
    int status = 0;
    set_presets(&r);
    while (!status && !r.help && r.word < r.end) {
        const char *word = *r.word++;
        if (r.only_operands || !is_option(word)) status = take_operand(&r, word, e);
        else if (!strcmp(word, "--")) r.only_operands = true;
        else status = take_option(&r, word, e);
    }
    if (status) return status;
    if (r.help) {
        help_command(c);
        return OPTIONS_HELP;
    }
    const struct option *next = r.operand;
    const bool some = next->repeated && ((struct option_words *)(r.into + next->at))->count;
    if (option_is_operand(next) && !next->optional && !some)
        return error_input(e, "%s: %s; see sciara %s --help", c->name, c->missing, c->name);
    return check_together(&r, e);
}
