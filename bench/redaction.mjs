// What redaction costs: output into a journal in memory, without redaction, with nothing to redact, and with secrets
// that do not occur in it, compared with a plain copy of the same bytes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

// Not part of the package's API, so bundled for this program.
const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const bundle = await rolldown({
  input: { store: source("journal/output-store.ts"), secrets: source("safety/redaction/known-secrets.ts") },
  platform: "node",
});
await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
const { OutputStore } = await import(join(folder, "store.mjs"));
const { KnownSecrets } = await import(join(folder, "secrets.mjs"));
rmSync(folder, { recursive: true });

const SIZE = 16 * 1024 * 1024;
const CHUNK = 4096;
const ROUNDS = 3;

const ordinary = "2026-01-01T00:00:00Z INFO  worker: handled request 8412 in 12 ms, 3 rows, status 200\r\n";
const coloured =
  "\x1b[2m[12/40]\x1b[0m \x1b[32m✓\x1b[0m compiled \x1b[1msrc/output/clean.ts\x1b[22m in \x1b[33m12 ms\x1b[39m\r\n";
const inputs = {
  "plain lines": ordinary,
  "coloured lines": coloured,
  "almost a secret": "correct horse battery stapl ",
  "the secret itself": "correct horse battery staple ",
};
const secrets = ["correct horse battery staple", "Tr0ub4dor&3", "ghp_0123456789abcdefghijABCDEFGHIJ012345"];

for (const [name, unit] of Object.entries(inputs)) {
  const piece = Buffer.from(unit.repeat(Math.ceil((1024 * 1024) / unit.length)));
  const bytes = Buffer.concat(Array(Math.ceil(SIZE / piece.length)).fill(piece)).subarray(0, SIZE);
  const copy = best(() => copyOnly(bytes));
  const none = best(() => store(bytes, undefined));
  const idle = best(() => store(bytes, new KnownSecrets()));
  const busy = best(() => store(bytes, knowing(secrets)));
  const rate = (ms) => `${(SIZE / 1e3 / ms).toFixed(0)} MB/s`.padStart(11);
  const against = (ms) => `(${(ms / copy).toFixed(1)} x copy)`;
  console.log(
    `${name.padEnd(18)} copy ${rate(copy)}   no redaction ${rate(none)} ${against(none)}   ` +
      `no secrets ${rate(idle)} ${against(idle)}   ${secrets.length} secrets ${rate(busy)} ${against(busy)}`,
  );
}

const megabyte = "x".repeat(1024 * 1024);
const known = knowing(secrets);
console.log(`1 MB of text without a match: ${best(() => known.redact(megabyte)).toFixed(2)} ms`);

function knowing(values) {
  const all = new KnownSecrets();
  for (const value of values) all.add(value);
  return all;
}

function store(bytes, redaction) {
  const output = new OutputStore({ journalBytes: 1024 * 1024, disk: undefined, onFlood: "drop", redaction });
  for (let at = 0; at < bytes.length; at += CHUNK) output.append(bytes.subarray(at, at + CHUNK), "terminal");
  output.settle();
}

function copyOnly(bytes) {
  const ring = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < bytes.length; at += CHUNK) ring.set(bytes.subarray(at, at + CHUNK), at % ring.length);
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    // Time of the processor: other work on the machine does not count.
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
