/** Commands that break a marker typed after them. After each, the next command must work. */
const CASES = [
  { command: "echo out-$((40 + 2)) # a comment at the end", expect: /out-42/ },
  { command: "cat <<'X'\nin-a-heredoc\nX", expect: /in-a-heredoc/ },
  { command: "echo 'an open quote", expect: undefined },
];
const LIMIT_MS = 6_000;

export const syntax = {
  name: "syntax",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    right: {
      title: "of 3 awkward commands (comment, heredoc, open quote), those after which the next one works",
      unit: "of 3",
      better: "more",
      isExact: true,
    },
  },
  async measure({ peer }) {
    let right = 0;
    for (const [index, { command, expect }] of CASES.entries()) {
      try {
        const { text } = await peer.run(command, { limitMs: LIMIT_MS });
        const next = await peer.run(`echo next-$((${index} + 10))`, { limitMs: LIMIT_MS });
        if ((expect === undefined || expect.test(text)) && next.text.includes(`next-${index + 10}`)) right += 1;
      } catch {
        // No answer in time: this one does not count as right.
      }
    }
    return { right };
  },
};
