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
 * There are three kinds of objects. A case is the input of a computation; a simulation computes it; a snapshot is its
 * state at one step. One function makes an object, another frees it and accepts NULL. Objects can be freed in any order,
 * because an object keeps all that it needs of the object from which it was made.
 *
 * Status. A function that can fail returns 0 (SCIARA_OK) or the status of the error, which it describes in *e in one
 * line: `file:line: what is wrong; what to do`. e may be NULL. An object that could not be made is NULL. The library
 * prints nothing and never ends the program. It has no global state.
 *
 * Threads. Several simulations can run at once on several threads. A case and a snapshot are constant and may be read
 * by several threads at once; a simulation belongs to one thread at a time. The library's own threads block all
 * signals. If the system grants fewer threads than requested, the library uses fewer; see docs/library.md, "Threads".
 * After a fork() the child process may use the objects that it inherits, unless they use a GPU or another thread of the
 * parent was in the library.
 *
 * Structures that the caller fills in begin with their size. An _init function sets the size and all defaults.
 * Structures and arrays may have any content: what cannot be computed is refused (SCIARA_INPUT).
 *
 * Arrays have rows * cols elements, row by row from the north, columns from the west. Lengths are in m, times in s,
 * temperatures in K. A cell without data has elevation NaN.
 *
 * Results are exact: thicknesses and elevations are multiples of 2^-36 m, and every variant gives the same bits on
 * every machine (docs/model.md, section 4). */
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

#define SCIARA_VERSION "0.2.0" /* version of this header */

/* The version of the linked library. */
SCIARA_API const char *sciara_version(void);

/* ---- status ---------------------------------------------------------------------------------- */

enum sciara_status {
    SCIARA_OK = 0,
    SCIARA_FAILED = 1,    /* disk full, CUDA error or out of memory */
    SCIARA_INPUT = 2,     /* invalid input */
    SCIARA_DEVICE = 3,    /* no CUDA device, or none that is suitable */
    SCIARA_CANCELLED = 4, /* the progress function cancelled */
};

struct sciara_error {
    int status; /* enum sciara_status */
    char text[1024];
};

/* ---- progress -------------------------------------------------------------------------------- */

enum sciara_phase { SCIARA_READING, SCIARA_SETTING_UP, SCIARA_COMPUTING, SCIARA_WRITING };

struct sciara_progress {
    enum sciara_phase phase;
    int file;           /* READING, WRITING: number of the present file, from 1; 0: none yet */
    int64_t done, all;  /* cells of that file; all == 0: their number is not known */
    int64_t step;       /* COMPUTING: steps done, counted from the start of the eruption */
    int64_t first_step; /* COMPUTING: the step at which the run began */
    int64_t last_step;  /* COMPUTING: the last possible step; 0: not known */
    double elapsed_s;   /* since the phase began */
    double mobile_m;    /* COMPUTING: sum of mobile thickness at the last reduction */
};

/* Called several times a second during a long operation, on the thread that called the library. A return value other
 * than 0 cancels the operation, which then returns SCIARA_CANCELLED; SCIARA_SETTING_UP is completed first. The function
 * must not use objects that the operation uses. */
typedef int (*sciara_progress_function)(const struct sciara_progress *now, void *user);

struct sciara_watcher {
    sciara_progress_function progress; /* NULL: none */
    void *user;                        /* passed to the function */
};

/* ---- variants -------------------------------------------------------------------------------- */

/* A variant is a way to compute; all variants give the same bits (`sciara variants`). */
struct sciara_variant {
    const char *name;    /* "cfamo" */
    const char *summary; /* one line; "": the variant was not built */
    int built;           /* the library has this variant */
    int cuda;            /* runs on a GPU */
    int available;       /* it works on this machine and the requested device */
    size_t bytes_per_cell;
    char device[128];  /* "NVIDIA H200", or the processor's name; "" if not available */
    char reason[1024]; /* reason if it is not available */
};

/* sciara_variant_count(): the number of variants, built or not. sciara_variant_name(): the name of variant i; NULL
 * beyond the last. Variant 0 is the fastest on a lava flow. Strings belong to the library and remain valid. */
SCIARA_API int sciara_variant_count(void);
SCIARA_API const char *sciara_variant_name(int i);

/* Describes a variant. SCIARA_INPUT: there is no variant with that name. It is not an error if the variant was not
 * built or does not work here. */
SCIARA_API int sciara_variant_describe(struct sciara_variant *v, const char *name, int device,
                                       struct sciara_error *e);

/* Resources of a kernel in a step on a CUDA device. */
struct sciara_kernel {
    char name[64];
    int cols, rows;      /* number of threads in a block */
    int registers;       /* registers of a thread */
    size_t shared_bytes; /* shared memory of a block */
    size_t local_bytes;  /* memory of a thread for data that did not fit into registers */
    int blocks;          /* blocks on a multiprocessor at the same time */
    double occupancy;    /* threads of these blocks, divided by the most of a multiprocessor */
    /* What prevents more blocks: "threads", "blocks", "shared memory", "registers" */
    char limit[32];
};

/* Writes at most `room` kernels of a variant's step to kernels[]. *count: the number of all kernels; 0: the variant
 * runs on the CPU. SCIARA_DEVICE: the variant was not built, or there is no such device. */
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

/* Agreement of runs with the outline of an eruption. The Jaccard index of a run is the number of cells in both run and
 * outline, divided by the number of cells in either. */
struct sciara_parameter_score {
    double jaccard, error; /* mean index of the runs, and its standard error; NaN: not known */
    char of[256];          /* the eruption; or the reason why the score is not known */
};

/* A set of parameters that a case file can name (`sciara parameters`, docs/formats.md). To use it in a case from
 * arrays, copy parameters and calibrated_cell_m, and set calibrated_clock_s to parameters.Pclock. */
struct sciara_parameter_set {
    const char *name; /* remains valid */
    struct sciara_parameters parameters;
    double calibrated_cell_m; /* side of the cells for which the parameters were calibrated */
    char eruption[128], source[512], not_for[512];
    /* Agreement with the eruption to which the parameters were fitted. */
    struct sciara_parameter_score in_sample;
    /* Agreement with an eruption to which the parameters were not fitted. */
    struct sciara_parameter_score held_out;
};

/* The number of sets, and the name of set i, from 0, in alphabetical order; NULL beyond the last. */
SCIARA_API int sciara_parameter_set_count(void);
SCIARA_API const char *sciara_parameter_set_name(int i);

/* SCIARA_INPUT: there is no set with that name. */
SCIARA_API int sciara_parameter_set_get(struct sciara_parameter_set *s, const char *name,
                                        struct sciara_error *e);

/* Reads a case file with all files that it names (docs/formats.md). arithmetic: NULL for exact arithmetic,
 * "published" for the arithmetic of the published program. Only the CPU computes published arithmetic, in the same
 * steps as that program. watcher may be NULL. */
SCIARA_API int sciara_case_load(sciara_case **c, const char *path, const char *arithmetic,
                                const struct sciara_watcher *watcher, struct sciara_error *e);

/* Reads member `number`, from 0, of an ensemble's plan as a case. Its results have the bits of that member. */
SCIARA_API int sciara_case_load_member(sciara_case **c, const char *path, int64_t number,
                                       const struct sciara_watcher *watcher,
                                       struct sciara_error *e);

/* A vent: one cell, or several cells with the same id, which share the rate equally. */
struct sciara_vent {
    int id;       /* > 0 */
    int row, col; /* a cell with data */
};

/* Effusion rate of a vent between two times. id 0: the rate of all vents together, which share it equally. Intervals of
 * the same id must not overlap. */
struct sciara_rate {
    int id;
    double from_s, to_s; /* since the start of the eruption; 0 <= from_s < to_s */
    double rate_m3_s;    /* >= 0 */
};

/* The emission of a step (docs/model.md, section 2.1). */
enum sciara_emission {
    SCIARA_EMISSION_INTEGRAL, /* integral of the rate over the step, rounded to 2^-36 m of lava */
    /* The rate at the end of the step times its length, as in the published program. */
    SCIARA_EMISSION_PUBLISHED,
};

/* A case from arrays, which are copied. First call sciara_case_input_init() with the size of the structure. It sets
 * `size`, which tells the library the caller's version of sciara.h, and all other fields to 0 or NULL. Then set fields
 * as needed. */
struct sciara_case_input {
    size_t size;
    const char *name;           /* used in file names: 1 to 63 characters, no slash; NULL: "case" */
    const char *title;          /* title of maps, UTF-8; NULL: the name */
    int rows, cols;             /* at least 3 each */
    double cell_m;              /* side of a square cell, > 0 */
    double west_m, south_m;     /* outer corner of the south-west cell */
    int epsg;                   /* code of a projected CRS in metres; 0: not known */
    const char *start_time;     /* "2006-07-14T22:00", UTC; NULL: not known */
    const char *terrain_source; /* source of the terrain; NULL: not known */
    const char *outline;        /* path of an observed outline for maps; NULL: none */
    struct sciara_parameters parameters;
    const double *elevation_m;   /* -4,000 to 10,000 m; NaN: no data */
    const double *thickness_m;   /* initial mobile lava; NULL: none */
    const double *temperature_K; /* temperature of initial lava; NULL: PTvent */
    /* Lava that solidified before the start, which the elevation includes; NULL: none. */
    const double *solidified_m;
    const struct sciara_vent *vents;
    int vent_count;
    const struct sciara_rate *rates;
    int rate_count;
    int64_t first_step;   /* steps done before this case begins; usually 0 */
    int64_t max_steps;    /* last step; 0: no limit, so sciara_run() needs stop_below_m */
    int64_t reduce_every; /* steps between reductions of mobile lava; 0: 100 */
    /* After the last emission, the run ends when mobile thicknesses sum up to at most this; 0: no such rule. */
    double stop_below_m;
    int emission; /* enum sciara_emission; 0: the integral */
    /* Side of the cells for which the parameters were calibrated. Pcool is scaled for other cells (docs/model.md,
     * 2.7). 0: not known. */
    double calibrated_cell_m;
    /* Pclock of the calibration; 0: parameters.Pclock. If parameters.Pclock is 0, the step is calibrated_clock_s,
     * scaled for the size of the cells. */
    double calibrated_clock_s;
    double run_h; /* end of the run in hours; 0: max_steps decides */
    /* If a vent would emit 2 m or more into a cell in a step, its lava is spread over as many of the nearest cells as
     * needed, up to this distance, m. 0: not spread. */
    double vent_radius_m;
};
SCIARA_API void sciara_case_input_init(struct sciara_case_input *input, size_t size);

SCIARA_API int sciara_case_create(sciara_case **c, const struct sciara_case_input *input,
                                  struct sciara_error *e);

SCIARA_API void sciara_case_free(sciara_case *c);

/* Properties of a case. Strings and arrays belong to the case. */
struct sciara_case_info {
    const char *name, *title, *path; /* path: "" if made from arrays */
    const char *terrain_source;      /* begins with SYNTHETIC TERRAIN if it is synthetic */
    const char *start_time;          /* "" if not known */
    const char *outline;             /* path of the outline; NULL: none */
    int synthetic;                   /* terrain is synthetic */
    /* The case is of the original program, NAME_000000000000.cfg. */
    int original;
    int published; /* loaded for published arithmetic */
    int rows, cols;
    double cell_m, west_m, south_m;
    int epsg;                            /* 0: not known, or user-defined */
    int has_crs;                         /* an EPSG code or a user-defined CRS */
    const char *crs_name;                /* readable name; "" if not known */
    struct sciara_parameters parameters; /* as given, but with the Pclock that steps have */
    int64_t first_step, max_steps, snapshot_every, reduce_every;
    int64_t last_vent_step; /* last step that emits lava; 0: none */
    double stop_below_m;    /* < 0: no stopping rule */
    int vent_count;         /* number of cells that emit */
    double volume_m3;       /* volume that the steps emit */
    /* NULL: not given. All except thickness_m are also NULL until sciara_case_read_terrain(), if the terrain is large. */
    const double *elevation_m, *thickness_m, *temperature_K, *solidified_m;
    const char *height_unit; /* unit of the elevations as read: "metre (not declared)" */
    /* Metres of the CRS per metre on the ground; 0: there is no projected CRS. */
    double crs_scale_least, crs_scale_greatest;
    const char *notice;  /* notes on numerics and on how the case was read, one line; "": none */
    const char *warning; /* doubts about the input or the results, one line; "": none */
    int emission;        /* enum sciara_emission */
    double asked_m3;     /* volume that the rates request */
    /* Name of the set with the parameters that the case does not give; NULL: none. */
    const char *parameter_set;
    double calibrated_cell_m, calibrated_clock_s; /* as in sciara_case_input */
    double Pcool_scaled; /* Pcool of the steps: scaled, or as in parameters */
    /* Proposed Pclock, with which a front can move as fast as on the cells of the calibration; 0: none. */
    double Pclock_proposed;
};
SCIARA_API void sciara_case_info(const sciara_case *c, struct sciara_case_info *info);

/* Reads all of the terrain for sciara_case_info(), and keeps about 10 bytes for each cell. This is necessary only if
 * the DEM of a case file has more than 2^20 cells. Simulations read such terrain where they need it. */
SCIARA_API int sciara_case_read_terrain(sciara_case *c, struct sciara_error *e);

/* Cell i of the cells that emit, from 0 to vent_count - 1, and its total volume. */
SCIARA_API void sciara_case_vent(const sciara_case *c, int i, struct sciara_vent *vent,
                                 double *volume_m3);

/* The volume that the rates request from the beginning of step first_step + 1 to the end of last_step, and the volume
 * that these steps emit. Either pointer may be NULL. */
SCIARA_API void sciara_case_volume(const sciara_case *c, int64_t first_step, int64_t last_step,
                                   double *asked_m3, double *emitted_m3);

/* ---- simulations ----------------------------------------------------------------------------- */

typedef struct sciara_simulation sciara_simulation;

struct sciara_options {
    size_t size;
    /* NULL or "auto": the fastest variant that this machine can run. */
    const char *variant;
    int device;                    /* CUDA device, from 0 */
    int threads;                   /* threads of the CPU variant and its snapshots; 0: all */
    int full_domain;               /* compute every cell in every step, not only cells with lava */
    int64_t max_steps;             /* last step; 0: as in the case */
    double stop_below_m;           /* stopping rule, as in sciara_case_input; < 0: as in the case */
    struct sciara_watcher watcher; /* for sciara_create(), sciara_advance() and sciara_run() */
    const char *from_state; /* state from which to resume (sciara_snapshot_save()); NULL: none */
    /* Folder of a run; resumes from its latest undamaged state, if there is one; NULL: none. */
    const char *resume;
    /* The case may differ from the case of the state in vents, rates, parameters and stopping rule. Its terrain may
     * differ only with new_terrain. */
    int changed;
    /* Enum sciara_new_terrain. With `changed`: the terrain of the case, a later survey, replaces the terrain of the
     * state. */
    int new_terrain;
};
/* Whether the new terrain includes the lava that has solidified since the beginning. */
enum sciara_new_terrain { SCIARA_SAME_TERRAIN = 0, SCIARA_WITH_LAVA = 1, SCIARA_WITHOUT_LAVA = 2 };
SCIARA_API void sciara_options_init(struct sciara_options *o, size_t size);

/* Creates a simulation and allocates all the memory that its steps need. o: NULL for the defaults. SCIARA_INPUT: the
 * state is damaged, or belongs to another case; the text shows the difference. A resumed simulation has the same bits
 * and ledgers in every later step as an uninterrupted one, in any variant. */
SCIARA_API int sciara_create(sciara_simulation **s, const sciara_case *c,
                             const struct sciara_options *o, struct sciara_error *e);
SCIARA_API void sciara_free(sciara_simulation *s);

/* Makes `steps` steps, or fewer if max_steps or the stopping rule ends the run. After the end it does nothing. If
 * cancelled, the state is that of the last complete step, and the simulation can continue. */
SCIARA_API int sciara_advance(sciara_simulation *s, int64_t steps, struct sciara_error *e);

/* Makes steps up to the last step that ends at or before `time_s`, in seconds since the start of the eruption.
 * Otherwise as sciara_advance(). */
SCIARA_API int sciara_advance_to(sciara_simulation *s, double time_s, struct sciara_error *e);

/* The status of a simulation. sciara_state() returns at once. Strings belong to the simulation. */
struct sciara_state {
    int64_t step;        /* steps done, counted from the start of the eruption */
    double time_s;       /* step * Pclock */
    int ended;           /* max_steps has been reached, or the stopping rule has ended the run */
    int stopped;         /* the stopping rule has ended the run */
    double mobile_m;     /* sum of mobile thickness at the last reduction */
    double steps_s;      /* wall-clock time of the steps so far */
    double device_ms;    /* time of these steps on the device; on a CPU wall-clock time */
    size_t memory_bytes; /* GPU memory in use; for a CPU variant, host memory */
    const char *variant; /* "published" for published arithmetic */
    const char *device;  /* "NVIDIA H200", or the processor's name */
    int threads;         /* 0 on a GPU */
    int full_domain;
};

/* The step of the state from which a simulation was resumed; -1: it was not resumed. */
SCIARA_API int64_t sciara_from_step(const sciara_simulation *s);

/* If `resume` skipped the newest state because it is damaged: its path and the damage, in one line; else "". Valid
 * until sciara_free(). */
SCIARA_API const char *sciara_passed_over(const sciara_simulation *s);

SCIARA_API void sciara_state(const sciara_simulation *s, struct sciara_state *state);

/* ---- snapshots ------------------------------------------------------------------------------- */

typedef struct sciara_snapshot sciara_snapshot;

enum sciara_field {
    SCIARA_ELEVATION,       /* m: of the ground, including solidified lava; NaN: no data */
    SCIARA_THICKNESS,       /* m: mobile lava */
    SCIARA_TEMPERATURE,     /* K: remains after lava has left; 0 in cells that never had lava */
    SCIARA_SOLIDIFIED,      /* m: solidified so far */
    SCIARA_MAX_THICKNESS,   /* m: largest sum of mobile and solidified lava so far */
    SCIARA_MAX_TEMPERATURE, /* K: largest so far; 0 in cells that never had lava */
    SCIARA_TOTAL_THICKNESS, /* m: mobile and solidified lava; not stored */
    SCIARA_ARRIVAL,         /* s since the start of the eruption until lava arrived; not stored */
};

/* Begins to copy the present state, and returns. Steps can continue during the copy. All functions below wait for the
 * copy, and a second snapshot waits for the first. */
SCIARA_API int sciara_snapshot_take(sciara_snapshot **snapshot, sciara_simulation *s,
                                    struct sciara_error *e);
SCIARA_API void sciara_snapshot_free(sciara_snapshot *snapshot);

/* Waits for the copy, and checks that the ledger closes. SCIARA_FAILED: the ledger does not close, which is a defect of
 * the program. The functions below include this check. If it fails, they return an error, NULL or 0. */
SCIARA_API int sciara_snapshot_wait(sciara_snapshot *snapshot, struct sciara_error *e);

SCIARA_API int64_t sciara_snapshot_step(sciara_snapshot *snapshot);

/* A stored field of the domain, rows * cols elements, which belongs to the snapshot. NULL: the field is not stored. */
SCIARA_API const double *sciara_snapshot_field(sciara_snapshot *snapshot, enum sciara_field field);

/* First step that ended with lava in each cell; INT32_MAX: never. The array belongs to the snapshot. */
SCIARA_API const int32_t *sciara_snapshot_arrival_step(sciara_snapshot *snapshot);

/* Copies a field as float into the caller's memory of `count` elements (rows * cols). NaN: the layer of that name has
 * no value in the cell, because the cell has no data, or no lava at this step. */
SCIARA_API int sciara_snapshot_read(sciara_snapshot *snapshot, enum sciara_field field, float *out,
                                    size_t count, struct sciara_error *e);
/* Copies a field exactly, in units of 2^-36 m (SCIARA_ARRIVAL: in steps). INT64_MIN: the elevation has no data;
 * INT64_MAX: lava never arrived. SCIARA_INPUT: the field is a temperature, which is no multiple of a unit, or
 * the case is for published arithmetic. */
SCIARA_API int sciara_snapshot_read_exact(sciara_snapshot *snapshot, enum sciara_field field,
                                          int64_t *out, size_t count, struct sciara_error *e);

/* The part of the domain that the simulation held in memory at that step. Outside it the state is as at the
 * beginning. In a domain of more than 2^20 cells this part follows the lava. The functions above make arrays of the
 * whole domain, for which they need memory. */
struct sciara_window {
    int row0, col0; /* position of its first cell in the domain */
    int rows, cols;
};
SCIARA_API int sciara_snapshot_window(sciara_snapshot *snapshot, struct sciara_window *window,
                                      struct sciara_error *e);
/* sciara_snapshot_read() for any window of the domain. count: rows * cols of the window. */
SCIARA_API int sciara_snapshot_read_window(sciara_snapshot *snapshot, enum sciara_field field,
                                           const struct sciara_window *window, float *out,
                                           size_t count, struct sciara_error *e);

/* The ledger in units of 2^-36 m of thickness: initial + emitted == mobile + solidified +
 * left_domain + entered_sea, exactly. A sum is high * 2^64 + low, in two's complement. */
struct sciara_sum {
    uint64_t low;
    int64_t high;
};
/* The ledger of heat in units of 2^-40 K m, thickness times temperature: initial + emitted == mobile + solidified +
 * left_domain + cooled, exactly. `emitted` includes heat that vents add to lava in their cells. Lava that solidifies
 * counts with its heat at that time, as does lava that leaves the domain or enters the sea. All sums are 0 in
 * published arithmetic. */
struct sciara_heat_ledger {
    struct sciara_sum initial, emitted, mobile, solidified, left_domain, cooled;
    /* Energy of a unit, above 0 K: 2^-40 K m times cell area, density and specific heat. */
    double unit_J;
};
struct sciara_ledger {
    struct sciara_sum initial, emitted, mobile, solidified, left_domain, entered_sea;
    double unit_m3; /* volume of a unit: 2^-36 m times cell area */
    struct sciara_heat_ledger heat;
    /* Changes of the ground by terrain_update and by new terrain, without lava. */
    struct sciara_sum ground_raised, ground_lowered;
};
SCIARA_API int sciara_snapshot_ledger(sciara_snapshot *snapshot, struct sciara_ledger *ledger,
                                      struct sciara_error *e);
SCIARA_API double sciara_sum_value(struct sciara_sum sum); /* rounded to the nearest double */

/* A digest of every bit of all fields, in all cells with lava at any time. Equal states have equal digests, on every
 * machine. */
SCIARA_API uint64_t sciara_snapshot_digest(sciara_snapshot *snapshot);

/* The number of cells with different bits in any field. *field: name of the first such field, "elevation",
 * "mobile thickness", "temperature", "solidified thickness", "max thickness", "max temperature" or "arrival step";
 * "": there is none. SIZE_MAX: the grids differ in size, or a copy failed. */
SCIARA_API size_t sciara_snapshot_differ(sciara_snapshot *a, sciara_snapshot *b,
                                         const char **field);

struct sciara_extent {
    size_t cells;   /* cells with mobile or solidified lava in this state */
    double area_m2; /* area of these cells */
    /* Distance of the farthest of these cells from its nearest vent; NaN without vents. */
    double runout_m;
    double max_thickness_m; /* largest sum of mobile and solidified lava at any step so far */
    double thickest_m;      /* largest sum of mobile and solidified lava in this state */
    double left_m3;         /* volume that left the domain */
    /* left_m3 divided by all lava emitted or initially mobile, 0 to 1. */
    double left_share;
    size_t front_cells; /* cells on the path of the lava to the farthest cell */
    /* Cells of this path in stretches of at least 20 cells that lava crossed at nearly one cell per step, the limit of
     * a front's speed. */
    size_t front_cells_at_limit;
    double sea_m3, sea_share; /* volume that has entered the sea; divided as in left_share */
    int64_t sea_step;         /* step in which lava first entered the sea; -1: never */
    int sea_row, sea_col;     /* cell of the shore from which lava did this; -1: none */
};
SCIARA_API int sciara_snapshot_extent(sciara_snapshot *snapshot, struct sciara_extent *extent,
                                      struct sciara_error *e);

/* Writes the exact state as a GeoTIFF of Float64, from which a simulation of the same case can resume. The file
 * appears whole or not at all. SCIARA_INPUT: the case is for published arithmetic, whose numbers a state
 * cannot hold. */
SCIARA_API int sciara_snapshot_save(sciara_snapshot *snapshot, const char *path,
                                    struct sciara_error *e);

/* Kinds of files (docs/formats.md), to be or'ed. */
enum sciara_format {
    SCIARA_GEOTIFF = 1,
    SCIARA_PNG = 2,
    SCIARA_ORIGINAL = 4,
    /* The next five are only for whole runs, written at their end. KMZ, QGIS and NetCDF show layers, so they need
     * SCIARA_GEOTIFF, too. */
    SCIARA_GEOJSON = 16,
    SCIARA_GEOPACKAGE = 32,
    SCIARA_KMZ = 64,
    SCIARA_QGIS = 128,
    SCIARA_NETCDF = 256,
    /* The maps and the timeline of SCIARA_PNG as vector graphics, in which text remains text. */
    SCIARA_SVG = 512,
    SCIARA_PDF = 1024,
    /* report.html, a page for the browser; only for whole runs, with SCIARA_GEOTIFF */
    SCIARA_HTML = 2048,
    /* An animation, only for sciara_show(). A run makes an animation if `frame_every` requests it. */
    SCIARA_WEBP = 4096
};

/* The name of a format on the command line and in Python, such as "geotiff". NULL: not a single format. */
SCIARA_API const char *sciara_format_name(unsigned format);

/* Kinds of maps, to be or'ed. Each snapshot has the first two; the others are of the end of a run. */
enum sciara_map {
    SCIARA_MAP_THICKNESS = 1,
    SCIARA_MAP_TEMPERATURE = 2,
    SCIARA_MAP_ARRIVAL = 4,
    SCIARA_MAP_MAX_THICKNESS = 8
};

/* The part of the domain that layers, maps and exports show. FLOW: flow, vents and observed outline with a margin.
 * FULL: the whole domain. BY_SIZE: as FLOW if the domain has more than 2^20 cells, otherwise as FULL. */
enum sciara_layer_extent {
    SCIARA_EXTENT_BY_SIZE = 0,
    SCIARA_EXTENT_FLOW = 1,
    SCIARA_EXTENT_FULL = 2
};

/* Writes layers and maps of a snapshot, and makes the folder if needed. Each file appears when it is complete, and
 * replaces a file of that name. SCIARA_INPUT: the case was read from a file of that name. */
SCIARA_API int sciara_snapshot_write(sciara_snapshot *snapshot, const char *folder,
                                     unsigned formats, const struct sciara_watcher *watcher,
                                     struct sciara_error *e);

/* ---- whole runs ------------------------------------------------------------------------------ */

struct sciara_run_options {
    size_t size;
    const char *folder; /* folder of the files; NULL: no files */
    unsigned formats;   /* enum sciara_format, or'ed */
    int64_t every;      /* steps between files; 0: only at the end; < 0: as in the case */
    double load_s;      /* time that the caller needed to read the case; for the summary */
    int states;         /* write a state at the end, and if cancelled */
    /* Steps between states; 0: none. A state waits while other files are being written. */
    int64_t state_every;
    double state_minutes; /* minutes between states; 0: none. The latest two states are kept. */
    unsigned maps;        /* enum sciara_map, or'ed; 0: thickness and arrival */
    /* Size of the page of a map in inches; 0: as large as the map needs. */
    double map_width_in, map_height_in;
    double map_dpi; /* pixels per inch; 0: 300 if map_width_in is set, else 200 */
    /* Steps between frames of an animation; 0: no animation; < 0: about 60 frames. */
    int64_t frame_every;
    int extent; /* enum sciara_layer_extent */
    /* Further layers: names (docs/formats/output.md) or patterns of names, separated by commas; "all"; NULL: the
     * usual ones. */
    const char *layers;
};
SCIARA_API void sciara_run_options_init(struct sciara_run_options *o, size_t size);

/* Computes from the present step to the end, writes snapshots meanwhile, and summary.json last. The folder is made
 * after all checks and belongs to the run, which removes the files of an earlier run, and no others. A simulation
 * that found a state by `resume` keeps the files of steps up to that state.
 *
 * SCIARA_INPUT, before any file is changed: another run is writing to the folder; or a file in the way
 * (docs/formats/output.md) was not written by a run, or the case was read from it. SCIARA_CANCELLED: the results so
 * far are written. SCIARA_FAILED: a file of the end of the run could not be written. The summary names this file; all
 * other files are written.
 *
 * *last: the state at the end, which the caller frees, also after SCIARA_CANCELLED and SCIARA_FAILED. NULL: there is
 * none, for example if writing was cancelled; complete files remain. `last` may be NULL. */
SCIARA_API int sciara_run(sciara_simulation *s, const struct sciara_run_options *o,
                          sciara_snapshot **last, struct sciara_error *e);

/* The step of the last state that sciara_run() wrote; -1: none. */
SCIARA_API int64_t sciara_saved_step(const sciara_simulation *s);

/* The text of summary.json for the run so far, which the caller frees by sciara_text_free(). NULL: out of memory, or
 * sciara_run() was not called. */
SCIARA_API char *sciara_summary(const sciara_simulation *s);
SCIARA_API void sciara_text_free(char *text);

/* ---- studies --------------------------------------------------------------------------------- */

/* Many runs of a plan (docs/formats/plans.md), as the commands of the program compute them. Results have the same
 * bits for any number of threads or GPUs, and after a cancellation.
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
    SCIARA_ASK,         /* `sciara ask`: a question to a library, which replaces the plan */
    SCIARA_NOWCAST      /* `sciara nowcast`: members of a library, weighted by observations */
};

struct sciara_study_progress {
    const char *stage;  /* "members", "searching", "unseen noise", "morris", ... */
    int64_t done, all;  /* number of runs; in a calibration those of the present population */
    int64_t begun_with; /* runs that an earlier process did */
    double elapsed_s;
    /* In a calibration: evaluations before the present population; limit of all evaluations. Else 0. */
    int64_t evaluations, budget;
    double best; /* best score of a calibration; NaN: none yet */
};

/* Called about ten times a second on the thread that called the library. A return value other than 0 cancels. The
 * function must not use the study. */
typedef int (*sciara_study_function)(const struct sciara_study_progress *now, void *user);

struct sciara_study_options {
    size_t size;
    const char *folder;  /* folder of state and files; NULL: no files */
    int resume;          /* continue from the state in the folder, if there is one */
    int threads;         /* 0: all */
    const int *devices;  /* CUDA devices that compute instead of threads */
    int device_count;    /* number of devices; 0: threads compute; < 0: device 0, if it exists */
    double checkpoint_s; /* seconds between states of an ensemble in the folder; 0: 30 */
    /* Formats in addition to PNG: SCIARA_SVG, SCIARA_PDF, SCIARA_KMZ, SCIARA_QGIS. */
    unsigned formats;
    double map_width_in, map_height_in, map_dpi; /* as in struct sciara_run_options */
    sciara_study_function progress;              /* NULL: none */
    void *user;                                  /* passed to the function */
    /* The following fields take precedence over the plan. */
    double until_error; /* for an ensemble: standard error at which it ends; < 0: the plan's */
    /* For a calibration, a posterior or a sensitivity analysis; < 0: the plan's. */
    int64_t seed;
    int64_t evaluations; /* limit for a calibration or a posterior; 0: the limit of the plan */
    /* For a calibration or a posterior: the search ignores the plan's hold_out. */
    int hold_out;
    int64_t samples, trajectories; /* for a sensitivity analysis; 0: the plan's */
    int morris, sobol;             /* methods of a sensitivity analysis; both 0: the plan's */
    int extent;                    /* extent of layers and maps, enum sciara_layer_extent */
    /* For an ensemble: write all members to library.gpkg in the folder. */
    int keep;
    /* For a question. NULL: all members, with the weights and places of the plan. Strings are copied. */
    const char *of_plan;         /* present path of the plan; NULL: the path in the library */
    const char *where;           /* SQL expression that is true for the members of the question */
    const char *vents, *classes; /* files with other weights of vents and of classes */
    const char *assets;          /* file with other places of interest */
    const char *given;           /* an outline observed at the time at_s (0: at the end) */
    double at_s;
    /* Compare with other members, an expression as `where`, or with another answer, its folder. */
    const char *compare;
    const char *exposed; /* a raster, or an attribute of places, to be summed up in exposed.csv */
    int members;         /* write named_members.csv, a list of typical members */
    /* For a nowcast. `assets` and `members` apply to it as well. */
    const char *library; /* library that an ensemble of the plan made with `keep`; copied */
    double now_s;        /* only observations up to this time count; < 0: all count */
    const char *layers;  /* layers to write, as in struct sciara_run_options */
};
SCIARA_API void sciara_study_options_init(struct sciara_study_options *o, size_t size);

/* Reads the plan (SCIARA_ASK: the library and its plan) and all files that it names. Then checks the folder as
 * sciara_run() does. With `resume` the study continues from the state there. SCIARA_INPUT also if the folder has an
 * unfinished study and `resume` is not set. o: NULL for the defaults. */
SCIARA_API int sciara_study_open(sciara_study **s, enum sciara_study_kind kind, const char *plan,
                                 const struct sciara_study_options *o, struct sciara_error *e);
SCIARA_API void sciara_study_close(sciara_study *s);

/* Computes the study, and writes its state meanwhile. SCIARA_CANCELLED: the progress function cancelled; another call
 * continues. Results so far can be read and written, except those of a question. */
SCIARA_API int sciara_study_run(sciara_study *s, struct sciara_error *e);

/* Writes all files into the folder, summary.json last. SCIARA_INPUT: nothing has been computed, or
 * the study has no folder. */
SCIARA_API int sciara_study_write(sciara_study *s, struct sciara_error *e);

/* A result that can be read: summary.json, or a layer or table among the files of sciara_study_write(). Strings are
 * valid until the study is closed. */
struct sciara_product {
    const char *name;  /* "probability.tif", "members.csv" */
    const char *unit;  /* unit of a layer: "h"; "": a pure number */
    const char *about; /* description of a layer, one line */
    /* nonzero: a layer for sciara_study_layer(); 0: a text for sciara_study_table(). */
    int layer;
};
/* Describes product i, from 0. SCIARA_INPUT: there is no product i. */
SCIARA_API int sciara_study_product(sciara_study *s, int i, struct sciara_product *product,
                                    struct sciara_error *e);

/* Copies a layer into the caller's memory of `count` elements (rows * cols); NaN: no value. SCIARA_INPUT: the study
 * has no layer of that name. */
SCIARA_API int sciara_study_layer(sciara_study *s, const char *name, float *out, size_t count,
                                  struct sciara_error *e);

/* Sets *text to the text of a table, which the caller frees by sciara_text_free(). */
SCIARA_API int sciara_study_table(sciara_study *s, const char *name, char **text,
                                  struct sciara_error *e);

/* The grid and other properties that a plan has in common with a case. Strings and arrays belong to the study. */
SCIARA_API void sciara_study_info(const sciara_study *s, struct sciara_case_info *info);

/* The digest of the plan and of all results. Equal studies have equal digests. It is 0 for a calibration; the numbers
 * of a calibration are in evaluations.csv. */
SCIARA_API uint64_t sciara_study_digest(sciara_study *s);

/* ---- finished runs --------------------------------------------------------------------------- */

/* The caller frees a result, which includes its strings and arrays. Numbers that are not known are NaN. `json` is the
 * whole result as text with more details, as the command of that name prints it with --json. Files are only read. If
 * a progress function cancels, this takes effect when reading has ended. */

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
    double volume_m3;         /* volume of the simulated lava */
    double outside_m2;        /* observed area outside the grid, or where the terrain has no data */
    double outside_share;     /* outside_m2 divided by the whole observed area */
    int runout_known;
    /* If vents are not known, distances count from the highest observed cell. If several cells are equally high,
     * the northernmost of them counts, then the westernmost. */
    int source_row, source_col;
    /* The straight distance of the farthest cell from its nearest source. */
    double runout_simulated_m, runout_observed_m;
    /* Whether the flow is cut off at the end of the terrain. Its run-out is then a lower bound, and the difference is
     * not known. */
    int simulated_cut, observed_cut;
    double runout_difference_m; /* simulated - observed */
};

/* A score and its standard error, from a block bootstrap. */
struct sciara_estimate {
    double value, error;
};
enum sciara_score { SCIARA_BRIER, SCIARA_BRIER_SKILL, SCIARA_LOG_SCORE, SCIARA_ROC_AREA };

/* The scores of a forecast compared with an observed flow. A run is a forecast with one member. */
struct sciara_scores {
    char within[96];                 /* cells of the verification: "the outline's box and 500 m" */
    uint64_t cells, observed;        /* verified cells; observed cells among them */
    struct sciara_estimate score[4]; /* enum sciara_score */
    double reliability, resolution, uncertainty; /* terms of the Brier score */
    double log_reference; /* log score of a forecast with the observed share in all cells */
    /* Greatest Jaccard index of observed cells and cells with at least a probability, over all probabilities. */
    double best_jaccard;
    double best_probability; /* probability with this index; 0: all cells above 0 */
    /* Only with `against`: number of cells that both forecasts have; scores minus the scores of `against`. */
    uint64_t cells_against;
    struct sciara_estimate difference[4];
};

struct sciara_fit_options {
    size_t size;
    /* Observed flow: a raster, inside where > 0, or polygons of a vector file; NULL: the outline of the case or
     * plan. */
    const char *outline;
    /* If `run` is a raster: the case with its terrain and vents; NULL: none. */
    const char *case_path;
    const char *dem;    /* if `run` is a raster or a forecast: the terrain; NULL: none */
    double threshold_m; /* thinner lava does not count */
    /* Cells of the verification: within this distance ("500m", "2km") of the outline, or in polygons of a vector
     * file. NULL: the outline's box and 500 m. */
    const char *within;
    double discrepancy_m; /* verify the mean probability of the cells within this distance */
    const char *against;  /* folder of another forecast for comparison; NULL: none */
    /* File of a map of hits, misses and false alarms: .png, .svg or .pdf. It may replace a picture by sciara, but no
     * other file. "": fit.png in the folder of a run. NULL: none. */
    const char *map;
    /* Called during reading, and once when the map begins; cancelling then takes effect after the map. */
    struct sciara_watcher watcher;
};
SCIARA_API void sciara_fit_options_init(struct sciara_fit_options *o, size_t size);

struct sciara_fit {
    const char *run, *outline; /* paths */
    double members;            /* effective number of members; 1 for a run */
    struct sciara_scores scores;
    /* For a run or a raster; 0 and NULL for a forecast of many runs: */
    double cell_m;
    int vent_count; /* 0: not known */
    struct sciara_overlap overlap;
    double left_m3, left_share; /* volume that has left the domain; its share */
    const char *warning;        /* lava or outline that the numbers exclude, one line; "": none */
    const char *map;            /* path of the map; NULL: none */
    const char *json;
};

/* `sciara fit`: compares the lava of a run, mobile and solidified, with an observed outline. `run` is the folder of a
 * run or of a forecast, such as an ensemble, or a raster of lava thickness. SCIARA_INPUT also if there is no lava. o:
 * NULL for the defaults. */
SCIARA_API int sciara_fit(struct sciara_fit **fit, const char *run,
                          const struct sciara_fit_options *o, struct sciara_error *e);
SCIARA_API void sciara_fit_free(struct sciara_fit *fit);

/* Differences between two rasters on one grid. */
struct sciara_difference {
    size_t cells; /* number of cells compared */
    /* Cells with different bits, or with data only in one raster; all NaN are equal. */
    size_t differ;
    size_t missing_a, missing_b; /* cells with data only in b; only in a */
    double largest;              /* largest |a - b| */
    size_t largest_at;           /* index of the first cell with this difference */
    double l1;                   /* sum of |a - b| */
    double l1_relative;          /* l1 / sum of |a|; NaN if that is 0 */
    size_t both, either;         /* cells > 0 in both rasters, and in either: the footprints */
    double overlap;              /* both / either; NaN if `either` is 0 */
    /* All cells of both are 0: the rasters are equal, but this proves nothing. */
    int empty;
};

struct sciara_layer_difference {
    const char *name; /* "thickness_m_016000.tif"; "raster" if two rasters are compared */
    struct sciara_difference d;
    size_t row, col; /* cell of the largest difference, in the domain */
};

enum sciara_verdict { SCIARA_EQUAL, SCIARA_DIFFERENT, SCIARA_UNDECIDED };

struct sciara_comparison {
    int verdict;      /* enum sciara_verdict */
    char reason[128]; /* reason if undecided; else "" */
    int count;
    const struct sciara_layer_difference *layer;
    char digest_a[24], digest_b[24]; /* of the exact states at the last step; "": not compared */
    const char *notes;               /* what was not compared, in lines; "": nothing */
    const char *json;
};

/* `sciara compare`: compares two folders of runs layer by layer, or two rasters. A state is compared like a folder
 * with the layers of its step. watcher may be NULL. */
SCIARA_API int sciara_compare(struct sciara_comparison **c, const char *a, const char *b,
                              const struct sciara_watcher *watcher, struct sciara_error *e);
SCIARA_API void sciara_comparison_free(struct sciara_comparison *c);

/* `sciara info`: describes how the library reads a case, a plan, a raster, a vector file, a state or the folder of a
 * run. *json is a JSON object with members that depend on its `kind`; the caller frees it by sciara_text_free().
 * watcher may be NULL. */
SCIARA_API int sciara_info(char **json, const char *path, const struct sciara_watcher *watcher,
                           struct sciara_error *e);

/* ---- showing --------------------------------------------------------------------------------- */

struct sciara_show_progress {
    const char *path; /* path of the painted file */
    const char *note; /* one line if the file does not show what was requested; else "" */
    int done, all;    /* number of painted files, including this one; number of all files */
};

/* Called after each file on the thread that called the library. A return value other than 0 cancels. Strings are
 * valid until the function returns. */
typedef int (*sciara_show_function)(const struct sciara_show_progress *now, void *user);

struct sciara_show_options {
    size_t size;
    /* SCIARA_PNG, SCIARA_SVG, SCIARA_PDF, SCIARA_HTML, SCIARA_KMZ, SCIARA_QGIS, SCIARA_WEBP, or'ed. */
    unsigned formats;
    const char *output;   /* folder of the pictures; NULL: the given folder */
    const char *only;     /* name of a single picture, without its ending; NULL: all */
    const char *language; /* language of pictures and pages: "en", "it", ...; NULL: as recorded */
    /* As in struct sciara_run_options; 0: as recorded. */
    double map_width_in, map_height_in, map_dpi;
    sciara_show_function progress; /* NULL: none */
    void *user;                    /* passed to the function */
    /* west, south, east, north of maps in the CRS of the layers; all 0: as recorded. */
    double extent[4];
};
SCIARA_API void sciara_show_options_init(struct sciara_show_options *o, size_t size);

/* Paints the pictures of a finished run or study again, from record.zip in its folder. The folder may be read-only if
 * `output` is another folder, which is made if needed. KMZ and QGIS show the layers of the folder, and report.html
 * shows also its tables; these files are read as well. Nothing is computed, and no other file is read or removed. A
 * picture appears whole or not at all, and replaces a picture by sciara with the same name.
 *
 * SCIARA_INPUT, before the first picture is painted: the record is missing, damaged, or of another version; it has
 * nothing for a requested format, or no such picture; a file differs from that in summary.json; `output` has files of
 * another result; `extent` is outside the terrain of a map; a file that is not by sciara is in the way; or a run is
 * writing to the folder, and `output` is NULL. SCIARA_FAILED: a picture cannot be written, or libsciara_show.so,
 * which paints, cannot be loaded. After an error or a cancellation the pictures painted so far remain. o: NULL for
 * the defaults, SCIARA_PNG. */
SCIARA_API int sciara_show(const char *folder, const struct sciara_show_options *o,
                           struct sciara_error *e);

#ifdef __cplusplus
}
#endif
#endif
