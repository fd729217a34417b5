/* compare.c — compares two questions: the difference of their probabilities in each cell, with its standard error. The error
 * is smaller than the error of two independent ensembles, because members count in both questions.
 *
 * Each member has a weight a in the first question, and b in the second. For a cell, x is 1 if the member has lava
 * there, else 0. A and B are the sums of a and b, p = sum(a x) / A and q = sum(b x) / B. To first order a member
 * changes the difference p - q by a (x - p) / A - b (x - q) / B. The error is the square root of the sum of the
 * squares of these changes. */
#include "ask.h"

#include "record/probability.h"
#include "members/library.h"
#include "pairs/pairs.h"
#include "record/json_number.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- weights of an answer ---------------------------------------------------------------------- */

bool ask_is_answer(const char *folder)
{
    FREED char *path = record_table_path(folder, "members.csv");
    return path != NULL;
}

/* Takes the weight of a row's member. Refuses a row whose digest is not that of the member's last state in the library. */
static int take_row(uint64_t *weight, const struct ask *x, const struct csv *t, const int column[3],
                    struct error *e)
{
    const struct ensemble *s = &x->of.s;
    int64_t member = 0, w = 0;
    char digest[17] = "";
    int status = csv_integer(t, column[0], 0, s->source->count - 1, &member, e);
    if (!status) status = csv_integer(t, column[1], 1, STATISTICS_WEIGHT_MAX, &w, e);
    if (status) return status;
    snprintf(digest, sizeof digest, "%016" PRIx64, s->result[member].digest);
    if (!s->result[member].done || strcmp(digest, t->cell[column[2]]) != 0)
        return csv_refuse(t, e,
                          "member %" PRId64
                          " is not of this library; name a folder that sciara ask wrote for it",
                          member);
    weight[member] = (uint64_t)w;
    return 0;
}

int ask_read_answer(uint64_t *weight, const struct ask *x, const char *folder, struct error *e)
{
    static const char *const names[] = {"member", "weight", "digest"};
    FREED char *path = record_table_path(folder, "members.csv");
    FREED_BY(csv_close) struct csv t = {.columns = 0};
    int column[3], status = path ? csv_open(&t, path, e) : error_memory(e);
    uint64_t sum = 0;
    for (int k = 0; !status && k < 3; k++)
        if ((column[k] = csv_column(&t, names[k])) < 0)
            status = error_input(e, "%s: has no column %s; name a folder that `sciara ask` wrote",
                                 path, names[k]);
    CSV_EACH (&t, status, e) status = take_row(weight, x, &t, column, e);
    if (status) return status;
    for (int64_t i = 0; i < x->of.s.source->count; i++) {
        sum += weight[i];
        if (sum > STATISTICS_WEIGHT_MAX)
            return error_input(e, "%s: its weights are too large", path);
    }
    return sum ? 0 : error_input(e, "%s: has no member; name another answer", path);
}

/* ---- sums -------------------------------------------------------------------------------------- */

static void add_weights(struct compared_sums *s, uint64_t a, uint64_t b)
{
    s->a += a;
    s->b += b;
    s->aa += (wide)a * a;
    s->ab += (wide)a * b;
    s->bb += (wide)b * b;
}

static struct compared_sums *open_cell(struct compared *c, uint32_t place)
{
    if (!c->slot[place]) {
        if (!GROW(c->cell, c->slots)) return NULL;
        c->cell[c->slots] = (struct compared_sums){0};
        c->slot[place] = ++c->slots;
    }
    return &c->cell[c->slot[place] - 1];
}

static int take_cells(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct ask *x = of;
    struct compared *c = &x->compared;
    const uint64_t a = x->weight[member], b = c->weight[member];
    for (int i = 0; (a || b) && i < count; i++) {
        struct compared_sums *s = open_cell(c, reached[i].place);
        if (!s) return error_memory(e);
        add_weights(s, a, b);
    }
    return 0;
}

static struct compared_found found_of(const struct compared *c, const struct compared_sums *s)
{
    const struct compared_sums *all = &c->all;
    const double A = (double)all->a, B = (double)all->b, p = (double)s->a / A, q = (double)s->b / B;
    const double of_a = ((double)s->aa * (1 - 2 * p) + p * p * (double)all->aa) / (A * A),
                 of_b = ((double)s->bb * (1 - 2 * q) + q * q * (double)all->bb) / (B * B),
                 of_both = ((double)s->ab * (1 - p - q) + p * q * (double)all->ab) / (A * B);
    return (struct compared_found){p, q, p - q, sqrt(fmax(0, of_a + of_b - 2 * of_both))};
}

static double effective_number(uint64_t weight, wide squares)
{
    return (double)weight * (double)weight / (double)squares;
}

static void compare_areas(struct ask *x)
{
    const struct ensemble *s = &x->of.s;
    struct compared *c = &x->compared;
    const double cell_m = s->source->base->geo.cell_m, area_m2 = cell_m * cell_m;
    struct compared_found *f = &c->area_m2;
    double squares = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        f->a += (double)x->weight[i] / (double)c->all.a * (double)s->result[i].cells * area_m2;
        f->b += (double)c->weight[i] / (double)c->all.b * (double)s->result[i].cells * area_m2;
    }
    for (int64_t i = 0; i < s->source->count; i++) {
        const double m2 = (double)s->result[i].cells * area_m2,
                     change = (double)x->weight[i] / (double)c->all.a * (m2 - f->a) -
                              (double)c->weight[i] / (double)c->all.b * (m2 - f->b);
        squares += change * change;
    }
    f->difference = f->a - f->b;
    f->error = sqrt(squares);
}

int ask_compare(struct ask *x, const char *path, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    const int places = s->assets.count;
    struct compared *c = &x->compared;
    c->slot = calloc(s->cells.places, sizeof *c->slot);
    c->place = calloc((size_t)places + 1, sizeof *c->place);
    if (!c->slot || !c->place) return error_memory(e);
    for (int64_t i = 0; i < s->source->count; i++) {
        const uint64_t a = x->weight[i], b = c->weight[i];
        add_weights(&c->all, a, b);
        c->members += b > 0;
        c->both += a > 0 && b > 0;
        for (int k = 0; k < places; k++)
            if (ask_at_place(x, i, k)->share_q) add_weights(&c->place[k], a, b);
    }
    compare_areas(x);
    c->asked = 1;
    c->places = places > 0;
    return library_arrivals(s, x->db, path, UINT16_MAX, NULL, take_cells, x, e);
}

bool ask_compared_reached(const void *self, size_t cell)
{
    const struct compared *c = &((const struct ask *)self)->compared;
    return c->slot && c->slot[cell];
}

void ask_compared_free(struct compared *c)
{
    RELEASE(c, c->question, c->weight, c->slot, c->cell, c->place);
}

/* ---- files ------------------------------------------------------------------------------------- */

static const struct compared *compared_of(const struct product_at *at)
{
    return &((const struct ask *)at->of)->compared;
}

static const struct compared_found nothing = {NAN, NAN, NAN, NAN};

static struct compared_found found_at(const struct product_at *at, size_t cell)
{
    const struct compared *c = compared_of(at);
    return c->slot[cell] ? found_of(c, &c->cell[c->slot[cell] - 1]) : nothing;
}

static double difference(const struct product_at *at, size_t cell)
{
    return found_at(at, cell).difference;
}

static double difference_error(const struct product_at *at, size_t cell)
{
    return found_at(at, cell).error;
}

static double difference_class(const struct product_at *at, size_t cell)
{
    const struct compared_found f = found_at(at, cell);
    return isnan(f.difference) ? (double)NAN : pairs_class(f.difference, f.error);
}

static void place_difference(const struct product_at *at, int place, char *text, size_t size)
{
    const struct compared *c = compared_of(at);
    const struct compared_found f = found_of(c, &c->place[place]);
    char said[PROBABILITY_TEXT];
    snprintf(text, size, "%s",
             probability_difference_pack(said, f.difference, f.error,
                                         fmin(effective_number(c->all.a, c->all.aa),
                                              effective_number(c->all.b, c->all.bb))));
}

static bool map_difference(const struct product_at *at, struct product_map *m)
{
    const struct ask *x = at->of;
    char of[REPORT_QUESTION], to[REPORT_QUESTION], counts[120];
    words_pack(counts, sizeof counts, "%lld and %lld {eruption|eruptions}, %lld of them in both",
               (long long)x->of.s.done, (long long)x->compared.members,
               (long long)x->compared.both);
    snprintf(m->subtitle, sizeof m->subtitle,
             "Probability that lava arrives" WORDS_NEXT WORDS_PART ", " WORDS_PART "%s" WORDS_PART
             " " WORDS_PART "minus" WORDS_NEXT WORDS_PART " " WORDS_PART "%s" WORDS_PART
             "; " WORDS_PART "%s",
             x->of.question ? report_question(of, x->of.question, 90) : "all eruptions" WORDS_NEXT,
             report_question(to, x->compared.question, 90), counts);
    map_set_classes(&m->map, pairs_classes, PAIRS_CLASSES);
    return true;
}

static void put_places(struct table *t, const struct product_at *at)
{
    const struct ask *x = at->of;
    const struct compared_sums *all = &x->compared.all;
    const double a = effective_number(all->a, all->aa), b = effective_number(all->b, all->bb);
    TABLE_ROWS (*t, i, x->of.s.assets.count) {
        const struct asset *place = &x->of.s.assets.asset[i];
        const struct compared_found s =
            place->bare ? nothing : found_of(&x->compared, &x->compared.place[i]);
        assets_put(t, place);
        TABLE_REAL(t, "probability", "", 9, s.a);
        TABLE_REAL(t, "probability_compared", "", 9, s.b);
        TABLE_REAL(t, "difference", "", 9, s.difference);
        TABLE_REAL(t, "difference_error", "", 9, s.error);
        TABLE_REAL(t, "probability_error", "", 9, statistics_error_of(s.a, a));
        TABLE_REAL(t, "probability_compared_error", "", 9, statistics_error_of(s.b, b));
    }
}

static void add_compared(cJSON *o, const struct product_at *at)
{
    const struct ask *x = at->of;
    const struct compared *c = &x->compared;
    const double cell_m = x->of.s.source->base->geo.cell_m, area_m2 = cell_m * cell_m;
    double less = 0, more = 0, error = 0;
    for (uint32_t i = 0; i < c->slots; i++) {
        const struct compared_found f = found_of(c, &c->cell[i]);
        error = fmax(error, f.error);
        if (!(fabs(f.difference) > 2 * f.error)) continue;
        if (f.difference < 0) less += area_m2;
        else more += area_m2;
    }
    cJSON_AddStringToObject(o, "with", WORDS_ENGLISH(c->question));
    cJSON_AddItemToObject(o, "with_said", json_words(c->question));
    json_add_numbers(o, {"members", c->members}, {"members_in_both", c->both},
                     {"effective", effective_number(c->all.b, c->all.bb)},
                     {"area_m2", c->area_m2.b}, {"area_difference_m2", c->area_m2.difference},
                     {"area_difference_error_m2", c->area_m2.error},
                     {"largest_probability_error", error}, {"less_probable_m2", less},
                     {"more_probable_m2", more});
}

#define COUNT(member) PRODUCT_COUNT(struct ask, compared.member)
static const struct product rows[] = {
    {PRODUCT_LAYER, "probability_difference", "",
     "probability that lava arrives less the probability in the other question", COUNT(asked),
     .value = difference},
    {PRODUCT_LAYER, "probability_difference_error", "",
     "standard error of the difference of probabilities", COUNT(asked), .value = difference_error,
     .further = true},
    {PRODUCT_TABLE, "assets_difference.csv", COUNT(places), .rows = put_places},
    {PRODUCT_MAP, "map_difference", .about = "difference of probability", COUNT(asked),
     .value = difference_class, .map = map_difference, .place = place_difference},
    {PRODUCT_ENTRY, "compared", COUNT(asked), .entry = add_compared},
};
const struct product_table ask_compared_files = {PRODUCT_TABLE_OF(rows), .next = &report_files};
