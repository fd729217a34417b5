/* font.c — text by pango. Each canvas has its own font map, so threads share no font map.
 *
 * pango starts threads that look for the letters of a font: two for each family, size and language that is new to a font
 * map. */
#include "font.h"

#include "base/loops.h"
#include "base/memory.h"
#include "base/own_library.h"
#include "text/scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <limits.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- the fonts of this machine, and those in ../share/sciara/fonts next to the program --------------- */

/* fontconfig keeps some memory until the process ends. AddressSanitizer would need a tenth of a second to find that
 * this memory is not a leak. So this function frees the memory. */
#if defined(__SANITIZE_ADDRESS__)
__attribute__((destructor)) static void forget_fonts(void)
{
    FcFini();
}
#endif

/* Finds the folder of fonts in a bundle (tools/bundle): share/sciara/fonts. The file with this code is in bin, lib or
 * lib/sciara of the same bundle. */
static bool own_folder(char folder[PATH_MAX])
{
    char file[PATH_MAX];
    own_library_path(file);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(file, '/');
        if (!slash) return false;
        *slash = '\0';
        if (snprintf(folder, PATH_MAX, "%s/share/sciara/fonts", file) < PATH_MAX &&
            access(folder, R_OK | X_OK) == 0)
            return true;
    }
    return false;
}

static const char configuration[] = "/etc/fonts/fonts.conf";

/* Adds fonts one by one, because fontconfig would write a cache for a folder. */
static void add_files(FcConfig *config, const char *folder)
{
    DIR *d = opendir(folder);
    char path[PATH_MAX];
    for (struct dirent *entry; d && (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && !strcmp(dot, ".ttf") &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            FcConfigAppFontAddFile(config, (const FcChar8 *)path);
    }
    if (d) closedir(d);
}

/* A font configuration for a bundle, which all canvases share. A bundle has its own fonts, because the machine may have
 * none. Without this configuration pango would look for the machine's configuration and print a warning. */
static FcConfig *own_config; /* NULL: not a bundle */

static void find_own_config(void)
{
    char folder[PATH_MAX];
    FcConfig *config = own_folder(folder) ? FcConfigCreate() : NULL;
    if (!config) return;
    FcConfigParseAndLoad(config, (const FcChar8 *)configuration, FcFalse);
    FcConfigBuildFonts(config);
    add_files(config, folder);
    if (access(configuration, R_OK)) FcConfigSetCurrent(config);
    own_config = config;
}

static bool has_fonts(FcConfig *config)
{
    const FcFontSet *all = FcConfigGetFonts(config, FcSetSystem),
                    *own = FcConfigGetFonts(config, FcSetApplication);
    return (all && all->nfont > 0) || (own && own->nfont > 0);
}

static PangoFontMap *fonts_map(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_own_config);
    PangoFontMap *map = has_fonts(own_config) ? pango_cairo_font_map_new() : NULL;
    if (map && own_config) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), own_config);
    return map;
}

/* ---- text --------------------------------------------------------------------------------------- */

/* The height of a capital of DejaVu Sans, relative to the size of the font. */
#define CAPITAL 0.729

static const char families[] = "DejaVu Sans, Noto Sans, Liberation Sans, Helvetica, Arial, sans";

enum { PANGO_THREADS = 8, KNOWN_MOST = 32, NAPS_MOST = 10000 /* naps of 1 ms */ };

struct letters {
    PangoFontMap *map; /* NULL: no font */
    PangoContext *context;
    /* apart: text is collected for an SVG, not drawn; limited: the result of memory_enter() */
    bool apart, limited;
    enum { GRANTED, NO_THREADS, NO_MEMORY, NO_FILES } refused;
    struct {
        double size;
        int weight;
    } known[KNOWN_MOST]; /* fonts for which pango has found Latin letters */
    int known_count;
    char *text; /* text elements of an SVG, written by `stream` */
    size_t size;
    FILE *stream;
};

static int refuse_fonts(int why, struct error *e)
{
    if (why == NO_MEMORY)
        return error_failed(e, "text cannot be drawn: too little memory is allowed; raise `ulimit "
                               "-v`, or choose formats without maps");
    if (why == NO_FILES)
        return error_failed(e, "text cannot be drawn: Too many open files; raise `ulimit -n`");
    return error_failed(e, "text cannot be drawn: the system refuses threads; allow more processes "
                           "(`ulimit -u`, pids.max of a container)");
}

/* Whether too few files can still be opened. If pango cannot open the files of a font, it prints warnings and remembers
 * the font as missing. */
static bool files_are_few(void)
{
    enum { MANY = 256, NEEDED = 8 };
    struct rlimit limit;
    int file[NEEDED], count = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= MANY) return false;
    while (count < NEEDED && (file[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) count++;
    const bool few = count < NEEDED;
    while (count) close(file[--count]);
    return few;
}

/* pango and its libraries end the process if they get no memory or no thread. So each call of pango is between
 * enter_letters() and leave_letters(). enter_letters() checks that there is memory. Until leave_letters() no other thread
 * of sciara takes much memory. Only threads that write files take some, less than ROOM_BYTES. */
static bool enter_letters(struct letters *l)
{
    enum { ROOM_BYTES = 128 << 20 }; /* memory for fonts, their caches, and threads */
    l->limited = memory_enter();
    if (!l->refused && l->limited && memory_room() < ROOM_BYTES) l->refused = NO_MEMORY;
    if (!l->refused && files_are_few()) l->refused = NO_FILES;
    if (l->refused) memory_leave(l->limited);
    return !l->refused;
}

static void leave_letters(const struct letters *l)
{
    memory_leave(l->limited);
}

/* Reserves threads for pango, after enter_letters(). If this function returns true, the caller has to call
 * loops_unreserve(). */
static bool reserve(struct letters *l)
{
    if (!loops_reserve(PANGO_THREADS)) l->refused = l->limited ? NO_MEMORY : NO_THREADS;
    return !l->refused;
}

static PangoContext *context_of(PangoFontMap *map)
{
    PangoContext *context = pango_font_map_create_context(map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en")); /* in any locale */
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    cairo_font_options_destroy(options);
    return context;
}

int letters_create(struct letters **out, bool apart, struct error *e)
{
    struct letters *l = *out = calloc(1, sizeof *l);
    if (!l) return error_memory(e);
    memory_share();
    l->apart = apart;
    int status = apart && !(l->stream = open_memstream(&l->text, &l->size)) ? error_memory(e) : 0;
    if (!status && enter_letters(l)) {
        if (reserve(l)) {
            l->map = fonts_map();
            loops_unreserve();
            if (l->map) l->context = context_of(l->map);
        }
        leave_letters(l);
    }
    if (!status) status = letters_complete(l, e);
    if (!status) return 0;
    letters_free(l);
    *out = NULL;
    return status;
}

int letters_complete(const struct letters *l, struct error *e)
{
    return l->refused ? refuse_fonts(l->refused, e) : 0;
}

void letters_free(struct letters *l)
{
    if (!l) return;
    const bool limited = memory_enter();
    if (l->context) g_object_unref(l->context);
    if (l->map) {
        /* A thread of pango refers to the map until the thread ends, which is some time after it delivered its
         * letters. If the process ended earlier, the thread would use a freed map. */
        const GObject *object = &l->map->parent_instance;
        for (int i = 0; i < NAPS_MOST && g_atomic_int_get(&object->ref_count) > 1; i++)
            g_usleep(1000);
    }
    if (l->map) g_object_unref(l->map);
    memory_leave(limited);
    if (l->stream) fclose(l->stream);
    free(l->text);
    free(l);
}

void letters_begin(struct letters *l)
{
    if (l->stream) rewind(l->stream);
}

/* Whether a character has no effect on other text. Control characters and marks of lines, paragraphs or directions have
 * an effect. Isolates are harmless, because they end with the line. Joiners are harmless, because they are a part of
 * words. */
static bool is_harmless(gunichar c)
{
    const bool isolates = c == 0x2068 || c == 0x2069, joins = c == 0x200C || c == 0x200D;
    return isolates || joins ||
           (g_unichar_isprint(c) && c != 0x2028 && c != 0x2029 && !(c >= 0x202A && c <= 0x202E));
}

char *letters_clean(const char *text)
{
    enum { BYTES_MOST = 2000 };
    if (!text) text = "";
    const char *const end = text + strnlen(text, BYTES_MOST);
    char *clean = malloc((size_t)(end - text) * 3 + 1), *to = clean;
    while (clean && text < end) {
        const gunichar c = g_utf8_get_char_validated(text, end - text), not_valid = 0xFFFD;
        if (c >= (gunichar)-2) to += g_unichar_to_utf8(not_valid, to);
        else if (is_harmless(c)) to += g_unichar_to_utf8(c, to);
        else *to++ = ' ';
        text = c >= (gunichar)-2 ? text + 1 : g_utf8_next_char(text);
    }
    if (clean) *to = '\0';
    return clean;
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* Whether a text has only Latin letters and characters that many languages share. Emoji do not count as shared
 * characters, because they have another font. */
static bool is_latin(const char *text)
{
    for (; *text; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);
        const GUnicodeScript script = g_unichar_get_script(c);
        if (c >= 0x2300 || (script != G_UNICODE_SCRIPT_LATIN && script != G_UNICODE_SCRIPT_COMMON))
            return false;
    }
    return true;
}

static bool is_known(const struct letters *l, const struct font *f)
{
    for (int i = 0; i < l->known_count; i++)
        if (l->known[i].size == f->size && l->known[i].weight == f->weight) return true;
    return false;
}

static void note_size(struct letters *l, const struct font *f, PangoLayout *layout, bool latin)
{
    PangoRectangle ink;
    pango_layout_get_extents(layout, &ink, NULL);
    if (latin && l->known_count < KNOWN_MOST) {
        l->known[l->known_count].size = f->size;
        l->known[l->known_count++].weight = f->weight;
    }
}

/* Lets pango look for the letters of a text; false: there are no threads for this. */
static bool find_letters(struct letters *l, const struct font *f, PangoLayout *layout)
{
    const bool latin = is_latin(pango_layout_get_text(layout));
    if (latin && is_known(l, f)) return true;
    if (!reserve(l)) return false;
    note_size(l, f, layout, latin);
    loops_unreserve();
    return true;
}

static PangoLayout *new_layout(const struct letters *l, const struct font *f, const char *clean)
{
    PangoLayout *layout = pango_layout_new(l->context);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, families);
    pango_font_description_set_absolute_size(font, f->size / CAPITAL * PANGO_SCALE);
    pango_font_description_set_weight(font, f->weight == FONT_BOLD ? PANGO_WEIGHT_BOLD
                                                                   : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    /* Names between isolates have their own direction. The rest of the text is from left to right. */
    pango_layout_set_auto_dir(layout, !strstr(clean, SCAN_ISOLATE));
    pango_layout_set_text(layout, clean, -1);
    pango_font_description_free(font);
    return layout;
}

static void free_layout(const struct canvas *c, PangoLayout *layout)
{
    g_object_unref(layout);
    leave_letters(c->letters);
}

/* Lays out a text. The caller calls free_layout() for the result, unless it is NULL; free_layout() also calls
 * leave_letters(). NULL: the text is empty, or pango lacks fonts or resources. */
static PangoLayout *layout_of(const struct canvas *c, const struct font *f, const char *text)
{
    struct letters *l = c->letters;
    if (!l->context || !text || !*text || !enter_letters(l)) return NULL;
    FREED char *clean = letters_clean(text);
    PangoLayout *layout = clean ? new_layout(l, f, clean) : NULL;
    if (layout && find_letters(l, f, layout)) return layout;
    if (layout) g_object_unref(layout);
    leave_letters(l);
    return NULL;
}

void font_find(struct canvas *c, const struct font *f, int count)
{
    struct letters *l = c->letters;
    if (!l->context || !enter_letters(l)) return;
    if (reserve(l)) {
        for (int i = 0; i < count; i++) {
            PangoLayout *layout = new_layout(l, &f[i], "0");
            note_size(l, &f[i], layout, true);
            g_object_unref(layout);
        }
        loops_unreserve();
    }
    leave_letters(l);
}

void font_prepare(void)
{
    static const struct font any = {20, FONT_REGULAR, 0, 0};
    struct canvas c = {0};
    if (letters_create(&c.letters, false, NULL)) return; /* drawing will report the error */
    font_find(&c, &any, 1);
    letters_free(c.letters);
}

static double width_of(PangoLayoutLine *line)
{
    PangoRectangle r;
    pango_layout_line_get_extents(line, NULL, &r);
    return (double)r.width / PANGO_SCALE;
}

double font_width(const struct canvas *c, const struct font *f, const char *text)
{
    PangoLayout *layout = layout_of(c, f, text);
    if (!layout) return 0;
    const double width = width_of(pango_layout_get_line_readonly(layout, 0));
    free_layout(c, layout);
    return width;
}

/* ---- text elements of SVG -------------------------------------------------------------------- */

/* Whether a line is the last of a paragraph that is too long. Such a line has all the rest of the text. */
static bool is_cut(PangoLayoutLine *line)
{
    const int last = pango_layout_get_line_count(line->layout) - 1;
    return pango_layout_is_ellipsized(line->layout) &&
           pango_layout_get_line_readonly(line->layout, last) == line;
}

static int shown_length(PangoLayoutLine *line, const struct font *f)
{
    int index = line->length, trailing;
    if (!is_cut(line)) return index;
    const double room = width_of(line) - 1.5 * f->size;
    pango_layout_line_x_to_index(line, (int)(room * PANGO_SCALE), &index, &trailing);
    return index - line->start_index;
}

struct place {
    double x, y, angle, edge; /* x, y: left end of the base line; edge: width of the white edge */
    struct rgb colour;
};

/* Stores a line for an SVG. textLength makes the line as wide as planned, whatever font the reader has. A line from right
 * to left starts at its right end. */
static void collect_line(struct letters *l, PangoLayoutLine *line, const struct font *f,
                         const struct place *p)
{
    FREED char *text = strndup(pango_layout_get_text(line->layout) + line->start_index,
                               (size_t)shown_length(line, f));
    const double degrees = -p->angle * 180 / acos(-1.0), width = width_of(line);
    const bool leftward = line->resolved_dir == PANGO_DIRECTION_RTL;
    fprintf(l->stream, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" textLength=\"%.2f\"",
            p->x + (leftward ? width : 0), p->y, f->size / CAPITAL, width);
    if (leftward) fputs(" direction=\"rtl\"", l->stream);
    if (f->weight == FONT_BOLD) fputs(" font-weight=\"bold\"", l->stream);
    if (p->angle != 0)
        fprintf(l->stream, " transform=\"rotate(%.3f %.2f %.2f)\"", degrees, p->x, p->y);
    if (p->edge > 0)
        fprintf(l->stream,
                " stroke=\"#fff\" stroke-width=\"%.2f\" stroke-linejoin=\"round\" "
                "paint-order=\"stroke\"",
                p->edge);
    fprintf(l->stream, " fill=\"#%02x%02x%02x\">", p->colour.r, p->colour.g, p->colour.b);
    if (text) scan_put_xml(l->stream, text, "&");
    else l->refused = NO_MEMORY;
    if (is_cut(line)) fputs("\xE2\x80\xA6", l->stream);
    fputs("</text>\n", l->stream);
}

void letters_put(struct letters *l, FILE *out, double points_per_unit)
{
    fflush(l->stream);
    fprintf(out,
            "<g transform=\"scale(%.6g)\" font-family=\"%s\" lengthAdjust=\"spacingAndGlyphs\">\n",
            points_per_unit, families);
    fwrite(l->text, 1, l->size, out);
    fputs("</g>\n", out);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void show_layout_line(struct canvas *c, PangoLayoutLine *line, const struct font *f,
                             const struct place *p)
{
    cairo_t *cr = c->cr;
    if (c->letters->apart) {
        collect_line(c->letters, line, f, p);
        return;
    }
    cairo_save(cr);
    cairo_translate(cr, p->x, p->y);
    cairo_rotate(cr, -p->angle);
    if (p->edge > 0) {
        cairo_move_to(cr, 0, 0);
        pango_cairo_layout_line_path(cr, line);
        canvas_stroke(c, p->edge, canvas_white, 1);
    }
    cairo_move_to(cr, 0, 0);
    cairo_set_source_rgb(cr, p->colour.r / 255.0, p->colour.g / 255.0, p->colour.b / 255.0);
    pango_cairo_show_layout_line(cr, line);
    cairo_restore(cr);
}

static void write_line(struct canvas *c, const struct font *f, double x, double y,
                       struct rgb colour, const char *text, double edge)
{
    PangoLayout *layout = layout_of(c, f, text);
    if (!layout) return;
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    const double back = f->anchor * width_of(line);
    const struct place p = {x - back * cos(f->angle), y + back * sin(f->angle), f->angle, edge,
                            colour};
    show_layout_line(c, line, f, &p);
    free_layout(c, layout);
}

void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text)
{
    write_line(c, f, x, y, colour, text, 0);
}

void font_write_clear(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                      const char *text)
{
    write_line(c, f, x, y, colour, text, 0.3 * f->size);
}

void font_picture(const struct canvas *c, cairo_t *cr, const struct font *f, double x, double y,
                  struct rgb colour, double alpha, const char *text)
{
    PangoLayout *layout = layout_of(c, f, text);
    if (!layout) return;
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, -f->angle);
    cairo_move_to(cr, -f->anchor * width_of(line), 0);
    pango_cairo_layout_line_path(cr, line);
    cairo_set_source_rgba(cr, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0, alpha);
    cairo_fill(cr);
    free_layout(c, layout);
}

/* Whether the word that ends before a space is a number. */
static bool number_before(const char *text, const char *space)
{
    const char *word = space;
    while (word > text && word[-1] != ' ' && word[-1] != '(') word--;
    return word < space && strspn(word, "\xE2\x88\x92.,0123456789") >= (size_t)(space - word);
}

static bool number_after(const char *word)
{
    const size_t digits = strspn(word, "\xE2\x88\x92.,0123456789");
    return digits && (!word[digits] || strchr(" );", word[digits]));
}

/* Whether a space is between a number and "%", or next to a dash or "±" that a number follows. */
static bool space_joins(const char *text, const char *space)
{
    static const char *const between[] = {"\xE2\x80\x93 ", "\xC2\xB1 "};
    if (number_before(text, space) && space[1] == '%') return true;
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(between[i]);
        if (!strncmp(space + 1, between[i], length) && number_after(space + 1 + length))
            return true;
        if (space + 1 >= text + length && !strncmp(space + 1 - length, between[i], length) &&
            number_after(space + 1))
            return true;
    }
    return false;
}

/* Lets no line end at a space that space_joins() finds. The text does not change. */
static void keep_numbers_together(PangoLayout *layout)
{
    const char *text = pango_layout_get_text(layout);
    PangoAttrList *old = pango_layout_get_attributes(layout);
    PangoAttrList *list = NULL;
    for (const char *p = text; (p = strchr(p, ' ')); p++) {
        if (!space_joins(text, p)) continue;
        if (!list) list = old ? pango_attr_list_copy(old) : pango_attr_list_new();
        PangoAttribute *together = pango_attr_allow_breaks_new(FALSE);
        together->start_index = (guint)(p - text);
        together->end_index = together->start_index + 2;
        pango_attr_list_insert(list, together);
    }
    if (!list) return;
    pango_layout_set_attributes(layout, list);
    pango_attr_list_unref(list);
}

int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width,
                   double leading, int most_lines, struct rgb colour, const char *text)
{
    PangoLayout *layout = layout_of(c, f, text);
    if (!layout) return text && *text ? 1 : 0;
    keep_numbers_together(layout);
    pango_layout_set_width(layout, (int)fmin(width * PANGO_SCALE, 1e9));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_height(layout, -most_lines);
    const int lines = pango_layout_get_line_count(layout);
    for (int i = 0; i < lines; i++) {
        const struct place p = {x, y + i * leading, 0, 0, colour};
        show_layout_line(c, pango_layout_get_line_readonly(layout, i), f, &p);
    }
    free_layout(c, layout);
    return lines;
}

/* ---- can it be shown? ------------------------------------------------------------------------ */

char *font_complaint(const char *text)
{
    static const struct font any = {20, FONT_REGULAR, 0, 0};
    struct canvas c = {0};
    char *complaint = NULL;
    if (letters_create(&c.letters, false, NULL)) return NULL; /* drawing will report the error */
    if (!c.letters->map) {
        complaint = strdup(
            "no font was found: pictures have no text; install a font (Debian: fonts-dejavu-core)");
    } else {
        PangoLayout *layout = layout_of(&c, &any, text);
        if (layout && pango_layout_get_unknown_glyphs_count(layout))
            complaint =
                strdup("no font of this machine has all letters of the title: pictures show boxes "
                       "for the missing ones; install a font (Debian: fonts-noto, fonts-noto-cjk)");
        if (layout) free_layout(&c, layout);
    }
    letters_free(c.letters);
    return complaint;
}
