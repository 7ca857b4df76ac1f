// @ts-check
/** The words of the page, and words for what a view or a log names. */

/** @type {{[name: string]: any}} */
let table = {};
/** What stands alone at the title that is drawn: fields, moves, things. @type {{[id: string]: string}} */
let names = {};
let language = "en";

/** The languages of the page, by their own names. @type {{[language: string]: string}} */
export const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" };

/** Use the words of a language. @param {{[name: string]: any}} words @param {string} [spoken] */
export function useWords(words, spoken = "en") {
  table = words;
  language = spoken;
}

/** Use the names of a title's things. @param {string} [slug] */
export function useTitle(slug) {
  names = { ...table.names, ...table.titles?.[slug ?? ""] };
}

/** A list in a sentence. @param {string[]} items @param {"conjunction" | "disjunction"} [type] */
export const listed = (items, type = "conjunction") => new Intl.ListFormat(language, { type }).format(items);

/** A sentence of the page; with `count` its plural form. @param {string} name @param {{[field: string]: any}} [values] @returns {string} */
export function say(name, values = {}) {
  let found = name.split(".").reduce((/** @type {any} */ within, step) => within?.[step], table);
  if (found !== null && typeof found === "object") found = found[new Intl.PluralRules(language).select(values.count ?? 0)] ?? found.other;
  return String(found ?? name).replace(/\{(\w+)\}/g, (_, field) => String(values[field] ?? ""));
}

/** An id as words: `cold_storage` is `cold storage`, or what the title calls it in this language. @param {any} id @returns {string} */
export function plainly(id) {
  const text = String(id);
  return Object.hasOwn(names, text) ? names[text] : /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(text) ? text.replace(/[_-]/g, " ") : text;
}

/** A text that stands alone begins with a capital letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An id as words that stand alone. @param {any} id */
export const title = (id) => capital(plainly(id));

/** Say something to those who listen. @param {string} text */
export function speak(text) {
  const region = document.getElementById("speech");
  if (region) region.textContent = text;
}
