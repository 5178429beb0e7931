/** A line that was typed without Enter: the answer says so, and a command that finds it says how to get rid of it. */
import { expect, test } from "vitest";
import { openTools } from "../../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };
const NOTE = 'Typed without Enter: "echo ha"; submit it with keys ["Enter"], or clear it with keys ["Ctrl+U"]';

test.each([
  { key: "Ctrl+U", output: "next\n" },
  { key: "Enter", output: "next\n" },
])("half a line in an idle shell is named, and $key makes room for the next command", async ({ key, output }) => {
  await using tools = openTools();
  const { structured } = await tools.call("run", { command: "true" });
  const id = structured["session_id"];

  const typed = await tools.call("write_stdin", { session_id: id, chars: "echo ha", until: "echo ha" });
  const refused = await tools.refusal("run", { command: "echo next" });
  await tools.call("write_stdin", { session_id: id, keys: [key], yield_time_ms: 200 });
  const next = await tools.call("run", { command: "echo next" });

  expect(typed.text).toContain(`\n${NOTE}\n`);
  expect(refused).toBe(
    `SHELL_BUSY: The shell of session ${id} has a typed line without Enter ("echo ha"), so this command did not start. ` +
      `Clear it with write_stdin(session_id=${id}, keys=["Ctrl+U"]), or run it with keys=["Enter"].`,
  );
  expect(next.structured["output"]).toBe(output);
});

test("a program that reads lines has not got half a line, and the answer says so", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "cat", name: "cat", ...plain });

  const half = await tools.call("write_stdin", { session_id: "cat", chars: "one\necho ha" });
  const whole = await tools.call("write_stdin", { session_id: "cat", chars: "\n" });

  expect(half.text).toContain(`\n${NOTE}\n`);
  expect(whole.text).not.toContain("Typed without Enter");
});

test.each([
  ["a key", "stty -icanon -echo; printf ready; cat"],
  ["a password", "stty -echo; printf ready; read x"],
])("nothing is said where the program reads %s", async (_what, cmd) => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd, name: "it", until: "ready", ...plain });

  const { text } = await tools.call("write_stdin", { session_id: "it", chars: "secret", yield_time_ms: 200 });

  expect(text).not.toContain("Typed without Enter");
});
