/* Bad plans: each is refused with one line that says where, what is wrong and what to do. */
/* tests: study/plan */
#include "plan/plan.h"

#include <math.h>
#include <string.h>

#include "case/case.h"
#include "case/changes.h"
#include "plan/member.h"
#include "random/sampling.h"
#include "random/terrain_error.h"
#include "plan_files.h"
#include "unit.h"

#define HEAD_OF_CHANCE "ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n"

struct bad {
    const char *text, *where, *what;
};

#define LISTED  PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n"
#define OF_CASE CASE_TEXT "max_steps 100\n"
#define FIVE    OF_CASE "members 5\n"
#define TABLED  OF_CASE "member_table members.csv\n"

static const struct bad keys[] = {
    /* how many */
    {OF_CASE "vary_Pcool uniform 2 4\n", "plan.cfg: ", "number of members is missing"},
    {OF_CASE "members 0\n", "plan.cfg:17: members", "from 1 to"},
    {OF_CASE "members 1.5\n", "plan.cfg:17: members", "whole number"},
    {FIVE "members 6\n", "plan.cfg:18: members", "line 17"},
    {FIVE "repeats 2\n", "plan.cfg:18: repeats", "keep one"},
    {FIVE "member_table members.csv\n", "plan.cfg:17", "keep one"},
    {LISTED "repeats 10000000\n", "plan.cfg: ", "at most 10000000"},
    {FIVE "sampling halton\n", "plan.cfg:18: sampling", "sobol"},
    {FIVE "seed -1\n", "plan.cfg:18: seed", "from 0"},
    /* keys */
    {OF_CASE "member 5\n", "plan.cfg:17: unknown key", "did you mean members?"},
    {FIVE "vary_Pcol uniform 2 4\n", "plan.cfg:18", "mean vary_Pcool?"},
    {FIVE "vary_rate uniform 2 4\n", "plan.cfg:18", "mean vary_rate_factor?"},
    {FIVE "vary_ uniform 2 4\n", "plan.cfg:18", "unknown variable"},
    {FIVE "vary_rate uniform 2 4\n", "plan.cfg:18",
     "did you mean vary_rate_factor? `sciara help keys` lists them"},
    {FIVE "vary_pcool uniform 2 4\n", "plan.cfg:18", "did you mean vary_Pcool? `sciara"},
    {FIVE "vary_Pcool uniform 2 4\nvary_Pcool uniform 2 4\n", "plan.cfg:19", "line 18"},
    /* rates and what was seen */
    {FIVE "observed_rates rates.csv\n", "plan.cfg:18",
     "observed_rates and rates are both given; keep one"},
    {FIVE "rates_error 0.5\n", "plan.cfg:18: rates_error", "from 1"},
    {FIVE "rates_error 1.5 correlation 1\n", "plan.cfg:18", "R < 1"},
    {FIVE "radiant_density 2e8 factor 1.5\n", "plan.cfg:18", "observed_rates"},
    {FIVE "radiant_density 2e8\n", "plan.cfg:18", "2e8 factor 1.5"},
    {FIVE "radiant_density 2e3 factor 1.5\n", "plan.cfg:18", "1e5 to 1e10"},
    {FIVE "radiant_density 2e8 factor 0.5\n", "plan.cfg:18", "2e8 factor 1.5"},
    {FIVE "rates_after ar1\n", "plan.cfg:18", "vary_eruption_end_h"},
    {FIVE "rates_after decline\n", "plan.cfg:18", "decline TIME"},
    {FIVE "rates_after decline 5d level 3\n", "plan.cfg:18", "ar1 may have level"},
    {LISTED "members 5\nvary_eruption_end_h uniform 1 2\n",
     "plan.cfg: ", "eruption_end_h needs rates"},
    {FIVE "rates_after curve bell\n", "plan.cfg:18", "curve FORM"},
    {FIVE "rates_after curve waxwane decay 3\n", "plan.cfg:18", "decay D"},
    {FIVE "rates_after curve waxwane peak 0.3 0.2\n", "plan.cfg:18", "peak P"},
    {FIVE "rates_after curve risefall peak\n", "plan.cfg:18", "peak P"},
    {FIVE "vent_shares list.csv\n", "list.csv:1", "vent,from,to,share"},
    {FIVE "vent_shares_error 2\n", "plan.cfg:18", "vent_shares_error needs vent_shares"},
    {LISTED "members 5\nvent_shares list.csv\n", "plan.cfg:", "vent_shares needs a total"},
    {FIVE "observed_front a.asc at 3h error_m 2e5\n", "plan.cfg:18: observed_front",
     "error_m is 2e5; give a number above 0 that is smaller"},
    {FIVE "observed_front a.asc at 3h error_m 0\n", "plan.cfg:18",
     "error_m is 0; give a number above 0"},
    {FIVE "observed_front a.asc at 3h error_m 1 correlation_m -3\n", "plan.cfg:18",
     "correlation_m is -3; give a number above 0"},
    {FIVE "observed_arrival a.asc at 3h error_h 2e7\n", "plan.cfg:18",
     "error_h is 2e7; give a number above 0 that is smaller"},
    {FIVE "observed_arrival a.asc at 3h error_h 0\n", "plan.cfg:18", "error_h is 0"},
    {FIVE "observed_dry a.asc until 0h\n", "plan.cfg:18", "not after the start of the eruption"},
    {FIVE "observed_dry a.asc until 4000-01-01\nstart_time 2006-08-01\n", "plan.cfg:18",
     "more than 10,000,000 h after"},
    {FIVE "observed_end 4000-01-01\nstart_time 2006-08-01\n", "plan.cfg:18",
     "more than 10,000,000 h after"},
    {FIVE "observed_survey a.asc at 3h error_m 1 shift_m -2e4\n", "plan.cfg:18", "shift_m D"},
    {FIVE "observed_front a.asc at 3h error_m 1 within b.asc part\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 increments\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc error_m 1\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_h 1 error_m 1\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_fronts a.json error_m 1\n", "plan.cfg:18", "date FIELD"},
    {FIVE "observed_hot_spots a.csv frp frp\n", "plan.cfg:18", "FIRMS"},
    {FIVE "weigh_rates a.csv part\n", "plan.cfg:18", "vent,from,to,rate"},
    {FIVE "observed_dry list.csv at 3h\n", "plan.cfg:18", "until TIME"},
    {FIVE "observed_arrival list.csv at 3h\n", "plan.cfg:18", "error_h"},
    {FIVE "observed_survey a.asc at 3h\n", "plan.cfg:18", "error_m"},
    {FIVE "observed_survey a.asc at 3h error_m 1 shift_m x\n", "plan.cfg:18", "shift_m D"},
    {FIVE "observed_survey a.asc at 3h error_m 1 shift_m 1 shift_m 2\n", "plan.cfg:18",
     "shift_m D"},
    {FIVE "observed_front a.asc at 3h error_m 1 shift_m 1\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h at 4h error_m 1\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 error_m 2\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 correlation_m 9 correlation_m 8\n", "plan.cfg:18",
     "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 part part\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 part within b.asc\n", "plan.cfg:18", "give FILE"},
    {FIVE "observed_front a.asc at 3h error_m 1 within b.asc within c.asc\n", "plan.cfg:18",
     "give FILE"},
    {FIVE "observed_arrival a.asc at 3h error_h 1 error_h 2\n", "plan.cfg:18", "error_h H"},
    {FIVE "observed_fronts a.json date day date hour error_m 1\n", "plan.cfg:18", "date FIELD"},
    {FIVE "observed_hot_spots a.csv at 3h\n", "plan.cfg:18", "FIRMS"},
    {FIVE "observed_front a.asc at 2024-01-01 error_m 3\n", "plan.cfg:18", "start_time"},
    {FIVE "effective_share 0\n", "plan.cfg:18: effective_share", "from"},
    /* distributions */
    {FIVE "vary_Pcool gamma 2 4\n", "plan.cfg:18: vary_Pcool", "unknown"},
    {FIVE "vary_Pcool uniform -1 4\n", "plan.cfg:18: vary_Pcool",
     "from -1 to 4; give a distribution from 0 to"},
    {FIVE "vary_Pepsilon triangular 0.5 0.9 1.1\n", "plan.cfg:18: vary_Pepsilon",
     "give a distribution from 0 to 1"},
    {FIVE "vary_Prho discrete 2600:0.5 2700:0.6\n", "plan.cfg:18: vary_Prho", "sum up to 1.1"},
    {OF_CASE "members 500\nvary_Pcool normal 2.8 2\n", "plan.cfg: member ", "draws Pcool = -"},
    {OF_CASE "members 50\nvary_PTsol uniform 1000 1500\n", "plan.cfg: member ", "not above PTsol"},
    {OF_CASE "members 50\nvary_rate_factor lognormal 1e5 2\n", "plan.cfg: member ",
     "m of lava to a cell"},
    {FIVE "verify_within 500\n", "plan.cfg:18: verify_within", "needs an outline"},
    {FIVE "outline dem.asc\nverify_within 0\n", "plan.cfg:19: verify_within",
     "give a distance above 0"},
    /* correlation */
    {FIVE "vary_Pcool uniform 2 4\ncorrelation correlation.csv\n", "plan.cfg:19",
     "rate_factor, which is not drawn"},
    /* vents */
    {PLAN_HEAD "classes classes.csv\n", "plan.cfg: ",
     "no vents; add a line such as 'vents vents.csv', or vent_list, vent_grid_m or vent_raster"},
    {PLAN_HEAD "vent_list list.csv\n", "plan.cfg: ",
     "no rates; add a line such as 'rates rates.csv' or 'classes classes.csv', or vary volume_m3 "
     "and "
     "duration_h"},
    {PLAN_HEAD "members 5\nvary_Pcool uniform 2 4\n", "plan.cfg: ",
     "no lava: neither vents and rates nor a thickness; add lines such as 'vent_list vents.csv' "
     "and "
     "'classes classes.csv'"},
    {OF_CASE "vent_list list.csv\n", "plan.cfg:17", "vent_list and vents are both given; keep"},
    {LISTED "vent_grid_m 20\n", "plan.cfg:15",
     "vent_list and vent_grid_m are both given; keep one"},
    {LISTED "vent_grid_box 1 2 3 4\n", "plan.cfg:17", "vent_grid_box needs vent_grid_m"},
    {PLAN_HEAD "vent_grid_m 20\nvent_grid_box 1 2 3\n", "plan.cfg:16: vent_grid_box",
     "west, south, east and north"},
    {PLAN_HEAD "vent_grid_m 20\nvent_grid_box 1 2 3 4 5\n", "plan.cfg:16: vent_grid_box",
     "west, south, east and north"},
    {PLAN_HEAD "classes classes.csv\nvent_grid_m 20\nvent_grid_box 3 2 1 4\n",
     "plan.cfg:17: vent_grid_box", "west, south, east and north"},
    {PLAN_HEAD "classes classes.csv\nvent_grid_m 20\nvent_grid_box 0 0 100 100\n",
     "plan.cfg:16: vent_grid_m", "no point of the grid lies on terrain"},
    {PLAN_HEAD "classes classes.csv\nvent_grid_m 0.002\n", "plan.cfg:16: vent_grid_m",
     "wider spacing"},
    {PLAN_HEAD "vent_list none.csv\nclasses classes.csv\n", "none.csv", "cannot be opened"},
    {OF_CASE "members 50\nvary_vent_east_m uniform -80 80\n", "plan.cfg: member ",
     "outside the DEM"},
    {FIVE "vary_vent_east_m discrete 40\nvary_vent_north_m discrete -30\n", "plan.cfg: member 0",
     "no data"},
    {FIVE "vary_fissure_length_m uniform 10 20\n", "plan.cfg: ", "vary_azimuth_deg"},
    {PLAN_HEAD "vent_list list.csv\nrates rates.csv\n", "rates.csv:2", "with * as vent"},
    /* rates */
    {OF_CASE "classes classes.csv\n", "plan.cfg:17", "classes and rates"},
    {LISTED "shape constant\n", "plan.cfg:17", "shape and classes"},
    {LISTED "vary_volume_m3 uniform 1 2\n", "plan.cfg:17", "rate_factor"},
    {LISTED "members 5\nrates_error 2\n", "plan.cfg:18: rates_error needs rates",
     "or vary rate_factor"},
    {PLAN_HEAD "members 5\nrates rates.csv\nmember_table members.csv\n", "plan.cfg:15", "keep one"},
    {PLAN_HEAD "members 5\nrates rates.csv\n", "plan.cfg: ", "no vents"},
    {FIVE "shape constant\n", "plan.cfg:18", "shape and rates"},
    {PLAN_HEAD "vent_list list.csv\nvary_volume_m3 uniform 100 200\n", "plan.cfg: ", "no rates"},
    {PLAN_HEAD "vent_list list.csv\nvary_volume_m3 uniform 1 2\nvary_duration_h uniform 1 2\n"
               "shape square\n",
     "plan.cfg:18", "unknown shape"},
    /* end, terrain, statistics */
    {CASE_TEXT "members 5\n",
     "plan.cfg: ", "give run_h, max_steps, stop_when_mobile_below_m or stop_at_rest"},
    {FIVE "run_h 2\nvary_run_h uniform 1 2\n", "plan.cfg:18", "run_h and vary_run_h"},
    {FIVE "run_h 1e6\nvary_Pclock uniform 0.001 0.002\n", "member 0", "steps"},
    {FIVE "first_step 7\nvary_Pclock uniform 60 120\n", "plan.cfg:19", "first_step"},
    {FIVE "terrain_error_m -1\n", "plan.cfg:18", "from 0 to 100"},
    {FIVE "terrain_error_length_m 30\n", "plan.cfg:18",
     "terrain_error_length_m needs the standard deviation"},
    {FIVE "terrain_error_m 1\nterrain_error_length_m 5\n", "plan.cfg:19", "less than a cell"},
    {FIVE "terrain_error_length_m 30\nterrain_error_hurst 0.5\n", "plan.cfg:18",
     "terrain_error_length_m needs the standard deviation"},
    {FIVE "terrain_error_hurst 0.5\nterrain_error_length_m 30\n", "plan.cfg:19",
     "terrain_error_length_m needs the standard deviation"},
    {FIVE "terrain_error_hurst 0.5\n", "plan.cfg:18",
     "terrain_error_hurst needs the standard deviation"},
    {FIVE "terrain_error_m 1\nterrain_error_hurst 0.5\n", "plan.cfg:19", "needs a length"},
    {FIVE "terrain_error_m 1\nterrain_error_length_m 40\nterrain_error_hurst 1.5\n", "plan.cfg:20",
     "from 0 to 1"},
    {FIVE "vary_terrain_error_length_m uniform 20 30\n", "plan.cfg",
     "terrain_error_length_m needs the standard deviation"},
    {FIVE "terrain_error_m 1\nvary_terrain_error_length_m uniform 2 5\n", "member 0",
     "less than a cell"},
    {FIVE "vary_terrain_error_m uniform 1 200\n", "plan.cfg:18", "from 0 to 100"},
    {FIVE "terrain_error from_dem mars\n", "plan.cfg:18", "give from_dem"},
    {FIVE "terrain_error srtm\n", "plan.cfg:18", "give from_dem"},
    {FIVE "terrain_error from_dem srtm\nterrain_error_m 1\n", "plan.cfg:18", "keep one"},
    {FIVE "exceed_m 1 0.5\n", "plan.cfg:18: exceed_m", "increase"},
    {FIVE "exceed_m 0\n", "plan.cfg:18: exceed_m", "from 1e-06"},
    {FIVE "exceed_m 1,2\n", "plan.cfg:18: exceed_m", "separated by blanks"},
    {FIVE "arrive_within_h 1 1\n", "plan.cfg:18", "increase"},
    {FIVE "arrive_within_h 1 60min\n", "plan.cfg:18", "increase"},
    {FIVE "arrive_within_h soon\n", "plan.cfg:18", "give hours since"},
    {FIVE "arrive_within_h 2s\n", "plan.cfg:18", "from 0.001"},
    {FIVE "arrival_bin_h 2006-07-12\n", "plan.cfg:18", "give hours, or"},
    {FIVE "run_h 2006-07-12\n", "plan.cfg:18: run_h", "start_time"},
    {FIVE "run_h 2006-07-12\nstart_time 2006-08-01\n", "plan.cfg:18: run_h", "before start_time"},
    {FIVE "thickness_bin_m 0\n", "plan.cfg:18", "from 0.001"},
    {OF_CASE "members 1000000000\n", "plan.cfg:17: members", "to 1e+07"},
    {FIVE "vary_Pcool normal 2.8 -1\n", "plan.cfg:18", "give a number above 0"},
    {FIVE "vary_Pcool normal nan 1\n", "plan.cfg:18", "not a number"},
    {FIVE "vary_Pcool uniform 3 2\n", "plan.cfg:18", "not below 2"},
    {FIVE "stop_at_rest maybe\n", "plan.cfg:18", "give yes or no"},
    {CASE_TEXT "members 5\nstop_at_rest yes\n", "plan.cfg:17", "give run_h"},
    {CASE_TEXT "members 5\nstop_at_rest no\n", "plan.cfg: members have no end", "stop_at_rest"},
    {FIVE "stop_at_rest yes\nstop_when_mobile_below_m 1\n", "plan.cfg:18", "remove one of them"},
    {FIVE "until_error 2\n", "plan.cfg:18: until_error", "to 1"},
    {FIVE "assets none.geojson\n", "none.geojson", ""},
    {"members 5\n" CASE_PARAMETERS, "plan.cfg: ", "key dem is missing"},
};

/* Beside a plan.cfg of PLAN_TEXT with a correlation. */
static const struct {
    const char *text, *where, *what, *file;
} tables[] = {
    {"vent,row,col,probability\n1,1,1,0.5\n2,2,4,0.4\n", "list.csv", "sum up to 0.9", "list.csv"},
    {"vent,row,col,probability\n1,1,1,1.5\n", "list.csv:2", "give a number from 0 to 1",
     "list.csv"},
    {"vent,row,col,weight\n1,1,1,0.5\n", "list.csv:2", "not a whole number", "list.csv"},
    {"vent,row,col,weight\n1,1,1,-1\n", "list.csv:2", "not a whole number", "list.csv"},
    {"vent,row,col,weight\n1,1,1,0\n", "list.csv", "sum up to 0", "list.csv"},
    {"vent,row,col,weight\n1,1,1,x\n", "list.csv:2", "finite number", "list.csv"},
    {"vent,row,col,weight,probability\n1,1,1,1,1\n", "list.csv:1", "has two columns of weights",
     "list.csv"},
    {"vent,row,col,weight,Weight\n1,1,1,1,2\n", "list.csv:1", "Weight occurs twice", "list.csv"},
    {"vent,row,col,weight\n1,1,1,2\n1,1,3,3\n", "list.csv:3", "different weights", "list.csv"},
    {"vent,row,col\n1,5,7\n", "list.csv:2", "no data", "list.csv"},
    {"vent,row,col\n1,9,7\n", "list.csv:2", "outside the DEM", "list.csv"},
    {"vent,x,y\n1,15,37\n", "list.csv:2", "outside the DEM", "list.csv"},
    {"vent,row,col\n", "list.csv", "no vent", "list.csv"},
    {"class,weight,volume_m3\na,1,100\n", "classes.csv:1", "header", "classes.csv"},
    {"class,weight,probability,volume_m3,duration_h\na,1,1,100,2\n", "classes.csv:1",
     "has two columns of weights", "classes.csv"},
    {"class,probability,volume_m3,duration_h\na,0.4,100,2\nb,0.5,50,2\n", "classes.csv",
     "sum up to 0.9", "classes.csv"},
    {"class,volume_m3,duration_h\na,100,2\na,100,3\n", "classes.csv:3", "already", "classes.csv"},
    {"class,volume_m3,duration_h\n,100,2\n", "classes.csv:2", "name of 1 to", "classes.csv"},
    {"class,volume_m3,duration_h\na,0,2\n", "classes.csv:2: volume_m3", "above 0", "classes.csv"},
    {"class,volume_m3,duration_h\na,100,-2\n", "classes.csv:2: duration_h", "above", "classes.csv"},
    {"class,volume_m3,duration_h,shape\na,100,2,round\n", "classes.csv:2", "unknown shape",
     "classes.csv"},
    {"class,volume_m3,duration_h,shape\na,100,2,none.csv\n", "none.csv", "cannot be opened",
     "classes.csv"},
    {"class,volume_m3,duration_h,shape,peak\na,100,2,constant,0.2\n", "classes.csv:2",
     "shape constant has no peak", "classes.csv"},
    {"class,volume_m3,duration_h,shape,peak\na,100,2,waxwane,1\n", "classes.csv:2",
     "0.001 to 0.999", "classes.csv"},
    {"class,volume_m3,duration_h,shape,decay\na,100,2,exponential,0\n", "classes.csv:2",
     "0.001 to 100", "classes.csv"},
    {"class,volume_m3,duration_h,shape,peak\na,100,2,waxwane,much\n", "classes.csv:2: peak",
     "finite number", "classes.csv"},
    {"class,volume_m3,duration_h,shape,decay\na,100,2,exponential,much\n", "classes.csv:2: decay",
     "finite number", "classes.csv"},
    {"class,volume_m3,duration_h\n", "classes.csv", "no class", "classes.csv"},
    {"class,volume_m3,duration_h\na,1e9,1\n", "plan.cfg: member", "m of lava to", "classes.csv"},
    {"class,volume_m3,duration_h\na,1e9,1\n", "classes.csv:2: a rate of", "", "classes.csv"},
    {"class,volume_m3,duration_h\na,inf,1\n", "classes.csv:2: volume_m3", "finite", "classes.csv"},
    {"class,volume_m3,duration_h\na,100,nan\n", "classes.csv:2: duration_h", "give hours",
     "classes.csv"},
    {"vent,row,col,weight\n1,1,1,nan\n", "list.csv:2", "finite number", "list.csv"},
    {"", "list.csv", "is empty", "list.csv"},
    {"name,Pcool,rate_factor\nPcool,1,nan\nrate_factor,nan,1\n", "correlation.csv:2",
     "finite number", "correlation.csv"},
    {"from,to,rate\n0,1,0\n", "own.csv", "no rate is above 0", "own.csv"},
    {"from,to,rate\n0,1,-1\n", "own.csv:2", "rate from 0", "own.csv"},
    {"from,to,rate\n0,2,1\n1,3,1\n", "own.csv:3", "overlap", "own.csv"},
    {"from,to\n0,2\n", "own.csv:1", "from,to,rate", "own.csv"},
    {"name,Pcool,rate_factor\nPcool,1,0.6\nrate_factor,0.5,1\n", "correlation.csv:3",
     "make the two equal", "correlation.csv"},
    {"name,Pcool,rate_factor\nPcool,1,1.1\nrate_factor,1.1,1\n", "correlation.csv:3",
     "not positive definite", "correlation.csv"},
    {"name,Pcool,rate_factor\nPcool,2,0\nrate_factor,0,1\n", "correlation.csv:2", "give 1",
     "correlation.csv"},
    {"name,Pcool,rate_factor\nPcool,1,0.5\n", "correlation.csv", "no row", "correlation.csv"},
    {"name,Pcool,Prate\nPcool,1,0.5\n", "correlation.csv:1", "unknown variable", "correlation.csv"},
    {"name,Pcool\nPcool,1\n", "correlation.csv", "two or more", "correlation.csv"},
    {"name,Pcool,Pcool\nPcool,1,1\n", "correlation.csv:1", "twice", "correlation.csv"},
    {"name,Pcool,rate_factor\nPcool,1,0\nPcool,1,0\n", "correlation.csv:3", "two rows",
     "correlation.csv"},
};

/* Beside a plan of the small case with a member table. */
static const struct bad members[] = {
    {"wieght\n1\n", "members.csv:1", "unknown column 'wieght'; did you mean weight?"},
    {"Pcol\n1\n", "members.csv:1", "did you mean Pcool?"},
    {"Pcool,Pcool\n1,1\n", "members.csv:1", "twice"},
    {"x\n1\n", "members.csv:1", "go together"},
    {"vent,x,y\n1,1,1\n", "members.csv:1", "keep one"},
    {"weight\n0\n", "members.csv:2", "from 1 to"},
    {"weight\n0.5\n", "members.csv:2", "whole number"},
    {"weight\n9007199254740992\n", "members.csv:2", "from 1 to 4294967295"},
    {"rate_factor\nnan\n", "members.csv:2", "finite number"},
    {"terrain_seed\n-1\n", "members.csv:2", "whole number from 0"},
    {"Pcool\n-1\n", "members.csv:2: Pcool", "from 0 to"},
    {"Pcool\n\"\"\n", "members.csv:2", "finite number"},
    {"class\nbig\n", "members.csv:2", "no class 'big'"},
    {"rates\nnone.csv\n", "none.csv", "cannot be opened"},
    {"terrain_seed\n5\n", "members.csv", "no terrain_error_m"},
    {"max_steps\n-1\n", "members.csv:2: max_steps", "from 0"},
    {"max_steps\n0\n", "plan.cfg: member 0", "give more steps"},
    {"stop_when_mobile_below_m\n-2\n", "members.csv:2", "give 0 to"},
    {"Pcool\n", "members.csv", "no member"},
    {"x,y\n1,1\n", "rates.csv:2", "with * as vent"},
    {"vent\n1\n", "rates.csv:2", "with * as vent"},
    {"x,y,rates\n500015,4000015,total.csv\n500015,4000015,rates.csv\n", "rates.csv:2",
     "with * as vent"},
    {"fissure_length_m\n10\n", "plan.cfg: fissures of a length need a direction",
     "vary_azimuth_deg"},
};

static void expect(const char *file, const struct bad *b, size_t i)
{
    struct plan *p = NULL;
    struct error e = {0};
    put_text(&dir, file, b->text);
    const int status = plan_load(&p, scratch_file(&dir, "plan.cfg"), &e);
    if (status != ERROR_INPUT || p || !strstr(e.text, b->where) || !strstr(e.text, b->what) ||
        strchr(e.text, '\n'))
        fail_msg("%zu: %s with\n%s\ngave %d: '%s', not '%s' and '%s'", i, file, b->text, status,
                 e.text, b->where, b->what);
}

static void accept(const char *text)
{
    struct plan *p = NULL;
    struct error e = {0};
    put_text(&dir, "plan.cfg", text);
    if (plan_load(&p, scratch_file(&dir, "plan.cfg"), &e)) fail_msg("%s", e.text);
    plan_free(p);
}

static void bad_keys(void **state)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) expect("plan.cfg", &keys[i], i);
}

static void bad_tables(void **state)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        write_plan(&dir);
        accept(PLAN_TEXT "correlation correlation.csv\n");
        const struct bad b = {tables[i].text, tables[i].where, tables[i].what};
        expect(tables[i].file, &b, i);
    }
}

static void bad_member_tables(void **state)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        write_plan(&dir);
        put_text(&dir, "members.csv", "Pcool\n2\n");
        put_text(&dir, "total.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,2.5\n");
        accept(TABLED);
        expect("members.csv", &members[i], i);
    }
}

/* ---- keys that exclude each other, and keys that need another ---------------------------------------------- */

static void pairs_of_keys(void **state)
{
#define CATALOGUE "catalogue c.csv\ncatalogue_until 2020\nmembers 5\n"
#define M         "members 5\n"
    static const struct {
        const char *before, *key, *other; /* lines; other NULL: see `needs` */
        const char *needs;
    } pairs[] = {
        {"", "members 5", "member_table members.csv", NULL},
        {"", "repeats 2", "members 5", NULL},
        {M "vent_grid_m 20\n", "vent_list list.csv", "vent_grid_m 20", NULL},
        {M, "vent_list list.csv", "vent_raster r.asc", NULL},
        {M, "vent_grid_m 20", "vent_raster r.asc", NULL},
        {M, "vent_list list.csv", "vents vents.csv", NULL},
        {M, "vent_grid_m 20", "vents vents.csv", NULL},
        {M, "vent_raster r.asc", "vents vents.csv", NULL},
        {M, "classes classes.csv", "rates rates.csv", NULL},
        {M, "shape constant", "classes classes.csv", NULL},
        {M, "vary_volume_m3 uniform 1 2", "classes classes.csv", NULL},
        {M, "vary_duration_h uniform 1 2", "classes classes.csv", NULL},
        {M, "shape constant", "rates rates.csv", NULL},
        {CATALOGUE, "past_vents p.json", "vent_opening o.asc", NULL},
        {CATALOGUE, "catalogue c.csv", "classes classes.csv", NULL},
        {CATALOGUE, "catalogue c.csv", "rates rates.csv", NULL},
        {CATALOGUE, "catalogue c.csv", "vents vents.csv", NULL},
        {CATALOGUE, "catalogue c.csv", "vent_list list.csv", NULL},
        {CATALOGUE, "catalogue c.csv", "vent_grid_m 20", NULL},
        {CATALOGUE, "catalogue c.csv", "vent_raster r.asc", NULL},
        {M, "terrain_error from_dem srtm", "terrain_error_m 2", NULL},
        {M, "observed_rates rates.csv", "rates rates.csv", NULL},
        {M, "observed_rates rates.csv", "classes classes.csv", NULL},
        {M, "observed_rates rates.csv", "shape constant", NULL},
        {M, "run_h 4", "vary_run_h uniform 2 3", NULL},
        {M, "vent_grid_box 1 2 3 4", NULL, "vent_grid_m"},
        {M, "past_vents p.json", NULL, "catalogue"},
        {M, "vent_opening o.asc", NULL, "catalogue"},
        {M, "catalogue c.csv", NULL, "catalogue_until"},
        {"vent_list list.csv\ncatalogue_until 2020\n", "catalogue c.csv", NULL, "members"},
        {M, "radiant_density 2e8 factor 1.5", NULL, "observed_rates"},
        {M, "rates_after ar1", NULL, "vary_eruption_end_h"},
        {M, "vent_shares_error 2", NULL, "vent_shares"},
    };
    write_plan(&dir);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[1024], says[128];
        const char *key = pairs[i].key, *other = pairs[i].other;
        int line = 14; /* behind PLAN_HEAD */
        snprintf(text, sizeof text, "%s%s", PLAN_HEAD, pairs[i].before);
        for (const char *c = text; *c; c++) line += *c == '\n' && c >= text + strlen(PLAN_HEAD);
        const char *given = strstr(pairs[i].before, key);
        if (given) line = 15; /* the first of them */
        else strcat(strcat(text, key), "\n");
        if (other && !strstr(pairs[i].before, other)) strcat(strcat(text, other), "\n");
        if (other)
            snprintf(says, sizeof says, "plan.cfg:%d: %.*s and %.*s are both given",
                     given ? line : line + 1, (int)strcspn(key, " "), key, (int)strcspn(other, " "),
                     other);
        else
            snprintf(says, sizeof says, "plan.cfg:%d: %.*s needs %s; add a line such as '%s ",
                     given ? line : line + 1, (int)strcspn(key, " "), key, pairs[i].needs,
                     pairs[i].needs);
        const struct bad b = {text, says, ""};
        expect("plan.cfg", &b, i);
    }
}

static void put_lists(void)
{
    put_text(&dir, "rates.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,2.5\n");
    put_text(&dir, "walls.csv",
             "barrier,x,y,height_m,from\n1,500005,4000015,6.5,600s\n1,500065,4000015,,\n"
             "2,500005,4000025,3,\n2,500065,4000025,,\n");
    put_text(&dir, "places.json",
             "{\"type\":\"Feature\",\"properties\":{\"name\":\"hut\"},\"geometry\":{\"type\":"
             "\"Point\",\"coordinates\":[500035,4000015]}}");
    put_text(&dir, "shares.csv", "vent,from,to,share\n1,0,2h,7\n");
    put_grid(&dir, "h.asc", 1.5);
    put_grid(&dir, "t.asc", 1250);
}

/* ---- calibrations, and plans with one kind of member ------------------------------------------------------- */

static int read_as(const char *text, bool calibrates, struct error *e)
{
    static const struct plan_more calibration = {.keys = {NULL, NULL}};
    struct plan *p = NULL;
    put_text(&dir, "plan.cfg", text);
    const int status =
        plan_read(&p, scratch_file(&dir, "plan.cfg"), calibrates ? &calibration : NULL, NULL, e);
    plan_free(p);
    return status;
}

/* What a calibration does not draw, it refuses at its first line. A plan may have each of these. */
static void calibrations_draw_nothing(void **state)
{
    static const char *const drawn[] = {"members 5",
                                        "repeats 2",
                                        "sampling sobol",
                                        "member_table t.csv",
                                        "correlation correlation.csv",
                                        "vent_list list.csv",
                                        "vent_grid_m 20",
                                        "vent_raster r.asc",
                                        "classes classes.csv"};
    char text[1024], says[128];
    struct error e = {0};
    must(read_as(OF_CASE "terrain_error_m 1\n", true, &e), &e);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn + VARIABLES; i++) {
        const bool key = i < sizeof drawn / sizeof *drawn;
        const int variable = key ? 0 : (int)(i - sizeof drawn / sizeof *drawn);
        if (key) snprintf(text, sizeof text, OF_CASE "seed 3\n%s\n", drawn[i]);
        else
            snprintf(text, sizeof text, OF_CASE "seed 3\nvary_%s uniform %.17g %.17g\n",
                     variable_row(variable).name, variable_row(variable).low,
                     fmin(variable_row(variable).high, variable_row(variable).low + 1));
        assert_int_equal(read_as(text, true, &e), ERROR_INPUT);
        snprintf(says, sizeof says, "plan.cfg:18: a plan with bounds (fit_NAME) draws no members");
        if (!strstr(e.text, says)) fail_msg("%s: %s", text, e.text);
    }
}

/* Each of these makes members by itself, and leaves nothing to ask for; with less, or with too much, none do. */
static void one_line_makes_members(void **state)
{
    static const char *const lines[] = {
        "vents vents.csv\nrates rates.csv\nmembers 3\n",
        "vents vents.csv\nrates rates.csv\nmember_table t.csv\n",
        "rates all.csv\nvent_list list.csv\n",
        "rates all.csv\nvent_grid_m 20\n",
        "rates all.csv\nvent_raster chance.asc\n",
        "vents vents.csv\nclasses classes.csv\n",
        "thickness h.asc\ntemperature t.asc\nmembers 2\n",
        "vents vents.csv\nmembers 2\nvary_volume_m3 uniform 100 200\nvary_duration_h uniform 1 2\n"
        "shape constant\n",
        "vents vents.csv\nmember_table rated.csv\n",
        "vents vents.csv\nrates rates.csv\nmember_table timed.csv\n",
        "vents vents.csv\nrates rates.csv\nmembers 2\nstop_at_rest no\n"
        "stop_when_mobile_below_m 1\n",
    };
    put_lists();
    put_text(&dir, "t.csv", "Pcool\n2\n3\n");
    put_text(&dir, "all.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,2.5\n");
    put_text(&dir, "rated.csv", "rates\nall.csv\n");
    put_text(&dir, "timed.csv", "max_steps\n30\n");
    put_text(&dir, "chance.asc", HEAD_OF_CHANCE "0 1 0 0\n0 0 3 0\n0 0 0 0\n");
    static const struct bad others[] = {
        {"vents vents.csv\nmember_table places.csv\n", "rates.csv:2", "with * as vent"},
        {"rates all.csv\nmember_table numbers.csv\n", "plan.cfg: ", "no vents"},
        {"vents vents.csv\nmember_table rated.csv\nshape constant\n", "plan.cfg:18",
         "shape needs a volume and a duration"},
        {"vents vents.csv\nrates zero.csv\nmembers 2\nvary_volume_m3 uniform 1 2\n",
         "plan.cfg: ", "all rates are 0"},
        {"vent_list list.csv\nrates all.csv\nmembers 2\nvent_shares shares.csv\n", "plan.cfg:19",
         "vent_shares divides one total among the vents of the case"},
        {"vents vents.csv\nrates all.csv\nmember_table rated.csv\nvent_shares shares.csv\n",
         "plan.cfg:19", "vent_shares divides one total among the vents of the case"},
    };
    put_text(&dir, "places.csv", "x,y,rates\n500015,4000015,all.csv\n500015,4000015,rates.csv\n");
    put_text(&dir, "rates.csv", CASE_RATES);
    put_text(&dir, "numbers.csv", "vent\n1\n");
    put_text(&dir, "zero.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0\n");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[1024];
        snprintf(text, sizeof text, PLAN_HEAD "seed 1\n%s", others[i].text);
        expect("plan.cfg", &(struct bad){text, others[i].where, others[i].what}, i);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[1024];
        const bool ends = strstr(lines[i], "timed") || strstr(lines[i], "mobile");
        snprintf(text, sizeof text, "dem dem.asc\n%s" CASE_PARAMETERS "%s",
                 ends ? "" : "max_steps 100\n", lines[i]);
        accept(text);
    }
}

/* What looks like too much or too little is accepted. */
static void doubtful_lines_are_accepted(void **state)
{
    static const char *const lines[] = {
        "vary_terrain_error_m normal 1 0.01\n",
        "terrain_error_m 0\nterrain_error_length_m 30\n",
        "terrain_error_m 1\nterrain_error_hurst 0.5\nvary_terrain_error_length_m uniform 20 30\n",
        "observed_arrival a.json at 3h error_h 48\n",
        "observed_front a.zip error_m 5 within \"b c.json\"\n",
        "observed_fronts a.json date day error_m 5 increments part\n"};
    char text[80 * 1002];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, FIVE "%s", lines[i]);
        accept(text);
    }
    strcpy(text, FIVE);
    char *end = text + strlen(text);
    for (int n = 1; n <= SEEN_MOST; n++) end += sprintf(end, "observed_end %dh\n", n);
    accept(text);
    strcpy(end, "observed_end 1h\n");
    expect("plan.cfg", &(struct bad){text, "plan.cfg:1018", "more than 1000 of these lines"}, 0);
}

/* The error of the terrain may use all of the range of elevations, at both ends and in terrain of later, and no more. */
static void errors_keep_elevations_valid(void **state)
{
    static const char *const errors[] = {
        "terrain_error_m 2\n", "vary_terrain_error_m uniform 1 2\n",
        "vary_terrain_error_m normal 1 0.1 from 0.5 to 2\n",
        "terrain_error_m 2\nterrain_error_length_m 40\n",
        "terrain_error_m 2\nterrain_error_length_m 40\nterrain_error_hurst 0.5\n"};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct terrain_error first = {.sd_m = 2};
        struct terrain_spectrum s;
        int accepted = 0, refused = 0;
        if (i > 2) first.nodes_per_cell = TERRAIN_ERROR_LAG * 10 / 40;
        terrain_spectrum_set(&s, &first, i > 3 ? 0.5 : INFINITY);
        const double most_m = terrain_spectrum_most(&s);
        assert_true(most_m > 4);
        for (int n = 0; n < 12; n++) {
            const double room_m = most_m * (n % 3 == 0 ? 0.9 : n % 3 == 1 ? 1.02 : 3);
            const bool top = n / 3 % 2, later = n / 6;
            char text[1024];
            struct error e = {0};
            put_grid(&dir, "flat.asc", top ? ELEVATION_MAX_M - room_m : ELEVATION_MIN_M + room_m);
            put_grid(&dir, "thin.asc", 1);
            put_grid(&dir, "warm.asc", 1300);
            put_grid(&dir, "middle.asc", top ? ELEVATION_MAX_M - 99 : ELEVATION_MIN_M + 99);
            snprintf(text, sizeof text,
                     "dem %s.asc\nmax_steps 100\nmembers 2\nthickness thin.asc\ntemperature "
                     "warm.asc\n" CASE_PARAMETERS "%s%s",
                     later ? "middle" : "flat",
                     later ? "terrain_update 600s flat.asc without_lava shift_m 0\n" : "",
                     errors[i]);
            const int status = read_as(text, false, &e);
            if (status && !strstr(e.text, "terrain_error_m can move elevations by "))
                fail_msg("%s", e.text);
            assert_int_equal(status, room_m < most_m ? ERROR_INPUT : 0);
            accepted += !status;
            refused += status != 0;
        }
        assert_true(accepted == 8 && refused == 4);
    }
}

static void bad_rasters(void **state)
{
    static const struct bad rasters[] = {
        {HEAD_OF_CHANCE "0 1 0 0\n0 0 -3 0\n0 0 0 0\n", "chance.asc", "give 0 or more"},
        {HEAD_OF_CHANCE "0 0 0 0\n0 0 0 0\n0 0 0 0\n", "chance.asc", "sum up to 0"},
        {HEAD_OF_CHANCE "0 1 0 0\n0 0 3.4e38 0\n0 0 0 0\n", "chance.asc",
         "3.4e+38 at row 1, column 2, which is impossible; if that marks no data, declare it"},
        {HEAD_OF_CHANCE "0 0 0 0\n0 0 0 0\n", "chance.asc", ""},
        {"ncols 4\nnrows 3\nxllcorner 500020\nyllcorner 4000000\ncellsize 20\n"
         "0 0 0 1\n0 0 0 0\n0 0 0 0\n",
         "chance.asc", "no terrain"},
    };
    for (size_t i = 0; i < sizeof rasters / sizeof *rasters; i++) {
        write_plan(&dir);
        put_text(&dir, "chance.asc", HEAD_OF_CHANCE "0 1 0 0\n0 0 3 0\n0 0 0 0\n");
        accept(PLAN_HEAD "vent_raster chance.asc\nclasses classes.csv\n");
        expect("chance.asc", &rasters[i], i);
    }
    put_text(&dir, "chance.prj",
             "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
             "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]");
    const struct bad degrees = {HEAD_OF_CHANCE "0 1 0 0\n0 0 3 0\n0 0 0 0\n", "chance.asc",
                                "is in degrees"};
    expect("chance.asc", &degrees, 0);
    remove(scratch_file(&dir, "chance.prj"));
}

/* What a case owns in lists, of which a member borrows: a member that is refused leaves them to the plan. */
static const char *const owned[] = {
    "",
    "terrain_update 600s dem.asc without_lava\n",
    "barriers walls.csv\n",
    "assets places.json\n",
    "vent_shares shares.csv\n",
    "thickness h.asc\ntemperature t.asc\nsolidified h.asc\nsea_level 950\n",
    "terrain_update 600s dem.asc without_lava\nterrain_update 700s dem.asc with_lava\n"
    "barriers walls.csv\nassets places.json\nvent_shares shares.csv\nthickness h.asc\n"
    "sea_level 950\n",
};

static const struct {
    const char *lines, *what;
} refusing[] = {
    {"vary_vent_east_m discrete 400\n", "outside the DEM"},
    {"vary_vent_east_m discrete 40\nvary_vent_north_m discrete -30\n", "no data"},
    {"vary_Pcool normal -3 0.1\n", "draws Pcool = -"},
    {"vary_PTsol uniform 1370 1380\n", "not above PTsol"},
    {"vary_rate_factor discrete 1e5\n", "m of lava to a cell"},
    {"vary_terrain_error_length_m uniform 2 5\nterrain_error_m 1\n", "less than a cell"},
    {"run_h 1e6\nvary_Pclock uniform 0.001 0.002\n", "steps"},
};

static void refused_members_leave_what_a_case_owns(void **state)
{
    put_lists();
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", FIVE, owned[i]);
        put_text(&dir, "plan.cfg", text);
        accept(text);
        for (size_t k = 0; k < sizeof refusing / sizeof *refusing; k++) {
            snprintf(text, sizeof text, "%s%s%s", FIVE, owned[i], refusing[k].lines);
            const struct bad b = {text, "plan.cfg: member 0", refusing[k].what};
            expect("plan.cfg", &b, 100 * i + k);
        }
    }
}

static bool is_possible(const struct plan *p, int64_t number)
{
    struct error e = {0};
    bool possible;
    if (member_possible(&possible, p, number, &e)) fail_msg("%s", e.text);
    return possible;
}

static int read_nothing(void *self, struct window w, struct error *e)
{
    return error_failed(e, "dem.tif: has changed");
}

/* As a calibration asks of each point: it has no score, and the plan computes the next one. */
static void impossible_members_leave_what_a_case_owns(void **state)
{
    put_lists();
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        char text[2000];
        struct plan *p = NULL;
        struct error e = {0};
        snprintf(text, sizeof text, "%s%s%s", OF_CASE "members 2\n", owned[i],
                 "vary_vent_east_m uniform 0 1\n");
        put_text(&dir, "plan.cfg", text);
        if (plan_load(&p, scratch_file(&dir, "plan.cfg"), &e)) fail_msg("%s", e.text);
        struct distribution *east = p->vary[VENT_EAST], near = *east;
        const uint64_t digest = changes_digest(&p->base);
        assert_true(is_possible(p, 0));
        east->a = east->low = 400; /* off the terrain */
        east->b = east->high = 401;
        for (int64_t number = 0; number < 2; number++) assert_false(is_possible(p, number));
        *east = near;
        assert_true(is_possible(p, 1));
        assert_true(changes_digest(&p->base) == digest);
        /* What is no fault of the point is none of its score. */
        bool possible;
        struct terrain_source gone = {read_nothing, NULL};
        p->base.problem.terrain = &gone;
        assert_int_equal(member_possible(&possible, p, 1, &e), ERROR_FAILED);
        assert_string_equal(e.text, "dem.tif: has changed");
        p->base.problem.terrain = NULL;
        plan_free(p);
    }
}

/* More variables than Sobol's points have dimensions are refused where they are drawn, though a
 * plan has not so many yet. */
static void too_many_dimensions(void **state)
{
    int stream[41] = {0};
    struct sampling s = {SAMPLING_SOBOL, 1, 10, 41, stream, {0}};
    struct error e = {0};
    assert_int_equal(sampling_prepare(&s, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "41 numbers"));
    assert_non_null(strstr(e.text, "40"));
    s.dimensions = 40;
    assert_int_equal(sampling_prepare(&s, &e), 0);
}

/* A plan where a case should be says what to do with it. */
static void a_plan_is_no_case(void **state)
{
    struct sim_case c;
    struct error e = {0};
    put_text(&dir, "plan.cfg", PLAN_OF_CASE);
    assert_int_equal(case_load(&c, scratch_file(&dir, "plan.cfg"), &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "plan.cfg:17: members makes this a plan"));
    assert_non_null(strstr(e.text, "run one of its members"));
}

static void too_long_a_name(void **state)
{
    struct plan *p = NULL;
    struct error e = {0};
    const char *name = "a_plan_whose_name_has_more_than_fifty_one_characters_.cfg";
    put_text(&dir, name, PLAN_OF_CASE);
    assert_int_equal(plan_load(&p, scratch_file(&dir, name), &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "its name is too long, as members are named after it; give"));
}

int main(void)
{
    const int failed = UNIT_RUN_IN(
        plan_set_up, NULL, NULL, NULL, bad_keys, bad_tables, bad_member_tables, pairs_of_keys,
        calibrations_draw_nothing, one_line_makes_members, doubtful_lines_are_accepted,
        errors_keep_elevations_valid, bad_rasters, too_many_dimensions, a_plan_is_no_case,
        too_long_a_name, refused_members_leave_what_a_case_owns,
        impossible_members_leave_what_a_case_owns);
    scratch_remove(&dir);
    return failed;
}
