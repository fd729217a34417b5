#!/bin/bash
# test_containers.sh — recipes that cannot be run here are read: that containers and the hosted tests call the commands
# of the README and install nothing by hand that tools/dependencies has; that building a bundle in an older Debian is
# refused where that cannot be. Run from the root of the repository.
# tests: none
. tests/check.sh
each=yes
unset MAKEFLAGS MFLAGS MAKELEVEL CC CXX

# ---- packages: git and make, which the README asks for, and what the table says
by_hand() { # by_hand FILE: packages that it names itself
    sed -n 's/.*apt-get install //p' "$1" | tr ' ' '\n' | grep -v '^-\|^&&$\|^$' | sort -u
}
unknown() { by_hand "$1" | grep -vxF -e git -e make -e ca-certificates; }
for file in Dockerfile sciara.def .github/workflows/ci.yml; do
    check "$file installs git and make" [ "$(by_hand $file | grep -cx 'git\|make')" = 2 ]
    check "... and nothing else by name" fails unknown $file
done
for file in Dockerfile sciara.def; do
    check "$file has the rest from the table" grep -q '^\(RUN\| *\) *tools/install-dependencies build$' $file
    check "... and makes the bundle" grep -q 'make .*bundle' $file
    # shellcheck disable=SC2016 # as it stands there
    check "... which it takes from where it is put" grep -q 'mv build/bundle/sciara-\*-"$(uname -m)" /opt/sciara' $file
    check "... without anything built before" grep -q 'build' "$([ $file = Dockerfile ] && echo .dockerignore || echo $file)"
done
listed=$(tools/install-dependencies --list build)
check "the table has packages" [ "$(wc -w <<<"$listed")" -gt 10 ]
check "... of all libraries that are linked" \
    [ "$(tr ' ' '\n' <<<"$listed" | grep -c '^lib\(geotiff\|proj\|tiff\|png\|cjson\|expat1\|sqlite3\)-dev$\|^zlib1g-dev$')" = 8 ]
check "clang instead of gcc is in it" grep -qw libomp-dev <(CC=clang CXX=clang++ tools/install-dependencies --list build)

# ---- Dockerfile
stages=$(sed -n 's/^FROM .* AS //p' Dockerfile | tr '\n' ' ')
check "Dockerfile has a build and a system of each kind" [ "$stages" = "build-cuda system-cuda build-cpu system-cpu build " ]
check "... CUDA on a toolkit" grep -q '^FROM nvidia/cuda:.*-devel-.* AS build-cuda$' Dockerfile
# shellcheck disable=SC2016 # as it stands there
check "... of which one is taken" [ "$(grep -c '^FROM \(build\|system\)-${KIND}' Dockerfile)" = 2 ]
check "... CUDA unless one says otherwise" grep -qx 'ARG KIND=cuda' Dockerfile
check "what runs is what was built" grep -q '^COPY --from=build /opt/sciara /opt/sciara$' Dockerfile
base() { sed -n "s/^FROM \(.*\) AS $1\$/\1/p" Dockerfile; }
check "... on a system as old as that" [ "$(base build-cuda | sed 's/.*-ubuntu/ubuntu:/')" = "$(base system-cuda)" ]
check "... for the CPU, too" [ "$(base build-cpu)-slim" = "$(base system-cpu)" ]
# What is copied before the packages are installed is all that installing them takes
mkdir -p "$work/early/tools"
for file in $(sed -n 's/^COPY \(tools.*\) tools\/$/\1/p' Dockerfile | head -n 1); do cp "$file" "$work/early/tools"; done
early() { (cd "$work/early" && [ "$(tools/install-dependencies --list build)" = "$listed" ] && tools/install-dependencies --check build); }
check "packages are known from the files that are copied first" early
for section in '%arguments' '%files' '%post' '%files from build' '%environment' '%runscript'; do
    check "sciara.def has $section" grep -qx "$section" sciara.def
done

# ---- the hosted tests
commands=$(sed -n 's/^    \(make [a-z]*\) .*# .*/\1/p' README.md | head -n 2 | tr '\n' ' ')
check "the README has two commands" [ "$commands" = "make run make test " ]
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    cat >"$work/ci.py" <<'PY'
import sys
import yaml

ci = yaml.safe_load(open(".github/workflows/ci.yml", encoding="utf-8"))
assert {"name", True, "jobs"} == set(ci) and {"push", "pull_request"} == set(ci[True]) # `on` is a yes in YAML
(job,) = ci["jobs"].values()
systems = {system.split(":")[0] for system in job["strategy"]["matrix"]["system"]}
compilers = {tuple(c.values()) for c in job["strategy"]["matrix"]["compiler"]}
assert systems == {"debian", "ubuntu"} and compilers == {("gcc", "g++"), ("clang", "clang++")}
assert job["container"] == "${{ matrix.system }}"
assert job["env"] == {"CC": "${{ matrix.compiler.cc }}", "CXX": "${{ matrix.compiler.cxx }}"}
runs = [step["run"] for step in job["steps"] if "run" in step]
assert [r for r in runs if r.startswith("make ")] == sys.argv[1:], runs
assert any(step.get("uses", "").startswith("actions/checkout@") for step in job["steps"])
PY
    check "the hosted tests run them on Debian and Ubuntu, with gcc and clang" /usr/bin/python3 "$work/ci.py" "make run" "make test"
else
    skip "the hosted tests: no yaml module of Python"
fi

# ---- a bundle for older systems
refused_in() { # refused_in STATUS WHAT PATTERN ARGUMENTS...
    keep tools/build-in "${@:4}"
    refusal "$1" "$2" "$3"
    check "$2: nothing is made" [ ! -e "$work/bundle" ]
}
refused_in 2 "a Debian that is not known" '^usage: .*debian11' debian7 "$work/bundle" bundle
mkdir "$work/bin" && ln -s "$(command -v dirname)" "$(command -v sh)" "$work/bin"
without() { PATH=$work/bin keep "$work/bin/sh" tools/build-in debian11 "$work/bundle" bundle; }
if [ "$(ls -d /usr/sbin/debootstrap /sbin/debootstrap 2>/dev/null)" ]; then
    printf '#!/bin/sh\necho 1000\n' >"$work/bin/id" && chmod +x "$work/bin/id"
    PATH=$work/bin:$PATH refused_in 1 "somebody who is not root" 'only root' debian11 "$work/bundle" bundle
else
    without
    refusal 1 "a machine without debootstrap" 'debootstrap is not installed'
fi
check "no device of this machine is mounted in it" fails grep -q 'mount.*/dev' tools/build-in
check "its mounts are its own" grep -q 'unshare --mount --propagation private' tools/build-in
check "make asks for it" grep -q "^tools/build-in debian11 $work/build bundle " <(make -n BUILD="$work/build" BUNDLE_ROOT=debian11 bundle)
report
