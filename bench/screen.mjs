// The cost of the screen: catching up, compared with the bare library; a snapshot; the memory of a hundred screens.
import xterm from "@xterm/headless";
import { screenOf } from "../dist/entries/screen.js";
import { openSession } from "../dist/entries/session.js";
import { scriptedTransport } from "../dist/entries/transport.js";
import { importSource } from "../scripts/import-source.mjs";
import { alternate, median, ratios, report, scaled } from "./measure.mjs";

const { Drawing } = await importSource("screen/drawing/drawing.ts");
const { takeSnapshot } = await importSource("screen/take-snapshot.ts");

const MEGABYTE = 1024 * 1024;
const BYTES = scaled(8 * MEGABYTE);
const SCREENS = 100;
const SIZE = { cols: 80, rows: 24 };

const ordinary = "2026-01-01T00:00:00Z INFO  worker: handled request 8412 in 12 ms, 3 rows, status 200";
const INPUTS = {
  "plain lines": `${ordinary}\r\n`,
  "coloured build log":
    "\x1b[2m[12/40]\x1b[0m \x1b[32m✓\x1b[0m compiled \x1b[1msrc/output/clean.ts\x1b[22m in \x1b[33m12 ms\x1b[39m\r\n",
  "full-screen redraws": Array.from(
    { length: 24 },
    (_, row) => `\x1b[${row + 1};1H\x1b[K\x1b[38;5;${row}m${row} worker ${row * 7} \x1b[7m idle \x1b[27m 0.${row}%`,
  ).join(""),
  "UTF-8 text": "größer als zuvor – 世界のニュース, naïve café …\r\n",
};
const rate = (ms) => `${(BYTES / 1e3 / ms).toFixed(0)} MB/s`;

report(await catchingUp());
report(await snapshots());
report(await memory());

async function catchingUp() {
  const rows = [];
  for (const [name, unit] of Object.entries(INPUTS)) {
    const bytes = Buffer.alloc(BYTES, unit);
    const session = sessionWith(bytes);
    const ours = () => timed(async () => await drawn(session));
    const floor = () => timed(() => bare(bytes));
    const found = await alternate({ name, rounds: 5, ours, floor, show: rate, floorName: "bare library" });
    const speed = bytes.length / 1e3 / median(found.ours);
    rows.push({
      figure: `catching up, ${name}`,
      ours: `${speed.toFixed(0)} MB/s`,
      floor: rate(median(found.floor)),
      ratio: median(ratios(found.ours, found.floor)),
      target: ">= 20 MB/s",
      isMet: speed >= 20,
    });
  }
  return rows;
}

async function drawn(session) {
  const drawing = new Drawing(session, { scrollback: 200 });
  await drawing.catchUp();
  drawing.terminal.dispose();
}

/** The same bytes without our limits, all at once. */
function bare(bytes) {
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: 200, logLevel: "off" });
  for (let at = 0; at < bytes.length; at += 128 * 1024) terminal._core.writeSync(bytes.subarray(at, at + 128 * 1024));
  terminal.dispose();
}

async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Output in memory, read as from a session. */
function sessionWith(bytes) {
  return {
    endCursor: bytes.length,
    size: SIZE,
    timeline: { sizes: [{ cursor: 0, size: SIZE, atMs: 0 }] },
    tty: true,
    read: async ({ from, maxBytes }) => {
      const piece = bytes.subarray(from, from + maxBytes);
      return { bytes: piece, from, next: from + piece.length, dropped: 0 };
    },
  };
}

async function snapshots() {
  const sizes = [SIZE, { cols: 200, rows: 60 }, { cols: 500, rows: 500 }];
  const rows = [];
  for (const size of sizes) {
    const bytes = Buffer.alloc(400_000, INPUTS["full-screen redraws"]);
    const drawing = new Drawing(
      { ...sessionWith(bytes), size, timeline: { sizes: [{ cursor: 0, size, atMs: 0 }] } },
      { scrollback: 200 },
    );
    await drawing.catchUp();
    const took = Array.from({ length: scaled(200) }, () => {
      const startedMs = performance.now();
      takeSnapshot(drawing, {});
      return performance.now() - startedMs;
    });
    drawing.terminal.dispose();
    const ms = median(took);
    const target = size === SIZE ? { target: "<= 1 ms", isMet: ms <= 1 } : {};
    rows.push({ figure: `snapshot, ${size.cols} x ${size.rows}`, ours: `${ms.toFixed(2)} ms`, ...target });
  }
  return rows;
}

/** Sessions with full journals, before and after a screen was created for each. */
async function memory() {
  const text = INPUTS["coloured build log"].repeat(400);
  const transport = scriptedTransport(async (program) => {
    program.print(text);
    await program.readLine();
    return { kind: "code", code: 0 };
  });
  const sessions = [];
  for (let i = 0; i <= SCREENS; i++) sessions.push(await openSession({ program: "script", transport }));
  // The first screen loads code and warms up the compiler.
  await screenOf(sessions.pop()).snapshot();
  const before = heldBytes();
  for (const session of sessions) await screenOf(session).snapshot();
  const each = (heldBytes() - before) / SCREENS / MEGABYTE;
  await Promise.all(sessions.map((session) => session.discard({ force: true })));
  return [
    { figure: `a live screen, of ${SCREENS}`, ours: `${each.toFixed(2)} MB`, target: "<= 1 MB", isMet: each <= 1 },
  ];
}

/** Not the resident size: the first screens fill memory that is already allocated. */
function heldBytes() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
