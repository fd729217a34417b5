#!/bin/bash
# test_cli.sh — the command line: what a run leaves, what is refused and how, what Ctrl-C does.
# Run from the root of the repository, with BUILD naming the build folder. ONE_IN=3: of what is refused every third alone,
# as with sanitizers, where each costs five times as much.
# tests: program/commands
# run: quick
. tests/check.sh
needs_sciara
bin=$build/bin
export OMP_NUM_THREADS=1

# ---- what everybody tries first
call --help
check "--help" exits 0
check "--help lists the commands" says '^ *compare '
call --version
check "--version" exits 0
check "--version is one number, with the commit" says '^sciara [0-9]+\.[0-9]+\.[0-9]+(\+g[0-9a-f]{7}(\.dirty)?)?$'
call
check "sciara alone exits 2" exits 2
check "... and lists the commands" says '^ *compare '
call run --help
check "run --help has groups" says '^states:$'
check "... and two examples" [ "$(grep -c '^  sciara run volcano.cfg ' "$work/stdout")" = 2 ]
for command in $("$sciara" help --options); do
    call $command --help
    check "$command --help" exits 0
    check "$command --help says how to use it" says "^usage: sciara $command"
done
if [ -e /dev/full ]; then
    check "a full disk behind standard output is noticed" \
        fails "$sciara" --help >/dev/full 2>/dev/null
fi

turns=0
my_turn() { # of those that ONE_IN leaves
    turns=$((turns + 1))
    [ $((turns % ${ONE_IN:-1})) = 0 ]
}

# ---- misuse
case_folder=$work/case
good=$case_folder/volcano.cfg
"$sciara" terrain "$case_folder" --size 48 --quiet || exit 1
while IFS='|' read -r pattern arguments; do
    my_turn || continue
    # shellcheck disable=SC2086 # the arguments are words
    refused 2 "'sciara $arguments'" "$pattern" ${arguments//GOOD/$good}
done <<'TABLE'
frobnicate: no such command; see sciara --help|frobnicate
rnu: no such command; did you mean run\?|rnu
x.cfg: no such command; run a case with sciara run CASE|x.cfg
run: 10: the case comes first: sciara run CASE STEPS|run 10 GOOD
no such command|--frobnicate
name a case file|run
unknown option --frobnicate; see sciara run|run GOOD --frobnicate
unknown option --evry; did you mean --every\?|run GOOD --evry=1
unknown option -q|run GOOD -q
--every: its value is missing|run GOOD --every
--every 1.5: give steps, a whole number|run GOOD --every 1.5
--every -1: give steps, a whole number|run GOOD --every -1
--every: is given twice|run GOOD --every 1 --every 2
STEPS 10x: give a whole number|run GOOD 10x
STEPS 6h: give a whole number from 1 to 2147483646; or use --until 6h|run GOOD 6h
STEPS 6h: give a whole number from 1 to 2147483646$|benchmark GOOD 6h
run: 6 h: a time is one word; write 6h|run GOOD --every 6 h
run: 6 h: a time is one word; write 6h|run GOOD --every=6 h
run: 30 min: a time is one word; write 30min|run GOOD 10 --state-every 30 min
STEPS apples: give a whole number|run GOOD --every 6 apples
--format tif: did you mean geotiff\? give a list of|run GOOD --format tif
--format png,json: did you mean geojson\?|run GOOD --format png,json
--format jason: give a list|run GOOD --format jason
--domain ful: did you mean full\? choose lava or full|run GOOD --domain ful
STEPS -5: give a whole number|run GOOD -5
STEPS 0: give a whole number|run GOOD 0
STEPS 99999999999999999999: give a whole|run GOOD 99999999999999999999
20: is one argument too many|run GOOD 10 20
--threads 0: give a whole|run GOOD --threads 0
--device 1e9: give a whole|run GOOD --device 1e9
--domain half: choose lava or full|run GOOD --domain half
--format gif: give a list of geotiff, original,|run GOOD --format gif
--format png,: give a list of|run GOOD --format png,
--stop-below nan: give metres|run GOOD --stop-below nan
--stop-below -1: give metres|run GOOD --stop-below=-1
--quiet: takes no value|run GOOD --quiet=yes
--variant fast: choose reference, .* or auto|run GOOD --variant fast
--published works only with --variant reference|run GOOD --published --variant cfamo
--no-output and --output contradict each other; omit one$|run GOOD --no-output --output x
--no-output and --maps contradict|run GOOD --maps arrival --no-output
--until and STEPS contradict each other|run GOOD 10 --until 1h
--published and --member contradict|run GOOD --published --member 0
--device and --variant reference contradict|run GOOD --variant reference --device 0
--threads: has no effect without --variant auto or reference|run GOOD --variant cfamo --threads 2
--jason; did you mean --json|variants --jason
--json and --resources contradict|variants --json --resources
is one argument too many|variants cfamo
name a run;|fit
is one argument too many|fit GOOD GOOD GOOD
--map: its value is missing|fit GOOD GOOD --map
--map sample.webp: give a file that ends in .png, .svg or .pdf|fit GOOD GOOD --map sample.webp
--threshold x: give metres, a number from 0|fit GOOD GOOD --threshold=x
name two runs or two rasters|compare GOOD
is one argument too many|compare GOOD GOOD GOOD
name a case, a plan, a raster|info --json
--json: takes no value|info GOOD --json=yes
name the folder to write to|terrain
is one argument too many|terrain GOOD GOOD
--kind hill: choose volcano, .* or plane|terrain GOOD --kind hill
--size 2: give a whole number from 3 to|terrain GOOD --size 2
--corner 1: give two numbers, in metres|terrain GOOD --corner 1 x
--corner: its value is missing|terrain GOOD --corner 1
--corner: its value is missing|terrain GOOD --corner=1
--cell wide: give metres, a number|terrain GOOD --cell wide
--epsg 1: give a whole number|terrain GOOD --epsg 1
--name a/b: give a file name|terrain GOOD --name a/b
--like-etna2006 has one grid|terrain GOOD --like-etna2006 --seed 7
--like-etna2006 has one grid|terrain GOOD --like-etna2006 --kind sheet
frobnicate: no such command|help frobnicate
--man and --options contradict|help --man --options
--completion and COMMAND contradict|help run --completion bash
--no-map and --map contradict|fit GOOD GOOD --map a.png --no-map
--json and --quiet contradict|compare GOOD GOOD --quiet --json
--describe and FOLDER contradict|terrain GOOD --describe
--like-etna2006 and --name contradict|terrain GOOD --like-etna2006 --name x
--samples: has no effect without --method sobol or both; add --method sobol or both, or omit --samples$|sensitivity GOOD --method morris --samples 3
--trajectories: has no effect without --method morris or both|sensitivity GOOD --method sobol --trajectories 3
--threads: has no effect without --variants reference|benchmark GOOD --variants cfamo --threads 2
--at: has no effect without --given; add --given, or omit --at$|ask GOOD --at 3h
--extent: has no effect without --format png or svg or pdf or webp; |show GOOD --format kmz --extent 1,2,3,4
--devices and --variant reference contradict|ensemble GOOD --devices 0 --variant reference
--shard and --with-and-without contradict|ensemble GOOD --with-and-without barriers --shard 1/2
--with-and-without and --keep contradict|ensemble GOOD --with-and-without barriers --keep
--with-and-without and --until-error contradict|ensemble GOOD --with-and-without barriers --until-error 0.1
--list and --threads contradict|ensemble GOOD --list --threads 2
--completion csh: choose bash, zsh or fish|help --completion csh
TABLE

printf 'ncols 2\nnrows 2\nxllcorner 14.9\nyllcorner 37.7\ncellsize 0.001\n1 2\n3 4\n' >"$work/degrees.asc"
printf '%s' 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]' >"$work/degrees.prj"
call info "$work/degrees.asc"
check "info of a raster in degrees: lengths are degrees" says '^cell_deg +0\.001$'
check "... its edges, too" says '^east_deg +14\.902$'
check "... no metres" fails says '_m '

refused 2 "an empty value" '--output: is empty' run "$good" --output ''
refused 2 "an empty operand" 'CASE: is empty' run ''
refused 2 "an option behind --" '--json: is one argument too many' run "$good" 5 -- --json
refused 2 "a file behind --" '^sciara: --json: ' info -- --json

# ---- a run and its files
layers='arrival_h max_thickness_m total_thickness_m'
# expected STEP...: the names of all files of a run with the usual formats
expected() {
    printf '%s\n' record.zip report.html shown.json summary.json timeline.csv
    for step in "$@"; do
        echo "map_$step.png"
        for layer in $layers; do echo "${layer}_$step.tif"; done
    done
}
leaves() { # leaves FOLDER STEP...
    local folder=$1
    shift
    diff <(ls -A "$folder") <(expected "$@" | sort)
}
export LC_ALL=C # ls sorts as sort does

call run "$good" 60 --output "$work/deep/er/a" --every 25 --map-size 600x400
check "a run" exits 0
check "... leaves its files, whole" leaves "$work/deep/er/a" 000025 000050 000060
check "... of which a person opens eight at most" [ "$(expected 000060 | grep -cv 'record.zip\|shown.json')" -le 8 ]
call run "$good" 60 --output "$work/more" --every 25 --map-size 600x400 --layers 'temperature_K,map_*'
check "further files by name, at each time" cmp <(ls -A "$work/more") <({ expected 000025 000050 000060 &&
    printf '%s\n' temperature_K_0000{25,50,60}.tif map_arrival_000060.png; } | sort)
refused 2 "a file that there is not" '^sciara: --layers: no file is called tempreature_K; choose from all, thickness_m, temperature_K, ' \
    run "$good" --layers arrival_h,tempreature_K
call run "$good" 60 --output "$work/deep/er/a" --every 25 --map-size 600x400
check "... says that the ledger closes" says '^ledger +closes'
check "... and that of heat" says '^heat ledger +closes.*; [0-9]+\.[0-9]+ % of the heat was lost'
check "... and that something was emitted" says '^ *emitted +[1-9][0-9.]+ m3'
check "... that the terrain is made up" says '^SYNTHETIC TERRAIN'
check "... where the files are" says "^files +$work/deep/er/a\$"
check "... and which one to open" says "^open +$work/deep/er/a/report.html\$"
check "... and nothing to a standard error that is no terminal" silent stderr
digest=$(sed -n 's/^digest *//p' "$work/stdout")
check "... and its digest" [ ${#digest} = 16 ]

call run "$good" 60 --output "$work/b" --domain full --threads 2 --variant reference --map-size 600x400
check "every cell computed, on two threads" exits 0
check "... only the end is written" leaves "$work/b" 000060
check "... is the same state" says "^digest +$digest\$"
call compare "$work/deep/er/a" "$work/b"
check "two runs compare equal" exits 0
SCIARA_PROGRESS=yes call run "$good" 20 --no-output --threads 1
check "progress without a terminal where the environment asks for it" complains $'\rstep [0-9]+/20 '
call run "$good" 61 --output "$work/c" --quiet --format=png --map-size 600x400
check "--quiet" exits 0
check "... says nothing" silent stdout
check "--format png leaves no layers" [ "$(ls -A "$work/c" | tr '\n' ' ')" = 'map_000061.png record.zip shown.json summary.json timeline.csv ' ]
call compare "$work/deep/er/a" "$work/c"
check "different runs do not compare equal" fails exits 0 >/dev/null

cp -r "$case_folder" "$work/still" && sed -i 's/,[0-9.]*$/,0/; 1s/.*/vent,from_h,to_h,rate_m3_s/' "$work/still/rates.csv"
call run "$work/still/volcano.cfg" 10 --no-output
check "rates of 0" exits 0
check "... are warned of" complains '^sciara: warning: no lava: all rates are 0; correct the rates$'
check "... once" fails says '^warning' >/dev/null
check "... and no page is named without files" fails says '^open'
call info "$work/still/volcano.cfg"
check "... before the run, too" says '^warning +no lava: all rates are 0; correct the rates$'
sed -i '1!d; a 1,0,1,1' "$work/still/rates.csv" && sed -i '/^2,/d' "$work/still/vents.csv"
call run "$work/still/volcano.cfg" 40 --no-output
check "an eruption that is over, with hot lava" says '^warning +(9[0-9]|100) % of the lava is still mobile in the end: it may advance further; run more steps'
call run "$work/still/volcano.cfg" 20 --no-output
check "... and one under way, which needs no warning" fails says '^warning' >/dev/null
echo '{"type":"Polygon","coordinates":[[[500000,4170000],[500480,4170000],[500480,4170480],[500000,4170480],[500000,4170000]]]}' \
    >"$case_folder/seen.json"
awk '{ print } /^dem/ { print "outline seen.json" }' "$good" >"$case_folder/seen.cfg"
call run "$case_folder/seen.cfg" 60 --output "$work/seen" --format geotiff
check "an outline in the case" says '^overlap J +0\.[0-9]{3} with the observed outline: [0-9]+ % of it reached; 0 % of the lava lies outside'
overlap=$(sed -n 's/^overlap J *\([0-9.]*\) .*/\1/p' "$work/stdout")
call fit "$work/seen" --no-map
check "... is the one of fit, where none is named" says "^overlap J \(e1\) +$overlap\$"
awk '{ print } /^dem/ { print "outline vents.csv" }' "$good" >"$case_folder/unseen.cfg"
refused 2 "an outline that no file of the run needs and that cannot be read" '/vents.csv: neither a raster nor a vector file \(it looks like a CSV table\); give ' \
    run "$case_folder/unseen.cfg" 10 --no-output

cd "$work" && call run case/volcano.cfg 10 --quiet --map-size 600x400
cd "$root" || exit 1
check "the usual folder is output/NAME" leaves "$work/output/volcano" 000010

call run "$good" 60 --no-output --json
check "--json" exits 0
check "... is an object" [ "$(head -c 1 "$work/stdout")" = '{' ]
check "... with the digest" says "\"digest\":.*\"$digest\""
check "... the closed ledger" says '"closed":.*true'
check "... and the reach of the lava" says '"runout_m":.*[1-9]'
call run "$good" 60 --output "$work/j" --json --format geotiff
check "--json is what summary.json says" cmp <(grep -v _s\" "$work/stdout" | grep -v us_per) \
    <(grep -v _s\" "$work/j/summary.json" | grep -v us_per)

call run "$good" --no-output --stop-below 1e9 --json
check "--stop-below ends a run once the eruption is over" says '"stopped":.*true'
call run "$good" 50 --no-output --published
check "--published" exits 0
check "... says totals" says '^totals .*published'
check "... and nothing of heat, which is not counted" [ "$(grep -c heat "$work/stdout")" = 0 ]
# An original case with a hole that its header does not declare
mkdir "$work/hole"
hole=$work/hole/h_000000000000
# shellcheck disable=SC2059 # the header is part of the format
head='ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value 0.0\n'
printf "${head}50 50 50 50 -9999\n40 40 40 40 40\n30 30 30 30 30\n20 20 20 20 20\n" >"${hole}_Morphology.asc"
printf "${head}0 0 0 0 0\n0 0 1 0 0\n0 0 0 0 0\n0 0 0 0 0\n" >"${hole}_Vents.asc"
printf '[TIME]\n86400\n[VENT_ID]\n1\n[EMISSION_RATE]\n2\n[END]\n' >"${hole}_EmissionRate.txt"
grep '^P' "$good" >"$hole.cfg"
call run "$hole.cfg" 9 --output "$work/hole/exact" --format png,original --map-size 600x400
check "an original case with an undeclared hole" exits 0
check "... says so in summary.json" [ "$(json '.warnings[] | select(.text | contains("h_000000000000_Morphology.asc: 1 cell of elevation -9999 counts as no data, though")).kind' \
    "$work/hole/exact/summary.json")" = numerics ]
check "... and not on the terminal" fails grep -q 9999 "$work/stdout" "$work/stderr"
check "... closes its ledger" says '^ledger +closes'
call info "$hole.cfg"
check "... info says so" says '^notice .*: 1 cell of elevation -9999 counts as no data'
call run "$hole.cfg" 9 --output "$work/hole/published" --format png,original --map-size 600x400 --published
check "... with --published" exits 0
check "... it is no hole" fails grep -q 'has no data' "$work/hole/published/summary.json"
check "... but as deep as it says" grep -qx '50.000000  50.000000  50.000000  50.000000  -9999.000000  ' \
    "$work/hole/published/h_000000000009_Morphology.stt"
check "... under its header" grep -qx 'NODATA_value	0.000000' "$work/hole/published/h_000000000009_Thickness.stt"
# Vents and rates as spreadsheets of much of Europe write them
cp -r "$case_folder" "$work/sheet"
for table in vents rates; do
    { printf '\357\273\277' && sed 's/,/;/g; s/\([0-9]\)\.\([0-9]\)/\1,\2/g; s/$/\r/' "$case_folder/$table.csv"; } >"$work/sheet/$table.csv"
done
check "tables with semicolons, decimal commas and a mark" grep -q ';1,6' "$work/sheet/rates.csv"
call run "$work/sheet/volcano.cfg" 60 --no-output --json
check "... are read as the others" says "\"digest\":.*\"$digest\""

call run "$good" 50 --output "$work/o" --format original
check "--format original" exits 0
check "... leaves text rasters" [ -s "$work/o/volcano_000000000050_Thickness.stt" ]

call variants --json
cp "$work/stdout" "$work/variants.json"
check "variants --json" says '"name":.*"reference"'
check "... tells the bytes" says '"bytes_per_cell":.*[1-9]'
call variants
check "variants" exits 0
check "... under a header" [ "$(head -n 1 "$work/stdout" | tr -s ' ')" = ' variant bytes/cell how it works' ]
check "... the reference is there, with its bytes" says '^[ *] reference +[1-9][0-9]+  CPU'
names=$(sed -n 's/.*"name":[[:space:]]*"\([^"]*\)".*/\1/p' "$work/variants.json" | grep -v '^reference$')
check "there are others" [ "$(wc -w <<<"$names")" -ge 6 ]
for variant in $names; do
    check "... $variant too, built or not" says "^[ *] $variant +([1-9][0-9]+|-)  "
done
# Two whose times differ by less than a hundredth have no order.
time_of() { awk -F, -v name="$1" '$2 == "lava" && $1 == name { print $8 }' profiling/results/h200/benchmark.csv; }
in_order() {
    local before=0 variant took
    for variant in $1; do
        took=$(time_of "$variant")
        [ -n "$took" ] || continue
        awk -v a="$before" -v b="$took" 'BEGIN { exit !(b > 0.99 * a) }' || return 1
        before=$took
    done
    [ "$before" != 0 ]
}
if [ "$(grep -c '"built":.*true' "$work/variants.json")" = "$(wc -w <<<"reference $names")" ]; then
    check "... the fastest first, as measured" in_order "$names"
else
    skip "the fastest first, as measured: not all are built"
fi
check "... one is taken by itself" [ "$(grep -c '^\*' "$work/stdout")" = 1 ]
call variants --resources
if [ "$code" = 0 ]; then
    check "variants --resources names kernels" \
        says '^cfamo,computeOutflows_massBalance,[0-9]+x[0-9]+,[0-9]+,[1-9][0-9]*,'
    check "... under a header" says '^variant,kernel,block,threads,registers,'
else
    refused 3 "variants --resources" 'no CUDA device|none that runs on a GPU' variants --resources
fi

if [ -x "$bin/sciara_reference" ]; then
    keep "$bin/sciara_reference" "$good" 60 --no-output
    check "sciara_reference" exits 0
    check "... gives the same state" says "^digest +$digest\$"
    keep "$bin/sciara_reference" "$good" 60 --no-output --variant reference
    check "... can be told its own name" exits 0
    check "... which changes nothing" says "^digest +$digest\$"
    keep "$bin/sciara_reference" "$good" --variant cfamo
    check "... and no other" exits 2
    check "... says so" complains '--variant cfamo: sciara_reference computes with reference alone; use sciara run'
else
    skip "sciara_reference: not built"
fi

# ---- no CUDA device
available() { grep -A6 "\"$1\"" "$work/variants.json" | grep -q '"available":.*true'; }
for variant in $names; do
    if available $variant; then
        skip "no device for $variant: this machine has one"
        continue
    fi
    refused 3 "$variant without a device" "use: sciara run $good 7 --variant reference\$" \
        run "$good" 7 --variant $variant --output "$work/none"
    check "... leaves nothing" [ ! -e "$work/none" ]
done

# ---- what is refused
has_gdal() { command -v gdal_translate >/dev/null || { skip "$1: gdal_translate is not installed" && false; }; }
names() { # names VARIABLE: of all files in that copy
    shopt -s globstar dotglob
    printf -v "$1" '%s\n' "$work"/bad/**
    shopt -u globstar dotglob
}
# refuse WHAT PATTERN CHANGE [OPTION...]: CHANGE, in a copy of the case, makes it bad
refuse() {
    local what=$1 pattern=$2 change=$3 before after
    shift 3
    my_turn || return
    if [[ $change = *warp* || $change = *gdal_* ]]; then has_gdal "$what" || return; fi
    rm -rf "$work/bad" "$work/bad.out"
    cp -r "$case_folder" "$work/bad"
    (cd "$work/bad" && eval "$change") >"$work/log" 2>&1 || {
        check "$what: the test's own change" false
        cat "$work/log"
        return
    }
    names before
    refused 2 "$what" "$pattern" run "$work/bad/volcano.cfg" --output "$work/bad.out" "$@"
    check "$what: nothing written" [ ! -e "$work/bad.out" ]
    names after
    check "$what: no files left" [ "$before" = "$after" ]
}
# set_key KEY VALUE...: in place of the line that is there, if there is one
set_key() { grep -vF "$1 " volcano.cfg >cfg; echo "$@" >>cfg && mv cfg volcano.cfg; }
# warp ARGUMENTS...: the terrain as gdal_translate changes it
warp() { gdal_translate -q "$@" terrain.tif t.tif && mv t.tif terrain.tif && rm -f ./*.aux.xml; }
# grid COLS ROWS VALUES...: a DEM as text
grid() {
    printf 'ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n' \
        "$1" "$2" >dem.asc
    shift 2
    echo "$@" >>dem.asc
    set_key dem dem.asc
    sed -i /^background/d volcano.cfg # which lies elsewhere
}
nine='1 2 3 4 5 6 7 8 9'
vent() { printf 'vent,row,col\n%s\n' "$1" >vents.csv; }
rates() { printf 'vent,from_h,to_h,rate_m3_s\n1,0,24,2\n2,0,24,2\n%s\n' "$1" >rates.csv; }

refuse 'no case file' 'volcano\.cfg: ' 'rm volcano.cfg'
refuse 'a folder for a case' 'volcano\.cfg' 'rm volcano.cfg; mkdir volcano.cfg'
refuse 'a picture for a case' 'volcano\.cfg: not a case file \(it looks like a TIFF image\)' \
    'cp terrain.tif volcano.cfg'
refuse 'a table for a case' 'volcano\.cfg: not a case file \(it looks like a CSV table\)' \
    'cp vents.csv volcano.cfg'
refuse 'a key spelt wrongly' "volcano\.cfg:[0-9]+: unknown key 'maxsteps'; did you mean max_steps\\?" \
    'sed -i s/^max_steps/maxsteps/ volcano.cfg'
refuse 'an empty case' 'volcano\.cfg: ' ': >volcano.cfg'
refuse 'an unknown key' 'volcano\.cfg:[0-9]+: .*Pcolour' 'echo "Pcolour 3" >>volcano.cfg'
refuse 'a missing key' 'volcano\.cfg: key Pcool \(cooling factor, .*\) is missing; add a line such as .Pcool 2\.8.' 'sed -i /Pcool/d volcano.cfg'
refuse 'a repeated key' 'volcano\.cfg:[0-9]+: Pcool was given in line [0-9]+ already; remove one' 'echo "Pcool 3" >>volcano.cfg'
refuse 'rubbish behind a number' 'volcano\.cfg:[0-9]+: Pcool' 'set_key Pcool 2.8x'
refuse 'not a number' 'volcano\.cfg:[0-9]+: Pcool' 'set_key Pcool nan'
refuse 'an infinite number' 'volcano\.cfg:[0-9]+: Pcool' 'set_key Pcool inf'
refuse 'a number too large' 'volcano\.cfg:[0-9]+: Pcool' 'set_key Pcool 1e999'
refuse 'a rate above 1' 'volcano\.cfg:[0-9]+: Pr\(Tvent\)' 'set_key "Pr(Tvent)" 1.01'
refuse 'a rate of 0' 'volcano\.cfg:[0-9]+: Pr\(Tsol\)' 'set_key "Pr(Tsol)" 0'
refuse 'a vent colder than rock' 'volcano\.cfg:.*PTvent' 'set_key PTvent 1143'
refuse 'steps of no length' 'volcano\.cfg:[0-9]+: Pclock is 0; give a value from 0\.001 to 1e\+06 s$' 'set_key Pclock 0'
refuse 'an emissivity above 1' 'volcano\.cfg:[0-9]+: Pepsilon' 'set_key Pepsilon 1.5'
refuse 'a negative density' 'volcano\.cfg:[0-9]+: Prho' 'set_key Prho -2600'
refuse 'no end' 'neither a maximum of steps' 'sed -i /^max/d volcano.cfg'
refuse 'an end before the beginning' 'starts at step 500' 'set_key first_step 500' 500
refuse 'a missing DEM' 'terrain\.tif' 'rm terrain.tif'
refuse 'degrees' 'terrain\.tif.*degrees.*sciara dem ' 'warp -a_srs EPSG:4326 -a_ullr 14 38 15 37'
refuse 'feet' 'terrain\.tif.*metre' 'warp -a_srs EPSG:2263'
refuse 'feet of one CRS' 'terrain\.tif.*metre.*sciara dem .*--crs EPSG:' 'warp -a_srs "+proj=utm +zone=33 +units=us-ft"'
etna='-a_ullr 1660000 4550000 1670000 4540000'
refuse 'Web Mercator' 'terrain\.tif: Web Mercator.*1\.26 times .*sciara dem .*terrain\.tif --crs EPSG:32633 --cell [0-9.]+ --output ' \
    "warp -a_srs EPSG:3857 $etna"
refuse 'Web Mercator of old' 'terrain\.tif: Web Mercator' "warp -a_srs EPSG:900913 $etna"
refuse 'Web Mercator as defined by a user' 'terrain\.tif: Web Mercator' \
    "warp -a_srs '+proj=merc +a=6378137 +b=6378137 +units=m' $etna"
refuse 'Web Mercator declared' 'volcano\.cfg:[0-9]+: Web Mercator' \
    "grid 3 3 $nine; vent 1,1,1; sed -i /^2/d rates.csv; set_key crs EPSG:3857"
refuse 'World Mercator' 'terrain\.tif: EPSG:3395 has metres .*1\.27 times .*sciara dem .*terrain\.tif --crs EPSG:32633 --cell [0-9.]+ --output ' \
    "warp -a_srs EPSG:3395 $etna"
refuse 'World Mercator declared' 'volcano\.cfg:[0-9]+: EPSG:3395 has metres' \
    "grid 3 3 $nine; sed -i 's/corner 0/corner 4550000/' dem.asc; vent 1,1,1; sed -i /^2/d rates.csv; set_key crs EPSG:3395"
what='a projection that is nearly true there (LAEA Europe at Etna)'
if has_gdal "$what"; then
    rm -rf "$work/true" && cp -r "$case_folder" "$work/true"
    (cd "$work/true" && warp -a_srs EPSG:3035 -a_ullr 4750000 1650000 4760000 1640000 && sed -i /^background/d volcano.cfg)
    call run "$work/true/volcano.cfg" 3 --no-output --quiet
    check "$what" exits 0
fi
refuse 'cells that are not square' 'terrain\.tif.*square' 'warp -a_ullr 0 640 320 0'
refuse 'a truncated GeoTIFF' '^sciara: [^ ]*terrain\.tif: truncated or damaged: [^:]*; fetch' 'head -c 600 terrain.tif >t; mv t terrain.tif'
refuse 'half a GeoTIFF' 'terrain\.tif' 'head -c 5000 terrain.tif >t; mv t terrain.tif'
refuse 'an empty raster' 'terrain\.tif' ': >terrain.tif'
refuse 'a picture that is no raster' 'terrain\.tif' 'head -c 3000 /dev/zero >terrain.tif'
refuse 'a truncated text grid' 'dem\.asc' 'grid 3 3 1 2 3 4 5'
refuse 'a text grid with words' 'dem\.asc' 'grid 3 3 1 2 3 4 five 6 7 8 9'
refuse 'a text grid with too much' 'dem\.asc' "grid 3 3 $nine 10"
refuse 'a text grid with half a header' 'dem\.asc' "grid 3 3 $nine; sed -i /cellsize/d dem.asc"
refuse 'an elevation off the Earth' 'dem\.asc' 'grid 3 3 1 2 3 4 1e9 6 7 8 9; vent 1,1,1'
refuse 'a grid of no size' 'dem\.asc' "grid 0 3 $nine"
refuse 'a grid that no memory holds' 'dem\.asc.*(GiB|TiB|memory|allowed)' 'grid 2000000 2000000 1'
refuse 'a GeoTIFF that no memory holds' 'terrain\.tif: has 200000 x 200000 cells; at most 2\^32 - 1 can be' \
    'gdal_create -q -of GTiff -outsize 200000 200000 -a_srs EPSG:32633 -a_ullr 0 2e6 2e6 0 -ot Float32 \
        -co SPARSE_OK=TRUE -co TILED=YES -co BLOCKXSIZE=4096 -co BLOCKYSIZE=4096 -co BIGTIFF=YES terrain.tif'
refuse 'a vent outside' 'vents\.csv:2: .*outside' 'vent 1,48,3'
refuse 'a vent before the first row' 'vents\.csv:2: ' 'vent 1,-1,3'
refuse 'a vent where there is no terrain' 'vents\.csv:2: ' \
    'grid 3 3 1 2 3 4 -9999 6 7 8 9; vent 1,1,1; sed -i /^2/d rates.csv'
refuse 'a vent that is no number' 'vents\.csv:2: ' 'vent 1,a,3'
refuse 'vents between tabs' 'vents\.csv:1: .*tabs; write commas' 'sed -i "s/,/\t/g" vents.csv'
refuse 'rates that can be read in two ways' 'rates\.csv:2: a comma before three digits may be a decimal comma or group digits; write' \
    'printf "vent;from_h;to_h;rate_m3_s\n1;0;24;1,500\n2;0;24;1,500\n" >rates.csv'
refuse 'vents in degrees' 'vents\.csv:2: .*look like degrees' 'printf "vent,x,y\n1,15,37.7\n" >vents.csv'
refuse 'no vents at all' 'vents\.csv' ': >vents.csv'
refuse 'a negative rate' 'rates\.csv:4: ' 'rates 1,24,48,-1'
refuse 'rates in disorder' 'rates\.csv:4: ' 'rates 1,12,48,1'
refuse 'an interval that ends before it starts' 'rates\.csv:4: ' 'rates 1,48,36,1'
refuse 'a rate that is not a number' 'rates\.csv:4: ' 'rates 1,24,48,NaN'
refuse 'a rate for a vent that is not there' 'rates\.csv.*9' 'rates 9,0,48,1'
refuse 'a raster of another grid' 'thick\.tif' \
    'gdal_translate -q -srcwin 0 0 20 20 terrain.tif thick.tif; set_key thickness thick.tif'
# made-up terrain may lack its outline: nobody surveyed that lava
refuse 'a missing outline' 'volcano\.cfg:[0-9]+: .*outline' \
    "grid 3 3 $nine; vent 1,1,1; sed -i /^2/d rates.csv; set_key outline none.json"
refuse 'an outline that is none' 'outline\.json' 'echo "{" >outline.json; set_key outline outline.json'
refuse 'an unknown CRS' 'volcano\.cfg:[0-9]+: ' 'set_key crs WGS84'

(ulimit -f 20 && exec "$sciara" run "$good" 10 --output "$work/limited") >/dev/null 2>"$work/stderr"
code=$?
check "files may not grow: exit status 1" exits 1
check "... says why, and what to do" complains 'cannot be written: .*; .*ulimit -f'
check "... leaves no half file" [ -z "$(find "$work/limited" -name '.sciara-*')" ]
no_folder() { # no_folder WHAT FOLDER
    refused 2 "$1" "$2: .*cannot be written" run "$good" 10 --output "$2"
}
no_folder 'an output folder in a file' "$good/out"
no_folder 'an output folder that is a file' "$good"
if [ -d /proc/self ]; then no_folder 'an output folder that the system refuses' /proc/none; fi
call run "$good" 5 --no-output --quiet
check "the case itself is good" exits 0

# At every limit of memory a run is done, or refused before the first step.
starts_with() { (ulimit -v "$1" && exec "$sciara" --version) >/dev/null; } 2>/dev/null # starts_with KIB
limit_kib=20000 ends=
if starts_with 2000000; then call terrain "$work/large" --size 700 --quiet; else limit_kib=2000000; fi
while [ $limit_kib -lt 2000000 ] && [[ $ends != *0 ]]; do
    limit_kib=$((limit_kib * 9 / 8))
    starts_with $limit_kib || continue
    (ulimit -v $limit_kib && exec "$sciara" run "$work/large/volcano.cfg" 2 --no-output --quiet \
        --variant reference) >"$work/stdout" 2>"$work/stderr"
    code=$? ends+=" $code"
    [ $code = 0 ] && break
    check "$limit_kib KiB: refused, or the machine has no memory" [ $((code == 2 || code == 1)) = 1 ]
    check "$limit_kib KiB: one line" one_line
    # (where the last room goes to a small allocation, before the sum of all is known, the limit is named alone)
    check "$limit_kib KiB: says how much it needs, or that a library has no room, or which limit it is" \
        complains 'GiB|failed to map segment.*more memory|`ulimit -v` limits the address space, .* raise the limit'
done
case $ends in
'') skip "limits of memory: this program does not run under any" ;;
*) check "with too little memory it is refused, with enough it is done:$ends" eval '[[ "$ends" = *2*" 0" ]]' ;;
esac

# With few open files a run is done, or one line says that there are too many; from there on it is done.
ends=
for files in 4 5 6 7 8 9 12 64; do
    (ulimit -n $files && exec "$sciara" run "$good" 5 --format geotiff,png --map-size 600x400 --quiet \
        --output "$work/files/$files") >"$work/stdout" 2>"$work/stderr"
    code=$? ends+=" $code"
    [ $code = 0 ] || check "$files open files: one line says so" eval 'one_line && complains "Too many open files"'
done
check "few open files are refused, 64 are enough:$ends" eval '[[ "$ends" = " 2"*" 0" ]]'

# A large terrain needs addresses, few of which take memory.
if starts_with 150000; then
    call terrain "$work/wide" --kind pyramid --cell 1 --size 4000 --quiet
    (ulimit -v 150000 && exec "$sciara" run "$work/wide/pyramid.cfg" 2 --no-output --quiet) >"$work/stdout" 2>"$work/stderr"
    code=$?
    check "too few addresses for a large terrain: exit status 1" exits 1
    check "... says what limits them" complains 'ulimit -v. limits the address space'
else skip "too few addresses: this program does not start with 150 MB"; fi

for kind in volcano sheet channel pyramid valley plane; do
    call terrain --kind $kind --describe
    check "terrain --kind $kind" says "SYNTHETIC TERRAIN: ${kind/plane/sheet},"
done

# ---- files of others stay
kept=$work/kept
mkdir -p "$kept"
for name in vents.csv rates.csv roads.geojson volcano.cfg terrain.tif; do
    echo "of somebody else" >"$kept/$name"
    refused 2 "terrain: $name of another program" "kept/$name: exists and was not written by sciara terrain" terrain "$kept" --size 48
    check "... it stays" grep -qx 'of somebody else' "$kept/$name"
    rm "$kept/$name"
done
call terrain "$kept" --size 48 --quiet
call terrain "$kept" --size 50 --quiet
check "terrain: a case of its own is replaced" exits 0
for name in vents.csv rates.csv roads.geojson volcano.cfg terrain.tif; do
    cp "$kept/$name" "$work/before" && printf '# by hand\n' >>"$kept/$name" && cp "$kept/$name" "$work/edited"
    refused 2 "terrain: $name was edited" "kept/volcano.cfg: exists and was edited, or a file next to it was;" terrain "$kept" --size 48
    check "... it stays" cmp "$kept/$name" "$work/edited"
    cp "$work/before" "$kept/$name"
done
other=$work/other
call terrain "$other" --kind pyramid --name volcano --size 48 --quiet
echo mine >"$other/roads.geojson"
refused 2 "terrain: a file that the case there does not have" "exists and was edited, or a file next to it was" terrain "$other" --size 48
check "... it stays" grep -qx mine "$other/roads.geojson"
rm "$other/roads.geojson"
call terrain "$other" --size 48 --quiet
check "terrain: a case with fewer files is replaced" grep -q Polygon "$other/roads.geojson"
mkdir "$work/real" && echo "real heights" >"$work/real/2006_000000000000_Morphology.asc"
refused 2 "terrain: real heights" "Morphology.asc: exists and was not written by sciara terrain" terrain "$work/real" --like-etna2006
check "... they stay" grep -qx 'real heights' "$work/real/2006_000000000000_Morphology.asc"
call run "$kept/volcano.cfg" 60 --quiet --format geotiff --output "$kept/run"
for file in "$kept/run/summary.json" "$kept/terrain.tif"; do
    cp "$file" "$work/before"
    refused 2 "fit --map ${file##*/}" 'would be overwritten, but was not written by sciara' fit "$kept/run" "$kept/run/total_thickness_m_000060.tif" --map "$file"
    check "... it stays" cmp "$file" "$work/before"
done
for time in first second; do
    call fit "$kept/run" "$kept/run/total_thickness_m_000060.tif" --map "$kept/fit.png"
    check "fit --map: the $time time" exits 0
done
call fit "$kept/run" "$kept/run/total_thickness_m_000060.tif" --map "$kept/nowhere/fit.png"
check "fit, a map that cannot be written: the numbers" says '^overlap J \(e1\) +1\.000$'
check "... and then the error" exits 1
check "... with both remedies" grep -q 'cannot be written: .*; give --no-map, or --map FILE' "$work/stderr"

# ---- Ctrl-C
# Every file is whole: pictures have their end, layers their table, no temporary name is left.
whole() {
    local folder=$1 file
    for file in "$folder"/* "$folder"/.[!.]*; do
        case $file in
        *.png) [ "$(tail -c 8 "$file" | head -c 4)" = IEND ] ;;
        *.tif) keep "$sciara" info "$file" && exits 0 ;;
        */timeline.csv) [ -z "$(tail -c 1 "$file" | tr -d '\n')" ] && [ "$(grep -c . "$file")" -gt 1 ] ;;
        *.zip) unzip -tq "$file" >"$work/log" ;;
        *.html) [[ $(tail -n 2 "$file") =~ ^'</html>'.'<!-- Software: sciara, CRC-32 '[0-9a-f]{8}' -->'$ ]] ;;
        */summary.json | */shown.json) [ "$(tail -n 1 "$file")" = '}' ] ;;
        *'/.[!.]*') ;;
        *) false ;;
        esac || { echo "not whole: $file" && return 1; }
    done
}
# interrupt SIGNAL: a run that would take days, once its first files are there
interrupt() {
    local folder=$work/stop.$1 last
    "$sciara" run "$good" 2000000000 --every 500 --map-size 600x400 --threads 1 \
        --output "$folder" >"$work/stdout" 2>"$work/stderr" &
    local child=$!
    wait_until compgen -G "$folder/total_thickness_m_*.tif" >/dev/null
    kill -"$1" $child
    wait $child
    code=$?
    check "SIG$1: exit status 130" exits 130
    check "SIG$1: the report says so" says 'interrupted$'
    check "SIG$1: so does summary.json" grep -q '"interrupted":.*true' "$folder/summary.json"
    last=$(sed -n 's/^steps *[0-9]* to \([0-9]*\)[ ,].*/\1/p' "$work/stdout")
    check "SIG$1: before the end" [ "$last" -lt 2000000000 ]
    check "SIG$1: the last state is written" [ -s "$folder/total_thickness_m_$(printf %06d "$last").tif" ]
    check "SIG$1: with all files whole" whole "$folder"
}
interrupt INT
interrupt TERM

report
