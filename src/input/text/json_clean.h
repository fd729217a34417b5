/* json_clean.h — a JSON tree as text that is safe to print. */
#ifndef SCIARA_JSON_CLEAN_H
#define SCIARA_JSON_CLEAN_H

struct cJSON;

/* Makes all texts of a tree printable (scan.h): paths, and names in foreign files, may hold any
 * bytes, but JSON is UTF-8. NULL is fine. */
void json_clean(struct cJSON *tree);

/* The tree, cleaned, with a line's end behind it; it is deleted. malloc'ed; NULL: out of memory. */
char *json_printed(struct cJSON *tree);

#endif
