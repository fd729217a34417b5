#!/bin/bash
# test_plan_changes.sh — plans whose terrain changes: later surveys, and barriers that are built on the way. Members of
# which nothing is drawn are the case, to the bit; each member alone is what it is in the ensemble; shards, resuming, a
# library, pairs and a calibration take such plans, too.
# Run from the root of the repository, with BUILD naming the build folder.
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=2 LC_ALL=C
. tests/slope.sh
printf 'vent,from,to,rate_m3_s\n1,0,4h,6\n2,1h,3h,3\n' >rates.csv
printf 'barrier,x,y,height_m,crest_m,from\n1,500055,4170295,6.5,,2h\n1,500345,4170295,,,\n2,500100,4170240,,300,3h\n2,500300,4170235,,,\n' >walls.csv
replayed() { # replayed PLAN: members 0, 2 and the last by `run --member`
    local n
    for n in 0 2 $(($(members "$1" | wc -l) - 1)); do
        rm -rf alone
        "$sciara" run "$1.cfg" --member "$n" --output alone --quiet --format geotiff "${@:2}" && closed alone || return 1
        [ "$(digest alone)" = "$(members "$1" | sed -n $((n + 1))p)" ] || return 1
    done
}

# ---- nothing is drawn: the case
for change in 'terrain_update 2h wall.asc without_lava' 'terrain_update 2006-07-15T00:00 wall.asc with_lava' \
    'terrain_update 2h half.asc without_lava' 'barriers walls.csv'; do
    rm -rf one case
    make case "$change" 'max_steps 180'
    make one "$change" 'max_steps 180' 'members 2'
    call run case.cfg --output case --quiet --format geotiff
    call ensemble one.cfg --output one --quiet --map-size 600x400
    check "$change: exit status 0" exits 0
    check "... members are the case" [ "$(members one | sort -u)" = "$(digest case)" ]
    check "... whose terrain changed" [ "$(entry ground_raised case)" -gt 1000 ]
done
make still 'max_steps 180' 'members 2'
call ensemble still.cfg --output still --quiet --map-size 600x400
check "... into something else" [ "$(members still | head -n 1)" != "$(members one | head -n 1)" ]
check "... and the digests of plans differ" [ "$(digest still)" != "$(digest one)" ]

# ---- drawn: steps of several lengths, an error of the terrain, surveys and barriers together
drawn=('run_h 6' 'members 6' 'vary_rate_factor uniform 0.7 1.3' 'vary_Pclock uniform 100 140' 'terrain_error_m 0.3' 'terrain_error_length_m 50' 'seed 5')
make plan 'barriers walls.csv' 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
call ensemble plan.cfg --output plan --quiet --keep --map-size 600x400
check "a plan with three changes" exits 0
check "... its members are all different" [ "$(members plan | sort -u | wc -l)" = 6 ]
check "... each alone: the same bits" replayed plan
call run plan.cfg --member 1 --output one_of --quiet --format geotiff
check "... which saw all changes" [ "$(json '[.terrain_updates[].made] | tostring' one_of/summary.json)" = '[true,true,true]' ]
check "... the end of its ledger" closed one_of
OMP_NUM_THREADS=1 call ensemble plan.cfg --output single --quiet --map-size 600x400
check "... one thread: the same bits" [ "$(digest single)" = "$(digest plan)" ]
for i in 1 2; do call ensemble plan.cfg --shard $i/2 --output shard$i --quiet; done
call merge shard1 shard2 --output merged --quiet --map-size 600x400
check "... two shards: the same bits" [ "$(digest merged)" = "$(digest plan)" ]
cp half.asc other.asc && sed 's|half.asc|other.asc|' plan.cfg >moved.cfg
call ensemble moved.cfg --output moved --quiet --map-size 600x400
check "... the survey by another name: the same digest" [ "$(digest moved)" = "$(digest plan)" ]
sed 's/150min half.asc/160min half.asc/' plan.cfg >later.cfg
refused 2 "resumed as another plan" 'another plan' ensemble later.cfg --output plan --resume --quiet
call ask plan/library.gpkg --output asked --quiet --map-size 600x400
check "the library: as many members" [ "$(value members asked/summary.json)" = "$(value members plan/summary.json)" ]
check "... the same probability" cmp asked/probability.tif plan/probability.tif
call ask plan/library.gpkg --plan later.cfg --output never --quiet
check "... not of a plan with another time" fails exits 0

# ---- pairs: with barriers that are built later, and without them
make pairs 'barriers walls.csv' 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
make bare 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
call ensemble pairs.cfg --with-and-without barriers --output pairs --quiet --map-size 600x400
check "pairs with barriers that come later" exits 0
call ensemble bare.cfg --output bare --quiet --map-size 600x400
check "... with: the plan" [ "$(column digest_with pairs/pairs.csv)" = "$(members plan)" ]
check "... without: the plan without the line" [ "$(column digest_without pairs/pairs.csv)" = "$(members bare)" ]
check "... which is another" [ "$(members plan)" != "$(members bare)" ]

# ---- a calibration
call run case.cfg --output truth --quiet --format geotiff
mv truth/total_thickness_m_*.tif truth/outline.tif
mkdir fits && make fits/fit 'terrain_update 2h ../half.asc without_lava' 'max_steps 180' 'terrain_error_m 0.2' \
    'outline ../truth/outline.tif' 'fit_Pcool 20 80 log' 'evaluations 16'
sed -i 's/^\(dem\|vents\|rates\)\( *\)/\1\2..\//' fits/fit.cfg
call calibrate fits/fit.cfg --output results/fitted --quiet --map-size 600x400
check "a calibration" exits 0
check "... its best case names the survey from its own folder" grep -q '^terrain_update  *2h ../../half.asc without_lava' results/fitted/best.cfg
call run results/fitted/best.cfg --output best --quiet --format geotiff
check "... and runs" closed best
check "... with it" [ "$(entry ground_raised best)" -gt 1000 ]

# ---- a terrain so large that others are read where lava comes
awk 'BEGIN { printf "ncols 1030\nnrows 1030\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999\n"
    for (r = 0; r < 1030; r++) { for (c = 0; c < 1030; c++) printf "%d ", 3000 - 2 * r + (c % 7); print "" } }' >large.asc
printf 'barrier,x,y,height_m,from\n1,500055,4179900,6.5,1h\n1,500345,4179900,,\n' >far.csv
for name in large_case large_plan; do
    make $name 'barriers far.csv' 'max_steps 60'
    sed -i 's/^dem .*/dem large.asc/' $name.cfg
done
echo 'members 1' >>large_plan.cfg
call run large_case.cfg --output large_case --quiet --format geotiff
call ensemble large_plan.cfg --output large_plan --quiet --map-size 600x400
check "a large terrain: its member is the case" [ "$(members large_plan)" = "$(digest large_case)" ]
check "... whose terrain changed" [ "$(entry ground_raised large_case)" -gt 1000 ]

# ---- the null model, which has one terrain
for change in 'terrain_update 2h wall.asc without_lava' ''; do
    make null ${change:+"$change"} 'run_h 6' 'members 4'
    call null null.cfg --length 300 --half-width 20 --output "null${change:0:7}" --map-size 600x400
    check "a null model ${change:-without a change}" exits 0
done
check "one that changes: it warns" grep -q 'knows neither later changes of terrain' nullterrain/summary.json
check "else it does not" fails grep -q 'knows neither' null/summary.json

# ---- what is refused
make steps 'terrain_update 120min wall.asc without_lava' 'terrain_update 124min dem.asc without_lava' 'run_h 6' 'members 8' 'vary_Pclock uniform 60 600'
refused 2 "two surveys in one long step" 'steps.cfg: member [0-9]+: .*are of the same step' ensemble steps.cfg --output never
make high 'terrain_update 2h high.asc without_lava' 'run_h 6' 'members 2' 'terrain_error_m 60'
sed 's/^300 /9990 /; 7 s/^[0-9.]* /9990 /' dem.asc >high.asc
refused 2 "an error beyond what can be computed" 'terrain_error_m can move elevations by 493 m, out of' ensemble high.cfg --output never
check "nothing is left" [ ! -e never ]
report
