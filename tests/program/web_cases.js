// web_cases.js — random cases for test_web.sh: `node web_cases.js PACKAGE FOLDER COUNT` writes them to FOLDER/N, and prints of each
// its number, the digest of the engine in PACKAGE, and what it has. `node web_cases.js PACKAGE CASE.cfg STEPS` runs one.
// `node web_cases.js PACKAGE FOLDER COUNT chromium` computes them in a page.
"use strict";

const {mkdirSync, readFileSync, readdirSync, writeFileSync} = require("fs");
const {basename, dirname, join, resolve} = require("path");

// mulberry32
function generator(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

function grid(rows, cols, at) {
    const lines =
        [`ncols ${cols}`, `nrows ${rows}`, "xllcorner 500000", "yllcorner 4170000", "cellsize 10", "NODATA_value -9999"];
    for (let row = 0; row < rows; row++) lines.push(Array.from({length: cols}, (_, col) => at(row, col).toFixed(3)).join(" "));
    return `${lines.join("\n")}\n`;
}

// A rough slope to the south, which is sea in a third of them; vents near its top; two thirds have walls and channels, some
// of which come later, and half of them a later survey.
function randomCase(seed) {
    const random = generator(seed), rows = 24 + Math.floor(20 * random()), cols = 24 + Math.floor(20 * random());
    const steep = 0.5 + 5 * random(), rough = 4 * random(), sea = seed % 3 === 0, walls = seed % 3 !== 1, later = seed % 2 === 0;
    const z = Array.from({length: rows * cols}, (_, i) => 1 + (rows - 6 - Math.floor(i / cols)) * steep + rough * random());
    const keys = ["dem dem.asc", "vents vents.csv", "rates rates.csv", "crs EPSG:32633", "parameters etna-2006"];
    keys.push(`max_steps ${100 + Math.floor(200 * random())}`, `Pcool ${(1 + 20 * random()).toFixed(2)}`);
    const files = {
        "dem.asc": grid(rows, cols, (row, col) => (random() < 0.01 && row > 6 ? -9999 : z[row * cols + col])),
        "vents.csv": `vent,row,col\n1,2,${Math.floor(cols / 3)}\n2,${3 + (seed % 3)},${Math.floor(cols / 2)}\n2,5,${
            Math.floor(cols / 2)}\n`,
        "rates.csv": `vent,from_h,to_h,rate_m3_s\n1,0,${(1 + 4 * random()).toFixed(2)},${
            (1 + 9 * random()).toFixed(3)}\n2,0.5,6,${(6 * random()).toFixed(4)}\n`,
    };
    if (sea) keys.push("sea_level 2");
    if (walls) {
        const x = () => (500000 + 10 * cols * random()).toFixed(1),
              y = () => (4170000 + 10 * rows * (0.2 + 0.6 * random())).toFixed(1);
        const item = (n, height, depth, from) =>
            `${n},${x()},${y()},${height},${depth},${Math.floor(30 * random())},${from}\n${n},${x()},${y()},,,,\n`;
        keys.push("barriers walls.csv");
        files["walls.csv"] =
            `barrier,x,y,height_m,depth_m,width_m,from\n${item(1, 5, "", "")}${item(2, 8, "", "2h")}${item(3, "", 3, "1.5h")}`;
    }
    if (later) {
        keys.push(`terrain_update ${(1 + 2 * random()).toFixed(1)}h later.asc with${seed % 4 ? "out" : ""}_lava`);
        files["later.asc"] = grid(rows, cols, (row, col) => z[row * cols + col] + (col % 7 ? 0 : 3 * random()));
    }
    files["case.cfg"] = `${keys.join("\n")}\n`;
    return {files, has: `${sea ? "sea " : ""}${walls ? "walls " : ""}${later ? "survey " : ""}`};
}

function run(sciara, files, name, steps) {
    const simulation = sciara.open(files, name);
    simulation.advance(steps);
    const digest = simulation.digest();
    simulation.close();
    return digest;
}

// A hundred runs, and as many refusals, leave the memory of the module as large as ten did.
function stayFlat(sciara, files) {
    let early = 0;
    for (let n = 0; n < 110; n++) {
        run(sciara, files, "case.cfg", 20);
        try {
            sciara.open({...files, "case.cfg": `${files["case.cfg"]}barriers none.csv\n`}, "case.cfg");
            throw new Error("a case without its barriers is not refused");
        } catch (error) {
            if (error.status !== 2) throw error;
        }
        if (n === 9) early = process.memoryUsage().external;
    }
    const grown = process.memoryUsage().external - early;
    if (grown > 1e6) throw new Error(`a hundred runs take ${grown} bytes`);
}

// The same of what a page asks for: a session, in which one drawing runs again and again.
async function pageStaysFlat(folder, files) {
    const wasm = await require(join(folder, "sciara-engine.js"))({wasmBinary: readFileSync(join(folder, "sciara-engine.wasm"))});
    const give = (text) => {
        const bytes = Buffer.from(`${text}\0`), at = wasm._malloc(bytes.length);
        wasm.HEAPU8.set(bytes, at);
        return at;
    };
    const page = wasm._page_create(), path = give("/api/run");
    wasm.FS.mkdir("/case");
    for (const [name, text] of Object.entries(files)) wasm.FS.writeFile(`/case/${name}`, text);
    if (wasm._page_load(page, give("/case/case.cfg"), give("/case"))) throw new Error("the page refuses the case");
    let early = 0;
    for (let n = 0; n < 110; n++) {
        const answer = wasm._page_ask(page, path, give('{"drawing": {"hours": 2}}'));
        if (wasm._page_status(answer) !== 200) throw new Error("the page refuses a run");
        while (wasm._page_next(answer)) continue;
        wasm._page_forget(answer);
        if (n === 9) early = wasm.HEAPU8.length;
    }
    if (wasm.HEAPU8.length > early) throw new Error(`a hundred runs of a page take ${wasm.HEAPU8.length - early} bytes`);
}

// A page from the disk, whose only way to the module is the page itself.
async function inChromium(folder, work, count) {
    const {launch} = require("../chromium.js"), chromium = await launch(join(work, "profile"));
    const wasm = readFileSync(join(folder, "sciara-engine.wasm")).toString("base64");
    const script = (name) => `<script src="file://${join(folder, name)}"></script>`;
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src file: 'wasm-unsafe-eval'">`;
    writeFileSync(join(work, "page.html"), `${policy}${script("sciara-engine.js")}${script("sciara.js")}`);
    try {
        const page = await chromium.open();
        await page.go(`file://${join(work, "page.html")}`);
        await page.evaluate(
            `sciara.load({wasmBinary: Uint8Array.from(atob("${wasm}"), (c) => c.charCodeAt(0))}).then((s) => { engine = s; })`);
        for (let n = 1; n <= count; n++) {
            const made = randomCase(n);
            const digest = await page.evaluate(`(${run})(engine, ${JSON.stringify(made.files)}, "case.cfg", Infinity)`);
            console.log(`${n} ${digest} ${made.has}`);
        }
        if (page.seen.console.length) throw new Error(page.seen.console.join("; "));
        if (page.seen.requests.some((url) => !/^(file|data):/.test(url))) throw new Error(`asks for ${page.seen.requests}`);
    } finally {
        await chromium.close();
    }
}

async function main([folder, what, count, browser]) {
    if (browser) return inChromium(resolve(folder), resolve(what), Number(count));
    const sciara = await require(resolve(folder)).load();
    if (what.endsWith(".cfg")) {
        const files = {}, there = dirname(what), stem = basename(what).split("_")[0];
        for (const file of readdirSync(there))
            if (file.endsWith(".csv") || file.endsWith(".asc") || file.endsWith(".tif") || file.startsWith(stem))
                files[file] = readFileSync(join(there, file));
        console.log(run(sciara, files, basename(what), Number(count)));
        return;
    }
    stayFlat(sciara, randomCase(1).files);
    await pageStaysFlat(resolve(folder), randomCase(1).files);
    for (let n = 1; n <= count; n++) {
        const made = randomCase(n);
        mkdirSync(join(what, `${n}`));
        for (const [file, text] of Object.entries(made.files)) writeFileSync(join(what, `${n}`, file), text);
        console.log(`${n} ${run(sciara, made.files, "case.cfg", Infinity)} ${made.has}`);
    }
}

module.exports = {
    randomCase,
    run
};
if (require.main === module)
    main(process.argv.slice(2)).catch((error) => {
        console.error(error.message);
        process.exit(error.status ?? 1);
    });
