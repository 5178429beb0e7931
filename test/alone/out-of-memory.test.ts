/** The kernel kills what takes too much memory, and a shell only says "Killed". */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSession } from "../../src/entries/session.ts";
import { openCli } from "../support/cli.ts";
import { limitedMemory } from "../support/measure/memory-group.ts";
import { needs } from "../support/needs.ts";
import { openTools } from "../support/tools.ts";

const canLimit = needs("memory-groups", "python3");

/** In a group with too little memory for it. */
function greedy(): string {
  return `echo $$ > ${limitedMemory()}; python3 -c "x = bytes(range(100)) * 3_000_000"`;
}

test.runIf(canLimit)("a program that the kernel killed for lack of memory has an exit that says so", async () => {
  await using direct = await openSession({
    command: greedy().replace("; python3", "; exec python3"),
    shell: "/bin/sh",
  });
  await using child = await openSession({ command: `${greedy()}; exit $?`, shell: "/bin/sh" });

  expect(await direct.exited).toEqual({ kind: "signal", signal: "SIGKILL", outOfMemory: true });
  expect(await child.exited).toEqual({ kind: "code", code: 137, outOfMemory: true });
});

test("a program that somebody else killed has an exit that does not mention memory", async () => {
  await using killed = await openSession({ command: "kill -9 $$", shell: "/bin/sh" });
  await using closed = await openSession({ command: "exec sleep 100", shell: "/bin/sh" });
  // The counters are read after the start.
  await sleep(1);
  await closed.close({ force: true });

  expect([await killed.exited, await closed.exited]).toEqual([
    { kind: "signal", signal: "SIGKILL" },
    { kind: "signal", signal: "SIGKILL" },
  ]);
});

test.runIf(canLimit)("the answers of run, exec_command, wait_for and list_sessions name it", async () => {
  await using tools = openTools();
  const line = "Out of memory: the kernel killed a process while this ran";

  const { text: run } = await tools.call("run", { command: `sh -c '${greedy()}; exit $?'` });
  const { text: exec } = await tools.call("exec_command", {
    cmd: `${greedy()}; exit $?`,
    login: false,
    shell: "/bin/sh",
  });
  const { text: listed } = await tools.call("list_sessions", { ended: true });
  const asking = await tools.call("run", { command: `read -r go; sh -c '${greedy()}; exit $?'` });
  const { session_id: id } = asking.structured;
  await tools.call("write_stdin", { session_id: id, chars: "go\n", yield_time_ms: 0 });
  const { text: waited } = await tools.call("wait_for", { session_ids: [id], events: ["exited"], deadline_ms: 20_000 });

  expect(run).toContain(line);
  expect(run).toMatch(/^Command killed by signal SIGKILL/m);
  expect(exec).toContain(line);
  expect(listed).toContain("exited with code 137 (out of memory)");
  expect(waited).toContain(line);
});

test.runIf(canLimit)("limpet run says so, and ls shows it", async () => {
  await using cli = openCli();

  const run = await cli.limpet(["run", `${greedy()}; exit $?`]);
  const json = await cli.limpet(["run", "--json", `${greedy()}; exit $?`]);
  const { stdout } = await cli.limpet(["ls", "--ended"]);

  expect([run.code, run.stderr]).toEqual([137, "[1 exited with code 137 (out of memory)]\n"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 137, outOfMemory: true });
  expect(stdout).toMatch(/^ *1 +oom-killed /m);
});
