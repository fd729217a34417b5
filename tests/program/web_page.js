// web_page.js — the page that needs no program, from the disk, in a headless Chromium as people use it: for test_web.sh,
// `node web_page.js PAGE.html FOLDER PLAN...` with terrains in FOLDER, which gets what the page saved and exported, and the digests
// that it showed, as words of a shell; PLAN is a folder with the files of a plan.
"use strict";

const {existsSync, readFileSync, readdirSync, writeFileSync} = require("fs");
const {join, resolve} = require("path");
const {launch, check, result, LAVA, FRAME, PICTURE, changes} = require("../chromium.js");

const click = (page, id) => page.evaluate(`document.getElementById("${id}").click()`);
const text = (page, id) => page.evaluate(`document.getElementById("${id}").textContent`);
const speak = (page, language) =>
    page.evaluate(`{ const choice = document.getElementById("language"); choice.value = "${language}";
        choice.dispatchEvent(new Event("change")); }`);
const idle = "!document.documentElement.dataset.busy";
const edit = (page, change) => page.evaluate(`sciara.drawing.edit((d) => { ${change} })`);

const ERUPTION = "d.vents = [{id: 1, points: [[500245, 4170245]]}]; d.rates = [{vent: 1, points: [[0, 5], [6, 0]]}]; d.hours = 6";

// What the page makes as a file is kept beside it, too
const KEEP =
    "window.made = []; { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { made.push(blob); return make(blob); }; }";
async function lastMade(page, file) {
    await page.wait("made.length > 0");
    const base64 = await page.evaluate(
        "new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result.split(',')[1]); r.readAsDataURL(made.splice(0).at(-1)); })");
    writeFileSync(file, Buffer.from(base64, "base64"));
}

async function open(browser, file) {
    const page = await browser.show();
    await page.go(`file://${resolve(file)}`);
    check("the page asks what to open", await page.wait("document.documentElement.dataset.ready === 'choose'"));
    await page.evaluate(KEEP);
    return page;
}
const opened = (page) => page.wait("document.documentElement.dataset.ready === 'yes'");

async function drop(page, ...files) {
    const all = files.map((file) => [file.split("/").at(-1), readFileSync(file).toString("base64")]);
    await page.evaluate(`{ const t = new DataTransfer();
        for (const [name, base64] of ${JSON.stringify(all)})
            t.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
        document.dispatchEvent(new DragEvent("drop", {dataTransfer: t, cancelable: true})); }`);
}

async function run(page) {
    const before = await page.evaluate("sciara.present()?.begin.id ?? 0");
    await click(page, "run");
    const end = "sciara.present()?.end", shown = `document.documentElement.dataset.digest === ${end}.digest`;
    check("the run ends, and its digest is shown",
        await page.wait(`${idle} && !!${end} && sciara.present().begin.id !== ${before} && ${shown}`),
        await text(page, "refused"));
    return page.evaluate("document.documentElement.dataset.digest");
}

// While lava grows all of it is seen, and another view, each with a picture of the terrain, is rare
async function checkGrowing(page) {
    const {inside, views, others} = await page.evaluate(`(() => {
        const {view} = sciara.map, {box} = sciara.present().cells, all = {...box}, [width, height] = view.size(), STEPS = 60;
        const seen = {growing: new Set(), exact: new Set()}, from = {top: all.top, bottom: all.top + 1, left: all.left, right: all.left + 1};
        let inside = true;
        for (let n = 0; n <= STEPS; n++) {
            for (const edge in box) box[edge] = from[edge] + (all[edge] - from[edge]) * n / STEPS;
            view.fitGrowing();
            const p = view.place(), wide = width / 2 / p.scale, high = height / 2 / p.scale;
            inside &&= box.left >= p.col - wide && box.right <= p.col + wide && box.top >= p.row - high && box.bottom <= p.row + high;
            seen.growing.add(JSON.stringify(p));
        }
        for (let n = 0; n <= STEPS; n++) {
            for (const edge in box) box[edge] = from[edge] + (all[edge] - from[edge]) * n / STEPS;
            view.fit();
            seen.exact.add(JSON.stringify(view.place()));
        }
        return {inside, views: seen.growing.size, others: seen.exact.size};
    })()`);
    check("lava that grows is seen whole", inside);
    check("... in few views", others >= 10 && 2 * views <= others, `${views} of ${others}`);
}

async function checkVolcano(page, folder) {
    await click(page, "volcano");
    check("the volcano is opened", await opened(page), await text(page, "alerts"));
    await edit(page, "d.hours = 12");
    const first = await run(page);
    check("lava is on the map", await changes(page, LAVA, 0));
    check("... in some frames", (await page.evaluate("sciara.present().rows.length")) >= 2);
    console.log(`first lava after ${Math.round(await page.evaluate("sciara.present().first"))} ms`);
    await checkGrowing(page);
    await click(page, "keep");
    // live: a wall in the way, and no more
    await page.evaluate("document.getElementById('live').checked = true");
    await edit(page, "d.barriers = [{kind: 'wall', points: [[501200, 4171100], [501200, 4171400]], height_m: 20, width_m: 20}]");
    check("a wall runs by itself",
        await page.wait(`${idle} && !!sciara.present()?.end && document.documentElement.dataset.digest !== "${first}"`));
    const walled = await page.evaluate("document.documentElement.dataset.digest");
    await page.evaluate(`document.getElementById("live").checked = false`);
    const picture = await page.evaluate(PICTURE);
    await page.evaluate("document.querySelector('#kept button').click()");
    check("both are compared", await changes(page, PICTURE, picture));
    await page.evaluate("document.querySelector('#kept button').click()");

    await page.evaluate("document.getElementById('name').value = 'what-if'");
    await click(page, "save");
    await lastMade(page, join(folder, "what-if.zip"));
    check("what is saved has the digest", (await text(page, "saved")).includes(walled), await text(page, "saved"));
    const press = async (words, file) => {
        await page.evaluate(
            `[...document.querySelectorAll("#exports button")].find((b) => b.textContent === "${words}").click()`);
        await lastMade(page, join(folder, file));
    };
    await press("GeoTIFF: Thickness", "total_thickness_m.tif");
    await press("GeoTIFF: Arrival", "arrival_h.tif");
    await press("Map as PNG", "map.png");
    await press("Report", "report.html");
    return walled;
}

// Of the same drawing, computed by as many workers as there are processors; stopped, and continued
async function checkEnsemble(page, folder) {
    await page.evaluate("document.getElementById('members').value = 6, document.getElementById('savekind').value = 'plan'");
    await click(page, "save");
    await lastMade(page, join(folder, "plan.zip"));
    await click(page, "ensemble");
    await page.wait("sciara.present()?.kind === 'ensemble' && sciara.present().last.members >= 1");
    await click(page, "ensemble");
    check("an ensemble is stopped", await page.wait(idle));
    if (await page.evaluate("!document.getElementById('resume').hidden")) await click(page, "resume");
    check("... and ends", await page.wait(`${idle} && !!sciara.present()?.end && sciara.present().kind === "ensemble"`),
        await text(page, "refused"));
    return page.evaluate("sciara.present().end.digest");
}

// The files of a plan: its ensemble as it stands there
async function checkPlan(browser, file, folder) {
    const page = await open(browser, file);
    await drop(page, ...readdirSync(folder, {withFileTypes: true}).filter((f) => f.isFile()).map((f) => join(folder, f.name)));
    check("a plan is opened", await opened(page), await text(page, "alerts"));
    await click(page, "ensemble");
    check("its ensemble ends", await page.wait(`${idle} && !!sciara.present()?.end && sciara.present().kind === "ensemble"`),
        await text(page, "refused"));
    return page.evaluate("sciara.present()?.end?.digest");
}

async function checkDropped(browser, file, folder) {
    const page = await open(browser, file), refused = async (name, words) => {
        await drop(page, join(folder, name));
        const said = "document.querySelector('#choose .refused').textContent";
        check(`${name} is refused`, await page.wait(`${said} !== "" && !${said}.endsWith("…")`, 20000));
        const found = await page.evaluate(said);
        check(`... in words of a person, ${name}`, words.test(found), found);
        await page.evaluate("document.querySelector('#choose .refused').textContent = ''");
    };
    await refused("bad.asc",
        new RegExp(`^${readFileSync(join(folder, "bad.words"), "utf8").trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
    writeFileSync(join(folder, "photo.png"), "\x89PNG");
    await refused("photo.png", /^photo\.png: /);
    if (!existsSync(join(folder, "terrain.tif"))) return ["", page];
    await refused("short.tif", /^short\.tif: (cannot be read|is cut off)/);
    await refused("degrees.tif", /^degrees\.tif: is in degrees, not metres; give a DEM in a projected CRS/);
    await speak(page, "it");
    await refused("degrees.tif", /^degrees\.tif: è in gradi, non in metri; dare un DEM/);
    await speak(page, "en");
    await refused("huge.tif", /^huge\.tif: has 60000 x 60000 cells; a page has memory for 16777216/);
    await drop(page, join(folder, "terrain.tif"));
    check("a GeoTIFF is opened", await opened(page));
    check("... with its mark", (await text(page, "alerts")).startsWith("SYNTHETIC TERRAIN"), await text(page, "alerts"));
    await edit(page, ERUPTION);
    const digest = await run(page);
    await page.evaluate("document.getElementById('name').value = 'terrain'");
    await click(page, "save");
    await lastMade(page, join(folder, "terrain.zip"));
    return [digest, page];
}

// The same eruption as the files of a case, on the same heights as points
async function checkCase(browser, file, folder, digest) {
    const page = await open(browser, file), files = {
        "case.cfg":
            "dem made/terrain.tif\nterrain_source a survey\nvents vents.csv\nrates rates.csv\nparameters etna-2006\nrun_h 6\nvent_radius_m 100\n",
        "vents.csv": "vent,x,y\n1,500245,4170245\n",
        "rates.csv": "vent,from_h,to_h,rate_m3_s\n1,0,6,5\n"
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await drop(page, ...Object.keys(files).map((name) => join(folder, name)), join(folder, "points", "terrain.tif"));
    check("a case with a GeoTIFF is opened", await opened(page));
    check("... with its mark, whatever it calls its terrain", (await text(page, "alerts")).startsWith("SYNTHETIC TERRAIN"));
    check("... and is the eruption that was drawn", (await run(page)) === digest);
}

// Longitudes and latitudes became metres
async function checkDegrees(browser, file, folder) {
    const page = await open(browser, file);
    await drop(page, join(folder, "lonlat.tif"));
    check("a GeoTIFF in degrees is opened", await opened(page));
    check("... with its mark, too", (await text(page, "alerts")).startsWith("SYNTHETIC TERRAIN"));
    await edit(page, ERUPTION);
    await page.evaluate("document.getElementById('name').value = 'lonlat'");
    await click(page, "save");
    await lastMade(page, join(folder, "lonlat.zip"));
}

function checkQuiet(page) {
    check("nothing is said on the console", !page.seen.console.length, page.seen.console.join("; "));
    check("nothing is asked of a network", page.seen.requests.every((url) => /^(file|data|blob):/.test(url)),
        page.seen.requests.join(" "));
}

async function main([file, folder, ...plans]) {
    const browser = await launch(join(folder, "profile"));
    try {
        const page = await open(browser, file), walled = await checkVolcano(page, folder);
        await page.evaluate(FRAME);
        if (process.env.SHOTS) await page.shot(join(process.env.SHOTS, "volcano.png"));
        const many = await checkEnsemble(page, folder);
        if (process.env.SHOTS) await page.shot(join(process.env.SHOTS, "ensemble.png"));
        checkQuiet(page);
        const planned = [];
        for (const plan of plans) planned.push(await checkPlan(browser, file, plan));
        const [dropped, other] = await checkDropped(browser, file, folder);
        if (process.env.SHOTS) await other.shot(join(process.env.SHOTS, "dropped.png"));
        checkQuiet(other);
        if (dropped) await checkCase(browser, file, folder, dropped);
        if (existsSync(join(folder, "lonlat.tif"))) await checkDegrees(browser, file, folder);
        writeFileSync(join(folder, "shown"), `${walled} ${many} ${planned} ${dropped}\n`);
    } finally {
        await browser.close();
    }
    process.exitCode = result();
}
main(process.argv.slice(2));
