/**
 * `node scripts/record-screens.mjs [NAME...]`: drives full-screen programs of the zoo, and writes what they print to
 * test/corpus/screens/NAME.raw. Needs `npm run build`, and the programs.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { drive } from "../test/zoo/drive.mjs";
import { table } from "../test/zoo/table.mjs";
import { root } from "./run.mjs";

/** Monitors are left out: they show the processes of the machine. */
const MONITORS = ["htop", "top", "btop", "watch", "cmatrix"];
/** The tests show them in a terminal of this size. */
const size = { cols: 80, rows: 24 };

const names = process.argv.slice(2);
const screens = table.filter(({ kind, name }) => kind === "full-screen" && !MONITORS.includes(name));
const folder = mkdtempSync(join(tmpdir(), "limpet-screens-"));
const limpet = { ...(await import("../dist/entries/session.js")), ...(await import("../dist/entries/screen.js")) };
try {
  for (const entry of screens) if (names.length === 0 || names.includes(entry.name)) await record(entry);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function record(entry) {
  let session;
  let output;
  const openSession = async (options) => {
    session = await limpet.openSession(options);
    return session;
  };
  // The last step ends most programs, and with it their screen.
  const steps = entry.steps.filter(({ waits }) => waits !== "exit");
  const onStep = async () => {
    const { bytes } = await session.read({ from: 0, maxBytes: session.endCursor });
    output = bytes;
  };
  await drive({ ...entry, size, steps }, { limpet: { ...limpet, openSession }, folder, onStep });
  const text = Buffer.from(output).toString("latin1").replaceAll(hostname(), "x".repeat(hostname().length));
  const name = entry.name.replaceAll(/[^a-z0-9]+/g, "-").replace(/-$/, "");
  writeFileSync(join(root, "test/corpus/screens", `${name}.raw`), Buffer.from(text, "latin1"));
  console.log(`${name}: ${text.length} bytes`);
}
