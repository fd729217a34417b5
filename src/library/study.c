/* study.c — studies: many runs of a plan, computed by the loop of study/study.h. */
#include "library.h"

#include "ask/ask.h"
#include "base/processors.h"
#include "calibration/calibration.h"
#include "ensemble/batch.h"
#include "ensemble/ensemble_study.h"
#include "export/export.h"
#include "nowcast/nowcast.h"
#include "calibration/null_study.h"
#include "pairs/pairs.h"
#include "products/products.h"
#include "record/painters.h"
#include "sensitivity/sensitivity.h"
#include "text/grow.h"
#include "text/plain_locale.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sciara_study {
    struct study_job job;
    struct sciara_study_options o; /* texts, except folder, point to copies in text[] */
    char *text[10];
    char *plan;
    int device[ENGINE_DEVICES_MAX];
    bool computed;
    struct ensemble_options ensemble;
    struct calibration_options calibration;
    struct sensitivity_options sensitivity;
    struct ask_options ask;
    struct nowcast_options nowcast;
    /* Files, as they were last listed. */
    int count;
    struct sciara_product *product;
};

/* ---- options --------------------------------------------------------------------------------- */

static const struct sciara_study_options DEFAULTS = {
    .size = sizeof DEFAULTS, .device_count = -1, .until_error = -1, .seed = -1, .now_s = -1};

void sciara_study_options_init(struct sciara_study_options *o, size_t size)
{
    structure_write(o, size, &DEFAULTS, sizeof DEFAULTS);
}

static int check_options(const struct sciara_study_options *o, enum sciara_study_kind kind,
                         struct error *e)
{
    const bool layers = kind == SCIARA_ENSEMBLE || kind == SCIARA_CALIBRATION ||
                        kind == SCIARA_POSTERIOR || kind == SCIARA_ASK || kind == SCIARA_NOWCAST;
    if (o->device_count > ENGINE_DEVICES_MAX || (o->device_count > 0 && !o->devices))
        return error_input(e, "study: device_count %d: give at most %d devices", o->device_count,
                           ENGINE_DEVICES_MAX);
    if (o->threads < 0 || o->threads > 1024)
        return error_input(e, "study: threads %d: give 1 to 1024, or 0 for all", o->threads);
    if (o->formats & ~(unsigned)(PAINTED_PICTURES | (layers ? PAINTED_LAYERS : 0)))
        return error_input(e,
                           "study: formats %#x: give " PAINTED_PICTURE_LIST(FORMAT_NAME) "%sor'ed",
                           o->formats, layers ? PAINTED_LAYERS_LIST(FORMAT_NAME) : "");
    if (o->folder && painters_have(OUTPUT_PNG | o->formats, e)) return (int)e->code;
    if (!(o->checkpoint_s >= 0 && o->checkpoint_s <= 45))
        return error_input(e, "study: checkpoint_s %g: give at most 45 s", o->checkpoint_s);
    if (o->extent < 0 || o->extent >= OUTPUT_EXTENTS)
        return error_input(e, "study: extent: is %d; give a value of enum sciara_layer_extent",
                           o->extent);
    if (!(o->until_error < 1))
        return error_input(e, "study: until_error %g: give a probability below 1", o->until_error);
    if (o->keep && (kind != SCIARA_ENSEMBLE || !o->folder))
        return error_input(e, "study: keep: only an ensemble with a folder keeps a library; name "
                              "a folder, or remove keep");
    if (kind != SCIARA_ASK &&
        (o->of_plan || o->where || o->vents || o->classes || o->given || o->compare || o->exposed ||
         (kind != SCIARA_NOWCAST && (o->assets || o->members))))
        return error_input(e,
                           "study: of_plan, where, vents, classes, assets, given, compare, exposed "
                           "or members: only SCIARA_ASK has these options; give it a library");
    if ((kind == SCIARA_NOWCAST) != (o->library != NULL) ||
        (kind != SCIARA_NOWCAST && o->now_s >= 0))
        return error_input(e, "study: only SCIARA_NOWCAST takes library and now_s, and it needs "
                              "the path of a library");
    if (!(o->now_s <= 1e12))
        return error_input(e, "study: now_s %g: give a time of the eruption in s", o->now_s);
    if (!(o->at_s >= 0 && o->at_s <= 1e12))
        return error_input(e, "study: at_s %g: give a time of the eruption in s", o->at_s);
    if (o->evaluations < 0 || o->evaluations > 10000000 || o->samples < 0 ||
        o->samples > SENSITIVITY_SAMPLES_MAX || o->trajectories < 0 ||
        o->trajectories > SENSITIVITY_SAMPLES_MAX || o->samples == 1 || o->trajectories == 1)
        return error_input(e,
                           "study: evaluations, samples or trajectories are out of range; give 2 "
                           "to %d samples, or 0 for the number of the plan",
                           SENSITIVITY_SAMPLES_MAX);
    return 0;
}

/* ---- devices --------------------------------------------------------------------------------- */

static int choose_devices(sciara_study *s, struct error *e)
{
    const struct sciara_study_options *o = &s->o;
    char name[128];
    s->job.device = s->device;
    if (s->job.study == &study_ask || s->job.study == &study_nowcast) return 0;
    if (o->device_count < 0) {
        s->job.device_count = !batch_available(0, name, NULL);
        return 0;
    }
    for (int i = 0; i < o->device_count; i++) {
        s->device[i] = o->devices[i];
        if (batch_available(s->device[i], name, e)) return ERROR_DEVICE;
    }
    s->job.device_count = o->device_count;
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool tell_watcher(const struct study_progress *now, void *user)
{
    const sciara_study *s = user;
    const struct sciara_study_progress out = {.stage = now->stage,
                                              .done = now->done,
                                              .all = now->all,
                                              .begun_with = now->begun_with,
                                              .elapsed_s = now->elapsed_s,
                                              .evaluations = now->evaluations,
                                              .budget = now->budget,
                                              .best = now->best};
    return s->o.progress(&out, s->o.user) != 0;
}

/* Sets the study's table of functions and its options, by kind. */
static int choose_study(sciara_study *s, enum sciara_study_kind kind, struct error *e)
{
    const struct sciara_study_options *o = &s->o;
    static const struct study *const studies[] = {
        &study_ensemble,    &study_pairs, &study_calibration, &study_posterior,
        &study_sensitivity, &study_null,  &study_ask,         &study_nowcast};
    const void *const options[] = {&s->ensemble,    NULL, &s->calibration, &s->calibration,
                                   &s->sensitivity, NULL, &s->ask,         &s->nowcast};
    _Static_assert(sizeof studies / sizeof *studies == SCIARA_NOWCAST + 1 &&
                       sizeof options / sizeof *options == SCIARA_NOWCAST + 1,
                   "a table for each kind");
    if ((unsigned)kind >= sizeof studies / sizeof *studies)
        return error_input(e, "study: there is no kind %d; give one of enum sciara_study_kind",
                           (int)kind);
    s->ensemble = (struct ensemble_options){.until_error = o->until_error, .keep = o->keep};
    s->calibration = (struct calibration_options){
        .hold_out = o->hold_out, .evaluations = o->evaluations, .seed = o->seed};
    s->sensitivity = (struct sensitivity_options){.method = (o->morris ? METHOD_MORRIS : 0) |
                                                            (o->sobol ? METHOD_SOBOL : 0),
                                                  .samples = o->samples,
                                                  .trajectories = o->trajectories,
                                                  .seed = o->seed};
    s->ask = (struct ask_options){.library = s->plan,
                                  .where = o->where,
                                  .vents = o->vents,
                                  .classes = o->classes,
                                  .ensemble.assets = o->assets,
                                  .given = o->given,
                                  .at_s = o->at_s,
                                  .compare = o->compare,
                                  .exposed = o->exposed,
                                  .members = o->members != 0};
    s->nowcast =
        (struct nowcast_options){.ask = {.library = o->library,
                                         .ensemble = {.until_error = -1, .assets = o->assets},
                                         .members = o->members != 0},
                                 .now_s = o->now_s < 0 ? (double)NAN : o->now_s};
    s->job.plan = kind == SCIARA_ASK ? o->of_plan : s->plan;
    s->job.study = studies[kind];
    s->job.options = options[kind];
    return 0;
}

static int copy_texts(sciara_study *s, const char *plan, struct error *e)
{
    struct sciara_study_options *o = &s->o;
    const char **const given[] = {&o->of_plan, &o->where,   &o->vents,   &o->classes, &o->assets,
                                  &o->given,   &o->compare, &o->exposed, &o->library, &o->layers};
    bool good = (s->plan = text_format("%s", plan)) != NULL;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (*given[i]) good = (*given[i] = s->text[i] = text_format("%s", *given[i])) && good;
    return good ? 0 : error_memory(e);
}

/* Prepares the folder, as study_command_folder() does for commands. */
static int prepare_folder(sciara_study *s, struct error *e)
{
    const struct sciara_study_options *o = &s->o;
    struct study_job *j = &s->job;
    j->info.version = sciara_version();
    j->info.folder = &j->files;
    j->info.directory = "."; /* tables then name files relative to the folder */
    j->info.formats = OUTPUT_PNG | o->formats;
    j->info.extent = (enum output_extent)o->extent;
    j->info.layers = o->layers;
    if (!o->folder) return 0;
    int status = products_check_asked(&j->info, j->study->files, e);
    if (!status) status = study_name_folder(j, o->folder, e);
    if (!status) status = export_check_painted(j->c, o->formats, e);
    if (!status)
        status = output_picture_page(&j->info.pictures, o->map_width_in, o->map_height_in,
                                     o->map_dpi, e);
    return status ? status : study_take_folder(j, e);
}

static int open_study(sciara_study *s, enum sciara_study_kind kind, const char *plan,
                      const struct sciara_study_options *given, struct error *e)
{
    struct sciara_study_options *o = &s->o;
    *o = DEFAULTS;
    int status = structure_read(o, sizeof *o, sizeof *o, given, "study options", e);
    if (!status && !plan) status = error_input(e, "study: give the path of a plan");
    if (!status) status = check_options(o, kind, e);
    if (!status) status = copy_texts(s, plan, e);
    if (!status) status = choose_study(s, kind, e);
    if (!status) status = choose_devices(s, e);
    if (status) return status;
    s->job.resume = o->resume;
    s->job.threads = o->threads ? o->threads : processors_granted();
    s->job.checkpoint_s = o->checkpoint_s;
    s->job.tell = o->progress ? tell_watcher : NULL;
    s->job.user = s;
    status = study_open(&s->job, e);
    return status ? status : prepare_folder(s, e);
}

int sciara_study_open(sciara_study **s, enum sciara_study_kind kind, const char *plan,
                      const struct sciara_study_options *o, struct sciara_error *e)
{
    IN_PLAIN_LOCALE;
    struct error mine = {0};
    sciara_study *made = *s = calloc(1, sizeof *made);
    int status = made ? open_study(made, kind, plan, o, &mine) : error_memory(&mine);
    if (status) {
        sciara_study_close(made);
        *s = NULL;
    }
    return status ? return_error(e, &mine) : 0;
}

static void forget_products(sciara_study *s)
{
    for (int i = 0; i < s->count; i++) {
        free((char *)(uintptr_t)s->product[i].name);
        free((char *)(uintptr_t)s->product[i].about);
    }
    free(s->product);
    s->product = NULL;
    s->count = 0;
}

void sciara_study_close(sciara_study *s)
{
    if (!s) return;
    forget_products(s);
    if (s->job.self && !s->job.study->runs(s->job.self)) output_folder_unmake(&s->job.files);
    study_close(&s->job);
    for (size_t i = 0; i < sizeof s->text / sizeof *s->text; i++) free(s->text[i]);
    free(s->plan);
    free(s);
}

/* ---- computing ------------------------------------------------------------------------------- */

int sciara_study_run(sciara_study *s, struct sciara_error *e)
{
    IN_PLAIN_LOCALE;
    struct error mine = {0};
    s->job.stopped = false;
    forget_products(s);
    int status = s->computed ? 0 : study_compute(&s->job, &mine);
    s->computed = s->computed || (!status && !s->job.stopped);
    if (!status && s->job.stopped) status = error_cancelled(&mine);
    return status ? return_error(e, &mine) : 0;
}

static int check_begun(const sciara_study *s, struct error *e)
{
    if (s->job.study->runs(s->job.self)) return 0;
    return error_input(e, "%s: nothing has been computed; call sciara_study_run() first", s->plan);
}

int sciara_study_write(sciara_study *s, struct sciara_error *e)
{
    IN_PLAIN_LOCALE;
    struct error mine = {0};
    int status = check_begun(s, &mine);
    if (!status && !s->job.state)
        status =
            error_input(&mine, "%s: the study has no folder; name one in the options", s->plan);
    if (!status) status = study_write(&s->job, &mine);
    return status ? return_error(e, &mine) : 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char SUMMARY[] = "summary.json";

static int read_products(sciara_study *s, struct product_reader *r, struct error *e)
{
    IN_PLAIN_LOCALE;
    int status = check_begun(s, e);
    s->job.info.reader = r;
    s->job.total_s = clock_now_s() - s->job.began_s;
    if (!status) status = s->job.study->write(&s->job, e);
    s->job.info.reader = NULL;
    if (!status && r->name && !r->found && !r->text)
        status = error_input(e, "%s: the study has no %s %.200s; see sciara_study_product()",
                             s->plan, r->values ? "layer" : "table", r->name);
    return status;
}

static int add_product(void *study, const char *name, const struct product *row, const char *about,
                       struct error *e)
{
    sciara_study *s = study;
    if (!GROW(s->product, s->count)) return error_memory(e);
    struct sciara_product *p = &s->product[s->count++];
    *p = (struct sciara_product){.name = text_format("%s", name),
                                 .unit = row && row->unit ? row->unit : "",
                                 .about = text_format("%s", about),
                                 .layer = row && row->value != NULL};
    return p->name && p->about ? 0 : error_memory(e);
}

int sciara_study_product(sciara_study *s, int i, struct sciara_product *product,
                         struct sciara_error *e)
{
    struct product_reader r = {.list = add_product, .of = s};
    struct error mine = {0};
    if (!s->count && (read_products(s, &r, &mine) || add_product(s, SUMMARY, NULL, "", &mine)))
        forget_products(s);
    else if (i < 0 || i >= s->count)
        error_input(&mine, "%s: no product %d; the study has %d", s->plan, i, s->count);
    else *product = s->product[i];
    return mine.code ? return_error(e, &mine) : 0;
}

int sciara_study_layer(sciara_study *s, const char *name, float *out, size_t count,
                       struct sciara_error *e)
{
    const struct problem *p = &s->job.c->problem;
    struct product_reader r = {.name = name ? name : "", .values = out};
    struct error mine = {0};
    if (!out || count != (size_t)p->rows * (size_t)p->cols)
        error_input(&mine, "%s: a layer has %d rows of %d cells; give room for exactly these",
                    s->plan, p->rows, p->cols);
    else read_products(s, &r, &mine);
    return mine.code ? return_error(e, &mine) : 0;
}

int sciara_study_table(sciara_study *s, const char *name, char **text, struct sciara_error *e)
{
    struct product_reader r = {.name = name ? name : ""};
    struct error mine = {0};
    /* The summary is not a table. `found` is set, so that read_products() does not report a missing table. */
    r.found = !strcmp(r.name, SUMMARY);
    int status = read_products(s, &r, &mine);
    *text = r.text;
    if (!status && !strcmp(r.name, SUMMARY) && !(*text = s->job.study->summary(&s->job)))
        status = error_memory(&mine);
    return status ? return_error(e, &mine) : 0;
}

uint64_t sciara_study_digest(sciara_study *s)
{
    struct product_reader none = {.name = SUMMARY, .found = true};
    if (!s->job.study->digest || read_products(s, &none, NULL)) return 0;
    return s->job.study->digest(s->job.self);
}

void sciara_study_info(const sciara_study *s, struct sciara_case_info *info)
{
    *info = case_grid_info(s->job.c);
    /* Not all of the terrain has been read. */
    if (s->job.c->problem.terrain) info->elevation_m = NULL;
}
