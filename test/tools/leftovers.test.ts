import { expect, test } from "vitest";
import { until } from "../support/sessions.ts";
import { openTools } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };
const LEAVES_A_SERVER = "trap '' HUP; sleep 1000 >/dev/null 2>&1 & exit 0";

test("what an ended command left running is listed and told with every answer until it has ended", async () => {
  await using tools = openTools();
  const leaving = await tools.call("exec_command", { cmd: LEAVES_A_SERVER, name: "web", ...plain });
  const id = leaving.structured["session_id"];
  const list = async () => await tools.call("list_sessions");
  await until(async () => (await list()).text.includes("sleep,"), "the shell's child has become the program");

  const other = await tools.call("exec_command", { cmd: "echo hello", ...plain });
  const listed = await list();

  expect(leaving.structured["running"]).toBe(false);
  expect(other.text).toContain(`\nLeft running by session ${id} (web): sleep\n`);
  expect(listed.text).toContain(`${id} (web): exited with code 0, left running: sleep, `);
  const [shown] = listed.structured["sessions"];
  expect(shown).toMatchObject({ session_id: id, running: false, left_running: [{ name: "sleep" }] });
  process.kill(shown.left_running[0].pid);
  await until(async () => (await list()).text.startsWith("No sessions"), "nothing is left");
});

test("what is left running keeps no slot, ends no wait for all, and is ended by closing its session", async () => {
  await using tools = openTools("all", { maxSessions: 1 });
  await tools.call("exec_command", { cmd: LEAVES_A_SERVER, name: "web", ...plain });

  const refused = await tools.refusal("wait_for", {});
  const next = await tools.call("exec_command", { cmd: "echo hello", ...plain });
  await tools.call("close_session", { session_id: "web" });
  const listed = await tools.call("list_sessions");

  expect(refused).toContain("none of your sessions is running");
  expect(next.structured["output"]).toBe("hello\n");
  expect(listed.text).toBe("No sessions. Start one with exec_command.");
});
