// terrain.js: a GeoTIFF as files that the engine reads, in its worker: the same numbers as an ASCII grid, and a case that names what the
// tags say; longitudes and latitudes become metres of their UTM zone first. What these tags must say is checked here; the engine checks
// the rest, as of any terrain.
"use strict";
const CELLS_MOST = 2 ** 24;  // of which the text, the numbers and a state fit into the memory of a page
const TOO_MANY = `; a page has memory for ${CELLS_MOST}: crop or coarsen it (sciara dem), or use the program (sciara serve)`;

// What the terrain says of itself (item TERRAIN), as a value of a case: made up, or of which survey
function sourceOf(image) {
    const text = String(image.getGDALMetadata()?.TERRAIN ?? "");
    const plain = text.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll(/["\p{Cc}]/gu, " ");
    return new TextDecoder().decode(new TextEncoder().encode(plain).slice(0, 255)).replace(/\ufffd$/, "").trim();
}

// The heights of the file, NaN where there is none, row by row from the north, and where their corner lies.
async function readTiff(file, refuse) {
    const unread = (error) => refuse(`cannot be read: ${error.message}`);
    if (typeof GeoTIFF === "undefined")
        refuse("this page was built without what reads a GeoTIFF; give an ESRI ASCII grid (.asc)");
    const image = await GeoTIFF.fromBlob(file).then((tiff) => tiff.getImage()).catch(unread);
    const rows = image.getHeight(), cols = image.getWidth(), keys = image.getGeoKeys() || {};
    if (rows * cols > CELLS_MOST) refuse(`has ${rows} x ${cols} cells${TOO_MANY}`);
    if (image.getSamplesPerPixel() !== 1) refuse(`has ${image.getSamplesPerPixel()} bands; give one with heights alone`);
    const {ModelPixelScale: scale, ModelTiepoint: tie, GDAL_METADATA: about = ""} = image.fileDirectory;
    if (!scale || !tie) refuse("has no place: it lacks the size or the corner of its cells; give a GeoTIFF that is north-up");
    if ((keys.VerticalUnitsGeoKey || 9001) !== 9001) refuse("its heights are not in metres; convert it (sciara dem --heights)");
    if (/role="(scale|offset)"/.test(about)) refuse("its heights are scaled; write them in metres (sciara dem --scale)");
    const [read] = await image.readRasters({samples: [0]}).catch(unread);
    if (read.length !== rows * cols) refuse("is cut off; fetch or write it again");
    const none = image.getGDALNoData(), half = keys.GTRasterTypeGeoKey === 2 ? 0.5 : 0;  // (a point is the middle of its cell)
    return {
        rows,
        cols,
        z: Float64Array.from(read, (z) => (z === none || !Number.isFinite(z) ? NaN : z)),
        size: scale,
        west: tie[3] - (tie[0] + half) * scale[0],
        north: tie[4] + (tie[1] + half) * scale[1],
        epsg: keys.ProjectedCSTypeGeoKey,
        source: sourceOf(image),
        degrees: keys.ProjectedCSTypeGeoKey ? 0 : keys.GeographicTypeGeoKey || (keys.GTModelTypeGeoKey === 2 ? 32767 : 0)
    };
}

// The same in the UTM zone of its middle, in square cells of whole decimetres, as wide as its rows are high; between cells as they
// incline (bilinear). Cells that lie outside have no height.
function inMetres(of, refuse) {
    const lon = of.west + (of.cols * of.size[0]) / 2, lat = of.north - (of.rows * of.size[1]) / 2,
          zone = Math.floor((lon + 180) / 6) + 1;
    if (of.degrees !== 4326 || Math.abs(lat) > 84 || typeof proj4 === "undefined")
        refuse("is in degrees, not metres; give a DEM in a projected CRS (sciara dem)");
    const utm = proj4("EPSG:4326", `+proj=utm +zone=${zone} ${lat < 0 ? "+south " : ""}+datum=WGS84 +units=m`);
    const edge = [];
    for (let k = 0; k <= 64; k++)
        for (const [x, y] of [[k / 64, 0], [k / 64, 1], [0, k / 64], [1, k / 64]])
            edge.push(utm.forward([of.west + x * of.cols * of.size[0], of.north - y * of.rows * of.size[1]]));
    const [xs, ys] = [0, 1].map((i) => edge.map((p) => p[i])), cell = Math.max(0.1, Math.round(of.size[1] * 111195 * 10) / 10);
    const west = Math.floor(Math.min(...xs)), north = Math.ceil(Math.max(...ys));
    const cols = Math.ceil((Math.max(...xs) - west) / cell), rows = Math.ceil((north - Math.min(...ys)) / cell);
    if (!(rows * cols <= CELLS_MOST)) refuse(`has ${rows} x ${cols} cells in metres${TOO_MANY}`);
    const z = new Float64Array(rows * cols), at = (row, col) => of.z[row * of.cols + col];
    for (let row = 0, i = 0; row < rows; row++)
        for (let col = 0; col < cols; col++, i++) {
            const [x, y] = utm.inverse([west + (col + 0.5) * cell, north - (row + 0.5) * cell]);
            const u = (x - of.west) / of.size[0] - 0.5, v = (of.north - y) / of.size[1] - 0.5, c = Math.floor(u),
                  r = Math.floor(v);
            const a = u - c, b = v - r, inside = c >= 0 && r >= 0 && c < of.cols - 1 && r < of.rows - 1;
            z[i] = inside ?
                (at(r, c) * (1 - a) + at(r, c + 1) * a) * (1 - b) + (at(r + 1, c) * (1 - a) + at(r + 1, c + 1) * a) * b :
                NaN;
        }
    return {...of, rows, cols, z: Float32Array.from(z), size: [cell, cell], west, north, epsg: (lat < 0 ? 32700 : 32600) + zone};
}

async function readTerrain(file, stem) {
    const refuse = (said) => {
        throw new Error(`${file.name}: ${said}`);
    };
    let grid = await readTiff(file, refuse);
    if (grid.degrees) grid = inMetres(grid, refuse);
    const {rows, cols, z, size, west, north, epsg, source} = grid;
    if (Math.abs(size[0] / size[1] - 1) > 1e-6)
        refuse(`its cells are ${size[0]} x ${size[1]}; give a DEM with square cells (sciara dem)`);
    if (epsg === 32767) refuse("its CRS has no EPSG code; give a DEM in one that has (sciara dem)");
    const parts = [[
        `ncols ${cols}`, `nrows ${rows}`, `xllcorner ${west}`, `yllcorner ${north - rows * size[0]}`, `cellsize ${size[0]}`,
        "NODATA_value -32768", ""
    ].join("\n")];
    for (let row = 0; row < rows; row++)
        parts.push(Array.from(z.subarray(row * cols, (row + 1) * cols), (h) => (Number.isNaN(h) ? -32768 : h)).join(" "), "\n");
    return {name: `${stem}.asc`, bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), epsg, source};
}
