/** 100 MB of numbered lines, until the end is known. */
const BYTES = 100_000_000;
const LIMIT_MS = 60_000;
const LINE_BYTES = 80;

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
    const lastLine = String(Math.ceil(bytes / (512 * LINE_BYTES)) * 512 - 1).padStart(10, "0");
    const startedMs = performance.now();
    const { text, isOver } = await peer.run(`${producer} lines ${bytes}`, { limitMs: LIMIT_MS });
    const seconds = (performance.now() - startedMs) / 1000;
    if (!isOver) throw new Error(`no end within ${LIMIT_MS / 1000} s`);
    const isGiven = text.includes(lastLine.slice(0, 10)) || lastNumber(text) * LINE_BYTES >= bytes - LINE_BYTES * 2;
    return { rate: bytes / 1e6 / seconds, end: isGiven ? 1 : 0 };
  },
};

function lastNumber(text) {
  const numbers = [...text.slice(-20_000).matchAll(/\b(\d{10})\b/g)];
  return Number(numbers.at(-1)?.[1] ?? 0);
}
