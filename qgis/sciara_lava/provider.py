# SPDX-License-Identifier: GPL-2.0-or-later
"""The algorithms in the toolbox of Processing, and the setting with the path of the program."""
import pathlib

from processing.core.ProcessingConfig import ProcessingConfig, Setting
from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .algorithms import ALGORITHMS, Algorithm
from .program import SETTING
from .words import tr

ICON = str(pathlib.Path(__file__).with_name("icon.svg"))


class Provider(QgsProcessingProvider):
    def id(self):
        return "sciara"

    def name(self):
        return "Sciara"

    def longName(self):
        return tr("Sciara lava flows")

    def icon(self):
        return QIcon(ICON)

    def load(self):
        ProcessingConfig.settingIcons[self.name()] = self.icon()
        ProcessingConfig.addSetting(Setting(self.name(), SETTING, tr("Program sciara (empty: on the PATH, or the wheel)"), "",
                                            valuetype=Setting.FILE))
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        ProcessingConfig.removeSetting(SETTING)

    def loadAlgorithms(self):
        for row in ALGORITHMS:
            self.addAlgorithm(Algorithm(row))
