// @ts-check
/** The keys of a table. Up, down and Tab are never taken; arrows belong to the board while the focus is there. */
import { askedText, openFamily, pickVerb, verbs } from "./actions.js";
import { newest } from "./fold.js";
import { actorName, headline } from "./log.js";
import { concerning, turnFrom } from "./scrub.js";
import { isBefore } from "./sealing.js";
import { ask, wishes } from "./tablemenu.js";
import { readerOf, pickThing } from "./tabletop.js";
import { step } from "./things.js";
import { plainly, say, speak } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */

/** What a key says aloud. @type {{[key: string]: (table: Seatside) => string}} */
const SPOKEN = {
  w: (table) => askedText(table, readerOf(table)),
  m: (table) => {
    const commit = table.state.commits[(table.state.at ?? newest(table.state)) - 1], reader = readerOf(table);
    return commit ? `${actorName(commit, reader)}: ${headline(commit, reader)}` : say("table.empty");
  },
  h: (table) => spoken(table.state.game.view?.seats?.[table.acting ?? -1] ?? null),
  s: (table) => readerOf(table).seats.map(({ name }, seat) => `${name}: ${spoken(table.state.game.view?.seats?.[seat] ?? null)}`).join(" "),
  b: (table) => table.pickables.map(({ label }) => label).join("; ") || say("table.nothing"),
};

/** @param {any} value @returns {string} */
function spoken(value) {
  if (value === null) return say("table.nothing");
  if (typeof value !== "object") return plainly(value);
  return Object.entries(value).filter(([, each]) => each !== null).map(([name, each]) => (Array.isArray(value) ? spoken(each) : `${plainly(name)} ${spoken(each)}`)).join(", ") || say("table.nothing");
}

/** Where a key leads while looking back or on. @param {Seatside} table @returns {{[key: string]: () => number | null}} */
function ways(table) {
  const { state } = table, at = state.at ?? newest(state), seat = table.acting;
  return {
    ArrowLeft: () => at - 1,
    ArrowRight: () => (state.at === null ? null : at + 1),
    "[": () => turnFrom(state.commits, at, -1),
    "]": () => turnFrom(state.commits, at, 1),
    "{": () => concerning(state.commits, at, -1, seat),
    "}": () => concerning(state.commits, at, 1, seat),
    Home: () => 0,
    End: () => (state.isEndHidden ? at : null),
  };
}

/** @param {Seatside} table @param {KeyboardEvent} event */
export function keys(table, event) {
  const { state } = table, target = event.target instanceof HTMLElement || event.target instanceof SVGElement ? event.target : null;
  if (!state.game || !state.rules || event.ctrlKey || event.metaKey || event.altKey || isBefore(state.game)) return;
  const field = target?.closest("input:not([type=range]), select, textarea, [contenteditable]");
  if (field) return void (event.key === "Escape" && /** @type {HTMLElement} */ (field).blur());
  if (act(table, event, target)) event.preventDefault();
}

/** @param {Seatside} table @param {KeyboardEvent} event @param {Element | null} target @returns {boolean} whether the key did something */
function act(table, event, target) {
  const { key } = event, board = document.getElementById("board");
  const onThing = board?.contains(target) ? target?.closest("[data-thing]") : null;
  if (onThing && board && key.startsWith("Arrow")) return step(board, key), true;
  if (onThing && (key === "Enter" || key === " ")) return pickFocused(table, onThing.getAttribute("data-thing"), key), true;
  if (key.startsWith("Arrow") && target?.matches("input[type=range]")) return false;
  const way = ways(table)[key];
  if (way) return table.look(way()), true;
  if (key === "Escape") return escape(table), true;
  const isFree = !target?.closest("button, a, summary"), bell = table.pickables.find(({ atOnce }) => atOnce);
  if (key === " " && isFree && bell && !table.state.sent && !event.repeat) return pickThing(table, bell), true;
  if (key === " " && isFree) return table.isOver && !table.isBehind && void table.lookBehind(), table.isOver;
  if (key === "Enter" && isFree) return table.doReady();
  if (SPOKEN[key]) return speak(SPOKEN[key](table)), true;
  return letter(table, key);
}

/** @param {Seatside} table @param {string | null} name @param {string} key */
function pickFocused(table, name, key) {
  const thing = table.pickables.find((each) => each.key === name);
  if (key === "Enter" && table.state.picks.length && table.state.picks.at(-1)?.key === name && table.doReady()) return;
  if (thing && !table.state.sent) pickThing(table, thing);
}

/** @param {Seatside} table */
function escape(table) {
  if (table.sheet) return void ((table.sheet = null), table.app.redraw());
  if (table.state.picks.length || table.state.family) return table.take({ type: "unpick" });
  if (table.state.at !== null && !table.state.isEndHidden) table.look(null);
}

/** @param {Seatside} table @param {string} key @returns {boolean} */
function letter(table, key) {
  if (/^[1-9]$/.test(key) && table.state.at === null && !table.state.sent) {
    const { types, families } = verbs(table), at = Number(key) - 1;
    if (at < types.length) return pickVerb(table, types[at]), true;
    if (at < types.length + families.length) return openFamily(table, families[at - types.length]), true;
  }
  if (key === "u") {
    const undo = wishes(table).find(({ name }) => name === "undo");
    return undo ? (ask(table, undo), true) : false;
  }
  if (key === "e" && table.isOver) return void table.lookAs(nextEyes(table)), true;
  if (key === "l") return document.getElementById("log")?.focus(), true;
  if (key === "g") return /** @type {HTMLElement | null} */ (document.querySelector(".scrub input"))?.focus(), true;
  if (key === "?") return (table.sheet = table.sheet === "help" ? null : "help"), table.app.redraw(), true;
  return false;
}

/** @param {Seatside} table */
function nextEyes(table) {
  const all = [undefined, ...table.state.game.seats.map((each) => String(each.seat)), "all"];
  return all[(all.indexOf(table.state.eyes) + 1) % all.length];
}
