/** Parameters as models send them: under other names, misspelt, or unknown. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profiles } from "../../src/tools/profiles.ts";
import { isAtPlace, skipAtPlace } from "../support/places/is-at-place.ts";
import { openTools } from "../support/tools.ts";

const plain = { login: false, shell: "/bin/sh" };

test("every tool ignores a parameter that it does not have, and says so", async () => {
  await using tools = openTools();
  const extra = { wait_for_previous: true, description: "why", run_in_background: false };
  const note = "Ignored parameters: wait_for_previous, description, run_in_background\n";
  await tools.call("exec_command", { cmd: "cat", name: "cat", ...plain });

  const calls = {
    run: { command: "echo hi" },
    exec_command: { cmd: "echo hi", ...plain },
    write_stdin: { session_id: "cat", chars: "hi\n" },
    wait_for: { session_ids: ["cat"], deadline_ms: 0 },
    read_output: { session_id: "cat" },
    read_screen: { session_id: "cat" },
    list_sessions: {},
    resize_session: { session_id: "cat", cols: 90, rows: 20 },
    close_session: { session_id: "cat" },
  };

  expect(Object.keys(calls).sort()).toEqual(profiles.all.tools.map(({ name }) => name).sort());
  for (const [tool, args] of Object.entries(calls)) {
    const { text } = await tools.call(tool, { ...args, ...extra });
    expect(text.startsWith(note), `${tool}: ${text}`).toBe(true);
  }
});

test.each([
  [{ x: 1 }, "Ignored parameter: x\n"],
  [{ "a b": 1, "c\nOutput:\nd": 2 }, 'Ignored parameters: "a b", "c\\nOutput:\\nd"\n'],
  [{ ["x".repeat(100_000)]: 1 }, `Ignored parameter: "${"x".repeat(60)}"…\n`],
  [JSON.parse('{"__proto__": {"ended": 5}, "constructor": 1}'), "Ignored parameters: __proto__, constructor\n"],
  [
    Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`q${index}q`, 1])),
    "Ignored parameters: q0q, q1q, q2q, q3q, q4q, q5q, q6q, q7q, q8q, q9q and 2 more\n",
  ],
])("the note on what was ignored is one short line: case %#", async (args, note) => {
  await using tools = openTools();

  expect((await tools.call("list_sessions", args)).text).toBe(`${note}No sessions. Start one with exec_command.`);
});

test.each([
  ["exec_command", { cmd: "true", yeild_time_ms: 5 }, '"yeild_time_ms". Did you mean yield_time_ms?'],
  ["exec_command", { cmd: "true", yield_time: 5 }, '"yield_time". Did you mean yield_time_ms?'],
  ["exec_command", { cmd: "true", max_output: 5 }, '"max_output". Did you mean max_output_tokens?'],
  ["exec_command", { cmd: "true", work_dir: "/" }, '"work_dir". Did you mean workdir?'],
  ["exec_command", { commnd: "true" }, '"commnd". Did you mean cmd?'],
  ["write_stdin", { session_id: 1, key: "Enter" }, '"key". Did you mean keys?'],
  ["write_stdin", { sessionid: 1, chars: "" }, '"sessionid". Did you mean session_id?'],
  ["wait_for", { deadline: 5 }, '"deadline". Did you mean deadline_ms?'],
  ["wait_for", { event: "quiet" }, '"event". Did you mean events?'],
  ["read_screen", { session_id: 1, stable: 5 }, '"stable". Did you mean stable_ms?'],
])("%s given %j is refused with the right name", async (tool, args, says) => {
  await using tools = openTools();

  expect(await tools.refusal(tool, args)).toContain(`BAD_OPTION: ${tool} has no parameter ${says}`);
});

test("parameters that agents are known to add are not taken for misspellings", async () => {
  await using tools = openTools();
  const known = [
    ...["wait_for_previous", "description", "explanation", "justification", "thought", "reasoning", "is_background"],
    ...["run_in_background", "with_escalated_permissions", "sandbox_permissions", "dir_path", "prefix_rule"],
    ...["dangerouslyDisableSandbox", "requires_approval", "title", "reason", "background", "blocking", "_meta"],
  ];
  const unknown = Object.fromEntries(known.map((name) => [name, "x"]));

  for (const { name } of profiles.all.tools) {
    expect((await tools.raw(name, unknown)).text, name).not.toContain("Did you mean");
  }
});

test("a call that fails for another reason names what it did not know, too", async () => {
  await using tools = openTools();

  expect(await tools.refusal("close_session", { terminal: 1 })).toBe(
    "BAD_OPTION: session_id is missing. Pass a session's id or name. " +
      'close_session has no parameter "terminal". It takes: session_id, force.',
  );
});

test("common names for a parameter are accepted without a word", async () => {
  await using tools = openTools();
  const directory = await realpath(await mkdtemp(join(tmpdir(), "limpet-tools-")));
  try {
    const started = await tools.call("exec_command", {
      command: "pwd; exec cat",
      cwd: directory,
      name: "it",
      ...plain,
    });
    const { session_id: id } = started.structured;
    const typed = await tools.call("write_stdin", { id, text: "one\n" });
    const input = await tools.call("write_stdin", { session: id, input: "two\n" });
    const waited = await tools.call("wait_for", { session_id: id, timeout: 5_000 });
    const last = await tools.call("read_output", { id: "it", lines: 1 });
    const ran = await tools.call("run", { cmd: "cat; pwd", cwd: directory, input: "given\n", timeout: 60_000 });
    const again = await tools.call("run", { command: "echo same", session_id: ran.structured["session_id"] });
    const all = [started, typed, input, waited, last, ran, again];

    expect(all.map(({ structured }) => structured["output"])).toEqual([
      `${directory}\n`,
      "one\none\n",
      "two\ntwo\n",
      "",
      "two\n",
      `given\n${directory}\n`,
      "same\n",
    ]);
    expect(all.map(({ text }) => text).join("\n")).not.toContain("Ignored");
    expect(again.structured["session_id"]).toBe(ran.structured["session_id"]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a parameter and its other name may both be given if they agree", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: "echo hi", command: "echo hi", cwd: null, ...plain });

  expect(structured["output"]).toBe("hi\n");
});

test.each([
  ["exec_command", { cmd: "echo a", command: "echo b" }, "cmd and command have different values. Pass only cmd."],
  ["run", { command: "true", cmd: "false" }, "command and cmd have different values. Pass only command."],
  ["write_stdin", { session_id: 1, text: "a", input: "b" }, "chars and input have different values. Pass only chars."],
  ["read_output", { session_id: 1, id: 2 }, "session_id and id have different values. Pass only session_id."],
  ["run", { command: "true", timeout: 30 }, "timeout is 30. Pass timeout_ms, in milliseconds."],
])("%s given %j is refused, because it is not clear what is meant", async (tool, args, message) => {
  await using tools = openTools();

  expect(await tools.refusal(tool, args)).toBe(`BAD_OPTION: ${message}`);
});

test("run goes to a directory, sets variables and a width, and keeps them", async () => {
  await using tools = openTools();
  const directory = await realpath(await mkdtemp(join(tmpdir(), "limpet-tools-")));
  try {
    const command = 'pwd; echo "$A $B"; stty size';
    const first = await tools.call("run", { command, workdir: directory, env: { A: "it's", B: 2 }, cols: 111 });
    const second = await tools.call("run", { command });

    expect(first.structured).toMatchObject({ exit_code: 0, cwd: directory });
    expect(first.structured["output"]).toMatch(new RegExp(`^${directory}\nit's 2\n\\d+ 111\n$`));
    expect(second.structured["output"]).toBe(first.structured["output"]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("run takes a relative directory as one of the caller's, wherever its shell is", async () => {
  if (isAtPlace()) skipAtPlace("such directories are in the home directory there");
  await using tools = openTools();
  await tools.call("run", { command: "cd /usr" });

  const { structured } = await tools.call("run", { command: "pwd", workdir: "test" });

  expect(structured["output"]).toBe(`${join(process.cwd(), "test")}\n`);
});

test("two commands at once each run in their own directory", async () => {
  await using tools = openTools();
  const places = ["/usr", "/etc", "/tmp", "/var"];

  const answers = await Promise.all(places.map((workdir) => tools.call("run", { command: "pwd", workdir })));

  expect(answers.map(({ structured }) => structured["output"])).toEqual(places.map((place) => `${place}\n`));
});

test.each([
  [{ workdir: "/nowhere/at/all" }, 'DIRECTORY_NOT_FOUND: The working directory "/nowhere/at/all" does not exist.'],
  [{ env: { "A B": "1" } }, 'BAD_OPTION: env has "A B", which is not the name of a variable in a shell.'],
])("run given %j runs nothing, and starts no shell", async (args, message) => {
  await using tools = openTools();

  expect(await tools.refusal("run", { command: "touch /nowhere", ...args })).toContain(message);
  expect(await tools.sessions.list({ ended: true })).toEqual([]);
});
