"""python_server.py MODULE... — starts Python scripts repeatedly, without importing these modules each time. tests/python.sh asks on
standard input, by texts that end with NUL: their number, the process that asks, its folder, the files for standard output and
errors, and the arguments of Python. The answer is a line with the exit status. The child continues as that Python."""
import importlib
import os
import runpy
import sys


def read_text():
    letters = iter(lambda: os.read(asked, 1) or sys.exit(), b"\0")
    return b"".join(letters).decode()


def redirect(path, flags, stream):
    file = os.open(path, flags, 0o666)
    os.dup2(file, stream)
    os.close(file)


asked, told = os.dup(0), os.dup(1)
for name in sys.argv[1:]:
    importlib.import_module(name)
child = 1
while child:
    asking, folder, out, errors, *arguments = [read_text() for _ in range(int(read_text()))]
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(told, b"%d\n" % (status if status >= 0 else 128 - status))
redirect(f"/proc/{asking}/fd/0", os.O_RDONLY | os.O_NONBLOCK, 0)  # (a pipe whose writer has ended would be waited for)
os.set_blocking(0, True)
redirect(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 1)
redirect(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 2)
os.close(asked)
os.close(told)
os.chdir(folder)
script = arguments[0]
if script in ("-", "-c"):
    text = arguments.pop(1) if script == "-c" else sys.stdin.read()
    sys.argv, sys.path[0] = arguments, ""
    exec(compile(text, script, "exec"), {"__name__": "__main__"})
else:
    sys.argv, sys.path[0] = arguments, os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")
