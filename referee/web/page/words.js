// @ts-check
/** The words of the page, and words for what a view or a log names. */

/** @type {{[name: string]: any}} */
let table = {};
const plurals = new Intl.PluralRules("en");

/** Use the words of a language. @param {{[name: string]: any}} words */
export function useWords(words) {
  table = words;
}

/** A sentence of the page; with `count` its plural form. @param {string} name @param {{[field: string]: any}} [values] @returns {string} */
export function say(name, values = {}) {
  let found = name.split(".").reduce((/** @type {any} */ within, step) => within?.[step], table);
  if (found !== null && typeof found === "object") found = found[plurals.select(values.count ?? 0)] ?? found.other;
  return String(found ?? name).replace(/\{(\w+)\}/g, (_, field) => String(values[field] ?? ""));
}

/** An id as words: `cold_storage` is `cold storage`. @param {any} id @returns {string} */
export function plainly(id) {
  const text = String(id);
  return /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(text) ? text.replace(/[_-]/g, " ") : text;
}

/** The same with a capital letter. @param {any} id */
export function title(id) {
  const text = plainly(id);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Say something to those who listen. @param {string} text */
export function speak(text) {
  const region = document.getElementById("speech");
  if (region) region.textContent = text;
}
