// report_browser.js: pages in a headless Chromium, as people use them. Called by test_report.sh with the folder to work in
// and, for each page, its kind and its folder: node report_browser.js WORK run FOLDER hostile FOLDER ensemble FOLDER ...
// Says what failed, and how many checks passed.
"use strict";
const {execFileSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {launch, check, checkAxe, AXE, TEXTS, checkItalian, result, LAVA, PICTURE, PIXELS, FRAME, changes} =
    require("./chromium.js");

const has = (program) => {
    try {
        execFileSync(program, ["--version"], {stdio: "ignore"});
        return true;
    } catch {
        return false;
    }
};
const withGdal = has("gdallocationinfo");

// The value of a layer at a place, as GDAL reads it; NaN: none.
function valueAt(file, x, y) {
    const text = execFileSync("gdallocationinfo", ["-valonly", "-geoloc", file, String(x), String(y)], {encoding: "utf8"}).trim();
    const value = text === "" ? NaN : Number(text);
    return value === -9999 ? NaN : value;
}

const first = (text) => Number(text.replaceAll(",", "").replace("−", "-").replace("≈ ", "").match(/-?[\d.]+/)?.[0] ?? NaN);
const shown = (id) => `document.querySelector('#values [data-of="${id}"] dd').textContent`;
const near = (a, b, by) => (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= by;
const setTime = (step) => `(() => { const t = document.getElementById("time"); t.value = ${
    step}; t.dispatchEvent(new Event("input")); return ${FRAME}; })()`;

async function open(browser, folder, size) {
    const page = await browser.show(size);
    await page.go("file://" + path.resolve(folder, "report.html"));
    check(`${folder}: it is ready`, await page.wait("document.documentElement.dataset.ready === 'yes'"),
        await page.evaluate("document.getElementById('alerts').textContent"));
    return page;
}
function checkQuiet(page, what) {
    check(`${what}: no message on the console`, page.seen.console.length === 0, JSON.stringify(page.seen.console));
    check(`${what}: asks for itself alone`, page.seen.requests.length === 1 && page.seen.requests[0].startsWith("file://"),
        JSON.stringify(page.seen.requests));
}

// ---- what all pages have

async function clickAt(page, fx, fy) {
    const box = await page.box("#map");
    const x = box.x + fx * box.width, y = box.y + fy * box.height;
    await page.mouse("mouseMoved", x, y);
    await page.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
    await page.mouse("mouseReleased", x, y, {button: "left", clickCount: 1});
    await page.evaluate(FRAME);
    return {x, y};
}

// A place on the map whose value in a layer is there
async function placeWith(page, id) {
    for (const fx of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8])
        for (const fy of [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7]) {
            await clickAt(page, fx, fy);
            if (!Number.isNaN(first(await page.evaluate(shown(id))))) return true;
        }
    return false;
}
async function place(page) {
    const [x, y] = (await page.evaluate(shown("place"))).replace(" m", "").split(", ").map((t) => Number(t.replaceAll(",", "")));
    return {x, y};
}

// ---- a run

async function checkValues(page, folder, layers, step, name) {
    if (!withGdal) return;
    const at = await place(page);
    for (const [id, by] of layers) {
        const file = path.join(folder, `${id}_${name}.tif`),
              exact = valueAt(file, at.x, at.y) - (id === "temperature_K" ? 273.15 : 0), text = await page.evaluate(shown(id));
        check(`${id} at step ${step} is that of the layer`, near(first(text), exact, by),
            `${text} for ${exact} at ${at.x}, ${at.y}`);
    }
}

async function checkRun(browser, folder) {
    const page = await open(browser, folder, {width: 1280, height: 900});
    const facts = JSON.parse(await page.evaluate("document.getElementById('facts').textContent"));
    const last = facts.time.last_step, layers = fs.readdirSync(folder).filter((f) => f.startsWith("total_thickness_m_"));
    const nameOf = (step) => layers.find((f) => Number(f.split("_")[3].slice(0, 6).split(".")[0]) === step)
                                 .slice("total_thickness_m_".length, -".tif".length);
    const drawn = await page.evaluate("performance.getEntriesByName('drawn')[0].startTime");
    console.log(`first picture after ${drawn.toFixed(0)} ms`);
    check("a first picture within a minute, however busy the machine", drawn < 60000, drawn);
    check("its policy allows nothing from elsewhere, and no other script", await page.evaluate(`(() => {
        const p = document.querySelector("meta[http-equiv=Content-Security-Policy]").content;
        const s = document.createElement("script"); s.textContent = "window.foreign = true"; document.head.append(s);
        return p.startsWith("default-src 'none'") && !p.includes("unsafe") && !window.foreign; })()`));
    check("... as the console says", page.seen.console.splice(0).length === 1);

    // values at a place, at the end and at a state before
    check("a place with lava is found", await placeWith(page, "total_thickness_m"));
    await checkPlace(page);
    const all = [["total_thickness_m", 0.0051], ["max_thickness_m", 0.0051], ["temperature_K", 0.51], ["arrival_h", 0.0051]];
    await checkValues(page, folder, all, last, nameOf(last));
    if (withGdal) {
        const at = await place(page), ground = valueAt(path.join(folder, `elevation_after_m_${nameOf(last)}.tif`), at.x, at.y);
        const solid = valueAt(path.join(folder, `solidified_m_${nameOf(last)}.tif`), at.x, at.y) || 0;
        check("the ground is that before the run", near(first(await page.evaluate(shown("ground"))), ground - solid, 0.11));
        const [lat, lon] = (await page.evaluate(shown("degrees"))).split(", ").map((t) => (/[SW]/.test(t) ? -1 : 1) * first(t));
        const there = execFileSync(
            "gdallocationinfo", ["-wgs84", path.join(folder, layers[0]), String(lon), String(lat)], {encoding: "utf8"});
        const here = execFileSync(
            "gdallocationinfo", ["-geoloc", path.join(folder, layers[0]), String(at.x), String(at.y)], {encoding: "utf8"});
        check("its degrees are those of that cell", there.match(/\(.*\)/)[0] === here.match(/\(.*\)/)[0], there + here);
    }
    const states = facts.layers.find((l) => l.states).states;
    check("the run has states before its end", states.length > 1);
    const [hut, cells, arrival] = JSON.parse(await page.evaluate(
        "JSON.stringify([...document.querySelectorAll('table')].filter((t) => t.caption.textContent === 'Places of interest').flatMap((t) => [...t.tBodies[0].rows[0].cells].map((c) => c.textContent)))"));
    check("what lava did at a place of interest has a table",
        hut === "Hut" && cells === "1 of 1" && first(arrival) > 0 && arrival.endsWith(" h"), `${hut}, ${cells}, ${arrival}`);
    const middle = states[Math.floor(states.length / 2)].step;
    await page.evaluate(setTime(middle));
    await checkValues(page, folder, [["total_thickness_m", 0.0051], ["temperature_K", 0.51]], middle, nameOf(middle));

    // the run-out is of the end; a chart over time is of all cells that lava reached
    const said = (of) => page.evaluate(`[...document.querySelectorAll('${of}')].map((e) => e.textContent).join()`);
    const charted = await said("#charts figcaption, #charts svg text");
    check("no chart has the name of the run-out",
        (await said("dt")).includes("run-out") && charted.includes("Distance that lava reached") && !/run-out/i.test(charted),
        charted);

    // the slider
    const counts = [];
    for (const step of [facts.time.first_step, states[0].step, Math.round((states[0].step + last) / 2), last]) {
        await page.evaluate(setTime(step));
        counts.push(await page.evaluate(LAVA));
    }
    check("lava arrives as the slider moves", counts[0] < counts[1] && counts[1] < counts[3] && counts[2] <= counts[3],
        counts.join(" "));
    const cursor = (step) =>
        page.evaluate(`${setTime(step)}.then(() => document.querySelector("#charts .cursor").getAttribute("x1"))`);
    check("the cursor of the charts goes along", Number(await cursor(middle)) < Number(await cursor(last)));
    check("the slider says its time in words",
        (await page.evaluate("document.getElementById('time').getAttribute('aria-valuetext')")).length > 2);
    const cut = await page.evaluate(`[...document.querySelectorAll("#charts svg text")].filter((text) =>
        text.getBoundingClientRect().right > text.ownerSVGElement.getBoundingClientRect().right).map((text) => text.textContent)`);
    check("no label of a chart is cut", cut.length === 0, cut.join());
    const closing = JSON.parse(await page.evaluate(`(async () => {
        const figure = [...document.querySelectorAll("#charts figure")].find((f) => f.textContent.includes("million m³"));
        return JSON.stringify([...figure.querySelectorAll(".key li")].map((l) => [l.textContent, Number(l.querySelector(".now").textContent.replace(" × 10", "e").replace(/[⁻⁰¹²³⁴-⁹]/g, (c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)]))])); })()`));
    const rest = closing.slice(1).reduce((sum, [, v]) => sum + v, 0), [, emitted] = closing[0];
    check("the volumes are all of the lava, also where it left the terrain",
        closing.some(([words]) => words.startsWith("left the terrain")) && emitted > 0 && near(emitted, rest, 0.005 * emitted),
        JSON.stringify(closing));
    check("there are charts of the timeline", (await page.evaluate("document.querySelectorAll('#charts svg path').length")) >= 4);

    // layers and things
    const pictures = new Set(), marks = "[...document.querySelectorAll('.marks span')].map((m) => m.textContent)";
    for (const layer of facts.layers) {
        await page.evaluate(`document.querySelector('input[value="${layer.name}"]').click(), ${FRAME}`);
        pictures.add(await page.evaluate(PICTURE));
        check(`${layer.name} has its legend`,
            (await page.evaluate("document.querySelector('#legend h3').textContent")).startsWith(layer.label));
        if (layer.kind === "arrival")
            check("... each time with its unit", (await page.evaluate(marks)).every((m) => m === "0" || / (min|h|d)$/.test(m)),
                await page.evaluate(marks));
    }
    check("each layer looks different", pictures.size === facts.layers.length, [...pictures].join(" "));
    for (const input of ["isochrones", "vents", "assets"]) {
        const before = await page.evaluate(PICTURE);
        await page.evaluate(`document.querySelector('#overlays input[value=${input}]').click(), ${FRAME}`);
        check(`${input} can be shown and hidden`, await changes(page, PICTURE, before));
    }

    await checkKeys(page, facts);
    await checkMouse(page);
    await checkFrames(page, last);
    checkQuiet(page, "run");
    await checkPaper(page, path.join(path.dirname(folder), "page.pdf"));
    await checkAxe(page, "desktop");
}

// What the pointer says is of the place under it: by the scale bar, and by the colour there
async function checkPlace(page) {
    const x = await page.evaluate("document.getElementById('scalebar').getBoundingClientRect().width");
    const words = await page.evaluate("document.getElementById('scalebar').textContent"),
          metres = parseFloat(words) * (words.endsWith("km") ? 1000 : 1);
    const box = await page.box("#map");
    await clickAt(page, 0.3, 0.4);
    const b = await place(page);
    await clickAt(page, 0.3 + x / box.width, 0.4 + x / box.height);
    const c = await place(page);
    check("the pointer goes as far as the scale bar says", near(c.x - b.x, metres, 12) && near(b.y - c.y, metres, 12),
        `${metres} ${JSON.stringify([b, c])}`);
    let agree = 0, lava = 0;
    for (let k = 0; k < 24; k++) {
        const fx = 0.2 + 0.1 * (k % 6), fy = 0.3 + 0.1 * Math.floor(k / 6);
        const at = {x: fx * box.width, y: fy * box.height};  // (before the click, whose cursor would be there)
        const coloured = await page.evaluate(`(() => { ${PIXELS} const i = 4 * (Math.floor(${at.y}) * c.width + Math.floor(${
            at.x})); return d[i] - d[i + 2] > 50; })()`);
        await clickAt(page, fx, fy);
        const there = !Number.isNaN(first(await page.evaluate(shown("total_thickness_m"))));
        agree += there === coloured;
        lava += there;
    }
    check("where it is lava, there are colours of lava", agree >= 22 && lava >= 3 && lava <= 21,
        `${agree} of 24 agree, ${lava} with lava`);
    await placeWith(page, "total_thickness_m");
}

async function checkKeys(page, facts) {
    const cell = facts.grid.cell_m;
    await page.key("0");
    await page.evaluate("document.getElementById('map').focus()");
    await page.key("ArrowRight");  // there is a cursor from now on
    const a = await place(page);
    for (const k of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.key(k);
    await page.key("ArrowUp", "ArrowUp", true);
    const b = await place(page);
    check(
        "arrows move a cursor over cells", near(b.x - a.x, 2 * cell, 1) && near(b.y - a.y, 9 * cell, 1), JSON.stringify([a, b]));
    check("... and a screen reader is told what is there",
        await page.wait("document.getElementById('spoken').textContent.includes('East, north')"));
    const bar =
        `document.getElementById("scalebar").getBoundingClientRect().width + document.getElementById("scalebar").textContent`;
    const before = await page.evaluate(`${FRAME}.then(() => ${bar})`);
    await page.key("+");
    check("+ zooms in", await changes(page, bar, before));
    await page.key("-");
    await page.key("-");
    check("- zooms out", await changes(page, bar, before));
    await page.key("0");
    check("0 shows all again", await page.wait(`${bar} === ${JSON.stringify(before)}`));
    await page.evaluate(setTime(facts.time.first_step));
    await page.key(" ", "Space");
    check("Space plays",
        await page.wait(`document.getElementById("play").textContent === "Pause" && +document.getElementById("time").value > ${
            facts.time.first_step}`));
    await page.key(" ", "Space");
    check("... and pauses", await page.wait("document.getElementById('play').textContent === 'Play'"));
    check("focus is seen", await page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'"));
}

async function checkMouse(page) {
    const before = await page.evaluate(PICTURE), {x, y} = await clickAt(page, 0.5, 0.5);
    await page.mouse("mouseWheel", x, y, {deltaX: 0, deltaY: -240});
    check("the wheel zooms", await changes(page, PICTURE, before));
    const closer = await page.evaluate(`${FRAME}.then(() => ${PICTURE})`);
    await page.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
    await page.mouse("mouseMoved", x + 60, y + 30, {button: "left", buttons: 1});
    await page.mouse("mouseReleased", x + 60, y + 30, {button: "left", clickCount: 1});
    check("the map can be dragged", await changes(page, PICTURE, closer));
    const touch = (type, points) =>
        page.call("Input.dispatchTouchEvent", {type, touchPoints: points.map(([px, py], id) => ({x: px, y: py, id}))});
    const wide = await page.evaluate(`${FRAME}.then(() => ${PICTURE})`);
    await touch("touchStart", [[x - 40, y], [x + 40, y]]);
    await touch("touchMove", [[x - 90, y], [x + 90, y]]);
    await touch("touchEnd", []);
    check("two fingers zoom", await changes(page, PICTURE, wide));
    await page.key("0");
}

async function checkFrames(page, last) {
    const rate = await page.evaluate(`new Promise((done) => { const t = document.getElementById("time"); let n = 0, begin = 0;
        function frame(now) { begin ||= now; t.value = ((n++ * 37) % 100) / 100 * ${last}; t.dispatchEvent(new Event("input"));
            if (now - begin < 700 || n < 8) requestAnimationFrame(frame); else done((1000 * (n - 1)) / (now - begin)); }
        requestAnimationFrame(frame); })`);
    console.log(`slider: ${rate.toFixed(0)} frames a second`);
    check("the slider follows on a busy machine, too", rate > 0.5, rate);
}

async function checkPaper(page, file) {
    await page.call("Emulation.setEmulatedMedia", {media: "print", features: [{name: "prefers-color-scheme", value: "dark"}]});
    const style = JSON.parse(await page.evaluate(
        `JSON.stringify([getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.getElementById("theme")).display, getComputedStyle(document.getElementById("play")).display])`));
    check("paper is white, and has no buttons", style.join() === "rgb(255, 255, 255),none,none", style.join());
    await page.call("Emulation.setEmulatedMedia", {media: "", features: []});
    await page.print(file);
    const text = fs.readFileSync(file, "latin1"), pages = (text.match(/\/Type\s*\/Page\b/g) || []).length;
    check("it prints on a few pages", text.startsWith("%PDF") && pages >= 2 && pages <= 8, pages);
    check("with the map", /\/Subtype\s*\/Image/.test(text));
}

// ---- other pages

const touch = (a, b) => a.x < b.x + b.wide && b.x < a.x + a.wide && Math.abs(a.y - b.y) < a.high;

// The pages of a run, an ensemble, a nowcast and a calibration
async function checkTables(page, least = 1) {
    const cut = JSON.parse(await page.evaluate(
        "JSON.stringify([...document.querySelectorAll('#tables .scrolls')].map((d) => [d.ariaLabel, d.scrollWidth - d.clientWidth]))"));
    check("... and no table is cut off", cut.length >= least && cut.every(([, more]) => more <= 1), JSON.stringify(cut));
    const heads = JSON.parse(await page.evaluate(
        "JSON.stringify([...document.querySelectorAll('#tables .stacked')].map((t) => [...t.tBodies[0].rows[0].cells].slice(1).map((c, k) => [getComputedStyle(c, '::before').content.slice(1, -1), t.tHead.rows[0].cells[k + 1].textContent])))"));
    check("... and what is in a row has the name of its column", heads.flat().every(([one, other]) => one === other),
        JSON.stringify(heads));
    return heads.length;
}

async function checkPhone(browser, folder) {
    const page = await open(browser, folder, {width: 360, height: 740, mobile: true});
    check("a phone shows it without scrolling aside", (await page.evaluate("document.documentElement.scrollWidth")) <= 360,
        await page.evaluate("document.documentElement.scrollWidth"));
    check("... the map, too", (await page.evaluate(LAVA)) > 50);
    await checkTables(page, 4);
    const box = await page.box("#map", "start");
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    for (const type of ["touchStart", "touchEnd"])
        await page.call("Input.dispatchTouchEvent", {type, touchPoints: type === "touchEnd" ? [] : [{x, y}]});
    await page.evaluate(FRAME);
    const bubble = JSON.parse(await page.evaluate(
        "JSON.stringify([document.getElementById('bubble').textContent, document.getElementById('bubble').getBoundingClientRect()])"));
    check("a tap shows the value where the finger is",
        / Thickness$/.test(bubble[0]) && Math.abs(bubble[1].y - y) < 80 && bubble[1].x < x && bubble[1].right > x,
        JSON.stringify(bubble));
    const labels = JSON.parse(await page.evaluate(`(async () => {
        const p = CanvasRenderingContext2D.prototype, draw = p.fillText, found = {};
        p.fillText = function (text, x, y) { found[text] = { x, y, wide: this.measureText(text).width, high: parseFloat(this.font.match(/[\\d.]+px/)) }; draw.call(this, text, x, y); };
        document.querySelector("#overlays input[value=isochrones]").click();
        await ${FRAME};
        p.fillText = draw;
        return JSON.stringify(Object.entries(found).filter(([text]) => / (min|h|d)$/.test(text)).map(([text, box]) => ({ text, ...box }))); })()`));
    check("isochrones have their times on a phone",
        labels.length > 1 && labels.every((l) => l.wide > 5 && l.high > 5 && !/^0/.test(l.text)), JSON.stringify(labels));
    check("... which do not touch", !labels.some((a, i) => labels.some((b, k) => k < i && touch(a, b))), JSON.stringify(labels));
    checkQuiet(page, "phone");
    await checkAxe(page, "phone", ["light"]);
}

// Play and slider are on the first screen, whatever is above the map
async function checkFold(browser, folder) {
    const page = await open(browser, folder, {width: 1400, height: 1000});
    const bottom = await page.evaluate("document.getElementById('play').getBoundingClientRect().bottom + scrollY");
    check("Play is on the first screen", bottom > 300 && bottom <= 1000, bottom);
    const overlapping = await page.evaluate(`(async () => {
        const found = [];
        for (const input of document.querySelectorAll("#layers input")) {
            input.click();
            await ${FRAME};
            const boxes = [...document.querySelectorAll(".marks span:not([hidden])")].map((m) => m.getBoundingClientRect());
            if (boxes.some((b, i) => i && b.left < boxes[i - 1].right)) found.push(input.value);
        }
        return found; })()`);
    const parameters = JSON.parse(await page.evaluate("document.getElementById('facts').textContent")).summary.parameters;
    const marks = await page.evaluate(
        `(document.querySelector('#layers input[value=temperature_K]').click(), [...document.querySelectorAll(".marks span:not([hidden])")].map((m) => m.textContent))`);
    const between = (text) =>
        first(text) >= Math.floor(parameters.PTsol - 273.15) && first(text) <= Math.ceil(parameters.PTvent - 273.15);
    check("temperatures are those from the vent to solid, at all times",
        marks.length > 2 && marks.every(between) &&
            first(marks.at(-1)) - first(marks[0]) > (parameters.PTvent - parameters.PTsol) / 2,
        marks.join(" "));
    check("labels of legends do not touch", overlapping.length === 0, overlapping.join(" "));
}

// A page that holds one cell of each block
async function checkCoarse(browser, folder) {
    const page = await open(browser, folder, {});
    const facts = JSON.parse(await page.evaluate("document.getElementById('facts').textContent"));
    check("cells and terrain are coarser there", facts.cells.every > 1 && facts.terrain.every > 1,
        `${facts.cells.every} ${facts.terrain.every}`);
    check("a place with lava is found", await placeWith(page, "total_thickness_m"));
    const at = facts.time.last_step, name = String(at).padStart(6, "0");
    await checkValues(
        page, folder, [["total_thickness_m", 0.0051], ["max_thickness_m", 0.0051], ["temperature_K", 0.51]], at, name);
    if (withGdal) {
        const p = await place(page), of = (id) => valueAt(path.join(folder, `${id}_${name}.tif`), p.x, p.y) || 0;
        check("the ground is that of the cell, where lava came",
            near(first(await page.evaluate(shown("ground"))), of("elevation_after_m") - of("solidified_m"), 0.11));
    }
    checkQuiet(page, "coarse");
}

// Titles that want to be markup, script or the other way round
async function checkHostile(browser, folder) {
    const page = await open(browser, folder, {}),
          title = JSON.parse(fs.readFileSync(path.join(folder, "summary.json"), "utf8")).case.title;
    check("the title is hostile", title.includes("</script>") && title.includes("\u2028") && title.includes("\u202e"), title);
    check("it is a text", (await page.evaluate("document.getElementById('title').textContent")) === title);
    check("... in the name of the page", (await page.evaluate("document.title")).startsWith(title.slice(0, 20)));
    check("map_note stands on the map",
        (await page.evaluate("document.getElementById('stamp').textContent")) === "Unverified – exercise </p><b>" &&
            (await page.evaluate("document.getElementById('stamp').getBoundingClientRect().height")) > 10);
    const vents = JSON.parse(fs.readFileSync(path.join(folder, "summary.json"), "utf8")).vents,
          cells = (id) => vents.filter((v) => v.id === id).length;
    check("the vents are two fissures", cells(1) > 9 && cells(2) > 9 && cells(1) + cells(2) === vents.length, vents.length);
    check("... and no points",
        (await page.evaluate("[...document.querySelectorAll('#marks li')].map((m) => m.textContent).join()"))
            .startsWith("fissure"));
    check("nothing of it ran",
        !(await page.evaluate("window.hacked || document.querySelectorAll('img').length || document.scripts.length !== 3")));
    checkQuiet(page, "hostile");
}

// Words of another language, numbers as it writes them
async function checkLanguage(browser, folder) {
    const page = await open(browser, folder, {});
    check("its language is named", (await page.evaluate("document.documentElement.lang")) === "is");
    check("... and spoken",
        (await page.evaluate("document.getElementById('kind').textContent")) === "Hermun hraunrennslis" &&
            (await page.evaluate("document.getElementById('play').textContent")) === "Spila");
    const captions = await page.evaluate("[...document.querySelectorAll('caption')].map((c) => c.textContent).join()");
    check("... by tables, too", captions.includes("Stikar líkansins") && !captions.includes("Parameters"), captions);
    const layers = await page.evaluate("[...document.querySelectorAll('#layers label')].map((l) => l.textContent).join()");
    check("... and layers", layers.startsWith("Þykkt"), layers);
    checkQuiet(page, "islenska");
}

// FOLDER/en and FOLDER/it have the same files in English and in Italian.
// No table has to be scrolled on a window that is not wide, and no word of a cell goes on in another line.
const CUT = `(() => {
    const out = [...document.querySelectorAll("#tables .scrolls")].filter((d) => d.scrollWidth > d.clientWidth).map((d) => d.ariaLabel);
    for (const cell of document.querySelectorAll("td")) {
        const text = cell.firstChild?.nodeType === 3 ? cell.firstChild : null, range = document.createRange();
        for (const word of text ? text.data.matchAll(/[^\\s-]+/g) : []) {
            range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((r) => r.top)).size > 1) out.push(word[0]);
        }
    }
    return out; })()`;

async function checkLanguages(browser, folder) {
    const names = fs.readFileSync(path.join(folder, "names"), "utf8").trim().split("\n");
    for (const file of fs.readdirSync(path.join(folder, "it"))) {
        const seen = [];
        for (const language of ["en", "it"]) {
            const page = await browser.show();
            await page.go("file://" + path.resolve(folder, language, file));
            if (file.startsWith("report")) await page.wait("document.documentElement.dataset.ready === 'yes'");
            await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
            await page.evaluate(FRAME);
            seen.push(await page.evaluate(TEXTS));
            for (const wide of [1100, 700]) {
                await page.resize(wide, 900);
                const cut = await page.evaluate(`${FRAME}.then(() => ${CUT})`);
                check(`${file}, ${language}, ${wide} px: no table is cut, and no word`, cut.length === 0, cut.join(" | "));
            }
        }
        checkItalian(file, ...seen, names);
    }
}

// Labels and vents, as they are drawn: all of each is on the map, and none is over another
async function checkLabels(page, wide, high, zooms) {
    await page.resize(wide, high, wide < 500);
    await page.key("0");
    for (let k = 0; k < Math.abs(zooms); k++) await page.key(zooms > 0 ? "+" : "-");
    await page.evaluate(FRAME);
    const {labels, vents, size, places, dots} = JSON.parse(await page.evaluate(`(async () => {
        const p = CanvasRenderingContext2D.prototype, {fillText, moveTo, closePath, arc} = p, labels = {}, vents = [], dots = {};
        const map = document.getElementById("map"), facts = JSON.parse(document.getElementById("facts").textContent);
        const points = facts.assets.filter((a) => a.kind === "point"), arcs = [];
        let last = null;
        p.moveTo = function (x, y) { last = {x: x - 5, y: y + 11, wide: 10, high: 11, text: "a vent"}; moveTo.call(this, x, y); };
        p.closePath = function () { if (!this.getTransform().b && this.getTransform().e === 0) vents.push(last); closePath.call(this); };
        p.fillText = function (text, x, y) { labels[text] = {text, x, y, wide: this.measureText(text).width, high: parseFloat(this.font.match(/[\\d.]+px/))}; fillText.call(this, text, x, y); };
        p.arc = function (x, y, ...more) { if (this.getTransform().e === 0) arcs.push([x, y]); arc.call(this, x, y, ...more); };
        const box = document.querySelector("#overlays input[value=vents]");
        for (let k = 0; k < 2; k++) { box.click(); await ${FRAME}; }
        Object.assign(p, {fillText, moveTo, closePath, arc});
        if (arcs.length % points.length === 0) points.forEach((a, i) => dots[a.name] = arcs[arcs.length - points.length + i]);
        const above = [...map.parentElement.querySelectorAll("button, .north, #scalebar")].map((e) => [e, e.getBoundingClientRect()]).map(([e, b]) => ({text: e.className || e.id, x: b.left - map.getBoundingClientRect().left, y: b.bottom - map.getBoundingClientRect().top, wide: b.width, high: b.height}));
        return JSON.stringify({labels: Object.values(labels), vents: [...vents, ...above], size: [map.clientWidth, map.clientHeight], places: facts.assets.length, dots}); })()`));
    const what = `labels at ${wide} x ${high}, zoom ${zooms}`, all = [...labels, ...vents], over = [];
    for (const [i, a] of labels.entries()) {
        if (a.x < 0 || a.y - a.high < 0 || a.x + a.wide > size[0] || a.y > size[1]) over.push(`${a.text} is cut`);
        for (const b of all.slice(i + 1))
            if (touch(a, b)) over.push(`${a.text} is over ${b.text}`);
    }
    check(`${what}: whole, and over nothing`, vents.length > 0 && !over.length, over.join("; "));
    const beside = [], away = (v, low, high) => v - Math.max(low, Math.min(v, high));
    for (const [name, [x, y]] of Object.entries(dots))
        for (const l of labels)
            if (l.text.includes("%") && !l.text.startsWith(name) &&
                Math.hypot(away(x, l.x, l.x + l.wide), away(y, l.y - l.high, l.y)) < 14)
                beside.push(`${l.text} is beside ${name}`);
    check(`${what}: none beside another place`, !beside.length && (zooms >= 0 || Object.keys(dots).length === places),
        `${beside.join("; ")} (${Object.keys(dots)})`);
    check(`${what}: of all places`, zooms >= 0 || labels.filter((l) => l.text.includes("%")).length === places,
        `${labels.map((l) => l.text).join("; ")}`);
}

async function checkEnsemble(browser, folder) {
    const page = await open(browser, folder, {});
    check("a place where lava may come is found", await placeWith(page, "probability"));
    if (withGdal) {
        const at = await place(page), text = await page.evaluate(shown("probability"));
        const exact = valueAt(path.join(folder, "probability.tif"), at.x, at.y),
              error = valueAt(path.join(folder, "probability_error.tif"), at.x, at.y);
        const [p, e] = text.startsWith("all of 12 (above ") ? [1, 0] : text.split(" % ± ").map((t) => first(t) / 100);
        const decimals = text.match(/\.(\d+)/)?.[1].length ?? 0, half = 0.0051 / 10 ** decimals;  // of the last digit shown
        check("the probability is that of the layer", near(p, exact, half) && near(e, error, half),
            `${text} for ${exact} ± ${error}`);
        const arrival = valueAt(path.join(folder, "arrival_p50_h.tif"), at.x, at.y);
        const told = await page.evaluate(shown("arrival_p50_h")),
              ends = ["05", "95"].map((p) => valueAt(path.join(folder, `arrival_p${p}_h.tif`), at.x, at.y));
        check("so is the arrival", near(first(told), arrival, 0.051));
        const range = told.match(/\(5 to 95 %: ([\d.]+) to ([\d.]+) h\)$/);
        check("... with its range", range && +range[1] <= ends[0] && ends[0] - range[1] < 1 && +range[2] > ends[1],
            `${told} for ${ends}`);
    }
    const before = await page.evaluate(PICTURE);
    await page.evaluate(
        `(() => { const s = document.querySelector("#layers select"); s.value = "thickness_p95_m"; s.dispatchEvent(new Event("change")); return ${
            FRAME}; })()`);
    check("another layer looks different", await changes(page, PICTURE, before));
    check("no layer is missing", (await page.evaluate("document.querySelector('#layers p')")) === null);
    const tables = await page.evaluate("[...document.querySelectorAll('caption')].map((c) => c.textContent).join()");
    check("places of interest have a table", tables.includes("Places of interest"), tables);
    const varied = await page.evaluate(
        "[...document.querySelectorAll('table')].filter((t) => t.caption.textContent === 'What was varied').flatMap((t) => [...t.tBodies[0].rows].map((r) => r.cells[0].textContent)).join()");
    check("... and what was varied", varied.startsWith("cooling,shift of the vents to the east (m),"), varied);
    const charts = await page.evaluate("[...document.querySelectorAll('#charts figcaption')].map((c) => c.textContent).join()");
    check("histograms show the area and the run-out of the members",
        charts.includes("Area reached (km²), share of the members") && charts.includes("Run-out (km), share of the members"),
        charts);
    check("arrivals at places have their dates",
        /\d (to|–) [\d.]+ h, 2024-0[23]-\d\d \d\d:00 (to|–) 2024-0[23]-\d\d \d\d:00 UTC/.test(await page.evaluate(
            "[...document.querySelectorAll('table')].find((t) => t.caption.textContent === 'Places of interest').textContent")));
    check("no slider, since it has no one time", await page.evaluate("document.getElementById('timebar').hidden"));
    check("... nor is it said how to play it",
        !(await page.evaluate("document.getElementById('maphelp').innerText")).includes("play"));
    await page.evaluate(`(() => {
        const p = CanvasRenderingContext2D.prototype, draw = p.fillText;
        window.ends = {}, window.boxes = {};
        p.fillText = function (text, x, y) { ends[text] = x + this.measureText(text).width; boxes[text] = { x, y, wide: this.measureText(text).width, high: parseFloat(this.font.match(/[\\d.]+px/)) }; draw.call(this, text, x, y); }; })()`);
    await page.resize(390, 844, true);
    const house = "Object.entries(ends).find(([text]) => text.startsWith('A house'))";
    check("names of places are drawn again on a phone, with the probability",
        (await page.wait(house)) &&
            /: (\d+(\.\d+)? % ± \d+|(none|all) of 12 \((below|above) \d+ %\))/.test((await page.evaluate(house))[0]),
        await page.evaluate(house));
    const [name, end] = await page.evaluate(house);
    check("... and end before the edge of the map", end <= (await page.evaluate("document.getElementById('map').clientWidth")),
        `${name} ${end}`);
    for (const [wide, high, zooms] of [[390, 844, 0], [1280, 900, 0], [1280, 900, 2], [700, 500, -6], [360, 740, -6]])
        await checkLabels(page, wide, high, zooms);
    check("the list of layers has all of the width",
        (await page.evaluate("document.querySelector('#layers select').clientWidth")) > 300);
    await page.resize(375, 740, true);
    await checkTables(page, 2);
    await page.resize(1280, 900);
    checkQuiet(page, "ensemble");
    await checkAxe(page, "ensemble", ["light"]);
}

async function checkMembers(browser, folder) {
    const page = await open(browser, folder, {}), figures = "[...document.querySelectorAll('#named figure')]";
    const [head, ...rows] =
        fs.readFileSync(path.join(folder, "named_members.csv"), "utf8").trim().split("\n").map((l) => l.split(","));
    const members = [...new Set(rows.map((r) => r[head.indexOf("member")]))];
    const shows = await page.evaluate(`${figures}.map((f) => [f.innerText, f.querySelector("canvas").toDataURL()])`);
    check("members to look at stand next to the probability",
        shows.length === members.length + 1 && members.length > 1 && /^Probability of lava/.test(shows[0][0]),
        JSON.stringify(shows.map((s) => s[0])));
    check("each has its words and the line that computes it",
        members.every(
            (m, i) => new RegExp(`Member ${m}\\b[^]*sciara run \\S+plan.cfg --member ${m}$`).test(shows[i + 1][0].trim())),
        JSON.stringify(shows.map((s) => s[0])));
    check("... and each a picture of its own", new Set(shows.map((s) => s[1])).size === shows.length);
    check("the option of layers that are missing is named",
        (await page.evaluate("document.querySelector('#layers p')?.textContent")) === "Other layers: option --layers");
    const before = await page.evaluate(PICTURE);
    await page.evaluate(`${figures}[1].querySelector("button").click()`);
    check("a picture is chosen: the map shows it",
        (await changes(page, PICTURE, before)) &&
            (await page.evaluate("document.querySelector('#layers select').value")) === `thickness_member_${members[0]}_m`);
    check("... with its thickness", await placeWith(page, `thickness_member_${members[0]}_m`));
    await page.resize(390, 844, true);
    check("a phone has two next to each other",
        await page.wait(`new Set(${
            figures}.slice(0, 2).map((f) => f.getBoundingClientRect().top)).size === 1 && document.documentElement.scrollWidth <= innerWidth`));
    checkQuiet(page, "members");
    await checkAxe(page, "members", ["light", "dark"]);
}

async function checkCalibration(browser, folder) {
    const page = await open(browser, folder, {});
    const tables = await page.evaluate("[...document.querySelectorAll('caption')].map((c) => c.textContent).join()");
    check("what was fitted has a table", tables.includes("Fitted parameters") && tables.includes("Score"), tables);
    const scores = await page.evaluate(
        "[...document.querySelectorAll('table')].filter((t) => t.caption.textContent === 'Against the observed outline').flatMap((t) => [...t.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent).join(' '))).join()");
    check("... and the null model stands next to the best", /^the forecast [\d.]+.*,the null model [\d.]+/.test(scores), scores);
    const charts = await page.evaluate("[...document.querySelectorAll('#charts figcaption')].map((c) => c.textContent).join()");
    check("how the score rose has a chart, and so has reliability",
        charts.includes("How the score rose") && charts.includes("Reliability"), charts);
    checkQuiet(page, "calibration");
    await page.resize(375, 740, true);
    await checkTables(page);
    await page.resize(1280, 900);
    await checkAxe(page, "calibration", ["dark"]);
}

// The page of a nowcast shows at places, in its table and on the map, what the tables (FOLDER.rows, by one_number.py) and the bulletin have.
async function checkNowcast(browser, folder) {
    const page = await open(browser, folder, {}),
          text = (html) =>
              html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    const bulletin = fs.readFileSync(path.join(folder, "bulletin.html"), "utf8").match(/<table>.*?<\/table>/s)[0];
    const told = [...bulletin.matchAll(/<tr>(<td>.*?)<\/tr>/g)].map(
        ([, row]) => [...row.matchAll(/<td>(.*?)<\/td>/g)].map((c) => text(c[1])));
    const table = await page.evaluate(
        "[...[...document.querySelectorAll('table')].find((t) => t.caption.textContent === 'Forecast at places of interest').tBodies[0].rows].map((r) => [0, 4].map((i) => r.cells[i].textContent).join('|')).join('\\n')");
    check("a nowcast's places have the numbers of its bulletin",
        told.length > 3 && table === told.map((row) => `${row[0]}|${row[1] === "reached" ? "reached" : row[2]}`).join("\n"),
        table);
    const layers = await page.evaluate("[...document.querySelectorAll('#layers label')].map((l) => l.textContent).join()");
    check("... and layers of each horizon, yesterday and before",
        /^Probability of lava,.*24 h from now,.*48 h from now,.*72 h from now,.*yesterday.*,.*before/.test(layers), layers);
    check("... at a time", /forecast at 2 d/.test(await page.evaluate("document.getElementById('about').textContent")));
    const places = await page.evaluate(
        "[...[...document.querySelectorAll('table')].find((t) => t.caption.textContent === 'Places of interest').tBodies[0].rows].map((r) => r.cells[2].textContent)");
    check("... with its ranges of arrivals",
        places.length === told.length && told.some((row) => / to .* h$/.test(row[4])) &&
            told.every((row, i) => /^(before now|–)/.test(row[4]) || row[4] === places[i]),
        places.join("; "));
    checkQuiet(page, "nowcast");
    await page.resize(375, 740, true);
    check("on a phone rows of many columns are stacked", (await checkTables(page, 3)) >= 2);
    await checkAxe(page, "nowcast on a phone", ["light", "dark"]);
    await page.resize(1280, 900);
    const file = path.join(folder, "bulletin.pdf"), phone = "document.documentElement.scrollWidth";
    await page.go("file://" + path.resolve(folder, "bulletin.html"));
    await page.print(file);
    const sheets = fs.readFileSync(file, "latin1").match(/\/Type\s*\/Page\b/g) || [];
    check("its bulletin is one sheet of paper", sheets.length === 1 && told.length > 3, sheets.length);
    await page.resize(375, 740, true);
    check("... and on a phone no wider than it", (await page.evaluate(phone)) <= 375, await page.evaluate(phone));
}

const CHECKS = {
    nowcast: checkNowcast,
    run: checkRun,
    phone: checkPhone,
    coarse: checkCoarse,
    hostile: checkHostile,
    fold: checkFold,
    islenska: checkLanguage,
    languages: checkLanguages,
    ensemble: checkEnsemble,
    members: checkMembers,
    calibration: checkCalibration
};

async function main() {
    const [work, ...pages] = process.argv.slice(2), browser = await launch(path.join(work, "profile"));
    if (!withGdal) console.log("skipped: no gdallocationinfo to compare values with");
    if (!AXE) console.log("skipped: axe-core could not be fetched by npm, so accessibility is not looked at");
    for (let i = 0; i + 1 < pages.length; i += 2) await CHECKS[pages[i]](browser, path.resolve(pages[i + 1]));
    await browser.close();
    process.exitCode = result();
}

main().catch((error) => {
    console.log(`FAILED: ${error.stack}`);
    process.exit(1);
});
