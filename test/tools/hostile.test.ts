import { expect, test } from "vitest";
import { profiles } from "../../src/tools/profiles.ts";
import { openTools } from "../support/tools.ts";
import { LONG_MS } from "../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };
const LONG = "x".repeat(1024 * 1024);
const HALF_A_PAIR = "\ud800";

test("__proto__, constructor and toString are names like any other", async () => {
  await using tools = openTools();

  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(await tools.refusal("read_output", { session_id: name })).toContain(`No session "${name}"`);
    const { structured } = await tools.call("exec_command", { cmd: "echo hi; cat", name, until: "hi\\n", ...plain });
    const read = await tools.call("read_output", { session_id: name });
    expect(read.structured).toMatchObject({ session_id: structured["session_id"], output: "hi\n" });
  }
});

test("a variable named __proto__ reaches the program or is refused, and is never lost silently", async () => {
  await using tools = openTools();
  const args = JSON.parse('{"cmd": "env", "env": {"__proto__": "polluted", "FINE": "1"}}');

  const { isError, text } = await tools.raw("exec_command", { ...args, ...plain });

  expect(isError || text.includes("__proto__=polluted")).toBe(true);
  expect(({} as Record<string, unknown>)["FINE"]).toBeUndefined();
});

test.each([
  ["exec_command", { cmd: "echo a\0b", ...plain }, "NUL_BYTE"],
  ["exec_command", { cmd: "true", env: { A: "a\0b" }, ...plain }, "NUL_BYTE"],
  ["exec_command", { cmd: "true", env: { "": "a" }, ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", env: { "A=B": "a" }, ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", workdir: "/tmp\0", ...plain }, "NUL_BYTE"],
  ["exec_command", { cmd: "true", workdir: " ", ...plain }, "DIRECTORY_NOT_FOUND"],
  ["exec_command", { cmd: "true", shell: " " }, "PROGRAM_NOT_FOUND"],
  ["exec_command", { cmd: "true", shell: "/tmp" }, "PROGRAM_NOT_EXECUTABLE"],
  ["exec_command", { cmd: LONG, ...plain }, "SPAWN_FAILED"],
  ["exec_command", { cmd: "true", name: LONG, ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", name: "a\nb", ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", name: "a\tb", ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", name: "007", ...plain }, "BAD_OPTION"],
  ["exec_command", { cmd: "true", shell: LONG }, "PROGRAM_NOT_FOUND"],
  ["exec_command", { cmd: "true", workdir: LONG, ...plain }, "DIRECTORY_NOT_FOUND"],
  ["exec_command", { cmd: "true", until: LONG, ...plain }, "BAD_PATTERN"],
  ["write_stdin", { session_id: LONG, chars: "" }, "SESSION_NOT_FOUND"],
  ["write_stdin", { session_id: "", chars: "" }, "SESSION_NOT_FOUND"],
  ["write_stdin", { session_id: 1, chars: 5 }, "BAD_OPTION"],
  ["read_output", { session_id: Number.MAX_SAFE_INTEGER }, "SESSION_NOT_FOUND"],
  ["read_output", { session_id: 1e300 }, "BAD_OPTION"],
  ["read_output", { [LONG]: 1, session_id: 1 }, "SESSION_NOT_FOUND"],
  ["read_output", { [LONG]: 1 }, "BAD_OPTION"],
  ["close_session", { session_id: "1e3" }, "SESSION_NOT_FOUND"],
  ["wait_for", { session_ids: "1" }, "SESSION_NOT_FOUND"],
  ["wait_for", { session_ids: {} }, "BAD_OPTION"],
  ["wait_for", { session_ids: [[]] }, "BAD_OPTION"],
])("%s refuses a hostile call in a short message with its code: case %#", async (tool, args, code) => {
  await using tools = openTools();

  const { isError, text, structured } = await tools.raw(tool, args);

  expect({ isError, text: text.slice(0, 200) }).toMatchObject({
    isError: true,
    text: expect.stringMatching(`^${code}: `),
  });
  expect(text.length).toBeLessThan(5_000);
  expect(structured).toEqual({ error: { code, message: text.slice(code.length + 2) } });
  expect(tools.registry.list({ ended: true })).toEqual([]);
});

test("half of a surrogate pair to type is refused, and nothing is typed", async () => {
  await using tools = openTools();
  await tools.call("exec_command", { cmd: "cat", name: "cat", ...plain });

  expect(await tools.refusal("write_stdin", { session_id: "cat", chars: `a${HALF_A_PAIR}b` })).toMatch(/^BAD_OPTION: /);
  const { structured } = await tools.call("write_stdin", { session_id: "cat", chars: "fine\n" });
  expect(structured["output"]).toBe("fine\nfine\n");
});

test("a megabyte of chars in one line is refused in line mode, and arrives whole in key mode", async () => {
  await using tools = openTools();
  const counter = "stty raw -echo; printf ready; head -c 1048576 | wc -c";
  await tools.call("exec_command", { cmd: "cat", name: "lines", ...plain });
  await tools.call("exec_command", { cmd: counter, name: "keys", until: "ready", ...plain });

  expect(await tools.refusal("write_stdin", { session_id: "lines", chars: LONG })).toMatch(/^LINE_TOO_LONG: /);
  const { structured } = await tools.call("write_stdin", { session_id: "keys", chars: LONG, yield_time_ms: LONG_MS });

  expect(structured).toMatchObject({ running: false, exit_code: 0 });
  expect(structured["output"]).toContain("1048576");
});

test("more than a megabyte of chars is refused whole", async () => {
  await using tools = openTools();
  await tools.call("exec_command", {
    cmd: "stty raw -echo; printf ready; exec sleep 1000",
    name: "deaf",
    until: "ready",
    ...plain,
  });

  expect(await tools.refusal("write_stdin", { session_id: "deaf", chars: `${LONG}y` })).toMatch(/^INPUT_BACKLOG: /);
});

test("Ctrl-C, Ctrl-D and NUL are typed as they are", async () => {
  await using tools = openTools();
  await tools.call("exec_command", {
    cmd: "trap 'echo caught' INT; cat; cat",
    name: "trap",
    ...plain,
  });

  const interrupted = await tools.call("write_stdin", {
    session_id: "trap",
    chars: "\u0003",
    until: "caught",
    yield_time_ms: 10_000,
  });
  expect(interrupted.structured["yielded"]).toBe("matched");
  const ended = await tools.call("write_stdin", {
    session_id: "trap",
    chars: "\u0004",
    until: "x^",
    yield_time_ms: 10_000,
  });
  expect(ended.structured).toMatchObject({ running: false, exit_code: 0 });
  await tools.call("exec_command", {
    cmd: "stty raw -echo; printf ready; head -c 2 | od -An -c",
    name: "od",
    until: "ready",
    ...plain,
  });
  const nul = await tools.call("write_stdin", { session_id: "od", chars: "\0a", yield_time_ms: 10_000 });
  expect(nul.structured["output"]).toContain("\\0   a");
});

test("a thousand unknown ids get a clear answer each, and leave nothing behind", async () => {
  await using tools = openTools();

  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => tools.raw("write_stdin", { session_id: index + 500_000, chars: "x" })),
  );

  expect(new Set(answers.map(({ isError, text }) => `${isError} ${text.replace(/\d+/, "N")}`))).toEqual(
    new Set(["true SESSION_NOT_FOUND: No session N (open: none). Open a new one."]),
  );
});

const NAMES = profiles.all.tools.map(({ name }) => name);

// Starts hundreds of programs.
test.each(NAMES)("%s survives any value in any parameter", { timeout: 180_000 }, async (tool) => {
  await using tools = openTools();
  const properties = profiles.all.tools.find(({ name }) => name === tool)?.inputSchema["properties"] ?? {};
  const values = [null, true, -1, 1.5, Number.MAX_VALUE, "", "\0", "💥", HALF_A_PAIR, [], [null], {}, { a: {} }];

  for (const parameter of Object.keys(properties)) {
    for (const value of values) {
      const { text } = await tools.raw(tool, {
        cmd: "true",
        ...plain,
        yield_time_ms: 0,
        deadline_ms: 0,
        [parameter]: value,
      });
      expect(text).not.toBe("");
    }
  }
});

test("an unknown key is called that, also where the session has ended", async () => {
  await using tools = openTools();
  const { structured } = await tools.call("exec_command", { cmd: "true", login: false, shell: "/bin/sh" });

  const refusal = await tools.refusal("write_stdin", { session_id: structured["session_id"], keys: ["Nonsense"] });

  expect(refusal).toMatch(/^BAD_OPTION: .*Nonsense/);
  expect(refusal).not.toContain("did not take");
});
