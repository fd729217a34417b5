// chromium.js: a headless Chromium for tests, over its own protocol on a pipe: no package is needed.
"use strict";
const {spawn} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function findProgram() {
    for (const name of NAMES)
        for (const folder of (process.env.PATH || "").split(":"))
            if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
    return null;
}

// Options of Chromium: nothing goes out, no sandbox as root (it needs rights that a container lacks).
const options = (folder) => ["--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--remote-debugging-pipe",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    `--user-data-dir=${folder}`,
    "about:blank",
];

// What a busy machine may take; then a test fails, where it would else wait for ever.
const PATIENCE_MS = 300000;
function inTime(what, begin) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${what}: Chromium has not answered for 5 minutes`)), PATIENCE_MS);
        timer.unref();  // (of Chromium's end nobody waits for an answer)
        const ended = (end) => (value) => {
            clearTimeout(timer);
            end(value);
        };
        begin(ended(resolve), ended(reject));
    });
}

// It ends with the process that has launched it, whose error ends that, wherever it comes from.
async function launch(folder) {
    const child = spawn(findProgram(), options(folder), {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    process.once("exit", () => child.kill("SIGKILL"));
    process.once("unhandledRejection", (error) => {
        console.error(error);
        process.exit(1);
    });
    const waiting = new Map(), listeners = [];
    let number = 0, rest = "";
    child.stdio[4].setEncoding("utf8");
    child.stdio[4].on("data", (data) => {
        const parts = (rest + data).split("\0");
        rest = parts.pop();
        for (const part of parts) receive(JSON.parse(part));
    });
    function receive(message) {
        if (!message.id) return listeners.forEach((l) => l(message));
        const {resolve, reject} = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
    }
    function send(method, params = {}, sessionId = undefined) {
        const id = ++number;
        child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
        return inTime(method, (resolve, reject) => waiting.set(id, {resolve, reject}));
    }
    async function close() {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        const late = setTimeout(() => child.kill("SIGKILL"), 10000);
        send("Browser.close").catch(() => {});
        await ended;
        clearTimeout(late);
    }
    const open = (size) => openPage(send, (l) => listeners.push(l), size);
    // One tab shows page after page: another one would be another process
    let tab = null;
    async function show({width = 1280, height = 900, mobile = false} = {}) {
        tab ||= await open();
        await tab.resize(width, height, mobile);
        await tab.go("about:blank");  // what the page before still says is its own
        for (const list of Object.values(tab.seen)) list.splice(0);
        return tab;
    }
    return {send, close, listen: (l) => listeners.push(l), open, show};
}

// `sciara serve` with these operands while use(address, its number) is at work.
async function serve(program, operands, use) {
    const server = spawn(program, ["serve", ...operands, "--no-open"], {stdio: ["ignore", "pipe", "inherit"]}),
          ended = new Promise((resolve) => server.once("exit", resolve));
    let said = "";
    for await (const part of server.stdout.setEncoding("utf8").iterator({destroyOnReturn: false}))
        if (/key=\S+\s/.test((said += part))) break;
    try {
        await use(said.match(/http:\S+/)[0], server.pid);
    } finally {
        server.kill("SIGINT");
        await ended;
    }
}

// A tab with a list of what it said and asked for: {console, requests}.
async function openPage(send, listen, {width = 1280, height = 900, mobile = false, scale = 1} = {}) {
    const {targetId} = await send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await send("Target.attachToTarget", {targetId, flatten: true});
    const call = (method, params) => send(method, params, sessionId);
    const seen = {console: [], requests: []}, loads = [];
    listen((m) => {
        if (m.sessionId !== sessionId) return;
        if (m.method === "Runtime.consoleAPICalled") seen.console.push(m.params.args.map((a) => a.value).join(" "));
        if (m.method === "Runtime.exceptionThrown")
            seen.console.push(m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text);
        if (m.method === "Log.entryAdded") seen.console.push(m.params.entry.text);
        if (m.method === "Network.requestWillBeSent") seen.requests.push(m.params.request.url);
        if (m.method === "Page.loadEventFired") loads.splice(0).forEach((f) => f());
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(`${domain}.enable`);
    // A page learns its new size with its next frame: a key pressed before it would act on the old one.
    async function resize(w, h, m = mobile) {
        await call("Emulation.setDeviceMetricsOverride", {width: w, height: h, deviceScaleFactor: scale, mobile: m});
        await evaluate(FRAME);
    }
    await resize(width, height);
    async function evaluate(expression) {
        const {result, exceptionDetails} = await call("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
        return result.value;
    }
    async function wait(expression, milliseconds = 60000) {
        let pause = 10;  // (each question costs a millisecond or two)
        for (const end = Date.now() + milliseconds; Date.now() < end; pause = Math.min(60, 1.3 * pause)) {
            if (await evaluate(expression)) return true;
            await new Promise((f) => setTimeout(f, pause));
        }
        return false;
    }
    // The box of an element on the screen, when it has come to rest; `block`: the page is scrolled to it
    const box = (selector, block = null) => evaluate(`(async () => {
        const of = () => { const {x, y, width, height} = document.querySelector('${
        selector}').getBoundingClientRect(); return {x, y, width, height}; };
        ${block ? `document.querySelector('${selector}').scrollIntoView({block: "${block}"});` : ""}
        for (let was = null, now = of();; was = now, now = of()) {
            if (JSON.stringify(was) === JSON.stringify(now)) return now;
            await new Promise(requestAnimationFrame);
        } })()`);
    async function go(url) {
        const loaded = inTime(url, (resolve) => loads.push(resolve));
        await call("Page.navigate", {url});
        await loaded;
    }
    async function key(name, code = name, shift = false, ctrl = false) {
        const text = ctrl ? undefined : name.length === 1 ? name : name === "Enter" ? "\r" : undefined;
        for (const type of [text ? "keyDown" : "rawKeyDown", "keyUp"])
            await call("Input.dispatchKeyEvent", {
                type,
                key: name,
                code,
                text: type === "keyUp" ? undefined : text,
                modifiers: (shift ? 8 : 0) + (ctrl ? 2 : 0),
                windowsVirtualKeyCode: {
                    ArrowLeft: 37,
                    ArrowUp: 38,
                    ArrowRight: 39,
                    ArrowDown: 40,
                    " ": 32,
                    Enter: 13,
                    Escape: 27,
                    Tab: 9,
                    Insert: 45,
                    Delete: 46
                }[name] ||
                    name.charCodeAt(0)
            });
    }
    const mouse = (type, x, y, more = {}) => call("Input.dispatchMouseEvent", {type, x, y, ...more});
    async function shot(file, whole = false) {
        const format = path.extname(file) === ".webp" ? {format: "webp", quality: 80} : {format: "png"};
        const {data} = await call("Page.captureScreenshot", {...format, captureBeyondViewport: whole});
        fs.writeFileSync(file, Buffer.from(data, "base64"));
    }
    async function print(file) {
        const {data} = await call("Page.printToPDF", {
            preferCSSPageSize: false,
            printBackground: true,
            paperWidth: 8.27,
            paperHeight: 11.69,
            marginTop: 0.5,
            marginBottom: 0.5,
            marginLeft: 0.5,
            marginRight: 0.5
        });
        fs.writeFileSync(file, Buffer.from(data, "base64"));
    }
    return {
        call,
        seen,
        evaluate,
        wait,
        box,
        go,
        key,
        mouse,
        shot,
        print,
        resize,
        close: () => send("Target.closeTarget", {targetId})
    };
}

// ---- checks

let passed = 0, failed = 0;
function check(what, good, detail = "") {
    if (good) passed++;
    else {
        failed++;
        console.log(`FAILED: ${what} ${detail}`);
    }
}
function result() {
    console.log(`browser: ${passed} checks passed`);
    return failed ? 1 : 0;
}

// How many pixels of the map have the colours of lava: red well above blue
const PIXELS = `const c = document.getElementById("map"), copy = document.createElement("canvas");
    copy.width = c.width; copy.height = c.height;
    const k = copy.getContext("2d", { willReadFrequently: true }); k.drawImage(c, 0, 0);
    const d = k.getImageData(0, 0, c.width, c.height).data;`;
const LAVA = `(() => { ${PIXELS} let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] - d[i + 2] > 50; return n; })()`;
const PICTURE = `(() => { ${PIXELS} let h = 0; for (let i = 0; i < d.length; i++) h = (h * 31 + d[i]) | 0; return h; })()`;
const FRAME = "new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))";
// Whether what an expression says becomes another value, as a busy machine gets to it
const changes = (page, expression, before) =>
    page.wait(`${FRAME}.then(() => ${expression}).then((now) => now !== ${JSON.stringify(before)})`);

// ---- accessibility: axe-core, where npm has fetched it

const AXE = process.env.AXE;
async function checkAxe(page, what, themes = ["light", "dark"]) {
    if (!AXE) return;
    await page.evaluate(fs.readFileSync(AXE, "utf8") + "; undefined");
    for (const theme of themes) {
        await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
        const rules = theme === themes[0] ? "" : 'runOnly: ["color-contrast"], ';  // (a theme is colours)
        const found = await page.evaluate(`axe.run(document, { ${
            rules}resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target + " " + n.failureSummary).slice(0, 3).join("; ")))`);
        check(`axe finds nothing, ${what}, ${theme}`, found.length === 0, found.join("\n"));
    }
    await page.evaluate("delete document.documentElement.dataset.theme");
}

// Everything that one can read or hear of a page, a bulletin or a map, but names
const TEXTS = `(() => {
    const out = [], all = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, walker = document.createTreeWalker(document.body, all);
    for (let n = walker.nextNode(); n; n = walker.nextNode())
        if (n.nodeType === 3) {
            if (n.data.trim() && !n.parentNode.closest("script, style, bdi, code, #language")) out.push(n.data.trim());
        } else for (const name of ["aria-label", "title", "placeholder", "alt", "label"]) if (n.hasAttribute(name)) out.push(n.getAttribute(name).trim());
    return out; })()`;
// No text is in English and in Italian, but numbers, units, what begins with one of the names, and what the table of words has alike.
function checkItalian(what, english, italian, names) {
    const units = /\b(k?m|kg|km²|[mk]³|J|s|h|N|[0-9a-f]{16})\b/g,
          words = (text) => /[a-z]{2}/i.test(text.replaceAll(units, ""));
    const of = /\b(the|of|by|was|and|with|is|until|from|to|at|this|that|has|not|be|for|on|which)\b/i;
    const rows =
        fs.readFileSync(path.join(__dirname, "../src/input/text/words.tsv"), "utf8").split("\n").map((line) => line.split("\t"));
    const escaped = (text) => text.replace(/[^\w ]/g, "\\$&");
    const alike = rows.filter(([one, other]) => one === other && words(one)).map(([
        one
    ]) => new RegExp(`^${one.split("{}").map(escaped).join(".*")}$`, "s"));
    const own = [...new Set(italian)].filter(
        (text) => words(text) && !names.some((name) => text.startsWith(name)) && !alike.some((r) => r.test(text)));
    const both = own.filter((text) => english.includes(text) || of.test(text.replaceAll("all'", "")));
    check(`${what}: a sentence ends as it does in English`,
        english.filter((text) => text === ".").length === italian.filter((text) => text === ".").length);
    check(`${what}: it has texts`, own.length > 20, own.join(" | "));
    check(`${what}: each is Italian`, both.length === 0, both.join(" | "));
}

module.exports = {
    findProgram,
    launch,
    serve,
    check,
    checkAxe,
    AXE,
    TEXTS,
    checkItalian,
    result,
    LAVA,
    PICTURE,
    PIXELS,
    FRAME,
    changes
};
