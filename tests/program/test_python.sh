#!/bin/bash
# test_python.sh — the Python package: pip installs it into a folder, as a user would, and pytest tests what is there.
# Run from the root of the repository, with BUILD naming the build folder. PYTHON names another interpreter than
# that of the system.
# tests: library
. tests/check.sh
needs_sciara
python=${PYTHON:-/usr/bin/python3}
library=$build/lib/libsciara.so.0
needs "$library is not built" [ -e "$library" ]
needs "there is no $python" command -v "$python"
for module in numpy pytest pip setuptools wheel; do
    needs "$python has no $module" "$python" -c "from importlib.util import find_spec; exit(not find_spec('$module'))"
done
each=yes

sources() { find python -not -name '*.pyc' -not -name __pycache__ | sort; }

mkdir "$work/tmp"
export TMPDIR=$work/tmp PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
if "$python" -c 'import setuptools; exit(int(setuptools.__version__.split(".")[0]) < 61)'; then
    before=$(sources)
    check "pip installs it without a network" "$python" -m pip -q --no-cache-dir install --no-deps --no-index \
        --no-build-isolation --target "$work/installed" ./python
    check "... and leaves nothing in the source tree" [ "$before" = "$(sources)" ]
    check "... with its types" [ -e "$work/installed/sciara/py.typed" ]
    [ $failures = 0 ] || exit 1
else
    skip "pip: $python has setuptools older than 61, which pyproject.toml asks for"
    mkdir "$work/installed" && cp -r python/sciara "$work/installed"
fi

if "$python" -c 'import mypy' 2>/dev/null; then
    # The package names one class of xarray, whose sources take three times as long as all the rest: only if THOROUGH
    # is set. What mypy knows of Python and numpy stays in the build folder, as what is compiled does: with it this takes
    # a twentieth of the time.
    types=$build/types
    mkdir -p "$types/stubs/xarray"
    printf '%s\n' 'from typing import Any' 'class DataArray:' '    encoding: dict[str, Any]' >"$work/xarray"
    cmp -s "$work/xarray" "$types/stubs/xarray/__init__.pyi" || cp "$work/xarray" "$types/stubs/xarray/__init__.pyi"
    types() {
        (cd python && MYPYPATH=$([ "${THOROUGH:-}" ] || echo "$types/stubs") "$python" -m mypy --strict \
            --cache-dir="$types/cache" sciara)
    }
    check "its types are right" types
else
    skip "types: $python has no mypy"
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
check "pytest ends with status 0" [ $status = 0 ]
report
