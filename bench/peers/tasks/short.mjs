/**
 * Many short commands that print some thousand bytes and exit at once: is the end of the output always there? Not
 * scaled, because fewer commands would not show an end that is lost once in a hundred times.
 */
const COMMANDS = 200;
const ENOUGH_MS = 45_000;
const COMMAND = "seq -f 'line %04g of a short command' 150; (exit 7)";
const LAST = "line 0150 of a short command";

export const short = {
  name: "short",
  rounds: 1,
  metrics: {
    lost: { title: "short commands whose last line is lost", unit: "%", better: "less" },
    wrong: { title: "short commands with a wrong exit code or none", unit: "%", better: "less" },
    count: { title: "short commands tried", unit: "commands", better: "more", isAside: true },
  },
  async measure({ peer }) {
    const deadlineMs = Date.now() + ENOUGH_MS;
    let [lost, wrong, count] = [0, 0, 0];
    while (count < COMMANDS && Date.now() < deadlineMs) {
      const { text, code } = await peer.run(COMMAND, { limitMs: 10_000 });
      count += 1;
      if (!text.includes(LAST)) lost += 1;
      if (code !== 7) wrong += 1;
    }
    return { lost: (100 * lost) / count, wrong: (100 * wrong) / count, count };
  },
};
