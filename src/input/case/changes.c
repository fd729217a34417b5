#include "changes.h"

#include "case_notes.h"
#include "case_terrain.h"
#include "eruption/rates.h"
#include "raster/datum.h"
#include "sim/digest.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "terrain_update"

/* ---- the lines of a case --------------------------------------------------------------------- */

/* Returns the last with_lava or without_lava in a text. If there is none, returns the last word. */
static char *find_lava(char *file)
{
    static const char *const words[] = {"with_lava", "without_lava"};
    char *found = NULL, *last = strrchr(file, '\0');
    while (last > file && !strchr(" \t", last[-1])) last--;
    for (char *at = file + strcspn(file, " \t"); *at; at += strcspn(at, " \t")) {
        at += strspn(at, " \t");
        for (int i = 0; i < 2; i++)
            if (strcspn(at, " \t") == strlen(words[i]) && !strncmp(at, words[i], strlen(words[i])))
                found = at;
    }
    return found ? found : last;
}

/* The text is "TIME FILE with_lava ...", and FILE may have blanks. */
bool change_words(char *text, char **time, char **file, char **lava)
{
    char *end = text + strcspn(text, " \t"), *last;
    *time = text;
    if (!*end) return false;
    *end++ = '\0';
    *file = end + strspn(end, " \t");
    last = find_lava(*file);
    if (last == *file) return false;
    *lava = last;
    while (last > *file && strchr(" \t", last[-1])) last--;
    *last = '\0';
    return **file != '\0';
}

static int refuse_change(const struct sim_case *c, const struct keyvalue *line, const char *why,
                         struct error *e)
{
    return error_line(e, c->path, line->line, "%s: %s", line->key, why);
}

static int read_words(struct change *x, const struct sim_case *c, const struct keyvalue *line,
                      char *text, struct error *e)
{
    char *time, *file, *lava, excerpt[48];
    struct error why;
    if (!change_words(text, &time, &file, &lava))
        return refuse_change(c, line,
                             "give a time, a file, and with_lava or without_lava: whether the "
                             "survey contains the lava that has solidified by then",
                             e);
    if (times_moment(&x->time_s, time, TIMES_HOURS, c->start_time, &why))
        return error_line(e, c->path, line->line, "%s: its time is '%s'; %.400s", line->key,
                          scan_excerpt(excerpt, time), why.text);
    if (!(x->time_s >= 0 && x->time_s <= 1e12))
        return refuse_change(c, line,
                             "its time is before the start of the eruption; give a later one", e);
    char *tail = lava + strcspn(lava, " \t"), *shift = tail + strspn(tail, " \t");
    *tail = '\0';
    x->with_lava = !strcmp(lava, "with_lava");
    x->shifted = !strncmp(shift, "shift_m ", 8);
    if ((!x->with_lava && strcmp(lava, "without_lava") != 0) || (*shift && !x->shifted))
        return refuse_change(c, line,
                             "end it with with_lava or without_lava: whether the survey contains "
                             "the lava that has solidified by then",
                             e);
    if (x->shifted && !(scan_real(shift + 8, &x->shift_m) && fabs(x->shift_m) <= 1e4))
        return refuse_change(c, line, "shift_m: give the number of metres to add to its heights",
                             e);
    if (!(x->path = path_beside(c->path, file))) return error_memory(e);
    return 0;
}

/* ---- the heights of a survey and of the terrain ---------------------------------------------- */

static int check_heights(struct sim_case *c, const struct change *x, const struct keyvalue *line,
                         struct error *e)
{
    struct datum h;
    const int status = datum_compare(&h, x->elevation_m, c->elevation_m, case_cells(c), e);
    if (status) return status;
    const char *way = h.shift_m > 0 ? "above" : "below";
    if (h.is == DATUM_IN_FEET)
        return error_line(e, c->path, line->line,
                          "%s: heights of %s are %.4g times the heights of the terrain: one of "
                          "them is in feet; declare the unit of its heights",
                          line->key, x->path, h.ratio);
    if (h.is == DATUM_SHIFTED)
        return error_line(e, c->path, line->line,
                          "%s: heights of %s are %.4g m %s the heights of the terrain all over: "
                          "they count from another vertical datum; end the line with 'shift_m "
                          "%.4g', or with 'shift_m 0' if the ground did change",
                          line->key, x->path, fabs(h.shift_m), way, -h.shift_m);
    char words[40]; /* one text, because a number alone would get a true minus sign */
    snprintf(words, sizeof words, "shift_m %.2g", -h.shift_m);
    if (h.is == DATUM_NEAR)
        warnings_say(&c->told, WARNING_NOTE,
                     "%.300s: its heights are %.2g m %s the heights of the terrain (median); add "
                     "'%s' to the line to correct that",
                     x->path, fabs(h.shift_m), way, words);
    return 0;
}

static int read_one(struct sim_case *c, const struct keyvalue *line, const char *dem_path,
                    struct file_progress *progress, struct error *e)
{
    struct change *x = &c->change[c->change_count++];
    FREED char *text = text_format("%s", line->value);
    int status = text ? read_words(x, c, line, text, e) : error_memory(e);
    if (!status) status = case_terrain_read_survey(x, c, dem_path, progress, e);
    if (status) return status;
    if (!c->tiles && !x->shifted && (status = check_heights(c, x, line, e))) return status;
    if (!x->shifted && *x->vertical && *c->vertical && strcmp(x->vertical, c->vertical) != 0)
        warnings_say(&c->told, WARNING_NOTE,
                     "%.300s: its heights count from '%s', heights of the terrain from '%s'; add "
                     "'shift_m D' to the line, or convert it by sciara dem",
                     x->path, x->vertical, c->vertical);
    if (!c->tiles) case_warn_zeros(c, x->elevation_m, case_domain(c), x->path);
    case_note_input(c, x->path);
    return 0;
}

static bool comes_before(const struct sim_case *c, const struct change *x, const struct change *y)
{
    const int64_t a = change_step(x, &c->problem.params), b = change_step(y, &c->problem.params);
    if (a != b) return a < b;
    if (!x->elevation_m != !y->elevation_m) return x->elevation_m != NULL;
    return x->time_s < y->time_s;
}

/* Sorts changes by moving each to its place, since there are few. */
int changes_sort(struct sim_case *c, struct error *e)
{
    for (int i = 1; i < c->change_count; i++)
        for (int k = i; k > 0 && comes_before(c, &c->change[k], &c->change[k - 1]); k--) {
            const struct change x = c->change[k];
            c->change[k] = c->change[k - 1];
            c->change[k - 1] = x;
        }
    /* If two surveys belong to the same step, it is not defined which one counts. */
    for (int i = 1; i < c->change_count; i++) {
        const struct change *x = &c->change[i];
        if (x->elevation_m && x[-1].elevation_m &&
            change_step(x, &c->problem.params) == change_step(x - 1, &c->problem.params))
            return error_input(e, "%s: " KEY ": %s and %s are of the same step; remove one of them",
                               c->path, x[-1].path, x->path);
    }
    return 0;
}

int changes_add_rules(struct sim_case *c, double time_s, const char *path, struct ground_rules *r,
                      struct error *e)
{
    struct change *more = realloc(c->change, ((size_t)c->change_count + 1) * sizeof *more);
    if (!more) return error_memory(e);
    c->change = more;
    struct change x = {.time_s = time_s, .path = text_format("%s", path)};
    if (!x.path) return error_memory(e);
    x.rules = r->count;
    x.rule = r->rule;
    more[c->change_count++] = x;
    return 0;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* The elevations of a case include its initial lava. A survey that applies from the first step on includes this lava,
 * too. So the survey's elevations replace those of the case. */
void change_begin_in(const struct sim_case *c, const struct change *x, struct window w)
{
    EACH_CELL(c, w, row, col, i)
    if (!isnan(c->elevation_m[i]) && !isnan(x->elevation_m[i]))
        c->elevation_m[i] = x->elevation_m[i];
}

void change_free(const struct sim_case *c, struct change *x)
{
    free(x->path);
    case_array_free(c, x->elevation_m, sizeof *x->elevation_m);
    case_layer_close(&x->layer);
    free(x->rule);
}

void changes_drop(struct sim_case *c, int count)
{
    for (int i = 0; i < count; i++) change_free(c, &c->change[i]);
    c->change_count -= count;
    if (count) memmove(c->change, c->change + count, (size_t)c->change_count * sizeof *c->change);
}

static int make_first(struct sim_case *c, struct error *e)
{
    int first = 0, status = 0;
    for (; first < c->change_count && !status; first++) {
        struct change *x = &c->change[first];
        if (change_step(x, &c->problem.params) > c->problem.first_step) break;
        if (c->tiles) status = case_tiles_take_survey(c, x, e);
        else change_begin_in(c, x, case_domain(c));
    }
    changes_drop(c, first);
    return status;
}

int changes_read(struct sim_case *c, const struct settings *s, const char *dem_path,
                 struct file_progress *progress, struct error *e)
{
    int count = 0, status = 0;
    for (int i = 0; i < s->lines.count; i++) count += !strcmp(s->lines.item[i].key, KEY);
    if (!count) return 0;
    if (c->unrounded)
        return error_input(
            e, "%s: " KEY ": the published arithmetic has one terrain; remove the line", c->path);
    if (!(c->change = calloc((size_t)count, sizeof *c->change))) return error_memory(e);
    for (int i = 0; i < s->lines.count && !status; i++)
        if (!strcmp(s->lines.item[i].key, KEY))
            status = read_one(c, &s->lines.item[i], dem_path, progress, e);
    if (status) return status;
    status = changes_sort(c, e);
    return status ? status : make_first(c, e);
}

/* ---- during the run -------------------------------------------------------------------------- */

int64_t change_step(const struct change *x, const struct params *p)
{
    return x->time_s > 0 ? rates_first_step(x->time_s, 1, p->clock_s) : 0;
}

int changes_next(const struct sim_case *c, int64_t step)
{
    int i = 0;
    while (i < c->change_count && change_step(&c->change[i], &c->problem.params) < step) i++;
    return i;
}

int change_make(const struct change *x, struct fields *f, const struct problem *p, double *ground,
                struct error *e)
{
    struct error why;
    int status = x->elevation_m ? ground_survey(f, p, x->elevation_m, x->with_lava, ground, &why)
                                : ground_reshape(f, p, x->rule, x->rules, ground, &why);
    return status ? error_input(e, "%s: %s", x->path, why.text) : 0;
}

int change_held(const struct change *x, struct held *h, struct problem *p, double *ground,
                struct ground_sums *sums, struct error *e)
{
    FREED_BY(fields_free) struct fields f = {0};
    struct ledger ledger;
    int status = held_snapshot(h, &f, e);
    if (!status) status = held_wait(h, e);
    f.ground = *sums;
    if (!status) status = change_make(x, &f, p, ground, e);
    if (!status) {
        p->elevation_m = ground;
        *sums = f.ground;
        status = fields_ledger(&ledger, &f, p, e);
    }
    return status ? status : held_restart(h, &f, ground, e);
}

static uint64_t digest_of_rule(const struct ground_rule *r)
{
    const uint64_t place = mix64((uint64_t)r->place + 1);
    return digest_of(digest_bits(r->height_m), 0, place) +
           digest_of(digest_bits(r->crest_m), 1, place) +
           digest_of(digest_bits(r->depth_m), 2, place);
}

int changes_read_surveys(const struct sim_case *c, struct error *e)
{
    bool any = false;
    for (int i = 0; i < c->change_count; i++) any = any || c->change[i].elevation_m;
    return any ? problem_read_terrain(&c->problem, problem_domain(&c->problem), e) : 0;
}

uint64_t changes_digest(const struct sim_case *c)
{
    const size_t n = case_cells(c);
    uint64_t digest = 0;
    for (int i = 0; i < c->change_count; i++) {
        const struct change *x = &c->change[i];
        uint64_t sum = mix64((uint64_t)change_step(x, &c->problem.params) * 2 + x->with_lava);
        for (size_t k = 0; k < x->rules; k++) sum += digest_of_rule(&x->rule[k]);
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (size_t k = 0; k < (x->elevation_m ? n : 0); k++)
            sum += digest_of(digest_bits(x->elevation_m[k]), DIGEST_ELEVATION, mix64(k + 1));
        digest = mix64(digest ^ sum);
    }
    return digest;
}
