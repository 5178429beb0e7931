/** A command that is silent for two seconds in its middle. */
export const silence = {
  name: "silence",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    right: {
      title: "2 s of silence in a command",
      better: "more",
      words: ["called complete too early", "complete, without a code", "complete, with its code"],
      isExact: true,
    },
    calls: { title: "calls for a command with 2 s of silence", unit: "calls", better: "less", isExact: true },
  },
  async measure({ peer }) {
    // What must be created once, such as a shell, is there before the count starts.
    await peer.run("echo ready");
    const callsBefore = peer.mcp.usage.calls;
    const { text, code } = await peer.run("echo first; sleep 2; echo second; (exit 5)", { limitMs: 15_000 });
    const calls = peer.mcp.usage.calls - callsBefore;
    // A terminal echoes the command itself.
    const isWhole = /^\s*(?:\[?[^\n]*\]?)?second\s*$/m.test(text.replaceAll("echo second", ""));
    return { right: isWhole ? (code === 5 ? 2 : 1) : 0, calls };
  },
};
