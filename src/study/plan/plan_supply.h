/* plan_supply.h — a plan as the source of an ensemble's members. */
#pragma once

#include "plan.h"
#include "supply.h"

struct plan_supply {
    struct ensemble_source source;
    const struct plan *plan;
    char *columns, known[PLAN_KNOWN];
    const struct plan_outlook *outlook; /* the plan's outlook, or &own */
    struct plan_outlook own;            /* an outlook, if the plan has none */
    uint32_t *vent;                     /* memory of source.vent */
};

/* *p has to outlive *x, and *x must not move. */
int plan_supply_create(struct plan_supply *x, const struct plan *p, struct error *e);
void plan_supply_free(struct plan_supply *x); /* all-zero is fine */
