/* The parser of command lines on a table of its own: all kinds of options, both forms, any order,
 * and every refusal. */
/* tests: program/options */
/* build: commands */
#include "options/options.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct made {
    const char *first, *text;
    int64_t whole;
    int number, choice;
    double real, pair[2];
    const char *list;
    struct option_words rest;
    bool flag, other, with;
};

static const char *const colours[] = {"red", "green", "blue", NULL};

#define AT(member) offsetof(struct made, member)
static const struct option made_words[] = {
    {.name = "FIRST", .set = option_text, .at = AT(first), .help = "a word"},
    {.name = "REST", .set = option_words, .at = AT(rest), .repeated = true, .help = "words"},
    {.name = "--text", .value = "T", .set = option_text, .at = AT(text), .help = "t"},
    {.name = "--whole",
     .value = "N",
     .set = option_whole,
     .at = AT(whole),
     .low = -3,
     .high = INT64_MAX,
     .help = "n"},
    {.name = "--number",
     .value = "N",
     .set = option_int,
     .at = AT(number),
     .low = 1,
     .high = 9,
     .preset = "7",
     .help = "n"},
    {.name = "--real",
     .value = "M",
     .set = option_real,
     .at = AT(real),
     .unit = "metres",
     .help = "m"},
    {.name = "--pair",
     .value = "X Y",
     .set = option_real,
     .at = AT(pair),
     .low = INT64_MIN,
     .unit = "metres",
     .help = "m"},
    {.name = "--choice",
     .value = "C",
     .set = option_choice,
     .at = AT(choice),
     .choices = colours,
     .also = "grey",
     .preset = "green",
     .help = "c"},
    {.name = "--list",
     .value = "L",
     .set = option_text,
     .at = AT(list),
     .choices = colours,
     .list = true,
     .help = "l"},
    {.name = "--flag", .at = AT(flag), .help = "f"},
    {.name = "--other", .at = AT(other), .help = "o"},
    {.name = "--with",
     .at = AT(with),
     .help = "w",
     .needs = "--text --choice=red,blue --list=green",
     .not_with = "--pair --choice=grey --list=red"},
    {0},
};
static const struct command made = {.name = "made",
                                    .summary = "s",
                                    .about = "a",
                                    .words = made_words,
                                    .missing = "name two words",
                                    .exits = command_exits};

enum { WORDS = 40 };

/* `line` is cut at blanks; ~ stands for an empty word. */
static int parse(struct made *m, const char *line, struct error *e)
{
    static char copy[400];
    static char *word[WORDS];
    int n = 0;
    word[n++] = "made";
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok(copy, " "); w && n < WORDS - 1; w = strtok(NULL, " "))
        word[n++] = strcmp(w, "~") ? w : "";
    word[n] = NULL;
    *m = (struct made){.whole = -99};
    *e = (struct error){0};
    return options_parse(&made, m, n, word, e);
}

static void good(struct made *m, const char *line)
{
    struct error e;
    if (parse(m, line, &e)) fail_msg("'%s' is refused: %s", line, e.text);
}

static void test_values(void **state)
{
    struct made m;
    good(&m, "a b");
    assert_string_equal(m.first, "a");
    assert_int_equal(m.rest.count, 1);
    assert_int_equal(m.number, 7); /* preset */
    assert_int_equal(m.choice, 1); /* preset: green */
    assert_int_equal(m.whole, -99);
    assert_null(m.text);
    good(&m, "--whole -3 --number=9 a --pair -1.5 2e3 --flag b --choice grey c --list red,blue -5");
    assert_int_equal(m.whole, -3);
    assert_int_equal(m.number, 9);
    assert_true(m.pair[0] == -1.5 && m.pair[1] == 2000);
    assert_true(m.flag && !m.other);
    assert_int_equal(m.choice, 3);
    assert_string_equal(m.list, "red,blue");
    assert_int_equal(m.rest.count, 3);
    assert_string_equal(m.rest.word[0], "b");
    assert_string_equal(m.rest.word[1], "c");
    assert_string_equal(m.rest.word[2], "-5"); /* a number is no option */
    good(&m, "a b --whole=9223372036854775807 --text=a=b");
    assert_true(m.whole == INT64_MAX);
    assert_string_equal(m.text, "a=b");
}

static void test_ends(void **state)
{
    struct made m;
    good(&m, "a -- --flag --whole");
    assert_false(m.flag);
    assert_int_equal(m.rest.count, 2);
    assert_string_equal(m.rest.word[0], "--flag");
    good(&m, "--text -- a - --flag"); /* a value may be anything; - is a word */
    assert_string_equal(m.text, "--");
    assert_string_equal(m.rest.word[0], "-");
    assert_true(m.flag);
    good(&m, "--flag a --flag b --flag"); /* saying it again changes nothing */
    assert_true(m.flag);
}

/* Options in any order and form, words anywhere between them, are the same. */
static void test_orders(void **state)
{
    static const char *const pairs[][2] = {
        {"--text", "t"},     {"--whole", "5"},   {"--number", "3"}, {"--real", "0.25"},
        {"--choice", "red"}, {"--list", "blue"}, {"--flag", NULL}};
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    srand(1);
    for (int round = 0; round < 2000; round++) {
        char line[400] = "";
        int order[PAIRS], words = 0;
        for (int i = 0; i < PAIRS; i++) {
            const int j = rand() % (i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (int i = 0; i < PAIRS; i++) {
            const char *const *p = pairs[order[i]];
            if (words < 3 && rand() % 2) sprintf(line + strlen(line), " w%d", words++);
            sprintf(line + strlen(line), " %s%s%s", p[0],
                    !p[1]        ? ""
                    : rand() % 2 ? "="
                                 : " ",
                    p[1] ? p[1] : "");
        }
        while (words < 3) sprintf(line + strlen(line), " w%d", words++);
        struct made m;
        good(&m, line);
        assert_string_equal(m.text, "t");
        assert_true(m.whole == 5 && m.number == 3 && m.real == 0.25 && m.choice == 0 && m.flag);
        assert_string_equal(m.list, "blue");
        assert_string_equal(m.first, "w0");
        assert_int_equal(m.rest.count, 2);
        assert_string_equal(m.rest.word[0], "w1");
        assert_string_equal(m.rest.word[1], "w2");
    }
}

static void test_refusals(void **state)
{
    static const char *const bad[][2] = {
        {"", "made: name two words; see sciara made --help"},
        {"a", "made: name two words; see sciara made --help"},
        {"~ b", "made: FIRST: is empty; see sciara made --help"},
        {"a b --nonsense", "made: unknown option --nonsense; see sciara made --help"},
        {"a b -x", "made: unknown option -x; see sciara made --help"},
        {"a b --wole=1", "made: unknown option --wole; did you mean --whole?"},
        {"a b --FLAG", "made: unknown option --FLAG; did you mean --flag?"},
        {"a b --whole", "made: --whole: its value is missing; see sciara made --help"},
        {"a b --pair 1", "made: --pair: its value is missing; see sciara made --help"},
        {"a b --pair=1", "made: --pair: its value is missing; see sciara made --help"},
        {"a b --whole 1 --whole=1", "made: --whole: is given twice"},
        {"a b --flag=yes", "made: --flag: takes no value"},
        {"a b --help=1", "made: --help: takes no value"},
        {"a b --text=", "made: --text: is empty; see sciara made --help"},
        {"a b --text ~", "made: --text: is empty; see sciara made --help"},
        {"a b --number 0", "made: --number 0: give a whole number from 1 to 9"},
        {"a b --number 10", "made: --number 10: give a whole number from 1 to 9"},
        {"a b --number 3.0", "made: --number 3.0: give a whole number from 1 to 9"},
        {"a b --number 4294967297", "made: --number 4294967297: give a whole number from 1 to 9"},
        {"a b --whole 9223372036854775808",
         "made: --whole 9223372036854775808: give a whole number from -3 to 9223372036854775807"},
        {"a b --real -1", "made: --real -1: give metres, a number from 0"},
        {"a b --real nan", "made: --real nan: give metres, a number from 0"},
        {"a b --real 0x1", "made: --real 0x1: give metres, a number from 0"},
        {"a b --pair 1 x", "made: --pair 1: give two numbers, in metres"},
        {"a b --pair inf 1", "made: --pair inf: give two numbers, in metres"},
        {"a b --choice pink", "made: --choice pink: choose red, green, blue or grey"},
        {"a b --choice re", "made: --choice re: choose red, green, blue or grey"},
        {"a b --choice gren",
         "made: --choice gren: did you mean green? choose red, green, blue or grey"},
        {"a b --choice red,blue", "made: --choice red,blue: choose red, green, blue or grey"},
        {"a b --list red,",
         "made: --list red,: give a list of red, green and blue, separated by commas"},
        {"a b --list ,red",
         "made: --list ,red: give a list of red, green and blue, separated by commas"},
        {"a b --list=red,pink",
         "made: --list red,pink: pink is unknown; give a list of red, green and blue, separated by "
         "commas"},
        {"a b --list pink",
         "made: --list pink: give a list of red, green and blue, separated by commas"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct made m;
        struct error e;
        assert_int_equal(parse(&m, bad[i][0], &e), ERROR_INPUT);
        assert_string_equal(e.text, bad[i][1]);
    }
}

/* A default that is no preset (of --list) counts for what is needed, a preset (green) counts as it is. */
static void test_together(void **state)
{
    static const char none[] = "made: --with: has no effect without --text or --choice red or blue "
                               "or --list green; add --text or --choice red or blue or --list "
                               "green, or omit --with";
    static const struct {
        const char *line, *why;
    } cases[] = {
        {"a b --with", NULL},
        {"a b --with --list blue", none},
        {"a b --list blue", NULL},
        {"a b --with --list blue,green", NULL},
        {"a b --with --list blue --choice=red", NULL},
        {"--text x a b --list blue --with", NULL},
        {"a b --with --list green,red",
         "made: --with and --list red contradict each other; omit one"},
        {"a b --pair 1 2 --with", "made: --with and --pair contradict each other; omit one"},
        {"a b --text x --with --choice grey",
         "made: --with and --choice grey contradict each other; omit one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct error e;
        assert_int_equal(parse(&m, cases[i].line, &e), cases[i].why ? ERROR_INPUT : 0);
        if (cases[i].why) assert_string_equal(e.text, cases[i].why);
    }
}

/* ---- the options of all commands ------------------------------------------------------------- */

enum { REQUEST = 8192, ARGUMENTS = 16 };

/* What a command understands of its words: the status and the error, or its struct. */
struct understood {
    struct error e;
    int status;
    _Alignas(max_align_t) unsigned char request[REQUEST];
};

/* The words, and one for each operand that has to be there. */
static void understand(struct understood *u, const struct command *c, int count,
                       const char *const word[])
{
    char *argv[ARGUMENTS] = {(char *)c->name}, operand[] = "3";
    int argc = 1;
    struct option words[OPTIONS_MAX + 1] = {0};
    struct command alone = *c; /* each word is good or not by itself */
    for (int i = 0; c->words[i].name; i++) {
        assert_true(i < OPTIONS_MAX);
        words[i] = c->words[i];
        words[i].needs = words[i].not_with = NULL;
    }
    alone.words = words;
    memset(u, 0, sizeof *u);
    assert_true(c->size < sizeof u->request);
    if (c->defaults) memcpy(u->request, c->defaults, c->size);
    for (int i = 0; i < count; i++) argv[argc++] = (char *)word[i];
    EACH_OPERAND (o, c)
        if (!o->optional) argv[argc++] = operand;
    u->status = options_parse(&alone, u->request, argc, argv, &u->e);
    EACH_OPERAND (o, c)
        if (o->set == option_text) memset(u->request + o->at, 0, sizeof(char *));
        else if (o->set == option_words) memset(u->request + o->at, 0, sizeof(char **));
}

/* Whether --x V, or --x V W, is good; it is the same as --x=V. */
static bool is_good(const struct command *c, const struct option *o, const char *value)
{
    struct understood apart, joined;
    char whole[256];
    const int head = snprintf(whole, sizeof whole, "%s=", o->name);
    snprintf(whole + head, sizeof whole - (size_t)head, "%s", value);
    const int values = option_values(o);
    understand(&apart, c, 1 + values, (const char *[]){o->name, whole + head, value});
    understand(&joined, c, values, (const char *[]){whole, value});
    assert_int_equal(apart.status, joined.status);
    if (apart.status) assert_string_equal(apart.e.text, joined.e.text);
    else assert_memory_equal(apart.request, joined.request, REQUEST);
    return !apart.status;
}

static void test_commands(void **state)
{
    static const char *const values[] = {"=,?",
                                         "",
                                         "3",
                                         "-1",
                                         "0.5",
                                         "1e400",
                                         "60",
                                         "6h",
                                         "A4",
                                         "0,1",
                                         "99999999999999999999",
                                         "32633",
                                         "x",
                                         "1,2,3,4",
                                         "ft"};
    int with_values = 0, refused = 0;
    for (int k = 0; commands[k]; k++)
        EACH_OPTION (o, commands[k]) {
            if (!option_values(o)) continue;
            int good = 0;
            const char *choice = option_choice_name(o, 0);
            if (choice) good += is_good(commands[k], o, choice);
            for (size_t i = 0; i < sizeof values / sizeof *values; i++)
                if (is_good(commands[k], o, values[i])) good++;
                else refused++;
            if (!good) fail_msg("%s %s: no value is good", commands[k]->name, o->name);
            with_values++;
        }
    assert_true(with_values > 50 && refused > 200);
}

int main(void)
{
    return UNIT_RUN(test_values, test_ends, test_orders, test_refusals, test_together,
                    test_commands);
}
