/** Two bytes begin a control string that never ends: is what follows still shown? And the end of a very long line? */
export const hidden = {
  name: "hidden",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    shown: {
      title: "output after two bytes (`ESC X`) that begin an endless control string",
      better: "more",
      words: ["hidden", "shown"],
      isExact: true,
    },
    end: { title: "the end of a line of 300,000 characters", better: "more", words: ["cut", "kept"], isExact: true },
  },
  async measure({ peer }) {
    const odd = await peer.run("printf 'before\\n\\033Xsecret text\\n'; echo still-$((1 + 1))-shown", {
      limitMs: 8_000,
    });
    const long = "head -c 300000 /dev/zero | tr '\\0' x; echo THE-$((1 + 1))-END";
    const line = await peer.run(long, { limitMs: 8_000 });
    return { shown: odd.text.includes("still-2-shown") ? 1 : 0, end: line.text.includes("THE-2-END") ? 1 : 0 };
  },
};
