#!/bin/bash
# test_state_keys.sh — each key of a case against a state of the case without it: either the case with the key cannot resume
# from that state, or it resumes with the bits that it has from the beginning. A key that changes results and is missing in the
# identity of a case would be neither. Every key that `sciara help keys` lists for a case needs a line here.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/restart
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
. tests/slope.sh
printf 'vent,from,to,rate_m3_s\n1,0,1h,6\n2,0,1h,3\n' >rates.csv
sed 's/6$/7/' rates.csv >more.csv
printf 'vent,row,col\n1,10,20\n2,14,16\n' >moved.csv
patch() { # patch VALUE FILE: a raster with it in six rows
    awk -v value="$1" 'NR <= 6 { print; next } { for (c = 0; c < 40; c++) printf "%s ", (NR > 20 && NR < 27 ? value : 0); print "" }' dem.asc >"$2"
}
awk 'NR == 25 { for (c = 1; c <= NF; c++) $c += 12 } { print }' dem.asc >ridge.asc # in row 18, where lava is
patch 2 thick.asc
patch 3 thicker.asc
patch 1 solid.asc
patch 1200 hot.asc
cat >wall.geojson <<'EOF'
{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height_m":20,"width_m":20},
"geometry":{"type":"LineString","coordinates":[[500005,4170315],[500395,4170315]]}}]}
EOF
cat >hut.geojson <<'EOF'
{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[500205,4170255]}}]}
EOF
base=('dem dem.asc' 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'Pcool 400' 'thickness thick.asc' 'max_steps 120'
    'stop_when_mobile_below_m 150' 'reduce_every_steps 5' 'start_time 2006-07-14T22:00')
printf '%s\n' "${base[@]}" >base.cfg
digest_of() { call run "$@" --no-output --json && value digest "$work/stdout"; }
call run base.cfg 40 --output state --state --quiet --format geotiff
check "the state: lava moves at 40 steps" [ "$(entry mobile state)" -gt 1000 ]
whole=$(digest_of base.cfg)
check "and later" [ "$whole" != "$(digest state)" ]
state=state/state_000040.tif

# key KIND KEY VALUE: the base with it, in place of its own line with that key. KIND is what has to come of it: `other`, the
# state is refused and the bits of a whole run differ; `later`, they differ and it resumes; `same`, they are the same
checked=" "
key() {
    local bits
    checked+="$2 "
    printf '%s\n' "${base[@]}" | awk -v key="$2" -v line="$2 $3" '$1 == key || ($1 == "max_steps" && key == "run_h") { print line; there = 1; next } { print }
        END { if (!there) print line }' >key.cfg
    bits=$(digest_of key.cfg)
    check "$2 $3: runs" [ ${#bits} = 16 ]
    if [ "$1" = same ]; then
        check "$2 $3: the same bits" [ "$bits" = "$whole" ]
    else
        check "$2 $3: other bits" [ "$bits" != "$whole" ]
    fi
    if [ "$1" = other ]; then
        refused 2 "$2 $3: the state is refused" 'state_000040.tif' run key.cfg --from $state --no-output
    else
        check "$2 $3: it resumes with the bits of a whole run" [ "$(digest_of key.cfg --from $state)" = "$bits" ]
    fi
}

# ---- parameters of the model
for line in 'Pclock 100' 'PTsol 1100' 'PTvent 1350' 'Pr(Tsol) 0.4' 'Pr(Tvent) 0.9' 'Phc(Tsol) 30' 'Phc(Tvent) 2' 'Pcool 300' 'Prho 2500' \
    'Pepsilon 0.8' 'Psigma 5e-8' 'Pcv 1000'; do
    key other "${line% *}" "${line##* }"
done
key same algorithm MIN
key other parameters etna-2006-calibrated
key other calibrated_cell_m 5
key same calibrated_clock_s 60

# ---- files
key other dem ridge.asc
key other vents moved.csv
key other rates more.csv
key other vent_radius_m 30
key other thickness thicker.asc
key other temperature hot.asc
key other solidified solid.asc
key same outline thick.asc
key other barriers wall.geojson
key same assets hut.geojson
key same background hut.geojson
key other sea_level 255
key other terrain_update '1h ridge.asc without_lava'
key other terrain_update '2h ridge.asc without_lava'

# ---- the run
key later max_steps 60
key later run_h 2 # in place of max_steps
key other stop_when_mobile_below_m 250
key other reduce_every_steps 7
key same snapshot_every_steps 20
key other emission published
key other first_step 5
key other initial_temperature_K 1200
key same crs EPSG:32633
key same start_time 2006-07-14T23:00
key same title 'Another title'
key same terrain_source 'a survey'
key same visual_threshold_m 0.5
key same map_scale '0 5'
key same map_extent domain
key same map_note Exercise

call help keys
for name in $(sed -n '/^parameters of the model:/,/^number of members:/s/^  \([^ ]\+\).*/\1/p' "$work/stdout"); do
    check "$name has a line here" grep -qF " $name " <<<"$checked"
done
report
