/* record.c — a search in a file: a line of what it belongs to, a line for each evaluation, and the
 * CRC-32 of all that. Numbers are hexadecimal, so none is rounded. */
#include "calibration.h"

#include "text/textfile.h"
#include "text/wholefile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char MAGIC[] = "sciara calibration 2";
enum { LINE = 16384 };

/* ---- writing --------------------------------------------------------------------------------- */

static void put(struct wholefile *w, uLong *crc, const char *line)
{
    *crc = crc32(*crc, (const Bytef *)line, (uInt)strlen(line));
    fputs(line, w->stream);
}

/* The numbers of an evaluation, in their order. */
static int numbers_of(const struct calibration *c, struct evaluation *x, double *detail,
                      double **number)
{
    int count = 0;
    number[count++] = &x->score;
    number[count++] = &x->error;
    for (int i = 0; i < c->fits; i++) number[count++] = &x->value[i];
    for (int i = 0; i < details_count(&c->details); i++) number[count++] = &detail[i];
    return count;
}
enum { NUMBERS_MAX = 2 + FITS_MAX + 2 * (OBSERVED_ALL_MAX + ERUPTIONS_MAX) };

static void put_evaluation(struct wholefile *w, uLong *crc, const struct calibration *c,
                           int evaluation)
{
    struct evaluation x = c->evaluation[evaluation];
    double detail[NUMBERS_MAX];
    double *number[NUMBERS_MAX];
    char line[LINE];
    memcpy(detail, evaluation_detail(c, evaluation),
           (size_t)details_count(&c->details) * sizeof *detail);
    const int count = numbers_of(c, &x, detail, number);
    int n = snprintf(line, sizeof line, "%" PRId64 " %d %d", x.generation, x.restart, x.possible);
    for (int i = 0; i < count; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %a", *number[i]);
    snprintf(line + n, sizeof line - (size_t)n, "\n");
    put(w, crc, line);
}

int record_write(const char *path, const struct calibration *c, struct error *e)
{
    struct wholefile w;
    char line[128];
    uLong crc = crc32(0, NULL, 0);
    int status = wholefile_open(&w, path, e);
    if (status) return status;
    snprintf(line, sizeof line, "%s %016" PRIx64 " %d %d %d\n", MAGIC, c->digest, c->fits,
             details_count(&c->details), c->count);
    put(&w, &crc, line);
    for (int i = 0; i < c->count; i++) put_evaluation(&w, &crc, c, i);
    fprintf(w.stream, "crc %08lx\n", crc);
    return wholefile_finish_on_disk(&w, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int damaged(const char *path, struct error *e)
{
    return error_input(e, "%s: damaged; remove it and begin anew", path);
}

/* The text without its last line, which has to be its sum. */
static bool cut_sum(char *data)
{
    char *last = strstr(data, "\ncrc ");
    unsigned long crc;
    if (!last || sscanf(last, "\ncrc %lx", &crc) != 1) return false;
    last[1] = '\0';
    return crc == crc32(crc32(0, NULL, 0), (const Bytef *)data, (uInt)strlen(data));
}

static int read_head(char **at, int *count, const char *path, const struct calibration *c,
                     struct error *e)
{
    uint64_t digest;
    int fits, details;
    if (strncmp(*at, MAGIC, strlen(MAGIC)) ||
        sscanf(*at + strlen(MAGIC), " %" SCNx64 " %d %d %d", &digest, &fits, &details, count) !=
            4 ||
        *count < 0)
        return damaged(path, e);
    *at = strchr(*at, '\n') + 1;
    if (digest == c->digest && fits == c->fits && details == details_count(&c->details)) return 0;
    return error_input(e,
                       "%s: is of another plan, seed or --hold-out, or a file that the plan names "
                       "has changed; choose another folder",
                       path);
}

static bool read_evaluation(char **at, struct evaluation *x, double *detail,
                            const struct calibration *c)
{
    double *number[NUMBERS_MAX];
    const int count = numbers_of(c, x, detail, number);
    char *end = *at;
    x->generation = strtoll(end, &end, 10);
    x->restart = (int)strtol(end, &end, 10);
    x->possible = strtol(end, &end, 10) != 0;
    for (int i = 0; i < count; i++) {
        char *before = end;
        *number[i] = strtod(before, &end);
        if (end == before) return false;
    }
    if (*end != '\n') return false;
    *at = end + 1;
    return true;
}

int record_read(struct evaluation **list, double **detail, int *count, const char *path,
                const struct calibration *c, struct error *e)
{
    const size_t details = (size_t)details_count(&c->details);
    char *data, *at;
    size_t size;
    int status = textfile_load(&data, &size, path, e);
    if (status) return status;
    at = data;
    if (strlen(data) != size || !cut_sum(data)) status = damaged(path, e);
    if (!status) status = read_head(&at, count, path, c, e);
    if (!status) {
        *list = calloc((size_t)*count + 1, sizeof **list);
        *detail = calloc((size_t)*count + 1, details * sizeof **detail);
        if (!*list || !*detail) status = error_memory(e);
    }
    for (int i = 0; i < *count && !status; i++)
        if (!read_evaluation(&at, &(*list)[i], *detail + (size_t)i * details, c))
            status = damaged(path, e);
    free(data);
    return status;
}
