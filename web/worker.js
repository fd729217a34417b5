// worker.js: the engine of a page in a worker: what the page asks of its session, and members of an ensemble for another worker.
"use strict";
(() => {
    const FOLDER = "/case";  // of the session, where cases are saved, too
    let engine = null, page = 0, given = [], ensemble = null;
    const streams = new Map();  // by number; of each path there is one at most

    class Refused extends Error {
        constructor(status, said) {
            super(said.error);
            Object.assign(this, {status, said});
        }
    }
    const read = (at) => {
        let end = at;
        while (engine.HEAPU8[end]) end++;
        return new TextDecoder().decode(engine.HEAPU8.subarray(at, end));
    };
    function put(bytes) {
        const at = engine._malloc(bytes.length);
        engine.HEAPU8.set(bytes, at);
        return at;
    }
    const putText = (text) => put(new TextEncoder().encode(`${text}\0`));
    function withText(text, use) {
        const at = putText(text);
        try {
            return use(at);
        } finally {
            engine._free(at);
        }
    }
    const bytesOf = (answer) =>
        engine.HEAPU8.slice(engine._page_bytes(answer), engine._page_bytes(answer) + engine._page_size(answer));
    const plain = (text) => text.replaceAll(`${FOLDER}/`, "");
    const check = (status) => {
        if (status) throw new Refused(status === 2 ? 422 : 500, {error: plain(read(engine._page_error(page)))});
    };

    // ---- the session

    // What streams, or is helped with, ends before its session
    function leave() {
        for (const stream of streams.values()) forget(stream);
        if (ensemble) engine._page_forget(ensemble.answer);
        ensemble = null;
    }

    // As a page of `sciara serve` is opened: a case of several files, or a terrain alone
    async function start(module) {
        engine = await createSciaraEngine({
            instantiateWasm(imports, done) {
                WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
                return {};
            }
        });
    }
    function open(files, input) {
        leave();
        if (page) engine._page_free(page);
        page = engine._page_create();
        if (!engine.FS.analyzePath(FOLDER).exists) engine.FS.mkdir(FOLDER);
        for (const {name, bytes} of files) engine.FS.writeFile(`${FOLDER}/${name}`, bytes);
        check(withText(`${FOLDER}/${input}`, (path) => withText(FOLDER, (folder) => engine._page_load(page, path, folder))));
        given = files.map(({name}) => name);
        return JSON.parse(new TextDecoder().decode(ask("/api/facts")));
    }
    function makeVolcano(size) {
        page ||= engine._page_create();
        if (!engine.FS.analyzePath(FOLDER).exists) engine.FS.mkdir(FOLDER);
        check(withText(FOLDER, (folder) => engine._page_volcano(page, folder, size)));
        return ["volcano.asc", "vents.csv", "rates.csv", "volcano.cfg"].map(
            (name) => ({name, bytes: engine.FS.readFile(`${FOLDER}/${name}`)}));
    }

    function begin(path, body) {
        const answer = withText(path, (at) => engine._page_ask(page, at, body ? putText(JSON.stringify(body)) : 0));
        if (!answer) throw new Refused(500, {error: "out of memory"});
        if (engine._page_status(answer) === 200) return answer;
        const said = JSON.parse(new TextDecoder().decode(bytesOf(answer))), status = engine._page_status(answer);
        engine._page_forget(answer);
        throw new Refused(status, {...said, error: plain(said.error)});
    }
    function ask(path, body) {
        const answer = begin(path, body), bytes = bytesOf(answer);
        engine._page_forget(answer);
        return bytes;
    }

    // All files of a case that was saved, with the names that it gives them from its folder: those that were opened lie beside it
    function save(body) {
        const answer = JSON.parse(new TextDecoder().decode(ask("/api/save", {...body, replace: true}))), {FS} = engine;
        const files = given.map((name) => ({name, bytes: FS.readFile(`${FOLDER}/${name}`)}));
        for (const name of FS.readdir(answer.folder))
            if (name !== "." && name !== "..") {
                files.push({name: `${body.name}/${name}`, bytes: FS.readFile(`${answer.folder}/${name}`)});
                FS.unlink(`${answer.folder}/${name}`);
            }
        FS.rmdir(answer.folder);
        return {files, command: plain(answer.command), digest: answer.digest};
    }
    function layer(id, wanted) {
        for (let number = 0, at; (at = engine._page_layer_name(number)); number++)
            if (read(at) === wanted) {
                const values = engine._page_layer(page, id, number);
                if (!values) check(1);
                const {rows, cols} = JSON.parse(new TextDecoder().decode(ask("/api/facts"))).grid;
                const copy = engine.HEAPF32.slice(values / 4, values / 4 + rows * cols);
                engine._free(values);
                return {values: copy, rows, cols};
            }
        throw new Refused(404, {error: `there is no layer ${wanted}`});
    }

    // ---- streams: a piece, then whatever has come meanwhile

    const breathe = (() => {
        const {port1, port2} = new MessageChannel(), waiting = [];
        port1.onmessage = () => waiting.shift()();
        return () => new Promise((done) => {
            waiting.push(done);
            port2.postMessage(0);
        });
    })();

    function forget(stream) {
        if (!streams.delete(stream.number)) return;
        engine._page_forget(stream.answer);
        if (ensemble === stream) ensemble = null;
        stream.wake();
    }
    function stream(number, path, body, ports) {
        for (const other of streams.values())
            if (other.path === path) forget(other);
        const self = {number, path, answer: 0, credit: 3, ports, wake() {}};
        self.answer = begin(path, body);
        streams.set(number, self);
        if (ports) share(self);
        run(self).catch((error) => {
            forget(self);
            postMessage({number, failed: {status: 500, said: {error: error.message}}});
        });
    }
    const pause = (self) => new Promise((done) => (self.wake = done));
    async function run(self) {
        for (; streams.has(self.number); await breathe()) {
            const member = self.ports ? engine._page_hand_out(page) : -1;
            if (member >= 0) engine._page_compute(page, member);
            if (!engine._page_next(self.answer)) break;
            const bytes = bytesOf(self.answer);
            if (bytes.length) postMessage({number: self.number, bytes}, [bytes.buffer]), self.credit--;
            else if (member < 0) await pause(self);  // (others compute)
            while (self.credit <= 0 && streams.has(self.number)) await pause(self);
        }
        forget(self);
        postMessage({number: self.number, done: true});
    }

    // ---- an ensemble that several workers compute: numbers go out, members come back

    function share(self) {
        ensemble = self;
        for (const port of self.ports) {
            const handOut = () => {
                const member = ensemble === self ? engine._page_hand_out(page) : -1;
                if (member >= 0) port.postMessage(member);
            };
            port.onmessage = ({data: {ready, member, bytes}}) => {
                if (ensemble !== self) return;
                if (ready) handOut();
                else if (bytes) engine._page_take(page, put(bytes));
                else engine._page_compute(page, member);  // (it failed, and says here why)
                handOut();
                self.wake();
            };
        }
    }
    // The same drawing is opened, and nothing is shown of it
    function help(body, port) {
        leave();
        ensemble = {answer: begin("/api/ensemble", body)};
        port.onmessage = ({data: member}) => {
            try {
                const at = engine._page_member(page, member);
                if (!at) return port.postMessage({member});
                const size = new DataView(engine.HEAPU8.buffer).getUint32(at, true), bytes = engine.HEAPU8.slice(at, at + size);
                engine._free(at);
                return port.postMessage({member, bytes}, [bytes.buffer]);
            } catch {
                return port.postMessage({member});
            }
        };
        port.postMessage({ready: true});
    }

    const calls = {
        start,
        open,
        makeVolcano,
        ask,
        save,
        layer,
        help,
        stream: (...all) => stream(...all),
        readTerrain: (...all) => readTerrain(...all)
    };
    onmessage = async ({data: {number, call, values, credit, stop}}) => {
        const self = streams.get(number);
        if (credit && self) self.credit += credit, self.wake();
        if (stop && self) forget(self);
        if (!call) return;
        try {
            const result = await calls[call](...values);
            if (call !== "stream") postMessage({number, result});
        } catch (error) {
            const said = error.said || {error: error.message};
            postMessage({number, failed: {status: error.status || 500, said}});
        }
    };
})();
