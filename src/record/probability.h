/* probability.h — texts of probabilities and of times of arrival, with their ranges. The terminal, maps and
 * bulletins all use these functions. src/show/page/data.js has the same functions for pages.
 * tests/output/probabilities.txt and arrivals.txt check that C and scripts write equal texts. */
#pragma once

#include <stdbool.h>

enum { PROBABILITY_TEXT = 64, ARRIVAL_TEXT = 96 };

/* The text of the share p of the members. `members` is their number or, if weights differ, their effective number:
 *
 *     "36.7 % ± 9.4"                 with the standard error
 *     "none of 200 (below 1.5 %)"    with the upper 95 % bound, rounded up: "none" does not mean 0 %
 *     "all of 200 (above 98.5 %)"    with the lower 95 % bound, rounded down
 *     "0.59 % (below 7.5 %)"         with the bound, because the share is less than one effective member
 *     "2 of 6", "below 40 %"         the members do not suffice for a word (probability_word())
 *     "–"                            p is NaN, or there are no members
 *
 * Returns out; probability_pack() packs the text for translation (text/words.h). */
char *probability_text(char out[PROBABILITY_TEXT], double p, double members);
char *probability_pack(char out[PROBABILITY_TEXT], double p, double members);

/* The text of a probability with its 5 and 95 % quantiles, which are rounded outward:
 *
 *     "30 % (6.06 to 66)"
 *     "below 3.6 %"            p is less than 0.001 %; the number is the 95 % quantile
 *     "above 99.5 %"           p is more than 99.9 %; the number is the 5 % quantile
 *     "30 % (below 66 %)"      the 5 % quantile is less than 0.001 %
 *     "30 % (above 6.06 %)"    the 95 % quantile is more than 99.9 %
 *     "not known"              both: the quantiles are less than 0.001 % and more than 99.9 %
 *
 * The text is packed. Returns out. */
char *probability_range_pack(char out[PROBABILITY_TEXT], double p, double low, double high);

/* The word for a probability on the scale of the IPCC (Mastrandrea et al. 2010), a row of words.tsv: "likely" is 66 to
 * 90 %. Lava may reach a place that it reached in no member: the probability may then be as large as the bound b =
 * probability_bound(0). So a probability below b gets the word for b, and a probability above 1 - b gets the word for
 * 1 - b. If b is above 33 %, the word for both is "not known". A place that more members reach never gets a less
 * likely word. probability_worded() returns the probability that gives the word; NaN: not known, or there are no
 * members. */
const char *probability_word(double p, double members);
double probability_worded(double p, double members);

/* Whether p is less than 0.001 %. Then its text is "none of ...", and no time of arrival is written. */
bool probability_is_none(double p);

/* Whether the effective number of members is at least three, which suffices for a range from 5 to 95 %. */
bool probability_tells_range(double members);

/* The text for a place where lava has been seen, packed: "reached, seen at 24 h". Returns out. */
char *probability_reached_pack(char out[PROBABILITY_TEXT], double hours);

/* The text of a difference of two probabilities of the same members, with its standard error, in percentage points:
 * "−12.3 ± 2.1 points", or "no difference in 200 (below 1.5 points)" if no member differs. Both functions return out;
 * probability_difference_pack() packs the text. */
char *probability_difference_pack(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);
char *probability_difference_text(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);

/* Texts of a standard error: probability_error_text() writes " ± 0.12", to follow a number; probability_most_pack()
 * packs ", standard error at most 4.43 percentage points" for a map of probabilities. Both write "" if the error is not
 * known, or is 0. An error of 0 only means that all members agree. Both functions return out. */
char *probability_error_text(char out[PROBABILITY_TEXT], double error);
/* The text of an error, in memory that lasts to the end of the block. */
#define PROBABILITY_ERROR(error) probability_error_text((char[PROBABILITY_TEXT]){0}, error)
char *probability_most_pack(char out[PROBABILITY_TEXT], double error);

/* The time when lava arrives at a place, in hours since the start, for the members in which it arrives. low_h is the lower
 * end of the class with the 5 % quantile, high_h the upper end of the class with the 95 % quantile:
 *
 *     "14 to 62 h"    two decimals below 10 h, one below 100 h, else none; rounded outward
 *     "14 to 62 h, 2006-07-15 12:00 to 2006-07-17 12:00 UTC"    with dates, unless start_time is ""
 *     "–"             NaN: lava reaches the place in no member
 *
 * Returns out. */
char *arrival_range_text(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);
char *arrival_range_pack(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);

/* The upper 95 % bound of the probability of an event that happened in k of the members, 0 <= k < 1. `members` is an
 * effective number, so k need not be whole. */
double probability_bound(double k, double members);
