import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditAct } from "./audit.ts";
import { parseLine } from "./audit-chain.ts";
import { auditFile, auditFiles } from "./audit-files.ts";
import { AuditLog, type AuditOptions } from "./audit-log.ts";
import { verifyAudit } from "./verify-audit.ts";

let directory = "";
let open: AuditLog[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "limpet-audit-"));
  open = [];
});
afterEach(async () => {
  for (const log of open) await log.close();
  rmSync(directory, { recursive: true });
});

function openLog(options: Partial<AuditOptions> = {}): AuditLog {
  const log = new AuditLog({ directory, ...options });
  open.push(log);
  return log;
}

async function write(acts: readonly AuditAct[], options: Partial<AuditOptions> = {}): Promise<void> {
  const log = openLog(options);
  for (const act of acts) log.note(act);
  await log.close();
}

function runs(...commands: string[]): AuditAct[] {
  return commands.map((command) => ({ event: "run", command }));
}

function lines(): string[] {
  return auditFiles(directory).flatMap((file) => readFileSync(file, "utf8").split("\n").slice(0, -1));
}

test("an act is one line of JSON with its number, its time and the hash of the line before", async () => {
  await write([{ event: "start", caller: "a", session: 7, command: "make" }, ...runs("ls")]);

  const [first, second] = lines().map((line) => parseLine(line));
  expect(first).toMatchObject({
    n: 1,
    event: "start",
    caller: "a",
    session: 7,
    command: "make",
    place: "local",
    prev: "",
  });
  expect(second).toMatchObject({ n: 2, event: "run", command: "ls", prev: expect.stringMatching(/^[\w-]{43}$/) });
  expect(statSync(auditFile(directory)).mode & 0o777).toBe(0o600);
});

test("the chain goes on in the next process", async () => {
  await write(runs("one", "two"));
  await write(runs("three"));

  expect(lines().map((line) => parseLine(line)?.n)).toEqual([1, 2, 3]);
  expect(await verifyAudit(directory)).toMatchObject({ lines: 3, first: 1, broken: null, torn: 0 });
});

test("two logs on one directory write one chain", async () => {
  const [one, other] = [openLog(), openLog()];
  for (let count = 0; count < 50; count += 1) {
    (count % 2 === 0 ? one : other).note({ event: "run", command: String(count) });
    if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
  }
  await Promise.all([one.close(), other.close()]);

  expect(await verifyAudit(directory)).toMatchObject({ lines: 50, broken: null });
});

test("the chain goes on across files, and the oldest files are removed", async () => {
  for (let count = 0; count < 40; count += 1) {
    await write(runs(`command ${count}`, "x".repeat(500)), { maxBytes: 400 });
  }

  const check = await verifyAudit(directory);
  expect(auditFiles(directory).length).toBe(10);
  expect(check).toMatchObject({ broken: null, end: { number: 80 } });
  expect(check.first).toBeGreaterThan(1);
});

test.each([
  ["edited", (all: string[]) => all.with(1, (all[1] ?? "").replace("two", "TWO")), 3],
  ["removed", (all: string[]) => all.toSpliced(1, 1), 2],
  ["moved", (all: string[]) => [all[1] ?? "", all[0] ?? "", ...all.slice(2)], 2],
  ["repeated", (all: string[]) => all.toSpliced(1, 0, all[1] ?? ""), 3],
  ["replaced by something else", (all: string[]) => all.with(1, "nothing"), 2],
])("verify names the first line after one was %s", async (_what, change, line) => {
  await write(runs("one", "two", "three", "four"));
  writeFileSync(auditFile(directory), `${change(lines()).join("\n")}\n`);

  expect((await verifyAudit(directory)).broken).toMatchObject({ file: "audit.log", line });
});

test("verify finds a cut at the beginning, unless older files were removed to make room", async () => {
  await write(runs("one", "two", "three"));
  writeFileSync(auditFile(directory), `${lines().slice(1).join("\n")}\n`);

  expect((await verifyAudit(directory)).broken).toMatchObject({ line: 1 });
});

test("a cut at the end shows only against what the writer says", async () => {
  const log = openLog();
  for (const act of runs("one", "two", "three")) log.note(act);
  await log.close();
  const written = log.health.end;
  writeFileSync(auditFile(directory), `${lines().slice(0, 2).join("\n")}\n`);

  expect((await verifyAudit(directory)).broken).toBeNull();
  expect((await verifyAudit(directory, written)).broken).toMatchObject({ line: 2 });
});

test("a writer that finds its lines gone leaves a gap that shows", async () => {
  const log = openLog();
  for (const act of runs("one", "two", "three")) log.note(act);
  await expect.poll(() => log.health.end.number).toBe(3);
  writeFileSync(auditFile(directory), `${lines().slice(0, 1).join("\n")}\n`);
  log.note({ event: "run", command: "four" });
  await log.close();

  expect((await verifyAudit(directory)).broken).toMatchObject({ line: 2 });
});

test.each([1, 20, 60])("a line that lost its last %i bytes is reported, and the chain goes on", async (bytes) => {
  await write(runs("one", "two", "thrée"));
  truncateSync(auditFile(directory), statSync(auditFile(directory)).size - bytes);
  expect((await verifyAudit(directory)).broken).toBeNull();

  await write(runs("four"));
  const check = await verifyAudit(directory);
  expect(check.broken).toBeNull();
  // Only the line feed was lost: the line itself is whole.
  expect(check.torn).toBe(bytes === 1 ? 0 : 1);
});

test("a report of an incomplete line that is itself incomplete is repaired, too", async () => {
  await write(runs("one"));
  appendFileSync(auditFile(directory), '{"n":2,"time":"\n{"n":2,"ti');
  await write(runs("two"));

  expect(await verifyAudit(directory)).toMatchObject({ broken: null, torn: 1, lines: 3 });
});

test("secrets are replaced before a command is written", async () => {
  await write(runs("login hunter2"), { redact: (text) => text.replaceAll("hunter2", "*******") });

  expect(readFileSync(auditFile(directory), "utf8")).not.toContain("hunter2");
  expect(lines()[0]).toContain("login *******");
});

test("a file that cannot be written stops nothing, is reported, and gets everything later", async () => {
  const place = join(directory, "inner");
  writeFileSync(place, "");
  const log = openLog({ directory: place });
  log.note({ event: "run", command: "one" });
  await expect.poll(() => log.health).toMatchObject({ pending: 1, problem: "ENOTDIR" });
  await log.admit();
  await log.settled();
  rmSync(place);
  mkdirSync(place);
  await log.close();

  expect(await verifyAudit(place)).toMatchObject({ lines: 1, broken: null });
});

test("where the audit is required, a failed write refuses acts until it works again", async () => {
  const place = join(directory, "inner");
  writeFileSync(place, "");
  const log = openLog({ directory: place, isRequired: true });
  log.note({ event: "run", command: "one" });

  await expect(log.settled()).rejects.toMatchObject({ code: "AUDIT_UNAVAILABLE" });
  await expect(log.admit()).rejects.toMatchObject({ code: "AUDIT_UNAVAILABLE" });
  rmSync(place);
  mkdirSync(place);
  await log.admit();
  expect(log.health).toMatchObject({ problem: null, pending: 0 });
});

test("acts that do not fit in memory are counted, and the count is in the chain", async () => {
  const place = join(directory, "inner");
  writeFileSync(place, "");
  const log = openLog({ directory: place });
  log.note({ event: "run", command: "first" });
  await expect.poll(() => log.health.problem).not.toBeNull();
  for (let count = 0; count < 6_000; count += 1) log.note({ event: "run", command: String(count) });
  rmSync(place);
  mkdirSync(place);
  await log.close();

  expect(await verifyAudit(place)).toMatchObject({ lines: 5_001, missing: 1_001, broken: null });
});
