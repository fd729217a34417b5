/* letters.h — what font.c keeps for a canvas, and canvas.c starts and writes. */
#ifndef SCIARA_LETTERS_H
#define SCIARA_LETTERS_H

#include <stdbool.h>
#include <stdio.h>

struct letters;

/* apart: text is collected for letters_put() in place of being drawn. NULL: no memory. */
struct letters *letters_create(bool apart);
void letters_free(struct letters *l); /* NULL is fine */

/* Forgets what has been collected: a page begins. */
void letters_begin(struct letters *l);
/* What has been collected, as text elements of SVG whose user space has so many points per unit. */
void letters_put(struct letters *l, FILE *out, double points_per_unit);

/* Text that anything can show: UTF-8 without control characters, of a length that a title may have;
 * malloc'ed. NULL: no memory. */
char *letters_clean(const char *text);

#endif
