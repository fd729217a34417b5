"""tables.py — computes studies by the library, in one process, and writes their tables and summaries alone: nothing is
painted. tests/tables.sh asks on standard input, in a line with tabs between KIND, the plan or the library, the folder, the
file for messages and NAME=VALUE of each option; the answer is the exit status that the program would have."""
import pathlib
import sys
import warnings

import sciara

KINDS = {"at_s": float, "evaluations": int, "hold_out": bool, "members": bool, "now_s": float, "seed": int, "threads": int}  # of options; others are texts


def compute(kind, path, given):
    options = {name: KINDS.get(name, str)(value) for name, _, value in (text.partition("=") for text in given)}
    of = sciara.Library(path, plan=options.pop("plan", None)) if kind == "ask" else sciara.Plan(path)
    return getattr(of, kind)(**options)


def write(study, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in [product.name for product in study.products if not product.layer] + ["summary.json"]:
        (folder / name).write_text(study.text(name))


warnings.simplefilter("ignore", sciara.CaseWarning)
for line in sys.stdin:
    kind, path, folder, errors, *given = line.rstrip("\n").split("\t")
    code, said = 0, ""
    (pathlib.Path(folder) / "summary.json").unlink(missing_ok=True)  # of a study before
    try:
        write(compute(kind, path, given), pathlib.Path(folder))
    except sciara.Error as error:
        code, said = 2 if isinstance(error, sciara.InputError) else 1, f"sciara: {error}\n"
    pathlib.Path(errors).write_text(said)
    print(code, flush=True)
