// For each position: what is wrong with the board drawn of it, and the clicks that each listed move takes on that board.
import { readFileSync } from "node:fs";
import { choices, facts, holds, lastField, left, pick, pickable, ready } from "./picks.js";
import { thingsOf } from "./things.js";

const { positions, board, words } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const MOVES_MAX = 60, PATIENCE = 3;
const { draw } = await import(board);

/** Every thing of a board as often as it is drawn. */
const all = (child) => (typeof child === "string" ? [] : [child.props.thing, ...child.children.flatMap(all)].filter(Boolean));
/** Things of another view that are there twice: they are noted as twice here. */
const twiceIn = (others) => others.filter((each, at) => others.some((other, before) => before < at && (other.key === each.key || other.label === each.label))).flatMap((each) => [each, each]);
/** Of very many moves some, others in each position. */
const some = (moves, from) => moves.filter((_, at) => (at + from) % Math.ceil(moves.length / MOVES_MAX) === 0);
const twice = (list) => list.filter((each, at) => list.indexOf(each) !== at);

/** What boards have asked the words of. @type {Set<string>} */
const asked = new Set();

function tableOf({ view, seat, edition, options }, moves, named = {}) {
  const found = facts(moves), names = ["Ada", "Bert", "Cleo", "Dora", "Emil", "Finn"];
  const seats = view.seats.map((_, at) => ({ name: names[at], isMine: at === seat }));
  const seatParts = (each) => (found.get(String(each)) ?? []).filter((part) => /seat|target|victim|owner|with/.test(lastField(part)));
  return { view, seat, seats, edition, options, awaited: [], word: (id) => (asked.add(`${id ?? ""}`), named[id] ?? String(id).replaceAll("_", " ")), facts: found, seatParts };
}

/** The best next clicks on the board that keep a move possible and leave fewer others: one thing, or one that tells which part of another is meant. */
function ways(moves, picks, things, wanted) {
  const now = left(moves, picks).length;
  const after = (from) => things.map((thing) => pick(moves, from, thing)).filter((next) => next && next.length >= from.length && left(moves, next).includes(wanted));
  const better = (list) => list.map((next) => ({ next, rest: left(moves, next).length })).filter(({ rest }) => rest < now).sort((one, other) => one.rest - other.rest)[0]?.next;
  const hints = (from) => things.filter((thing) => from.at(-1).parts.some((part) => part !== thing.parts[0] && thing.parts.some((hint) => holds(part, hint) && !holds(hint, part))));
  const first = after(picks), one = better(first);
  if (one) return [one, 1];
  const two = better(first.flatMap((from) => hints(from).map((thing) => pick(moves, from, thing)).filter((next) => next && left(moves, next).includes(wanted))));
  return two ? [two, 2] : null;
}

/** The clicks of somebody who clicks on the board as long as that helps and is not tedious, then on verbs, then on values. */
function clicks(moves, things, wanted) {
  let picks = [], onBoard = 0, beside = 0;
  const near = things.filter(({ parts }) => parts.some((part) => holds(wanted, part)));
  while (ready(moves, picks)[0] !== wanted) {
    if (onBoard + beside > 12) return null;
    const way = onBoard < PATIENCE ? ways(moves, picks, near, wanted) : null;
    if (way) [picks, onBoard] = [way[0], onBoard + way[1]];
    else {
      const types = new Set(left(moves, picks).map(({ type }) => type));
      const [field] = types.size > 1 ? ["type"] : (choices(left(moves, picks))[0] ?? []);
      if (!field) return null;
      const thing = field === "type" ? { key: "verb", label: "", parts: [{ type: wanted.type }] } : { key: `choice ${field}`, label: "", parts: [{}], exact: { [field]: wanted[field] ?? null } };
      picks = pick(moves, picks, thing) ?? picks;
      beside += 1;
    }
  }
  return [onBoard, beside, wanted.type];
}

const found = positions.map((position, nth) => {
  const moves = pickable(position.moves), drawn = draw(tableOf(position, moves)), things = all(drawn);
  for (const view of position.others) things.push(...twiceIn(all(draw(tableOf({ ...position, view, seat: null }, [])))));
  const again = JSON.stringify(draw(tableOf(position, moves))) === JSON.stringify(drawn);
  const labels = Object.values(words).flatMap((named) => twice(all(draw(tableOf(position, moves, named))).map(({ label }) => label)));
  return { keys: twice(things.map(({ key }) => key)), labels: [...labels, ...twice(things.map(({ label }) => label))], things: thingsOf(drawn).size, again, clicks: some(moves, nth).map((move) => clicks(moves, things, move)) };
});
console.log(JSON.stringify({ found, asked: [...asked] }));
