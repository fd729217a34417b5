#include "ask.h"

#include "base/order.h"
#include "case/case_notes.h"
#include "members/library.h"
#include "tally.h"
#include "text/grow.h"
#include "text/quantities.h"
#include "text/textfile.h"
#include "text/words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct ask_options *options_of(const struct study_job *j)
{
    return j->options;
}

/* ---- opening --------------------------------------------------------------------------------- */

enum { QUESTION_PARTS = 4 };

/* Writes the parts of a question, packed (text/words.h). Returns how many. */
static int find_parts(char part[QUESTION_PARTS][WORDS_TEXT], const struct ask_options *o)
{
    int count = 0;
    if (o->where) words_pack(part[count++], WORDS_TEXT, "%s", o->where);
    if (o->given && o->at_s > 0)
        words_pack(part[count++], WORDS_TEXT, "given %s at %g h", o->given, o->at_s / 3600);
    else if (o->given) words_pack(part[count++], WORDS_TEXT, "given %s", o->given);
    if (o->vents) words_pack(part[count++], WORDS_TEXT, "vents by %s", o->vents);
    if (o->classes) words_pack(part[count++], WORDS_TEXT, "classes by %s", o->classes);
    return count;
}

/* Joins the parts of a question, packed, for maps, layers and the summary; NULL: out of memory. */
static char *question_of(const struct ask_options *o)
{
    char part[QUESTION_PARTS][WORDS_TEXT], all[WORDS_TEXT] = "";
    const int count = find_parts(part, o);
    if (count == 1) snprintf(all, sizeof all, "%s", part[0]);
    if (count == 2) words_pack(all, sizeof all, "%s; %s", part[0], part[1]);
    if (count == 3) words_pack(all, sizeof all, "%s; %s; %s", part[0], part[1], part[2]);
    if (count == 4)
        words_pack(all, sizeof all, "%s; %s; %s; %s", part[0], part[1], part[2], part[3]);
    return text_format("%s", all);
}

/* The question for readers, malloc'ed: its parts in a row, with words in place of names of columns. NULL: out of memory. */
static char *asked_of(const struct ask_options *o)
{
    char part[QUESTION_PARTS][WORDS_TEXT];
    const int count = find_parts(part, o);
    if (o->where) quantities_condition(part[0], WORDS_TEXT, o->where);
    char *all = text_format("%s", part[0]);
    for (int i = 1; all && i < count; i++) {
        FREED char *before = all;
        all = text_format("%s" WORDS_PART "; " WORDS_PART "%s", before, part[i]);
    }
    return all;
}

static int check_options(const struct ask_options *o, struct error *e)
{
    if (o->at_s > 0 && !o->given)
        return error_input(e, "at: is the time of an observed outline; name the outline, too");
    return 0;
}

/* Opens the ensemble of the plan. If the library has the plan's outlook, the ensemble uses it. Otherwise the ensemble
 * makes all members once to find the outlook. */
static int open_ensemble(struct study_job *j, struct error *e)
{
    struct ensemble_options o = options_of(j)->ensemble;
    const void *const options = j->options;
    struct plan_outlook known;
    if (library_outlook(&known, ((struct ask *)j->self)->db)) o.known = &known;
    j->options = &o;
    const int status = study_ensemble.open(j, e);
    j->options = options;
    return status;
}

static int open_study(struct study_job *j, struct error *e)
{
    struct ask *x = j->self;
    const char *path = options_of(j)->library;
    int status = library_open(&x->db, &x->plan, path, e);
    if (status) return status;
    x->of.also = &ask_named_files;
    if (options_of(j)->compare) x->of.also_reached = ask_compared_reached;
    if (!j->plan) j->plan = x->plan;
    status = open_ensemble(j, e);
    const struct ask_options *o = options_of(j);
    if (!status) status = check_options(o, e);
    const bool asks = o->where || o->given || o->vents || o->classes;
    if (!status && asks && !((x->of.question = question_of(o)) && (x->of.asked = asked_of(o))))
        status = error_memory(e);
    if (!status) case_note_input(&x->of.plan->base, path);
    if (!status) status = library_check_plan(x->db, x->of.s.source, path, e);
    return status ? status : library_check_classes(x->db, &x->of.s, path, e);
}

static void free_asked(struct ask *x)
{
    ask_named_free(&x->named);
    ask_given_free(&x->given);
    ask_compared_free(&x->compared);
    free(x->exposed.row);
    library_shut(&x->db);
    FREE_ALL(x->plan, x->counts, x->weight, x->reached, x->left, x->place, x->came);
}

static void close_study(void *self)
{
    struct ask *x = self;
    study_ensemble.close(&x->of);
    free_asked(x);
}

/* ---- places of interest ---------------------------------------------------------------------- */

struct cell_of_place {
    uint32_t cell, place;
};

struct place_cells {
    struct ask *x;
    const struct cell_of_place *cell; /* in increasing order */
    size_t count;
};

/* Lists the cells of all places, in increasing order, malloc'ed; NULL: out of memory. */
static struct cell_of_place *list_cells(size_t *count, const struct assets *a)
{
    size_t all = 0;
    for (int i = 0; i < a->count; i++) all += a->asset[i].cells;
    struct cell_of_place *cell = malloc((all + 1) * sizeof *cell);
    *count = 0;
    for (int i = 0; i < a->count && cell; i++)
        for (uint32_t k = 0; k < a->asset[i].cells; k++)
            cell[(*count)++] = (struct cell_of_place){a->asset[i].cell[k], (uint32_t)i};
    if (cell) qsort(cell, all, sizeof *cell, order_places);
    return cell;
}

/* Adds a cell to the results of a member at a place, as member_run.c does. Here x->share_q counts
 * the cells. read_places() later replaces the number of cells by their share. */
static void cover_place(struct reached *x, const struct reached *here, uint32_t place)
{
    const uint32_t covered = x->share_q;
    reached_widen(x, here, !covered);
    x->place = place;
    x->share_q = covered + 1;
}

static int take_places(void *of, int64_t member, const struct reached *reached, int count,
                       struct error *e)
{
    const struct place_cells *c = of;
    struct reached *mine = c->x->place + (size_t)member * (size_t)c->x->of.s.assets.count;
    for (int i = 0; i < count; i++)
        for (const struct cell_of_place *at =
                 order_first(&reached[i].place, c->cell, c->count, sizeof *at, order_places);
             at && at < c->cell + c->count && at->cell == reached[i].place; at++) {
            cover_place(&mine[at->place], &reached[i], at->place);
            c->x->came[at->place] += c->x->of.s.result[member].weight;
        }
    return 0;
}

/* Reads the results of all members at places, from the tiles that have places. */
static int read_places(struct ask *x, const char *path, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    const size_t members = (size_t)s->source->count, places = (size_t)s->assets.count;
    struct place_cells c = {.x = x};
    if (!places) return 0;
    FREED struct cell_of_place *cell = list_cells(&c.count, &s->assets);
    FREED bool *seen = calloc(library_tile(s, s->cells.places - 1) + (size_t)1, sizeof *seen);
    x->came = calloc(places, sizeof *x->came);
    x->place = calloc(members * places, sizeof *x->place);
    if (!(c.cell = cell) || !seen || !x->came || !x->place) return error_memory(e);
    for (size_t k = 0; k < c.count; k++) {
        const uint32_t tile = library_tile(s, cell[k].cell);
        if (seen[tile]) continue;
        seen[tile] = true;
        const int status =
            library_cells(s, x->db, path, library_cells_key(tile, 0),
                          library_cells_key(tile, LIBRARY_MEMBER), NULL, take_places, &c, e);
        if (status) return status;
    }
    for (size_t i = 0; i < members * places; i++) {
        struct reached *r = &x->place[i];
        if (r->share_q)
            r->share_q = statistics_share(r->share_q, s->assets.asset[i % places].cells);
    }
    return 0;
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Shows the progress and asks whether to stop, at most ten times a second. */
static bool cancelled(struct ask *x)
{
    struct study_progress now = {
        .stage = "cells", .done = x->read, .all = x->cells, .best = (double)NAN};
    const double time_s = clock_now_s();
    if (!x->job->tell || time_s - x->shown_s < 0.1) return false;
    x->shown_s = time_s;
    return study_show(x->job, &now);
}

/* A thread that counts. It has its own connection and tiles, and adds to statistics that all threads share. */
struct counting {
    struct ask *x;
    struct sqlite3 *db;
    struct tally *tally; /* NULL: a weight is too large for a tally */
    bool first;          /* whether this is the caller's thread, which shows the progress */
};

static int add_cells(struct statistics *to, uint64_t weight, const struct reached *reached,
                     int count, struct error *e)
{
    int status = 0;
#pragma omp critical(counters)
    for (int i = 0; !status && i < count; i++)
        if (!statistics_open(to, reached[i].place, e)) status = ERROR_INPUT;
    return status ? status : statistics_add_places(to, weight, reached, (size_t)count, e);
}

static int count_blob(struct counting *t, int64_t member, int count, struct error *e)
{
    struct ask *x = t->x;
#pragma omp atomic
    x->read += count;
#pragma omp atomic
    x->left[member] -= (uint64_t)count;
    return t->first && cancelled(x) ? error_cancelled(e) : 0;
}

/* The weight with which a member's cells are counted. It may be negative, because counts[] is modulo 2^64. */
static int weight_of(const struct ask *x, int64_t member)
{
    return (int)(int64_t)x->counts[member];
}

static int take_cells(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct counting *t = of;
    struct ask *x = t->x;
    if (count_blob(t, member, count, e)) return (int)e->code;
    if (x->more) x->more->see(x, member, reached, count);
    if (!x->counts[member]) return 0;
    return t->tally ? tally_add(t->tally, weight_of(x, member), reached, count, e)
                    : add_cells(&x->of.s.cells, x->counts[member], reached, count, e);
}

static int take_blob(void *of, int64_t member, uint32_t place, const struct block *b,
                     const uint32_t *floor, struct error *e)
{
    struct counting *t = of;
    if (count_blob(t, member, b->count, e)) return (int)e->code;
    return tally_add_block(t->tally, weight_of(t->x, member), place, b, floor, e);
}

/* The largest absolute value of weight_of() over all members. */
static uint64_t largest_weight(const struct ask *x)
{
    uint64_t most = 0;
    for (int64_t i = 0; i < x->of.s.source->count; i++) {
        const uint64_t weight = x->counts[i] >> 63 ? -x->counts[i] : x->counts[i];
        if (weight > most) most = weight;
    }
    return most;
}

static int open_counting(struct counting *t, const char *path, struct error *e)
{
    struct ensemble *s = &t->x->of.s;
    const uint64_t most = largest_weight(t->x);
    if (most <= TALLY_WEIGHT_MAX &&
        !(t->tally = tally_create(&s->cells, s->source->base->problem.cols, (int)most)))
        return error_memory(e);
    return t->first ? 0 : library_open(&t->db, NULL, path, e);
}

/* Counts one of `parts` equal parts of the tiles, tile after tile. */
static int count_part(struct counting *t, const char *path, int64_t part, int64_t parts,
                      int64_t tiles, struct error *e)
{
    const uint32_t begin = (uint32_t)(tiles * part / parts),
                   end = (uint32_t)(tiles * (part + 1) / parts);
    if (begin == end) return 0;
    const bool more = t->x->more != NULL;
    const struct library_takers to = {more || !t->tally ? NULL : take_blob, take_cells, t};
    const int status = library_blocks(&t->x->of.s, t->db, path, library_cells_key(begin, 0),
                                      library_cells_key(end - 1, LIBRARY_MEMBER),
                                      more ? NULL : t->x->counts, &to, e);
    return !status && t->tally ? tally_flush(t->tally, e) : status;
}

/* Counts all cells. The order of the members does not change a sum, so any number of threads finds the same sums. */
static int count_cells(struct ask *x, const char *path, struct error *e)
{
    enum { FEW = 1000000, PARTS = 256 };
    const int64_t tiles = (int64_t)library_tile(&x->of.s, x->of.s.cells.places - 1) + 1;
    const int threads = x->cells < FEW ? 1 : x->job->threads;
    int failed = 0;
#pragma omp parallel num_threads(threads)
    {
        const bool first = omp_get_thread_num() == 0;
        struct counting t = {.x = x, .db = first ? x->db : NULL, .first = first};
        struct error mine = {0};
        int status = open_counting(&t, path, &mine);
#pragma omp for schedule(dynamic)
        for (int64_t part = 0; part < PARTS; part++) {
            int stop;
#pragma omp atomic read
            stop = failed;
            if (!status && !stop) status = count_part(&t, path, part, PARTS, tiles, &mine);
            if (status && !stop) {
#pragma omp atomic write
                failed = status;
            }
        }
        if (!first) library_shut(&t.db);
        tally_free(t.tally);
#pragma omp critical
        if (mine.code && (!e->code || first)) *e = mine;
    }
    return failed;
}

/* ---- few members, found by their outlines ----------------------------------------------------- */

struct keys {
    int64_t *key;
    size_t count;
};

/* Adds the keys of a member's tiles. False: the library has no box of the member's outline, or there are too many keys. */
static bool add_tiles(struct keys *k, const struct ask *x, int64_t member)
{
    enum { MOST = 1 << 22 };
    struct window w;
    if (!library_tiles(&w, &x->of.s, x->db, member)) return false;
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (k->count == MOST ||
                !APPEND(k->key, k->count, library_tile_key(&x->of.s, row, col, member)))
                return false;
    return true;
}

/* Lists the keys of all blobs of the members to be counted. To look up a blob by its key takes as long as to skip several
 * blobs. So the list is made only for few blobs. False: there are too many, or add_tiles() has failed. */
static bool find_keys(struct keys *k, const struct ask *x)
{
    enum { SHARE = 64 };
    int64_t cells = 0;
    bool few = !x->more;
    for (int64_t i = 0; few && i < x->of.s.source->count; i++) {
        if (!x->counts[i] || !x->reached[i]) continue;
        cells += (int64_t)x->reached[i];
        few = cells * SHARE < x->cells && add_tiles(k, x, i);
    }
    if (few && k->count) qsort(k->key, k->count, sizeof *k->key, order_words);
    return few;
}

static int count_keys(struct ask *x, const struct keys *k, const char *path, struct error *e)
{
    struct counting t = {.x = x, .first = true};
    int status = open_counting(&t, path, e);
    const struct library_takers to = {t.tally ? take_blob : NULL, take_cells, &t};
    if (!status) status = library_some(&x->of.s, x->db, path, k->key, k->count, &to, e);
    if (!status && t.tally) status = tally_flush(t.tally, e);
    tally_free(t.tally);
    return status;
}

/* Counts the cells of all members with counts[] != 0, and checks that the library has all of these cells. */
static int count_whole(struct ask *x, const char *path, struct error *e)
{
    const int64_t members = x->of.s.source->count;
    struct keys k = {0};
    memcpy(x->left, x->reached, (size_t)members * sizeof *x->left);
    const int status = find_keys(&k, x) ? count_keys(x, &k, path, e) : count_cells(x, path, e);
    free(k.key);
    for (int64_t i = 0; !status && i < members; i++)
        if (x->counts[i] && x->left[i])
            return error_input(e,
                               "%s: is damaged: cells of member %" PRId64
                               " are missing; compute the ensemble anew and keep its library",
                               path, i);
    return status;
}

static int count_member(struct ask *x, int64_t number, struct error *e)
{
    struct ensemble *s = &x->of.s;
    const uint64_t weight = s->result[number].weight = x->weight[number];
    statistics_count(&s->cells, weight);
    statistics_count(&s->places, weight);
    s->done++;
    for (int k = 0; k < s->assets.count; k++) {
        const struct reached *r = ask_at_place(x, number, k);
        if (r->share_q && statistics_add_places(&s->places, weight, r, 1, e)) return ERROR_INPUT;
    }
    return 0;
}

/* The sums to which counting adds: no sums, the library's sums of all its members, or the sums of
 * the last question. A member's cells are counted with this weight: the member's weight in the
 * question minus the member's weight in these sums, modulo 2^64. */
enum base { BASE_NOTHING, BASE_ALL, BASE_LAST, BASES };

static uint64_t weight_at(const struct ask *x, enum base base, const uint64_t *last, int64_t member)
{
    if (base == BASE_ALL) return x->of.s.result[member].weight;
    return base == BASE_LAST && last ? last[member] : 0;
}

/* Chooses the base that leaves the fewest cells to read. To read the library's sums takes as long as to read a fifth of all
 * cells. The library's sums serve only if the weight of each member is 0 or the member's weight in the library. */
static enum base choose_base(const struct ask *x, const uint64_t *last)
{
    int64_t cells[BASES] = {0, x->cells / 5, 0};
    bool as_kept = !x->more;
    for (int64_t i = 0; i < x->of.s.source->count; i++) {
        as_kept = as_kept && (!x->weight[i] || x->weight[i] == x->of.s.result[i].weight);
        for (int k = 0; k < BASES; k++)
            if (x->weight[i] != weight_at(x, (enum base)k, last, i))
                cells[k] += (int64_t)x->reached[i];
    }
    enum base best = BASE_NOTHING;
    if (as_kept && cells[BASE_ALL] < cells[best]) best = BASE_ALL;
    return last && cells[BASE_LAST] <= cells[best] ? BASE_LAST : best;
}

/* Checks that sums add up. If the file is inconsistent, a sum may be below 0. */
static int check_sums(const struct ask *x, const char *path, struct error *e)
{
    uint64_t all = 0;
    for (int64_t i = 0; i < x->of.s.source->count; i++) all += x->weight[i];
    STATISTICS_EACH (&x->of.s.cells, i, c)
        if (!statistics_adds_up(&x->of.s.cells, c, all)) return library_damaged(path, "sums", e);
    return 0;
}

/* Checks the library's sums at each place against the cells of members there, which read_places() has read. */
static int check_places(const struct ask *x, const char *path, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    for (int i = 0; i < s->assets.count; i++) {
        const struct asset *a = &s->assets.asset[i];
        uint64_t came = 0;
        for (uint32_t k = 0; k < a->cells; k++)
            came += statistics_reached(&s->cells, statistics_at(&s->cells, a->cell[k]));
        if (came != x->came[i]) return library_damaged(path, "cells", e);
    }
    return 0;
}

/* Counts the cells of the members by their weights in the question. last[]: weights of the members
 * in the last question, whose sums *x has; NULL: there was no question yet. */
static int count_asked(struct ask *x, const uint64_t *last, const char *path, struct error *e)
{
    struct ensemble *s = &x->of.s;
    enum base base = choose_base(x, last);
    bool found = true;
    if (cancelled(x)) return error_cancelled(e);
    if (last) statistics_forget(&s->cells, base != BASE_LAST);
    int status = base == BASE_ALL ? library_sums(s, x->reached, x->db, path, &found, e) : 0;
    if (!found) base = BASE_NOTHING;
    if (!status && base == BASE_ALL) status = check_places(x, path, e);
    for (int64_t i = 0; i < s->source->count; i++)
        x->counts[i] = x->weight[i] - weight_at(x, base, last, i);
    if (!status) status = count_whole(x, path, e);
    return status || base == BASE_NOTHING ? status : check_sums(x, path, e);
}

static int count_all(struct ask *x, const uint64_t *last, const char *path, struct error *e)
{
    struct ensemble *s = &x->of.s;
    int status = count_asked(x, last, path, e);
    for (int64_t i = 0; !status && i < s->source->count; i++)
        if (x->weight[i]) status = count_member(x, i, e);
        else if (x->again) s->result[i].done = false;
        else member_result_free(&s->result[i]);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Sets x->weight by conditions and files of weights. */
static int weigh_members(struct ask *x, const struct ask_options *o, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    int64_t all = 0, met = 0, left = 0;
    bool agrees = false, none;
    for (int i = 0; s->assumed && i < s->assets.count; i++) s->assumed[i] = false;
    for (int64_t i = 0; i < s->source->count; i++) all += (x->weight[i] = s->result[i].weight) > 0;
    if (!all)
        return error_input(e, "%s: has no member yet; compute its ensemble, or wait for it",
                           o->library);
    int status = o->where ? ask_where(x, o->where, &agrees, e) : 0;
    if (!status && o->given && !agrees) status = ask_where(x, ASK_AGREES, &none, e);
    for (int64_t i = 0; i < s->source->count; i++) met += x->weight[i] > 0;
    if (!status && (o->vents || o->classes)) status = ask_weights(x, o->vents, o->classes, e);
    if (!status && x->more) status = x->more->weigh(x, e);
    for (int64_t i = 0; i < s->source->count; i++) left += x->weight[i] > 0;
    if (status || left) return status;
    if (met && (o->vents || o->classes))
        return error_input(e,
                           "%s: has no member with a weight above 0: the %" PRId64
                           " that fulfil the conditions have other vents or classes than %s%s%s; "
                           "change the conditions or the weights",
                           o->library, met, o->vents ? o->vents : o->classes,
                           o->vents && o->classes ? " and " : "",
                           o->vents && o->classes ? o->classes : "");
    if (o->given && !agrees)
        return error_input(e,
                           "%s: no member meets this condition; ask for a smaller overlap, such as "
                           "\"overlap() > 0.2\", or for a distance, such as \"apart_m() < 500\"",
                           o->given);
    return error_input(e, "%s: has no member that fulfils the condition; change it", o->library);
}

/* Sets x->compared.weight to the weights of the other question, which o->compare names: a
 * condition, or the folder of an answer. */
static int weigh_other(struct ask *x, const struct ask_options *o, struct error *e)
{
    struct ask_options other = *o;
    uint64_t *const mine = x->weight,
                    *its = x->compared.weight = calloc((size_t)x->of.s.source->count, sizeof *its);
    const bool answer = ask_is_answer(o->compare);
    bool *const assumed = x->of.s.assumed;
    other.where = o->compare;
    x->compared.question = answer ? text_format("%s", o->compare) : question_of(&other);
    if (!its || !x->compared.question) return error_memory(e);
    if (answer) return ask_read_answer(its, x, o->compare, e);
    x->weight = its;
    x->of.s.assumed = NULL;
    const int status = weigh_members(x, &other, e);
    x->weight = mine;
    x->of.s.assumed = assumed;
    return status;
}

static int read_members(struct ask *x, const char *path, struct error *e)
{
    struct ensemble *s = &x->of.s;
    const size_t members = (size_t)s->source->count;
    x->weight = calloc(members, sizeof *x->weight);
    x->reached = calloc(members, sizeof *x->reached);
    x->counts = calloc(members, sizeof *x->counts);
    x->left = calloc(members, sizeof *x->left);
    int status = x->weight && x->reached && x->counts && x->left
                     ? library_results(s, x->reached, x->db, path, e)
                     : error_memory(e);
    for (size_t i = 0; !status && i < members; i++) x->cells += (int64_t)x->reached[i];
    if (!status && s->outline) status = null_model_kept(&x->of.null, s->source, x->db, path, e);
    return status ? status : read_places(x, path, e);
}

/* Whether the library's members are a sample of the plan: all its members, its first members, or a shard. The members
 * of an interrupted ensemble are not a sample, because cost decides which members are done first. */
static bool is_sample(const struct ensemble *s, int64_t kept)
{
    const int64_t all = s->source->count;
    int64_t first = 0, next, last = all - 1, found = 0;
    if (kept == all) return true;
    while (first < all && !s->result[first].weight) first++;
    for (next = first + 1; next < all && !s->result[next].weight;) next++;
    while (last > 0 && !s->result[last].weight) last--;
    const int64_t stride = next - first;
    for (int64_t i = first; i < all && s->result[i].weight; i += stride) found++;
    const bool first_ones = !first && stride == 1 && !s->source->listed;
    return found == kept && (first_ones || (first < stride && last + stride >= all));
}

void ask_warn(const struct study_job *j, struct warnings *w)
{
    const struct ask *x = j->self;
    if (x->partial && x->of.end == ENGINE_ASKED)
        products_warn_incomplete(w, x->kept, x->of.s.source->count);
    ensemble_study_warn(j, w);
}

int ask_all(struct ensemble_study *of, const char *path, struct study_job *j, struct error *e)
{
    struct ask x = {.of = *of, .job = j};
    int status = library_open(&x.db, NULL, path, e);
    if (!status) status = read_members(&x, path, e);
    for (int64_t i = 0; !status && i < x.of.s.source->count; i++)
        x.weight[i] = x.of.s.result[i].weight;
    if (!status) status = count_all(&x, NULL, path, e);
    *of = x.of;
    free_asked(&x);
    return status;
}

int ask_open_again(struct study_job *j, struct error *e)
{
    if (j->plan == ((struct ask *)j->self)->plan) j->plan = NULL;
    j->study->close(j->self);
    memset(j->self, 0, j->study->size);
    return j->study->open(j, e);
}

static int compute_answer(struct study_job *j, struct error *e)
{
    const struct ask_options *o = options_of(j);
    struct ask *x = j->self;
    struct ensemble *s = &x->of.s;
    int status = x->weight ? ask_open_again(j, e) : 0;
    if (status) return status;
    x->job = j;
    x->again = o->again;
    status = read_members(x, o->library, e);
    x->kept = 0;
    for (int64_t i = 0; i < s->source->count; i++) x->kept += s->result[i].weight > 0;
    x->partial = !status && !is_sample(s, x->kept);
    x->of.asked_of = x->more ? 0 : x->kept;
    s->assumed = calloc((size_t)s->assets.count + 1, sizeof *s->assumed);
    if (!status && !s->assumed) status = error_memory(e);
    if (!status && o->given) status = ask_given(x, o, e);
    if (!status) status = weigh_members(x, o, e);
    if (status || (x->more && !x->more->see)) return status;
    if (o->compare) status = weigh_other(x, o, e);
    if (!status && o->compare) status = ask_compare(x, o->library, e);
    if (!status) status = ask_exposed(x, o, e);
    if (!status) status = count_all(x, NULL, o->library, e);
    if (!status && o->members) status = ask_named(x, o->library, e);
    const bool whole = s->done == s->source->count;
    x->of.end = x->of.question ? ENGINE_ASKED : whole ? ENGINE_COMPLETE : ENGINE_STOPPED;
    x->of.computed = !status;
    return status;
}

int ask_again(struct study_job *j, struct error *e)
{
    const struct ask_options *o = options_of(j);
    struct ask *x = j->self;
    struct ensemble *s = &x->of.s;
    uint64_t *const last = x->weight;
    assert(x->again && !x->more && !o->given && !o->vents && !o->classes && !o->compare &&
           !o->exposed && !o->members);
    if (!(x->weight = calloc((size_t)s->source->count, sizeof *last))) {
        x->weight = last;
        return error_memory(e);
    }
    for (int64_t i = 0; i < s->source->count; i++) s->result[i].done = s->result[i].weight > 0;
    s->done = 0;
    statistics_forget(&s->places, true);
    int status = weigh_members(x, o, e);
    if (status) { /* the sums still belong to the last question */
        free(x->weight);
        x->weight = last;
        return status;
    }
    status = count_all(x, last, o->library, e);
    x->again = !status;
    free(last);
    return status;
}

const struct study study_ask = {STUDY_NAMED("ask", struct ask), .files = &ask_named_files,
                                .round = compute_answer, .warn = ask_warn, ENSEMBLE_STUDY};
