/** The most frequent call of an agent: a short command, its output and its exit code. */
const TIMES = 10;

export const echo = {
  name: "echo",
  rounds: 5,
  metrics: {
    ms: { title: "`echo hi` with its exit code", unit: "ms", better: "less" },
    calls: { title: "calls for `echo hi`", unit: "calls", better: "less", isExact: true },
    code: { title: "exit code of `exit 3`", better: "more", words: ["not given", "given"], isExact: true },
  },
  async floor(peer) {
    return { ms: await peer.echo(TIMES) };
  },
  async measure({ peer, median }) {
    const took = [];
    const callsBefore = peer.mcp.usage.calls;
    for (let i = 0; i < TIMES; i += 1) {
      const startedMs = performance.now();
      const { text } = await peer.run("echo hi");
      took.push(performance.now() - startedMs);
      if (!text.includes("hi")) throw new Error(`echo hi printed ${JSON.stringify(text.slice(0, 200))}`);
    }
    const calls = Math.round((peer.mcp.usage.calls - callsBefore) / TIMES);
    const { code } = await peer.run("(exit 3)");
    return { ms: median(took), calls, code: code === 3 ? 1 : 0 };
  },
};
