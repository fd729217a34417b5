// web_engine.js: the engine of a page without a program. WebAssembly in workers computes with the files that the reader gives
// to the page. It has the functions of serve_engine.js.

const engine = (() => {
    const unpacked = (id) => inflate(bytesOf(byId(id).textContent.trim()), "gzip");
    const processors = Math.max(1, navigator.hardwareConcurrency || 1);
    let code = null, module = null, main = null, helpers = [], files = [], input = "", many = null;

    // ---- workers

    // call(name, values...) promises the result of the function. stream() yields pieces until `signal` ends it
    function makeWorker() {
        const worker = new Worker(code), waiting = new Map();
        let last = 0;
        worker.onmessage = ({data: {number, result, failed, ...piece}}) => {
            const {resolve, reject, take} = waiting.get(number) || {};
            if (!resolve) return;
            if (take && !failed) return take(piece);
            waiting.delete(number);
            if (failed) reject(new Refusal(failed.status, failed.said));
            else resolve(result);
        };
        worker.onerror = (event) => {
            for (const {reject} of waiting.values()) reject(new Error(event.message));
            waiting.clear();
        };
        const post = (call, values, ports, more) => new Promise((resolve, reject) => {
            waiting.set(++last, {resolve, reject, ...more});
            worker.postMessage({number: last, call, values}, ports);
        });
        async function* stream(path, body, ports, signal) {
            const pieces = [], ends = [], waiters = [], wake = () => waiters.splice(0).forEach((done) => done());
            const end = (error) => (ends.push(error), wake());
            const take = (piece) => (piece.done ? end(null) : (pieces.push(piece.bytes), wake()));
            post("stream", [last + 1, path, body, ports], ports || [], {take}).catch(end);
            const number = last, stop = () => end(new DOMException("stopped", "AbortError"));
            signal.addEventListener("abort", stop);
            try {
                for (;;) {
                    if (ends[0]) throw ends[0];
                    if (pieces.length) {
                        yield pieces.shift();
                        worker.postMessage({number, credit: 1});
                    } else if (ends.length) return;
                    else await new Promise((done) => waiters.push(done));
                }
            } finally {
                signal.removeEventListener("abort", stop);
                waiting.delete(number);
                worker.postMessage({number, stop: true});
            }
        }
        return {call: (name, ...values) => post(name, values, values.filter((v) => v instanceof MessagePort)), stream};
    }
    async function newWorker() {
        code ||= URL.createObjectURL(new Blob([await unpacked("worker")], {type: "text/javascript"}));
        module ||= await WebAssembly.compile(await unpacked("wasm"));
        const worker = makeWorker();
        await worker.call("start", module);
        return worker;
    }

    // ---- members on all processors: the first worker adds up; all other workers open the same case

    // The first worker begins at once. The other workers send members to its ports when they are ready
    async function help(number, body, port) {
        helpers[number] ||= newWorker().then(async (helper) => (await helper.call("open", files, input), helper));
        await (await helpers[number]).call("help", body, port);
    }
    function ensemble(body, signal) {
        if (!body.continue) many = body;
        const channels = Array.from({length: processors - 1}, () => new MessageChannel());
        channels.forEach(({port2}, number) => help(number, many, port2).catch(() => (helpers[number] = null)));
        return main.stream("/api/ensemble", body, channels.map(({port1}) => port1), signal);
    }

    // ---- opening files

    async function opened(given, name) {
        files = given;
        input = name;
        helpers = [];
        Object.assign(facts, await main.call("open", files, input), {threads: processors});
    }
    async function isTiff(file) {
        const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
        return ["73,73,42,0", "77,77,0,42", "73,73,43,0", "77,77,0,43"].includes(`${head}`);
    }
    // Adds to a case the CRS and the source of its terrain from the tags of its GeoTIFFs, unless the case has them. A source
    // that begins with SYNTHETIC TERRAIN replaces the source in the case
    function withTags(text, grids) {
        const declared = /^\s*terrain_source\s.*$/m, dem = /^\s*dem\s+(.*)$/m.exec(text)?.[1] ?? "",
              {source} = grids.find((grid) => dem.includes(grid.name)) || {}, {epsg} = grids.find((grid) => grid.epsg) || {};
        const crs = epsg && !/^\s*crs\s/m.test(text) ? `\ncrs EPSG:${epsg}\n` : "";
        if (!source || (declared.test(text) && !source.startsWith("SYNTHETIC TERRAIN"))) return text + crs;
        return `${text.replace(declared, "")}${crs}\nterrain_source "${source}"\n`;
    }
    // Opens a terrain as the program does, as a case with neither vents nor rates
    async function openTerrain(file) {
        const stem = file.name.replace(/\.[^.]*$/, "").replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 63) || "terrain";
        const ending = /\.[A-Za-z0-9]{1,8}$/.exec(file.name)?.[0] ?? ".asc";  // for a refusal, which names the file
        const tiff = await isTiff(file);
        if (!tiff && file.size > 2 ** 28)
            throw new Error(t("{} has {} MB, and a page reads at most {}: crop it, or use the program.", file.name,
                Math.ceil(file.size / 1e6), 268));
        const read = tiff ? await main.call("readTerrain", file, stem) :
                            {name: stem + ending, bytes: new Uint8Array(await file.arrayBuffer())};
        const text = withTags(`dem "${read.name}"\nparameters etna-2006\nrun_h 72\nvent_radius_m 100\n`, [read]);
        await opened(
            [{name: read.name, bytes: read.bytes}, {name: `${stem}.cfg`, bytes: new TextEncoder().encode(text)}], `${stem}.cfg`);
    }
    // Files come without folders, so names in the case lose their folders. Each GeoTIFF is replaced by the grid that is read
    // from it
    async function openCase(all) {
        const flat = (text) => all.reduce(
            (now, {name}) => now.replaceAll(new RegExp(`[^\\s"]*/(${name.replaceAll(/\W/g, "\\$&")})`, "g"), "$1"), text);
        const grids = new Map();
        for (const f of all)
            if (await isTiff(f)) grids.set(f.name, await main.call("readTerrain", f, f.name.replace(/\.[^.]*$/, "")));
        const withGrids = (text) =>
            withTags([...grids].reduce((now, [name, grid]) => now.replaceAll(name, grid.name), text), [...grids.values()]);
        const read = async (f) => (f.name.endsWith(".cfg") ? new TextEncoder().encode(withGrids(flat(await f.text()))) :
                                                             new Uint8Array(await f.arrayBuffer()));
        const given = await Promise.all(all.map(async (f) => grids.get(f.name) ?? {name: f.name, bytes: await read(f)}));
        await opened(given, given.find((f) => f.name.endsWith(".cfg")).name);
    }
    // Opens a terrain, or the files of a case
    const open = (all) => (all.some((f) => f.name.endsWith(".cfg")) ? openCase([...all]) : openTerrain(all[0]));
    const openVolcano = async (size) => opened(await main.call("makeVolcano", size), "volcano.cfg");

    // Waits for a chosen or dropped file, or for the volcano. After a refusal the reader may give another file
    function choose() {
        const section = element("section", {id: "choose", class: "part"}), said = element("p", {class: "refused", role: "alert"}),
              field =
                  element("input", {type: "file", id: "terrain", multiple: "", "aria-label": "Terrain, or the files of a case"}),
              volcano = makeButton("The synthetic volcano", null, {id: "volcano"});
        section.append(element("p", {}, "Draw an eruption and see where its lava flows. Nothing leaves this computer."),
            element("p", {}, "Drop a terrain here, a GeoTIFF or an ESRI ASCII grid in metres; or the files of a case."),
            element("div", {class: "row"}, field, volcano), said);
        byId("main").before(section);
        byId("main").hidden = true;
        byId("theme").hidden = true;
        byId("title").textContent = "Sciara";
        chooseLanguage(() => translate());
        translate();
        document.documentElement.dataset.ready = "choose";
        return new Promise((done) => {
            async function take(opening) {
                said.replaceChildren(t("Opening …"));
                try {
                    await opening();
                } catch (error) {
                    return said.replaceChildren(foreign(error.message));
                }
                for (const event of ["dragover", "drop"]) document.removeEventListener(event, dropped);
                section.remove();
                byId("title").textContent = "";
                byId("main").hidden = byId("theme").hidden = false;
                return done();
            }
            function dropped(event) {
                event.preventDefault();
                const all = [...(event.dataTransfer?.files || [])];
                if (event.type === "drop" && all.length) take(() => open(all));
            }
            for (const event of ["dragover", "drop"]) document.addEventListener(event, dropped);
            field.addEventListener("change", () => field.files.length && take(() => open([...field.files])));
            volcano.addEventListener("click", () => take(() => openVolcano(256)));
        });
    }

    return {
        async start() {
            main = await newWorker();
            byId("give").hidden = true;
            await choose();
            return null;
        },
        // For another terrain the page is loaded again
        terrains() {
            for (const event of ["dragover", "drop"])
                document.addEventListener(event, (e) => (e.preventDefault(), byId("listed").focus()));
        },
        others: () => ["Another terrain", location.pathname],
        tile: (every, row0, col0) =>
            main.call("ask", `/api/terrain?every=${every}&row0=${row0}&col0=${col0}`).then((bytes) => bytes.buffer),
        keep: (_drawing) => {},
        compute: (what, body, signal) =>
            (what === "ensemble" ? ensemble(body, signal) : main.stream(`/api/${what}`, {frame_ms: 100, ...body}, null, signal)),
        forecast: null,
        async save(body) {
            const {files: all, ...answer} = await main.call("save", body);
            download([zipOf(all), `${body.name}.zip`]);
            return {...answer, folder: `${body.name}.zip`};
        },
        exports: (id) => [
            ["total_thickness_m", t("Thickness")], ["max_thickness_m", t("Greatest thickness")], ["arrival_h", t("Arrival")]]
                             .map(([layer, words]) => [`GeoTIFF: ${words}`,
                                      async () => {
                                          const {values, rows, cols} = await main.call("layer", id, layer);
                                          return [geotiffOf(values, rows, cols), `${byId("name").value || "run"}_${layer}.tif`];
                                      }])
                             .concat([[t("Report"), reportOf]])
    };
})();
