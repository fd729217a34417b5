/* geojson.c — reads features of GeoJSON, with their geometry and properties. */
#include "build.h"

#include "text/number.h"
#include "text/remedy.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name if it is short and has only letters, else "?". Other names could break a message of one line. */
static const char *plain(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strspn(name, letters);
    return length < 40 && name[length] == 0 ? name : "?";
}

static const char *type_of(const cJSON *object)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(object, "type");
    return cJSON_IsString(type) ? type->valuestring : "";
}

/* ---- geometry -------------------------------------------------------------------------------- */

static int add_position(struct build *b, const cJSON *p)
{
    const cJSON *x = cJSON_IsArray(p) ? p->child : NULL, *y = x ? x->next : NULL;
    if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y))
        return build_refuse(
            b, "has a position that is not a pair of numbers; correct its coordinates");
    return build_position(b, x->valuedouble, y->valuedouble);
}

static int refuse_list(struct build *b)
{
    return build_refuse(b, "lacks a list of coordinates; export it again");
}

static int add_part(struct build *b, const cJSON *list, enum vector_kind kind)
{
    if (!cJSON_IsArray(list)) return refuse_list(b);
    int status = build_part(b, kind);
    const cJSON *p = list->child;
    if (kind == VECTOR_POINT && !status) status = add_position(b, list);
    else
        for (; p && !status; p = p->next) status = add_position(b, p);
    return status ? status : build_part_end(b);
}

static int add_polygon(struct build *b, const cJSON *rings)
{
    int status = 0;
    if (!cJSON_IsArray(rings)) return refuse_list(b);
    if (!rings->child) return 0; /* empty */
    b->polygons++;
    for (const cJSON *ring = rings->child; ring && !status; ring = ring->next)
        status = add_part(b, ring, VECTOR_AREA);
    return status;
}

static const struct geometry_kind {
    const char *type;
    enum vector_kind kind;
    bool multi;
} kinds[] = {
    {"Point", VECTOR_POINT, false},     {"MultiPoint", VECTOR_POINT, true},
    {"LineString", VECTOR_LINE, false}, {"MultiLineString", VECTOR_LINE, true},
    {"Polygon", VECTOR_AREA, false},    {"MultiPolygon", VECTOR_AREA, true},
};

static int add_one(struct build *b, const cJSON *coordinates, enum vector_kind kind)
{
    return kind == VECTOR_AREA ? add_polygon(b, coordinates) : add_part(b, coordinates, kind);
}

/* Adds a geometry. The recursion ends, since the parser limits the nesting of objects. */
static int add_geometry(struct build *b, const cJSON *g)
{
    const char *type = type_of(g);
    int status = 0;
    if (!strcmp(type, "GeometryCollection")) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(g, "geometries"), *item;
        if (!cJSON_IsArray(list)) return refuse_list(b);
        cJSON_ArrayForEach (item, list)
            if (!status) status = add_geometry(b, item);
        return status;
    }
    const struct geometry_kind *k = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].type, type)) k = &kinds[i];
    if (!k)
        return error_input(
            b->e,
            "%s: feature %d is of type \"%s\", neither point, line nor polygon; give one of them",
            b->path, b->number, plain(type));
    const cJSON *coordinates = cJSON_GetObjectItemCaseSensitive(g, "coordinates"), *item;
    if (cJSON_IsArray(coordinates) && !coordinates->child) return 0; /* empty (RFC 7946, 3.1) */
    if (!k->multi) return add_one(b, coordinates, k->kind);
    if (!cJSON_IsArray(coordinates)) return refuse_list(b);
    cJSON_ArrayForEach (item, coordinates)
        if (!status) status = add_one(b, item, k->kind);
    return status;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static int add_value(struct build *b, const char *name, const cJSON *value)
{
    char number[32];
    if (cJSON_IsString(value) && *value->valuestring)
        return build_value(b, name, value->valuestring);
    if (cJSON_IsNumber(value)) return build_value(b, name, number_text(value->valuedouble, number));
    if (cJSON_IsBool(value)) return build_value(b, name, cJSON_IsTrue(value) ? "true" : "false");
    return 0;
}

static int add_values(struct build *b, const cJSON *feature)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(feature, "properties"), *item;
    int status = 0;
    if (!b->v->wanted && !b->where) return 0;
    if (cJSON_IsObject(properties))
        cJSON_ArrayForEach (item, properties)
            if (!status) status = add_value(b, item->string, item);
    item = cJSON_GetObjectItemCaseSensitive(feature, "id");
    return status || !item ? status : add_value(b, "id", item);
}

/* ---- features -------------------------------------------------------------------------------- */

static int add_feature(struct build *b, const cJSON *object)
{
    const bool wrapped = !strcmp(type_of(object), "Feature");
    const cJSON *g = wrapped ? cJSON_GetObjectItemCaseSensitive(object, "geometry") : object;
    bool holds = true;
    int status = build_begin(b);
    if (!status && wrapped) status = add_values(b, object);
    if (!status) status = build_holds(b, &holds);
    if (status || !holds) return status;
    if (!(wrapped && cJSON_IsNull(g)) && b->take != VECTORS_TAKE_ROWS) status = add_geometry(b, g);
    return status ? status : build_end(b);
}

static int add_columns(struct build *b, const cJSON *feature)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(feature, "properties"), *item;
    int status = cJSON_GetObjectItemCaseSensitive(feature, "id") ? where_column(b, "id") : 0;
    if (cJSON_IsObject(properties))
        cJSON_ArrayForEach (item, properties)
            if (!status) status = where_column(b, item->string);
    return status;
}

static int add_features(struct build *b, const cJSON *root)
{
    const bool many = !strcmp(type_of(root), "FeatureCollection");
    const cJSON *list = many ? cJSON_GetObjectItemCaseSensitive(root, "features") : NULL, *item;
    int status = 0;
    if (many && !cJSON_IsArray(list))
        return error_input(b->e, "%s: its list of features is missing; export it again", b->path);
    if (!*type_of(root))
        return error_input(
            b->e,
            "%s: is JSON of type \"\", not GeoJSON; give GeoJSON, which ogr2ogr also "
            "makes of Esri JSON",
            b->path);
    if (b->where && !many) status = add_columns(b, root);
    cJSON_ArrayForEach (item, list)
        if (b->where && !status) status = add_columns(b, item);
    if (!status) status = where_prepare(b);
    if (!status && !many) status = add_feature(b, root);
    cJSON_ArrayForEach (item, list)
        if (!status) status = add_feature(b, item);
    return status;
}

/* ---- CRS ------------------------------------------------------------------------------------- */

/* Reads the CRS that older GeoJSON and the files of ogr2ogr name: "urn:ogc:def:crs:EPSG::32633". Refuses any other
 * text, since PROJ would also read pipelines and names of grids. */
static int take_crs(struct build *b, const cJSON *root)
{
    const cJSON *crs = cJSON_GetObjectItemCaseSensitive(root, "crs");
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(crs, "properties");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(properties, "name");
    if (!crs || cJSON_IsNull(crs)) return 0;
    const char *text = cJSON_IsString(name) ? name->valuestring : "";
    const char *code = strstr(text, "EPSG");
    /* "EPSG" is followed by one or two colons, perhaps with a version between them, or by slashes, as in
     * http://www.opengis.net/def/crs/EPSG/0/32633 */
    if (code) code += 4 + strspn(code + 4, ":/");
    if (code && code[strspn(code, ".0123456789")] && strpbrk(code, ":/"))
        code = strpbrk(code, ":/") + 1;
    const size_t digits = code ? strspn(code, "0123456789") : 0;
    if (digits > 0 && digits < 7 && !code[digits])
        snprintf(b->crs.name, sizeof b->crs.name, "EPSG:%ld", strtol(code, NULL, 10));
    else if (strstr(text, "CRS84")) snprintf(b->crs.name, sizeof b->crs.name, "OGC:CRS84");
    else
        return remedy_refuse(
            b->e, b->path,
            "%s: its member \"crs\" names an unknown CRS; give EPSG:n or CRS84: " REMEDY_OF_CRS,
            b->path, "");
    b->crs.definition = text_format("%s", b->crs.name);
    return b->crs.definition ? 0 : error_memory(b->e);
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

int geojson_read(struct build *b, const char *text)
{
    const char *end = text;
    cJSON *root = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, &end, 1);
    if (!root)
        return error_line(b->e, b->path, line_of(text, end),
                          "the text is not JSON from here on; export the file again");
    int status = take_crs(b, root);
    if (!status) status = add_features(b, root);
    cJSON_Delete(root);
    return status;
}
