#include "ensemble_state.h"

#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes counters as pairs: a number of zeros, and the counter after these zeros. Most counters are 0. */
static void put_counters(struct packed_out *o, const uint64_t *c, size_t count)
{
    size_t zeros = 0;
    for (size_t k = 0; k < count; k++) {
        if (!c[k]) {
            zeros++;
            continue;
        }
        packed_put(o, zeros);
        packed_put(o, c[k]);
        zeros = 0;
    }
    packed_put(o, count); /* a number of zeros that is too large marks the end */
}

static void put_statistics(struct packed_out *o, const struct statistics *s)
{
    size_t after = 0; /* 1 + the place that was written last */
    packed_put(o, s->places);
    packed_put(o, s->stride);
    packed_put(o, (uint64_t)s->members);
    packed_put(o, s->weight);
    packed_put(o, (uint64_t)s->weight2);
    packed_put(o, (uint64_t)(s->weight2 >> 64));
    STATISTICS_EACH (s, i, c) {
        if (!statistics_reached(s, c)) continue;
        packed_put(o, i - after);
        put_counters(o, c, s->stride);
        after = i + 1;
    }
    packed_put(o, s->places);
}

void ensemble_put_result(struct packed_out *o, const struct member_result *r)
{
    packed_put(o, r->weight);
    packed_put(o, r->digest);
    packed_put(o, (uint64_t)r->step);
    packed_put(o, (uint64_t)r->stopped | (uint64_t)r->into_sea << 1 | (uint64_t)r->only_sea << 2);
    packed_put(o, r->cells);
    const double numbers[] = {r->end_s,      r->advance_s, r->runout_m, r->max_thickness_m,
                              r->emitted_m3, r->left_m3,   r->jaccard};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) packed_put_real(o, numbers[i]);
    packed_put_text(o, r->drawn);
    packed_put_text(o, r->notice);
}

static int made_by(const void *of, struct made_by *by, struct error *e)
{
    return made_by_read(by, ((const struct ensemble *)of)->source->path, e);
}

static void put_ensemble(const void *of, struct packed_out *o)
{
    const struct ensemble *s = of;
    int64_t gap = 0;
    packed_put_text(o, s->source->path);
    packed_put(o, (uint64_t)s->shard.index);
    packed_put(o, (uint64_t)s->shard.count);
    packed_put_real(o, s->until_error);
    packed_put(o, (uint64_t)s->source->count);
    packed_put(o, (uint64_t)s->done);
    for (int64_t i = 0; i < s->source->count; i++, gap++) {
        if (!s->result[i].done) continue;
        packed_put(o, (uint64_t)gap);
        ensemble_put_result(o, &s->result[i]);
        gap = -1;
    }
    put_statistics(o, &s->cells);
    put_statistics(o, &s->places);
}

static bool get_counters(struct packed_in *i, uint64_t *c, size_t count)
{
    size_t k = 0;
    bool any = false;
    for (;;) {
        const uint64_t zeros = packed_get(i, count);
        if (zeros == count || i->bad) return any && !i->bad;
        k += (size_t)zeros;
        if (k >= count) return false;
        c[k++] = packed_get(i, UINT64_MAX);
        any = true;
    }
}

static int get_statistics(struct packed_in *i, struct statistics *s, struct error *e)
{
    if (packed_get(i, UINT64_MAX) != s->places || packed_get(i, UINT64_MAX) != s->stride)
        return STATE_DAMAGED;
    s->members = (int64_t)packed_get(i, INT64_MAX);
    s->weight = packed_get(i, STATISTICS_WEIGHT_MAX);
    s->weight2 = packed_get(i, UINT64_MAX);
    s->weight2 |= (wide)packed_get(i, UINT64_MAX) << 64;
    for (size_t place = 0;; place++) {
        const uint64_t gap = packed_get(i, s->places);
        if (i->bad || (gap < s->places && gap >= s->places - place)) return STATE_DAMAGED;
        if (gap == s->places) return 0;
        place += (size_t)gap;
        uint64_t *c = statistics_open(s, place, e);
        if (!c) return ERROR_INPUT;
        if (!get_counters(i, c, s->stride)) return STATE_DAMAGED;
        statistics_read(s, c);
        if (!statistics_reached(s, c) || !statistics_adds_up(s, c, s->weight)) return STATE_DAMAGED;
    }
}

void ensemble_get_result(struct packed_in *i, struct member_result *r)
{
    r->done = true;
    r->weight = packed_get(i, STATISTICS_WEIGHT_MAX);
    r->digest = packed_get(i, UINT64_MAX);
    r->step = (int64_t)packed_get(i, INT64_MAX);
    const uint64_t flags = packed_get(i, 7);
    r->stopped = flags & 1;
    r->into_sea = flags & 2;
    r->only_sea = flags & 4;
    r->cells = packed_get(i, UINT64_MAX);
    double *const numbers[] = {&r->end_s,      &r->advance_s, &r->runout_m, &r->max_thickness_m,
                               &r->emitted_m3, &r->left_m3,   &r->jaccard};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) *numbers[k] = packed_get_real(i);
    r->drawn = packed_get_text(i);
    r->notice = packed_get_text(i);
}

static bool get_results(struct packed_in *i, struct ensemble *s, int64_t done)
{
    int64_t number = -1;
    for (; s->done < done && !i->bad; s->done++) {
        const uint64_t most = (uint64_t)(s->source->count - number - 1);
        if (!most) return false;
        number += 1 + (int64_t)packed_get(i, most - 1);
        ensemble_get_result(i, &s->result[number]);
    }
    return !i->bad;
}

/* Whether number and weights of the members in the counters agree with the table of results. */
static bool is_of_results(const struct ensemble *s, const struct statistics *x)
{
    wide weight = 0, weight2 = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        const uint64_t w = s->result[i].weight;
        weight += w;
        weight2 += (wide)w * w;
    }
    return x->members == s->done && x->weight == weight && x->weight2 == weight2;
}

static int get_ensemble(void *of, struct packed_in *i, struct error *e)
{
    struct ensemble *s = of;
    free(packed_get_text(i)); /* skips the plan's path */
    s->shard.index = (int)packed_get(i, INT32_MAX);
    s->shard.count = (int)packed_get(i, INT32_MAX);
    s->until_error = packed_get_real(i);
    const int64_t members = (int64_t)packed_get(i, INT64_MAX),
                  done = (int64_t)packed_get(i, INT64_MAX);
    if (i->bad || s->shard.index < 1 || s->shard.index > s->shard.count ||
        members != s->source->count || done > members ||
        !(s->until_error >= 0 && s->until_error < 1) || !get_results(i, s, done))
        return STATE_DAMAGED;
    int status = get_statistics(i, &s->cells, e);
    if (!status) status = get_statistics(i, &s->places, e);
    if (status) return status;
    return packed_get_sum(i) && is_of_results(s, &s->cells) && is_of_results(s, &s->places)
               ? 0
               : STATE_DAMAGED;
}

const struct state_kind ensemble_state = {.magic = "sciara ensemble 2\n",
                                          .what = "an ensemble",
                                          .digest_at = offsetof(struct ensemble, plan_digest),
                                          .made_by = made_by,
                                          .put = put_ensemble,
                                          .get = get_ensemble};

int ensemble_state_head(char **plan, struct shard *shard, const char *path, struct error *e)
{
    struct packed_in i;
    uint64_t of;
    *plan = NULL;
    int status = packed_open(&i, path, "a state", e);
    if (status) return status;
    if (state_begins(&ensemble_state, &i, &of)) *plan = packed_get_text(&i);
    else i.bad = true;
    shard->index = (int)packed_get(&i, INT32_MAX);
    shard->count = (int)packed_get(&i, INT32_MAX);
    if (i.bad) status = state_damaged(&ensemble_state, path, e);
    else if (!*plan) status = error_input(e, "%s: names no plan; give the plan", path);
    packed_close(&i);
    return status;
}

char *rank_state_path(const char *folder, int rank)
{
    return rank ? text_format("%s/" STATE_NAME ".%d", folder, rank)
                : text_format("%s/" STATE_NAME, folder);
}

bool rank_file_is(const char *name, const char *stem)
{
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] != '.') return false;
    const char *digits = name + length + 1;
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

int rank_files_visit(const char *folder, const char *stem, rank_visitor *with, void *of, int *found,
                     struct error *e)
{
    DIR *d = opendir(folder);
    int status = 0;
    *found = 0;
    for (struct dirent *entry; d && !status && (entry = readdir(d));) {
        if (!rank_file_is(entry->d_name, stem)) continue;
        FREED char *path = text_format("%s/%s", folder, entry->d_name);
        status = !path ? error_memory(e) : with ? with(of, path, e) : 0;
        ++*found;
    }
    if (d) closedir(d);
    return status;
}

bool rank_states_there(const char *folder)
{
    FREED char *first = rank_state_path(folder, 0);
    int found = 0;
    const bool there = first && access(first, F_OK) == 0;
    if (!there) rank_files_visit(folder, STATE_NAME, NULL, NULL, &found, NULL);
    return there || found;
}

static bool has_all_of(const struct ensemble *s, const struct ensemble *part)
{
    for (int64_t i = 0; i < s->source->count; i++)
        if (part->result[i].done && !s->result[i].done) return false;
    return true;
}

int rank_state_add(void *ensemble, const char *path, struct error *e)
{
    struct ensemble *s = ensemble;
    FREED_BY(ensemble_free) struct ensemble part = {0};
    const struct shard whole = {1, 1};
    int status = ensemble_create(&part, s->source, whole, SIZE_MAX, e);
    if (!status) status = state_read(&ensemble_state, &part, path, e);
    return status || has_all_of(s, &part) ? status : ensemble_merge(s, &part, path, e);
}

/* Removes a file, and the journal that SQLite leaves next to a library when a process is killed. */
static int remove_one(void *of, const char *path, struct error *e)
{
    FREED char *journal = text_format("%s-journal", path);
    if (!journal) return error_memory(e);
    unlink(journal);
    if (unlink(path) == 0 || errno == ENOENT) return 0;
    return error_failed(e, "%s: cannot be removed: %s", path, strerror(errno));
}

int rank_files_remove(const char *folder, const char *stem, struct error *e)
{
    int found;
    return rank_files_visit(folder, stem, remove_one, NULL, &found, e);
}
