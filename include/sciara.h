/* sciara.h — lava flows with the cellular automaton Sciara-fv2, as a library.
 *
 *     struct sciara_error e;
 *     sciara_case *volcano;
 *     sciara_simulation *run;
 *     sciara_snapshot *state;
 *     if (sciara_case_load(&volcano, "volcano.cfg", NULL, NULL, &e)) return fail(e.text);
 *     if (sciara_create(&run, volcano, NULL, &e)) return fail(e.text);
 *     if (sciara_advance(run, 1000, &e)) return fail(e.text);
 *     if (sciara_snapshot_take(&state, run, &e)) return fail(e.text);
 *     const double *thickness_m = sciara_snapshot_field(state, SCIARA_THICKNESS);
 *
 * There are three kinds of objects. A case is the input of a computation; a simulation computes it;
 * a snapshot is its state at one step. One function makes each object and another frees it, which
 * accepts NULL too. An object keeps what it needs of the object it was made from: they can be freed
 * in any order.
 *
 * Status. A function that can fail returns 0 (SCIARA_OK) or another status, and then writes one
 * line into *e: `file:line: what is wrong; what to do`. e may be NULL. An object that could not be
 * made is NULL. The library prints nothing, never ends the program, and has no global state.
 *
 * Threads. Several simulations can run at once on several threads. A case and a snapshot are
 * constant and may be read by several threads at once; a simulation belongs to one thread at a
 * time. The library's own threads block all signals. If the system grants fewer threads than
 * requested, the library uses those; but see docs/library.md, "Threads". After a fork() the child
 * process may continue with the objects that it inherits, unless another thread of the parent was
 * in the library, and not on a GPU.
 *
 * Structures that the caller fills in begin with their size: an _init function sets it and all
 * defaults. Any content of structures and arrays is either computed or refused (SCIARA_INPUT).
 *
 * Arrays have rows * cols elements, row by row from the north, columns from the west. Lengths are
 * in m, times in s, temperatures in K. A cell without data has elevation NaN.
 *
 * Results are exact: thicknesses and elevations are multiples of 2^-36 m, and every variant gives
 * the same bits on every machine (docs/model.md, section 4). */
#ifndef SCIARA_H
#define SCIARA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCIARA_API __attribute__((visibility("default")))
#else
#define SCIARA_API
#endif

#define SCIARA_VERSION "0.2.0" /* of this header */

/* The version of the linked library. */
SCIARA_API const char *sciara_version(void);

/* ---- status ---------------------------------------------------------------------------------- */

enum sciara_status {
    SCIARA_OK = 0,
    SCIARA_FAILED = 1,    /* disk full, CUDA error or out of memory */
    SCIARA_INPUT = 2,     /* invalid input */
    SCIARA_DEVICE = 3,    /* no CUDA device, or none that fits */
    SCIARA_CANCELLED = 4, /* by the progress function */
};

struct sciara_error {
    int status; /* enum sciara_status */
    char text[1024];
};

/* ---- progress -------------------------------------------------------------------------------- */

enum sciara_phase { SCIARA_READING, SCIARA_SETTING_UP, SCIARA_COMPUTING, SCIARA_WRITING };

struct sciara_progress {
    enum sciara_phase phase;
    int file;           /* READING, WRITING: number of the file, from 1; 0: none yet */
    int64_t done, all;  /* cells of that file; all is 0 if not known */
    int64_t step;       /* COMPUTING: steps done, counted from the start of the eruption */
    int64_t first_step; /* COMPUTING: the step at which the run began */
    int64_t last_step;  /* COMPUTING: the last possible step; 0: not known */
    double elapsed_s;   /* since the phase began */
    double mobile_m;    /* COMPUTING: sum of mobile thickness at the last reduction */
};

/* Called several times a second during a long operation, always on the thread that called the
 * library. A return value other than 0 cancels the operation, which then returns SCIARA_CANCELLED;
 * setting up ends first. The function must not use the objects that the operation uses. */
typedef int (*sciara_progress_function)(const struct sciara_progress *now, void *user);

struct sciara_watcher {
    sciara_progress_function progress; /* NULL: none */
    void *user;                        /* passed to it */
};

/* ---- variants -------------------------------------------------------------------------------- */

/* A variant is a way to compute; all variants give the same bits (`sciara variants`). */
struct sciara_variant {
    const char *name;    /* "cfamo" */
    const char *summary; /* one line; "" if it was not built */
    int built;           /* into this library */
    int cuda;            /* runs on a GPU */
    int available;       /* on this machine, on the requested device */
    size_t bytes_per_cell;
    char device[128];  /* "NVIDIA H200", or the processor's name; "" if not available */
    char reason[1024]; /* why it is not available */
};

/* The number of variants, built or not, and their names, the fastest on a lava flow first; NULL
 * beyond the last. Strings belong to the library and stay valid. */
SCIARA_API int sciara_variant_count(void);
SCIARA_API const char *sciara_variant_name(int i);

/* SCIARA_INPUT: no variant has that name. A variant that is not built or cannot run here is no
 * error. */
SCIARA_API int sciara_variant_describe(struct sciara_variant *v, const char *name, int device,
                                       struct sciara_error *e);

/* Resources of a kernel of a step on a CUDA device. */
struct sciara_kernel {
    char name[64];
    int cols, rows;      /* threads of a block */
    int registers;       /* of a thread */
    size_t shared_bytes; /* of a block */
    size_t local_bytes;  /* of a thread: data that did not fit into registers */
    int blocks;          /* held by a multiprocessor at once */
    double occupancy;    /* threads of these blocks, as a share of the maximum */
    char limit[32]; /* why not more blocks: "threads", "blocks", "shared memory", "registers" */
};

/* Writes up to `room` kernels of a variant's step to kernels[], and the number of kernels to *count
 * (0: it runs on the CPU). SCIARA_DEVICE: not built, or no such device. */
SCIARA_API int sciara_variant_kernels(struct sciara_kernel *kernels, int room, int *count,
                                      const char *name, int device, struct sciara_error *e);

/* ---- cases ----------------------------------------------------------------------------------- */

typedef struct sciara_case sciara_case;

/* The parameters of the model, under their names in a case file (docs/model.md, section 1). */
struct sciara_parameters {
    double Pclock;              /* s: length of a step, > 0 */
    double PTsol, PTvent;       /* K: lava solidifies at PTsol, leaves a vent at PTvent > PTsol */
    double Pr_Tsol, Pr_Tvent;   /* relaxation rate at PTsol and PTvent, in (0, 1] */
    double Phc_Tsol, Phc_Tvent; /* m: critical thickness at PTsol and PTvent, > 0 */
    double Pcool;               /* cooling, >= 0 */
    double Prho;                /* kg/m3: density, > 0 */
    double Pepsilon;            /* emissivity, in [0, 1] */
    double Psigma;              /* W/(m2 K4): Stefan-Boltzmann constant, >= 0 */
    double Pcv;                 /* J/(kg K): specific heat, > 0 */
};

/* The parameters published for Etna 2006 (Spataro et al. 2010). */
SCIARA_API void sciara_parameters_etna2006(struct sciara_parameters *p);

/* How well runs with a set of parameters agree with an eruption: J, the number of cells in both run
 * and outline, divided by the number in either. */
struct sciara_parameter_score {
    double jaccard, error; /* mean and standard error; NaN: not known */
    char of[256];          /* the eruption; or why the score is not known */
};

/* A set of parameters that a case file can name (`sciara parameters`, docs/formats.md). A case from
 * arrays takes parameters, calibrated_cell_m, and parameters.Pclock as calibrated_clock_s. */
struct sciara_parameter_set {
    const char *name; /* stays valid */
    struct sciara_parameters parameters;
    double calibrated_cell_m; /* side of the cells for which they were calibrated */
    char eruption[128], source[512], not_for[512];
    struct sciara_parameter_score in_sample; /* with the eruption that they were fitted to */
    struct sciara_parameter_score held_out;  /* with one that they were not fitted to */
};

/* The number of sets, and their names in alphabetical order; NULL beyond the last. */
SCIARA_API int sciara_parameter_set_count(void);
SCIARA_API const char *sciara_parameter_set_name(int i);

/* SCIARA_INPUT: there is no set of that name. */
SCIARA_API int sciara_parameter_set_get(struct sciara_parameter_set *s, const char *name,
                                        struct sciara_error *e);

/* Reads a case file with all files that it names (docs/formats.md). `arithmetic` is NULL for exact
 * arithmetic or "published" for that of the published program, which only the CPU computes, in the
 * steps of that program. `watcher` may be NULL. */
SCIARA_API int sciara_case_load(sciara_case **c, const char *path, const char *arithmetic,
                                const struct sciara_watcher *watcher, struct sciara_error *e);

/* Reads a member of the plan of an ensemble as a case, which has the bits of that member. Members
 * are numbered from 0. */
SCIARA_API int sciara_case_load_member(sciara_case **c, const char *path, int64_t number,
                                       const struct sciara_watcher *watcher,
                                       struct sciara_error *e);

/* A vent: one cell, or several with the same id, which share its rate equally. */
struct sciara_vent {
    int id;       /* > 0 */
    int row, col; /* with data */
};

/* Effusion of a vent (id 0: of all together, shared equally) from one time to another, in seconds
 * since the start of the eruption. */
struct sciara_rate {
    int id;
    double from_s, to_s; /* 0 <= from_s < to_s; intervals of one id must not overlap */
    double rate_m3_s;    /* >= 0 */
};

/* The emission of a step (docs/model.md, section 2.1). */
enum sciara_emission {
    SCIARA_EMISSION_INTEGRAL,  /* integral of the rate over the step, to 2^-36 m */
    SCIARA_EMISSION_PUBLISHED, /* the rate at the end of the step times its length, as in the
                                  published program */
};

/* A case from arrays, which are copied; `size` tells which version of the structure the caller knows.
 * First fill it with sciara_case_input_init(), which sets everything to 0 or NULL, then set the
 * members needed.  */
struct sciara_case_input {
    size_t size;
    const char *name;           /* names files: 1 to 63 characters, no slash; NULL: "case" */
    const char *title;          /* for maps, UTF-8; NULL: the name */
    int rows, cols;             /* at least 3 each */
    double cell_m;              /* side of a square cell, > 0 */
    double west_m, south_m;     /* outer corner of the south-west cell */
    int epsg;                   /* of a projected CRS in metres; 0: none known */
    const char *start_time;     /* "2006-07-14T22:00", UTC; NULL: not known */
    const char *terrain_source; /* source of the terrain; NULL: not known */
    const char *outline;        /* path of an observed outline, drawn in maps; NULL: none */
    struct sciara_parameters parameters;
    const double *elevation_m;   /* -4,000 to 10,000; NaN: no data */
    const double *thickness_m;   /* of initial mobile lava; NULL: none */
    const double *temperature_K; /* of that lava; NULL: PTvent */
    const double *solidified_m;  /* solidified before, part of the elevation; NULL: none */
    const struct sciara_vent *vents;
    int vent_count;
    const struct sciara_rate *rates;
    int rate_count;
    int64_t first_step;   /* steps done before; 0 */
    int64_t max_steps;    /* last step; 0: no limit, and sciara_run() needs stop_below_m */
    int64_t reduce_every; /* steps between reductions of mobile lava; 0: 100 */
    double stop_below_m;  /* stop when the vents have ended and mobile thickness sums up to at most
                             this; 0: do not */
    int emission;         /* enum sciara_emission; 0: the integral */
    double calibrated_cell_m; /* side of the cells for which the parameters were calibrated: Pcool
                                  is scaled for others (docs/model.md, 2.7); 0: not known */
    /* Pclock of the calibration; 0: parameters.Pclock. If that is 0, the step is this one, scaled
     * for cells of another size. */
    double calibrated_clock_s;
    double run_h; /* end of the run in hours; 0: max_steps ends it */
    /* A vent that would emit 2 m or more into a cell in a step is spread over as many of the
     * nearest cells as it needs, up to this distance; 0: it is not spread. */
    double vent_radius_m;
};
SCIARA_API void sciara_case_input_init(struct sciara_case_input *input, size_t size);

SCIARA_API int sciara_case_create(sciara_case **c, const struct sciara_case_input *input,
                                  struct sciara_error *e);

SCIARA_API void sciara_case_free(sciara_case *c);

/* The properties of a case. Strings and arrays belong to the case. */
struct sciara_case_info {
    const char *name, *title, *path; /* path is "" if made from arrays */
    const char *terrain_source;      /* begins with SYNTHETIC TERRAIN if it is synthetic */
    const char *start_time;          /* "" if not known */
    const char *outline;             /* path, or NULL */
    int synthetic;                   /* terrain is synthetic */
    int original;                    /* case of the original program, NAME_000000000000.cfg */
    int published;                   /* loaded for the arithmetic of the published program */
    int rows, cols;
    double cell_m, west_m, south_m;
    int epsg;                            /* 0: not known, or user-defined */
    int has_crs;                         /* an EPSG code or a user-defined CRS */
    const char *crs_name;                /* readable name; "" if not known */
    struct sciara_parameters parameters; /* as given, with the Pclock that counts */
    int64_t first_step, max_steps, snapshot_every, reduce_every;
    int64_t last_vent_step; /* last step in which lava is emitted; 0: none */
    double stop_below_m;    /* < 0: no stopping rule */
    int vent_count;         /* cells that emit */
    double volume_m3;       /* volume that the steps emit */
    const double *elevation_m, *thickness_m, *temperature_K,
        *solidified_m;       /* NULL: not given. Those other than thickness_m are also NULL until
                          sciara_case_read_terrain() has read them */
    const char *height_unit; /* unit of the elevations as read: "metre (not declared)" */
    double crs_scale_least, crs_scale_greatest; /* metres of the CRS per metre on the ground;
                                                   0: it has no projected CRS */
    const char *notice;  /* notes on numerics and on how the case was read, one line; "": none */
    const char *warning; /* a doubtful input, a result to be read with care, one line; "": none */
    int emission;        /* enum sciara_emission */
    double asked_m3;     /* volume that the rates ask for */
    const char *parameter_set; /* the parameters that the case does not give; NULL: none */
    double calibrated_cell_m, calibrated_clock_s; /* as in sciara_case_input */
    double Pcool_scaled;    /* Pcool that steps use: scaled, or as in parameters */
    double Pclock_proposed; /* step in which a front can move as fast as on the cells of the
                               calibration; 0: no other */
};
SCIARA_API void sciara_case_info(const sciara_case *c, struct sciara_case_info *info);

/* Reads all of the terrain, about 10 bytes a cell, so that sciara_case_info() has it. Only a case file
 * with a DEM of more than 2^20 cells needs this: simulations read its terrain where they need it. */
SCIARA_API int sciara_case_read_terrain(sciara_case *c, struct sciara_error *e);

/* The i-th cell that emits, i from 0 to vent_count - 1, and its total volume. */
SCIARA_API void sciara_case_vent(const sciara_case *c, int i, struct sciara_vent *vent,
                                 double *volume_m3);

/* The volume that the rates ask for from the beginning of step first_step + 1 to the end of
 * last_step, and the volume that these steps emit. Either may be NULL. */
SCIARA_API void sciara_case_volume(const sciara_case *c, int64_t first_step, int64_t last_step,
                                   double *asked_m3, double *emitted_m3);

/* ---- simulations ----------------------------------------------------------------------------- */

typedef struct sciara_simulation sciara_simulation;

struct sciara_options {
    size_t size;
    const char *variant;           /* NULL or "auto": the fastest that this machine can run */
    int device;                    /* CUDA device, from 0 */
    int threads;                   /* of the CPU variant and its snapshots; 0: all */
    int full_domain;               /* compute every cell in every step, not only cells with lava */
    int64_t max_steps;             /* last step; 0: as in the case */
    double stop_below_m;           /* stopping rule, see above; < 0: as in the case */
    struct sciara_watcher watcher; /* of sciara_create(), sciara_advance() and sciara_run() */
    const char *from_state; /* state to resume from (sciara_snapshot_save()); NULL: the beginning */
    const char *resume;     /* folder of a run, to resume from its latest good state, if it has one;
                           NULL: none */
    int changed;     /* the case may differ from that of the state: in vents, rates, parameters and
                        stopping rule, but in terrain only with new_terrain */
    int new_terrain; /* with `changed`: the terrain of the case, a later survey, replaces that of the
                        state; enum sciara_new_terrain */
};
/* Whether the new terrain includes the lava that has solidified since the beginning. */
enum sciara_new_terrain { SCIARA_SAME_TERRAIN = 0, SCIARA_WITH_LAVA = 1, SCIARA_WITHOUT_LAVA = 2 };
SCIARA_API void sciara_options_init(struct sciara_options *o, size_t size);

/* Allocates all the memory that the steps need. o: NULL for the defaults. SCIARA_INPUT: the state
 * is truncated or damaged, or of another case; the text says what differs. A resumed simulation
 * has the same bits, and the same ledgers, in every later step as one that was never stopped, in
 * any variant. */
SCIARA_API int sciara_create(sciara_simulation **s, const sciara_case *c,
                             const struct sciara_options *o, struct sciara_error *e);
SCIARA_API void sciara_free(sciara_simulation *s);

/* Makes up to `steps` steps, fewer if max_steps or the stopping rule ends the run; after the end it
 * does nothing. If cancelled, the state is that of the last step made, and the simulation can
 * continue. */
SCIARA_API int sciara_advance(sciara_simulation *s, int64_t steps, struct sciara_error *e);

/* Makes steps up to the last one that ends at or before `time_s` since the start of the eruption;
 * else as sciara_advance(). */
SCIARA_API int sciara_advance_to(sciara_simulation *s, double time_s, struct sciara_error *e);

/* The status of a simulation; costs nothing. Strings belong to the simulation. */
struct sciara_state {
    int64_t step;        /* steps done, counted from the start of the eruption */
    double time_s;       /* step * Pclock */
    int ended;           /* max_steps is reached, or the stopping rule has ended it */
    int stopped;         /* by the stopping rule */
    double mobile_m;     /* sum of mobile thickness at the last reduction */
    double steps_s;      /* wall clock of the steps so far */
    double device_ms;    /* their time on the device (CPU: wall clock) */
    size_t memory_bytes; /* in use: GPU memory or, of a CPU variant, host memory */
    const char *variant; /* "published" if the case asks for that arithmetic */
    const char *device;  /* "NVIDIA H200", or the processor's name */
    int threads;         /* 0 on a GPU */
    int full_domain;
};

/* The step of the state that a simulation was resumed from; -1: from none. */
SCIARA_API int64_t sciara_from_step(const sciara_simulation *s);

/* If `resume` passed over the newest state because it is damaged: its path and the damage, in one
 * line; else "". The text is valid until sciara_free(). */
SCIARA_API const char *sciara_passed_over(const sciara_simulation *s);

SCIARA_API void sciara_state(const sciara_simulation *s, struct sciara_state *state);

/* ---- snapshots ------------------------------------------------------------------------------- */

typedef struct sciara_snapshot sciara_snapshot;

enum sciara_field {
    SCIARA_ELEVATION,       /* m: of the ground, including solidified lava; NaN: no data */
    SCIARA_THICKNESS,       /* m: mobile lava */
    SCIARA_TEMPERATURE,     /* K: kept after lava has left; 0 in cells that never had lava */
    SCIARA_SOLIDIFIED,      /* m: solidified so far */
    SCIARA_MAX_THICKNESS,   /* m: largest thickness, mobile and solidified, so far */
    SCIARA_MAX_TEMPERATURE, /* K: largest so far; 0 in cells that never had lava */
    SCIARA_TOTAL_THICKNESS, /* m: mobile and solidified together; not stored */
    SCIARA_ARRIVAL,         /* s since the start of the eruption when lava arrived; not stored */
};

/* Begins to copy the present state and returns: steps can continue during the copy, for which all
 * functions below wait. A second snapshot waits for the first. */
SCIARA_API int sciara_snapshot_take(sciara_snapshot **snapshot, sciara_simulation *s,
                                    struct sciara_error *e);
SCIARA_API void sciara_snapshot_free(sciara_snapshot *snapshot);

/* Waits for the copy. Checks that the ledger closes: SCIARA_FAILED if not, which is a defect. The
 * functions below do the same if it was not called, and return NULL or 0 if it would fail. */
SCIARA_API int sciara_snapshot_wait(sciara_snapshot *snapshot, struct sciara_error *e);

SCIARA_API int64_t sciara_snapshot_step(sciara_snapshot *snapshot);

/* A stored field of the domain, rows * cols; it belongs to the snapshot. NULL for fields that are not
 * stored. */
SCIARA_API const double *sciara_snapshot_field(sciara_snapshot *snapshot, enum sciara_field field);

/* First step that ended with lava in the cell; INT32_MAX: never. Belongs to the snapshot. */
SCIARA_API const int32_t *sciara_snapshot_arrival_step(sciara_snapshot *snapshot);

/* Copies any field into the caller's memory of `count` elements (rows * cols), as float: NaN where
 * the layer of that name has no value (no data; no lava, not yet or no longer). */
SCIARA_API int sciara_snapshot_read(sciara_snapshot *snapshot, enum sciara_field field, float *out,
                                    size_t count, struct sciara_error *e);
/* Copies any field exactly, in units of 2^-36 m (SCIARA_ARRIVAL: of steps); INT64_MIN where the
 * elevation has no data, INT64_MAX where lava never arrived. SCIARA_INPUT for temperatures, which are not
 * multiples of a unit, and in published arithmetic. */
SCIARA_API int sciara_snapshot_read_exact(sciara_snapshot *snapshot, enum sciara_field field,
                                          int64_t *out, size_t count, struct sciara_error *e);

/* The part of the domain that the simulation held at that step; elsewhere all is as at the beginning.
 * In a domain of more than 2^20 cells it follows the lava. The functions above make arrays of the
 * whole domain, and need memory for these. */
struct sciara_window {
    int row0, col0; /* of its first cell in the domain */
    int rows, cols;
};
SCIARA_API int sciara_snapshot_window(sciara_snapshot *snapshot, struct sciara_window *window,
                                      struct sciara_error *e);
/* sciara_snapshot_read() of any window of the domain: `count` is its rows * cols. */
SCIARA_API int sciara_snapshot_read_window(sciara_snapshot *snapshot, enum sciara_field field,
                                           const struct sciara_window *window, float *out,
                                           size_t count, struct sciara_error *e);

/* The ledger in units of 2^-36 m of thickness: initial + emitted == mobile + solidified +
 * left_domain + entered_sea, exactly. A sum is high * 2^64 + low, in two's complement. */
struct sciara_sum {
    uint64_t low;
    int64_t high;
};
/* The ledger of heat in units of 2^-40 K m (thickness times temperature): initial + emitted ==
 * mobile + solidified + left_domain + cooled, exactly. `emitted` is the heat from vents, also to
 * lava already there; lava that solidified or left the domain, into the sea too, counts with its
 * heat at that time. All are 0 in published arithmetic. */
struct sciara_heat_ledger {
    struct sciara_sum initial, emitted, mobile, solidified, left_domain, cooled;
    double unit_J; /* above 0 K: 2^-40 K m times the area of a cell, density and specific heat */
};
struct sciara_ledger {
    struct sciara_sum initial, emitted, mobile, solidified, left_domain, entered_sea;
    double unit_m3; /* volume of a unit: 2^-36 m times the area of a cell */
    struct sciara_heat_ledger heat;
    struct sciara_sum ground_raised, ground_lowered; /* by terrain_update of the case and by new
                                                        terrain: no lava */
};
SCIARA_API int sciara_snapshot_ledger(sciara_snapshot *snapshot, struct sciara_ledger *ledger,
                                      struct sciara_error *e);
SCIARA_API double sciara_sum_value(struct sciara_sum sum); /* rounded to nearest */

/* A digest of every bit of every field in all cells that lava reached or lay in at the beginning:
 * equal states have equal digests, on every machine. */
SCIARA_API uint64_t sciara_snapshot_digest(sciara_snapshot *snapshot);

/* Cells whose bits differ in any field; *field is the name of the first such field: "elevation",
 * "mobile thickness", "temperature", "solidified thickness", "max thickness", "max temperature" or
 * "arrival step"; "" if there is none. SIZE_MAX if the grids differ in size, or a copy failed.  */
SCIARA_API size_t sciara_snapshot_differ(sciara_snapshot *a, sciara_snapshot *b,
                                         const char **field);

struct sciara_extent {
    size_t cells;                /* with lava, mobile or solidified, in this state */
    double area_m2;              /* area of these cells */
    double runout_m;             /* of the farthest cell from its nearest vent; NaN without vents */
    double max_thickness_m;      /* largest of mobile and solidified together at any step so far */
    double thickest_m;           /* largest of both together in this state */
    double left_m3;              /* volume that left the domain */
    double left_share;           /* its share of all lava emitted or initially mobile, 0 to 1 */
    size_t front_cells;          /* cells on the way of the lava to the farthest cell */
    size_t front_cells_at_limit; /* those in a row of 20 or more that it crossed at (nearly) one
                                    cell a step, the fastest that a front can be */
    double sea_m3, sea_share;    /* the volume that has entered the sea, and its share */
    int64_t sea_step;            /* the step in which lava first entered it; -1: never */
    int sea_row, sea_col;        /* the cell of the shore where it did; -1 */
};
SCIARA_API int sciara_snapshot_extent(sciara_snapshot *snapshot, struct sciara_extent *extent,
                                      struct sciara_error *e);

/* Writes the exact state, a GeoTIFF of Float64, from which a simulation of the same case can resume.
 * The file appears whole or not at all. SCIARA_INPUT in published arithmetic, which keeps more than
 * these fields. */
SCIARA_API int sciara_snapshot_save(sciara_snapshot *snapshot, const char *path,
                                    struct sciara_error *e);

/* Kinds of files (docs/formats.md), or'ed. */
enum sciara_format {
    SCIARA_GEOTIFF = 1,
    SCIARA_PNG = 2,
    SCIARA_ORIGINAL = 4,
    /* Only whole runs have these, written at their end. KMZ, QGIS and NetCDF come with the layers
     * that they show, SCIARA_GEOTIFF. */
    SCIARA_GEOJSON = 16,
    SCIARA_GEOPACKAGE = 32,
    SCIARA_KMZ = 64,
    SCIARA_QGIS = 128,
    SCIARA_NETCDF = 256,
    /* Maps and the timeline's picture, as SCIARA_PNG, with text as text */
    SCIARA_SVG = 512,
    SCIARA_PDF = 1024,
    /* report.html, one page for a browser, with SCIARA_GEOTIFF; of whole runs alone */
    SCIARA_HTML = 2048,
    /* An animation, by sciara_show() alone; a run makes one if `frame_every` asks for it. */
    SCIARA_WEBP = 4096
};

/* "geotiff": the name of a format on the command line and in Python. NULL: not one format. */
SCIARA_API const char *sciara_format_name(unsigned format);

/* Kinds of maps, or'ed: the first two of each snapshot, the others at the end of a run. */
enum sciara_map {
    SCIARA_MAP_THICKNESS = 1,
    SCIARA_MAP_TEMPERATURE = 2,
    SCIARA_MAP_ARRIVAL = 4,
    SCIARA_MAP_MAX_THICKNESS = 8
};

/* The part of the domain that layers, maps and exports show: the flow, vents and the observed outline
 * with a margin, or all of it. BY_SIZE: the flow in a domain of more than 2^20 cells. */
enum sciara_layer_extent {
    SCIARA_EXTENT_BY_SIZE = 0,
    SCIARA_EXTENT_FLOW = 1,
    SCIARA_EXTENT_FULL = 2
};

/* Writes layers and map of a snapshot, and makes the folder if needed. A file appears under its
 * name when it is complete, and replaces a file of that name; but SCIARA_INPUT if the case was read
 * from that file. */
SCIARA_API int sciara_snapshot_write(sciara_snapshot *snapshot, const char *folder,
                                     unsigned formats, const struct sciara_watcher *watcher,
                                     struct sciara_error *e);

/* ---- whole runs ------------------------------------------------------------------------------ */

struct sciara_run_options {
    size_t size;
    const char *folder; /* for the files; NULL: no files */
    unsigned formats;   /* enum sciara_format, or'ed */
    int64_t every; /* also files every this many steps; 0: only at the end; < 0: as in the case */
    double load_s; /* for the summary: time for reading the case */
    int states;    /* write a state at the end, and when cancelled */
    int64_t state_every;  /* steps between states, 0: none; a state waits while other files are
                             written */
    double state_minutes; /* minutes between states, 0: none; the latest two are kept */
    unsigned maps;        /* enum sciara_map, or'ed; 0: thickness and arrival */
    double map_width_in, map_height_in; /* their page in inches; 0: as large as the map needs */
    double map_dpi;                     /* pixels per inch; 0: 200, or 300 of a page */
    int64_t frame_every; /* steps between the frames of an animation; 0: there is none; < 0: about
                            60 frames */
    int extent;          /* enum sciara_layer_extent */
    const char *layers;  /* also these files, by name (docs/formats/output.md) or pattern of
                            names, separated by commas; "all"; NULL: the usual ones */
};
SCIARA_API void sciara_run_options_init(struct sciara_run_options *o, size_t size);

/* Computes from the present step to the end: steps, with snapshots written meanwhile, then
 * summary.json. The folder is made when everything else has been checked, and belongs to the run:
 * files of an earlier run are removed, and no others. SCIARA_INPUT, without any change, if another
 * run is writing there, or if a file that no run wrote, or that the case was read from, is in the
 * way (docs/formats/output.md). A simulation with `resume` that found a state there keeps the
 * files of steps up to it. If cancelled while computing, the results up to then are written, and
 * SCIARA_CANCELLED is returned. If a file at the end cannot be written, all others are, the summary
 * names it, and SCIARA_FAILED is returned. *last: the state at the end, for the caller to free,
 * also in these two cases; NULL if there is none, for example if its writing was cancelled (files
 * completed before stay). last may be NULL. */
SCIARA_API int sciara_run(sciara_simulation *s, const struct sciara_run_options *o,
                          sciara_snapshot **last, struct sciara_error *e);

/* The step of the last state that sciara_run() has written; -1: none. */
SCIARA_API int64_t sciara_saved_step(const sciara_simulation *s);

/* The text of summary.json for the run so far; the caller frees it with sciara_text_free(). NULL:
 * out of memory, or sciara_run() was not called. */
SCIARA_API char *sciara_summary(const sciara_simulation *s);
SCIARA_API void sciara_text_free(char *text);

/* ---- studies --------------------------------------------------------------------------------- */

/* Many runs of a plan (docs/formats/plans.md), as the commands of the program compute them: the
 * same bits for any number of threads or GPUs, and after a cancellation.
 *
 *     struct sciara_study_options o;
 *     sciara_study *study;
 *     sciara_study_options_init(&o, sizeof o);
 *     if (sciara_study_open(&study, SCIARA_ENSEMBLE, "plan.cfg", &o, &e)) return fail(e.text);
 *     if (sciara_study_run(study, &e)) return fail(e.text);
 *     if (sciara_study_layer(study, "probability.tif", p, rows * cols, &e)) return fail(e.text);
 *
 * A study belongs to one thread at a time. */
typedef struct sciara_study sciara_study;

enum sciara_study_kind {
    SCIARA_ENSEMBLE,    /* `sciara ensemble` */
    SCIARA_PAIRS,       /* `sciara ensemble --with-and-without barriers` */
    SCIARA_CALIBRATION, /* `sciara calibrate` */
    SCIARA_POSTERIOR,   /* `sciara calibrate --posterior` */
    SCIARA_SENSITIVITY, /* `sciara sensitivity` */
    SCIARA_NULL,        /* `sciara null`, also of a case */
    SCIARA_ASK,         /* `sciara ask`: a question to a library, in place of a plan */
    SCIARA_NOWCAST      /* `sciara nowcast`: members of a library, weighed by observations */
};

struct sciara_study_progress {
    const char *stage;  /* "members", "searching", "unseen noise", "morris", ... */
    int64_t done, all;  /* runs; in a calibration the runs of the present population */
    int64_t begun_with; /* runs that were done before */
    double elapsed_s;
    int64_t evaluations, budget; /* of a calibration, without the present population; else 0 */
    double best;                 /* score of a calibration; NaN: none yet */
};

/* Called some ten times a second on the thread that called the library. A return value other than 0
 * cancels. It must not call functions on the study. */
typedef int (*sciara_study_function)(const struct sciara_study_progress *now, void *user);

struct sciara_study_options {
    size_t size;
    const char *folder;  /* for state and files; NULL: none are written */
    int resume;          /* from the state in the folder, if there is one */
    int threads;         /* 0: all */
    const int *devices;  /* CUDA devices that compute in place of threads */
    int device_count;    /* number of devices; 0: threads compute; < 0: device 0 if there is one */
    double checkpoint_s; /* between two states of an ensemble in the folder, 0: 30 */
    unsigned formats;    /* besides PNG: SCIARA_SVG, SCIARA_PDF, SCIARA_KMZ, SCIARA_QGIS */
    double map_width_in, map_height_in, map_dpi; /* as in struct sciara_run_options */
    sciara_study_function progress;              /* NULL: none */
    void *user;                                  /* passed to it */
    /* What follows takes precedence over the plan. */
    double until_error;            /* of an ensemble; < 0: the plan's */
    int64_t seed;                  /* of calibration, posterior and sensitivity; < 0: the plan's */
    int64_t evaluations;           /* of calibration and posterior; 0: the plan's */
    int hold_out;                  /* of both: the search does not use the plan's hold_out */
    int64_t samples, trajectories; /* of a sensitivity analysis; 0: the plan's */
    int morris, sobol;             /* its methods; both are 0: the plan's */
    int extent;                    /* of layers and maps, enum sciara_layer_extent */
    int keep;                      /* of an ensemble: all members in library.gpkg, in the folder */
    /* For a question. NULL: all members, with the weights and places of the plan. Strings are
     * copied. */
    const char *of_plan;         /* where the plan is now; NULL: as the library names it */
    const char *where;           /* the members for which this SQL expression is true */
    const char *vents, *classes; /* files with other weights */
    const char *assets;          /* file with other places of interest */
    const char *given;           /* an outline that was observed, at at_s (0: at the end) */
    double at_s;
    const char *compare; /* a question, as `where`, or an answer's folder, to compare with */
    const char *exposed; /* a raster, or an attribute of places, to sum up in exposed.csv */
    int members;         /* also named_members.csv: members to look at */
    /* For a nowcast, to which assets and members apply, too. */
    const char *library; /* library that an ensemble of the plan with `keep` made; copied */
    double now_s;        /* later observations do not count; < 0: all count */
    const char *layers;  /* as in struct sciara_run_options; others can be read, too */
};
SCIARA_API void sciara_study_options_init(struct sciara_study_options *o, size_t size);

/* Reads the plan (SCIARA_ASK: the library and its plan) and all that it names. Then takes the folder
 * as sciara_run() does; with `resume` it continues from the state there. SCIARA_INPUT: also if the
 * folder holds an unfinished study that is not resumed. o: NULL for the defaults. */
SCIARA_API int sciara_study_open(sciara_study **s, enum sciara_study_kind kind, const char *plan,
                                 const struct sciara_study_options *o, struct sciara_error *e);
SCIARA_API void sciara_study_close(sciara_study *s);

/* Computes, and writes the state meanwhile. SCIARA_CANCELLED: by the progress function; another
 * call continues. Results until then, except of a question, can be read and written. */
SCIARA_API int sciara_study_run(sciara_study *s, struct sciara_error *e);

/* Writes all files into the folder, summary.json last. SCIARA_INPUT: nothing has been computed, or
 * the study has no folder. */
SCIARA_API int sciara_study_write(sciara_study *s, struct sciara_error *e);

/* What can be read: the files that sciara_study_write() would write and that are layers or tables,
 * and summary.json. Strings are valid until the study is closed. */
struct sciara_product {
    const char *name;  /* "probability.tif", "members.csv" */
    const char *unit;  /* of a layer: "h"; "": a pure number */
    const char *about; /* of a layer: one line */
    int layer;         /* sciara_study_layer() reads it, else sciara_study_table() */
};
/* Product i, from 0. SCIARA_INPUT beyond the last. */
SCIARA_API int sciara_study_product(sciara_study *s, int i, struct sciara_product *product,
                                    struct sciara_error *e);

/* A layer into the caller's memory of `count` elements (rows * cols), NaN where there is nothing.
 * SCIARA_INPUT: the study has no layer of that name. */
SCIARA_API int sciara_study_layer(sciara_study *s, const char *name, float *out, size_t count,
                                  struct sciara_error *e);

/* The text of a table; the caller frees it with sciara_text_free(). */
SCIARA_API int sciara_study_table(sciara_study *s, const char *name, char **text,
                                  struct sciara_error *e);

/* The grid of the plan, as far as a plan has it. Strings and arrays belong to the study. */
SCIARA_API void sciara_study_info(const sciara_study *s, struct sciara_case_info *info);

/* The digest of the plan and of all results; equal studies have equal digests. It is 0 for a
 * calibration, which has its numbers in evaluations.csv. */
SCIARA_API uint64_t sciara_study_digest(sciara_study *s);

/* ---- finished runs --------------------------------------------------------------------------- */

/* The caller frees a result, and with it its strings and arrays. A number that is not known is NaN.
 * `json` is the whole result as text, with more details: what the command of that name prints
 * with --json. Files are only read. A progress function that cancels is obeyed when reading has ended. */

/* The cells of a simulated flow S and of an observed flow R. */
struct sciara_overlap {
    size_t both, only_simulated, only_observed; /* S and R, S without R, R without S */
    size_t simulated, observed, either;         /* S, R, S or R */
    double jaccard;                             /* |S and R| / |S or R|: e1 of the SCIARA papers */
    double jaccard_root;
    double precision;         /* |S and R| / |S| */
    double recall;            /* |S and R| / |R| */
    double f1;                /* 2 |S and R| / (|S| + |R|) */
    double over_m2, under_m2; /* areas of S without R and of R without S */
    double volume_m3;         /* of the simulated lava */
    double outside_m2;        /* area observed outside the grid, or where it has no terrain */
    double outside_share;     /* of all that was observed */
    int runout_known;
    /* If vents are not known, distances count from the highest observed cell: if several are as
     * high, from the northernmost, then westernmost */
    int source_row, source_col;
    /* The distance of the farthest cell from its nearest source, in a straight line */
    double runout_simulated_m, runout_observed_m;
    /* Whether the flow is cut off where the terrain ends: then its run-out is a lower bound, and
     * the difference is not known. */
    int simulated_cut, observed_cut;
    double runout_difference_m; /* simulated - observed */
};

/* A score and its standard error, of a bootstrap of blocks. */
struct sciara_estimate {
    double value, error;
};
enum sciara_score { SCIARA_BRIER, SCIARA_BRIER_SKILL, SCIARA_LOG_SCORE, SCIARA_ROC_AREA };

/* The scores of a forecast against what was observed; a run is a forecast of one member. */
struct sciara_scores {
    char within[96];                 /* where it is verified: "the outline's box and 500 m" */
    uint64_t cells, observed;        /* cells verified; cells observed among them */
    struct sciara_estimate score[4]; /* enum sciara_score */
    double reliability, resolution, uncertainty; /* of the Brier score */
    double log_reference;    /* log score of a forecast with the observed share in every cell */
    double best_jaccard;     /* the best overlap of the cells at or above a probability, */
    double best_probability; /* which is this; 0: of all cells above 0 */
    /* Set only with `against`: cells that both have; scores minus those of the other forecast */
    uint64_t cells_against;
    struct sciara_estimate difference[4];
};

struct sciara_fit_options {
    size_t size;
    const char *outline;   /* what was observed: a raster, inside where > 0, or polygons of a vector
                             file; NULL: the outline of the case or plan */
    const char *case_path; /* of a raster: the case with its terrain and vents; NULL: none */
    const char *dem;       /* of a raster: its terrain; NULL: none */
    double threshold_m;    /* lava thinner than that does not count */
    /* Verify on the cells up to that far ("500m", "2km") from the outline, or in polygons of a vector
     * file; NULL: in the outline's box and 500 m */
    const char *within;
    double discrepancy_m; /* verify the mean probability of the cells up to that far */
    const char *against;  /* the folder of another forecast, to be compared with; NULL: none */
    /* File for a map of hits, misses and false alarms: .png, .svg or .pdf; it may replace a picture by
     * sciara, and no other file. "": fit.png in the folder of a run; NULL: none */
    const char *map;
    struct sciara_watcher watcher; /* also called when the map begins; a later cancellation takes
                                      effect after the map */
};
SCIARA_API void sciara_fit_options_init(struct sciara_fit_options *o, size_t size);

struct sciara_fit {
    const char *run, *outline; /* paths */
    double members;            /* effective number: of a run 1 */
    struct sciara_scores scores;
    /* Set for a run or a raster; 0 and NULL for a forecast of many runs */
    double cell_m;
    int vent_count; /* 0: not known */
    struct sciara_overlap overlap;
    double left_m3, left_share; /* volume that has left the domain, and its share */
    const char *warning;        /* what the numbers exclude, one line; "": nothing */
    const char *map;            /* the file that was written; NULL: none */
    const char *json;
};

/* `sciara fit`: the lava of a run, mobile and solidified, against an observed outline. `run` is the folder
 * of a run, of an ensemble or another forecast, or a raster of lava thickness. SCIARA_INPUT: also if
 * there is no lava. o: NULL for the defaults. */
SCIARA_API int sciara_fit(struct sciara_fit **fit, const char *run,
                          const struct sciara_fit_options *o, struct sciara_error *e);
SCIARA_API void sciara_fit_free(struct sciara_fit *fit);

/* How two rasters of one grid differ. */
struct sciara_difference {
    size_t cells;  /* compared */
    size_t differ; /* cells whose bits differ, or with data in one only; all NaN are alike */
    size_t missing_a, missing_b; /* cells with data in b only; in a only */
    double largest;              /* |a - b| */
    size_t largest_at;           /* first cell of it */
    double l1;                   /* sum of |a - b| */
    double l1_relative;          /* l1 / sum of |a|; NaN if that is 0 */
    size_t both, either;         /* cells > 0 in both, in either: the footprints */
    double overlap;              /* both / either; NaN if there are none */
    int empty;                   /* neither has a cell that is not 0: equal, but meaningless */
};

struct sciara_layer_difference {
    const char *name; /* "thickness_m_016000.tif"; of two rasters "raster" */
    struct sciara_difference d;
    size_t row, col; /* of the largest difference, in the domain */
};

enum sciara_verdict { SCIARA_EQUAL, SCIARA_DIFFERENT, SCIARA_UNDECIDED };

struct sciara_comparison {
    int verdict;      /* enum sciara_verdict */
    char reason[128]; /* why it is undecided; else "" */
    int count;
    const struct sciara_layer_difference *layer;
    char digest_a[24], digest_b[24]; /* of the exact states at the last step; "": not compared */
    const char *notes;               /* what else was not compared, a line each; "": nothing */
    const char *json;
};

/* `sciara compare`: two folders of runs, layer by layer, or two rasters; a state stands for a folder with the
 * layers of its step. watcher: NULL: none. */
SCIARA_API int sciara_compare(struct sciara_comparison **c, const char *a, const char *b,
                              const struct sciara_watcher *watcher, struct sciara_error *e);
SCIARA_API void sciara_comparison_free(struct sciara_comparison *c);

/* `sciara info`: how a case, a plan, a raster, a vector file, a state or the folder of a run is read, as an object
 * of JSON, whose members depend on its `kind`. The caller frees it with sciara_text_free().
 * watcher: NULL: none. */
SCIARA_API int sciara_info(char **json, const char *path, const struct sciara_watcher *watcher,
                           struct sciara_error *e);

/* ---- showing --------------------------------------------------------------------------------- */

struct sciara_show_progress {
    const char *path; /* of the file that was painted */
    const char *note; /* one line, if it does not show what was asked for; else "" */
    int done, all;    /* number of files painted, with this one; of all files */
};

/* Called after each file on the thread that called the library. A return value other than 0 cancels.
 * Strings are valid until it returns. */
typedef int (*sciara_show_function)(const struct sciara_show_progress *now, void *user);

struct sciara_show_options {
    size_t size;
    unsigned formats;   /* SCIARA_PNG, SCIARA_SVG, SCIARA_PDF, SCIARA_HTML, SCIARA_KMZ, SCIARA_QGIS,
                             SCIARA_WEBP, or'ed */
    const char *output; /* folder for the pictures; NULL: the folder that is shown */
    const char *only;   /* one picture, by the name of its file without ending; NULL: all */
    const char *language; /* of pictures and pages: "en", "it", ...; NULL: as recorded */
    double map_width_in, map_height_in, map_dpi; /* as in struct sciara_run_options; 0: as
                                                    recorded */
    sciara_show_function progress;               /* NULL: none */
    void *user;                                  /* passed to it */
    double extent[4]; /* west, south, east and north of maps, in the CRS of the layers; all 0: as
                         recorded */
};
SCIARA_API void sciara_show_options_init(struct sciara_show_options *o, size_t size);

/* Paints the pictures of a finished run or study again, from record.zip in its folder, which may be
 * read-only if `output` is another; that one is made if it does not exist. KMZ and QGIS show the
 * layers of the folder, report.html also its tables, which are read, too. Nothing is computed, and
 * nothing else is read or removed. A picture appears whole or not at all, and replaces one by sciara
 * of that name. SCIARA_INPUT, before any is painted: the record is missing, damaged, or of another
 * version; it has nothing for one of the formats, or no such picture; a file that is read differs
 * from the one in summary.json; `output` has files of another result; `extent` lies outside a map's
 * terrain in the record; a file that is not by sciara is in the way; or a run is writing to the
 * folder, and `output` is NULL. SCIARA_FAILED: a picture cannot be written, or libsciara_show.so,
 * which paints, cannot be loaded. After an error, or if cancelled, pictures painted so far stay.
 * o: NULL for the defaults, SCIARA_PNG. */
SCIARA_API int sciara_show(const char *folder, const struct sciara_show_options *o,
                           struct sciara_error *e);

#ifdef __cplusplus
}
#endif
#endif
