// @ts-check
/** The log as a page of its own: every commit, filtered by who acted, by a type of move or event, and by text. */
import { h } from "./dom.js";
import { actorName, drawLog } from "./log.js";
import { say, title } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */
/** @typedef {import("./log.js").Reader} Reader */

/** The types of a commit's move and events. @param {any} commit @returns {string[]} */
const typesOf = ({ move, events }) => [move, ...events].flatMap((each) => each?.type ?? []);

/** @param {Seatside} table @param {any[]} commits @param {Reader} reader */
export function drawLogPage(table, commits, reader) {
  const { sought } = table;
  /** @param {Partial<Seatside["sought"]>} change */
  const seek = (change) => (Object.assign(sought, change), table.app.redraw());
  /** @param {"actor" | "type"} field @param {[string, string][]} choices by value, in words */
  const filter = (field, choices) =>
    h("select", { "aria-label": say(`log.by_${field}`), onchange: (/** @type {any} */ event) => seek({ [field]: ["", ...choices.map(([value]) => value)][event.target.selectedIndex] }) }, h("option", { selected: !sought[field] }, say(`log.by_${field}`)), choices.map(([value, text]) => h("option", { key: value, selected: sought[field] === value }, text)));
  const actors = new Map(commits.map((commit) => [String(commit.actor), actorName(commit, reader)]));
  const types = [...new Set(commits.flatMap(typesOf))].sort();
  const has = (/** @type {any} */ { view, ...commit }) =>
    (!sought.actor || String(commit.actor) === sought.actor) && (!sought.type || typesOf(commit).includes(sought.type)) && JSON.stringify([commit, actorName(commit, reader)]).toLowerCase().includes(sought.text);
  const found = commits.filter(has);
  return h(
    "div",
    { class: "log-page" },
    h("h1", null, table.state.rules.title),
    h("p", null, h("a", { href: `/games/${table.id}` }, say("log.back"))),
    h(
      "p",
      { class: "row" },
      filter("actor", [...actors].sort()),
      filter("type", types.map((type) => [type, title(type)])),
      h("input", { type: "search", "aria-label": say("log.search"), placeholder: say("log.search"), oninput: (/** @type {any} */ event) => seek({ text: event.target.value.toLowerCase() }) }),
    ),
    !found.length && h("p", null, say("log.nothing")),
    drawLog(found, reader, table.state.at),
  );
}
