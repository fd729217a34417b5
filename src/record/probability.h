/* probability.h — a probability, and a time of arrival, for people, with its range: the one place that decides
 * how they read, on the terminal, on maps and in a bulletin. src/show/page/data.js has the same functions for
 * pages; tests/output/probabilities.txt and arrivals.txt hold both to one table. */
#pragma once

#include <stdbool.h>

enum { PROBABILITY_TEXT = 64, ARRIVAL_TEXT = 96 };

/* The text of a share p of `members` (the effective number, where they weigh differently):
 *
 *     "36.7 % ± 9.4"                 the standard error
 *     "none of 200 (below 1.5 %)"    and "all of 200 (above 98.5 %)": the 95 % bound, since the error of a
 *                                    count of none is not 0
 *     "0.59 % (below 7.5 %)"         the same of less than one effective member, and "99.41 % (above 92.5 %)"
 *     "2 of 6", "below 39 %"         where they do not know (probability_word()): how many, or the bound alone
 *     "–"                            NaN, or no members
 *
 * Returns out; pack() the same as a text to translate (text/words.h). */
char *probability_text(char out[PROBABILITY_TEXT], double p, double members);
char *probability_pack(char out[PROBABILITY_TEXT], double p, double members);

/* The text of a probability of which 5 and 95 % are known:
 *
 *     "30 % (6.06 to 66)"
 *     "below 3.6 %", "above 99.5 %"    the other end, where it is less than 0.001 % or more than 99.9 %: neither is sure
 *     "30 % (below 66 %)"              the same of one end alone
 *     "not known"                      of both
 *
 * pack() as a text to translate. Returns out. */
char *probability_range_pack(char out[PROBABILITY_TEXT], double p, double low, double high);

/* The word for a probability on the scale of the IPCC (Mastrandrea et al. 2010): "likely" is 66 to 90 %, a row of words.tsv. So many
 * members cannot show less than the 95 % bound of none of them, so there is no word for less: "not known" where that is above 33 %.
 * Then what more of them reach is never called less likely. worded(): the probability that the word is of; NaN: not known, or
 * none. */
const char *probability_word(double p, double members);
double probability_worded(double p, double members);

/* Whether that says none, or of less than one in 100,000: then nothing is said of when lava arrives. */
bool probability_is_none(double p);

/* Whether so many effective members tell a range, of which 5 and 95 % are named: three or more. */
bool probability_tells_range(double members);

/* The text for a place where lava was seen, packed: "reached, seen at 24 h". Returns out. */
char *probability_reached_pack(char out[PROBABILITY_TEXT], double hours);

/* A difference of two probabilities of the same members with its standard error, in percentage points:
 * "-12.3 ± 2.1 points", or "no difference in 200 (below 1.5 points)" where no member differs. pack() as above. */
char *probability_difference_pack(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);
char *probability_difference_text(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);

/* A standard error behind a number, " ± 0.12", and of a map of probabilities, ", standard error at most 4.43 percentage
 * points"; "" where it is not known, or 0: members that agree do not make sure. The latter is packed, a further part of a text. Return out. */
char *probability_error_text(char out[PROBABILITY_TEXT], double error);
/* The text stands in a room that lasts to the end of the block. */
#define PROBABILITY_ERROR(error) probability_error_text((char[PROBABILITY_TEXT]){0}, error)
char *probability_most_pack(char out[PROBABILITY_TEXT], double error);

/* When lava arrives, of the members that it reaches a place in: from low_h, the lower end of the class that 5 %
 * of them arrive in, to high_h, the upper end of that of 95 %, in hours since the start:
 *
 *     "14 to 62 h"    of three digits, or whole, rounded outward
 *     "14 to 62 h, 2006-07-15 12:00 to 2006-07-17 12:00 UTC"    with a start_time; "": without
 *     "–"             NaN: lava reaches it in none
 *
 * Returns out. */
char *arrival_range_text(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);
char *arrival_range_pack(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time);

/* The 95 % bound of a share of which k < 1 of the members were found. */
double probability_bound(double k, double members);
