# SPDX-License-Identifier: GPL-2.0-or-later
"""What QGIS starts: the provider, and a button that draws an eruption on the page of `sciara serve`."""
import re
import tempfile

from qgis.core import Qgis, QgsApplication, QgsProcessingException, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QProcess, QUrl
from qgis.PyQt.QtGui import QDesktopServices, QIcon

from . import inputs, program
from .provider import ICON, Provider
from .words import language, tr

try:
    from qgis.PyQt.QtGui import QAction  # where Qt 6 has it
except ImportError:
    from qgis.PyQt.QtWidgets import QAction


class Plugin:
    """`iface`: None in qgis_process, which needs the provider alone."""

    def __init__(self, iface):
        self.iface, self.provider, self.action, self.served = iface, None, None, []

    def initProcessing(self):
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()
        self.action = QAction(QIcon(ICON), tr("Draw an eruption in the browser"), self.iface.mainWindow())
        self.action.triggered.connect(self.serve)
        self.iface.addToolBarIcon(self.action)
        self.iface.addPluginToMenu("Sciara", self.action)

    def unload(self):
        for process in self.served:
            process.terminate()
            process.waitForFinished(2000)
        if self.action:
            self.iface.removeToolBarIcon(self.action)
            self.iface.removePluginMenu("Sciara", self.action)
        QgsApplication.processingRegistry().removeProvider(self.provider)

    def terrain(self):
        """The active layer if it is a raster, else the only raster of the project."""
        layer = self.iface.activeLayer()
        if isinstance(layer, QgsRasterLayer):
            return layer
        rasters = [r for r in QgsProject.instance().mapLayers().values() if isinstance(r, QgsRasterLayer)]
        if len(rasters) != 1:
            raise QgsProcessingException(tr("Choose the terrain, a raster, in the list of layers."))
        return rasters[0]

    def serve(self):
        try:
            terrain = inputs.path_of(self.terrain())
            process = QProcess(self.iface.mainWindow())
            process.readyReadStandardOutput.connect(lambda: self.open_page(process))
            process.finished.connect(lambda *_: self.tell_end(process))
            process.setWorkingDirectory(tempfile.mkdtemp(prefix="sciara-"))
            process.start(program.find(), ["serve", terrain, "--no-open", "--language", language()])
            self.served.append(process)
        except QgsProcessingException as refusal:
            self.say(str(refusal), Qgis.MessageLevel.Warning)

    def open_page(self, process):
        address = re.search(r"http://\S+", bytes(process.readAllStandardOutput()).decode("utf-8", "replace"))
        if address:
            QDesktopServices.openUrl(QUrl(address[0]))
            self.say(tr("The page is open in the browser, until QGIS ends; what it saves is in {}", process.workingDirectory()),
                     Qgis.MessageLevel.Info)

    def tell_end(self, process):
        self.served.remove(process)
        said = bytes(process.readAllStandardError()).decode("utf-8", "replace").strip()
        if said:
            self.say(said.splitlines()[-1], Qgis.MessageLevel.Warning)

    def say(self, text, level):
        self.iface.messageBar().pushMessage("Sciara", text, level, 0)
