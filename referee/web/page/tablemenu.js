// @ts-check
/** What can be asked for at the table beside moves: undo, pause, going on, coming back, resigning. */
import { h } from "./dom.js";
import { isBefore } from "./sealing.js";
import { say } from "./words.js";

/** @typedef {import("./table.js").Seatside} Seatside */

/** What can be asked for now: each with its call. @param {Seatside} table @returns {{name: string, path: string, body: any, query?: any, isGrave?: boolean}[]} */
export function wishes(table) {
  const { game } = table.state, seat = table.acting;
  if (seat === null || table.isOver || isBefore(game)) return [];
  const own = game.seats[seat], query = { seat };
  const hasLeft = own.bot !== null && !own.resigned, isPlaying = own.bot === null && !own.resigned;
  return [
    ...(hasLeft ? [{ name: "return", path: `/seats/${seat}/return`, body: {} }] : []),
    ...(isPlaying && game.status === "running" && game.terms.undo === "free" ? [{ name: "undo", path: "/undo", body: {}, query }] : []),
    ...(isPlaying && game.status === "running" ? [{ name: own.agreed ? "no_pause" : "pause", path: "/pause", body: { agreed: !own.agreed }, query }] : []),
    ...(isPlaying && game.status === "paused" ? [{ name: own.agreed ? "no_resume" : "resume", path: "/resumption", body: { agreed: !own.agreed }, query }] : []),
    ...(isPlaying ? [{ name: "resign", path: "/resignation", body: {}, query, isGrave: true }] : []),
  ];
}

/** @param {Seatside} table @param {ReturnType<typeof wishes>[0]} wish */
export function ask(table, wish) {
  if (wish.isGrave && table.asked !== wish.name) {
    table.asked = wish.name;
    return table.app.redraw();
  }
  void table.send(wish.name, wish.path, wish.body, { ...wish.query, ...(wish.name !== "undo" && { version: undefined }) });
}

/** @param {Seatside} table */
export function drawMenu(table) {
  const { game } = table.state;
  const toggle = (/** @type {string} */ name) => () => ((table.sheet = table.sheet === name ? null : name), table.app.redraw());
  const possible = wishes(table);
  return h(
    "div",
    { class: "table-menu" },
    h("button", { class: "quiet only-phone", "aria-expanded": String(table.sheet === "log"), onclick: toggle("log") }, say("log.label")),
    possible.length > 0 && h("button", { class: "quiet", "aria-expanded": String(table.sheet === "menu"), onclick: toggle("menu") }, say("menu.label")),
    h("a", { class: "button quiet", href: `/rules/${game.ruleset}` }, say("menu.rules")),
    h("button", { class: "quiet", "aria-label": say("help.label"), onclick: toggle("help") }, "?"),
    table.sheet === "menu" &&
      h(
        "div",
        { class: "menu up" },
        possible.map((wish) => h("div", { key: wish.name, class: "wish" }, h("button", { class: wish.isGrave ? "grave" : "", disabled: table.state.sent !== null, onclick: () => ask(table, wish) }, say(table.asked === wish.name ? `menu.${wish.name}_sure` : `menu.${wish.name}`)), h("small", null, say(`menu.${wish.name}_text`)))),
      ),
  );
}
