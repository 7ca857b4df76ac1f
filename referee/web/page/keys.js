// @ts-check
/** Who I am: my keys with scopes and ends, new keys, revoking them, and the built-in bots. */
import { account, forgetMe } from "./account.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";
import { call } from "./net.js";
import { say, title } from "./words.js";

/** @typedef {import("./fold.js").Api} Api */

/** @type {Api["Scope"][]} */
const SCOPES = ["play", "watch", "audit", "admin"];

/** @param {import("./main.js").App} app @returns {Promise<import("./main.js").Page>} */
export async function openKeys(app) {
  await account.known;
  /** @type {{me: Api["Me"] | null, keys: Api["Key"][], bots: Api["BuiltInBot"][], titles: Api["Title"][], made: Api["NewKeyAnswer"] | null}} */
  const found = { me: null, keys: [], bots: [], titles: [], made: null };
  /** The first key, if it was typed here: only it can revoke all others. It is kept in memory, as long as this page is open. */
  let strong = account.first ?? "";
  const as = () => (strong ? { headers: { Authorization: `Bearer ${strong}` } } : {});
  const read = async () => {
    const [me, keys, bots, rulesets] = await Promise.all([account.me && call("/v1/me", as()), account.me && call("/v1/keys", as()), call("/v1/bots"), call("/v1/rulesets")]);
    Object.assign(found, { me, keys: keys?.keys ?? [], bots: bots.bots, titles: rulesets.rulesets });
    app.redraw();
  };
  /** @param {() => Promise<any>} what */
  const act = (what) => () => void what().then(read).catch(app.fail);
  const revoke = (/** @type {any} */ key) => call(`/v1/keys/${key.id}`, { method: "DELETE", ...as() });
  const isDevice = (/** @type {any} */ key) => key.label === say("account.device");
  const everywhere = async () => {
    for (const key of found.keys.filter(isDevice)) await revoke(key);
    strong = "";
    await forgetMe(false);
    app.go("/");
  };
  const submit = (/** @type {(form: FormData) => Promise<any>} */ then) => (/** @type {any} */ event) => (event.preventDefault(), void then(new FormData(event.target)).then(read).catch((error) => ((strong = account.first ?? ""), app.fail(error))));
  const make = async (/** @type {FormData} */ form) => {
    const days = Number(form.get("days"));
    const expires_at = days ? new Date(Date.now() + days * 86_400_000).toISOString() : null;
    found.made = await call("/v1/keys", { body: { label: String(form.get("label")), scopes: form.getAll("scopes"), expires_at }, ...as() });
  };
  await read();
  return {
    name: () => say("keys.title"),
    draw: () =>
      h(
        "article",
        { class: "lobby" },
        h("h1", null, say("keys.title")),
        found.me ? h("p", { class: "lead" }, h("bdi", null, found.me.player.name), " ", h("code", { class: "code" }, found.me.player.id)) : h("p", { class: "lead" }, say("keys.nobody")),
        found.me && h("section", null, h("h2", null, say("keys.mine")), h("ul", { class: "games" }, found.keys.map((key) => h("li", { key: key.id, class: "game key" }, h("b", null, key.label || say("keys.first")), h("span", null, key.scopes.join(", ")), h("small", null, key.expires_at ? say("keys.until", { at: key.expires_at.slice(0, 10) }) : say("keys.no_end"), " ", found.me?.key.id === key.id && say("keys.this")), h("button", { class: "grave", "aria-label": say("keys.revoke_one", { what: key.label || key.id }), onclick: act(() => revoke(key)) }, say("keys.revoke")))))),
        found.made && h("aside", { class: "notice" }, h("p", null, say("keys.shown_once")), copyable(found.made.key, say("keys.new"))),
        found.me && h("section", null, h("h2", null, say("keys.new")), h("form", { class: "row", onsubmit: submit(make) }, h("input", { name: "label", maxlength: 80, "aria-label": say("keys.label"), placeholder: say("keys.label") }), h("input", { name: "days", inputmode: "numeric", size: 5, "aria-label": say("keys.days"), placeholder: say("keys.days") }), SCOPES.filter((scope) => found.me?.key.scopes.includes(scope)).map((scope) => h("label", { class: "switch", key: scope }, h("input", { type: "checkbox", name: "scopes", value: scope, checked: scope === "play" }), scope)), h("button", { class: "primary" }, say("keys.make")))),
        found.me && h("section", null, h("h2", null, say("keys.everywhere")), h("p", { class: "lead" }, say("keys.everywhere_text")), strong ? h("button", { class: "grave", onclick: act(everywhere) }, say("keys.everywhere")) : h("form", { class: "row", onsubmit: submit(async (form) => void (strong = String(form.get("key")).trim())) }, h("input", { name: "key", class: "code wide", autocomplete: "off", required: true, "aria-label": say("account.first_key"), placeholder: "rk_…" }), h("button", null, say("keys.unlock")))),
        h("section", null, h("h2", null, say("keys.bots")), h("p", { class: "lead" }, say("keys.bots_text"), " ", h("a", { href: "/guides/bots" }, say("keys.bots_guide"))), h("dl", { class: "clauses" }, found.bots.map((bot) => h("div", { key: bot.name }, h("dt", null, title(bot.name)), h("dd", { lang: "en" }, bot.description, h("br"), h("small", null, bot.rulesets.map((slug) => found.titles.find((each) => each.slug === slug)?.title ?? slug).join(" · "))))))),
      ),
  };
}
