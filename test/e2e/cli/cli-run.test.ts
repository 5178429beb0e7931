import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN } from "../../support/mcp.ts";
import { until } from "../../support/sessions.ts";

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

function start(program: string, words: readonly string[], stdin: "ignore" | "pipe" = "ignore") {
  const env = { ...process.env, ...cli.env };
  const child = spawn(program, words, { env, cwd: cli.folder, stdio: [stdin, "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function shownBy(child: ChildProcess): Promise<string> {
  return child.stdout ? await text(child.stdout) : "";
}

/** A line of bash in which `limpet` is ours. */
const inBash = (line: string) => shownBy(start("bash", ["-c", `limpet() { ${cli.command} "$@"; }; ${line}`]));

test.each([
  { line: "echo hi | limpet run cat", shows: "hi\n" },
  { line: 'echo hi | limpet run --json cat | grep -c \'"output": "hi.n"\'', shows: "1\n" },
  { line: "echo hi > file; limpet run 'cat; test -t 0 || echo pipe' < file", shows: "hi\npipe\n" },
  { line: "head -c 3000000 /dev/zero | tr '\\0' a | limpet run 'wc -c'", shows: "3000000\n" },
  { line: "yes | limpet run head -1", shows: "y\n" },
  { line: "limpet run cat < /; echo $?", shows: "0\n" },
])("$line passes on what comes on stdin, and its end", async ({ line, shows }) => {
  expect(await inBash(line)).toBe(shows);
});

test.each(["</dev/null", "<&-"])(
  "a program that is run with %s has a terminal and nothing to read there",
  async (from) => {
    expect(await inBash(`limpet run 'cat; read line; echo "<$line>"; test -t 0 && echo terminal' ${from}`)).toBe(
      "<>\nterminal\n",
    );
  },
);

test("a program does not wait for the end of an input that it does not read", async () => {
  expect(await shownBy(start(process.execPath, [MAIN, "run", "echo done"], "pipe"))).toBe("done\n");
});

test.each([
  "--version",
  "--help",
  "completion bash",
  "ls",
  "ls --json",
  "logs full",
  "logs full --follow",
  "screen full",
  "screen full --json",
  "run yes",
  "run --json echo hi",
])("limpet %s says in one line that its disk is full, and fails", async (words) => {
  await inBash("limpet ls | grep -q full || limpet start --name full 'echo hi; cat'; limpet wait full");

  const shown = await inBash(`limpet ${words} 2>&1 >/dev/full; echo $?`);

  expect(shown).toBe("Could not write the output: no space left on device.\n1\n");
});

test("limpet in a session finds the host that the session lives in", async () => {
  const lists = await inBash(`limpet run --name outer ${JSON.stringify(`${cli.command} ls`)}`);
  const below = await inBash(`mkdir -p below; LIMPET_HOME=./state limpet run --cwd below 'echo $LIMPET_HOME'`);

  expect(lists).toContain(" outer ");
  expect(below).toBe(`${cli.env["LIMPET_HOME"]}\n`);
});

test("everything is printed before limpet exits, however slowly a pipe is read", async () => {
  const long = "seq 1 60000";
  const slowly = "(sleep 1; cat) | wc -c";

  const json = await inBash(`limpet run --json '${long}' | (sleep 1; cat)`);
  const help = await inBash(`for i in 1 2 3; do limpet run '${long}' | ${slowly}; done`);

  expect(JSON.parse(json)).toMatchObject({ exitCode: 0, truncated: false });
  expect(JSON.parse(json).output).toMatch(/\n60000\n$/);
  expect(help).toBe("348894\n".repeat(3));
});

test("an error that cannot be written changes no exit code", async () => {
  expect(await inBash("limpet fly 2>/dev/full; echo $?")).toBe("2\n");
});

test("a program whose output nobody reads any more is ended, and so is limpet run", async () => {
  expect(await inBash("limpet run --name flood yes | head -1; echo ${PIPESTATUS[0]}")).toBe("y\n141\n");

  expect((await cli.limpet(["logs", "flood", "--tail", "1"])).stdout).toBe("y\n");
});

test("what a program printed before its time was over stays readable", async () => {
  // A busy machine needs seconds to print it.
  const [{ code, stdout }, late2] = await Promise.all([
    cli.limpet(["run", "--json", "--timeout", "10", "--name", "late", "echo hello; sleep 1000"]),
    cli.limpet(["run", "--timeout", "10", "--name", "late2", "echo hi; sleep 1000"]),
  ]);

  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 124, timedOut: true, output: "hello\n" });
  expect((await cli.limpet(["logs", "late"])).stdout).toBe("hello\n");
  expect(late2.stdout).toBe("hi\n");
  expect((await cli.limpet(["logs", "late2"])).stdout).toBe("hi\n");
});

test("a program that fails at once is reported with its message and code", async () => {
  let tried = await cli.limpet(["start", "no-such-program", "--flag"]);
  // On a busy machine, it may not fail at once.
  while (tried.code === 0) tried = await cli.limpet(["start", "no-such-program", "--flag"]);
  const { code, stdout, stderr } = tried;

  expect(code).toBe(127);
  expect(stderr).toContain("no-such-program");
  expect(stderr).toContain(`${stdout.trim()} exited with code 127 at once.`);
  expect((await cli.limpet(["start", "cat"])).code).toBe(0);
});

test.each([
  { signal: "SIGTERM", stdin: "ignore", flags: [], code: 143 },
  { signal: "SIGHUP", stdin: "ignore", flags: [], code: 129 },
  { signal: "SIGINT", stdin: "ignore", flags: [], code: 130 },
  { signal: "SIGINT", stdin: "pipe", flags: [], code: 130 },
  { signal: "SIGTERM", stdin: "pipe", flags: ["--json"], code: 143 },
] as const)("$signal to limpet run $flags with stdin $stdin ends the program and gives $code", async (given) => {
  const name = `${given.signal}-${given.stdin}-${given.flags.length}`;
  const child = start(
    process.execPath,
    [MAIN, "run", ...given.flags, "--name", name, "echo on; sleep 1000"],
    given.stdin,
  );
  const ended = once(child, "exit");
  await until(async () => (await cli.limpet(["logs", name])).stdout === "on\n", "the program prints");

  child.kill(given.signal);

  expect(await ended).toEqual([given.code, null]);
  expect((await cli.sessions.running()).map((session) => session.name)).not.toContain(name);
});
