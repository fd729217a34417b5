/* ensemble_page.c — `--format` of the commands that compute many runs, and their page. */
#include "ensemble.h"

#include "cli.h"
#include "run.h"

#include "export/export.h"
#include "products/picture.h"
#include "page/page.h"

const char *const ensemble_formats[] = {"svg", "pdf", "html", "kmz", "qgis", NULL};
const char *const ensemble_pictures[] = {"svg", "pdf", NULL};
const unsigned ensemble_format_bits[] = {OUTPUT_SVG, OUTPUT_PDF, RUN_HTML, OUTPUT_KMZ, OUTPUT_QGIS};

int ensemble_page(const struct output_info *info, unsigned formats, const char *plan, int status,
                  struct error *e)
{
    const struct page_options o = {.plan = plan, .version = sciara_version(), .trusted = true};
    const bool misses = output_misses(info, status);
    struct error other; /* that of the first file is told */
    if ((status && !misses) || !(formats & RUN_HTML)) return status;
    const int page = page_write(info->directory, &o, misses ? &other : e);
    return misses ? status : page;
}

int ensemble_formats_take(struct output_info *info, unsigned formats, const struct sim_case *c,
                          struct error *e)
{
    info->formats = OUTPUT_PNG | (formats & (OUTPUT_PICTURES | OUTPUT_KMZ | OUTPUT_QGIS));
    return formats & OUTPUT_KMZ ? export_check_degrees(c, "kmz", e) : 0;
}

int ensemble_map(struct output_info *info, const struct run_map *m, struct error *e)
{
    double width_in, height_in;
    run_map_inches(m, &width_in, &height_in);
    return output_picture_page(&info->pictures, width_in, height_in, m->dpi, e);
}

int ensemble_page_check(unsigned formats, const char *folder, struct error *e)
{
    return formats & RUN_HTML ? page_check(folder, e) : 0;
}
