# block_sweep.awk — rows of block_sweep.csv out of what a simulator with blocks of `shape` printed:
# sciara variants --resources, then benchmark.csv. Only kernels whose blocks have that shape count; if a
# variant has none, the program was compiled for another one, which is an error.
BEGIN { FS = OFS = "," }

function joined(list, item) { return list == "" ? item : list "; " item }
function per_step(ms) { return ms == "" || !$column["steps"] ? "" : sprintf("%.5g", 1000 * ms / $column["steps"]) }

/^#/ { next }
$1 == "variant" { ++file; split("", column); for (i = 1; i <= NF; ++i) column[$i] = i; next }
file == 1 && $column["block"] == shape {
    v = $column["variant"]
    threads = $column["threads"]
    kernels[v] = joined(kernels[v], $column["kernel"])
    registers[v] = joined(registers[v], $column["registers"])
    shared_bytes[v] = joined(shared_bytes[v], $column["shared_bytes"])
    local_bytes[v] = joined(local_bytes[v], $column["local_bytes"])
    occupancy[v] = joined(occupancy[v], $column["occupancy_percent"])
    limit[v] = joined(limit[v], $column["blocks_per_multiprocessor"] ? $column["limited_by"] : "cannot be launched: " $column["limited_by"])
}
file == 2 {
    v = $column["variant"]
    if (!(v in kernels)) {
        print "block_sweep.awk: " v " has no kernel with blocks of " shape >"/dev/stderr"
        exit 1
    }
    print v, shape, threads, $column["domain"], $column["bits"], per_step($column["steps_ms"]),
        per_step($column["steps_min_ms"]), per_step($column["steps_max_ms"]), kernels[v], registers[v],
        shared_bytes[v], local_bytes[v], occupancy[v], limit[v]
}
