// web_firefox.js — what Firefox computes, for test_web.sh: `node web_firefox.js PACKAGE FOLDER COUNT` serves on the loopback a page with
// the engine in PACKAGE and the random cases of web_cases.js, then the page that needs no program, and prints the digests that they
// post: of each case as web_cases.js does, and of the volcano.
"use strict";

const {spawn} = require("child_process");
const {readFileSync, writeFileSync, mkdirSync} = require("fs");
const http = require("http");
const {join, resolve} = require("path");
const {randomCase, run} = require("./web_cases.js");

const [folder, work, count] = process.argv.slice(2);
const send = (what) => `fetch("/post", {method: "POST", body: ${what}})`;
const cases = Array.from({length: Number(count)}, (_, n) => randomCase(n + 1));

// (the policy of the page itself lets nothing be posted, nor another script run)
const page = readFileSync(join(folder, "sciara.html"), "utf8").replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
const volcano = `<script>(async () => {
    const until = async (what) => { for (let n = 0; n < 600 && !what(); n++) await new Promise((f) => setTimeout(f, 100)); };
    const set = document.documentElement.dataset;
    await until(() => set.ready);
    document.getElementById("volcano").click();
    await until(() => set.ready === "yes");
    sciara.drawing.edit((d) => { d.hours = 12; });
    document.getElementById("run").click();
    await until(() => sciara.present()?.end);
    await ${send('"volcano " + sciara.present()?.end?.digest')};
    await ${send('"end"')};
})().catch((error) => ${send('"end " + error.message')})</script>`;
const engine = `<!doctype html><script src="/sciara-engine.js"></script><script src="/sciara.js"></script><script>
    ${run}
    (async () => {
        const engine = await sciara.load(), cases = await (await fetch("/cases")).json();
        for (const [n, {files, has}] of cases.entries())
            await ${send('[n + 1, run(engine, files, "case.cfg", Infinity), has].join(" ")')};
        location = "/page";
    })().catch((error) => ${send('"end " + error.message')})</script>`;
const types = {
    js: "text/javascript",
    wasm: "application/wasm"
};

let browser = null;
const server = http.createServer((request, answer) => {
    const {url} = request, give = (type, bytes) => answer.writeHead(200, {"Content-Type": type}).end(bytes);
    if (url === "/") return give("text/html", engine);
    if (url === "/page") return give("text/html; charset=utf-8", page + volcano);
    if (url === "/cases") return give("application/json", JSON.stringify(cases));
    if (/^\/sciara[-a-z]*\.(js|wasm)$/.test(url)) return give(types[url.split(".")[1]], readFileSync(join(folder, url)));
    if (url !== "/post") return answer.writeHead(404).end();
    let said = "";
    request.on("data", (part) => (said += part));
    return request.on("end", () => {
        give("text/plain", "");
        if (!said.startsWith("end")) return console.log(said);
        if (said !== "end") console.error(said);
        return browser.kill();
    });
});

server.listen(0, "127.0.0.1", () => {
    const profile = resolve(work, "firefox");
    mkdirSync(profile);
    const quiet = [
        "browser.shell.checkDefaultBrowser", "datareporting.policy.dataSubmissionEnabled", "toolkit.telemetry.enabled",
        "app.update.enabled", "network.captive-portal-service.enabled", "network.connectivity-service.enabled",
        "extensions.update.enabled", "browser.safebrowsing.update.enabled", "dom.ipc.processPrelaunch.enabled",
        "browser.topsites.contile.enabled", "app.normandy.enabled", "browser.sessionstore.resume_from_crash"
    ];
    writeFileSync(join(profile, "user.js"),
        `${quiet.map((name) => `user_pref("${name}", false);\n`).join("")}user_pref("dom.ipc.processCount", 1);\n`);
    browser =
        spawn("firefox-esr", ["--headless", "--no-remote", "--profile", profile, `http://127.0.0.1:${server.address().port}/`],
            {stdio: "ignore", env: {...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1"}});
    const end = setTimeout(() => browser.kill("SIGKILL"), 180000);
    browser.on("exit", () => {
        clearTimeout(end);
        server.close();
        server.closeAllConnections();
    });
});
