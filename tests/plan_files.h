/* plan_files.h — a small correct plan. Tests change one part of it to make it wrong. */
#pragma once

#include "case_files.h"

#define PLAN_LIST "vent,row,col,probability\n1,1,1,0.5\n2,2,4,0.3\n3,3,2,0.2\n3,3,5,0.2\n"
#define PLAN_CLASSES                                                                               \
    "class,weight,volume_m3,duration_h,shape,peak,decay\nshort,3,600,1,constant,,\n"               \
    "long,1,3000,4,waxwane,0.2,\nslow,2,1500,2.5,exponential,,2\nown,1,900,3,own.csv,,\n"
#define PLAN_HEAD "dem dem.asc\nmax_steps 100\n" CASE_PARAMETERS
#define PLAN_TEXT                                                                                  \
    PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nrepeats 3\nseed 42\nsampling latin\n"      \
              "vary_Pcool normal 2.8 0.3 from 1 to 5\nvary_rate_factor lognormal 1 1.3\n"          \
              "vary_vent_east_m uniform -4 4\nvary_Pclock discrete 60 120\n"                       \
              "terrain_error_m 0.5\nterrain_error_length_m 25\nexceed_m 0.5 1 2\n"                 \
              "arrive_within_h 1 6\nuntil_error 0.01\n"
/* The case of case_files.h with members. */
#define PLAN_OF_CASE CASE_TEXT "max_steps 100\nmembers 50\nvary_Pcool uniform 2 4\n"

/* All files of the plan; its path. */
static inline const char *write_plan(struct scratch *s)
{
    write_case(s);
    put_text(s, "list.csv", PLAN_LIST);
    put_text(s, "classes.csv", PLAN_CLASSES);
    put_text(s, "own.csv", "from,to,rate\n0,1,5\n1,3,20\n3,4,0\n4,5,10\n");
    put_text(s, "correlation.csv", "name,Pcool,rate_factor\nPcool,1,0.6\nrate_factor,0.6,1\n");
    put_text(s, "members.csv",
             "vent,class,weight,Pcool,terrain_seed,max_steps\n"
             "1,short,5,2.5,7,30\n2,own,1,3,7,40\n3,long,2,2.5,1099511627776,50\n");
    put_text(s, "plan.cfg", PLAN_TEXT);
    return scratch_file(s, "plan.cfg");
}

/* The folder of a program's tests, each of which begins with all files as they are here. */
static struct scratch dir;

static inline int plan_set_up(void **state)
{
    if (!*dir.path) scratch_create(&dir);
    write_plan(&dir);
    return 0;
}
