#define _GNU_SOURCE /* dladdr */
#include "fonts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <limits.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* fontconfig keeps some of what it allocates for as long as the process lives. */
#if defined(__SANITIZE_ADDRESS__)
#define SEEN __attribute__((visibility("default")))
SEEN const char *__lsan_default_suppressions(void);
SEEN const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig.so\n";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

/* The folder of fonts that came along with this program (tools/bundle), if there is one. */
static bool own_folder(char folder[PATH_MAX])
{
    Dl_info me;
    char file[PATH_MAX];
    if (!dladdr((void *)(size_t)&fonts_map, &me) || !me.dli_fname || !realpath(me.dli_fname, file))
        return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(file, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return snprintf(folder, PATH_MAX, "%s/share/sciara/fonts", file) < PATH_MAX &&
           access(folder, R_OK | X_OK) == 0;
}

static const char configuration[] = "/etc/fonts/fonts.conf";

/* One by one: of a folder fontconfig would want to keep a cache. */
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

/* A bundle brings fonts to machines that may have none, nor a configuration of them; pango would
 * look for that all the same, and complain. */
static FcConfig *own_config(const char *folder)
{
    FcConfig *config = FcConfigCreate();
    if (!config) return NULL;
    FcConfigParseAndLoad(config, (const FcChar8 *)configuration, FcFalse);
    FcConfigBuildFonts(config);
    add_files(config, folder);
    if (access(configuration, R_OK)) FcConfigSetCurrent(config);
    return config;
}

static bool has_fonts(FcConfig *config)
{
    const FcFontSet *all = FcConfigGetFonts(config, FcSetSystem),
                    *own = FcConfigGetFonts(config, FcSetApplication);
    return (all && all->nfont > 0) || (own && own->nfont > 0);
}

PangoFontMap *fonts_map(void)
{
    char folder[PATH_MAX];
    FcConfig *config = own_folder(folder) ? own_config(folder) : NULL;
    PangoFontMap *map = has_fonts(config) ? pango_cairo_font_map_new() : NULL;
    if (map && config) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    if (config) FcConfigDestroy(config);
    return map;
}
