// terrain.js: a GeoTIFF as files that the engine reads, in its worker: the same numbers as an ASCII grid, and a case that names what the
// tags say. What these tags must say is checked here; the engine checks the rest, as of any terrain.
"use strict";
const CELLS_MOST = 2 ** 24;  // of which the text, the numbers and a state fit into the memory of a page

async function readTerrain(file, stem) {
    const refuse = (said) => {
        throw new Error(`${file.name}: ${said}`);
    };
    if (typeof GeoTIFF === "undefined")
        refuse("this page was built without what reads a GeoTIFF; give an ESRI ASCII grid (.asc)");
    const image =
        await GeoTIFF.fromBlob(file).then((tiff) => tiff.getImage()).catch((error) => refuse(`cannot be read: ${error.message}`));
    const rows = image.getHeight(), cols = image.getWidth(), {GeographicTypeGeoKey: degrees, ...keys} = image.getGeoKeys() || {};
    if (rows * cols > CELLS_MOST)
        refuse(`has ${rows} x ${cols} cells, and a page has memory for ${
            CELLS_MOST}; crop or coarsen it (sciara dem), or use the program (sciara serve)`);
    if (image.getSamplesPerPixel() !== 1) refuse(`has ${image.getSamplesPerPixel()} bands; give one with heights alone`);
    const directory = image.fileDirectory, scale = directory.ModelPixelScale, tie = directory.ModelTiepoint;
    if (!scale || !tie) refuse("has no place: it lacks the size or the corner of its cells; give a GeoTIFF that is north-up");
    if (Math.abs(scale[0] / scale[1] - 1) > 1e-6)
        refuse(`its cells are ${scale[0]} x ${scale[1]}; give a DEM with square cells (sciara dem)`);
    const epsg = keys.ProjectedCSTypeGeoKey;
    if (!epsg && (degrees || keys.GTModelTypeGeoKey === 2))
        refuse("is in degrees, not metres; give a DEM in a projected CRS (sciara dem)");
    if (epsg === 32767) refuse("its CRS has no EPSG code; give a DEM in one that has (sciara dem)");
    if ((keys.VerticalUnitsGeoKey || 9001) !== 9001) refuse("its heights are not in metres; convert it (sciara dem --heights)");
    const [values] = await image.readRasters({samples: [0]}).catch((error) => refuse(`cannot be read: ${error.message}`));
    if (values.length !== rows * cols) refuse("is cut off; fetch or write it again");
    const half = keys.GTRasterTypeGeoKey === 2 ? 0.5 : 0, none = image.getGDALNoData();  // (a point is the middle of its cell)
    const west = tie[3] - (tie[0] + half) * scale[0], south = tie[4] + (tie[1] + half) * scale[1] - rows * scale[0];
    const lines = [
        `ncols ${cols}`, `nrows ${rows}`, `xllcorner ${west}`, `yllcorner ${south}`, `cellsize ${scale[0]}`,
        "NODATA_value -32768", ""
    ];
    const parts = [lines.join("\n")];
    for (let row = 0; row < rows; row++)
        parts.push(
            Array.from(values.subarray(row * cols, (row + 1) * cols), (z) => (z === none || !Number.isFinite(z) ? -32768 : z))
                .join(" "),
            "\n");
    return {
        name: `${stem}.asc`,
        bytes: new Uint8Array(await new Blob(parts).arrayBuffer()),
        more: epsg ? `crs         EPSG:${epsg}\n` : ""
    };
}
