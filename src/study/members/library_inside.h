/* library_inside.h — an open library, for the files that write one. */
#pragma once

#include "library.h"

#include <sqlite3.h>

struct library {
    const struct ensemble *s;
    char *path;
    sqlite3 *db;
    sqlite3_stmt *member, *cells; /* INSERT */
    int srs;                      /* number of the outlines' reference system in the GeoPackage */
};

/* The place of the flags in the head of a geometry, and their value: it has a box, in this machine's order of bytes. */
enum { LIBRARY_FLAGS_AT = 3 };
static inline unsigned char library_geom_flags(void)
{
    const uint16_t order = 1;
    return (unsigned char)(2 | *(const unsigned char *)&order);
}

char *library_edges(const struct axis *axis); /* malloc'ed; NULL: out of memory */
int64_t library_members(sqlite3 *db);         /* the number of its members; -1: it cannot be read */
int library_failed(const char *path, sqlite3 *db, struct error *e);
int library_sql(const struct library *l, const char *sql, struct error *e);
/* Removes sums that were counted of other members. */
int library_drop_sums(struct library *l, struct error *e);
/* Whether a key has that value; NULL: whether it has none. */
bool library_has(sqlite3 *db, const char *key, const char *value);
/* `sql` is malloc'ed, and freed here; NULL: out of memory. */
int library_prepare(const struct library *l, sqlite3_stmt **to, char *sql, struct error *e);
/* Executes a statement that has no rows; it can be bound again. */
int library_run(const struct library *l, sqlite3_stmt *s, struct error *e);
static inline void library_finish(sqlite3_stmt **s) /* FREED_BY */
{
    sqlite3_finalize(*s);
}
/* library_member.c: SQL for the table `members`, malloc'ed; NULL: out of memory. It creates the table; inserts a row, whose
 * last two values, result and geom, are bound after those of library_bind(); or counts the rows with given values. */
char *library_sql_create(const struct ensemble_source *source);
char *library_sql_insert(const struct ensemble_source *source);
char *library_sql_check(const struct ensemble_source *source);
/* Binds the values of either statement; returns their number, or -1: out of memory. */
int library_bind(sqlite3_stmt *to, const struct ensemble_source *source, int64_t number,
                 const struct member_result *r);
/* Executes a statement with its values: 't' a text, 'i' an int, 'd' a double, 'b' a blob and its
 * size_t. */
int library_put(sqlite3 *db, const char *sql, const char *types, ...);

/* The result of a member as the column `result` has it; after packing the caller frees *bytes. */
struct library_result {
    struct member_result result;
    uint64_t reached;  /* cells */
    uint64_t identity; /* of the member's own case; equal ones on equal ground have equal results */
};
bool library_pack_result(char **bytes, size_t *size, const struct library_result *r);
bool library_unpack_result(struct library_result *r, const void *bytes, size_t size);

/* library_identity(): the digest of the case of member `number`. library_ground(): that of what all members stand on, with the
 * classes of *s. */
int library_identity(uint64_t *identity, const struct ensemble_source *source, int64_t number,
                     struct error *e);
/* The error of a member that a thread could not identify or pack. */
int library_refuse_member(const struct ensemble_source *source, int64_t number, struct error *e);
int library_ground(uint64_t *digest, const struct ensemble *s, struct error *e);
