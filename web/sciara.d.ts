/** What the program says of it, in one line; status 1: it failed, 2: the input is refused. */
export class SciaraError extends Error {
    readonly status: number;
}

export type Layer =
    | "elevation_m"
    | "thickness_m"
    | "temperature_K"
    | "solidified_m"
    | "max_thickness_m"
    | "arrival_step";

export const LAYERS: readonly Layer[];

export interface Simulation {
    /** Steps made so far. */
    readonly step: number;
    /** Where the case ends; null: where its lava stands still. */
    readonly lastStep: number | null;
    /** Whether the rule of the case has ended it. */
    readonly stopped: boolean;
    readonly rows: number;
    readonly cols: number;
    readonly cellM: number;
    /** Up to so many steps, at most to the end of the case; returns the step then. */
    advance(steps?: number): number;
    /** The digest of the state, which `sciara run` prints for the same case and step. */
    digest(): string;
    /** rows * cols numbers, row by row from the north. NaN: no data, or no lava ever came (arrival_step). */
    layer(name: Layer): Float64Array;
    /** Gives the memory back. */
    close(): void;
}

export interface Engine {
    /** Reads a case: its files by name, and which of them is the case file. Throws a SciaraError. */
    open(files: Record<string, string | Uint8Array>, name: string): Simulation;
}

/** Options are those of emscripten's modules, such as locateFile. */
export function load(options?: object): Promise<Engine>;
