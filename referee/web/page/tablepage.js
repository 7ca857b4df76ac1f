// @ts-check
/** The page of a table: its door, its waiting room, or the game. */
import { h } from "./dom.js";
import { isBefore } from "./sealing.js";
import { keys } from "./shortcuts.js";
import { Seatside } from "./table.js";
import { drawTable } from "./tabletop.js";
import { drawDoor, drawWaiting } from "./waiting.js";
import { say, useTitle } from "./words.js";

/** @typedef {import("./main.js").App} App */

/** @param {App} app @param {string} id @param {string} [part] @returns {import("./main.js").Page} */
export function openTable(app, id, part) {
  const table = new Seatside(app, id, part);
  void table.begin().catch(app.fail);
  return {
    wide: true,
    name: () => table.state.rules?.title ?? say("table.table"),
    close: () => table.ending.abort(),
    key: (event) => keys(table, event),
    draw: () => {
      const { missing, game, rules } = table.state;
      if (missing) return drawDoor(table, missing);
      if (!game || !rules) return h("p", { class: "empty" }, say("loading"));
      useTitle(game.ruleset);
      return isBefore(game) ? drawWaiting(table) : drawTable(table);
    },
  };
}
