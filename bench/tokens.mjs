// The tokens that a model reads of each recording: raw; stripped of colours and cut to 10,000 tokens; and cleaned by
// limpet, uncut.
import { readFileSync } from "node:fs";
import { Cleaner, foldRepeats, truncateMiddle } from "../dist/entries/text.js";

const BUDGET_BYTES = 40_000;
const ANSI = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]/g;
const corpus = new URL("../test/corpus/", import.meta.url);
const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);

const rows = JSON.parse(readFileSync(new URL("corpus.json", corpus), "utf8")).map(({ name, matters }) => {
  const raw = readFileSync(new URL(`${name}.raw`, corpus));
  const stripped = truncateMiddle(raw.toString().replace(ANSI, ""), BUDGET_BYTES).text;
  const cleaner = new Cleaner({ cols: 100, rows: 30 });
  cleaner.push(raw);
  cleaner.end();
  const ours = foldRepeats(cleaner.take().text).text;
  return {
    case: name,
    raw: Math.ceil(raw.length / 4),
    "strip, truncate": tokens(stripped),
    ours: tokens(ours),
    "ours / raw": (tokens(ours) / Math.ceil(raw.length / 4)).toFixed(3),
    "line kept by strip": stripped.includes(matters),
    "line kept by us": ours.includes(matters),
  };
});
const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
console.table(rows);
const total = `raw ${sum("raw")}, strip and truncate ${sum("strip, truncate")}, ours ${sum("ours")}`;
console.log(`Sum: ${total}; ours / raw = ${(sum("ours") / sum("raw")).toFixed(3)} (to hold: 0.35)`);

await import("./answer-tokens.mjs");
