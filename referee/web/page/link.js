// @ts-check
/** What a link carries behind its `#`: JSON, deflated, in letters that addresses allow. Nothing of it is sent to a server. */

/** What a link may hold after inflating; a few bytes can inflate to gigabytes. */
export const INFLATED_MAX = 256 * 1024;

/** Whether a value is nested no deeper than the service accepts. @param {any} value @param {number} [depth] @returns {boolean} */
export const isShallow = (value, depth = 60) => value === null || typeof value !== "object" || (depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1)));

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream @param {number} most @returns {Promise<Uint8Array<ArrayBuffer> | null>} null: it is more than that */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    size += value.length;
    if (size > most) return void reader.cancel().catch(() => {}), null;
  }
}

/** @param {any} value @returns {Promise<string | null>} null: it is too much for a link */
export async function packed(value) {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const bytes = text.length > INFLATED_MAX ? null : await through(text, new CompressionStream("deflate-raw"), Infinity);
  return bytes && btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What was packed; undefined: this is no such link. @param {string} text @returns {Promise<any>} */
export async function unpacked(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const found = await through(bytes, new DecompressionStream("deflate-raw"), INFLATED_MAX);
    return found ? JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(found)) : undefined;
  } catch {
    return undefined;
  }
}
