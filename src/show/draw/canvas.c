#include "canvas.h"

#include "base/memory.h"
#include "font.h"
#include "record/picture_mark.h"
#include "text/atomic_file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double points_per_unit(const struct canvas *c)
{
    return c->zoom * 72 / CANVAS_DPI;
}

static enum canvas_format format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".svg")   ? CANVAS_SVG
           : dot && !strcmp(dot, ".pdf") ? CANVAS_PDF
                                         : CANVAS_PNG;
}

static int no_memory(struct canvas *c, struct error *e)
{
    canvas_free(c);
    return error_memory(e);
}

/* A context with an empty clip. Drawings in it are measured, but not shown. */
static cairo_t *nowhere(void)
{
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(s);
    cairo_surface_destroy(s);
    cairo_rectangle(cr, 0, 0, 0, 0);
    cairo_clip(cr);
    return cr;
}

int canvas_create(struct canvas *c, const char *path, double dpi, double zoom, struct error *e)
{
    *c =
        (struct canvas){.format = format_of(path), .dpi = dpi > 0 ? dpi : CANVAS_DPI, .zoom = zoom};
    c->scale = c->dpi * zoom / CANVAS_DPI;
    c->cr = nowhere();
    int status = letters_create(&c->letters, c->format == CANVAS_SVG, e);
    if (!status && cairo_status(c->cr)) status = error_memory(e);
    if (status) canvas_free(c);
    return status;
}

void canvas_free(struct canvas *c)
{
    if (c->cr) cairo_destroy(c->cr);
    if (c->stream) fclose(c->stream);
    letters_free(c->letters);
    free(c->bytes);
    *c = (struct canvas){0};
}

static cairo_status_t append_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *pixels(cairo_format_t format, int width, int height)
{
    const bool limited = memory_enter();
    cairo_surface_t *s = cairo_image_surface_create(format, width, height);
    memory_leave(limited);
    return s;
}

static cairo_surface_t *surface_of(struct canvas *c)
{
    const double w = c->width * points_per_unit(c), h = c->height * points_per_unit(c);
    if (c->format == CANVAS_PNG)
        return pixels(CAIRO_FORMAT_RGB24, (int)lround(c->width * c->scale),
                      (int)lround(c->height * c->scale));
    c->stream = open_memstream(&c->bytes, &c->size);
    if (!c->stream) return NULL;
    if (c->format != CANVAS_SVG)
        return cairo_pdf_surface_create_for_stream(append_bytes, c->stream, w, h);
    cairo_surface_t *svg = cairo_svg_surface_create_for_stream(append_bytes, c->stream, w, h);
    cairo_svg_surface_set_document_unit(svg, CAIRO_SVG_UNIT_PT); /* not needed from cairo 1.18 on */
    return svg;
}

int canvas_page(struct canvas *c, double width, double height, struct error *e)
{
    const double zoom = c->format == CANVAS_PNG ? c->scale : points_per_unit(c);
    c->width = width;
    c->height = height;
    cairo_surface_t *s = surface_of(c);
    cairo_destroy(c->cr);
    c->cr = s ? cairo_create(s) : NULL;
    cairo_surface_destroy(s);
    if (!c->cr || cairo_status(c->cr)) return no_memory(c, e);
    letters_begin(c->letters);
    cairo_scale(c->cr, zoom, zoom);
    cairo_set_source_rgb(c->cr, 1, 1, 1);
    cairo_paint(c->cr);
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes an SVG, with its text before the end. If cairo wrote the text, letters would become outlines. */
static void put_svg(const struct canvas *c, FILE *out)
{
    static const char end[] = "</svg>";
    const char *first = memchr(c->bytes, '\n', c->size);
    const size_t head = first ? (size_t)(first - c->bytes) + 1 : 0;
    size_t body = c->size;
    for (size_t i = c->size; i-- >= sizeof end && body == c->size;)
        if (!memcmp(c->bytes + i, end, sizeof end - 1)) body = i;
    fwrite(c->bytes, 1, head, out);
    if (c->of) fprintf(out, "<!-- Source: %s -->\n", c->of);
    fwrite(c->bytes + head, 1, body - head, out);
    letters_put(c->letters, out, points_per_unit(c));
    fwrite(c->bytes + body, 1, c->size - body, out);
}

static int write_vectors(struct canvas *c, const char *path, const char *title, struct error *e)
{
    cairo_surface_t *s = cairo_get_target(c->cr);
    struct atomic_file file;
    if (c->format == CANVAS_PDF) {
        FREED char *clean = letters_clean(title);
        if (clean) cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_TITLE, clean);
        /* a fixed date, so that equal pages give equal bytes */
        cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    }
    cairo_surface_finish(s);
    if (cairo_surface_status(s) || fflush(c->stream)) return error_memory(e);
    int status = atomic_file_open(&file, path, e);
    if (status) return status;
    if (c->format == CANVAS_SVG) {
        put_svg(c, file.stream);
        picture_seal_text(&file, "<!-- Software: ", PICTURE_SEAL_XML);
    } else {
        fwrite(c->bytes, 1, c->size, file.stream);
        if (c->of) fprintf(file.stream, "%% Source: %s\n", c->of);
        picture_seal_text(&file, "% Software: ", "\n");
    }
    return atomic_file_finish(&file, e);
}

struct png_pixels canvas_pixels(cairo_surface_t *picture)
{
    cairo_surface_flush(picture);
    return (struct png_pixels){
        cairo_image_surface_get_data(picture), cairo_image_surface_get_width(picture),
        cairo_image_surface_get_height(picture), (size_t)cairo_image_surface_get_stride(picture)};
}

int canvas_write(struct canvas *c, const char *path, const char *title, struct error *e)
{
    cairo_surface_t *s = cairo_get_target(c->cr);
    int status = letters_complete(c->letters, e);
    if (status) return status;
    if (cairo_status(c->cr))
        return error_failed(e, "%s: cannot be drawn: %s", path,
                            cairo_status_to_string(cairo_status(c->cr)));
    if (c->format != CANVAS_PNG) return write_vectors(c, path, title, e);
    FREED char *clean = letters_clean(title);
    const struct png_pixels all = canvas_pixels(s);
    return clean ? png_file_write(path, &all, clean, c->of, c->dpi, e) : no_memory(c, e);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

double canvas_snap(const struct canvas *c, double v)
{
    return floor(v * c->scale + 0.5) / c->scale;
}

void canvas_clip(struct canvas *c, double x0, double y0, double x1, double y1)
{
    cairo_save(c->cr);
    cairo_rectangle(c->cr, x0, y0, x1 - x0, y1 - y0);
    cairo_clip(c->cr);
}

void canvas_unclip(struct canvas *c)
{
    cairo_restore(c->cr);
}

void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1)
{
    cairo_move_to(c->cr, x0, y0);
    cairo_line_to(c->cr, x1, y1);
}

void canvas_disc(struct canvas *c, double x, double y, double radius)
{
    cairo_new_sub_path(c->cr);
    cairo_arc(c->cr, x, y, radius, 0, 2 * acos(-1.0));
    cairo_close_path(c->cr);
}

void canvas_polygon(struct canvas *c, const double (*corner)[2], int n)
{
    cairo_new_sub_path(c->cr);
    for (int i = 0; i < n; i++) cairo_line_to(c->cr, corner[i][0], corner[i][1]);
    cairo_close_path(c->cr);
}

void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1)
{
    cairo_rectangle(c->cr, x0, y0, x1 - x0, y1 - y0);
}

void canvas_ink(struct canvas *c, struct rgb k, double alpha)
{
    cairo_set_source_rgba(c->cr, k.r / 255.0, k.g / 255.0, k.b / 255.0, alpha);
    cairo_fill(c->cr);
}

void canvas_stroke(struct canvas *c, double width, struct rgb k, double alpha)
{
    cairo_set_source_rgba(c->cr, k.r / 255.0, k.g / 255.0, k.b / 255.0, alpha);
    cairo_set_line_width(c->cr, width);
    cairo_set_line_cap(c->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(c->cr);
}

void canvas_stroke_cased(struct canvas *c, double casing, struct rgb casing_colour, double alpha,
                         double width, struct rgb colour)
{
    cairo_path_t *line = cairo_copy_path(c->cr);
    canvas_stroke(c, casing, casing_colour, alpha);
    cairo_append_path(c->cr, line);
    cairo_path_destroy(line);
    canvas_stroke(c, width, colour, 1);
}

void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width,
                  struct rgb colour)
{
    cairo_set_fill_rule(c->cr, CAIRO_FILL_RULE_EVEN_ODD);
    canvas_rectangle(c, x0, y0, x1, y1);
    canvas_rectangle(c, x0 + width, y0 + width, x1 - width, y1 - width);
    canvas_ink(c, colour, 1);
    cairo_set_fill_rule(c->cr, CAIRO_FILL_RULE_WINDING);
}

/* ---- pictures -------------------------------------------------------------------------------- */

cairo_surface_t *canvas_picture_create(cairo_format_t format, int width, int height,
                                       struct error *e)
{
    cairo_surface_t *s = pixels(format, width, height);
    if (!cairo_surface_status(s)) return s;
    cairo_surface_destroy(s);
    error_memory(e);
    return NULL;
}

/* Attaches a PNG to an opaque picture, for an SVG. Cairo's own PNG would take four times as long and have twice the
 * bytes. */
static void encode(cairo_surface_t *picture)
{
    size_t size = 0;
    if (cairo_image_surface_get_format(picture) != CAIRO_FORMAT_RGB24) return;
    const struct png_pixels all = canvas_pixels(picture);
    char *bytes = png_file_bytes(&all, 72, &size);
    if (!bytes) return; /* then cairo makes a PNG itself */
    if (cairo_surface_set_mime_data(picture, CAIRO_MIME_TYPE_PNG, (unsigned char *)bytes, size,
                                    free, bytes))
        free(bytes);
}

void canvas_picture(struct canvas *c, cairo_surface_t *picture, double x, double y, double unit)
{
    cairo_save(c->cr);
    cairo_surface_mark_dirty(picture);
    if (c->format == CANVAS_SVG) encode(picture);
    cairo_translate(c->cr, x, y);
    cairo_scale(c->cr, unit, unit);
    cairo_set_source_surface(c->cr, picture, 0, 0);
    const bool sharp = fabs(unit * c->scale - 1) < 1e-9;
    cairo_pattern_set_filter(cairo_get_source(c->cr),
                             sharp ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_paint(c->cr);
    cairo_restore(c->cr);
}
