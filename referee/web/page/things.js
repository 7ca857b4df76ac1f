// @ts-check
/** Things of any board: those that can be picked become buttons with one tab stop; what changed is outlined. */

import { say } from "./words.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {{key: string, label: string, parts: import("./picks.js").Part[], atOnce: boolean}} Thing */
/** @typedef {{canPick: (thing: Thing) => boolean, isAnew: (thing: Thing) => boolean, isPicked: (thing: Thing) => boolean, isSent: (thing: Thing) => boolean, hasChanged: (key: string, label: string) => boolean, pick: (thing: Thing) => void, tabStop: string | null}} Dresser */

/** Every thing of a drawn board. @param {Child} child @param {Map<string, Thing>} [found] */
export function thingsOf(child, found = new Map()) {
  if (typeof child === "string") return found;
  if (child.props.thing) found.set(child.props.thing.key, child.props.thing);
  for (const each of child.children) thingsOf(each, found);
  return found;
}

/** A drawn board with its things dressed: what can be picked now is a button. @param {Child} child @param {Dresser} dresser @param {Map<string, number>} [labels] @returns {Child} */
export function dress(child, dresser, labels = new Map()) {
  if (typeof child === "string") return child;
  const { thing, ...props } = child.props;
  const children = child.children.map((each) => dress(each, dresser, labels));
  if (!thing) return { tag: child.tag, props, children };
  const nth = (labels.get(thing.label) ?? 0) + 1;
  labels.set(thing.label, nth);
  const label = nth > 1 ? `${thing.label} (${nth})` : thing.label;
  const classes = [props.class, "thing", dresser.hasChanged(thing.key, thing.label) && "changed"];
  if (thing.parts.length && dresser.canPick(thing)) {
    const isPicked = dresser.isPicked(thing), isAnew = !isPicked && dresser.isAnew(thing);
    classes.push("pickable", isAnew && "anew", isPicked && "picked", isPicked && dresser.isSent(thing) && "sent");
    Object.assign(props, { role: "button", tabindex: dresser.tabStop === thing.key ? 0 : -1, "aria-pressed": String(isPicked), "aria-label": label, "aria-description": isAnew ? say("table.anew") : null });
    if (thing.atOnce) props.onpointerdown = () => dresser.pick(thing);
    // A click that no pointer made comes from assistive technology.
    props.onclick = (/** @type {MouseEvent} */ event) => (!thing.atOnce || event.detail === 0) && dresser.pick(thing);
  }
  props.class = classes.filter(Boolean).join(" ");
  return { tag: child.tag, props, children };
}

/** Move the focus to the nearest thing in a direction. @param {HTMLElement} board @param {string} key */
export function step(board, key) {
  const here = document.activeElement?.getBoundingClientRect();
  if (!here) return;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  let best = null, least = Infinity;
  for (const other of /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll(".pickable"))) {
    if (other === document.activeElement) continue;
    const there = other.getBoundingClientRect();
    const x = there.x + there.width / 2 - here.x - here.width / 2, y = there.y + there.height / 2 - here.y - here.height / 2;
    const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead > 1 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
  }
  best?.focus();
}
