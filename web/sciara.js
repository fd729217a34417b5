// sciara.js — the engine of Sciara in a page, a worker or node: cases of files in memory, and their simulations.
// A page includes sciara-engine.js and this file as classic scripts, and finds `load` in `sciara`.
"use strict";

(() => {
    const createEngine = typeof createSciaraEngine === "function" ? createSciaraEngine : require("./sciara-engine.js");

    const LAYERS = ["elevation_m", "thickness_m", "temperature_K", "solidified_m", "max_thickness_m", "arrival_step"];

    class SciaraError extends Error {
        constructor(text, status) {
            super(text);
            this.name = "SciaraError";
            this.status = status;  // that of the program: 1 it failed, 2 the input is refused
        }
    }

    // A case, and its simulation from the first step on. close() gives its memory back.
    class Simulation {
        constructor(engine, folder, of) {
            this.engine = engine;
            this.folder = folder;
            this.of = of;
        }

        call(name, ...values) {
            if (!this.of) throw new SciaraError("this simulation is closed", 1);
            return this.engine[`_engine_${name}`](this.of, ...values);
        }

        text(name) { return this.engine.ccall(`engine_${name}`, "string", ["number"], [this.of]); }

        check(status) {
            if (status) throw new SciaraError(this.text("error").replaceAll(`${this.folder}/`, ""), status);
        }

        get step() { return this.call("step"); }

        get lastStep() { return this.call("last_step") || null; }

        get stopped() { return this.call("stopped") !== 0; }

        get rows() { return this.call("rows"); }

        get cols() { return this.call("cols"); }

        get cellM() { return this.call("cell_m"); }

        advance(steps = Infinity) {
            this.check(this.call("advance", Math.min(Math.max(0, Math.floor(steps)), 2 ** 40)));
            return this.step;
        }

        digest() {
            this.call("step");
            const digest = this.text("digest");
            if (!digest) this.check(1);
            return digest;
        }

        layer(name) {
            const number = LAYERS.indexOf(name);
            if (number < 0) throw new SciaraError(`layer: there is no ${name}; give one of ${LAYERS.join(", ")}`, 2);
            const at = this.call("layer", number);
            if (!at) this.check(1);
            const values = this.engine.HEAPF64.slice(at / 8, at / 8 + this.rows * this.cols);
            this.engine._free(at);
            return values;
        }

        close() {
            if (!this.of) return;
            this.engine._engine_free(this.of);
            this.of = 0;
            for (const file of this.engine.FS.readdir(this.folder))
                if (file !== "." && file !== "..") this.engine.FS.unlink(`${this.folder}/${file}`);
            this.engine.FS.rmdir(this.folder);
        }
    }

    // The files stay in the memory of the module: of a large terrain, parts are read when lava comes near.
    function open(engine, folder, files, name) {
        engine.FS.mkdir(folder);
        const simulation = new Simulation(engine, folder, engine._engine_create());
        try {
            for (const [file, content] of Object.entries(files)) {
                if (!/^[^/]+$/.test(file) || file === "." || file === "..")
                    throw new SciaraError(`files: ${file} is no name of a file; give names without folders`, 2);
                engine.FS.writeFile(`${folder}/${file}`, content);
            }
            simulation.check(engine.ccall("engine_load", "number", ["number", "string"], [simulation.of, `${folder}/${name}`]));
            return simulation;
        } catch (error) {
            simulation.close();
            throw error;
        }
    }

    // node's fetch() takes no path, which emscripten would give it.
    function binary() {
        if (typeof process !== "object" || !process.versions?.node) return {};
        return {wasmBinary: require("fs").readFileSync(`${__dirname}/sciara-engine.wasm`)};
    }

    async function load(options) {
        const engine = await createEngine({...binary(), ...options});
        let opened = 0;
        return {open: (files, name) => open(engine, `/case${++opened}`, files, name)};
    }

    const sciara = {load, SciaraError, LAYERS};
    if (typeof module === "object") module.exports = sciara;
    else globalThis.sciara = sciara;
})();
