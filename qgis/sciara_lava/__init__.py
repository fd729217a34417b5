# SPDX-License-Identifier: GPL-2.0-or-later
"""Lava flows in QGIS by the program sciara: algorithms of Processing, and a button for its page."""


def classFactory(iface):  # the name that QGIS calls
    from .plugin import Plugin

    return Plugin(iface)
