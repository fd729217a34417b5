// web_plans.js — ensembles for test_web.sh: `node web_plans.js WORKER.js PAGE.wasm FOLDER` writes their plans to FOLDER/N/plan.cfg, and prints
// of each its number and the digest of the page's workers, here in threads of node: one adds, and another one helps it.
"use strict";

const {mkdirSync, readFileSync, writeFileSync} = require("fs");
const {join} = require("path");
const {Worker, MessageChannel, MessagePort} = require("worker_threads");
const {randomCase} = require("./web_cases.js");

const place = (name, x, y) =>
    `{"type": "Feature", "properties": {"name": "${name}"}, "geometry": {"type": "Point", "coordinates": [${x}, ${y}]}}`;
const FILES = {
    "places.geojson":
        `{"type": "FeatureCollection", "features": [${place("hut", 500100, 4170150)}, ${place("road", 500150, 4170080)}]}`,
    "classes.csv": `class,probability,volume_m3,duration_h,shape,peak,decay
small,0.7,2e4,1,exponential,,3
large,0.3,5e4,2,waxwane,0.2,
`,
    "list.csv": "vent,row,col,weight\n1,4,6,3\n2,5,12,1\n3,6,18,2\n",
    "all.csv": "vent,from_h,to_h,rate_m3_s\n*,0,0.8,6\n",
    "together.csv": "name,Pcool,rate_factor\nPcool,1,0.6\nrate_factor,0.6,1\n",
    "observed.csv": "vent,from_h,to_h,rate_m3_s\n1,0,0.5,5\n1,0.5,2,9\n2,0.5,2,3\n"
};
// What members draw; each on the terrain of another random case, with its parameters, walls and sea
const PLANS = [
    `members 4
vents vents.csv
rates rates.csv
run_h 1
vary_Pcool normal 5 1 from 2 to 9
vary_rate_factor lognormal 1 1.5
`,
    `members 4
sampling latin
vents vents.csv
rates rates.csv
run_h 1
terrain_error_m 0.5
terrain_error_length_m 40
terrain_error_hurst 0.5
`,
    `members 5
sampling sobol
vents vents.csv
rates rates.csv
vary_run_h discrete 0.5:0.25 1:0.75
vary_vent_east_m uniform -20 20
vary_vent_north_m uniform 0 20
terrain_error from_dem lidar
`,
    `vent_grid_m 120
classes classes.csv
repeats 1
run_h 1
assets places.geojson
exceed_m 0.2 1
`,
    `members 4
vent_list list.csv
rates all.csv
run_h 1
vary_duration_factor triangular 0.5 1 2
`,
    `members 4
vents vents.csv
rates rates.csv
run_h 1
vary_Pcool lognormal 5 1.3
vary_rate_factor uniform 0.5 2
correlation together.csv
assets places.geojson
`,
    `members 4
sampling latin
vents vents.csv
observed_rates observed.csv
rates_error 1.3 correlation 0.5
run_h 1
`
];

function makePlan(n) {
    const {"case.cfg": text, ...files} = randomCase(n).files;
    const kept = text.replaceAll(/^(vents|rates|max_steps|terrain_update) .*\n/gm, "");
    return {...files, ...FILES, "plan.cfg": `${kept}${PLANS[n - 1]}seed ${n}\n`};
}

// ---- the worker of the page, in a thread

const SHIM = `const {parentPort} = require("worker_threads");
    globalThis.Worker = class {};
    globalThis.onmessage = null;
    globalThis.postMessage = (data, moved) => parentPort.postMessage(data, moved);
    parentPort.on("message", (data) => globalThis.onmessage({data}));`;

function makeWorker(code) {
    const thread = new Worker(`${SHIM}\n${code}`, {eval: true}), waiting = new Map();
    let last = 0;
    thread.on("message", ({number, result, failed, bytes, done}) => {
        const {resolve, reject, pieces} = waiting.get(number);
        if (failed) return reject(new Error(failed.said.error));
        if (!bytes) return resolve(done ? Buffer.concat(pieces).toString("latin1") : result);
        pieces.push(bytes);
        return thread.postMessage({number, credit: 1});
    });
    const post = (call, ...values) => new Promise((resolve, reject) => {
        waiting.set(++last, {resolve, reject, pieces: []});
        const all = call === "stream" ? [last, ...values] : values;
        thread.postMessage({number: last, call, values: all}, all.flat().filter((v) => v instanceof MessagePort));
    });
    thread.on("error", (error) => waiting.forEach(({reject}) => reject(error)));
    return {post, end: () => thread.terminate()};
}

// What is streamed ends in the digest, of an ensemble of this kind
async function ensembleOf([one, other], body, kind) {
    const {port1, port2} = new MessageChannel();
    const [said] = await Promise.all([one.post("stream", "/api/ensemble", body, [port1]), other.post("help", body, port2)]);
    if (!said.includes(`"kind":"${kind}"`)) throw new Error(`what is computed is no ${kind}`);
    return said.match(/"digest":"([0-9a-f]{16})"/)[1];
}

function write(folder, files) {
    mkdirSync(folder);
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
}
const open = (workers, files, input) => {
    const given = files.map(([name, content]) => ({name, bytes: new Uint8Array(Buffer.from(content))}));
    return Promise.all(workers.map((worker) => worker.post("open", given, input)));
};

// What is drawn, with walls and without: the plan that the page saves has the digest of the side with them
async function checkPairs(workers, folder) {
    const {"dem.asc": dem, ...others} = randomCase(1).files, west = 500000 + 1 / 3;
    const files = Object.entries({...others, "dem.asc": dem.replace("xllcorner 500000", `xllcorner ${west}`)});
    const [{drawing, grid}] = await open(workers, files, "case.cfg");
    if (grid.west_m !== west) throw new Error(`${grid.west_m} is not ${west} to the last bit`);
    drawing.barriers = [{kind: "wall", points: [[500050, 4170150], [500200, 4170160]], height_m: 6, width_m: 20}];
    drawing.hours = 1;
    const digest = await ensembleOf(workers, {drawing, members: 4, barriers: true}, "pairs");
    const saved = await workers[0].post("save", {name: "plan", kind: "plan", drawing});
    mkdirSync(join(folder, "plan"), {recursive: true});
    for (const {name, bytes} of saved.files) writeFileSync(join(folder, name), bytes);
    const plan = join(folder, "plan", "plan.cfg");
    writeFileSync(plan, readFileSync(plan, "utf8").replace(/^members .*/m, "members 4"));
    return digest;
}

async function main([code, wasm, folder]) {
    const module = await WebAssembly.compile(readFileSync(wasm)), script = readFileSync(code, "utf8");
    const workers = [makeWorker(script), makeWorker(script)];
    await Promise.all(workers.map((worker) => worker.post("start", module)));
    for (let n = 1; n <= PLANS.length; n++) {
        const files = Object.entries(makePlan(n));
        write(join(folder, `${n}`), files);
        await open(workers, files, "plan.cfg");
        console.log(`${n} ${await ensembleOf(workers, {}, "ensemble")}`);
    }
    console.log(`pairs/plan ${await checkPairs(workers, join(folder, "pairs"))}`);
    workers.forEach((worker) => worker.end());
}
main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
