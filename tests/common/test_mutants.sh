#!/bin/bash
# tools/mutants: a handful of the mistakes in tests/mutants are seen by the tests that are there to see them;
# one that is none is said to have survived, and lists that do not fit the sources are refused.
# tests: none
# shellcheck disable=SC2317 # functions are called by check()
set -u
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build/tmp
tmp=$(mktemp -d "$PWD/build/tmp/test_mutants.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
failures=0
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@" >"$tmp/out" 2>&1; then echo "ok: $what"; else
        echo "FAILED: $what" && sed 's/^/    /' "$tmp/out" && failures=$((failures + 1))
    fi
}

# (which passes without a mistake, or another line of tools/run-tests says so)
seen() { # seen TEST NAME...: by that very test
    local test=$1 name
    shift
    tools/mutants --tested --tests "$test" "$@" | tee "$tmp/table" || return 1
    for name; do grep -q "^killed  *$test  *$name " "$tmp/table" || return 1; done
}

not_seen() { ! tools/mutants --tests test_extent nothing >"$tmp/table" && grep -q '^SURVIVED .* nothing ' "$tmp/table"; }
refused() { ! tools/mutants --check >"$tmp/table" 2>&1 && grep -q "$1" "$tmp/table"; }

check "all mistakes fit the sources" tools/mutants --check
# (with the tests that see it alone, which takes a fifth of the time)
TEST_FILTER='tiled: same bits' check "the same bits as the reference" seen test_variants tiled_loaded
if [ "${THOROUGH:-}" ]; then # each compiles kernels
    TEST_FILTER='*: same bits' check "... of two at once" seen test_variants tiled_loaded emits_at_first
    check "no two accesses race" seen test_races early_outflows
    TEST_FILTER='*: cfamo' check "the front of lava is on the list" seen test_front reach_epoch
fi
export MUTANTS=$tmp/lists list=$tmp/lists/a.txt
mkdir "$MUTANTS"
printf '@ nothing src/cfamo/cfamo.cu killed\n: a mistake that is none\n-              .arrays = GPU_SUMS);\n+              .arrays = 0 + GPU_SUMS);\n' \
    >"$list"
check "what survives is said to" not_seen
sed -i 's/GPU_SUMS);$/GPU_NOTHING);/' "$list"
check "lines that are not there" refused 'do not stand in'
printf '@ twice src/tiled/tiled.cu killed\n: a barrier, but which?\n-        __syncthreads();\n' >"$list"
check "lines that are there twice" refused 'more than once'
printf '@ why src/cfamo/cfamo.cu gpu\n: no reason\n-              .arrays = GPU_SUMS);\n' >"$list"
check "no reason why a mistake is not seen" refused 'why?'
exit $((failures > 0))
