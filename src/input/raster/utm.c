/* utm.c — the zones of UTM on WGS 84, of which PROJ need not be asked: a page has none (web/absent.c). */
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
