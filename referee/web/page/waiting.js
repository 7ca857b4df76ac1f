// @ts-check
/** The room before a game: seats, the promise about luck, the link for friends; and the door of a game one does not know. */
import { account } from "./account.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";
import * as keep from "./keep.js";
import { call, Problem, unique } from "./net.js";
import { seatMark } from "./kit.js";
import { partOfLuck } from "./sealing.js";
import { seatNames } from "./tabletop.js";
import { plainly, say, title } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */

/** @param {Seatside} table */
function nonceOf(table) {
  table.draft ??= { nonce: unique(), code: codeInAddress() ?? "" };
  return table.draft;
}

/** The join code is in the fragment, which is sent to nobody. */
function codeInAddress() {
  const found = /^#join=(.+)$/.exec(location.hash);
  return found ? decodeURIComponent(found[1]) : null;
}

/** @param {Seatside} table @param {number | null} seat */
async function sit(table, seat) {
  const { nonce, code } = nonceOf(table);
  try {
    const part = await partOfLuck(table.id, nonce);
    await call(`/v1/games/${table.id}/seats`, { body: { seat, ...part, ...(code && { join_code: code }) } });
    table.draft = null;
    history.replaceState(null, "", `/games/${table.id}`);
    table.app.reload();
  } catch (error) {
    table.app.fail(error);
  }
}

/** @param {Seatside} table @param {string} path @param {string} then */
async function remove(table, path, then) {
  try {
    await call(`/v1/games/${table.id}${path}`, { method: "DELETE" });
    then ? table.app.go(then) : await table.refresh();
  } catch (error) {
    table.app.fail(error);
  }
}

/** What brings luck and the right to sit: a nonce, a code. @param {Seatside} table @param {boolean} withCode */
function entries(table, withCode) {
  const draft = nonceOf(table);
  return [
    withCode && h("label", { class: "field" }, h("span", { class: "label" }, say("room.code")), h("input", { class: "code", value: draft.code, oninput: (/** @type {any} */ event) => (draft.code = event.target.value) })),
    h("label", { class: "field" }, h("span", { class: "label" }, say("room.nonce")), h("input", { class: "code", maxlength: 128, value: draft.nonce, oninput: (/** @type {any} */ event) => (draft.nonce = event.target.value) }), h("small", null, say("room.nonce_text"))),
  ];
}

/** @param {Seatside} table */
export function drawWaiting(table) {
  const { game, rules } = table.state, names = seatNames(game, table.mine);
  const code = keep.read(`join ${table.id}`), link = `${location.origin}/games/${table.id}${code ? `#join=${encodeURIComponent(code)}` : ""}`;
  const open = game.seats.filter((/** @type {any} */ each) => !each.player && !each.bot).length;
  const invited = game.seats.find((/** @type {any} */ each) => each.player?.id === account.me?.id && each.accepted === false);
  return h(
    "section",
    { class: "room" },
    h("h1", null, rules.title),
    h("p", { class: "lead", role: "status" }, game.status === "revealing" ? say("room.revealing") : say("room.waiting", { count: open })),
    h(
      "ul",
      { class: "seats tall" },
      game.seats.map((/** @type {any} */ each) =>
        h(
          "li",
          { key: each.seat, class: "seat" },
          seatMark(each.seat, names[each.seat].name),
          h("span", { class: "who" }, h("bdi", null, names[each.seat].name), h("small", null, [names[each.seat].isMine && say("table.you"), each.bot && say("table.bot"), each.accepted === false && say("room.invited")].filter(Boolean).join(" · "))),
          !each.player && !each.bot && account.me && h("button", { class: "primary", onclick: () => void sit(table, each.seat) }, say("room.sit")),
          names[each.seat].isMine && h("button", { class: "quiet", onclick: () => void remove(table, `/seats/${each.seat}`, "") }, say("room.get_up")),
        ),
      ),
    ),
    invited && h("p", { class: "row" }, h("button", { class: "primary", onclick: () => void sit(table, invited.seat) }, say("room.accept")), h("button", { onclick: () => void remove(table, `/seats/${invited.seat}`, "/") }, say("room.decline"))),
    !account.me && h("p", null, h("a", { class: "button primary", href: `/?next=${encodeURIComponent(location.pathname + location.hash)}` }, say("room.begin_first"))),
    h("label", { class: "field" }, h("span", { class: "label" }, say("room.link")), copyable(link), h("small", null, say(code ? "room.link_code" : "room.link_text"))),
    account.me && table.mine.length === 0 && h("details", { open: nonceOf(table).code !== "" }, h("summary", null, say("room.more")), entries(table, true)),
    h("details", { open: true }, h("summary", null, say("room.promise")), h("p", null, say("room.promise_text")), h("p", { class: "code wrap" }, game.commitment)),
    h("dl", { class: "facts" }, Object.entries(game.options).map(([name, value]) => h("div", { class: "fact", key: name }, h("dt", null, title(name)), h("dd", null, value === null ? say("form.any") : Array.isArray(value) ? value.map(plainly).join(", ") : typeof value === "boolean" ? say(value ? "yes" : "no") : plainly(value))))),
    table.mine.length > 0 && h("p", null, h("button", { class: "quiet", onclick: () => void remove(table, "", "/") }, say("room.withdraw"))),
  );
}

/** @param {Seatside} table @param {Problem} problem */
export function drawDoor(table, problem) {
  const code = codeInAddress();
  return h(
    "section",
    { class: "room" },
    h("h1", null, say("room.door")),
    h("p", { class: "lead" }, problem.status === 404 ? say(code ? "room.door_code" : "room.door_unknown") : problem.message),
    problem.status === 404 && (account.me ? [entries(table, true), h("p", null, h("button", { class: "primary", onclick: () => void sit(table, null) }, say("room.sit")))] : h("p", null, h("a", { class: "button primary", href: `/?next=${encodeURIComponent(location.pathname + location.hash)}` }, say("room.begin_first")))),
  );
}
