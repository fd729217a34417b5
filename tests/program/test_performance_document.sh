#!/bin/bash
# test_performance_document.sh — docs/performance.md is what tools/performance-document makes of the committed
# files; and the numbers that it makes of files with known contents. Run from the root of the repository.
# tests: none
. tests/check.sh
work=${work#"$root/"} # the document names pictures as it is told the folder

has() { grep -Fq -- "$1" "$work/made.md" || { echo "missing: $1" && false; }; }

check "making it again" tools/performance-document profiling/results/h200 "$work/again.md"
check "making docs/performance.md again changes nothing" cmp docs/performance.md "$work/again.md"

check "without any file" tools/performance-document "$work/none" "$work/made.md"
check "it says so" has "*kernels.csv: not measured.*"

# ---- files with known contents
results=$work/gpu
mkdir -p "$results" "$work/cpu"
head=variant,domain,threads,bits,runs,steps,updates,steps_ms,steps_min_ms,steps_max_ms,all_ms,all_min_ms,all_max_ms,us_per_step,updates_per_s,memory_bytes,times_global
cat >"$results/benchmark.csv" <<CSV
# command: sciara benchmark x.cfg
# case: x; made up; 10 x 10 cells of 10 m; 1000 steps
# GPU: a GPU
# CPU: a CPU
# compared with the reference on 1 thread: all fields
# cell updates: 4670000 (counted)
$head
global,lava,0,equal,4,1000,4670000,190,189,195,200,199,201,190,2.4e+07,209715200,1
global,full,0,equal,4,1000,4670000,250,240,260,270,269,271,250,2e+07,209715200,1
cfamo,lava,0,equal,4,1000,4670000,95,94,96,100,99,101,95,4.9e+07,104857600,2
resident,lava,0,equal,4,1000,4670000,129.74,129,130,135,134,136,129.74,3.6e+07,104857600,1.465
tiled,lava,0,WRONG,0,1000,4670000,,,,,,,,,,
CSV
{
    echo "# CPU: a CPU"
    echo "$head"
    echo "reference,lava,1,equal,2,1000,1,3000,1,1,1,1,1,1,1,1,"
    echo "reference,lava,2,equal,2,1000,1,2000,1,1,1,1,1,1,1,1,"
    echo "published,full,1,other arithmetic,1,1000,1,81000,1,1,1,1,1,1,1,,"
} >"$work/cpu/benchmark.csv"
cat >"$results/ceilings.csv" <<'CSV'
# command: ceilings
# device: a GPU; 132 multiprocessors
name,detail,value,unit,time_us,spread_percent,samples,check
dram_copy,x,4000,GB/s,1,0.1,9,ok
l2_read,x,8000,GB/s,1,0.1,9,ok
shared_read_8,x,30000,GB/s,1,0.1,9,ok
fp64_fma,x,33000,GFLOP/s,1,0.1,9,ok
fp64_mul_add,x,16500,GFLOP/s,1,0.1,9,ok
launch_graph,x,0.5,us,1,0.1,9,ok
CSV
khead=kernel,variant,time_us,calls,dram_bytes,l2_bytes,l1_bytes,shared_bytes,fp64_flop,fp64_add,fp64_mul,fp64_fma,registers,shared_per_block,block,grid,theoretical_occupancy,achieved_occupancy,branch_efficiency,divergent_branches,threads_per_instruction,load_sectors,store_sectors,issue_active,stalls,counted_launches
cat >"$results/kernels.csv" <<CSV
# command: profiling/profile; case x.cfg; 1000 steps; counted in 3 steps from step 500
# device: a GPU
$khead
computeOutflows,global,3,1000,9000,48000,60000,0,6000,1000,3000,1000,64,0,16x16,9,50,40,90,3,25,8.5,8,20,long_scoreboard 9.5; wait 1,3
massBalance,global,1,1000,9000,4000,60000,0,0,0,0,0,32,0,16x16,9,100,40,90,3,25,8.5,8,20,wait 2,3
computeOutflows_massBalance,cfamo,2,1000,6000000,48000,60000,0,6000,1000,3000,1000,64,0,16x16,9,50,40,90,3,25,8.5,8,20,wait 9.5,3
CSV
cat >"$results/coalescing.csv" <<'CSV'
kernel,start_offset,move_offset,shift,expected_sectors,load_sectors,store_sectors,verdict
coalescing_shifted,1,32,1,5,5,5,as expected
CSV
cat >"$results/access_patterns.csv" <<'CSV'
group,pattern,access,bytes,placed,sectors,value,unit,time_us,spread_percent,samples,check
strides,stride 1,read,4,aligned,4,4000,GB/s,1,0.1,9,ok
strides,stride 2,read,4,aligned,8,2000,GB/s,1,0.1,9,ok
CSV
cat >"$results/techniques.csv" <<'CSV'
name,detail,with_us,without_us,gain,spread_percent,samples,check
read_only_loads,computeOutflows; __ldg,4,5,1.25 ×,0.10,7,ok
no_round_trip_per_step,cfamo,,,,,,wrong
CSV
cat >"$results/ensemble_mpi_2.csv" <<'CSV'
# command: profiling/ensemble-mpi
way,gpus,members,load_s,compute_s,total_s,members_per_s,times_one
ranks,2,10000,0.3,12.2,12.7,813.7,1.92
CSV
: >"$results/benchmark.png"
check "with files" tools/performance-document "$results" "$work/made.md"
check "a row of the benchmark" has '| `global` | lava | GPU | equal | 190 | 190 | 24.0 | 200 | 1.00 |'
check "the speed is the quotient of the times, rounded once" has '| 1.46 |'
check "a variant that is wrong has no time" has '| `tiled` | lava | GPU | WRONG | – |'
check "where it comes from" has 'made by `sciara benchmark x.cfg` on a GPU'
check "a picture" has "](../$results/benchmark.png)"
check "a target met" has '| the fastest of these five, only tiles with lava | ≤ 100 ms | `cfamo` 95.0 ms | yes |'
check "the CPU against the oracle" has '| ≤ 1/25 | 1/27.0 | yes |'
check "two threads" has '| ≥ 1.7 | 1.50 | **no** |'
check "the longest kernel" has '| `computeOutflows`, 75 % |'
check "latency" has '| `global` | 190 | 2.00 | 1.00 | `computeOutflows`, 75 % | 0.1 % | 0.2 % | 0.0 % | 0.0 % | 20.0 % | long_scoreboard 9.5 | latency: no ceiling is near |'
check "a ceiling that is near" has '| `computeOutflows_massBalance`, 100 % | 75.0 % | 0.3 % | 0.0 % | 0.0 % | 20.0 % | wait 9.5 | DRAM |'
check "sectors" has 'they lie in 5.'
check "a technique" has '| read-only loads (`__ldg`) | computeOutflows | 1.25 × |'
check "a technique that gives other bits has no gain" has '| the host requests all steps at once, in place of one | `cfamo` | not measured |'
check "a difference" has 'still writes the outflows: not measured MiB'
check "rows with headings" has '| way | ranks or GPUs | members per second |'
check "... and their values" has '| ranks | 2 | 813.7 |'
check "cells in an average step" has '4,670 cells with mobile lava'

sed -i 's/steps_ms,/step_ms,/' "$results/benchmark.csv"
check "a column that is not there is an error" \
    bash -c "! tools/performance-document '$results' '$work/bad.md' 2>/dev/null && [ ! -e '$work/bad.md' ]"

report
