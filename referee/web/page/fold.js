// @ts-check
/** The state of a table's page, folded from messages: what the service said, what was picked, where one looks. */
import { left, pick, pickable } from "./picks.js";

/** @typedef {import("./picks.js").Part} Part */
/** @typedef {import("./picks.js").Pick} Pick */
/** @typedef {import("./net.js").Problem} Problem */
/** @typedef {import("./api.d.ts").components["schemas"]} Api */
/** @typedef {Omit<Api["Game"], "view"> & {view: any}} Game */
/** @typedef {Api["Ruleset"]} Ruleset */
/** A commit, with what was asked for beside it. @typedef {Omit<Api["Commit"], "move" | "events"> & {move: any, events: any[], view?: any, text?: any}} Commit */
/** @typedef {Omit<Api["LegalMoves"], "moves"> & {moves: Part[]}} Legal */
/**
 * @typedef {object} State
 * @property {Game} game the newest answer about the game; null until it comes
 * @property {Ruleset} rules the ruleset; null until it comes
 * @property {Commit[]} commits every commit so far
 * @property {Map<number, any>} views by version, with the eyes that look now
 * @property {string | undefined} eyes whose view: undefined is one's own
 * @property {Legal | null} legal the answer about the legal moves
 * @property {Part[]} moves the legal moves, ready for picking
 * @property {Pick[]} picks
 * @property {string | null} family the type whose form is open
 * @property {{what: string, move: Part | null, isSlow: boolean} | null} sent what is under way
 * @property {Problem | null} refused
 * @property {number | null} at the version that is looked at; null: the newest
 * @property {number} newestSeen the newest version when looking back began
 * @property {number | null} since the version that was seen on the last visit
 * @property {boolean} isOnline
 * @property {boolean} isEndHidden
 * @property {number | null} rewound the version after which the service withdrew commits
 * @property {Problem | null} missing why there is no game to see
 */

/** @typedef {{type: "game", game: Game} | {type: "rules", rules: Ruleset} | {type: "start", view: any} | {type: "commits", commits: Commit[]} | {type: "eyes", eyes: string | undefined} | {type: "legal", legal: Legal | null}
 * | {type: "pick", thing: Pick} | {type: "unpick"} | {type: "family", name: string | null} | {type: "sent", what: string, move: Part | null} | {type: "slow"} | {type: "answered"} | {type: "refused", problem: Problem}
 * | {type: "look", at: number | null} | {type: "since", at: number | null} | {type: "rewound", version: number} | {type: "online", is: boolean} | {type: "missing", problem: Problem}} Message */

/** @param {{at: number | null, eyes: string | undefined, since: number | null, isEndHidden: boolean}} from @returns {State} */
export const start = ({ at, eyes, since, isEndHidden }) => ({
  ...{ game: /** @type {any} */ (null), rules: /** @type {any} */ (null), commits: [], views: new Map(), eyes, legal: null, moves: [], picks: [], family: null },
  ...{ sent: null, refused: null, at, newestSeen: 0, since, isOnline: true, isEndHidden, rewound: null, missing: null },
});

/** The newest version that is known. @param {State} state @returns {number} */
export const newest = (state) => Math.max(state.game?.version ?? 0, state.commits.length);

/** The state after a message. @param {State} state @param {Message} message @returns {State} */
export function fold(state, message) {
  switch (message.type) {
    case "game":
      return withGame(state, message.game);
    case "rules":
      return { ...state, rules: message.rules };
    case "start":
      return { ...state, views: new Map(state.views).set(0, message.view) };
    case "commits":
      return withCommits(state, message.commits);
    case "eyes":
      return { ...state, eyes: message.eyes, views: new Map(), commits: [], legal: null, moves: [], picks: [] };
    case "legal":
      return withLegal(state, message.legal);
    case "pick":
      return withPick(state, message.thing);
    case "unpick":
      return { ...state, picks: [], family: null, refused: null };
    case "family":
      return { ...state, family: message.name, picks: [], refused: null };
    case "sent":
      return { ...state, sent: { what: message.what, move: message.move, isSlow: false }, refused: null };
    case "slow":
      return { ...state, sent: state.sent && { ...state.sent, isSlow: true } };
    case "answered":
      return { ...state, sent: null, picks: [], family: null };
    case "refused":
      return { ...state, sent: null, refused: message.problem };
    case "look":
      return withLook(state, message.at);
    case "since":
      return { ...state, since: message.at };
    case "online":
      return { ...state, isOnline: message.is };
    case "rewound":
      return withoutLost(state, message.version);
    case "missing":
      return { ...state, missing: message.problem };
  }
}

/** @param {State} state @param {Game} game @returns {State} */
function withGame(state, game) {
  if (state.game && game.version < state.game.version) return state;
  const views = new Map(state.views).set(game.version, game.view);
  return withoutStale({ ...state, game, views, missing: null });
}

/** @param {State} state @param {Commit[]} more @returns {State} */
function withCommits(state, more) {
  const commits = [...state.commits], views = new Map(state.views);
  for (const commit of more) {
    if (commit.version === commits.length + 1) commits.push(commit);
    if (commit.view !== undefined) views.set(commit.version, commit.view);
  }
  const isFirst = state.newestSeen === 0 && state.at !== null;
  return withoutStale({ ...state, commits, views, newestSeen: isFirst ? commits.length : state.newestSeen });
}

/** The moves of an earlier version are legal no more. @param {State} state @returns {State} */
const withoutStale = (state) => (state.legal && state.legal.version < newest(state) ? { ...state, legal: null, moves: [] } : state);

/** The service lost what came after a version. @param {State} state @param {number} version @returns {State} */
function withoutLost(state, version) {
  const views = new Map([...state.views].filter(([at]) => at <= version));
  return { ...state, commits: state.commits.slice(0, version), views, game: { ...state.game, version: 0 }, legal: null, moves: [], picks: [], rewound: version };
}

/** Picks are kept if they still lead somewhere. @param {State} state @param {Legal | null} legal @returns {State} */
function withLegal(state, legal) {
  const moves = pickable(legal?.moves ?? []);
  const isKept = state.picks.length > 0 && left(moves, state.picks).length > 0;
  const isFamily = legal?.families.some((each) => each.type === state.family);
  return { ...state, legal, moves, picks: isKept ? state.picks : [], family: isFamily ? state.family : null };
}

/** @param {State} state @param {Pick} thing @returns {State} */
function withPick(state, thing) {
  const rest = state.picks.filter(({ key }) => key !== thing.key);
  if (rest.length < state.picks.length) return { ...state, picks: rest, refused: null };
  return { ...state, picks: pick(state.moves, state.picks, thing) ?? state.picks, family: null, refused: null };
}

/** @param {State} state @param {number | null} at @returns {State} */
function withLook(state, at) {
  const isLive = at === null || (at >= newest(state) && !state.isEndHidden && state.game?.status !== "finished" && state.eyes === undefined);
  return { ...state, at: isLive ? null : Math.max(0, Math.min(at, newest(state))), newestSeen: state.at === null ? newest(state) : state.newestSeen };
}
