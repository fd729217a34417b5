/* json_clean.h — makes the texts of a JSON tree printable. */
#ifndef SCIARA_JSON_CLEAN_H
#define SCIARA_JSON_CLEAN_H

struct cJSON;

/* Makes all texts of a tree printable (scan.h): paths, and names in foreign files, may hold any
 * bytes, but JSON is UTF-8. NULL is fine. */
void json_clean(struct cJSON *tree);

#endif
