/* isochrones.c — from arrivals to polygons and lines. */
#include "bands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct isochrones_input *in;
    double level_h[ISOCHRONES_LEVELS];
    int levels;            /* without the last, which is the latest arrival */
    struct bands as_it_is; /* before pieces were joined */
    struct bands bands;
    struct bands_graph graph;
};

/* ---- levels ---------------------------------------------------------------------------------- */

static float find_latest(const struct isochrones_input *in)
{
    float latest = -INFINITY;
    for (size_t i = 0; i < (size_t)in->rows * (size_t)in->cols; i++)
        if (in->arrival_h[i] > latest) latest = in->arrival_h[i];
    return latest;
}

/* Whether lava came to any cell by each level, and not by the one before. */
static void find_used(bool used[ISOCHRONES_LEVELS], const struct isochrones_input *in,
                      const double *level_h, int count)
{
    for (int k = 0; k < count; k++) used[k] = false;
    for (size_t i = 0; i < (size_t)in->rows * (size_t)in->cols; i++) {
        int k = 0;
        while (k < count && !(in->arrival_h[i] <= (float)level_h[k])) k++;
        if (k < count) used[k] = true;
    }
}

/* A float of 9 h 50 min is some tenths of a millisecond less, and its date a second. */
static double exact_h(float time_h, double step_h)
{
    const double steps = step_h > 0 ? round((double)time_h / step_h) * step_h : 0;
    return (float)steps == time_h ? steps : (double)time_h;
}

/* Two levels within a step, or within a pause, would be one line with two times. */
static void find_levels(struct making *m)
{
    const struct isochrones_input *in = m->in;
    const size_t cells = (size_t)in->rows * (size_t)in->cols;
    double given[ISOCHRONES_LEVELS];
    bool used[ISOCHRONES_LEVELS];
    int count = in->level_count;
    if (in->level_h) memcpy(given, in->level_h, (size_t)count * sizeof *given);
    else count = isochrones_levels(given, in->arrival_h, cells);
    const float latest = find_latest(in);
    find_used(used, in, given, count);
    for (int i = 0; i < count; i++)
        if (used[i] && (float)given[i] < latest) m->level_h[m->levels++] = given[i];
    m->level_h[m->levels] = exact_h(latest, in->step_h);
}

/* ---- bands ----------------------------------------------------------------------------------- */

/* Cells of each band; the last of `count` is that after them all. */
static void count_bands(const struct bands *b, size_t cells[ISOCHRONES_LEVELS])
{
    memset(cells, 0, ISOCHRONES_LEVELS * sizeof *cells);
    for (size_t i = 0; i < (size_t)b->rows * (size_t)b->cols; i++)
        if (b->band[i] != BAND_NONE) cells[b->band[i]]++;
}

static bool within_share(const struct making *m)
{
    size_t before[ISOCHRONES_LEVELS], after[ISOCHRONES_LEVELS], was = 0, is = 0;
    count_bands(&m->as_it_is, before);
    count_bands(&m->bands, after);
    for (int i = 0; i < m->levels; i++) {
        was += before[i];
        is += after[i];
        if (fabs((double)is - (double)was) > ISOCHRONES_SHARE * (double)was) return false;
    }
    return true;
}

static int make_bands(struct making *m, struct isochrones *out, struct error *e)
{
    int small = m->in->small_cells > 0 ? m->in->small_cells : ISOCHRONES_SMALL;
    int status = bands_create(&m->as_it_is, m->in, m->level_h, m->levels, e);
    if (status || !m->as_it_is.band) return status;
    const size_t cells = (size_t)m->as_it_is.rows * (size_t)m->as_it_is.cols;
    m->bands = m->as_it_is;
    m->bands.band = malloc(cells);
    if (!m->bands.band) return error_memory(e);
    for (;; small /= 2) {
        memcpy(m->bands.band, m->as_it_is.band, cells);
        if (small > 1) status = bands_join(&m->bands, small, e);
        if (status || small <= 1 || within_share(m)) break;
    }
    out->small_cells = small > 1 ? small : 0;
    for (size_t i = 0; i < cells; i++) out->moved_cells += m->bands.band[i] != m->as_it_is.band[i];
    return status;
}

/* ---- polygons and lines ---------------------------------------------------------------------- */

/* Metres, and the y axis to the north: rings are counterclockwise then that were so as they were
 * seen. */
static void place_path(struct isochrone_path *p, const struct making *m)
{
    const struct georef *geo = &m->in->geo;
    for (int i = 0; i < p->count; i++) {
        p->xy[i][0] = geo->west_m + (m->bands.col0 + p->xy[i][0] + 0.5) * geo->cell_m;
        p->xy[i][1] =
            geo->south_m + (m->in->rows - (m->bands.row0 + p->xy[i][1]) - 0.5) * geo->cell_m;
    }
}

static void place_area(struct isochrone_area *a, const struct making *m)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->polygon[i].count; k++) place_path(&a->polygon[i].ring[k], m);
}

static int make_level(struct isochrone *out, const struct making *m, int level, int32_t *path_of,
                      struct error *e)
{
    int status = bands_trace_area(&out->reached, &m->graph, level, BANDS_REACHED, path_of, e);
    if (!status) status = bands_trace_area(&out->band, &m->graph, level, BANDS_BAND, path_of, e);
    if (!status) status = bands_trace_lines(out, &m->graph, level, level == m->levels, path_of, e);
    place_area(&out->reached, m);
    place_area(&out->band, m);
    for (int i = 0; i < out->line_count; i++) place_path(&out->line[i], m);
    return status;
}

static int make_levels(struct isochrones *out, const struct making *m, struct error *e)
{
    size_t raster[ISOCHRONES_LEVELS], joined[ISOCHRONES_LEVELS], sum = 0, raster_sum = 0;
    int32_t *path_of = malloc(((size_t)m->graph.count + 1) * sizeof *path_of);
    int status = 0;
    out->at = calloc((size_t)m->levels + 1, sizeof *out->at);
    if (!out->at || !path_of) status = error_memory(e);
    else out->count = m->levels + 1;
    count_bands(&m->as_it_is, raster);
    count_bands(&m->bands, joined);
    for (int i = 0; i < out->count && !status; i++) {
        struct isochrone *at = &out->at[i];
        at->time_h = m->level_h[i];
        at->from_h = i ? m->level_h[i - 1] : 0;
        at->raster_cells = raster_sum += raster[i];
        at->band.cells = joined[i];
        at->reached.cells = sum += joined[i];
        status = make_level(at, m, i, path_of, e);
    }
    free(path_of);
    return status;
}

int isochrones_create(struct isochrones *out, const struct isochrones_input *in, struct error *e)
{
    struct making m = {.in = in};
    int status;
    *out = (struct isochrones){0};
    find_levels(&m);
    status = make_bands(&m, out, e);
    if (!status) status = bands_graph_create(&m.graph, &m.bands, e);
    if (!status) status = bands_graph_smooth(&m.graph, e);
    if (!status && m.bands.band) status = make_levels(out, &m, e);
    bands_graph_free(&m.graph);
    bands_free(&m.bands);
    bands_free(&m.as_it_is);
    if (status) isochrones_free(out);
    return status;
}

static void free_area(struct isochrone_area *a)
{
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < a->polygon[i].count; k++) free(a->polygon[i].ring[k].xy);
        free(a->polygon[i].ring);
    }
    free(a->polygon);
}

void isochrones_free(struct isochrones *i)
{
    for (int k = 0; k < i->count; k++) {
        struct isochrone *at = &i->at[k];
        free_area(&at->reached);
        free_area(&at->band);
        for (int j = 0; j < at->line_count; j++) free(at->line[j].xy);
        free(at->line);
    }
    free(i->at);
    *i = (struct isochrones){0};
}

/* ---- levels ---------------------------------------------------------------------------------- */

enum { LEVELS_LEAST = 4, LEVELS_MOST = 7, SAMPLE = 1 << 16 };
#define MINUTES(n) ((n) / 60.0)
#define DAYS(n)    ((n)*24.0)

static const double equal_h[] = {
    1 / 3600.0,  1 / 720.0,   1 / 360.0, 1 / 120.0, MINUTES(1), MINUTES(2), MINUTES(5), MINUTES(10),
    MINUTES(15), MINUTES(30), 1,         2,         3,          4,          6,          12,
    DAYS(1),     DAYS(2),     DAYS(5),   DAYS(10),  DAYS(20),   DAYS(50),   DAYS(100),  DAYS(200),
    DAYS(500),   DAYS(1e3),   DAYS(2e3), DAYS(5e3), DAYS(1e4),  DAYS(1e5),  DAYS(1e6),
};
static const double doubled_h[] = {
    MINUTES(15), MINUTES(30), 1, 3, 6, 12, DAYS(1), DAYS(5), DAYS(10), DAYS(100), DAYS(1000),
};
/* About doubled: 40 min and 16 h have no round double. */
static const double round_h[] = {
    MINUTES(1), MINUTES(2), MINUTES(5), MINUTES(10), MINUTES(20), MINUTES(40), 1,
    2,          4,          8,          16,          DAYS(1),     DAYS(2),     DAYS(4),
};

/* Minutes, or hours, or days. */
static bool is_round(double time_h)
{
    return time_h < 1 || fmod(time_h, time_h < 24 ? 1 : 24) == 0;
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* How many of the sorted times are at most that one. */
static size_t count_until(const float *time, size_t count, double until)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (time[middle] <= (float)until) low = middle + 1;
        else high = middle;
    }
    return low;
}

struct best {
    double score;
    int count;
    double *level_h;
};

/* Bands of equal size would score their number; a band with everything, 1. */
static void consider(struct best *best, const double *level_h, int count, const float *time,
                     size_t cells)
{
    double sum = 0;
    size_t before = 0;
    for (int i = 0; i <= count; i++) {
        const size_t until = i < count ? count_until(time, cells, level_h[i]) : cells;
        const double share = (double)(until - before) / (double)cells;
        sum += share * share;
        before = until;
    }
    if (!(1 / sum > best->score)) return;
    best->score = 1 / sum;
    best->count = count;
    for (int i = 0; i < count; i++) best->level_h[i] = level_h[i];
}

static void choose(struct best *best, const float *time, size_t cells)
{
    const double latest = (double)time[cells - 1];
    double level_h[LEVELS_MOST];
    for (size_t k = 0; k < sizeof equal_h / sizeof *equal_h; k++) {
        const double count = ceil(latest / equal_h[k]) - 1;
        if (!(count >= LEVELS_LEAST && count <= LEVELS_MOST)) continue;
        if (equal_h[k] < 0.5 && count * equal_h[k] > 1) continue; /* 1 h 15 min */
        for (int i = 0; i < (int)count; i++) level_h[i] = (i + 1) * equal_h[k];
        consider(best, level_h, (int)count, time, cells);
    }
    for (size_t k = 0; k < sizeof doubled_h / sizeof *doubled_h; k++) {
        int count = 0;
        for (double t = doubled_h[k];
             count < LEVELS_MOST && (float)t < time[cells - 1] && is_round(t); t *= 2)
            level_h[count++] = t;
        if (count >= LEVELS_LEAST) consider(best, level_h, count, time, cells);
    }
    for (size_t k = 0; k < sizeof round_h / sizeof *round_h; k++) {
        size_t count = 0;
        while (count < LEVELS_MOST && k + count < sizeof round_h / sizeof *round_h &&
               (float)round_h[k + count] < time[cells - 1])
            count++;
        if (count >= LEVELS_LEAST) consider(best, round_h + k, (int)count, time, cells);
    }
}

int isochrones_levels(double level_h[ISOCHRONES_LEVELS], const float *arrival_h, size_t cells)
{
    struct best best = {.level_h = level_h};
    size_t lava = 0, count = 0, seen = 0;
    float latest = 0;
    for (size_t i = 0; i < cells; i++)
        if (!isnan(arrival_h[i])) {
            lava++;
            if (arrival_h[i] > latest) latest = arrival_h[i];
        }
    const size_t every = lava / SAMPLE + 1;
    float *time = malloc((lava / every + 2) * sizeof *time);
    if (!time || !lava) {
        free(time);
        return 0;
    }
    for (size_t i = 0; i < cells; i++)
        if (!isnan(arrival_h[i]) && seen++ % every == 0) time[count++] = arrival_h[i];
    time[count++] = latest;
    qsort(time, count, sizeof *time, by_size);
    if (time[0] < latest) choose(&best, time, count);
    free(time);
    return best.count;
}

char *isochrones_time_text(char out[32], double time_h)
{
    const double minutes = round(time_h * 60);
    const double days = floor(minutes / 1440), hours = floor(fmod(minutes, 1440) / 60),
                 rest = fmod(minutes, 60);
    int n = 0;
    if (!(minutes >= 1 && minutes < 1e15)) {
        snprintf(out, 32, "%.3g h", time_h);
        return out;
    }
    if (days >= 1) n += snprintf(out + n, 32 - (size_t)n, "%.0f d", days);
    if (hours >= 1) n += snprintf(out + n, 32 - (size_t)n, "%s%.0f h", n ? " " : "", hours);
    if (rest >= 1) snprintf(out + n, 32 - (size_t)n, "%s%.0f min", n ? " " : "", rest);
    return out;
}
