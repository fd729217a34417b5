/* sights_read.c — reads a line of a plan and its file, and sets the odds of cells. */
#include "sights_inside.h"

#include "calibration/observed.h"
#include "case/assets.h"
#include "case/case_notes.h"
#include "compare/outline.h"
#include "random/quantile.h"
#include "text/scan.h"
#include "text/grow.h"
#include "text/times.h"
#include "text/textfile.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LOGISTIC = 1.813799364234218; /* pi / sqrt 3 */

struct sight *sights_add(struct sights *x, const struct seen_line *l, const char *word,
                         double time_s, struct error *e)
{
    char hours[32], place[25];
    if (!GROW(x->of, x->count)) return error_memory(e), NULL;
    struct sight *o = &x->of[x->count++];
    *o = (struct sight){.kind = l->kind == SEEN_FRONTS ? SEEN_FRONT : l->kind,
                        .line = l,
                        .time_s = time_s,
                        .reach = floor(l->correlation_m / x->plan->base.geo.cell_m / 2),
                        .edge = sights_class(&x->s->arrival_s, time_s),
                        .sharper = 1,
                        .beyond = NAN,
                        .rate.previous = -1};
    times_hours_said(hours, time_s);
    snprintf(place, sizeof place, "%.24s", word);
    scan_cut(place);
    if (l->kind == SEEN_ARRIVAL) words_pack(o->said, sizeof o->said, "%s %.30s h", place, hours);
    else snprintf(o->said, sizeof o->said, "%s {} h" WORDS_NEXT "%.30s", place, hours);
    words_fill(o->name, sizeof o->name, o->said, NULL);
    return o;
}

static char *find_seen_file(struct plan *p, const char *file, struct error *e)
{
    char *path = path_beside(p->base.path, file);
    if (path) case_note_input(&p->base, path);
    else error_memory(e);
    return path;
}

/* ---- fronts ------------------------------------------------------------------------------------ */

/* The distance, in cells, from the middle of a cell to the outline of the front, above 0 inside.
 * The outline is half a cell nearer than the nearest cell on its other side. Infinite: the box has
 * no outline. */
static double depth_of(int64_t inside, int64_t outside)
{
    if (inside == DISTANCE_NONE || outside == DISTANCE_NONE) return inside ? -INFINITY : INFINITY;
    return inside ? 0.5 - sqrt((double)inside) : sqrt((double)outside) - 0.5;
}

static int set_odds(struct sight *o, const struct sights *x, const unsigned char *seen, bool part,
                    struct error *e)
{
    const double cell_m = x->plan->base.geo.cell_m, model_m = x->plan->keys.discrepancy_m;
    const double error_m = o->line->error_m;
    const double sd = fmax(cell_m / 2, sqrt(error_m * error_m + model_m * model_m)) / cell_m;
    const int cols = x->plan->base.problem.cols;
    const size_t cells = window_cells(o->box);
    o->sharper = sd * cell_m / fmax(cell_m / 2, error_m);
    FREED unsigned char *mark = malloc(cells);
    FREED int64_t *to_lava = malloc(cells * sizeof *to_lava),
                  *to_dry = malloc(cells * sizeof *to_dry);
    o->odds = malloc(cells * sizeof *o->odds);
    if (!mark || !to_lava || !to_dry || !o->odds) return error_memory(e);
    for (size_t i = 0; i < cells; i++) mark[i] = o->front.inside[window_in_domain(o->box, i, cols)];
    int status = distance_transform(to_lava, mark, o->box.rows, o->box.cols, e);
    for (size_t i = 0; i < cells; i++) mark[i] = !mark[i];
    if (!status) status = distance_transform(to_dry, mark, o->box.rows, o->box.cols, e);
    for (size_t i = 0; i < cells && !status; i++) {
        const double odds = LOGISTIC * depth_of(to_lava[i], to_dry[i]) / sd;
        const bool known = (!seen || seen[window_in_domain(o->box, i, cols)]) && !(part && mark[i]);
        o->odds[i] = known ? (float)fmax(-SIGHTS_ODDS, fmin(SIGHTS_ODDS, odds)) : NAN;
        o->front.lava += known && !mark[i];
    }
    if (!part && !seen) o->beyond = (float)-SIGHTS_ODDS;
    return status;
}

int sights_add_front(struct sights *x, struct plan *p, const struct seen_line *l, double time_s,
                     unsigned char *inside, struct error *e)
{
    const struct problem *q = &p->base.problem;
    FREED unsigned char *seen = NULL, *mine = inside;
    FREED char *within = *l->within ? find_seen_file(p, l->within, e) : NULL;
    struct sight *o = sights_add(x, l, "front", time_s, e);
    int status = 0;
    if (!o || (*l->within && !within)) return error_memory(e);
    o->front.inside = mine;
    mine = NULL;
    if (within) status = outline_read(&seen, within, q->rows, q->cols, &p->base.geo, e);
    if (status) return status;
    const double model_m = p->keys.discrepancy_m, cell_m = p->base.geo.cell_m;
    const double far_m = 3 * sqrt(l->error_m * l->error_m + model_m * model_m);
    window_add_mask(&o->box, o->front.inside, q->rows, q->cols);
    window_add_mask(&o->box, seen, q->rows, q->cols);
    o->box = domain_around(o->box, 2 + (int)(far_m / cell_m + o->reach), q->rows, q->cols);
    status = set_odds(o, x, seen, l->part, e);
    if (!status && !o->front.lava)
        status = error_line(e, l->path, l->line,
                            "the outline has no lava in the area that was seen; check both files");
    if (status || l->part) return status;
    const struct domain_within where = {.path = within};
    return domain_create(&o->front.domain, &where, o->front.inside, q, &p->base.geo, o->name, e);
}

static int read_package_time(double *time_s, const struct plan *p, const struct seen_line *l,
                             const char *path, struct error *e)
{
    char date[TIMES_TEXT];
    int64_t start_s, unix_s;
    if (!times_date_scan(p->base.start_time, &start_s))
        return error_line(e, l->path, l->line,
                          "the Copernicus package has a date; to make it a time of the eruption, "
                          "add start_time, the date when the eruption began");
    const int status = vectors_package_time(path, &unix_s, e);
    if (status) return status;
    *time_s = (double)(unix_s - start_s);
    if (*time_s > 0) return 0;
    return error_line(e, l->path, l->line,
                      "%s is of %s, not after the start of the eruption, %s; correct start_time, "
                      "or give the time (at TIME)",
                      path, times_date_text(date, unix_s, TIMES_SAID), p->base.start_time);
}

static int read_front(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                      struct error *e)
{
    const struct problem *q = &p->base.problem;
    struct vectors_about about;
    unsigned char *inside = NULL;
    double time_s = l->time_s;
    int status = isnan(time_s) ? read_package_time(&time_s, p, l, path, e) : 0;
    if (!status) status = case_check_outline(&p->base, path, &about, e);
    if (!status) status = outline_read(&inside, path, q->rows, q->cols, &p->base.geo, e);
    return status ? status : sights_add_front(x, p, l, time_s, inside, e);
}

/* ---- places ------------------------------------------------------------------------------------ */

static int add_dry(struct sights *x, const struct seen_line *l, const struct assets *a,
                   struct error *e)
{
    const uint32_t cols = (uint32_t)x->plan->base.problem.cols;
    struct sight *o = sights_add(x, l, "dry", l->time_s, e);
    if (!o) return ERROR_FAILED;
    for (int i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < a->asset[i].cells; k++)
            window_add(&o->box, (int)(a->asset[i].cell[k] / cols),
                       (int)(a->asset[i].cell[k] % cols));
    const size_t cells = window_cells(o->box);
    if (!(o->odds = malloc(cells * sizeof *o->odds))) return error_memory(e);
    for (size_t i = 0; i < cells; i++) o->odds[i] = NAN;
    for (int i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < a->asset[i].cells; k++)
            o->odds[window_place(o->box, a->asset[i].cell[k] / cols, a->asset[i].cell[k] % cols)] =
                (float)-SIGHTS_ODDS;
    return 0;
}

static int add_arrivals(struct sights *x, const struct seen_line *l, struct assets *a,
                        struct error *e)
{
    for (int i = 0; i < a->count; i++) {
        struct sight *o = sights_add(x, l, a->asset[i].name, l->time_s, e);
        if (!o) return ERROR_FAILED;
        o->arrival.cells = a->asset[i].cells;
        o->arrival.cell = a->asset[i].cell;
        a->asset[i].cell = NULL; /* the observation owns the cells now */
        a->asset[i].cells = 0;
    }
    return 0;
}

static int read_places(struct sights *x, struct plan *p, const struct seen_line *l,
                       const char *path, struct error *e)
{
    const struct problem *q = &p->base.problem;
    FREED_BY(assets_free) struct assets a;
    const int status = assets_read(&a, path, q->rows, q->cols, &p->base.geo, e);
    if (status) return status;
    case_note_vectors(&p->base, &a.about, path);
    return l->kind == SEEN_DRY ? add_dry(x, l, &a, e) : add_arrivals(x, l, &a, e);
}

/* ---- surveys ----------------------------------------------------------------------------------- */

/* Sets `odds` in each cell to the log L that a member without lava loses there. For a member with lava, sights_look() adds
 * this loss and subtracts the loss by the member's thickness. */
static int set_survey(struct sight *o, const int64_t *value, int cols, struct error *e)
{
    const size_t cells = window_cells(o->box);
    o->odds = malloc(cells * sizeof *o->odds);
    o->survey.thickness_q = malloc(cells * sizeof *o->survey.thickness_q);
    o->survey.share = calloc(cells, sizeof *o->survey.share);
    if (!o->odds || !o->survey.thickness_q || !o->survey.share) return error_memory(e);
    for (size_t i = 0; i < cells; i++) {
        const int64_t here = value[window_in_domain(o->box, i, cols)];
        o->survey.thickness_q[i] = here < 0 ? 0 : (uint32_t)here;
        o->odds[i] = here < 0 ? NAN : (float)sight_miss(o, i, 0);
    }
    return 0;
}

static int read_survey(struct sights *x, struct plan *p, const struct seen_line *l,
                       const char *path, struct error *e)
{
    const struct problem *q = &p->base.problem;
    struct observation seen = {
        .key = {.kind = OBSERVED_THICKNESS, .shifted = l->shifted, .shift_m = l->shift_m}};
    struct sight *o = sights_add(x, l, "survey", l->time_s, e);
    int status = o ? observation_read(&seen, path, &p->base, e) : ERROR_FAILED;
    for (int row = 0; row < q->rows && !status; row++)
        for (int col = 0; col < q->cols; col++)
            if (seen.value[(size_t)row * (size_t)q->cols + (size_t)col] >= 0)
                window_add(&o->box, row, col);
    if (!status) status = set_survey(o, seen.value, q->cols, e);
    if (!status) observation_note_shift(&seen, path, &p->base);
    free(seen.value);
    return status;
}

/* ---- rates ------------------------------------------------------------------------------------- */

/* Adds the rate of all vents together in the interval of row i. Rows with the same interval count once. */
static int add_rate(struct sights *x, const struct seen_line *l, const struct rate_series *r,
                    const struct rate_history *h, int i, double mean_m3_s, struct error *e)
{
    const struct rate_series_interval *k = &r->interval[i];
    const double days = 1.0 / 86400, middle_s = 0.5 * (k->from_s + k->to_s);
    double earlier_s = -1;
    for (int n = 0; n < i; n++)
        if (r->interval[n].from_s == k->from_s && r->interval[n].to_s == k->to_s) return 0;
    if (!(h->sd[i] > 0))
        return error_line(
            e, r->path, k->line,
            "the rate has no error, so it cannot weigh members; give a factor above 1");
    struct sight *o = sights_add(x, l, "rate", k->to_s, e);
    if (!o) return ERROR_FAILED;
    o->rate.from_s = k->from_s;
    o->rate.sd = h->sd[i];
    o->rate.floor_m3_s = 0.01 * mean_m3_s;
    for (int n = 0; n < r->count; n++) {
        const struct rate_series_interval *m = &r->interval[n];
        const double of_s = 0.5 * (m->from_s + m->to_s);
        if (m->from_s == k->from_s && m->to_s == k->to_s) o->rate.mean_m3_s += m->rate_m3_s;
        if (m->to_s <= k->from_s && of_s > earlier_s) earlier_s = of_s;
    }
    const double correlation = h->keys.correlation;
    o->rate.before = earlier_s < 0 || correlation == 0
                         ? 0
                         : real_exp((middle_s - earlier_s) * days * real_log(correlation));
    return 0;
}

/* Refuses the table of observed_rates. Members draw their rates from this table, so its values would count twice. */
static int refuse_drawn(const struct plan *p, const struct seen_line *l, const char *path,
                        struct error *e)
{
    FREED char *own =
        p->keys.observed_rates ? path_beside(p->base.path, p->keys.observed_rates) : NULL;
    struct file_stamp table;
    if (!own || !file_stamp_of(&table, own) || file_stamp_check(&table, path, NULL)) return 0;
    return error_line(
        e, l->path, l->line,
        "weigh_rates names the same table as observed_rates: members draw their rates "
        "from it, so it would count twice; remove the line weigh_rates");
}

static int read_rates(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                      struct error *e)
{
    FREED_BY(rate_series_free) struct rate_series r = {0};
    FREED_BY(rate_history_free) struct rate_history h = {0};
    int status = refuse_drawn(p, l, path, e);
    if (!status) status = rate_series_read(&r, RATE_COLUMN, path, p->base.start_time, e);
    if (status) return status;
    status = rate_history_create(&h, &p->keys.history, &r, path, e);
    /* The mean rate for floor_m3_s: of the observed rates or, if they all are 0, of the rates of the case. */
    const struct rate_series *own = r.volume_m3 > 0 ? &r : &p->rates;
    const double mean_m3_s = own->volume_m3 > 0 ? own->volume_m3 / own->end_s : 1;
    for (int i = 0; i < r.count && !status; i++) status = add_rate(x, l, &r, &h, i, mean_m3_s, e);
    return status;
}

int sights_read(struct sights *x, struct plan *p, const struct seen_line *l, struct error *e)
{
    if (l->kind == SEEN_END)
        return sights_add(x, l, "end", l->time_s, e) ? 0 : ERROR_FAILED; /* an end has no file */
    FREED char *path = find_seen_file(p, l->file, e);
    return !path                       ? error_memory(e)
           : l->kind == SEEN_FRONT     ? read_front(x, p, l, path, e)
           : l->kind == SEEN_FRONTS    ? sights_read_fronts(x, p, l, path, e)
           : l->kind == SEEN_RATES     ? read_rates(x, p, l, path, e)
           : l->kind == SEEN_SURVEY    ? read_survey(x, p, l, path, e)
           : l->kind == SEEN_HOT_SPOTS ? sights_read_hot(x, p, l, path, e)
                                       : read_places(x, p, l, path, e);
}
