# SPDX-License-Identifier: GPL-2.0-or-later
"""The texts in the language of QGIS: words.tsv, by their English."""
import csv
import functools
import pathlib

from qgis.core import QgsApplication

TABLE = pathlib.Path(__file__).with_name("words.tsv")


@functools.lru_cache(maxsize=None)
def table():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["en"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def language():
    """The one of QGIS if the table has it, else English."""
    wanted = QgsApplication.locale()[:2]
    return wanted if wanted in table()["Terrain"] else "en"


def tr(text, *values):
    row = table().get(text)
    return (row[language()] if row else text).format(*values)
