/* named.c — chooses members to look at: the member that overlaps best with all others, and members at percentiles of area,
 * run-out and arrival. Of members with the same value it chooses the lowest number. */
#include "ask.h"

#include "base/order.h"
#include "members/library.h"
#include "record/map_scene.h"
#include "record/roundnum.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/table.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAPS_MOST = 24 };

static int add_member(struct named_members *n, struct named_member one, struct error *e)
{
    return APPEND(n->row, n->rows, one) ? 0 : error_memory(e);
}

/* ---- the member that overlaps best ------------------------------------------------------------- */

/* Let w be the weight of all members that reach a cell, T the sum of w over all cells, and W the weight of all members. For a
 * member let S be the sum of w over its cells, and a their number. Then S / (T + a W - S) is its overlap J with a member drawn
 * at random: the expected number of cells in both, divided by the expected number in either. */
struct overlaps {
    const struct ask *x;
    uint64_t *weight; /* w, by slot of the statistics */
    wide *sum;        /* S, by member */
    uint64_t *cells;
};

static int add_overlap(void *of, int64_t member, const struct reached *reached, int count,
                       struct error *e)
{
    struct overlaps *o = of;
    const struct statistics *cells = &o->x->of.s.cells;
    for (int i = 0; i < count; i++) o->sum[member] += o->weight[cells->slot[reached[i].place]];
    o->cells[member] += (uint64_t)count;
    return 0;
}

static wide weigh_slots(const struct overlaps *o)
{
    const struct statistics *cells = &o->x->of.s.cells;
    wide all = 0;
    STATISTICS_EACH (cells, i, c) all += o->weight[cells->slot[i]] = statistics_reached(cells, c);
    return all;
}

static struct named_member best_of(const struct overlaps *o, wide all)
{
    struct named_member best = {.name = "representative", .place = -1, .value = -1};
    for (int64_t i = 0; i < o->x->of.s.source->count; i++) {
        if (!o->x->weight[i]) continue;
        const wide either = all + (wide)o->cells[i] * o->x->of.s.cells.weight - o->sum[i];
        const double overlap = either ? (double)o->sum[i] / (double)either : 1; /* no lava at all */
        if (!(overlap > best.value)) continue;
        best.value = overlap;
        best.member = i;
    }
    return best;
}

static int find_representative(struct named_members *n, const struct ask *x, const char *path,
                               struct error *e)
{
    const size_t members = (size_t)x->of.s.source->count;
    FREED uint64_t *weight = calloc((size_t)x->of.s.cells.slots + 1, sizeof *weight),
                   *cells = calloc(members, sizeof *cells);
    FREED wide *sum = calloc(members, sizeof *sum);
    if (!weight || !sum || !cells) return error_memory(e);
    struct overlaps o = {x, weight, sum, cells};
    const wide all = weigh_slots(&o);
    const int status =
        library_arrivals(&x->of.s, x->db, path, UINT16_MAX, x->weight, add_overlap, &o, e);
    return status ? status : add_member(n, best_of(&o, all), e);
}

/* ---- percentiles ------------------------------------------------------------------------------- */

static int find_results(struct named_members *n, const struct ask *x, enum report_result which,
                        const char *name, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    const struct percentiles of = report_spread(s, which, NAN, NULL);
    const double value[REPORT_PERCENTS] = {of.p05, of.p50, of.p95};
    int status = 0;
    for (int k = 0; k < REPORT_PERCENTS && of.members && !status; k++) {
        int64_t i = 0;
        while (!s->result[i].done || report_result(s, &s->result[i], which) != value[k]) i++;
        status = add_member(n, (struct named_member){name, -1, report_percents[k], i, value[k]}, e);
    }
    return status;
}

/* For each percentile of the time of arrival at a place, adds a member whose lava arrives in the percentile's class. */
static int find_arrivals(struct named_members *n, const struct ask *x, int place, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    const uint64_t *c = statistics_at(&s->places, (size_t)place);
    int status = 0;
    for (int k = 0; k < REPORT_PERCENTS && !status; k++) {
        const int class = statistics_arrival_class(&s->places, c, report_percents[k]);
        int64_t i = 0;
        if (class < 0) break;
        while (!x->weight[i] || !ask_at_place(x, i, place)->share_q ||
               ask_at_place(x, i, place)->arrival_class != class)
            i++;
        status = add_member(n,
                            (struct named_member){"arrival_h", place, report_percents[k], i,
                                                  report_arrival_h(s, class)},
                            e);
    }
    return status;
}

/* ---- the cells of a member, for its map ---------------------------------------------------------- */

static int keep_cells(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct named_map *m = of;
    struct reached *more = realloc(m->cell, (m->cells + (size_t)count) * sizeof *more);
    if (!more) return error_memory(e);
    m->cell = more;
    for (int i = 0; i < count; i++) more[m->cells++] = reached[i];
    return 0;
}

/* Finds one scale for all maps, so that they can be compared. */
static int find_scale(struct named_members *n, struct error *e)
{
    size_t all = 0;
    for (int i = 0; i < n->maps; i++) all += n->map[i].cells;
    FREED double *thickness_m = malloc((all + 1) * sizeof *thickness_m);
    if (!thickness_m) return error_memory(e);
    double *to = thickness_m;
    for (int i = 0; i < n->maps; i++)
        for (size_t k = 0; k < n->map[i].cells; k++)
            *to++ = (double)n->map[i].cell[k].thickness_q / STATISTICS_MM;
    map_range(thickness_m, all, &n->low_m, &n->high_m);
    return 0;
}

static int read_maps(struct named_members *n, const struct ask *x, const char *path,
                     struct error *e)
{
    int status = 0;
    if (!(n->map = calloc(MAPS_MOST, sizeof *n->map))) return error_memory(e);
    for (int i = 0; i < n->rows && n->maps < MAPS_MOST && !status; i++) {
        int k = 0;
        while (k < n->maps && n->map[k].member != n->row[i].member) k++;
        if (k < n->maps) continue;
        struct named_map *m = &n->map[n->maps++];
        m->member = n->row[i].member;
        status = library_member(&x->of.s, x->db, path, m->member, keep_cells, m, e);
        if (m->cells) qsort(m->cell, m->cells, sizeof *m->cell, order_places);
    }
    return status;
}

int ask_named(struct ask *x, const char *path, struct error *e)
{
    struct named_members *n = &x->named;
    int status = find_representative(n, x, path, e);
    if (!status) status = find_results(n, x, REPORT_AREA_M2, "area_m2", e);
    if (!status) status = find_results(n, x, REPORT_RUNOUT_M, "runout_m", e);
    for (int i = 0; i < x->of.s.assets.count && !status; i++) status = find_arrivals(n, x, i, e);
    if (!status) status = read_maps(n, x, path, e);
    if (!status) status = find_scale(n, e);
    n->asked = 1;
    return status;
}

void ask_named_free(struct named_members *n)
{
    for (int i = 0; i < n->maps; i++) free(n->map[i].cell);
    RELEASE(n, n->map, n->row);
}

/* ---- files ------------------------------------------------------------------------------------- */

void ask_named_words(const struct ask *x, const struct named_member *m, char words[NAMED_WORDS])
{
    char name[80], number[32];
    if (!m->percent) words_pack(words, NAMED_WORDS, "most representative, J %.3f", m->value);
    else if (m->place >= 0)
        words_pack(words, NAMED_WORDS, "arrival at %s %d %%, %.6g h",
                   scan_isolated(name, sizeof name, x->of.s.assets.asset[m->place].name),
                   m->percent, m->value);
    else if (*m->name == 'a')
        words_pack(words, NAMED_WORDS, "area %d %%, %s km²", m->percent,
                   roundnum_brief(number, m->value * 1e-6));
    else
        words_pack(words, NAMED_WORDS, "run-out %d %%, %s km", m->percent,
                   roundnum_brief(number, m->value * 1e-3));
}

static void put_named(struct table *t, const struct product_at *at)
{
    const struct ask *x = at->of;
    TABLE_ROWS (*t, i, x->named.rows) {
        const struct named_member *m = &x->named.row[i];
        TABLE_TEXT(t, "name", m->name);
        TABLE_TEXT(t, "place", m->place < 0 ? "" : x->of.s.assets.asset[m->place].name);
        TABLE_REAL(t, "percentile", "", 3, m->percent ? (double)m->percent : (double)NAN);
        TABLE_COUNT(t, "member", m->member);
        TABLE_REAL(t, "value", "", 9, m->value);
    }
}

static const struct named_map *map_of(const struct product_at *at)
{
    return &((const struct ask *)at->of)->named.map[at->i];
}

static bool name_map(const void *of, int i, char *name, char *about)
{
    const int64_t member = ((const struct ask *)of)->named.map[i].member;
    snprintf(name, PRODUCT_WORD, "%" PRId64, member);
    snprintf(about, PRODUCT_WORD, "%" PRId64, member);
    return true;
}

static double member_thickness(const struct product_at *at, size_t cell)
{
    const struct named_map *m = map_of(at);
    const struct reached key = {.place = (uint32_t)cell},
                         *found = m->cells
                                      ? bsearch(&key, m->cell, m->cells, sizeof key, order_places)
                                      : NULL;
    return found ? (double)found->thickness_q / STATISTICS_MM : (double)NAN;
}

static void place_member(const struct product_at *at, int place, char *text, size_t size)
{
    const struct ask *x = at->of;
    const struct reached *r = ask_at_place(x, map_of(at)->member, place);
    if (r->share_q)
        words_pack(text, size, "%.6g h, %.3g m", report_arrival_h(&x->of.s, r->arrival_class),
                   (double)r->thickness_q / STATISTICS_MM);
    else words_pack(text, size, "no lava");
}

static bool map_member(const struct product_at *at, struct product_map *m)
{
    const struct ask *x = at->of;
    const int64_t member = map_of(at)->member;
    words_pack(m->subtitle, sizeof m->subtitle, "Member %lld", (long long)member);
    int used = (int)strlen(m->subtitle);
    for (int i = 0, first = 1; i < x->named.rows && used < (int)sizeof m->subtitle - 1; i++) {
        char words[NAMED_WORDS];
        if (x->named.row[i].member != member) continue;
        ask_named_words(x, &x->named.row[i], words);
        used += snprintf(m->subtitle + used, sizeof m->subtitle - (size_t)used,
                         WORDS_PART "%s" WORDS_PART "%s", first ? ": " : "; ", words);
        first = 0;
    }
    m->map.scale_low = x->named.low_m;
    m->map.scale_high = x->named.high_m;
    m->map.mark_name = x->of.s.source->chosen ? "possible vent" : NULL;
    m->map.mark_small = x->of.s.source->vents > PRODUCT_VENTS_LARGE;
    return true;
}

#define COUNT(member) PRODUCT_COUNT(struct ask, named.member)
static const struct product rows[] = {
    {PRODUCT_TABLE, "named_members.csv", COUNT(asked), .rows = put_named},
    {PRODUCT_LAYER, "thickness_member_*_m", "m", "greatest thickness of member *", COUNT(maps),
     .word = name_map, .value = member_thickness, .further = true},
    {PRODUCT_MAP, "map_member_*", "m", "greatest thickness of member *", COUNT(maps),
     .word = name_map, .value = member_thickness, .map = map_member, .place = place_member},
};
const struct product_table ask_named_files = {PRODUCT_TABLE_OF(rows), .next = &ask_exposed_files};
