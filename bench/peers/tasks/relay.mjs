/** ssh puts the local terminal into raw mode and waits for keys, while the far program works. */
import { Unable } from "../verdicts.mjs";

const SECONDS = 3;

export const relay = {
  name: "relay",
  rounds: 1,
  isSideBySide: true,
  needs: ["sshd", "ssh"],
  metrics: {
    right: {
      title: "a program behind ssh that works is not taken for one that waits or has ended",
      better: "more",
      words: ["taken for it", "only after more calls", "one call"],
      isExact: true,
    },
  },
  async measure({ peer, sshConfig }) {
    if (sshConfig === undefined) throw new Unable("no sshd");
    const command = `ssh -tt -F ${sshConfig} zoo 'sleep ${SECONDS}; echo far-end'`;
    // What must be created once, such as a shell, is there before the count starts.
    await peer.run("echo ready");
    const callsBefore = peer.mcp.usage.calls;
    const { text, isOver } = await peer.run(command, { limitMs: 20_000 });
    const calls = peer.mcp.usage.calls - callsBefore;
    const isMistaken = !text.includes("far-end") || (/wait\w* for (?:\w+ )?input/i.test(text) && !isOver);
    return { right: isMistaken ? 0 : calls > 1 ? 1 : 2 };
  },
};
