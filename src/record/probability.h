/* probability.h — a probability, and a time of arrival, for people, with its range: the one place that decides
 * how they read, on the terminal, on maps and in a bulletin. src/show/page/data.js has the same functions for
 * pages; tests/output/probabilities.txt and arrivals.txt hold both to one table. */
#pragma once

#include <stdbool.h>

enum { PROBABILITY_TEXT = 64, ARRIVAL_TEXT = 96 };

/* The text of a share p of `members` (the effective number, where they weigh differently):
 *
 *     "36.7 % ± 9.4"                 the standard error
 *     "none of 200 (below 1.5 %)"    and "all of 200 (above 98.5 %)": the 95 % bound, rounded outward, since the
 *                                    error of a count of none is not 0
 *     "0.59 % (below 7.5 %)"         with less than one effective member, and "99.41 % (above 92.5 %)"
 *     "2 of 6", "below 40 %"         if too few members can tell (probability_word()): how many, or only the bound
 *     "–"                            NaN, or no members
 *
 * Returns out; probability_pack() packs the text for translation (text/words.h). */
char *probability_text(char out[PROBABILITY_TEXT], double p, double members);
char *probability_pack(char out[PROBABILITY_TEXT], double p, double members);

/* The text of a probability whose 5 and 95 % quantiles are known; these are rounded outward:
 *
 *     "30 % (6.06 to 66)"
 *     "below 3.6 %", "above 99.5 %"    p is less than 0.001 % or more than 99.9 %: only how far it may be from that
 *     "30 % (below 66 %)"              one quantile is beyond these limits
 *     "not known"                      both quantiles are
 *
 * The text is packed. Returns out. */
char *probability_range_pack(char out[PROBABILITY_TEXT], double p, double low, double high);

/* The word for a probability on the scale of the IPCC (Mastrandrea et al. 2010): "likely" is 66 to 90 %, a row of words.tsv. Members
 * cannot exclude a probability below the 95 % bound of a count of none, so no word stands for less than that bound; if it is above
 * 33 %, the word is "not known". So a place that more members reach never gets a less likely word. worded(): the probability that
 * the word stands for; NaN: not known, or no members. */
const char *probability_word(double p, double members);
double probability_worded(double p, double members);

/* Whether the text says none, or less than one in 100,000: then no time of arrival is written. */
bool probability_is_none(double p);

/* Whether this many effective members, three or more, suffice for a range from 5 to 95 %. */
bool probability_tells_range(double members);

/* The text for a place where lava has been seen, packed: "reached, seen at 24 h". Returns out. */
char *probability_reached_pack(char out[PROBABILITY_TEXT], double hours);

/* A difference of two probabilities of the same members with its standard error, in percentage points: "−12.3 ± 2.1
 * points", or "no difference in 200 (below 1.5 points)" if no member differs; packed. Returns out. */
char *probability_difference_pack(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);
char *probability_difference_text(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);

/* A standard error to follow a number, " ± 0.12"; and packed for a map of probabilities, ", standard error at most 4.43 percentage points".
 * Both are "" if the error is not known or is 0, as members that agree prove nothing. Return out. */
char *probability_error_text(char out[PROBABILITY_TEXT], double error);
/* The text of an error, in memory that lasts to the end of the block. */
#define PROBABILITY_ERROR(error) probability_error_text((char[PROBABILITY_TEXT]){0}, error)
char *probability_most_pack(char out[PROBABILITY_TEXT], double error);

/* When lava arrives at a place, in the members where it does, in hours since the start: from low_h, the lower end of the class
 * of the 5 % quantile, to high_h, the upper end of the class of the 95 % quantile:
 *
 *     "14 to 62 h"    at most three digits, or whole numbers, rounded outward
 *     "14 to 62 h, 2006-07-15 12:00 to 2006-07-17 12:00 UTC"    with dates, unless start_time is ""
 *     "–"             NaN: lava reaches the place in no member
 *
 * Returns out. */
char *arrival_range_text(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);
char *arrival_range_pack(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);

/* The 95 % bound of a share that k < 1 of the members were found to have. */
double probability_bound(double k, double members);
