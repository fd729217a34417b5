/* eruptions.c — the eruptions of a calibration: the eruption of the main plan, and the eruptions of
 * other plans that the main plan names. All eruptions share the fitted parameters of the model.
 * Each eruption has its own rate, duration and place of vents. */
#include "calibration.h"

#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *eruption_name(const struct calibration *cal, int eruption)
{
    return cal->eruption[eruption].plan->base.name;
}

bool eruption_is_held(const struct calibration *cal, int eruption)
{
    const struct hold_out_key *h = &cal->keys.hold_out;
    if (!cal->hold_out || h->kind != HOLD_OUT_ERUPTIONS) return false;
    for (int i = 0; i < h->eruptions; i++)
        if (!strcmp(h->eruption[i], eruption_name(cal, eruption))) return true;
    return false;
}

const char *observed_name(const struct calibration *cal, int eruption, int observation,
                          char out[OBSERVED_NAME])
{
    const char *name = cal->eruption[eruption].observed.item[observation].name;
    if (cal->eruptions > 1)
        snprintf(out, OBSERVED_NAME, "%s_%s", eruption_name(cal, eruption), name);
    else snprintf(out, OBSERVED_NAME, "%s", name);
    return out;
}

/* Refuses the plan of another eruption if only this plan, not the main plan, has bounds for a
 * shared parameter. */
static int check_fits(const struct calibration *cal, const struct calibration_keys *k,
                      const char *path, struct error *e)
{
    for (int v = 0; v < VARIABLES; v++)
        if (k->fit[v].line && !calibration_is_own(v) && !cal->keys.fit[v].line)
            return error_line(e, path, k->fit[v].line,
                              "fit_%s is fitted to all eruptions; move the line to %s",
                              variable_row(v).name, cal->plan->base.path);
    return 0;
}

static int check_keys(struct calibration_keys *k, const struct plan *p, struct error *e)
{
    const char *path = p->base.path;
    if (k->eruption_count)
        return error_line(e, path, k->eruption[0].line,
                          "an eruption cannot name another eruption; move this line to the plan");
    if (k->hold_out.kind == HOLD_OUT_ERUPTIONS)
        return error_line(e, path, k->hold_out.line,
                          "'hold_out eruption' is allowed in the plan alone; move this line there");
    k->noise_members = 1; /* the number in the main plan counts */
    return calibration_keys_check(k, p, e);
}

/* Checks that either all eruptions have an error of the terrain, or none has. */
static int check_noise(const struct calibration *cal, const struct plan *p, int line,
                       struct error *e)
{
    const bool noise = plan_terrain_errs(p), wanted = plan_terrain_errs(cal->plan);
    if (noise == wanted) return 0;
    return error_line(e, cal->plan->base.path, line,
                      "%s has %s; give terrain_error_m in all eruptions, or in none", p->base.name,
                      noise ? "an error of its terrain, and the plan has none"
                            : "no error of its terrain, and the plan has one");
}

static int check_name(const struct calibration *cal, const struct plan *p, int line,
                      struct error *e)
{
    for (int k = 0; k < cal->eruptions - 1; k++)
        if (!strcmp(eruption_name(cal, k), p->base.name))
            return error_line(
                e, cal->plan->base.path, line,
                "two eruptions have the name %s; rename one of the files, or remove it",
                p->base.name);
    return 0;
}

static int add_eruption(struct calibration *cal, const struct eruption_key *key, struct error *e)
{
    struct eruption *x = &cal->eruption[cal->eruptions];
    struct calibration_keys *k = &cal->more_keys[cal->eruptions - 1];
    const struct plan_more more = calibration_keys_default(k);
    FREED char *path = path_beside(cal->plan->base.path, key->file);
    if (!path) return error_memory(e);
    *x = (struct eruption){.keys = k, .weight = key->weight};
    cal->eruptions++; /* counted now, so that eruptions_close() closes it after an error */
    for (int v = 0; v < VARIABLES; v++)
        k->fitted[v] = cal->keys.fitted[v] && !calibration_is_own(v);
    int status = plan_read(&x->plan, path, &more, NULL, e);
    if (status) return status;
    x->plan->keys.seed = (int64_t)cal->seed;
    status = check_fits(cal, k, x->plan->base.path, e);
    if (!status) status = check_keys(k, x->plan, e);
    if (!status) status = check_name(cal, x->plan, key->line, e);
    if (!status) status = check_noise(cal, x->plan, key->line, e);
    if (status) return status;
    /* The same Pcool has different effects on cells of different sizes (resolution.h). */
    const int line = key->line;
    const struct sim_case *a = &cal->plan->base, *b = &x->plan->base;
    const char *nearest;
    const bool fitted = cal->keys.fit[variable_find("Pcool", &nearest)].line,
               same = a->calibrated_cell_m == b->calibrated_cell_m;
    if (!fitted || (same && (a->geo.cell_m == b->geo.cell_m || a->calibrated_cell_m > 0))) return 0;
    return error_line(e, a->path, line,
                      "%s has cells of %g m, the plan of %g m; give both the same "
                      "calibrated_cell_m, so that Pcool has one meaning",
                      b->name, b->geo.cell_m, a->geo.cell_m);
}

/* Lists the fitted parameters. A parameter that only a held-out eruption has is not fitted, because no observation
 * that the search sees depends on it. */
static void list_fits(struct calibration *cal)
{
    cal->fits = 0;
    for (int k = 0; k < cal->eruptions; k++) {
        const int count = fits_list(cal->fit + cal->fits, cal->eruption[k].keys, k),
                  from = cal->fits;
        for (int i = from; i < from + count; i++) {
            struct fit *f = &cal->fit[cal->fits];
            if (cal->fit[i].of != ALL_ERUPTIONS && eruption_is_held(cal, k)) continue;
            *f = cal->fit[i];
            if (f->of > 0)
                snprintf(f->name, FIT_NAME, "%s_%s", variable_row(f->variable).name,
                         eruption_name(cal, k));
            cal->fits++;
        }
    }
}

int eruptions_open(struct calibration *cal, struct error *e)
{
    int status = 0;
    cal->eruption[0] = (struct eruption){
        .plan = cal->plan, .keys = &cal->keys, .weight = cal->keys.eruption_weight};
    cal->eruptions = 1;
    for (int i = 0; i < cal->keys.eruption_count && !status; i++)
        status = add_eruption(cal, &cal->keys.eruption[i], e);
    for (int k = 0; k < cal->eruptions && !status; k++) {
        cal->eruption[k].bare = cal->eruption[k].plan->base;
        cal->eruption[k].bare.outline_path = NULL;
    }
    if (!status) list_fits(cal);
    return status;
}

void eruptions_close(struct calibration *cal)
{
    for (int k = 0; k < cal->eruptions; k++) {
        struct eruption *x = &cal->eruption[k];
        observations_free(&x->observed);
        if (k) plan_free(x->plan);
    }
    cal->eruptions = 0;
}

/* ---- what was observed ----------------------------------------------------------------------- */

static int check_names(const struct calibration *cal, struct error *e)
{
    const struct hold_out_key *h = &cal->keys.hold_out;
    for (int i = 0; i < h->eruptions; i++) {
        bool there = false;
        for (int k = 0; k < cal->eruptions; k++)
            there = there || !strcmp(h->eruption[i], eruption_name(cal, k));
        if (!there)
            return error_line(
                e, cal->plan->base.path, h->line,
                "there is no eruption %s; name each eruption by its file name without the ending",
                h->eruption[i]);
    }
    return 0;
}

static int observe(struct calibration *cal, int eruption, struct error *e)
{
    static const struct hold_out_key all = {.kind = HOLD_OUT_ALL};
    struct eruption *x = &cal->eruption[eruption];
    const struct hold_out_key *own = &x->keys->hold_out;
    const bool part = own->kind == HOLD_OUT_AFTER || own->kind == HOLD_OUT_LEFT_OF;
    struct member base;
    int status = observations_warn_outlines(x->plan, x->keys, e);
    if (!status) status = points_base(x->plan, &base, e);
    if (status) return status;
    status = observations_create(&x->observed, x->keys, &base.c,
                                 eruption_is_held(cal, eruption) ? &all
                                 : cal->hold_out && part         ? own
                                                                 : NULL,
                                 e);
    if (!status) status = observations_warn(&x->observed, &x->plan->base, e);
    member_free(&base);
    x->first = cal->observations;
    cal->observations += x->observed.count;
    return status;
}

int eruptions_observe(struct calibration *cal, struct error *e)
{
    bool any[PARTS] = {false};
    int status = check_names(cal, e);
    for (int k = 0; k < cal->eruptions && !status; k++) {
        status = observe(cal, k, e);
        for (int p = 0; p < PARTS; p++) any[p] = any[p] || cal->eruption[k].observed.any[p];
    }
    if (status || !cal->hold_out) return status;
    if (!any[PART_SEEN])
        return error_line(e, cal->plan->base.path, cal->keys.hold_out.line,
                          "hold_out leaves no observation for the search; hold out fewer");
    return 0;
}
