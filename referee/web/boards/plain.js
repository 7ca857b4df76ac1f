// @ts-check
/** A board for any view: facts, chips, cards and maps of hexes, drawn from its JSON. */
import { h } from "dom";
import { seatMark, seatName, thing } from "kit";
import { plainly, say, title } from "words";

/** @typedef {import("kit").Table} Table */
/** @typedef {import("dom").Any} Any */
/** Where a value stands: its path as keys and as words. @typedef {{key: string, words: string}} Place */

const LEFT_OUT = new Set(["ruleset", "options", "seats"]);
const HEX = /^-?\d+,-?\d+$/;
const SEAT_FIELD = /(^|_)(seat|owner|seller|buyer|player)$/;
const SIZE = 30;

/** @param {any} value */
const isScalar = (value) => value === null || typeof value !== "object";
/** @param {Place} place @param {string | number} step @param {string} [words] @returns {Place} */
const inside = (place, step, words) => ({ key: `${place.key}/${step}`, words: [place.words, words ?? plainly(step)].filter(Boolean).join(", ") });

/** @param {Table} table */
export function draw(table) {
  const { view } = table;
  const entries = fieldsOf(view).filter(([name]) => !LEFT_OUT.has(name));
  const small = entries.filter(([, value]) => isScalar(value) || isStack(value) || isNothing(value));
  const large = entries.filter((entry) => !small.includes(entry));
  const start = { key: "", words: "" };
  return h(
    "div",
    { class: "plain" },
    h("dl", { class: "facts" }, small.map(([name, value]) => fact(table, inside(start, name), name, value))),
    large.length > 0 && h("div", { class: "zones" }, large.map(([name, value]) => zone(table, inside(start, name), name, value))),
    Array.isArray(view.seats) && h("div", { class: "stalls" }, view.seats.map((/** @type {any} */ each, /** @type {number} */ seat) => stall(table, each, seat))),
  );
}

/** A closed stack: a hidden list with its length. */
class Stack {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
  }
}

/** @param {any} value */
const isStack = (value) => value instanceof Stack;
/** @param {any} value */
const isNothing = (value) => value === null || (typeof value === "object" && !isStack(value) && Object.keys(value).length === 0);

/** The fields that say something; a hidden list and its length are one. @param {any} of @returns {[string, any][]} */
function fieldsOf(of) {
  return Object.entries(of ?? {}).flatMap(([name, value]) => {
    const hidden = name.endsWith("_count") && name.slice(0, -6) in of ? name.slice(0, -6) : null;
    if (hidden !== null) return of[hidden] === null ? [[hidden, new Stack(value)]] : [];
    return value === null ? [] : [[name, value]];
  });
}

/** @param {Table} table @param {Place} place @param {string} name @param {any} value */
const fact = (table, place, name, value) => h("div", { class: "fact", key: place.key }, h("dt", null, title(name)), h("dd", null, show(table, place, name, value)));

/** @param {Table} table @param {Place} place @param {string} name @param {any} value */
const zone = (table, place, name, value) => h("section", { class: "zone", key: place.key }, h("h2", null, named(table, place, name)), show(table, place, name, value));

/** @param {Table} table @param {any} each @param {number} seat */
function stall(table, each, seat) {
  const { name, isMine } = table.seats[seat] ?? { name: String(seat), isMine: false };
  const place = { key: `/seats/${seat}`, words: name };
  const head = h("h2", { class: "seat-name" }, seatMark(seat, name), h("span", { ...thing(`${place.key}/seat`, name, table.seatParts(seat)), class: "value" }, h("bdi", null, name)), isMine && h("small", null, say("table.you")));
  const fields = fieldsOf(each);
  const small = fields.filter(([, value]) => isScalar(value) || isStack(value) || isNothing(value));
  return h(
    "section",
    { class: `stall edge${seat % 6}${seat === table.seat ? " own" : ""}`, key: place.key },
    head,
    h("dl", { class: "facts" }, small.map(([field, value]) => fact(table, inside(place, field), field, value))),
    fields.filter((field) => !small.includes(field)).map(([field, value]) => zone(table, inside(place, field), field, value)),
  );
}

/** A value of any shape. @param {Table} table @param {Place} place @param {string} name @param {any} value @returns {Any} */
function show(table, place, name, value) {
  if (isStack(value)) return h("span", { class: "stack", ...thing(place.key, `${place.words}: ${say("table.face_down", { count: value.size })}`, partsOf(table, name)) }, value.size);
  if (isScalar(value)) return scalar(table, place, name, value);
  if (isNothing(value)) return h("span", { class: "none" }, say("table.nothing"));
  if (Array.isArray(value)) return list(table, place, name, value);
  const keys = Object.keys(value);
  if (keys.length > 3 && keys.every((key) => HEX.test(key))) return hexes(table, place, value);
  if (Object.values(value).every((each) => isScalar(each) || Array.isArray(each)) && keys.length > 1) return pairs(table, place, value);
  return h("div", { class: "cards" }, keys.map((key) => card(table, inside(place, key), key, value[key])));
}

/** @param {Table} table @param {any} value */
const partsOf = (table, value) => (typeof value === "string" ? (table.facts.get(JSON.stringify(value)) ?? []) : []);

/** @param {Table} table @param {Place} place @param {string} name @param {any} value */
function scalar(table, place, name, value) {
  if (SEAT_FIELD.test(name) && Number.isInteger(value) && value in table.seats) return h("span", { ...thing(place.key, `${place.words}: ${table.seats[value].name}`, []), class: "value" }, seatName(value, table.seats));
  const text = typeof value === "boolean" ? say(value ? "yes" : "no") : table.word(value);
  return h("span", { ...thing(place.key, `${place.words}: ${text}`, partsOf(table, value)), class: "value" }, text);
}

/** A name that may stand for something in a move. @param {Table} table @param {Place} place @param {string} name */
function named(table, place, name) {
  const parts = partsOf(table, name);
  return parts.length ? h("span", { ...thing(`${place.key}#`, place.words, parts), class: "value" }, title(name)) : title(name);
}

/** @param {Table} table @param {Place} place @param {string} name @param {any[]} values */
function list(table, place, name, values) {
  if (!values.every(isScalar)) return h("div", { class: "cards" }, values.map((each, at) => card(table, inside(place, at, table.word(each?.id ?? each?.kind ?? at + 1)), name, each)));
  /** @type {Map<any, number>} */
  const seen = new Map();
  return h(
    "div",
    { class: "chips" },
    values.map((each) => {
      const nth = (seen.get(each) ?? 0) + 1;
      seen.set(each, nth);
      return h("span", { ...thing(`${place.key}/${each} ${nth}`, `${place.words}: ${table.word(each)}${nth > 1 ? ` ${nth}` : ""}`, partsOf(table, each)), class: "chip" }, table.word(each));
    }),
  );
}

/** @param {Table} table @param {Place} place @param {string} name @param {any} value */
function card(table, place, name, value) {
  if (isScalar(value) || Array.isArray(value)) return h("div", { class: "card", key: place.key }, h("h3", null, named(table, place, name)), show(table, place, name, value));
  const id = value.id ?? value.kind;
  const head = id === undefined ? (HEX.test(name) || /[^a-z_]/.test(name) ? named(table, place, name) : null) : h("span", { ...thing(`${place.key}/id`, place.words, partsOf(table, id)), class: "value" }, table.word(id));
  const rest = fieldsOf(value).filter(([field, each]) => each !== id || (field !== "id" && field !== "kind"));
  return h("div", { class: "card", key: place.key }, head && h("h3", null, head), h("dl", { class: "facts" }, rest.map(([field, each]) => fact(table, inside(place, field), field, each))));
}

/** @param {Table} table @param {Place} place @param {any} value */
function pairs(table, place, value) {
  return h("dl", { class: "pairs" }, fieldsOf(value).map(([key, each]) => h("div", { class: each === 0 ? "pair zero" : "pair", key }, h("dt", null, each === 0 ? title(key) : named(table, inside(place, key), key)), h("dd", null, show(table, inside(place, key), key, each)))));
}

/** A map whose keys are axial coordinates. @param {Table} table @param {Place} place @param {{[hex: string]: any}} value */
function hexes(table, place, value) {
  const wide = Math.sqrt(3) * SIZE;
  const middles = Object.keys(value).map((key) => {
    const [q, r] = key.split(",").map(Number);
    return { key, x: wide * (q + r / 2), y: 1.5 * SIZE * r };
  });
  const xs = middles.map(({ x }) => x), ys = middles.map(({ y }) => y);
  const box = [Math.min(...xs) - wide / 2 - 2, Math.min(...ys) - SIZE - 2, Math.max(...xs) - Math.min(...xs) + wide + 4, Math.max(...ys) - Math.min(...ys) + 2 * SIZE + 4];
  return h("svg", { class: "hexes", viewBox: box.map((each) => each.toFixed(1)).join(" "), style: { "max-width": `${Math.round(box[2] * 1.5)}px` } }, middles.map(({ key, x, y }) => hex(table, inside(place, key), key, value[key], x, y)));
}

/** @param {Table} table @param {Place} place @param {string} key @param {any} value @param {number} x @param {number} y */
function hex(table, place, key, value, x, y) {
  const points = [0, 1, 2, 3, 4, 5].map((at) => `${(x + (SIZE - 1) * Math.sin((Math.PI / 3) * at)).toFixed(1)},${(y - (SIZE - 1) * Math.cos((Math.PI / 3) * at)).toFixed(1)}`).join(" ");
  const inner = value !== null && typeof value === "object" ? Object.values(value).filter((each) => each !== null && typeof each !== "object" && typeof each !== "boolean") : [value ?? ""];
  const text = inner.map((each) => table.word(each)).join(" ");
  return h(
    "g",
    { ...thing(place.key, `${place.words}${text ? `: ${text}` : ""}`, [...partsOf(table, key)]), class: `hex tone${tone(text)}` },
    h("polygon", { points }),
    h("text", { x, y: y + (text ? -3 : 4), "text-anchor": "middle", class: "at" }, key),
    text && h("text", { x, y: y + 10, "text-anchor": "middle" }, text.length > 9 ? `${text.slice(0, 8)}.` : text),
  );
}

/** The same words have the same ground. @param {string} text */
function tone(text) {
  if (text === "") return "";
  const named = ["blue", "orange", "green", "yellow", "purple", "cyan", "pink"].findIndex((colour) => text.includes(colour));
  return named >= 0 ? named : [...text].reduce((sum, letter, at) => sum + (at + 1) * letter.charCodeAt(0), 0) % 7;
}
