# ncu.bash — sourced by the scripts of this folder: how Nsight Compute is found, called and understood.
# Clocks are left alone (--clock-control none): a device is measured as it is found.

export LC_ALL=C # numbers with a point, wherever the user lives

# Prints the path of ncu, or nothing.
ncu_find() {
    if [ -n "${NCU:-}" ]; then echo "$NCU"; return; fi
    command -v ncu && return
    local path
    for path in /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu; do
        if [ -x "$path" ]; then echo "$path"; return; fi
    done
}

# ncu_missing_metrics LOG METRIC... : those of the metrics that an error in the log is about.
ncu_missing_metrics() {
    local log=$1
    shift
    tr -d '\\' <"$log" | awk -v asked="$*" '
        /^==ERROR==/ {
            n = split(asked, metric, " ")
            for (i = 1; i <= n; ++i) if (index($0, metric[i])) missing[metric[i]] = 1
            if (match($0, /metric regex:\^[A-Za-z0-9_]+/)) { # the name without what follows its dot
                base = substr($0, RSTART + 14, RLENGTH - 14)
                for (i = 1; i <= n; ++i) if (index(metric[i], base ".") == 1) missing[metric[i]] = 1
            }
        }
        END { for (m in missing) print m }'
}

# ncu_run LOG "METRIC ..." NCU_OPTION... -- PROGRAM ARGUMENT...
# Profiles the program; LOG gets the CSV (raw page, base units) among the profiler's own lines. Metrics
# that this version or device does not know are skipped and named in LOG.missing. Status 0: the log
# holds at least one kernel.
ncu_run() {
    local log=$1 metrics missing rest=() try
    read -r -d "" -a metrics <<<"$2" || true # any blanks, also ends of lines
    shift 2
    : >"$log.missing"
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    for try in 1 2 3 4 5 6 7 8; do
        rm -f "$log"
        "$(ncu_find)" --clock-control none --cache-control none --graph-profiling node \
            --csv --page raw --print-units base --print-kernel-base function \
            --log-file "$log" --metrics "$(IFS=,; echo "${metrics[*]}")" "${options[@]}" \
            "$@" >"$log.program" 2>&1 || true
        [ -f "$log" ] || cp "$log.program" "$log"
        missing=$(ncu_missing_metrics "$log" "${metrics[@]}")
        if [ -z "$missing" ] || [ "$try" = 8 ]; then break; fi
        echo "$missing" >>"$log.missing"
        rest=()
        for m in "${metrics[@]}"; do grep -qxF -- "$m" <<<"$missing" || rest+=("$m"); done
        if [ ${#rest[@]} = 0 ]; then break; fi
        metrics=("${rest[@]}")
    done
    grep -q '^"[0-9]' "$log"
}

# ncu_explain LOG : one line on why a log holds no kernel.
ncu_explain() {
    if [ -z "$(ncu_find)" ]; then
        echo "Nsight Compute (ncu) is not installed here; it comes with the CUDA toolkit, or set NCU"
    elif grep -qs ERR_NVGPUCTRPERM "$1" "$1.program"; then
        echo "this user may not read the GPU's counters (ERR_NVGPUCTRPERM): run as root, or let the" \
            "driver allow it (NVreg_RestrictProfilingToAdminUsers=0)"
    elif grep -qsi 'no CUDA device' "$1.program"; then
        echo "no CUDA device here"
    elif grep -qs '^==ERROR==' "$1" "$1.program"; then
        echo "$(grep -hs "^==ERROR==" "$1" "$1.program" | head -n 1); the program said:" \
            "$(tail -n 1 "$1.program" 2>/dev/null)"
    else
        echo "the profiler saw no kernel; the program said: $(tail -n 1 "$1.program" 2>/dev/null)"
    fi
}
