import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { exitBy, isBehindEngine } from "../../support/places/is-at-place.ts";
import { LONG_MS, open, waitForInput } from "../../support/watching.ts";

/** Of a program in a container: its engine has the terminal that limpet opened. */
const relayed = isBehindEngine() ? "behind a relay " : "";

test("a silent program is running, never done", async () => {
  const session = await open({ program: "sleep", args: ["60"] });

  expect(await session.status()).toEqual({
    state: "running",
    waitingFor: null,
    exit: undefined,
    foreground: null,
    listening: [],
    evidence: "no process waits for the terminal's input",
  });
});

test("a program that waits for a line is waiting, by its read", async () => {
  const session = await open({ program: "cat" });
  await waitForInput(session);

  expect(await session.status()).toEqual({
    state: "waiting",
    waitingFor: "line",
    exit: undefined,
    foreground: null,
    listening: [],
    evidence: `process ${session.pid} is blocked in read ${relayed}for a terminal in line mode with echo`,
  });
});

test("a program that waits for a password is waiting, by its read without echo", async () => {
  const session = await open({ command: "read -rs" });
  await waitForInput(session);

  const { state, waitingFor, evidence } = await session.status();

  expect({ state, waitingFor }).toEqual({ state: "waiting", waitingFor: "password" });
  expect(evidence.replace(relayed, "")).toMatch(
    /^process \d+ is blocked in read for a terminal in line mode without echo$/,
  );
});

test("a node REPL is waiting for a key, by its epoll", async () => {
  const session = await open({ program: "node" });
  await waitForInput(session);

  const { state, waitingFor, evidence } = await session.status();

  expect({ state, waitingFor }).toEqual({ state: "waiting", waitingFor: "key" });
  expect(evidence.replace(relayed, "")).toMatch(/is blocked in epoll for a terminal in key mode without echo$/);
});

test.skipIf(!needs("less"))("a pager is full-screen, by the alternate screen, until it has left it", async () => {
  const session = await open({ command: "seq 1000 | less; cat" });
  await waitForInput(session);
  const inside = await session.status();
  await session.write("q");
  expect(await waitForInput(session)).toBe("line");
  const after = await session.status();

  expect(inside).toMatchObject({
    state: "fullscreen",
    waitingFor: "key",
    evidence: "it has switched to the alternate screen",
  });
  expect(after).toMatchObject({ state: "waiting", waitingFor: "line" });
});

test("a program that was killed is ended, by waitpid", async () => {
  const session = await open({ program: "cat" });
  await session.signal("SIGKILL", { to: "program" });
  await session.wait({ onInput: false, deadlineMs: LONG_MS });

  expect(await session.status()).toEqual({
    state: "ended",
    waitingFor: null,
    exit: exitBy("SIGKILL"),
    foreground: null,
    listening: [],
    evidence: "waitpid reported its exit",
  });
});

test("a session on pipes reports that its state is unknown", async () => {
  const session = await open({ program: "cat", tty: false });

  expect(await session.status()).toMatchObject({
    state: "running",
    waitingFor: "unknown",
    evidence: "this session has no terminal to observe",
  });
});
