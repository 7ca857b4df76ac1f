// @ts-check
/** Below the board: what is asked, the verbs, what is still to be said, and the move that is ready. */
import { countdown } from "./clock.js";
import { h } from "./dom.js";
import { filled } from "./filling.js";
import { drawForm, initial } from "./form.js";
import { sentence } from "./log.js";
import { choices, holds, left, ready, sendable } from "./picks.js";
import { capital, listed, plainly, say, title } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */
/** @typedef {import("./log.js").Reader} Reader */

const BUTTONS_MAX = 14;
const SMALL_MAX = 8;

/** The verbs that can be chosen now: types of the moves left, and families. @param {Seatside} table */
export function verbs(table) {
  const { moves, picks, legal } = table.state;
  const rest = left(moves, picks);
  const types = [...new Set(rest.map(({ type }) => type))];
  const families = picks.length ? [] : (legal?.families ?? []).map((each) => each.type).filter((type) => !types.includes(type));
  return { rest, types, families };
}

/** @param {Seatside} table @param {string} type */
export const pickVerb = (table, type) => table.take({ type: "pick", thing: { key: `verb ${type}`, label: title(type), parts: [{ type }] } });

/** @param {Seatside} table @param {string | null} type */
export const formOf = (table, type) => [...(table.state.legal?.families ?? []), ...table.forms].find((each) => each.type === type);

/** @param {Seatside} table @param {string} type */
export function openFamily(table, type) {
  const family = formOf(table, type);
  if (!family) return;
  const start = { ...initial(family.schema, family.schema), type };
  table.draft = table.state.picks.reduce((draft, { parts }) => filled(family.schema, draft, parts) ?? draft, start);
  table.take({ type: "family", name: type });
}

/** What is asked of whom. @param {Seatside} table @param {Reader} reader */
export function askedText(table, reader) {
  const { game, legal } = table.state;
  if (game.status === "paused") return say("table.paused");
  if (legal && (legal.moves.length || legal.families.length)) {
    const types = [...new Set([...legal.moves, ...legal.families].map((each) => plainly(each.type)))];
    const list = listed(types.length > 4 ? [...types.slice(0, 3), say("table.or_else")] : types, "disjunction");
    return say(table.mine.length > 1 ? "table.turn_of" : "table.your_turn", { moves: list, name: reader.seats[legal.seat]?.name });
  }
  const others = game.awaited.filter((each) => each.obliged).map((each) => reader.seats[each.seat]?.name);
  if (others.length) return say("table.waiting_for", { names: listed(others) });
  return game.due ? say("table.referee_next", { what: plainly(game.due.move.type) }) : say("table.waits");
}

/** @param {Seatside} table @param {Reader} reader */
export function drawActions(table, reader) {
  const { state } = table;
  return h(
    "div",
    { class: "actions", key: "actions" },
    h("p", { class: "asked", id: "asked" }, askedText(table, reader), state.game.due && Date.parse(state.game.due.at) > 0 && !state.legal && countdown(state.game.due.at, false)),
    state.legal?.default && state.game.deadlines.some(({ seat }) => seat === table.acting) && h("small", null, say("clock.default", { what: sentence(state.legal.default, reader) })),
    racing(table) > 0 && h("small", { class: "race-note" }, say("table.race", { seconds: racing(table) / 1000 })),
    state.refused && drawRefusal(table, reader),
    state.sent ? drawSent(table, reader) : state.family ? drawFamily(table, reader) : drawPicking(table, reader),
  );
}

/** How long moves of others compete with one's own, if seats race. @param {Seatside} table */
const racing = ({ acting, state: { game } }) => game.awaited.find((each) => each.seat === acting)?.race_ms ?? 0;

/** @param {Seatside} table @param {Reader} reader */
function drawSent(table, reader) {
  const { sent } = table.state;
  return h("p", { class: "sending", role: "status" }, h("b", null, sent?.move ? sentence(sent.move, reader) : say("table.wish")), " ", say(sent?.isSlow ? "weather.unanswered" : "weather.sent"));
}

/** @param {Seatside} table @param {Reader} reader */
function drawRefusal(table, reader) {
  const problem = table.state.refused;
  if (!problem) return null;
  const isStale = problem.status === 409 || problem.status === 412;
  return h(
    "div",
    { class: "refusal", role: "alert" },
    isStale && problem.code.includes("version") ? h("p", null, say("table.gone_on")) : problem.code === "nonsense" ? h("p", null, say("problem.nonsense", { status: problem.status })) : h("p", { lang: "en" }, problem.message),
    problem.clause && h("blockquote", { lang: "en" }, h("a", { href: reader.clauseHref(problem.clause) }, problem.clause), " ", problem.text),
  );
}

/** @param {Seatside} table @param {Reader} reader */
function drawPicking(table, reader) {
  const { moves, picks } = table.state;
  if (!moves.length && !table.state.legal?.families.length) return null;
  const { rest, types, families } = verbs(table);
  const done = ready(moves, picks)[0];
  const isVerbTime = types.length + families.length > 1;
  return h(
    "div",
    { class: "picking" },
    picks.length > 0 && h("p", { class: "picks" }, picks.map(({ key, label }) => h("button", { key, class: "chip picked", "aria-label": say("table.unpick", { what: label }), onclick: () => table.take({ type: "pick", thing: { key, label, parts: [] } }) }, capital(label)))),
    isVerbTime && h("div", { class: "verbs", role: "group", "aria-label": say("table.verbs") }, drawVerbs(table, types, families)),
    types.length === 1 && !families.length && rest.length > 1 && drawChoices(table, rest, reader),
    h(
      "p",
      { class: "do" },
      done && (!isVerbTime || picks.length > 0) && h("button", { class: "primary", onclick: () => table.doReady() }, sentence(sendable(done), reader)),
      types.length === 1 && formOf(table, types[0]) && !table.forms.length && h("button", { class: "quiet", onclick: () => openFamily(table, types[0]) }, say("table.form")),
      picks.length > 0 && h("button", { class: "quiet", onclick: () => table.take({ type: "unpick" }) }, say("cancel")),
    ),
  );
}

/** @param {Seatside} table @param {string[]} types @param {string[]} families */
function drawVerbs(table, types, families) {
  const only = [...types.map((type) => ({ type, act: () => pickVerb(table, type) })), ...families.map((type) => ({ type, act: () => openFamily(table, type) }))];
  if (only.length > BUTTONS_MAX) return h("select", { "aria-label": say("table.verbs"), onchange: (/** @type {any} */ event) => only[event.target.selectedIndex - 1]?.act() }, h("option", { selected: true }, say("table.choose")), only.map(({ type }) => h("option", { key: type }, title(type))));
  return only.map(({ type, act }, at) => h("button", { key: type, class: "verb", onclick: act }, at < 9 && h("kbd", null, at + 1), title(type)));
}

/** @param {any} value */
const isNone = (value) => value === null || (Array.isArray(value) && !value.length);

/** Whether what a field may say can be picked on the board. @param {Seatside} table @param {any[]} rest @param {string} field @param {any[]} values */
function isOnBoard(table, rest, field, values) {
  const parts = table.pickables.flatMap((each) => each.parts).filter((part) => [field, `${field}.-1`, `${field}.*`].some((name) => name in part));
  const shown = new Set(rest.filter((move) => parts.some((part) => holds(move, part))).map((move) => JSON.stringify(move[field])));
  return shown.size > 0 && values.every((value) => isNone(value) || shown.has(JSON.stringify(value)));
}

/** Fields in which the moves left differ; what is many is a list, and on a narrow screen what is on the board is folded away. @param {Seatside} table @param {any[]} rest @param {Reader} reader */
function drawChoices(table, rest, reader) {
  let free = BUTTONS_MAX;
  const fields = choices(rest).slice(0, 4), folded = fields.filter(([field, values]) => isOnBoard(table, rest, field, values)).map(([field]) => field);
  return h(
    "div",
    { class: `choices${table.isUnfolded ? "" : " folded"}` },
    fields.map(([field, values]) => {
      const say_ = (/** @type {any} */ value) => valueText(field, value, reader);
      const take = (/** @type {any} */ value) => table.take({ type: "pick", thing: { key: `choice ${field}`, label: `${plainly(field)}: ${say_(value)}`, parts: [{}], exact: { [field]: value } } });
      const isSmall = values.length <= SMALL_MAX && values.length <= free;
      if (isSmall) free -= values.length;
      return h(
        "div",
        { class: `choice${folded.includes(field) ? " on-board" : ""}`, key: field, role: "group", "aria-label": title(field) },
        h("span", { class: "label" }, title(field)),
        isSmall ? values.map((value) => h("button", { key: JSON.stringify(value), onclick: () => take(value) }, capital(say_(value)))) : h("select", { "aria-label": title(field), onchange: (/** @type {any} */ event) => event.target.selectedIndex > 0 && take(values[event.target.selectedIndex - 1]) }, h("option", { selected: true }, say("table.choose")), values.map((value) => h("option", { key: JSON.stringify(value) }, capital(say_(value))))),
      );
    }),
    folded.length > 0 && h("button", { class: "quiet only-phone", "aria-expanded": String(table.isUnfolded), onclick: () => ((table.isUnfolded = !table.isUnfolded), table.app.redraw()) }, say("table.all_choices")),
  );
}

/** @param {string} field @param {any} value @param {Reader} reader @returns {string} */
function valueText(field, value, reader) {
  if (isNone(value)) return say("table.nothing");
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value !== "object") return short(field, value, reader);
  return Object.entries(value).filter(([, each]) => !(Array.isArray(each) && !each.length) && each !== null).map(([name, each]) => (Array.isArray(value) ? valueText(field, each, reader) : `${plainly(name)} ${valueText(name, each, reader)}`)).join(", ") || say("table.nothing");
}

/** @param {string} field @param {any} value @param {Reader} reader */
const short = (field, value, reader) => (typeof value === "number" && /seat|target|victim|owner|with|^to$/.test(field) && value in reader.seats ? reader.seats[value].name : plainly(value));

/** @param {Seatside} table @param {Reader} reader */
function drawFamily(table, reader) {
  const family = formOf(table, table.state.family);
  if (!family) return null;
  const change = (/** @type {any} */ value) => ((table.draft = value), table.app.redraw());
  return h(
    "form",
    { class: "family", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void table.move(table.draft)) },
    h("h3", null, title(family.type)),
    h("p", null, family.description),
    drawForm(family.schema, table.draft, change, family.schema, (value, field) => valueText(field, value, reader)),
    h("p", { class: "do" }, h("button", { class: "primary" }, title(family.type)), h("button", { type: "button", class: "quiet", onclick: () => table.take({ type: "family", name: null }) }, say("cancel"))),
  );
}
