/** 100 MB of numbered lines, until the end is known. */
const BYTES = 100_000_000;
const LIMIT_MS = 40_000;
const LINE_BYTES = 80;
/** Of the program that prints the lines. */
const EXIT_CODE = 7;

export const flood = {
  name: "flood",
  rounds: 3,
  /** A round of this length is not repeated. */
  enoughMs: 15_000,
  metrics: {
    rate: { title: "100 MB of lines", unit: "MB/s", better: "more" },
    end: { title: "last line of 100 MB is given", better: "more", words: ["no", "yes"], isExact: true },
  },
  async floor(peer, { scaled }) {
    const bytes = scaled(BYTES);
    return { rate: bytes / 1e6 / (await peer.flood(bytes)) };
  },
  async measure({ peer, scaled, producer }) {
    const bytes = scaled(BYTES);
    const lastLine = String(Math.floor(bytes / LINE_BYTES) - 1).padStart(10, "0");
    const startedMs = performance.now();
    const { text, code, isOver } = await peer.run(`${producer} lines ${bytes}`, { limitMs: LIMIT_MS });
    const seconds = (performance.now() - startedMs) / 1000;
    if (!isOver) throw new Error(`no end within ${LIMIT_MS / 1000} s`);
    const isGiven = new RegExp(`(?<!\\d)${lastLine}`).test(text);
    // A contender that stops the command at the first megabyte is fast, but has not done the work.
    if (!isGiven && code !== EXIT_CODE) throw new Error(`did not run to its end: ${text.slice(-100)}`);
    return { rate: bytes / 1e6 / seconds, end: isGiven ? 1 : 0 };
  },
};
