/* hillshade.c — relief shaded by two lights. */
/* build: optimized */
#include "map_grid.h"

#include <math.h>
#include <stdlib.h>

struct slope {
    float east, north; /* dz/dx, dz/dy */
};

static float height_at(const float *z, int rows, int cols, int row, int col)
{
    return row < 0 || row >= rows || col < 0 || col >= cols ? NAN : z[(size_t)row * cols + col];
}

/* Horn's 3 x 3 operator. A missing neighbour is replaced by a point of the plane through the other cells, so a slope looks
 * the same up to the edge. */
static struct slope slope_at(const float *z, int rows, int cols, int row, int col, double cell_m)
{
    float n[9], here = z[(size_t)row * cols + col];
    for (int k = 0; k < 9; k++) n[k] = height_at(z, rows, cols, row + k / 3 - 1, col + k % 3 - 1);
    for (int k = 1; k < 9; k += 2)
        if (isnan(n[k])) n[k] = isnan(n[8 - k]) ? here : 2 * here - n[8 - k];
    for (int k = 0; k < 9; k += 2)
        if (isnan(n[k])) n[k] = n[k < 3 ? 1 : 7] + n[k % 3 ? 5 : 3] - here;
    float scale = (float)(1 / (8 * cell_m));
    return (struct slope){((n[2] + 2 * n[5] + n[8]) - (n[0] + 2 * n[3] + n[6])) * scale,
                          ((n[0] + 2 * n[1] + n[2]) - (n[6] + 2 * n[7] + n[8])) * scale};
}

/* Finds slopes where no neighbour is missing, in a loop that a compiler can vectorise. */
static void slopes_inside(struct slope *s, const float *z, int cols, int row, float scale)
{
    const float *b = z + (size_t)row * cols, *a = b - cols, *c = b + cols;
    for (int i = 1; i + 1 < cols; i++) {
        s[i].east =
            ((a[i + 1] + 2 * b[i + 1] + c[i + 1]) - (a[i - 1] + 2 * b[i - 1] + c[i - 1])) * scale;
        s[i].north = ((a[i - 1] + 2 * a[i] + a[i + 1]) - (c[i - 1] + 2 * c[i] + c[i + 1])) * scale;
    }
}

/* Finds the slopes of a row. Adds the sum of its gradients to sum[0], and their number to sum[1]. */
static void slopes_of_row(struct slope *s, double sum[2], const float *z, int rows, int cols,
                          int row, double cell_m)
{
    if (row > 0 && row + 1 < rows) slopes_inside(s, z, cols, row, (float)(1 / (8 * cell_m)));
    for (int col = 0; col < cols; col++) {
        if (isnan(z[(size_t)row * cols + col])) continue;
        if (row == 0 || row + 1 == rows || col == 0 || col + 1 == cols ||
            isnan(s[col].east + s[col].north))
            s[col] = slope_at(z, rows, cols, row, col, cell_m);
        sum[0] += sqrtf(s[col].east * s[col].east + s[col].north * s[col].north);
        sum[1]++;
    }
}

/* The light on a slope: Lambert's cosine law for two lights. */
static float lit(struct slope s, float exaggeration)
{
    const float half = 0.70710678f;
    float p = s.east * exaggeration, q = s.north * exaggeration, up = 1 / sqrtf(1 + p * p + q * q);
    /* the normal is (-p, -q, 1) * up; the lights come from (-1/2, 1/2, half) and (0.6, 0.52, 0.6) */
    float first = (0.5f * p - 0.5f * q + half) * up;
    float second = (-0.6f * p - 0.52f * q + 0.6f) * up;
    float sum = 0.80f * (first > 0 ? first : 0) + 0.24f * (second > 0 ? second : 0);
    const float level = 0.80f * half + 0.24f * 0.6f;
    float shade = HILLSHADE_FLAT + (sum - level) * 1.15f;
    return shade < 0 ? 0 : shade > 1 ? 1 : shade;
}

int hillshade(float *shade, const float *elevation_m, int rows, int cols, double cell_m,
              struct error *e)
{
    size_t n = (size_t)rows * cols;
    FREED struct slope *s = malloc(n * sizeof *s);
    FREED double(*sum)[2] = calloc((size_t)rows, sizeof *sum);
    double total[2] = {0};
    if (!s || !sum) return error_memory(e);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++)
        slopes_of_row(s + (size_t)row * cols, sum[row], elevation_m, rows, cols, row, cell_m);
    for (int row = 0; row < rows; row++) /* in order, so that threads do not change the sum */
        total[0] += sum[row][0], total[1] += sum[row][1];
    double typical = total[1] ? total[0] / total[1] : 0;
    float exaggeration = (float)fmin(8, fmax(1, 0.35 / fmax(typical, 1e-6)));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) shade[i] = isnan(elevation_m[i]) ? NAN : lit(s[i], exaggeration);
    return 0;
}
