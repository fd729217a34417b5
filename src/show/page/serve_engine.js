// serve_engine.js: the `engine` of a page that the program serves. It sends requests over HTTP. web_engine.js has the same
// functions for a page without a program.

const KEY = new URLSearchParams(location.search).get("key") || "";
const withKey = (address) => `${address}${address.includes("?") ? "&" : "?"}key=${encodeURIComponent(KEY)}`;

// Replaces the browser's message about an ended connection, which is not in the language of the page
const answering = (promise) => promise.catch((error) => {
    throw error.name === "AbortError" ? error : new Error(t("The program does not answer: is it still running?"));
});

async function ask(path, body, signal) {
    const options = {headers: {"Sciara-Key": KEY}, signal, cache: body ? "no-store" : "default"};
    if (body instanceof Blob)
        Object.assign(options, {method: "POST", body, headers: {...options.headers, "Content-Type": "application/octet-stream"}});
    else if (body)
        Object.assign(options,
            {method: "POST", body: JSON.stringify(body), headers: {...options.headers, "Content-Type": "application/json"}});
    const answer = await answering(fetch(`api/${path}`, options));
    if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
    return answer;
}

// Sends a request again if it was refused because an older request is ending (503)
async function askPatiently(path, body, signal) {
    for (let tries = 0;; tries++) {
        try {
            return await ask(path, body, signal);
        } catch (error) {
            if (error.status !== 503 || tries === 40 || signal.aborted) throw error;
        }
        await new Promise((done) => setTimeout(done, 250));
    }
}

// The bytes of an answer, piece by piece
async function* piecesOf(answer) {
    const reader = answer.body.getReader();
    for (;;) {
        const {done, value} = await answering(reader.read());
        if (done) return;
        yield value;
    }
}

const engine = {
    // Promises that `facts` is set. The promised result is null if the page shows a map, not a list of files.
    async start() {
        if (!facts.files) return null;
        startFiles();
        return {};
    },
    // Accepts terrains that are dropped on the page.
    terrains: () => makeTerrains(),
    // The page where other cases or terrains are chosen: [words, address], or null.
    others: () => (facts.listed ? ["Files", withKey("../../")] : null),
    // Promises the bytes of a tile of ground.
    tile: (every, row0, col0) => ask(`terrain?every=${every}&row0=${row0}&col0=${col0}`).then((a) => a.arrayBuffer()),
    // Keeps a drawing, in case the browser is closed.
    keep: (drawing) => ask("drawing", {drawing}).catch(() => {}),
    // Computes a "run", an "ensemble" or an "ask". Yields pieces of frames until `signal` ends it.
    async * compute(what, body, signal) { yield* piecesOf(await askPatiently(what, body, signal)); },
    // Forecasts a saved case. Yields pieces of frames until `signal` ends it. null: this engine has no forecasts.
    async * forecast(body, signal) { yield* piecesOf(await askPatiently("forecast", body, signal)); },
    // forecastFile(): the address of a file of a forecast. sendSeen(): promises that a file of observations is next to its
    // case.
    forecastFile: (id, file) => withKey(`api/forecast/file?id=${id}&file=${encodeURIComponent(file)}`),
    sendSeen: (name, file) => ask(`forecast/seen?name=${encodeURIComponent(name)}&file=${encodeURIComponent(file.name)}`, file),
    // Saves a case or a plan: promises {folder, command, digest}.
    save: (body) => ask("save", body).then((answer) => answer.json()),
    // Files of a run that has ended, for buttons: [words, address] or [words, function that makes the file].
    exports: (id) => [[t("Report"), "report"], ["GeoTIFF", "geotiff"], ["KMZ", "kmz"]].map(
        ([words, format]) => [words, withKey(`api/export?id=${id}&format=${format}`)])
};
