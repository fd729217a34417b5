/* restart_json.c — the JSON in the file of a state. */
#include "restart.h"

#include "json_number.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { RESTART_OLD = 1, RESTART_FORMAT = 2, LINKS_MAX = 1000000 };

void restart_free(struct restart *r)
{
    free(r->link);
    samples_free(&r->samples);
    *r = (struct restart){0};
}

int restart_chain(struct restart *r, const struct restart *from, bool changed, struct error *e)
{
    const size_t count = (size_t)from->link_count;
    struct restart_link *link = malloc((count + 1) * sizeof *link);
    if (!link) return error_memory(e);
    if (count) memcpy(link, from->link, count * sizeof *link);
    link[count] = (struct restart_link){.step = from->step,
                                        .digest = from->digest,
                                        .identity = identity_digest(&from->identity),
                                        .changed = changed};
    memcpy(link[count].variant, from->variant, sizeof from->variant);
    memcpy(link[count].version, from->version, sizeof from->version);
    free(r->link);
    r->link = link;
    r->link_count = from->link_count + 1;
    samples_free(&r->samples);
    return samples_copy(&r->samples, &from->samples, e);
}

cJSON *restart_links_json(const struct restart *r)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < r->link_count; i++) {
        const struct restart_link *l = &r->link[i];
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "step", (double)l->step);
        json_add_hex(o, "digest", l->digest);
        json_add_hex(o, "case", l->identity);
        json_add_texts(o, {"variant", l->variant}, {"version", l->version});
        cJSON_AddBoolToObject(o, "changed", l->changed);
    }
    return list;
}

static bool link_from_json(struct restart_link *l, const cJSON *o)
{
    const cJSON *changed = cJSON_GetObjectItemCaseSensitive(o, "changed");
    l->changed = cJSON_IsTrue(changed);
    return cJSON_IsBool(changed) && json_whole(o, "step", &l->step) &&
           json_hex(o, "digest", &l->digest) && json_hex(o, "case", &l->identity) &&
           json_text(o, "variant", l->variant, sizeof l->variant) &&
           json_text(o, "version", l->version, sizeof l->version);
}

static bool links_from_json(struct restart *r, const cJSON *list)
{
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    const cJSON *o;
    if (count < 0 || count > LINKS_MAX) return false;
    r->link = malloc(((size_t)count + 1) * sizeof *r->link);
    if (!r->link) return false;
    cJSON_ArrayForEach(o, list)
    {
        if (!link_from_json(&r->link[r->link_count], o)) return false;
        r->link_count++;
    }
    return true;
}

static cJSON *samples_json(const struct samples *s)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < s->count; i++) {
        const struct sample *one = &s->item[i];
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "step", (double)one->step);
        json_add_quanta(o, "emitted", one->emitted);
        json_add_quanta(o, "mobile", one->mobile);
        json_add_quanta(o, "solidified", one->solidified);
        json_add_quanta(o, "left_domain", one->left_domain);
        json_add_quanta(o, "entered_sea", one->entered_sea);
        json_add_numbers(o, {"thickest_m", one->thickest_m}, {"hottest_K", one->hottest_K});
    }
    return list;
}

static bool sample_from_json(struct sample *one, const cJSON *o)
{
    return json_whole(o, "step", &one->step) && json_quanta(o, "emitted", &one->emitted) &&
           json_quanta(o, "mobile", &one->mobile) &&
           json_quanta(o, "solidified", &one->solidified) &&
           json_quanta(o, "left_domain", &one->left_domain) &&
           json_quanta(o, "entered_sea", &one->entered_sea) &&
           json_real(o, "thickest_m", &one->thickest_m) &&
           json_real(o, "hottest_K", &one->hottest_K);
}

/* States of older versions have no samples. */
static bool samples_from_json(struct samples *s, const cJSON *list)
{
    const cJSON *o;
    if (!list) return true;
    if (!cJSON_IsArray(list)) return false;
    cJSON_ArrayForEach(o, list)
    {
        struct sample one;
        const int before = s->count;
        if (!sample_from_json(&one, o) || samples_add(s, &one, NULL) || s->count == before)
            return false;
    }
    return true;
}

cJSON *restart_json(const struct restart *r, const struct fields *f)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, RESTART_KEY, RESTART_FORMAT);
    cJSON_AddStringToObject(o, "case", r->name);
    json_add_numbers(o, {"step", r->step}, {"time_s", r->time_s});
    cJSON_AddBoolToObject(o, "stopped", r->stopped);
    json_add_hex(o, "digest", r->digest);
    json_add_texts(o, {"variant", r->variant}, {"version", r->version});
    cJSON_AddItemToObject(o, "identity", identity_json(&r->identity));
    cJSON_AddItemToObject(o, "chain", restart_links_json(r));
    cJSON_AddItemToObject(o, "samples", samples_json(&r->samples));
    cJSON *sums = cJSON_AddObjectToObject(o, "sums");
    json_add_quanta(sums, "emitted", f->emitted);
    json_add_quanta(sums, "left_domain", f->left_domain);
    if (f->entered_sea) json_add_quanta(sums, "entered_sea", f->entered_sea);
    if (f->ground.raised) json_add_quanta(sums, "ground_raised", f->ground.raised);
    if (f->ground.lowered) json_add_quanta(sums, "ground_lowered", f->ground.lowered);
    json_add_quanta(sums, "heat_emitted", f->heat.emitted);
    json_add_quanta(sums, "heat_solidified", f->heat.solidified);
    json_add_quanta(sums, "heat_left_domain", f->heat.left_domain);
    json_add_quanta(sums, "heat_cooled", f->heat.cooled);
    return o;
}

char *restart_text(const struct restart *r, const struct fields *f)
{
    cJSON *o = restart_json(r, f);
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    return text;
}

/* A sum that most runs do not have. */
static bool read_optional(const cJSON *o, const char *name, quanta *value)
{
    return !cJSON_HasObjectItem(o, name) || json_quanta(o, name, value);
}

static bool sums_from_json(struct fields *f, const cJSON *o)
{
    return json_quanta(o, "emitted", &f->emitted) &&
           json_quanta(o, "left_domain", &f->left_domain) &&
           read_optional(o, "entered_sea", &f->entered_sea) &&
           read_optional(o, "ground_raised", &f->ground.raised) &&
           read_optional(o, "ground_lowered", &f->ground.lowered) &&
           json_quanta(o, "heat_emitted", &f->heat.emitted) &&
           json_quanta(o, "heat_solidified", &f->heat.solidified) &&
           json_quanta(o, "heat_left_domain", &f->heat.left_domain) &&
           json_quanta(o, "heat_cooled", &f->heat.cooled);
}

/* 2^31 - 2, as an arrival is a 32-bit step; library/library.h has the same. */
enum { STEPS_MAX = 2147483646 };

static bool from_json(struct restart *r, struct fields *sums, const cJSON *o)
{
    const cJSON *stopped = cJSON_GetObjectItemCaseSensitive(o, "stopped");
    int format = 0;
    r->stopped = cJSON_IsTrue(stopped);
    if (!json_int(o, RESTART_KEY, &format)) return false;
    r->old = format == RESTART_OLD;
    return (r->old || format == RESTART_FORMAT) && json_text(o, "case", r->name, sizeof r->name) &&
           json_whole(o, "step", &r->step) && json_real(o, "time_s", &r->time_s) &&
           cJSON_IsBool(stopped) && json_hex(o, "digest", &r->digest) &&
           json_text(o, "variant", r->variant, sizeof r->variant) &&
           json_text(o, "version", r->version, sizeof r->version) &&
           identity_from_json(&r->identity, cJSON_GetObjectItemCaseSensitive(o, "identity")) &&
           links_from_json(r, cJSON_GetObjectItemCaseSensitive(o, "chain")) &&
           samples_from_json(&r->samples, cJSON_GetObjectItemCaseSensitive(o, "samples")) &&
           sums_from_json(sums, cJSON_GetObjectItemCaseSensitive(o, "sums")) && r->step >= 0 &&
           r->step <= STEPS_MAX;
}

bool restart_from_text(struct restart *r, struct fields *sums, const char *text)
{
    cJSON *o = cJSON_Parse(text);
    *r = (struct restart){0};
    *sums = (struct fields){0};
    const bool good = o && from_json(r, sums, o);
    cJSON_Delete(o);
    if (!good) restart_free(r);
    return good;
}
