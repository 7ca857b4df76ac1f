/* Plays witnesses: node run_witness.js scripts.json, lists of [method, ...arguments]; prints what each step left. */

import { readFileSync } from "node:fs";
import { argv } from "node:process";

import { Witness, readNotes, writeNotes } from "./witness.js";

function played(script) {
  const kept = new Map();
  const store = {
    read: (name) => kept.get(name) ?? null,
    write: (name, value) => kept.set(name, value),
    forget: (name) => kept.delete(name),
  };
  const steps = {
    table: (game, table) => new Witness(store).seeTable(game, table),
    commits: (game, commits) => new Witness(store).seeCommits(game, commits),
    notes: (game) => writeNotes(new Witness(store).notes(game)),
    names: () => [...kept.keys()],
    spoil: (name, value) => void kept.set(name, value),
    read: (text) => readNotes(text),
  };
  return script.map(([step, ...given]) => steps[step](...given) ?? null);
}

console.log(JSON.stringify(JSON.parse(readFileSync(argv[2], "utf-8")).map(played)));
