/* build: optimized */
#include "domain.h"

#include "compare/outline.h"
#include "text/scan.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool domain_is_distance(const char *text, double *distance_m, bool *good)
{
    static const struct {
        const char *name;
        double m;
    } units[] = {{"", 1}, {"m", 1}, {"km", 1000}};
    const size_t digits = strspn(text, "+-.0123456789eE"), gap = strspn(text + digits, " ");
    const char *unit = text + digits + gap;
    char number[32];
    size_t i = 0;
    while (i < sizeof units / sizeof *units && strcmp(unit, units[i].name)) i++;
    if (i == sizeof units / sizeof *units || digits >= sizeof number) return false;
    memcpy(number, text, digits);
    number[digits] = '\0';
    if (!scan_real(number, distance_m)) return false;
    *distance_m *= units[i].m;
    *good = *distance_m > 0 && *distance_m <= DOMAIN_WITHIN_M;
    return true;
}

unsigned domain_at(const struct domain *d, int row, int col)
{
    const int r = row - d->box.row0, c = col - d->box.col0;
    if (r < 0 || c < 0 || r >= d->box.rows || c >= d->box.cols) return 0;
    return d->cell[(size_t)r * (size_t)d->box.cols + (size_t)c];
}

void domain_free(struct domain *d)
{
    RELEASE(d, d->cell);
}

struct window domain_around(struct window w, double margin, int rows, int cols)
{
    const int more = (int)fmin(ceil(margin), fmax(rows, cols)),
              top = w.row0 > more ? w.row0 - more : 0, left = w.col0 > more ? w.col0 - more : 0,
              bottom = w.row0 + w.rows + more, right = w.col0 + w.cols + more;
    return (struct window){top, left, (bottom < rows ? bottom : rows) - top,
                           (right < cols ? right : cols) - left};
}

/* Keeps only the cells of the box within the distance of the outline. */
static int keep_near(struct domain *d, double distance_m, struct error *e)
{
    const size_t cells = window_cells(d->box);
    const double most = distance_m / d->cell_m;
    FREED unsigned char *mark = malloc(cells);
    FREED int64_t *squared = malloc(cells * sizeof *squared);
    int status = mark && squared ? 0 : error_memory(e);
    for (size_t i = 0; i < cells && !status; i++) mark[i] = d->cell[i] & DOMAIN_OBSERVED;
    if (!status) status = distance_transform(squared, mark, d->box.rows, d->box.cols, e);
    for (size_t i = 0; i < cells && !status; i++)
        if ((double)squared[i] > most * most) d->cell[i] &= DOMAIN_OBSERVED;
    return status;
}

/* Removes cells without terrain from the domain, because lava cannot come there. */
static int drop_holes(struct domain *d, const struct problem *p, struct error *e)
{
    int status = p->elevation_m ? problem_read_terrain(p, d->box, e) : 0;
    for (size_t i = 0; i < window_cells(d->box) && !status && p->elevation_m; i++)
        if (isnan(p->elevation_m[domain_place(d, i)])) d->cell[i] &= DOMAIN_OBSERVED;
    return status;
}

static void count(struct domain *d, uint64_t observed)
{
    for (size_t i = 0; i < window_cells(d->box); i++) {
        d->cells += (d->cell[i] & DOMAIN_IN) != 0;
        d->observed += d->cell[i] == (DOMAIN_IN | DOMAIN_OBSERVED);
    }
    d->beyond = observed - d->observed;
}

/* Marks the observed cells and the cells of the domain. The domain is `inside`; if `inside` is NULL, the domain is the
 * box of the outline with a margin. */
static int fill_domain(struct domain *d, double margin, const unsigned char *inside,
                       const unsigned char *outline, struct error *e)
{
    window_add_mask(&d->box, outline, d->rows, d->cols);
    window_add_mask(&d->box, inside, d->rows, d->cols);
    d->box = domain_around(d->box, inside ? 0 : margin, d->rows, d->cols);
    if (!(d->cell = malloc(window_cells(d->box)))) return error_memory(e);
    for (size_t i = 0; i < window_cells(d->box); i++) {
        const size_t at = domain_place(d, i);
        d->cell[i] = (unsigned char)((!inside || inside[at] ? DOMAIN_IN : 0) |
                                     (outline[at] ? DOMAIN_OBSERVED : 0));
    }
    return 0;
}

int domain_create(struct domain *d, const struct domain_within *within,
                  const unsigned char *outline, const struct problem *p, const struct georef *geo,
                  const char *name, struct error *e)
{
    const double margin_m = within->distance_m > 0 ? within->distance_m : DOMAIN_MARGIN_M;
    FREED unsigned char *inside = NULL;
    uint64_t observed = 0;
    *d = (struct domain){.rows = p->rows, .cols = p->cols, .cell_m = geo->cell_m};
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++) observed += outline[i] != 0;
    int status = within->path ? outline_read(&inside, within->path, p->rows, p->cols, geo, e) : 0;
    if (!status) status = fill_domain(d, margin_m / geo->cell_m, inside, outline, e);
    if (!status && within->distance_m > 0) status = keep_near(d, within->distance_m, e);
    if (!status) status = drop_holes(d, p, e);
    if (!status) count(d, observed);
    if (within->path) words_pack(d->about, sizeof d->about, "the polygons of a file");
    else if (within->distance_m > 0)
        words_pack(d->about, sizeof d->about, "%.6g m around the outline", within->distance_m);
    else words_pack(d->about, sizeof d->about, "the outline's box and %g m", DOMAIN_MARGIN_M);
    if (!status && !d->observed)
        status = error_input(e, "%s: verify_within has no cell with observed lava; " DOMAIN_REMEDY,
                             name);
    if (status) domain_free(d);
    return status;
}

int domain_union(struct domain *d, const struct domain *a, const struct domain *b, struct error *e)
{
    *d = (struct domain){.rows = a->rows,
                         .cols = a->cols,
                         .cell_m = a->cell_m,
                         .box = window_of_both(a->box, b->box)};
    if (!(d->cell = malloc(window_cells(d->box)))) return error_memory(e);
    for (size_t i = 0; i < window_cells(d->box); i++) {
        const int row = d->box.row0 + (int)(i / (size_t)d->box.cols),
                  col = d->box.col0 + (int)(i % (size_t)d->box.cols);
        d->cell[i] = (unsigned char)(domain_at(a, row, col) | domain_at(b, row, col));
    }
    count(d, a->observed + a->beyond);
    return 0;
}
