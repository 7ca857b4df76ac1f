// @ts-check
/** The market, the race for influence, the hand, and the seats that have answered in secret. */
import { h } from "dom";
import { count } from "kit";
import { badge, board, icon, leading, mark, nameOf, panel, part, piece, pile, seatsFromOwn, shownSeats, tally } from "pieces";

/** @typedef {import("kit").Table} Table */
/** A faction's colour, its verb, whether several of its cards may be played, and what its cats wear. @typedef {{hue: string, verb: string, many?: boolean, wear: [string, string][], behind?: [string, string][]}} Faction */

const FACE = "M16 34L13 13l13 9h12l13-9-3 21c0 12-7 21-16 21S16 46 16 34z";
/** @type {{[faction: string]: Faction}} */
const FACTIONS = {
  journalist: { hue: "orange", verb: "play_journalists", wear: [["hat", "M10 24c3-12 12-16 22-16s19 4 22 16c-8-4-36-4-44 0z"], ["pale", "M38 8l14-4 3 9-14 5z"], ["dark", "M20 50h24v12H20z"], ["pale", "M32 51.500a4.500 4.500 0 1 0 .01 0z"]] },
  detective: { hue: "brown", verb: "play_detectives", wear: [["hat", "M15 22C18 10 24 6 32 6s14 4 17 16z"], ["dark", "M7 25c8-7 42-7 50 0-10 2-40 2-50 0z"], ["lens", "M47 38a9 9 0 1 0 .01 0z"], ["rod", "M53 54l7 8"]] },
  bureaucrat: { hue: "grey", verb: "play_bureaucrats", many: true, wear: [["rod", "M18 34a6.500 6.500 0 1 0 13 0 6.500 6.500 0 1 0-13 0M33 34a6.500 6.500 0 1 0 13 0 6.500 6.500 0 1 0-13 0M31 33h2"], ["pale", "M18 53l14 5 14-5 5 11H13z"], ["hat", "M29 56h6l2 8H27z"]] },
  scientist: { hue: "teal", verb: "play_scientists", wear: [["lens", "M24.500 27a7.500 7.500 0 1 0 .01 0zM39.500 27a7.500 7.500 0 1 0 .01 0z"], ["rod", "M10 32l7 2M54 32l-7 2"], ["pale", "M48 42h8v7l6 13H42l6-13z"], ["hat", "M46.500 54h11l3.500 8H43z"]] },
  robocat: { hue: "blue", verb: "play_robocats", behind: [["rod", "M32 22V6"], ["hat", "M32 2a4 4 0 1 0 .01 0z"]], wear: [["metal", "M15 22h34v28a6 6 0 0 1-6 6H21a6 6 0 0 1-6-6zM15 22l-2-12 12 12zM49 22l2-12-12 12z"], ["glow", "M20 30h9v8h-9zM35 30h9v8h-9z"], ["rod", "M23 47h18M27 44v6M32 44v6M37 44v6"]] },
  mafia: { hue: "red", verb: "play_mafia", wear: [["dark", "M17 21l4-15c7-3 15-3 22 0l4 15z"], ["hat", "M16.500 17h31l1.500 5h-34z"], ["dark", "M4 24c10-6 46-6 56 0-10 4-46 4-56 0z"], ["dark", "M18 33h12v5c-4 3-9 2-12-5zM34 33h12c-3 7-8 8-12 5z"], ["rod", "M38 48l14 4"]] },
  police: { hue: "violet", verb: "play_police", many: true, wear: [["hat", "M10 20c4-11 12-14 22-14s18 3 22 14l-5 7H15z"], ["dark", "M14 27c10-3 26-3 36 0l-2 5c-9-3-23-3-32 0z"], ["star", "M32 10l2 4.500 5 .5-3.700 3.300 1 4.700-4.300-2.500-4.300 2.500 1-4.700L25 15l5-.5z"]] },
  hacker: { hue: "green", verb: "play_hackers", many: true, behind: [["hood", "M6 64C4 28 14 4 32 4s28 24 26 60z"]], wear: [["shade", "M14 30c6-8 30-8 36 0v10c-8 6-28 6-36 0z"], ["glow", "M19 31h10v5H19zM35 31h10v5H35z"]] },
};

/** @param {string} faction */
function portrait(faction) {
  const { wear, behind = [] } = FACTIONS[faction];
  const shape = (/** @type {[string, string]} */ [kind, d]) => h("path", { class: kind, d });
  return h("svg", { class: "portrait", viewBox: "0 0 64 64", "aria-hidden": "true" }, h("path", { class: "city", d: "M0 64V34h7V22h9v10h6V14h10v16h6V20h9v14h7V26h10v38z" }), behind.map(shape), h("path", { class: "face", d: FACE }), [25, 39].map((x) => h("ellipse", { class: "eye", cx: x, cy: 34, rx: 3.4, ry: 4 })), [25, 39].map((x) => h("ellipse", { class: "dark", cx: x, cy: 34, rx: 1.2, ry: 3.4 })), h("path", { class: "dark", d: "M29.500 42h5l-2.500 3z" }), wear.map(shape));
}

/** @param {any} what @param {string} faction @param {string} name @param {any} [corner] */
const face = (what, faction, name, corner) => h("span", { ...what, class: `c fac ${FACTIONS[faction].hue}` }, corner !== undefined && badge(corner), portrait(faction), h("span", { class: "c-word" }, name));

/** @param {{[faction: string]: number} | string[] | null | undefined} cards @returns {[string, number][]} */
function listed(cards) {
  const each = Array.isArray(cards) ? cards : Object.entries(cards ?? {}).flatMap(([faction, many]) => Array(many).fill(faction));
  return each.map((faction, at) => [faction, each.slice(0, at).filter((other) => other === faction).length]);
}

/** What the seats have, for the strip above the board. @param {any} view @returns {number[]} */
export const scores = (view) => view.seats.map((/** @type {any} */ each) => each.influence);

/** @param {Table} table */
export function draw(table) {
  return board("city", race(table), h("div", { class: "tray" }, market(table), played(table)), hand(table), h("div", { class: "panels small-panels" }, seats(table)));
}

/** The influence of each seat, on the way to the number that wins. @param {Table} table */
function race(table) {
  const { view, word } = table, best = Math.max(view.threshold, ...view.seats.map((/** @type {any} */ each) => each.influence));
  return h("div", { class: "race", role: "img", "aria-label": `${word("influence")}: ${view.seats.map((/** @type {any} */ each, /** @type {number} */ seat) => `${nameOf(table, seat)} ${each.influence}`).join(", ")}; ${word("goal")} ${view.threshold}` }, Array.from({ length: best + 1 }, (_, at) => h("span", { class: `race-step${at >= view.threshold ? " goal" : ""}`, key: at }, h("small", null, at === view.threshold && icon("crown"), at), view.seats.map((/** @type {any} */ each, /** @type {number} */ seat) => each.influence === at && mark(table, seat)))));
}

/** @param {Table} table */
function market({ view, word }) {
  return part("", word("market"), h("div", { class: "line-up" }, pile(piece("deck", `${word("draw_pile")}: ${count(view, "draw_pile")}`, [{ mode: "draw" }]), count(view, "draw_pile"), word("draw_pile")), listed(view.market).map(([faction, nth]) => face(piece(`market ${faction} ${nth}`, `${word("market")}: ${nth + 1} ${word(faction)}`, [{ type: "take_cards", faction, count: nth + 1 }]), faction, word(faction), nth + 1))));
}

/** What lies on the table, what was laid open, and what was given. @param {Table} table */
function played(table) {
  const { view, word } = table, shown = view.revealed, given = view.pending?.given;
  return [
    [["table", listed(view.table), word("played")], ["given", listed(given), word("given")]].map(([kind, cards, name]) => cards.length > 0 && part("played-part", name, h("div", { class: "line-up" }, /** @type {[string, number][]} */ (cards).map(([faction, nth]) => face(piece(`${kind} ${faction} ${nth}`, `${name}: ${word(faction)} ${nth + 1}`, kind === "given" ? [{ cards: [faction] }] : []), faction, word(faction)))))),
    shown && part("played-part", h("span", { class: "tally" }, mark(table, shown.seat), h("bdi", null, nameOf(table, shown.seat)), " ", word("revealed")), h("div", { class: "line-up" }, listed(shown.cards).map(([faction, nth]) => face(piece(`shown ${faction} ${nth}`, `${word("revealed")}: ${word(faction)} ${nth + 1}`), faction, word(faction))))),
    view.pending?.faction && part("played-part", word("asked_for"), h("div", { class: "line-up" }, face(piece("asked", `${word("asked_for")}: ${word(view.pending.faction)}`), view.pending.faction, word(view.pending.faction)))),
  ];
}

/** @param {Table} table */
function hand(table) {
  const { view, word } = table, asked = view.pending?.faction;
  return shownSeats(table, "hand").map((seat) => part(seat === table.seat ? "hand-part" : "other-hand", [seat !== table.seat && mark(table, seat), ` ${word("hand")}`], h("div", { class: "line-up fan" }, listed(view.seats[seat].hand).map(([faction, nth]) => {
    const { verb, many } = FACTIONS[faction];
    if (seat !== table.seat) return face(piece(`hand ${seat} ${faction} ${nth}`, `${word(faction)} ${nth + 1}, ${nameOf(table, seat)}`), faction, word(faction));
    return face(piece(`hand ${seat} ${faction} ${nth}`, `${word(faction)} ${nth + 1}`, [many ? { type: verb, count: nth + 1 } : { type: verb }, { extra: faction }, { cards: [faction] }, { type: "give_card", faction }, ...(asked === faction ? [{ type: "match_card" }] : [])]), faction, word(faction), many ? nth + 1 : undefined);
  }))));
}

/** @param {Table} table */
function seats(table) {
  const { view, word } = table, influence = scores(view), leads = leading(influence);
  return seatsFromOwn(table).map((seat) => {
    const answer = view.pending?.answers?.[seat];
    return panel(table, seat, { score: influence[seat], unit: word("influence"), leads: leads(seat), turn: view.active_seat === seat, parts: seat === table.seat ? [{ mode: "influence" }, { type: "surrender_influence" }] : [{ target: seat }] }, h("div", { class: "line-up tight" }, tally("cards", count(view.seats[seat], "hand"), word("cards")), view.pending?.answers && seat !== view.active_seat && h("span", { class: "tally" }, icon(answer ? "check" : "lock"), word(answer ? "answered" : "thinks"))));
  });
}
