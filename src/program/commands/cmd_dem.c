/* cmd_dem.c — `sciara dem SOURCE... --output FILE`: makes a terrain for a run from rasters. */
#include "run.h"

#include "base/file_progress.h"
#include "draft/dem_case.h"
#include "raster/raster.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct request {
    struct option_words sources;
    struct dem_request of;
    int resample; /* index in `kernels` */
    bool quiet, copernicus;
    bool with_case;
    struct dem_case_words made;
};

/* ---- the command line ------------------------------------------------------------------------ */

static const char *const kernels[] = {"bilinear", "cubic", "cubicspline", NULL};

static int set_vent(const struct option *o, void *field, const char *const value[], struct error *e)
{
    return option_numbers(field, 2, value[0]) ? 0 : error_input(e, "give 37.75,14.99 or X,Y");
}

static int set_at(const struct option *o, void *field, const char *const value[], struct error *e)
{
    struct dem_request *q = field;
    q->around = true;
    return set_vent(o, q->at, value, e);
}

static int set_edges(const struct option *o, void *field, const char *const value[],
                     struct error *e)
{
    struct dem_request *q = field;
    double *b = q->edge;
    q->extent = option_numbers(b, 4, value[0]);
    if (q->extent && b[1] < b[3] && b[0] != b[2]) return 0;
    return error_input(e, "give WEST,SOUTH,EAST,NORTH");
}

static int set_scale(const struct option *o, void *field, const char *const value[],
                     struct error *e)
{
    struct dem_request *q = field;
    q->scaled = option_numbers(q->scale, 2, value[0]);
    return q->scaled ? 0 : error_input(e, "give SCALE,OFFSET, as 0.1,0");
}

static int set_crs(const struct option *o, void *field, const char *const value[], struct error *e)
{
    const char *code = value[0] + (strncasecmp(value[0], "EPSG:", 5) ? 0 : 5);
    char *end;
    const long epsg = strtol(code, &end, 10);
    *(int *)field = (int)epsg;
    if (!strcasecmp(value[0], "utm") && o->also) return 0;
    if (end != code && !*end && epsg >= 1024 && epsg <= 32767 + 32768) return 0;
    return error_input(e, "give EPSG:CODE%s", o->also ? ", or utm" : "");
}

static int set_unit(const struct option *o, void *field, const char *const value[], struct error *e)
{
    *(const char **)field = value[0];
    return raster_unit_known(value[0])
               ? 0
               : error_input(e, "give m, ft, us-ft, fathom or the like, or metres");
}

static int set_nodata(const struct option *o, void *field, const char *const value[],
                      struct error *e)
{
    struct dem_request *q = field;
    q->trusted = !strcmp(value[0], o->also);
    if (q->trusted || scan_real(value[0], &q->nodata)) return 0;
    return error_input(e, "give the number that marks no data in the sources, or %s", o->also);
}

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("SOURCE", option_words, sources,
            "a raster of heights in any CRS, unit and format that GDAL reads: GeoTIFF, VRT, "
            "netCDF, all of an archive (.zip), ...; where several overlap the last one counts",
            .optional = true, .repeated = true, .completes = COMPLETE_FILE),
    OPTION("--output", "FILE", option_text, of.output, "the terrain, a GeoTIFF",
           .completes = COMPLETE_FILE),
    OPTION_FLAG("--copernicus", copernicus,
                "in place of SOURCEs: tiles of Copernicus GLO-30, 30 m, read where they are "
                "published; a tile that is not there is sea",
                .group = "tiles of a server", .not_with = "SOURCE --from"),
    OPTION(
        "--from", "URL", option_text, of.from,
        "in place of SOURCEs: other tiles of one degree, GeoTIFFs (.tif): {lat} and {lon} in URL "
        "become the south-western corner of a tile, such as N37 and E014; a URL without these "
        "names one GeoTIFF",
        .not_with = "SOURCE"),
    OPTION_FLAG("--network", of.network, "allow --copernicus and --from to use the network",
                .needs = "--copernicus --from"),
    OPTION("--around", "LAT,LON|X,Y", set_at, of,
           "middle of the terrain: in degrees, or in metres of --crs", .group = "part",
           .not_with = "--extent --like"),
    OPTION("--km", "R", option_real, of.km, "kilometres from the middle to each side",
           .preset = "10", .unit = "kilometres", .above = true, .needs = "--around"),
    OPTION("--extent", "W,S,E,N", set_edges, of,
           "edges of the terrain: in degrees, or in metres of --crs", .usual = "all of the sources",
           .not_with = "--like"),
    OPTION("--like", "FILE", option_text, of.like, "a raster with the grid and CRS of the terrain",
           .completes = COMPLETE_FILE),
    OPTION("--cell", "M", option_real, of.cell_m, "side of a cell in metres", .unit = "metres",
           .above = true, .usual = "as in the finest source, in whole metres", .group = "grid",
           .not_with = "--like"),
    OPTION("--crs", "EPSG", set_crs, of.epsg,
           "coordinate reference system of the terrain, projected, in metres", .also = "utm",
           .usual = "utm, the zone on WGS 84 of its middle", .not_with = "--like"),
    OPTION("--vertical", "EPSG", set_crs, of.vertical,
           "heights above this vertical CRS, by PROJ and its grids on this machine",
           .usual = "as in the sources"),
    OPTION("--resample", "HOW", option_choice, resample,
           "how heights between cells are found; cubicspline smooths", .choices = kernels,
           .preset = "bilinear"),
    OPTION("--fill", "N", option_int, of.fill,
           "fill holes of up to N cells across, from the cells around them", .high = 1000,
           .usual = "none is filled"),
    OPTION("--heights", "UNIT", set_unit, of.heights,
           "unit of the heights of sources that declare none: m, ft, us-ft, fathom, ..., or its "
           "length in metres",
           .usual = "m", .group = "what sources do not declare"),
    OPTION("--source-crs", "EPSG", set_crs, of.source_epsg,
           "coordinate reference system of the sources, in place of what they name"),
    OPTION("--source-vertical", "EPSG", set_crs, of.source_vertical,
           "vertical CRS of the sources, in place of what they name", .needs = "--vertical"),
    OPTION("--source-extent", "W,S,E,N", option_edges, of.place,
           "edges of each source in its CRS, in place of the edges that it names"),
    OPTION("--scale", "S,O", set_scale, of,
           "height = stored number x S + O, in place of what the sources declare"),
    OPTION("--nodata", "V", set_nodata, of,
           "a number that marks no data in the sources, as it is stored, in addition to those they "
           "declare; none: all other numbers are heights",
           .also = "none", .usual = "a number that probably marks no data is refused"),
    OPTION("--against", "FILE", option_text, of.against,
           "compare with another terrain: refuse a constant difference (another datum) and a ratio "
           "of 3.28 (another unit)",
           .usual = "--like", .completes = COMPLETE_FILE, .group = "check"),
    OPTION_FLAG("--case", with_case,
                "also write a case for the terrain: NAME.cfg, NAME-vents.csv and NAME-rates.csv",
                .group = "case"),
    OPTION("--vent", "LAT,LON|X,Y", set_vent, made.vent, "place of the vent",
           .usual = "--around, or the middle of the terrain", .needs = "--case"),
    OPTION("--rate", "Q", option_real, made.rate_m3_s, "rate of the vent", .preset = "10",
           .unit = "cubic metres per second", .above = true, .needs = "--case"),
    OPTION("--hours", "H", option_real, made.hours,
           "duration of the eruption; the run lasts 1.5 times as long", .preset = "24",
           .unit = "hours", .above = true, .needs = "--case"),
    OPTION("--parameters", "NAME", option_text, made.parameters, "parameter set of the case",
           .preset = "etna-2006", .completes = COMPLETE_PARAMETERS, .needs = "--case"),
    OPTION_FLAG("--replace", of.replace, "replace files that exist", .group = "file"),
    RUN_OPTION_QUIET(quiet),
    {0},
};

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_compared(const char *what, const char *with, const struct dem_compared *c)
{
    if (!c->places) return;
    printf("%-12s %d places %s: median difference %.3g m, greatest %.3g m, median shift %+.3g m\n",
           what, c->places, with, c->median_m, c->greatest_m, c->shift_m);
}

static void print_dem(const struct request *q, const struct dem_result *r)
{
    const double cells = (double)r->rows * r->cols;
    char crs[128];
    for (int i = 0; i < r->sources; i++) {
        const struct dem_source_said *s = &r->source[i];
        if (s->sea) printf("sea          %s: there is no such tile\n", s->name);
        else
            printf("source       %s: %d x %d cells of %.3g m, %s, heights in %s%s%s\n", s->name,
                   s->rows, s->cols, s->cell_m, s->crs, s->unit, *s->vertical ? ", above " : "",
                   s->vertical);
    }
    printf("terrain      %s: %d x %d cells of %.9g m, %s\n", q->of.output, r->rows, r->cols,
           r->geo.cell_m, crs_text(&r->geo.crs, "the CRS of its grid", crs));
    printf("heights      %.6g to %.6g m\n", r->least_m, r->greatest_m);
    printf("no data      %zu cells, %.3g %%\n", r->missing, 100 * (double)r->missing / cells);
    if (q->of.vertical)
        printf("vertical     EPSG:%d: heights changed by %+.4g m (median; %+.4g to %+.4g m)\n",
               q->of.vertical, r->shift_m, r->shift_least_m, r->shift_greatest_m);
    if (r->filled) printf("filled       %zu cells of small holes\n", r->filled);
    printf("sea          %zu cells at 0 m or lower, %.3g %%\n", r->low,
           100 * (double)r->low / cells);
    print_compared("check", "read from the sources by PROJ", &r->check);
    print_compared("overlap", "in two sources", &r->overlap);
    print_compared("against", "of the other terrain", &r->against);
    if (r->notice) printf("notice       %s\n", r->notice);
}

/* From the first byte of the file on, a signal cancels the writing. Before that, a signal ends the command at once, even while
 * the command waits for a server. */
static void begin_file(const struct file_progress *w)
{
    interrupt_ends(false);
}

static void show_progress(const struct file_progress *w)
{
    begin_file(w);
    fprintf(stderr, "\rwriting: %lld %%\033[K", 100 * w->done / (w->all ? w->all : 1));
    fflush(stderr);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int check_request(const struct request *q, struct error *e)
{
    const struct dem_request *of = &q->of;
    if (!of->from && !q->copernicus && !q->sources.count)
        return error_input(e, "dem: name the rasters of which to make the terrain, or give "
                              "--copernicus or --from URL");
    if (!of->output) return error_input(e, "dem: name the terrain to write: --output FILE.tif");
    return 0;
}

static int make_dem(struct request *q, struct dem_result *r, struct file_progress *progress,
                    struct error *e)
{
    if (q->copernicus) q->of.from = DEM_COPERNICUS;
    q->of.source = q->sources.word;
    q->of.source_count = q->sources.count;
    q->of.resample = kernels[q->resample];
    q->of.progress = progress;
    return dem_make(r, &q->of, e);
}

/* Makes the terrain; Ctrl-C cancels it. */
static int make_watched(struct request *q, struct dem_result *r, struct dem_case *d,
                        struct error *e)
{
    struct file_progress progress = {0};
    q->of.tell = progress_wanted(q->quiet) ? show_progress : begin_file;
    interrupt_watch(&progress);
    interrupt_ends(true);
    int status = make_dem(q, r, &progress, e);
    interrupt_ends(false);
    if (!status && q->with_case) status = dem_case_write(d, r, &progress, e);
    interrupt_watch(NULL);
    if (q->of.tell == show_progress) fputs("\r\033[K", stderr);
    return status;
}

static int dem(void *request, struct error *e)
{
    struct request *q = request;
    struct dem_result r = {0};
    FREED_BY(dem_case_close) struct dem_case d = {.q = &q->made};
    int status = check_request(q, e);
    if (!status && q->with_case) status = dem_case_open(&d, &q->of, e);
    if (!status) status = make_watched(q, &r, &d, e);
    if (!status && !q->quiet) print_dem(q, &r);
    FREED char *word = !status && q->with_case && !q->quiet ? text_shell_word(d.head) : NULL;
    if (word) printf("run it: sciara run %s\n", word);
    dem_result_free(&r);
    return status;
}

static const struct request defaults = {.of = {.nodata = NAN}, .made = {.vent = {NAN, NAN}}};

const struct command command_dem = {
    .name = "dem",
    .summary = "make a terrain for runs of rasters in any CRS, unit and format",
    .about = "Makes one terrain of all SOURCEs: square cells in metres of a projected CRS, heights "
             "in metres. Scale, offset, unit and depth are converted once; only --vertical "
             "shifts heights to another datum.",
    .examples = "sciara dem N37E01?.tif --around 37.75,14.99 --km 15 --output dem.tif\n"
                "sciara dem --copernicus --network --around 37.75,14.99 --output dem.tif\n"
                "sciara dem county.zip --heights us-ft --cell 5 --output dem.tif\n",
    .defaults = &defaults,
    .again = AT(of.again),
    COMMAND_OF(struct request, dem),
};

int cli_dem(int argc, char **argv, struct file_progress *progress, struct error *e)
{
    struct request q = defaults;
    struct dem_result r = {0};
    FREED char *again = cli_again("sciara", &command_dem, argc, argv);
    q.of.again = again;
    int status = options_parse(&command_dem, &q, argc, argv, e);
    if (!status) status = check_request(&q, e);
    if (!status) status = make_dem(&q, &r, progress, e);
    if (status) cli_name_options(&command_dem, e);
    dem_result_free(&r);
    return status;
}
