// @ts-check
/** Motion of any board: what has the same key before and after goes there by itself, what is new fades in. No board moves anything. */

const TIME = 220;
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Where each thing of the board was, relative to the board, and after which commit. @typedef {{board: Element | null, at: number, wide: number, places: Map<string, DOMRect>}} Moment */
/** @type {Moment} */
const NOTHING = { board: null, at: 0, wide: 0, places: new Map() };
let before = NOTHING;
/** @type {Set<Animation>} */
const running = new Set();

/** Follow the page: each change of the board is looked at before it is painted. */
export function follow() {
  new MutationObserver(changed).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["transform", "data-thing"] });
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, end, { capture: true, passive: true });
}

/** Any key or click ends what moves. */
function end() {
  for (const each of running) each.finish();
  running.clear();
}

/** @param {MutationRecord[]} changes */
function changed(changes) {
  const board = document.querySelector("#board .b");
  if (board && board === before.board && !changes.some(({ target }) => board.contains(target))) return;
  end();
  if (!board) return void (before = NOTHING);
  const { x, y, width } = board.getBoundingClientRect(), at = Number(board.parentElement?.dataset.at);
  const things = /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll("[data-thing]"));
  const places = new Map([...things].map((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return [each.dataset.thing ?? "", new DOMRect(left - x, top - y, width, height)];
  }));
  const was = before;
  before = { board, at, wide: width, places };
  if (was.board !== board || was.wide !== width || Math.abs(at - was.at) > 1 || was.places.size === 0 || document.hidden || still?.matches) return;
  for (const each of things) move(each, was.places.get(each.dataset.thing ?? ""), places.get(each.dataset.thing ?? ""));
}

/** @param {HTMLElement | SVGGraphicsElement} thing @param {DOMRect | undefined} from @param {DOMRect | undefined} to */
function move(thing, from, to) {
  if (!to) return;
  if (!from) return start(thing, [{ opacity: 0 }, { opacity: 1 }], "replace");
  const scale = (thing instanceof SVGGraphicsElement && thing.getScreenCTM()?.a) || 1;
  const dx = (from.x + from.width / 2 - to.x - to.width / 2) / scale, dy = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
  if (Math.hypot(dx, dy) * scale > 3) start(thing, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "translate(0px, 0px)" }], "add");
}

/** @param {Element} thing @param {Keyframe[]} frames @param {CompositeOperation} composite */
function start(thing, frames, composite) {
  const made = thing.animate(frames, { duration: TIME, easing: "ease-out", composite });
  running.add(made);
  made.onfinish = () => running.delete(made);
}
