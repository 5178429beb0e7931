/** Without being asked to, limpet answers a program that asks its terminal and waits, and nothing else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skipTestWithout } from "../support/needs.ts";
import { until } from "../support/sessions.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { allText, LONG_MS, temporaryDirectory } from "../support/watching.ts";

/** Asks as irb and bpython do, and prints what it reads. */
const ASKS = `import os, tty
tty.setraw(0)
os.write(1, b"abc\\x1b[6n\\x1b[c")
got = b""
while not got.endswith(b"c"): got += os.read(0, 64)
os.write(1, b"got " + repr(got).encode() + b"\\r\\n")`;

const HOSTILE = "\x1b[c\x1b[6n\x1bP$qr\x1b\\\x1b]52;c;?\x07\x1b[21t\x1b[6n";

async function start(tools: Toolbox, cmd: string, args: object): Promise<number> {
  const options = { cmd, shell: "/bin/bash", login: false, yield_time_ms: LONG_MS, ...args };
  return (await tools.call("exec_command", options)).structured["session_id"];
}

test("a program that asks in raw mode and waits is answered with the position and the kind of its terminal", async () => {
  skipTestWithout("python3");
  await using tools = openTools();

  const { text } = await tools.call("exec_command", {
    cmd: `exec python3 -c '${ASKS}'`,
    login: false,
    until: "got .*\\n",
    yield_time_ms: LONG_MS,
  });

  expect(text).toContain("got b'\\x1b[1;4R\\x1b[?1;2c'");
});

test("a program that a command of run starts is answered, too", async () => {
  skipTestWithout("python3");
  await using tools = openTools();

  const { text } = await tools.call("run", { command: `python3 -c '${ASKS}'`, timeout_ms: LONG_MS });

  expect(text).toMatch(/got b'\\x1b\[\d+;4R\\x1b\[\?1;2c'/);
});

test("with answer_queries false it is not, and the answer says what it waits for", async () => {
  skipTestWithout("python3");
  await using tools = openTools();
  const session_id = await start(tools, `exec python3 -c '${ASKS}'`, { answer_queries: false });

  const { text } = await tools.call("write_stdin", { session_id, yield_time_ms: 100 });

  expect(text).toContain("Waits for its terminal to answer a query");
  expect(text).toContain("answer_queries=true");
});

/** A shell that shows nothing of its own after a command. */
const SILENT_BASH = "PS1= PROMPT_COMMAND= TERM=dumb exec bash --norc -i";

test.each([
  ["a silent interactive shell", SILENT_BASH],
  ["an interactive shell", "exec bash --norc -i"],
  ["cat", "exec cat"],
])("a hostile file that %s prints types nothing", async (_, program) => {
  await using tools = openTools();
  const file = join(temporaryDirectory(), "hostile");
  writeFileSync(file, HOSTILE);
  const typed: string[] = [];
  const session_id = await start(tools, program, { yield_time_ms: 2_000 });
  const session = tools.registry.get(session_id);
  session.onTyped(({ bytes }) => typed.push(Buffer.from(bytes).toString()));

  const line = program === "exec cat" ? HOSTILE.replaceAll("\x1b", "\x16\x1b") : `cat ${file}`;
  await tools.call("write_stdin", { session_id, chars: `${line}\n`, yield_time_ms: 1_000 });
  await tools.call("write_stdin", { session_id, yield_time_ms: 2_500 });

  await tools.call("write_stdin", { session_id, chars: "echo end-$((40+2))\n", yield_time_ms: 2_000 });
  // The line itself is echoed, whatever has become of the program.
  const shown = program === "exec cat" ? /end-\$.*end-\$/s : /end-42/;
  await until(async () => shown.test(await allText(session)), "it still reads");
  expect(await allText(session)).not.toMatch(/\d+;\d+R|\?1;2c/);
  expect(typed.join("")).not.toMatch(/\x1b\[[\d;?]*[Rcn]$/);
});
