/**
 * Runs one kind of work with every contender, round by round, so that other work on the machine affects all equally.
 */
import { floorProgram } from "../floor.mjs";
import { tokensOf } from "./mcp-peer.mjs";
import { median } from "./median.mjs";
import { closeRoom, openRoom, residentBytes } from "./rooms.mjs";
import { Unable } from "./verdicts.mjs";
import { withLimit } from "./with-limit.mjs";

const START_MS = 60_000;
const ROUND_MS = 180_000;
const END_MS = 10_000;
/** Contenders at once, for works that measure no time and mostly wait. */
const AT_ONCE = 3;

/** `{ [contender]: { samples: [{…}], failure?, notes } }` of a work. */
export async function compare(work, { entrants, watch, scale, rounds, sshConfig, progress }) {
  const results = new Map();
  const open = [];
  for (const entrant of entrants) {
    const { isFloor, works } = entrant.contender;
    if ((isFloor && !work.floor) || (works && !works.includes(work.name))) continue;
    results.set(entrant.contender.name, { samples: [], notes: [] });
    open.push({ ...entrant, result: results.get(entrant.contender.name), state: {}, isOut: false });
  }
  const scaled = (count) => Math.max(1, Math.round(count * scale));
  try {
    const last = Math.min(rounds, work.rounds) - 1;
    for (let round = 0; round <= last; round += 1) {
      // Each round starts with another contender.
      const turn = open.map((_, index) => open[(index + round) % open.length]);
      await sideBySide(turn, work.isSideBySide ? AT_ONCE : 1, async (at) => {
        if (!at.isOut) await oneRound(work, at, { watch, scaled, sshConfig, progress });
        if (round === last) await leave(at);
      });
    }
  } finally {
    for (const at of open) await leave(at);
  }
  return Object.fromEntries(results);
}

/** Runs `act` for all items, at most `size` of them at once. */
async function sideBySide(items, size, act) {
  const queue = [...items];
  const takeNext = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: size }, takeNext));
}

async function oneRound(work, at, { watch, scaled, sshConfig, progress }) {
  const { contender, result } = at;
  const startedMs = Date.now();
  try {
    if (work.startsItself || work.isFresh) await leave(at);
    at.room ??= openRoom(watch);
    // Only the work `start` measures a cold start. All others are measured as in the middle of a conversation.
    const warmth = { isWarm: work.name !== "start" };
    const startPeer = () => withLimit(contender.start(at.room, at.installed ?? {}, warmth), START_MS, "the start");
    if (!work.startsItself) at.peer ??= await startPeer();
    const stage = {
      contender,
      peer: at.peer,
      state: at.state,
      mark: at.room.mark,
      scaled,
      median,
      tokensOf,
      sshConfig,
      producer: floorProgram("producer"),
      residentBytes: () => residentBytes(at.room),
      getTools: () => at.peer.mcp.tools,
      note: (line) => result.notes.push(line),
      async startPeer() {
        at.peer = await startPeer();
        return at.peer;
      },
    };
    const measured = contender.isFloor ? work.floor(at.peer, stage) : work.measure(stage);
    const sample = await withLimit(measured, ROUND_MS, work.name);
    result.samples.push(sample);
    progress(`${work.name}, ${contender.name}: ${JSON.stringify(sample)}`);
    if (Date.now() - startedMs > (work.enoughMs ?? ROUND_MS)) at.isOut = true;
  } catch (error) {
    at.isOut = true;
    if (error instanceof Unable) result.unable = error.message;
    else result.failure = error.message.slice(0, 300);
    progress(`${work.name}, ${contender.name}: ${error.message.slice(0, 300)}`);
    await leave(at);
  }
}

async function leave(at) {
  const { peer, room } = at;
  at.peer = undefined;
  at.room = undefined;
  at.state = {};
  if (peer) await withLimit(peer.end(), END_MS, "the end").catch(() => peer.kill());
  if (room) await closeRoom(room);
}
