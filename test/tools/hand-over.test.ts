import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOutput, startSession, waitForSession } from "../../src/service/turn/simple-turns.ts";
import type { ProfileName } from "../../src/tools/profile-limits.ts";
import { profiles } from "../../src/tools/profiles.ts";
import { guardEveryCase } from "../support/case-guard.ts";
import { codeOf, until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";
import { LONG_MS } from "../support/watching.ts";

guardEveryCase();

function openBoth(profile: ProfileName = "all") {
  const { sessions, [Symbol.asyncDispose]: close } = openTools();
  const call = async (name: string, args: unknown, caller = "agent") => {
    const tool = profiles[profile].tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`No tool ${name}`);
    return await tool.call(args, { sessions, caller });
  };
  return { sessions, call, [Symbol.asyncDispose]: close };
}

/** With nothing to type, a call is short. */
const LONG = { yield_time_ms: LONG_MS };

const bytes = (text: string) => new TextEncoder().encode(text);

test("the agent is told once that a person has typed, how much, and sees what came of it", async () => {
  await using both = openBoth();
  const { id } = await startSession(both.sessions, { command: "cat", shell: "/bin/sh" });
  await both.call("write_stdin", { session_id: id, chars: "mine\n", until: "mine\\nmine" });

  await both.sessions.write(id, bytes("theirs, ä\n"), { caller: "attach 1", by: "person" });
  const next = await both.call("write_stdin", { session_id: id, chars: "", until: "theirs, ä\\ntheirs, ä", ...LONG });
  const later = await both.call("write_stdin", { session_id: id, chars: "" });

  expect(next.text).toContain("Typed by others: 11 bytes\n");
  expect(next.text).toContain("theirs, ä\ntheirs, ä");
  expect(later.text).not.toContain("Typed by others");
});

test.each([
  { tool: "run", args: { command: "true", shell: "shared" } },
  { tool: "read_screen", args: { session_id: "shared" } },
  { tool: "read_output", args: { session_id: "shared" } },
  { tool: "read_output", args: { session_id: "shared", grep: "theirs" } },
])("the agent is told once of what a person typed by whatever it calls next: $tool", async ({ tool, args }) => {
  await using both = openBoth();
  await both.call("run", { command: "true", shell: "shared" });

  await both.sessions.write("shared", ": theirs\n", { caller: "attach 1", by: "person" });
  await waitForSession(both.sessions, { keys: ["shared"], until: "theirs", onInput: false });
  const next = await both.call(tool, args);
  const later = await both.call(tool, args);

  expect(next.text).toContain("Typed by others: 9 bytes\n");
  expect(later.text).not.toContain("Typed by others");
});

test("the agent is told once that others have resized the terminal, and not of its own size", async () => {
  await using both = openBoth();
  const { id } = await startSession(both.sessions, { command: "cat", shell: "/bin/sh" });
  const look = async () => (await both.call("write_stdin", { session_id: id, chars: "" })).text;
  await look();

  await both.sessions.lendSize(id, { viewer: "attach 1", size: { cols: 81, rows: 23 } });
  const [told, later] = [await look(), await look()];
  await both.call("resize_session", { session_id: id, cols: 90, rows: 20 });
  const own = await look();
  await both.sessions.lendSize(id, { viewer: "attach 1", size: null });
  const after = await look();

  expect(told).toContain("Resized by others: now 81 columns by 23 rows\n");
  expect([later, own, after].join("")).not.toContain("Resized by others");
  expect((await both.sessions.find(id)).size).toEqual({ cols: 90, rows: 20 });
});

test.each([
  { tool: "write_stdin", args: { chars: "mine\n", yield_time_ms: 0 } },
  { tool: "run", args: { command: "true" } },
])("while a person types, $tool is refused with what to do", async ({ tool, args }) => {
  await using both = openBoth();
  await both.call("run", { command: "true", shell: "shared" });
  const { id } = await both.sessions.find("shared");
  const target = tool === "run" ? { shell: "shared" } : { session_id: id };

  await both.sessions.write(id, ": theirs\n", { caller: "attach 1", by: "person", holdMs: 60_000 });
  const refused = await both.call(tool, { ...args, ...target });
  const reading = await both.call("read_output", { session_id: id });
  await both.sessions.release(id);
  const allowed = await both.call(tool, { ...args, ...target });

  expect(refused.text).toBe(
    `SESSION_HELD: A person is typing into session ${id}, so nothing was typed. Wait some seconds, read its output, then type again.`,
  );
  expect(reading.text).toContain("A person is typing: wait some seconds before you type\n");
  expect(allowed.isError).toBe(false);
});

test("what a caller types is told to the others, not to itself", async () => {
  await using both = openBoth();
  const { id } = await startSession(both.sessions, { command: "cat", shell: "/bin/sh" });
  const own = await both.call("write_stdin", { session_id: id, chars: "abc\n", until: "abc\\nabc" }, "one");
  const other = await both.call("write_stdin", { session_id: id, chars: "" }, "other");

  expect(own.text).not.toContain("Typed by others");
  expect(other.text).toContain("Typed by others: 4 bytes\n");
});

test.each(["all", "codex", "unified"] as const)(
  "a held session takes nothing from an agent of profile %s",
  async (profile) => {
    await using both = openBoth(profile);
    const { id } = await startSession(both.sessions, { command: "cat", shell: "/bin/sh" });
    await both.sessions.hold(id, { reason: "logging in" });

    const refused = await both.call("write_stdin", { session_id: id, chars: "no\n" });
    await both.sessions.write(id, "yes\n", { by: "person" });
    await until(
      async () => (await readOutput(both.sessions, id, { kind: "text" })).text.includes("yes\nyes"),
      "what the person typed",
    );

    expect(refused.text).toMatch(/A person holds session \d+ \(\\*"logging in\\*"\)/);
    expect((await readOutput(both.sessions, id, { kind: "text" })).text).not.toContain("no");
    expect((await both.sessions.find(id)).held).toEqual({ reason: "logging in" });
    expect(await codeOf(both.sessions.write(id, "no\n"))).toBe("SESSION_HELD");
    expect([await both.sessions.release(id), await both.sessions.release(id)]).toEqual([true, false]);
    await both.sessions.write(id, "again\n");
  },
);

test("a call that only looks is told that the session is held", async () => {
  await using both = openBoth();
  const { id } = await startSession(both.sessions, { command: "cat", shell: "/bin/sh" });
  await waitForSession(both.sessions, { keys: [id] });
  await both.sessions.hold(id, { reason: null });

  for (const tool of ["write_stdin", "read_screen", "read_output"]) {
    expect((await both.call(tool, { session_id: id })).text).toContain("Held by a person: do not type\n");
  }
  expect((await both.call("list_sessions", {})).text).toContain(": waiting for input (line), held by a person, ");
});

test("a session is recorded by its key, and the listing shows it until it is stopped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "limpet-hand-over-"));
  const file = join(folder, "x.cast");
  await using both = openBoth();
  const { id } = await startSession(both.sessions, { command: "echo hello; cat", shell: "/bin/sh", name: "told" });

  expect(await both.sessions.record("told", { file })).toMatchObject({ kind: "recording", file });
  await until(async () => (await readOutput(both.sessions, id, { kind: "text" })).text.includes("hello\n"), "hello");
  const [listed] = await both.sessions.list({ ended: false });
  const stopped = await both.sessions.stopRecording("told", {});

  expect(listed?.recordings).toMatchObject([{ kind: "recording", file }]);
  expect(stopped).toMatchObject([{ kind: "done", why: "stopped", file }]);
  expect(readFileSync(file, "utf8")).toContain('"hello');
  expect(await both.sessions.stopRecording("told", {})).toEqual([]);
  rmSync(folder, { recursive: true });
});
