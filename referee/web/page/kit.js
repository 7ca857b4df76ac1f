// @ts-check
/** What boards are made with: things that can be picked, counts of what may be hidden, and the marks of seats. */
import { h } from "./dom.js";

/** @typedef {{name: string, isMine: boolean}} SeatName */
/** @typedef {import("./picks.js").Part} Part */
/** What a board draws: a view or a whole position; of a game that goes on also which seats are awaited. @typedef {{view: any, seat: number | null, awaited?: number[], seats: SeatName[], edition: any, options: any, word: (name: any) => string, facts: Map<string, import("./picks.js").Part[]>, draft?: any, seatParts: (seat: number) => import("./picks.js").Part[]}} Table */

const SHAPES = [
  "M16 3a13 13 0 1 0 .01 0z",
  "M4 4h24v24H4z",
  "M16 2l14 26H2z",
  "M16 1l15 15-15 15L1 16z",
  "M16 1l4.4 10 10.6 1-8 7.2 2.4 10.8L16 24.4 6.600 30 9 19.200 1 12l10.600-1z",
  "M16 1l13 7.500v15L16 31 3 23.500v-15z",
];

/** What makes an element a thing. @param {string} key @param {string} label @param {import("./picks.js").Part[]} parts @param {{at_once?: boolean}} [more] */
export const thing = (key, label, parts, more = {}) => ({ key, "data-thing": key, thing: { key, label, parts, atOnce: more.at_once ?? false } });

/** How many there are of what may be hidden. @param {any} of @param {string} name @returns {number} */
export function count(of, name) {
  const shown = of[name];
  if (shown === null || shown === undefined) return of[`${name}_count`] ?? 0;
  return Array.isArray(shown) ? shown.length : Object.values(shown).reduce((sum, each) => sum + Number(each), 0);
}

/** The mark of a seat: colour, shape and initial. @param {number} seat @param {string} name */
export function seatMark(seat, name) {
  return h(
    "svg",
    { class: `mark seat${seat % SHAPES.length}`, viewBox: "0 0 32 32", "aria-hidden": "true" },
    h("path", { d: SHAPES[seat % SHAPES.length] }),
    h("text", { x: 16, y: seat % SHAPES.length === 2 ? 25 : 21.5, "text-anchor": "middle" }, [...name][0]?.toUpperCase() ?? String(seat)),
  );
}

/** A seat's name with its mark. @param {number} seat @param {SeatName[]} seats */
export const seatName = (seat, seats) => h("span", { class: "seat-name" }, seatMark(seat, seats[seat]?.name ?? ""), h("bdi", null, seats[seat]?.name ?? String(seat)));
