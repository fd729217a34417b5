// check-scripts.d.ts — what tools/check-scripts cannot see in the scripts alone.

// Which kind of element has an id or contains another stands in the page: each may have what some kinds have. What
// none of them has, such as a misspelt `chekced`, is a mistake.
interface EventTarget { closest: any; dataset: any; hidden: any; style: any }
interface Node { data: any; append: any; hasAttribute: any; getAttribute: any; setAttribute: any; getBoundingClientRect: any }
interface Node { english: any }  // words.js: what stood in its attributes before they were translated
interface Element {
    checked: any; click: any; disabled: any; focus: any; href: any; max: any; min: any; name: any; open: any; readOnly: any;
    files: any; placeholder: any; src: any; value: any;
}

// What the library of this TypeScript lacks and some browsers have
interface Window { CompressionStream: any; DecompressionStream: any; sciara: any }
interface Uint8ArrayConstructor { fromBase64: any }

// The engine in WebAssembly, and what its worker is joined with
declare var createSciaraEngine: any, GeoTIFF: any, proj4: any;

// node, which has no types of its own here
declare module "*";
declare var require: any, process: any, Buffer: any, __dirname: string, __filename: string, module: any;
interface Number { unref: any }  // what setTimeout() gives there
