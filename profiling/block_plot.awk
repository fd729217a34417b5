# block_plot.awk — a gnuplot script out of block_sweep.csv: one panel for each domain, a group of bars for each
# shape, a colour for each variant; the bars' lines go from the least to the largest time.
#   -v kind=png|svg   -v picture=FILE
# Exit status 1 with a line on stderr when there is nothing to draw.
BEGIN {
    FS = ","
    width = 1200
    split("#0b4f8a #d1495b #1b8a5a #e08e0b #6a3d9a #17becf #7f7f7f", palette, " ")
    about["lava"] = "only where lava is"
    about["full"] = "every cell in every step"
}
function with(text, item) { return index(" " text " ", " " item " ") ? text : text (text == "" ? "" : " ") item }

/^#/ { if (sub(/^# device: /, "")) device = $0; next }
$1 == "variant" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
$column["us_per_step"] != "" {
    v = $column["variant"]; b = $column["block"]; d = $column["domain"]
    variants = with(variants, v)
    blocks = with(blocks, b)
    domains = with(domains, d)
    bar[v, b, d] = $column["us_per_step"] " " $column["us_min"] " " $column["us_max"]
}

function panel(d, is_last,    i, k, plots) {
    printf "$%s << END\n", d
    for (i = 1; i <= block_count; ++i) {
        printf "%s", block[i]
        for (k = 1; k <= variant_count; ++k)
            printf " %s", (variant[k], block[i], d) in bar ? bar[variant[k], block[i], d] : "NaN NaN NaN"
        print ""
    }
    print "END"
    printf "set title \"%s\"\n", d in about ? about[d] : d
    print is_last ? "set xlabel 'block: columns x rows of threads'" : "unset xlabel"
    for (k = 1; k <= variant_count; ++k)
        plots = plots (k > 1 ? ", " : "") sprintf("$%s using %d:%d:%d:xtic(1) lc rgb \"%s\" title \"%s\"", d,
            3 * k - 1, 3 * k, 3 * k + 1, palette[(k - 1) % 7 + 1], variant[k])
    print "plot " plots
}

END {
    variant_count = split(variants, variant, " ")
    block_count = split(blocks, block, " ")
    domain_count = split(domains, domain, " ")
    if (!domain_count) {
        print "block_plot: not drawn: no row has a time" >"/dev/stderr"
        exit 1
    }
    height = 120 + 380 * domain_count
    if (kind == "png") printf "set terminal pngcairo size %d,%d font \"DejaVu Sans,12\" noenhanced\n", width, height
    else printf "set terminal svg size %d,%d font \"DejaVu Sans,12\" background rgb \"white\" noenhanced\n", width, height
    printf "set output \"%s\"\n", picture
    printf "set multiplot layout %d,1 title \"Time per step over shapes of a block%s\"\n", domain_count,
        device == "" ? "" : ", " device
    print "set style data histogram; set style histogram errorbars gap 1.5 lw 1; set style fill solid 0.85 noborder"
    print "set boxwidth 0.9; set errorbars 0.4 lw 1 lc rgb \"#333333\"; set grid ytics lw 1 lc rgb \"#bbbbbb\"; set xtics nomirror scale 0"
    print "set ylabel 'µs per step'; set yrange [0:*]; set key outside right top Left reverse samplen 1"
    for (i = 1; i <= domain_count; ++i) panel(domain[i], i == domain_count)
    print "unset multiplot"
}
