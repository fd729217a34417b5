#!/bin/bash
# test_block_sweep.sh — profiling/block_sweep on stand-ins for the simulator, which print
# made-up numbers in its formats. Run from the root of the repository.
# tests: program/bench
. tests/check.sh

sweep() { # sweep ARGUMENTS... : keeps what it printed and its exit status
    CASE=made-up.cfg STEPS=1000 REPEAT=4 profiling/block_sweep "$@" >"$work/printed" 2>&1
    code=$?
}
exits() { [ "$code" = "$1" ] || { echo "exit status $code:" && cat "$work/printed" && false; }; }
says() { grep -Fq -- "$1" "$work/printed" || { cat "$work/printed" && false; }; }
has() { grep -Fxq -- "$2" "$1" || { cat "$1" && false; }; }

# stand_in SHAPE THREADS BITS TIMES : prints what `sciara` compiled for SHAPE would
stand_in() {
    mkdir -p "$work/made/block_sweep/$1/bin"
    echo "global tiled" >"$work/made/block_sweep/variants"
    cat >"$work/made/block_sweep/$1/bin/sciara" <<PROGRAM
#!/bin/bash
if [ "\$*" = "variants --resources" ]; then
    echo variant,kernel,block,threads,registers,shared_bytes,local_bytes,blocks_per_multiprocessor,occupancy_percent,limited_by
    echo global,emitLava,128,128,25,0,0,16,100.0,threads
    echo tiled,computeOutflows,$1,$2,94,6144,0,2,25.0,registers
    echo tiled,massBalance_solidification,$1,$2,64,6152,40,0,0.0,registers
    exit
fi
[ "\$1 \$2 \$3 \$4 \$5 \$6 \$7" = "benchmark made-up.cfg 1000 --repeat 4 --variants global,tiled" ] || exit 2
while [ "\$1" != --output ]; do shift; done
mkdir -p "\$2"
cat >"\$2/benchmark.csv" <<CSV
# command: sciara benchmark
# case: made up; nothing; 9 x 9 cells
# GPU: a GPU
# compared with the reference on 1 thread: all fields
variant,domain,threads,bits,runs,steps,updates,steps_ms,steps_min_ms,steps_max_ms
tiled,lava,0,$3,3,1000,5,$4
tiled,full,0,equal,3,1000,5,20,19,21
CSV
[ $3 = equal ]
PROGRAM
    chmod +x "$work/made/block_sweep/$1/bin/sciara"
}

# ---- what is missing
sweep "$work/out" "$work/none"
check "without programs: exit status" exits 3
check "... says which, and how to make them" says "8x8 16x8 16x16 32x4 32x8 32x16 32x32: no such programs in $work/none/block_sweep; make block-sweep-programs"
check "... leaves no table" [ ! -e "$work/out/block_sweep.csv" ]
mkdir -p "$work/no_gpu/block_sweep/32x4/bin"
echo tiled >"$work/no_gpu/block_sweep/variants"
printf '#!/bin/bash\necho "sciara: no CUDA device: none found" >&2\nexit 3\n' >"$work/no_gpu/block_sweep/32x4/bin/sciara"
chmod +x "$work/no_gpu/block_sweep/32x4/bin/sciara"
sweep "$work/out" "$work/no_gpu"
check "without a GPU: exit status" exits 3
check "... says so" says "not measured: sciara: no CUDA device: none found"
check "... leaves no table" [ ! -e "$work/out/block_sweep.csv" ]
sweep a b c
check "three arguments: exit status" exits 2

# ---- a table
stand_in 16x16 256 equal 8,7.5,9
stand_in 32x4 128 equal 7,6.5,8
sweep "$work/out" "$work/made"
table=$work/out/block_sweep.csv
check "two shapes: exit status" exits 0
check "... the others are named" says "8x8 16x8 32x8 32x16 32x32: no such programs"
check "... the device" has "$table" "# device: a GPU"
check "... the header" has "$table" variant,block,threads,domain,bits,us_per_step,us_min,us_max,kernels,registers,shared_bytes,local_bytes,occupancy_percent,limited_by
resources='computeOutflows; massBalance_solidification,94; 64,6144; 6152,0; 40,25.0; 0.0,registers; cannot be launched: registers'
check "... times per step, kernels of that shape" has "$table" "tiled,16x16,256,lava,equal,8,7.5,9,$resources"
check "... of the other shape and domain" has "$table" "tiled,32x4,128,full,equal,20,19,21,$resources"
check "... nothing else" [ "$(grep -c '^[^#]' "$table")" = 5 ]

# ---- what is wrong
stand_in 32x4 128 WRONG ,,
sweep "$work/out" "$work/made"
check "bits that differ: exit status" exits 1
check "... no time" has "$table" "tiled,32x4,128,lava,WRONG,,,,$resources"
mkdir -p "$work/made/block_sweep/8x8/bin"
cp "$work/made/block_sweep/16x16/bin/sciara" "$work/made/block_sweep/8x8/bin/"
sweep "$work/out" "$work/made"
check "a program for another shape: exit status" exits 1
check "... is noticed" says "tiled has no kernel with blocks of 8x8"

report
