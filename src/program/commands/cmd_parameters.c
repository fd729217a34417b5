/* cmd_parameters.c — `sciara parameters [NAME...]`: shows the parameter sets that a case can name. */
#include "cli.h"

#include "case/parameter_sets.h"
#include "products/summary.h"
#include "text/number.h"
#include "record/json_number.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>

struct request {
    struct option_words names;
    bool json;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("NAME", option_words, names, "a set to show completely", .repeated = true,
            .optional = true, .completes = COMPLETE_PARAMETERS, .usual = "a list of all"),
    OPTION_FLAG("--json", json, "print JSON: a list of complete sets"),
    {0},
};

static void score_text(char out[32], const struct sciara_parameter_score *s)
{
    if (isnan(s->jaccard)) snprintf(out, 32, "none");
    else if (isnan(s->error)) snprintf(out, 32, "%.3f", s->jaccard);
    else snprintf(out, 32, "%.3f +- %.3f", s->jaccard, s->error);
}

static void print_row(const struct parameter_set *s)
{
    char in_sample[32], held_out[32];
    score_text(in_sample, &s->in_sample);
    score_text(held_out, &s->held_out);
    printf("%-22s %6g %8g  %-16s %-16s %s\n", s->name, s->calibrated_cell_m, s->params.clock_s,
           in_sample, held_out, s->eruption);
}

/* Prints a set as lines of a case: the key `parameters`, and comments. */
static void print_whole(const struct parameter_set *s)
{
    const struct sciara_parameter_score *const score[] = {&s->in_sample, &s->held_out};
    static const char *const called[] = {"in sample", "held out"};
    char text[32];
    printf("# %s\n# source     %s\n", s->eruption, s->source);
    for (int i = 0; i < 2; i++) {
        score_text(text, score[i]);
        const bool known = !isnan(score[i]->jaccard);
        printf("# %-10s %s%s%s%s\n", called[i], known ? "J " : "", known ? text : "",
               known ? " " : "", score[i]->of);
    }
    printf("# not for    %s\nparameters          %s\n", s->not_for, s->name);
    printf("# which stands for\n#   %-18s%g  # m\n", "calibrated_cell_m", s->calibrated_cell_m);
    for (int i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &params_table[i];
        printf("#   %-18s%s%s%s\n", p->name, number_text(params_value(&s->params, p), text),
               *p->unit ? "  # " : "", p->unit);
    }
}

static void add_score(cJSON *parent, const char *name, const struct sciara_parameter_score *s)
{
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    json_add_numbers(o, {"jaccard", s->jaccard}, {"error", s->error}); /* NaN becomes null */
    cJSON_AddStringToObject(o, "of", s->of);
}

static void add_set(cJSON *list, const struct parameter_set *s)
{
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"name", s->name}, {"eruption", s->eruption}, {"source", s->source});
    cJSON_AddNumberToObject(o, "calibrated_cell_m", s->calibrated_cell_m);
    add_score(o, "in_sample", &s->in_sample);
    add_score(o, "held_out", &s->held_out);
    cJSON_AddStringToObject(o, "not_for", s->not_for);
    output_list_parameters(o, "parameters", &s->params);
}

static int show_sets(const struct request *q, cJSON *list, struct error *e)
{
    const int named = q->names.count, count = named ? named : parameter_set_count();
    struct parameter_set s;
    int status = 0;
    if (!named && !list)
        printf("%-22s %6s %8s  %-16s %-16s %s\n", "set", "cell/m", "Pclock/s", "J in sample",
               "J held out", "of");
    for (int i = 0; i < count && !status; i++) {
        status = parameter_set_find(&s, named ? q->names.word[i] : parameter_set_name(i), e);
        if (status) break;
        if (list) add_set(list, &s);
        else if (!named) print_row(&s);
        else print_whole(&s);
        if (named && !list && i + 1 < count) putchar('\n');
    }
    return status;
}

static int parameters(void *request, struct error *e)
{
    const struct request *q = request;
    cJSON *list = q->json ? cJSON_CreateArray() : NULL;
    const int status = show_sets(q, list, e);
    if (!status && list) return cli_print_json(list, e);
    cJSON_Delete(list);
    return status;
}

const struct command command_parameters = {
    .name = "parameters",
    .summary = "list the parameter sets that a case can name",
    .about = "Lists the parameter sets that a case can name in a line `parameters NAME`, or shows "
             "the sets NAME: values, cell size, eruption, source, unsuitable uses, and the "
             "agreement of runs with that eruption and with eruptions that were not used in the "
             "fit (overlap J: cells in both run and outline, divided by cells in either).\n\n"
             "In a case, keys of the model after that line replace the values of the set.",
    COMMAND_OF(struct request, parameters),
};
