// serve_typed.js: typed coordinates, to draw a part or show a place there.

const TYPED = ["vent", "fissure", "wall", "channel", "place"];

// Coordinates with ° or a compass letter are degrees. All others are metres. But if they are outside the terrain as metres, and
// possible as degrees, they are degrees
function typedPoints(text) {
    const {west_m, south_m, cell_m, rows, cols} = facts.grid,
                                          inside = ({row, col}) => row >= 0 && col >= 0 && row <= rows && col <= cols;
    const signed = /[°]|\d\s*[NEWS]\b/i.test(text), read = (degrees) => readPoints(text, [], degrees);
    let points = facts.degrees && signed ? read(true) : read(false);
    if (facts.degrees && !signed && !points.every((p) => inside(toCells(p))) &&
        points.every(([a, b]) => Math.abs(a) <= 90 && Math.abs(b) <= 360))
        points = read(true);
    if (points.every((p) => inside(toCells(p)))) return points;
    const far = [west_m, south_m, west_m + cols * cell_m, south_m + rows * cell_m].map((v) => digits(v, 0));
    throw new Error(t("outside the terrain, which reaches from {}, {} to {}, {}", ...far));
}

// add(kind, points) draws a part, show(point) moves the map to the point
function makeTyped({add, show}) {
    const text = byId("typed"), kind = byId("typedkind"), wrong = byId("typedwrong");
    function take(use) {
        try {
            wrong.textContent = "";
            use(typedPoints(text.value));
        } catch (error) {
            wrong.textContent = error.message;
        }
        text.setAttribute("aria-invalid", String(!!wrong.textContent));
    }
    function draw(points) {
        const line = LINE(kind.value);
        if (line && points.length < 2) throw new Error(t("A line needs two points or more."));
        for (const part of line ? [points] : points.map((p) => [p])) add(kind.value, part);
        show(points[0]);
    }
    byId("typeddraw").addEventListener("click", () => take(draw));
    byId("typedshow").addEventListener("click", () => take(([point]) => show(point)));
    return {
        fill() {
            const {value} = kind;
            kind.replaceChildren(...TYPED.map((name) => element("option", {value: name}, t(KIND_NAMES[name]))));
            kind.value = value || "vent";
            wrong.textContent = "";
        }
    };
}
