# roofline.awk — a gnuplot script out of ceilings.csv and kernels.csv.
#   -v variant=NAME   that variant, a point for each kernel and memory level; empty: all variants, a point
#                     for each kernel, at DRAM
#   -v kind=png|svg   -v picture=FILE
# Exit status 1 with a line on stderr when there is nothing to draw.
BEGIN {
    FS = ","
    width = 1200; height = 820
    left = 0.075; right = variant == "" ? 0.80 : 0.975; bottom = 0.13; top = 0.92 # parts of the picture
    split("dram l2 l1 shared", level, " ")
    split("DRAM;L2;L1;shared memory", level_name, ";")
    split("#0b4f8a #1b8a5a #b5651d #8e2a7b", level_colour, " ")
    split("7 9 13 5", level_point, " ") # disc, triangle, diamond, square
    split("#0b4f8a #d1495b #1b8a5a #e08e0b #6a3d9a #17becf #7f7f7f", palette, " ")
    split("7 9 5 13 11 15 6 8 4 12", shape, " ")
}

function log10(x) { return log(x) / log(10) }
function most(a, b) { return a + 0 > b + 0 ? a + 0 : b + 0 }
function escaped(s) { gsub(/[_@^{}&~\\]/, "\\\\&", s); gsub(/"/, "", s); return s }

/^#/ { if (FNR == NR && sub(/^# device: /, "")) { sub(/;.*/, ""); device = $0 } next }
FNR == NR && $1 == "name" { for (i = 1; i <= NF; ++i) if ($i == "value") value = i; next }
FNR == NR { # a ceiling: the best that was measured of its kind
    if ($1 ~ /^dram_/) ceiling["dram"] = most(ceiling["dram"], $value)
    if ($1 ~ /^l2_/) ceiling["l2"] = most(ceiling["l2"], $value)
    if ($1 ~ /^l1_/) ceiling["l1"] = most(ceiling["l1"], $value)
    if ($1 ~ /^shared_/) ceiling["shared"] = most(ceiling["shared"], $value)
    if ($1 == "fp64_fma") fma = $value + 0
    if ($1 == "fp64_mul_add") mul_add = $value + 0
    next
}
$1 == "kernel" { next }
variant != "" && $2 != variant { next }
$3 + 0 <= 0 || $9 / $3 < 1e3 { # without FP64 operations, or with too few to be about them
    none = none (none == "" ? "" : ", ") $1 (variant == "" ? " (" $2 ")" : "")
    next
}
{
    ++n
    name[n] = $1; owner[n] = $2
    speed[n] = $9 / $3 * 1e-3 # GFLOP/s
    for (k = 1; k <= 4; ++k) intensity[n, k] = $(4 + k) + 0 > 0 ? $9 / $(4 + k) : 0
    if (!($2 in owner_colour)) { owner_colour[$2] = palette[++owners]; owner_name[owners] = $2 }
    if (!($1 in name_shape)) { name_shape[$1] = shape[names++ % 10 + 1]; shape_name[names] = $1 }
}

# Every number that has to be in the picture widens its ranges.
function ranges(    i, k, levels) {
    x0 = y0 = 1e30; x1 = y1 = 0
    levels = variant == "" ? 1 : 4
    for (i = 1; i <= n; ++i) {
        if (speed[i] < y0) y0 = speed[i]
        for (k = 1; k <= levels; ++k) {
            if (intensity[i, k] == 0) continue
            if (intensity[i, k] < x0) x0 = intensity[i, k]
            if (intensity[i, k] > x1) x1 = intensity[i, k]
        }
    }
    if (mul_add / ceiling["shared"] / 30 < x0) x0 = mul_add / ceiling["shared"] / 30
    x0 /= 2; x1 = most(x1 * (variant == "" ? 3 : 40), 10 * fma / ceiling["dram"])
    y0 /= 3; y1 = fma * 2.5
}

# The angle at which a line of constant bandwidth rises in the picture.
function angle(    dx, dy) {
    dx = (right - left) * width / (log10(x1) - log10(x0))
    dy = (top - bottom) * height / (log10(y1) - log10(y0))
    return atan2(dy, dx) * 180 / 3.14159265
}

# A list broken at commas into lines of about so many characters.
function lines(text, longest,    part, n, i, out, line) {
    n = split(text, part, ", ")
    for (i = 1; i <= n; ++i) {
        if (line != "" && length(line part[i]) > longest) { out = out line ",\\n"; line = "" }
        line = line (line == "" ? "" : ", ") part[i]
    }
    return out line
}

function slanted(k,    bandwidth, x, from) {
    bandwidth = ceiling[level[k]]
    if (!bandwidth) return
    from = most(x0, y0 / bandwidth)
    printf "set arrow from %g,%g to %g,%g nohead lw 2 lc rgb \"%s\" back\n", from, bandwidth * from,
        fma / bandwidth, fma, level_colour[k]
    x = from * 10 ^ (0.12 + 0.05 * k)
    printf "set label \"%s %s\" at %g,%g rotate by %.1f left offset 0,%.1f font \",11\" textcolor rgb \"%s\"\n",
        level_name[k], (bandwidth < 1000 ? sprintf("%.0f GB/s", bandwidth) : sprintf("%.2f TB/s", bandwidth / 1000)),
        x, bandwidth * x, angle(), level[k] == "l1" ? -0.8 : 0.7, level_colour[k]
}

function flat(rate, text, dash) {
    if (!rate) return
    printf "set arrow from %g,%g to %g,%g nohead lw 2 dt %d lc rgb \"#333333\" back\n",
        rate / most(ceiling["shared"], ceiling["l1"]), rate, x1, rate, dash
    printf "set label \"%s %.1f TFLOP/s\" at %g,%g right offset -1,0.6 font \",11\" textcolor rgb \"#333333\"\n",
        text, rate / 1000, x1, rate
}

# Names of the kernels, beside the rightmost point of each, kept a line apart where points crowd.
function labels(    i, j, k, x, y, step, sorted, swap) {
    for (i = 1; i <= n; ++i) sorted[i] = i
    for (i = 2; i <= n; ++i)
        for (j = i; j > 1 && speed[sorted[j]] > speed[sorted[j - 1]]; --j) {
            swap = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = swap
        }
    step = 10 ^ ((log10(y1) - log10(y0)) * 19 / ((top - bottom) * height))
    y = 1e30
    for (i = 1; i <= n; ++i) {
        j = sorted[i]
        x = 0
        for (k = 1; k <= 4; ++k) x = most(x, intensity[j, k])
        y = speed[j] < y / step ? speed[j] : y / step
        printf "set label \"%s  " (speed[j] < 999.5 ? "%.3g" : "%.0f") " GFLOP/s\" at %g,%g left offset 1.6,0 font \",12\" front\n",
            escaped(name[j]), speed[j], x, y
    }
}

# The points of every memory level of one variant, a thin line through those of a kernel.
function points_by_level(    i, k, plots, low, high) {
    for (k = 1; k <= 4; ++k) {
        printf "$level%d << END\n", k
        for (i = 1; i <= n; ++i) if (intensity[i, k]) printf "%g %g\n", intensity[i, k], speed[i]
        print "END"
    }
    for (i = 1; i <= n; ++i) {
        low = 1e30; high = 0
        for (k = 1; k <= 4; ++k) if (intensity[i, k]) {
            if (intensity[i, k] < low) low = intensity[i, k]
            high = most(high, intensity[i, k])
        }
        if (high > 0) printf "set arrow from %g,%g to %g,%g nohead lw 1 lc rgb \"#999999\" back\n", low, speed[i], high, speed[i]
    }
    labels()
    for (k = 1; k <= 4; ++k) {
        any = 0
        for (i = 1; i <= n; ++i) any += intensity[i, k] > 0
        if (any) plots = plots (plots == "" ? "" : ", ") sprintf("$level%d with points pt %d ps 2 lc rgb \"%s\" title \"bytes at %s\"", k, level_point[k], level_colour[k], level_name[k])
    }
    print "plot " plots
}

# One point a kernel: the colour says the variant, the shape says the kernel.
function points_by_variant(    i, plots) {
    for (i = 1; i <= n; ++i) {
        if (!intensity[i, 1]) continue
        printf "$point%d << END\n%g %g\nEND\n", i, intensity[i, 1], speed[i]
        plots = plots (plots == "" ? "" : ", ") sprintf("$point%d with points pt %d ps 1.8 lc rgb \"%s\" notitle", i, name_shape[name[i]], owner_colour[owner[i]])
    }
    for (i = 1; i <= owners; ++i)
        plots = plots sprintf(", NaN with points pt 7 ps 1.6 lc rgb \"%s\" title \"%s\"", owner_colour[owner_name[i]], escaped(owner_name[i]))
    for (i = 1; i <= names; ++i)
        plots = plots sprintf(", NaN with points pt %d ps 1.6 lc rgb \"#333333\" title \"%s\"", name_shape[shape_name[i]], escaped(shape_name[i]))
    print "plot " plots
}

END {
    if (!fma || !ceiling["dram"] || !ceiling["l2"] || !ceiling["shared"]) {
        print "roofline: not drawn: the ceilings lack fp64_fma, dram_*, l2_* or shared_*" >"/dev/stderr"
        exit 1
    }
    if (!n) {
        print "roofline: not drawn: no kernel reaches 1 GFLOP/s (FP64)" >"/dev/stderr"
        exit 1
    }
    if (!ceiling["l1"]) ceiling["l1"] = ceiling["shared"]
    ranges()
    if (kind == "png") printf "set terminal pngcairo size %d,%d font \"DejaVu Sans,12\" noenhanced\n", width, height
    else printf "set terminal svg size %d,%d font \"DejaVu Sans,12\" background rgb \"white\" noenhanced\n", width, height
    printf "set output \"%s\"\n", picture
    printf "set title \"Roofline%s%s\"\n", variant == "" ? " of all variants (bytes at DRAM)" : ": " variant, device == "" ? "" : ", " device
    printf "set lmargin at screen %g; set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g\n", left, right, bottom, top
    print "set logscale xy; set format x '%g'; set format y '%g'"
    print "set grid xtics ytics lw 1 lc rgb \"#bbbbbb\""
    print "set xlabel 'arithmetic intensity (FLOP/byte)' offset 0,0.4; set ylabel 'GFLOP/s (FP64)'"
    printf "set xrange [%g:%g]; set yrange [%g:%g]\n", x0, x1, y0, y1
    if (variant == "") print "set key at screen 0.815,0.9 left top Left reverse samplen 1"
    else print "set key inside left top Left reverse samplen 1 box lc rgb '#cccccc' opaque"
    if (none != "") printf "set label \"no FP64 operations, or below 1 GFLOP/s: %s\" at screen %g,0.046 left font \",9\" textcolor rgb \"#555555\"\n", lines(none, 130), left
    slanted(1); slanted(2); slanted(3); slanted(4)
    flat(fma, "FP64 fused multiply-add", 1)
    flat(mul_add, "FP64 multiply, add", 2)
    if (variant == "") points_by_variant()
    else points_by_level()
}
