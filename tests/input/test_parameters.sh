#!/bin/bash
# `sciara parameters`: what it prints, that the program needs no file for it, and that a file more is all that a
# set more takes.
# tests: input/case
. tests/check.sh
needs_sciara

names=$(basename -s .cfg -a data/parameters/*.cfg)
call parameters
check 'parameters: status' exits 0
check '... nothing on stderr' silent stderr
for name in $names; do
    check "... lists $name" says "^$name  *[0-9]"
done
check '... and no other' [ "$(wc -l <"$work/stdout")" = $(($(echo "$names" | wc -l) + 1)) ]

# From a folder that has nothing, moved
copy_program "$work/empty"
(cd "$work/empty" && LD_LIBRARY_PATH=$build/lib bin/sciara parameters etna-2006) >"$work/whole"
check 'a moved program knows them' grep -q 'parameters  *etna-2006' "$work/whole"
while read -r key value _; do
    check "... $key" grep -qxE "# +$(printf %s "$key" | sed 's/[()]/\\&/g') +$value( .*)?" "$work/whole"
done < <(sed -n 's/#.*//; /^P/p' data/parameters/etna-2006.cfg | sed 's/5.68e-8/5.68e-08/')

call parameters etna-2006 etna-2001-daily --json
check 'JSON: status' exits 0
check '... of two sets' /usr/bin/python3 - "$work/stdout" <<'EOF'
import json, sys
sets = json.load(open(sys.argv[1]))
assert [s["name"] for s in sets] == ["etna-2006", "etna-2001-daily"]
etna = sets[0]
assert etna["parameters"]["Pcool"] == 2.8 and len(etna["parameters"]) == 12
assert etna["calibrated_cell_m"] == 10 and 0.5 < etna["in_sample"]["jaccard"] < 1
assert etna["held_out"]["jaccard"] is None and "Spataro" in etna["source"] and etna["not_for"]
EOF
refused 2 'an unknown set' "did you mean etna-2006\?" parameters etna2006
refused 2 'an unknown set as JSON' "called 'x'; sciara parameters lists them" parameters x --json

# A case that names a set says so, in every place
"$sciara" terrain "$work/made" --size 64 --quiet
cd "$work" || exit 1
printf '%s\n' 'dem terrain.tif' 'vents vents.csv' 'rates rates.csv' 'max_steps 200' 'parameters etna-2006' \
    'Pcool 3' >made/named.cfg
call info made/named.cfg
check 'info names the set' says '^parameter_set  *etna-2006$'
check '... the cells' says 'calibrated_cell_m  *10$'
call run made/named.cfg --output out --map-size 300x300 --map-dpi 72
check 'the report names the set' says '^parameters  *etna-2006$'
check 'the summary, too' [ "$(value parameter_set out/summary.json)" = etna-2006 ]
sed 's/^Pcool.*/Pcool 3/; s/^max_steps.*/max_steps 200/' made/volcano.cfg >made/written.cfg
call run made/written.cfg --output written --map-size 300x300 --map-dpi 72
check 'the bits are those of the numbers' [ -n "$(digest out)" ]
check '... written out' [ "$(digest out)" = "$(digest written)" ]

# A calibration of it: the best is a case that names the set, and after it what was fitted
cp -r made fit
{
    grep -v Pcool made/named.cfg
    printf '%s\n' 'outline flow.geojson' 'fit_Pcool 1 8' 'fit_Phc(Tvent) 1 2' 'population 4' 'evaluations 9'
} >fit/plan.cfg
/usr/bin/python3 - out/summary.json >fit/flow.geojson <<'EOF'
import json, sys
grid = json.load(open(sys.argv[1]))["grid"]
west, south, side = grid["west_m"], grid["south_m"], grid["cell_m"] * grid["rows"]
corners = [[0, 0], [1, 0], [1, 0.6], [0, 0.6], [0, 0]]
print(json.dumps({"type": "Polygon", "coordinates": [[[west + x * side, south + y * side] for x, y in corners]]}))
EOF
call calibrate fit/plan.cfg --map-size 300x300 --map-dpi 72 --output best --quiet
check 'a calibration' exits 0
check '... names the set' grep -qx 'parameters  *etna-2006' best/best.cfg
check '... and the values found, each once' [ "$(grep -cE '^(Pcool|Phc\(Tvent\)) ' best/best.cfg)" = 2 ]
check '... after it' [ "$(grep -nE '^Pcool' best/best.cfg | cut -d: -f1)" -gt "$(grep -n '^parameters' best/best.cfg | cut -d: -f1)" ]
call run best/best.cfg --output again --quiet --map-size 300x300 --map-dpi 72
check '... and it runs' exits 0
cd "$root" || exit 1

# A file more is enough: it comes out of the compiler as it is
cp data/parameters/etna-2006.cfg "$work/new.cfg" && printf '# a "quoted" \\backslash\tand a tab, %%d\n' >>"$work/new.cfg"
tools/parameter-texts "$work/new.cfg" data/parameters/etna-2006.cfg >"$work/texts.c"
cat >"$work/main.c" <<'EOF'
#include "case/parameter_sets.h"
#include <stdio.h>
int main(void) { return fputs(parameter_texts[0].text, stdout) < 0 || parameter_texts[2].name; }
EOF
if command -v cc >/dev/null; then
    cc -Iinclude -Isrc/common -Isrc/input "$work/texts.c" "$work/main.c" -o "$work/print"
    "$work/print" >"$work/printed"
    check 'a set in the program is its file' cmp -s "$work/new.cfg" "$work/printed"
else
    skip 'a new set compiled: no cc'
fi
report
