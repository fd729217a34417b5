/* drawing_check.c — checks that a tree of JSON is a drawing. */
#include "drawing.h"

#include "case/parameter_sets.h"
#include "text/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- refusals -------------------------------------------------------------------------------- */

struct spot {
    struct drawing_fault *fault;
    const char *object;
    int number;
};

ERROR_FORMAT(4, 5)
static int refuse(const struct spot *at, const char *field, struct error *e, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    scan_make_printable(text); /* names of members may have any characters */
    *at->fault = (struct drawing_fault){.number = at->number};
    snprintf(at->fault->object, sizeof at->fault->object, "%s", at->object);
    snprintf(at->fault->field, sizeof at->fault->field, "%s", field);
    if (at->number >= 0)
        return error_input(e, "%s %d%s%s: %s", at->object, at->number + 1, *field ? ": " : "",
                           field, text);
    return error_input(e, "%s%s%s", at->object, *at->object ? ": " : "", text);
}

/* ---- members --------------------------------------------------------------------------------- */

/* STAIRS: points (hour, m3/s), without negative numbers */
enum kind { NUMBER, WHOLE, FLAG, TEXT, WORD, POINTS, STAIRS };
struct member {
    const char *name;
    enum kind kind;
    double low, high; /* range of a number, of the bytes of a text, or of the number of points */
    bool required;
    const char *words[4];
};

enum { POINTS_MOST = 20000, TEXT_MOST = 60, FAR = 1000000000 };

static const struct member of_vents[] = {{"id", WHOLE, 1, 1e6, true, {0}},
                                         {"name", TEXT, 0, TEXT_MOST, false, {0}},
                                         {"points", POINTS, 1, POINTS_MOST, true, {0}},
                                         {0}};
static const struct member of_rates[] = {
    {"vent", WHOLE, 0, 1e6, true, {0}}, {"points", STAIRS, 2, POINTS_MOST, true, {0}}, {0}};
static const struct member of_barriers[] = {
    {"kind", WORD, 0, 0, true, {"wall", "channel"}},
    {"name", TEXT, 0, TEXT_MOST, false, {0}},
    {"area", FLAG, 0, 0, false, {0}},
    {"points", POINTS, 2, POINTS_MOST, true, {0}},
    {"height_m", NUMBER, 0, 1000, false, {0}},
    {"crest_m", NUMBER, ELEVATION_MIN_M, ELEVATION_MAX_M, false, {0}},
    {"depth_m", NUMBER, 0, 1000, false, {0}},
    {"width_m", NUMBER, 0, 10000, false, {0}},
    {"from_h", NUMBER, 0, 1e6, false, {0}},
    {0}};
static const struct member of_places[] = {{"name", TEXT, 1, TEXT_MOST, true, {0}},
                                          {"kind", WORD, 0, 0, false, {"point", "line", "area"}},
                                          {"points", POINTS, 1, POINTS_MOST, true, {0}},
                                          {0}};
static const struct member hours[] = {{"hours", NUMBER, 1e-3, 1e6, true, {0}}, {0}},
                           title = {"title", TEXT, 1, 127, false, {0}};
static const struct {
    const char *name;
    const struct member *member;
    int most;
} lists[] = {{"vents", of_vents, 2000},
             {"rates", of_rates, 2000},
             {"barriers", of_barriers, 2000},
             {"places", of_places, 2000}};
enum { LISTS = sizeof lists / sizeof *lists };

/* Returns the least number that a member may have or, in a list of points, that a point may have. */
static double least_of(const struct member *m)
{
    return m->kind == POINTS ? -FAR : m->kind == STAIRS ? 0 : m->low;
}

static double most_of(const struct member *m)
{
    return m->kind == POINTS || m->kind == STAIRS ? FAR : m->high;
}

static bool is_points(const cJSON *v, const struct member *m)
{
    const cJSON *point;
    const int count = cJSON_IsArray(v) ? cJSON_GetArraySize(v) : -1;
    if (count < m->low || count > m->high) return false;
    cJSON_ArrayForEach (point, v) {
        const cJSON *x = cJSON_IsArray(point) ? point->child : NULL;
        if (!cJSON_IsNumber(x) || !cJSON_IsNumber(x->next) || x->next->next) return false;
        for (; x; x = x->next)
            if (!(x->valuedouble >= least_of(m) && x->valuedouble <= most_of(m))) return false;
    }
    return true;
}

static bool is_word(const cJSON *v, const struct member *m)
{
    for (int i = 0; cJSON_IsString(v) && i < 4 && m->words[i]; i++)
        if (!strcmp(v->valuestring, m->words[i])) return true;
    return false;
}

static bool is_text(const cJSON *v, const struct member *m)
{
    const size_t length = cJSON_IsString(v) ? strlen(v->valuestring) : SIZE_MAX;
    return length >= m->low && length <= m->high && scan_printable(v->valuestring);
}

static int check_member(const struct spot *at, const struct member *m, const cJSON *v,
                        struct error *e)
{
    const double x = cJSON_IsNumber(v) ? v->valuedouble : NAN;
    const bool inside = x >= m->low && x <= m->high;
    if (!v && !m->required) return 0;
    if (!v) return refuse(at, m->name, e, "is missing; give it");
    switch (m->kind) {
    case NUMBER:
        return inside ? 0 : refuse(at, m->name, e, "give a number from %g to %g", m->low, m->high);
    case WHOLE:
        if (inside && x == floor(x)) return 0;
        return refuse(at, m->name, e, "give a whole number from %g to %g", m->low, m->high);
    case FLAG:
        return cJSON_IsBool(v) ? 0 : refuse(at, m->name, e, "give true or false");
    case TEXT:
        if (is_text(v, m)) return 0;
        return refuse(at, m->name, e, "give a text of %g to %g bytes without control characters",
                      m->low, m->high);
    case WORD:
        return is_word(v, m) ? 0
                             : refuse(at, m->name, e, "give %s or %s", m->words[0],
                                      m->words[2] ? m->words[2] : m->words[1]);
    case POINTS:
    case STAIRS:
        break;
    }
    return is_points(v, m) ? 0
                           : refuse(at, m->name, e, "give %g to %g pairs of numbers from %g to %g",
                                    m->low, m->high, least_of(m), most_of(m));
}

static bool knows(const struct member *m, const char *name)
{
    while (m->name && strcmp(m->name, name)) m++;
    return m->name != NULL;
}

static int check_entry(const struct spot *at, const struct member *members, const cJSON *entry,
                       struct error *e)
{
    const cJSON *v;
    if (!cJSON_IsObject(entry)) return refuse(at, "", e, "is not an object");
    cJSON_ArrayForEach (v, entry)
        if (!knows(members, v->string))
            return refuse(at, "", e, "there is no member %.40s", v->string);
    for (const struct member *m = members; m->name; m++)
        if (check_member(at, m, cJSON_GetObjectItemCaseSensitive(entry, m->name), e))
            return ERROR_INPUT;
    return 0;
}

/* ---- members that have to fit each other ----------------------------------------------------- */

static bool has_member(const cJSON *entry, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(entry, name) != NULL;
}

static int check_barrier(const struct spot *at, const cJSON *b, struct error *e)
{
    const char *kind = cJSON_GetObjectItemCaseSensitive(b, "kind")->valuestring;
    const bool wall = !strcmp(kind, "wall"), area = cJSON_IsTrue(cJSON_GetObjectItem(b, "area"));
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(b, "points");
    const int heights = has_member(b, "height_m") + has_member(b, "crest_m");
    if (wall && (heights != 1 || has_member(b, "depth_m")))
        return refuse(at, "height_m", e, "a wall has either height_m or crest_m; give one of them");
    if (!wall && (heights || !has_member(b, "depth_m")))
        return refuse(at, "depth_m", e, "a channel has depth_m alone; give it");
    if (area && cJSON_GetArraySize(points) < 3)
        return refuse(at, "points", e, "an area has three points or more");
    return 0;
}

static bool names_vent(const cJSON *list, const char *member, int id)
{
    const cJSON *entry;
    cJSON_ArrayForEach (entry, list) {
        const int named = cJSON_GetObjectItemCaseSensitive(entry, member)->valueint;
        if (named == id || (named == 0 && !strcmp(member, "vent"))) return true;
    }
    return false;
}

/* Checks that vents and rates fit each other, after check_list() has checked each list. A vent may have several
 * entries, one for each part. Rates have one entry for each vent, or one entry for all vents. */
static int check_eruption(const cJSON *drawing, const struct drawing_ground *g,
                          struct drawing_fault *fault, struct error *e)
{
    const cJSON *vents = cJSON_GetObjectItemCaseSensitive(drawing, "vents"),
                *rates = cJSON_GetObjectItemCaseSensitive(drawing, "rates"), *entry;
    struct spot at = {fault, "vents", -1};
    const bool own = cJSON_IsArray(vents);
    if (own ? !vents->child && !g->files->thickness : !g->files->vents && !g->files->thickness)
        return refuse(&at, "", e, "there is none; draw one, or a fissure");
    if (!own || !cJSON_IsArray(rates)) return 0;
    cJSON_ArrayForEach (entry, vents) {
        at.number++;
        if (!names_vent(rates, "vent", cJSON_GetObjectItem(entry, "id")->valueint))
            return refuse(&at, "", e, "has no rates; give it some, of 0 if it emits no lava");
    }
    at = (struct spot){fault, "rates", -1};
    cJSON_ArrayForEach (entry, rates) {
        const int id = cJSON_GetObjectItem(entry, "vent")->valueint;
        const cJSON *other = entry->next;
        at.number++;
        if (id ? !names_vent(vents, "id", id) : cJSON_GetArraySize(rates) > 1)
            return refuse(
                &at, "vent", e,
                id ? "there is no vent %d; correct the number, or remove these rates"
                   : "rates of vent %d are for all vents together; remove these or all others",
                id);
        for (; other; other = other->next)
            if (cJSON_GetObjectItem(other, "vent")->valueint == id)
                return refuse(&at, "vent", e, "vent %d has rates twice; remove one", id);
    }
    return 0;
}

/* Checks a key as if it were a line of a case. */
static int check_key(const struct spot *at, const cJSON *given, const struct drawing_ground *g,
                     struct error *e)
{
    static const char nowhere[] = "keys";
    struct settings read = {0};
    struct keyvalue line = {.key = given->string, .line = 1};
    const struct keyvalues lines = {.file = {.path = nowhere}, .count = 1, .item = &line};
    const struct schema_values into[] = {{&case_schema, &read}, {0}};
    struct error why = {0};
    struct key k;
    if (!schema_find(&case_schema, given->string, &k) || strcmp(k.name, given->string) ||
        !drawing_takes_key(&k))
        return refuse(at, "", e, "a drawing has no key %.40s", given->string);
    if (cJSON_IsNull(given)) return 0; /* null: the key's default */
    if (!cJSON_IsString(given) || !*given->valuestring || strlen(given->valuestring) > 255 ||
        strchr(given->valuestring, '"') || !scan_printable(given->valuestring))
        return refuse(at, k.name, e, "%s: give null, or a text of 1 to 255 bytes without \"",
                      k.name);
    line.value = given->valuestring;
    if (!schema_read(&lines, g->c->start_time, into, &why)) return 0;
    return refuse(at, k.name, e, "%.390s", why.text + strlen(nowhere) + strlen(":1: "));
}

static int check_keys(const cJSON *drawing, const struct drawing_ground *g,
                      struct drawing_fault *fault, struct error *e)
{
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(drawing, "keys"), *given;
    const struct spot at = {fault, "keys", -1};
    if (!keys || cJSON_IsNull(keys)) return 0; /* the keys of the case stay */
    if (!cJSON_IsObject(keys)) return refuse(&at, "", e, "is not an object");
    cJSON_ArrayForEach (given, keys) {
        for (const cJSON *other = given->next; other; other = other->next)
            if (!strcmp(other->string, given->string))
                return refuse(&at, "", e, "has %.40s twice; remove one", given->string);
        if (check_key(&at, given, g, e)) return ERROR_INPUT;
    }
    return 0;
}

static int check_rest(const cJSON *drawing, const struct drawing_ground *g,
                      struct drawing_fault *fault, struct error *e)
{
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(drawing, "parameters"),
                *time = cJSON_GetObjectItemCaseSensitive(drawing, hours->name),
                *name = cJSON_GetObjectItemCaseSensitive(drawing, title.name);
    struct spot at = {fault, "parameters", -1};
    struct parameter_set found;
    struct error why = {0};
    if (set && !cJSON_IsNull(set)) {
        if (!cJSON_IsString(set)) return refuse(&at, "", e, "give the name of a set, or null");
        if (parameter_set_find(&found, set->valuestring, &why))
            return refuse(&at, "", e, "%.300s", why.text);
    }
    at.object = hours->name;
    if (!time || cJSON_IsNull(time)) {
        if (!g->c->max_steps && !(g->settings->run_s > 0) && !(g->settings->stop_mobile_m > 0))
            return refuse(&at, "", e, "give the hours that the run lasts");
    } else if (check_member(&at, hours, time, e)) {
        return ERROR_INPUT;
    }
    at.object = title.name;
    return name && !cJSON_IsNull(name) ? check_member(&at, &title, name, e) : 0;
}

static int check_list(const cJSON *drawing, int which, struct drawing_fault *fault, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(drawing, lists[which].name), *entry;
    struct spot at = {fault, lists[which].name, -1};
    if (!list || cJSON_IsNull(list)) return 0; /* the list of the case stays */
    if (!cJSON_IsArray(list)) return refuse(&at, "", e, "is not a list");
    if (cJSON_GetArraySize(list) > lists[which].most)
        return refuse(&at, "", e, "there are more than %d; remove some, or name a file in a case",
                      lists[which].most);
    cJSON_ArrayForEach (entry, list) {
        at.number++;
        int status = check_entry(&at, lists[which].member, entry, e);
        if (!status && lists[which].member == of_barriers) status = check_barrier(&at, entry, e);
        if (status) return status;
    }
    return 0;
}

int drawing_check(const cJSON *drawing, const struct drawing_ground *g, struct drawing_fault *fault,
                  struct error *e)
{
    static const char *const others[] = {"parameters", "hours", "title", "keys"};
    struct spot at = {fault, "", -1};
    const cJSON *v;
    *fault = (struct drawing_fault){.number = -1};
    if (!cJSON_IsObject(drawing)) return refuse(&at, "", e, "the drawing is not an object");
    cJSON_ArrayForEach (v, drawing) {
        bool known = false;
        for (int i = 0; i < LISTS; i++) known |= !strcmp(v->string, lists[i].name);
        for (int i = 0; i < 4; i++) known |= !strcmp(v->string, others[i]);
        if (!known) return refuse(&at, "", e, "a drawing has no member %.40s", v->string);
    }
    for (int i = 0; i < LISTS; i++)
        if (check_list(drawing, i, fault, e)) return ERROR_INPUT;
    int status = check_keys(drawing, g, fault, e);
    if (!status) status = check_eruption(drawing, g, fault, e);
    return status ? status : check_rest(drawing, g, fault, e);
}

int drawing_check_places(const cJSON *drawing, struct drawing_fault *fault, struct error *e)
{
    *fault = (struct drawing_fault){.number = -1};
    return check_list(drawing, LISTS - 1, fault, e);
}

static void add_limits(cJSON *limits, const char *object, const struct member *m)
{
    cJSON *o = cJSON_AddObjectToObject(limits, object);
    for (; m->name; m++) {
        const double range[] = {least_of(m), most_of(m)};
        if (m->kind == NUMBER || m->kind == POINTS || m->kind == STAIRS)
            cJSON_AddItemToObject(o, m->name, cJSON_CreateDoubleArray(range, 2));
    }
}

cJSON *drawing_limits(void)
{
    cJSON *limits = cJSON_CreateObject();
    for (int i = 0; i < LISTS; i++) add_limits(limits, lists[i].name, lists[i].member);
    add_limits(limits, hours->name, hours);
    return limits;
}
