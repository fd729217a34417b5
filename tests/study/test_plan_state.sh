#!/bin/bash
# test_plan_state.sh — plans whose members begin with the state of a run. A member of which nothing is drawn is the run
# that goes on, to the bit; each member alone is what it is in the ensemble; terrain that changes before and after the
# state, an error of the terrain, libraries, shards, resuming and pairs; what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/plan
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=2 LC_ALL=C
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara; fi
. tests/slope.sh
slope 6 0 wall.asc
slope 2 0 low.asc
printf 'vent,from,to,rate_m3_s\n1,0,4h,6\n2,1h,3h,3\n' >rates.csv
printf 'vent,from,to,rate_m3_s\n1,0,2h,6\n1,2h,5h,9\n2,3h,4h,2\n' >rates2.csv
printf 'barrier,x,y,height_m,from\n1,500055,4170295,6.5,3h\n1,500345,4170295,,\n' >walls.csv
ensemble() { # ensemble NAME OPTION...
    call ensemble "$1.cfg" --output "$1" --layers all --quiet --map-size 300x300 --map-dpi 72 "${@:2}"
    check "$1 ${*:2}: exit status 0" exits 0
}
first() { # first NAME STEPS: a run that leaves a state
    call run "$1.cfg" "$2" --output "$1.first" --quiet --format geotiff --state
    check "$1: a state of step $2" [ -s "$1.first/state_000$(printf %03d "$2").tif" ]
}
replayed() { # replayed PLAN OPTION...
    local n count
    count=$(members "$1" | wc -l)
    for ((n = 0; n < count; n += 2)); do
        rm -rf alone
        "$sciara" run "$1.cfg" --member "$n" --output alone --quiet --format geotiff "${@:2}" && closed alone || return 1
        [ "$(digest alone)" = "$(members "$1" | sed -n $((n + 1))p)" ] || return 1
    done
}

# ---- nothing is drawn: the run goes on
make plain 'max_steps 180'
first plain 60
state=plain.first/state_000060.tif
call run plain.cfg --output plain --quiet --format geotiff
make on 'max_steps 180' "from_state $state" 'members 2'
ensemble on
check "... its members are the run in one piece" [ "$(members on | sort -u)" = "$(digest plain)" ]
check "... which had moved on" [ "$(digest plain)" != "$(digest plain.first)" ]
make all 'max_steps 180' 'members 1'
ensemble all
check "... all that was emitted counts" [ "$(column emitted_m3 on/members.csv | head -n 1)" = "$(column emitted_m3 all/members.csv)" ]
check "... and times count from the beginning" [ "$(column last_advance_h on/members.csv | head -n 1)" = "$(column last_advance_h all/members.csv)" ]
make bare 'max_steps 180' 'members 2'
call ensemble bare.cfg --from $state --output bare --layers all --quiet --map-size 300x300 --map-dpi 72
check "--from: the same bits" [ "$(digest bare)" = "$(digest on)" ]

# ---- rates, parameters and terrain that are drawn from then on
drawn=('run_h 6' 'members 5' 'vary_rate_factor uniform 0.7 1.3' 'vary_Pcool uniform 30 50' 'vary_PTsol uniform 1130 1150' 'seed 5')
make plan "from_state $state" "${drawn[@]}"
sed -i 's/rates.csv/rates2.csv/' plan.cfg
ensemble plan --keep
check "... its members are all different" [ "$(members plan | sort -u | wc -l)" = 5 ]
check "... each alone: the same bits" replayed plan
check "... its chain says that it began with a state of another case" grep -q '"changed":.true' alone/summary.json
sed '/^from_state/d' plan.cfg >other.cfg
mkdir -p other && cp plan/members.csv other/
check "... each alone with --from and --changed" replayed other --from $state --changed
rm -rf other
make error "from_state $state" "${drawn[@]}" 'terrain_error_m 0.3' 'terrain_error_length_m 50'
ensemble error
check "... on terrain of their own: all different" [ "$(members error | sort -u | wc -l)" = 5 ]
check "... each alone: the same bits" replayed error
sed '/^from_state/d' error.cfg >other.cfg
mkdir -p other && cp error/members.csv other/
check "... each alone with --from and --new-terrain" replayed other --from $state --changed --new-terrain without_lava

# ---- in pieces, kept
for i in 1 2; do call ensemble plan.cfg --shard $i/2 --output shard$i --quiet; done
call merge shard1 shard2 --output merged --layers all --quiet --map-size 300x300 --map-dpi 72
check "two shards: the same bits" [ "$(digest merged)" = "$(digest plan)" ]
call ask plan/library.gpkg --output asked --layers all --quiet --map-size 300x300 --map-dpi 72
check "a library: the same probability" cmp asked/probability.tif plan/probability.tif
call run plan.cfg --member 1 --output whole --quiet --format geotiff
call run plan.cfg 100 --member 1 --output part --quiet --format geotiff --state
call run plan.cfg --member 1 --output part --quiet --format geotiff --resume
check "a member alone, stopped and resumed: the same bits" [ "$(digest part)" = "$(digest whole)" ]

# ---- terrain that changes before the state, and after it
make changing 'max_steps 180' 'terrain_update 1h low.asc without_lava' 'terrain_update 3h wall.asc with_lava'
first changing 60
call run changing.cfg --output changing --quiet --format geotiff
make changed 'max_steps 180' 'terrain_update 1h low.asc without_lava' 'terrain_update 3h wall.asc with_lava' \
    'from_state changing.first/state_000060.tif' 'members 2'
ensemble changed
check "... its members are the run in one piece" [ "$(members changed | sort -u)" = "$(digest changing)" ]
check "... on other terrain than without changes" [ "$(digest changing)" != "$(digest plain)" ]
check "... each alone: the same bits" replayed changed
check "... the same ground" [ "$(entry ground_raised alone)" = "$(entry ground_raised changing)" ]
make forgot 'max_steps 180' 'terrain_update 3h wall.asc with_lava' 'from_state changing.first/state_000060.tif' 'members 1'
ensemble forgot
check "... a plan without the change of the past has the terrain of the state where its lava is" [ "$(members forgot)" = "$(digest changing)" ]

# ---- pairs: a wall that is still to be built
make pairs 'barriers walls.csv' "from_state $state" "${drawn[@]}"
make without "from_state $state" "${drawn[@]}"
call ensemble pairs.cfg --with-and-without barriers --output pairs --layers all --quiet --map-size 300x300 --map-dpi 72
check "pairs from a state" exits 0
ensemble without
check "... without: the plan without the line" [ "$(column digest_without pairs/pairs.csv)" = "$(members without)" ]
check "... with: another" [ "$(column digest_with pairs/pairs.csv)" != "$(members without)" ]

# ---- what is refused
wrong() { # wrong WHAT PATTERN LINE...
    make wrong "from_state $state" 'members 2' "${@:3}"
    refused 2 "$1" "$2" ensemble wrong.cfg --output never
}
wrong "another length of a step" 'is a state of another case: wrong.cfg differs in .*Pclock' 'max_steps 180' 'Pclock 60'
make wrong "from_state $state" 'members 2' 'max_steps 180' && sed -i 's/^dem .*/dem wall.asc/' wrong.cfg
refused 2 "another terrain" 'differs in .*the terrain' ensemble wrong.cfg --output never
awk 'NR == 1 { print "ncols 41"; next } NR > 6 { print $0, 300; next } { print }' dem.asc >wide.asc
make wrong "from_state $state" 'members 2' 'max_steps 180' && sed -i 's/^dem .*/dem wide.asc/' wrong.cfg
refused 2 "another grid" 'the columns of the grid .40, now 41.' ensemble wrong.cfg --output never
wrong "a drawn length of a step" 'Pclock varies, but all steps before the state' 'run_h 6' 'vary_Pclock uniform 100 140'
wrong "an end before the state" 'member 0: begins at step 60 and ends at step 60' 'max_steps 60'
make wrong 'from_state nothing.tif' 'members 2' 'max_steps 180'
refused 2 "no state" 'nothing.tif' ensemble wrong.cfg --output never
make wrong 'from_state dem.asc' 'members 2' 'max_steps 180'
refused 2 "a file that is no state" 'dem.asc' ensemble wrong.cfg --output never
refused 2 "--from with --keep" 'the plan of an ensemble that is kept or sharded has to name its state' ensemble bare.cfg --from $state --keep --output never
refused 2 "--from with --shard" 'the plan of an ensemble that is kept or sharded has to name its state' ensemble bare.cfg --from $state --shard 1/2 --output never
refused 2 "--from with pairs" "remove --from, and add a line 'from_state FILE' to the plan" ensemble pairs.cfg --from $state --with-and-without barriers --output never
make null "from_state $state" 'max_steps 180' 'members 4'
call null null.cfg --length 300 --half-width 20 --output null --layers all --map-size 300x300 --map-dpi 72
check "the null model warns that it knows no state" grep -q 'nor the lava of a state' null/summary.json
printf 'barrier,x,y,height_m\n1,500055,4170295,6.5\n1,500345,4170295,\n' >old.csv
make wrong 'barriers old.csv' "from_state $state" 'members 2' 'max_steps 180'
refused 2 "barriers that the run had not" 'differs in .*the terrain' ensemble wrong.cfg --with-and-without barriers --output never
sed -i '/^from_state/d; /^members/d' wrong.cfg
first wrong 60
make wrong 'barriers old.csv' 'from_state wrong.first/state_000060.tif' 'members 2' 'max_steps 180'
refused 2 "pairs whose barriers stand in the state" 'its state .from_state. was computed with barriers' ensemble wrong.cfg --with-and-without barriers --output never
check "nothing is left" [ ! -e never ]
report
