// web_export.js: files that a page without a program makes: a ZIP, a layer as GeoTIFF, a report.

const CRC_TABLE = Uint32Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
});
const crcOf = (bytes) => ~bytes.reduce((crc, b) => (crc >>> 8) ^ CRC_TABLE[(crc ^ b) & 255], -1) >>> 0;

// The bytes of numbers [size in bytes, value]..., one after the other, the lowest byte first
function packed(...numbers) {
    const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [size]) => sum + size, 0)));
    let at = 0;
    for (const [size, value] of numbers) {
        if (size === 2) view.setUint16(at, value, true);
        else if (size === 4) view.setUint32(at, value, true);
        else view.setFloat64(at, value, true);
        at += size;
    }
    return new Uint8Array(view.buffer);
}

// A ZIP of {name, bytes}..., stored as they are (PKWARE's APPNOTE.TXT, version 2.0; names in UTF-8; 1 January 1980)
function zipOf(files) {
    const parts = [], index = [];
    let at = 0;
    const add = (...all) => all.forEach((part) => (parts.push(part), (at += part.length)));
    for (const {name, bytes} of files) {
        const words = new TextEncoder().encode(name), size = [4, bytes.length];
        const about =
            packed([2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crcOf(bytes)], size, size, [2, words.length], [2, 0]);
        index.push(packed([4, 0x02014b50], [2, 20]), about, packed([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), words);
        add(packed([4, 0x04034b50]), about, words, bytes);
    }
    const begin = at, count = [2, files.length];
    add(...index);
    add(packed([4, 0x06054b50], [2, 0], [2, 0], count, count, [4, at - begin], [4, begin], [2, 0]));
    return new Blob(parts, {type: "application/zip"});
}

// A GeoTIFF with one band of Float32, -9999 for NaN, north up, with the EPSG code of the grid: TIFF 6.0, GeoTIFF 1.1, GDAL's tags
function geotiffOf(values, rows, cols) {
    values = values.map((x) => (Number.isNaN(x) ? -9999 : x));
    const {west_m, south_m, cell_m, crs = ""} = facts.grid, epsg = Number(crs.replace("EPSG:", "")) || 32767;
    const ascii = (text) => new TextEncoder().encode(`${text}\0`), numbers = (...all) => packed(...all.map((x) => [8, x]));
    const item = (name, value) => `<Item name="${name}">${String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</Item>`;
    const about = `<GDALMetadata>${item("CASE", facts.name)}${item("SCIARA_VERSION", facts.version)}${
        item("STATE_DIGEST",
            document.documentElement.dataset.digest || "")}${item("TERRAIN", facts.terrain_source || "")}</GDALMetadata>`;
    const keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, epsg];
    const tags = [
        [256, 4, 1, cols], [257, 4, 1, rows], [258, 3, 1, 32], [259, 3, 1, 1], [262, 3, 1, 1], [273, 4, 1, 8], [277, 3, 1, 1],
        [278, 4, 1, rows], [279, 4, 1, values.byteLength], [339, 3, 1, 3], [33550, 12, 3, numbers(cell_m, cell_m, 0)],
        [33922, 12, 6, numbers(0, 0, 0, west_m, south_m + rows * cell_m, 0)],
        [34735, 3, keys.length, packed(...keys.map((x) => [2, x]))], [42112, 2, 0, ascii(about)], [42113, 2, 0, ascii("-9999")]
    ];
    const first = 8 + values.byteLength, more = [];
    let at = first + 2 + 12 * tags.length + 4;
    const entries = tags.map(([tag, type, count, value]) => {
        if (typeof value === "number") return packed([2, tag], [2, type], [4, count], [4, value]);
        const size = value.length + (value.length & 1), here = at;
        count ||= value.length;
        if (value.length <= 4)
            return packed([2, tag], [2, type], [4, count],
                [4, new DataView(new Uint8Array([...value, 0, 0, 0, 0]).buffer).getUint32(0, true)]);
        more.push(value, new Uint8Array(size - value.length));
        at += size;
        return packed([2, tag], [2, type], [4, count], [4, here]);
    });
    return new Blob([packed([4, 0x002a4949], [4, first]), values, packed([2, tags.length]), ...entries, packed([4, 0]), ...more],
        {type: "image/tiff"});
}

// The shown report of a run in one file without scripts: map, figures, charts and tables
async function reportOf() {
    const page = document.implementation.createHTMLDocument(byId("title").textContent),
          copy = (id) => document.importNode(byId(id), true);
    const picture = element("img", {src: drawPng(window.sciara.map).toDataURL("image/png"), alt: t("Map")});
    for (const sheet of document.querySelectorAll("style")) page.head.append(sheet.cloneNode(true));
    page.documentElement.lang = language;
    picture.style.maxWidth = "100%";
    page.body.append(element("h1", {}, foreign(byId("title").textContent)), element("p", {}, foreign(byId("about").textContent)),
        ...[...document.querySelectorAll("#alerts p")].map((p) => p.cloneNode(true)), picture, copy("figures"), copy("charts"),
        copy("tables"), document.querySelector("footer").cloneNode(true));
    for (const part of page.querySelectorAll("button, .unseen, input, select")) part.remove();
    return [
        new Blob([`<!doctype html>\n${page.documentElement.outerHTML}\n`], {type: "text/html"}),
        `${byId("name").value || "run"}.html`
    ];
}
