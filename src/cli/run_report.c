/* run_report.c — what a run says at its end. */
#include "run.h"

#include "text/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void report_case(const struct run *r)
{
    const struct sim_case *c = &r->c;
    char code[32] = "no CRS";
    if (c->geo.crs.epsg) snprintf(code, sizeof code, "EPSG:%d", c->geo.crs.epsg);
    else if (c->geo.crs.key_count) snprintf(code, sizeof code, "user-defined CRS");
    if (c->synthetic) printf("%s\n", c->terrain_source);
    printf("case          %s\n", c->name);
    if (*c->notice) printf("notice        %s\n", c->notice);
    printf("grid          %d x %d cells of %.10g m, %s%s%s\n", c->problem.rows, c->problem.cols,
           c->geo.cell_m, code, *c->geo.crs.name ? ", " : "", c->geo.crs.name);
    printf("variant       %s%s on %s", r->variant->name,
           r->options->full_domain ? ", full domain" : "", r->device);
    if (r->summary.threads)
        printf(", %d thread%s", r->summary.threads, r->summary.threads == 1 ? "" : "s");
    putchar('\n');
}

static void report_time(const struct run *r)
{
    const struct output_summary *s = &r->summary;
    const int64_t steps = s->step - r->c.problem.first_step;
    const double hours = (double)s->step * r->c.problem.params.clock_s / 3600;
    printf("steps         %lld to %lld, %.0f days %.2f h since the start%s%s\n",
           (long long)r->c.problem.first_step, (long long)s->step, floor(hours / 24),
           hours - 24 * floor(hours / 24), s->stopped ? "; stopped: the lava is still" : "",
           s->interrupted ? "; interrupted" : "");
    printf("time          %.3f s for the steps, %.2f us per step; %.3f s in all\n", s->steps_s,
           steps ? s->steps_s * 1e6 / (double)steps : 0.0, s->total_s);
}

static void report_amount(const struct run *r, const char *name, quanta q)
{
    const double area_m2 = r->c.geo.cell_m * r->c.geo.cell_m;
    printf("  %-11s %18.3f m3\n", name, quanta_m(q) * area_m2);
}

static void report_lava(const struct run *r)
{
    const struct ledger *l = &r->summary.ledger;
    const struct extent *x = &r->summary.extent;
    const double area_m2 = r->c.geo.cell_m * r->c.geo.cell_m;
    if (r->summary.published) puts("totals        in published arithmetic, which need not close");
    else puts("ledger        closes, to the last 2^-36 m");
    if (l->initial) report_amount(r, "initial", l->initial);
    report_amount(r, "emitted", l->emitted);
    report_amount(r, "mobile", l->mobile);
    report_amount(r, "solidified", l->solidified);
    report_amount(r, "left domain", l->left_domain);
    printf("covered area  %.4f km2, %zu cells\n", (double)x->cells * area_m2 * 1e-6, x->cells);
    if (isfinite(x->runout_m)) printf("run-out       %.0f m from the nearest vent\n", x->runout_m);
    printf("thickest      %.2f m\n", x->max_thickness_m);
    printf("digest        %016" PRIx64 "\n", r->summary.digest);
}

void run_report(const struct run *r)
{
    report_case(r);
    report_time(r);
    report_lava(r);
    if (r->options->no_output) {
        puts("files         none");
        return;
    }
    scan_make_printable(r->directory); /* nothing is opened any more */
    printf("files         %s\n", r->directory);
}
