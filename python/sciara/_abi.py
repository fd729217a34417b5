"""sciara.h for ctypes: its structures and functions, and nothing else.

tests/test_abi.py compares every size and offset with those that a C compiler gives for the header.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int64,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from typing import Any

OK, FAILED, INPUT, DEVICE, CANCELLED = range(5)
INT32_MAX = 2**31 - 1
SIZE_MAX = 2 ** (8 * ctypes.sizeof(c_size_t)) - 1


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class Progress(Structure):
    _fields_ = [
        ("phase", c_int),
        ("file", c_int),
        ("done", c_int64),
        ("all", c_int64),
        ("step", c_int64),
        ("first_step", c_int64),
        ("last_step", c_int64),
        ("elapsed_s", c_double),
        ("mobile_m", c_double),
    ]


PROGRESS_FUNCTION = CFUNCTYPE(c_int, POINTER(Progress), c_void_p)


class Watcher(Structure):
    _fields_ = [("progress", PROGRESS_FUNCTION), ("user", c_void_p)]


class Variant(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("summary", c_char_p),
        ("built", c_int),
        ("cuda", c_int),
        ("available", c_int),
        ("bytes_per_cell", c_size_t),
        ("device", c_char * 128),
        ("reason", c_char * 1024),
    ]


class Kernel(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("cols", c_int),
        ("rows", c_int),
        ("registers", c_int),
        ("shared_bytes", c_size_t),
        ("local_bytes", c_size_t),
        ("blocks", c_int),
        ("occupancy", c_double),
        ("limit", c_char * 32),
    ]


class Parameters(Structure):
    _fields_ = [
        ("Pclock", c_double),
        ("PTsol", c_double),
        ("PTvent", c_double),
        ("Pr_Tsol", c_double),
        ("Pr_Tvent", c_double),
        ("Phc_Tsol", c_double),
        ("Phc_Tvent", c_double),
        ("Pcool", c_double),
        ("Prho", c_double),
        ("Pepsilon", c_double),
        ("Psigma", c_double),
        ("Pcv", c_double),
    ]


class ParameterScore(Structure):
    _fields_ = [("jaccard", c_double), ("error", c_double), ("of", c_char * 256)]


class ParameterSet(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("parameters", Parameters),
        ("calibrated_cell_m", c_double),
        ("eruption", c_char * 128),
        ("source", c_char * 512),
        ("not_for", c_char * 512),
        ("in_sample", ParameterScore),
        ("held_out", ParameterScore),
    ]


class Vent(Structure):
    _fields_ = [("id", c_int), ("row", c_int), ("col", c_int)]


class Rate(Structure):
    _fields_ = [("id", c_int), ("from_s", c_double), ("to_s", c_double), ("rate_m3_s", c_double)]


class CaseInput(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("title", c_char_p),
        ("rows", c_int),
        ("cols", c_int),
        ("cell_m", c_double),
        ("west_m", c_double),
        ("south_m", c_double),
        ("epsg", c_int),
        ("start_time", c_char_p),
        ("terrain_source", c_char_p),
        ("outline", c_char_p),
        ("parameters", Parameters),
        ("elevation_m", c_void_p),
        ("thickness_m", c_void_p),
        ("temperature_K", c_void_p),
        ("solidified_m", c_void_p),
        ("vents", POINTER(Vent)),
        ("vent_count", c_int),
        ("rates", POINTER(Rate)),
        ("rate_count", c_int),
        ("first_step", c_int64),
        ("max_steps", c_int64),
        ("reduce_every", c_int64),
        ("stop_below_m", c_double),
        ("emission", c_int),
        ("calibrated_cell_m", c_double),
        ("calibrated_clock_s", c_double),
        ("run_h", c_double),
        ("vent_radius_m", c_double),
    ]


class CaseInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("title", c_char_p),
        ("path", c_char_p),
        ("terrain_source", c_char_p),
        ("start_time", c_char_p),
        ("outline", c_char_p),
        ("synthetic", c_int),
        ("original", c_int),
        ("published", c_int),
        ("rows", c_int),
        ("cols", c_int),
        ("cell_m", c_double),
        ("west_m", c_double),
        ("south_m", c_double),
        ("epsg", c_int),
        ("has_crs", c_int),
        ("crs_name", c_char_p),
        ("parameters", Parameters),
        ("first_step", c_int64),
        ("max_steps", c_int64),
        ("snapshot_every", c_int64),
        ("reduce_every", c_int64),
        ("last_vent_step", c_int64),
        ("stop_below_m", c_double),
        ("vent_count", c_int),
        ("volume_m3", c_double),
        ("elevation_m", c_void_p),
        ("thickness_m", c_void_p),
        ("temperature_K", c_void_p),
        ("solidified_m", c_void_p),
        ("height_unit", c_char_p),
        ("crs_scale_least", c_double),
        ("crs_scale_greatest", c_double),
        ("notice", c_char_p),
        ("warning", c_char_p),
        ("emission", c_int),
        ("asked_m3", c_double),
        ("parameter_set", c_char_p),
        ("calibrated_cell_m", c_double),
        ("calibrated_clock_s", c_double),
        ("Pcool_scaled", c_double),
        ("Pclock_proposed", c_double),
    ]


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("variant", c_char_p),
        ("device", c_int),
        ("threads", c_int),
        ("full_domain", c_int),
        ("max_steps", c_int64),
        ("stop_below_m", c_double),
        ("watcher", Watcher),
        ("from_state", c_char_p),
        ("resume", c_char_p),
        ("changed", c_int),
        ("new_terrain", c_int),
    ]


class State(Structure):
    _fields_ = [
        ("step", c_int64),
        ("time_s", c_double),
        ("ended", c_int),
        ("stopped", c_int),
        ("mobile_m", c_double),
        ("steps_s", c_double),
        ("device_ms", c_double),
        ("memory_bytes", c_size_t),
        ("variant", c_char_p),
        ("device", c_char_p),
        ("threads", c_int),
        ("full_domain", c_int),
    ]


class Window(Structure):
    _fields_ = [("row0", c_int), ("col0", c_int), ("rows", c_int), ("cols", c_int)]


class Sum(Structure):
    _fields_ = [("low", c_uint64), ("high", c_int64)]


class HeatLedger(Structure):
    _fields_ = [
        ("initial", Sum),
        ("emitted", Sum),
        ("mobile", Sum),
        ("solidified", Sum),
        ("left_domain", Sum),
        ("cooled", Sum),
        ("unit_J", c_double),
    ]


class Ledger(Structure):
    _fields_ = [
        ("initial", Sum),
        ("emitted", Sum),
        ("mobile", Sum),
        ("solidified", Sum),
        ("left_domain", Sum),
        ("entered_sea", Sum),
        ("unit_m3", c_double),
        ("heat", HeatLedger),
        ("ground_raised", Sum),
        ("ground_lowered", Sum),
    ]


class Extent(Structure):
    _fields_ = [
        ("cells", c_size_t),
        ("area_m2", c_double),
        ("runout_m", c_double),
        ("max_thickness_m", c_double),
        ("thickest_m", c_double),
        ("left_m3", c_double),
        ("left_share", c_double),
        ("front_cells", c_size_t),
        ("front_cells_at_limit", c_size_t),
        ("sea_m3", c_double),
        ("sea_share", c_double),
        ("sea_step", c_int64),
        ("sea_row", c_int),
        ("sea_col", c_int),
    ]


class RunOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("folder", c_char_p),
        ("formats", c_uint),
        ("every", c_int64),
        ("load_s", c_double),
        ("states", c_int),
        ("state_every", c_int64),
        ("state_minutes", c_double),
        ("maps", c_uint),
        ("map_width_in", c_double),
        ("map_height_in", c_double),
        ("map_dpi", c_double),
        ("frame_every", c_int64),
        ("extent", c_int),
        ("layers", c_char_p),
    ]


class StudyProgress(Structure):
    _fields_ = [
        ("stage", c_char_p),
        ("done", c_int64),
        ("all", c_int64),
        ("begun_with", c_int64),
        ("elapsed_s", c_double),
        ("evaluations", c_int64),
        ("budget", c_int64),
        ("best", c_double),
    ]


STUDY_FUNCTION = CFUNCTYPE(c_int, POINTER(StudyProgress), c_void_p)


class StudyOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("folder", c_char_p),
        ("resume", c_int),
        ("threads", c_int),
        ("devices", POINTER(c_int)),
        ("device_count", c_int),
        ("checkpoint_s", c_double),
        ("formats", c_uint),
        ("map_width_in", c_double),
        ("map_height_in", c_double),
        ("map_dpi", c_double),
        ("progress", STUDY_FUNCTION),
        ("user", c_void_p),
        ("until_error", c_double),
        ("seed", c_int64),
        ("evaluations", c_int64),
        ("hold_out", c_int),
        ("samples", c_int64),
        ("trajectories", c_int64),
        ("morris", c_int),
        ("sobol", c_int),
        ("extent", c_int),
        ("keep", c_int),
        ("of_plan", c_char_p),
        ("where", c_char_p),
        ("vents", c_char_p),
        ("classes", c_char_p),
        ("assets", c_char_p),
        ("given", c_char_p),
        ("at_s", c_double),
        ("compare", c_char_p),
        ("exposed", c_char_p),
        ("members", c_int),
        ("library", c_char_p),
        ("now_s", c_double),
        ("layers", c_char_p),
    ]


class ShowProgress(Structure):
    _fields_ = [("path", c_char_p), ("note", c_char_p), ("done", c_int), ("all", c_int)]


SHOW_FUNCTION = CFUNCTYPE(c_int, POINTER(ShowProgress), c_void_p)


class ShowOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("formats", c_uint),
        ("output", c_char_p),
        ("only", c_char_p),
        ("language", c_char_p),
        ("map_width_in", c_double),
        ("map_height_in", c_double),
        ("map_dpi", c_double),
        ("progress", SHOW_FUNCTION),
        ("user", c_void_p),
        ("extent", c_double * 4),
    ]


class Overlap(Structure):
    _fields_ = [
        ("both", c_size_t),
        ("only_simulated", c_size_t),
        ("only_observed", c_size_t),
        ("simulated", c_size_t),
        ("observed", c_size_t),
        ("either", c_size_t),
        ("jaccard", c_double),
        ("jaccard_root", c_double),
        ("precision", c_double),
        ("recall", c_double),
        ("f1", c_double),
        ("over_m2", c_double),
        ("under_m2", c_double),
        ("volume_m3", c_double),
        ("outside_m2", c_double),
        ("outside_share", c_double),
        ("runout_known", c_int),
        ("source_row", c_int),
        ("source_col", c_int),
        ("runout_simulated_m", c_double),
        ("runout_observed_m", c_double),
        ("simulated_cut", c_int),
        ("observed_cut", c_int),
        ("runout_difference_m", c_double),
    ]


class Estimate(Structure):
    _fields_ = [("value", c_double), ("error", c_double)]


class Scores(Structure):
    _fields_ = [
        ("within", c_char * 96),
        ("cells", c_uint64),
        ("observed", c_uint64),
        ("score", Estimate * 4),
        ("reliability", c_double),
        ("resolution", c_double),
        ("uncertainty", c_double),
        ("log_reference", c_double),
        ("best_jaccard", c_double),
        ("best_probability", c_double),
        ("cells_against", c_uint64),
        ("difference", Estimate * 4),
    ]


class FitOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("outline", c_char_p),
        ("case_path", c_char_p),
        ("dem", c_char_p),
        ("threshold_m", c_double),
        ("within", c_char_p),
        ("discrepancy_m", c_double),
        ("against", c_char_p),
        ("map", c_char_p),
        ("watcher", Watcher),
    ]


class Fit(Structure):
    _fields_ = [
        ("run", c_char_p),
        ("outline", c_char_p),
        ("members", c_double),
        ("scores", Scores),
        ("cell_m", c_double),
        ("vent_count", c_int),
        ("overlap", Overlap),
        ("left_m3", c_double),
        ("left_share", c_double),
        ("warning", c_char_p),
        ("map", c_char_p),
        ("json", c_char_p),
    ]


class Difference(Structure):
    _fields_ = [
        ("cells", c_size_t),
        ("differ", c_size_t),
        ("missing_a", c_size_t),
        ("missing_b", c_size_t),
        ("largest", c_double),
        ("largest_at", c_size_t),
        ("l1", c_double),
        ("l1_relative", c_double),
        ("both", c_size_t),
        ("either", c_size_t),
        ("overlap", c_double),
        ("empty", c_int),
    ]


class LayerDifference(Structure):
    _fields_ = [("name", c_char_p), ("d", Difference), ("row", c_size_t), ("col", c_size_t)]


class Comparison(Structure):
    _fields_ = [
        ("verdict", c_int),
        ("reason", c_char * 128),
        ("count", c_int),
        ("layer", POINTER(LayerDifference)),
        ("digest_a", c_char * 24),
        ("digest_b", c_char * 24),
        ("notes", c_char_p),
        ("json", c_char_p),
    ]


class Product(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("about", c_char_p), ("layer", c_int)]


_ERROR = POINTER(Error)
_WATCHER = POINTER(Watcher)
_OBJECT = c_void_p
_NEW_OBJECT = POINTER(c_void_p)

# name: (result type, argument types)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "sciara_version": (c_char_p, []),
    "sciara_format_name": (c_char_p, [c_uint]),
    "sciara_variant_count": (c_int, []),
    "sciara_variant_name": (c_char_p, [c_int]),
    "sciara_variant_describe": (c_int, [POINTER(Variant), c_char_p, c_int, _ERROR]),
    "sciara_variant_kernels": (
        c_int,
        [POINTER(Kernel), c_int, POINTER(c_int), c_char_p, c_int, _ERROR],
    ),
    "sciara_parameters_etna2006": (None, [POINTER(Parameters)]),
    "sciara_parameter_set_count": (c_int, []),
    "sciara_parameter_set_name": (c_char_p, [c_int]),
    "sciara_parameter_set_get": (c_int, [POINTER(ParameterSet), c_char_p, _ERROR]),
    "sciara_case_load": (c_int, [_NEW_OBJECT, c_char_p, c_char_p, _WATCHER, _ERROR]),
    "sciara_case_load_member": (c_int, [_NEW_OBJECT, c_char_p, c_int64, _WATCHER, _ERROR]),
    "sciara_case_input_init": (None, [POINTER(CaseInput), c_size_t]),
    "sciara_case_create": (c_int, [_NEW_OBJECT, POINTER(CaseInput), _ERROR]),
    "sciara_case_free": (None, [_OBJECT]),
    "sciara_case_info": (None, [_OBJECT, POINTER(CaseInfo)]),
    "sciara_case_read_terrain": (c_int, [_OBJECT, _ERROR]),
    "sciara_case_vent": (None, [_OBJECT, c_int, POINTER(Vent), POINTER(c_double)]),
    "sciara_case_volume": (
        None,
        [_OBJECT, c_int64, c_int64, POINTER(c_double), POINTER(c_double)],
    ),
    "sciara_options_init": (None, [POINTER(Options), c_size_t]),
    "sciara_create": (c_int, [_NEW_OBJECT, _OBJECT, POINTER(Options), _ERROR]),
    "sciara_free": (None, [_OBJECT]),
    "sciara_advance": (c_int, [_OBJECT, c_int64, _ERROR]),
    "sciara_advance_to": (c_int, [_OBJECT, c_double, _ERROR]),
    "sciara_state": (None, [_OBJECT, POINTER(State)]),
    "sciara_snapshot_take": (c_int, [_NEW_OBJECT, _OBJECT, _ERROR]),
    "sciara_snapshot_free": (None, [_OBJECT]),
    "sciara_snapshot_wait": (c_int, [_OBJECT, _ERROR]),
    "sciara_snapshot_step": (c_int64, [_OBJECT]),
    "sciara_snapshot_field": (c_void_p, [_OBJECT, c_int]),
    "sciara_snapshot_arrival_step": (c_void_p, [_OBJECT]),
    "sciara_snapshot_read": (c_int, [_OBJECT, c_int, POINTER(c_float), c_size_t, _ERROR]),
    "sciara_snapshot_read_exact": (c_int, [_OBJECT, c_int, POINTER(c_int64), c_size_t, _ERROR]),
    "sciara_snapshot_window": (c_int, [_OBJECT, POINTER(Window), _ERROR]),
    "sciara_snapshot_read_window": (
        c_int,
        [_OBJECT, c_int, POINTER(Window), POINTER(c_float), c_size_t, _ERROR],
    ),
    "sciara_snapshot_ledger": (c_int, [_OBJECT, POINTER(Ledger), _ERROR]),
    "sciara_snapshot_digest": (c_uint64, [_OBJECT]),
    "sciara_snapshot_differ": (c_size_t, [_OBJECT, _OBJECT, POINTER(c_char_p)]),
    "sciara_snapshot_extent": (c_int, [_OBJECT, POINTER(Extent), _ERROR]),
    "sciara_from_step": (c_int64, [_OBJECT]),
    "sciara_passed_over": (c_char_p, [_OBJECT]),
    "sciara_saved_step": (c_int64, [_OBJECT]),
    "sciara_snapshot_save": (c_int, [_OBJECT, c_char_p, _ERROR]),
    "sciara_snapshot_write": (c_int, [_OBJECT, c_char_p, c_uint, _WATCHER, _ERROR]),
    "sciara_run_options_init": (None, [POINTER(RunOptions), c_size_t]),
    "sciara_run": (c_int, [_OBJECT, POINTER(RunOptions), _NEW_OBJECT, _ERROR]),
    "sciara_summary": (c_void_p, [_OBJECT]),
    "sciara_text_free": (None, [c_void_p]),
    "sciara_study_options_init": (None, [POINTER(StudyOptions), c_size_t]),
    "sciara_study_open": (c_int, [_NEW_OBJECT, c_int, c_char_p, POINTER(StudyOptions), _ERROR]),
    "sciara_study_close": (None, [_OBJECT]),
    "sciara_study_run": (c_int, [_OBJECT, _ERROR]),
    "sciara_study_write": (c_int, [_OBJECT, _ERROR]),
    "sciara_study_product": (c_int, [_OBJECT, c_int, POINTER(Product), _ERROR]),
    "sciara_study_layer": (c_int, [_OBJECT, c_char_p, POINTER(c_float), c_size_t, _ERROR]),
    "sciara_study_table": (c_int, [_OBJECT, c_char_p, _NEW_OBJECT, _ERROR]),
    "sciara_study_info": (None, [_OBJECT, POINTER(CaseInfo)]),
    "sciara_study_digest": (c_uint64, [_OBJECT]),
    "sciara_fit_options_init": (None, [POINTER(FitOptions), c_size_t]),
    "sciara_fit": (c_int, [POINTER(POINTER(Fit)), c_char_p, POINTER(FitOptions), _ERROR]),
    "sciara_fit_free": (None, [POINTER(Fit)]),
    "sciara_compare": (
        c_int,
        [POINTER(POINTER(Comparison)), c_char_p, c_char_p, _WATCHER, _ERROR],
    ),
    "sciara_comparison_free": (None, [POINTER(Comparison)]),
    "sciara_info": (c_int, [_NEW_OBJECT, c_char_p, _WATCHER, _ERROR]),
    "sciara_show_options_init": (None, [POINTER(ShowOptions), c_size_t]),
    "sciara_show": (c_int, [c_char_p, POINTER(ShowOptions), _ERROR]),
}
