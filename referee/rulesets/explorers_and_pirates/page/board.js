// @ts-check
/** The map with its discoveries, ships with their holds, missions and their tracks, and what every seat has: one board for all scenarios. */
import { h } from "dom";
import { count } from "kit";
import { board, boat, card, die, hexagon, hexRim, icon, leading, mark, middle, nameOf, pan, panel, picture, piece, rim, seatsFromOwn, shownSeats, sign, tally, token } from "pieces";

/** @typedef {import("kit").Table} Table */
/** @typedef {[number, number]} Point */

const SIZE = 40;
const RESOURCES = ["brick", "lumber", "wool", "grain", "ore"];
/** @type {{[kind: string]: string[]}} */
const SIGNS = {
  brick: ["M2 6h9v5H2zM13 6h9v5h-9zM2 13h4v5H2zM8 13h8v5H8zM18 13h4v5h-4z"],
  lumber: ["M12 1l6 8h-3l5 7h-6.500v6h-3v-6H4l5-7H6z"],
  wool: ["M8 7c1-2.500 4.500-3 6-1 2-1.500 5-.5 5.500 2 2.500.5 3.500 3.500 2 5 .3 2.500-2.500 4-4.500 3-1.500 1.500-4 1.500-5.500 0-2 1-4.500 0-4.500-2.500C5 12 5.500 8.500 8 7z", "M9.500 15h2.200v6.500H9.500zM16 15h2.200v6.500H16z", "-M1 10.500C1 8 2.500 6.500 5 6.500s4.500 1.500 4.500 4-2 5-4.500 5-4-2.500-4-5z", "M2 10.500c0-1.800 1.200-2.800 3-2.800s3.300 1 3.300 2.800-1.500 3.800-3.300 3.800-3-2-3-3.800z"],
  grain: ["~M12 22V9", "M12 1c2 2 2 4 0 6-2-2-2-4 0-6zM6.500 5c3 .5 4.500 2.500 4.500 5-3-.5-4.500-2.500-4.500-5zM17.500 5c-3 .5-4.500 2.500-4.500 5 3-.5 4.500-2.500 4.500-5zM6.500 11c3 .5 4.500 2.500 4.500 5-3-.5-4.500-2.500-4.500-5zM17.500 11c-3 .5-4.500 2.500-4.500 5 3-.5 4.500-2.500 4.500-5z"],
  ore: ["M1 21L9 5l4 7 3-5 7 14z", "-M9 5l-3 6 2.500-1 1.500 2 1.700-2.300z"],
  sack: ["M8 2h8l-2 4c4 2.500 6.500 6 6.500 10.500 0 4-3 5.500-8.500 5.500s-8.500-1.500-8.500-5.500C3.500 12 6 8.500 10 6z", "-M9 13h6v1.500H9zM9 16.500h6V18H9z"],
  hut: ["M12 3l11 9h-3v9h-5v-6H9v6H4v-9H1z"],
};
/** @type {{[name: string]: string | string[]}} */
const PIECES = { settler: "person", fish: "fish", unit: "badge", spice: SIGNS.sack };
/** @type {{[terrain: string]: string}} */
const YIELDS = { hills: "brick", forest: "lumber", pasture: "wool", fields: "grain", mountains: "ore" };
/** @type {{[kind: string]: string}} */
const HUES = { brick: "red", lumber: "green", wool: "teal", grain: "gold", ore: "grey", gold: "gold" };
/** @type {{[kind: string]: string | string[]}} */
const BUILDS = { road: "road", settlement: "house", harbor: "anchor", ship: "ship", settler: "person", unit: "badge", movement: "arrow" };

/** @param {string} corner @returns {Point} */
function cornerAt(corner) {
  const at = corner.lastIndexOf(","), [x, y] = middle(corner.slice(0, at), SIZE);
  return [x, y + (corner.endsWith("N") ? -SIZE : SIZE)];
}

/** @param {any} map @param {string} edge @returns {[Point, Point]} */
const endsOf = (map, edge) => map.edges[edge].ends.map(cornerAt);
/** @param {any} map @param {string} edge @returns {Point} */
const edgeAt = (map, edge) => {
  const [[a, b], [c, d]] = endsOf(map, edge);
  return [(a + c) / 2, (b + d) / 2];
};
/** @param {Table} table @param {string} place */
const isAsked = (table, place) => table.facts.has(JSON.stringify(place));

/** The course that a form holds, from where its ship lies. @param {Table} table @returns {string[]} */
const courseOf = ({ draft, view }) => (draft?.path ? [...view.seats.flatMap((/** @type {any} */ each) => each.ships[draft.ship]?.edge ?? []), ...draft.path] : []);

/** Whether a course may go on at an edge: it sails edge by edge. @param {any} map @param {string[]} course @param {string} edge */
const goesOn = (map, course, edge) => !course.length || course.indexOf(edge) > 0 || map.edges[edge].ends.some((/** @type {string} */ end) => map.edges[course[course.length - 1]].ends.includes(end));

/** What the seats have, for the strip above the board. @param {any} view @returns {number[]} */
export const scores = (view) => view.seats.map((/** @type {any} */ each) => each.points ?? 0);

/** @param {Table} table */
export function draw(table) {
  return board("wide-map", h("div", { class: "left" }, sea(table), offered(table), h("div", { class: "line-up" }, own(table), bank(table)), status(table)), h("div", { class: "side-panels" }, seats(table), tracks(table)));
}

/** @param {Table} table */
function sea(table) {
  const { view, edition } = table, map = edition.maps[view.options.scenario];
  const hexes = Object.keys(map.hexes), xs = hexes.map((hex) => middle(hex, SIZE)[0]), ys = hexes.map((hex) => middle(hex, SIZE)[1]);
  const left = Math.min(...xs) - SIZE - 4, top = Math.min(...ys) - SIZE - 16;
  const wide = Math.round(Math.max(...xs) - left + SIZE + 4);
  const drawn = picture(wide, Math.round(Math.max(...ys) - top + SIZE + 8), "map", h("g", { transform: `translate(${-left.toFixed(1)} ${-top.toFixed(1)})` }, hexes.map((hex) => land(table, map, hex)), roads(table, map), targets(table, map), buildings(table), ships(table, map)));
  return pan(table, wide, SIZE / 2, drawn);
}

/** What lies on a hex: its tile, its number, and whether it is still hidden. @param {Table} table @param {any} map @param {string} hex */
function tileOf({ view }, map, hex) {
  const { kind, number, terrain } = map.hexes[hex];
  if (kind === "sea") return { tile: map.council?.hex === hex ? "council" : "sea" };
  if (kind === "island") return { tile: view.island?.[hex] ?? terrain ?? "unknown", number };
  const area = view.areas[hex];
  return area ? { tile: area.up ? area.tile : "unknown", number: area.number } : { tile: "sea" };
}

/** @param {Table} table @param {any} map @param {string} hex */
function land(table, map, hex) {
  const { view, word } = table, { tile, number } = tileOf(table, map, hex), [x, y] = middle(hex, SIZE);
  const lair = view.lairs?.[hex], village = view.villages?.[hex], isPirate = view.pirate?.hex === hex, shoal = /^fish\d/.test(tile) ? tile.slice(4) : null;
  const kind = shoal ? "sea" : village || /swift|pirate|fastgold/.test(tile) ? "village" : tile;
  const yields = YIELDS[tile], isFish = (view.fish ?? []).includes(hex);
  const says = [word(tile), number, lair && `${word(lair.captured ? "captured_lair" : "lair")} ${lair.number ?? ""}`, village && `${village.sacks} ${word("spice")}`, isFish && word("fish"), isPirate && `${word("pirate")} ${nameOf(table, view.pirate.seat)}`].filter(Boolean).join(", ");
  const units = lair ? Object.entries(lair.units).flatMap(([seat, many]) => Array(many).fill(Number(seat))) : (village?.units ?? []);
  return h(
    "g",
    { ...piece(`hex ${hex}`, `${word("hex")} ${hex}: ${says}`, [{ hex }]), class: `land ${kind}` },
    hexagon(x, y, SIZE - 0.6),
    tile === "unknown" && [hexagon(x, y, SIZE * 0.78, { class: "fog" }), h("text", { class: "dim", x, y, "font-size": 22 }, "?")],
    tile === "council" && sign("flag", x, y, 34),
    yields && sign(SIGNS[yields], x, y - (number ? 13 : 0), number ? 26 : 34),
    tile === "gold_river" && !lair && sign("coin", x, y - (number ? 12 : 0), 26),
    number && chip(x, y + 14, number),
    shoal && [sign("fish", x, y - 8, isFish ? 34 : 22, isFish ? "there" : "faint"), h("text", { x, y: y + 19, "font-size": 15 }, shoal)],
    lair && [sign(lair.captured ? "flag" : "skull", x, y - 12, 26), lair.number && chip(x, y + 14, lair.number)],
    kind === "village" && [sign(SIGNS.hut, x, y - 15, 24), village && [sign(SIGNS.sack, x - 9, y + 8, 18), h("text", { x: x + 9, y: y + 9, "font-size": 16 }, village.sacks)]],
    units.map((/** @type {number} */ seat, /** @type {number} */ at) => token(table, seat, x + (at - (units.length - 1) / 2) * 15, y + 29, 15)),
    isPirate && h("g", { class: "pirate", transform: `translate(${x} ${y})` }, h("circle", { r: 21 }), sign("skull", 0, -2, 28), token(table, view.pirate.seat, 15, 14, 17)),
    hexRim(x, y, SIZE - 6),
  );
}

/** The number of a hex, with a dot for each way to roll it. @param {number} x @param {number} y @param {number} number */
const chip = (x, y, number) => h("g", { class: `chip${number === 6 || number === 8 ? " hot" : ""}` }, h("circle", { cx: x, cy: y, r: 13.5 }), h("text", { x, y: y - 2.5, "font-size": 16 }, number), Array.from({ length: 6 - Math.abs(7 - number) }, (_, at, all = 6 - Math.abs(7 - number)) => h("circle", { class: "pip", cx: x + (at - (all - 1) / 2) * 4, cy: y + 8, r: 1.4 })));

/** @param {Table} table @param {any} map */
function roads(table, map) {
  const all = [...table.view.seats.map((/** @type {any} */ each, /** @type {number} */ seat) => ({ seat, roads: each.roads })), { seat: -1, roads: table.view.neutral?.roads ?? [] }];
  return all.flatMap(({ seat, roads }) =>
    roads.map((/** @type {string} */ edge) => {
      const [[a, b], [c, d]] = endsOf(map, edge), line = { x1: a * 0.82 + c * 0.18, y1: b * 0.82 + d * 0.18, x2: c * 0.82 + a * 0.18, y2: d * 0.82 + b * 0.18 };
      return h("g", { ...piece(`road ${edge}`, `${table.word("road")} ${edge}: ${seat < 0 ? table.word("neutral") : nameOf(table, seat)}`), class: `road seat${seat}` }, h("line", { class: "casing", ...line }), h("line", { class: "paving", ...line }), seat >= 0 && token(table, seat, (a + c) / 2, (b + d) / 2, 13), rim("circle", { cx: (a + c) / 2, cy: (b + d) / 2, r: 12 }));
    }),
  );
}

/** Edges and corners that a move names, as far as nothing stands there. @param {Table} table @param {any} map */
function targets(table, map) {
  const { view, word } = table, built = new Set(view.seats.flatMap((/** @type {any} */ each) => [...each.settlements, ...Object.keys(each.harbors), ...Object.values(each.ships).map(({ edge }) => edge)]));
  const spot = (/** @type {string} */ kind, /** @type {string} */ at, /** @type {Point} */ [cx, cy], /** @type {any[]} */ parts) => h("g", { ...piece(`${kind} ${at}`, `${word(kind)} ${at}`, parts), class: "spot" }, rim("circle", { cx, cy, r: 10.5 }));
  const course = courseOf(table);
  return [
    course.length > 1 && h("path", { class: "course", d: `M${course.map((edge) => edgeAt(map, edge).map((each) => each.toFixed(1)).join(" ")).join("L")}` }),
    ...Object.keys(map.edges).filter((edge) => isAsked(table, edge) && !built.has(edge) && goesOn(map, course, edge)).map((edge) => spot("edge", edge, edgeAt(map, edge), [{ edge }, { "path.-1": edge }])),
    ...Object.keys(map.corners).filter((corner) => isAsked(table, corner) && !built.has(corner)).map((corner) => spot("corner", corner, cornerAt(corner), [{ corner }, { harbor: corner }, { place: { harbor: corner } }])),
  ];
}

/** @param {Table} table */
function buildings(table) {
  const { view, word } = table;
  const one = (/** @type {number} */ seat, /** @type {string} */ corner, /** @type {boolean} */ isHarbor, /** @type {string[]} */ basin) => {
    const [x, y] = cornerAt(corner), name = seat < 0 ? word("neutral") : nameOf(table, seat);
    return h("g", { ...piece(`building ${corner}`, `${word(isHarbor ? "harbor" : "settlement")} ${corner}: ${[name, ...basin.map(word)].join(", ")}`, [{ corner }, { harbor: corner }, { place: { harbor: corner } }]), class: `building seat${seat}${seat === table.seat ? " own" : ""}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, rim("circle", { r: 15 }), h("path", { d: isHarbor ? "M-15 11V-5l6-7 6 7H15V11z" : "M-9 9V-3L0-11 9-3V9z" }), seat >= 0 && token(table, seat, isHarbor ? 5 : 0, 3, 13), basin.map((each, at) => sign(PIECES[each], -10 + at * 14, -20, 14, "cargo")));
  };
  return [
    ...view.seats.flatMap((/** @type {any} */ each, /** @type {number} */ seat) => [...each.settlements.map((/** @type {string} */ corner) => one(seat, corner, false, [])), ...Object.entries(each.harbors).map(([corner, basin]) => one(seat, corner, true, /** @type {string[]} */ (basin)))]),
    ...(view.neutral?.settlements ?? []).map((/** @type {string} */ corner) => one(-1, corner, false, [])),
    ...(view.neutral?.harbors ?? []).map((/** @type {string} */ corner) => one(-1, corner, true, [])),
  ];
}

/** @param {Table} table @param {any} map */
function ships(table, map) {
  /** @type {{ship: string, seat: number, edge: string, cargo: string[]}[]} */
  const all = table.view.seats.flatMap((/** @type {any} */ each, /** @type {number} */ seat) => Object.entries(each.ships).map(([ship, what]) => ({ ship, seat, ...(/** @type {any} */ (what)) })));
  return all.map(({ ship, seat, edge, cargo }) => {
    const [x, y] = edgeAt(map, edge), here = all.filter((each) => each.edge === edge), shift = (here.findIndex((each) => each.ship === ship) - (here.length - 1) / 2) * 26;
    return h("g", { ...piece(`ship ${ship}`, `${table.word("ship")} ${ship}: ${[nameOf(table, seat), ...cargo.map(table.word)].join(", ")}`, [{ ship }, { place: { ship } }, { replace: ship }, { edge }, { "path.-1": edge }]), class: `boat${seat === table.seat ? " own" : ""}`, transform: `translate(${(x + shift).toFixed(1)} ${y.toFixed(1)}) scale(.85)` }, rim("circle", { r: 17, cy: -2 }), boat(table, seat), cargo.map((/** @type {string} */ each, /** @type {number} */ at) => sign(PIECES[each], (at - (cargo.length - 1) / 2) * 14, 9, 13, "hold")));
  });
}

/** @param {Table} table */
function seats(table) {
  const { view, word } = table, points = scores(view), leads = leading(points);
  return seatsFromOwn(table).map((seat) => {
    const each = view.seats[seat];
    return panel(table, seat, { score: points[seat], unit: word("points"), leads: leads(seat), turn: view.active_seat === seat && view.phase !== "finished", parts: [{ victim: seat }, { with: seat }, { to: [seat] }] }, h("div", { class: "line-up tight" }, tally("cards", count(each, "resources"), word("cards")), tally("coin", each.gold, word("gold"), "gold"), tally("ship", Object.keys(each.ships).length, word("ships")), tally("house", each.settlements.length, word("settlements")), tally("anchor", Object.keys(each.harbors).length, word("harbors")), seat !== table.seat && RESOURCES.map((kind) => (each.resources?.[kind] ?? 0) > 0 && tally(SIGNS[kind], each.resources[kind], `${word(kind)}, ${nameOf(table, seat)}`, HUES[kind]))));
  });
}

/** The missions as tracks, with a marker for each seat. @param {Table} table */
function tracks(table) {
  const { view, word } = table;
  /** @type {{[mission: string]: string | string[]}} */
  const arts = { lairs: "skull", fish: "fish", spices: SIGNS.sack };
  return Object.entries(view.missions ?? {}).map(([mission, spaces]) => h("div", { class: "track-row", key: mission, role: "img", "aria-label": `${word(mission)}: ${/** @type {number[][]} */ (spaces).flatMap((here, at) => here.map((seat) => `${nameOf(table, seat)} ${at}`)).join(", ")}` }, icon(arts[mission] ?? "star"), /** @type {number[][]} */ (spaces).map((here, at) => h("span", { class: "track-space", key: at }, h("small", null, view.tracks?.[mission]?.spaces[at] ?? at), here.map((seat) => mark(table, seat))))));
}

/** Dice, and what can be built for what. @param {Table} table */
function status(table) {
  const { view, edition, word } = table, roll = view.turn?.roll;
  return h(
    "div",
    { class: "line-up" },
    h("span", { ...piece("dice", `${word("dice")}: ${roll ? roll.join(" + ") : word("not_rolled")}`, [{ type: "roll_dice" }, { type: "roll_fish" }]), class: "dice" }, (roll ?? [0, 0]).map((/** @type {number} */ face) => die(face))),
    Object.entries(edition.prices).map(([what, price]) => h("span", { ...piece(`build ${what}`, `${word("build")} ${word(what)}`, [{ type: what === "movement" ? "buy_movement" : `build_${what}` }]), class: "build" }, icon(BUILDS[what]), h("small", null, word(what)), h("span", { class: "price" }, Object.entries(/** @type {any} */ (price)).flatMap(([kind, many]) => Array.from({ length: Number(many) }, () => icon(SIGNS[kind], HUES[kind])))))),
  );
}

/** @param {Table} table */
const bank = ({ view, word }) => h("span", { class: "bank" }, h("small", null, word("bank")), RESOURCES.map((kind) => h("span", { ...piece(`bank ${kind}`, `${word("bank")}: ${word(kind)} ${view.bank[kind]}`, [{ take: kind }, { type: "buy_resource", resource: kind }, { "want.*": [kind] }]), class: `bank-card ${HUES[kind]}` }, icon(SIGNS[kind]), h("b", null, view.bank[kind]))));

/** The active seat's offer, and which seats have accepted or declined. @param {Table} table */
function offered(table) {
  const { offer, active_seat } = table.view, { word } = table;
  if (!offer) return null;
  const goods = (/** @type {{[kind: string]: number}} */ all) => Object.entries(all).map(([kind, many]) => `${many} ${word(kind)}`).join(", ");
  return h("div", { class: "offer", role: "img", "aria-label": `${word("offer")}, ${nameOf(table, active_seat)}: ${goods(offer.give)} - ${goods(offer.want)}` }, mark(table, active_seat), bag(offer.give), icon("arrow"), bag(offer.want), [...offer.accepted.map((/** @type {number} */ seat) => [mark(table, seat), icon("check")]), ...offer.declined.map((/** @type {number} */ seat) => [mark(table, seat), icon("bin")])]);
}

/** @param {{[kind: string]: number}} goods */
const bag = (goods) => Object.entries(goods).flatMap(([kind, many]) => Array.from({ length: many }, () => icon(SIGNS[kind] ?? "coin", HUES[kind])));

/** One's own cards, and what lies in one's own holds and basins. @param {Table} table */
function own(table) {
  const { view, word } = table, [seat = -1] = shownSeats(table, "resources"), each = view.seats[table.seat ?? seat];
  if (!each?.resources) return null;
  const place = (/** @type {string} */ at, /** @type {string} */ name, /** @type {string | string[]} */ art, /** @type {string[]} */ pieces, /** @type {(piece: string) => any[]} */ parts) => h("span", { class: "hold-place", key: `own ${at}` }, icon(art), h("small", null, at), pieces.map((one, nth) => h("span", { ...piece(`cargo ${at} ${nth}`, `${word(one)} ${nth + 1}, ${name}`, parts(one)), class: "cargo-piece" }, icon(PIECES[one]))));
  return [
    h("span", { class: "hand" }, RESOURCES.flatMap((kind) => Array.from({ length: each.resources[kind] ?? 0 }, (_, nth) => card(piece(`own ${kind} ${nth}`, `${word(kind)} ${nth + 1}`, [{ "resources.*": [kind] }, { give: kind }, { "give.*": [kind] }, { type: "sell_resource", resource: kind }]), SIGNS[kind], word(kind), { hue: `small ${HUES[kind]}` })))),
    Object.entries(each.ships).filter(([, what]) => /** @type {any} */ (what).cargo.length).map(([ship, what]) => place(ship, `${word("ship")} ${ship}`, "ship", /** @type {any} */ (what).cargo, (one) => [{ ship, unload: [one] }, { place: { ship }, pieces: [one] }])),
    Object.entries(each.harbors).filter(([, basin]) => /** @type {any} */ (basin).length).map(([harbor, basin]) => place(harbor, `${word("harbor")} ${harbor}`, "anchor", /** @type {any} */ (basin), (one) => [{ harbor, load: [one] }, { place: { harbor }, pieces: [one] }])),
  ];
}
