// For each list of legal moves: the clicks that each move takes by verb and values; null if clicks do not lead to it.
import { readFileSync } from "node:fs";
import { choices, left, pick, pickable, ready, sendable } from "./picks.js";

function clicks(moves, wanted) {
  let picks = [], count = 0;
  const take = (thing) => ((picks = pick(moves, picks, thing) ?? picks), (count += 1));
  if (new Set(moves.map(({ type }) => type)).size > 1) take({ key: "verb", label: "", parts: [{ type: wanted.type }] });
  while (ready(moves, picks)[0] !== wanted) {
    const [first] = choices(left(moves, picks));
    if (!first || count > 20) return null;
    take({ key: `choice ${first[0]}`, label: "", parts: [{}], exact: { [first[0]]: wanted[first[0]] ?? null } });
  }
  return count + 1;
}

const found = JSON.parse(readFileSync(process.argv[2], "utf8")).map((listed) => {
  const moves = pickable(listed);
  return moves.map((move) => (sendable(move) === listed[moves.indexOf(move)] ? clicks(moves, move) : null));
});
console.log(JSON.stringify(found));
