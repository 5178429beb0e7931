import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OpenOptions } from "../../../src/session/open/open-options.ts";
import { needs } from "../../support/needs.ts";
import { hasOwnSessions } from "../../support/places/is-at-place.ts";
import { LONG_MS, open, temporaryDirectory, testProgram, waitForInput } from "../../support/watching.ts";

/** Seconds where nothing else runs. */
const COMPILE_MS = 180_000;

interface Busy {
  readonly name: string;
  readonly options: OpenOptions;
  /** What it prints when it has come to the point. */
  readonly marker?: RegExp;
  readonly isThere?: boolean;
}

const python = (name: string, ...args: string[]) => ({ program: "python3", args: [testProgram(name), ...args] });
const hasPython = needs("python3");

const BUSY: readonly Busy[] = [
  { name: "sleep", options: { program: "sleep", args: ["60"] } },
  { name: "a shell that runs sleep", options: { command: "echo ready; sleep 60; echo done" }, marker: /ready/ },
  {
    name: "an HTTP server",
    isThere: hasPython,
    options: { program: "python3", args: ["-um", "http.server", "0", "--bind", "127.0.0.1"] },
    marker: /Serving/,
  },
  {
    name: "a node server",
    options: { program: "node", args: [testProgram("web-server.mjs"), "0", "::", "ready"] },
    marker: /ready/,
  },
  {
    name: "a timer loop",
    options: { command: "for i in {1..600}; do echo tick; sleep 0.1; done" },
    marker: /tick/,
  },
  { name: "a spinner of node's", options: { program: "node", args: [testProgram("spinner.mjs")] }, marker: /working/ },
  { name: "tail -f", options: { command: "echo ready >log; exec tail -f log" }, marker: /ready/ },
  {
    name: "a program blocked on a pipe",
    options: { command: "mkfifo pipe; echo ready; cat <>pipe" },
    marker: /ready/,
  },
  { name: "a pipeline that nobody feeds", options: { command: "echo ready; sleep 60 | cat" }, marker: /ready/ },
  {
    name: "a program blocked on a socket",
    isThere: hasPython,
    options: python("waits/blocks-on-socket.py", "read"),
    marker: /blocked/,
  },
  {
    name: "a program that selects sockets",
    isThere: hasPython,
    options: python("waits/blocks-on-socket.py", "select"),
    marker: /blocked/,
  },
  {
    name: "a program blocked on a lock",
    options: { command: "exec 9>lock; flock 9; echo ready; flock lock true" },
    marker: /ready/,
  },
  {
    name: "a program that reads a file slowly",
    isThere: hasPython,
    options: python("waits/reads-file-slowly.py", "/etc/passwd"),
    marker: /reading/,
  },
  {
    name: "a program in raw mode that only sleeps",
    isThere: hasPython,
    options: python("waits/raw-sleeps.py"),
    marker: /raw/,
  },
  {
    name: "a program that polls the terminal for a hang-up only",
    isThere: hasPython,
    options: python("waits/polls-for-hang-up.py"),
    marker: /ready/,
  },
  { name: "a computation", options: { command: "echo ready; while :; do :; done" }, marker: /ready/ },
  {
    name: "a shell that waits for its background job",
    options: { command: "sleep 60 & echo ready; wait" },
    marker: /ready/,
  },
];

for (const { name, options, marker, isThere = true } of BUSY) {
  test.skipIf(!isThere)(`${name} is not taken for waiting`, async () => {
    const session = await open({ cwd: temporaryDirectory(), ...options });
    if (marker) {
      const reached = await session.wait({ until: marker, deadlineMs: LONG_MS });
      expect(reached).toMatchObject({ reason: "matched" });
    }

    const yielded = await session.wait({ deadlineMs: 400 });

    expect(yielded).toEqual({ reason: "deadline", cursor: expect.any(Number) });
  });
}

test.skipIf(!needs("gcc"))(
  "a compile is never taken for waiting, from its start to its end",
  {
    timeout: COMPILE_MS,
  },
  async () => {
    const session = await open({
      command: `echo ready; gcc -O3 -funroll-all-loops -c ${testProgram("compiles-long.c")} -o out.o; echo "code $?"`,
      cwd: temporaryDirectory(),
    });

    const yielded = await session.wait({ until: /code 0/, deadlineMs: COMPILE_MS });

    expect(yielded).toMatchObject({ reason: "matched" });
  },
);

test.skipIf(!hasOwnSessions())(
  "a program stopped in its read does not wait for input, and does again when it continues",
  async () => {
    const session = await open({ program: "cat" });
    await waitForInput(session);
    await session.signal("SIGSTOP", { to: "program" });
    await expect.poll(async () => (await session.status()).state).toBe("stopped");

    const stopped = await session.wait({ deadlineMs: 400 });
    const { waitingFor } = await session.status();
    await session.signal("SIGCONT", { to: "program" });
    const again = await waitForInput(session);

    expect({ reason: stopped.reason, waitingFor, again }).toEqual({
      reason: "deadline",
      waitingFor: null,
      again: "line",
    });
  },
);

test("a file named like a terminal is not a terminal", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "tty"), "");

  const session = await open({ command: "echo ready; tail -f tty", cwd: directory });
  await session.wait({ until: /ready/, onInput: false, deadlineMs: LONG_MS });

  expect(await session.wait({ deadlineMs: 400 })).toMatchObject({ reason: "deadline" });
});

test("a program that Ctrl+C ends is not reported as waiting again", async () => {
  const ends: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    const session = await open({ program: "cat" });
    await waitForInput(session);
    await session.write("\x03");
    ends.push((await session.wait({ deadlineMs: LONG_MS })).reason);
  }

  expect(new Set(ends)).toEqual(new Set(["exited"]));
});
