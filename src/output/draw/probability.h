/* probability.h — a probability for people, with its range: the one place that decides how it reads, on the
 * terminal, on maps and in a bulletin. src/output/page/data.js has the same function for pages;
 * tests/output/probabilities.txt holds both to one table. */
#pragma once

enum { PROBABILITY_TEXT = 64 };

/* Of the share p of `members` (the effective number, where they weigh differently):
 *
 *     "36.7 % ± 9.4"                 the standard error
 *     "none of 200 (below 1.5 %)"    and "all of 200 (above 98.5 %)": the 95 % bound, since the error of a
 *                                    count of none is not 0
 *     "0.59 % (below 7.5 %)"         the same of less than one effective member, and "99.41 % (above 92.5 %)"
 *     "–"                            NaN, or no members
 *
 * Returns out. page_words() translates it. */
char *probability_text(char out[PROBABILITY_TEXT], double p, double members);

/* A difference of two probabilities of the same members with its standard error, in percentage points:
 * "-12.3 ± 2.1 points", or "no difference in 200 (below 1.5 points)" where no member differs. */
char *probability_difference_text(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members);

/* The 95 % bound of a share of which k < 1 of the members were found. */
double probability_bound(double k, double members);
