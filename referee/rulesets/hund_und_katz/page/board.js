// @ts-check
/** The dogs and cats with their meals and the pawns that sit with them, the food, and what every seat has. */
import { h } from "dom";
import { count } from "kit";
import { board, card, icon, leading, mark, nameOf, panel, part, piece, pile, seatsFromOwn, shownSeats, tally } from "pieces";

/** @typedef {import("kit").Table} Table */

const BONE = ["M6.500 2a3.500 3.500 0 0 1 3.400 4.300l7.800 7.800A3.500 3.500 0 1 1 19.500 20 3.500 3.500 0 1 1 14 17.800L6.200 10A3.500 3.500 0 1 1 3.500 4.300 3.500 3.500 0 0 1 6.500 2z"];
const PAW = ["M12 11c3.500 0 7 3.500 7 7 0 2.500-1.500 4-3.500 4-1.500 0-2.500-.7-3.500-.7s-2 .7-3.500.7C6.500 22 5 20.500 5 18c0-3.500 3.500-7 7-7zM4 8.500c1.500 0 2.700 1.300 2.700 3S5.500 14.500 4 14.500s-2.500-1.300-2.500-3 1-3 2.500-3zM20 8.500c-1.500 0-2.700 1.300-2.700 3s1.200 3 2.700 3 2.500-1.300 2.500-3-1-3-2.500-3zM8.700 2.500c1.600 0 2.800 1.600 2.800 3.500s-1.200 3.500-2.800 3.500S6 7.900 6 6s1.100-3.500 2.700-3.500zM15.300 2.500c-1.600 0-2.800 1.600-2.800 3.500s1.200 3.500 2.800 3.500S18 7.900 18 6s-1.100-3.500-2.700-3.500z"];
/** @type {{[card: string]: string | string[]}} */
const ACTIONS = { return_food: "cards", swap_meals_dog_cat: PAW, swap_fish_and_bone: "fish", swap_meals_same_species: PAW, swap_two_foods: BONE, swap_meals_any: PAW, swap_pawns: "person", return_pawn: "hand", replace_pawn: "person" };
const FURS = ["brown", "grey", "orange", "black", "gold", "white"];

/** @param {string} food @returns {[string, number]} */
const read = (food) => {
  const [kind, value] = food.split("_");
  return [kind, Number(value)];
};
/** What an animal is worth now: what it likes, less what it does not. @param {any} animal */
const valueOf = (animal) => animal.food.reduce((/** @type {number} */ sum, /** @type {string} */ food) => sum + ((read(food)[0] === "bone") === (animal.species === "dog") ? 1 : -1) * read(food)[1], 0);
/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : String(value));

/** What the seats have, for the strip above the board: at the end what the referee counted, before it what the pawns are worth now. @param {any} view @returns {number[]} */
export const scores = (view) => view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => view.result?.scores[seat] ?? view.animals.reduce((/** @type {number} */ sum, /** @type {any} */ animal) => sum + valueOf(animal) * animal.pawns.filter((/** @type {number} */ owner) => owner === seat).length, 0));

/** @param {Table} table */
export function draw(table) {
  return board("yard", h("div", { class: "animals" }, table.view.animals.map((/** @type {any} */ animal, /** @type {number} */ at) => creature(table, animal, at))), h("div", { class: "tray" }, food(table), hand(table)), h("div", { class: "panels small-panels" }, seats(table)));
}

/** The head of a dog or a cat; the eyes of one that is sated are closed. @param {string} species @param {boolean} isSated @param {string} fur */
function head(species, isSated, fur) {
  const shapes =
    species === "dog"
      ? [["ear", "M9 9C1 13 2 31 9 34c5-5 6-15 6-22zM39 9c8 4 7 22 0 25-5-5-6-15-6-22z"], ["fur", "M24 5c10 0 15 7 15 17 0 12-7 20-15 20S9 34 9 22C9 12 14 5 24 5z"], ["pale", "M24 23c6 0 10 4 10 10 0 5-4.500 8.500-10 8.500S14 38 14 33c0-6 4-10 10-10z"], ["dark", "M19.500 25.500h9c0 3.500-2.500 5.500-4.500 5.500s-4.500-2-4.500-5.500z"], ["thin", "M24 31v4.500c-2 2.500-4.500 2-5.500 1M24 35.500c2 2.500 4.500 2 5.500 1"]]
      : [["fur", "M8 25L7 4l12 8h10l12-8-1 21c0 11-6 18-16 18S8 36 8 25z"], ["ear", "M10.500 15L10 8.500l5 3.500zM37.500 15l.5-6.500-5 3.500z"], ["pale", "M24 29c5 0 8 2.500 8 6s-3.500 6-8 6-8-2.500-8-6 3-6 8-6z"], ["dark", "M21 30h6l-3 3.500z"], ["thin", "M24 33.500V36c-1.500 1.500-3.500 1.500-4.500.5M24 36c1.500 1.500 3.500 1.500 4.500.5M14 33L4 31M14 36L5 38M34 33l10-2M34 36l9 2"]];
  return h("svg", { class: `head fur-${fur}`, viewBox: "0 0 48 48", "aria-hidden": "true" }, shapes.map(([kind, d]) => h("path", { class: kind, d })), isSated ? h("path", { class: "thin", d: "M13.500 20c1.500 2.500 5.500 2.500 7 0M27.500 20c1.500 2.500 5.500 2.500 7 0" }) : [17, 31].map((x) => [h("circle", { class: "white", cx: x, cy: 20, r: 3.6 }), h("ellipse", { class: "dark", cx: x, cy: 20.3, rx: species === "dog" ? 2.2 : 1.2, ry: 2.6 })]));
}

/** @param {Table} table @param {any} animal @param {number} at */
function creature(table, animal, at) {
  const { view, edition, word } = table, { id, species, pawns, squares } = animal, value = valueOf(animal), isSated = animal.food.length >= edition.sated_at;
  const both = (/** @type {any} */ one, /** @type {string} */ field, /** @type {any} */ that) => [{ animal: id, [field]: that }, { animal_a: id, [`${field}_a`]: that }, { animal_b: id, [`${field}_b`]: that }];
  const name = edition.animals.find((/** @type {any} */ each) => each.id === id)?.name ?? word(id);
  return h(
    "section",
    { class: `animal ${species}${isSated ? " sated" : ""}${view.series_animal === id ? " feeding" : ""}`, key: id },
    h("span", { ...piece(`animal ${id}`, `${name}, ${word(species)}${isSated ? `, ${word("sated")}` : ""}: ${signed(value)}`, [{ animal: id }, { animal_a: id }, { animal_b: id }]), class: "animal-head" }, head(species, isSated, FURS[(at * 5 + id.charCodeAt(1)) % FURS.length]), h("bdi", null, name), h("b", { class: `worth ${value > 0 ? "up" : value < 0 ? "down" : ""}`, "data-says": signed(value) })),
    h("div", { class: "meal" }, Array.from({ length: edition.sated_at }, (_, slot) => {
      const one = animal.food[slot];
      if (!one) return h("i", { class: "bowl", key: `empty ${slot}` });
      const [kind, many] = read(one), nth = animal.food.slice(0, slot).filter((/** @type {string} */ each) => each === one).length;
      return h("span", { ...piece(`food ${id} ${one} ${nth}`, `${word(kind)} ${many}${nth ? ` (${nth + 1})` : ""}, ${name}`, both(one, "food", one)), class: `bite ${kind === "bone" ? "brown" : "blue"}` }, icon(kind === "bone" ? BONE : "fish"), h("b", null, many));
    })),
    h("div", { class: "squares" }, Array.from({ length: Math.max(squares, pawns.length) }, (_, square) => {
      const owner = pawns[square];
      if (owner === undefined) return h("i", { class: "square", key: `free ${square}` });
      const nth = pawns.slice(0, square).filter((/** @type {number} */ each) => each === owner).length;
      return h("span", { ...piece(`pawn ${id} ${owner} ${nth}`, `${word("pawn")} ${nameOf(table, owner)}${nth ? ` (${nth + 1})` : ""}, ${name}`, both(owner, "owner", owner)), class: "pawn" }, mark(table, owner));
    })),
  );
}

/** @param {Table} table */
function food({ view, word }) {
  const [kind, many] = view.revealed ? read(view.revealed) : ["", 0];
  return part("", word("food"), h("div", { class: "line-up" }, pile(piece("deck", `${word("food")}, ${word("deck")}: ${count(view, "food_deck")}`, [{ type: "reveal_food" }, { type: "add_food" }]), count(view, "food_deck"), word("deck")), view.revealed ? card(piece("revealed", `${word("revealed")}: ${word(kind)} ${many}`), kind === "bone" ? BONE : "fish", word(kind), { hue: kind === "bone" ? "brown" : "blue", corner: many }) : h("i", { class: "c none" })));
}

/** @param {Table} table */
function hand(table) {
  const { view, word } = table;
  return shownSeats(table, "hand").map((seat) => {
    const cards = view.seats[seat].hand, isOwn = seat === table.seat, whose = isOwn ? "" : `, ${nameOf(table, seat)}`;
    return part("", [!isOwn && mark(table, seat), ` ${word("hand")}`], h("div", { class: "line-up" }, cards.map((/** @type {string} */ each, /** @type {number} */ at) => {
      const nth = cards.slice(0, at).filter((/** @type {string} */ one) => one === each).length;
      return card(piece(`hand ${seat} ${each} ${nth}`, `${word(each)}${nth ? ` (${nth + 1})` : ""}${whose}`, isOwn ? [{ card: each }] : []), ACTIONS[each] ?? "star", word(each), { hue: "violet" });
    })));
  });
}

/** @param {Table} table */
function seats(table) {
  const { view, word } = table, points = scores(view), leads = leading(points);
  return seatsFromOwn(table).map((seat) => panel(table, seat, { score: points[seat], leads: leads(seat), turn: view.active_seat === seat && !view.result }, h("div", { class: "line-up tight" }, tally("person", view.seats[seat].stock, word("pawns")), tally("cards", count(view.seats[seat], "hand"), word("cards")))));
}
