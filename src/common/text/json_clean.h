/* json_clean.h — texts of a JSON tree as they may be printed. */
#ifndef SCIARA_JSON_CLEAN_H
#define SCIARA_JSON_CLEAN_H

struct cJSON;

/* Makes all texts of a tree printable (scan.h): paths, and names in files of others, may hold any
 * bytes, but JSON is UTF-8. NULL is fine. */
void json_clean(struct cJSON *tree);

#endif
