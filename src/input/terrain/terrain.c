/* terrain.c — the landscapes: functions of place alone, which use only + - * / and sqrt (terrain.h). */
/* build: optimized */
#include "terrain.h"
#include "case/resolution.h"
#include "noise.h"
#include "sim/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sequences of random numbers, all from one seed. */
enum { NOISE_ROUGH = 1, NOISE_GULLY, NOISE_CHANNEL, NOISE_AXIS, NOISE_SHEET, NOISE_HEAT };

static uint64_t stream(const struct terrain *t, int which)
{
    return noise_hash(t->seed, which, 0, 0);
}

static double square(double x)
{
    return x * x;
}

/* Returns the sum of noises with wavelengths `longest`, `longest` / 2 and so on, down to `shortest`. Amplitude is a
 * fixed share of wavelength, so the slopes are alike at all scales, as in lava fields. */
static double roughness(uint64_t seed, double x, double y, double longest, double shortest)
{
    double sum = 0;
    for (double length = longest; length >= shortest; length *= 0.5, seed++)
        sum += length * noise_2(seed, x / length, y / length);
    return sum;
}

/* ---- the volcano ----------------------------------------------------------------------------- */

/* Place and size of the mountain. Its natural size is a relief of 3 km, with steep slopes up to 10 km from the summit.
 * In a small domain it is smaller. */
struct mountain {
    double x_m, y_m; /* place of the summit, east and south of the north-west corner */
    double scale;
};

static struct mountain mountain(const struct terrain *t)
{
    if (t->kind == TERRAIN_ETNA2006) return (struct mountain){150, 600, 1};
    double width = t->cols * t->cell_m, height = t->rows * t->cell_m;
    double scale = (width < height ? width : height) / 12000;
    return (struct mountain){0.35 * width, 0.45 * height, scale < 1 ? scale : 1};
}

/* Returns the share of the mountain's relief that the collapse has removed at x east, y south of the summit. It is 0 in
 * the west; then come a headwall and a valley with a flat floor. It is a share, not a depth, so the floor falls
 * wherever the cone does. *across: the distance south of the valley's axis, m. */
static double collapse(const struct terrain *t, double x, double y, double *across)
{
    uint64_t seed = stream(t, NOISE_AXIS);
    double bend = 450 * noise_2(seed, x / 2500, 0) + 120 * noise_2(seed + 1, x / 700, 0);
    *across = y - 900 - bend;
    return noise_smooth((x - 100) / 2800) * (1 - noise_smooth((fabs(*across) - 450) / 1150));
}

/* Gullies run down the flanks: the noise varies slowly with the distance r from the summit, and quickly with the
 * direction (x/r, y/r). */
static double gullies(const struct terrain *t, double x, double y, double r)
{
    double n = noise_3(stream(t, NOISE_GULLY), r / 1400, 11 * x / r, 11 * y / r);
    return 130 * noise_smooth(r / 3000) * (sqrt(n * n + 0.002) - 0.15);
}

/* Old lava channels between their levees, along the valley. */
static double channels(const struct terrain *t, double x, double across)
{
    double n = noise_2(stream(t, NOISE_CHANNEL), x / 1300, across / 170);
    return 28 * (sqrt(n * n + 0.002) - 0.15);
}

static double volcano(const struct terrain *t, int row, int col)
{
    struct mountain m = mountain(t);
    double x = ((col + 0.5) * t->cell_m - m.x_m) / m.scale;
    double y = ((row + 0.5) * t->cell_m - m.y_m) / m.scale;
    double r = sqrt(x * x + y * y + 150.0 * 150.0);
    double crater = r < 330 ? 90 * square(1 - square(r / 330)) : 0;
    double across, gone = collapse(t, x, y, &across);
    double relief = 3000 * 5000 / (5000 + r) - crater;
    double z = 560 + relief * (1 - 0.40 * gone);
    z += (1 - gone) * gullies(t, x, y, r) + gone * channels(t, x, across);
    z += 0.09 * roughness(stream(t, NOISE_ROUGH), x, y, 640, 2 * t->cell_m / m.scale);
    return z * m.scale;
}

void terrain_place(const struct terrain *t, double east_m, double south_m, double xy[2])
{
    const struct mountain m = mountain(t);
    xy[0] = t->west_m + m.x_m + east_m * m.scale;
    xy[1] = t->south_m + t->rows * t->cell_m - (m.y_m + south_m * m.scale);
}

/* On a small mountain the two vents would be in one cell, and would emit too much lava there. So the second vent moves
 * one cell to the east. */
static int volcano_vents(const struct terrain *t, struct terrain_vent *vents)
{
    struct mountain m = mountain(t);
    for (int i = 0; i < 2; i++)
        vents[i] = (struct terrain_vent){i + 1, (int)((m.y_m + 545 * m.scale) / t->cell_m),
                                         (int)((m.x_m + (565 + 60 * i) * m.scale) / t->cell_m)};
    if (vents[1].col == vents[0].col && t->cols > vents[0].col + 1) vents[1].col++;
    return 2;
}

/* ---- the sheet ------------------------------------------------------------------------------- */

/* A plane that falls by half a per cent to the east, with dents much shallower than the lava is thick. Lengths are in
 * cells, so that every resolution gives the program the same work. */
static double sheet(const struct terrain *t, int row, int col)
{
    double fall = 0.005 * t->cell_m;
    if (fall * t->cols > 6000) fall = 6000.0 / t->cols;
    return 100 + fall * (t->cols - col) + 0.04 * roughness(stream(t, NOISE_SHEET), col, row, 64, 2);
}

/* About one cell in twenty has no lava at first, in patches. */
static double sheet_thickness(const struct terrain *t, int row, int col)
{
    uint64_t seed = stream(t, NOISE_HEAT);
    if (noise_2(seed, col / 37.0, row / 37.0) > 0.42) return 0;
    return 5 + 2.5 * noise_2(seed + 1, col / 19.0, row / 19.0);
}

/* ---- the channel ----------------------------------------------------------------------------- */

enum { CHANNEL_VENT_COL = 256 };

/* All places are relative to the vent, so that grids of all sizes agree where they overlap. Lengths are in cells. The
 * valley falls by 8 % at the vent, and less and less over thousands of cells to the east. So heights stay in the range
 * that the arithmetic allows, over any number of cells. */
static double channel(const struct terrain *t, int row, int col)
{
    double x = col - CHANNEL_VENT_COL, y = row - t->rows / 2;
    uint64_t seed = stream(t, NOISE_AXIS);
    /* the axis passes through the vent for every seed, since noise is 0 at lattice points */
    double axis = 60 * noise_2(seed, x / 300, 0) + 20 * noise_2(seed + 1, x / 90, 0);
    double fall = x < 0 ? 0.08 * x : 0.08 * x / (1 + x / 12000);
    double wall = 12 * square(y - axis) / (square(y - axis) + square(18.0));
    return t->cell_m * (400 - fall + wall + 0.015 * roughness(stream(t, NOISE_ROUGH), x, y, 32, 2));
}

/* ---- the pyramid ----------------------------------------------------------------------------- */

/* Returns the greatest of the distances of (x, y) from the top along the eight compass directions, in cells. The result
 * has the same bits for (-x, y), (x, -y) and (y, x), so the pyramid has the eight symmetries of the square. */
static double octagon(double x, double y)
{
    const double cos45 = 0.70710678118654752;
    double ax = fabs(x), ay = fabs(y), far = (ax + ay) * cos45;
    if (ax > far) far = ax;
    return ay > far ? ay : far;
}

/* The pyramid has eight faces, towards the axes and the diagonals, each with a slope of tan 5 degrees. The faces reach
 * the edge of the grid. */
static double pyramid(const struct terrain *t, int row, int col)
{
    const double tan5 = 0.087488663525924005;
    double x = 0.5 * (t->cols - 1), y = 0.5 * (t->rows - 1);
    return 100 + tan5 * t->cell_m * (octagon(x, y) - octagon(col - x, row - y));
}

/* ---- the valley ------------------------------------------------------------------------------ */

/* The valley falls 1 m in 10 m along the diagonal from the north-west corner, between sides that rise 1 m in 2 m. The
 * bounding box of its narrow flow is a square, and nearly empty. Heights are floats, as in the file. */
static double valley(const struct terrain *t, int row, int col)
{
    const float along = (float)(0.1 * t->cell_m / sqrt(2)),
                aside = (float)(0.5 * t->cell_m / sqrt(2));
    const float floor_m = 9000 - along * (float)(row + col),
                z = floor_m + aside * (float)abs(row - col);
    return z < 9500 ? z : 9500;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double (*elevation)(const struct terrain *t, int row, int col);
    int rows, cols;
    struct terrain_eruption eruption;
} kinds[] = {
    [TERRAIN_VOLCANO] =
        {"volcano", volcano, 512, 512, {48, {1, 1.6, 1.4, 1.2, 0.5}, 2.8, 1.5, 16000, 0}},
    [TERRAIN_SHEET] = {"sheet", sheet, 2048, 2048, {24, {0}, 2.8, 1.5, 1000, 0}},
    [TERRAIN_CHANNEL] = {"channel", channel, 2048, 2048, {240, {4, 4}, 2.8, 1.5, 12000, 0}},
    /* 1 m3/s for 6 days without cooling. The critical thickness is so small that lava runs off in
     * eight narrow streams, along axes and diagonals of the grid. */
    [TERRAIN_PYRAMID] = {"pyramid", pyramid, 203, 203, {144, {1}, 0, 0.4, 4320, 0}},
    [TERRAIN_VALLEY] = {"valley", valley, 512, 512, {144, {1}, 0, 0.4, 4320, 0}},
    [TERRAIN_ETNA2006] =
        {"etna2006", volcano, 378, 517, {48, {1, 1.6, 1.4, 1.2, 0.5}, 2.8, 1.5, 16000, 0}},
};

const char *terrain_kind_name(enum terrain_kind kind)
{
    return kinds[kind].name;
}

struct terrain terrain_default(enum terrain_kind kind)
{
    const bool etna = kind == TERRAIN_ETNA2006;
    return (struct terrain){kind,
                            kinds[kind].rows,
                            kinds[kind].cols,
                            etna ? 499547.5 : 500000,
                            etna ? 4174982.5 : 4170000,
                            .cell_m = 10,
                            .epsg = 32633,
                            .seed = 1};
}

struct terrain_eruption terrain_eruption(const struct terrain *t)
{
    struct terrain_eruption lava = kinds[t->kind].eruption;
    const double share = t->cell_m < 2 ? t->cell_m / PUBLISHED_CELL_M : 1;
    lava.clock_s = PUBLISHED_CLOCK_S * share;
    lava.max_steps = (int)fmin(lava.max_steps / share, 1e9);
    return lava;
}

int terrain_valid(const struct terrain *t, struct error *e)
{
    int least = t->kind == TERRAIN_CHANNEL ? 2 * CHANNEL_VENT_COL : TERRAIN_CELLS_MIN;
    double x = fabs(t->west_m), y = fabs(t->south_m);
    if (t->rows < least || t->cols < least || t->rows > TERRAIN_CELLS_MAX ||
        t->cols > TERRAIN_CELLS_MAX)
        return error_input(e, "%d x %d cells: a %s needs %d to %d rows and columns", t->rows,
                           t->cols, terrain_kind_name(t->kind), least, TERRAIN_CELLS_MAX);
    if (!(t->cell_m >= 0.01 && t->cell_m <= 1000))
        return error_input(e, "cells of %g m: choose a side from 0.01 to 1000 m", t->cell_m);
    if (!(x <= 1e8 && y <= 1e8))
        return error_input(e, "corner %g %g: choose coordinates within 1e8 m", t->west_m,
                           t->south_m);
    if (t->epsg < 1024 || t->epsg > 32766)
        return error_input(
            e, "EPSG:%d: give the code of a projected system in metres, 1024 to 32766", t->epsg);
    /* The lowest and the highest ground are at the corners or at the vent. */
    for (int i = 0; i < 4; i++) {
        double z = terrain_elevation(t, i & 1 ? t->rows - 1 : 0, i & 2 ? t->cols - 1 : 0);
        struct terrain_vent v[TERRAIN_MAX_VENTS] = {{0, 0, 0}};
        terrain_vents(t, v);
        double top = terrain_elevation(t, v[0].row, v[0].col);
        if (!(z > ELEVATION_MIN_M && z < ELEVATION_MAX_M && top < ELEVATION_MAX_M))
            return error_input(e,
                               "a %s of %d x %d cells of %g m reaches heights outside %g to %g m; "
                               "choose smaller cells or fewer",
                               terrain_kind_name(t->kind), t->rows, t->cols, t->cell_m,
                               ELEVATION_MIN_M, ELEVATION_MAX_M);
    }
    return 0;
}

char *terrain_describe(const struct terrain *t, char buffer[256])
{
    bool etna = t->kind == TERRAIN_ETNA2006;
    snprintf(buffer, 256, "SYNTHETIC TERRAIN: %s, %d x %d cells of %g m, seed %llu",
             etna ? "stand-in for Etna 2006" : terrain_kind_name(t->kind), t->rows, t->cols,
             t->cell_m, (unsigned long long)t->seed);
    return buffer;
}

double terrain_elevation(const struct terrain *t, int row, int col)
{
    return kinds[t->kind].elevation(t, row, col);
}

double terrain_thickness(const struct terrain *t, int row, int col)
{
    return t->kind == TERRAIN_SHEET ? sheet_thickness(t, row, col) : 0;
}

double terrain_temperature(const struct terrain *t, int row, int col)
{
    if (terrain_thickness(t, row, col) <= 0) return 0;
    return 1320 + 35 * noise_2(stream(t, NOISE_HEAT) + 2, col / 23.0, row / 23.0);
}

int terrain_vents(const struct terrain *t, struct terrain_vent vents[TERRAIN_MAX_VENTS])
{
    const bool channel = t->kind == TERRAIN_CHANNEL;
    if (t->kind == TERRAIN_SHEET) return 0;
    if (!channel && t->kind != TERRAIN_PYRAMID && t->kind != TERRAIN_VALLEY)
        return volcano_vents(t, vents);
    vents[0] = channel ? (struct terrain_vent){1, t->rows / 2, CHANNEL_VENT_COL}
               : t->kind == TERRAIN_VALLEY
                   ? (struct terrain_vent){1, t->rows / 10, t->cols / 10}
                   : (struct terrain_vent){1, (t->rows - 1) / 2, (t->cols - 1) / 2};
    return 1;
}
