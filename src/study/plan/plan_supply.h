/* plan_supply.h — a plan as the source of an ensemble's members. */
#pragma once

#include "plan.h"
#include "supply.h"

struct plan_supply {
    struct ensemble_source source;
    const struct plan *plan;
    char *columns, known[PLAN_KNOWN];
    const struct plan_outlook *outlook; /* the plan's outlook if it has one, */
    struct plan_outlook own;            /* else this one */
    uint32_t *vent;                     /* source.vent */
};

/* *p has to outlive it, and *x stays where it is. */
int plan_supply_create(struct plan_supply *x, const struct plan *p, struct error *e);
void plan_supply_free(struct plan_supply *x); /* all-zero is fine */
