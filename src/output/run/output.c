/* output.c — writes the files of one state. */
#include "output.h"
#include "output_map.h"

#include "base/divisor.h"
#include "base/file_progress.h"
#include "case/case_notes.h"
#include "eruption/rates.h"
#include "compare/outline.h"
#include "record/runfolder.h"
#include "sim/grid.h"
#include "text/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the outline ----------------------------------------------------------------------------- */

int output_outline_read(struct output_outline *o, const struct output_info *info,
                        const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    *o = (struct output_outline){.window = {0, 0, p->rows, p->cols}};
    if (!c->outline_path) {
        *o = (struct output_outline){0};
        return 0;
    }
    int status = case_same_vectors(&c->outline_about, c->outline_path, e);
    if (!status && !extent_is_full(info->extent, p))
        status = outline_window(&o->window, c->outline_path, p->rows, p->cols, &c->geo, e);
    const struct georef geo = case_georef(c, &o->window);
    if (!status)
        status = outline_read(&o->inside, c->outline_path, o->window.rows, o->window.cols, &geo, e);
    if (status) *o = (struct output_outline){0};
    return status;
}

void output_outline_free(struct output_outline *o)
{
    RELEASE(o, o->inside);
}

/* Copies the outline into the cut. The extent contains the whole window of the outline. */
static int cut_outline(struct output_cut *x, const struct output_outline *o, struct error *e)
{
    const struct window *w = &x->window, *from = &o->window;
    if (!from->rows) return 0;
    if (!(x->outline = calloc((size_t)w->rows * (size_t)w->cols, 1))) return error_memory(e);
    unsigned char *to = x->outline + (size_t)(from->row0 - w->row0) * (size_t)w->cols +
                        (size_t)(from->col0 - w->col0);
    for (int row = 0; row < from->rows; row++)
        memcpy(to + (size_t)row * (size_t)w->cols, o->inside + (size_t)row * (size_t)from->cols,
               (size_t)from->cols);
    return 0;
}

struct output_cell output_initial_cell(const struct problem *p, int row, int col)
{
    const size_t i = (size_t)row * (size_t)p->cols + (size_t)col;
    const double h = p->thickness_m ? p->thickness_m[i] : 0, T = p->temp_K ? p->temp_K[i] : 0,
                 s = p->solid_m ? p->solid_m[i] : 0;
    return (struct output_cell){p->elevation_m[i],
                                h,
                                T,
                                s,
                                h + s,
                                h > 0 ? T : 0,
                                h > 0 ? (int32_t)p->first_step : ARRIVAL_NEVER};
}

/* ---- all of it ------------------------------------------------------------------------------- */

int output_cut(struct output_cut *x, const struct output_info *info, const struct sim_case *c,
               const struct fields *f, const struct output_outline *o, struct error *e)
{
    struct window reach = o->window;
    if (!extent_is_full(info->extent, &c->problem)) {
        reach_add_vents(&reach, &c->problem);
        reach_add_fields(&reach, f);
    }
    *x = (struct output_cut){
        .window = extent_around(reach, info->extent, &c->problem), .f = f, .problem = &c->problem};
    int status = case_cut_bare(&x->part, c, x->window, e);
    if (!status) status = cut_outline(x, o, e);
    if (!status) x->digest = fields_digest(f, c->problem.rows, c->problem.cols);
    else output_cut_free(x);
    return status;
}

void output_cut_free(struct output_cut *x)
{
    case_cut_free(&x->part);
    RELEASE(x, x->outline);
}

/* ---- the text format of the published program (docs/formats/exports.md) ------------------------ */

/* Writes x as printf("%f") does, about ten times faster. Returns the end of the text. *out has 330 bytes.
 *
 * Below 2^52 the fraction of x is exact. p is the fraction times 10^6, rounded. fma gives the error of p: the exact
 * product is p + error. Rounding is monotonic: for a whole n, if the exact product is above n + 1/2, p is not below
 * n + 1/2. So the sign of the error matters only if p == n + 1/2. Ties go to even, as in printf. */
static char *put_real(char *out, double x)
{
    const double size = fabs(x);
    if (!(size < 4503599627370496.0)) return out + sprintf(out, "%f", x);
    uint64_t whole = (uint64_t)size;
    const double fraction = size - (double)whole;
    const double p = fraction * 1e6, error = fma(fraction, 1e6, -p), below = floor(p);
    uint32_t micro = (uint32_t)below;
    const double rest = p - below;
    if (rest > 0.5 || (rest == 0.5 && (error > 0 || (error == 0 && micro % 2)))) micro++;
    if (micro == 1000000) micro = 0, whole++;

    char digits[24], *d = digits + sizeof digits;
    for (int i = 0; i < 6; i++, micro /= 10) *--d = (char)('0' + micro % 10);
    *--d = '.';
    do *--d = (char)('0' + whole % 10);
    while (whole /= 10);
    if (signbit(x)) *--d = '-';
    const size_t length = (size_t)(digits + sizeof digits - d);
    memcpy(out, d, length);
    return out + length;
}

/* Returns the number after `NODATA_value`. In published arithmetic it is the number in the file of
 * the terrain. Otherwise it is OUTPUT_NODATA if a cell has no data, or has an elevation that is
 * written as 0; else 0, as in the published files. */
static double nodata_value(const struct sim_case *c, const struct fields *f)
{
    if (c->original && c->unrounded) return c->words.nodata;
    for (size_t i = 0; i < window_cells(f->window); i++)
        if (!(fabs(f->elevation_m[i]) >= 1e-6)) return OUTPUT_NODATA;
    return 0;
}

/* A state that is being written. */
struct original {
    const struct sim_case *c;
    const struct fields *f;
    double nodata;       /* NODATA_value of the rasters of the state */
    const double *value; /* the array of the raster that is written now */
    char *line;          /* room for a row of the raster */
    int *vent_id;        /* number of the vent in each cell of a row; 0: no vent */
    struct file_progress *progress;
};

static void put_header(FILE *stream, const struct original *o)
{
    const struct georef *geo = &o->c->geo;
    fprintf(stream, "ncols\t\t%d\nnrows\t\t%d\n", o->c->problem.cols, o->c->problem.rows);
    fprintf(stream, "xllcorner\t%f\nyllcorner\t%f\n", geo->west_m, geo->south_m);
    fprintf(stream, "cellsize\t%f\nNODATA_value\t%f\n", geo->cell_m, o->nodata);
}

static void put_reals(FILE *stream, const struct original *o)
{
    const struct fields *f = o->f;
    const size_t cols = (size_t)f->window.cols;
    put_header(stream, o);
    for (size_t row = 0; row < (size_t)f->window.rows; row++) {
        char *end = o->line;
        for (size_t i = row * cols; i < (row + 1) * cols; i++) {
            end = put_real(end, isnan(f->elevation_m[i]) ? o->nodata : o->value[i]);
            *end++ = ' ';
            *end++ = ' ';
        }
        *end++ = '\n';
        fwrite(o->line, 1, (size_t)(end - o->line), stream);
        if (file_progress_cancelled(o->progress)) break;
    }
}

static void put_vents(FILE *stream, const struct original *o)
{
    const struct problem *p = &o->c->problem;
    put_header(stream, o);
    for (int row = 0; row < p->rows; row++) {
        /* If a cell has two vents, the first vent is shown. */
        int *id = o->vent_id;
        memset(id, 0, (size_t)p->cols * sizeof *id);
        for (int v = p->vent_count - 1; v >= 0; v--)
            if (p->vents[v].row == row) id[p->vents[v].col] = p->vents[v].id;
        for (int col = 0; col < p->cols; col++) fprintf(stream, "%d  ", id[col]);
        fputc('\n', stream);
        if (file_progress_cancelled(o->progress)) break;
    }
}

/* ---- rates ----------------------------------------------------------------------------------- */

enum { RATES_MAX = 1000000 }; /* most lines of rates for a vent */

/* The greatest common divisor of the steps at which rates change; 1: none. *last: the step of the last change. */
static int64_t steps_per_rate(const struct problem *p, int64_t *last)
{
    int64_t steps = 0;
    *last = 0;
    for (int v = 0; v < p->vent_count; v++)
        for (int i = 0; i < p->vents[v].interval_count; i++) {
            const int64_t step = p->vents[v].first_step[i];
            if (step > 1) steps = divisor_common(step, steps);
            if (step > *last) *last = step;
        }
    return steps ? steps : 1;
}

/* The mean amount that a step of interval i emits, in metres. The mean includes the fraction of a
 * quantum that each step carries over. */
static double interval_m(const struct vent *v, int i)
{
    return v->amount_m[i] + (v->fraction ? (double)v->fraction[i] * 0x1p-100 : 0);
}

static double amount_at(const struct vent *v, int64_t step)
{
    double amount_m = 0;
    for (int i = 0; i < v->interval_count && v->first_step[i] <= step; i++)
        amount_m = interval_m(v, i);
    return amount_m;
}

/* Writes the rates of a vent, one every `steps` steps from step 1 on. A last entry without emission is omitted, because
 * emission stops at the end of the list. */
static void put_vent_rates(FILE *stream, const struct vent *v, int64_t steps,
                           const struct params *p)
{
    const double rate_per_m = p->cell_m * p->cell_m / p->clock_s;
    const int64_t last = v->interval_count ? v->first_step[v->interval_count - 1] : 0;
    const bool ends = v->interval_count && interval_m(v, v->interval_count - 1) == 0;
    for (int64_t step = 0; ends ? step < last : step <= last; step += steps)
        fprintf(stream, "%f\n", amount_at(v, step ? step : 1) * rate_per_m);
}

static bool has_cell(const struct problem *p, int id)
{
    for (int v = 0; v < p->vent_count; v++)
        if (p->vents[v].id == id) return true;
    return false;
}

/* Writes all rates as they were read, in the form of the published program. */
static void put_original_rates(FILE *stream, const struct sim_case *c)
{
    const struct rate_lists *rates = c->words.rates;
    for (int place = 0; place < rates->count; place++) {
        const struct rate_list *list = rates->list;
        while (list->place != place) list++;
        if (!has_cell(&c->problem, list->id)) continue;
        fprintf(stream, "[VENT_ID]\n%d\n\n[EMISSION_RATE]\n", list->id);
        for (int i = 0; i < list->count; i++) fprintf(stream, "%f\n", list->rate[i].rate_m3_s);
        fputc('\n', stream);
    }
}

int output_original_check(const struct sim_case *c, const char *what, struct error *e)
{
    int64_t last;
    const int64_t steps = steps_per_rate(&c->problem, &last);
    if (c->words.rates || last / steps <= RATES_MAX) return 0;
    return error_input(e,
                       "%s: the steps at which rates change have no common divisor, so the %s "
                       "format cannot hold the rates; omit this format",
                       c->path, what);
}

/* Writes a block of rates for each vent number. All cells with this number use the block. */
static void put_case_rates(FILE *stream, const struct problem *p, int64_t steps)
{
    for (int v = 0; v < p->vent_count; v++) {
        if (!export_vent_is_first(p, v)) continue;
        fprintf(stream, "[VENT_ID]\n%d\n\n[EMISSION_RATE]\n", p->vents[v].id);
        put_vent_rates(stream, &p->vents[v], steps, &p->params);
        fputc('\n', stream);
    }
}

static void put_rates(FILE *stream, const struct original *o)
{
    const struct problem *p = &o->c->problem;
    const struct rate_lists *rates = o->c->words.rates;
    int64_t last;
    const int64_t steps = steps_per_rate(p, &last);
    fprintf(stream, "[TIME]\n%.15g\n\n", rates ? rates->time_s : (double)steps * p->params.clock_s);
    if (rates) put_original_rates(stream, o->c);
    else put_case_rates(stream, p, steps);
    fputs("\n[END]", stream);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The blanks that the published program writes between key and value, in the order of params_table. */
static const char *const gaps[PARAMETERS] = {"\t\t\t",   "\t\t\t\t", "\t\t\t", "\t\t",
                                             "\t\t",     "\t\t",     "\t",     "\t\t\t\t",
                                             "\t\t\t\t", "\t\t",     "\t\t\t", "\t\t\t\t  "};

/* Writes the parameters. In a case of the published program they have six decimals, as that program writes them, else all
 * digits. */
static void put_parameters(FILE *stream, const struct original *o)
{
    const struct sim_case *c = o->c;
    if (c->original) {
        fprintf(stream, "maximum_steps_(0_for_loop)\t%lld\n", (long long)c->words.max_steps);
        fprintf(stream, "stopping_threshold_(height)\t%f\n", c->words.stop_mobile_m);
        fprintf(stream, "refreshing_step\t\t\t%lld\n", (long long)c->words.snapshot_every);
        fprintf(stream, "thickness_visual_threshold\t%f\n", c->display.visual_threshold_m);
    } else {
        fprintf(stream, "maximum_steps_(0_for_loop)\t%lld\n", (long long)c->max_steps);
        fprintf(stream, "stopping_threshold_(height)\t%.15g\n", c->problem.stop_mobile_m);
        fprintf(stream, "refreshing_step\t%lld\n", (long long)c->snapshot_every);
        fprintf(stream, "thickness_visual_threshold\t%.15g\n", c->display.visual_threshold_m);
    }
    for (int i = 0; i < PARAMETERS; i++) {
        const char *key = params_table[i].name;
        const double value = params_value(&c->problem.params, &params_table[i]);
        if (!c->original) fprintf(stream, "%s\t%.15g\n", key, value);
        else if (!strcmp(key, "Psigma")) fprintf(stream, "%s%s%e\n", key, gaps[i], value);
        else fprintf(stream, "%s%s%f\n", key, gaps[i], value);
    }
    fputs(c->original ? "algorithm\t\t\tMIN\n" : "algorithm\tMIN\n", stream);
}

/* ---- the files ------------------------------------------------------------------------------- */

static const struct part {
    const char *ending;
    void (*put)(FILE *stream, const struct original *o);
} parts[] = {{"_Morphology.stt", put_reals},  {"_Thickness.stt", put_reals},
             {"_Temperature.stt", put_reals}, {"_SolidifiedLavaThickness.stt", put_reals},
             {"_Vents.stt", put_vents},       {"_EmissionRate.txt", put_rates},
             {".cfg", put_parameters}};
enum { REALS = 4, PARTS = sizeof parts / sizeof *parts };

/* Whether a name is that of a file in the original format, for a step after the first step of *c. */
static bool output_is_original(const struct sim_case *c, const char *name)
{
    const size_t length = strlen(c->name);
    if (strncmp(name, c->name, length) != 0 || name[length] != '_') return false;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789");
    if (count < 12 || count > 18 || strtoll(digits, NULL, 10) <= c->problem.first_step)
        return false;
    for (int i = 0; i < PARTS; i++)
        if (strcmp(digits + count, parts[i].ending) == 0) return true;
    return false;
}

/* Writes one file of a state. If writing is cancelled, the incomplete file is removed before it gets its name. */
static int write_part(const struct output_info *info, const struct part *part,
                      const struct original *o, struct error *e)
{
    FREED_BY(atomic_file_abandon) struct atomic_file w = {0};
    FREED char *path = text_format("%s/%s_%012lld%s", info->directory, o->c->name,
                                   (long long)o->f->step, part->ending);
    int status = path ? output_spare(o->c, path, e) : error_memory(e);
    if (!status) status = atomic_file_open(&w, path, e);
    if (status) return status;
    part->put(w.stream, o);
    if (file_progress_cancelled(info->progress)) return error_cancelled(e);
    status = atomic_file_finish(&w, e);
    return output_done(info, path, status, e);
}

static int write_parts(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, struct error *e)
{
    const double *const values[REALS] = {f->elevation_m, f->thickness_m, f->temp_K, f->solid_m};
    struct original o = {.c = c,
                         .f = f,
                         .nodata = nodata_value(c, f),
                         .line = malloc((size_t)f->window.cols * 336 + 1),
                         .vent_id = malloc((size_t)f->window.cols * sizeof *o.vent_id),
                         .progress = info->progress};
    int status = o.line && o.vent_id ? output_original_check(c, "original", e) : error_memory(e);
    for (int i = 0; i < PARTS && !status; i++) {
        o.value = i < REALS ? values[i] : NULL;
        status = write_part(info, &parts[i], &o, e);
    }
    free(o.line);
    free(o.vent_id);
    return status;
}

/* Writes a state in the original format. Its files always have the whole domain. */
static int output_original(const struct output_info *info, const struct sim_case *c,
                           const struct fields *f, struct error *e)
{
    const struct window domain = problem_domain(&c->problem);
    if (!f->there && window_equal(f->window, domain)) return write_parts(info, c, f, e);
    FREED_BY(fields_free) struct fields whole = {0};
    const int status = fields_in(&whole, f, &c->problem, domain, e);
    return status ? status : write_parts(info, c, &whole, e);
}

/* ---- the files of a run ---------------------------------------------------------------------- */

static bool is_state(const struct sim_case *c, const char *name)
{
    return runfolder_is_state(name, NULL);
}

static const struct product rows[] = {
    {.kind = PRODUCT_TABLE, .name = "timeline.csv", .head = output_timeline_head},
    {.kind = PRODUCT_DIAGRAM, .name = "timeline", .further = true},
    {.kind = PRODUCT_TABLE,
     .name = OUTPUT_ASSETS,
     .wanted = PRODUCT_OF_ASSETS,
     .head = output_assets_head},
    {.kind = PRODUCT_FILE, .name = "animation.webp", .wanted = PRODUCT_OF_FRAMES},
    {.kind = PRODUCT_FILE,
     .name = "state",
     .wanted = PRODUCT_OF_STATES,
     .is = is_state,
     .of_steps = true},
    {.kind = PRODUCT_FILE,
     .name = "original",
     .formats = OUTPUT_ORIGINAL,
     .is = output_is_original,
     .of_steps = true},
};
const struct product_table output_other_files = {PRODUCT_TABLE_OF(rows)};

/* ---- a state --------------------------------------------------------------------------------- */

int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, const struct output_cut *x, struct error *e)
{
    int status = 0;
    file_progress_begin(info->progress);
    if (info->formats & OUTPUT_GEOTIFF) status = output_layers(info, x, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && (info->formats & OUTPUT_ORIGINAL)) {
        file_progress_begin_file(info->progress, 0);
        status = output_original(info, c, f, e);
    }
    return status;
}

int output_state(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                 struct error *e)
{
    FREED_BY(output_outline_free) struct output_outline outline = {0};
    FREED_BY(output_cut_free) struct output_cut x = {0};
    const bool drawn = info->formats & PAINTED_PICTURES;
    int status = drawn ? output_outline_read(&outline, info, c, e) : 0;
    if (!status) status = output_cut(&x, info, c, f, &outline, e);
    if (!status) status = output_state_files(info, c, f, &x, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && drawn) status = output_maps_of_state(info, &x, e);
    return status;
}

/* ---- states in the folder: the latest two ---------------------------------------------------- */

/* Brings files to the disk before the state is written, because a run that resumes from the state relies on them. */
static void settle_files(struct output_folder *f)
{
    for (; f && f->on_disk < f->count; f->on_disk++) {
        FREED char *path = text_format("%s/%s", f->path, f->file[f->on_disk].name);
        const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (file >= 0) {
            fsync(file);
            close(file);
        }
    }
}

static void remove_others(const struct output_saving *s, const char *folder)
{
    DIR *d = opendir(folder);
    int64_t step;
    if (!d) return;
    for (struct dirent *entry; (entry = readdir(d));)
        if (runfolder_is_state(entry->d_name, &step) && step != s->latest && step != s->before)
            unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
}

int output_save(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                struct error *e)
{
    struct output_saving *s = info->saving;
    FREED char *path = restart_path(info->directory, f->step);
    int status = path ? output_spare(c, path, e) : error_memory(e);
    settle_files(info->folder);
    if (info->samples) s->about.samples = *info->samples; /* borrowed, like the chain of states */
    if (!status) status = restart_write(path, &s->about, c, f, e);
    if (status) return status;
    if (f->step != s->latest) s->before = s->latest;
    s->latest = f->step;
    s->written = true;
    remove_others(s, info->directory);
    return 0;
}
