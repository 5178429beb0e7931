/** A line to a running Python, and its answer. */
import { needs } from "../verdicts.mjs";

const TIMES = 5;

export const repl = {
  name: "repl",
  rounds: 5,
  metrics: {
    ms: { title: "a line to Python and its answer", unit: "ms", better: "less" },
    calls: { title: "calls for a line to Python", unit: "calls", better: "less" },
  },
  async measure({ peer, median, state }) {
    needs(peer, "open");
    state.python ??= (await peer.open("python3 -q", { until: ">>> ?$" })).id;
    const took = [];
    const callsBefore = peer.mcp.usage.calls;
    for (let i = 0; i < TIMES; i += 1) {
      state.number = (state.number ?? 0) + 1;
      const startedMs = performance.now();
      const expected = String(1_000_000 + state.number);
      // limpet knows when Python waits again, so it gets no pattern to wait for.
      const until = peer.knowsWhoWaits ? undefined : expected;
      const text = await peer.type(state.python, `1000000 + ${state.number}`, { until });
      took.push(performance.now() - startedMs);
      if (!text.includes(expected)) throw new Error(`Python answered ${JSON.stringify(text.slice(-200))}`);
    }
    return { ms: median(took), calls: (peer.mcp.usage.calls - callsBefore) / TIMES };
  },
};
