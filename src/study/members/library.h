/* library.h — the members of an ensemble in a file, for later questions. It has the draws, the outcome and the
 * outline of each member, and the thickness and arrival of lava in every cell that the member reached.
 *
 * The file is an SQLite database and a GeoPackage (docs/formats/library.md). library_commit() writes all members
 * added so far; a process that is killed loses members added later. ERROR_INPUT, with a message of one line: the file
 * is damaged or is not a library. */
#pragma once

#include "ensemble.h"
#include "library_block.h"
#include "record/runfolder.h"

enum {
    LIBRARY_FORMAT = 2,
    /* cells.tile_member has the member in its LIBRARY_BITS lower bits, and the tile in the bits above. */
    LIBRARY_BITS = 24,
    LIBRARY_MEMBER = (1 << LIBRARY_BITS) - 1
};

struct library;
struct made_by;
struct sqlite3;
struct plan_outlook;

/* ---- writing --------------------------------------------------------------------------------- */

/* Opens the library at a path for members of *s, or creates it. *s has to outlive the library. library_abandon()
 * frees *l, also after an error. */
int library_create(struct library **l, const struct ensemble *s, const char *path,
                   const char *version, struct error *e);
/* Adds members to the file, in parallel. The caller counts the members afterwards. */
int library_add(struct library *l, const struct contribution *one, int count, struct error *e);
int library_commit(struct library *l, struct error *e);
/* Writes the counters of l->s if l->s and the library have the same members. */
int library_put_sums(struct library *l, struct error *e);
/* Closes a library, and commits first if `status` is 0. `status` is the status of the caller's work so far. Returns
 * `status` or, if it is 0, the status of the commit. NULL is fine. library_abandon() closes without a commit. */
int library_close(struct library *l, int status, struct error *e);
void library_abandon(struct library *l);

/* Adds the members of another library that *l does not have. If the other library has another plan, only members that
 * are also in the plan of *l are added, with their numbers in *l. ERROR_INPUT: there are no such members, or the
 * terrain differs. */
int library_join(struct library *l, const char *path, struct error *e);

/* ERROR_INPUT: the library lacks a member that is done in l->s. The library may have more members than l->s, from a
 * process that was killed or from an earlier run. They stay in the library: a new run would give the same bits. */
int library_match(struct library *l, struct error *e);

/* ---- reading --------------------------------------------------------------------------------- */

/* Opens a library for reading and checks it; no trigger, view or function of the file is ever run. *plan: the path of
 * its plan, which the caller frees; `plan` may be NULL. library_shut() closes *db, also after an error; *db NULL is
 * fine. */
int library_open(struct sqlite3 **db, char **plan, const char *path, struct error *e);
void library_shut(struct sqlite3 **db);
/* ERROR_INPUT: the library has another plan than *members; the message shows the differences. */
int library_check_plan(struct sqlite3 *db, const struct ensemble_source *members, const char *path,
                       struct error *e);
/* Reads the digest and the description of the plan of a library. False: the file is not a library. */
bool library_work(const char *path, uint64_t *plan_digest, struct made_by *by);
/* Checks that a library has the classes of arrival and thickness of an ensemble. */
int library_check_classes(struct sqlite3 *db, const struct ensemble *s, const char *path,
                          struct error *e);
/* Reads the estimates that were made when the library was created; false: the file has none. */
bool library_outlook(struct plan_outlook *o, struct sqlite3 *db);
/* The number of members in a library of the plan with this digest. -1: `path` is not a library of this plan. */
int64_t library_count(const char *path, uint64_t plan_digest);
/* Finds in the folder a file library-DIGEST.gpkg, library-DIGEST-2.gpkg, ... with this number of members of this plan.
 * The caller frees the path; NULL: there is none. */
char *library_set_aside(const char *folder, uint64_t plan_digest, int64_t members);
int library_damaged(const char *path, const char *what, struct error *e);
char *library_key(struct sqlite3 *db, const char *key); /* malloc'ed; NULL: there is no such key */

/* Reads the results of all members into s->result. *s has the library's plan and no member done; its counters remain
 * empty. reached[s->source->count]: number of cells that each member reached. */
int library_results(struct ensemble *s, uint64_t *reached, struct sqlite3 *db, const char *path,
                    struct error *e);

/* Adds the counters of all members to s->cells, after library_results(). *found: whether the library has counters. */
int library_sums(struct ensemble *s, const uint64_t *reached, struct sqlite3 *db, const char *path,
                 bool *found, struct error *e);

/* Calls `take` once for each member and tile that it reached, in the order of library_cells_key(), for keys from
 * `first` to `last`. reached[].place is the cell in the domain. Members with weight[member] = 0 are skipped; `weight`
 * NULL: none is skipped. */
typedef int library_take(void *of, int64_t member, const struct reached *reached, int count,
                         struct error *e);
int library_cells(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t first,
                  int64_t last, const uint64_t *weight, library_take *take, void *of,
                  struct error *e);
/* library_cells() for callers that can count blobs without unpacking them. `whole` receives each blob that cannot have
 * an invalid cell or class. `take` receives all other blobs, unpacked. place: the first cell of the tile. floor[]: the
 * least thickness_q of each class. */
typedef int library_whole(void *of, int64_t member, uint32_t place, const struct block *b,
                          const uint32_t *floor, struct error *e);
struct library_takers {
    library_whole *whole; /* NULL: `take` receives all blobs */
    library_take *take;
    void *of;
};
int library_blocks(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t first,
                   int64_t last, const uint64_t *weight, const struct library_takers *to,
                   struct error *e);
/* library_blocks() for only the blobs with the keys key[count], in the order of key[]. A key without a blob is skipped:
 * the member has no lava in that tile. */
int library_some(const struct ensemble *s, struct sqlite3 *db, const char *path, const int64_t *key,
                 size_t count, const struct library_takers *to, struct error *e);
/* Sets the rows and columns of tiles that lava of a member may have reached, from the box of its outline. False: the
 * outline has no box. */
bool library_tiles(struct window *tiles, const struct ensemble *s, struct sqlite3 *db,
                   int64_t member);
/* Reads all cells of one member: in the tiles of library_tiles(), or in all tiles if its outline has no box. */
int library_member(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t member,
                   library_take *take, void *of, struct error *e);
/* library_cells() for all tiles, but the thickness in reached[] is 0. A tile is skipped if the member reached it
 * after the class of arrival `latest`. */
int library_arrivals(const struct ensemble *s, struct sqlite3 *db, const char *path, int latest,
                     const uint64_t *weight, library_take *take, void *of, struct error *e);
/* The tile with a cell of the domain. */
uint32_t library_tile(const struct ensemble *s, size_t place);
int64_t library_cells_key(uint32_t tile, int64_t member); /* the value of cells.tile_member */
/* The key of a member in the tile at a row and a column of tiles. */
int64_t library_tile_key(const struct ensemble *s, int row, int col, int64_t member);
