// scorer.js: how the search of the manual orders what it finds. Sphinx's own numbers, and of pages that match alike those by
// which one works come before those on development, measurements and the past.
const LATER = /^(CHANGELOG|CONTRIBUTING|studies|tests|tools|profiling|docs\/(architecture|corrections|first-change|kernels|performance|performance-notes))/;
const SOONER = /^(docs\/(formats|guide|install|hazard|nowcast|cluster|qgis)|commands)/;
var Scorer = {
    score: ([page, , , , score]) => score + (SOONER.test(page) ? 1 : LATER.test(page) ? -1 : 0),
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: {0: 15, 1: 5, 2: -5},
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2
};
