/* utm.c — UTM on WGS 84 without PROJ. PROJ takes longer to load than everything else that most cases need, and a web
 * page lacks it (web/absent.c). */
#include "projection.h"

#include <math.h>

bool projection_is_utm(int epsg)
{
    return (epsg / 100 == 326 || epsg / 100 == 327) && epsg % 100 >= 1 && epsg % 100 <= 60;
}

int projection_utm(double east_deg, double north_deg)
{
    int zone = (int)floor((remainder(east_deg, 360) + 180) / 6) + 1;
    if (zone < 1) zone = 1;
    if (zone > 60) zone = 60;
    return (north_deg < 0 ? 32700 : 32600) + zone;
}

/* Returns the scale at a place in the zone, and finds its latitude and longitude, by the series of Krüger (1912) to the
 * third order in n, as in Karney (2011), J. Geodesy 85, 475, equations 35 and 36. Errors are below 1e-11. The
 * projection is conformal: the scale is the same in all directions. */
static double scale_at(double xi, double eta, double *lat_rad, double *lon_rad)
{
    const double f = 1 / 298.257223563, n = f / (2 - f), n2 = n * n, n3 = n2 * n;
    const double beta[] = {n / 2 - 2 * n2 / 3 + 37 * n3 / 96, n2 / 48 + n3 / 15, 17 * n3 / 480},
                 delta[] = {2 * n - 2 * n2 / 3 - 2 * n3, 7 * n2 / 3 - 8 * n3 / 5, 56 * n3 / 15};
    double x = xi, y = eta, sigma = 1, tau = 0;
    for (int j = 1; j <= 3; j++) {
        const double b = beta[j - 1], s = sin(2 * j * xi), c = cos(2 * j * xi),
                     sh = sinh(2 * j * eta), ch = cosh(2 * j * eta);
        x -= b * s * ch;
        y -= b * c * sh;
        sigma -= 2 * j * b * c * ch;
        tau += 2 * j * b * s * sh;
    }
    const double conformal = asin(sin(x) / cosh(y));
    *lat_rad = conformal;
    for (int j = 1; j <= 3; j++) *lat_rad += delta[j - 1] * sin(2 * j * conformal);
    *lon_rad = atan2(sinh(y), cos(x));
    const double slope = (1 - n) / (1 + n) * tan(*lat_rad), c = cos(x), s = sinh(y);
    return (1 + n2 / 4 + n2 * n2 / 64) / (1 + n) *
           sqrt((1 + slope * slope) * (c * c + s * s) / (sigma * sigma + tau * tau));
}

bool projection_scale_utm(struct ground_scale *s, const struct georef *geo, int rows, int cols)
{
    static const double share[5][2] = {{0.5, 0.5}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
    const double f = 1 / 298.257223563, n = f / (2 - f), degree = acos(-1.0) / 180,
                 most = acos(0.0);
    const double unit_m = 0.9996 * 6378137 / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64);
    const bool south = geo->crs.epsg / 100 == 327;
    if (!projection_is_utm(geo->crs.epsg)) return false;
    *s = (struct ground_scale){.least = INFINITY};
    for (int i = 4; i >= 0; i--) { /* the centre is last: its place stays in *s */
        const double east_m = geo->west_m + share[i][0] * cols * geo->cell_m - 5e5,
                     north_m = geo->south_m + share[i][1] * rows * geo->cell_m - (south ? 1e7 : 0);
        if (!(fabs(east_m) < 1e6 && fabs(north_m / unit_m) < most)) return false;
        const double k =
            0.9996 * scale_at(north_m / unit_m, east_m / unit_m, &s->north_deg, &s->east_deg);
        s->least = fmin(s->least, k);
        s->greatest = fmax(s->greatest, k);
    }
    s->north_deg /= degree;
    s->east_deg = s->east_deg / degree + 6 * (geo->crs.epsg % 100) - 183;
    return true;
}
