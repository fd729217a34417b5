/* case_lines.c — lines of a plan that become lines of a case or of another plan, in the folder of
 * the results: files are named from there. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "calibration_report.h"

#include "text/scan.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The relative path from a folder to a file, both absolute without links; malloc'ed. */
static char *relative_path(const char *folder, const char *file)
{
    size_t common = 0;
    int up = 0;
    for (size_t i = 0;; i++) {
        const bool folder_ends = !folder[i] || folder[i] == '/';
        if (folder_ends && file[i] == '/') common = i;
        if (!folder[i] || folder[i] != file[i]) break;
    }
    for (const char *p = folder + common; *p; p++) up += *p == '/' && p[1];
    char *way = text_format("%s", file + common + 1);
    for (int i = 0; i < up && way; i++) {
        char *more = text_format("../%s", way);
        free(way);
        way = more;
    }
    return way;
}

static char *from_folder(const char *folder, const char *path)
{
    char *file = vectors_file_of(path), *from = realpath(folder, NULL),
         *to = file ? realpath(file, NULL) : NULL;
    char *there = from && to ? relative_path(from, to) : NULL;
    const char *layer = file ? path + strlen(file) : "";
    char *way = there ? text_format("%s%s", there, layer) : text_format("%s", path);
    free(there);
    free(file);
    free(from);
    free(to);
    return way;
}

void case_line_put(FILE *f, const char *key, const char *value)
{
    const bool quoted = strchr(value, '#') != NULL;
    fprintf(f, "%-24s%s%s%s%s\n", key, strlen(key) < 24 ? "" : " ", quoted ? "\"" : "", value,
            quoted ? "\"" : "");
}

/* Whether its value is the name of a file. */
static bool names_file(const struct keyvalue *line)
{
    struct key k;
    double number;
    return (schema_find(&case_schema, line->key, &k) || schema_find(&plan_schema, line->key, &k)) &&
           k.type == KEY_FILE && !scan_real(line->value, &number);
}

int case_line_copy(FILE *f, const char *folder, const struct plan *p, const struct keyvalue *line,
                   struct error *e)
{
    if (!names_file(line)) {
        case_line_put(f, line->key, line->value);
        return 0;
    }
    char *there = path_beside(p->base.path, line->value),
         *way = there ? from_folder(folder, there) : NULL;
    if (way) case_line_put(f, line->key, way);
    free(there);
    free(way);
    return way ? 0 : error_memory(e);
}
