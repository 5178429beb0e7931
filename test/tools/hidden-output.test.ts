/** No output disappears without a word: control strings without an end, binary data, half a character. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolResult } from "../../src/tools/tool.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { temporaryDirectory, testProgram } from "../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

async function outputOf(tools: Toolbox, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  return untagged(await tools.call(tool, args));
}

/** The output without the tag of limpet's own lines, which differs in each answer. */
function untagged({ structured }: Pick<ToolResult, "structured">): string {
  const { output, tag } = structured;
  return String(output).replaceAll(`${String(tag)} `, "");
}

test.each(["P", "_", "^", "X", "]", "k"])(
  "ESC %s hides at most its own line, and that is stated",
  async (introducer) => {
    await using tools = openTools();
    const cmd = `printf 'hi\\n\\033${introducer}'; echo taken words; echo seen; echo and seen`;
    const told = "hi\n[unfinished control string not shown here: 11 bytes; raw shows it]\nseen\nand seen\n";

    const first = await tools.call("exec_command", { cmd, ...plain });
    const { session_id } = first.structured;
    const read = (args: object) => outputOf(tools, "read_output", { session_id, ...args });

    expect(untagged(first)).toBe(told);
    expect(await read({})).toBe(told);
    expect(await read({ head: 3 })).toBe(told.split("and seen")[0]);
    expect(await read({ tail: 2 })).toBe("seen\nand seen\n");
    expect(await read({ raw: true })).toContain("taken words");
    expect((await tools.call("read_output", { session_id, grep: "^and seen" })).text).toContain("and seen");
    expect((await tools.call("read_screen", { session_id })).text).toMatch(/seen\s+and seen/);
    expect((await tools.call("list_sessions", { ended: true })).text).toContain("and seen");
  },
);

test("a prompt that an open string hides is stated while the program waits", async () => {
  await using tools = openTools();
  const cmd = "printf 'one\\n\\033PReally? '; read answer; echo got $answer";

  const asked = await tools.call("exec_command", { cmd, ...plain });
  const { session_id } = asked.structured;
  const answered = await tools.call("write_stdin", { session_id, chars: "y\n" });

  expect(untagged(asked)).toBe("one\n[unfinished control string not shown here: 8 bytes; raw shows it]\n");
  expect(untagged(answered)).toMatch(/^\[unfinished control string .*\]\ngot y\n$/);
});

test("a command of run that leaves a string open does not hide the next one", async () => {
  await using tools = openTools();

  await tools.call("run", { command: "printf '\\033P'" });

  expect(await outputOf(tools, "run", { command: "echo seen" })).toBe("seen\n");
});

test.each(["exec_command", "run"])("binary data is one line in %s, and readable raw", async (tool) => {
  await using tools = openTools();
  const noise = join(temporaryDirectory(), "noise");
  writeFileSync(noise, execFileSync(process.execPath, [testProgram("prints-noise.mjs"), "20000"]));
  const command = `echo before; cat ${noise}; printf '\\nafter\\n'`;

  const { structured } = await tools.call(tool, tool === "run" ? { command } : { cmd: command, ...plain });
  const raw = await outputOf(tools, "read_output", { session_id: structured["session_id"], raw: true });

  expect(untagged({ structured })).toMatch(
    /^before\n\[binary data not shown here: 20000 bytes, beginning [\da-f ]+; raw shows it\]\n\nafter\n$/,
  );
  expect(Buffer.byteLength(raw)).toBeGreaterThan(20_000);
});

test("a program and an archive are named", async () => {
  await using tools = openTools();

  expect(await outputOf(tools, "exec_command", { cmd: "cat /bin/ls", ...plain })).toMatch(
    /^\[binary data not shown here: \d+ bytes, ELF; raw shows it\]\n$/,
  );
  expect(await outputOf(tools, "exec_command", { cmd: "gzip -c /bin/ls", ...plain })).toMatch(
    /^\[binary data not shown here: \d+ bytes, gzip; raw shows it\]\n$/,
  );
});

test("a character that is incomplete when the program ends is shown as U+FFFD", async () => {
  await using tools = openTools();
  const command = "printf 'ab\\344\\270'";

  const { structured } = await tools.call("exec_command", { cmd: command, ...plain });
  const { session_id } = structured;

  expect(untagged({ structured })).toBe("ab\ufffd");
  expect(await outputOf(tools, "read_output", { session_id })).toBe("ab\ufffd");
  expect(await outputOf(tools, "read_output", { session_id, tail: 1 })).toBe("ab\ufffd");
  expect(await outputOf(tools, "read_output", { session_id, raw: true })).toBe("ab\ufffd");
  expect((await tools.call("read_output", { session_id, grep: "ab" })).text).toContain("ab\ufffd");
  expect((await tools.call("read_screen", { session_id })).text).toContain("ab\ufffd");
  expect(await outputOf(tools, "run", { command })).toBe("ab\ufffd");
});

test("a character that is completed later is shown whole", async () => {
  await using tools = openTools();
  const cmd = "printf 'ab\\344\\270'; read go; printf '\\226c\\n'";

  const first = await tools.call("exec_command", { cmd, ...plain });
  const { session_id } = first.structured;
  await tools.call("write_stdin", { session_id, chars: "\n", until: "c" });

  expect(untagged(first)).toBe("ab");
});
