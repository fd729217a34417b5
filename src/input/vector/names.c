/* names.c — paths of vector files: layers behind a colon, formats by their first bytes, the files
 * of a Shapefile. */
#include "vectors.h"

#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

char *vectors_file_of(const char *path)
{
    const char *colon = strrchr(path, ':');
    if (!colon || is_there(path)) return text_format("%s", path);
    return text_format("%.*s", (int)(colon - path), path);
}

/* ---- formats --------------------------------------------------------------------------------- */

static enum vector_format format_of_head(const char *head, size_t size)
{
    enum { APPLICATION_AT = 68 };
    static const char *const applications[] = {"GPKG", "GP10", "GP11"};
    const char *first = head + (strncmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (size >= 4 && !memcmp(head, "\0\0\x27\x0a", 4)) return VECTOR_FORMAT_SHAPEFILE;
    if (size >= 16 && !memcmp(head, "SQLite format 3", 16)) {
        for (size_t i = 0; i < sizeof applications / sizeof *applications; i++)
            if (size >= APPLICATION_AT + 4 && !memcmp(head + APPLICATION_AT, applications[i], 4))
                return VECTOR_FORMAT_GEOPACKAGE;
        return VECTOR_FORMAT_NONE;
    }
    first += strspn(first, " \t\r\n");
    if (*first == '{') return VECTOR_FORMAT_GEOJSON;
    return *first == '<' && (strstr(first, "<kml") || !strncmp(first, "<?xml", 5))
               ? VECTOR_FORMAT_KML
               : VECTOR_FORMAT_NONE;
}

enum vector_format vector_format_of(const char *path)
{
    char head[1025];
    char *file = vectors_file_of(path);
    FILE *f = file ? file_open_regular(file) : NULL;
    free(file);
    if (!f) return VECTOR_FORMAT_NONE;
    const size_t size = fread(head, 1, sizeof head - 1, f);
    fclose(f);
    head[size] = '\0';
    return format_of_head(head, size);
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcasecmp(path + n - m, ending);
}

bool vectors_are_in(const char *path)
{
    static const char *const endings[] = {".geojson", ".shp", ".shx", ".dbf",
                                          ".gpkg",    ".kml", ".kmz", ".zip"};
    if (!strncmp(path, "/vsi", 4) || vector_format_of(path) != VECTOR_FORMAT_NONE) return true;
    char *file = vectors_file_of(path);
    bool is = false;
    for (size_t i = 0; file && i < sizeof endings / sizeof *endings; i++)
        is = is || ends_in(file, endings[i]);
    free(file);
    return is;
}

/* ---- files ----------------------------------------------------------------------------------- */

bool vectors_each_file(const char *path, void (*each)(void *self, const char *file), void *self)
{
    static const char *const parts[] = {"shx", "SHX", "dbf", "DBF", "prj", "PRJ", "cpg", "CPG"};
    char *file = vectors_file_of(path);
    if (!file) return false;
    if (is_there(file)) each(self, file);
    bool whole = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && ends_in(file, ".shp"); i++) {
        char *part = text_format("%.*s%s", (int)strlen(file) - 3, file, parts[i]);
        if (part && is_there(part)) each(self, part);
        whole = whole && part;
        free(part);
    }
    free(file);
    return whole;
}
