// @ts-check
/** The judge: any position, any actor, any move, forced luck. The line that was tried is in the address, and the service keeps nothing. */
import { account } from "./account.js";
import { drawActions, openFamily } from "./actions.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";
import { drawForm } from "./form.js";
import { start } from "./fold.js";
import { isShallow, packed, unpacked } from "./link.js";
import { sentence } from "./log.js";
import { call, Problem } from "./net.js";
import { drawNewTable, freshTable } from "./newtable.js";
import { drawScrub } from "./scrub.js";
import { keys } from "./shortcuts.js";
import { Seatside } from "./table.js";
import { drawBoard, frame, readerOf } from "./tabletop.js";
import { capital, say, title, useTitle } from "./words.js";

/** @typedef {import("./main.js").App} App */
/** What was tried, and the verdict. @typedef {{actor: number | "referee", move: any, chance: any[], events: any[], position: any, awaited: any[], due: any}} Step */
/** @typedef {{position: any, awaited: any[], due: any}} Moment */

const STEPS_MAX = 200;
const LIVE = { at: null, eyes: undefined, since: null, isEndHidden: false };

/** A table at which one plays all seats, and the judge answers. */
class Trial extends Seatside {
  /** @param {App} app @param {string} slug */
  constructor(app, slug) {
    super(app, "", undefined);
    this.state = start(LIVE);
    this.slug = slug;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Moment} */
    this.first = { position: null, awaited: [], due: null };
    this.at = 0;
    /** @type {number | "referee"} */
    this.actor = 0;
    this.luck = "";
    /** The edition of the game that is looked into. @type {string | undefined} */
    this.edition = undefined;
    /** @type {string[]} */
    this.names = [];
    this.link = "";
    /** What is wrong with what was typed. @type {string | null} */
    this.fault = null;
    this.wanted = { seats: 2, options: {}, text: "" };
    /** @type {any} */
    this.hall = { bots: [], wish: null };
  }

  get acting() {
    return this.actor === "referee" ? null : this.actor;
  }

  get mine() {
    return this.state.game.seats.map(({ seat }) => seat);
  }

  get isOver() {
    return false;
  }

  /** @returns {Moment} */
  get moment() {
    return this.steps[this.at - 1] ?? this.first;
  }

  async begin() {
    await this.readRules(this.slug);
    const { rules } = this.state, query = new URLSearchParams(location.search), game = query.get("game");
    this.wanted = { seats: rules.seats.min, options: rules.default_options, text: "" };
    const line = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : {};
    const isLine = line !== null && typeof line === "object" && Array.isArray(line.steps ?? []);
    if (!isLine) this.fault = say("judge.no_line");
    if (game) await this.readGame(game, Number(query.get("at") ?? 0));
    else if (isLine && line.position) this.use(line.position);
    if (!this.first.position) await this.setUp();
    for (const step of isLine ? (line.steps ?? []).slice(0, STEPS_MAX) : []) {
      if (!(await this.judge(step?.actor, step?.move, step?.chance))) break;
    }
    await this.show();
    if (query.get("play") !== null) await this.playOn();
  }

  /** A moment of a game that is over, and the luck of the commit after it. @param {string} id @param {number} at */
  async readGame(id, at) {
    const game = await call(`/v1/games/${id}`, { query: { at, seat: "all" } });
    const { drawings } = await call(`/v1/games/${id}/luck`).catch(() => ({ drawings: [] }));
    const same = (drawings ?? []).filter((/** @type {any} */ each) => each.version === at + 1 && each.outcome !== undefined);
    this.luck = same.length ? JSON.stringify(same.map((/** @type {any} */ { point, outcome }) => ({ point, outcome }))) : "";
    this.names = game.seats.map((/** @type {any} */ each) => each.player?.name ?? capital(each.bot));
    this.edition = game.edition ?? undefined;
    this.first = { position: game.view, awaited: game.awaited, due: game.due };
  }

  async setUp() {
    const { seats, options } = this.wanted;
    this.first = await call(`/v1/rulesets/${this.slug}/positions`, { body: { seats, options } });
    this.restart();
  }

  /** Begin with any position; the first verdict says whether it can be one. @param {any} position */
  use(position) {
    if (!Array.isArray(position?.seats) || !isShallow(position)) return void (this.fault = say("judge.no_position"));
    this.first = { position, awaited: [], due: null };
    this.restart();
  }

  restart() {
    [this.steps, this.at, this.fault] = [[], 0, null];
  }

  /** Draw the moment; the actor is the one whom the position awaits. @param {boolean} [isKept] whether the actor stays */
  async show(isKept = false) {
    const { position, awaited, due } = this.moment, { rules } = this.state, at = this.at;
    if (!isKept) this.actor = awaited[0]?.seat ?? (due ? "referee" : typeof this.actor === "number" ? this.actor : 0);
    const seats = (position?.seats ?? []).map((/** @type {any} */ _, /** @type {number} */ seat) => ({ seat, player: { id: "", name: this.names[seat] ?? say("judge.seat", { number: seat + 1 }) }, bot: null }));
    const game = /** @type {any} */ ({ version: at, seats, seat: this.acting, awaited, due, options: position?.options ?? {}, status: "running", ruleset: this.slug, terms: {}, deadlines: [] });
    const views = new Map([this.first, ...this.steps].map((each, step) => [step, each.position]));
    this.state = { ...start(LIVE), rules, game, views };
    this.forms = this.actor === "referee" ? rules.triggers : rules.moves;
    this.wanted.text = JSON.stringify(position, null, 1);
    this.app.redraw();
    await this.write();
    const legal = account.me && this.acting !== null ? await this.askLegal(this.acting).catch(() => null) : null;
    if (!legal || at !== this.at || this.state.game !== game) return;
    const { family } = this.state; // of any move: one that was opened meanwhile stays
    this.take({ type: "legal", legal: { ...legal, version: at, seat: this.acting } });
    this.take({ type: "family", name: family });
  }

  /** @param {number} seat */
  askLegal(seat) {
    return call(`/v1/rulesets/${this.slug}/legal-moves`, { body: { position: this.moment.position, seat, edition: this.edition }, signal: this.signal });
  }

  /** Ask the judge; gives whether the rules accept the move. @param {any} actor @param {any} move @param {any} chance */
  async judge(actor, move, chance) {
    this.fault = null;
    try {
      const verdict = await call(`/v1/rulesets/${this.slug}/judge`, { body: { position: this.moment.position, actor, move, chance: chance ?? [], edition: this.edition }, signal: this.signal });
      if (verdict.verdict !== "accepted") throw new Problem(422, { ...verdict, detail: verdict.message, code: "refused" });
      this.steps = [...this.steps.slice(0, this.at), { actor, move, ...verdict }];
      this.at += 1;
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.take({ type: "refused", problem: error });
      this.fault = error.clause ? null : error.message;
      return false;
    }
  }

  /** @param {any} move */
  async move(move) {
    let chance = [];
    try {
      chance = this.luck.trim() ? JSON.parse(this.luck) : [];
    } catch {
      this.fault = say("judge.bad_json");
      return this.app.redraw();
    }
    if (!(await this.judge(this.actor, move, chance))) return this.app.redraw();
    this.luck = "";
    await this.show();
  }

  /** Look at a step of the line; what comes after it stays until another move is tried. @param {number | null} at */
  look(at) {
    this.at = Math.max(0, Math.min(at ?? this.steps.length, this.steps.length));
    void this.show().catch(this.app.fail);
  }

  /** The line goes into the address. */
  async write() {
    const steps = this.steps.map(({ actor, move, chance }) => ({ actor, move, chance }));
    const isOfGame = new URLSearchParams(location.search).has("game");
    const line = await packed(isOfGame ? { steps } : { position: this.first.position, steps });
    if (this.signal.aborted) return;
    const isPlain = isOfGame && !steps.length;
    this.link = line === null ? "" : `${location.origin}${location.pathname}${location.search}${isPlain ? "" : `#${line}`}`;
    if (this.link) history.replaceState(null, "", this.link);
    this.app.redraw();
  }

  /** A table with this position. */
  async playOn() {
    const { bots } = await call("/v1/bots"), wish = await freshTable({ ...this.hall, bots }, this.slug);
    const { position } = this.moment, others = Array(position.seats.length - 1).fill(wish.seats[1] ?? "open");
    this.hall = { bots, wish: { ...wish, seats: ["me", ...others], edition: this.edition ?? wish.edition, options: {}, position } };
    this.app.redraw();
  }
}

/** @param {App} app @param {string} slug @returns {Promise<import("./main.js").Page>} */
export async function openJudge(app, slug) {
  const trial = new Trial(app, slug);
  await account.known;
  void trial.begin().catch(app.fail);
  return {
    wide: true,
    name: () => say("judge.name", { title: trial.state.rules?.title ?? slug }),
    close: () => trial.ending.abort(),
    key: (event) => keys(trial, event),
    draw: () => (trial.state.game ? drawTrial(trial) : h("p", { class: "empty" }, say("loading"))),
  };
}

/** @param {Trial} trial */
function drawTrial(trial) {
  useTitle(trial.slug);
  const { state, hall, app } = trial, reader = readerOf(trial);
  if (hall.wish) return h("div", { class: "log-page" }, drawNewTable(app, hall));
  return h(
    "div",
    { class: "table judge", key: "judge" },
    h(
      "div",
      { class: "stage" },
      h("h1", { class: "unseen" }, say("judge.name", { title: state.rules.title })),
      drawActor(trial, reader),
      trial.fault && h("div", { class: "bar bad", role: "alert" }, trial.fault),
      frame(trial, drawBoard(trial, trial.moment.position, trial.at, reader.seats)),
      drawActions(trial, reader),
    ),
    h(
      "aside",
      { class: "side open", "aria-label": say("judge.line") },
      drawScrub({ at: trial.at, newest: trial.steps.length, isLive: trial.at === trial.steps.length, isEndHidden: false, commits: trial.steps, fresh: 0, look: (version) => trial.look(version) }),
      h("ol", { class: "log", id: "log", tabindex: 0, "aria-label": say("judge.line") }, trial.steps.length ? trial.steps.map((step, index) => drawStep(trial, step, index, reader)) : h("li", { class: "empty" }, say("judge.hint"))),
      drawTools(trial),
    ),
  );
}

/** @param {Trial} trial @param {import("./log.js").Reader} reader */
function drawActor(trial, reader) {
  const act = (/** @type {number | "referee"} */ actor) => () => ((trial.actor = actor), void trial.show(true));
  const button = (/** @type {number | "referee"} */ actor, /** @type {string} */ name) => h("button", { key: actor, "aria-pressed": String(trial.actor === actor), onclick: act(actor) }, h("bdi", null, name));
  return h(
    "div",
    { class: "row" },
    h("span", { class: "segments", role: "group", "aria-label": say("judge.actor") }, reader.seats.map(({ name }, seat) => button(seat, name)), button("referee", say("log.referee"))),
    h("select", { "aria-label": say("judge.any_move"), onchange: (/** @type {any} */ event) => event.target.selectedIndex && openFamily(trial, trial.forms[event.target.selectedIndex - 1].type) }, h("option", { selected: !trial.state.family }, say("judge.any_move")), trial.forms.map(({ type }) => h("option", { key: type, selected: trial.state.family === type }, title(type)))),
  );
}

/** @param {Trial} trial @param {Step} step @param {number} index @param {import("./log.js").Reader} reader */
function drawStep(trial, step, index, reader) {
  const again = () => ((trial.luck = JSON.stringify(step.chance)), (trial.at = index), (trial.actor = step.actor), void trial.show(true).then(() => ((trial.draft = step.move), trial.take({ type: "family", name: step.move.type }))));
  const name = step.actor === "referee" ? say("log.referee") : reader.seats[step.actor]?.name;
  return h(
    "li",
    { key: index, class: `entry${index + 1 === trial.at ? " here" : ""}` },
    h("button", { class: "quiet moment", "aria-label": say("log.moment", { version: index + 1 }), onclick: () => trial.look(index + 1) }, index + 1),
    h("div", null, h("p", { class: "deed" }, h("bdi", { class: "who" }, name), " ", sentence(step.move, reader)), h("ul", { class: "events" }, step.events.map((event, at) => h("li", { key: at }, sentence(event, reader)))), step.chance.length > 0 && h("button", { class: "quiet small", onclick: again }, say("judge.other_luck"))),
  );
}

/** @param {Trial} trial */
function drawTools(trial) {
  const { wanted, state } = trial, redraw = () => trial.app.redraw();
  const type = (/** @type {(text: string) => void} */ then) => (/** @type {any} */ event) => (then(event.target.value), redraw());
  const setUp = () => void trial.setUp().then(() => trial.show(), trial.app.fail);
  const use = () => {
    try {
      trial.use(JSON.parse(wanted.text));
    } catch {
      trial.fault = say("judge.bad_json");
    }
    void trial.show();
  };
  const area = (/** @type {string} */ name, /** @type {string} */ value, /** @type {(text: string) => void} */ then) => h("textarea", { class: "code wide", spellcheck: "false", "aria-label": say(name), value, oninput: type(then) });
  return h(
    "div",
    { class: "tools" },
    h("details", { open: trial.luck !== "" }, h("summary", null, say("judge.luck")), h("p", null, h("small", null, say("judge.luck_text"))), area("judge.luck", trial.luck, (text) => (trial.luck = text))),
    h("details", null, h("summary", null, say("judge.position")), area("judge.position", wanted.text, (text) => (wanted.text = text)), h("button", { onclick: use }, say("judge.use"))),
    h("details", null, h("summary", null, say("judge.new")), drawForm({ type: "object", properties: { seats: { type: "integer", minimum: state.rules.seats.min, maximum: state.rules.seats.max }, options: { ...state.rules.options } } }, wanted, (next) => (Object.assign(wanted, next), redraw()), state.rules.options), h("button", { onclick: setUp }, say("judge.set_up"))),
    h("label", { class: "field" }, h("span", { class: "label" }, say("judge.link")), copyable(trial.link || say("judge.too_long"))),
    h("p", { class: "row" }, account.me && h("button", { onclick: () => void trial.playOn().catch(trial.app.fail) }, say("judge.play_on")), h("a", { class: "button quiet", href: `/rules/${trial.slug}` }, say("menu.rules"))),
  );
}
