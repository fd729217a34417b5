/* info_vectors.c — what `sciara info` says of vector files: of one by itself, and of those that a
 * case or a plan names, on its terrain. */
#include "info.h"
#include "restart/json_number.h"

static void add_counts(cJSON *o, const struct vectors_about *a)
{
    static const char *const names[VECTOR_KINDS] = {"points", "lines", "polygons"};
    if (*a->layer) cJSON_AddStringToObject(o, "layer", a->layer);
    cJSON_AddNumberToObject(o, "features", a->features);
    if (a->empty) cJSON_AddNumberToObject(o, "features_without_geometry", a->empty);
    for (int k = 0; k < VECTOR_KINDS; k++)
        if (a->count[k]) cJSON_AddNumberToObject(o, names[k], a->count[k]);
    cJSON_AddStringToObject(o, "crs", a->crs);
}

static void add_reach(cJSON *o, const struct vectors_about *a)
{
    json_add_numbers(o, {"west", a->west}, {"south", a->south}, {"east", a->east},
                     {"north", a->north});
}

void info_understood(cJSON *parent, const char *name, const struct vectors_about *a)
{
    if (!a->features) return;
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    add_counts(o, a);
    cJSON_AddStringToObject(o, "projected_to",
                            *a->projected_to ? a->projected_to : "nothing: as it stands");
    if (*a->assumed) cJSON_AddStringToObject(o, "assumed", a->assumed);
    add_reach(o, a);
    if (a->count[VECTOR_LINE]) cJSON_AddNumberToObject(o, "length_m", a->size[VECTOR_LINE]);
    if (a->count[VECTOR_AREA]) cJSON_AddNumberToObject(o, "area_m2", a->size[VECTOR_AREA]);
    cJSON_AddNumberToObject(o, "outside_share", vectors_lost_share(a));
    if (a->outside) cJSON_AddNumberToObject(o, "features_outside", a->outside);
}

int info_vectors(cJSON *o, const char *path, struct error *e)
{
    struct vectors v;
    int status = vectors_read(&v, path, NULL, VECTORS_TAKE_ALL, NULL, e);
    if (status) return status;
    cJSON_AddStringToObject(o, "kind", "vectors");
    add_counts(o, &v.about);
    add_reach(o, &v.about);
    vectors_free(&v);
    return 0;
}
