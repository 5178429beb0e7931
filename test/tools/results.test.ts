import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitBy, untilSized } from "../support/places/is-at-place.ts";
import { openTools } from "../support/tools.ts";

/** Neighbours differ by more each time, so that nothing is folded. */
const SQUARES = "awk 'BEGIN { for (i = 1; i <= 5000; i++) print i * i }'";

const plain = { login: false, shell: "/bin/sh" };
const ended = exitBy("SIGTERM");
const TERMINATED =
  ended.kind === "code" ? { exit_code: ended.code, signal: null } : { exit_code: null, signal: "SIGTERM" };

test("a result has every field", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: "echo hello", name: "greeting", ...plain });

  expect(structured).toEqual({
    session_id: expect.any(Number),
    name: "greeting",
    running: false,
    exit_code: 0,
    signal: null,
    output: "hello\n",
    truncated: false,
    original_token_count: null,
    wall_time_seconds: expect.any(Number),
    yielded: "exited",
    waiting_for: null,
    cursor: 7,
    dropped_bytes: 0,
    reused: false,
  });
});

test.each([
  ["exit 3", { running: false, exit_code: 3, signal: null, yielded: "exited", waiting_for: null }],
  ["kill -TERM $$", { running: false, ...TERMINATED, yielded: "exited", waiting_for: null }],
  ["read x", { running: true, exit_code: null, signal: null, yielded: "input", waiting_for: "line" }],
  ["stty -echo; read x", { running: true, exit_code: null, signal: null, yielded: "input", waiting_for: "password" }],
  ["stty -icanon; exec cat", { running: true, exit_code: null, signal: null, yielded: "input", waiting_for: "key" }],
])("the result of %j tells how it stands", async (cmd, expected) => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd, ...plain });

  expect(structured).toMatchObject(expected);
});

test("a deadline ends the waiting and not the program", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: "exec sleep 1000", yield_time_ms: 50, ...plain });

  expect(structured).toMatchObject({ running: true, yielded: "deadline", waiting_for: null, output: "" });
});

test("until ends a call as soon as the output matches", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", {
    cmd: "echo starting; echo Ready on port 80; exec sleep 1000",
    until: "Ready on port \\d+",
    yield_time_ms: 60_000,
    ...plain,
  });

  expect(structured).toMatchObject({ running: true, yielded: "matched" });
  expect(structured["output"]).toContain("Ready on port 80");
});

test("workdir, env, shell, size and tty reach the program", async () => {
  await using tools = openTools();
  const workdir = await realpath(await mkdtemp(join(tmpdir(), "limpet-tools-")));
  const cmd = `pwd; echo "$GREETING"; readlink /proc/$$/exe; ${untilSized()}; stty size; test -t 1 && echo terminal || echo pipe`;
  try {
    const given = { cmd, workdir, env: { GREETING: "good day" }, shell: "/bin/bash", login: false, cols: 90, rows: 33 };
    const inTerminal = await tools.call("exec_command", given);
    expect(inTerminal.structured["output"]).toMatch(
      new RegExp(`^${workdir}\\ngood day\\n/.*bash\\n33 90\\nterminal\\n$`),
    );

    const inPipe = await tools.call("exec_command", {
      ...given,
      cmd: "test -t 1 && echo terminal || echo pipe",
      tty: false,
    });
    expect(inPipe.structured["output"]).toBe("pipe\n");
  } finally {
    await rm(workdir, { recursive: true });
  }
});

test("login decides whether the user's profile is read", async () => {
  await using tools = openTools();
  const home = await mkdtemp(join(tmpdir(), "limpet-tools-"));
  try {
    const cmd = "shopt -q login_shell && echo login || echo plain";
    const given = { cmd, shell: "/bin/bash", env: { HOME: home } };

    const byDefault = await tools.call("exec_command", given);
    const login = await tools.call("exec_command", { ...given, login: true });

    expect(byDefault.structured["output"]).toBe("plain\n");
    expect(login.structured["output"]).toContain("login\n");
  } finally {
    await rm(home, { recursive: true });
  }
});

test("what a truncation warning names as the place of the rest is where the rest is", async () => {
  await using tools = openTools();
  const first = await tools.call("exec_command", { cmd: SQUARES, max_output_tokens: 200, ...plain });
  const [, id, from] = /full output: read_output\(session_id=(\d+), from=(\d+)\)/.exec(first.text) ?? [];
  const seen = new Set(numbersIn(String(first.structured["output"])));

  expect(seen.size).toBeLessThan(5000);

  for (let cursor = Number(from), rounds = 0; rounds < 200; rounds += 1) {
    const { structured } = await tools.call("read_output", { session_id: id, from: cursor, max_output_tokens: 400 });
    for (const number of numbersIn(String(structured["output"]))) seen.add(number);
    if (structured["cursor"] === cursor) break;
    cursor = Number(structured["cursor"]);
  }

  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 5000 }, (_, index) => (index + 1) ** 2));
});

test("an answer says how to read lines that were folded although they differ, and that gives them", async () => {
  await using tools = openTools();
  const rest = "x".repeat(120);
  const cmd = `echo begin; for i in 1 2 3 4 5 6; do echo ${rest} $i; done; for i in 1 2 3; do echo n ${rest} $i; done`;
  const few = { max_output_tokens: 180 };
  const first = await tools.call("exec_command", { cmd, ...plain, ...few });
  const call = /^Folded: 5 lines left out; all: read_output\(session_id=(\d+), from=(\d+), fold=false\)$/m;
  const [, id, from] = call.exec(first.text) ?? [];

  const all = await tools.call("read_output", { session_id: id, from, fold: false });
  const last = await tools.call("read_output", { session_id: id, tail: 9, ...few });

  expect(last.text).toMatch(/\nFolded: 5 lines left out; all: from=\d+, fold=false\n/);
  expect(all.text).not.toContain("Folded");
  expect(all.structured["output"]).toContain(`${rest} 4\n${rest} 5\n`);
});

test.each(["exec_command", "run", "read_output"])(
  "%s folds no lines that differ as long as all of them fit",
  async (tool) => {
    await using tools = openTools();
    const command = "for i in 0 1 2 3 4 5 6 7 8 9; do echo worker listening on port 300$i, and so on and on; done";
    const args = tool === "run" ? { command } : { cmd: command, ...plain };
    const first = await tools.call(tool === "run" ? tool : "exec_command", args);
    const { session_id } = first.structured;

    const { structured } = tool === "read_output" ? await tools.call(tool, { session_id }) : first;

    expect(String(structured["output"]).match(/port 300\d/g)).toHaveLength(10);
  },
);

test("an answer whose folded lines were equal, or whose lines jump, says nothing of a fold", async () => {
  await using tools = openTools();
  const cmd = "for i in 1 2 3 4 5 6 7; do echo same; done; printf 'disk %s%% used\\n' 12 88 43 5";

  const { text, structured } = await tools.call("exec_command", { cmd, ...plain });

  const rest = "disk 12% used\ndisk 88% used\ndisk 43% used\ndisk 5% used\n";
  expect(structured["output"]).toBe(`same\n${structured["tag"]} [×7]\n${rest}`);
  expect(text).not.toContain("Folded");
});

test("the number of tokens is that before the fold", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: "seq 100000", max_output_tokens: 0, ...plain });
  const last = await tools.call("read_output", {
    session_id: structured["session_id"],
    tail: 1000,
    max_output_tokens: 0,
  });

  expect(structured).toMatchObject({ truncated: true, original_token_count: Math.ceil(588_895 / 4) });
  expect(last.structured).toMatchObject({ truncated: true, original_token_count: Math.ceil(6_001 / 4) });
});

test("a budget is kept, and the number of tokens before the cut is told", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: SQUARES, max_output_tokens: 100, ...plain });

  expect(Buffer.byteLength(String(structured["output"]))).toBeLessThanOrEqual(400);
  expect(structured).toMatchObject({ truncated: true, original_token_count: Math.ceil(squareBytes() / 4) });
});

test("a budget of nothing gives the marker alone", async () => {
  await using tools = openTools();

  const { structured } = await tools.call("exec_command", { cmd: "echo 1234567890", max_output_tokens: 0, ...plain });

  expect(structured["output"]).toBe(`${structured["tag"]} …3 tokens truncated…`);
});

test("a client that allows no long call is told how to go on", async () => {
  await using tools = openTools();

  const { text, structured } = await tools.call(
    "exec_command",
    { cmd: "exec sleep 1000", yield_time_ms: 60_000, ...plain },
    { longestWaitMs: 20 },
  );

  expect(structured).toMatchObject({ running: true, yielded: "deadline" });
  expect(text).toContain("Still waiting: this client limits how long a call may take; continue with wait_for\n");
});

test("a program that ends is never reported as ended with its last words missing", async () => {
  await using tools = openTools();
  const rounds = Array.from({ length: 40 }, (_, index) => index);

  for (const round of rounds) {
    const cmd = `sleep 0.0${round % 10}; seq 1 200; echo last words`;
    let { structured } = await tools.call("exec_command", { cmd, yield_time_ms: 5 * (round % 10), ...plain });
    let output = String(structured["output"]);
    while (structured["running"]) {
      const { session_id } = structured;
      ({ structured } = await tools.call("write_stdin", { session_id, chars: "", yield_time_ms: 5 }));
      output += structured["output"];
    }
    expect(output).toMatch(/last words\n$/);
  }
});

function squareBytes(): number {
  return Array.from({ length: 5000 }, (_, index) => `${(index + 1) ** 2}\n`).join("").length;
}

function numbersIn(output: string): number[] {
  return output
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
}
