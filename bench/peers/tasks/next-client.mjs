/** A client ends, as when a person restarts it: what does the next client still see? */
import { needs } from "../verdicts.mjs";

export const nextClient = {
  name: "next-client",
  rounds: 1,
  isSideBySide: true,
  startsItself: true,
  metrics: {
    seen: {
      title: "what the next client sees of a running program",
      better: "more",
      words: ["nothing", "the session", "the session and its output"],
      isExact: true,
    },
  },
  async measure({ startPeer, mark }) {
    const peer = await startPeer();
    needs(peer, "open");
    const word = `seen-${mark}`;
    const { id } = await peer.open(`echo ${word}; sleep 100`, { until: word });
    if (peer.leave) await peer.leave();
    else await peer.mcp.end?.();
    const next = await startPeer();
    try {
      const list = (await next.list?.()) ?? "";
      const isListed = list.includes(word) || list.includes(String(id?.session ?? id));
      const output = isListed ? ((await (next.find ?? next.screen)?.(id, word)) ?? "") : "";
      return { seen: !isListed ? 0 : output.includes(word) ? 2 : 1 };
    } finally {
      await next.end();
      await peer.end();
    }
  },
};
