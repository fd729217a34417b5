#include "zip_pack.h"

#include "text/atomic_file.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

struct zip_pack {
    zip_t *zip;
    zip_source_t *bytes; /* the new archive; NULL: an archive is read */
    char *path;          /* the archive that is read; else NULL */
};

void zip_pack_prepare(void)
{
    zip_libzip_version();
}

int zip_pack_open(struct zip_pack **out, struct error *e)
{
    struct zip_pack *z = calloc(1, sizeof *z);
    *out = NULL;
    if (!z) return error_memory(e);
    z->bytes = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (z->bytes) z->zip = zip_open_from_source(z->bytes, ZIP_TRUNCATE, NULL);
    if (z->zip) {
        zip_source_keep(z->bytes); /* else closing the archive would free the bytes */
        *out = z;
        return 0;
    }
    zip_source_free(z->bytes);
    free(z);
    return error_memory(e);
}

int zip_pack_add(struct zip_pack *z, const char *name, void *data, size_t size, int level,
                 struct error *e)
{
    zip_source_t *source = zip_source_buffer(z->zip, data, size, 1);
    if (!source) {
        free(data);
        return error_memory(e);
    }
    const zip_int64_t i = zip_file_add(z->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (i < 0) {
        zip_source_free(source);
        return error_failed(e, "%s: %s", name, zip_strerror(z->zip));
    }
    zip_set_file_compression(z->zip, (zip_uint64_t)i, level ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                             (zip_uint32_t)level);
    zip_file_set_dostime(z->zip, (zip_uint64_t)i, 0, 0x2821, 0); /* 2000-01-01 in every time zone */
    return 0;
}

static int write_bytes(struct zip_pack *z, const char *path, struct error *e)
{
    zip_stat_t s;
    if (zip_source_stat(z->bytes, &s) < 0 || !(s.valid & ZIP_STAT_SIZE)) return error_memory(e);
    FREED char *data = malloc((size_t)s.size + 1);
    if (!data || zip_source_open(z->bytes) < 0) return error_memory(e);
    const zip_int64_t got = zip_source_read(z->bytes, data, s.size);
    zip_source_close(z->bytes);
    if (got != (zip_int64_t)s.size) return error_failed(e, "%s: cannot be packed", path);
    return atomic_file_bytes(path, data, (size_t)s.size, e);
}

int zip_pack_write(struct zip_pack *z, const char *path, const char *comment, struct error *e)
{
    zip_set_archive_comment(z->zip, comment, (zip_uint16_t)strlen(comment));
    if (zip_close(z->zip) < 0) return error_failed(e, "%s: %s", path, zip_strerror(z->zip));
    z->zip = NULL;
    return write_bytes(z, path, e);
}

void zip_pack_free(struct zip_pack *z)
{
    if (!z) return;
    if (z->zip) zip_discard(z->zip);
    zip_source_free(z->bytes);
    free(z->path);
    free(z);
}

/* ---- reading ----------------------------------------------------------------------------------- */

int zip_pack_open_file(struct zip_pack **out, const char *path, struct error *e)
{
    struct zip_pack *z = *out = calloc(1, sizeof *z);
    if (!z || !(z->path = strdup(path))) {
        zip_pack_free(z);
        *out = NULL;
        return error_memory(e);
    }
    z->zip = zip_open(path, ZIP_RDONLY, NULL);
    if (z->zip) return 0;
    zip_pack_free(z);
    *out = NULL;
    return error_input(e, "%s: cannot be read as a zip archive", path);
}

int zip_pack_read(struct zip_pack *z, const char *name, char **data, size_t *size, struct error *e)
{
    zip_stat_t s;
    *data = NULL;
    zip_file_t *file =
        zip_stat(z->zip, name, 0, &s) == 0 && s.valid & ZIP_STAT_SIZE && s.size < SIZE_MAX / 2
            ? zip_fopen(z->zip, name, 0)
            : NULL;
    if (!file) return error_input(e, "%s: has no %s", z->path, name);
    *size = (size_t)s.size;
    *data = malloc(*size + 1);
    const bool whole = *data && zip_fread(file, *data, *size) == (zip_int64_t)*size;
    zip_fclose(file);
    if (!*data) return error_memory(e);
    (*data)[*size] = '\0';
    if (whole) return 0;
    free(*data);
    *data = NULL;
    return error_input(e, "%s: %s cannot be read; the archive is damaged", z->path, name);
}
