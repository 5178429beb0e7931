/** A program that never stops printing, and the memory of everything that serves it. */
import { setTimeout as sleep } from "node:timers/promises";
import { needs } from "../verdicts.mjs";

const SECONDS = 10;
const SAMPLE_EVERY_MS = 200;
const ANSWER_MS = 5_000;

export const endless = {
  name: "endless",
  rounds: 1,
  isFresh: true,
  metrics: {
    mb: { title: "memory added by 10 s of endless output", unit: "MB", better: "less" },
    ms: { title: "`echo hi` beside endless output", unit: "ms", better: "less" },
  },
  async measure({ peer, residentBytes }) {
    needs(peer, "open");
    await peer.run("echo ready");
    const before = residentBytes();
    let most = before;
    const sampler = setInterval(() => {
      most = Math.max(most, residentBytes());
    }, SAMPLE_EVERY_MS);
    try {
      const { id } = await peer.open("yes 'a line that comes again and again, and again'");
      await sleep(SECONDS * 1000);
      const startedMs = performance.now();
      const { text } = await peer.run("echo still-here", { limitMs: ANSWER_MS });
      const ms = performance.now() - startedMs;
      most = Math.max(most, residentBytes());
      await peer.close?.(id);
      if (!text.includes("still-here")) throw new Error("does not answer beside endless output");
      return { mb: (most - before) / 2 ** 20, ms };
    } finally {
      clearInterval(sampler);
    }
  },
};
