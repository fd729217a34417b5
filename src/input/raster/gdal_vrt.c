/* gdal_vrt.c — checks that a VRT names only raster files on this machine, before GDAL opens these files.
 *
 * A VRT can name anything that a driver of GDAL opens: also addresses, services and code. So sciara reads the XML
 * first. GDAL ignores the case of names, and accepts attributes in place of elements. So sciara ignores the case, and
 * checks elements and attributes. */
#include "raster_formats.h"

#include "text/scan.h"
#include "text/textfile.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { DEPTH_MAX = 8, NAME_MAX_BYTES = 4096, HEAD = 1024 };

struct vrt {
    struct raster_file *f; /* gets the files that the VRT names, as sources */
    const char *path;      /* path of the VRT */
    int depth;
    XML_Parser parser;
    struct error *e;
    int status;
    bool in_name;  /* the parser is in an element that names a file */
    bool relative; /* the named path is relative to the folder of the VRT */
    bool odd;      /* the name has a comment or a CDATA section in it */
    size_t length;
    char name[NAME_MAX_BYTES];
};

static int check_vrt(struct raster_file *f, const char *path, int depth, struct error *e);

/* ---- refusals -------------------------------------------------------------------------------- */

static void stop_reading(struct vrt *v, int status)
{
    v->status = status;
    XML_StopParser(v->parser, XML_FALSE);
}

static int refuse_vrt(const struct vrt *v, const char *what, const char *text)
{
    char shown[128];
    snprintf(shown, sizeof shown, "%.120s", text);
    scan_cut(shown);
    scan_make_printable(shown);
    return error_input(v->e, "%s: %s %s, which is not followed here; give a GeoTIFF instead",
                       v->path, what, shown);
}

static bool begins(const char *text, const char *with)
{
    return !strncasecmp(text, with, strlen(with));
}

/* Whether a text is an address, or names a file system of GDAL's own: /vsicurl/, /vsizip/, ... */
static bool is_address(const char *text)
{
    const size_t scheme =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    return begins(text, "/vsi") || begins(text, "<") || (scheme && begins(text + scheme, "://"));
}

/* ---- named files ----------------------------------------------------------------------------- */

static bool is_text(const char *head, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)head[i] < ' ' && !strchr("\t\n\f\r", head[i])) return false;
    return n > 0;
}

/* Whether a text is an ASCII grid. Other texts are refused, since GDAL would open the files that they name. */
static bool is_grid(const char *head)
{
    static const char *const keys[] = {"ncols",     "nrows",     "xllcorner", "yllcorner",
                                       "xllcenter", "yllcenter", "cellsize",  "nodata_value",
                                       "dx",        "dy",        NULL};
    char word[16];
    return sscanf(head, "%15s", word) == 1 && text_is_one_of(word, keys) && !strpbrk(head, "<{");
}

static int check_file(const struct vrt *v, const char *path)
{
    char head[HEAD + 1];
    struct raster_file *f = v->f;
    struct error why;
    for (int i = 0; i < f->source_count; i++)
        if (!strcmp(f->source[i].path, path)) return 0;
    if (raster_add_source(f, path, &why))
        return error_input(v->e, "%s: names %.900s", v->path, why.text);
    const size_t n = file_head(head, sizeof head, path);
    if (strstr(head, "<VRTDataset")) return check_vrt(f, path, v->depth + 1, v->e);
    if (begins(head, "SQLite format 3") || (is_text(head, n) && !is_grid(head)))
        return refuse_vrt(v, "names", path);
    return 0;
}

/* Checks the overviews, the mask and the metadata next to a raster: GDAL opens these files with the raster. */
static int check_beside(const struct vrt *v, const char *path)
{
    static const char *const beside[] = {".ovr", ".msk", ".aux"};
    int status = 0;
    for (size_t i = 0; i < sizeof beside / sizeof *beside && !status; i++) {
        FREED char *file = text_format("%s%s", path, beside[i]);
        if (!file) status = error_memory(v->e);
        else if (!access(file, F_OK)) status = check_file(v, file);
    }
    return status;
}

static int check_named(struct vrt *v)
{
    const char *name = v->name + strspn(v->name, " \t\r\n");
    if (v->odd || !*name || strpbrk(name, "\r\n") || is_address(name))
        return refuse_vrt(v, "names", *name ? name : "no file");
    FREED char *path = v->relative ? path_beside(v->path, name) : text_format("%s", name);
    if (!path) return error_memory(v->e);
    if (access(path, F_OK) && strchr(name, ':')) return refuse_vrt(v, "names", name);
    int status = check_file(v, path);
    return status ? status : check_beside(v, path);
}

/* ---- the XML --------------------------------------------------------------------------------- */

/* Checks an element (`value` is NULL), or an attribute with its value. */
static int check_word(struct vrt *v, const char *word, const char *value)
{
    static const char *const refused[] = {"PixelFunctionCode",
                                          "PixelFunctionLanguage",
                                          "ProcessingSteps",
                                          "Group",
                                          "OpenOptions",
                                          "OOI",
                                          "DEMPath",
                                          "RPCTransformer",
                                          "ArraySource",
                                          "GeoLocTransformer",
                                          NULL};
    static const char *const classes[] = {"VRTSourcedRasterBand",    "VRTDerivedRasterBand",
                                          "VRTWarpedDataset",        "VRTWarpedRasterBand",
                                          "VRTPansharpenedDataset",  "VRTPansharpenedRasterBand",
                                          "VRTPansharpenRasterBand", NULL};
    static const char *const names[] = {"SourceFilename", "SourceDataset", NULL};
    if (text_is_one_of(word, refused)) return refuse_vrt(v, "has", word);
    if (value && !strcasecmp(word, "subClass") && !text_is_one_of(value, classes))
        return refuse_vrt(v, "has", value);
    if (value ? text_is_one_of(word, names) : !strcasecmp(word, "subClass"))
        return refuse_vrt(v, "has an unusual", word);
    if (!value && text_is_one_of(word, names)) {
        v->in_name = true;
        v->relative = v->odd = false;
        v->length = 0;
    }
    if (value && v->in_name && !strcasecmp(word, "relativeToVRT")) v->relative = atoi(value) != 0;
    return 0;
}

static void XMLCALL on_start(void *user, const XML_Char *element, const XML_Char **list)
{
    struct vrt *v = user;
    int status =
        v->in_name ? refuse_vrt(v, "has an unusual", element) : check_word(v, element, NULL);
    for (; *list && !status; list += 2) status = check_word(v, list[0], list[1]);
    if (status) stop_reading(v, status);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    struct vrt *v = user;
    if (!v->in_name) return;
    if (v->length + (size_t)length >= sizeof v->name) v->odd = true;
    else memcpy(v->name + v->length, text, (size_t)length), v->length += (size_t)length;
}

static void XMLCALL on_end(void *user, const XML_Char *element)
{
    struct vrt *v = user;
    if (!v->in_name) return;
    v->in_name = false;
    v->name[v->length] = '\0';
    const int status = check_named(v);
    if (status) stop_reading(v, status);
}

/* Notes a comment or a CDATA section, since GDAL may read the name around it in another way than expat. */
static void XMLCALL on_odd(void *user)
{
    ((struct vrt *)user)->odd = true;
}

static void XMLCALL on_comment(void *user, const XML_Char *text)
{
    on_odd(user);
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int inside)
{
    stop_reading(user, refuse_vrt(user, "has", "DOCTYPE"));
}

static int check_vrt(struct raster_file *f, const char *path, int depth, struct error *e)
{
    FREED char *text = NULL;
    FREED struct vrt *v = calloc(1, sizeof *v);
    size_t size;
    if (!v) return error_memory(e);
    if (depth > DEPTH_MAX)
        return error_input(e, "%s: has VRTs inside VRTs, more than %d deep; give a GeoTIFF instead",
                           path, DEPTH_MAX);
    int status = textfile_load(&text, &size, path, e);
    if (status) return status;
    *v = (struct vrt){.f = f, .path = path, .depth = depth, .e = e};
    if (!(v->parser = XML_ParserCreate(NULL))) return error_memory(e);
    XML_SetUserData(v->parser, v);
    XML_SetElementHandler(v->parser, on_start, on_end);
    XML_SetCharacterDataHandler(v->parser, on_text);
    XML_SetCdataSectionHandler(v->parser, on_odd, NULL);
    XML_SetCommentHandler(v->parser, on_comment);
    XML_SetStartDoctypeDeclHandler(v->parser, on_doctype);
    if (XML_Parse(v->parser, text, (int)size, 1) == XML_STATUS_ERROR && !v->status)
        v->status = error_input(
            e, "%s: cannot be read through GDAL: %s in line %lu; fetch or write it again", path,
            XML_ErrorString(XML_GetErrorCode(v->parser)),
            (unsigned long)XML_GetCurrentLineNumber(v->parser));
    XML_ParserFree(v->parser);
    return v->status;
}

int gdal_vrt_check(struct raster_file *f, bool is_vrt, struct error *e)
{
    const struct vrt v = {.f = f, .path = f->path, .e = e};
    return is_vrt ? check_vrt(f, f->path, 0, e) : check_beside(&v, f->path);
}
