#!/bin/bash
# test_terrain_fit.sh — `sciara calibrate` finds the error of a terrain again by the score `ensemble`, which another
# program recomputes; J alone does not. Run from the root of the repository, with BUILD naming the build folder.
# tests: study/calibration
. tests/check.sh
needs_sciara
needs "python3-gdal or python3-numpy is not installed" /usr/bin/python3 -c 'import numpy, osgeo'
export OMP_NUM_THREADS=1
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara; fi
cd "$work" || exit 1

# ---- twins of one DEM, each with an error of 2.5 m
"$sciara" terrain made --size 100 --quiet || exit 1
sed '/^max_steps/d' made/volcano.cfg >made/base.cfg
printf '%s\n' 'max_steps 180' 'terrain_error_length_m 40' >>made/base.cfg
{ cat made/base.cfg && printf '%s\n' 'terrain_error_m 2.5' 'members 3' 'seed 77'; } >made/twins.cfg
for twin in 0 1 2; do
    "$sciara" run made/twins.cfg --member $twin --output "twin$twin" --quiet --format geotiff || exit 1
    { cat made/base.cfg && printf '%s\n' 'terrain_error_m 1' "outline ../twin$twin/total_thickness_m_000180.tif" 'score ensemble'; } >"made/twin$twin.cfg"
done
{
    cat made/twin0.cfg
    printf '%s\n' 'eruption twin1.cfg' 'eruption twin2.cfg' 'fit_terrain_error_m 0.1 20 log' 'noise_members 10' 'finalist_members 16' 'evaluations 21'
} >made/joint.cfg
check "twins differ" fails cmp -s twin0/total_thickness_m_000180.tif twin1/total_thickness_m_000180.tif

found() { json .fitted[0].best "$1/summary.json"; }
within() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x >= low && x <= high) }'; }
call calibrate made/joint.cfg --output joint --map-size 300x300 --map-dpi 72 --quiet
check "a calibration of the terrain's error ends well" exits 0
error=$(found joint)
check "the error of 2.5 m is found within a quarter ($error m)" within "$error" 1.9 3.1
sed '/^score/d; s/twin\([12]\).cfg/plain\1.cfg/' made/joint.cfg >made/plain.cfg
for twin in 1 2; do sed '/^score/d' "made/twin$twin.cfg" >"made/plain$twin.cfg"; done
call calibrate made/plain.cfg --output plain --map-size 300x300 --map-dpi 72 --quiet
check "J alone finds nearly none ($(found plain) m)" within "$(found plain)" 0.1 0.5

# ---- the score, by another program: of one candidate with four terrains
{ cat made/twin0.cfg && printf '%s\n' 'fit_terrain_error_m 1.5 3' 'noise_members 4' 'evaluations 6'; } >made/four.cfg
call calibrate made/four.cfg --output four --layers evaluations --map-size 300x300 --map-dpi 72 --quiet
check "a calibration with four terrains ends well" exits 0
call calibrate made/four.cfg --output threads --layers evaluations --map-size 300x300 --map-dpi 72 --quiet --threads 3
check "three threads find the same" cmp four/evaluations.csv threads/evaluations.csv
error=$(sed -n 3p four/evaluations.csv | cut -d, -f 6)
{ cat made/base.cfg && printf '%s\n' "terrain_error_m $error" 'members 4'; } >made/runs.cfg
for run in 0 1 2 3; do "$sciara" run made/runs.cfg --member $run --output "run$run" --quiet --format geotiff || exit 1; done
cat >score.py <<'END'
import csv
import itertools
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
lava = lambda folder: gdal.Open(f"{folder}/total_thickness_m_000180.tif").ReadAsArray() > 0
j = lambda a, b: (a & b).sum() / (a | b).sum()
run, twin = [lava(f"run{k}") for k in range(4)], lava("twin0")
among = np.mean([j(a, b) for a, b in itertools.combinations(run, 2)])
want = np.mean([j(a, twin) for a in run]) + (1 - among) / 2
got = float(list(csv.DictReader(open("four/evaluations.csv")))[1]["score"])
assert 0.1 < among < 0.95
assert abs(got - want) < 1e-9, (got, want)
print("alike")
END
keep /usr/bin/python3 score.py
check "the score is the one of another program" says '^alike$'
[ "$code" = 0 ] || cat stderr

# ---- a posterior of it: members with errors of their own, for a forecast
{ sed 's/^evaluations.*/evaluations 31/; s/^noise_members.*/noise_members 2/' made/four.cfg && printf '%s\n' 'finalist_members 2' 'posterior_members 10'; } >made/sample.cfg
call calibrate made/sample.cfg --posterior --output sample --layers all --map-size 300x300 --map-dpi 72 --quiet
check "a posterior of the terrain's error ends well" exits 0
check "... its members have errors of their own" [ "$(column terrain_error_m sample/members.csv | sort -u | wc -l)" -gt 3 ]
check "... and lengths of the plan" grep -q '^terrain_error_length_m  *40$' sample/forecast.cfg
call ensemble sample/forecast.cfg --output forecast --layers all --map-size 300x300 --map-dpi 72 --quiet
check "... which a forecast has" cmp <(column terrain_error_m sample/members.csv) <(column terrain_error_m forecast/members.csv)

# ---- what is refused
sed 's/^noise_members.*/noise_members 1/' made/four.cfg >made/alone.cfg
refused 2 "runs that have none to be compared with" 'give noise_members and finalist_members of at least 2' calibrate made/alone.cfg --output none
refused 2 "a sensitivity analysis of it" "'score ensemble' judges many runs together" sensitivity made/four.cfg --output none
{ cat made/base.cfg && printf '%s\n' 'outline ../twin0/total_thickness_m_000180.tif' 'fit_Pcool 1 5' 'score ensemble scale 3'; } >made/scaled.cfg
refused 2 "a scale of it" 'scale S after distance, hausdorff95 or arrival' calibrate made/scaled.cfg --output none
check "nothing is left" [ ! -e none ]
report
