/* map_options.c — the page of maps, of all commands that draw some. */
#include "options.h"
#include "run.h"

#include "text/scan.h"

#include <string.h>

int option_page(const struct option *o, void *field, const char *const value[], struct error *e)
{
    static const struct {
        const char *name;
        double long_in, short_in;
    } sheets[] = {{"A3", 420 / 25.4, 297 / 25.4},
                  {"A4", 297 / 25.4, 210 / 25.4},
                  {"A5", 210 / 25.4, 148 / 25.4}};
    struct run_page *page = field;
    const size_t length = strcspn(value[0], "-");
    char wide[16] = "";
    int64_t width, height;
    (void)o;
    for (int i = 0; i < 3; i++) {
        if (length != 2 || strncmp(value[0], sheets[i].name, length)) continue;
        *page = (struct run_page){sheets[i].long_in, sheets[i].short_in, false};
        if (!value[0][length]) return 0;
        *page = (struct run_page){sheets[i].short_in, sheets[i].long_in, false};
        if (!strcmp(value[0] + length, "-portrait")) return 0;
    }
    const char *by = strchr(value[0], 'x');
    if (by && by - value[0] < (long)sizeof wide) memcpy(wide, value[0], (size_t)(by - value[0]));
    if (by && scan_integer(wide, &width) && scan_integer(by + 1, &height) && width >= 300 &&
        height >= 300 && width <= 20000 && height <= 20000) {
        *page = (struct run_page){(double)width, (double)height, true};
        return 0;
    }
    return error_input(e, "give A3, A4 or A5, also A4-portrait, or pixels, 300x300 to 20000x20000");
}

void run_map_inches(const struct run_map *m, double *width_in, double *height_in)
{
    const double per_inch = !m->page.pixels ? 1 : m->dpi > 0 ? m->dpi : 300;
    *width_in = m->page.width / per_inch;
    *height_in = m->page.height / per_inch;
}
