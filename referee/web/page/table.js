// @ts-check
/** A table: follows a game, sends what is asked for until it is answered, and looks back. */
import { account } from "./account.js";
import { runClocks } from "./clock.js";
import { fold, newest, start } from "./fold.js";
import * as keep from "./keep.js";
import { call, insist, Problem, sleep } from "./net.js";
import { Ear } from "./hearing.js";
import { ready, sendable } from "./picks.js";
import { remember } from "./log.js";
import { isBefore, tendLuck, withLink } from "./sealing.js";
import { Witness } from "./witness.js";
import { speak } from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {import("./fold.js").Message} Message */

const PAGE = 1000;
/** What is answered sooner is not shown as sent: it would only flicker. */
const SENT_MS = 60;
const OVER = ["finished", "annulled"];
const witness = new Witness(keep);

/** What one may do at a table. */
export class Seatside {
  /** @param {App} app @param {string} id @param {string | undefined} part */
  constructor(app, id, part) {
    const query = new URLSearchParams(location.search);
    const at = query.get("at"), isEndHidden = query.get("end") === "hidden";
    this.app = app;
    this.id = id;
    this.part = part;
    this.ending = new AbortController();
    this.state = start({ at: at !== null && /^\d+$/.test(at) ? Number(at) : isEndHidden ? 0 : null, eyes: query.get("seat") ?? undefined, since: keep.read(`seen ${id}`), isEndHidden });
    /** What is open beside the game: a menu, the log on a phone, help. @type {string | null} */
    this.sheet = null;
    /** Forms of moves beside those that the service lists. @type {import("./fold.js").Api["MessageType"][]} */
    this.forms = [];
    /** What the log is searched for: nothing, or who acted, a type, a text. */
    this.sought = { actor: "", type: "", text: "" };
    /** What a form holds. @type {any} */
    this.draft = null;
    /** @type {string | null} */
    this.asked = null;
    this.isPlaying = false;
    this.speed = 1;
    /** Everything is shown as long as Space is held, after the end. */
    this.isBehind = false;
    /** @type {Promise<void> | null} */
    this.reading = null;
    this.isAgain = false;
    /** @type {any} */
    this.addressTimer = null;
    /** Every view of the whole position. @type {Map<number, any> | null} */
    this.everything = null;
    /** What can be picked on the board. @type {import("./things.js").Thing[]} */
    this.pickables = [];
    /** Whether all choices are shown on a narrow screen. */
    this.isUnfolded = false;
    /** @type {((table: any) => any) | null} */
    this.drawn = null;
    /** What draws any view: it comes with the rules, before anything is drawn. @type {(table: any) => any} */
    this.plain = () => null;
    /** Who has how much, if the board says so. @type {((view: any, edition: any) => number[]) | null} */
    this.scores = null;
    this.ear = new Ear(this);
  }

  /** @param {Message} message */
  take(message) {
    const log = document.getElementById("log"), isAtEnd = log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    this.state = fold(this.state, message);
    if (message.type === "game" || message.type === "commits") witness.see(this.id, this.state);
    if (message.type === "sent") setTimeout(this.app.redraw, SENT_MS);
    else this.app.redraw();
    if (message.type === "look" && this.state.at !== null) requestAnimationFrame(() => document.querySelector(".entry.here")?.scrollIntoView({ block: "nearest" }));
    else if (!log && this.state.at !== null) requestAnimationFrame(() => document.querySelector(".entry.here")?.scrollIntoView({ block: "center" }));
    else if (!log || (message.type === "commits" && this.state.at === null && isAtEnd)) requestAnimationFrame(() => document.getElementById("log")?.scrollTo(0, 1e9));
  }

  get signal() {
    return this.ending.signal;
  }

  /** The seats of this player. @returns {number[]} */
  get mine() {
    const me = account.me?.id;
    return me ? (this.state.game?.seats ?? []).filter((each) => each.player?.id === me && each.accepted !== false).map((each) => each.seat) : [];
  }

  /** The seat for which one acts now. @returns {number | null} */
  get acting() {
    const { game } = this.state;
    const awaited = this.mine.filter((seat) => game.awaited.some((each) => each.seat === seat));
    return awaited.includes(game?.seat ?? -1) ? game.seat : (awaited[0] ?? this.mine[0] ?? null);
  }

  get isOver() {
    return OVER.includes(this.state.game?.status);
  }

  /** The query of one's own eyes, or of those that were chosen. */
  eyes() {
    const seat = this.state.eyes ?? (this.mine.length > 1 ? this.acting : undefined);
    return seat === undefined || seat === null ? {} : { seat };
  }

  async begin() {
    try {
      await this.catchUp();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.isUnanswered) return this.take({ type: "missing", problem: error });
      this.take({ type: "online", is: false });
      await this.refresh();
    }
    runClocks(speak, this.signal);
    if (!this.isOver) this.ear.listen();
    if (isBefore(this.state.game)) this.watchRoom();
  }

  /** Read what is new: commits with views, the game, the legal moves. @returns {Promise<void>} */
  async catchUp() {
    const isFirst = this.state.commits.length === 0, known = this.state.game ? newest(this.state) : 0;
    const [game] = await Promise.all([call(`/v1/games/${this.id}`, { query: this.eyes(), signal: this.signal }), isFirst && this.readCommits(0)]);
    if (game.version < known) this.take({ type: "rewound", version: game.version });
    this.take({ type: "game", game });
    if (await tendLuck(game, this.mine)) return this.catchUp();
    if (this.state.eyes === undefined && this.mine.length > 1 && this.acting !== null && this.acting !== game.seat) {
      this.take({ type: "game", game: await call(`/v1/games/${this.id}`, { query: this.eyes(), signal: this.signal }) });
    }
    if (this.state.commits.length < this.state.game.version) await this.readCommits(this.state.commits.length);
    if (this.state.commits.length > this.state.game.version) return this.catchUp();
    if (!this.state.rules) await this.readRules(game.ruleset, game.edition_hash, game.rules_version);
    await this.readLegal();
    if (this.state.at === null && !document.hidden) keep.write(`seen ${this.id}`, newest(this.state));
  }

  /** @param {number} after */
  async readCommits(after) {
    if (after === 0 && !this.state.views.has(0)) void this.readStart();
    for (let next = after; next !== null; ) {
      const page = await call(`/v1/games/${this.id}/events`, { query: { after: next, limit: PAGE, with: "view,text,legal", ...this.eyes() }, signal: this.signal });
      this.take({ type: "commits", commits: page.commits });
      next = page.next;
    }
  }

  /** The table before the set-up is in no commit. */
  async readStart() {
    const game = await call(`/v1/games/${this.id}`, { query: { at: 0, ...this.eyes() }, signal: this.signal }).catch(() => null);
    if (game) this.take({ type: "start", view: game.view });
  }

  /** The rules, with the numbers of the game's own edition. @param {string} slug @param {string} [hash] @param {string} [version] */
  async readRules(slug, hash, version) {
    const rules = await call(`/v1/rulesets/${slug}`, { query: { version }, signal: this.signal });
    if (hash && rules.editions[0].hash !== hash) rules.edition_data = (await call(`/v1/rulesets/${slug}/editions/${hash}`, { signal: this.signal })).numbers;
    ({ draw: this.plain } = await import("plain"));
    if (rules.board) ({ draw: this.drawn, scores: this.scores = null } = await import(rules.board));
    this.take({ type: "rules", rules });
  }

  /** @returns {Promise<void>} */
  async readLegal() {
    await account.known;
    const { game } = this.state, seat = this.acting;
    const isAsked = seat !== null && game.status === "running" && game.awaited.some((each) => each.seat === seat) && !game.seats[seat].bot;
    if (!isAsked) return this.take({ type: "legal", legal: null });
    const legal = this.ear.legal(seat, game.version) ?? (await call(`/v1/games/${this.id}/legal-moves`, { query: { seat, with: "text" }, signal: this.signal }));
    remember(legal);
    if (legal.version > this.state.game.version) return this.catchUp();
    if (legal.version === this.state.game.version) this.take({ type: "legal", legal });
  }

  /** Read what is new; what comes meanwhile is read afterwards. @returns {Promise<void>} */
  refresh() {
    this.isAgain = this.reading !== null;
    return (this.reading ??= this.readAll());
  }

  async readAll() {
    try {
      do {
        this.isAgain = false;
        await this.catchUpPatiently();
      } while (this.isAgain && !this.signal.aborted);
    } catch (error) {
      if (!this.signal.aborted) this.app.fail(error);
    } finally {
      this.reading = null; // in the same step as the last look at isAgain: a later call must read anew
    }
  }

  /** Read what is new; ask again until somebody answers. */
  async catchUpPatiently() {
    for (let failures = 0; !this.signal.aborted; failures++) {
      try {
        await this.catchUp();
        if (failures) this.take({ type: "online", is: true });
        return;
      } catch (error) {
        if (!(error instanceof Problem) || !error.isUnanswered) throw error;
        await sleep(Math.max(error.retryAfter * 1000, Math.min(300 * 2 ** failures, 8000)), this.signal);
      }
    }
  }

  /** A table that waits has no commits to follow: look again. */
  async watchRoom() {
    while (!this.signal.aborted && isBefore(this.state.game)) {
      const isUrgent = this.state.game.status === "revealing";
      await sleep(document.hidden && !isUrgent ? 10_000 : 2000, this.signal);
      if (!this.signal.aborted) await this.refresh();
    }
  }

  /** Send a move or another wish until it is answered. @param {string} what @param {string} path @param {any} wish @param {any} [query] */
  async send(what, path, wish, query = {}) {
    if (this.state.sent) return;
    const isMove = what === "move";
    this.take({ type: "sent", what, move: isMove ? wish : null });
    this.asked = null;
    try {
      const slow = () => this.take({ type: "slow" });
      const body = isMove ? await this.linked(wish, query, slow) : wish;
      const { version } = await insist(`/v1/games/${this.id}${path}`, { body, query: { version: this.state.game.version, ...query }, signal: this.signal }, slow);
      await ((await this.ear.hears(version)) ? this.reading : this.refresh());
      this.take({ type: "answered" });
      this.draft = null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.take({ type: "refused", problem: error });
      if (error.status === 409 || error.status === 412) void this.refresh();
    }
  }

  /** A move as it is sent. What may be refused is tried before its link is shown. @param {any} move @param {any} query @param {() => void} slow */
  async linked(move, query, slow) {
    const { game, legal } = this.state;
    if (game.chain?.counts && !legal?.moves.includes(move)) await insist(`/v1/games/${this.id}/moves`, { body: move, query: { ...query, dry_run: true }, signal: this.signal }, slow);
    return withLink(game, move);
  }

  /** Make the move that is ready, if there is one. @param {any[]} [moves] */
  doReady(moves) {
    const [move] = moves ?? ready(this.state.moves, this.state.picks);
    if (move) void this.move(sendable(move));
    return move !== undefined;
  }

  /** Read everything, after the end, to be looked at as long as Space is held. */
  async lookBehind() {
    this.isBehind = true;
    if (!this.everything) {
      this.everything = new Map();
      for (let next = 0; next !== null; ) {
        const page = await call(`/v1/games/${this.id}/events`, { query: { after: next, limit: PAGE, with: "view", seat: "all" }, signal: this.signal });
        for (const commit of page.commits) this.everything.set(commit.version, commit.view);
        next = page.next;
      }
    }
    this.app.redraw();
  }

  /** @param {any} move */
  move(move) {
    return this.send("move", "/moves", move, { seat: this.acting });
  }

  /** Look at a version; null: at the newest. @param {number | null} at */
  look(at) {
    if (at !== null && this.state.since !== null && at >= newest(this.state)) this.take({ type: "since", at: null });
    this.take({ type: "look", at });
    if (this.state.at === null) keep.write(`seen ${this.id}`, newest(this.state));
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => history.replaceState(null, "", this.href(this.state.at)), 200);
  }

  /** The address of a moment. @param {number | null} at */
  href(at) {
    const query = new URLSearchParams();
    if (at !== null) query.set("at", String(at));
    if (this.state.eyes !== undefined) query.set("seat", this.state.eyes);
    if (this.state.isEndHidden) query.set("end", "hidden");
    return `/games/${this.id}${query.size ? `?${query}` : ""}`;
  }

  /** Look with other eyes; everything is read again. @param {string | undefined} eyes */
  async lookAs(eyes) {
    this.take({ type: "eyes", eyes });
    history.replaceState(null, "", this.href(this.state.at));
    await this.refresh();
  }
}
