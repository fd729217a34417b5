#!/bin/bash
# The plug-in for QGIS: its ZIP and what judges it, and, where QGIS is installed, each algorithm from the ZIP: the bits of
# the shell, refusals, layers in the project, the page of `sciara serve`. qgis_check.py has what needs one process of QGIS.
# tests: none
. tests/check.sh
each=yes python=/usr/bin/python3

# ---- the ZIP
keep $python tools/qgis-plugin "$work/zip"
check "the ZIP keeps the rules" exits 0
zip=$(<"$work/stdout")
cp -r qgis/sciara_lava "$work/spoiled" && rm -rf "$work/spoiled/__pycache__"
(
    cd "$work/spoiled" || exit 1
    printf '\0' >library.so
    sed -i '/^tracker=/d; s/^version=.*/version=9/' metadata.txt
    sed -i 's/\tTerreno$/\tSuolo/; s/^Vents\t.*/Vents\t/' words.tsv
    echo text >LICENSE
    printf '%s\n' 'import subprocess' 'from qgis.PyQt.QtCore import Qt' 'from .words import tr' 'SIDE = [Qt.Horizontal, Qt.Orientation.Sideways]' 'from qgis.PyQt.QtWidgets import QAction' 'tr("Untold")' >>plugin.py
    printf 'import numpy\n' >more.py
)
keep $python tools/qgis-plugin "$work/never" "$work/spoiled"
check "a spoiled one does not" exits 1
for fault in 'library.so: not a text' 'metadata.txt lacks tracker' 'is of version 9' 'LICENSE is not the GPL' 'plugin.py:[0-9]*: imports subprocess' \
    'plugin.py:[0-9]*: Qt.Horizontal lacks' "plugin.py:[0-9]*: words.tsv has no row of 'Untold'" 'more.py:1: imports numpy' 'more.py: does not begin with its licence' \
    "'Terrain' is 'Terreno' in the program" "'Vents' has no text in it"; do
    check "... $fault" complains "$fault"
done
if $python -c 'import PyQt6.QtWidgets' 2>/dev/null; then
    for fault in 'QtWidgets has no QAction in Qt 6' 'Qt 6 has no Qt.Orientation.Sideways'; do check "... $fault" complains "$fault"; done
else
    skip "PyQt6 is not installed (Debian: python3-pyqt6)"
fi

# ---- in QGIS
needs_sciara
if ! $python -c 'import importlib.util as u; exit(not u.find_spec("qgis"))'; then
    skip "QGIS: python3-qgis is not installed (tools/install-dependencies qgis)"
    report
    exit
fi
export QT_QPA_PLATFORM=offscreen QGIS_CUSTOM_CONFIG_PATH=$work/settings XDG_RUNTIME_DIR=$work PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
plugins=$work/settings/profiles/default/python/plugins
mkdir -p "$plugins" "$work/settings/profiles/default/QGIS" && unzip -q "$zip" -d "$plugins"
printf '[PythonPlugins]\nsciara_lava=true\n[Processing]\nConfiguration\\SCIARA_PROGRAM=%s\n' "$work/small" >"$work/settings/profiles/default/QGIS/QGIS3.ini"
cd "$work" || exit 1

# what the shell makes of the same input; nobody looks at its maps, nor at those of QGIS
small=(--map-size 300x300 --map-dpi 40)
cat >"$work/small" <<END
#!/bin/sh
case \$1 in forecast | hazard | ask) exec "$sciara" "\$@" ${small[*]} ;; esac
exec "$sciara" "\$@"
END
chmod +x "$work/small"
"$sciara" terrain made --size 48 --quiet
printf 'vent,x,y\n1,500230,4170240\n' >made/one.csv
printf 'vent,x,y,part\n1,500230,4170240,1\n2,500300,4170300,1\n3,500200,4170200,1\n3,500200,4170260,1\n' >made/three.csv
printf 'vent,from_h,to_h,rate_m3_s\n*,0,6,5\n' >made/rates.csv
printf 'barrier,x,y,height_m\n1,500280,4170150\n1,500280,4170330\n' | sed '2,$s/$/,7/' >made/walls.csv
printf '%s\n' 'dem terrain.tif' 'rates rates.csv' 'parameters etna-2006' 'vent_radius_m 100' 'run_h 9' >made/common.cfg
{ cat made/common.cfg && echo 'vents one.csv'; } >made/one.cfg
{ cat made/common.cfg && printf '%s\n' 'vents three.csv' 'barriers walls.csv' 'start_time 2026-01-01'; } >made/three.cfg
point='{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":'
echo '{"type":"FeatureCollection","features":['"$point[500230,4170240]}},$point[500300,4170300]}}]}" >made/places.geojson
{ cat made/one.cfg && echo 'assets places.geojson'; } >made/places.cfg
"$sciara" plan made/places.cfg | sed 's/^members .*/members 8/' >made/plan.cfg
for case in one three; do "$sciara" run made/$case.cfg --no-output --json --quiet >$case.json; done
"$sciara" ensemble made/plan.cfg --keep --output shell --variant reference "${small[@]}" --quiet
{
    echo '{"type":"FeatureCollection","features":['
    for i in 1 2 3 4 5 6; do echo "${point/\{\}/{\"zone\":\"rift\"\}}[$((500080 + 60 * i)),$((4170040 + 50 * i))]}}$([ $i = 6 ] || echo ,)"; done
    echo ']}'
} >made/past.geojson
printf 'date,volume_m3,duration_h\n1910,10000,10\n1930,20000,12\n1950,15000,8\n1980,30000,20\n2000,12000,9\n' >made/catalogue.csv
printf '%s\n' 'dem terrain.tif' 'past_vents past.geojson' 'catalogue catalogue.csv' 'catalogue_until 2026' 'complete 1900' 'members 12' 'sampling latin' 'run_h 24' 'years 10 50 100' \
    'parameters etna-2006' 'vent_radius_m 100' >made/hazard.cfg
"$sciara" hazard made/hazard.cfg --output hazard_of_shell "${small[@]}" --quiet
gdalwarp -q -t_srs EPSG:4326 made/terrain.tif degrees.tif 2>warp.log || cat warp.log
"$sciara" dem made/terrain.tif --cell 20 --output shell20.tif --quiet

keep $python "$root/tests/program/qgis_check.py" "$plugins" "$work/small"
cat "$work/stdout"
check "QGIS has run all of it" exits 0

# (vents count in a digest as the bytes of their file)
"$sciara" plan forecast/case/eruption.cfg | sed 's/^members .*/members 8/' >forecast/case/shell.cfg
"$sciara" ensemble forecast/case/shell.cfg --keep --output shell_again "${small[@]}" --quiet
check "a forecast: the digest of the shell" [ "$(digest forecast/output/eruption-forecast)" = "$(digest shell_again)" ]
"$sciara" ask shell_again/library.gpkg --where 'rate_factor > 1' --assets ask/case/places.geojson --output asked_again "${small[@]}" --quiet
check "a question: the digest of the shell" [ "$(digest ask/answer)" = "$(digest asked_again)" ]

# ---- by the command of QGIS
command=$(command -v qgis_process.bin || command -v qgis_process) # (Debian 12 wraps it with an option that it does not know)
if [ "$command" ]; then
    keep "$command" run sciara:run -- TERRAIN="$work/made/terrain.tif" VENT='500230,4170240 [EPSG:32633]' RATE=5 HOURS=6 FOLDER="$work/by_command"
    check "qgis_process runs it" exits 0
    check "... and says the digest of the shell" says "DIGEST:[[:blank:]]+$(value digest one.json)"
else
    skip "qgis_process is not installed (Debian: qgis)"
fi
report
