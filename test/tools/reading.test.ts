import { expect, test } from "vitest";
import { openTools, type Toolbox } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };
const SQUARES = "awk 'BEGIN { for (i = 1; i <= 300; i++) print i * i }'";
const RED = "printf 'plain\\n\\033[31mred\\033[0m\\n10%%\\r99%%\\n'";

const squares = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${(from + index) ** 2}\n`).join("");

async function outputOf(tools: Toolbox, cmd: string, args: Readonly<Record<string, unknown>> = {}) {
  const { structured } = await tools.call("exec_command", { cmd, ...plain });
  return (await tools.call("read_output", { session_id: structured["session_id"], ...args })).structured;
}

test.each([
  ["nothing", {}, squares(1, 300)],
  ["from", { from: 9 }, squares(4, 300)],
  ["head", { head: 3 }, squares(1, 3)],
  ["head of more than there is", { head: 1000 }, squares(1, 300)],
  ["from and head", { from: 9, head: 2 }, squares(4, 5)],
  ["tail", { tail: 2 }, squares(299, 300)],
  ["tail of more than there is", { tail: 1000 }, squares(1, 300)],
  ["from beyond the end", { from: 1_000_000 }, ""],
])("read_output given %s gives that part", async (_, args, expected) => {
  await using tools = openTools();

  expect((await outputOf(tools, SQUARES, args))["output"]).toBe(expected);
});

test("the cursor of one reading is where the next goes on", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: SQUARES, name: "squares", ...plain });
  let whole = "";

  for (let from = 0, rounds = 0; rounds < 20; rounds += 1) {
    const { structured } = await tools.call("read_output", { session_id: "squares", from, head: 20 });
    whole += structured["output"];
    from = structured["cursor"];
  }

  expect(whole).toBe(squares(1, 300));
});

test("a cursor beyond the end returns nothing, and the answer says where the output ends", async () => {
  await using tools = openTools();

  expect(await outputOf(tools, "echo hello", { from: 5_000 })).toMatchObject({ output: "", cursor: 7 });
  await tools.call("exec_command", { cmd: "echo hello", name: "hello", ...plain });
  const read = async (from: number) => (await tools.call("read_output", { session_id: "hello", from })).text;
  expect(await read(8)).toMatch(/\nNext: from=7\nThe output ends at 7, before from=8\nOutput:\n$/);
  expect(await read(7)).toMatch(
    /^Session ID \d+ \(hello\): exited with code 0\nNext: from=7\nThis is the end of the output\nOutput:\n$/,
  );
});

test("output is clean, and raw on request", async () => {
  await using tools = openTools();

  expect((await outputOf(tools, RED))["output"]).toBe("plain\nred\n99%\n");
  expect((await outputOf(tools, RED, { raw: true }))["output"]).toBe("plain\r\n\u001b[31mred\u001b[0m\r\n10%\r99%\r\n");
});

test("grep gives line numbers, context and cursors, in clean text or raw", async () => {
  await using tools = openTools();

  const clean = await outputOf(tools, RED, { grep: "^red$", context: 1 });
  const raw = await outputOf(tools, RED, { grep: "\\[31mred", raw: true });

  expect(clean).toEqual({
    session_id: expect.any(Number),
    total_matches: 1,
    truncated: false,
    cursor: expect.any(Number),
    lines: [
      { line: 1, cursor: expect.any(Number), text: "plain", is_match: false },
      { line: 2, cursor: expect.any(Number), text: "red", is_match: true },
      { line: 3, cursor: expect.any(Number), text: "99%", is_match: false },
    ],
  });
  expect(raw).toMatchObject({ total_matches: 1, lines: [{ line: 2, cursor: 7 }] });
});

test("a search keeps to its budget, says how many there are, and goes on from where it stopped", async () => {
  await using tools = openTools();
  const cmd = 'awk \'BEGIN { for (i = 1; i <= 2000; i++) print "hit " i * i " " rand() }\'';
  await tools.call("exec_command", { cmd, name: "hits", ...plain });
  const seen = new Set<string>();

  for (let from = 0, rounds = 0; rounds < 100; rounds += 1) {
    const args = { session_id: "hits", grep: "^hit", from, max_output_tokens: 3_000 };
    const { text, structured } = await tools.call("read_output", args);
    expect(Buffer.byteLength(text)).toBeLessThan(3_000 * 4 + 200);
    for (const line of structured["lines"]) seen.add(line.text.split(" ")[1]);
    if (!structured["truncated"]) break;
    expect(text).toContain(`continue with from=${structured["cursor"]}\n`);
    expect(structured["cursor"]).toBeGreaterThan(from);
    from = structured["cursor"];
  }

  expect(seen).toEqual(new Set(squares(1, 2000).trim().split("\n")));
});

test("stderr of a piped program is in the output too, in the order of arrival", async () => {
  await using tools = openTools();
  const cmd = "echo out; echo err >&2; echo out again";

  const { structured } = await tools.call("exec_command", { cmd, tty: false, ...plain });

  expect(String(structured["output"]).split("\n").sort()).toEqual(["", "err", "out", "out again"]);
});

test("output that memory no longer holds is counted as dropped", async () => {
  await using tools = openTools("all", { defaults: { journalBytes: 4096 } });

  const { structured } = await tools.call("exec_command", { cmd: "head -c 100000 /dev/zero | tr '\\0' x", ...plain });
  const again = await tools.call("read_output", { session_id: structured["session_id"] });

  expect(structured["dropped_bytes"]).toBeGreaterThan(0);
  expect(again.structured["dropped_bytes"]).toBeGreaterThan(90_000);
  expect(again.structured["output"]).toContain("bytes of output were dropped here]");
});

test("an ended session stays readable, and a closed one does not", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "echo kept", name: "job", ...plain });

  expect((await tools.call("read_output", { session_id: "job" })).structured["output"]).toBe("kept\n");
  await tools.call("close_session", { session_id: "job" });
  expect(await tools.refusal("read_output", { session_id: "job" })).toMatch(/^SESSION_NOT_FOUND: /);
});

test("a close ends all that a session started, and lists it", async () => {
  await using tools = openTools();
  const cmd = "setsid sleep 1000 & nohup sleep 1000 >/dev/null & echo up; exec sleep 1000";
  await tools.call("exec_command", { cmd, name: "tree", until: "up", ...plain });

  const { structured } = await tools.call("close_session", { session_id: "tree", force: true });

  expect(structured["left"]).toEqual([]);
  // One that was just forked may still bear the name of the shell.
  expect(structured["ended"].length).toBeGreaterThanOrEqual(3);
});

test("a search says how much it could not search because it was dropped", async () => {
  await using tools = openTools("all", { defaults: { journalBytes: 4096 } });
  const { structured } = await tools.call("exec_command", { cmd: "seq -f 'row %05.0f' 1 2000", ...plain });
  const search = { session_id: structured["session_id"], grep: "row 02000" };

  const found = await tools.call("read_output", search);
  const later = await tools.call("read_output", { ...search, from: 2000 * 11 - 100 });

  expect(found.text).toBe(
    `Session ID ${search.session_id}: exited with code 0\n1 matching line\n` +
      "Warning: 17904 bytes of output were dropped and not searched\nOutput:\n374: row 02000",
  );
  expect(found.structured).toMatchObject({ total_matches: 1, dropped_bytes: 17_904 });
  expect(later.text).not.toContain("dropped");
  expect(later.structured).not.toHaveProperty("dropped_bytes");
});
