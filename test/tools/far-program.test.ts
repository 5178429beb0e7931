/** A program that passes keys on to another machine: what runs there is unknown, and answers say so. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { skipTestWithout } from "../support/needs.ts";
import { openTools } from "../support/tools.ts";
// @ts-expect-error A script without types.
import { openTalker } from "../zoo/places/talker.mjs";

const CLIENT = fileURLToPath(new URL("../zoo/programs/raw-client.py", import.meta.url));
const WAIT_MS = 40_000;

async function clientOfTalker(): Promise<string> {
  skipTestWithout("python3");
  const { env, close } = await openTalker();
  onTestFinished(close);
  return `python3 ${CLIENT} ${env.TALKER_PORT}`;
}

test("a prompt from far away ends a wait as unknown, is reported once, and the next one after its answer", async () => {
  await using tools = openTools();
  const cmd = await clientOfTalker();

  const started = await tools.call("exec_command", { cmd, shell: "/bin/sh", login: false, yield_time_ms: WAIT_MS });
  const again = await tools.refusal("wait_for");
  const { session_id: id } = started.structured;
  const answered = await tools.call("write_stdin", {
    session_id: id,
    chars: "slow",
    keys: ["Enter"],
    yield_time_ms: WAIT_MS,
  });

  expect(started.structured).toMatchObject({ yielded: "input", waiting_for: "unknown" });
  expect(started.text).toContain("\nProbably waiting for input; which kind is unknown\n");
  expect(again).toContain("NOTHING_TO_WAIT_FOR");
  expect(answered.structured).toMatchObject({ yielded: "input", waiting_for: "unknown" });
  expect(answered.structured["output"]).toMatch(/SLOW\s+talker> $/);
});

test("a command in a shell that talks to another machine says how to answer", async () => {
  await using tools = openTools();
  const command = await clientOfTalker();

  const { structured, text } = await tools.call("run", { command });

  expect(structured).toMatchObject({ running: true, waiting_for: "unknown" });
  expect(text).toContain(`Probably waiting for input; answer with write_stdin(session_id=${structured["session_id"]})`);
});
