/* study_stream.c — what is known of many eruptions. */
#include "serve.h"

void study_forget(struct session *s)
{
    (void)s;
}

int study_facts(cJSON *facts, struct session *s, struct error *e)
{
    (void)facts, (void)s, (void)e;
    return 0;
}
