/* fit_forecast.c — reads the forecast in the folder of a study. */
#include "fit.h"

#include "compare/outline.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

bool fit_forecast_is(const char *path)
{
    cJSON *summary = NULL;
    const bool is = runfolder_is(path) && !runfolder_summary(&summary, path, NULL) &&
                    *summary_text(summary, NULL, "kind");
    cJSON_Delete(summary);
    return is;
}

void fit_forecast_free(struct fit_forecast *f)
{
    raster_free(&f->probability);
    raster_free(&f->terrain);
    cJSON_Delete(f->summary);
    RELEASE(f, f->observed);
}

int fit_folder_read(struct fit_forecast *f, const char *path, struct error *e)
{
    FREED char *layer = text_format("%s/probability.tif", path);
    int status = layer ? runfolder_summary(&f->summary, path, e) : error_memory(e);
    if (status) return status;
    f->domain = runfolder_domain(f->summary);
    f->outline = summary_text(f->summary, "plan", "outline");
    f->weight = strtoull(summary_text(f->summary, "members", "weight"), NULL, 10);
    f->members = summary_number(f->summary, "members", "effective");
    if (!f->weight || !(f->members >= 1))
        return error_input(e,
                           "%s: the folder has no forecast (kind: %s); name a run, an ensemble, a "
                           "calibration or a null model",
                           path, summary_text(f->summary, NULL, "kind"));
    status = raster_read(&f->probability, layer, 0, e);
    return status ? status : raster_check_values(&f->probability, layer, 0, 1, e);
}

int fit_forecast_read(struct fit_forecast *f, const char *run, const struct sciara_fit_options *o,
                      struct error *e)
{
    struct raster *p = &f->probability, grid;
    if ((o->map && *o->map) || o->threshold_m > 0 || o->case_path)
        return error_input(e,
                           "fit: %s: is a forecast of many runs; option 'map', option 'threshold' "
                           "and option 'case' are for one run; remove them",
                           run);
    int status = fit_folder_read(f, run, e);
    if (status) return status;
    if (o->outline) f->outline = o->outline;
    if (!*f->outline)
        return error_input(e, "fit: %s: its plan has no outline; add one: sciara fit RUN OUTLINE",
                           run);
    if (o->dem) status = fit_read_heights(&f->terrain, o->dem, e);
    if (!status) status = fit_grid(&grid, p, f->domain, f->outline, o->within, e);
    if (!status && grid.rows) status = raster_move(p, run, &grid, f->outline, e);
    if (!status && o->dem) status = raster_move(&f->terrain, o->dem, p, run, e);
    return status ? status : outline_read(&f->observed, f->outline, p->rows, p->cols, &p->geo, e);
}

static uint64_t count_in(const void *of, size_t cell)
{
    const struct fit_forecast *f = of;
    const double p = f->probability.value[cell];
    return p > 0 ? (uint64_t)llround(p * (double)f->weight) : 0;
}

struct forecast fit_forecast_on(const struct fit_forecast *f, const struct domain *domain)
{
    return (struct forecast){domain, count_in, f, f->weight, f->members};
}
