# performance.awk — fills measured numbers into performance.md.in (tools/performance-document).
#
# The first files are tables: CSV with comments before a header line. Their name is that of the file; that of
# ../cpu/benchmark.csv is cpu, that of ../h100/benchmark.csv h100. The last file is the text. In it, a place in
# double braces stands for
#
#   = REF [FORMAT [FACTOR]]        a number
#   / REF REF [FORMAT [FACTOR]]    a quotient
#   - REF REF [FORMAT [FACTOR]]    a difference
#   met REF <= NUMBER [FACTOR]     yes or no (also >=)
#   met/ REF REF <= NUMBER         the same of a quotient
#   wet TABLE                      how many cells held lava in an average step
#   from TABLE                     which file, made by which command on which device
#   rows TABLE [COLUMNS]           as it is; a column may have a heading: COLUMN=HEADING
#   benchmark TABLE                the usual columns of sciara benchmark
#   limits                         what limits each variant
#   sheet TABLE BYTES              updates per second against the two ceilings
#   picture FILE TEXT...
#
# REF is TABLE:KEY:...:COLUMN, the keys being those of the table's first columns, * for any; blanks are
# written as underscores, also in headings. The last five stand on a line of their own.

function named(path,    p, n) {
    n = split(path, p, "/")
    if (p[n - 1] ~ /^(cpu|h100)$/ && p[n] == "benchmark.csv") return p[n - 1]
    sub(/\.csv$/, "", p[n])
    return p[n]
}

FNR == 1 { table = FILENAME ~ /\.csv$/ ? named(FILENAME) : ""; if (table != "") { file[table] = FILENAME; rows[table] = 0 } }
table != "" && /^#/ {
    line = $0; sub(/^# */, "", line)
    key = line; sub(/:.*/, "", key); sub(/^[^:]*: */, "", line)
    if (!((table, key) in about)) about[table, key] = line
    next
}
# Result files keep what was measured; kernels that had another name then go by their present one.
BEGIN {
    now["flow"] = "computeOutflows_massBalance"; now["outflows"] = "computeOutflows"
    now["settle"] = "massBalance_solidification"; now["emit_first"] = "emitLava"
    now["stay"] = "on_chip"; now["march"] = "through_memory"
}
function present_names(text,    name, n, i) {
    n = split(text, name, /; */)
    text = ""
    for (i = 1; i <= n; ++i) text = text (i > 1 ? "; " : "") (name[i] in now ? now[name[i]] : name[i])
    return text
}
table != "" {
    n = split($0, field, ",")
    if (!(table in columns)) {
        columns[table] = n
        for (i = 1; i <= n; ++i) { column[table, i] = field[i]; number[table, field[i]] = i }
        next
    }
    ++rows[table]
    for (i = 1; i <= n; ++i) cell[table, rows[table], i] = column[table, i] ~ /^kernels?$/ ? present_names(field[i]) : field[i]
    next
}

# ---- looking up ----------------------------------------------------------------------------------------

function same(key, text) { gsub(/ /, "_", text); return key == "*" || key == text }
function value(t, r, name) { return (t, name) in number ? cell[t, r, number[t, name]] : "" }

# The first row of table part[1] whose first columns are part[2..n-1]; 0: none.
function row_of(part, n,    r, i) {
    for (r = 1; r <= rows[part[1]]; ++r) {
        for (i = 2; i < n; ++i) if (!same(part[i], cell[part[1], r, i - 1])) break
        if (i >= n) return r
    }
    return 0
}

function look(ref,    part, n, r) {
    n = split(ref, part, ":")
    if (!(part[1] in file)) return ""
    if (columns[part[1]] && !((part[1], part[n]) in number)) complain(ref ": that table has no such column")
    r = row_of(part, n)
    return r ? value(part[1], r, part[n]) : ""
}

function is_number(x) { return x ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }

# 1234567 as 1,234,567; and three significant digits where no format is given.
function grouped(text,    head, tail) {
    tail = ""
    if ((i = index(text, ".")) > 0) { tail = substr(text, i); text = substr(text, 1, i - 1) }
    head = ""
    while (length(text) > 3) { head = "," substr(text, length(text) - 2) head; text = substr(text, 1, length(text) - 3) }
    return text head tail
}
function plain(x,    a) {
    if (x == "") return "–"
    a = x < 0 ? -x : x
    if (a != 0 && a < 0.001) return sprintf("%.2e", x)
    return grouped(sprintf(a >= 100 ? "%.0f" : a >= 10 ? "%.1f" : a >= 1 ? "%.2f" : "%.3f", x))
}
function show(x, format) {
    if (x == "") return "not measured"
    if (!is_number(x)) return x
    return format == "" ? plain(x + 0) : sprintf(format, x)
}
function scaled(x, factor) { return is_number(x) && factor != "" ? x * factor : x }
function quotient(a, b) { return is_number(a) && is_number(b) && b != 0 ? a / b : "" }
function judged(x, relation, limit) {
    if (!is_number(x)) return "–"
    return (relation == "<=" ? x + 0 <= limit + 0 : x + 0 >= limit + 0) ? "yes" : "**no**"
}

# ---- what follows from several tables --------------------------------------------------------------------

function steps_of(t,    text) {
    text = about[t, "command"]
    return match(text, /[0-9]+ steps/) ? substr(text, RSTART, RLENGTH) + 0 : 0
}

# Sums over the kernels of a variant, into the globals sum_us, sum_calls, sum_flop, sum_fp64 (instructions), longest.
function sum_kernels(t, variant,    r, us, most) {
    sum_us = sum_calls = sum_flop = sum_fp64 = longest = most = 0
    for (r = 1; r <= rows[t]; ++r) {
        if (value(t, r, "variant") != variant) continue
        us = value(t, r, "time_us") * value(t, r, "calls")
        sum_us += us; sum_calls += value(t, r, "calls")
        sum_flop += value(t, r, "fp64_flop") * value(t, r, "calls")
        sum_fp64 += (value(t, r, "fp64_add") + value(t, r, "fp64_mul") + value(t, r, "fp64_fma")) * value(t, r, "calls")
        if (us > most) { most = us; longest = r }
    }
    return longest
}

function top(variant) {
    if (!sum_kernels("kernels", variant)) return "not measured"
    return sprintf("`%s`, %.0f %%", value("kernels", longest, "kernel"),
        100 * value("kernels", longest, "time_us") * value("kernels", longest, "calls") / sum_us)
}

function wet(t) {
    return rows[t] ? plain(value(t, 1, "updates") / value(t, 1, "steps")) : "not measured"
}

function device(t,    text) {
    text = about[t, "CPU"]
    if ((t, "GPU") in about) text = about[t, "GPU"]
    if ((t, "device") in about) text = about[t, "device"]
    sub(/[;,].*/, "", text) # without its properties and the versions of its software
    return text
}

function origin(t,    text) {
    if (!(t in file)) return "*" t ".csv: not measured.*"
    text = "[`" file[t] "`](../" file[t] ")"
    if (about[t, "command"] != "") text = text ", made by `" about[t, "command"] "`"
    if (device(t) != "") text = text " on " device(t)
    return "*" text ".*"
}

# ---- blocks ------------------------------------------------------------------------------------------------

function head(text,    n, i, f, rule) {
    n = split(text, f, "|")
    rule = "|"
    for (i = 2; i < n; ++i) rule = rule (f[i] ~ /:$/ ? "---:|" : "---|")
    gsub(/:\|/, " |", text)
    print text
    print rule
}

function absent(t) {
    if (t in file && rows[t]) return 0
    print "*" t ".csv: not measured.*"
    return 1
}

function print_rows(t, wanted,    n, name, heading, part, r, k, line) {
    if (absent(t)) return
    n = wanted != "" ? split(wanted, name, ",") : columns[t]
    line = "|"
    for (k = 1; k <= n; ++k) {
        if (wanted == "") name[k] = column[t, k]
        heading = split(name[k], part, "=") > 1 ? part[2] : name[k]
        name[k] = part[1]
        if (!((t, name[k]) in number)) complain(t " has no column " name[k])
        if (heading != part[1]) gsub(/_/, " ", heading)
        line = line " " heading (is_number(value(t, 1, name[k])) ? ":|" : " |")
    }
    head(line)
    for (r = 1; r <= rows[t]; ++r) {
        line = "|"
        for (k = 1; k <= n; ++k) line = line " " value(t, r, name[k]) " |"
        print line
    }
}

# The quotient of the times, as in the text. The column times_global is rounded, so rounding it again may change a digit.
function speed_relative_to_global(t, r) {
    if (value(t, r, "times_global") == "") return "–"
    return sprintf("%.2f", quotient(look(t ":global:" value(t, r, "domain") ":steps_ms"), value(t, r, "steps_ms")))
}

function benchmark_table(t,    r, timed) {
    if (absent(t)) return
    head("| variant | domain | threads | bits | time of all steps, ms:| time of a step, µs:| cell updates, 10⁶/s:| memory, MiB:| speed relative to `global`:|")
    for (r = 1; r <= rows[t]; ++r) {
        timed = value(t, r, "steps_ms") != ""
        printf "| `%s` | %s | %s | %s", value(t, r, "variant"), value(t, r, "domain"),
            (value(t, r, "threads") > 0 ? value(t, r, "threads") : "GPU"), value(t, r, "bits")
        if (!timed) { print " | – | – | – | – | – |"; continue }
        printf " | %s | %s | %s | %s | %s |\n", plain(value(t, r, "steps_ms")),
            plain(value(t, r, "us_per_step")), plain(value(t, r, "updates_per_s") / 1e6),
            value(t, r, "memory_bytes") == "" ? "–" : plain(value(t, r, "memory_bytes") / 1048576),
            speed_relative_to_global(t, r)
    }
}

function order_of_variants(t,    r, v) {
    variants = 0
    split("", known)
    for (r = 1; r <= rows[t]; ++r) {
        v = value(t, r, "variant")
        if (!(v in known)) { known[v] = 1; variant[++variants] = v }
    }
}

function share(x, ceiling) { return is_number(x) && is_number(ceiling) && ceiling > 0 ? x / ceiling : "" }
# Per ns, hence in units of 1e9 per second.
function speed(t, r, name) { return quotient(value(t, r, name), value(t, r, "time_us") * 1e3) }
function percent(x) { return x == "" ? "–" : sprintf("%.1f %%", 100 * x) }

# How near the longest kernel of a variant comes to each ceiling, and what is left to explain its time.
function limits_table(    k, t, v, us, steps, per_step, launch, r, dram, l2, near, flop, issue, most, why, stall) {
    t = "kernels"
    if (absent(t) || absent("ceilings")) return
    order_of_variants(t)
    steps = steps_of(t)
    launch = look("ceilings:launch_graph:value")
    head("| variant | time of a step, µs:| kernels per step:| launches of kernels, µs per step:| longest kernel, share of time | DRAM:| L2:| shared memory:| FP64:| instruction slots:| longest wait, cycles | limit |")
    for (k = 1; k <= variants; ++k) {
        v = variant[k]
        r = sum_kernels(t, v)
        us = look("benchmark:" v ":lava:us_per_step")
        per_step = steps ? sum_calls / steps : 0
        dram = share(speed(t, r, "dram_bytes"), look("ceilings:dram_copy:value"))
        l2 = share(speed(t, r, "l2_bytes"), look("ceilings:l2_read:value"))
        near = share(speed(t, r, "shared_bytes"), look("ceilings:shared_read_8:value"))
        flop = share(speed(t, r, "fp64_flop"), look("ceilings:fp64_mul_add:value"))
        issue = quotient(value(t, r, "issue_active"), 100)
        stall = value(t, r, "stalls"); sub(/;.*/, "", stall)
        most = 0
        if (dram > 0) { most = dram; why = "DRAM" }
        if (l2 != "" && l2 > most) { most = l2; why = "L2" }
        if (near != "" && near > most) { most = near; why = "shared memory" }
        if (flop != "" && flop > most) { most = flop; why = "FP64 arithmetic" }
        if (issue != "" && issue > most) { most = issue; why = "issuing instructions" }
        if (dram l2 near flop issue == "") why = "not counted"
        else if (most < 0.5) {
            why = "latency: no ceiling is near"
            if (is_number(us) && is_number(launch) && per_step * launch > us / 2) why = "launches"
        }
        printf "| `%s` | %s | %.2f | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", v, show(us, ""), per_step,
            is_number(launch) ? sprintf("%.2f", per_step * launch) : "–", top(v), percent(dram), percent(l2), percent(near),
            percent(flop), percent(issue), stall == "" ? "–" : stall, why
    }
}

# Wet-cell updates per second against what DRAM and FP64 allow. The operations that must be done are those of
# the variant that does the fewest; a fused multiply-add is one, and takes the time of one.
function sheet_table(t, bytes,    r, k, v, dram, fp64, flop, least, memory, arithmetic, binding, rate, cells, s) {
    if (absent(t)) return
    s = "kernels_sheet_2048"
    dram = look("ceilings:dram_copy:value"); fp64 = look("ceilings:fp64_mul_add:value")
    least = ""
    if (s in file && rows[s] && rows["sheet_2048"]) {
        cells = value("sheet_2048", 1, "updates") / value("sheet_2048", 1, "steps")
        order_of_variants(s)
        for (k = 1; k <= variants; ++k) {
            sum_kernels(s, variant[k])
            if (variant[k] == "resident") continue # one launch is many steps, nobody says how many
            if (steps_of(s) && cells) flop = sum_fp64 / steps_of(s) / cells
            if (flop > 0 && (least == "" || flop < least)) least = flop
        }
    }
    memory = is_number(dram) ? dram * 1e9 / bytes : ""
    arithmetic = is_number(fp64) && least != "" ? fp64 * 1e9 / least : ""
    binding = memory
    if (arithmetic != "" && (binding == "" || arithmetic < binding)) binding = arithmetic
    head("| variant | cell updates, 10⁶/s:| limit by DRAM, 10⁶/s:| limit by FP64, 10⁶/s:| share of the lower limit:|")
    for (r = 1; r <= rows[t]; ++r) {
        rate = value(t, r, "updates_per_s")
        if (rate == "") continue
        printf "| `%s` | %s | %s | %s | %s |\n", value(t, r, "variant"), plain(rate / 1e6),
            memory == "" ? "–" : plain(memory / 1e6), arithmetic == "" ? "–" : plain(arithmetic / 1e6),
            percent(share(rate, binding))
    }
    printf "\nA cell needs %d bytes and %s FP64 operations per step.\n", bytes,
        least == "" ? "not counted" : plain(least)
}

function picture(name, text) {
    if (index(" " pictures " ", " " name " ")) printf "![%s](../%s/%s)\n", text, results, name
    else printf "*%s (%s): not drawn.*\n", name, text
}

# ---- the text ------------------------------------------------------------------------------------------------

function inline(place,    a, n) {
    n = split(place, a, " ")
    if (a[1] == "=") return show(scaled(look(a[2]), a[4]), a[3])
    if (a[1] == "/") return show(scaled(quotient(look(a[2]), look(a[3])), a[5]), a[4] == "" ? "%.2f" : a[4])
    if (a[1] == "-") {
        if (!is_number(look(a[2])) || !is_number(look(a[3]))) return "not measured"
        return show(scaled(look(a[2]) - look(a[3]), a[5]), a[4])
    }
    if (a[1] == "met") return judged(scaled(look(a[2]), a[5]), a[3], a[4])
    if (a[1] == "met/") return judged(quotient(look(a[2]), look(a[3])), a[4], a[5])
    if (a[1] == "wet") return wet(a[2])
    if (a[1] == "from") return origin(a[2])
    complain("{{" place "}}: what is that?")
}

function block(place,    a, n, text) {
    n = split(place, a, " ")
    if (a[1] == "rows") print_rows(a[2], a[3])
    else if (a[1] == "benchmark") benchmark_table(a[2])
    else if (a[1] == "limits") limits_table()
    else if (a[1] == "sheet") sheet_table(a[2], a[3])
    else if (a[1] == "picture") {
        text = place
        sub(/^picture +[^ ]+ */, "", text)
        picture(a[2], text)
    } else return 0
    return 1
}

function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text | "cat 1>&2"
    failed = 1
}

{
    line = $0
    if (substr(line, 1, 2) == "{{" && index(line, "}}") == length(line) - 1 &&
        block(substr(line, 3, length(line) - 4))) next
    while ((begin = index(line, "{{")) > 0) {
        rest = substr(line, begin + 2)
        end = index(rest, "}}")
        if (!end) { complain("{{ without }}"); break }
        line = substr(line, 1, begin - 1) inline(substr(rest, 1, end - 1)) substr(rest, end + 2)
    }
    print line
}
END { exit failed }
