# kernels.awk — kernels.csv out of two tab-separated files:
#   calls      variant kernel launches_per_step launches_in_the_run
#   counters   variant kernel launch metric value        (ncu_csv.awk, with the variant in front)
# One row per variant and kernel, in the order in which they were seen; every number is the mean over the
# launches that were counted; an empty field was not counted.
BEGIN {
    FS = "\t"; OFS = ","
    print "kernel,variant,time_us,calls,dram_bytes,l2_bytes,l1_bytes,shared_bytes,fp64_flop," \
        "fp64_add,fp64_mul,fp64_fma,registers,shared_per_block,block,grid,theoretical_occupancy," \
        "achieved_occupancy,branch_efficiency,divergent_branches,threads_per_instruction," \
        "load_sectors,store_sectors,issue_active,stalls,counted_launches"
}

function mean(metric) { return n[key, metric] ? sum[key, metric] / n[key, metric] : "" }
function times(x, factor) { return x == "" ? "" : x * factor }
function either(a, b) { return a == "" ? b : a }
function number(x) { return x == "" ? "" : sprintf("%.10g", x) }

# Passes over the banks by loads, stores and atomics. The total also has what else goes that way, thread indices
# and shuffles among it: only where nothing better was counted.
function shared_passes(    all, load, store) {
    all = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
    load = mean(all "_op_ld.sum"); store = mean(all "_op_st.sum")
    return load == "" || store == "" ? mean(all ".sum") : load + store + mean(all "_op_atom.sum")
}

# The three reasons why a warp waited longest: cycles per instruction issued.
function worst_stalls(    i, k, m, name, best, text, used) {
    text = ""
    for (k = 0; k < 3; ++k) {
        best = ""
        for (i = 1; i <= reasons; ++i) {
            m = mean(reason[i])
            if (m != "" && m > 0 && !(i in used) && (best == "" || m > mean(reason[best]))) best = i
        }
        if (best == "") break
        used[best] = 1
        name = reason[best]
        sub(/.*issue_stalled_/, "", name); sub(/_per_issue_active.*/, "", name)
        text = text (text == "" ? "" : "; ") name " " sprintf("%.2f", mean(reason[best]))
    }
    return text
}

FILENAME ~ /calls$/ { calls[$1, $2] = $4; next }
{
    key = $1 SUBSEP $2
    if (!(key in seen)) { seen[key] = 1; order[++rows] = key }
    if ($4 == "block" || $4 == "grid") { shape[key, $4] = $5; next }
    sum[key, $4] += $5; ++n[key, $4]
    if ($4 ~ /issue_stalled_/ && !($4 in known)) { known[$4] = 1; reason[++reasons] = $4 }
}

END {
    for (r = 1; r <= rows; ++r) {
        key = order[r]
        split(key, part, SUBSEP)
        read = mean("dram__bytes_read.sum"); write = mean("dram__bytes_write.sum")
        dram = either(mean("dram__bytes.sum"), read == "" || write == "" ? "" : read + write)
        l2 = either(times(mean("lts__t_sectors_srcunit_tex.sum"), 32), mean("lts__t_bytes.sum"))
        shared = times(shared_passes(), 128)
        add = mean("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum")
        mul = mean("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum")
        fma = mean("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum")
        flop = add == "" || mul == "" || fma == "" ? "" : add + mul + 2 * fma
        print part[2], part[1], number(times(mean("gpu__time_duration.sum"), 1e-3)),
            calls[part[1], part[2]], number(dram), number(l2), number(mean("l1tex__t_bytes.sum")),
            number(shared), number(flop), number(add), number(mul), number(fma),
            number(mean("launch__registers_per_thread")),
            number(mean("launch__shared_mem_per_block")), shape[key, "block"], shape[key, "grid"],
            number(mean("sm__maximum_warps_per_active_cycle_pct")),
            number(mean("sm__warps_active.avg.pct_of_peak_sustained_active")),
            number(mean("smsp__sass_average_branch_targets_threads_uniform.pct")),
            number(mean("smsp__sass_branch_targets_threads_divergent.sum")),
            number(mean("smsp__thread_inst_executed_per_inst_executed.ratio")),
            number(mean("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio")),
            number(mean("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio")),
            number(mean("smsp__issue_active.avg.pct_of_peak_sustained_active")), worst_stalls(),
            n[key, "gpu__time_duration.sum"]
    }
}
