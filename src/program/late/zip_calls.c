/* zip_calls.c — stands in for libzip. libzip loads libcrypto, whose relocations take a third of the time in which a program
 * starts. libsciara_zip.so (zip_library.c) is linked with libzip. */
#include "late.h"

#include <zip.h>

static struct late_library from = {.name = "libsciara_zip.so", .use = "archives need"};

/* clang-format off */
CALL1(int, zip_close, zip_t *)
CALL1(void, zip_discard, zip_t *)
CALL1(int, zip_fclose, zip_file_t *)
CALL4(zip_int64_t, zip_file_add, zip_t *, const char *, zip_source_t *, zip_flags_t)
CALL5(int, zip_file_set_dostime, zip_t *, zip_uint64_t, zip_uint16_t, zip_uint16_t, zip_flags_t)
CALL3(zip_file_t *, zip_fopen, zip_t *, const char *, zip_flags_t)
CALL3(zip_int64_t, zip_fread, zip_file_t *, void *, zip_uint64_t)
CALL2(zip_int64_t, zip_get_num_entries, zip_t *, zip_flags_t)
CALL0(const char *, zip_libzip_version)
CALL3(zip_t *, zip_open, const char *, int, int *)
CALL3(zip_t *, zip_open_from_source, zip_source_t *, int, zip_error_t *)
CALL3(int, zip_set_archive_comment, zip_t *, const char *, zip_uint16_t)
CALL4(int, zip_set_file_compression, zip_t *, zip_uint64_t, zip_int32_t, zip_uint32_t)
CALL4(zip_source_t *, zip_source_buffer, zip_t *, const void *, zip_uint64_t, int)
CALL4(zip_source_t *, zip_source_buffer_create, const void *, zip_uint64_t, int, zip_error_t *)
CALL1(int, zip_source_close, zip_source_t *)
CALL1(void, zip_source_free, zip_source_t *)
CALL1(void, zip_source_keep, zip_source_t *)
CALL1(int, zip_source_open, zip_source_t *)
CALL3(zip_int64_t, zip_source_read, zip_source_t *, void *, zip_uint64_t)
CALL2(int, zip_source_stat, zip_source_t *, zip_stat_t *)
CALL4(int, zip_stat, zip_t *, const char *, zip_flags_t, zip_stat_t *)
CALL4(int, zip_stat_index, zip_t *, zip_uint64_t, zip_flags_t, zip_stat_t *)
CALL1(const char *, zip_strerror, zip_t *)
/* clang-format on */
