# shellcheck shell=bash
# plans.sh — for tests of several studies: a small eruption on synthetic terrain. Source it after check.sh. It changes to $work
# and makes these files: truth/ (the layers of the eruption), made/volcano.cfg (60 steps), made/base.cfg (2 hours on uncertain
# terrain), made/plan.cfg (4 members, with walls), made/fit.cfg (one parameter, which is fitted to truth/).
# shellcheck disable=SC2154 # of check.sh
cd "$work" || exit 1
"$sciara" terrain made --size 40 --quiet || exit 1
sed -i 's/^max_steps .*/max_steps 60/' made/volcano.cfg
"$sciara" run made/volcano.cfg --variant reference --output truth --quiet --format geotiff || exit 1
{
    sed '/^max_steps/d' made/volcano.cfg
    printf '%s\n' 'run_h 2' 'terrain_error_m 0.5' 'terrain_error_length_m 40' 'seed 3'
} >made/base.cfg
printf 'barrier,x,y,height_m\n1,500150,4170150,5\n1,500250,4170250,\n' >made/walls.csv
{ cat made/base.cfg && printf '%s\n' 'members 4' 'barriers walls.csv'; } >made/plan.cfg
{ cat made/base.cfg && printf '%s\n' 'outline ../truth/total_thickness_m_000060.tif' 'fit_Pcool 1 10 log'; } >made/fit.cfg
