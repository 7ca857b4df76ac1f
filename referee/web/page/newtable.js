// @ts-check
/** A new table: seats by clicking, options from the title's schema, a clock, who may see it. */
import { h } from "./dom.js";
import { drawForm, initial, resolved } from "./form.js";
import { canHash } from "./fairness.js";
import * as keep from "./keep.js";
import { call, unique } from "./net.js";
import { partOfLuck } from "./sealing.js";
import { say, title, useTitle } from "./words.js";

/** @typedef {import("./lobby.js").Hall} Hall */
/** @typedef {import("./main.js").App} App */
/** @typedef {{slug: string, rules: any, seats: string[], edition: string, options: any, isPrivate: boolean, clock: string, isUndoFree: boolean, luck: string, position?: any}} Wish */

/** Times to think. @type {{[name: string]: any}} */
const CLOCKS = { none: null, quick: { decision_s: 20, bank_s: 120, increment_s: 5 }, calm: { decision_s: 60, bank_s: 600, increment_s: 10 }, days: { days: 2 } };

/** The bot that plays best without thinking long. @param {Hall} hall @param {string} slug */
function bestBot(hall, slug) {
  const names = hall.bots.filter((bot) => bot.rulesets.includes(slug)).map(({ name }) => name);
  return names.length > 1 ? names[1] : names[0];
}

/** @param {Hall} hall @param {string} slug @returns {Promise<Wish>} */
export async function freshTable(hall, slug) {
  const rules = await call(`/v1/rulesets/${slug}`), bot = bestBot(hall, slug);
  const seats = ["me", ...Array(rules.seats.min - 1).fill(bot ? `bot ${bot}` : "open")];
  return { slug, rules, seats, edition: rules.editions[0].name, options: initial(rules.options, rules.options), isPrivate: false, clock: "none", isUndoFree: false, luck: "fixed" };
}

/** A table with the choices that an address holds; what does not fit is left out. @param {Hall} hall @param {Wish} wish @param {string | null} text @returns {Wish} */
export function asWished(hall, wish, text) {
  let told;
  try {
    told = JSON.parse(text ?? "{}");
  } catch {}
  const { seats, edition, options, isPrivate, clock, isUndoFree, luck } = told ?? {}, { min, max } = wish.rules.seats;
  const fits = Array.isArray(seats) && seats.length >= min && seats.length <= max && seats.every((seat) => holders(hall, wish).includes(seat));
  return {
    ...wish,
    ...(fits && { seats }),
    ...(wish.rules.editions.some((/** @type {any} */ each) => each.name === edition) && { edition }),
    ...(options !== null && typeof options === "object" && { options: { ...wish.options, ...options } }),
    ...(Object.hasOwn(CLOCKS, String(clock)) && { clock }),
    luck: luck === "fresh" ? luck : "fixed",
    isPrivate: isPrivate === true,
    isUndoFree: isUndoFree === true,
  };
}

/** The address that holds the choices of a table, to be shared. @param {Wish} wish */
const addressOf = ({ slug, rules, position, ...choices }) => `/?${new URLSearchParams({ new: slug, with: JSON.stringify(choices) })}`;

/** Who may hold a seat. @param {Hall} hall @param {Wish} wish */
const holders = (hall, wish) => ["me", "open", ...hall.bots.filter((bot) => bot.rulesets.includes(wish.slug)).map(({ name }) => `bot ${name}`)];

/** A table against bots, at once. @param {Hall} hall @param {string} slug @returns {Promise<Wish>} */
export const playNow = (hall, slug) => freshTable(hall, slug);

/** @param {Wish} wish */
function bodyOf(wish) {
  const seats = wish.seats.map((seat) => (seat.startsWith("bot ") ? { bot: seat.slice(4) } : seat === "me" && canHash() ? "open" : seat));
  return { ruleset: wish.slug, seats, edition: wish.edition, options: wish.options, visibility: wish.isPrivate ? "private" : "public", nonce: unique(), clock: CLOCKS[wish.clock], undo: wish.isUndoFree ? "free" : "never", luck: wish.luck, position: wish.position ?? null };
}

/** Make the table and go there. @param {App} app @param {Wish} wish */
export async function makeTable(app, wish) {
  const game = await call("/v1/games", { body: bodyOf(wish) });
  if (game.join_code) keep.write(`join ${game.id}`, game.join_code);
  for (const [seat, who] of wish.seats.entries()) {
    // A seal needs the id of the game, so one sits down after the table is made.
    if (who === "me" && canHash()) await call(`/v1/games/${game.id}/seats`, { body: { seat, ...(await partOfLuck(game.id, unique())) } });
  }
  app.go(`/games/${game.id}`);
}

/** @param {App} app @param {Hall} hall */
export function drawNewTable(app, hall) {
  /** @type {Wish} */
  const wish = hall.wish;
  useTitle(wish.slug);
  const put = (/** @type {Partial<Wish>} */ more) => {
    hall.wish = { ...wish, ...more };
    if (!wish.position) history.replaceState(null, "", addressOf(hall.wish));
    app.redraw();
  };
  const size = wish.position?.seats.length, { min, max } = size ? { min: size, max: size } : wish.rules.seats;
  return h(
    "section",
    { class: "new-table", key: "new" },
    h("h2", null, say("new.title", { title: wish.rules.title })),
    h(
      "div",
      { class: "field" },
      h("span", { class: "label" }, say("table.seats")),
      h("ul", { class: "wishes" }, wish.seats.map((seat, at) => h("li", { key: at }, seatChoice(hall, wish, seat, (next) => put({ seats: wish.seats.map((each, other) => (other === at ? next : each)) })), wish.seats.length > min && h("button", { class: "quiet", "aria-label": say("new.less_seats"), onclick: () => put({ seats: wish.seats.filter((_, other) => other !== at) }) }, "×")))),
      wish.seats.length < max && h("button", { class: "quiet", onclick: () => put({ seats: [...wish.seats, "open"] }) }, say("new.more_seats")),
    ),
    !size && Object.keys(resolved(wish.rules.options, wish.rules.options).properties ?? {}).length > 0 && drawForm(wish.rules.options, wish.options, (options) => put({ options }), wish.rules.options),
    !size && wish.rules.editions.length > 1 && choice("edition", wish.rules.editions.map((/** @type {any} */ each) => each.name), wish.edition, (edition) => put({ edition }), title),
    choice("clock", Object.keys(CLOCKS), wish.clock, (clock) => put({ clock })),
    choice("visibility", ["public", "private"], wish.isPrivate ? "private" : "public", (each) => put({ isPrivate: each === "private" })),
    canHash() && choice("luck", ["fixed", "fresh"], wish.luck, (luck) => put({ luck })),
    choice("undo", ["never", "free"], wish.isUndoFree ? "free" : "never", (each) => put({ isUndoFree: each === "free" })),
    h("p", { class: "row" }, h("button", { class: "primary", onclick: () => void makeTable(app, wish).catch(app.fail) }, say("new.make")), h("button", { class: "quiet", onclick: () => ((hall.wish = null), history.replaceState(null, "", location.pathname), app.redraw()) }, say("cancel"))),
  );
}

/** @param {string} name @param {string[]} options @param {string} value @param {(value: string) => void} change @param {(value: string) => string} word */
const choice = (name, options, value, change, word = (each) => say(`new.${name}_${each}`)) =>
  h("div", { class: "field", key: name }, h("span", { class: "label" }, say(`new.${name}`)), h("span", { class: "segments", role: "group", "aria-label": say(`new.${name}`) }, options.map((each) => h("button", { key: each, "aria-pressed": String(each === value), onclick: () => change(each) }, word(each)))));

/** @param {Hall} hall @param {Wish} wish @param {string} seat @param {(seat: string) => void} change */
function seatChoice(hall, wish, seat, change) {
  return h("span", { class: "segments", role: "group" }, holders(hall, wish).map((each) => h("button", { key: each, "aria-pressed": String(each === seat), onclick: () => change(each) }, each.startsWith("bot ") ? title(each) : say(`new.${each}`))));
}
