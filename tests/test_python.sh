#!/bin/bash
# test_python.sh — the Python package: pip installs it into a folder, as a user would, and pytest tests what is there.
# Run from the root of the repository, with BUILD naming the build folder. PYTHON names another interpreter than
# that of the system.
set -u

build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
python=${PYTHON:-/usr/bin/python3}
root=$PWD
library=$build/lib/libsciara.so.0

skip() { echo "skipped: $*" && exit 0; }
[ -x "$build/bin/sciara" ] || skip "$build/bin/sciara is not built"
[ -e "$library" ] || skip "$library is not built"
command -v "$python" >/dev/null || skip "there is no $python"
for module in numpy pytest pip setuptools wheel; do
    "$python" -c "import $module" 2>/dev/null || skip "$python has no $module"
done

mkdir -p build/tmp
work=$(mktemp -d "$PWD/build/tmp/python.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); fi
}
sources() { find python -not -name '*.pyc' -not -name __pycache__ | sort; }

mkdir "$work/tmp"
export TMPDIR=$work/tmp PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
before=$(sources)
check "pip installs it without a network" "$python" -m pip -q --no-cache-dir install --no-deps --no-index \
    --no-build-isolation --target "$work/installed" ./python
check "... and leaves nothing in the source tree" [ "$before" = "$(sources)" ]
check "... with its types" [ -e "$work/installed/sciara/py.typed" ]
[ $failures = 0 ] || exit 1

if "$python" -c 'import mypy' 2>/dev/null; then
    types() { (cd python && "$python" -m mypy --strict --cache-dir="$work/mypy" sciara); }
    check "its types are right" types
else
    echo "skipped: types: $python has no mypy"
fi

cp -r python/tests python/pyproject.toml "$work" # away from the sources of the package
run_pytest() {
    (cd "$work" && env PYTHONPATH="$work/installed" SCIARA_LIBRARY="$library" SCIARA_SOURCE="$root" \
        SCIARA_PROGRAM="$build/bin/sciara" "$python" -m pytest -q -rs --basetemp "$work/tmp/pytest" tests)
}
run_pytest >"$work/log" 2>&1
status=$?
grep -v '^SKIPPED' "$work/log"
# pytest's own counts, in the words that tools/run-tests adds up
sed -n 's/^SKIPPED \[[0-9]*\] [^ ]*: /skipped: /p' "$work/log" | sort -u
passed=$(grep -Eo '[0-9]+ passed' "$work/log" | tail -n 1 | grep -Eo '[0-9]+')
echo "${passed:-0} checks passed"
[ $status = 0 ] || echo "FAILED: pytest ends with status $status"
[ $status = 0 ] && [ $failures = 0 ]
