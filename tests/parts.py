"""parts.py — for scripts that a test asks dozens of times: one process takes all questions (tests/parts.sh). Itself it
answers with the value of an expression of o, a file of JSON: FILE EXPRESSION."""
import contextlib
import gc
import json
import sys
import traceback


def status_of(do, words, said):
    """What a process of its own would end with; connections that a part leaves open are closed, as by its end."""
    try:
        with open(said, "w") as out, contextlib.redirect_stdout(out):
            do(*words)
        return 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return int(bool(end.code))
    except Exception:
        traceback.print_exc()
        return 1


def answer(do, said):
    """Parts come from standard input, one a line, each word ended by NUL; what a part says is written to a file."""
    for line in sys.stdin:
        print(status_of(do, line.split("\0")[:-1], said), flush=True)
        gc.collect()


def evaluate(path, expression):
    with open(path) as file:
        print(eval(expression, {"o": json.load(file)}))


if __name__ == "__main__":
    answer(evaluate, sys.argv[1])
