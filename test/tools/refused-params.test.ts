/** Parameters that are refused: the message says what is wrong with a value, and what to pass. */
import { expect, test } from "vitest";
import { openTools } from "../support/tools.ts";

const DAY_MS = 86_400_000;
const SAFE = Number.MAX_SAFE_INTEGER;

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
