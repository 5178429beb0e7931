/** The seed's tests of running programs, their output and their end, against the profile that promises the same. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SessionRegistry } from "../../../src/entries/session.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { profiles } from "../../../src/tools/profiles.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { until } from "../../support/sessions.ts";
import { openTools } from "../../support/tools.ts";
import { LONG_MS, temporaryDirectory } from "../../support/watching.ts";

const MAX_POLLS = 200;

test("a program that never ends streams, and a later call gets all that came since, cut in the middle", async () => {
  await using tools = openTools("codex");
  const file = join(temporaryDirectory(), "count");
  const step = `echo $count; echo $count >${file}; count=$((count + 100)); sleep 0.01`;
  const cmd = `count=0; while :; do ${step}; done`;
  const first = await tools.call("exec_command", {
    cmd,
    yield_time_ms: 1_000,
    max_output_tokens: 1_000,
    shell: "/bin/bash",
    login: false,
  });
  expect(first.text).toMatch(/^Wall time: \d+\.\d{3} seconds\nProcess running with session ID \d+\nOutput:\n/);
  const { session_id } = first.structured;
  const firstNumbers = numbersIn(String(first.structured["output"]));
  while (firstNumbers.length === 0) {
    const { structured } = await tools.call("write_stdin", { session_id, chars: "", yield_time_ms: 100 });
    firstNumbers.push(...numbersIn(String(structured["output"])));
  }

  const count = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  await until(() => count() >= Math.max(...firstNumbers) + 2_500, "it has gone on");
  const second = await tools.call("write_stdin", {
    session_id,
    chars: "",
    yield_time_ms: 1_000,
    max_output_tokens: 16,
  });

  const output = String(second.structured["output"]);
  expect(second.structured["original_token_count"]).toEqual(expect.any(Number));
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64);
  expect(output).toMatch(/…\d+ tokens truncated…/);
  expect(Math.min(...numbersIn(output))).toBe(Math.max(...firstNumbers) + 100);
  expect(Math.max(...numbersIn(output))).toBeGreaterThanOrEqual(Math.max(...firstNumbers) + 2_500);
});

/** Waits in input() while a thread prints a line every 0.1 s until there are seven. */
const THREADED = `import threading, time
def lines():
    for n in range(7):
        time.sleep(0.1)
        print("line", n, flush=True)
threading.Thread(target=lines).start()
input()`;

test("no line is skipped of a program that waits for a line while its thread prints", async () => {
  skipTestWithout("python3");
  await using tools = openTools("codex");
  const { structured } = await tools.call("exec_command", { cmd: `exec python3 -c '${THREADED}'`, login: false });
  const { session_id } = structured;
  let output: string = structured["output"];

  for (let poll = 0; poll < MAX_POLLS && !output.includes("line 6"); poll += 1) {
    // Something is printed between two calls.
    await sleep(50);
    const answer = await tools.call("write_stdin", { session_id, chars: "", yield_time_ms: 150 });
    output += answer.structured["output"];
  }
  await tools.call("write_stdin", { session_id, chars: "\n" });

  expect(output.match(/line \d/g)).toEqual(Array.from({ length: 7 }, (_, n) => `line ${n}`));
});

test("empty chars wait for their whole time, although the program waits for input, unless it ends", async () => {
  await using tools = openTools("codex");
  const { structured } = await tools.call("exec_command", { cmd: "read x; exit 4", login: false });
  const { session_id } = structured;

  const waited = await tools.call("write_stdin", { session_id, chars: "", yield_time_ms: 300 });
  const polling = tools.call("write_stdin", { session_id, chars: "", yield_time_ms: LONG_MS });
  await tools.call("write_stdin", { session_id, chars: "x\n" });

  expect(waited.structured["yielded"]).toBe("deadline");
  expect((await polling).text).toContain("\nProcess exited with code 4\n");
});

test("calls at the same time each get all output", async () => {
  await using tools = openTools("codex");
  const cmd = "stty -echo; echo ready; read x; seq 1 50; read x";
  const { structured } = await tools.call("exec_command", { cmd, login: false });
  const { session_id } = structured;

  const polls = [1, 2, 3].map(() => tools.call("write_stdin", { session_id, chars: "", yield_time_ms: LONG_MS }));
  // The second line ends the program, and with it the calls.
  for (const _ of [1, 2]) await tools.call("write_stdin", { session_id, chars: "\n", yield_time_ms: LONG_MS });
  const outputs = (await Promise.all(polls)).map(({ structured: each }) => numberLines(each["output"]));
  const after = await tools.call("write_stdin", { session_id, chars: "", yield_time_ms: 0 });

  const all = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(outputs).toEqual([all, all, all]);
  expect(after.structured["output"]).toBe("");
});

test("Ctrl-C reaches the program", async () => {
  await using tools = openTools("codex");
  const started = await tools.call("exec_command", { cmd: "cat", login: false });

  const { text } = await tools.call("write_stdin", {
    session_id: started.structured["session_id"],
    chars: "\u0003",
    yield_time_ms: 10_000,
  });

  expect(text).toContain("\nProcess killed by signal SIGINT\n");
});

test("sessions of a client that has gone are ended after a while, because this profile cannot close them", async () => {
  await using registry = new SessionRegistry();
  const service = new LocalService(registry);
  const [gone, stays] = [service.forClient("gone"), service.forClient("stays")];
  const cmd = "while :; do echo busy; sleep 0.05; done";
  for (const [sessions, caller] of [
    [gone, "gone"],
    [stays, "stays"],
  ] as const) {
    await profiles.codex.tools[0]?.call({ cmd, login: false, yield_time_ms: 0 }, { sessions, caller });
  }

  service.clientGone("gone");
  const isLeft = await service.endLeftShells(600_000);
  await until(async () => !(await service.endLeftShells(50)), "what was left has ended");

  expect(isLeft).toBe(true);
  expect(registry.list({ ended: true }).map(({ closeReason }) => closeReason)).toEqual(["left", undefined]);
});

function numberLines(output: string): number[] {
  return output
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
}

function numbersIn(output: string): number[] {
  const lines = output.split("\n").filter((line) => /^\d+$/.test(line));
  return lines.map(Number).filter((number) => number % 100 === 0);
}
