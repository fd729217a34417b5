#!/bin/bash
# test_verify.sh — the scores of an ensemble, recomputed by another program from its layers alone, and the domains that
# verify_within names. Run from the root of the repository, with BUILD naming the build folder.
# tests: study/verify
. tests/check.sh
needs_sciara
needs "python3-gdal or python3-numpy is not installed" /usr/bin/python3 -c 'from importlib.util import find_spec as found; assert found("numpy") and found("osgeo")'
export OMP_NUM_THREADS=1
. tests/tables.sh
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara; fi
cd "$work" || exit 1

"$sciara" terrain made --size 120 --quiet || exit 1
call run made/volcano.cfg 400 --variant reference --output truth --quiet --format geotiff
cp truth/total_thickness_m_*.tif outline.tif
{
    sed '/^max_steps/d' made/volcano.cfg | sed 's#^\(dem\|vents\|rates\|background\)  *#\1 made/#'
    printf '%s\n' 'max_steps 400' 'members 40' 'vary_rate_factor lognormal 0.8 1.5' 'vary_Pcool normal 2.8 0.5' \
        'terrain_error_m 1' 'outline outline.tif'
} >plan.cfg
sed '$averify_within 60' plan.cfg >near.cfg
cat >east.json <<'END'
{"type":"Feature","properties":{},"geometry":{"type":"Polygon",
"coordinates":[[[500550,4170000],[501200,4170000],[501200,4171200],[500550,4171200],[500550,4170000]]]}}
END
sed '$averify_within east.json' plan.cfg >east.cfg

cat >oracle.py <<'END'
import csv, json, math, sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
folder, within = sys.argv[1:]
data = gdal.Open(f"{folder}/probability.tif")
p, cell = data.ReadAsArray().astype(float), data.GetGeoTransform()[1]
p[p < 0] = 0
n = 40
p = np.round(p * n) / n
o = gdal.Open("outline.tif").ReadAsArray() > 0
terrain = gdal.Open("made/terrain.tif").ReadAsArray() > -9999
row, col = np.indices(o.shape)
r, c = np.nonzero(o)
if within == "box":
    m = 500 / cell
    domain = (row >= r.min() - m) & (row <= r.max() + m) & (col >= c.min() - m) & (col <= c.max() + m)
elif within == "east":
    west = data.GetGeoTransform()[0]
    domain = west + (col + 0.5) * cell >= 500550
else:
    domain = np.zeros(o.shape, bool)
    for i, j in zip(r, c):
        domain |= (row - i) ** 2 + (col - j) ** 2 <= (float(within) / cell) ** 2
domain &= terrain
P, O = p[domain], o[domain].astype(float)
N, share = len(P), O.mean()
s = json.load(open(f"{folder}/summary.json"))
v = s["verification"]
def same(name, mine, ours=None, far=1e-9):
    ours = v[name] if ours is None else ours
    assert abs(mine - ours) <= far * max(1, abs(mine)), (folder, name, mine, ours)
same("cells", N), same("observed_cells", O.sum()), same("observed_outside", o.sum() - O.sum())
assert 0 < O.sum() < N and len(np.unique(P)) > 20, (O.sum(), N)
same("brier", ((P - O) ** 2).mean())
same("brier_skill", 1 - ((P - O) ** 2).mean() / (share * (1 - share)))
q = np.clip(P, 0.0025, 0.9975)
same("log_score", -np.log(np.where(O == 1, q, 1 - q)).mean())
same("log_score_reference", -share * math.log(share) - (1 - share) * math.log(1 - share))
wet, dry = P[O == 1][:, None], P[O == 0][None, :]
same("roc_area", ((wet > dry) + 0.5 * (wet == dry)).mean())
edges = [0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99, 1]
bins = np.searchsorted(edges, P - 1e-9)
reliability = sum((bins == k).sum() * (P[bins == k].mean() - O[bins == k].mean()) ** 2 for k in set(bins)) / N
same("reliability", reliability), same("uncertainty", share * (1 - share))
same("brier", v["reliability"] - v["resolution"] + v["uncertainty"])
table = list(csv.DictReader(open(f"{folder}/reliability.csv")))
assert len(table) == 13
for k, line in enumerate(table):
    inside = bins == k
    assert int(line["cells"]) == inside.sum() and int(line["observed_cells"]) == O[inside].sum(), (k, line)
    if inside.any():
        same("p", P[inside].mean(), float(line["mean_probability"]), 1e-8)
        same("o", O[inside].mean(), float(line["observed_share"]), 1e-8)
        assert not line["low"] or float(line["low"]) <= O[inside].mean() <= float(line["high"])
for k, line in enumerate(csv.DictReader(open(f"{folder}/roc.csv"))):
    region = P >= k / 100 - 1e-9 if k else P > 0
    same("h", region[O == 1].mean(), float(line["hit_rate"]), 1e-8)
    same("f", region[O == 0].mean(), float(line["false_alarm_rate"]), 1e-8)
regions = [p >= k / 100 - 1e-9 if k else p > 0 for k in range(101)]
overlaps = [(region & o).sum() / (region | o).sum() for region in regions]
same("best_jaccard", max(overlaps)), same("best_probability", overlaps.index(max(overlaps)) / 100)
members = list(csv.DictReader(open(f"{folder}/members.csv")))
x = np.array([float(m["area_m2"]) for m in members])
seen = o.sum() * cell ** 2
a = v["area_m2"]
same("area", seen, a["observed"]), same("error", x.mean() - seen, a["mean_error"])
same("crps", np.abs(x - seen).mean() - np.abs(x[:, None] - x[None, :]).mean() / 2, a["crps"])
assert v["runout_m"]["observed"] > 100 and abs(v["runout_m"]["mean_error"]) < 500
assert v["blocks"] >= 2 and v["block_m"] >= cell
print("alike")
END
for name in plan near east; do
    call ensemble $name.cfg --output $name --layers all --map-size 300x300 --map-dpi 72 --quiet
    check "$name: ends well" exits 0
    case $name in plan) within=box ;; near) within=60 ;; east) within=east ;; esac
    keep /usr/bin/python3 oracle.py $name $within
    check "$name: another program has the same scores" says '^alike$'
done
check "the domain changes no member, and no digest" [ "$(digest plan)" = "$(digest near)" ]
check "... but the score" [ "$(json .verification.brier plan/summary.json)" != "$(json .verification.brier near/summary.json)" ]
call ensemble plan.cfg --output plan --layers all --map-size 300x300 --map-dpi 72 --resume
check "the last lines have the scores" says "^verification  within the outline's box and 500 m: Brier skill "
means() { /usr/bin/python3 -c 'import csv, sys
m = list(csv.DictReader(open("plan/members.csv")))
for name, unit in ("area_m2", 1e6), ("runout_m", 1e3), ("jaccard", 1): print("%.3g" % (sum(float(r[name]) for r in m) / len(m) / unit))'; }
check "... and the means of area, run-out and J" [ "$(means)" = "$(sed -nE 's/^(covered area|run-out|overlap J) +mean ([^ ]+) .*/\2/p' stdout)" ]

# ---- the same of folders, by sciara fit
scores() { json '.verification | [.cells, .observed_cells, .brier, .brier_skill, .log_score, .roc_area, .reliability, .brier_error, .best_jaccard]' "$1"; }
for name in plan near east; do
    case $name in plan) within=() ;; near) within=(--within 60) ;; east) within=(--within east.json) ;; esac
    call fit $name --dem made/terrain.tif "${within[@]}" --json
    check "$name: fit reads the folder of an ensemble" exits 0
    check "... and has the scores of its summary" [ "$(scores stdout)" = "$(scores $name/summary.json)" ]
done
sed 's/lognormal 0.8 1.5/lognormal 6 1.1/' plan.cfg >worse.cfg
call ensemble worse.cfg --output worse --map-size 300x300 --map-dpi 72 --quiet
call fit plan --against worse --dem made/terrain.tif --json
check "a forecast less a worse one: beyond its error" [ "$(json '.against | .brier_difference < -.brier_error and .brier_skill_difference > .brier_skill_error' stdout)" = true ]
check "... the scores of the other are its own" [ "$(json .against.brier stdout | cut -c 1-12)" = "$(json .verification.brier worse/summary.json | cut -c 1-12)" ]
call fit plan --against plan
check "a forecast less itself is 0" says '^  Brier skill +0.0000 [+]- 0$'
call run worse.cfg --member 0 --variant reference --output alone --quiet --format geotiff
call fit alone outline.tif --no-map --json
simulated=$(json .simulated_cells stdout) observed=$(json .observed_cells stdout) both=$(json .both_cells stdout)
check "a run is a forecast of one member: its Brier score is the share of cells that it missed" \
    awk "BEGIN { d = ($simulated + $observed - 2 * $both) / $(json .verification.cells stdout) - $(json .verification.brier stdout); exit !(d < 1e-12 && d > -1e-12) }"
call null plan.cfg --output null --map-size 300x300 --map-dpi 72 --quiet
call fit null
check "fit reads the folder of a null model" exits 0
refused 2 "a map of a forecast" "fit: plan: is a forecast of many runs; --map" fit plan --map map.png
refused 2 "a distance of 0" "fit: --within 0: give a distance" fit plan --within 0
refused 2 "a forecast on another grid" "alone|made" fit alone outline.tif --no-map --against made
check "no map was written" [ ! -e map.png ]

# ---- of a calibration
sed '/^members\|^vary/d' east.cfg >fits.cfg
printf '%s\n' 'fit_Pcool 1.5 6' 'observed_volume_m3 20000' 'evaluations 24' 'noise_members 2' 'finalists 1' \
    'finalist_members 12' 'posterior_members 10' 'posterior_tolerance 0.95' >>fits.cfg
call calibrate fits.cfg --output fitted --layers all --map-size 300x300 --map-dpi 72 --quiet
check "a calibration has the scores of its best" [ "$(json '.members.done, (.verification | .cells > 0 and .brier > 0)' fitted/summary.json | tr '\n' ' ')" = "12 true " ]
column emitted_m3 fitted/members.csv >emitted
column volume_off_terrain_m3 fitted/members.csv | paste emitted - >volumes
check "... and what its volumes differ from the observed one" awk -v mean="$(json .verification.volume_m3.mean_error fitted/summary.json)" \
    '{ sum += $1 - $2 - 20000 } END { exit !(NR == 12 && (sum / NR - mean) ^ 2 < 1e-3) }' volumes
call fit fitted --within east.json --dem made/terrain.tif --json
check "fit reads its folder" [ -s fitted/summary.json -a "$(scores stdout)" = "$(scores fitted/summary.json)" ]
mkdir -p far/away
call calibrate fits.cfg --posterior --output far/away/posterior --map-size 300x300 --map-dpi 72 --quiet
check "the plan of a posterior names the polygons from its folder" grep -q '^verify_within  *../../../east.json$' far/away/posterior/forecast.cfg
sed 's/^verify_within.*/verify_within 0.08 km/' fits.cfg >fits80.cfg
call calibrate fits80.cfg --posterior --output far/away/other --map-size 300x300 --map-dpi 72 --quiet
check "... and keeps a distance" grep -q '^verify_within  *0.08 km$' far/away/other/forecast.cfg

same_within() { # DISTANCE: as 60 metres
    sed "s/^verify_within.*/verify_within $1/" near.cfg >unit.cfg
    tables ensemble "$work/unit.cfg" "$work/unit"
    [ "$code" = 0 ] && cmp near/reliability.csv unit/reliability.csv &&
        [ "$(json .verification unit/summary.json)" = "$(json .verification near/summary.json)" ]
}
for distance in 60m '60 m' 0.06km; do check "a distance of $distance" same_within "$distance"; done
call fit near outline.tif --dem made/terrain.tif --json --within 0.06km
check "... of --within, too" cmp <(json .verification stdout) <("$sciara" fit near outline.tif --dem made/terrain.tif --json --within 60 | json .verification -)
sed 's/^verify_within .*/verify_within 60ft/' near.cfg >feet.cfg
refused 2 "a distance of another unit" '60ft: cannot be opened' ensemble feet.cfg --output none

sed 's/east.json/west.json/' east.cfg >none.cfg
refused 2 "polygons that are not there" "west.json" ensemble none.cfg --output none
sed 's/500550/501150/g' east.json >far.json
sed 's/east.json/far.json/' east.cfg >far.cfg
refused 2 "polygons without observed lava" "far.cfg: verify_within has no cell with observed lava" ensemble far.cfg --output none
check "nothing is left of them" [ ! -e none ]

# ---- a terrain error is found again: twins of one DEM, each with an error of 2.5 m, and the best log score of all
noisy() { { sed 's/^max_steps.*/max_steps 360/' made/volcano.cfg && printf '%s\n' "terrain_error_m $1" 'terrain_error_length_m 40' "members $2" "seed $3"; } >made/noisy.cfg; }
noisy 2.5 6 77
for twin in 0 1 2 3 4 5; do
    "$sciara" run made/noisy.cfg --member $twin --output "twin$twin" --quiet --format geotiff || exit 1
done
for error in 0.8 2.5 8; do
    noisy $error 80 3
    "$sciara" ensemble made/noisy.cfg --output "error$error" --quiet --map-size 300x300 --map-dpi 72
    for twin in 0 1 2 3 4 5; do
        "$sciara" fit "error$error" "twin$twin/total_thickness_m_000360.tif" --dem made/terrain.tif --json
    done | jq -rs --arg error $error 'if length == 6 then "\(map(.verification.log_score) | add / 6) \($error)" else error("six twins") end'
done | LC_ALL=C sort -g >errors.txt
check "twins differ" fails cmp -s twin0/total_thickness_m_000360.tif twin1/total_thickness_m_000360.tif
check "an error of 2.5 m has the best log score ($(tr '\n' ' ' <errors.txt))" [ "$(awk 'NR == 1 { print $2 }' errors.txt)" = 2.5 ]
check "... by a tenth at least" awk 'NR == 1 { best = $1 } NR == 2 { exit !($1 > 1.1 * best) }' errors.txt

# ---- thickness of medians of 3 x 3 cells, by another program, on any number of threads
{ sed '/^max_steps/d' made/volcano.cfg && printf '%s\n' 'max_steps 400' 'members 1' 'exceed_m 3' 'thickness_bin_m 0.05' 'assets place.json'; } >made/cells.cfg
{ cat made/cells.cfg && echo 'thickness_of medians'; } >made/medians.cfg
cat >made/place.json <<'END'
{"type":"Feature","properties":{"name":"all"},"geometry":{"type":"Polygon",
"coordinates":[[[500010,4170010],[501190,4170010],[501190,4171190],[500010,4171190],[500010,4170010]]]}}
END
for of in cells medians; do "$sciara" ensemble made/$of.cfg --output $of --layers all --quiet --map-size 300x300 --map-dpi 72 || exit 1; done
cat >medians.py <<'END'
import csv
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
read = lambda path: gdal.Open(path).ReadAsArray().astype(float).clip(0)
h = read("truth/max_thickness_m_000400.tif")
around = np.pad(h, 1)
median = np.median([around[r:r + h.shape[0], c:c + h.shape[1]] for r in range(3) for c in range(3)], axis=0)
for of, want in ("cells", h), ("medians", median):
    got, lava = read(f"{of}/thickness_mean_m.tif"), h > 0
    assert abs(got - want)[lava].max() < 1 / 1024, of
    above = read(f"{of}/probability_above_3m.tif")
    sure = abs(want - 3) > 1 / 1024
    assert ((above > 0) == (want > 3))[lava & sure].all(), of
    most = next(csv.DictReader(open(f"{of}/members.csv")))["max_thickness_m"]
    assert abs(float(most) - want[lava].max()) < 1 / 1024, (of, most)
    place = next(csv.DictReader(open(f"{of}/assets.csv")))
    assert abs(float(place["thickness_mean_m"]) - want[lava].max()) < 1 / 1024, place
assert h.max() > 1.05 * median[h > 0].max() and (h > 3).sum() > (median > 3).sum() > 100
assert (median[h > 0] == 0).any()  # a margin of single cells
print("alike")
END
keep /usr/bin/python3 medians.py
check "thickness_of medians has medians, and cells has cells" says '^alike$'
[ "$code" = 0 ] || cat stderr
check "... and a member is the same" [ "$(column digest cells/members.csv)" = "$(column digest medians/members.csv)" ]
check "... which the summary shows" [ "$(json .counted.thickness_of medians/summary.json) $(json .counted.thickness_of cells/summary.json)" = "medians null" ]
report
