# ncu_csv.awk — turns what `ncu --csv` prints (raw page, or a line per metric) into lines of
#     kernel <TAB> launch <TAB> metric <TAB> value
# with times in ns and sizes in bytes. The kernel is its bare function name;
# block and grid, as in 16x16, come as two more metrics. Values that are not numbers
# (n/a, nan) are skipped; so are the profiler's own ==PROF== lines and all text before the table.

# Splits one line into field[1..n]: quotes may hold commas, and a doubled quote is a quote.
function split_csv(line, field,    n, i, c, quoted, text) {
    n = 0; quoted = 0; text = ""
    for (i = 1; i <= length(line); ++i) {
        c = substr(line, i, 1)
        if (quoted) {
            if (c != "\"") text = text c
            else if (substr(line, i + 1, 1) == "\"") { text = text c; ++i }
            else quoted = 0
        } else if (c == "\"") quoted = 1
        else if (c == ",") { field[++n] = text; text = "" }
        else text = text c
    }
    field[++n] = text
    return n
}

function scale(unit) {
    sub(/\/.*/, "", unit) # per block, per thread
    if (unit == "us" || unit == "usecond") return 1e3
    if (unit == "ms" || unit == "msecond") return 1e6
    if (unit == "s" || unit == "second") return 1e9
    if (unit ~ /^K(byte|B)$/) return 1e3
    if (unit ~ /^M(byte|B)$/) return 1e6
    if (unit ~ /^G(byte|B)$/) return 1e9
    return 1
}

# void a::name<1, true>(int, double*) -> a::name
function bare(name) {
    sub(/^(void|static|inline) /, "", name)
    sub(/[<(].*/, "", name)
    gsub(/[ \t,]/, "", name)
    return name
}

function emit(name, launch, metric, unit, value) {
    gsub(/,/, "", value) # thousands
    if (value ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/)
        printf "%s\t%s\t%s\t%.10g\n", bare(name), launch, metric, value * scale(unit)
}

# "(16, 16, 1)" -> 16x16
function shape(name, launch, head, value) {
    gsub(/[() ]/, "", value)
    gsub(/,/, "x", value)
    sub(/(x1)+$/, "", value)
    printf "%s\t%s\t%s\t%s\n", bare(name), launch, head == "Block Size" ? "block" : "grid", value
}

{ sub(/\r$/, "") }
/^==/ || !/^"/ { next }
{ n = split_csv($0, field) }
field[1] == "ID" {
    columns = n; kernel = metric = 0
    for (i = 1; i <= n; ++i) {
        head[i] = field[i]; unit[i] = ""
        if (field[i] == "Kernel Name") kernel = i
        if (field[i] == "Metric Name") metric = i
        if (field[i] == "Metric Unit") metric_unit = i
        if (field[i] == "Metric Value") metric_value = i
    }
    next
}
!columns || !kernel { next }
field[1] == "" { for (i = 1; i <= n; ++i) unit[i] = field[i]; next } # the raw page's row of units
metric { emit(field[kernel], field[1], field[metric], field[metric_unit], field[metric_value]); next }
{
    for (i = 1; i <= n && i <= columns; ++i)
        if (head[i] ~ /__/) emit(field[kernel], field[1], head[i], unit[i], field[i])
        else if (head[i] == "Block Size" || head[i] == "Grid Size") shape(field[kernel], field[1], head[i], field[i])
}
