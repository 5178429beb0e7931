// The speed of the cleaner, compared with the minimum that anyone does: decode, and strip colours with one regular
// expression.
import { Cleaner } from "../dist/entries/text.js";

const SIZE = 32 * 1024 * 1024;
const CHUNK = 64 * 1024;
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07/g;

const ordinary = "2026-01-01T00:00:00Z INFO  worker: handled request 8412 in 12 ms, 3 rows, status 200";
const inputs = {
  "plain, LF": `${ordinary}\n`,
  "plain, CRLF": `${ordinary}\r\n`,
  "coloured build log":
    "\x1b[2m[12/40]\x1b[0m \x1b[32m✓\x1b[0m compiled \x1b[1msrc/output/clean.ts\x1b[22m in \x1b[33m12 ms\x1b[39m\r\n",
  "UTF-8 text": "größer als zuvor – 世界のニュース, naïve café …\r\n",
  "progress bar, CR": `\r 42%|${"█".repeat(20)}          | 42/100 [00:01<00:02, 31.2it/s]`,
  "progress area": "\x1b[3A\x1b[2K\ra: pulling 3 MB\n\x1b[2K\rb: pulling 4 MB\n\x1b[2K\rc: waiting\n",
  "one endless line": "abcdefgh",
  "erase and insert": "\x1b[5D\x1b[@x\x1b[1K\x1b[P",
  "colours only": "\x1b[0;1;38;2;10;20;30m",
};

for (const [name, unit] of Object.entries(inputs)) {
  const piece = Buffer.from(unit.repeat(Math.ceil((1024 * 1024) / unit.length)));
  const bytes = Buffer.concat(Array(Math.ceil(SIZE / piece.length)).fill(piece));
  const ours = best(() => run(bytes));
  const strip = best(() => stripOnly(bytes));
  const rate = (ms) => `${(bytes.length / 1e3 / ms).toFixed(0)} MB/s`.padStart(10);
  console.log(`${name.padEnd(20)} ours ${rate(ours)}   decode + strip ${rate(strip)}   ${(strip / ours).toFixed(2)} x`);
}

function run(bytes) {
  const cleaner = new Cleaner();
  let length = 0;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    cleaner.push(bytes.subarray(at, at + CHUNK));
    if (cleaner.pendingBytes > 1_000_000) length += cleaner.take().text.length;
  }
  return length + cleaner.take().text.length;
}

function stripOnly(bytes) {
  let length = 0;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    length += bytes.toString("utf8", at, Math.min(at + CHUNK, bytes.length)).replace(ANSI, "").length;
  }
  return length;
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
