#!/bin/bash
# test_emission.sh — what sciara says of rates: the volume asked for and emitted, vents that emit too much for their
# cells, lava that becomes too thick. Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case
. tests/check.sh
needs_sciara

# case NAME STEP_S RATE [LINE...]: a case of 9 x 9 cells of 10 m with a hole in the middle and a vent in it, which emits at
# that rate for two hours in two intervals
make_case() {
    local name=$1 step_s=$2 rate=$3
    shift 3
    mkdir -p "$work/$name"
    {
        printf '%s\n' 'ncols 9' 'nrows 9' 'xllcorner 500000' 'yllcorner 4000000' 'cellsize 10'
        awk 'BEGIN { for (i = 0; i < 81; i++) print i == 40 ? 100 : 9000 }'
    } >"$work/$name/dem.asc"
    printf '%s\n' vent,row,col 1,4,4 >"$work/$name/vents.csv"
    printf '%s\n' vent,from_h,to_h,rate_m3_s "1,0,1,$rate" "1,1,2,$rate" >"$work/$name/rates.csv"
    {
        sed -n '/^PTsol/,$p' data/etna2006.cfg
        printf '%s\n' 'dem dem.asc' 'vents vents.csv' 'rates rates.csv' "Pclock $step_s" "$@"
    } >"$work/$name/$name.cfg"
}
no_note() { ! grep -q 'of lava in a step' "$work/stdout"; } # of info, or a summary
run() { call run "$work/$1/$1.cfg" "${@:2}" --variant reference --no-output; }

# ---- the volume
for step_s in 60 2400; do
    make_case all $step_s 1 'max_steps 200'
    call info "$work/all/all.cfg"
    check "$step_s s: info says what is asked for" says '^volume_asked_m3 +7200$'
    check "$step_s s: ... and emitted" says '^volume_m3 +7200$'
    check "$step_s s: ... by what rule" says '^emission +integral$'
    run all --json
    check "$step_s s: a run emits it" says '"emitted_m3":.*7200$'
    check "$step_s s: ... as asked" says '"asked_m3":.*7200,$'
    run all
    check "$step_s s: ... and says so" says '^emission +7200\.000 m3 emitted of 7200\.000 m3 that the rates ask for$'
    check "$step_s s: ... by the ledger too" says '^ +emitted +7200\.000 m3$'
done
published=(60 7140 2400 4800)
for i in 0 2; do
    step_s=${published[i]} m3=${published[i + 1]}
    make_case some "$step_s" 1 'max_steps 200' 'emission published'
    run some
    check "$step_s s, published: a run emits $m3" \
        says "^emission +$m3\.000 m3 emitted of 7200\.000 m3 that the rates ask for, by the published rule\$"
    call info "$work/some/some.cfg"
    check "$step_s s, published: info has no note of much" no_note
    check "$step_s s, published: ... and says that it is not all" says "^notice +.*7200 m3 of lava, but the steps emit $m3 "
done
make_case part 60 1 'max_steps 30'
call info "$work/part/part.cfg"
check "a run that ends before the eruption is over: its part" says '^volume_of_steps_m3 +1800$'
check "... of all" says '^volume_m3 +7200$'
run part
check "... in the report, too" says '^emission +1800\.000 m3 emitted of 1800\.000 m3 '
make_case little 60 1e-12 'max_steps 120'
run little --json
check "rates below a quantum a step add up" says '"quanta":.*"5"' # 7.2e-9 m3 are 4.95

# ---- much
make_case much 240 1 'max_steps 20'
call info "$work/much/much.cfg"
note='vent 1 emits up to 2\.4 m of lava in a step into the cell at row 4, column 4; to stay below 2 m, give vent_radius_m 20, spread the vent over at least 2 cells, or give a Pclock of at most 199 s'
check "2.4 m in a step: info notes it" says "^notice +$note\$"
run much
check "... a run warns of the pit" complains '^sciara: warning: .*dem.asc: '
check "... and of nothing else, in one line" one_line
check "... which its report does not repeat" fails grep -E '^warning|^notice' "$work/stdout"
run much --quiet
check "... but not where nothing is to be said" silent stderr
run much --json
check "... in its summary" [ "$(json '.warnings[] | select(.text | contains("up to 2.4 m of lava in a step")).kind' "$work/stdout")" = numerics ]
sed -i 's/^Pclock.*/Pclock 199/' "$work/much/much.cfg"
call info "$work/much/much.cfg"
check "what it asks for is enough" no_note
echo 'vent_radius_m 20' >>"$work/much/much.cfg"
sed -i 's/^Pclock.*/Pclock 240/' "$work/much/much.cfg"
run much --json
check "... and so is a wider vent" no_note
check "... with the same volume" says '"emitted_m3":.*4800$'

# The example of README.md, on its terrain
example() { awk -v head="$1" '$0 == "    " head { on = 1 } on && !/^    /{ exit } on' README.md | cut -c5-; }
"$sciara" terrain "$work/made" --size 300 --quiet
cp "$work/made/terrain.tif" "$work/made/dem.tif"
example vent,x,y >"$work/made/vents.csv"
example vent,from_h,to_h,rate_m3_s >"$work/made/rates.csv"
example 'title       My volcano' >"$work/made/example.cfg"
call info "$work/made/example.cfg"
check "the example of README.md: two vents" says '^volume_asked_m3 +673920$'
check "... nothing to warn of" fails grep -qE '^warning|^notice' "$work/stdout"
check "... not on stderr" silent stderr

make_case toomuch 240 42 'max_steps 20'
refused 2 "100.8 m in a step" 'rates\.csv:2: .*100\.8 m of lava to a cell in one step, more than 100; .*at least 2 cells, or give a Pclock of at most 238 s' \
    run "$work/toomuch/toomuch.cfg" --output "$work/none"
refused 2 "... for info as well" 'rates\.csv:2: .*100\.8 m' info "$work/toomuch/toomuch.cfg"
check "... nothing written" [ ! -e "$work/none" ]
printf '%s\n' vent,row,col 1,4,4 2,4,4 >"$work/toomuch/vents.csv"
printf '%s\n' vent,from_h,to_h,rate_m3_s 1,0,2,30 2,1,2,30 >"$work/toomuch/rates.csv"
refused 2 "two vents in a cell, 72 m each" \
    'rates\.csv: several vents emit 144 m of lava into the cell at row 4, column 4 in step 16, more than 100' \
    run "$work/toomuch/toomuch.cfg" --output "$work/none"

# ---- too thick
make_case deep 120 80 'max_steps 43'
call run "$work/deep/deep.cfg" 41 --variant reference --output "$work/deep.out" --format geotiff
check "3936 m of lava" says '^thickest +3936\.00 m'
rm -r "$work/deep.out"
call run "$work/deep/deep.cfg" --variant reference --output "$work/deep.out" --format geotiff --quiet
refusal 2 "4128 m of lava" \
    'lava became 4128 m thick, more than the 4000 m that can be computed, at row 4, column 4 in one of the steps 1 to 43; .*shorter Pclock \(the cell.s centre: x 500045, y 4000045\)$'
check "... nothing is left" [ ! -e "$work/deep.out" ]
call run "$work/deep/deep.cfg" --variant reference --output "$work/deep.out" --format geotiff --every 20 --quiet
refusal 2 "... with states before" 'in one of the steps 1 to 43'
check "... which stay" [ -e "$work/deep.out/total_thickness_m_000040.tif" ]

report
