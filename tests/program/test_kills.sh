#!/bin/bash
# test_kills.sh — commands that are killed at random moments lose nothing, and the same command continues: 20 deaths of
# tools/kills, which tries 300 before a release. Each time others.
# tests: none
. tests/check.sh
needs_sciara
needs "no C compiler" cc --version
seed=${KILLS_SEED:-$RANDOM}
keep tools/kills --seed "$seed" 20
cat "$work/stdout"
check "tools/kills --seed $seed 20" exits 0
check "... of all kinds" [ "$(grep -c ' deaths, 0 went wrong' "$work/stdout")" -ge 9 ]
report
