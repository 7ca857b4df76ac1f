// @ts-check
/** What comes to a table by the stream of its game. */
import { newest } from "./fold.js";
import { follow, sleep } from "./net.js";

/** @typedef {import("./fold.js").Legal} Legal */

const TRIES_MAX = 20;
const TRY_MS = 10;

/** Listens for a table. */
export class Ear {
  /** @param {import("./table.js").Seatside} table */
  constructor(table) {
    this.table = table;
    /** The legal moves that came with the newest commit. @type {Legal[]} */
    this.heard = [];
    /** Whether commits come by a stream; in the fifth tab they are asked for. */
    this.isStreaming = false;
  }

  listen() {
    const { table } = this;
    let offlineSince = 0, eyes = table.eyes().seat;
    const follower = {
      last: () => String(table.state.commits.length),
      query: () => ((this.isStreaming = true), { with: "view,text,legal", seat: (eyes = table.eyes().seat) }),
      message: (/** @type {import("./net.js").Message} */ { event, data }) => {
        if (event === "rewound" && data?.version < newest(table.state)) table.take({ type: "rewound", version: data.version });
        if (event === "commit" && data?.version === table.state.commits.length + 1) this.hear(data, eyes === table.eyes().seat);
        void table.refresh();
      },
      poll: () => ((this.isStreaming = false), table.refresh()),
      refused: (/** @type {import("./net.js").Problem} */ problem) => problem.status !== 401 && table.app.fail(problem),
      connected: (/** @type {boolean} */ is) => {
        if (is && offlineSince) void table.refresh();
        offlineSince = is ? 0 : offlineSince || Date.now();
        if (is !== table.state.isOnline) table.take({ type: "online", is });
      },
    };
    void follow(`/v1/games/${table.id}/events`, follower, table.signal);
  }

  /** Show a commit as soon as it comes. @param {import("./fold.js").Commit & {legal?: Legal[]}} commit @param {boolean} isOwn whether its view is for the eyes that look now */
  hear({ view, legal, ...commit }, isOwn) {
    this.heard = legal ?? [];
    this.table.take({ type: "commits", commits: [isOwn && view !== undefined ? { ...commit, view } : commit] });
  }

  /** Whether a version comes by the stream: at once, or the stream is broken. @param {number} version */
  async hears(version) {
    for (let tries = 0; this.isStreaming && this.table.state.commits.length < version && tries < TRIES_MAX; tries++) await sleep(TRY_MS);
    return this.isStreaming && this.table.state.commits.length >= version;
  }

  /** The legal moves of a seat at a version, if they have come. @param {number} seat @param {number} version */
  legal(seat, version) {
    return this.heard.find((each) => each.seat === seat && each.version === version);
  }
}
