#!/bin/bash
# test_changing.sh — an eruption that changes: later surveys in a case, and from a state on another terrain, other
# rates, new and closed vents, another outline. One run with all changes, runs that are stopped before and after them, and
# runs on the terrain itself have the bits that they should.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: library
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
. tests/slope.sh
printf 'vent,from,to,rate_m3_s\n1,0,6h,6\n2,1h,4h,3\n' >rates.csv
make_case() { # make_case NAME LINE...
    printf '%s\n' 'dem dem.asc' 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'Pcool 40' 'max_steps 240' \
        'start_time 2006-07-14T22:00' "${@:2}" >"$1.cfg"
}
run() { # run NAME OUTPUT OPTION...
    call run "$1.cfg" --output "$2" --quiet --format geotiff "${@:3}"
    check "$1 ${*:3}: exit status 0" exits 0
    check "... the ledgers close" closed "$2"
}

# ---- surveys that change nothing, or everything from the beginning
make_case plain
make_case same 'terrain_update 3h dem.asc without_lava'
make_case begun 'terrain_update 0 wall.asc with_lava'
make_case walled
sed -i 's/^dem .*/dem wall.asc/' walled.cfg
run plain plain
run same same
check "... a survey that is the terrain: the same bits" [ "$(digest same)" = "$(digest plain)" ]
check "... nothing rose or sank" [ "$(entry ground_raised same)$(entry ground_lowered same)" = 00 ]
run begun begun
run walled walled
check "... a survey of the beginning is the terrain" [ "$(digest begun)" = "$(digest walled)" ]
check "... which is another" [ "$(digest walled)" != "$(digest plain)" ]

# ---- one that changes it after 3 h, 90 steps of 120 s
make_case changed 'terrain_update 2006-07-15T01:00 wall.asc without_lava'
make_case hours 'terrain_update 3 wall.asc without_lava'
make_case with 'terrain_update 3h wall.asc with_lava'
make_case patch 'terrain_update 3h half.asc without_lava'
run changed changed
call run changed.cfg 90 --output changed90 --quiet --format geotiff
call run plain.cfg 90 --output plain90 --quiet --format geotiff
check "... up to then it is as it was" [ "$(digest changed90)" = "$(digest plain90)" ]
check "... after it, not" [ "$(digest changed)" != "$(digest plain)" ]
check "... in the ledger" [ "$(entry ground_raised changed)" = $((12 * 40 * (1 << 36))) ]
check "... nothing sank" [ "$(entry ground_lowered changed)" = 0 ]
check "... the summary says when" grep -q '"after_step":.90' changed/summary.json
check "... and that it was made" grep -q '"made":.true' changed/summary.json
run hours hours
check "... a date and hours are the same" [ "$(digest hours)" = "$(digest changed)" ]
run with with
check "... with lava in it: other bits" [ "$(digest with)" != "$(digest changed)" ]
check "... what had solidified is the new ground" [ "$(entry ground_lowered with)" -gt 1000 ]
check "... and still solid in the ledger" [ "$(entry solidified with)" -gt 1000 ]
run patch patch
check "... half a survey is a change of half of the terrain" [ "$(entry ground_raised patch)" = $((12 * 20 * (1 << 36))) ]
call run changed.cfg --no-output
check "the report: where it changed" says '^terrain +replaced by .*wall.asc after step 90, without lava$'
check "... by how much" says '^ground +changed: 48000.000 m3 raised, 0.000 m3 lowered$'
call run changed.cfg 90 --no-output
check "... and what was not reached" says 'would be replaced by .*wall.asc after step 90'
call info changed.cfg --json
check "info: shows it" says '"after_step":.90'

# ---- stopped before, at and after the change, going on in pieces
for at in 40 90 91 200; do
    rm -rf part rest
    call run changed.cfg $at --output part --state --quiet --format geotiff
    run changed rest --from "part/state_000$(printf %03d $at).tif"
    check "... stopped after step $at: the same bits" [ "$(digest rest)" = "$(digest changed)" ]
    check "... the same ledger" [ "$(entry ground_raised rest) $(entry mobile rest)" = "$(entry ground_raised changed) $(entry mobile changed)" ]
done
run changed resumed --state-every 50
call run changed.cfg 150 --output resumed --quiet --format geotiff --state
call run changed.cfg --output resumed --quiet --format geotiff --resume
check "--resume: the same bits" [ "$(digest resumed)" = "$(digest changed)" ]

# ---- from a state on, on purpose
call run plain.cfg 90 --output first --state --quiet --format geotiff
state=first/state_000090.tif
goes_on() { # goes_on NAME OPTION...
    run "$1" "$1.on" --from $state --changed "${@:2}"
    check "... its chain says so" grep -q '"changed":.true' "$1.on/summary.json"
}
refused 2 "another terrain, and nothing said" 'differs in the terrain;.*give --changed and --new-terrain \(with_lava or without_lava\)' \
    run walled.cfg --from $state --changed --output never
refused 2 "--new-terrain alone" 'add --changed' run walled.cfg --from $state --new-terrain with_lava --output never
goes_on walled --new-terrain without_lava
check "new terrain: as if it had come in the run" [ "$(digest walled.on)" = "$(digest changed)" ]
check "... in the ledger, too" [ "$(entry ground_raised walled.on)" = "$(entry ground_raised changed)" ]
goes_on walled --new-terrain with_lava
check "new terrain with lava: likewise" [ "$(digest walled.on)" = "$(digest with)" ]
call run walled.cfg 150 --from $state --changed --new-terrain without_lava --output second --state --quiet --format geotiff
run walled walled.third --from second/state_000150.tif
check "... and on from a state of that" [ "$(digest walled.third)" = "$(digest changed)" ]
goes_on changed
check "terrain_update added to a case: as if it had been there" [ "$(digest changed.on)" = "$(digest changed)" ]

make_case clock 'Pclock 60'
refused 2 "another length of a step: the past would have other times" 'differs in Pclock \(120, now 60\)' \
    run clock.cfg --from $state --changed --output never

printf 'vent,from,to,rate_m3_s\n1,0,3h,6\n1,3h,5h,12\n2,1h,4h,3\n' >rates2.csv
make_case rates && sed -i 's/rates.csv/rates2.csv/' rates.cfg
run rates rates
goes_on rates
check "new rates from then on: as in one run" [ "$(digest rates.on)" = "$(digest rates)" ]
printf 'vent,from,to,rate_m3_s\n1,0,3h,6\n2,1h,3h,3\n3,3h,5h,8\n' >rates3.csv
printf 'vent,row,col\n1,10,20\n2,14,15\n3,20,30\n' >vents3.csv
make_case vents && sed -i 's/vents.csv/vents3.csv/; s/rates.csv/rates3.csv/' vents.cfg
run vents vents
goes_on vents
check "two vents that close, a new one: as in one run" [ "$(digest vents.on)" = "$(digest vents)" ]
check "... other bits than before" [ "$(digest vents)" != "$(digest plain)" ]
cp plain/total_thickness_m_*.tif outline.tif
make_case outlined 'outline outline.tif'
call run outlined.cfg --from $state --output outlined.on --quiet --map-size 300x300 --map-dpi 72
check "another outline: needs no word" exits 0
check "... the same bits" [ "$(digest outlined.on)" = "$(digest plain)" ]
check "... on the map" [ "$(find outlined.on -name "map_*.png")" ]

# ---- what is refused
wrong() { # wrong WHAT LINE PATTERN
    make_case wrong "$2"
    refused 2 "$1" "$3" run wrong.cfg --no-output
}
# ---- a survey of another datum or unit: heights that lava did not change are those of the terrain
survey() { awk -v add="$2" -v by="$3" 'NF <= 2 { print; next } { for (i = 1; i <= NF; i++) $i = $i == -9999 ? $i : sprintf("%.6f", $i * by + add); print }' \
    wall.asc >"$1"; }
survey geoid.asc 41.5 1 && survey feet.asc 0 3.28084 && survey near.asc -0.75 1
wrong "another datum" 'terrain_update 3h geoid.asc with_lava' "wrong.cfg:8: terrain_update: heights of .*geoid.asc are 41.5 m above .* end the line with 'shift_m -41.5'"
wrong "feet" 'terrain_update 3h feet.asc with_lava' 'wrong.cfg:8: terrain_update: heights of .*feet.asc are 3.281 times the heights of the terrain: one of them is in feet'
wrong "a shift that is no number" 'terrain_update 3h geoid.asc with_lava shift_m much' 'wrong.cfg:8: terrain_update: shift_m: give'
wrong "a word behind the last" 'terrain_update 3h wall.asc with_lava maybe' 'end it with with_lava or without_lava'
make_case moved 'terrain_update 3h geoid.asc with_lava shift_m -41.5'
call run moved.cfg --quiet --map-size 300x300 --map-dpi 72 --output moved
check "a survey with its shift is the right one: the same bits" [ "$(digest moved)" = "$(digest with)" ]
make_case risen 'terrain_update 3h geoid.asc with_lava shift_m 0'
call run risen.cfg --quiet --map-size 300x300 --map-dpi 72 --output risen
check "... and shift_m 0 is ground that rose" [ "$(entry ground_raised risen)" -gt "$(entry ground_raised with)" ]
make_case near 'terrain_update 3h near.asc with_lava'
call info near.cfg --json
check "a small difference is a note" grep -q "near.asc: its heights are 0.75 m below the heights of the terrain (median); add 'shift_m 0.75' to the line" stdout

projected() { # FILE HEIGHTS: a .prj of UTM 33 and these heights
    printf 'COMPD_CS["both",PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
    printf 'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],'
    printf 'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32633"]],'
    printf 'VERT_CS["%s height",VERT_DATUM["%s geoid",2005],UNIT["metre",1],AXIS["Up",UP]]]\n' "$2" "$2"
} >"${1%.asc}.prj"
cp dem.asc above.asc && cp wall.asc later.asc && projected above.asc EGM96 && projected later.asc EGM2008
make_case vertical 'terrain_update 3h later.asc with_lava' && sed -i 's/dem.asc/above.asc/' vertical.cfg
call info vertical.cfg --json
check "heights that count from another vertical CRS are a note" \
    grep -q "later.asc: its heights count from 'EGM2008 height', heights of the terrain from 'EGM96 height'" stdout
projected later.asc EGM96 && call info vertical.cfg --json
check "... and from the same are none" fails grep -q 'count from' stdout

wrong "no word" 'terrain_update 3h wall.asc' 'wrong.cfg:8: terrain_update: give a time, a file, and with_lava'
wrong "another word" 'terrain_update 3h wall.asc maybe' 'end it with with_lava or without_lava'
wrong "no time" 'terrain_update soon wall.asc with_lava' 'wrong.cfg:8: terrain_update: its time is '\''soon'\''; give hours since the start'
wrong "no file" 'terrain_update 3h nothing.asc with_lava' 'nothing.asc'
slope 12 0 far.asc && sed -i 's/500000/600000/' far.asc
wrong "another grid" 'terrain_update 3h far.asc with_lava' 'far.asc'
make_case twice 'terrain_update 3h wall.asc with_lava' 'terrain_update 3h dem.asc with_lava'
refused 2 "two of one step" 'are of the same step' run twice.cfg --no-output
make_case many 'terrain_update 5h dem.asc without_lava' 'terrain_update 3h wall.asc without_lava'
run many many
check "several, in any order: raised and lowered alike" [ "$(entry ground_raised many)" = "$(entry ground_lowered many)" ]
refused 2 "published arithmetic" 'published arithmetic' run changed.cfg --published --no-output
refused 2 "a benchmark" 'a benchmark keeps its terrain' benchmark changed.cfg 10
check "nothing is left" [ ! -e never ]
report
