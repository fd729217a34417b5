#define _XOPEN_SOURCE 700 /* realpath() */
/* drawing_write.c — writes a drawing as the files of a case, and finds the entry of the drawing that caused an error
 * in these files. */
#include "drawing.h"

#include "case/assets.h"
#include "case/barriers.h"
#include "case/parameter_sets.h"
#include "eruption/vents.h"
#include "record/json_number.h"
#include "text/atomic_file.h"
#include "text/file_group.h"
#include "text/number.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char VENTS[] = "vents.csv", RATES[] = "rates.csv", BARRIERS[] = "barriers.geojson",
                  PLACES[] = DRAWING_PLACES;

static const cJSON *member(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* Whether a list or value of the drawing differs from the case. */
static bool differs_from_case(const cJSON *drawing, const struct drawing_ground *g,
                              const char *name)
{
    const cJSON *own = member(drawing, name);
    return own && !cJSON_IsNull(own) && !cJSON_Compare(own, member(g->drawing, name), true);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* vents.csv has a row for each point, rates.csv a row for each interval between two points. */
static void put_vents(FILE *out, const cJSON *list)
{
    const cJSON *entry, *point;
    char x[32], y[32];
    int part = 0;
    fputs("vent,x,y,part\n", out);
    cJSON_ArrayForEach (entry, list) {
        part++;
        cJSON_ArrayForEach (point, member(entry, "points"))
            fprintf(out, "%d,%s,%s,%d\n", member(entry, "id")->valueint,
                    number_text(point->child->valuedouble, x),
                    number_text(point->child->next->valuedouble, y), part);
    }
}

static void put_rates(FILE *out, const cJSON *list)
{
    const cJSON *entry, *point;
    char from[32], to[32], rate[32], id[16];
    fputs("vent,from_h,to_h,rate_m3_s\n", out);
    cJSON_ArrayForEach (entry, list) {
        snprintf(id, sizeof id, "%d", member(entry, "vent")->valueint);
        cJSON_ArrayForEach (point, member(entry, "points"))
            if (point->next)
                fprintf(out, "%s,%s,%s,%s\n", strcmp(id, "0") ? id : "*",
                        number_text(point->child->valuedouble, from),
                        number_text(point->next->child->valuedouble, to),
                        number_text(point->child->next->valuedouble, rate));
    }
}

/* ---- GeoJSON --------------------------------------------------------------------------------- */

static void add_crs(cJSON *collection, const struct georef *geo)
{
    char name[40];
    if (!geo->crs.epsg) return;
    snprintf(name, sizeof name, "urn:ogc:def:crs:EPSG::%d", geo->crs.epsg);
    cJSON *crs = cJSON_AddObjectToObject(collection, "crs");
    cJSON_AddStringToObject(crs, "type", "name");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(crs, "properties"), "name", name);
}

static bool is_area(const cJSON *entry)
{
    const cJSON *kind = member(entry, "kind");
    return cJSON_IsTrue(member(entry, "area")) ||
           (cJSON_IsString(kind) && !strcmp(kind->valuestring, "area"));
}

static void add_geometry(cJSON *feature, const cJSON *entry)
{
    cJSON *points = cJSON_Duplicate(member(entry, "points"), true), *ring;
    cJSON *o = cJSON_AddObjectToObject(feature, "geometry");
    const int count = cJSON_GetArraySize(points);
    if (is_area(entry) && count > 2) {
        cJSON_AddItemToArray(points, cJSON_Duplicate(points->child, true));
        cJSON_AddStringToObject(o, "type", "Polygon");
        cJSON_AddItemToArray(ring = cJSON_CreateArray(), points);
        cJSON_AddItemToObject(o, "coordinates", ring);
    } else {
        cJSON_AddStringToObject(o, "type", count > 1 ? "LineString" : "Point");
        cJSON_AddItemToObject(o, "coordinates",
                              count > 1 ? points : cJSON_Duplicate(points->child, true));
        if (count <= 1) cJSON_Delete(points);
    }
}

/* Adds the members of the entry, except its shape, as properties with the same names. Only from_h (hours) is renamed,
 * to `from`. */
static void add_properties(cJSON *feature, const cJSON *entry)
{
    cJSON *o = cJSON_AddObjectToObject(feature, "properties");
    const cJSON *v;
    cJSON_ArrayForEach (v, entry) {
        const bool shape = !strcmp(v->string, "points") || !strcmp(v->string, "kind") ||
                           !strcmp(v->string, "area");
        if (!shape)
            cJSON_AddItemToObject(o, strcmp(v->string, "from_h") ? v->string : "from",
                                  cJSON_Duplicate(v, true));
    }
}

static char *features_of(const cJSON *list, const struct georef *geo)
{
    FREED_BY(json_free_at) cJSON *all = cJSON_CreateObject();
    const cJSON *entry;
    cJSON_AddStringToObject(all, "type", "FeatureCollection");
    add_crs(all, geo);
    cJSON *features = cJSON_AddArrayToObject(all, "features");
    cJSON_ArrayForEach (entry, list) {
        cJSON *feature = json_add_object(features);
        cJSON_AddStringToObject(feature, "type", "Feature");
        add_properties(feature, entry);
        add_geometry(feature, entry);
    }
    return cJSON_PrintUnformatted(all);
}

static void put_features(FILE *out, const cJSON *list, const struct georef *geo)
{
    FREED char *text = features_of(list, geo);
    if (text) fprintf(out, "%s\n", text);
}

/* ---- lines of the case ----------------------------------------------------------------------- */

static const struct {
    const char *object, *key, *file;
} owned[] = {{"vents", "vents", VENTS},
             {"rates", "rates", RATES},
             {"barriers", "barriers", BARRIERS},
             {"places", "assets", PLACES}};
enum { OWNED = sizeof owned / sizeof *owned };

static bool is_parameter(const char *key)
{
    static const char *const more[] = {"parameters", "calibrated_cell_m", "calibrated_clock_s",
                                       "algorithm", NULL};
    for (int i = 0; i < PARAMETERS; i++)
        if (!strcmp(key, params_table[i].name)) return true;
    return text_is_one_of(key, more);
}

static void put_line(FILE *out, const char *key, const char *value)
{
    keyvalue_put(out, 23, key, value);
}

/* Returns the path of a file relative to the written folder `to`, malloc'ed. NULL: the file does not exist, or shares
 * no folder with `to` except the root folder. */
static char *path_near(const char *to, const char *path)
{
    FREED char *file = realpath(path, NULL);
    FREED char *folder = realpath(to, NULL);
    if (!file || !folder || strncmp(file, folder, strcspn(folder + 1, "/") + 2) != 0) return NULL;
    return path_from(folder, file);
}

/* A path in a line of a case. words: the line's value, cut into words. whole: the path, made absolute. file: the part
 * of `whole` that is the file. layer: the rest of `whole`. time, lava: other words of a terrain_update. */
struct named_file {
    char *words, *whole, *file;
    const char *time, *layer, *lava;
};

static void named_file_free(struct named_file *n)
{
    RELEASE(n, n->words, n->whole, n->file);
}

/* Reads the path in the value of a key. False: out of memory. */
static bool named_file_read(struct named_file *n, const char *key, const char *value,
                            const char *folder)
{
    char *time = "", *path = n->words = text_format("%s", value), *lava = "";
    if (!path) return false;
    if (!strcmp(key, "terrain_update")) change_words(n->words, &time, &path, &lava);
    const bool whole = *path == '/';
    n->time = time;
    n->lava = lava;
    n->whole = text_format("%s%s%s", whole ? "" : folder, whole ? "" : "/", path);
    n->file = n->whole ? vectors_file_of(n->whole) : NULL;
    if (n->file) n->layer = n->whole + strlen(n->file);
    return n->file != NULL;
}

struct changes {
    bool parameters, hours, title, owned[OWNED];
};

static bool key_differs(const cJSON *drawing, const struct drawing_ground *g, const char *name)
{
    const cJSON *own = member(member(drawing, "keys"), name);
    return own && !cJSON_Compare(own, member(member(g->drawing, "keys"), name), true);
}

static bool replaced(const struct changes *x, const struct key *k)
{
    for (int i = 0; i < OWNED; i++)
        if (x->owned[i] && !strcmp(k->name, owned[i].key)) return true;
    return (x->parameters && is_parameter(k->name)) ||
           (x->hours && (!strcmp(k->name, "max_steps") || !strcmp(k->name, "run_h"))) ||
           (x->title && !strcmp(k->name, "title"));
}

struct written {
    const cJSON *drawing;
    const struct drawing_ground *g;
    const struct changes *x;
    const char *more, *to; /* `to`: paths are relative to this folder; NULL: paths are absolute */
    /* for each file of the group: the path of the original if the file is a copy, else NULL */
    char *copied[FILE_GROUP_MOST];
};

/* Returns a list of the drawing, or of the case if the drawing lacks it. */
static const cJSON *list_of(const struct written *v, int i)
{
    const cJSON *own = member(v->drawing, owned[i].object);
    return own && !cJSON_IsNull(own) ? own : member(v->g->drawing, owned[i].object);
}

static bool is_written(const struct written *v, int i)
{
    return v->x->owned[i] && list_of(v, i)->child;
}

/* Whether a line of the case stays as it is. */
static bool stays(const struct written *v, const struct keyvalue *at, struct key *k)
{
    return schema_find(&case_schema, at->key, k) && !replaced(v->x, k) &&
           !key_differs(v->drawing, v->g, k->name);
}

static bool names_file(const struct key *k)
{
    return k->type == KEY_FILE || !strcmp(k->name, "terrain_update");
}

/* Returns the file of a plan's observed rates if the written case has to name this file; else NULL. */
static const char *other_rates(const struct written *v)
{
    return v->g->radiant_density_J_m3 || differs_from_case(v->drawing, v->g, "rates") ? NULL
                                                                                      : v->g->rates;
}

static bool put_path(FILE *out, const struct written *v, const struct file_group *files,
                     const char *key, const char *value)
{
    FREED_BY(named_file_free) struct named_file n = {0};
    if (!named_file_read(&n, key, value, v->g->folder)) return false;
    const char *path = NULL;
    for (int i = 0; i < files->count; i++)
        if (v->copied[i] && !strcmp(v->copied[i], n.file)) path = files->file[i].name;
    FREED char *near = v->to && !path ? path_near(v->to, n.file) : NULL;
    FREED char *text = text_format("%s%s%s%s%s%s", n.time, *n.time ? " " : "",
                                   path   ? path
                                   : near ? near
                                          : n.file,
                                   n.layer, *n.lava ? " " : "", n.lava);
    if (text) put_line(out, key, text);
    return text != NULL;
}

/* Writes the case. files->file[] begins with the files of vents, rates, barriers and places that were written, in
 * this order. Copied files follow. */
static int put_case(FILE *out, const struct file_group *files, void *of, struct error *e)
{
    const struct written *v = of;
    const cJSON *drawing = v->drawing;
    const struct drawing_ground *g = v->g;
    const struct changes *x = v->x;
    bool good = true;
    int file = 0;
    const struct keyvalues *lines = &g->settings->lines;
    const cJSON *set = member(drawing, "parameters"), *key;
    for (int i = 0; i < lines->count; i++) {
        const struct keyvalue *at = &lines->item[i];
        struct key k;
        if (!stays(v, at, &k)) continue;
        if (names_file(&k)) good = put_path(out, v, files, at->key, at->value) && good;
        else put_line(out, at->key, at->value);
    }
    if (other_rates(v)) good = put_path(out, v, files, "rates", g->rates) && good;
    if (x->title) put_line(out, "title", member(drawing, "title")->valuestring);
    for (int i = 0; i < OWNED; i++)
        if (is_written(v, i)) put_line(out, owned[i].key, files->file[file++].name);
    if (x->parameters) put_line(out, "parameters", set->valuestring);
    cJSON_ArrayForEach (key, member(drawing, "keys"))
        if (cJSON_IsString(key) && key_differs(drawing, g, key->string))
            put_line(out, key->string, key->valuestring);
    if (x->hours)
        put_line(
            out, "run_h",
            times_hours_text((char[TIMES_TEXT]){0}, member(drawing, "hours")->valuedouble * 3600));
    if (v->more) fputs(v->more, out);
    return good ? 0 : error_memory(e);
}

/* ---- files of the case that are copied --------------------------------------------------------- */

/* Whether a file is small, and complete without other files next to it, unlike a shapefile or a VRT. */
static bool is_small(const char *path)
{
    enum { BYTES_MOST = 1 << 20 };
    static const char *const whole[] = {".csv", ".txt",  ".json", ".geojson", ".gpkg",
                                        ".asc", ".tiff", ".tif",  NULL},
                             *const beside[] = {".prj", ".tfw", ".hdr", ".aux.xml", NULL};
    struct stat about;
    if (text_find_extension(path, whole) < 0) return false;
    for (int i = 0; beside[i]; i++) {
        FREED char *other = text_format("%.*s%s", path_stem(path), path, beside[i]);
        FREED char *more = text_format("%s%s", path, beside[i]);
        if (!other || !more || !access(other, F_OK) || !access(more, F_OK)) return false;
    }
    return !stat(path, &about) && S_ISREG(about.st_mode) && about.st_size <= BYTES_MOST;
}

static int copy_file(const char *from, const char *to, struct error *e)
{
    char piece[1 << 14];
    struct atomic_file w;
    size_t count;
    FILE *f = fopen(from, "rb");
    if (!f)
        return error_input(e, "%s: cannot be opened: %s; check the name", from, strerror(errno));
    int status = atomic_file_open(&w, to, e);
    while (!status && (count = fread(piece, 1, sizeof piece, f))) fwrite(piece, 1, count, w.stream);
    fclose(f);
    return status ? status : atomic_file_finish(&w, e);
}

/* Adds a copy of a file. If two files have the same name, the second is not copied. */
static int take_along(struct written *v, struct file_group *files, const char *key,
                      const char *value, struct error *e)
{
    FREED_BY(named_file_free) struct named_file n = {0};
    const char *to;
    if (!named_file_read(&n, key, value, v->g->folder)) return error_memory(e);
    bool taken = files->count == FILE_GROUP_MOST;
    for (int i = 0; i < files->count; i++)
        taken = taken || !strcmp(path_name(n.file), path_name(files->file[i].path));
    if (taken || !is_small(n.file)) return 0;
    int status = file_group_add(files, path_name(n.file), &to, e);
    if (!status) status = copy_file(n.file, to, e);
    v->copied[files->count - 1] = n.file;
    n.file = NULL;
    return status;
}

static int take_all_along(struct written *v, struct file_group *files, struct error *e)
{
    const struct keyvalues *lines = &v->g->settings->lines;
    struct key k;
    int status = 0;
    for (int i = 0; i < lines->count && !status; i++)
        if (stays(v, &lines->item[i], &k) && names_file(&k))
            status = take_along(v, files, k.name, lines->item[i].value, e);
    return !status && other_rates(v) ? take_along(v, files, "rates", v->g->rates, e) : status;
}

/* ---- the whole case -------------------------------------------------------------------------- */

static int write_owned(const struct written *v, struct file_group *files, int which,
                       struct error *e)
{
    const cJSON *list = list_of(v, which);
    const char *path;
    struct atomic_file w;
    int status = file_group_add(files, owned[which].file, &path, e);
    if (!status) status = atomic_file_open(&w, path, e);
    if (status) return status;
    if (owned[which].file == VENTS) put_vents(w.stream, list);
    else if (owned[which].file == RATES) put_rates(w.stream, list);
    else put_features(w.stream, list, &v->g->c->geo);
    return atomic_file_finish(&w, e);
}

static bool has_file(const struct file_group *files, const char *name)
{
    int i = 0;
    while (i < files->count && strcmp(path_name(files->file[i].path), name)) i++;
    return i < files->count;
}

/* Removes the files of vents, rates, barriers and places that this case lacks, if the earlier case in the folder
 * (text `before`) named them. Also removes files that were not saved completely. */
static void remove_others(const struct file_group *files, const char *head, const char *before)
{
    for (int i = 0; i < OWNED; i++) {
        if (has_file(files, owned[i].file)) continue;
        FREED char *line = text_format("%-23s %s\n", owned[i].key, owned[i].file);
        FREED char *path = path_beside(head, owned[i].file);
        if (line && path && strstr(before, line)) remove(path);
        file_group_sweep(head, owned[i].file, NULL);
    }
}

int drawing_write(const cJSON *drawing, const struct drawing_ground *g, const char *folder,
                  const char *name, const char *more, struct error *e)
{
    const cJSON *hours = member(drawing, "hours");
    FREED_BY(file_group_free) struct file_group files = {0};
    FREED char *path = text_format("%s/%s.cfg", folder, name);
    FREED char *before = NULL;
    struct changes x = {.parameters = differs_from_case(drawing, g, "parameters"),
                        .title = differs_from_case(drawing, g, "title")};
    struct written v = {drawing, g, &x, more, g->relative ? folder : NULL, {NULL}};
    struct error none;
    size_t length;
    x.hours =
        differs_from_case(drawing, g, "hours") ||
        ((x.parameters || key_differs(drawing, g, params_table[0].name)) && cJSON_IsNumber(hours));
    for (int i = 0; i < OWNED; i++) /* a case cannot name radiant power as its rates */
        x.owned[i] = differs_from_case(drawing, g, owned[i].object) ||
                     (owned[i].file == RATES && g->rates && g->radiant_density_J_m3 > 0);
    int status = path ? file_group_open(&files, path, e) : error_memory(e);
    for (int i = 0; i < OWNED && !status; i++)
        if (is_written(&v, i)) status = write_owned(&v, &files, i, e);
    if (!status && g->relative) status = take_all_along(&v, &files, e);
    const char *foreign = status ? NULL : file_group_foreign(&files);
    if (foreign)
        status = error_input(e,
                             "%s: exists, and saving would overwrite it, though it belongs to "
                             "no case %s; choose another name",
                             foreign, path);
    if (!status && textfile_load(&before, &length, path, &none)) before = NULL;
    if (!status) status = file_group_write(&files, put_case, &v, e);
    if (!status && before) remove_others(&files, path, before);
    for (int i = 0; i < files.count; i++) free(v.copied[i]);
    return status;
}

/* ---- the entry that an error is about -------------------------------------------------------- */

/* Returns the index of the entry whose rows include this line of the list's file; -1: there is none. Rows begin in line
 * 2. Each point of an entry has a row, except the last point of each entry if less = 1 (0: no exception). */
static int entry_of_line(const cJSON *list, int line, int less)
{
    const cJSON *entry;
    int number = 0, first = 2;
    cJSON_ArrayForEach (entry, list) {
        const int rows = cJSON_GetArraySize(member(entry, "points")) - less;
        if (line >= first && line < first + rows) return number;
        first += rows;
        number++;
    }
    return -1;
}

/* Returns the index of the entry that the text names at its beginning, as "barrier NAME: " or "feature N: "; -1:
 * none. */
static int entry_of_name(const cJSON *list, const char *text)
{
    const cJSON *entry;
    const char *after = !strncmp(text, "barrier ", 8) ? text + 8 : "";
    int number = 0;
    if (!strncmp(text, "feature ", 8)) return atoi(text + 8) - 1;
    cJSON_ArrayForEach (entry, list) {
        const cJSON *name = member(entry, "name");
        char own[16];
        snprintf(own, sizeof own, "%d", number + 1);
        const char *called = cJSON_IsString(name) && *name->valuestring ? name->valuestring : own;
        const size_t length = strlen(called);
        if (!strncmp(after, called, length) && after[length] == ':') return number;
        number++;
    }
    return -1;
}

void drawing_blame(struct drawing_fault *fault, const cJSON *drawing, const char *folder,
                   struct error *e)
{
    const size_t length = strlen(folder);
    const cJSON *key;
    char *text = e->text;
    *fault = (struct drawing_fault){.number = -1};
    if (strncmp(text, folder, length) || text[length] != '/') return;
    text += length + 1;
    const char *file = text;
    text += strcspn(text, ":");
    const int line = *text ? atoi(text + 1) : 0;
    if (line > 0) text += 1 + strspn(text + 1, "0123456789");
    const char *rest = text + strspn(text, ": ");
    for (int i = 0; i < OWNED; i++) {
        const cJSON *list = member(drawing, owned[i].object);
        if (strncmp(file, owned[i].file, strlen(owned[i].file))) continue;
        snprintf(fault->object, sizeof fault->object, "%s", owned[i].object);
        fault->number = i < 2 ? entry_of_line(list, line, i) : entry_of_name(list, rest);
        if (fault->number >= cJSON_GetArraySize(list)) fault->number = -1;
    }
    const char *named = rest + (strncmp(rest, "key ", 4) ? 0 : 4);
    cJSON_ArrayForEach (key, member(drawing, "keys")) {
        const size_t n = strlen(key->string);
        if (*fault->object || strncmp(named, key->string, n) || named[n] != ' ') continue;
        strcpy(fault->object, "keys");
        snprintf(fault->field, sizeof fault->field, "%s", key->string);
    }
    if (!*fault->object && (strstr(rest, "max_steps") || strstr(rest, "run_h")))
        strcpy(fault->object, "hours");
    memmove(e->text, rest, strlen(rest) + 1);
    /* Drops the command of a remedy: the file in it no longer exists, and the user corrects a drawing on the map. */
    char *command = strstr(e->text, folder);
    if (command) *command = '\0';
    char *remedy = command ? strrchr(e->text, ';') : NULL;
    if (remedy) strcpy(remedy, "; correct it");
}

/* ---- vents, rates, barriers and places of a case as a drawing -------------------------------- */

/* A list with more positions stays in its file, and the drawing has null for it. */
enum { POSITIONS_MOST = 20000 };

static void add_point(cJSON *points, double x, double y)
{
    const double xy[] = {x, y};
    cJSON_AddItemToArray(points, cJSON_CreateDoubleArray(xy, 2));
}

/* ---- vents and rates ------------------------------------------------------------------------- */

static int add_vents(struct drawing_ground *g, struct error *e)
{
    const struct sim_case *c = g->c;
    const struct vent_ground ground = {c->problem.rows,        c->problem.cols,    &c->geo,
                                       c->problem.elevation_m, c->problem.terrain, c->sea};
    FREED_BY(vent_points_free) struct vent_points v = {0};
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "vents"), *points = NULL;
    int status = g->files->vents ? vent_points_read(&v, g->files->vents, &ground, false, e) : 0;
    for (int i = 0; i < v.count; i++) {
        const struct vent_point *p = &v.point[i];
        if (!i || p->id != p[-1].id || p->part != p[-1].part) {
            cJSON *entry = json_add_object(list);
            cJSON_AddNumberToObject(entry, "id", p->id);
            points = cJSON_AddArrayToObject(entry, "points");
        }
        add_point(points, c->geo.west_m + p->at.right * c->geo.cell_m,
                  c->geo.south_m + p->at.up * c->geo.cell_m);
    }
    if (v.count > POSITIONS_MOST)
        cJSON_ReplaceItemInObject(g->drawing, "vents", cJSON_CreateNull());
    return status;
}

/* Adds the rates of each vent as points (hour, m3/s). A rate lasts until the next point; the last point has rate 0. */
static int add_rates(struct drawing_ground *g, struct error *e)
{
    const double hour_s = 3600;
    FREED_BY(rates_free) struct rate_lists r = {0};
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "rates");
    const char *path = g->rates ? g->rates : g->files->rates;
    const double clock_s = g->settings->params.clock_s;
    int status = 0;
    if (path && g->rates && g->radiant_density_J_m3 > 0)
        status = rates_read_power(&r, path, clock_s, g->c->start_time, g->radiant_density_J_m3, e);
    else if (path) status = rates_read(&r, path, clock_s, g->c->start_time, e);
    for (int i = 0; i < r.count; i++) {
        const struct rate_list *of = &r.list[i];
        cJSON *entry = json_add_object(list);
        cJSON_AddNumberToObject(entry, "vent", of->id);
        cJSON *points = cJSON_AddArrayToObject(entry, "points");
        for (int k = 0; k < of->count; k++) {
            const struct rate *now = &of->rate[k];
            add_point(points, now->from_s / hour_s, now->rate_m3_s);
            if (k + 1 == of->count || now[1].from_s > now->to_s)
                add_point(points, now->to_s / hour_s, 0);
        }
    }
    return status;
}

/* ---- barriers and places --------------------------------------------------------------------- */

static void add_part(cJSON *entry, const double (*xy)[2], int count, bool closed)
{
    cJSON *points = cJSON_AddArrayToObject(entry, "points");
    for (int i = 0; i < count - closed; i++) add_point(points, xy[i][0], xy[i][1]);
}

static void add_barriers(struct drawing_ground *g)
{
    const struct barriers *b = g->c->barriers;
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "barriers");
    for (int i = 0; b && i < b->count; i++) {
        const struct barrier *x = &b->item[i];
        const struct vector_feature *f = &b->from.feature[x->feature];
        for (int k = f->first; k < f->first + f->count; k++) {
            const struct vector_part *p = &b->from.part[k];
            cJSON *entry = json_add_object(list);
            cJSON_AddStringToObject(entry, "kind", x->form == BARRIER_DEPTH ? "channel" : "wall");
            cJSON_AddStringToObject(entry, "name", x->name);
            if (f->kind == VECTOR_AREA) cJSON_AddTrueToObject(entry, "area");
            add_part(entry, (const double(*)[2])b->from.xy + p->first, p->count,
                     f->kind == VECTOR_AREA);
            cJSON_AddNumberToObject(entry, barrier_forms[x->form], x->value_m);
            if (x->width_m > 0) cJSON_AddNumberToObject(entry, "width_m", x->width_m);
            if (x->time_s > 0) cJSON_AddNumberToObject(entry, "from_h", x->time_s / 3600);
        }
    }
    if (b && b->from.positions > POSITIONS_MOST)
        cJSON_ReplaceItemInObject(g->drawing, "barriers", cJSON_CreateNull());
}

static int add_places(struct drawing_ground *g, struct error *e)
{
    const struct problem *p = &g->c->problem;
    FREED_BY(assets_free) struct assets a = {0};
    int positions = 0;
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "places");
    int status = g->assets ? assets_read(&a, g->assets, p->rows, p->cols, &g->c->geo, e) : 0;
    for (int i = 0; i < a.count; i++) {
        const struct asset *x = &a.asset[i];
        const double(*xy)[2] = (const double(*)[2])x->xy;
        for (int k = 0; k < x->parts; xy += x->part_size[k++]) {
            cJSON *entry = json_add_object(list);
            cJSON_AddStringToObject(entry, "name", x->name);
            cJSON_AddStringToObject(entry, "kind", asset_kinds[x->kind]);
            add_part(entry, xy, x->part_size[k], x->kind == ASSET_AREA);
            positions += x->part_size[k];
        }
    }
    if (positions > POSITIONS_MOST || a.count > 2000)
        cJSON_ReplaceItemInObject(g->drawing, "places", cJSON_CreateNull());
    return status;
}

/* ---- keys ------------------------------------------------------------------------------------ */

bool drawing_takes_key(const struct key *k)
{
    static const char *const others[] = {"algorithm", "parameters", "terrain_update",
                                         "max_steps", "run_h",      "first_step",
                                         "crs",       "title",      NULL};
    return k->type != KEY_FILE && !text_is_one_of(k->name, others);
}

/* ---- a case as a drawing --------------------------------------------------------------------- */

int drawing_of_case(struct drawing_ground *g, struct error *e)
{
    const struct settings *s = g->settings;
    if (!(g->drawing = cJSON_CreateObject())) return error_memory(e);
    int status = add_vents(g, e);
    if (!status) status = add_rates(g, e);
    if (!status) add_barriers(g);
    if (!status) status = add_places(g, e);
    if (status) return status;
    cJSON_AddItemToObject(g->drawing, "parameters",
                          s->parameter_set ? cJSON_CreateString(s->parameter_set)
                                           : cJSON_CreateNull());
    cJSON_AddItemToObject(
        g->drawing, "hours",
        s->run_s > 0 ? cJSON_CreateNumber(s->run_s / 3600)
        : g->c->max_steps
            ? cJSON_CreateNumber((double)g->c->max_steps * g->c->problem.params.clock_s / 3600)
            : cJSON_CreateNull());
    const struct keyvalues *lines = &g->settings->lines;
    cJSON *keys = cJSON_AddObjectToObject(g->drawing, "keys");
    struct key k;
    for (int i = 0; i < lines->count; i++)
        if (schema_find(&case_schema, lines->item[i].key, &k) && drawing_takes_key(&k))
            cJSON_AddStringToObject(keys, k.name, lines->item[i].value);
    if (!cJSON_AddStringToObject(g->drawing, "title", g->c->title)) return error_memory(e);
    return 0;
}
