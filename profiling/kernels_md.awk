# kernels_md.awk — kernels.csv as Markdown: for each variant who takes the time, then how the kernels sit
# on the processor, what they move and what they compute.
BEGIN { FS = "," }

/^#/ { sub(/^# */, ""); head = head "- " $0 "\n"; next }
$1 == "kernel" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
{
    ++rows
    for (name in column) value[rows, name] = $column[name]
    if (!($2 in seen)) { seen[$2] = 1; variant[++variants] = $2 }
    total[$2] += $3 * $4
}

function v(r, name, format, factor) {
    if (value[r, name] == "") return "–"
    return sprintf(format, factor ? value[r, name] * factor : value[r, name])
}
function per(r, name, denominator) { # flop per byte
    if (value[r, name] == "" || value[r, denominator] == "" || value[r, denominator] + 0 == 0) return "–"
    return sprintf("%.3g", value[r, name] / value[r, denominator])
}
function rate(r) {
    if (value[r, "fp64_flop"] == "" || value[r, "time_us"] + 0 == 0) return "–"
    return sprintf("%.1f", value[r, "fp64_flop"] / value[r, "time_us"] * 1e-3)
}

# Rows of this variant, the most time first.
function arrange(name,    r, i, x) {
    count = 0
    for (r = 1; r <= rows; ++r) {
        if (value[r, "variant"] != name) continue
        x = value[r, "time_us"] * value[r, "calls"]
        for (i = count++; i > 0 && value[order[i], "time_us"] * value[order[i], "calls"] < x; --i)
            order[i + 1] = order[i]
        order[i + 1] = r
    }
}

function times_table(name,    i, r, x, share) {
    print "| Kernel | Time (s) | Calls | Avg (µs) | % Total |"
    print "|--------|----------|-------|----------|---------|"
    for (i = 1; i <= count; ++i) {
        r = order[i]
        x = value[r, "time_us"] * value[r, "calls"]
        share = total[name] > 0 ? sprintf("%.1f%%", 100 * x / total[name]) : "–"
        printf "| %s | %.4f | %s | %s | %s |\n", value[r, "kernel"], x * 1e-6,
            v(r, "calls", "%d"), v(r, "time_us", "%.2f"), share
    }
    printf "| **Total GPU** | **%.4f** | | | |\n\n", total[name] * 1e-6
}

function processor_table(    i, r) {
    print "| Kernel | Block | Grid | Registers | Shared/block (B) | Theoretical occupancy | Achieved | Branch efficiency | Threads per instruction | Issue active | Longest stalls (cycles per issue) |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; ++i) {
        r = order[i]
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", value[r, "kernel"],
            v(r, "block", "%s"), v(r, "grid", "%s"), v(r, "registers", "%d"),
            v(r, "shared_per_block", "%d"), v(r, "theoretical_occupancy", "%.1f%%"),
            v(r, "achieved_occupancy", "%.1f%%"), v(r, "branch_efficiency", "%.1f%%"),
            v(r, "threads_per_instruction", "%.1f"), v(r, "issue_active", "%.1f%%"),
            value[r, "stalls"] == "" ? "–" : value[r, "stalls"]
    }
    print ""
}

function memory_table(    i, r) {
    print "| Kernel | DRAM (kB) | L2 (kB) | L1 (kB) | Shared (kB) | Sectors per load | Sectors per store |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; ++i) {
        r = order[i]
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", value[r, "kernel"],
            v(r, "dram_bytes", "%.1f", 1e-3), v(r, "l2_bytes", "%.1f", 1e-3),
            v(r, "l1_bytes", "%.1f", 1e-3), v(r, "shared_bytes", "%.1f", 1e-3),
            v(r, "load_sectors", "%.2f"), v(r, "store_sectors", "%.2f")
    }
    print ""
}

function arithmetic_table(    i, r) {
    print "| Kernel | FP64 add | FP64 mul | FP64 fma | FLOP | GFLOP/s | FLOP/B DRAM | FLOP/B L2 | FLOP/B L1 | FLOP/B shared |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; ++i) {
        r = order[i]
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", value[r, "kernel"],
            v(r, "fp64_add", "%d"), v(r, "fp64_mul", "%d"), v(r, "fp64_fma", "%d"),
            v(r, "fp64_flop", "%d"), rate(r), per(r, "fp64_flop", "dram_bytes"),
            per(r, "fp64_flop", "l2_bytes"), per(r, "fp64_flop", "l1_bytes"),
            per(r, "fp64_flop", "shared_bytes")
    }
    print ""
}

END {
    print "# Kernels, by the profiler's counters\n"
    print head
    if (!rows) print "Nothing was counted; the notes above say why."
    else print "Numbers are per launch, averaged over the launches counted. Time is the mean under the profiler times the launches of the whole run; a launch under the profiler is not overlapped with others.\n"
    for (k = 1; k <= variants; ++k) {
        arrange(variant[k])
        printf "## %s\n\n", variant[k]
        times_table(variant[k])
        processor_table()
        memory_table()
        arithmetic_table()
    }
}
