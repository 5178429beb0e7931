/** Typing keeps to the time of its call, and an interrupt key overtakes what was typed before it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skipTestWithout } from "../support/needs.ts";
import { outputHas, until } from "../support/sessions.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { LONG_MS, temporaryDirectory } from "../support/watching.ts";

/** Does not read, and says when it is interrupted, quit or suspended. */
const DEAF = (stty: string, signal = "INT") =>
  `stty ${stty}; trap 'echo ${signal} came; exit 7' ${signal}; echo ready; while :; do sleep 0.02; done`;

async function start(tools: Toolbox, cmd: string, args: object = {}): Promise<number> {
  const { structured } = await tools.call("exec_command", {
    cmd,
    shell: "/bin/bash",
    login: false,
    until: "ready",
    yield_time_ms: 30_000,
    ...args,
  });
  return structured["session_id"];
}

const LINES = `${"x".repeat(74)}\n`.repeat(400);

test.each([
  ["line mode", "sane", LINES],
  ["line mode without echo", "-echo", LINES],
  ["key mode", "-icanon -echo", "x".repeat(30_000)],
  ["raw mode", "raw -echo", "x".repeat(30_000)],
])(
  "30 kB for a program that does not read are answered in time, with what is unread, in %s",
  async (_, stty, chars) => {
    await using tools = openTools();
    const session_id = await start(tools, DEAF(stty));

    const { text, structured } = await tools.call("write_stdin", { session_id, chars, yield_time_ms: 250 });

    expect(structured["yielded"]).toBe("deadline");
    expect(text).toContain("\nNot read yet: 30000 bytes\n");
  },
);

test("100 kB for a program on pipes that does not read are answered in time, with what is unread", async () => {
  await using tools = openTools();
  const session_id = await start(tools, "echo ready; exec sleep 1000", { tty: false });

  const chars = "x".repeat(100_000);
  const { text, structured } = await tools.call("write_stdin", { session_id, chars, yield_time_ms: 250 });

  expect(structured["yielded"]).toBe("deadline");
  expect(text).toContain("\nNot read yet: 100000 bytes\n");
});

test.each([
  ["Ctrl+C", "INT", "\u0003"],
  ["Ctrl+\\", "QUIT", "\u001c"],
])("%s overtakes and discards 30 kB that wait, and the caller is told", async (_, signal, chars) => {
  await using tools = openTools();
  const session_id = await start(tools, DEAF("-echo", signal));
  await tools.call("write_stdin", { session_id, chars: LINES, yield_time_ms: 0 });

  const { text } = await tools.call("write_stdin", { session_id, chars, yield_time_ms: 30_000 });

  expect(text).toContain("Process exited with code 7, session ID ");
  expect(text).toContain("Discarded by an interrupt key: 30000 bytes of your input\n");
  expect(text).toContain(`${signal} came`);
});

test("the interrupt key is the one that the terminal's own settings name", async () => {
  await using tools = openTools();
  const session_id = await start(tools, DEAF("-echo intr ^G"));
  await tools.call("write_stdin", { session_id, chars: LINES, yield_time_ms: 0 });

  const stuck = await tools.call("write_stdin", { session_id, chars: "\u0003", yield_time_ms: 100 });
  const { text } = await tools.call("write_stdin", { session_id, chars: "\u0007", yield_time_ms: 30_000 });

  expect(stuck.text).toContain("\nNot read yet: 30001 bytes\n");
  expect(text).toContain("INT came");
});

test("Ctrl+C for a program that reads it as a byte waits its turn", async () => {
  await using tools = openTools();
  const session_id = await start(tools, DEAF("raw -echo"));
  await tools.call("write_stdin", { session_id, chars: "x".repeat(30_000), yield_time_ms: 0 });

  const { text } = await tools.call("write_stdin", { session_id, chars: "\u0003", yield_time_ms: 100 });

  expect(text).toContain("\nNot read yet: 30001 bytes\n");
});

test("a call that still waits when its input is discarded is answered, not refused", async () => {
  await using tools = openTools();
  const { registry } = tools;
  const session_id = await start(tools, DEAF("-echo"));
  const typing = tools.call("write_stdin", { session_id, chars: LINES, yield_time_ms: 30_000 }, { caller: "typist" });
  const session = registry.get(session_id);
  await until(() => session.unreadInputBytes === LINES.length, "it is typed");

  await tools.call("write_stdin", { session_id, chars: "\u0003", yield_time_ms: 30_000 }, { caller: "other" });

  const { text } = await typing;
  expect(text).toContain("Process exited with code 7, session ID ");
  expect(text).toContain("Discarded by an interrupt key: 30000 bytes of your input\n");
});

test("what waited is typed when the program starts to read, in order", async () => {
  skipTestWithout("python3");
  await using tools = openTools();
  const script = `import os,sys,tty
tty.setraw(0)
print("ready",end="\\r\\n",flush=True)
while not os.path.exists(sys.argv[1]): pass
got=b""
while len(got)<30010: got+=os.read(0,65536)
print("got",got==b"x"*30000+b"y"*10,end="\\r\\n",flush=True)`;
  const go = join(temporaryDirectory(), "go");
  const session_id = await start(tools, `exec python3 -c '${script}' ${go}`);
  await tools.call("write_stdin", { session_id, chars: "x".repeat(30_000), yield_time_ms: 0 });
  await tools.call("write_stdin", { session_id, chars: "y".repeat(10), yield_time_ms: 0 });

  writeFileSync(go, "");

  const { structured } = await tools.call("wait_for", { session_ids: [session_id], until: "got True" });
  expect(structured["yielded"]).toBe("matched");
});

test("a program that ends before it has read everything reports what it never got", async () => {
  await using tools = openTools();
  const go = join(temporaryDirectory(), "go");
  const session_id = await start(tools, `stty -echo; echo ready; until [ -e ${go} ]; do sleep 0.02; done`);

  const typing = tools.refusal("write_stdin", { session_id, chars: LINES, yield_time_ms: 30_000 });
  const isTyped = async () => (await tools.sessions.find(session_id)).unreadInputBytes === LINES.length;
  await until(isTyped, "it is typed");
  writeFileSync(go, "");
  const refused = await typing;

  expect(refused).toMatch(/^INPUT_NOT_DELIVERED: Session \d+ did not read \d+ bytes of input: its program exited/);
});

test("without a terminal Ctrl+C is SIGINT to the group, and the answer says so", async () => {
  await using tools = openTools();
  const cmd = "trap 'echo interrupted; exit 3' INT; echo ready; while :; do sleep 0.02; done";

  for (const typed of [{ chars: "\u0003" }, { keys: ["Ctrl+C"] }]) {
    const session_id = await start(tools, cmd, { tty: false });
    const { text } = await tools.call("write_stdin", { session_id, ...typed, yield_time_ms: 30_000 });

    expect(text).toContain("Process exited with code 3, session ID ");
    expect(text).toContain("Sent SIGINT: this session has no terminal to receive Ctrl+C\n");
    expect(text).toContain("interrupted");
  }
});

test("without a terminal Ctrl+D closes the input, alone or after a line, and the answer says so", async () => {
  await using tools = openTools();

  for (const typed of [{ chars: "b\na\n\u0004" }, { chars: "b\na\n", keys: ["Ctrl+D"] }]) {
    const { structured } = await tools.call("exec_command", {
      cmd: "sort",
      tty: false,
      login: false,
      yield_time_ms: 0,
    });
    const { session_id } = structured;
    const { text } = await tools.call("write_stdin", { session_id, ...typed, yield_time_ms: 30_000 });

    expect(text).toContain("Closed its input: this session has no terminal to receive Ctrl+D\n");
    expect(text).toMatch(/Process exited with code 0, session ID [\s\S]*\na\nb\n$/);
  }
});

test("without a terminal a control character inside text is data", async () => {
  await using tools = openTools();
  const session_id = await start(tools, "echo ready; head -c 5 | od -An -tx1", { tty: false });

  const { text } = await tools.call("write_stdin", { session_id, chars: "a\u0003b\u0004\n", yield_time_ms: 30_000 });

  expect(text).toContain("61 03 62 04 0a");
});

test("with nothing to type a call collects output for its whole time, although the program waits for input", async () => {
  await using tools = openTools();
  const session_id = await start(tools, "echo ready; exec cat");
  const session = tools.registry.get(session_id);
  await until(async () => (await session.waitingFor()) === "line", "it waits for input");

  const short = await tools.call("write_stdin", { session_id, yield_time_ms: 200 });
  const polling = tools.call("write_stdin", { session_id, yield_time_ms: LONG_MS });
  await session.write("late\n");
  await outputHas(session, "late\r\nlate\r\n");
  await until(async () => (await session.waitingFor()) === "line", "it waits again");
  // Only the end of the program ends such a call before its time.
  await session.write("\u0004");

  expect(short.structured["yielded"]).toBe("deadline");
  expect((await polling).structured).toMatchObject({ yielded: "exited", output: "late\nlate\n" });
});
