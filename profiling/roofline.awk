# roofline.awk — what studies/draw draws out of ceilings.csv and kernels.csv: a diagram for each variant.
#   -v only=VARIANT     that one alone; empty: all
# Exit status 1 with a line on stderr when there is nothing to draw.
BEGIN {
    FS = ","
    split("dram l2 l1 shared", level, " ")
    split("DRAM;L2;L1;shared memory", level_name, ";")
}

function most(a, b) { return a + 0 > b + 0 ? a + 0 : b + 0 }

/^#/ { if (FNR == NR && sub(/^# device: /, "")) { sub(/;.*/, ""); device = $0 } next }
FNR == NR && $1 == "name" { for (i = 1; i <= NF; ++i) if ($i == "value") value = i; next }
FNR == NR { # a ceiling: the best that was measured of its kind
    for (k = 1; k <= 4; ++k) if (index($1, level[k] "_") == 1) bandwidth[k] = most(bandwidth[k], $value)
    if ($1 == "fp64_fma") fma = $value + 0
    if ($1 == "fp64_mul_add") mul_add = $value + 0
    next
}
$1 == "kernel" || (only != "" && $2 != only) { next }
$3 + 0 <= 0 || $9 / $3 < 1e3 { # without FP64 operations, or with too few to be about them
    if (!left_out[$1]++) none = none (none == "" ? "" : ", ") $1
    next
}
{
    if (!count[$2]++) variant[++variants] = $2
    i = count[$2]
    name[$2, i] = $1
    speed[$2, i] = $9 / $3 * 1e-3 # GFLOP/s
    if (!least || speed[$2, i] < least) least = speed[$2, i]
    for (k = 1; k <= 4; ++k) {
        if ($(4 + k) + 0 <= 0) continue
        x = intensity[$2, i, k] = $9 / $(4 + k)
        if (!low || x < low) low = x
        high = most(high, x)
        if (x > furthest[$2, i]) { furthest[$2, i] = x; last[$2, i] = k }
    }
}

# The ceiling of a level, and each kernel at its FLOP per byte moved there; its name stands right of all of them.
function draw_level(v, k, is_first,    i, from) {
    from = most(low, least / bandwidth[k])
    print "line" (is_first ? sprintf(" bytes at %s: at most %.3g TB/s", level_name[k], bandwidth[k] / 1000) : "")
    printf "%g %g\n%g %g\n%g %g\n", from, bandwidth[k] * from, fma / bandwidth[k], fma, high, fma
    for (i = 1; i <= count[v]; ++i)
        if ((v, i, k) in intensity)
            printf "point %g %g %s\n", intensity[v, i, k], speed[v, i], last[v, i] == k ? name[v, i] : ""
}

END {
    if (!fma || !bandwidth[1] || !bandwidth[2] || !bandwidth[4]) {
        print "roofline: not drawn: the ceilings lack fp64_fma, dram_*, l2_* or shared_*" >"/dev/stderr"
        exit 1
    }
    if (!variants) {
        print "roofline: not drawn: no kernel reaches 1 GFLOP/s (FP64)" >"/dev/stderr"
        exit 1
    }
    if (!bandwidth[3]) bandwidth[3] = bandwidth[4]
    low = (low < mul_add / bandwidth[4] / 30 ? low : mul_add / bandwidth[4] / 30) / 2
    high = most(high, fma / bandwidth[1]) * 300 # room for names
    least /= 3
    print "title Roofline" (device == "" ? "" : ", " device)
    printf "subtitle Each kernel at its operations per byte moved at each level of memory; fused multiply-add: at most %.3g TFLOP/s\n",
        fma / 1000
    for (n = 1; n <= variants; ++n) {
        if (n > 1) print "next"
        printf "log-x %g %g %s\n", low, high, n == variants ? "FP64 operations per byte" : ""
        printf "log-y %g %g %s: GFLOP/s\n", least, fma * 2.5, variant[n]
        for (k = 1; k <= 4; ++k) draw_level(variant[n], k, n == 1)
        if (mul_add) {
            print "line" (n == 1 ? sprintf(" multiply, then add: at most %.3g TFLOP/s", mul_add / 1000) : "")
            printf "%g %g\n%g %g\n", mul_add / bandwidth[4], mul_add, high, mul_add
        }
    }
    if (none != "") print "note Without FP64 operations, or below 1 GFLOP/s: " none "."
}
