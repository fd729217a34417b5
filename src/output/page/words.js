// words.js: the texts of the pages, one row each. English is what scripts and HTML have; a text without a row stays English.

const LANGUAGES = { en: "English", it: "Italiano", es: "Español", fr: "Français", is: "Íslenska" };
const WORDS = [
];
