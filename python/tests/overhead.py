#!/usr/bin/env python3
"""Measures the overhead of Python: runs a case in turn from Python and by the program, and prints medians.

    PYTHONPATH=python python3 python/tests/overhead.py CASE [--variant NAME] [--steps N]
        [--threads N] [--repeat N] [--every N]

SCIARA_PROGRAM names the program (build/bin/sciara). Times are wall-clock time and processor time, in s. Other work on
the machine affects processor time less.

    program         the whole process `sciara run CASE --no-output --quiet`
    python          the whole process that imports sciara and runs the case
    import          start and import of Python, measured in separate processes
    .run(...)       the run in one process, and its time by the summary
    .steps(...)     a loop that reads the thickness after every N steps
    advance alone   the loop without snapshots
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from typing import Callable

RUN = """
import sys, sciara
sciara.Case(sys.argv[1]).run(**eval(sys.argv[2]))
"""
INSIDE = """
import json, sys, time, sciara
case, options, every = sys.argv[1], eval(sys.argv[2]), int(sys.argv[3])
times = {}

def clock(name, call):
    wall, processor = time.perf_counter(), time.process_time()
    result = call()
    times[name] = time.perf_counter() - wall, time.process_time() - processor
    return result

def steps():
    for state in case.simulation(**options).steps(every=every):
        state.array("thickness")
    return state

def advance():
    simulation = case.simulation(**options)
    while not simulation.ended:
        simulation.advance(every)
    return simulation.snapshot()

case = clock("Case(...)", lambda: sciara.Case(case))
run = clock(".run(...)", lambda: case.run(**options))
timing = run.summary["timing"]
times["  by the summary"] = timing["total_s"] - timing["load_s"], float("nan")
assert clock(".steps(...)", steps).digest == clock("advance alone", advance).digest == run.digest
print(json.dumps(times))
"""

Times = tuple[float, float]


def process(*command: str) -> Times:
    """Wall clock and processor time of a process"""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("--variant", default="reference")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--every", type=int, default=1000)
    given = parser.parse_args()
    options = repr(dict(variant=given.variant, threads=given.threads, max_steps=given.steps))
    program = [os.environ.get("SCIARA_PROGRAM", "build/bin/sciara"), "run", given.case]
    program += [str(given.steps)] if given.steps else []
    program += ["--variant", given.variant, "--no-output", "--quiet"]
    program += ["--threads", str(given.threads)] if given.threads else []

    if given.threads:
        os.environ["OMP_NUM_THREADS"] = str(given.threads)
    python = sys.executable
    measures: dict[str, Callable[[], Times]] = {
        "program": lambda: process(*program),
        "python": lambda: process(python, "-c", RUN, given.case, options),
        "import": lambda: process(python, "-c", "import sciara"),
        "  of numpy alone": lambda: process(python, "-c", "import numpy"),
    }
    times: dict[str, list[Times]] = {}
    for turn in range(given.repeat + 1):
        seen = {name: measure() for name, measure in measures.items()}
        inside = [python, "-c", INSIDE, given.case, options, str(given.every)]
        seen.update(json.loads(subprocess.run(inside, check=True, capture_output=True).stdout))
        for name, pair in seen.items():
            if turn:  # the first turn fills the caches
                times.setdefault(name, []).append(pair)

    middle = {name: [statistics.median(t) for t in zip(*values)] for name, values in times.items()}
    middle["python less import"] = [a - b for a, b in zip(middle["python"], middle["import"])]
    print(f"{given.case}, {given.variant}, {given.threads} threads, {given.repeat} turns")
    print(f"{'':20} {'wall':>8} {'processor':>10}")
    for name, (wall, processor) in middle.items():
        print(f"{name:20} {wall:8.3f}" + (f" {processor:10.3f}" if processor == processor else ""))
    for name, base in (
        ("python less import", "program"),
        (".run(...)", "  by the summary"),
        ("advance alone", ".run(...)"),
        (".steps(...)", "advance alone"),
    ):
        ratios = [100 * (a / b - 1) for a, b in zip(middle[name], middle[base])]
        more = f", {ratios[1]:+.1f} % processor" if ratios[1] == ratios[1] else ""
        print(f"{name} against {base.strip()}: {ratios[0]:+.1f} % wall{more}")


if __name__ == "__main__":
    main()
