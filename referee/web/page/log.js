// @ts-check
/** The log in sentences: one entry per commit, with the way to its moment and to the commit itself. */
import { h } from "./dom.js";
import { seatMark } from "./kit.js";
import { plainly, say, title } from "./words.js";

/** @typedef {{seats: import("./kit.js").SeatName[], hrefAt: (version: number) => string, clauseHref: (clause: string) => string}} Reader */

const SEAT = /(^|_)(seat|target|owner|seller|buyer|victim|giver|next_seat|active_seat)$/;
const LIST_MAX = 8;
const TEXT_MAX = 90;
const EVENTS_MAX = 5;

/** A field's value as words; null: too much to be said. @param {string} name @param {any} value @param {Reader} reader @returns {string | null} */
function worded(name, value, reader) {
  if (value === null) return null;
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "number") return SEAT.test(name) && value in reader.seats ? reader.seats[value].name : String(value);
  if (typeof value === "string") return plainly(value);
  if (Array.isArray(value)) {
    if (value.length > LIST_MAX || !value.length) return value.length ? say("log.items", { count: value.length }) : null;
    const items = value.map((each) => worded(name, each, reader));
    return items.every((each) => each !== null) ? items.join(", ") : say("log.items", { count: value.length });
  }
  const inner = Object.entries(value).map(([key, each]) => [plainly(key), worded(key, each, reader)]).filter(([, each]) => each !== null);
  const text = inner.map(([key, each]) => `${key} ${each}`).join(", ");
  return text.length > TEXT_MAX ? null : text;
}

/** What the service says for a move that can be made. @type {WeakMap<any, string>} */
const said = new WeakMap();

/** Remember the sentences of legal moves, if the service has brought some. @param {any} legal */
export function remember({ moves, text, default: safe }) {
  text?.moves.forEach((/** @type {string} */ each, /** @type {number} */ at) => said.set(moves[at], each));
  if (text?.default) said.set(safe, text.default);
}

/** A move or event in words: those of the service, else its type and fields. @param {any} message @param {Reader} reader @returns {string} */
export function sentence(message, reader) {
  const known = said.get(message);
  if (known) return known;
  const fields = Object.entries(message).filter(([name]) => name !== "type" && !name.includes("."));
  const told = fields.map(([name, value]) => [name, worded(name, value, reader)]).filter(([, text]) => text !== null && text !== "");
  if (!told.length) return `${title(message.type)}.`;
  return `${title(message.type)}: ${told.map(([name, text]) => `${plainly(name)} ${text}`).join("; ")}.`;
}

/** Whose commit it is. @param {any} commit @param {Reader} reader */
export function actorName(commit, reader) {
  return typeof commit.actor === "number" ? (reader.seats[commit.actor]?.name ?? String(commit.actor)) : say(`log.${commit.actor}`);
}

/** What a commit did, in one line. @param {any} commit @param {Reader} reader */
export const headline = (commit, reader) => commit.text?.move?.text ?? (commit.move === null ? say("log.hidden") : sentence(commit.move, reader));

/** @param {any} commit */
function why(commit) {
  if (!commit.cause) return null;
  return commit.cause.deadline ? say("log.deadline") : null;
}

/** @param {any} commit @param {Reader} reader */
const events = (commit, reader) =>
  h("ul", { class: "events" }, (commit.text?.events ?? commit.events).map((/** @type {any} */ event, /** @type {number} */ at) => !event.quiet && h("li", { key: at }, commit.text ? [event.text, event.clauses.map((/** @type {string} */ clause) => [" ", h("a", { key: clause, href: reader.clauseHref(clause) }, clause)])] : sentence(event, reader))));

/** @param {any} commit @param {Reader} reader @param {boolean} isHere */
function entry(commit, reader, isHere) {
  const isSeat = typeof commit.actor === "number";
  return h(
    "li",
    { key: commit.version, class: `entry${isHere ? " here" : ""}${isSeat ? "" : " referee"}`, "data-version": commit.version },
    h("a", { class: "moment", href: reader.hrefAt(commit.version), "aria-label": say("log.moment", { version: commit.version }) }, commit.version),
    h(
      "div",
      null,
      h("p", { class: "deed" }, isSeat && seatMark(commit.actor, actorName(commit, reader)), h("bdi", { class: "who" }, actorName(commit, reader)), " ", headline(commit, reader), why(commit) && h("em", null, ` ${why(commit)}`)),
      commit.events.length > EVENTS_MAX ? h("details", { class: "events" }, h("summary", null, say("log.events", { count: commit.events.length })), events(commit, reader)) : events(commit, reader),
      h("details", { class: "raw", ontoggle: fill(commit) }, h("summary", null, say("log.raw")), h("pre", null)),
    ),
  );
}

/** The commit itself is written out when it is asked for. @param {any} commit */
const fill = (commit) => (/** @type {any} */ event) => {
  const { view, ...plain } = commit;
  event.target.querySelector("pre").textContent = JSON.stringify(plain, null, 1);
};

/** @type {WeakMap<any, import("./dom.js").Element>} */
const entries = new WeakMap();
/** @type {Reader | null} */
let lastReader = null;
/** @type {any} */
let lastHere = null;

/** The log as far as it may be shown. @param {any[]} commits @param {Reader} reader @param {number | null} at */
export function drawLog(commits, reader, at) {
  const key = JSON.stringify(reader.seats);
  if (lastReader?.seats !== reader.seats && JSON.stringify(lastReader?.seats) !== key) commits.forEach((commit) => entries.delete(commit));
  const here = commits.find((commit) => commit.version === at) ?? null;
  for (const changed of [here, lastHere]) if (changed && here !== lastHere) entries.delete(changed);
  [lastReader, lastHere] = [reader, here];
  const list = commits.map((commit) => {
    const found = entries.get(commit) ?? entry(commit, reader, commit === here);
    entries.set(commit, found);
    return found;
  });
  return h("div", { class: "log", role: "log", "aria-label": say("log.label"), tabindex: 0, id: "log" }, h("ol", null, list));
}
