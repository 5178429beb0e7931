/** Reading on with read_output: page by page, each line once, up to the end. */
import { expect, test } from "vitest";
import { openTools, type Toolbox } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh", yield_time_ms: 60_000 };

interface Pages {
  readonly texts: readonly string[];
  readonly last: string;
}

/** All pages from a cursor on, as `Next:` leads from one to the other. */
async function pagesOf(tools: Toolbox, session_id: unknown, args: Readonly<Record<string, unknown>>): Promise<Pages> {
  const texts: string[] = [];
  let from = Number(args["from"] ?? 0);
  for (let round = 0; round < 400; round += 1) {
    const page = await tools.call("read_output", { session_id, ...args, from });
    texts.push(String(page.structured["output"]));
    expect(page.structured["truncated"]).toBe(false);
    if (/^This is the end of the output$/m.test(page.text)) return { texts, last: page.text };
    from = Number(/^Next: from=(\d+)$/m.exec(page.text)?.[1]);
  }
  throw new Error("There is no last page.");
}

test("86,000 tokens come in nine calls of 10,000, without repeats or holes", async () => {
  await using tools = openTools();
  const cmd = "awk 'BEGIN { for (i = 1; i <= 8000; i++) printf \"%042d\\n\", i * 7 }'";
  const expected = Array.from({ length: 8000 }, (_, i) => `${String((i + 1) * 7).padStart(42, "0")}\n`).join("");
  const { structured } = await tools.call("exec_command", { cmd, ...plain });

  const { texts } = await pagesOf(tools, structured["session_id"], {});

  expect(expected.length / 4).toBe(86_000);
  expect(texts.join("")).toBe(expected);
  expect(texts).toHaveLength(9);
  for (const text of texts) expect(text.length / 4).toBeLessThanOrEqual(10_000);
  for (const text of texts) expect(text.endsWith("\n")).toBe(true);
});

test.each([
  ["lines", "awk 'BEGIN { for (i = 1; i <= 4000; i++) print \"row\", i, i * i }'"],
  ["coloured lines", "awk 'BEGIN { for (i = 1; i <= 4000; i++) printf \"\\033[1mrow\\033[0m %d é %d\\n\", i, i * i }'"],
  ["one line", 'awk \'BEGIN { for (i = 1; i <= 4000; i++) printf "row %d %d, ", i, i * i; print "" }\''],
])("the cut of an answer leads to the part that was cut, and reading on gives the rest once: %s", async (_, cmd) => {
  await using tools = openTools();
  const first = await tools.call("exec_command", { cmd, ...plain, max_output_tokens: 2_000, fold: false });
  const from = Number(/full output: read_output\(session_id=\d+, from=(\d+)\)/.exec(first.text)?.[1]);
  const { session_id } = first.structured;
  const whole = (await tools.call("read_output", { session_id, max_output_tokens: 100_000 })).structured["output"];

  const { texts } = await pagesOf(tools, session_id, { from, max_output_tokens: 2_000 });

  const [shown = ""] = String(first.structured["output"]).split(/\n?^.*tokens truncated….*\n/m);
  const rest = texts.join("");
  const isAtLineEnd = whole === `${shown}\n${rest}`;
  expect(isAtLineEnd ? `${shown}\n${rest}` : shown + rest).toBe(whole);
});

test("one giant line is read in pages that continue inside it", async () => {
  await using tools = openTools();
  const cmd =
    "printf 'begin\\n'; awk 'BEGIN { for (i = 1; i <= 9000; i++) printf \"\\033[1mé%d\\033[0m \", i; print \"end\" }'";
  const expected = `begin\n${Array.from({ length: 9000 }, (_, i) => `é${i + 1} `).join("")}end\n`;
  const { structured } = await tools.call("exec_command", { cmd, ...plain });

  const { texts } = await pagesOf(tools, structured["session_id"], { max_output_tokens: 1_000 });

  expect(texts.join("")).toBe(expected);
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  expect(texts.length).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(expected) / 4_000) + 4);
});

test("raw pages give every byte once", async () => {
  await using tools = openTools();
  const cmd = "awk 'BEGIN { for (i = 1; i <= 3000; i++) printf \"\\033[32m%d ü\\033[0m\\n\", i }'";
  const expected = Array.from({ length: 3000 }, (_, i) => `\u001b[32m${i + 1} ü\u001b[0m\r\n`).join("");
  const { structured } = await tools.call("exec_command", { cmd, ...plain });

  const { texts } = await pagesOf(tools, structured["session_id"], { raw: true, max_output_tokens: 1_500 });

  expect(texts.join("")).toBe(expected);
});

test("a page does not end inside a full-screen program", async () => {
  await using tools = openTools();
  const screen = "printf '\\033[?1049h'; seq -f 'drawn %.0f' 1 3000; printf '\\033[?1049l'";
  const cmd = `seq -f 'before %.0f' 1 200; ${screen}; seq -f 'after %.0f' 1 200`;
  const { structured } = await tools.call("exec_command", { cmd, ...plain });

  const { texts } = await pagesOf(tools, structured["session_id"], { max_output_tokens: 300 });

  const all = texts.join("");
  expect(all).not.toContain("drawn");
  expect(all.match(/^before \d+$/gm)).toHaveLength(200);
  expect(all.match(/^after \d+$/gm)).toHaveLength(200);
  expect(all.match(/full-screen program/g)).toHaveLength(1);
});

test("a page of a program that runs says that the output ends there so far", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "echo one; read x", login: false, shell: "/bin/sh" });

  const page = await tools.call("read_output", { session_id: structured["session_id"] });

  expect(page.text).toMatch(/^This is the end of the output so far$/m);
});

test("a budget that is too small for a character still leads on", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "printf '世界\\n\\n'", ...plain });

  const { texts } = await pagesOf(tools, structured["session_id"], { max_output_tokens: 1 });

  expect(texts.join("")).toBe("世界\n\n");
});
