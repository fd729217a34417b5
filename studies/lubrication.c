/* lubrication.c — a viscous film on a slope: the reference of studies/benchmarks, apart from the
 * program under test.
 *
 *     dh/dt = div(g h^3 / (3 nu) grad(z + h)) + source
 *
 * (H. E. Huppert, Journal of Fluid Mechanics 121 (1982) 43-58), by finite volumes and explicit steps;
 * h^3 of a face is that of the cell upstream. Lava has one temperature T over its thickness, which
 * changes nothing of the flow, and loses heat from its surface:
 *
 *     rho c h (dT/dt + u grad T) = -epsilon sigma (T^4 - Ta^4) - convection (T - Ta)
 *
 * usage: lubrication CELL_M ROWS COLS ROW COL NU SLOPE_DEG RATE_M3_S WIDTH HEIGHT_M WALL HEAT TIME_S...
 *
 *     ROW COL         the source: its cell; or, where WIDTH > 0, the first of WIDTH columns of all
 *                     rows that are HEIGHT_M thick at first
 *     SLOPE_DEG       of the plane, which falls to the east
 *     WALL            near,far,half: a wedge whose tip is `near` east of the source and which is
 *                     `half` wide on either side where it ends, at `far`; or -
 *     HEAT            T,Ta,epsilon,convection,rho c: the temperature of new lava and of the
 *                     surroundings, K, the emissivity, W/m2 K and J/m3 K; or -
 *
 * Writes for each time its greatest extent east, west and north of the source, m, the thickness at the
 * source, m, the volume, m3, and the mean temperature, K; on standard error the number of steps. Lava
 * counts from 1/50 of the greatest thickness on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct film {
    int rows, cols, row, col;
    double cell_m, mobility; /* g / (3 nu) */
    double *z, *h, *T, *flux_x, *flux_y, *gain;
    char *wall;
    double vent_K, surroundings_K, emissivity, convection_W_m2K, heat_J_m3K;
};

static double *zeros(long n)
{
    double *all = calloc((size_t)n, sizeof *all);
    if (!all) exit(1);
    return all;
}

/* Of a face, from the cell before to the one after it. */
static double flux(const struct film *f, long before, long after)
{
    const double down = f->z[before] + f->h[before] - f->z[after] - f->h[after];
    const double h = f->h[down > 0 ? before : after];
    return f->wall[before] || f->wall[after] ? 0 : f->mobility * h * h * h * down;
}

static void fluxes(struct film *f)
{
    for (int row = 0; row < f->rows; row++)
        for (int col = 0; col < f->cols; col++) {
            const long at = (long)row * f->cols + col;
            f->flux_x[at] = col + 1 < f->cols ? flux(f, at, at + 1) : 0;
            f->flux_y[at] = row + 1 < f->rows ? flux(f, at, at + f->cols) : 0;
        }
}

/* Thickness, or thickness times temperature, that the fluxes bring: `of` is what a metre of lava has,
 * NULL: 1. */
static void add_fluxes(const struct film *f, double step_s, const double *of, double *gain)
{
    const double part = step_s / (f->cell_m * f->cell_m);
    for (long i = 0; i < (long)f->rows * f->cols; i++) gain[i] = 0;
    for (int row = 0; row < f->rows; row++)
        for (int col = 0; col < f->cols; col++) {
            const long at = (long)row * f->cols + col, next[2] = {at + 1, at + f->cols};
            const double flux[2] = {f->flux_x[at], f->flux_y[at]};
            for (int k = 0; k < 2; k++) {
                if (flux[k] == 0) continue; /* as on the last row and column */
                const double part_of = part * flux[k] * (of ? of[flux[k] > 0 ? at : next[k]] : 1);
                gain[at] -= part_of;
                gain[next[k]] += part_of;
            }
        }
}

/* One step of Newton's method for the end of the step: it never cools below the surroundings. */
static double cooled(const struct film *f, double h, double T, double step_s)
{
    const double s = 5.670374e-8 * f->emissivity, Ta = f->surroundings_K, T3 = T * T * T;
    const double loss = s * (T3 * T - Ta * Ta * Ta * Ta) + f->convection_W_m2K * (T - Ta);
    const double slope = 4 * s * T3 + f->convection_W_m2K;
    return T - step_s * loss / (f->heat_J_m3K * h + step_s * slope);
}

static void advance(struct film *f, double step_s, double rate_m3_s)
{
    const long cells = (long)f->rows * f->cols, source = (long)f->row * f->cols + f->col;
    const double fed_m = rate_m3_s * step_s / (f->cell_m * f->cell_m);
    fluxes(f);
    if (f->heat_J_m3K > 0) {
        add_fluxes(f, step_s, f->T, f->gain);
        for (long i = 0; i < cells; i++) f->T[i] = f->h[i] * f->T[i] + f->gain[i];
        f->T[source] += fed_m * f->vent_K;
    }
    add_fluxes(f, step_s, NULL, f->gain);
    for (long i = 0; i < cells; i++) f->h[i] += f->gain[i];
    f->h[source] += fed_m;
    if (f->heat_J_m3K > 0)
        for (long i = 0; i < cells; i++)
            f->T[i] = f->h[i] > 0 ? cooled(f, f->h[i], f->T[i] / f->h[i], step_s) : 0;
}

static double thickest(const struct film *f)
{
    double most = 0;
    for (long i = 0; i < (long)f->rows * f->cols; i++) most = fmax(most, f->h[i]);
    return most;
}

/* Stable while a cell gives its neighbours less than it has: diffusion and advection by h^3. */
static double longest_step(const struct film *f, double slope)
{
    const double h = fmax(thickest(f), 1e-9), m = f->mobility * h * h;
    return 0.2 / (4 * m * h / (f->cell_m * f->cell_m) + 3 * m * slope / f->cell_m);
}

static void write_extent(const struct film *f, double time_s)
{
    const double least = thickest(f) / 50;
    int east = 0, west = 0, north = 0;
    double volume = 0, counts = 0, heat = 0;
    for (int row = 0; row < f->rows; row++)
        for (int col = 0; col < f->cols; col++) {
            const double h = f->h[(long)row * f->cols + col];
            volume += h;
            if (!(h > least)) continue;
            counts += h;
            heat += h * f->T[(long)row * f->cols + col];
            if (col - f->col > east) east = col - f->col;
            if (f->col - col > west) west = f->col - col;
            if (abs(row - f->row) > north) north = abs(row - f->row);
        }
    printf("%g %.6g %.6g %.6g %.6g %.6g %.6g\n", time_s, (east + 0.5) * f->cell_m,
           (west + 0.5) * f->cell_m, (north + 0.5) * f->cell_m,
           f->h[(long)f->row * f->cols + f->col], volume * f->cell_m * f->cell_m, heat / counts);
}

int main(int argc, char **argv)
{
    enum { TIMES = 13 };
    if (argc <= TIMES) return fprintf(stderr, "usage: see the head of lubrication.c\n"), 2;
    const double nu = atof(argv[6]), slope = tan(atof(argv[7]) * 0x1.921fb54442d18p+1 / 180);
    const double rate = atof(argv[8]), high = atof(argv[10]);
    const int wide = atoi(argv[9]);
    struct film f = {.rows = atoi(argv[2]),
                     .cols = atoi(argv[3]),
                     .row = atoi(argv[4]),
                     .col = atoi(argv[5]),
                     .cell_m = atof(argv[1]),
                     .mobility = 9.81 / (3 * nu)};
    const long cells = (long)f.rows * f.cols;
    double near = 0, far = -1, half = 0, time_s = 0;
    sscanf(argv[11], "%lf,%lf,%lf", &near, &far, &half);
    sscanf(argv[12], "%lf,%lf,%lf,%lf,%lf", &f.vent_K, &f.surroundings_K, &f.emissivity,
           &f.convection_W_m2K, &f.heat_J_m3K);
    f.z = zeros(cells), f.h = zeros(cells), f.T = zeros(cells), f.gain = zeros(cells);
    f.flux_x = zeros(cells), f.flux_y = zeros(cells);
    f.wall = (char *)zeros(cells);
    for (long i = 0; i < cells; i++) {
        const int row = (int)(i / f.cols), col = (int)(i % f.cols);
        const double x = (col - f.col) * f.cell_m, y = abs(row - f.row) * f.cell_m;
        f.z[i] = -slope * x;
        f.wall[i] = x >= near && x <= far && y <= half * (x - near) / (far - near);
        if (col >= f.col && col < f.col + wide) f.h[i] = high, f.T[i] = f.vent_K;
    }
    long steps = 0;
    for (int i = TIMES; i < argc; i++) {
        const double end_s = atof(argv[i]);
        while (time_s < end_s) {
            double step_s = fmin(longest_step(&f, slope), fmin(end_s / 1000, end_s - time_s));
            advance(&f, step_s, rate);
            time_s += step_s;
            steps++;
        }
        write_extent(&f, end_s);
    }
    fprintf(stderr, "%ld steps\n", steps);
    return 0;
}
