#include "forecast_folder.h"

#include "compare/runfolder.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

bool forecast_folder_is(const char *path)
{
    cJSON *summary = NULL;
    const bool is = runfolder_is(path) && !runfolder_summary(&summary, path, NULL) &&
                    *summary_text(summary, NULL, "kind");
    cJSON_Delete(summary);
    return is;
}

static int read_summary(struct forecast_folder *f, const cJSON *all, const char *path,
                        struct error *e)
{
    f->weight = strtoull(summary_text(all, "members", "weight"), NULL, 10);
    f->members = summary_number(all, "members", "effective");
    if (!f->weight || !(f->members >= 1))
        return error_input(e,
                           "%s: is the folder of many runs (%s) without a forecast; name a run, an "
                           "ensemble, a calibration or a null model",
                           path, summary_text(all, NULL, "kind"));
    f->domain = runfolder_domain(all);
    f->outline = text_format("%s", summary_text(all, "plan", "outline"));
    return f->outline ? 0 : error_memory(e);
}

int forecast_folder_read(struct forecast_folder *f, const char *path, struct error *e)
{
    cJSON *summary = NULL;
    char *layer = text_format("%s/probability.tif", path);
    *f = (struct forecast_folder){0};
    int status = layer ? runfolder_summary(&summary, path, e) : error_memory(e);
    if (!status) status = read_summary(f, summary, path, e);
    if (!status) status = raster_read(&f->probability, layer, 0, e);
    if (!status) status = raster_check_values(&f->probability, layer, 0, 1, e);
    cJSON_Delete(summary);
    free(layer);
    if (status) forecast_folder_free(f);
    return status;
}

void forecast_folder_free(struct forecast_folder *f)
{
    raster_free(&f->probability);
    free(f->outline);
    *f = (struct forecast_folder){0};
}

static uint64_t count(const void *of, size_t cell)
{
    const struct forecast_folder *f = of;
    const double p = f->probability.value[cell];
    return p > 0 ? (uint64_t)llround(p * (double)f->weight) : 0;
}

struct forecast forecast_folder_on(const struct forecast_folder *f, const struct domain *domain)
{
    return (struct forecast){domain, count, f, f->weight, f->members};
}
