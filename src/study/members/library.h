/* library.h — the members of an ensemble in a file, for questions that are asked later: what each
 * drew, its outcome, its outline, and what it did in every cell that its lava reached.
 *
 * One file of SQLite that is a GeoPackage (docs/formats/library.md). Members that are added are in
 * the file from library_commit() on; a process that is killed loses those after the last one.
 * Damaged and foreign files are refused with ERROR_INPUT and one line. */
#pragma once

#include "ensemble.h"
#include "library_block.h"
#include "record/runfolder.h"

enum {
    LIBRARY_FORMAT = 2,
    LIBRARY_BITS = 24, /* the lower bits of cells.tile_member, for the member; the tile is above */
    LIBRARY_MEMBER = (1 << LIBRARY_BITS) - 1
};

struct library;
struct made_by;
struct sqlite3;
struct plan_outlook;

/* ---- writing --------------------------------------------------------------------------------- */

/* Opens the library at a path for members of *s, or makes it where there is none. *s outlives it.
 * library_abandon() frees *l, also after an error. */
int library_create(struct library **l, const struct ensemble *s, const char *path,
                   const char *version, struct error *e);
/* Adds members, by all threads, before they are counted. */
int library_add(struct library *l, const struct contribution *one, int count, struct error *e);
int library_commit(struct library *l, struct error *e);
/* Writes the counters of l->s if the library has its members and no others. */
int library_put_sums(struct library *l, struct error *e);
/* Closes a library, and commits before if `status` is 0, the status of what was done with it. Returns `status`, or
 * that of the commit. NULL is fine. library_abandon() closes without a commit. */
int library_close(struct library *l, int status, struct error *e);
void library_abandon(struct library *l);

/* Adds the members of another library that *l does not have. If its plan is another, only members that the plan of *l
 * has, too, are added, under their number in *l. ERROR_INPUT: there are none, or the terrain is another. */
int library_join(struct library *l, const char *path, struct error *e);

/* ERROR_INPUT: the library lacks a member that l->s has done. It may have more members than l->s, of a process that was
 * killed or that came before: these have the same bits, and stay. */
int library_match(struct library *l, struct error *e);

/* ---- reading --------------------------------------------------------------------------------- */

/* Opens for reading, and checks that it is a library; no trigger, view or function of the file is
 * ever run. *plan: the path of its plan, malloc'ed; `plan` NULL: not asked for. library_shut() closes it, after an
 * error, too; *db NULL is fine. */
int library_open(struct sqlite3 **db, char **plan, const char *path, struct error *e);
void library_shut(struct sqlite3 **db);
/* ERROR_INPUT if a library is of another plan than those members, with what differs. */
int library_check_plan(struct sqlite3 *db, const struct ensemble_source *members, const char *path,
                       struct error *e);
/* Reads the digest of a library's plan, and what it was made by; false: it is not a library. */
bool library_work(const char *path, uint64_t *plan_digest, struct made_by *by);
/* Checks that a library has the classes that an ensemble of that plan has. */
int library_check_classes(struct sqlite3 *db, const struct ensemble *s, const char *path,
                          struct error *e);
/* Reads the outlook that the plan had when the library was made; false: it has none. */
bool library_outlook(struct plan_outlook *o, struct sqlite3 *db);
/* The number of members of a library, if it is of the plan with that digest; -1: it is not, or is
 * not there. */
int64_t library_count(const char *path, uint64_t plan_digest);
/* Finds the library that was set aside in a folder under the digest of its plan, library-DIGEST.gpkg, and has that number of
 * members; malloc'ed, NULL: there is none. */
char *library_set_aside(const char *folder, uint64_t plan_digest, int64_t members);
int library_damaged(const char *path, const char *what, struct error *e);
char *library_key(struct sqlite3 *db, const char *key); /* malloc'ed; NULL: has none */

/* Reads the results into s->result of an ensemble of the library's plan that has no member done; *s
 * still counts nothing. reached[s->source->count]: how many cells lava of each member reached. */
int library_results(struct ensemble *s, uint64_t *reached, struct sqlite3 *db, const char *path,
                    struct error *e);

/* After library_results(): adds the counters of all members to s->cells. *found: whether the library has them. */
int library_sums(struct ensemble *s, const uint64_t *reached, struct sqlite3 *db, const char *path,
                 bool *found, struct error *e);

/* Calls `take` for what each member did in each tile, in the order of keys, from `first` to `last`:
 * tile by tile, in the order of members. reached[].place is the cell in the domain. `weight`: members with a
 * weight of 0 are passed over, unread; NULL: none. */
typedef int library_take(void *of, int64_t member, const struct reached *reached, int count,
                         struct error *e);
int library_cells(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t first,
                  int64_t last, const uint64_t *weight, library_take *take, void *of,
                  struct error *e);
/* library_cells() for callers that count blobs without unpacking them. `whole` receives blobs whose bounds show that no
 * cell or class can be wrong, `take` the others, unpacked. place: the first cell of the tile; floor: the least thickness_q
 * of each class. */
typedef int library_whole(void *of, int64_t member, uint32_t place, const struct block *b,
                          const uint32_t *floor, struct error *e);
struct library_takers {
    library_whole *whole; /* NULL: `take` has all */
    library_take *take;
    void *of;
};
int library_blocks(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t first,
                   int64_t last, const uint64_t *weight, const struct library_takers *to,
                   struct error *e);
/* Reads blocks as library_blocks() does, for some keys in their order; a key of a tile in which the
 * member did nothing is passed over. */
int library_some(const struct ensemble *s, struct sqlite3 *db, const char *path, const int64_t *key,
                 size_t count, const struct library_takers *to, struct error *e);
/* Sets the rows and columns of tiles to which lava of a member may have come, by the box of its outline. False: there is
 * no box. */
bool library_tiles(struct window *tiles, const struct ensemble *s, struct sqlite3 *db,
                   int64_t member);
/* Reads all cells of one member, from the tiles of library_tiles(), or from all tiles if its outline has no box. */
int library_member(const struct ensemble *s, struct sqlite3 *db, const char *path, int64_t member,
                   library_take *take, void *of, struct error *e);
/* library_cells() of all tiles, without thickness, which is 0 in reached[]. Tiles that a member reached only after the
 * class of arrival `latest` are passed over. */
int library_arrivals(const struct ensemble *s, struct sqlite3 *db, const char *path, int latest,
                     const uint64_t *weight, library_take *take, void *of, struct error *e);
uint32_t library_tile(const struct ensemble *s, size_t place); /* the tile in which a cell lies */
int64_t library_cells_key(uint32_t tile, int64_t member);      /* cells.tile_member */
/* The key of a tile, given by row and column of tiles, and a member. */
int64_t library_tile_key(const struct ensemble *s, int row, int col, int64_t member);
