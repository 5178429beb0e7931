/** Idle shells make room for others; whatever works is left alone. */
import { expect, test } from "vitest";
import { LocalService } from "../../../src/service/local-service.ts";
import { runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { codeOf, until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";

guardEveryCase();

const plain = { login: false, shell: "/bin/sh" };
const SLEEPER = { cmd: "exec sleep 1000", yield_time_ms: 0, ...plain };

test("at the limit an idle shell makes room, and the next command says what was lost and is in its directory", async () => {
  await using tools = openTools("all", { maxSessions: 1 });
  await tools.call("run", { command: "cd /usr; kept=1" });

  await tools.call("exec_command", { cmd: "true", ...plain });
  const { text, structured } = await tools.call("run", { command: "echo kept=$kept" });

  expect(structured).toMatchObject({ output: "kept=\n", cwd: "/usr" });
  expect(text).toContain(
    "\nNew shell in the same directory: the previous one was closed because it was idle and its slot was needed; its variables, functions and jobs are lost\n",
  );
});

test("what works is never ended for room: a command, a job in the background, a program, a held shell", async () => {
  await using tools = openTools("all", { maxSessions: 4 });
  const service = new LocalService(tools.registry);
  await tools.call("run", { command: "read x", shell: "asks" });
  await tools.call("run", { command: "sleep 1000 &", shell: "job" });
  await tools.call("exec_command", SLEEPER);
  const { structured } = await tools.call("run", { command: "true", shell: "spare" });

  await tools.call("exec_command", SLEEPER);
  const refused = await tools.refusal("exec_command", SLEEPER);

  expect(refused).toContain("SESSION_LIMIT: All 4 sessions are in use");
  expect(tools.registry.get(structured["session_id"]).closeReason).toBe("room");
  expect((await service.running()).map(({ name }) => name)).toEqual(["asks", "job", null, null]);
});

test("a shell ends when it has been idle for a while without its client, and not while the client is there", async () => {
  await using registry = new SessionRegistry();
  const service = new LocalService(registry);
  const scope = { project: "/api", reach: "project" } as const;
  const [gone, stays] = [service.forClient("gone", scope), service.forClient("stays", scope)];
  const fresh = { shell: "/bin/sh" };
  const left = await runCommand(gone, { command: "true", shell: "default", caller: "gone", fresh });
  const used = await runCommand(stays, { command: "true", shell: "default", caller: "stays", fresh });
  await startSession(gone, { command: "exec sleep 1000", shell: "/bin/sh" }, "gone");

  service.clientGone("gone");
  expect(await service.endLeftShells(600_000)).toBe(true);
  await until(async () => !(await service.endLeftShells(50)), "the shell that was left has ended");

  expect(registry.get(left.id).closeReason).toBe("left");
  expect(registry.list().map(({ id }) => id)).toEqual([used.id, expect.any(Number)]);
  expect(await codeOf(runCommand(stays, { command: "true", shell: left.id, caller: "stays" }))).toBe("SESSION_ENDED");
});
