/** Processes that still run after a session was closed, and after the server was killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterReaping, endAll, pidsWith } from "../rooms.mjs";
import { needs } from "../verdicts.mjs";

const STARTED = 3;

export const survivors = {
  name: "survivors",
  rounds: 1,
  isSideBySide: true,
  startsItself: true,
  metrics: {
    afterClose: { title: "of 3 processes, alive after close", unit: "processes", better: "less", isExact: true },
    afterKill: {
      title: "of 3 processes, alive and out of reach after `kill -9` of the server",
      unit: "processes",
      better: "less",
      isExact: true,
    },
  },
  async measure({ startPeer, mark }) {
    return {
      afterClose: await rest(`${mark}a`, startPeer, async (peer, id) => {
        // Without a way to close a session, only the end of the client ends it.
        await peer.close?.(id);
        await peer.end();
      }),
      afterKill: await rest(`${mark}b`, startPeer, async (peer, id, word) => {
        peer.kill();
        const next = await startPeer();
        // What the next client can still see, it can also end.
        const list = (await next.list?.()) ?? "";
        await afterReaping(() => pidsWith(word));
        const isReached = list.includes(word) || list.includes(String(id?.session ?? id));
        await next.end();
        return isReached;
      }),
    };
  },
};

/** Starts a daemon, a program under nohup, and one that ignores signals; all can be found by `word`. */
async function rest(word, startPeer, stop) {
  const peer = await startPeer();
  needs(peer, "open");
  const find = () => pidsWith(word);
  const idle = (how) => `${how} sh -c 'while :; do sleep 1; done; : ${word}' >/dev/null 2>&1 &`;
  const proof = `(trap "" TERM HUP INT; exec sh -c 'while :; do sleep 1; done; : ${word}') >/dev/null 2>&1 &`;
  try {
    const { id } = await peer.open(`${idle("setsid")} ${idle("nohup")} ${proof} echo started; sleep 100`, {
      until: "started",
    });
    await settled(find);
    const isReached = await stop(peer, id, word);
    return isReached ? 0 : Math.min(STARTED, (await afterReaping(find)).filter((pid) => pid > 0).length);
  } finally {
    await endAll(find);
  }
}

async function settled(find) {
  for (let tries = 0; tries < 60 && find().length < STARTED; tries += 1) await sleep(50);
}
