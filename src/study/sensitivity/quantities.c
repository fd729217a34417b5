/* quantities.c — the quantities of a run, by name. */
#include "sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 40 };

/* The name of a column and of files: letters, digits, '-' and '.' stay, all else becomes '_'. */
static void set_word(char out[WORD_MAX + 1], const char *name)
{
    int n = 0;
    for (; *name && n < WORD_MAX; name++) {
        const char c = *name;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || (c == '.' && n);
        if ((unsigned char)c >> 6 == 2) continue; /* the rest of a letter beyond ASCII */
        out[n++] = plain ? c : '_';
    }
    out[n] = '\0';
}

static bool is_used(const struct sensitivity *x, const char *name)
{
    for (int i = 0; i < x->quantities; i++)
        if (!strcmp(x->quantity[i].name, name)) return true;
    return false;
}

static struct quantity *add(struct sensitivity *x, enum quantity_kind kind, int number,
                            const char *name, const char *words)
{
    struct quantity *q = &x->quantity[x->quantities];
    *q = (struct quantity){.kind = kind, .number = number};
    snprintf(q->name, sizeof q->name, "%s", name);
    snprintf(q->words, sizeof q->words, "%s", words);
    x->quantities++;
    return q;
}

/* Places with equal words get a number, too. */
static void name_place(const struct sensitivity *x, int number, char word[64])
{
    char plain[WORD_MAX + 1], column[96];
    set_word(plain, x->places.asset[number].name);
    snprintf(word, 64, "%s", plain);
    for (int k = number + 1;; k++) {
        snprintf(column, sizeof column, "reached_%s", word);
        if (!is_used(x, column)) return;
        snprintf(word, 64, "%s_%d", plain, k);
    }
}

static void add_place(struct sensitivity *x, int number)
{
    const char *name = x->places.asset[number].name;
    char word[64], column[96], words[112];
    name_place(x, number, word);
    snprintf(column, sizeof column, "reached_%s", word);
    snprintf(words, sizeof words, "whether lava reaches %s", name);
    add(x, QUANTITY_REACHED, number, column, words);
    snprintf(column, sizeof column, "arrival_%s_h", word);
    snprintf(words, sizeof words, "arrival at %s (h)", name);
    add(x, QUANTITY_ARRIVAL, number, column, words);
}

static void add_scores(struct sensitivity *x)
{
    static const char *const scores[] = {"J", "F1", "precision", "recall"};
    char column[96], words[112];
    if (x->observed.count > 1)
        add(x, QUANTITY_SCORE, 0, "score", "agreement with all that was observed");
    for (int i = 0; i < x->observed.count; i++) {
        const struct observation *o = &x->observed.item[i];
        const char *score = o->inside && !o->unit ? scores[o->score] : "agreement";
        snprintf(column, sizeof column, "score_%s", o->name);
        snprintf(words, sizeof words, "%s with the observed %s", score, o->name);
        add(x, QUANTITY_SCORE_OF, i, column, words);
    }
}

void quantities_list(struct sensitivity *x)
{
    const struct plan *p = x->plan;
    add(x, QUANTITY_AREA, 0, "area_m2", "area (m\xC2\xB2)");
    if (p->vents.count) add(x, QUANTITY_RUNOUT, 0, "runout_m", "run-out (m)");
    add(x, QUANTITY_MAX_THICKNESS, 0, "max_thickness_m", "greatest thickness (m)");
    if (!p->base.thickness_m)
        add(x, QUANTITY_MEAN_THICKNESS, 0, "mean_thickness_m", "mean thickness in the end (m)");
    add(x, QUANTITY_VOLUME, 0, "volume_on_terrain_m3",
        "emitted volume that stays on the terrain (m\xC2\xB3)");
    add_scores(x);
    for (int i = 0; i < x->places.count; i++) add_place(x, i);
}

static double value_of(const struct sensitivity *x, const struct quantity *q,
                       const struct contribution *one, const struct agreement *a)
{
    const struct member_result *r = &one->result;
    const double cell_m = x->plan->base.geo.cell_m, area_m2 = (double)r->cells * cell_m * cell_m;
    const double volume_m3 = r->emitted_m3 - r->left_m3;
    switch (q->kind) {
    case QUANTITY_AREA:
        return area_m2;
    case QUANTITY_RUNOUT:
        return isnan(r->runout_m) ? 0 : r->runout_m;
    case QUANTITY_MAX_THICKNESS:
        return r->max_thickness_m;
    case QUANTITY_MEAN_THICKNESS:
        return area_m2 > 0 ? volume_m3 / area_m2 : 0;
    case QUANTITY_VOLUME:
        return volume_m3;
    case QUANTITY_SCORE:
        return a->all[PART_SEEN];
    case QUANTITY_SCORE_OF:
        return a->of[q->number][PART_SEEN];
    default:
        return 0;
    }
}

int quantities_of(const struct sensitivity *x, const struct contribution *one,
                  const struct axis *arrival_s, double *value, struct error *e)
{
    int first[SENSITIVITY_PLACES_MAX]; /* class of arrival */
    struct agreement a;
    int status = x->observed.count ? observations_judge(&x->observed, one, &a, e) : 0;
    if (status) return status;
    for (int i = 0; i < x->places.count; i++) first[i] = -1;
    for (size_t i = 0; i < one->places; i++)
        first[one->place[i].place] = one->place[i].arrival_class;
    for (int i = 0; i < x->quantities; i++) {
        const struct quantity *q = &x->quantity[i];
        if (q->kind == QUANTITY_REACHED) value[i] = first[q->number] >= 0;
        else if (q->kind == QUANTITY_ARRIVAL)
            value[i] =
                axis_low(arrival_s, first[q->number] < 0 ? arrival_s->edges : first[q->number]) /
                3600;
        else value[i] = value_of(x, q, one, &a);
    }
    return 0;
}
