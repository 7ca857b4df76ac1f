// For each position: what is wrong with the board drawn of it, and the clicks that each listed move takes on that board.
import { readFileSync } from "node:fs";
import { choices, facts, holds, lastField, left, pick, pickable, ready } from "./picks.js";
import { thingsOf } from "./things.js";

const { positions, board } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { draw } = await import(board);

/** Every thing of a board as often as it is drawn. */
const all = (child) => (typeof child === "string" ? [] : [child.props.thing, ...child.children.flatMap(all)].filter(Boolean));
const twice = (list) => list.filter((each, at) => list.indexOf(each) !== at);

function tableOf({ view, seat, edition, options }, moves) {
  const found = facts(moves), names = ["Ada", "Bert", "Cleo", "Dora", "Emil", "Finn"];
  const seats = view.seats.map((_, at) => ({ name: names[at], isMine: at === seat }));
  const seatParts = (each) => (found.get(String(each)) ?? []).filter((part) => /seat|target|victim|owner|with/.test(lastField(part)));
  return { view, seat, seats, edition, options, awaited: [], word: (id) => String(id).replaceAll("_", " "), facts: found, seatParts };
}

/** The clicks of somebody who clicks on the board as long as that helps, then on verbs, then on values. */
function clicks(moves, things, wanted) {
  let picks = [], onBoard = 0, beside = 0;
  while (ready(moves, picks)[0] !== wanted) {
    if (onBoard + beside > 12) return null;
    const now = left(moves, picks).length;
    const ways = things.filter(({ parts }) => parts.some((part) => holds(wanted, part))).map((thing) => pick(moves, picks, thing)).filter((next) => next && next.length >= picks.length);
    const best = ways.map((next) => ({ next, rest: left(moves, next) })).filter(({ rest }) => rest.includes(wanted) && (rest.length < now)).sort((one, other) => one.rest.length - other.rest.length)[0];
    if (best) [picks, onBoard] = [best.next, onBoard + 1];
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

const found = positions.map((position) => {
  const moves = pickable(position.moves), drawn = draw(tableOf(position, moves)), things = all(drawn);
  for (const view of position.others) draw(tableOf({ ...position, view, seat: null }, []));
  const again = JSON.stringify(draw(tableOf(position, moves))) === JSON.stringify(drawn);
  return { keys: twice(things.map(({ key }) => key)), labels: twice(things.map(({ label }) => label)), things: thingsOf(drawn).size, again, clicks: moves.map((move) => clicks(moves, things, move)) };
});
console.log(JSON.stringify(found));
