// @ts-check
/** The transparency log: signed checkpoints, and the proofs of a Merkle tree (RFC 9162). See docs/fairness.md. */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** What a checkpoint says, and who signed it; `isSigned` is null where the key or this browser cannot tell. @typedef {{origin: string, size: number, root: string, signers: string[], isSigned: boolean | null}} Checkpoint */

const encoder = new TextEncoder();
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

/** The bytes of a text in base64; none of any other text. @param {string} text @returns {Bytes} */
function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

/** @param {(Bytes | string)[]} parts @returns {Promise<Bytes>} */
const hash = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));

/** @param {Bytes} bytes */
const asText = (bytes) => btoa(String.fromCharCode(...bytes));

/** A signed checkpoint; null: it is none. @param {string} note @param {string} [vkey] the public key of the log @returns {Promise<Checkpoint | null>} */
export async function readCheckpoint(note, vkey = "") {
  const [, text, lines] = /^(\S+\n\d{1,15}\n[\w+/=]{44}\n)\n((?:— \S+ [\w+/=]+\n)+)$/.exec(note) ?? [];
  if (!text) return null;
  const [origin, size, root] = text.split("\n");
  const signatures = lines.trim().split("\n").map((line) => line.split(" ").slice(1));
  let isSigned = null;
  const [name, , key] = vkey.split(/\+(.{8})\+/);
  if (key) {
    const public_ = bytesOf(key), id = asText((await hash(`${name}\n`, public_)).slice(0, 4));
    const own = signatures.find(([signer, each]) => signer === name && asText(bytesOf(each).slice(0, 4)) === id);
    isSigned = own === undefined ? false : await verifies(public_.slice(1), bytesOf(own[1]).slice(4), text);
  }
  return { origin, size: Number(size), root, signers: signatures.map(([signer]) => signer), isSigned };
}

/** @param {Bytes} key @param {Bytes} signature @param {string} text @returns {Promise<boolean | null>} null: this browser knows no Ed25519 */
async function verifies(key, signature, text) {
  let own;
  try {
    own = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
  return crypto.subtle.verify("Ed25519", own, signature, encoder.encode(text));
}

/** Goes up a tree: each step joins what stands left or right of a node. @param {Bytes[]} found @param {number} index @param {number} size @param {string[]} proof @returns {Promise<string[] | null>} */
async function climb(found, index, size, proof) {
  let last = size - 1;
  const up = () => ([index, last] = [Math.floor(index / 2), Math.floor(last / 2)]);
  const [first, both] = [found[0], found.length > 1];
  let [inner, outer] = [first, found.at(-1) ?? first];
  if (both) while (index % 2) up();
  for (const each of proof) {
    if (last === 0) return null;
    const step = bytesOf(each);
    if (index % 2 || index === last) {
      [inner, outer] = [await hash(NODE, step, inner), await hash(NODE, step, outer)];
      while (index % 2 === 0 && index > 0) up();
    } else outer = await hash(NODE, outer, step);
    up();
  }
  return last === 0 ? [asText(inner), asText(outer)] : null;
}

/** The root to which a proof leads from a leaf; null: the proof does not fit the tree. @param {string} entry @param {number} index @param {number} size @param {string[]} proof */
export async function rootOf(entry, index, size, proof) {
  if (!(index >= 0 && index < size)) return null;
  return (await climb([await hash(LEAF, entry)], index, size, proof))?.[1] ?? null;
}

/** Whether a tree begins with an older one. @param {{size: number, root: string}} old @param {{size: number, root: string}} now @param {string[]} proof */
export async function continues(old, now, proof) {
  if (old.size === now.size) return old.root === now.root;
  if (old.size === 0) return true;
  const isWhole = Number.isInteger(Math.log2(old.size)), path = isWhole ? [old.root, ...proof] : proof;
  if (old.size > now.size || path.length === 0) return false;
  const first = bytesOf(path[0]), found = await climb([first, first], old.size - 1, now.size, path.slice(1));
  return found !== null && found[0] === old.root && found[1] === now.root;
}

/** How leaves name a game. @param {string} game */
export const tagOf = async (game) => Array.from((await hash(`game:${game}`)).slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
