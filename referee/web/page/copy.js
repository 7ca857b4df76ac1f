// @ts-check
/** What people take away: a text to copy, and a file to keep. */
import { h } from "./dom.js";

/** A text that is marked as soon as somebody goes there. @param {string} value @param {string} [label] */
export const copyable = (value, label) => h("input", { class: "code wide", readonly: true, value, "aria-label": label, onfocus: (/** @type {any} */ event) => event.target.select() });

/** A link to a text that is kept as a file. @param {string} content @param {string} name @param {string} label */
export const asFile = (content, name, label) => h("a", { class: "button", href: `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`, download: name }, label);
