/* isochrone_levels.c — round times, and their text. */
#include "isochrones.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    MINUTES(1), MINUTES(5), MINUTES(10), MINUTES(15), MINUTES(30), 1,         3,
    6,          12,         DAYS(1),     DAYS(5),     DAYS(10),    DAYS(100), DAYS(1000),
};

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
        for (int i = 0; i < (int)count; i++) level_h[i] = (i + 1) * equal_h[k];
        consider(best, level_h, (int)count, time, cells);
    }
    for (size_t k = 0; k < sizeof doubled_h / sizeof *doubled_h; k++) {
        int count = 0;
        for (double t = doubled_h[k]; count < LEVELS_MOST && (float)t < time[cells - 1]; t *= 2)
            level_h[count++] = t;
        if (count >= LEVELS_LEAST) consider(best, level_h, count, time, cells);
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
