/** What a person does to sessions in the browser, with a host and real programs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { readOutput, readScreen, runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { profiles } from "../../../src/tools/profiles.ts";
import type {
  HistoryAnswer,
  OutputAnswer,
  PlayerAnswer,
  RecordingEntry,
  SearchAnswer,
  SessionDetails,
  ShownApproval,
} from "../../../src/web/api/messages.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { approvalAsk } from "../../support/policy/approvals.ts";
import { codeOf } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";
import { openApi, type TestApi } from "../../support/web/api.ts";

const plain = { login: false, shell: "/bin/bash" };

function opened(): { readonly host: HostClient; readonly api: TestApi } {
  const host = hostAt(hostDirectory());
  return { host, api: openApi(host) };
}

async function lastLines(host: HostClient, id: number): Promise<string> {
  return (await readOutput(host, id, { kind: "tail", lines: 5 })).text;
}

test("text, keys and pastes reach the program as a terminal sends them", async () => {
  const { host, api } = opened();
  const command = "stty -echo raw; printf '\\033[?2004h\\033[?1hready'; cat -v";
  const { id } = await startSession(host, { ...plain, command });
  await expect.poll(() => lastLines(host, id)).toContain("ready");

  await api.ask("POST", `/api/sessions/${id}/input`, { kind: "text", text: "héllo" });
  await api.ask("POST", `/api/sessions/${id}/input`, { kind: "keys", keys: ["Up", "Ctrl+C"] });
  await api.ask("POST", `/api/sessions/${id}/input`, { kind: "paste", text: "a\nb" });

  await expect.poll(() => lastLines(host, id)).toMatch(/hM-CM-\)llo\^\[OA\^C\^\[\[200~a\^Mb\^\[\[201~/);
});

test("while a person holds a session an agent cannot type, and reads the note afterwards", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "cat" });
  const tool = profiles.all.tools.find(({ name }) => name === "write_stdin");
  const type = () => tool?.call({ session_id: id, chars: "agent\n" }, { sessions: host, caller: "agent" });

  await api.ask("POST", `/api/sessions/${id}/hold`, { reason: "logging in" });
  expect(await host.find(id)).toMatchObject({ held: { reason: "logging in" } });
  expect((await type())?.text).toContain("A person holds session");
  await api.ask("POST", `/api/sessions/${id}/input`, { kind: "text", text: "person\n" });
  expect(await api.ask("POST", `/api/sessions/${id}/release`, { note: "done; go on" })).toEqual({ wasHeld: true });

  // A person's last key keeps agents from typing for some seconds; the release ends that, too.
  expect((await type())?.text).toContain('Handed back by a person: "done; go on"');
  expect((await type())?.text).not.toContain("Handed back");
});

test("a page gives a session its size and takes it back, and looking alone changes nothing", async () => {
  const { host, api } = opened();
  const size = { cols: 100, rows: 30 };
  const { id } = await startSession(host, { ...plain, command: "cat", size });
  const page = new AbortController();
  const stream = api.events(`/api/events?terminal=${id}&viewer=p1`, { signal: page.signal })[Symbol.asyncIterator]();
  await stream.next();
  expect((await host.find(id)).size).toEqual(size);

  await api.ask("POST", `/api/sessions/${id}/resize`, { viewer: "p1", size: { cols: 60, rows: 20 } });
  expect((await host.find(id)).size).toEqual({ cols: 60, rows: 20 });
  await api.ask("POST", `/api/sessions/${id}/resize`, { viewer: "p1", size: null });
  page.abort();
  await stream.return?.();

  expect((await host.find(id)).size).toEqual(size);
});

test("a session is signalled, frozen, thawed, renamed, restarted and closed", async () => {
  const { host, api } = opened();
  const act = <T>(id: number | string, what: string, body?: object) =>
    api.ask<T>("POST", `/api/sessions/${id}/${what}`, body);
  const command = "trap 'echo interrupted' INT; echo ready; while :; do read -r line && echo \"got $line\"; done";
  const { id } = await startSession(host, { ...plain, command, name: "one" });
  await expect.poll(() => lastLines(host, id)).toContain("ready");

  await act(id, "signal", { signal: "SIGINT" });
  await expect.poll(() => lastLines(host, id)).toContain("interrupted");
  await act(id, "freeze");
  expect((await host.find(id)).frozen).not.toBeNull();
  expect(await act(id, "thaw")).toEqual({ wasFrozen: true });
  await act(id, "rename", { name: "two" });
  expect(await host.find("two")).toMatchObject({ id });
  const { key } = await act<{ readonly key: string }>("two", "restart");
  expect(await host.find(Number(key))).toMatchObject({ name: "two", exit: null });
  await act(key, "close", {});

  expect((await host.find(Number(key))).exit).not.toBeNull();
  await act(key, "close", { keepOutput: false });
  expect(await codeOf(host.find(Number(key)))).toBe("SESSION_NOT_FOUND");
});

test("history, the output of one command, search and details", async () => {
  const { host, api } = opened();
  const run = (command: string) => runCommand(host, { caller: "agent", shell: "dev", command });
  const { id } = await run("printf '\\033[31mred (one)\\033[0m\\n'");
  await run("false");
  const get = <T>(what: string) => api.ask<T>("GET", `/api/sessions/${id}/${what}`);

  const { commands } = await get<HistoryAnswer>("history");
  expect(commands.map(({ exitCode }) => exitCode)).toEqual([0, 1]);
  const [first] = commands;
  expect(await get<OutputAnswer>(`output?from=${first?.from}&to=${first?.to}`)).toMatchObject({ text: "red (one)\n" });
  expect(await get<SearchAnswer>(`search?q=${encodeURIComponent("RED (")}`)).toMatchObject({
    totalMatches: 1,
    lines: [{ text: "red (one)" }],
  });
  const details = await get<SessionDetails>("details");
  expect(details).toMatchObject({ card: { key: String(id), stateText: "idle" }, recordings: [] });
  expect(details.processes?.map(({ name }) => name)).toContain("bash");
});

test("a picture is drawn once per change, and has nothing of the program but text", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "echo '<script>alert(1)</script>'; cat" });
  await expect.poll(() => lastLines(host, id)).toContain("script");
  const picture = async (etag: string | null = null) =>
    await api.answer("GET", `/api/sessions/${id}/picture`, { etag });

  const drawn = await picture();
  if (drawn.kind !== "bytes") return expect.unreachable();

  expect(drawn.type).toBe("image/svg+xml");
  expect(drawn.bytes).toContain("&lt;script&gt;");
  expect(drawn.bytes).not.toContain("<script");
  expect(await picture(drawn.etag)).toEqual({ kind: "unchanged" });
  await host.write(id, "more\n");
  await expect.poll(async () => (await picture(drawn.etag)).kind).toBe("bytes");
});

test("a recording is started, stopped, played and fetched, and no path reaches another file", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "echo recorded; read -r" });
  await expect.poll(() => lastLines(host, id)).toContain("recorded");
  const path = `/api/sessions/${id}/recording`;

  const started = await api.ask<RecordingEntry>("POST", path, {});
  expect(started).toMatchObject({ isRunning: true, problem: null });
  await api.ask("POST", `${path}/stop`, { recording: started.id });
  const { recordings } = await api.ask<SessionDetails>("GET", `/api/sessions/${id}/details`);
  expect(recordings).toMatchObject([{ id: started.id, isRunning: false }]);
  const { data, width } = await api.ask<PlayerAnswer>("GET", `${path}?recording=${started.id}`);
  expect(data.rows.join()).toContain("recorded");
  expect(width).toBeGreaterThan(0);
  const file = await api.answer("GET", `${path}/file?recording=${started.id}`);
  if (file.kind !== "bytes") return expect.unreachable();
  expect(Buffer.from(file.bytes).toString()).toBe(readFileSync(started.file, "utf8"));

  for (const name of ["../../etc/passwd", "%2e%2e%2fpasswd", "/etc/passwd", "a%00b", started.file]) {
    expect(await codeOf(api.answer("GET", `${path}/file?recording=${encodeURIComponent(name)}`))).toBe("BAD_RECORDING");
  }
});

test("approvals show what the command line shows, and a person decides once", async () => {
  const { host } = opened();
  const ruleFile = join(temporaryDirectory(), "rules");
  const allowed: unknown[] = [];
  const allow = async (prefixes: unknown) => void allowed.push(prefixes);
  const api = openApi(host, { ruleFile: { path: ruleFile, allow } });
  const asked = await host.approvals.ask(approvalAsk("git push", { prefixes: [["git", "push"]] }));
  const plainAsk = await host.approvals.ask(approvalAsk("make"));
  const decide = (number: number, body: object) => api.ask<ShownApproval>("POST", `/api/approvals/${number}`, body);

  const { approvals } = await api.ask<{ approvals: ShownApproval[] }>("GET", "/api/approvals");
  expect(approvals[0]?.description).toContain("  | git push");
  expect(await codeOf(decide(plainAsk.number, { kind: "approve", scope: "rule" }))).toBe("BAD_OPTION");
  expect(await decide(asked.number, { kind: "approve", scope: "rule" })).toMatchObject({
    state: { kind: "approved", scope: "rule", by: "web 1" },
  });
  expect(allowed).toEqual([[["git", "push"]]]);
  expect(await codeOf(decide(asked.number, { kind: "deny", reason: null }))).toBe("APPROVAL_NOT_FOUND");
  expect(await decide(plainAsk.number, { kind: "deny", reason: "not now" })).toMatchObject({
    state: { kind: "denied", reason: "not now" },
  });
});

test.each([
  ["input", { kind: "text" }, "text"],
  ["input", { kind: "keys", keys: [] }, "keys"],
  ["input", [], "body"],
  ["resize", { viewer: "p", size: { cols: 0, rows: 5 } }, "size.cols"],
  ["signal", { signal: "SIGNONE" }, "signal"],
  ["hold", {}, "reason"],
  ["rename", { name: "" }, "name"],
  ["close", { force: true, extra: 1 }, "body"],
  ["prompt", { token: "t" }, "value"],
])("a request to %s with %j is refused with the name of the field", async (what, body, field) => {
  const { api, host } = opened();
  onTestFinished(() => host.disconnect());

  await expect(api.ask("POST", `/api/sessions/1/${what}`, body)).rejects.toThrow(`${field} does not match the API`);
});

test("a page sees who it is", async () => {
  const { api } = opened();

  expect(await api.ask("GET", "/api/me")).toEqual({
    caller: "web 1",
    right: "control",
    isPerson: true,
    session: null,
    isPromptOnly: false,
    machine: "desk",
    version: "1.0.0",
  });
});

test("looking does not count as use, and takes no output from an agent", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "echo for the agent; cat" }, "agent");
  await expect.poll(() => lastLines(host, id)).toContain("agent");

  await api.answer("GET", `/api/sessions/${id}/picture`);
  await api.ask("GET", `/api/sessions/${id}/output?from=0`);
  await readScreen(host, id);

  expect((await readOutput(host, id, { kind: "unread", caller: "agent" })).text).toContain("for the agent");
});
