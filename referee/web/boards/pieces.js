// @ts-check
/** What boards are drawn with: signs, hexes, cards, tokens and panels of seats, in one palette with one set of states. */
import { h } from "dom";
import { count, seatMark, thing } from "kit";
import { follow } from "./motion.js";
import { SIGNS } from "./signs.js";

/** @typedef {import("kit").Table} Table */
/** @typedef {import("dom").Any} Any */
/** @typedef {import("dom").Props} Props */
/** @typedef {import("./signs.js").Sign} Sign */

/** The styles come with the first board, before it is drawn. */
if (globalThis.document) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("boards.css", import.meta.url).href });
  await new Promise((done) => (Object.assign(link, { onload: done, onerror: done }), document.head.append(link)));
  follow();
}

/** A board; its parts stand side by side where there is room. @param {string} kind @param {Any[]} children */
export const board = (kind, ...children) => h("div", { class: "b" }, h("div", { class: `b-in ${kind}` }, children));

/** A drawing that grows with its place. @param {number} wide @param {number} high @param {string} kind @param {Any[]} children */
export const picture = (wide, high, kind, ...children) => h("svg", { class: `pic ${kind}`, role: "group", viewBox: `0 0 ${wide} ${high}` }, children);

/** What makes a drawn element a thing that is read out even while it cannot be picked. @param {string} key @param {string} label @param {import("kit").Part[]} [parts] @param {{at_once?: boolean}} [more] */
export const piece = (key, label, parts = [], more = {}) => ({ ...thing(key, label, parts, more), role: "img", "aria-label": label });

/** @param {Sign} sign */
const strokes = (sign) => sign.map((each) => (each[0] === "-" ? h("path", { class: "cut", d: each.slice(1) }) : each[0] === "~" ? h("path", { class: "line", d: each.slice(1) }) : h("path", { d: each })));

/** @param {string | Sign} sign @returns {Sign} */
const signOf = (sign) => (typeof sign === "string" ? (SIGNS[sign] ?? []) : sign);

/** A sign in a line of text. @param {string | Sign} sign @param {string} [kind] */
export const icon = (sign, kind = "") => h("svg", { class: `ico ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, strokes(signOf(sign)));

/** A sign in a drawing, by its middle. @param {string | Sign} sign @param {number} x @param {number} y @param {number} size @param {string} [kind] */
export const sign = (sign, x, y, size, kind = "") => h("g", { class: `ico ${kind}`, transform: `translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${(size / 24).toFixed(3)})` }, strokes(signOf(sign)));

/** The mark of a seat in a drawing: colour, shape and initial. @param {Table} table @param {number} seat @param {number} x @param {number} y @param {number} size */
export const token = (table, seat, x, y, size) => h("g", { class: `mark seat${seat % 6}`, transform: `translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${(size / 32).toFixed(3)})` }, seatMark(seat, nameOf(table, seat)).children);

/** A boat of a seat around 0,0: hull, mast and the seat's mark as its sail. @param {Table} table @param {number} seat */
export const boat = (table, seat) => [h("path", { class: `hull seat${seat % 6}`, d: "M-20 4h40l-8 13h-24z" }), h("path", { class: "mast", d: "M-1.500-8h3V5h-3z" }), token(table, seat, 0, -12, 27)];

/** What a map was zoomed to, in pixels; 0: it is shown whole; null: as the window has it. @type {number | null} */
let zoomed = null;
const ZOOM = 1.4, FINGER = 28;
const zoomKind = () => (zoomed === null ? "pan" : zoomed ? "pan zoomed" : "pan whole");

/** A map that pans by scrolling. Things in it are at least `grain` units apart, and on a phone as far as fingers need. @param {Table} table @param {number} wide @param {number} grain @param {Any} drawn */
export function pan(table, wide, grain, drawn) {
  const style = { "--least": `${Math.ceil((FINGER / grain) * wide)}px`, "--at": `${zoomed ?? 0}px` };
  const key = (/** @type {string} */ name, /** @type {string} */ art, /** @type {number} */ by) => h("button", { key: name, "aria-label": table.word(name), onclick: (/** @type {any} */ event) => zoom(event.currentTarget.closest(".zoom").firstElementChild, by) }, icon(art));
  return h("div", { class: "zoom" }, h("div", { class: zoomKind(), tabindex: table.facts.size ? null : 0, role: "group", "aria-label": table.word("map"), style, ref: begin }, drawn), h("div", { class: "zoom-keys", role: "group", "aria-label": table.word("zoom") }, key("zoom_in", "plus", ZOOM), key("zoom_out", "minus", 1 / ZOOM), key("whole", "whole", 0)));
}

/** A map that does not fit begins where something can be picked, or where one has something, or in its middle. @param {HTMLElement} frame */
const begin = (frame) => requestAnimationFrame(() => {
  const view = frame.getBoundingClientRect(), what = (frame.querySelector(".pickable") ?? frame.querySelector(".own") ?? frame.firstElementChild)?.getBoundingClientRect();
  if (what) frame.scrollBy(what.x + what.width / 2 - view.x - view.width / 2, 0);
});

/** @param {HTMLElement} frame @param {number} by */
function zoom(frame, by) {
  const x = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, y = (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight;
  const wide = (frame.firstElementChild?.getBoundingClientRect().width ?? 0) * by;
  zoomed = wide > frame.clientWidth ? Math.round(wide) : 0;
  frame.className = zoomKind();
  frame.style.setProperty("--at", `${zoomed}px`);
  frame.scrollTo(x * frame.scrollWidth - frame.clientWidth / 2, y * frame.scrollHeight - frame.clientHeight / 2);
}

const PIPS = ["", "11", "0022", "001122", "00022022", "0002112022", "000102202122"];
/** A face of a die; 0 is one that is not rolled yet. @param {number} face */
export const die = (face) => h("svg", { class: `die${face ? "" : " blank"}`, viewBox: "0 0 32 32", "aria-hidden": "true" }, h("rect", { x: 2, y: 2, width: 28, height: 28, rx: 6 }), (PIPS[face].match(/../g) ?? []).map(([x, y]) => h("circle", { cx: 8 + 8 * Number(x), cy: 8 + 8 * Number(y), r: 3 })));

/** The mark of a seat in a line of text; its letter is no text, for the name is said by what it marks. @param {Table} table @param {number} seat */
export function mark(table, seat) {
  const { props, children } = seatMark(seat, nameOf(table, seat));
  return h("span", { class: `mk seat${seat % 6}`, "aria-hidden": "true", "data-says": [...nameOf(table, seat)][0]?.toUpperCase() }, h("svg", { ...props }, children[0]));
}

/** @param {Table} table @param {number} seat */
export const nameOf = (table, seat) => table.seats[seat]?.name ?? String(seat);

/** The middle of a hex with a point on top. @param {string} hex as `q,r` @param {number} size @returns {[number, number]} */
export function middle(hex, size) {
  const [q, r] = hex.split(",").map(Number);
  return [Math.sqrt(3) * size * (q + r / 2), 1.5 * size * r];
}

/** The corners of a hex, clockwise from the top. @param {number} x @param {number} y @param {number} size @returns {[number, number][]} */
export const corners = (x, y, size) => [0, 1, 2, 3, 4, 5].map((at) => [x + size * Math.sin((Math.PI / 3) * at), y - size * Math.cos((Math.PI / 3) * at)]);

/** @param {number} x @param {number} y @param {number} size @param {Props} [props] */
export const hexagon = (x, y, size, props = {}) => h("polygon", { ...props, points: corners(x, y, size).map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ") });

/** What shows the state of a drawn thing: a ring in two tones, seen only while it can be picked, is picked or has changed. @param {string} tag @param {Props} props */
export const rim = (tag, props) => ["rim", "rim glow"].map((kind) => h(tag, { ...props, class: kind }));

/** @param {number} x @param {number} y @param {number} size */
export const hexRim = (x, y, size) => rim("polygon", hexagon(x, y, size).props);

/** A number with its sign. @param {string | Sign} what @param {Any} number @param {string} label @param {string} [kind] */
export const tally = (what, number, label, kind = "") => h("span", { class: `tally ${kind}`, role: "img", "aria-label": `${label}: ${number}`, title: label }, icon(what), h("b", null, number));

/** A number on the rim of something: the label of the thing says it, too. @param {number | string} number */
export const badge = (number) => h("b", { class: "c-corner", "data-says": number });

/** A card that is seen: a sign, a word, and what stands in its corner. @param {Props | null} what @param {string | Sign} art @param {Any} word @param {{hue?: string, corner?: number | string, foot?: Any}} [more] */
export const card = (what, art, word, { hue = "", corner, foot } = {}) => h("span", { ...(what ?? {}), class: `c ${hue}` }, corner !== undefined && badge(corner), icon(art, "c-art"), h("span", { class: "c-word" }, word), foot && h("span", { class: "c-foot" }, foot));

/** Cards that lie face down. @param {Props | null} what @param {number} number @param {string} label @param {string} [hue] */
export const pile = (what, number, label, hue = "") => h("span", { role: "img", "aria-label": `${label}: ${number}`, ...(what ?? {}), class: `c back ${hue}${number > 1 ? " many" : ""}${number ? "" : " none"}`, title: label }, h("b", { class: "c-count" }, number));

/** A part of the board with its name. @param {string} kind @param {Any} name @param {Any[]} children */
export const part = (kind, name, ...children) => h("section", { class: `part ${kind}` }, name && h("h2", { class: kind.includes("bare") ? "hid" : "" }, name), children);

/** What a seat has: its mark, its name, its score, then the rest. @param {Table} table @param {number} seat @param {{score?: Any, unit?: string, leads?: boolean, turn?: boolean, parts?: import("kit").Part[]}} what @param {Any[]} children */
export function panel(table, seat, { score, unit = "", leads, turn = table.awaited?.includes(seat), parts = [] }, ...children) {
  const name = nameOf(table, seat);
  return h(
    "section",
    { class: `panel edge${seat % 6}${seat === table.seat ? " own" : ""}${turn ? " turn" : ""}`, key: `seat ${seat}` },
    h(
      "div",
      { class: "panel-head" },
      h("span", { ...thing(`seat ${seat}`, `${table.word("seat")} ${name}${turn ? `, ${table.word("to_move")}` : ""}`, parts), class: "panel-name" }, mark(table, seat), h("bdi", null, name)),
      turn && icon("arrow", "now"),
      score !== undefined && h("span", { class: "points", role: "img", "aria-label": `${unit} ${score}${leads ? `, ${table.word("leads")}` : ""}` }, leads && icon("crown"), h("b", null, score), unit && h("small", null, unit)),
    ),
    children,
  );
}

/** Of several scores the best, if it is not shared by all. @param {number[]} scores @returns {(seat: number) => boolean} */
export function leading(scores) {
  const best = Math.max(...scores), isShared = scores.every((score) => score === best);
  return (seat) => !isShared && scores[seat] === best;
}

/** The seats with one's own first, then clockwise. @param {Table} table @returns {number[]} */
export const seatsFromOwn = (table) => table.seats.map((_, at) => (at + (table.seat ?? 0)) % table.seats.length);

/** The seats of which something is shown that may be hidden, one's own first: one's own hand, that of whose eyes one has, or all. @param {Table} table @param {string} name */
export const shownSeats = (table, name) => seatsFromOwn(table).filter((seat) => table.view.seats[seat]?.[name] && count(table.view.seats[seat], name) > 0);

/** How often each comes, in the order of the first. @template T @param {T[]} list @returns {Map<T, number>} */
export function counted(list) {
  const found = new Map();
  for (const each of list) found.set(each, (found.get(each) ?? 0) + 1);
  return found;
}
