// @ts-check
/** Who plays here: a name makes a player, and this browser keeps a key of its own that ends and can be revoked. */
import { asFile, copyable } from "./copy.js";
import { h } from "./dom.js";
import * as keep from "./keep.js";
import { call, insist, useKey } from "./net.js";
import { say } from "./words.js";

/** @typedef {{id: string, name: string, bot: boolean}} Player */

const DAYS = 90;

export const account = {
  /** @type {Player | null} */ me: null,
  /** The first key, until it was put away. @type {string | null} */ first: null,
  /** Whether the key of this browser has ended. */ ended: false,
  /** Called when it does. */ whenEnded: () => {},
  /** Done when it is known who plays here, or that it cannot be found out now. */ known: Promise.resolve(),
};

/** @param {string} key */
function use(key) {
  useKey(key, () => {
    if (!account.me) return;
    account.me = null;
    account.ended = true;
    keep.forget("key");
    useKey("", () => {});
    account.whenEnded();
  });
}

/** Find out who this browser is; ask until somebody answers. @param {() => void} changed */
export async function recall(changed) {
  const key = keep.read("key");
  if (typeof key !== "string") return;
  account.me = keep.read("player") ?? { id: "", name: "", bot: false };
  use(key);
  const { player } = await insist("/v1/me", {}, () => {});
  account.me = player;
  changed();
}

/** Make a player of a name, and a key for this browser. @param {string} name @param {boolean} stay */
export async function begin(name, stay) {
  useKey("", () => {});
  const { player, key } = await call("/v1/players", { body: { name } });
  use(key);
  account.first = key;
  await signIn(player, stay);
}

/** Come back with a key that was put away. @param {string} key @param {boolean} stay */
export async function comeBack(key, stay) {
  useKey(key, () => {});
  const { player } = await call("/v1/me");
  await signIn(player, stay);
}

/** @param {Player} player @param {boolean} stay */
async function signIn(player, stay) {
  const expires_at = new Date(Date.now() + DAYS * 86_400_000).toISOString();
  const device = await call("/v1/keys", { body: { scopes: ["play"], label: say("account.device"), expires_at } });
  keep.write("key", device.key, stay);
  keep.write("key id", device.id, stay);
  keep.write("player", player, stay);
  account.me = player;
  account.ended = false;
  use(device.key);
}

/** Revoke this browser's key, then forget it. @param {boolean} [isValid] whether the key is still to be revoked */
export async function forgetMe(isValid = true) {
  const id = keep.read("key id");
  try {
    if (id && isValid) await call(`/v1/keys/${id}`, { method: "DELETE" });
  } finally {
    for (const name of ["key", "key id", "player"]) keep.forget(name);
    useKey("", () => {});
    account.me = account.first = null;
  }
}

/** The first key, shown once. @param {() => void} redraw */
export function firstKeyNotice(redraw) {
  const key = account.first;
  if (!key) return null;
  return h(
    "aside",
    { class: "notice", key: "first-key", "aria-label": say("account.first_key") },
    h("p", null, say("account.first_key_text")),
    h(
      "p",
      { class: "row" },
      copyable(key, say("account.first_key")),
      asFile(key, "referee-key.txt", say("account.save")),
      h("button", { onclick: () => ((account.first = null), redraw()) }, say("account.put_away")),
    ),
  );
}
