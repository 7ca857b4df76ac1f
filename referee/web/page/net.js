// @ts-check
/** Calls of the service: problems as errors, moves that are sent until they are answered, streams that resume, the referee's time. */

/** @typedef {{method?: string, body?: any, query?: {[name: string]: any}, headers?: {[name: string]: string}, signal?: AbortSignal}} Asked */

/** An answer that is not what was asked for; `code` is that of the service, or `offline`, or `nonsense`. */
export class Problem extends Error {
  /** @param {number} status @param {{[name: string]: any}} members */
  constructor(status, members) {
    super(members.detail ?? members.title ?? members.code);
    this.status = status;
    /** @type {string} */ this.code = members.code ?? "nonsense";
    /** @type {{[name: string]: any}} */ this.members = members;
    /** @type {string | undefined} */ this.clause = members.clause;
    /** @type {string | undefined} */ this.text = members.text;
    this.retryAfter = 0;
  }
  /** Whether nobody answered, or only something on the way. */
  get isUnanswered() {
    return ["offline", "nonsense"].includes(this.code) || [429, 502, 503, 504].includes(this.status);
  }
}

const NO_CONTENT = 204;
let key = "";
let ended = () => {};
/** @type {{offset: number, trip: number}[]} */
const samples = [];

/** The key that calls are made with. @param {string} value @param {() => void} whenEnded */
export function useKey(value, whenEnded) {
  key = value;
  ended = whenEnded;
}

/** The referee's time, as well as it is known. */
export const serverNow = () => Date.now() + (best()?.offset ?? 0);

/** Milliseconds that an answer needs one way. */
export const halfTrip = () => (best()?.trip ?? 0) / 2;

const best = () => samples.reduce((/** @type {typeof samples[0] | undefined} */ found, each) => (found && found.trip <= each.trip ? found : each), undefined);

/** @param {Response} answer @param {number} sent */
function measure(answer, sent) {
  const exact = Number(answer.headers.get("X-Server-Time"));
  const got = Date.now(), told = exact || Date.parse(answer.headers.get("Date") ?? "") + 500;
  if (!Number.isFinite(told)) return;
  samples.push({ offset: told - (sent + got) / 2, trip: got - sent });
  if (samples.length > 8) samples.shift();
}

/** Pause. @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
export const sleep = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

/** Text that nobody can guess and that occurs once. */
export const unique = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} path @param {Asked} asked */
function request(path, { method, body, query, headers, signal }) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return fetch(path + search, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { "Accept-Language": document.documentElement.lang, ...(key && { Authorization: `Bearer ${key}` }), ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    cache: "no-cache",
    credentials: "omit",
    signal,
  });
}

/** @param {any} error @param {AbortSignal} [signal] */
function lost(error, signal) {
  return signal?.aborted ? error : new Problem(0, { code: "offline", detail: String(error?.message ?? error) });
}

/** @param {Response} answer @param {boolean} isOwn whether the key of this browser was sent */
async function read(answer, isOwn = key !== "") {
  const text = await answer.text();
  let data = null;
  try {
    data = text === "" ? null : JSON.parse(text);
  } catch {
    throw new Problem(answer.status, { code: "nonsense", detail: `${answer.status} ${text.slice(0, 200)}` });
  }
  if (answer.ok && (data !== null || answer.status === 204)) return data;
  const problem = new Problem(answer.status, data !== null && typeof data === "object" ? data : { code: "nonsense" });
  problem.retryAfter = Number(answer.headers.get("Retry-After")) || 0;
  if (answer.status === 401 && isOwn) ended();
  throw problem;
}

/** What the service answers; raises a Problem. @param {string} path @param {Asked} [asked] @returns {Promise<any>} */
export async function call(path, asked = {}) {
  const sent = Date.now();
  let answer;
  try {
    answer = await request(path, asked);
    measure(answer, sent);
    return await read(answer, key !== "" && !asked.headers?.Authorization);
  } catch (error) {
    throw error instanceof Problem ? error : lost(error, asked.signal);
  }
}

/** The body of an answer as it is; raises a Problem. @param {string} path @param {AbortSignal} [signal] @returns {Promise<Blob>} */
export async function download(path, signal) {
  try {
    const answer = await request(path, { signal });
    if (!answer.ok) await read(answer);
    return await answer.blob();
  } catch (error) {
    throw error instanceof Problem ? error : lost(error, signal);
  }
}

/** Send until somebody answers: the same key makes it count once. @param {string} path @param {Asked} asked @param {(problem: Problem) => void} unanswered @returns {Promise<any>} */
export async function insist(path, asked, unanswered) {
  const headers = { ...asked.headers, "Idempotency-Key": unique() };
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(path, { ...asked, headers });
    } catch (error) {
      if (!(error instanceof Problem) || !error.isUnanswered || asked.signal?.aborted) throw error;
      unanswered(error);
      await backOff(attempt, error.retryAfter, asked.signal);
    }
  }
}

/** Wait 0.5, 1, 2, 4, then 8 seconds, but no longer than until the network is back or the page is seen. @param {number} attempt @param {number} least @param {AbortSignal} [signal] */
async function backOff(attempt, least, signal) {
  const soon = new AbortController();
  const wake = () => least || document.hidden || soon.abort();
  for (const name of ["online", "visibilitychange"]) addEventListener(name, wake, { signal: soon.signal, capture: true });
  signal?.addEventListener("abort", () => soon.abort(), { once: true });
  await sleep(Math.max(least * 1000, Math.min(500 * 2 ** attempt, 8000) * (0.8 + 0.4 * Math.random())), soon.signal);
  soon.abort();
}

const SILENCE_MS = 35_000;
const SLOTS = 4;

/** One of the few streams that a browser may hold: it opens six connections to a host, and calls need some. @param {() => Promise<void>} use @returns {Promise<boolean>} whether there was one */
async function withSlot(use) {
  if (!navigator.locks) return await use(), true;
  for (let at = 0; at < SLOTS; at++) {
    const had = await navigator.locks.request(`referee stream ${at}`, { ifAvailable: true }, async (lock) => (lock ? (await use(), true) : false));
    if (had) return true;
  }
  return false;
}

/** @typedef {{id: string | null, event: string, data: any}} Message */
/** @typedef {{last: () => string | null, query?: () => {[name: string]: any}, message: (message: Message) => void, connected: (is: boolean) => void, poll: () => Promise<void>, refused: (problem: Problem) => void}} Follower */

/** Follow a stream for good, as long as the page is seen. @param {string} path @param {Follower} follower @param {AbortSignal} signal */
export async function follow(path, follower, signal) {
  for (let attempt = 0; !signal.aborted; attempt++) {
    if (document.hidden) await seen(signal);
    try {
      let [heard, isOver] = [false, false];
      const had = await withSlot(async () => void (isOver = await listen(path, follower, signal, () => (heard = true))));
      if (isOver) return;
      if (!had) {
        await follower.poll();
        follower.connected(true);
        await sleep(1500, signal);
      }
      if (heard || !had) attempt = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && !error.isUnanswered && error.status < 500) return follower.refused(error);
    }
    if (signal.aborted) return;
    if (attempt) {
      follower.connected(false);
      void follower.poll(); // a proxy may cut streams only
    }
    await backOff(attempt, 0, signal);
  }
}

/** @param {AbortSignal} signal */
const seen = (signal) => new Promise((done) => ["visibilitychange"].forEach((name) => document.addEventListener(name, () => done(null), { once: true, signal })));

/** Returns whether the stream is over for good. @param {string} path @param {Follower} follower @param {AbortSignal} outer @param {() => void} heard */
async function listen(path, follower, outer, heard) {
  const own = new AbortController();
  const hidden = () => document.hidden && setTimeout(() => document.hidden && own.abort(), 5000);
  document.addEventListener("visibilitychange", hidden, { signal: own.signal });
  outer.addEventListener("abort", () => own.abort(), { once: true, signal: own.signal });
  let silence = setTimeout(() => own.abort(), SILENCE_MS);
  const last = follower.last();
  let reader;
  try {
    const answer = await request(path, { query: follower.query?.(), headers: { Accept: "text/event-stream", ...(last !== null && { "Last-Event-ID": last }) }, signal: own.signal });
    if (answer.status === NO_CONTENT) return true;
    if (!answer.ok || !answer.body) return void (await read(answer)), false;
    follower.connected(true);
    reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const part = await reader.read();
      if (part.done) return false;
      heard();
      clearTimeout(silence);
      silence = setTimeout(() => own.abort(), SILENCE_MS);
      const messages = (text + part.value).split("\n\n");
      text = messages.pop() ?? "";
      messages.forEach((message) => tell(message, follower));
    }
  } finally {
    clearTimeout(silence);
    reader?.cancel().catch(() => {});
    own.abort();
  }
}

/** @param {string} text @param {Follower} follower */
function tell(text, follower) {
  const fields = Object.fromEntries(text.split("\n").map((line) => line.split(/: ?(.*)/s)));
  if (fields.data) follower.message({ id: fields.id ?? null, event: fields.event ?? "message", data: JSON.parse(fields.data) });
}
