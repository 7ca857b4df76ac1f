// @ts-check
/** The offer on ice with the bell beside it, what was bought, the stalls of all, and what fish are worth. */
import { h } from "dom";
import { count } from "kit";
import { badge, board, counted, icon, leading, mark, nameOf, panel, part, piece, pile, seatsFromOwn, tally } from "pieces";

/** @typedef {import("kit").Table} Table */

const SLOTS = ["crate_1", "crate_2", "basin"];
const EEL = ["~M2 17c3-5 6-5 8 0s6 4 7-2-1-9-4-10", "M9.500 2.500c3-1.500 6-.5 7 2-2 2-5 2-7-2z", "-M12.500 3.300a.9.9 0 1 0 .01 0z"];
/** @type {{[species: string]: [string | string[], string]}} */
const KINDS = { eel: [EEL, "grey"], shark: ["shark", "blue"], plaice: ["flounder", "gold"], crab: ["crab", "red"], tuna: ["fish", "teal"], lobster: ["lobster", "orange"], octopus: ["octopus", "violet"], thief: ["mask", "grey"], can: ["bin", "grey"], end_phase: ["flag", "grey"], market_close: ["lock", "grey"] };

/** @param {string} card @returns {{species: string, fish: number, art: string | string[], hue: string}} */
function read(card) {
  const found = /^(.+)_(\d)$/.exec(card), species = found?.[1] ?? card, [art, hue] = KINDS[species] ?? ["star", "grey"];
  return { species, fish: Number(found?.[2] ?? 0), art, hue };
}

/** @param {string[]} cards */
const fishOf = (cards) => cards.reduce((sum, each) => sum + read(each).fish, 0);
/** What a lot brings. @param {any} edition @param {string[]} cards */
const priceOf = (edition, cards) => (cards.length ? edition.price[Math.min(fishOf(cards), edition.price.length) - 1] : 0);
/** Each with how often it came before. @param {string[]} cards @returns {[string, number][]} */
const numbered = (cards) => cards.map((each, at) => [each, cards.slice(0, at).filter((other) => other === each).length]);

/** A card with as many creatures as it counts. @param {any} what @param {string} name @param {(id: any) => string} word */
function fishCard(what, name, word) {
  const { species, fish, art, hue } = read(name);
  return h("span", { ...what, class: `c fresh ${hue}` }, fish > 0 && badge(fish), h("span", { class: `shoal n${Math.max(1, fish)}` }, Array.from({ length: Math.max(1, fish) }, () => icon(art, "c-art"))), h("span", { class: "c-word" }, word(species)));
}

/** What the seats have, for the strip above the board. @param {any} view @returns {number[]} */
export const scores = (view) => view.seats.map((/** @type {any} */ each) => each.money);

/** @param {Table} table */
export function draw(table) {
  return board("hall", h("div", { class: "counter" }, offer(table), bought(table), ladder(table)), h("div", { class: "panels stalls-of-all" }, seatsFromOwn(table).map((seat) => stall(table, seat))));
}

/** @param {Table} table */
function offer(table) {
  const { view, word, edition } = table, isLive = view.options.pace === "live", mine = view.seats[table.seat ?? -1];
  const ring = { type: "ring", ...(isLive ? { seen: view.offer_number } : {}) };
  return part(
    "ice-part",
    h("span", { class: "tally" }, word("offer"), " ", view.offer.length > 0 && tally("coin", edition.lot_price, word("price"), "gold"), view.seller !== null && h("span", { class: "tally" }, mark(table, view.seller), h("bdi", null, nameOf(table, view.seller)), " ", word("sells"))),
    h(
      "div",
      { class: "ice" },
      pile(piece("deck", `${word("deck")}: ${count(view, "deck")}`, [{ type: "reveal_card" }]), count(view, "deck"), word("deck")),
      numbered(view.offer).map(([each, nth]) => fishCard(piece(`offer ${each} ${nth}`, `${word("offer")}: ${word(each)}${nth ? ` (${nth + 1})` : ""}`), each, word)),
      !view.offer.length && h("span", { class: "c none", role: "img", "aria-label": word(view.is_announced ? "card_comes" : "no_offer") }, icon(view.is_announced ? "hand" : "fish", "c-art")),
    ),
    h(
      "div",
      { class: "bell-side" },
      h("span", { ...piece("bell", `${word("ring")}, ${word("bell")}${view.offer.length ? `: ${fishOf(view.offer)} ${word("fish")}` : ""}`, [ring], { at_once: isLive }), class: `bell${mine?.answer === "ring" ? " rung" : ""}` }, h("svg", { viewBox: "0 0 96 72", "aria-hidden": "true" }, h("path", { class: "base", d: "M8 58h80l4 8H4z" }), h("path", { class: "dome", d: "M12 56c0-22 15-36 36-36s36 14 36 36z" }), h("path", { class: "shine", d: "M22 48c2-12 9-19 18-21-8 5-12 11-13 21z" }), h("path", { class: "knob", d: "M44 8h8v12h-8z" }), h("circle", { class: "knob", cx: 48, cy: 8, r: 6 })), h("b", null, word("ring"))),
      h("span", { ...piece("pass", word("pass"), [{ type: "pass" }]), class: "build" }, icon("arrow"), word("pass")),
    ),
  );
}

/** What somebody bought and has not stowed yet. @param {Table} table */
function bought(table) {
  const { view, word } = table, { purchase } = view;
  if (!purchase) return null;
  return part(
    "",
    h("span", { class: "tally" }, mark(table, purchase.buyer), h("bdi", null, nameOf(table, purchase.buyer)), " ", word("bought"), purchase.thieves > 0 && tally("mask", purchase.thieves, word("thieves")), purchase.cans > 0 && tally("bin", purchase.cans, word("cans"))),
    h("div", { class: "line-up" }, numbered(purchase.hand).map(([each, nth]) => fishCard(piece(`bought ${each} ${nth}`, `${word("bought")}: ${word(each)}${nth ? ` (${nth + 1})` : ""}`, [...SLOTS.map((slot) => ({ place: { [slot]: [each] } })), { discard: [each] }]), each, word)), h("span", { ...piece("bin", word("discard"), [{ discard: [] }]), class: "build" }, icon("bin"), word("discard"))),
  );
}

/** What fish are worth, by their number. @param {Table} table */
const ladder = ({ edition, word }) => h("div", { class: "ladder", role: "img", "aria-label": `${word("prices")}: ${edition.price.join(", ")}` }, icon("coin"), edition.price.map((/** @type {number} */ price, /** @type {number} */ at) => h("span", { key: at }, h("small", null, `${at + 1}${at === edition.price.length - 1 ? "+" : ""}`), h("b", null, price))));

/** @param {Table} table @param {number} seat */
function stall(table, seat) {
  const { view, word, edition } = table, state = view.seats[seat], isOwn = seat === table.seat, money = scores(view), leads = leading(money);
  const isTurn = view.phase !== "finished" && (view.purchase ? view.purchase.buyer === seat : view.phase !== "auction" && view.seller === seat);
  return panel(
    table,
    seat,
    { score: money[seat], unit: word("euros"), leads: leads(seat), turn: isTurn || table.awaited?.includes(seat) },
    h("div", { class: "slots3" }, SLOTS.map((slot) => place(table, seat, slot, isOwn))),
    h("div", { class: "line-up tight" }, trash(table, seat, state, isOwn), state.answer !== null && h("span", { class: "tally" }, icon(state.answer === "pass" ? "arrow" : state.answer === "ring" ? "bell" : "lock"), word(state.answer === true ? "answered" : state.answer)), edition.lot_price > state.money && view.phase === "auction" && h("span", { class: "tally" }, icon("lock"), word("too_poor"))),
  );
}

/** @param {Table} table @param {number} seat @param {string} slot @param {boolean} isOwn */
function place(table, seat, slot, isOwn) {
  const { view, word, edition } = table, cards = /** @type {string[]} */ (view.seats[seat][slot]), natural = cards.find((each) => read(each).species !== "octopus") ?? cards[0];
  const kind = natural ? read(natural) : null, fish = fishOf(cards), price = priceOf(edition, cards);
  return h(
    "span",
    { ...piece(`slot ${seat} ${slot}`, `${word(slot)}, ${nameOf(table, seat)}: ${kind ? `${fish} ${word(kind.species)}, ${word("price")} ${price}` : word("empty")}`, isOwn ? [{ place: { [slot]: [] } }, { lots: [{ slot }] }, { empty_slots: [slot] }] : [{ from: [{ seat, slot }] }]), class: `stall-slot ${slot === "basin" ? "basin" : "crate"} ${kind?.hue ?? ""}` },
    kind ? [icon(kind.art, "c-art"), h("b", { "data-says": fish }), h("span", { class: "c-foot" }, icon("coin"), h("span", { "data-says": price })), h("span", { class: "stacked" }, cards.map((each, at) => h("i", { class: read(each).hue, key: at, "data-says": read(each).fish })))] : h("small", null, word(slot)),
  );
}

/** @param {Table} table @param {number} seat @param {any} state @param {boolean} isOwn */
function trash({ word, seats }, seat, state, isOwn) {
  const many = count(state, "trash");
  if (!state.trash) return tally("bin", many, `${word("trash")}, ${seats[seat]?.name}`, many ? "red" : "");
  return [tally("bin", many, word("trash"), many ? "red" : ""), [...counted(/** @type {string[]} */ (state.trash))].flatMap(([each, times]) => Array.from({ length: times }, (_, nth) => h("span", { ...piece(`trash ${seat} ${each} ${nth}`, `${word("trash")}: ${word(each)}${nth ? ` (${nth + 1})` : ""}${isOwn ? "" : `, ${seats[seat]?.name}`}`, isOwn ? [{ cards: [each] }] : []), class: `chip-card ${read(each).hue}` }, icon(read(each).art))))];
}
