// @ts-check
/** The sea around the island, the spaces of the actions, the cards for sale, and what every cat has. */
import { h } from "dom";
import { count } from "kit";
import { badge, board, boat, card, corners, counted, hexagon, hexRim, icon, leading, mark, middle, nameOf, pan, panel, part, picture, piece, pile, rim, seatsFromOwn, sign, tally } from "pieces";

/** @typedef {import("kit").Table} Table */

const SIZE = 52, X = 326, Y = 300;
const RINGS = ["c", "a", "b"], SEASONS = ["spring", "summer", "autumn", "winter"], HUES = { green: "teal", blue: "blue", pink: "pink" };
/** A sprout, the sun, a leaf and a flake. @type {(string | string[])[]} */
const SKIES = [["~M12 22V11", "M12 12C6 12 4 8 4 3c6 0 8 4 8 9zM12 14.500c5 0 7.500-3.500 8-8.500-5.500 0-8 3.500-8 8.500z"], ["M12 6.500a5.500 5.500 0 1 0 .01 0z", "~M12 1v2M12 21v2M1 12h2M21 12h2M4 4l1.500 1.500M18.500 18.500L20 20M4 20l1.500-1.500M18.500 5.500L20 4"], ["M20.500 2.500C9 2.500 4 8 4 15c0 2 .5 4 1.200 5.200L14 10 7 21c1 .4 2 .6 3 .6 7.500 0 10.500-8 10.500-19.100z"], "snow"];
/** @type {{[name: string]: string}} */
const SPACES = { fishing: "hook", sailing: "ship", selling: "coin", buying: "cart", typhoon: "spiral", oil: "drop", thief: "mask", treasure_island: "chest", magic_library: "book", summoner: "monster" };
/** @type {{[space: string]: string}} */
const VERBS = { fishing: "fish", sailing: "sail", selling: "sell", buying: "buy", typhoon: "move_typhoon", oil: "move_oil", thief: "steal", treasure_island: "open_treasure", magic_library: "draw_magic", summoner: "move_monster" };
/** @type {{[kind: string]: string}} */
const CARDS = { fishing_rod: "hook", fishing_net: "net", fisherman: "person", fishing_boat: "ship", fishing_vessel: "steamer", wizard: "hat", sorcerer: "wand", merchant: "scales", membership: "badge", cold_storage: "snow", black_market: "mask", summoner: "monster" };
/** @type {{[magic: string]: string}} */
const MAGIC = { engine: "steamer", storm: "spiral", wind: "flag", strong_wind: "ship", good_haul: "net", change: "hat", warp: "wand", blank: "cards" };
/** What magic cards say in moves, but for those that make boats faster. @type {{[magic: string]: any[]}} */
const PLAYED = { storm: [{ storm: true }], good_haul: [{ good_haul: true }], change: [{ change: { by: "change" } }], warp: [{ warp: "warp" }] };
/** @type {{[tile: string]: string}} */
const CREATURES = { crab: "crab", shrimp: "shrimp", squid: "squid", octopus: "octopus", whale: "whale", shark: "shark", swordfish: "swordfish", flounder: "flounder" };
/** @param {string} tile */
const art = (tile) => CREATURES[tile] ?? (tile.endsWith("bone") ? "bones" : tile.endsWith("treasure") ? "chest" : "fish");
/** @param {string} tile */
const hueOf = (tile) => (/crab|shrimp|sardine|squid|green/.test(tile) ? "teal" : /mackerel|flounder|octopus|salmon|blue/.test(tile) ? "blue" : "pink");

/** @param {string} hex */
const ring = (hex) => {
  const [q, r] = hex.split(",").map(Number);
  return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
};

/** Where the corners lie: rings outwards, each clockwise from due north. @param {string[]} hexes @returns {Map<string, [number, number]>} */
function cornersOf(hexes) {
  const seen = new Set(), found = new Map();
  RINGS.forEach((letter, zone) => {
    const points = ["0,0", ...hexes].filter((hex) => ring(hex) === zone).flatMap((hex) => corners(...middle(hex, SIZE), SIZE)).filter(([x, y]) => {
      const at = `${Math.round(x)} ${Math.round(y)}`;
      return !seen.has(at) && seen.add(at);
    });
    const angle = (/** @type {[number, number]} */ [x, y]) => (Math.atan2(x, -y) + 2 * Math.PI + 1e-6) % (2 * Math.PI);
    points.sort((one, other) => angle(one) - angle(other)).forEach(([x, y], at) => found.set(letter + at, [X + x, Y + y]));
  });
  return found;
}

/** What the seats have, for the strip above the board. @param {any} view @returns {number[]} */
export const scores = (view) => view.seats.map((/** @type {any} */ each) => each.money);

/** @param {Table} table */
export function draw(table) {
  const { view, word } = table;
  return board(
    "with-map",
    h("div", { class: "map-side" }, calendar(table), sea(table)),
    h("div", { class: "other-side" }, part("bare", word("actions"), h("div", { class: "spaces" }, Object.keys(SPACES).map((space) => action(table, space)))), market(table), h("div", { class: "panels" }, seats(table)), view.pending && question(table)),
  );
}

/** @param {Table} table */
function calendar({ view, edition, word }) {
  const now = SEASONS.indexOf(view.season);
  return h(
    "div",
    { class: "strip" },
    h("b", piece("year", `${word("year")} ${view.year} / ${edition.years}`), `${word("year")} ${view.year}/${edition.years}`),
    h("span", piece("season", `${word("season")}: ${word(view.season)}`), icon(SKIES[now]), h("b", null, word(view.season))),
    h("span", piece("phase", word(view.phase)), word(view.phase)),
    h("span", { class: "prices" }, Object.entries(edition.tiles).filter(([, { prices }]) => prices.some(Boolean)).map(([tile, { prices }]) => tally(art(tile), prices[now], `${word("price")}, ${word(tile)}`, hueOf(tile)))),
  );
}

/** @param {Table} table */
function sea(table) {
  const hexes = Object.keys(table.view.board), places = cornersOf(hexes);
  const drawn = picture(
    652,
    600,
    "sea",
    hexes.map((hex) => water(table, hex)),
    h("g", { class: "island" }, hexagon(X, Y, SIZE, { class: "sand" }), hexagon(X, Y, SIZE * 0.7, { class: "land" }), sign("house", X, Y, 34)),
    [...places].map(([corner, [x, y]]) => h("g", { ...piece(`corner ${corner}`, `${table.word("corner")} ${corner}`, [{ to: corner }]), class: `corner line-${corner[0]}` }, h("circle", { class: "hit", cx: x, cy: y, r: 24 }), rim("circle", { cx: x, cy: y, r: 12 }), h("circle", { class: "dot", cx: x, cy: y, r: 5 }))),
    table.view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => pawn(table, seat, places)),
  );
  return pan(table, 652, SIZE, drawn);
}

/** @param {Table} table @param {string} hex */
function water({ view, word }, hex) {
  const [dx, dy] = middle(hex, SIZE), x = X + dx, y = Y + dy, back = view.board[hex];
  const here = ["typhoon", "oil", "monster"].filter((each) => view[each] === hex);
  const colour = back && (back in HUES ? back : hueOf(back) === "teal" ? "green" : hueOf(back));
  const label = `${word("sea")} ${hex}: ${[...here.map(word), back ? word(back in HUES ? `${back}_tile` : back) : word("empty")].join(", ")}`;
  return h(
    "g",
    { ...piece(`hex ${hex}`, label, [{ hex }, { to: hex }]), class: `water zone${ring(hex)}` },
    hexagon(x, y, SIZE - 0.5),
    colour && h("g", { class: `tile ${HUES[/** @type {"green"} */ (colour)]}` }, hexagon(x, y + 2, SIZE * 0.56, { class: "edge" }), hexagon(x, y - 1, SIZE * 0.56), sign(back in HUES ? "fish" : art(back), x, y - 1, 30)),
    here.map((each) => h("g", { key: each, class: `woe ${each}` }, h("circle", { cx: x, cy: y, r: 25 }), sign(SPACES[each] ?? "monster", x, y, 36))),
    hexRim(x, y, SIZE - 6),
  );
}

/** @param {Table} table @param {number} seat @param {Map<string, [number, number]>} places */
function pawn(table, seat, places) {
  const at = table.view.seats[seat].pawn, [x, y] = places.get(at) ?? [X, Y];
  const others = table.view.seats.flatMap((/** @type {any} */ each, /** @type {number} */ other) => (each.pawn === at ? [other] : []));
  const shift = (others.indexOf(seat) - (others.length - 1) / 2) * 22;
  return h("g", { ...piece(`boat ${seat}`, `${table.word("boat")} ${nameOf(table, seat)}: ${at}`, [{ to: at }]), class: "boat", transform: `translate(${x + shift} ${y - 8})` }, rim("circle", { r: 24 }), boat(table, seat));
}

/** @param {Table} table @param {string} space */
function action(table, space) {
  const { view, edition, word } = table;
  const room = edition.capacities[space][view.seats.length - 2];
  const placed = view.seats.flatMap((/** @type {any} */ each, /** @type {number} */ seat) => each.placed.filter((/** @type {string} */ one) => one === space).map(() => seat));
  const deck = { treasure_island: "treasure_deck", magic_library: "magic_deck" }[space];
  const label = `${word(space)}: ${placed.map((/** @type {number} */ seat) => nameOf(table, seat)).join(", ") || word("free")}${deck ? `, ${word("deck")} ${count(view, deck)}` : ""}`;
  return h("span", { ...piece(`space ${space}`, label, [{ space }, { change: { from: space } }, { type: VERBS[space] }]), class: `space${placed.length < room ? "" : " full"}` }, deck && badge(count(view, deck)), icon(SPACES[space]), h("span", { class: "c-word" }, word(space)), h("span", { class: "slots" }, Array.from({ length: Math.max(room, placed.length) }, (_, at) => (at < placed.length ? mark(table, placed[at]) : h("i", { class: "slot" })))));
}

/** @param {Table} table */
function seats(table) {
  const money = scores(table.view), leads = leading(money);
  return seatsFromOwn(table).map((seat) => {
    const state = table.view.seats[seat], { word, edition } = table, isOwn = seat === table.seat;
    const room = state.cards.some((/** @type {any} */ each) => each.kind === "cold_storage") ? edition.cold_storage_places : edition.places;
    return panel(
      table,
      seat,
      { score: money[seat], unit: word("euros"), leads: leads(seat) },
      h("div", { class: "line-up stock" }, store(table, seat, state, isOwn), Array.from({ length: Math.max(0, room - state.store.length) }, (_, at) => h("i", { class: "c small none", key: `free ${at}` })), isOwn && h("span", { ...piece("purse", word("money"), [{ with: "money" }]), class: "purse" }, icon("coin")), hand(table, seat, state), h("span", { class: "line-up gear" }, state.cards.map((/** @type {any} */ each) => h("span", { ...piece(`card ${seat} ${each.kind}`, `${word(each.kind)}, ${nameOf(table, seat)}`, isOwn ? { wizard: [{ change: { by: "wizard" } }], sorcerer: [{ warp: "sorcerer" }] }[/** @type {string} */ (each.kind)] : []), class: "chip-card", title: word(each.kind) }, icon(CARDS[each.kind]))), state.penalties > 0 && tally("skull", state.penalties, word("penalties"), "red"))),
    );
  });
}

/** @param {Table} table @param {number} seat @param {any} state @param {boolean} isOwn */
function store({ word, edition, view, seats }, seat, state, isOwn) {
  const price = (/** @type {string} */ tile) => edition.tiles[tile].prices[SEASONS.indexOf(view.season)];
  return state.store.map((/** @type {string} */ tile, /** @type {number} */ at) => {
    const nth = state.store.slice(0, at).filter((/** @type {string} */ each) => each === tile).length;
    return card({ ...piece(`tile ${seat} ${tile} ${nth}`, `${word(tile)}${nth ? ` ${nth + 1}` : ""}, ${seats[seat]?.name}`, isOwn ? [{ tiles: [tile] }, { tile }] : [{ seat, tile }]) }, art(tile), word(tile), { hue: `small ${hueOf(tile)}`, corner: price(tile) });
  });
}

/** @param {Table} table @param {number} seat @param {any} state */
function hand({ word, seats, seat: own }, seat, state) {
  if (!state.magic) return count(state, "magic") > 0 && pile(null, count(state, "magic"), `${word("magic")}, ${seats[seat]?.name}`, "small");
  return [...counted(/** @type {string[]} */ (state.magic))].flatMap(([magic, times]) => Array.from({ length: times }, (_, at) => card(piece(`magic ${seat} ${magic} ${at}`, `${word(magic)}${at ? ` ${at + 1}` : ""}, ${seat === own ? word("magic") : seats[seat]?.name}`, seat === own ? (PLAYED[magic] ?? [{ boosts: [magic] }]) : []), MAGIC[magic], word(magic), { hue: "small violet" })));
}

/** @param {Table} table */
function market({ view, word, edition }) {
  return part(
    "bare",
    word("for_sale"),
    h("div", { class: "line-up" }, Object.entries(view.market).map(([kind, prices]) => {
      const [price] = /** @type {number[]} */ (prices), needs = edition.cards[kind]?.needs;
      return card(piece(`sale ${kind}`, `${word(kind)}: ${price ?? word("sold_out")}`, [{ card: kind }]), CARDS[kind], word(kind), { hue: price === undefined ? "none small" : "small gold", corner: price, foot: needs && icon(CARDS[needs]) });
    })),
  );
}

/** @param {Table} table */
function question(table) {
  const { pending } = table.view, { word } = table;
  return part("asked-all", word(pending.kind), h("div", { class: "line-up" }, pending.seats.map((/** @type {number} */ seat) => h("span", { class: "tally", key: seat }, mark(table, seat), icon(String(seat) in pending.answers ? "check" : "lock"), h("span", null, word(String(seat) in pending.answers ? "answered" : "thinks"))))));
}
