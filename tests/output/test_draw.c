/* Letters, colours, round numbers and charts. */
/* tests: record, show/draw */
/* build: show */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "base/loops.h"
#include "base/memory.h"
#include "record/colours.h"
#include "draw/font.h"
#include "draw/plot.h"
#include "record/probability.h"
#include "text/words.h"
#include "record/roundnum.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <glib.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "picture.h"

static const struct rgb black = {0, 0, 0};

static void text_has_its_width(void **state)
{
    const struct font f = {40, FONT_REGULAR, 0, 0}, g = {20, FONT_REGULAR, 0, 0},
                      bold = {40, FONT_BOLD, 0, 0};
    const char *text = "lava flows far";
    struct error e = {0};
    struct canvas c;
    assert_int_equal(canvas_create(&c, "page.png", 0, 1, &e), 0);
    const double width = font_width(&c, &f, text);
    assert_true(width > 200 && fabs(width - 2 * font_width(&c, &g, text)) < 0.01 * width);
    assert_true(font_width(&c, &bold, text) > width);
    assert_true(font_width(&c, &f, "1111") == font_width(&c, &f, "8888")); /* columns line up */
    assert_true(font_width(&c, &f, "") == 0);
    assert_int_equal(font_paragraph(&c, &f, 0, 40, 1e6, 50, 9, black, text), 1);
    assert_int_equal(font_paragraph(&c, &f, 0, 40, 0.8 * width, 50, 9, black, text), 2);
    assert_int_equal(font_paragraph(&c, &f, 0, 40, 0.4 * width, 50, 9, black, text), 3);
    assert_int_equal(font_paragraph(&c, &f, 0, 40, 0.4 * width, 50, 2, black, text), 2);
    assert_int_equal(font_paragraph(&c, &f, 0, 40, width, 50, 2, black, ""), 0);
    canvas_free(&c);
}

/* ---- a limit of addresses -------------------------------------------------------------------- */

enum { PAGE = 1 << 16, DRAWERS = 3, PAGES = 4 /* of each, and of the first thread */ };
static const rlim_t enough = (rlim_t)1 << 43; /* AddressSanitizer has more */

struct poor {
    double width; /* of the text, where there is memory */
    int drawn, refused, odd, done;
};

static double draw_a_page(struct error *e)
{
    const struct font f = {40, FONT_REGULAR, 0, 0};
    struct canvas c;
    int status = canvas_create(&c, "page.png", 0, 1, e);
    const double width = status ? 0 : font_width(&c, &f, "lava flows far");
    if (!status) status = canvas_page(&c, 300, 100, e);
    if (!status) {
        font_write_clear(&c, &f, 10, 50, black, "lava flows far");
        status = letters_complete(c.letters, e);
    }
    canvas_free(&c);
    return status ? 0 : width;
}

static void *draw_pages(void *poor)
{
    struct poor *p = poor;
    for (int i = 0; i < PAGES; i++) {
        struct error e = {0};
        const double width = draw_a_page(&e);
        g_atomic_int_inc(width > 0 && width == p->width ? &p->drawn
                         : width > 0 || !*e.text        ? &p->odd
                                                        : &p->refused);
    }
    return NULL;
}

/* Again and again takes all memory that there is, where no one is drawing, and gives it back. */
static void *take_all(void *poor)
{
    struct poor *p = poor;
    while (!g_atomic_int_get(&p->done)) {
        const bool limited = memory_enter();
        const size_t all = (size_t)memory_room() / PAGE * PAGE;
        void *at = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        g_usleep(50);
        if (at != MAP_FAILED) munmap(at, all);
        memory_leave(limited);
        g_usleep(50);
    }
    return NULL;
}

/* A bit each for pages that are drawn, refused, and otherwise. */
static int draw_at_once(struct poor *p)
{
    pthread_t thread[DRAWERS + 1];
    int count = 0;
    while (count <= DRAWERS &&
           loops_start_thread(&thread[count], NULL, count ? draw_pages : take_all, p))
        count++;
    draw_pages(p);
    while (count > 1) pthread_join(thread[--count], NULL);
    g_atomic_int_set(&p->done, 1);
    if (count) pthread_join(thread[0], NULL);
    return (p->drawn > 0) | (p->refused > 0) << 1 | (p->odd > 0) << 2;
}

static void text_at_a_limit_of_addresses(void **state)
{
    static const int room_mb[] = {40, 100, 140, 180, 220, 260, 340, 420, 2000};
    struct error e = {0};
    struct rlimit limit, usual;
    struct poor p = {.width = draw_a_page(&e)};
    assert_true(p.width > 0);
    assert_int_equal(getrlimit(RLIMIT_AS, &usual), 0);
    limit = (struct rlimit){enough, usual.rlim_max};
    const bool settable = setrlimit(RLIMIT_AS, &limit) == 0;
    const double used = (double)enough - memory_room();
    setrlimit(RLIMIT_AS, &usual);
    if (!settable || used >= (double)enough) skip();
    for (int i = 0; i < 9; i++) {
        int status = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            limit.rlim_cur = (rlim_t)used + ((rlim_t)room_mb[i] << 20);
            _exit(setrlimit(RLIMIT_AS, &limit) ? 99 : draw_at_once(&p));
        }
        assert_true(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status)) print_message("%d MB: signal %d\n", room_mb[i], WTERMSIG(status));
        assert_true(WIFEXITED(status));
        if (i == 0) assert_int_equal(WEXITSTATUS(status), 2);
        else assert_in_range(WEXITSTATUS(status), 1, 3);
        if (i == 8) assert_true(WEXITSTATUS(status) & 1);
    }
}

/* fontconfig's function, later: pango's threads call it at their end. */
static int ended, later_us;
__attribute__((visibility("default"))) void FcConfigDestroy(FcConfig *config)
{
    void (*destroy)(FcConfig *);
    *(void **)&destroy = dlsym(RTLD_NEXT, "FcConfigDestroy");
    g_usleep((gulong)later_us);
    destroy(config);
    g_atomic_int_inc(&ended);
}

/* No thread of a canvas outlives it. */
static void threads_end_before_their_canvas(void **state)
{
    const struct font f = {40, FONT_REGULAR, 0, 0};
    struct error e = {0};
    struct canvas c;
    const int before = g_atomic_int_get(&ended);
    later_us = 50000;
    assert_int_equal(canvas_create(&c, "page.png", 0, 1, &e), 0);
    assert_true(font_width(&c, &f, "lava") > 0);
    canvas_free(&c);
    const int after = g_atomic_int_get(&ended);
    assert_true(after > before);
    g_usleep(200000);
    assert_int_equal(g_atomic_int_get(&ended), after);
    later_us = 0;
}

/* Where ink is on a page: its bounds and how many pixels are dark. */
struct ink {
    int x0, y0, x1, y1, dark;
};

static struct ink ink_of(const struct picture *p)
{
    struct ink k = {p->width, p->height, -1, -1, 0};
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            if (p->rgb[3 * ((size_t)y * (size_t)p->width + (size_t)x)] > 100) continue;
            k.dark++;
            k.x0 = x < k.x0 ? x : k.x0;
            k.x1 = x > k.x1 ? x : k.x1;
            k.y0 = y < k.y0 ? y : k.y0;
            k.y1 = y > k.y1 ? y : k.y1;
        }
    return k;
}

static struct picture page_with(struct scratch *dir, const struct font *f, double x, double y,
                                const char *text)
{
    struct canvas c;
    struct error e = {0};
    const char *path = scratch_file(dir, "page.png");
    assert_int_equal(canvas_create(&c, path, 0, 1, &e), 0);
    assert_int_equal(canvas_page(&c, 700, 300, &e), 0);
    font_write(&c, f, x, y, black, text);
    assert_int_equal(canvas_write(&c, path, text, &e), 0);
    canvas_free(&c);
    struct picture p = picture_read(path);
    unlink(path);
    return p;
}

/* Every sign of ASCII and some of other languages leave ink on the base line that they stand on. */
static void letters_are_where_they_should_be(void **state)
{
    const struct font f = {40, FONT_REGULAR, 0, 0.5}, up = {40, FONT_REGULAR, acos(0.0), 0.5};
    static const char *const words[] = {"HE", "\xC3\x89tna",
                                        "\xCE\x91\xCE\xB9\xCF\x84\xCE\xBD\xCE\xB1",
                                        "\xD0\xAD\xD1\x82\xD0\xBD\xD0\xB0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct picture p = page_with(*state, &f, 350, 150, words[i]);
        const struct ink k = ink_of(&p);
        assert_true(k.dark > 300 && abs(k.y1 - 149) <= 2); /* on the base line */
        assert_true(k.y0 < 113 && k.y0 > 90 && abs(k.x0 + k.x1 - 700) < 12);
        free(p.rgb);
        p = page_with(*state, &up, 350, 150, words[i]); /* upwards: turned around the same point */
        const struct ink v = ink_of(&p);
        assert_true(abs(v.x1 - 349) <= 2 && abs((v.y1 - v.y0) - (k.x1 - k.x0)) <= 2);
        free(p.rgb);
    }
    for (char ch = '!'; ch <= '~'; ch++) {
        const char one[] = {ch, 0};
        struct picture p = page_with(*state, &f, 350, 150, one);
        const struct ink k = ink_of(&p);
        assert_true(k.dark > 10 && k.x0 > 320 && k.x1 < 380 && k.y0 > 90 && k.y1 < 170);
        free(p.rgb);
    }
}

/* Nothing in a title is more than its letters: no control, no markup, no end of a string. */
static void hostile_text_is_only_text(void **state)
{
    struct scratch *dir = *state;
    enum { LONG = 10000 };
    char *endless = malloc(LONG + 1);
    memset(endless, 'W', LONG);
    endless[LONG] = '\0';
    const char *text[] = {"\xE4\xB8\x96\xFF\xC3 \xC3\xA9",
                          "a\x1B[31m\x07\n\r\tb\x7F",
                          "<b>&amp;\"']]>",
                          "\xE2\x80\xAE"
                          "desrever",
                          endless,
                          "%s%n",
                          ""};
    static const char *const files[] = {"page.png", "page.svg", "page.pdf"};
    const struct font f = {40, FONT_REGULAR, 0, 0};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (int k = 0; k < 3; k++) {
            struct canvas c;
            struct error e = {0};
            const char *path = scratch_file(dir, files[k]);
            assert_int_equal(canvas_create(&c, path, 0, 1, &e), 0);
            assert_int_equal(canvas_page(&c, 700, 300, &e), 0);
            font_write(&c, &f, 10, 60, black, text[i]);
            font_write_clear(&c, &f, -1e9, 60, black, text[i]); /* far outside is nothing */
            assert_true(font_paragraph(&c, &f, 10, 120, 600, 50, 3, black, text[i]) <= 3);
            assert_int_equal(canvas_write(&c, path, text[i], &e), 0);
            canvas_free(&c);
            if (k == 1) { /* XML, whose only elements are the page's */
                size_t size;
                char *svg = scratch_bytes(path, &size);
                assert_null(strstr(svg, "<b>"));
                assert_int_equal(strstr(svg, "&lt;b&gt;&amp;amp;&quot;']]&gt;") != NULL, i == 2);
                for (size_t n = 0; n < size; n++)
                    assert_true((unsigned char)svg[n] >= 32 || svg[n] == '\n');
                assert_true(g_utf8_validate(svg, (gssize)size, NULL));
                const char *end = strstr(svg, "</svg>\n"); /* and its seal */
                assert_true(end && !strncmp(end + 7, "<!-- ", 5) &&
                            strstr(end, "-->") == svg + size - 4);
                free(svg);
            }
            unlink(path);
        }
    free(endless);
    assert_int_equal(count_files(dir->path), 0);
}

/* Text stays text, and the same page has the same bytes. */
static void pages_are_vectors_too(void **state)
{
    struct scratch *dir = *state;
    static const char *const files[] = {"page.svg", "page.pdf"};
    const struct font f = {40, FONT_BOLD, 0.3, 0};
    for (int k = 0; k < 2; k++) {
        char *bytes[2];
        size_t size[2];
        for (int i = 0; i < 2; i++) {
            struct canvas c;
            struct error e = {0};
            const char *path = scratch_file(dir, files[k]);
            assert_int_equal(canvas_create(&c, path, 300, 0.5, &e), 0);
            font_write(&c, &f, 10, 60, black, "only measured");
            assert_int_equal(canvas_page(&c, 700, 300, &e), 0);
            font_write(&c, &f, 10, 60, black, "M\xC3\xBCllers Etna");
            canvas_disc(&c, 200, 100, 50);
            canvas_ink(&c, black, 0.5);
            assert_int_equal(canvas_write(&c, path, "title", &e), 0);
            canvas_free(&c);
            bytes[i] = scratch_bytes(path, &size[i]);
            unlink(path);
        }
        if (k) { /* an SVG has numbers that count on */
            assert_int_equal(size[0], size[1]);
            assert_memory_equal(bytes[0], bytes[1], size[0]);
        }
        if (!k) { /* 700 units of half a 1/200 inch are 126 points */
            assert_non_null(strstr(bytes[0], "width=\"126pt\""));
            assert_non_null(strstr(bytes[0], ">M\xC3\xBCllers Etna</text>"));
            assert_null(strstr(bytes[0], "only measured"));
        } else {
            assert_memory_equal(bytes[0], "%PDF", 4);
        }
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void complaints_name_what_is_missing(void **state)
{
    assert_null(font_complaint("\xC3\x89tna 2006"));
    char *said = font_complaint("\xF4\x8F\xBF\xBD"); /* a private character that no font has */
    assert_non_null(said);
    assert_non_null(strstr(said, "font"));
    free(said);
}

/* probabilities_check.js holds the page to the same table. */
static void probabilities_have_their_range(void **state)
{
    char line[128], said[PROBABILITY_TEXT];
    int rows = 0;
    FILE *f = fopen("tests/output/probabilities.txt", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *end, *text = strrchr(line, '\t');
        if (*line == '#') continue;
        line[strcspn(line, "\n")] = '\0';
        const double p = strtod(line, &end);
        assert_string_equal(probability_text(said, p, strtod(end, NULL)), text + 1);
        rows++;
    }
    fclose(f);
    assert_true(rows > 20);
    assert_string_equal(probability_text(said, NAN, 40), "–");
    assert_string_equal(probability_difference_text(said, -0.1234, 0.0213, 40),
                        "−12.3 ± 2.1 points");
    assert_string_equal(probability_difference_text(said, 0.05, 0.1, 20), "+5 ± 10 points");
    assert_string_equal(probability_error_text(said, 0.123), " ± 0.12");
    assert_string_equal(WORDS_ENGLISH(probability_most_pack(said, 0.0443)),
                        ", standard error at most 4.43 percentage points");
    assert_string_equal(WORDS_ENGLISH(probability_most_pack(said, 0.044301)),
                        ", standard error at most 4.44 percentage points");
    assert_string_equal(probability_error_text(said, 0), "");
    assert_string_equal(probability_error_text(said, NAN), "");
    assert_string_equal(probability_most_pack(said, 0), "");
    assert_string_equal(probability_difference_text(said, 0, 0, 200),
                        "no difference in 200 (below 1.5 points)");
    assert_string_equal(probability_difference_text(said, -1, 0, 200), "−100 points in all of 200");
    /* The bound is that of a count of none: by it, none of n has a chance of 5 %. It is printed as no less, and as less
     * than one more in the second digit. */
    for (int n = 1; n <= 2000; n++) {
        const double bound = 100 * -expm1(log(0.05) / n), digit = pow(10, floor(log10(bound)) - 1);
        const double below = strtod(strstr(probability_text(said, 0, n), "below") + 6, NULL);
        const double above = strtod(strstr(probability_text(said, 1, n), "above") + 6, NULL);
        assert_true(fabs(pow(1 - probability_bound(0, n), n) - 0.05) < 1e-9);
        assert_true(below > bound - 1e-9 && below < bound + digit);
        assert_true(above < 100 - bound + 1e-9 && above > 100 - bound - digit);
    }
}

/* No number stands for what is sure, nor for what never comes. */
static void ranges_of_probabilities_are_not_too_sure(void **state)
{
    static const struct {
        double p, low, high;
        const char *said;
    } row[] = {{0.3, 0.0606, 0.66, "30 % (6.06 to 66)"},
               {0.0033, 0.0017, 0.816, "0.33 % (0.17 to 81.6)"},
               {0.3, 0.060694, 0.66001, "30 % (6.06 to 66.1)"},
               {0, 0, 0.036001, "below 3.61 %"},
               {1, 0.99499, 1, "above 99.4 %"},
               {1 - 1e-9, 0.995, 1, "above 99.5 %"},
               {1, 1, 1, "above 99.9 %"},
               {0.9999, 0.99999, 1, "above 99.9 %"},
               {0, 0, 0.036, "below 3.6 %"},
               {0, 0, 0, "below 0.001 %"},
               {1e-7, 1e-9, 0.75, "below 75 %"},
               {0.0021, 3.6e-8, 0.0459, "0.21 % (below 4.59 %)"},
               {0.97, 0.61, 0.9999, "97 % (above 61 %)"},
               {0, 0, 1, "not known"},
               {1, 1e-9, 1, "not known"}};
    char said[PROBABILITY_TEXT];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(
            WORDS_ENGLISH(probability_range_pack(said, row[i].p, row[i].low, row[i].high)),
            row[i].said);
}

/* The words of the IPCC at both sides of each edge, of so many members that all is known; and of few, by their 95 % bound, in closed
 * form 1 - 0.05^(1/n) of none, which no word goes below. */
static void probabilities_have_words(void **state)
{
    static const struct {
        double above;
        const char *word;
    } scale[] = {{0, "exceptionally unlikely"},    {0.01, "very unlikely"}, {0.1, "unlikely"},
                 {0.33, "about as likely as not"}, {0.66, "likely"},        {0.9, "very likely"},
                 {0.99, "virtually certain"}};
    enum { WORDS = sizeof scale / sizeof *scale };
    for (int i = 0; i < WORDS; i++) {
        const double up_to = i + 1 < WORDS ? scale[i + 1].above : 0.999;
        assert_string_equal(probability_word(scale[i].above + 1e-3, 1e6), scale[i].word);
        assert_string_equal(probability_word(up_to, 1e6), scale[i].word);
    }
    for (int n = 1; n < 600; n++) {
        const double bound = 1 - pow(0.05, 1.0 / n);
        int low = 0, high = WORDS - 1, last = 0;
        while (low + 1 < WORDS && bound > scale[low + 1].above) low++;
        while (1 - bound <= scale[high].above) high--;
        assert_string_equal(probability_word(0, n), bound > 0.33 ? "not known" : scale[low].word);
        assert_string_equal(probability_word(1, n), bound > 0.33 ? "not known" : scale[high].word);
        /* Lava in more of the members is never less likely. */
        for (int k = 0; k <= 20 * n && bound <= 0.33; k++) {
            const char *word = probability_word((double)k / (20 * n), n);
            int at = 0;
            while (at < WORDS && strcmp(scale[at].word, word) != 0) at++;
            assert_in_range(at, k ? last : low, high);
            last = at;
        }
    }
    assert_string_equal(probability_word(NAN, 10), "–");
}

/* probabilities_check.js holds the page to this table, too. */
static void arrivals_are_ranges(void **state)
{
    char line[192], said[ARRIVAL_TEXT];
    int rows = 0, dated = 0;
    FILE *f = fopen("tests/output/arrivals.txt", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *end, *start, *text = strrchr(line, '\t');
        if (*line == '#') continue;
        line[strcspn(line, "\n")] = '\0';
        *text = '\0';
        const double low = strtod(line, &end), high = strtod(end, &start);
        start += strspn(start, "\t-");
        dated += *start != '\0';
        assert_string_equal(arrival_range_text(said, low, high, start), text + 1);
        rows++;
    }
    fclose(f);
    assert_true(rows > 15 && dated > 3);
    assert_string_equal(arrival_range_text(said, 1, 1e5, "9999-12-01T00:00:00Z"), "1 to 100000 h");
}

static void numbers_are_round(void **state)
{
    char t[32];
    for (double v = 1e-6; v < 1e9; v *= 1.37) {
        double up = roundnum_above(v), down = roundnum_below(v);
        assert_true(up >= v * (1 - 1e-8) && up < 2.51 * v);
        assert_true(down <= v * (1 + 1e-8) && down > v / 2.51);
    }
    assert_true(roundnum_above(5) == 5 && roundnum_below(5) == 5 && roundnum_above(20) == 20);
    assert_string_equal(roundnum_text(t, 4178.5, 0.5), "4178.5");
    assert_string_equal(roundnum_text(t, 0.30000000000000004, 0.1), "0.3");
    assert_string_equal(roundnum_text(t, -0.0, 0.1), "0.0");
    assert_string_equal(roundnum_text(t, -5, 1), "\xE2\x88\x92"
                                                 "5");
    assert_string_equal(roundnum_brief(t, 11.4832), "11.5");
    assert_string_equal(roundnum_brief(t, 315455), "315,455");
    for (double v = 100; v < 1e9; v *= 1.0371) { /* whole, with thousands apart */
        double read = 0;
        roundnum_brief(t, v);
        for (size_t i = 0; t[i]; i++) {
            if ((strlen(t) - i) % 4 == 0) assert_int_equal(t[i], ',');
            else read = 10 * read + t[i] - '0';
        }
        assert_true(read == nearbyint(v));
    }
    static const struct {
        const char *plain, *grouped;
    } texts[] = {{"644520", "644,520"},
                 {"1234567.25", "1,234,567.25"},
                 {"1000", "1,000"},
                 {"999", "999"},
                 {"0.12345", "0.12345"},
                 {"1.234e+15", "1.234e+15"},
                 {"\xE2\x88\x92"
                  "20000",
                  "\xE2\x88\x92"
                  "20,000"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        snprintf(t, sizeof t, "%s", texts[i].plain);
        assert_string_equal(roundnum_grouped(t), texts[i].grouped);
    }
    static const double axes[][4] = {/* low, high, first, numbers */
                                     {0, 10, 0, 11},
                                     {0.3, 10.2, 1, 10},
                                     {-3, 3, -3, 7},
                                     {1e9, 1e9 + 5, 1e9, 11}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        const struct roundnum_ticks k = roundnum_ticks(axes[i][0], axes[i][1], 10);
        assert_true(k.index * k.step == axes[i][2] && k.count == (int)axes[i][3]);
    }
    const double near[][2] = {{1, nextafter(1, 2)}, {1e15, 1e15 + 0.25}, {2, 2}, {0, INFINITY}};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        assert_int_equal(roundnum_ticks(near[i][0], near[i][1], 10).count, 0);
    roundnum_text(t, -123456789012.5, 0.000000001); /* the longest: it stays in its place */
    assert_true(strlen(roundnum_grouped(t)) < sizeof t);
}

/* Thousands as on the page; the number of the longest bar has its room. */
static void bars_have_their_numbers(void **state)
{
    struct scratch *dir = *state;
    const char *label[] = {"Pcool", ""};
    const double value[] = {644520, 12345678};
    const struct chart c = {
        .title = "Chart", .unit = "area", .count = 2, .label = label, .value = value};
    struct error e = {0};
    size_t size;
    const char *path = scratch_file(dir, "chart.svg");
    assert_int_equal(chart_bars(path, &c, NULL, &e), 0);
    char *svg = scratch_bytes(path, &size);
    assert_non_null(strstr(svg, ">644,520</text>"));
    assert_non_null(strstr(svg, ">12,345,678</text>"));
    assert_non_null(strstr(svg, ">10,000,000</text>"));
    free(svg);
    unlink(path);
    path = scratch_file(dir, "chart.png");
    assert_int_equal(chart_bars(path, &c, NULL, &e), 0);
    struct picture p = picture_read(path);
    for (int y = 0; y < p.height; y++)
        for (int x = p.width - 40; x < p.width; x++)
            assert_true(p.rgb[3 * ((size_t)y * (size_t)p.width + (size_t)x)] > 250);
    free(p.rgb);
    unlink(path);
}

/* Below 0 as it is, and no digits beyond the intervals. */
static void bars_below_zero(void **state)
{
    struct scratch *dir = *state;
    const char *label[] = {"S1", "ST", "area"};
    const double value[] = {-0.01234, 0.56789, 64452}, lo[] = {-0.05, 0.5, 60000},
                 hi[] = {0.03, 0.63, 68000};
    const struct chart c = {
        .unit = "share", .count = 3, .label = label, .value = value, .lo = lo, .hi = hi};
    struct error e = {0};
    size_t size;
    const char *path = scratch_file(dir, "below.svg");
    assert_int_equal(chart_bars(path, &c, NULL, &e), 0);
    char *svg = scratch_bytes(path, &size);
    assert_non_null(strstr(svg, ">\u22120.01</text>"));
    assert_non_null(strstr(svg, ">0.57</text>"));
    assert_non_null(strstr(svg, ">64,000</text>"));
    free(svg);
    unlink(path);
}

static void charts_are_drawn(void **state)
{
    struct scratch *dir = *state;
    const char *label[] = {"reference", "cfamo", "never run"}, *groups[] = {"CPU", "CUDA"};
    const double value[] = {40, 0.5, (double)NAN}, lo[] = {39, 0.4, (double)NAN},
                 hi[] = {45, 0.6, (double)NAN};
    const int group[] = {0, 1, 1};
    struct chart c = {.title = "Chart",
                      .unit = "s",
                      .count = 3,
                      .label = label,
                      .value = value,
                      .lo = lo,
                      .hi = hi,
                      .group = group,
                      .group_count = 2,
                      .group_label = groups};
    const struct rgb first = colours_distinct(0), second = colours_distinct(1);
    struct error e = {0};
    long pixels[2] = {0};
    const char *path = scratch_file(dir, "chart.png");
    assert_int_equal(chart_bars(path, &c, NULL, &e), 0);
    struct picture p = picture_read(path);
    for (int i = 0; i < p.width * p.height; i++) {
        pixels[0] += !memcmp(p.rgb + 3 * (size_t)i, &first, 3);
        pixels[1] += !memcmp(p.rgb + 3 * (size_t)i, &second, 3);
    }
    assert_true(pixels[1] > 0 && pixels[0] > 15 * pixels[1]); /* with the legend's swatches */
    free(p.rgb);
    unlink(path);
    c.count = 0;
    assert_int_not_equal(chart_bars(path, &c, NULL, &e), 0);
    assert_int_equal(count_files(dir->path), 0);
}

/* A quantity that stays as it was, but for its last bits: the axis was endless. */
static void bounds_a_few_ulps_apart_are_drawn(void **state)
{
    struct scratch *dir = *state;
    const double x[] = {1, 2, 3}, y[] = {1e15, 1e15, 1e15};
    const double bounds[][2] = {{1, nextafter(1, 2)}, {1e15, 1e15 + 0.25}, {-1e15, -1e15 + 0.25}};
    const char *path = scratch_file(dir, "ulps.png");
    struct error e = {0};
    alarm(60);
    for (int i = 0; i < 3; i++) {
        const struct plot_series s = {.count = 3, .x = x, .y = y};
        const struct plot p = {.title = "constant",
                               .x = {"x", 0, 4},
                               .y = {"y", bounds[i][0], bounds[i][1]},
                               .count = 1,
                               .series = &s};
        assert_int_equal(plots_write(path, &p, 1, NULL, &e), 0);
        const struct plot turned = {.x = p.y, .y = p.x, .count = 1, .series = &s};
        assert_int_equal(plots_write(path, &turned, 1, NULL, &e), 0);
    }
    alarm(0);
}

/* The most pixels of the first colour in a column of a picture. */
static int tallest(const char *path)
{
    const struct rgb line = colours_distinct(0);
    struct picture q = picture_read(path);
    int most = 0;
    for (int col = 0; col < q.width; col++) {
        int count = 0;
        for (int row = 0; row < q.height; row++)
            count += !memcmp(q.rgb + 3 * ((size_t)row * (size_t)q.width + (size_t)col), &line, 3);
        if (count > most) most = count;
    }
    free(q.rgb);
    return most;
}

/* A step has two long straight lines. */
static void steps_have_no_slopes(void **state)
{
    struct scratch *dir = *state;
    const double x[] = {0, 1, 2}, y[] = {5, 5, 2};
    const char *path = scratch_file(dir, "steps.png");
    struct error e = {0};
    for (int stepped = 0; stepped < 2; stepped++) {
        const struct plot_series s = {
            .count = 3, .x = x, .y = y, .kind = stepped ? PLOT_STEPS : PLOT_LINE};
        const struct plot p = {.x = {"x", 0, 2}, .y = {"y", 0, 6}, .count = 1, .series = &s};
        assert_int_equal(plots_write(path, &p, 1, NULL, &e), 0);
        if (stepped) assert_true(tallest(path) > 300);
        else assert_true(tallest(path) < 20);
    }
}

/* A line four pixels wide ends where a value is NaN, and a point that it does not lead to has its disc. */
static void a_line_is_broken_by_nan(void **state)
{
    struct scratch *dir = *state;
    const double x[] = {0.2, 1, 1.8}, whole[] = {3, 3, 3}, broken[] = {3, NAN, 3};
    const char *const neither[] = {"", "", ""}, *const discs[] = {NULL, NULL, NULL};
    const char *path = scratch_file(dir, "broken.png");
    const struct {
        const double *y;
        const char *const *point;
        int least, most;
    } cases[] = {{whole, NULL, 2, 4},
                 {broken, NULL, 0, 0},
                 {broken, neither, 0, 0},
                 {broken, discs, 10, 16}};
    struct error e = {0};
    for (int i = 0; i < 4; i++) {
        const struct plot_series s = {.count = 3, .x = x, .y = cases[i].y, .point = cases[i].point};
        const struct plot p = {.x = {"x", 0, 2}, .y = {"y", 0, 6}, .count = 1, .series = &s};
        assert_int_equal(plots_write(path, &p, 1, NULL, &e), 0);
        assert_in_range(tallest(path), cases[i].least, cases[i].most);
    }
}

/* 100 is in the middle of an axis from 1 to 10,000, and 0 has no place on it. */
static void powers_of_ten_are_equally_far_apart(void **state)
{
    struct scratch *dir = *state;
    const char *path = scratch_file(dir, "powers.png");
    struct error e = {0};
    const double hundred = 100;
    const struct plot_series s = {.count = 1, .x = &hundred, .y = &hundred, .kind = PLOT_DOTS};
    for (int log = 0; log < 2; log++) {
        struct plot p = {.x = {NULL, 1, 10000}, .y = {NULL, 1, 10000}, .count = 1, .series = &s};
        p.log_x = p.log_y = log;
        assert_int_equal(plots_write(path, &p, 1, NULL, &e), 0);
        struct picture q = picture_read(path);
        const size_t middle = 3 * ((size_t)476 * (size_t)q.width + 544); /* next to the grid */
        assert_int_equal(q.rgb[middle] < 200, log);
        free(q.rgb);
        p.x.low = 0;
        assert_int_equal(plots_write(path, &p, 1, NULL, &e), log ? ERROR_FAILED : 0);
    }
}

/* In each text and language; nothing of a choice is left. */
static void words_go_with_their_number(void **state)
{
    (void)state;
    int choices = 0;
    for (int i = 0; words_rows[i]; i += words_columns)
        for (int k = 0; words_languages[k]; k++) {
            char packed[WORDS_TEXT], text[2][WORDS_TEXT];
            for (int n = 1; n < 3; n++) {
                snprintf(packed, sizeof packed, "%s", words_rows[i]);
                for (const char *hole = words_rows[i]; (hole = strstr(hole, "{}")); hole++)
                    snprintf(packed + strlen(packed), sizeof packed - strlen(packed),
                             WORDS_NEXT "%d", n);
                if (!strchr(packed, *WORDS_NEXT)) continue;
                words_fill(text[n - 1], WORDS_TEXT, packed, words_languages[k]);
                if (strpbrk(text[n - 1], "{}|")) fail_msg("%s", text[n - 1]);
            }
            choices += strchr(words_rows[i], '|') != NULL;
        }
    assert_true(choices > 60);
    char packed[100], text[100];
    words_pack(packed, sizeof packed, "%d {member|members}", 1);
    assert_string_equal(words_fill(text, sizeof text, packed, NULL), "1 member");
    assert_string_equal(words_fill(text, sizeof text, packed, "it"), "1 membro");
    words_pack(packed, sizeof packed, "%d {member|members}", 11);
    assert_string_equal(words_fill(text, sizeof text, packed, "it"), "11 membri");
    assert_string_equal(words_fill(text, 6, packed, NULL), "11 me");
}

int main(void)
{
    return UNIT_RUN_IN(
        set_up, tear_down, NULL, NULL, text_has_its_width, text_at_a_limit_of_addresses,
        threads_end_before_their_canvas, letters_are_where_they_should_be,
        hostile_text_is_only_text, pages_are_vectors_too, complaints_name_what_is_missing,
        words_go_with_their_number, numbers_are_round, probabilities_have_their_range,
        ranges_of_probabilities_are_not_too_sure, probabilities_have_words, arrivals_are_ranges,
        bars_have_their_numbers, bars_below_zero, charts_are_drawn,
        bounds_a_few_ulps_apart_are_drawn, steps_have_no_slopes, a_line_is_broken_by_nan,
        powers_of_ten_are_equally_far_apart);
}
