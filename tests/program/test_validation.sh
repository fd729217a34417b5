#!/bin/bash
# docs/validation.md and the numbers of docs/etna2006-resolution.md and docs/defaults.md are what studies make of the committed results; and
# the text follows these.
# tests: none
. tests/check.sh
needs 'no python3' python3 --version

check 'docs/validation.md again' /usr/bin/python3 studies/validation --page "$work/validation.md"
check '... is the same text' cmp docs/validation.md "$work/validation.md"
check '... with numbers in all places' fails grep -nE '@[a-z_0-9]+@|@if|@end|nan' "$work/validation.md"
pictures=$(grep -oE '\]\([a-z0-9/-]+\.svg\)' docs/validation.md docs/etna2006-resolution.md | sed 's/.*(//; s/)//' | sort -u)
check '... shows pictures' [ "$(echo "$pictures" | wc -l)" -ge 6 ]
for picture in $pictures; do check "... $picture is there" [ -s "docs/$picture" ]; done

for study in plan-defaults coverage; do
    check "docs/defaults.md again, by $study" studies/$study --page "$work/defaults.md"
    check '... is the same text' cmp docs/defaults.md "$work/defaults.md"
done
check 'docs/etna2006-resolution.md again' studies/etna2006-resolution --page "$work/resolution.md"
check '... is the same text' cmp docs/etna2006-resolution.md "$work/resolution.md"

# Another result, another text: in a copy, with a calibration
mkdir -p "$work/copy/docs/etna2006-calibration" "$work/copy/studies"
cp -r docs/validation docs/etna2006-resolution.md "$work/copy/docs/"
cp studies/validation "$work/copy/studies/"
sed -i 's/^MOLASSES,0.478/MOLASSES,0.479/' "$work/copy/docs/validation/models.csv"
cat >"$work/copy/docs/etna2006-calibration/summary.json" <<'EOF'
{"fitted_parameters": 5, "search": {"evaluations": 2500},
 "best": {"unseen_noise": {"members": 100, "in_sample": {"mean": 0.5, "error": 0.01}, "held_out": null}},
 "as_it_stands": {"unseen_noise": {"members": 100, "in_sample": {"mean": 0.25, "error": 0.02},
                                   "held_out": {"mean": 0.125, "error": 0.03}}}}
EOF
check 'the text of other results' /usr/bin/python3 "$work/copy/studies/validation" --page "$work/other.md"
check '... has them' grep -q '^| MOLASSES | 0.479 |' "$work/other.md"
check '... and what a calibration gained' grep -qx '| as published, in sample | 0.250 ± 0.020 | 100 |' "$work/other.md"
check '... and what was held out' grep -qx '| as published, held out | 0.125 ± 0.030 | 100 |' "$work/other.md"
check '... which the repository has once it is computed' \
    [ "$(grep -c 'before and after calibration' docs/validation.md)" = "$([ -f docs/etna2006-calibration/summary.json ]; echo $((1 - $?)))" ]
report
