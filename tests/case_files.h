/* case_files.h — a small correct case. Tests change one part of it to make it wrong. */
#pragma once

#include "scratch.h"

/* Parameters of Etna 2006, one key a line, so that a test can change each. */
#define CASE_PARAMETERS                                                                            \
    "Pclock 120\nPTsol 1143\nPTvent 1360\nPr(Tsol) 0.5\nPr(Tvent) 0.95\nPhc(Tsol) 40\n"            \
    "Phc(Tvent) 1.5\nPcool 2.8\nPrho 2600\nPepsilon 0.9\nPsigma 5.68e-8\nPcv 1150\n"
#define CASE_TEXT  "dem dem.asc\nvents vents.csv\nrates rates.csv\n" CASE_PARAMETERS
#define CASE_VENTS "vent,row,col\n1,2,3\n"
#define CASE_RATES "vent,from_s,to_s,rate_m3_s\n1,0,1200,2.5\n"

static inline void put_text(struct scratch *s, const char *name, const char *text)
{
    FILE *f = fopen(scratch_file(s, name), "wb");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) abort();
}

/* 6 rows x 8 columns of 10 m from 500000, 4000000; the cell in row 5, column 7 has no data.
 * Elevation 1000 - 10 row + col. `value` >= -9998: that number in every cell instead. */
static inline void put_grid(struct scratch *s, const char *name, double value)
{
    FILE *f = fopen(scratch_file(s, name), "wb");
    if (!f) abort();
    fputs(
        "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -9999\n",
        f);
    for (int row = 0; row < 6; row++)
        for (int col = 0; col < 8; col++)
            fprintf(f, "%.17g%c",
                    row == 5 && col == 7 ? -9999
                    : value >= -9998     ? value
                                         : 1000.1 - 10 * row + col,
                    col == 7 ? '\n' : ' ');
    if (fclose(f) != 0) abort();
}
#define TERRAIN (-9999.0)

/* All files of the case; its path. */
static inline const char *write_case(struct scratch *s)
{
    put_grid(s, "dem.asc", TERRAIN);
    put_text(s, "vents.csv", CASE_VENTS);
    put_text(s, "rates.csv", CASE_RATES);
    put_text(s, "case.cfg", CASE_TEXT);
    return scratch_file(s, "case.cfg");
}
