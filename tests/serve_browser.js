// serve_browser.js: the page of `sciara serve` in a headless Chromium, as people use it. Called by test_serve_page.sh:
// node serve_browser.js WORK draw ADDRESS ask ADDRESS files ADDRESS. Says what failed, and how many checks passed; of the saved case it writes
// the digest that the page showed to WORK/shown.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const {launch, check, checkAxe, TEXTS, checkItalian, result, LAVA, PICTURE, FRAME, changes} = require("./chromium.js");

const text = (id) => `document.getElementById("${id}").textContent`;
const click = (page, id) => page.evaluate(`document.getElementById("${id}").click()`);
const objects = "document.querySelectorAll('#objects li button').length";
const digest = "document.documentElement.dataset.digest || ''";
const gridOf = "JSON.parse(document.getElementById('facts').textContent).grid";
const idle = "!document.documentElement.dataset.busy";
const present = (what) => `sciara.present().${what}`;

let pages = 0;
async function open(browser, address, size = {}, hash = "") {
    const page = await browser.show(size);
    await page.go(`${address}&n=${++pages}${hash}`);  // (what differs behind the # alone is no other page)
    check("the page is ready", await page.wait("document.documentElement.dataset.ready === 'yes'"),
        await page.evaluate(text("alerts")));
    return page;
}
async function at(page, fx, fy) {
    const box = await page.box("#map");
    return {x: box.x + fx * box.width, y: box.y + fy * box.height};
}
async function press(page, x, y) {
    await page.mouse("mouseMoved", x, y);
    await page.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
    await page.mouse("mouseReleased", x, y, {button: "left", clickCount: 1});
    await page.evaluate(FRAME);
}
async function clickMap(page, fx, fy) {
    const {x, y} = await at(page, fx, fy);
    await press(page, x, y);
}
async function drag(page, from, to) {
    await page.mouse("mouseMoved", from.x, from.y);
    await page.mouse("mousePressed", from.x, from.y, {button: "left", clickCount: 1});
    for (const f of [0.3, 0.7, 1])
        await page.mouse("mouseMoved", from.x + f * (to.x - from.x), from.y + f * (to.y - from.y), {button: "left", buttons: 1});
    await page.mouse("mouseReleased", to.x, to.y, {button: "left", clickCount: 1});
    await page.evaluate(FRAME);
}
const choose = (page, tool) => page.evaluate(`document.querySelector('[data-tool="${tool}"]').click()`);
async function run(page) {
    const before = await page.evaluate(present("begin.id").replace(").", ")?."));
    await click(page, "run");
    check("the run ends", await page.wait(`${idle} && !!sciara.present()?.end && sciara.present().begin.id !== ${before}`),
        await page.evaluate(text("refused")));
    await page.evaluate(FRAME);
    return page.evaluate(digest);
}
const edit = (page, change) => page.evaluate(`sciara.drawing.edit((d) => { ${change} })`);

// ---- one draws, and sees

async function checkVent(page) {
    check("there is terrain to see",
        await page.wait(
            `${PICTURE} !== 0 && sciara.map.scene().ground.asked() > 0 && !Number.isNaN(sciara.map.scene().ground.at(5, 5))`));
    check("nothing is drawn at first", (await page.evaluate(objects)) === 0 && (await page.evaluate(LAVA)) === 0);
    await choose(page, "vent");
    await clickMap(page, 0.5, 0.45);
    check("a click makes a vent",
        (await page.evaluate(objects)) === 1 && (await page.evaluate(text("objects"))).includes("Vent 1"),
        await page.evaluate(text("objects")));
    check("... with rates", (await page.evaluate("document.querySelectorAll('circle.handle').length")) > 2);
    const [x, y] = await page.evaluate("sciara.drawing.get().vents[0].points[0]");
    await page.mouse("mouseMoved", ...Object.values(await at(page, 0.5, 0.45)));
    const [east, north] = (await page.evaluate("document.querySelector('#values [data-of=place] dd').textContent"))
                              .replace(" m", "")
                              .split(", ")
                              .map((n) => Number(n.replaceAll(",", "")));
    check("... where the pointer is", Math.abs(x - east) <= 20 && Math.abs(y - north) <= 20, `${x} ${y} ${east} ${north}`);
}

// Contours have heights: each that is written lies on ground of that height, to half of what lies between two lines
async function checkHeights(page) {
    await page.evaluate(
        "window.heights = [], (() => { const p = CanvasRenderingContext2D.prototype, fill = p.fillText; p.fillText = function (words, ...more) { const m = this.getTransform(); if (this.canvas !== sciara.map.canvas && /^-?[\\d.]+$/.test(words)) heights.push([+words, m.e * sciara.map.view.size()[0] / this.canvas.width, m.f * sciara.map.view.size()[0] / this.canvas.width]); return fill.call(this, words, ...more); }; })()");
    await page.evaluate(`sciara.map.view.zoom(1.02), ${FRAME}`);
    const seen = await page.evaluate(
        "heights.map(([z, x, y]) => { const { row, col } = sciara.map.view.positionAt(x, y); return [z, sciara.map.scene().ground.at(Math.floor(row), Math.floor(col))]; })");
    const step =
        Math.min(
            ...seen.map(([z]) => z).sort((a, b) => a - b).map((z, i, all) => (i && z > all[i - 1] ? z - all[i - 1] : Infinity))) /
        5;
    check("contours have their heights", seen.length > 5 && seen.every(([z, ground]) => Math.abs(z - ground) <= step / 2 + 1),
        JSON.stringify(seen));
    await page.evaluate("sciara.map.view.fit()");
}

// Coordinates that are typed: a vent in metres and in degrees, a wall, the view; those outside are refused
async function checkTyped(page) {
    const type = (words, kind, button) => page.evaluate(`(() => { document.getElementById("typed").value = ${
        JSON.stringify(words)}; document.getElementById("typedkind").value = "${kind}"; document.getElementById("typed${
        button}").click(); return document.getElementById("typedwrong").textContent; })()`);
    const drawn = () => page.evaluate("sciara.drawing.get()"), before = JSON.stringify(await drawn());
    const [[x, y]] = (await drawn()).vents[0].points;
    check("a vent is typed in metres", (await type(`${x + 100}, ${y - 50.5}`, "vent", "draw")) === "");
    check("... and is there", JSON.stringify((await drawn()).vents[1].points) === JSON.stringify([[x + 100, y - 50.5]]),
        JSON.stringify((await drawn()).vents));
    await page.evaluate(
        "(() => { const s = document.querySelector('#fields [name=unit]'); s.value = 'degrees'; s.dispatchEvent(new Event('change')); })()");
    const degrees = await page.evaluate("document.querySelector('#fields [name=points]').value");
    for (const words of [degrees, degrees.replace(",", "° N ").concat("° E")]) {
        await type(words, "place", "draw");
        const [[east, north]] = (await drawn()).places.at(-1).points;
        check(`... as a place at ${words}`, Math.hypot(east - x - 100, north - y + 50.5) < 0.3, `${east} ${north}`);
    }
    await page.evaluate(
        "(() => { const s = document.querySelector('#fields [name=unit]'); s.value = ''; s.dispatchEvent(new Event('change')); })()");
    check("a wall of one point is refused", (await type(`${x}, ${y}`, "wall", "draw")).includes("two points"));
    await type(`${x}, ${y}\n${x + 50}, ${y}\n${x + 50} ${y + 80}`, "wall", "draw");
    check("... of three is drawn", (await drawn()).barriers.at(-1).points.length === 3);
    check("the view goes where one types", (await type(`${x + 300}, ${y + 200}`, "vent", "show")) === "");
    const at = await page.evaluate(
        "(() => { const { col, row } = sciara.map.view.place(), g = JSON.parse(document.getElementById('facts').textContent).grid; return [g.west_m + col * g.cell_m, g.south_m + (g.rows - row) * g.cell_m]; })()");
    check("... there", Math.abs(at[0] - x - 300) < 0.1 && Math.abs(at[1] - y - 200) < 0.1, at.join());
    check("what is outside is refused", /outside the terrain, which reaches from/.test(await type("1, 2", "vent", "show")));
    check("... and marked", (await page.evaluate("document.getElementById('typed').getAttribute('aria-invalid')")) === "true");
    for (let k = 0; k < 4; k++) await click(page, "undo");
    await page.evaluate("sciara.map.view.setCursor(null), sciara.map.view.fit()");
    check("... undo takes all of it away", JSON.stringify(await drawn()) === before);
}

// What a set of parameters is from and not for is said next to it, in the language of the page
async function checkParameters(page) {
    const said = async (name) => (await page.evaluate(`(() => { const s = document.getElementById("parameters"); s.value = "${
                                      name}"; s.dispatchEvent(new Event("change")); })()`),
              page.evaluate(text("parametersnote"))),
          seen = new Set();
    const names = await page.evaluate("[...document.getElementById('parameters').options].map((o) => o.value).filter(Boolean)");
    for (const name of names) {
        const words = await said(name);
        check(`${name} says what it is for and not for`, /^From Etna 200[16]\D.*\. Not for .{20}/.test(words), words);
    }
    await language(page, "it");
    for (const name of names) seen.add(await said(name));
    await language(page, "en");
    for (let k = 0; k < 2 * names.length; k++) await click(page, "undo");
    check("... also in Italian", seen.size > 2 && [...seen].every((words) => /^Da: Etna.*\. Non adatti a: /.test(words)),
        [...seen].join("|"));
}

async function checkLiveRun(page) {
    await edit(page, "d.hours = 48; d.rates[0].points = [[0, 20], [24, 10], [48, 0]]");
    await page.evaluate(
        `window.counts = []; (function look() { counts.push(sciara.present()?.cells.count || 0); if (!sciara.present()?.end) requestAnimationFrame(look); })()`);
    const first = await run(page);
    const counts = await page.evaluate("counts"), grew = counts.filter((c, i) => i && c > counts[i - 1]).length;
    check("the flow grows on the map while it is computed", grew >= 2, counts.join(" "));
    check("... in frames", (await page.evaluate(present("rows.length"))) >= 2);
    check("lava is on the map at the end", (await page.evaluate(LAVA)) > 200, await page.evaluate(LAVA));
    check("the page shows the digest", /^[0-9a-f]{16}$/.test(first) && (await page.evaluate(text("state"))).includes(first),
        await page.evaluate(text("state")));
    console.log(`first lava after ${Math.round(await page.evaluate(present("first")))} ms, all of it after ${
        Math.round(await page.evaluate(present("wall")))} ms`);
    const later = await page.evaluate(LAVA);
    await page.evaluate(
        `(() => { const s = document.getElementById("time"); s.value = s.max / 8; s.dispatchEvent(new Event("input")); return ${
            FRAME}; })()`);
    const earlier = await page.evaluate(LAVA);
    check("the slider shows less lava before", earlier < later && earlier > 0, `${earlier} ${later}`);
    const pictures = new Set();
    for (const layer of ["max_thickness_m", "temperature_K", "arrival_h", "total_thickness_m"]) {
        await page.evaluate(`document.querySelector('input[value="${
            layer}"]').click(), document.getElementById("time").value = document.getElementById("time").max, document.getElementById("time").dispatchEvent(new Event("input")), ${
            FRAME}`);
        pictures.add(await page.evaluate(PICTURE));
    }
    check("each layer looks different", pictures.size === 4, pictures.size);
    const lines = JSON.parse(await page.evaluate("JSON.stringify(sciara.present().end.isochrones.map((i) => i.lines.length))"));
    check("the run has lines of arrival", lines.length > 2 && lines.every((n) => n > 0), lines.join(" "));
    for (const shown of ["shown", "hidden"]) {
        const picture = await page.evaluate(PICTURE);
        await page.evaluate(`document.querySelector('#overlays input[value=isochrones]').click(), ${FRAME}`);
        check(`... which are ${shown}`, await changes(page, PICTURE, picture));
    }
    await checkLabels(page);
    check("warnings stand on top, and the clock on the first screen",
        await page.evaluate(
            `(() => { scrollTo(0, 0); const top = (n) => n.getBoundingClientRect(); return document.querySelectorAll("#alerts p.told").length > 0 && top(document.getElementById("alerts")).bottom <= top(document.getElementById("mapsection")).top + 1 && top(document.getElementById("timebar")).bottom <= innerHeight; })()`),
        await page.evaluate(
            "[document.getElementById('alerts').innerText, document.getElementById('timebar').getBoundingClientRect().bottom, innerHeight].join('|')"));
    check("there are charts", (await page.evaluate("document.querySelectorAll('#charts svg').length")) >= 2);
    check("the same drawing has the same digest again", (await run(page)) === first);
    return first;
}

// Lines of arrival have their times, in days of each language
async function checkLabels(page) {
    const before = await page.evaluate("JSON.stringify(sciara.drawing.get())");
    await edit(page, "d.hours = 96; d.rates[0].points = [[0, 4], [96, 0]]");
    await run(page);
    await page.evaluate(
        "document.querySelector('#overlays input[value=isochrones]').click(), window.drawn = new Set(), (() => { const p = CanvasRenderingContext2D.prototype, fill = p.fillText; p.fillText = function (words, ...more) { drawn.add(words); return fill.call(this, words, ...more); }; })()");
    for (const [code, day] of [["fr", "j"], ["en", "d"]]) {
        await page.evaluate("drawn.clear()");
        await language(page, code);
        await page.evaluate(FRAME);
        const words = await page.evaluate("[...drawn].join('|')");
        check(`lines of arrival have days in ${code}`, new RegExp(`(^|\\|)[23] ${day}( |\\||$)`).test(words), words);
    }
    await page.evaluate("document.querySelector('#overlays input[value=isochrones]').click()");
    await click(page, "undo");
    check("... and the drawing is as before", (await page.evaluate("JSON.stringify(sciara.drawing.get())")) === before);
    await run(page);
}

// A point of the curve is dragged up; with "live" the flow follows by itself
async function checkRates(page, first) {
    await click(page, "live");
    check("live runs at once", await page.wait(`${idle} && ${present("end")} !== null`));
    const volume = `document.querySelector("#rates .now").textContent`, before = await page.evaluate(volume);
    const handle = await page.box('[data-point="1"]', "center");
    const from = {x: handle.x + handle.width / 2, y: handle.y + handle.height / 2};
    await drag(page, from, {x: from.x + 12, y: from.y - 35});
    const [hours, rate] = await page.evaluate("sciara.drawing.get().rates[0].points[1]");
    check("a rate is dragged up and later", rate > 11 && hours > 24 && hours < 48, `${hours} ${rate}`);
    check("the volume follows", (await page.evaluate(volume)) !== before);
    check("... and so does the flow", await page.wait(`${idle} && ${digest} !== "${first}" && !!${present("end")}`));
    await click(page, "live");
    await page.evaluate(
        `(() => { const t = document.querySelector("#rates textarea"); t.value = "hours,rate\\n0,15\\n30,x"; t.parentNode.querySelector("button").click(); })()`);
    check("a CSV that is wrong is refused next to it",
        (await page.evaluate("document.querySelector('#rates .refused').textContent")).includes("3"),
        await page.evaluate("document.querySelector('#rates .refused').textContent"));
    await page.evaluate(
        `(() => { const t = document.querySelector("#rates textarea"); t.value = "vent,from_h,to_h,rate_m3_s\\n1,0,12,15\\n1,12,30,8"; t.parentNode.querySelector("button").click(); })()`);
    check("a CSV replaces the rates",
        (await page.evaluate("JSON.stringify(sciara.drawing.get().rates[0].points)")) === "[[0,15],[12,8],[30,0]]",
        await page.evaluate("JSON.stringify(sciara.drawing.get().rates)"));
}

async function checkCaseKeys(page) {
    const type = (name, value) =>
        page.evaluate(`(() => { document.getElementById("keyspart").open = true; const i = document.querySelector('#keys [name="${
            name}"]'); i.value = "${value}"; i.dispatchEvent(new Event("change")); })()`);
    const wrong = (name) => page.evaluate(`(() => { const i = document.querySelector('#keys [name="${
        name}"]'); return [i.getAttribute("aria-invalid"), i.closest("#keys > div").querySelector(".refused").textContent]; })()`);
    const before = await run(page), usual = await page.evaluate(`document.querySelector('#keys [name="PTvent"]').placeholder`);
    check("a key that is not given shows its value", Number(usual) > 1000, usual);
    await type("PTvent", 99999);
    check("a value out of range is refused next to it",
        (await wrong("PTvent")).join() === "true,PTvent: give a value from 1 to 2,000.", (await wrong("PTvent")).join());
    await notSent(page);
    await type("PTvent", 1000);
    await click(page, "run");
    check("what the program refuses is marked, too",
        await page.wait(`document.querySelector('#keys [name="PTvent"]').getAttribute("aria-invalid") === "true"`),
        await page.evaluate(text("refused")));
    await type("PTvent", 1300);
    check("... until it is mended", (await wrong("PTvent")).join() === "false,");
    await type("emission", "published");
    check("keys change the run", (await run(page)) !== before);
    await type("emission", "");
    await type("PTvent", "");
    check("... and without them it is as before", (await run(page)) === before);
}

async function checkCancel(page) {
    await edit(page, "d.hours = 20000; d.rates[0].points = [[0, 30], [20000, 0]]");
    await click(page, "run");
    check("a long run has begun",
        await page.wait(
            "document.documentElement.dataset.busy === 'run' && sciara.present()?.rows.length > 0 && !sciara.present().end"));
    await edit(page, "d.hours = 48; d.rates[0].points = [[0, 20], [24, 10], [48, 0]]");
    check("a change cancels it", (await page.evaluate(idle)) && (await page.evaluate(text("state"))).startsWith("Cancelled"),
        await page.evaluate(text("state")));
    check("... and another run is answered at once", /^[0-9a-f]{16}$/.test(await run(page)));
}

async function checkUndo(page) {
    await choose(page, "fissure");
    for (const [fx, fy] of [[0.35, 0.4], [0.42, 0.44], [0.45, 0.5]]) await clickMap(page, fx, fy);
    await page.evaluate("document.getElementById('map').focus()");
    await page.key("Enter");
    check("a fissure has its points",
        (await page.evaluate("sciara.drawing.get().vents[1]?.points.length")) === 3 &&
            (await page.evaluate(text("objects"))).includes("Fissure 2"),
        await page.evaluate(text("objects")));
    const kept = await page.evaluate("JSON.stringify(sciara.drawing.get())"), both = await run(page);
    await page.key("z", "KeyZ", false, true);
    check("undo takes it away", (await page.evaluate(objects)) === 1);
    await page.key("y", "KeyY", false, true);
    check("redo brings it back, as it was", (await page.evaluate("JSON.stringify(sciara.drawing.get())")) === kept);
    check("... with its digest", (await run(page)) === both);
    // moved by its middle, back by undo
    const before = await page.evaluate("JSON.stringify(sciara.drawing.get().vents[1].points)");
    await page.evaluate("document.querySelectorAll('#objects button')[1].click()");
    const {x, y} = await at(page, 0.42, 0.44);
    await drag(page, {x, y}, {x: x + 40, y: y + 20});
    check("a point of it is dragged", (await page.evaluate("JSON.stringify(sciara.drawing.get().vents[1].points)")) !== before);
    await page.key("z", "KeyZ", false, true);
    check("... in one step of undo", (await page.evaluate("JSON.stringify(sciara.drawing.get().vents[1].points)")) === before);
    await page.key("Delete");
    check("Delete removes the selected one",
        (await page.evaluate(objects)) === 1 && (await page.evaluate("sciara.drawing.get().rates.length")) === 1);
}

// Points of a line: put into the middle of a side, moved, removed, by the pointer, keys and the panel; coordinates in degrees
async function checkPoints(page) {
    const shape = () => page.evaluate("JSON.stringify(sciara.drawing.get().barriers[0].points)"),
          size = async () => JSON.parse(await shape()).length;
    await page.evaluate("document.getElementById('map').focus()");
    await choose(page, "wall");
    for (const [fx, fy] of [[0.3, 0.7], [0.5, 0.75], [0.6, 0.7]]) await clickMap(page, fx, fy);
    await page.key("Enter");
    const first = await shape(), middle = await at(page, 0.4, 0.725), to = {x: middle.x + 5, y: middle.y + 50};
    check("a wall has three points", (await size()) === 3, first);
    await drag(page, middle, to);
    const bent = JSON.parse(await shape()), [a, b, c] = bent;
    check("the middle of a side is dragged to a new point",
        bent.length === 4 && b[0] > a[0] && b[0] < c[0] && b[1] < Math.min(a[1], c[1]), JSON.stringify(bent));
    check("... between the others, which stay", JSON.stringify([a, c, bent[3]]) === first);
    await page.key("z", "KeyZ", false, true);
    check("... in one step of undo", (await shape()) === first);
    await press(page, middle.x, middle.y);
    check("a click there makes one, too", (await size()) === 4 && (await page.evaluate("sciara.ui.selected.point")) === 1,
        await shape());
    await page.key("Delete");
    check("... which Delete removes alone", (await shape()) === first);
    await page.key("n");
    await page.key("n");
    check("N chooses a point",
        (await page.evaluate("sciara.ui.selected.point")) === 1 &&
            (await page.evaluate("document.querySelector('#fields [name=Point]').textContent")) === "Point 2 of 3");
    await page.key("ArrowUp", "ArrowUp", false, true);
    const moved = JSON.parse(await shape()), was = JSON.parse(first);
    check("... which Ctrl and arrows move alone",
        moved[1][1] > was[1][1] && moved[0][1] === was[0][1] && moved[2][1] === was[2][1], JSON.stringify(moved));
    await page.key("Insert");
    check("Insert adds one behind it", (await size()) === 4 && (await page.evaluate("sciara.ui.selected.point")) === 2);
    await page.evaluate("document.querySelector('#fields [name=Remove]').click()");
    check("... and the panel removes it", (await shape()) === JSON.stringify(moved));
    await page.evaluate("document.querySelector('#fields [name=\"Add a point\"]').click()");
    check("... or adds one to the longest side", (await size()) === 4);
    for (let k = 0; k < 4; k++)
        await page.evaluate(
            "document.querySelector('#fields [name=Remove]')?.click(), sciara.ui.selected.point ?? document.querySelector('#fields [name=Point]').click()");
    check("two points stay",
        (await size()) === 2 && (await page.evaluate("document.querySelector('#fields [name=Remove]').disabled")));
    await page.evaluate(`sciara.drawing.edit((d) => (d.barriers = [{ kind: "wall", points: ${
        first}, height_m: 5 }])), document.querySelector("#objects li:nth-child(2) button").click()`);
    await checkDegrees(page, JSON.parse(first));
    await page.evaluate("sciara.drawing.edit((d) => (d.barriers = []))");
}
async function checkDegrees(page, points) {
    const field = "document.querySelector('#fields [name=points]')",
          fill = (words) => page.evaluate(`(() => { const f = ${field}; f.value = ${
              JSON.stringify(words)}; f.dispatchEvent(new Event("change")); return f.validationMessage; })()`);
    await page.evaluate(
        "(() => { const s = document.querySelector('#fields [name=unit]'); s.value = 'degrees'; s.dispatchEvent(new Event('change')); })()");
    const lines = (await page.evaluate(`${field}.value`)).split("\n"), [lat, lon] = lines[1].split(", ").map(Number);
    check("coordinates are shown in degrees",
        lines.length === 3 && Math.abs(lat) <= 90 && lines.every((l) => /^-?\d+\.\d{6}, -?\d+\.\d{6}$/.test(l)),
        lines.join("; "));
    const north = lat + 0.0018;  // 200 m, of 111.2 km a degree
    check("... and can be typed so",
        (await fill([lines[0], `${north.toFixed(6)}° ${lat < 0 ? "" : "N"}, ${lon.toFixed(6)}°E`, lines[2]].join("\n"))) === "");
    const now = await page.evaluate("sciara.drawing.get().barriers[0].points");
    check("... 200 m to the north", Math.abs(now[1][1] - points[1][1] - 200) < 3 && Math.abs(now[1][0] - points[1][0]) < 10,
        JSON.stringify([points, now]));
    check("... where other lines stay to the bit", JSON.stringify([now[0], now[2]]) === JSON.stringify([points[0], points[2]]),
        JSON.stringify(now));
    const there = await page.evaluate(`${field}.value`);
    check("... and are the same degrees again",
        there.split("\n")[1].split(", ").every((v, i) => Math.abs(v - [north, lon][i]) < 2e-6), there);
    for (const wrong of ["91, 15", "37.7", "north, east", ""])
        check(`"${wrong}" is refused`, (await fill(wrong)).includes("degrees"));
    await page.evaluate(
        "(() => { const s = document.querySelector('#fields [name=unit]'); s.value = ''; s.dispatchEvent(new Event('change')); })()");
}

// A wall across the flow, both results next to each other, and their difference
async function checkBarrier(page) {
    await edit(page, "d.hours = 16; d.rates[0].points = [[0, 20], [8, 10], [16, 0]]");
    await run(page);
    await page.evaluate("document.getElementById('comparepart').open = true");
    await click(page, "keep");
    const [a, b] = await page.evaluate(
        `(() => { const r = sciara.present(), c = r.cells, far = r.arrays.get("arrival"), list = [...Array(c.count).keys()].sort((m, n) => far[m] - far[n]), i = list[Math.floor(list.length * 0.6)], g = sciara.map.scene();
        const v = sciara.drawing.get().vents[0].points[0], f = JSON.parse(document.getElementById("facts").textContent).grid, p = [f.west_m + (c.x[i] + 0.5) * f.cell_m, f.south_m + (f.rows - c.y[i] - 0.5) * f.cell_m];
        const d = [p[0] - v[0], p[1] - v[1]], l = Math.hypot(...d) || 1, w = 12 * f.cell_m; return [[p[0] - (d[1] / l) * w, p[1] + (d[0] / l) * w], [p[0] + (d[1] / l) * w, p[1] - (d[0] / l) * w]]; })()`);
    await edit(
        page, `d.barriers.push({ kind: "wall", name: "wall", points: ${JSON.stringify([a, b])}, height_m: 40, width_m: 20 })`);
    const without = await page.evaluate(digest), walled = await run(page);
    check("a wall changes the flow", walled !== without);
    check("both results are side by side", await page.wait("!document.getElementById('swiping').hidden"));
    const swipe = (v) => page.evaluate(`(() => { const s = document.getElementById("swipe"); s.value = ${
        v}; s.dispatchEvent(new Event("input")); return ${FRAME}; })()`);
    const seen = [];
    for (const v of [0, 0.5, 1]) await swipe(v), seen.push(await page.evaluate(PICTURE));
    check("the line between them changes the picture", new Set(seen).size === 3, seen.join(" "));
    await click(page, "difference");
    await page.evaluate(FRAME);
    const counts = await page.evaluate("sciara.compare.counts()");
    check("the difference has spared and struck cells", counts?.[3] > 0 && counts[4] > 0, JSON.stringify(counts));
    check("... and words", /^Spared [\d.]/.test(await page.evaluate(text("differences"))),
        await page.evaluate(text("differences")));
    await click(page, "difference");
    const pixel = `document.querySelectorAll("#kept button").length`;
    check("the kept result is listed", (await page.evaluate(pixel)) === 2);
    return walled;
}

// With a result and an object that is selected: what was shown before follows the language, too
async function checkTexts(page) {
    const seen = [];
    await page.evaluate("document.querySelector('#objects li button').click()");
    for (const code of ["en", "it"]) {
        await language(page, code);
        await page.evaluate(FRAME);
        seen.push(await page.evaluate(TEXTS));
    }
    await language(page, "en");
    checkItalian("the page", ...seen,
        ["etna-", "arrival_h(", "Pclock", "PTvent", "GeoTIFF", "KMZ", "<p class", "WGS 84", "Lat, lon (", "observed_front"]);
}

// What is out of range is marked as soon as it is there, in the language of the page, and is not sent
async function notSent(page) {
    const sent = page.seen.requests.filter((url) => /api.(run|save|ensemble)/.test(url)).length;
    for (const id of ["run", "ensemble", "save"]) await click(page, id);
    await page.evaluate(FRAME);
    check("... and is not sent",
        (await page.evaluate(idle)) && page.seen.requests.filter((url) => /api.(run|save|ensemble)/.test(url)).length === sent);
}

const language = (page, code) => page.evaluate(
    `(() => { const s = document.getElementById("language"); s.value = "${code}"; s.dispatchEvent(new Event("change")); })()`);
const marked =
    "[...document.querySelectorAll('#objects li')].map((l) => l.querySelector('.refused')?.textContent || '').join('|')";

async function checkRanges(page) {
    const type = (selector, value) => page.evaluate(`(() => { const i = document.querySelector('${selector}'); i.value = "${
        value}"; i.dispatchEvent(new Event("change")); return ${FRAME}; })()`);
    const invalid = (selector) => page.evaluate(`document.querySelector('${selector}').getAttribute("aria-invalid")`);
    const {limits} = JSON.parse(await page.evaluate("document.getElementById('facts').textContent")),
          before = await page.evaluate("JSON.stringify(sciara.drawing.get())");
    await page.evaluate("document.querySelectorAll('#objects button')[1].click()");
    const picture = await page.evaluate(PICTURE);
    for (const [field, label] of [["height_m", "Height"], ["width_m", "Width"], ["from_h", "Built after"]]) {
        const [low, high] = limits.barriers[field];
        await type(`#fields [name=${field}]`, high + 1);
        check(`${field} above its range is refused at the wall`,
            (await page.evaluate(marked)) === `|${label}: give a value from ${low} to ${high.toLocaleString("en")}.`,
            await page.evaluate(marked));
        check("... and in its field",
            (await invalid(`#fields [name=${field}]`)) === "true" &&
                (await page.evaluate("document.querySelectorAll('#fields [aria-invalid=true]').length")) === 1);
        await click(page, "undo");
        check("... until it is undone",
            (await page.evaluate(marked)) === "|" && (await invalid(`#fields [name=${field}]`)) === "false");
    }
    await type("#fields [name=height_m]", -1);
    check("... and on the map", await changes(page, PICTURE, picture));
    await notSent(page);
    await language(page, "it");
    await edit(page, "d.barriers[0].height_m = -2");
    check("... in the language of the page",
        (await page.evaluate(text("refused"))) === "Altezza: indicare un valore da 0 a 1.000.",
        await page.evaluate(text("refused")));
    await language(page, "en");
    for (let k = 0; k < 2; k++) await click(page, "undo");
    await type("#days", 0);
    check("no time is refused in its field",
        (await invalid("#days")) === "true" && /^Time, days: give a value from/.test(await page.evaluate(text("refused"))),
        await page.evaluate(text("refused")));
    await notSent(page);
    await click(page, "undo");
    await edit(page, "d.rates[0].points[0][1] = -3");
    check("a negative rate is refused at the rates",
        (await page.evaluate("document.querySelector('#rates .refused').textContent")) ===
            "Rates: give a value from 0 to 10⁹.".replace("10⁹", "1 × 10⁹"),
        await page.evaluate("document.querySelector('#rates .refused').textContent"));
    await notSent(page);
    await click(page, "undo");
    check("undo mends all of it",
        (await page.evaluate("JSON.stringify(sciara.drawing.get())")) === before &&
            (await page.evaluate("document.getElementById('refused').hidden")));
}

async function checkRefusals(page) {
    await edit(page, "d.barriers[0].height_m = 0");
    check("a wall without height is within its range", (await page.evaluate(marked)) === "|");
    await click(page, "run");
    check("what is refused is said at the wall", await page.wait("document.querySelector('#objects .refused') !== null"),
        await page.evaluate(text("refused")));
    check("... which is the one",
        await page.evaluate("[...document.querySelectorAll('#objects li')].findIndex((l) => l.querySelector('.refused')) === 1"));
    check("... by its name, above", (await page.evaluate(text("refused"))) === "wall: is 0 m high or deep; remove it",
        await page.evaluate(text("refused")));
    await click(page, "undo");
    check("undo mends it", !(await page.evaluate("document.querySelector('#objects .refused')")));
    await checkRanges(page);
    await checkTold(page);
}

// What the program refuses has the language of the page, and follows it
async function checkTold(page) {
    const before = await page.evaluate("JSON.stringify(sciara.drawing.get())"), said = () => page.evaluate(text("refused"));
    const far = "[d.vents[0].points[0][0] + 1e5, d.vents[0].points[0][1]]";
    for (const [code, change, words] of [["it", "d.vents = []; d.rates = []", /^Bocca: non ce n'è; disegnane una/],
             [
                 "it", "d.rates = [{ vent: 0, points: [[0, 1e6], [5, 0]] }]",
                 /^Portate: una portata di \S+ m³\/s aggiunge \S+ m di lava/
             ],
             ["es", "d.rates = []", /^Boca 1: no tiene tasas/],
             ["es", `d.places = [{ name: "x", points: [${far}] }]`, /está fuera del terreno: va de \d+/],
             [
                 "fr", `d.vents[0].points = [${far}]`,
                 /^Bouche 1: la bouche en [\d.]+, [\d.]+ est hors du terrain, qui va de \d+, \d+ à \d+, \d+ ;/
             ],
             ["fr", "d.keys = { ...d.keys, sea_level: '8000' }", /^tout le terrain est à 8000 m ou en dessous/],
             ["is", "d.barriers[0].height_m = 0", /^wall: er 0 m hár/],
             ["is", "d.keys = { ...d.keys, PTvent: '1000' }", /^PTvent: PTvent = 1000 er ekki yfir PTsol = \d+/],
    ]) {
        if ((await page.evaluate("document.documentElement.lang")) !== code) await language(page, code);
        await edit(page, change);
        await click(page, "run");
        check(`a refusal has the language ${code}`,
            (await page.wait("!document.getElementById('refused').hidden")) && new RegExp(words).test(await said()),
            await said());
        await click(page, "undo");
    }
    await edit(page, "d.vents = []; d.rates = []");
    await click(page, "run");
    await page.wait("!document.getElementById('refused').hidden");
    const seen = new Set();
    for (const code of ["it", "es", "fr", "is", "en"]) await language(page, code), seen.add(await said());
    check("... and follows it", seen.size === 5, [...seen].join(" | "));
    await click(page, "undo");
    check("... until it is mended",
        (await page.evaluate("document.getElementById('refused').hidden")) &&
            (await page.evaluate("JSON.stringify(sciara.drawing.get())")) === before);
    await page.call(
        "Network.emulateNetworkConditions", {offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    await click(page, "run");
    check("a program that has ended is said to",
        await page.wait(`${text("refused")} === "The program does not answer: is it still running?"`), await said());
    await page.call(
        "Network.emulateNetworkConditions", {offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    await run(page);
    check("... until it answers", await page.evaluate("document.getElementById('refused').hidden"));
}

async function checkEnsemble(page) {
    await page.evaluate(`(() => { const { west_m, south_m, cell_m, rows } = ${
        gridOf}, [x, y] = sciara.drawing.get().vents[0].points[0]; Object.assign(sciara.map.state, { place: null, fixed: { row: rows - 1 - Math.floor((y - south_m) / cell_m), col: Math.floor((x - west_m) / cell_m) } }); })()`);
    await page.evaluate(
        "document.getElementById('ensemblepart').open = true, document.getElementById('members').value = 48, window.most = [], window.told = [], (function look() { const p = sciara.present(); if (p?.kind === 'ensemble') most.push(p.last.members || 0), sciara.map.showValues(), told.push(['#legend .of', '#state', '#ensemblestate', '#values [data-of=probability] dd'].map((q) => document.querySelector(q)?.textContent || '')); if (!(p?.kind === 'ensemble' && p.end)) setTimeout(look, 2); })()");
    await click(page, "ensemble");
    check("an ensemble ends", await page.wait(`${idle} && sciara.present().kind === "ensemble" && !!sciara.present().end`),
        await page.evaluate(text("refused")));
    const grew = new Set((await page.evaluate("most")).filter((m) => m > 0));
    check("its probability grows with its members", grew.size >= 2, [...grew].join(" "));
    check("... on the map", (await page.evaluate(LAVA)) > 100);
    // While it grows and after it, no probability without how many members it is of
    const told = (await page.evaluate("told")).slice(0, -1).filter((t) => t[1]),
          of = told.map((t) => t.slice(0, 3).map((w) => +(/^(\d+) of 48 members/.exec(w)?.[1] ?? -1)));
    check("... which are said in the legend, above and below", told.length > 2 && of.every((t) => t.every((n) => n > 0)),
        JSON.stringify(told.filter((_, i) => of[i].some((n) => n <= 0)).slice(0, 3)));
    check("... and when it is done",
        (await page.evaluate(text("legend"))).includes("48 of 48 members") &&
            /^48 of 48 members\. Done in [\d.]+ s\. Digest [0-9a-f]{16}$/.test(await page.evaluate(text("state"))),
        await page.evaluate(text("state")));
    const values =  // in the beginning there is no value, and then no member
        [...new Set((await page.evaluate("told")).map((t) => t[3]))].filter((w, i) => i > 1 || (w && w !== "–"));
    check("... next to the value at the vent",
        values.length > 1 &&
            values.every((w) => / ± [\d.]+$|^((all|none) of \d+|[\d.]+ %) \((above|below) [\d.]+ %\)$|^\d of \d$/.test(w)),
        values.join(", "));
    const words = await page.evaluate(text("ensemblestate"));
    check("... with its error", /48 of 48 members, largest standard error [\d.]+ %/.test(words), words);
    await page.evaluate("document.getElementById('members').value = 3000");
    await click(page, "ensemble");
    check("another has begun",
        await page.wait(
            "document.documentElement.dataset.busy === 'ensemble' && sciara.present().kind === 'ensemble' && !sciara.present().end && sciara.present().last.members > 0"));
    await click(page, "ensemble");
    const there = await page.evaluate(present("last.members"));
    check("it stops", (await page.evaluate(idle)) && there < 3000, there);
    await page.wait("!document.getElementById('resume').hidden");
    await click(page, "resume");
    check("... and is resumed with what it had",
        await page.wait(`sciara.present().last.members >= ${there} && document.documentElement.dataset.busy === "ensemble"`),
        await page.evaluate(text("refused")));
    await click(page, "ensemble");
    await page.evaluate("document.getElementById('members').value = 16, document.getElementById('pairs').checked = true");
    await click(page, "ensemble");
    check("with and without barriers", await page.wait(`${idle} && sciara.present().kind === "pairs" && !!sciara.present().end`),
        await page.evaluate(text("refused")));
    check("... has three layers", (await page.evaluate("document.querySelectorAll('#layers input').length")) === 3);
    check("... of so many members", await page.wait("document.querySelector('#legend .of')?.textContent === '16 of 16 members'"),
        await page.evaluate("document.querySelector('#legend .of')?.textContent"));
}

// ---- a plan as it is, on a terrain of more cells than a map has

async function checkPlan(browser, address) {
    const page = await open(browser, address, {width: 1280, height: 900});
    const field = (id, what) => page.evaluate(`document.getElementById("${id}").${what}`);
    await page.evaluate("document.getElementById('ensemblepart').open = true");
    check("a plan: its number of members cannot be changed",
        (await field("members", "readOnly")) && (await field("members", "value")) === "6" && (await field("pairs", "disabled")),
        await field("members", "value"));
    check("... and it says why",
        !(await field("plannednote", "hidden")) && (await page.evaluate(text("plannednote"))).includes("computed as it is"));
    check("more than 2^24 cells", (await page.evaluate(`${gridOf}.rows * ${gridOf}.cols`)) > 2 ** 24);
    check("... have their observed outline",
        (await page.evaluate(text("marks"))).includes("observed outline") &&
            (await page.evaluate("JSON.parse(document.getElementById('facts').textContent).outline.runs.length")) > 10);
    await click(page, "ensemble");
    check("the plan is computed", await page.wait(`${idle} && sciara.present()?.end?.members === 6`),
        await page.evaluate(text("refused")));
    check("... and says of how many members it is",
        (await page.evaluate(text("state"))).match(/^6 of 6 members\. Done in [\d.]+ s/), await page.evaluate(text("state")));
    const picture = await page.evaluate(`${FRAME}.then(() => ${PICTURE})`);
    await page.evaluate(`document.querySelector('#overlays input[value=outline]').click(), ${FRAME}`);
    check("the outline is on the map", await changes(page, PICTURE, picture));
    await click(page, "keep");
    await edit(page, "d.hours = 20");
    check("what is drawn has members of its own",
        !(await field("members", "readOnly")) && !(await field("pairs", "disabled")) && (await field("plannednote", "hidden")));
    await page.evaluate("document.getElementById('members').value = 9");
    await click(page, "ensemble");
    check("... as many as one asks for", await page.wait(`${idle} && sciara.present()?.end?.members === 9`),
        await page.evaluate(text("refused")));
    await click(page, "difference");
    const legend = await page.evaluate("[...document.querySelectorAll('#legend .classes li')].map((row) => row.textContent)");
    const wanted =
        await page.evaluate("JSON.parse(document.getElementById('facts').textContent).classes.change.map((row) => row[2])");
    check("the difference of two ensembles has the classes of a change", legend.length === 9 && String(legend) === String(wanted),
        legend);
    await click(page, "difference");
    await click(page, "undo");
    check("the plan again has its own", (await field("members", "readOnly")) && (await field("members", "value")) === "6",
        await field("members", "value"));
}

async function checkBroken(browser, address) {
    const page = await open(browser, address, {width: 1280, height: 900});
    check("an outline that cannot be read is said above",
        /The observed outline could not be read, so it is not shown: .*cut\.geojson/.test(await page.evaluate(text("alerts"))),
        await page.evaluate(text("alerts")));
}

async function checkSave(page, work) {
    const shown = await run(page);
    await page.evaluate("document.getElementById('outpart').open = true, document.getElementById('name').value = 'my wall'");
    await click(page, "save");
    check("the case is saved", await page.wait("!!document.documentElement.dataset.saved"), await page.evaluate(text("saved")));
    check("... with the digest that the page shows", (await page.evaluate(text("saved"))).includes(shown));
    fs.writeFileSync(path.join(work, "shown"), `${shown} ${await page.evaluate("document.documentElement.dataset.saved")}\n`);
    await page.evaluate("delete document.documentElement.dataset.saved");
    await click(page, "save");
    check("a case of that name is not replaced without a question",
        await page.wait(`${text("saved")}.startsWith("a case of that name is there")`), await page.evaluate(text("saved")));
    await click(page, "replace");
    check("... but with one", await page.wait("!!document.documentElement.dataset.saved"), await page.evaluate(text("saved")));
    for (const format of ["report", "geotiff", "kmz"]) {
        const size = await page.evaluate(`fetch(document.querySelector('#exports a[href*="format=${
            format}"]').href).then(async (r) => (r.ok ? (await r.arrayBuffer()).byteLength : -r.status))`);
        check(`${format} can be downloaded`, size > 1000, size);
    }
    const png = await page.evaluate(
        "new Promise((done) => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { done([b.type, b.size]); return make.call(URL, b); }; document.getElementById('png').click(); })");
    check("the map is a PNG", png[0] === "image/png" && png[1] > 10000, png.join(" "));
    await click(page, "link");
    check("the link has the state", await page.wait("location.hash.length > 40"));
    return page.evaluate("location.hash");
}

// ---- keys alone, phone, languages

async function checkKeys(browser, address) {
    const page = await open(browser, address, {}, "#none");
    check(
        "a page that is opened again has the last drawing", (await page.evaluate("sciara.drawing.get().barriers.length")) === 1);
    await page.evaluate(
        "sciara.drawing.edit((d) => { d.vents = []; d.rates = []; d.barriers = []; d.places = []; d.hours = 24; })");
    await page.evaluate("document.getElementById('map').focus()");
    await page.key("v", "KeyV");
    await page.key("ArrowRight");
    for (let k = 0; k < 3; k++) await page.key("ArrowUp");
    await page.key("Enter");
    check("keys alone make a vent", (await page.evaluate("sciara.drawing.get().vents.length")) === 1);
    const before = await page.evaluate("sciara.drawing.get().vents[0].points[0][0]"),
          cell = JSON.parse(await page.evaluate("document.getElementById('facts').textContent")).grid.cell_m;
    await page.key("ArrowRight", "ArrowRight", false, true);
    check("... move it", Math.abs((await page.evaluate("sciara.drawing.get().vents[0].points[0][0]")) - before - cell) < 0.2);
    await page.key("w", "KeyW");
    for (const [key, times] of [["ArrowDown", 6], ["Enter", 1], ["ArrowRight", 4], ["Enter", 2]])
        for (let k = 0; k < times; k++) await page.key(key);
    check("... draw a wall", (await page.evaluate("sciara.drawing.get().barriers[0]?.points.length")) === 2);
    await page.evaluate("document.querySelector('[data-point=\"0\"]').focus()");
    const rate = await page.evaluate("sciara.drawing.get().rates[0].points[0][1]");
    await page.key("ArrowUp");
    check("... change a rate",
        (await page.evaluate("sciara.drawing.get().rates[0].points[0][1]")) > rate &&
            (await page.evaluate("document.activeElement.dataset.point")) === "0");
    await page.evaluate("document.getElementById('map').focus()");
    await page.key("r", "KeyR");
    check("... run it", await page.wait(`${idle} && !!sciara.present()?.end`), await page.evaluate(text("refused")));
    check("... and undo all", (await (async () => {
        for (let k = 0; k < 4; k++) await page.key("z", "KeyZ", false, true);
        return page.evaluate("sciara.drawing.get().vents.length");
    })()) === 0);
    for (let k = 0; k < 4; k++) await page.key("y", "KeyY", false, true);
    await checkTabs(page);
    await checkPanelKeys(page);
}

// The tabulator alone comes to each control, in the order in which they are read, and each has a role and a name
const TABS =
    `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((n) => n.tabIndex >= 0 && !n.disabled && n.checkVisibility() && !(n.type === "radio" && !n.checked))`;
const ROLES = "application button checkbox combobox DisclosureTriangle link radio region slider spinbutton textbox".split(" ");
// By as many keys as there are controls between, which checkTabs has gone through
async function tabTo(page, what) {
    const from = `(window.tabs = ${TABS}, tabs.indexOf(document.activeElement))`,
          to = `tabs.findIndex((n) => n.matches(${JSON.stringify(what)}))`;
    const [at, aim] = await page.evaluate(`[${from}, ${to}]`), steps = at < 0 ? aim + 1 : aim - at;
    for (let k = 0; k < Math.abs(steps); k++) await page.key("Tab", "Tab", steps < 0);
    const there = await page.evaluate(`document.activeElement.matches(${JSON.stringify(what)})`);
    check(`the tabulator comes to ${what}`, there, `${at} ${aim}`);
    return there;
}
async function checkTabs(page) {
    await page.evaluate(
        "document.querySelectorAll('details').forEach((d) => (d.open = true)), document.querySelector('#objects li button').click(), document.activeElement.blur(), scrollTo(0, 0)");
    await page.evaluate(FRAME);
    const count = await page.evaluate(`(window.tabs = ${TABS}).length`), seen = [];
    await page.evaluate("tabs[0].focus()");
    for (let k = 0; k < count; k++) {
        seen.push(await page.evaluate("tabs.indexOf(document.activeElement)"));
        if (k === 20)
            check("what is focused can be seen",
                await page.evaluate(
                    "parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2 && getComputedStyle(document.activeElement).outlineStyle !== 'none'"));
        await page.key("Tab");
    }
    check("the tabulator comes to each control once, in order", count > 60 && seen.every((n, k) => n === k),
        `${count}: ${seen.join(" ")}`);
    await page.call("Accessibility.enable");
    const { nodes } = await page.call("Accessibility.getFullAXTree"), is = (n, name) => n.properties?.find((p) => p.name === name)?.value.value;
    const focusable = nodes.filter((n) => !n.ignored && is(n, "focusable") && !["RootWebArea", "option"].includes(n.role.value));
    const bad = focusable.filter((n) => !ROLES.includes(n.role.value) || !n.name?.value.trim());
    check("each has a role and a name", focusable.length >= count && bad.length === 0,
        bad.map((n) => `${n.role.value} "${n.name?.value}"`).join(", "));
    const time = await page.evaluate("document.getElementById('time').getAttribute('aria-valuetext')");
    check("the time is spoken as one", /^\d+ (d|h|min)/.test(time), time);
    const live = ["status", "alert"].map((role) => nodes.filter((n) => n.role?.value === role).length);
    check("what happens is announced", live.every((n) => n > 0), live.join(" "));
    await page.call("Accessibility.disable");
}
// Parts of the panel by keys alone: an ensemble, two results and their difference, a layer, a file
async function checkPanelKeys(page) {
    await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = false)), document.activeElement.blur()");
    const press = async (what, ...keys) => {
        if (await tabTo(page, what))
            for (const key of keys) await page.key(key, key === " " ? "Space" : key);
    };
    await press("#run", "Enter");
    check("Enter runs", await page.wait(`${idle} && !!sciara.present()?.end`));
    await press("#comparepart > summary", "Enter");
    await press("#keep", "Enter");
    check("... keeps the result", await page.wait("document.querySelectorAll('#kept li').length > 0"));
    await press("details:has(#objects) > summary", "Enter");
    await press("#parameters", "ArrowDown");
    await press("#run", "Enter");
    check("... and runs with other parameters",
        await page.wait(`${idle} && !!sciara.present()?.end && !document.getElementById("swiping").hidden`),
        await page.evaluate(text("refused")));
    const before = await page.evaluate("+document.getElementById('swipe').value");
    await press("#swipe", "ArrowRight");
    check("an arrow moves the line between them", (await page.evaluate("+document.getElementById('swipe').value")) > before);
    await press("#difference", " ");
    check("Space shows the difference", await page.evaluate("sciara.compare.counts()?.length === 5"));
    await page.key(" ", "Space");
    await press("#layers input", "ArrowDown");
    check("an arrow chooses a layer", (await page.evaluate("sciara.map.state.layer.name")) !== "total_thickness_m");
    await press("#time", "Home");
    check("Home shows the beginning", (await page.evaluate("sciara.map.state.step")) === 0);
    await press("#ensemblepart > summary", "Enter");
    await press("#members", "Backspace");
    await page.evaluate("document.getElementById('members').select()");
    for (const digit of "16") await page.key(digit, `Digit${digit}`);
    await press("#ensemble", "Enter");
    check("keys start an ensemble",
        await page.wait(`${idle} && sciara.present().kind === "ensemble" && sciara.present().end?.members === 16`),
        await page.evaluate(text("refused")));
    await press("#outpart > summary", "Enter");
    await press("#name", "y");
    await press("#save", "Enter");
    check("keys save",
        await page.wait("!!document.documentElement.dataset.saved") &&
            fs.existsSync(await page.evaluate("document.documentElement.dataset.saved")),
        await page.evaluate(text("saved")));
    await press("#theme", "Enter");
    check("... and choose the theme", await page.evaluate("['light', 'dark'].includes(document.documentElement.dataset.theme)"));
}

async function checkPhone(browser, address, hash) {
    const page = await open(browser, address, {width: 375, height: 740, mobile: true}, hash);
    check("the link brings the drawing back", (await page.evaluate("sciara.drawing.get().barriers.length")) === 1);
    check("a phone shows it without scrolling aside", (await page.evaluate("document.documentElement.scrollWidth")) <= 375,
        await page.evaluate("document.documentElement.scrollWidth"));
    for (const [code, word] of [["it", "Simula"], ["es", "Simular"], ["fr", "Simuler"], ["is", "Reikna"], ["en", "Run"]]) {
        await language(page, code);
        check(`${code} says ${word}`,
            (await page.evaluate(text("run"))) === word && (await page.evaluate("document.documentElement.lang")) === code);
    }
    for (const [asked, code, other] of [["dark", "it", "Chiaro"], ["light", "en", "Dark"]]) {
        await page.call("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: asked}]});
        await language(page, code);
        check(`it is ${asked} where the browser asks for it`,
            await page.wait(`document.documentElement.dataset.theme === "${asked}" && ${text("theme")} === "${other}"`),
            await page.evaluate(text("theme")));
    }
    await choose(page, "place");
    const {x, y} = await at(page, 0.5, 0.5);
    for (const type of ["touchStart", "touchEnd"])
        await page.call("Input.dispatchTouchEvent", {type, touchPoints: type === "touchEnd" ? [] : [{x, y}]});
    check("a tap makes a place", await page.wait("sciara.drawing.get().places.length === 1"));
    await checkAxe(page, "phone", ["light"]);
    await page.call("Emulation.setEmulatedMedia", {features: []});
}

async function checkDraw(browser, address, work) {
    const page = await open(browser, address, {width: 1280, height: 760});
    await checkVent(page);
    await checkHeights(page);
    await checkTyped(page);
    await checkParameters(page);
    const first = await checkLiveRun(page);
    await checkTexts(page);
    await checkRates(page, first);
    await checkCaseKeys(page);
    await checkCancel(page);
    await checkUndo(page);
    await checkPoints(page);
    await checkBarrier(page);
    await checkRefusals(page);
    await checkEnsemble(page);
    const hash = await checkSave(page, work);
    await checkAxe(page, "desktop");
    const said = page.seen.console.filter((line) => !/status of (409|422|503)|ERR_INTERNET_DISCONNECTED/.test(
                                              line));  // (refusals that were asked for, and "not yet")
    check("no message on the console", said.length === 0, JSON.stringify(said));
    check("asks for its own machine alone",
        page.seen.requests.every((url) => url.startsWith(new URL(address).origin) || url.startsWith("blob:")),
        JSON.stringify(page.seen.requests.filter((u) => !u.startsWith(new URL(address).origin))));
    await checkKeys(browser, address);
    await checkPhone(browser, address, hash);
}

// ---- questions to a library

const answered = (page, what) => page.wait(`${idle} && (${present("end?.members")} ${what})`);
const slide = (page, id, value) => page.evaluate(
    `(() => { const s = document.querySelector('${id}'); s.value = ${value}; s.dispatchEvent(new Event("input")); })()`);

// Vents are in the middle of the map: a circle around them has all, a smaller one beside them some, and one without them none
async function checkCircle(page, all) {
    await slide(page, "#library input[data-column]", "s.min");
    check("all eruptions count again", await answered(page, `=== ${all}`));
    await page.evaluate("sciara.map.view.fit(), new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))");
    const centre = await page.evaluate(
        `(() => { const f = JSON.parse(document.getElementById("facts").textContent), c = f.library.columns, m = (n) => { const { low, high } = c.find((k) => k.name === n); return [low, high]; };
        const [x, y] = [m("x"), m("y")], g = f.grid, p = sciara.map.view.place(), [w, h] = sciara.map.view.size(), s = (u, v) => [(w / 2 + ((u - g.west_m) / g.cell_m - p.col) * p.scale) / w, (h / 2 + (g.rows - (v - g.south_m) / g.cell_m - p.row) * p.scale) / h];
        return { at: s((x[0] + x[1]) / 2, (y[0] + y[1]) / 2), some: (x[1] - x[0]) / 3, whole: x[1] - x[0] + y[1] - y[0] }; })()`);
    await page.evaluate(`document.getElementById("radius").value = ${centre.some}`);
    await click(page, "circle");
    await clickMap(page, ...centre.at);
    check("a click makes a circle of vents, of which some count", await answered(page, `< ${all} && sciara.ui.circle !== null`),
        await page.evaluate(text("refused")));
    const some = await page.evaluate(present("end.members"));
    check("... and draws nothing else",
        some > 0 && (await page.evaluate("sciara.ui.tool")) === "select" &&
            (await page.evaluate("sciara.drawing.can().undo")) === false,
        some);
    await slide(page, "#radius", centre.whole);
    check("a larger one has all of them", await answered(page, `=== ${all}`));
    await slide(page, "#radius", centre.some);
    await answered(page, `=== ${some}`);
    await click(page, "nocircle");
    check("... and so has none", (await answered(page, `=== ${all}`)) && (await page.evaluate("sciara.ui.circle === null")));
    await page.evaluate("document.getElementById('map').focus()");
    await click(page, "circle");
    for (const key of ["ArrowRight", "Enter"]) await page.key(key);
    check("keys alone make one", await page.wait("sciara.ui.circle !== null"));
    await click(page, "nocircle");
    check("... which is taken away", await answered(page, `=== ${all}`));
}

async function checkGiven(page, all) {
    const given = (words) => page.evaluate(`(() => { const w = document.querySelector("#library [name=where]"); w.value = ${
        JSON.stringify(words)}; w.dispatchEvent(new Event("change")); })()`);
    await given("runout_m > 300 and member % 2 = 0");
    check("given that something is so, some eruptions count", await answered(page, `< ${all}`),
        await page.evaluate(text("refused")));
    check("... and it says how many",
        await page.wait(
            `document.querySelector("#library [role=status]").textContent.startsWith(sciara.present().end.members + " of ${
                all}")`),
        await page.evaluate("document.querySelector('#library [role=status]').textContent"));
    await given("no_such_column > 1");
    check("what is no condition is refused next to it",
        await page.wait(
            "document.querySelector('#library .refused')?.textContent.includes('no_such_column') && document.querySelector('#library [aria-invalid=true]') !== null"),
        await page.evaluate(text("library")));
    await given("");
    check("... until it is mended",
        (await answered(page, `=== ${all}`)) && (await page.wait("!document.querySelector('#library .refused')")));
}

// Places come first, each with its probability, which is that of the table and of the map
async function checkPlaces(page) {
    const order = await page.evaluate(
        "[...document.querySelectorAll('#library [role=status], #library select[name=place], #library input')].map((n) => n.name || n.id || n.type)");
    check("the answer comes first, then places, then the rest",
        order[0] === "answer" && order[1] === "place" && order.lastIndexOf("place") < order.indexOf("range"), order.join(" "));
    const [panel, table] = await page.evaluate(
        "[[...document.querySelectorAll('#library [data-place]')].map((o) => [o.dataset.place, o.textContent]), [...document.querySelectorAll('#tables tbody tr')].map((r) => [...r.cells].slice(0, 2).map((c) => c.textContent))]");
    check("each place has its probability in the panel, as in the table",
        panel.length > 1 && JSON.stringify(panel) === JSON.stringify(table), JSON.stringify([panel, table]));
    await page.evaluate(
        "window.drawn = new Set(), (() => { const p = CanvasRenderingContext2D.prototype, fill = p.fillText; p.fillText = function (words, ...more) { drawn.add(words); return fill.call(this, words, ...more); }; })()");
    await page.evaluate(`sciara.map.view.redraw(), ${FRAME}`);
    const words = await page.evaluate("[...drawn]");
    check("... and on the map", panel.every(([name, said]) => words.includes(`${name}: ${said}`)), words.join("|"));
    check("the answer is in view",
        await page.evaluate("document.getElementById('answer').getBoundingClientRect().bottom < innerHeight"));
}

async function checkAsk(browser, address) {
    const page = await open(browser, address, {width: 1280, height: 900});
    check("a library answers at once", await page.wait(`${idle} && sciara.present()?.kind === "ask" && !!sciara.present().end`),
        await page.evaluate(text("refused")));
    await checkPlaces(page);
    let told = "–";
    for (let f = 0.3; f < 0.72 && !/\d/.test(told); f += 0.02) {
        await page.mouse("mouseMoved", ...Object.values(await at(page, 0.5, f)));
        told = await page.evaluate("document.querySelector('#values [data-of=arrival_h] dd')?.textContent ?? '–'");
    }
    check("when lava arrives at a cell is a range", /^[\d.]+ h \(5 to 95 %: [\d.]+ to [\d.]+ h\)$/.test(told), told);
    const all = await page.evaluate(present("end.members")), picture = await page.evaluate(`${FRAME}.then(() => ${PICTURE})`);
    const begun = Date.now();
    await page.evaluate(
        `(() => { const s = document.querySelector("#library input[type=range][data-column]"); s.value = (+s.min + +s.max) / 2; s.dispatchEvent(new Event("input")); })()`);
    check("a slider asks again, of fewer eruptions", await page.wait(`${idle} && sciara.present().end?.members < ${all}`),
        await page.evaluate(text("refused")));
    console.log(`an answer after ${Date.now() - begun} ms`);
    check("... and shows another map", await changes(page, PICTURE, picture));
    await checkCircle(page, all);
    await checkGiven(page, all);
    await checkAxe(page, "library", ["light"]);
}

// ---- a folder

// As wait(), also while one page takes the place of another, where there is nothing to ask
const arrives = (page, expression) =>
    page.wait(`(() => { try { return ${expression}; } catch { return false; } })()`).catch(() => arrives(page, expression));

async function checkFiles(browser, address, work) {
    const page = await open(browser, address, {width: 1280, height: 700});
    const names = await page.evaluate("[...document.querySelectorAll('.files a')].map((a) => a.textContent)");
    check("a folder lists what can be opened",
        ["made/terrain.tif", "made/volcano.cfg", "wrong.cfg"].every((n) => names.includes(n)) && names.length === 3,
        names.join(" "));
    check("... and fronts apart, which are not opened",
        await page.evaluate(
            "[...document.querySelectorAll('section')].some((s) => /^Fronts/.test(s.textContent) && s.querySelector('li').textContent === 'made/mask.asc' && !s.querySelector('a'))"),
        await page.evaluate(text("main")));
    await language(page, "fr");
    check("... in each language", (await page.evaluate("document.querySelector('h2').textContent")) === "Cas");
    await checkAxe(page, "files");
    const focus = (name) =>
        page.evaluate(`[...document.querySelectorAll('.files a')].find((a) => a.textContent === "${name}").focus()`);
    await focus("wrong.cfg");
    await page.key("Enter");
    check("what cannot be opened is said next to it",
        await page.wait("/wrong.cfg:1/.test(document.querySelector('.files .refused:not(:empty)')?.textContent)"),
        await page.evaluate("document.body.textContent"));
    await focus("made/volcano.cfg");
    await page.key("Enter");
    check("a key opens a case",
        await arrives(page, "document.documentElement.dataset.ready === 'yes' && !!window.sciara?.drawing"));
    check("... with its vents", (await page.evaluate("sciara.drawing.get().vents.length")) > 0);
    await edit(page, "d.hours = 24");
    check("... and computes it", /^[0-9a-f]{16}$/.test(await run(page)));
    await click(page, "original");
    check("... and leads back to the case",
        (await page.evaluate("JSON.stringify(sciara.drawing.get().hours)")) ===
                JSON.stringify(
                    await page.evaluate("JSON.parse(document.getElementById('facts').textContent).original_drawing.hours")) &&
            (await page.evaluate(
                `sciara.present() === null && ${text("figures")} === "" && document.getElementById("original").hidden`)) &&
            (await page.evaluate(`${FRAME}.then(() => ${LAVA})`)) === 0);
    await click(page, "undo");
    check("... and from there to what was drawn",
        (await page.evaluate("sciara.drawing.get().hours")) === 24 &&
            !(await page.evaluate("document.getElementById('original').hidden")));
    await click(page, "listed");
    check("... and leads back to the list",
        await arrives(
            page, "document.querySelectorAll('.files a').length === 3 && document.documentElement.dataset.ready === 'yes'"));
    if (fs.existsSync(path.join(work, "degrees.tif"))) await checkDropped(page, work);
}

// A terrain in degrees is dropped: its command is shown, changed and carried out, and what it makes is opened
async function checkDropped(page, work) {
    const
        bytes = fs.readFileSync(path.join(work, "degrees.tif")).toString("base64"),
        drop = () => page.evaluate(`(() => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob("${
            bytes}"), (c) => c.charCodeAt(0))], "degrees.tif")); document.dispatchEvent(new DragEvent("drop", {dataTransfer: d, cancelable: true})); })()`);
    await drop();
    check("a terrain that is dropped and refused is offered to be prepared",
        await page.wait("document.querySelector('dialog').open"), await page.evaluate(text("sent")));
    check("... says why", (await page.evaluate(text("preparewhy"))).includes("degrees"), await page.evaluate(text("preparewhy")));
    const command = () => page.evaluate(text("preparecommand"));
    check("... and by which command",
        /^sciara dem \S+degrees\.tif --crs \S+ --cell \S+ --output \S+degrees\.tif$/.test(await command()), await command());
    await checkAxe(page, "a terrain to be prepared");
    await page.evaluate(
        `(() => { const o = document.getElementById("prepareoptions"); o.value += " --heights UNIT"; o.dispatchEvent(new Event("input")); })()`);
    check("words to be replaced are named",
        (await command()).includes("--heights UNIT") && !(await page.evaluate("document.getElementById('preparewords').hidden")));
    await click(page, "preparego");
    check("... and refused as they are",
        await page.wait(
            "document.getElementById('preparewhy').textContent.includes('UNIT') && !document.getElementById('preparego').disabled"),
        await page.evaluate(text("preparewhy")));
    await page.evaluate(
        `(() => { const o = document.getElementById("prepareoptions"); o.value = o.value.replace("UNIT", "m"); o.dispatchEvent(new Event("input")); })()`);
    await click(page, "preparego");
    check("the terrain that was prepared is opened",
        await arrives(page, "document.documentElement.dataset.ready === 'yes' && !!window.sciara?.drawing"),
        await page.evaluate("document.body.textContent.slice(0, 300)"));
    const grid = await page.evaluate(gridOf);
    check("... in metres", grid.cell_m === 10 && /UTM/.test(grid.crs_name), JSON.stringify(grid));
}

// ---- a forecast, with its bulletin

async function checkForecast(browser, address) {
    const page = await open(browser, address, {width: 1280, height: 900});
    const [x, y] = await page.evaluate("sciara.drawing.get().vents[0].points[0]"), state = text("forecaststate"),
              done = "document.documentElement.dataset.forecast === 'yes'";
    await edit(page, `d.hours = 6; d.places = [{ name: "Hut", points: [[${x}, ${y}]] }]`);
    await page.evaluate(
        "document.getElementById('forecastpart').open = true, document.getElementById('forecastname').value = 'my town', document.getElementById('forecastmembers').value = 10");
    const files = () => page.evaluate("[...document.querySelectorAll('#forecastfiles a')].map((a) => [a.textContent, a.href])");
    const read = (address) => page.evaluate(
        `fetch(${JSON.stringify(address)}).then(async (r) => [r.ok, r.headers.get("content-type"), (await r.text())])`);
    await click(page, "forecast");
    check("a forecast is computed", await page.wait(done), await page.evaluate(state));
    check("... of so many members", await page.wait(`${state} === "10 of 10 members"`),
        await page.evaluate("document.body.innerText.slice(-900)"));
    check("... is seen as a map", await page.wait("document.getElementById('forecastmap').naturalWidth > 300"));
    const first = await files();
    check("... and has a bulletin and a report", first.slice(0, 2).map(([name]) => name).join() === "Bulletin,Report",
        JSON.stringify(first));
    const [, , bulletin] = await read(first[0][1]), picture = /<img src="([^"]+)"/.exec(bulletin)?.[1].replaceAll("&amp;", "&");
    check("the bulletin names the place and its members", bulletin.includes("Hut") && bulletin.includes("10 simulated eruptions"),
        bulletin.slice(0, 2000));
    const [good, type] = await read(new URL(picture, first[0][1]).href);
    check("... with its map", good && type === "image/png", `${picture} ${type}`);
    check("the report is a page", /^text\/html/.test((await read(first[1][1]))[1]));

    await page.evaluate(`(() => { const d = new DataTransfer(), ring = [[0, 0], [60, 0], [60, 60], [0, 60], [0, 0]].map(([a, b]) => [${
        x} - 30 + a, ${
        y} - 30 + b]); d.items.add(new File([JSON.stringify({ type: "FeatureCollection", crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::32633" } }, features: [{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } }] })], "my front.geojson")); const i = document.getElementById("seenfile"); i.files = d.files; i.dispatchEvent(new Event("change")); })()`);
    check("a file of what was seen makes its line",
        (await page.evaluate("document.getElementById('seen').value")) === 'observed_front "my front.geojson" at 24h error_m 30');
    await page.evaluate("document.getElementById('seen').value = 'observed_front \"my front.geojson\" at 3h error_m 30'");
    await click(page, "forecast");
    check("it goes on with what was seen", await page.wait(done), await page.evaluate(state));
    const [, , now] = await read((await files())[0][1]);
    check("... as its bulletin says", now.includes("As of 3 h after the start") && !bulletin.includes("As of 3 h"),
        now.slice(0, 2000));
    await page.evaluate("document.getElementById('seen').value = 'nonsense 3'");
    await click(page, "forecast");
    check("what is no observation is refused", await page.wait(`${state}.includes("does not name an observation")`),
        await page.evaluate(state));
    await edit(page, "d.hours = 7");
    await click(page, "forecast");
    check("another drawing does not take its place", await page.wait("document.getElementById('goon') !== null"),
        await page.evaluate(state));
    await checkAxe(page, "forecast", ["light"]);
}

async function main() {
    const [work, ...jobs] = process.argv.slice(2), browser = await launch(path.join(work, "profile"));
    for (let i = 0; i + 1 < jobs.length; i += 2)
        await{draw: checkDraw,
            ask: checkAsk,
            files: checkFiles,
            forecast: checkForecast,
            plan: checkPlan,
            broken: checkBroken}[jobs[i]](browser, jobs[i + 1], work);
    await browser.close();
    process.exitCode = result();
}

main().catch((error) => {
    console.log(`FAILED: ${error.stack}`);
    result();
    process.exit(1);
});
