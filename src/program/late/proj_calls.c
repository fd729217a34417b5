/* proj_calls.c — stands in for PROJ and libgeotiff: defines those of their functions that the core calls. Both depend on
 * many libraries, 39 in all. Loading these would take two thirds of the time in which a program starts, and most
 * commands need only UTM. libsciara_proj.so (proj_library.c) is linked with both. */
#include "late.h"

#include <geo_normalize.h>
#include <geo_simpletags.h>
#include <geotiff.h>
#include <geovalues.h>
#include <proj.h>
#include <proj_experimental.h>
#include <stdarg.h>
#include <xtiffio.h>

static struct late_library from = {.name = "libsciara_proj.so", .use = "coordinate systems need"};

/* The type of the parts that proj_create_compound_crs() takes. Newer versions of PROJ declare the parts const. */
typedef __typeof__(__builtin_choose_expr(
    __builtin_types_compatible_p(__typeof__(&proj_create_compound_crs),
                                 PJ *(*)(PJ_CONTEXT *, const char *, PJ *, PJ *)),
    (PJ *)NULL, (const PJ *)NULL)) crs_part;

/* clang-format off */
CALL0(GTIFDefn *, GTIFAllocDefn)
CALL2(void, GTIFAttachPROJContext, GTIF *, void *)
CALL1(void, GTIFFree, GTIF *)
CALL1(void, GTIFFreeDefn, GTIFDefn *)
CALL1(void, GTIFFreeMemory, char *)
CALL2(int, GTIFGetDefn, GTIF *, GTIFDefn *)
CALL6(int, GTIFGetPCSInfoEx, void *, int, char **, short *, short *, short *)
CALL1(char *, GTIFGetProj4Defn, GTIFDefn *)
CALL3(GTIF *, GTIFNewEx, void *, GTErrorCallback, void *)
CALL1(GTIF *, GTIFNewSimpleTags, void *)
CALL1(int, GTIFWriteKeys, GTIF *)
CALL0(ST_TIFF *, ST_Create)
CALL1(void, ST_Destroy, ST_TIFF *)
CALL0(void, XTIFFInitialize)
CALL0(PJ_AREA *, proj_area_create)
CALL1(void, proj_area_destroy, PJ_AREA *)
CALL5(void, proj_area_set_bbox, PJ_AREA *, double, double, double, double)
CALL4(const char *, proj_as_wkt, PJ_CONTEXT *, const PJ *, PJ_WKT_TYPE, const char *const *)
CALL0(PJ_CONTEXT *, proj_context_create)
CALL1(PJ_CONTEXT *, proj_context_destroy, PJ_CONTEXT *)
CALL2(int, proj_context_set_enable_network, PJ_CONTEXT *, int)
CALL4(PJ_COORD, proj_coord, double, double, double, double)
CALL10(int, proj_coordoperation_get_grid_used, PJ_CONTEXT *, const PJ *, int, const char **, const char **, const char **, const
      char **, int *, int *, int *)
CALL2(int, proj_coordoperation_get_grid_used_count, PJ_CONTEXT *, const PJ *)
CALL5(int, proj_coordoperation_get_method_info, PJ_CONTEXT *, const PJ *, const char **, const char **, const char **)
CALL13(int, proj_coordoperation_get_param, PJ_CONTEXT *, const PJ *, int, const char **, const char **, const char **, double *,
      const char **, double *, const char **, const char **, const char **, const char **)
CALL2(int, proj_coordoperation_get_param_count, PJ_CONTEXT *, const PJ *)
CALL2(PJ *, proj_create, PJ_CONTEXT *, const char *)
CALL4(PJ *, proj_create_compound_crs, PJ_CONTEXT *, const char *, crs_part, crs_part)
CALL4(PJ *, proj_create_crs_to_crs, PJ_CONTEXT *, const char *, const char *, PJ_AREA *)
CALL5(PJ *, proj_create_crs_to_crs_from_pj, PJ_CONTEXT *, const PJ *, const PJ *, PJ_AREA *, const char *const *)
CALL5(PJ *, proj_create_from_wkt, PJ_CONTEXT *, const char *, const char *const *, PROJ_STRING_LIST *, PROJ_STRING_LIST *)
CALL2(PJ_OPERATION_FACTORY_CONTEXT *, proj_create_operation_factory_context, PJ_CONTEXT *, const char *)
CALL4(PJ_OBJ_LIST *, proj_create_operations, PJ_CONTEXT *, const PJ *, const PJ *, const PJ_OPERATION_FACTORY_CONTEXT *)
CALL3(PJ *, proj_crs_demote_to_2D, PJ_CONTEXT *, const char *, const PJ *)
CALL2(PJ *, proj_crs_get_coordinate_system, PJ_CONTEXT *, const PJ *)
CALL2(PJ *, proj_crs_get_coordoperation, PJ_CONTEXT *, const PJ *)
CALL2(PJ *, proj_crs_get_geodetic_crs, PJ_CONTEXT *, const PJ *)
CALL3(PJ *, proj_crs_get_sub_crs, PJ_CONTEXT *, const PJ *, int)
CALL3(PJ *, proj_crs_promote_to_3D, PJ_CONTEXT *, const char *, const PJ *)
CALL2(int, proj_cs_get_axis_count, PJ_CONTEXT *, const PJ *)
CALL10(int, proj_cs_get_axis_info, PJ_CONTEXT *, const PJ *, int, const char **, const char **, const char **, double *, const
      char **, const char **, const char **)
CALL1(PJ *, proj_destroy, PJ *)
CALL6(int, proj_ellipsoid_get_parameters, PJ_CONTEXT *, const PJ *, double *, double *, int *, double *)
CALL3(PJ_COORD, proj_geod, const PJ *, PJ_COORD, PJ_COORD)
CALL7(int, proj_get_area_of_use, PJ_CONTEXT *, const PJ *, double *, double *, double *, double *, const char **)
CALL2(PJ *, proj_get_ellipsoid, PJ_CONTEXT *, const PJ *)
CALL2(const char *, proj_get_id_auth_name, const PJ *, int)
CALL2(const char *, proj_get_id_code, const PJ *, int)
CALL1(const char *, proj_get_name, const PJ *)
CALL2(PJ *, proj_get_source_crs, PJ_CONTEXT *, const PJ *)
CALL1(PJ_TYPE, proj_get_type, const PJ *)
CALL5(PJ_OBJ_LIST *, proj_identify, PJ_CONTEXT *, const PJ *, const char *, const char *const *, int **)
CALL1(void, proj_int_list_destroy, int *)
CALL3(int, proj_is_equivalent_to, const PJ *, const PJ *, PJ_COMPARISON_CRITERION)
CALL1(void, proj_list_destroy, PJ_OBJ_LIST *)
CALL3(PJ *, proj_list_get, PJ_CONTEXT *, const PJ_OBJ_LIST *, int)
CALL1(int, proj_list_get_count, const PJ_OBJ_LIST *)
CALL3(void, proj_log_func, PJ_CONTEXT *, void *, PJ_LOG_FUNCTION)
CALL2(PJ_LOG_LEVEL, proj_log_level, PJ_CONTEXT *, PJ_LOG_LEVEL)
CALL2(PJ *, proj_normalize_for_visualization, PJ_CONTEXT *, const PJ *)
CALL1(void, proj_operation_factory_context_destroy, PJ_OPERATION_FACTORY_CONTEXT *)
CALL3(void, proj_operation_factory_context_set_allow_ballpark_transformations, PJ_CONTEXT *, PJ_OPERATION_FACTORY_CONTEXT *,
      int)
CALL6(void, proj_operation_factory_context_set_area_of_interest, PJ_CONTEXT *, PJ_OPERATION_FACTORY_CONTEXT *, double, double,
      double, double)
CALL3(void, proj_operation_factory_context_set_grid_availability_use, PJ_CONTEXT *, PJ_OPERATION_FACTORY_CONTEXT *,
      PROJ_GRID_AVAILABILITY_USE)
CALL3(void, proj_operation_factory_context_set_spatial_criterion, PJ_CONTEXT *, PJ_OPERATION_FACTORY_CONTEXT *,
      PROJ_SPATIAL_CRITERION)
CALL1(double, proj_todeg, double)
CALL1(double, proj_torad, double)
CALL3(PJ_COORD, proj_trans, PJ *, PJ_DIRECTION, PJ_COORD)
CALL6(int, proj_uom_get_info_from_database, PJ_CONTEXT *, const char *, const char *, const char **, double *, const char **)
/* clang-format on */

/* Sets a key to one value. The type of the key decides the type of the value. */
int GTIFKeySet(GTIF *gtif, geokey_t key, tagtype_t type, int count, ...)
{
    __typeof__(&GTIFKeySet) set = FOUND(GTIFKeySet);
    va_list value;
    va_start(value, count);
    const int done = type == TYPE_DOUBLE  ? set(gtif, key, type, count, va_arg(value, double))
                     : type == TYPE_ASCII ? set(gtif, key, type, count, va_arg(value, char *))
                                          : set(gtif, key, type, count, va_arg(value, int));
    va_end(value);
    return done;
}
