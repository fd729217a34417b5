/* Conditions in words: what a person is told of `--where`. */
/* tests: input/text */
/* run: plain, sanitized, quick */
#include "text/quantities.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void conditions_in_words(void **state)
{
    static const struct {
        const char *condition, *words;
    } all[] = {
        {"rate_factor > 1.2", "effusion rate (times the one given) > 1.2"},
        {"runout_m > 900", "run-out (m) > 900"},
        {"area_m2 > 1e6", "covered area (m²) > 1e6"},
        {"volume_m3 > 1e6", "volume of the eruption (m³) > 1e6"},
        {"PTvent > 1300", "temperature at the vent (K) > 1300"},
        {"3 = vent", "3 = vent"},
        {"3 = class", "3 = class of the eruption"},
        {"member", "member"},
        {"1 and", "1 and"},
        {"1 or(vent = 3)", "1 or(vent = 3)"},
        {"member > 2 and(vent = 3)", "member > 2 and(vent = 3)"},
        {"share('Road') > 0.5", "covered share of Road > 0.5"},
        {"arrival_h( 'Zafferana (CT)' ) < 24", "arrival at Zafferana (CT) (h) < 24"},
        {"share('it''s') = 0", "covered share of it's = 0"},
        {"share('", "covered share of "},
        {"share(", "covered share of "},
        {"share('a''", "covered share of a'"},
        {"overlap() > 0.5", "overlap with the observed outline > 0.5"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char packed[WORDS_TEXT], said[WORDS_TEXT];
        /* Of its own length, so that a sanitizer sees each byte behind its end. */
        char *condition = strdup(all[i].condition);
        assert_non_null(condition);
        quantities_condition(packed, sizeof packed, condition);
        assert_string_equal(words_fill(said, sizeof said, packed, NULL), all[i].words);
        free(condition);
    }
}

int main(void)
{
    return UNIT_RUN(conditions_in_words);
}
