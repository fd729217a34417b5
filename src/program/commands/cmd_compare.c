/* cmd_compare.c — `sciara compare A B`: compares two runs or two rasters, layer by layer. */
#include "cli.h"

#include "library/inside.h"

#include <stdbool.h>
#include <stdio.h>

struct request {
    const char *a, *b;
    bool json, quiet;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("A", option_text, a,
            "the folder of a run, a state, or a raster (GeoTIFF or Arc/Info ASCII)",
            .completes = COMPLETE_FILE),
    OPERAND("B", option_text, b,
            "another of the same kind as A; a state stands for the layers of its step",
            .completes = COMPLETE_FILE),
    OPTION_FLAG("--json", json, "print JSON", .not_with = "--quiet"),
    OPTION_FLAG("--quiet", quiet, "print nothing; only the exit status gives the result"),
    {0},
};
static const struct option_exit exits[] = {
    {SCIARA_EQUAL, "equal"},
    {SCIARA_DIFFERENT, "different"},
    {SCIARA_UNDECIDED, "undecided: nothing to compare, everything is empty, or an error"},
    {0, NULL},
};

static void print_layer(const struct sciara_layer_difference *layer)
{
    const struct sciara_difference *d = &layer->d;
    char line[512], place[48] = "", overlap[24] = "-";
    if (d->either && d->either < d->cells) snprintf(overlap, sizeof overlap, "%.6f", d->overlap);
    if (d->largest > 0)
        snprintf(place, sizeof place, "  (row %zu, col %zu)", layer->row, layer->col);
    snprintf(line, sizeof line, "%-32s %-10s %10zu %13.6g %13.6g %9s%s%s\n", layer->name,
             d->differ ? "different" : "equal bits", d->differ, d->largest, d->l1, overlap, place,
             d->empty ? "  EMPTY: neither has a value other than 0" : "");
    cli_print_lines(line);
}

static void print_comparison(const struct sciara_comparison *c)
{
    static const char *const verdicts[] = {"equal", "different", "undecided: "};
    puts("raster                           bits           cells       largest            L1   "
         "overlap");
    for (int i = 0; i < c->count; i++) print_layer(&c->layer[i]);
    if (*c->digest_a)
        printf("%-32s %-10s %.20s %.20s\n", "exact state at the last step",
               strcmp(c->digest_a, c->digest_b) ? "different" : "equal", c->digest_a, c->digest_b);
    cli_print_lines(c->notes);
    printf("%s%s\n", verdicts[c->verdict], c->reason);
}

/* After an error the exit status is SCIARA_UNDECIDED, because status 1 means "different". */
static int compare_results(void *request, struct error *e)
{
    const struct request *q = request;
    struct sciara_comparison *c;
    struct sciara_error why;
    if (sciara_compare(&c, q->a, q->b, &cli_watcher, &why)) {
        error_of_sciara(&why, e);
        return (int)(e->code = (enum error_code)SCIARA_UNDECIDED);
    }
    if (q->json) fputs(c->json, stdout);
    else if (!q->quiet) print_comparison(c);
    const int verdict = c->verdict;
    sciara_comparison_free(c);
    return verdict;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare two runs or two rasters, layer by layer",
    .about = "Compares two folders of runs, by rasters of the same name, or two rasters. A state "
             "stands for a folder with the layers of its step. For each raster: whether the bits "
             "are equal, the number of cells that differ, the largest difference, the sum of "
             "differences (L1), and the overlap of the footprints (cells > 0).",
    .missing = "name two runs or two rasters",
    .exits = exits,
    COMMAND_OF(struct request, compare_results),
};
