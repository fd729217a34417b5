#!/bin/bash
# test_plan_changes.sh — plans whose terrain changes: later surveys, and barriers that are built on the way. Members of
# which nothing is drawn are the case, to the bit; each member alone is what it is in the ensemble; shards, resuming, a
# library, pairs and a calibration take such plans, too.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/plan
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=2 LC_ALL=C
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara; fi
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
    rm -rf one volcano
    make volcano "$change" 'max_steps 180'
    make one "$change" 'max_steps 180' 'members 2'
    call run volcano.cfg --output volcano --quiet --format geotiff
    call ensemble one.cfg --output one --layers all --quiet --map-size 300x300 --map-dpi 72
    check "$change: exit status 0" exits 0
    check "... members are the case" [ "$(members one | sort -u)" = "$(digest volcano)" ]
    check "... whose terrain changed" [ "$(entry ground_raised volcano)" -gt 1000 ]
done
make still 'max_steps 180' 'members 2'
call ensemble still.cfg --output still --layers all --quiet --map-size 300x300 --map-dpi 72
check "... into something else" [ "$(members still | head -n 1)" != "$(members one | head -n 1)" ]
check "... and the digests of plans differ" [ "$(digest still)" != "$(digest one)" ]

# ---- drawn: steps of several lengths, an error of the terrain, surveys and barriers together
drawn=('run_h 6' 'members 6' 'vary_rate_factor uniform 0.7 1.3' 'vary_Pclock uniform 100 140' 'terrain_error_m 0.3' 'terrain_error_length_m 50' 'seed 5')
make plan 'barriers walls.csv' 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
call ensemble plan.cfg --output plan --layers all --quiet --keep --map-size 300x300 --map-dpi 72
check "a plan with three changes" exits 0
check "... its members are all different" [ "$(members plan | sort -u | wc -l)" = 6 ]
check "... each alone: the same bits" replayed plan
call run plan.cfg --member 1 --output one_of --quiet --format geotiff
check "... which saw all changes" [ "$(json '[.terrain_updates[].made] | tostring' one_of/summary.json)" = '[true,true,true]' ]
check "... the end of its ledger" closed one_of
OMP_NUM_THREADS=1 call ensemble plan.cfg --output single --layers all --quiet --map-size 300x300 --map-dpi 72
check "... one thread: the same bits" [ "$(digest single)" = "$(digest plan)" ]
for i in 1 2; do call ensemble plan.cfg --shard $i/2 --output shard$i --quiet; done
call merge shard1 shard2 --output merged --layers all --quiet --map-size 300x300 --map-dpi 72
check "... two shards: the same bits" [ "$(digest merged)" = "$(digest plan)" ]
cp half.asc other.asc && sed 's|half.asc|other.asc|' plan.cfg >moved.cfg
call ensemble moved.cfg --output moved --layers all --quiet --map-size 300x300 --map-dpi 72
check "... the survey by another name: the same digest" [ "$(digest moved)" = "$(digest plan)" ]
sed 's/150min half.asc/160min half.asc/' plan.cfg >later.cfg
refused 2 "resumed as another plan" 'another plan \(terrain_update 150min half.asc without_lava, now 160min half.asc without_lava\)' ensemble later.cfg --output plan --resume --quiet
call ask plan/library.gpkg --output asked --layers all --quiet --map-size 300x300 --map-dpi 72
check "the library: as many members" [ "$(value members asked/summary.json)" = "$(value members plan/summary.json)" ]
check "... the same probability" cmp asked/probability.tif plan/probability.tif
call ask plan/library.gpkg --plan later.cfg --output never --layers all --quiet
check "... not of a plan with another time" fails exits 0

# ---- pairs: with barriers that are built later, and without them
make pairs 'barriers walls.csv' 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
make bare 'terrain_update 150min half.asc without_lava' "${drawn[@]}"
call ensemble pairs.cfg --with-and-without barriers --output pairs --layers all --quiet --map-size 300x300 --map-dpi 72
check "pairs with barriers that come later" exits 0
call ensemble bare.cfg --output bare --layers all --quiet --map-size 300x300 --map-dpi 72
check "... with: the plan" [ "$(column digest_with pairs/pairs.csv)" = "$(members plan)" ]
check "... without: the plan without the line" [ "$(column digest_without pairs/pairs.csv)" = "$(members bare)" ]
check "... which is another" [ "$(members plan)" != "$(members bare)" ]

# ---- a calibration
call run volcano.cfg --output truth --quiet --format geotiff
mv truth/total_thickness_m_*.tif truth/outline.tif
mkdir fits && make fits/fit 'terrain_update 2h ../half.asc without_lava' 'max_steps 180' 'terrain_error_m 0.2' \
    'outline ../truth/outline.tif' 'fit_Pcool 20 80 log' 'evaluations 16'
sed -i 's/^\(dem\|vents\|rates\)\( *\)/\1\2..\//' fits/fit.cfg
call calibrate fits/fit.cfg --output results/fitted --layers all --quiet --map-size 300x300 --map-dpi 72
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
call ensemble large_plan.cfg --output large_plan --layers all --quiet --map-size 300x300 --map-dpi 72
check "a large terrain: its member is the case" [ "$(members large_plan)" = "$(digest large_case)" ]
check "... whose terrain changed" [ "$(entry ground_raised large_case)" -gt 1000 ]

# ---- vents that share a total, open and close
printf 'vent,from,to,rate_m3_s\n*,0,6h,9\n' >total.csv
printf 'vent,from,to,share\n1,0,2h,7\n1,2h,4h,60\n2,2h,6h,40\n' >shares.csv
printf 'vent,from,to,rate_m3_s\n1,0,2h,9\n1,2h,4h,5.4\n2,2h,4h,3.6\n2,4h,6h,9\n' >single.csv
place() { # place NAME ROW COL
    printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%d,%d]}}\n' "$1" \
        $((500005 + 10 * $3)) $((4170495 - 10 * $2)) >"$1.json"
}
place second 14 15
place low 33 15
share() { # share NAME RATES LINE...
    make "$1" 'max_steps 180' 'assets second.json' 'arrival_bin_h 0.1' "${@:3}"
    sed -i "s/^rates .*/rates $2/" "$1.cfg"
}
share by_vent single.csv && share by_total total.csv && share shared total.csv 'members 2' 'vent_shares shares.csv'
sed -i '/^arrival_bin_h/d; /^assets/d' by_vent.cfg by_total.cfg
call run by_vent.cfg --output by_vent --quiet --format geotiff
call run by_total.cfg --output by_total --quiet --format geotiff
call ensemble shared.cfg --output shared --layers all --quiet --map-size 300x300 --map-dpi 72
check "a total with shares" exits 0
check "... is the case with the rates of each vent" [ "$(members shared | sort -u)" = "$(digest by_vent)" ]
check "... and not the case with equal shares" [ "$(digest by_total)" != "$(digest by_vent)" ]
total=$(entry emitted by_total)
is_total() { local d=$(($(entry emitted "$1") - total)); [ "$total" -gt 1000000 ] && [ $((d < 0 ? -d : d)) -le 1 ]; }
check "... which emit as many quanta" is_total by_vent
share drawn_shares total.csv 'members 6' 'vent_shares shares.csv' 'vent_shares_error 2' 'seed 5' 'keep yes'
call ensemble drawn_shares.cfg --output drawn_shares --layers all --quiet --map-size 300x300 --map-dpi 72
check "shares that are drawn: members are all different" [ "$(members drawn_shares | sort -u | wc -l)" = 6 ]
check "... each alone: the same bits, and its ledger closes" replayed drawn_shares
check "... and it emits the total" is_total alone
OMP_NUM_THREADS=1 call ensemble drawn_shares.cfg --output single --layers all --quiet --map-size 300x300 --map-dpi 72
check "... one thread: the same bits" [ "$(digest single)" = "$(digest drawn_shares)" ]
sed 's/1,2h,4h,60/1,2h,4h,61/' shares.csv >more.csv && sed 's/shares.csv/more.csv/' drawn_shares.cfg >more.cfg
refused 2 "resumed with other shares" 'another plan' ensemble more.cfg --output drawn_shares --resume --quiet
printf 'observed_%s\n' 'arrival low.json at 4h error_h 0.5' 'dry second.json until 1h' | cat drawn_shares.cfg - >now.cfg
call nowcast now.cfg --library drawn_shares/library.gpkg --output now --layers all --quiet --map-size 300x300 --map-dpi 72
check "a nowcast of vents that open" exits 0
check "... weighs their members" [ "$(column now now/weights.csv | sort -u | wc -l)" -gt 2 ]
check "... there is no lava at the second vent until it opens" \
    [ "$(column earliest_h now/nowcast_places.csv | cut -c 1-3 | sort -u)" = 2 ]
cat >future.cfg <<END
$(grep -v '^rates' drawn_shares.cfg)
observed_rates total.csv
rates_error 1.3
rates_after curve risefall peak 0.1 0.4 decay 2 factor 1.2
vary_eruption_end_h uniform 8 20
END
sed -i 's/^max_steps .*/run_h 10/' future.cfg
call ensemble future.cfg --output future --layers all --quiet --map-size 300x300 --map-dpi 72
check "rates that are drawn, and a curve after them: members are all different" [ "$(members future | sort -u | wc -l)" = 6 ]
check "... each alone: the same bits, and its ledger closes" replayed future
share chosen total.csv 'members 2' 'vent_shares shares.csv' 'vent_list vents.csv' && sed -i '/^vents /d' chosen.cfg
refused 2 "shares of vents that members choose" 'remove one of the two' ensemble chosen.cfg --output never --quiet
share of_vents single.csv 'members 2' 'vent_shares shares.csv'
refused 2 "shares of rates of single vents" 'give it with \* as vent' ensemble of_vents.cfg --output never --quiet

# ---- the null model, which has one terrain
for change in 'terrain_update 2h wall.asc without_lava' ''; do
    make null ${change:+"$change"} 'run_h 6' 'members 4'
    call null null.cfg --length 300 --half-width 20 --output "null${change:0:7}" --layers all --map-size 300x300 --map-dpi 72
    check "a null model ${change:-without a change}" exits 0
done
check "one that changes: it warns" grep -q 'knows neither later changes of terrain' nullterrain/summary.json
check "else it does not" fails grep -q 'knows neither' null/summary.json

# ---- what is refused
make steps 'terrain_update 120min wall.asc without_lava' 'terrain_update 124min dem.asc without_lava' 'run_h 6' 'members 8' 'vary_Pclock uniform 60 600'
refused 2 "two surveys in one long step" 'steps.cfg: member [0-9]+: .*are of the same step' ensemble steps.cfg --output never
make high 'terrain_update 2h high.asc without_lava' 'run_h 6' 'members 2' 'terrain_error_m 60'
sed 's/^300 /9990 /; 7 s/^[0-9.]* /9990 /' dem.asc >high.asc
lists=('terrain_update 2h wall.asc without_lava' 'barriers walls.csv' 'assets second.json' 'run_h 6')
make off "${lists[@]}" 'members 4' 'vary_vent_east_m uniform 500 600'
sed 's/^rates .*/rates total.csv/' off.cfg >off_shares.cfg && echo 'vent_shares shares.csv' >>off_shares.cfg
for plan in off off_shares; do
    for command in info ensemble null; do
        refused 2 "a member off the terrain, $plan: $command" "$plan.cfg: member 0: .*outside the DEM" $command $plan.cfg
    done
done
make sometimes "${lists[@]}" 'outline truth/outline.tif' 'fit_vent_east_m 0 1000' 'evaluations 16'
call calibrate sometimes.cfg --output sometimes --layers all --quiet --map-size 300x300 --map-dpi 72
check "a calibration, some of whose points are off the terrain" exits 0
check "... which have no score" [ "$(column score sometimes/evaluations.csv | grep -c "^$")" -gt 2 ]
check "... and others have one" [ "$(column score sometimes/evaluations.csv | grep -c '^0')" -gt 2 ]
name=$(printf 'x%.0s' {1..200})
mkdir -p "$name/$name/$name"
refused 2 "a library with a path that is too long for SQLite" 'and SQLite opens files with up to [0-9]+; give' \
    ensemble still.cfg --keep --quiet --output "$name/$name/$name/o"
check "... before a member is computed" [ ! -e "$name/$name/$name/o" ]
refused 2 "an error beyond what can be computed" 'terrain_error_m can move elevations by 493 m, but they have to stay from' ensemble high.cfg --output never
check "nothing is left" [ ! -e never ]
report
