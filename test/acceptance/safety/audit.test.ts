/** The audit of a host: what is in it, what is not, and that it survives everything that happens to a host. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { AuditAct } from "../../../src/safety/audit/audit.ts";
import { parseLine } from "../../../src/safety/audit/audit-chain.ts";
import { auditFile, auditFiles } from "../../../src/safety/audit/audit-files.ts";
import { readAudit } from "../../../src/safety/audit/read-audit.ts";
import { verifyAudit } from "../../../src/safety/audit/verify-audit.ts";
import { KnownSecrets } from "../../../src/safety/redaction/known-secrets.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { Secrets } from "../../../src/service/secrets/secrets.ts";
import { audited, linesOf } from "../../support/audited.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, isGone, pidOf } from "../../support/host/host.ts";
import { isLong, until } from "../../support/sessions.ts";

const KILLS = isLong ? 50 : 4;
/** At once, when a host is killed. */
const ACTS = isLong ? 20 : 6;
const LIMIT_MS = isLong ? 900_000 : 240_000;

test("a start, a command, typing, a signal, holds, freezing and the ends are each one line", async () => {
  const { sessions, call, acts } = audited();
  const started = await call("exec_command", { cmd: "cat", name: "dog", yield_time_ms: 2_000 });
  const id = started.structured["session_id"] as number;
  await call("write_stdin", { session_id: id, chars: "a secret word\n" });
  await sessions.hold(id, { reason: "mine" });
  await sessions.release(id);
  await sessions.freeze(id);
  await sessions.thaw(id);
  await sessions.signal(id, { signal: "SIGWINCH", to: "program" });
  await call("run", { command: "false" });
  await call("close_session", { session_id: id, force: true });

  const lines = await acts();
  const shown = lines.map(({ event, session, tool, caller }) => ({ event, isFirst: session === id, tool, caller }));
  const by = (tool: string | undefined) => ({ isFirst: true, tool, caller: tool === undefined ? undefined : "tester" });
  expect(shown.slice(0, 7)).toEqual([
    { event: "start", ...by("exec_command") },
    { event: "typed", ...by("write_stdin") },
    { event: "hold", ...by(undefined) },
    { event: "release", ...by(undefined) },
    { event: "freeze", ...by(undefined) },
    { event: "thaw", ...by(undefined) },
    { event: "signal", ...by(undefined) },
  ]);
  expect(lines[0]).toMatchObject({ command: "cat", act: String(id), place: "local" });
  expect(lines[1]).toMatchObject({ bytes: 14 });
  expect(lines.filter(({ event, of }) => event === "ended" && of === String(id))).toMatchObject([
    { exitCode: null, durationMs: expect.any(Number) },
  ]);
  const run = lines.find(({ event }) => event === "run");
  expect(run).toMatchObject({ command: "false", tool: "run", caller: "tester" });
  expect(lines.find(({ event, of }) => event === "ended" && of === run?.act)).toMatchObject({ exitCode: 1 });
});

test("what the policy said and who approved it is in the line of the act", async () => {
  const { sessions, acts } = audited();
  const verdict = { decision: "ask", rule: "policy.json:3", approvedBy: "person", approval: null } as const;
  const start = { command: "true", shell: "/bin/sh" };
  await sessions.turn({ caller: "a", verdict, on: { kind: "start", start } });

  expect((await acts())[0]).toMatchObject({ event: "start", verdict });
});

test("what a person types is written down before the end that it caused", async () => {
  const { directory, sessions, acts } = audited();
  const go = join(directory, "go");
  const command = `read line; until [ -e '${go}' ]; do sleep 0.05; done`;
  const { session } = await sessions.turn({ caller: "a", on: { kind: "start", start: { command, shell: "/bin/sh" } } });

  await sessions.write(session.id, "q\n");
  writeFileSync(go, "");
  await sessions.turn({ caller: "a", on: { kind: "session", key: session.id }, wait: { kind: "output" } });

  const lines = await acts();
  expect(lines.map(({ event, bytes }) => ({ event, bytes }))).toEqual([
    { event: "start", bytes: undefined },
    { event: "typed", bytes: 2 },
    { event: "ended", bytes: undefined },
  ]);
});

test("neither what was typed nor what was printed is in the file, and secrets in commands are not", async () => {
  const redact = (text: string) => text.replaceAll("hunter2", "*******");
  const { directory, call, acts } = audited({ redact });
  await call("run", { command: "echo hunter2; printf 'prin''ted\\n'" });
  const { structured } = await call("exec_command", { cmd: "cat", yield_time_ms: 2_000 });
  await call("write_stdin", { session_id: structured["session_id"], chars: "typed words\n" });
  await acts();

  const text = readFileSync(auditFile(directory), "utf8");
  expect(text).toContain("echo *******");
  expect(text).not.toMatch(/hunter2|printed|typed words/);
});

test("a secret is written down by its name, and not by what it is or how long", async () => {
  const { directory, audit, registry } = audited();
  const known = new KnownSecrets();
  const vault = { list: async () => [], read: async () => "correct horse battery" };
  const sessions = new LocalService(registry, { audit, secrets: new Secrets({ known, vault }) });
  const start = { command: "true", shell: "/bin/sh", secretEnv: { TOKEN: "deploy" } };
  await sessions.turn({ caller: "a", on: { kind: "start", start } });
  await audit.close();

  const lines = (await linesOf(directory)) as unknown as AuditAct[];
  expect(lines.filter(({ event }) => event === "secret")).toMatchObject([{ caller: "a", detail: "deploy" }]);
  expect(readFileSync(auditFile(directory), "utf8")).not.toContain("horse");
});

test("a reader that follows gets lines as they are written, also across files", async () => {
  const { directory, audit } = audited({ maxBytes: 600 });
  const stop = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { text } of readAudit(directory, { follow: true, signal: stop.signal })) {
      seen.push(parseLine(text)?.n ?? -1);
    }
  })();
  for (let count = 1; count <= 12; count += 1) {
    audit.note({ event: "run", command: `command ${count}` });
    await until(() => audit.health.end.number === count, "the line is written");
  }
  await until(
    () => seen.length === 12,
    () => `all lines, got ${seen}`,
  );
  stop.abort();
  await reading;

  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(auditFiles(directory).length).toBeGreaterThan(1);
});

test("each line of a host is private to its user, and the status names the file", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  await client.turn({ caller: "test", on: { kind: "start", start: { command: "true", shell: "/bin/sh" } } });
  await until(async () => (await linesOf(directory)).some(({ event }) => event === "ended"), "the end is written");

  expect(statSync(auditFile(directory)).mode & 0o777).toBe(0o600);
  const status = await client.hostStatus();
  expect(status?.audit).toMatchObject({ file: auditFile(directory), problem: null, pending: 0 });
  expect(await verifyAudit(directory, status?.audit?.end)).toMatchObject({ broken: null });
});

test(`the chain holds after ${KILLS} hosts were killed while they wrote`, { timeout: LIMIT_MS }, async () => {
  const directory = hostDirectory();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const client = hostAt(directory);
    const start = () =>
      client.turn({ caller: `host ${kill}`, on: { kind: "start", start: { command: "true", shell: "/bin/sh" } } });
    await start();
    // Two torn lines without a line between them would be one.
    await until(
      async () => (await linesOf(directory)).some((line) => "caller" in line && line.caller === `host ${kill}`),
      "the host has written a line",
    );
    const host = await pidOf(client);
    const shell = { command: "true", shell: "s", fresh: { shell: "/bin/sh", startFiles: "none" } } as const;
    const run = () => client.turn({ caller: `host ${kill}`, on: { kind: "run", run: shell } });
    const busy = Promise.allSettled([...Array.from({ length: ACTS }, start), run(), run()]);
    // Any moment: at once, in the middle of the acts, and after them.
    await sleep(Math.random() * (kill % 3 === 0 ? 300 : 60));
    endProcess(host);
    await busy;
    client.disconnect();
    await until(() => isGone(host), "the host is gone");
    // What a loss of power leaves, which a kill alone does not.
    if (kill % 2 === 0) appendFileSync(auditFile(directory), '{"n":99999,"time":"20');
  }
  const last = hostAt(directory);
  await last.turn({ caller: "last", on: { kind: "start", start: { command: "true", shell: "/bin/sh" } } });
  await until(
    async () => (await linesOf(directory)).some((line) => "caller" in line && line.caller === "last"),
    "a line",
  );

  const check = await verifyAudit(directory);
  expect(check.broken).toBeNull();
  expect(check.torn).toBe(Math.ceil(KILLS / 2));
});

test("a full disk stops no turn, is shown, and the lines come when there is room", async () => {
  const { sessions, audit } = audited({ folder: "not-there" });
  await sessions.turn({ caller: "a", on: { kind: "start", start: { command: "true", shell: "/bin/sh" } } });

  await until(() => audit.health.problem === "ENOENT", "the problem shows");
});

test("where the audit is required and cannot be written, acts are refused and nothing runs", async () => {
  const { sessions, registry } = audited({ folder: "not-there", isRequired: true });
  const start = () => sessions.turn({ caller: "a", on: { kind: "start", start: { command: "sleep 1000" } } });

  await expect(start()).rejects.toMatchObject({ code: "AUDIT_UNAVAILABLE" });
  await expect(
    sessions.turn({ caller: "a", on: { kind: "run", run: { command: "true", shell: "x" } } }),
  ).rejects.toMatchObject({
    code: "AUDIT_UNAVAILABLE",
  });
  expect(registry.list()).toEqual([]);
});
