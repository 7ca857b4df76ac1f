// @ts-check
/** The table as it is drawn: seats, board, what is asked, what can be done, and the log beside it. */
import { account } from "./account.js";
import { countdown, timeText } from "./clock.js";
import { drawActions, formOf } from "./actions.js";
import { h } from "./dom.js";
import { factsOf, filled, isFilled } from "./filling.js";
import { newest } from "./fold.js";
import { seatMark } from "./kit.js";
import { drawLog, headline, actorName } from "./log.js";
import { drawLogPage } from "./logpage.js";
import { facts, lastField, left, pick } from "./picks.js";
import { drawEyes, drawScrub, replay } from "./scrub.js";
import { dress, thingsOf } from "./things.js";
import { drawMenu } from "./tablemenu.js";
import { capital, plainly, say } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */

const CROWN = "M3.500 20L2 7.500l5.500 4L12 4l4.500 7.500 5.500-4L20.500 20z";
const SEAT_WORDS = /seat|player|opponent|owner|whom/i;

/** Names for the seats, unique at this table. @param {import("./fold.js").Game} game @param {number[]} mine @returns {import("./kit.js").SeatName[]} */
export function seatNames(game, mine) {
  const names = game.seats.map((each) => each.player?.name ?? (each.bot ? capital(each.bot) : say("table.open_seat")));
  return names.map((/** @type {string} */ name, /** @type {number} */ seat) => ({ name: names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${seat + 1}`, isMine: mine.includes(seat) }));
}

/** The fields of moves that name a seat, as their descriptions say. @param {any} rules @returns {Set<string>} */
function seatFields(rules) {
  const found = new Set();
  const search = (/** @type {any} */ schema) => {
    for (const [name, each] of Object.entries(schema?.properties ?? {})) if (JSON.stringify(each).includes('"integer"') && SEAT_WORDS.test(`${name} ${each.description ?? ""}`)) found.add(name);
    for (const each of Object.values(schema?.$defs ?? {})) search(each);
  };
  for (const { schema } of rules.moves) search(schema);
  return found;
}

/** What the log and the actions need to put things into words. @param {Seatside} table */
export function readerOf(table) {
  const { state } = table;
  return { seats: seatNames(state.game, table.mine), hrefAt: (/** @type {number} */ version) => table.href(version), clauseHref: (/** @type {string} */ clause) => `/rules/${state.game.ruleset}#${clause}` };
}

/** @param {Seatside} table */
export function drawTable(table) {
  const { state } = table, { game } = state;
  const reader = readerOf(table), at = state.at ?? newest(state);
  const view = (table.isBehind && table.everything?.get(at)) || state.views.get(at) || (state.at === null && state.views.get(game.version));
  const shown = state.isEndHidden ? state.commits.slice(0, at) : state.commits;
  const isLive = state.at === null;
  const { title } = table.state.rules;
  if (table.part === "log") return drawLogPage(table, shown, reader);
  const heading = h("h1", { class: "unseen" }, title);
  return h(
    "div",
    { class: `table${isLive ? "" : " looking-back"}`, key: "table" },
    h(
      "div",
      { class: "stage" },
      heading,
      drawSeats(table, reader.seats, view),
      !state.isOnline && h("div", { class: "bar", role: "status" }, say("weather.offline")),
      state.rewound !== null && h("div", { class: "bar bad", role: "alert" }, say("weather.rewound", { version: state.rewound })),
      drawSince(table),
      !state.isEndHidden && game.status === "finished" && drawResult(table, reader.seats),
      frame(table, view ? drawBoard(table, view, at, reader.seats) : h("p", { class: "empty" }, say(at === 0 ? "table.empty" : "loading"))),
      isLive && !table.isOver ? drawActions(table, reader) : drawMoment(table, shown[at - 1], reader),
    ),
    h(
      "aside",
      { class: `side${table.sheet === "log" ? " open" : ""}`, "aria-label": say("log.label") },
      drawScrub({ at, newest: newest(state), isLive: isLive && !table.isOver, isEndHidden: state.isEndHidden, commits: state.commits, fresh: isLive || table.isOver || state.isEndHidden ? 0 : newest(state) - state.newestSeen, isPlaying: table.isPlaying, speed: table.speed, look: (version) => table.look(version), play: () => void replay(table), faster: () => ((table.speed = table.speed === 4 ? 1 : table.speed * 2), table.app.redraw()) }),
      drawEyes({ seats: reader.seats, eyes: state.eyes ?? "", choose: (eyes) => void table.lookAs(eyes || undefined), options: table.isOver && !state.isEndHidden ? ["", ...game.seats.map((each) => String(each.seat)), "all"] : [] }),
      drawLog(shown, reader, state.at),
      drawMenu(table),
    ),
    table.sheet === "help" && drawHelp(table),
  );
}

/** The place of the board; without anything to pick it can have the focus itself, so that keys scroll it. @param {Seatside} table @param {import("./dom.js").Any} board */
export const frame = (table, board) => h("div", { class: "board-frame", id: "board", "data-at": table.state.at ?? table.state.commits?.length, role: "group", "aria-label": say("table.board"), tabindex: table.pickables.length ? null : 0 }, board);

/** @param {Seatside} table @param {any} view @returns {(number | undefined)[]} */
function scoresIn(table, view) {
  try {
    return (view && table.scores?.(view, table.state.rules.edition_data)) ?? [];
  } catch {
    return [];
  }
}

/** @param {Seatside} table @param {import("./kit.js").SeatName[]} seats @param {any} view */
function drawSeats(table, seats, view) {
  const { game, isEndHidden } = table.state, scores = scoresIn(table, view), best = Math.max(...scores.map(Number));
  const leads = (/** @type {number} */ seat) => scores[seat] === best && scores.some((score) => score !== best);
  return h(
    "ul",
    { class: "seats", "aria-label": say("table.seats") },
    game.seats.map((each) => {
      const deadline = game.deadlines.find((one) => one.seat === each.seat);
      const isAwaited = !isEndHidden && game.awaited.some((one) => one.seat === each.seat && one.obliged);
      const { name, isMine } = seats[each.seat];
      return h(
        "li",
        { key: each.seat, class: `seat${isAwaited ? " awaited" : ""}` },
        seatMark(each.seat, name),
        h("span", { class: "who" }, h("bdi", { title: name }, name), h("small", null, [isMine && say("table.you"), each.bot && (each.player ? say("table.taken_over", { name: capital(each.bot) }) : say("table.bot")), each.resigned && say("table.resigned"), each.agreed && say(game.status === "paused" ? "table.agrees_to_go_on" : "table.agrees_to_pause"), isAwaited && say("table.awaited"), each.missed_deadlines > 0 && say("table.missed", { count: each.missed_deadlines })].filter(Boolean).join(" · "))),
        scores[each.seat] !== undefined && h("span", { class: `standing${leads(each.seat) ? " leads" : ""}` }, leads(each.seat) && h("svg", { class: "crown", viewBox: "0 0 24 24", role: "img", "aria-label": plainly("leads") }, h("path", { d: CROWN })), scores[each.seat]),
        deadline ? countdown(deadline.at, isMine) : each.bank_ms !== null && h("span", { class: "clock" }, timeText(each.bank_ms)),
      );
    }),
  );
}

/** @param {Seatside} table */
function drawSince(table) {
  const { since, at } = table.state, count = newest(table.state) - (since ?? 0);
  if (!since || count <= 0 || at !== null || table.mine.length === 0) return null;
  return h(
    "div",
    { class: "bar", role: "status" },
    h("span", null, say("replay.since", { count })),
    h("button", { onclick: () => table.look(since) }, say("replay.step_through")),
    h("button", { class: "quiet", onclick: () => table.take({ type: "since", at: null }) }, say("close")),
  );
}

/** @param {Seatside} table @param {import("./kit.js").SeatName[]} seats */
function drawResult(table, seats) {
  const { game } = table.state;
  return h(
    "ol",
    { class: "result", "aria-label": say("table.result") },
    (game.ranking ?? []).map((place) => h("li", { key: place.seat }, h("b", null, place.rank), seatMark(place.seat, seats[place.seat].name), h("bdi", null, seats[place.seat].name), h("span", { class: "score" }, place.score), place.clause && h("a", { href: `/rules/${game.ruleset}#${place.clause}` }, place.clause))),
    h("li", { class: "prove" }, h("a", { class: "button", href: `/games/${table.id}/audit` }, say("table.prove"))),
  );
}

/** Looking back: what happened at this moment. @param {Seatside} table @param {any} commit @param {any} reader */
function drawMoment(table, commit, reader) {
  return h(
    "div",
    { class: "actions then" },
    h("p", { class: "asked" }, commit ? [h("bdi", null, actorName(commit, reader)), ": ", headline(commit, reader)] : say("table.empty")),
    table.isOver ? drawForks(table, commit?.version ?? 0) : h("p", null, h("button", { class: "primary", onclick: () => table.look(null) }, say("replay.to_live"))),
  );
}

/** From a moment of a game that is over: what if, and on from here. @param {Seatside} table @param {number} at */
function drawForks({ id, state: { game } }, at) {
  if (game.status !== "finished") return null;
  const href = `/judge/${game.ruleset}?game=${id}&at=${at}`;
  return h("p", { class: "row" }, h("a", { class: "button", href }, say("judge.what_if")), account.me && h("a", { class: "button", href: `${href}&play` }, say("judge.play_on")));
}

/** @param {Seatside} table @param {any} view @param {number} at @param {import("./kit.js").SeatName[]} seats */
export function drawBoard(table, view, at, seats) {
  const { state } = table, { game, rules, picks } = state;
  const isLive = state.at === null && !table.isOver;
  const moves = isLive ? state.moves : [];
  const schema = isLive && state.family ? formOf(table, state.family)?.schema : undefined, draft = schema && table.draft;
  const found = schema ? factsOf(schema) : facts(moves), fields = seatFields(rules);
  const tableOf = (/** @type {any} */ each) => ({ view: each, seat: game.seat, awaited: isLive ? game.awaited.map((one) => one.seat) : [], seats, edition: rules.edition_data, options: game.options, draft, word: plainly, facts: found, seatParts: (/** @type {number} */ seat) => (found.get(String(seat)) ?? []).filter((part) => fields.has(lastField(part))) });
  const drawView = (/** @type {any} */ each) => {
    try {
      return (table.drawn ?? table.plain)(tableOf(each));
    } catch {
      return table.plain(tableOf(each));
    }
  };
  const board = drawView(view);
  const before = at > 1 ? state.views.get(at - 1) : null, was = before ? thingsOf(drawView(before)) : null;
  /** What is picked after a thing. @type {Map<string, import("./picks.js").Pick[] | null>} */
  const known = new Map();
  const isFree = !state.sent;
  const next = (/** @type {import("./things.js").Thing} */ thing) => {
    const parts = JSON.stringify(thing.parts);
    if (!known.has(parts)) known.set(parts, moves.length ? pick(moves, picks, thing) : null);
    return known.get(parts) ?? null;
  };
  const canPick = (/** @type {import("./things.js").Thing} */ thing) => (schema ? filled(schema, draft, thing.parts) !== undefined : next(thing) !== null);
  const pickables = [...thingsOf(board).values()].filter((thing) => thing.parts.length && canPick(thing));
  table.pickables = pickables;
  const focused = document.activeElement?.getAttribute("data-thing");
  return dress(board, {
    canPick,
    isAnew: (thing) => !schema && picks.length > 0 && next(thing)?.[0].key !== picks[0].key,
    isPicked: (thing) => (schema ? isFilled(draft, thing.parts) : picks.some(({ key }) => key === thing.key)),
    isSent: () => state.sent !== null,
    hasChanged: (key, label) => was !== null && was.get(key)?.label !== label,
    pick: (thing) => isFree && pickThing(table, thing),
    tabStop: pickables.some(({ key }) => key === focused) ? (focused ?? null) : (pickables[0]?.key ?? null),
  });
}

/** Pick a thing, or put it into the form that is open; the same thing again does the move that is ready. @param {Seatside} table @param {import("./things.js").Thing} thing */
export function pickThing(table, thing) {
  const { moves, picks, family } = table.state, schema = family && formOf(table, family)?.schema;
  if (schema) return void ((table.draft = filled(schema, table.draft, thing.parts) ?? table.draft), table.app.redraw());
  const next = left(moves, [{ key: thing.key, label: thing.label, parts: thing.parts }]);
  if (thing.atOnce && next.length === 1) return void table.doReady(next);
  if (picks.at(-1)?.key === thing.key && table.doReady()) return;
  table.take({ type: "pick", thing: { key: thing.key, label: thing.label, parts: thing.parts } });
}

/** @param {Seatside} table */
function drawHelp(table) {
  const rows = ["arrows", "turns", "ends", "escape", "board", "numbers", "enter", "letters"];
  return h("div", { class: "sheet", role: "dialog", "aria-label": say("help.label") }, h("h2", null, say("help.label")), h("dl", { class: "help" }, rows.map((row) => h("div", { key: row }, h("dt", null, say(`help.${row}_keys`)), h("dd", null, say(`help.${row}`))))), h("button", { onclick: () => ((table.sheet = null), table.app.redraw()) }, say("close")));
}
