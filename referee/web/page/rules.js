// @ts-check
/** The rules of a title: clauses by section, and the rulings on what the printed rules leave open. */
import { h } from "./dom.js";
import { call } from "./net.js";
import { say } from "./words.js";

/** @param {import("./main.js").App} app @param {string} slug @returns {Promise<import("./main.js").Page>} */
export async function openRules(app, slug) {
  const rules = await call(`/v1/rulesets/${slug}`);
  let sought = "";
  const has = (/** @type {any} */ clause) => `${clause.id} ${clause.section} ${clause.text}`.toLowerCase().includes(sought.toLowerCase());
  const goTo = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ block: "center" });
  setTimeout(goTo, 50);
  const isCited = (/** @type {any} */ clause) => location.hash.slice(1) === clause.id;
  const sections = (/** @type {any[]} */ clauses) => [...Map.groupBy(clauses.filter(has), ({ section }) => section)];
  return {
    name: () => rules.title,
    draw: () =>
      h(
        "article",
        { class: "rules" },
        h("h1", null, rules.title),
        h("p", { class: "lead" }, say("rules.about", { version: rules.version, min: rules.seats.min, max: rules.seats.max })),
        h("input", { type: "search", "aria-label": say("rules.search"), placeholder: say("rules.search"), oninput: (/** @type {any} */ event) => ((sought = event.target.value), app.redraw()) }),
        sections([...rules.clauses, ...rules.rulings]).map(([section, clauses]) =>
          h("section", { key: section }, h("h2", null, section), h("dl", { class: "clauses" }, clauses.map((/** @type {any} */ clause) => h("div", { key: clause.id, id: clause.id, class: isCited(clause) ? "cited" : "" }, h("dt", null, h("a", { href: `#${clause.id}` }, clause.id)), h("dd", null, clause.text))))),
        ),
      ),
  };
}
