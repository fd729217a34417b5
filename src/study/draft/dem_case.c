/* dem_case.c — writes a case for a terrain that `sciara dem` makes. */
#include "dem_case.h"

#include "case/case.h"
#include "case/parameter_sets.h"
#include "text/atomic_file.h"
#include "text/keyvalue.h"
#include "text/number.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The files of the group, in this order. */
enum { TERRAIN, VENTS, RATES };

static int put_case(FILE *out, const struct file_group *g, void *of, struct error *e)
{
    const struct dem_case *d = of;
    char number[32];
    keyvalue_put(out, 0, "title", d->stem);
    keyvalue_put(out, 0, "dem", g->file[TERRAIN].name);
    keyvalue_put(out, 0, "vents", g->file[VENTS].name);
    keyvalue_put(out, 0, "rates", g->file[RATES].name);
    fprintf(out, "run_h %s\n", number_text(1.5 * d->q->hours, number));
    fprintf(out,
            "# `sciara parameters` lists the sets; its cells: calibrated_cell_m\nparameters %s\n",
            d->q->parameters);
    if (d->r->low) fputs("# cells at 0 m or lower\nsea_level 0\n", out);
    return 0;
}

/* The table of the vent: at the given place, else in the middle of the terrain; malloc'ed. */
static char *vents_text(const struct dem_case *d)
{
    const struct dem_request *of = d->of;
    const struct georef *g = &d->r->geo;
    const double middle[2] = {g->west_m + d->r->cols * g->cell_m / 2,
                              g->south_m + d->r->rows * g->cell_m / 2};
    const double *at = !isnan(d->q->vent[0]) ? d->q->vent : of->around ? of->at : middle;
    const bool degrees = at != middle && fabs(at[0]) <= 90 && fabs(at[1]) <= 360;
    char x[32], y[32];
    return text_format("vent,%s\n1,%s,%s\n", degrees ? "lat,lon" : "x,y", number_text(at[0], x),
                       number_text(at[1], y));
}

static char *rates_text(const struct dem_case *d)
{
    char hours[32], rate[32];
    return text_format("vent,from_h,to_h,rate_m3_s\n1,0,%s,%s\n", number_text(d->q->hours, hours),
                       number_text(d->q->rate_m3_s, rate));
}

int dem_case_open(struct dem_case *d, struct dem_request *of, struct error *e)
{
    struct parameter_set set;
    d->of = of;
    const char *output = of->output, *name = path_name(output), *at;
    d->head = text_format("%.*s.cfg", path_stem(output), output);
    d->stem = text_format("%.*s", path_stem(name), name);
    FREED char *vents = text_format("%s-vents.csv", d->stem ? d->stem : "");
    FREED char *rates = text_format("%s-rates.csv", d->stem ? d->stem : "");
    if (!d->head || !d->stem || !vents || !rates) return error_memory(e);
    if (!scan_file_name(name))
        return error_input(e,
                           "dem: option 'output' %s: cannot be named in a case; give UTF-8 without "
                           "control characters",
                           output);
    if (!access(d->head, F_OK) && !of->replace)
        return error_input(e, "%s: exists; give another option 'output', or option 'replace'",
                           d->head);
    int status = parameter_set_find(&set, d->q->parameters, e);
    if (!status) status = file_group_open(&d->files, d->head, e);
    if (!status) status = file_group_add(&d->files, name, &of->written, e);
    if (!status) status = file_group_add(&d->files, vents, &at, e);
    return status ? status : file_group_add(&d->files, rates, &at, e);
}

/* Replaces the temporary name of a file in a message by its final name. */
static void name_plainly(struct error *e, const char *temp, const char *plain)
{
    for (char *at; (at = strstr(e->text, temp));) {
        FREED char *rest = text_format("%s%s", plain, at + strlen(temp));
        if (!rest || strlen(plain) > strlen(temp) + 512) return;
        snprintf(at, sizeof e->text - (size_t)(at - e->text), "%s", rest);
    }
}

/* Reads the case as a run does, under the temporary names of its files. */
static int try_case(struct dem_case *d, struct file_progress *progress, struct error *e)
{
    FREED_BY(atomic_file_abandon) struct atomic_file head;
    struct file_group now = d->files;
    FREED_BY(case_free) struct sim_case c = {0};
    int status = atomic_file_open(&head, d->head, e);
    if (status) return status;
    for (int i = 0; i < now.count; i++) now.file[i].name = (char *)path_name(now.file[i].temp);
    status = put_case(head.stream, &now, d, e);
    if (!status && fflush(head.stream)) status = atomic_file_failed(d->head, errno, "", e);
    if (!status) status = case_load_watched(&c, head.temp, true, progress, e);
    if (!status) return 0;
    name_plainly(e, head.temp, d->head);
    for (int i = 0; i < now.count; i++) {
        name_plainly(e, now.file[i].temp, now.file[i].path);
        name_plainly(e, now.file[i].name, path_name(now.file[i].path));
    }
    return status;
}

int dem_case_write(struct dem_case *d, const struct dem_result *r, struct file_progress *progress,
                   struct error *e)
{
    d->r = r;
    FREED char *vents = vents_text(d), *rates = rates_text(d);
    if (!vents || !rates) return error_memory(e);
    int status = atomic_file_text(d->files.file[VENTS].temp, vents, e);
    if (!status) status = atomic_file_text(d->files.file[RATES].temp, rates, e);
    if (!status) status = try_case(d, progress, e);
    return status ? status : file_group_write(&d->files, put_case, d, e);
}

void dem_case_close(struct dem_case *d)
{
    file_group_free(&d->files);
    FREE_ALL(d->head, d->stem);
}
