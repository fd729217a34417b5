/* library_inside.h — the structure of an open library, for the files library*.c. */
#pragma once

#include "library.h"

#include <sqlite3.h>

struct library {
    const struct ensemble *s;
    char *path;
    sqlite3 *db;
    sqlite3_stmt *member, *cells; /* prepared INSERT statements */
    /* Number of the outlines' reference system (srs_id) in the GeoPackage. */
    int srs;
};

/* The position of the flags in the header of a geometry, and the value of these flags: the geometry has a box, and
 * its numbers are in the byte order of this machine. */
enum { LIBRARY_FLAGS_AT = 3 };
static inline unsigned char library_geom_flags(void)
{
    const uint16_t order = 1;
    return (unsigned char)(2 | *(const unsigned char *)&order);
}

/* Returns a list of the edges as text, malloc'ed; NULL: out of memory. */
char *library_edges(const struct axis *axis);
/* Number of members in the library; -1: it cannot be read. */
int64_t library_members(sqlite3 *db);
int library_failed(const char *path, sqlite3 *db, struct error *e);
int library_sql(const struct library *l, const char *sql, struct error *e);
/* Removes the counters (library_sums.c), which are out of date once members are added. */
int library_drop_sums(struct library *l, struct error *e);
/* Whether a key has this value; value NULL: whether the key is missing. */
bool library_has(sqlite3 *db, const char *key, const char *value);
/* Prepares a statement, and frees `sql`; NULL: out of memory. */
int library_prepare(const struct library *l, sqlite3_stmt **to, char *sql, struct error *e);
/* Executes a statement without result rows and resets it, so that values can be bound again. */
int library_run(const struct library *l, sqlite3_stmt *s, struct error *e);
static inline void library_finish(sqlite3_stmt **s) /* FREED_BY */
{
    sqlite3_finalize(*s);
}
/* library_member.c: SQL for the table `members`, malloc'ed; NULL: out of memory. The statements create the table,
 * insert a row, and count the rows with given values. library_bind() binds the values of a row except `result` and
 * `geom`, the last two of an insertion. */
char *library_sql_create(const struct ensemble_source *source);
char *library_sql_insert(const struct ensemble_source *source);
char *library_sql_check(const struct ensemble_source *source);
/* Binds the values of an insertion or a count. Returns their number; -1: out of memory. */
int library_bind(sqlite3_stmt *to, const struct ensemble_source *source, int64_t number,
                 const struct member_result *r);
/* Executes a statement with values. `types` has a letter for each: 't' a text, 'i' an int, 'd' a double, 'b' a blob
 * and its size_t. */
int library_put(sqlite3 *db, const char *sql, const char *types, ...);

/* A result in the column `result`. The caller of library_pack_result() frees *bytes. */
struct library_result {
    struct member_result result;
    uint64_t reached; /* number of cells that lava reached */
    /* Digest of the member's case. Members with equal identity and equal library_ground() have equal results. */
    uint64_t identity;
};
bool library_pack_result(char **bytes, size_t *size, const struct library_result *r);
bool library_unpack_result(struct library_result *r, const void *bytes, size_t size);

/* library_identity(): the digest of the case of member `number`. library_ground(): the digest of everything that all
 * members share (terrain, first lava, outline), and of the classes of *s. */
int library_identity(uint64_t *identity, const struct ensemble_source *source, int64_t number,
                     struct error *e);
/* Sets *e for a member for which library_identity() or packing failed in a thread. The thread had not set *e. */
int library_refuse_member(const struct ensemble_source *source, int64_t number, struct error *e);
int library_ground(uint64_t *digest, const struct ensemble *s, struct error *e);
