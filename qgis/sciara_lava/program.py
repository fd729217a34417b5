# SPDX-License-Identifier: GPL-2.0-or-later
"""The program sciara: where it is, whether it is new enough, and how a command of it runs."""
import functools
import importlib.util
import json
import os
import pathlib
import re
import time

from processing.core.ProcessingConfig import ProcessingConfig
from qgis.core import QgsProcessingException
from qgis.PyQt.QtCore import QProcess, QProcessEnvironment, QStandardPaths

from .words import tr

SETTING = "SCIARA_PROGRAM"
NEEDED = (0, 2)
# A state is on the disk within seconds after the signal; what takes longer hangs.
END_S = 60
TOLD_S = 5


def in_wheel():
    """The program of the wheel that the running Python has; None: it has none."""
    spec = importlib.util.find_spec("sciara")
    for folder in (spec and spec.submodule_search_locations) or []:
        program = pathlib.Path(folder) / "_bundle" / "bin" / "sciara"
        if program.exists():
            return str(program)
    return None


def printed_by(program, *arguments):
    process = QProcess()
    process.start(program, list(arguments))
    process.waitForFinished(10000)
    return bytes(process.readAllStandardOutput()).decode("utf-8", "replace")


# (a program that was replaced is asked again)
@functools.lru_cache(maxsize=None)
def version_of(program, _changed):
    number = re.match(r"sciara (\d+)\.(\d+)\S*", printed_by(program, "--version"))
    return (int(number[1]), int(number[2])) if number else None


def parameter_sets():
    """Those that the program has; where there is none yet, the one that every version has."""
    try:
        program = find()
    except QgsProcessingException:
        return ["etna-2006"]
    return sets_of(program, os.path.getmtime(program))


@functools.lru_cache(maxsize=None)
def sets_of(program, _changed):
    said = json.loads(printed_by(program, "parameters", "--json") or "[]")
    return [s["name"] for s in said] or ["etna-2006"]


def find():
    """The path of a program that is new enough, or an exception with what to do."""
    named = ProcessingConfig.getSetting(SETTING)
    program = named or QStandardPaths.findExecutable("sciara") or in_wheel()
    if not program:
        raise QgsProcessingException(tr(
            "The program sciara was not found. Three ways to have it: install it (package, bundle or 'make install'), "
            "so that it is on the PATH of QGIS; or its wheel, in the Python of QGIS; or name it in Settings, Options, "
            "Processing, Providers, Sciara. It runs on Linux: on Windows and macOS use QGIS in WSL or in a virtual "
            "machine with Linux, or the page of 'sciara serve --listen ADDRESS' on a Linux machine."))
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        raise QgsProcessingException(tr(
            "{} is not a program: correct it in Settings, Options, Processing, Providers, Sciara.", program))
    version = version_of(program, os.path.getmtime(program))
    if not version or version < NEEDED:
        raise QgsProcessingException(tr(
            "{} is not a sciara of version {} or newer: install a newer one, or name another in Settings, Options, "
            "Processing, Providers, Sciara.", program, ".".join(map(str, NEEDED))))
    return program


def written(arguments):
    """A command as one would type it."""
    return " ".join(a if re.fullmatch(r"[\w./:,=+-]+", a) else "'" + a.replace("'", "'\\''") + "'" for a in ["sciara", *arguments])


class Ear:
    """Reads standard error of a command: progress, warnings, and at last why it was refused."""

    def __init__(self, feedback):
        self.feedback, self.rest, self.last, self.stage, self.told_s = feedback, "", "", "", 0.0

    def hear(self, data):
        *lines, self.rest = re.split(r"[\r\n]+", self.rest + bytes(data).decode("utf-8", "replace").replace("\033[K", ""))
        for line in filter(None, map(str.strip, lines)):
            self.hear_line(line)

    def hear_line(self, line):
        done = re.search(r"(\d+)/(\d+)", line) or re.search(r"(\d+)( )%", line)
        if line.startswith("sciara: warning: "):
            self.feedback.pushWarning(line.partition("warning: ")[2])
        elif line.startswith("sciara: "):
            if self.last:
                self.feedback.pushInfo(self.last)  # the last of them may be a refusal
            self.last = line.partition(": ")[2]
        elif done:
            of = int(done[2]) if done[2].strip() else 100
            self.feedback.setProgress(100 * int(done[1]) / max(of, 1))
            self.tell(line)

    def tell(self, line):
        """Each text is kept in the log, so not several a second."""
        stage, now_s = line.split()[0], time.monotonic()
        if stage != self.stage or now_s - self.told_s > TOLD_S:
            self.feedback.setProgressText(line)
            self.stage, self.told_s = stage, now_s


def run(arguments, folder, feedback):
    """What the command prints; None: it was canceled, and has kept its state. A refusal is an exception."""
    program, process, ear, asked_s = find(), QProcess(), Ear(feedback), None
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert("SCIARA_PROGRESS", "yes")
    process.setProcessEnvironment(environment)
    process.setWorkingDirectory(folder)
    feedback.pushCommandInfo(written(arguments))
    process.start(program, arguments)
    process.closeWriteChannel()
    printed = b""
    while process.state() != QProcess.ProcessState.NotRunning:
        process.waitForReadyRead(100)
        printed += bytes(process.readAllStandardOutput())
        ear.hear(process.readAllStandardError())
        if feedback.isCanceled() and asked_s is None:
            asked_s = time.monotonic()
            process.terminate()
        elif asked_s is not None and time.monotonic() - asked_s > END_S:
            process.kill()
    printed += bytes(process.readAllStandardOutput())
    ear.hear(bytes(process.readAllStandardError()) + b"\n")
    if asked_s is not None:
        return None
    if process.exitStatus() != QProcess.ExitStatus.NormalExit or process.exitCode() != 0:
        raise QgsProcessingException(ear.last or tr("{} ended by an error: {}", written(arguments), process.errorString()))
    return printed.decode("utf-8", "replace")
