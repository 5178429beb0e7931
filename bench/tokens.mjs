// The tokens that a model reads of each recording: raw; stripped of colours and cut to 10,000 tokens; and cleaned and
// folded by limpet, uncut. Two tables, because lines that differ in a number are folded only in a text that does not fit
// its budget.
import { readFileSync } from "node:fs";
import { Cleaner, foldRepeats, truncateMiddle } from "../dist/entries/text.js";

const BUDGET_BYTES = 40_000;
const ANSI = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]/g;
const corpus = new URL("../test/corpus/", import.meta.url);
const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);
const recordings = JSON.parse(readFileSync(new URL("corpus.json", corpus), "utf8"));

function table(title, fold) {
  const rows = recordings.map(({ name, matters }) => {
    const raw = readFileSync(new URL(`${name}.raw`, corpus));
    const stripped = truncateMiddle(raw.toString().replace(ANSI, ""), BUDGET_BYTES).text;
    const cleaner = new Cleaner({ cols: 100, rows: 30 });
    cleaner.push(raw);
    cleaner.end();
    const ours = fold(cleaner.take().text);
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
  console.log(title);
  console.table(rows);
  const total = `raw ${sum("raw")}, strip and truncate ${sum("strip, truncate")}, ours ${sum("ours")}`;
  console.log(`Sum: ${total}; ours / raw = ${(sum("ours") / sum("raw")).toFixed(3)}`);
}

const equal = (text) => foldRepeats(text, { lines: "equal" }).text;
const alike = (text) => foldRepeats(text).text;
table("With the default budget of 10,000 tokens: only what does not fit has different lines folded", (text) =>
  Buffer.byteLength(equal(text)) <= BUDGET_BYTES ? equal(text) : alike(text),
);
table("With a budget that nothing fits: different lines are folded, uncut (to hold: ours / raw at most 0.35)", alike);
