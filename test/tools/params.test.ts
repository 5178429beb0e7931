import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { coerceArgs } from "../../src/tools/args/coerce-args.ts";
import { directory, sessionKey, sessionName } from "../../src/tools/args/params.ts";
import { profiles } from "../../src/tools/profiles.ts";
import { openTools } from "../support/tools.ts";

const DAY_MS = 86_400_000;
const SAFE = Number.MAX_SAFE_INTEGER;

function propertiesOf(tool: string): Record<string, Record<string, unknown>> {
  const found = profiles.all.tools.find(({ name }) => name === tool);
  return found?.inputSchema["properties"] as Record<string, Record<string, unknown>>;
}

/** In words. "-": it is not said. */
const defaults = (tool: string) =>
  Object.fromEntries(
    Object.entries(propertiesOf(tool)).map(([name, { description = "" }]) => {
      const words = /(?:^|; )default ([^;]+)$/.exec(String(description))?.[1];
      return [name, words === undefined ? "-" : /^\d+$/.test(words) ? Number(words) : words];
    }),
  );

test("each tool has the parameters of its contract, and says the defaults that a model needs", () => {
  expect(Object.fromEntries(profiles.all.tools.map(({ name }) => [name, defaults(name)]))).toEqual({
    exec_command: {
      cmd: "-",
      yield_time_ms: 10_000,
      max_output_tokens: "-",
      fold: "-",
      shell: "-",
      login: "-",
      workdir: "-",
      tty: "-",
      env: "-",
      secret_env: "-",
      name: "-",
      reuse: "-",
      cols: "-",
      rows: "-",
      until: "-",
      answer_queries: "-",
      sandbox: "-",
      limits: "-",
    },
    write_stdin: {
      session_id: "-",
      chars: "-",
      keys: "-",
      secret: "-",
      paste: "-",
      screen: "-",
      yield_time_ms: "-",
      max_output_tokens: "-",
      fold: "-",
      until: "-",
      since: "-",
    },
    wait_for: {
      session_ids: "-",
      until: "-",
      events: "exited, input",
      port: "-",
      approval: "-",
      quiet_ms: "-",
      deadline_ms: 600_000,
      max_output_tokens: "-",
      fold: "-",
    },
    read_output: {
      session_id: "-",
      from: "-",
      head: "-",
      tail: "-",
      grep: "-",
      context: "-",
      raw: "-",
      max_output_tokens: "-",
      fold: "-",
    },
    read_screen: {
      session_id: "-",
      format: "-",
      scrollback: "-",
      changes: "-",
      until: "-",
      stable_ms: "-",
      deadline_ms: 10_000,
    },
    run: {
      command: "-",
      shell: "-",
      timeout_ms: 120_000,
      max_output_tokens: "-",
      fold: "-",
      stdin: "-",
      workdir: "-",
      env: "-",
      secret_env: "-",
      sandbox: "-",
      cols: "-",
    },
    list_sessions: { ended: "-", all: "-", grep: "-", from: "-" },
    resize_session: { session_id: "-", cols: "-", rows: "-" },
    close_session: { session_id: "-", force: "-" },
  });
});

test("without max_output_tokens, an answer has 10,000 tokens of a longer output", async () => {
  await using tools = openTools();
  const command = "seq 1 20000";
  const started = await tools.call("exec_command", { cmd: command, login: false, fold: false });

  const answers = [
    started,
    await tools.call("run", { command, fold: false }),
    await tools.call("read_output", { session_id: started.structured["session_id"], fold: false }),
  ];

  const tokens = answers.map(({ structured }) => Math.round(Buffer.byteLength(structured["output"]) / 4_000));
  expect(tokens).toEqual([10, 10, 10]);
});

test.each([
  ["exec_command", { cmd: "true" }, "yield_time_ms", 0, DAY_MS],
  ["exec_command", { cmd: "true" }, "max_output_tokens", 0, 1_000_000],
  ["exec_command", { cmd: "true" }, "cols", 1, 500],
  ["exec_command", { cmd: "true" }, "rows", 1, 500],
  ["write_stdin", { session_id: 1, chars: "" }, "yield_time_ms", 0, DAY_MS],
  ["write_stdin", { session_id: 1, chars: "" }, "max_output_tokens", 0, 1_000_000],
  ["wait_for", {}, "port", 1, 65_535],
  ["wait_for", {}, "approval", 1, SAFE],
  ["wait_for", {}, "quiet_ms", 1, DAY_MS],
  ["wait_for", {}, "deadline_ms", 0, DAY_MS],
  ["wait_for", {}, "max_output_tokens", 0, 1_000_000],
  ["read_output", { session_id: 1 }, "from", 0, SAFE],
  ["read_output", { session_id: 1 }, "head", 1, 1_000_000],
  ["read_output", { session_id: 1 }, "tail", 1, 1_000_000],
  ["read_output", { session_id: 1 }, "context", 0, 100],
  ["read_output", { session_id: 1 }, "max_output_tokens", 0, 1_000_000],
  ["read_screen", { session_id: 1 }, "scrollback", 0, 5_000],
  ["read_screen", { session_id: 1 }, "stable_ms", 1, 60_000],
  ["read_screen", { session_id: 1 }, "deadline_ms", 0, DAY_MS],
  ["run", { command: "true" }, "timeout_ms", 1, DAY_MS],
  ["run", { command: "true" }, "cols", 1, 500],
  ["resize_session", { session_id: 1, rows: 1 }, "cols", 1, 500],
  ["resize_session", { session_id: 1, cols: 1 }, "rows", 1, 500],
] as const)(
  "%s refuses a value of %j beside %s out of range, and states the range",
  async (tool, args, name, min, max) => {
    await using tools = openTools();
    const range = `Pass an integer from ${min} to ${max}.`;

    for (const value of [min - 1, max === SAFE ? SAFE + 1 : max + 1, 1.5, -0.1, `${min - 1}`, "1.5", "9".repeat(20)]) {
      const text = await tools.refusal(tool, { ...args, [name]: value });
      expect(text).toBe(`BAD_OPTION: ${name} is ${JSON.stringify(value)}. ${range}`);
    }
    for (const value of ["many", "", true, [], {}]) {
      const text = await tools.refusal(tool, { ...args, [name]: value });
      expect(text).toContain(`${name} is ${JSON.stringify(value)}. `);
    }
  },
);

test.each([
  [{}, "cmd is missing. Pass a string."],
  [{ cmd: 5 }, "cmd is 5. Pass a string."],
  [{ cmd: "" }, 'cmd is "". Pass a command.'],
  [{ cmd: null }, "cmd is null. Pass a string."],
  [{ cmd: ["ls"] }, 'cmd is ["ls"]. Pass a string.'],
  [{ cmd: "true", login: "yes" }, 'login is "yes". Pass true or false.'],
  [{ cmd: "true", env: "A=1" }, 'env is "A=1". Pass an object.'],
  [{ cmd: "true", env: { A: null } }, "env.A is null. Pass a string."],
  [{ cmd: "true", tty: 1, reuse: 0 }, "tty is 1. Pass true or false. reuse is 0. Pass true or false."],
  [{ cmd: "true", reuse: true }, "reuse is true, but name is missing. Pass the name of the session to use."],
])("exec_command given %j says what is wrong with it", async (args, message) => {
  await using tools = openTools();

  expect(await tools.refusal("exec_command", args)).toBe(`BAD_OPTION: ${message}`);
});

test.each([["text"], [5], [[]], [true]])("a call with %j instead of parameters is refused", async (args) => {
  await using tools = openTools();

  expect(await tools.refusal("list_sessions", args)).toBe(
    `BAD_OPTION: The arguments of list_sessions are ${JSON.stringify(args)}. Pass an object with its parameters.`,
  );
});

test("a call without parameters is one with an empty object", async () => {
  await using tools = openTools();

  for (const args of [undefined, null]) expect((await tools.raw("list_sessions", args)).isError).toBe(false);
});

test("numbers may come as numeric text, and ids too", async () => {
  await using tools = openTools();
  const started = await tools.call("exec_command", {
    cmd: "stty size; cat",
    login: false,
    yield_time_ms: " 40000 ",
    max_output_tokens: "100",
    cols: "100",
    rows: "30",
  });
  const id = String(started.structured["session_id"]);

  expect(started.structured["output"]).toContain("30 100");
  const resized = await tools.call("resize_session", { session_id: id, cols: "90", rows: "20" });
  expect(resized.structured).toEqual({ session_id: Number(id), cols: 90, rows: 20 });
  const waited = await tools.call("wait_for", { session_ids: [id], deadline_ms: "40000", quiet_ms: "40000" });
  expect(waited.structured["yielded"]).toBe("input");
  const read = await tools.call("read_output", { session_id: id, from: "0", head: "1", context: "0" });
  expect(read.structured["output"]).toBe("30 100\n");
});

test.each([
  ["null for what may be left out", { ended: null }, {}],
  ["null for what must be given", { id: null }, { id: null }],
  ["null where it is a value", { stdin: null }, { stdin: null }],
  ["an empty text where null is a value, too", { stdin: "" }, { stdin: "" }],
  ["an empty text for what may be left out", { text: "", key: " ", name: "  ", dir: "", keys: "" }, {}],
  ["an empty text for what must be given", { id: "" }, { id: "" }],
  ["an empty text for a number, a flag, a choice", { n: "", ended: "", format: "" }, { n: "", ended: "", format: "" }],
  ["blanks, where they may matter", { text: " a ", dir: "/ a " }, { text: " a ", dir: "/ a " }],
  [
    "blanks around names and ids",
    { id: " 1 ", key: "a ", name: " b", ids: [" c "] },
    { id: "1", key: "a", name: "b", ids: ["c"] },
  ],
  ["a number as text", { n: " -1.5 " }, { n: -1.5 }],
  ["what is no number", { n: "1e3" }, { n: "1e3" }],
  ["true as text", { ended: "true" }, { ended: true }],
  ["False as text", { ended: " False " }, { ended: false }],
  ["what is neither", { ended: "yes" }, { ended: "yes" }],
  ["a choice in capitals", { format: "PNG" }, { format: "png" }],
  ["no choice at all", { format: "gif" }, { format: "gif" }],
  ["a single text for a list", { keys: "Enter" }, { keys: ["Enter"] }],
  ["a single number for a list", { ids: 1 }, { ids: [1] }],
  ["a single choice for a list", { formats: "SVG" }, { formats: ["svg"] }],
  ["choices in a list", { formats: ["Png", "svg"] }, { formats: ["png", "svg"] }],
  ["an object for a list", { keys: { a: 1 } }, { keys: { a: 1 } }],
  ["an empty list", { ids: [] }, { ids: [] }],
  [
    "numbers and flags in an object of texts",
    { env: { A: 1, B: true, C: "c" } },
    { env: { A: "1", B: "true", C: "c" } },
  ],
  ["null in an object of texts", { env: { A: null } }, { env: { A: null } }],
  ["a list for an object", { env: [1] }, { env: [1] }],
  ["the home directory", { dir: "~" }, { dir: "/home/me" }],
  ["a directory in it", { dir: "~/a b" }, { dir: "/home/me/a b" }],
  ["a relative directory", { dir: "a/../b " }, { dir: "/project/b " }],
  ["what looks like the home of somebody else", { dir: "~you" }, { dir: "/project/~you" }],
  ["a tilde where no directory is meant", { text: "~" }, { text: "~" }],
  ["what nobody asked for", { other: null, constructor: "" }, { other: null, constructor: "" }],
])("of %s, what was meant is taken", (_case, args, meant) => {
  const shape = {
    id: sessionKey(),
    key: sessionKey().default("default").describe("a key"),
    ids: z.array(sessionKey()).min(1).optional(),
    name: sessionName().optional().describe("a name"),
    dir: directory().optional(),
    text: z.string().optional(),
    stdin: z.string().nullable().optional(),
    n: z.number().optional(),
    ended: z.boolean().default(false),
    format: z.enum(["text", "png"]).default("text"),
    formats: z.array(z.enum(["svg", "png"])).default(["svg"]),
    keys: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  };

  expect(coerceArgs(shape, args, { home: "/home/me", cwd: () => "/project" })).toStrictEqual(meant);
});

test("a program gets what was meant, however it was sent", async () => {
  await using tools = openTools();
  const sent = { shell: "", workdir: "~", name: " it ", until: "", cols: null, tty: "True", login: "false" };
  const cmd = 'pwd; echo "$N $FLAG"; exec cat';
  const { structured } = await tools.call("exec_command", { cmd, env: { N: 1, FLAG: true }, ...sent });

  expect(structured["output"]).toContain(`${realpathSync(homedir())}\n1 true`);
  expect(structured["name"]).toBe("it");
  await tools.call("write_stdin", { session_id: " it", chars: "typed", keys: "Enter", since: "NOW", paste: null });
  const waited = await tools.call("wait_for", { session_ids: "it", events: "Input", until: null });
  expect(waited.structured["yielded"]).toBe("input");
  const screen = await tools.call("read_screen", { session_id: "it ", format: "SVG", until: "" });
  expect(screen.image?.mediaType).toBe("image/svg+xml");
});

test.each([
  ["wait_for", { events: "died" }, 'events is "died". Pass one of "exited", "matched", "input", "quiet", "listening".'],
  ["write_stdin", { session_id: 1, keys: { a: 1 } }, 'keys is {"a":1}. Pass an array.'],
  ["list_sessions", { ended: "yes" }, 'ended is "yes". Pass true or false.'],
  ["resize_session", { session_id: 1, cols: null, rows: 1 }, "cols is null. Pass an integer from 1 to 500."],
])("%s given %j is refused with the value as it was sent", async (tool, args, message) => {
  await using tools = openTools();

  expect(await tools.refusal(tool, args)).toBe(`BAD_OPTION: ${message}`);
});

test.each([
  ["write_stdin", { session_id: 0, chars: "" }],
  ["write_stdin", { session_id: -1, chars: "" }],
  ["write_stdin", { session_id: 1.5, chars: "" }],
  ["read_output", { session_id: true }],
  ["close_session", { session_id: null }],
  ["resize_session", { session_id: {}, cols: 1, rows: 1 }],
])("%s given %j asks for an id or a name", async (tool, args) => {
  await using tools = openTools();

  expect(await tools.refusal(tool, args)).toContain("Pass a session's id or name.");
});

test("wait_for refuses an empty list, an unknown event, and a match without a pattern", async () => {
  await using tools = openTools();

  expect(await tools.refusal("wait_for", { session_ids: [] })).toBe(
    "BAD_OPTION: session_ids is []. Pass at least one.",
  );
  expect(await tools.refusal("wait_for", { events: ["died"] })).toBe(
    'BAD_OPTION: events.0 is "died". Pass one of "exited", "matched", "input", "quiet", "listening".',
  );
  expect(await tools.refusal("wait_for", { events: ["matched"] })).toBe(
    "BAD_OPTION: events has matched, but until is missing. Pass a regex as until.",
  );
});

test("write_stdin takes no other beginning than unread and now", async () => {
  await using tools = openTools();

  expect(await tools.refusal("write_stdin", { session_id: 1, chars: "", since: "start" })).toBe(
    'BAD_OPTION: since is "start". Pass one of "unread", "now".',
  );
});

test("read_output takes one of head, tail and grep", async () => {
  await using tools = openTools();

  expect(await tools.refusal("read_output", { session_id: 1, head: 1, tail: 1 })).toBe(
    "BAD_OPTION: head and tail cannot be combined. Pass one of them.",
  );
});

test("no schema has a list of types, which Gemini CLI warns about at every call", () => {
  const schemas = JSON.stringify(profiles.all.tools.map(({ inputSchema }) => inputSchema));

  expect(schemas.match(/"type":\[(?!"string","null"\])[^\]]*\]/g)).toBeNull();
  expect(schemas).toContain('"session_id":{"anyOf":[{"type":"integer"},{"type":"string"}]}');
});
