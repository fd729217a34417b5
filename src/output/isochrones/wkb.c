#include "wkb.h"

#include <stdint.h>

enum { POLYGON = 3, MULTIPOLYGON = 6 };

void wkb_put_count(FILE *f, int count)
{
    const uint32_t n = (uint32_t)count;
    fwrite(&n, sizeof n, 1, f);
}

void wkb_put_kind(FILE *f, int kind)
{
    const uint16_t one = 1;
    fwrite(&one, 1, 1, f); /* WKB begins with 1 if the byte of least value comes first */
    wkb_put_count(f, kind);
}

void wkb_put_path(FILE *f, const struct isochrone_path *p)
{
    wkb_put_count(f, p->count + p->closed);
    fwrite(p->xy, sizeof *p->xy, (size_t)p->count, f);
    if (p->closed) fwrite(p->xy[0], sizeof *p->xy, 1, f);
}

void wkb_put_area(FILE *f, const struct isochrone_area *a)
{
    wkb_put_kind(f, MULTIPOLYGON);
    wkb_put_count(f, a->count);
    for (int i = 0; i < a->count; i++) {
        const struct isochrone_polygon *p = &a->polygon[i];
        wkb_put_kind(f, POLYGON);
        wkb_put_count(f, p->count);
        for (int k = 0; k < p->count; k++) wkb_put_path(f, &p->ring[k]);
    }
}
