#!/bin/bash
# test_refusals.sh — no command makes a case that another refuses, and a refusal says all that is to be done: missing
# keys, a file that lies elsewhere, a variant that is not there.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/terrain, program/commands
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1
none_of() { [ ! -e "$1" ]; }

# ---- what `terrain` makes, `info` reads and `run` computes -------------------------------------------------
RANDOM=7 # of this shell: one of its subshells would begin elsewhere at every run
words=()
pick() { shift $((RANDOM % $#)) && words+=("$1"); }
made=0 rejected=0
for ((i = 0; i < 70; i++)); do
    words=(--seed "$i" --kind) && pick volcano sheet pyramid
    words+=(--rows) && pick 3 4 17 40
    words+=(--cols) && pick 3 5 23 38
    [ $((RANDOM % 2)) = 0 ] || { words+=(--cell) && pick 0.01 0.05 0.5 0.9 1 2.5 30 250 1000; }
    [ $((RANDOM % 2)) = 0 ] ||
        { words+=(--epsg) && pick 32633 32733 25833 3857 3395 2154 4326 4978 2227 27700 9999 32661; }
    [ $((RANDOM % 3)) = 0 ] ||
        { words+=(--corner) && pick 500000 0 -3e6 9e7 4.4e5 && pick 4170000 0 9e6 1e8 5e6; }
    [ $((RANDOM % 4)) = 0 ] || { words+=(--name) && pick a b.cfg 'c d' x_000000000000 é; }
    rm -rf made
    call terrain made --quiet "${words[@]}"
    if [ "$code" = 0 ]; then
        file=$(echo made/*.cfg)
        call info "$file"
        check "info takes terrain ${words[*]}" exits 0
        call run "$file" 1 --no-output --quiet --variant reference
        check "run takes terrain ${words[*]}" exits 0
        made=$((made + 1))
    else
        refusal 2 "terrain ${words[*]}" '^sciara: .*(choose|give) '
        check "terrain ${words[*]}: nothing is left" none_of made
        rejected=$((rejected + 1))
    fi
done
check "some of these are made ($made), and some are not ($rejected)" [ $((made > 15 && rejected > 15)) = 1 ]
refused 2 'cells too small for the rates' 'm of lava .*choose larger cells' terrain no --cell 0.1
refused 2 'degrees' 'epsg 4326: EPSG:4326 is in degrees, not metres; choose a projected CRS' terrain no --epsg 4326
refused 2 'metres that are too short' 'epsg 3857: Web Mercator.*choose a projected CRS' terrain no --epsg 3857
refused 2 'more cells than can be counted' '65536 x 65536 cells; choose fewer' \
    terrain no --rows 65536 --cols 65536
refused 2 'degrees, where nothing would be written' 'is in degrees' terrain --describe --epsg 4326
check "none of these leaves anything" none_of no

# ---- what `run` refuses, `info` does ------------------------------------------------------------------------
"$sciara" terrain case --size 40 --quiet
printf 'vent,from_s,to_s,rate_m3_s\n*,0,122,1\n*,122,9e6,2\n' >case/odd.csv
{ sed 's/^rates .*/rates odd.csv/;s/^Pclock .*/Pclock 1/' case/volcano.cfg; } >case/odd.cfg
refused 2 "rates that the original format cannot hold" 'no common divisor' run case/odd.cfg 1 --format geotiff,original --output odd
check "... before anything is written" none_of odd
outlined() { { cat case/volcano.cfg && echo "outline $1"; } >case/outlined.cfg; }
echo 'no outline' >case/words.txt
echo '{"type":"Polygon","coordinates":[[[15,37],[15.1,37],[15.1,37.1],[15,37]]]}' >case/degrees.json
mkdir case/folder
for bad in words.txt degrees.json folder terrain.tif; do
    outlined $bad
    refused 2 "run with the outline $bad" "case/$bad:" run case/outlined.cfg 1 --quiet
    cp stderr by_run
    refused 2 "... without files" "case/$bad:" run case/outlined.cfg 1 --quiet --no-output
    refused 2 "info on the outline $bad" "case/$bad:" info case/outlined.cfg
    check "... in the same words" cmp -s by_run stderr
done
check "none of these leaves anything" none_of output
check "the terrain as outline: it names what an outline is" complains 'above 0 in every cell, as a terrain is; name a raster'
outlined nowhere.json # (a stand-in for the real terrain may lack the surveyed outline)
call info case/outlined.cfg
check "an outline that is not there, on synthetic terrain: info says so" says 'no outline: case/nowhere.json cannot be read; check the name, or remove the line'
for key in thickness solidified; do
    { cat case/volcano.cfg && echo "$key terrain.tif"; } >case/buried.cfg
    refused 2 "the terrain as $key" "case/terrain.tif: has the heights of the terrain; name a raster of thicknesses" info case/buried.cfg
done
# (as many words of it as are read; ogr2ogr makes features without a place of its rows)
printf 'PK\003\004 xl/worksheets' >case/sheet.xlsx
echo '{"type":"Polygon","coordinates":[[[500100,4170100],[500300,4170100],[500300,4170300],[500100,4170100]]]}' >case/good.json
printf 'name,x,y\nHut,500200,4170200\n' >case/houses.csv
{ sed '/max_steps/d' case/volcano.cfg && printf '%s\n' 'run_h 0.1' 'members 2'; } >case/bare.cfg
agreed=0 accepted=0
for key in assets outline verify_within; do
    for file in words.txt degrees.json folder terrain.tif sheet.xlsx houses.csv nothing.json http://127.0.0.1/x.json good.json; do
        { cat case/bare.cfg && echo "$key $file" && { [ $key != verify_within ] || echo 'outline good.json'; }; } >case/plan.cfg
        call info case/plan.cfg
        by_info=$code && cp stderr info_says
        rm -rf out
        call ensemble case/plan.cfg --quiet --map-size 300x300 --map-dpi 72 --output out
        check "$key $file: info and ensemble agree" [ "$code" = "$by_info" ]
        if [ "$code" = 0 ]; then accepted=$((accepted + 1)) && continue; fi
        check "... in the same words" cmp -s info_says stderr
        check "... with the name of the file" matches stderr "$file"
        check "... and nothing is left" none_of out
        agreed=$((agreed + 1))
    done
done
# (an outline that is not there is passed over on made-up terrain, and degrees of a CRS are degrees)
check "some of these are refused ($agreed), and some are not ($accepted)" [ $((agreed >= 20 && accepted >= 3)) = 1 ]
echo 'assets sheet.xlsx' | cat case/bare.cfg - >case/plan.cfg
refused 2 'places in a spreadsheet' 'is a spreadsheet .* save its table as CSV' info case/plan.cfg
sed 's/^dem .*/dem sheet.xlsx/' case/volcano.cfg >case/sheet_dem.cfg
cp case/volcano.cfg case/key_first.cfg && sed -i '/^#/d' case/key_first.cfg
for file in case/volcano.cfg case/key_first.cfg; do
    refused 2 "a case where lava is compared, $file" 'is a case, not a raster; name a raster, or the folder of its run' fit "$file"
done
refused 2 'terrain in a spreadsheet' 'is a spreadsheet .* not a raster' info case/sheet_dem.cfg
sed '$aparameters nope' case/volcano.cfg >case/nope.cfg
refused 2 'a set that is not there, after keys that a set has' "nope.cfg:[0-9]*: no parameter set is called 'nope'" info case/nope.cfg
sed 's/^Pcool .*/Pcool 2,8/' case/volcano.cfg >case/comma.cfg
refused 2 'a comma in a number' "Pcool is '2,8'; give one finite number, with a point in place of the comma" info case/comma.cfg
sed 's/^Pcool .*/Pcool 2.8 K/' case/volcano.cfg >case/unit.cfg
refused 2 'a number with a word' "Pcool is '2.8 K'; give one finite number and nothing after it" info case/unit.cfg
sed '/max_steps/d' case/volcano.cfg >case/endless.cfg
refused 2 'a case without an end' 'neither a maximum of steps nor a stopping rule; give its end \(run_h, or max_steps\)' run case/endless.cfg --quiet
keep env CUDA_VISIBLE_DEVICES= "$sciara" run case/endless.cfg --quiet --variant cfamo
refusal 2 'the same before a device is asked for' 'neither a maximum of steps nor a stopping rule'

call info case/endless.cfg
check 'info shows it, and says what run refuses' says '^run_refuses +case/endless.cfg: has neither a maximum of steps'
check '... with the status of run' exits 2
check '... in the words of run' complains '^sciara: case/endless.cfg: has neither a maximum of steps nor a stopping rule; '
sed 's/^max_steps .*/max_steps 5/' case/volcano.cfg >case/five.cfg
call run case/five.cfg 9 --no-output
check 'more steps than the case has: says which holds' says '^steps +0 to 9 \(the case has 5\), '
call run case/five.cfg 4 --no-output
check '... where the case has fewer' says '^steps +0 to 4, 0 days '

# ---- the reason is the reason
sed '/^dem/a crs EPSG:4326' case/volcano.cfg >case/degrees.cfg
refused 2 'a CRS in degrees over a DEM in metres' 'declares EPSG:4326, but case/terrain.tif is in EPSG:32633; remove this line$' \
    info case/degrees.cfg
sed 's/^rates .*/rates sheet.csv/' case/volcano.cfg >case/sheet.cfg
for head in 'PK\003\004' '\320\317\021\340'; do
    printf "$head"'\001table' >case/sheet.csv
    refused 2 'a spreadsheet as rates' 'case/sheet.csv: is a spreadsheet .* save the table as CSV$' info case/sheet.cfg
done
refused 2 'fit: a case for a raster' 'case/volcano.cfg: is a case, not a raster; name a raster, or the folder of its run$' fit case/volcano.cfg
call compare case/terrain.tif case/volcano.cfg
check 'compare: likewise' complains 'case/volcano.cfg: is a case, not a raster'
"$sciara" run case/volcano.cfg 20 --state --output resumed --quiet --format png --map-size 300x300 --map-dpi 72
sed 's/^Pcool .*/Pcool 5/' case/volcano.cfg >case/cool.cfg
refused 2 'a state of a case with another Pcool' 'differs in Pcool .*; resume with the case that wrote it, or give --changed$' \
    run case/cool.cfg --resume --output resumed
call run case/cool.cfg 30 --resume --changed --output resumed --format png --map-size 300x300 --map-dpi 72
check '... which that option computes' exits 0
rm -r resumed

# ---- no refusal: a warning of a run without lava, as its rates come later
sed 's/^rates .*/rates late.csv/' case/volcano.cfg >case/late.cfg
awk -F, -v OFS=, 'NR > 1 { $2 += 9000; $3 += 9000 } 1' case/rates.csv >case/late.csv
call run case/late.cfg 10 --no-output --variant reference
check "a run before its rates is done" exits 0
check "... and says that it has no lava" says '^warning +no lava: the run ends at step 10, before the first lava; the last vent emits until step [0-9]+:'
call run case/volcano.cfg 10 --no-output --variant reference
check "a run with lava does not" fails grep -q 'no lava' "$work/stdout"

# ---- all that is missing, at once ---------------------------------------------------------------------------
echo 'title nothing else' >empty.cfg
refused 2 'a case of a title' "keys dem, vents, rates and parameters are missing; .* and 'parameters etna-2006'$" \
    info empty.cfg
sed '/^P/d' case/volcano.cfg >case/none.cfg
refused 2 'a case without parameters' "parameters of the lava are missing; add .*'parameters etna-2006'" info case/none.cfg
cp case/volcano.cfg named.cfg
refused 2 'a case without its .cfg' 'there is no such file; did you mean named.cfg\?' run named
iconv -t UTF-16 case/volcano.cfg >case/wide.cfg
refused 2 'a case in UTF-16' 'wide.cfg: is UTF-16; save it as UTF-8' info case/wide.cfg
sed '/^PTsol/d; /^Prho/d; /^vents/d' case/volcano.cfg >case/some.cfg
refused 2 'three keys missing' \
    "keys vents, PTsol and Prho are missing; add lines such as 'vents vents.csv', 'PTsol 1143' and 'Prho 2600'" \
    info case/some.cfg
sed '/^Prho/d' case/volcano.cfg >case/one.cfg
refused 2 'one key missing' "key Prho \(density\) is missing; add a line such as 'Prho 2600'" info case/one.cfg
sed -n '/^Pclock/,/^Pcv/p' case/volcano.cfg | sed '/^PTsol/d; /^Prho/d' >x_000000000000.cfg
refused 2 'an original case, which has its files beside it' 'keys PTsol and Prho are missing' info x_000000000000.cfg

# ---- cases that came with the program -------------------------------------------------------------------------
known=$(realpath "$sciara" | sed 's|/[^/]*/[^/]*/[^/]*$||')/data/etna2006.cfg
if [ -e "$known" ]; then
    for command in "$sciara run" "$sciara info" "$sciara benchmark" "${sciara}_cfamo" "${sciara}_reference"; do
        [ -x "${command%% *}" ] || continue
        # shellcheck disable=SC2086 # words
        keep $command etna2006.cfg
        refusal 2 "$command etna2006.cfg, which is elsewhere" "etna2006.cfg: there is no such file; did you mean $known\?"
    done
    refused 2 'the same in a folder that is not there' "did you mean $known\?" run data/etna2006.cfg
else
    skip "a case in the source tree: the program is not in it"
fi
refused 2 'a file that is nowhere' 'nowhere.cfg: cannot be opened: No such file' run nowhere.cfg
mkdir -p prefix/share/sciara/data
copy_program prefix && cp case/volcano.cfg prefix/share/sciara/data/installed.cfg
keep env LD_LIBRARY_PATH="$(dirname "$sciara")/../lib" prefix/bin/sciara run installed.cfg
refusal 2 'an installed case' "did you mean $work/prefix/share/sciara/data/installed.cfg\?"
rm -rf prefix

# ---- variants ------------------------------------------------------------------------------------------------
for name in $(make -s --no-print-directory -C "$root" print-VARIANTS); do
    check "there is a command for $name" [ -x "$(dirname "$sciara")/sciara_$name" ]
    keep env CUDA_VISIBLE_DEVICES= "$(dirname "$sciara")/sciara_$name" case/volcano.cfg 20
    refusal 3 "sciara_$name without a device" "use: sciara run case/volcano.cfg 20 --variant reference$"
    check "... it leaves nothing" none_of output
done
check "without nvcc, too" [ "$(make -s --no-print-directory -C "$root" NVCC= print-PROGRAMS)" = \
    "$(make -s --no-print-directory -C "$root" print-PROGRAMS)" ]
keep "$(dirname "$sciara")/sciara_reference" case/volcano.cfg 20 --variant reference --quiet --no-output
check "sciara_reference can be told its name" exits 0

# ---- words ----------------------------------------------------------------------------------------------------
call help show
cp stdout by_help
call show --help
check "sciara help show is sciara show --help" cmp -s by_help stdout
call -- variants
check "-- ends the options of sciara" exits 0
call run --quiet --no-output --variant reference -- case/volcano.cfg 2
check "... and those of a command" exits 0
for folder in 'with blanks' "it's" '-begins-with-a-dash'; do
    call terrain --size 20 -- "$folder"
    check "terrain $folder" exits 0
    sed -n 's/^run it: sciara //p' stdout >line
    keep bash -c "'$sciara' $(cat line) 2 --quiet --no-output --variant reference"
    check "... what it says to run runs" exits 0
done
report
