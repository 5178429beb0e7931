/** Approvals in a host: whoever loses its connection, is killed or is an agent itself, nothing runs unapproved or twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { cutProxy } from "../../support/host/cut-proxy.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { approvalAsk } from "../../support/policy/approvals.ts";
import { codeOf, errorOf } from "../../support/sessions.ts";
import { LONG_MS, temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };
const ONCE = { kind: "approve", scope: "once", by: "person" } as const;

/** Appends a letter to a file, with an approval. */
function approvedTurn(client: HostClient, number: number, file: string) {
  const verdict = { decision: "ask", rule: null, approvedBy: "person", approval: number } as const;
  const start = { ...plain, command: `printf x >> ${file}` };
  const wait = { kind: "output", deadlineMs: LONG_MS } as const;
  return client.turn({ caller: "agent", on: { kind: "start", start }, wait, verdict });
}

test("one approval allows one of many turns at once, over connections that break", async () => {
  const directory = hostDirectory();
  const direct = hostAt(directory);
  await direct.list({ ended: false });
  const proxy = await cutProxy(directory);
  const file = join(temporaryDirectory(), "log");

  proxy.plan([{ kind: "bytes", to: "client", count: 400, end: "both" }]);
  const { number } = await proxy.client.approvals.ask(approvalAsk(`printf x >> ${file}`));
  const waiting = proxy.client.approvals.wait({ caller: "agent", number });
  proxy.plan([{ kind: "time", afterMs: 0, end: "both" }]);
  await direct.approvals.decide(number, ONCE);
  expect((await waiting).state.kind).toBe("approved");
  proxy.plan([
    { kind: "bytes", to: "host", count: 900, end: "both" },
    { kind: "bytes", to: "client", count: 200, end: "both" },
  ]);
  const turns = await Promise.allSettled([1, 2, 3].map(() => approvedTurn(proxy.client, number, file)));

  expect(readFileSync(file, "utf8")).toBe("x");
  expect(turns.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(proxy.cuts).toBeGreaterThan(0);
});

test("what was asked of a host that was killed is not run, and its number is not used again", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  const { number } = await client.approvals.ask(approvalAsk("touch never"));
  const waiting = errorOf(client.approvals.wait({ caller: "agent", number }));

  endProcess(await pidOf(client));

  expect((await waiting).code).toBe("APPROVAL_NOT_FOUND");
  expect(await codeOf(client.approvals.decide(number, ONCE))).toBe("APPROVAL_NOT_FOUND");
  expect(await client.approvals.ask(approvalAsk("touch never"))).toMatchObject({
    number: number + 1,
    state: { kind: "open" },
  });
});

test("a turn with an approval that was not given does nothing", async () => {
  const client = hostAt(hostDirectory());
  const file = join(temporaryDirectory(), "log");
  const { number } = await client.approvals.ask(approvalAsk(`printf x >> ${file}`));

  expect(await codeOf(approvedTurn(client, number, file))).toBe("APPROVAL_NEEDED");
  expect(await codeOf(approvedTurn(client, number + 1, file))).toBe("APPROVAL_NOT_FOUND");
  expect(existsSync(file)).toBe(false);
});

const WAYS = {
  directly: (approve: string) => approve,
  "without its environment": (approve: string) => `env -i HOME="$HOME" LIMPET_HOME="$LIMPET_HOME" ${approve}`,
  "after leaving its terminal and its parent": (approve: string) =>
    `( setsid env -u LIMPET_SESSION_ID ${approve} & ) ; sleep 1000`,
};

test.each(Object.entries(WAYS))("an agent cannot approve itself from a session: %s", async (_how, wrap) => {
  await using cli = openCli();
  const { number } = await cli.sessions.approvals.ask(approvalAsk("git push"));
  const out = join(cli.folder, "out");
  const approve = `sh -c '${cli.command} approve ${number} > ${out} 2>&1; echo code=$? >> ${out}'`;

  await startSession(cli.sessions, { ...plain, command: wrap(approve) });

  await expect.poll(() => (existsSync(out) ? readFileSync(out, "utf8") : "")).toMatch(/code=\d/);
  expect(readFileSync(out, "utf8")).toMatch(/runs inside a session, where an agent could use it.*\ncode=1/);
  expect(await cli.sessions.approvals.list()).toMatchObject([{ number }]);
  expect(await cli.limpet(["approve", String(number)])).toMatchObject({ code: 0 });
});

test("a process that a session left behind cannot approve either", async () => {
  await using cli = openCli();
  const { number } = await cli.sessions.approvals.ask(approvalAsk("git push"));
  const [out, go] = [join(cli.folder, "out"), join(cli.folder, "go")];
  const late = `until [ -e ${go} ]; do sleep 0.05; done; ${cli.command} approve ${number} > ${out} 2>&1; echo done >> ${out}`;
  const { id } = await startSession(cli.sessions, {
    ...plain,
    command: `trap '' HUP; setsid sh -c '${late}' >/dev/null 2>&1 &`,
  });
  await waitForSession(cli.sessions, { keys: [id], deadlineMs: LONG_MS });

  await cli.sessions.list({ ended: true });
  await startSession(cli.sessions, { ...plain, command: `touch ${go}` });

  await expect.poll(() => (existsSync(out) ? readFileSync(out, "utf8") : "")).toContain("done");
  expect(readFileSync(out, "utf8")).toContain("runs inside a session");
  await cli.sessions.close(id, { force: true });
});

test.each(Object.entries(WAYS))("an agent cannot answer for a person from a session: %s", async (_how, wrap) => {
  await using cli = openCli();
  const asking = await startSession(cli.sessions, { ...plain, command: "stty -echo; read x; echo got $x" });
  await waitForSession(cli.sessions, { keys: [asking.id], deadlineMs: LONG_MS });
  const out = join(cli.folder, "out");
  const answer = `sh -c 'echo mine | ${cli.command} answer ${asking.id} > ${out} 2>&1; echo code=$? >> ${out}'`;

  await startSession(cli.sessions, { ...plain, command: wrap(answer) });

  await expect.poll(() => (existsSync(out) ? readFileSync(out, "utf8") : "")).toMatch(/code=\d/);
  expect(readFileSync(out, "utf8")).toMatch(/inside a session|is for people/);
  expect(readFileSync(out, "utf8")).toMatch(/code=[1-9]/);
  const { session } = await cli.sessions.turn({ caller: "test", on: { kind: "session", key: asking.id } });
  expect(session).toMatchObject({ exit: null, waitingFor: "password" });
});
