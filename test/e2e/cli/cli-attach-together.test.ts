/** Several people, and people and agents, at the same session. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOutput, runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { type Desk, openDesk, programIn } from "../../support/screen/desk.ts";
import { until } from "../../support/sessions.ts";

/** A host takes longer to start than most of these tests. */
let desk: Desk;
beforeAll(() => {
  desk = openDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

test("two people of different sizes see the same, the session keeps its size, and one who only looks types nothing", async () => {
  const size = { cols: 70, rows: 20 };
  const [one, other] = [await desk.tmux.open(), await desk.tmux.open({ cols: 60, rows: 15 })];
  const { id } = await startSession(desk.cli.sessions, { command: "cat", shell: "/bin/sh", size });
  one.run(`clear; ${desk.cli.command} attach ${id}`);
  await one.shows("70x20");
  one.run("first");
  await one.shows(/first *│?\nfirst/);

  other.run(`clear; ${desk.cli.command} attach ${id} --read-only`);
  await other.shows(/first\nfirst/);
  other.run("nothing");
  await other.shows("Read-only: keys do not go to the program.");
  one.run("second");
  await other.shows(/second\nsecond/);
  await one.shows(/second *│?\nsecond/);
  expect((await desk.cli.sessions.find(id)).size).toEqual(size);
  other.press("C-]", "d");
  await other.shows("still running]");
  one.press("C-d");
  await one.shows("exited with code 0");

  const { text } = await readOutput(desk.cli.sessions, id, { kind: "text" });
  expect(text).toBe("first\nfirst\nsecond\nsecond\n");
  expect(one.screen()).toMatch(/^second\nsecond\n\[\d+ exited with code 0\]$/m);
});

test("of two people who give the session their size, the last one counts, and after both it has its own", async () => {
  const size = { cols: 130, rows: 33 };
  const [one, other] = [await desk.tmux.open(), await desk.tmux.open({ cols: 60, rows: 15 })];
  const { id } = await startSession(desk.cli.sessions, { command: "echo here; exec cat", shell: "/bin/sh", size });
  const cols = async () => (await desk.cli.sessions.find(id)).size?.cols;
  await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });

  one.run(`clear; ${desk.cli.command} attach --resize ${id}`);
  await until(async () => (await cols()) === 80, "the first one's size");
  other.run(`clear; ${desk.cli.command} attach --resize ${id}`);
  await until(async () => (await cols()) === 60, "the second one's size");
  const told = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  one.press("C-]", "d");
  await one.shows("still running]");
  expect(await cols()).toBe(60);
  process.kill(programIn(other), "SIGKILL");
  await until(async () => (await cols()) === 130, "its own size");

  expect(told.around.resizedTo).toEqual({ cols: 60, rows: 15 });
  const after = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(after.around.resizedTo).toEqual(size);
  const again = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(again.around.resizedTo).toBe(null);
});

test("the agent is told how much the person has typed, also while the session is held", async () => {
  const pane = await desk.tmux.open();
  const { id } = await startSession(desk.cli.sessions, { command: "cat", shell: "/bin/sh" });
  await desk.cli.sessions.write(id, "agent\n", { caller: "agent" });
  expect((await desk.cli.limpet(["hold", String(id)])).code).toBe(0);

  pane.run(`clear; ${desk.cli.command} attach ${id}`);
  await pane.shows(/agent\nagent/);
  pane.run("person");
  await pane.shows(/person\nperson/);
  pane.press("C-]", "d");
  await pane.shows("still running]");

  const { around } = await desk.cli.sessions.turn({ caller: "agent", on: { kind: "session", key: id } });
  expect(around.typedByOthers).toBe("person\r".length);
  await expect(desk.cli.sessions.write(id, "no\n", { caller: "agent" })).rejects.toThrow("A person holds session");
  expect((await desk.cli.limpet(["release", String(id)])).stdout).toBe(`Released: ${id}\n`);
});

test("a person who is attached to an agent's shell stays when its commands end", async () => {
  const pane = await desk.tmux.open();
  const run = (command: string) => runCommand(desk.cli.sessions, { caller: "agent", shell: "agent", command });
  const { id } = await run("echo first-command");

  pane.run(`clear; ${desk.cli.command} attach ${id}`);
  await pane.shows(/^❯ echo first-command {2}\[[\d:]+\]\nfirst-command\n└ exit code 0 after [\d.]+m?s$/m);
  for (const word of ["second", "third"]) {
    await run(`echo ${word}-command; exit 3 | cat; (exit 4)`);
    await pane.shows(new RegExp(`^❯ echo ${word}-command.*\n${word}-command\n└ exit code 4 after [\\d.]+m?s$`, "m"));
  }
  const seconds = uniqueSeconds();
  const silent = run(`sleep ${seconds}`);
  await pane.shows(/^❯ sleep \d+ {2}\[[\d:]+\]$/m);
  // The shell itself does not pass on a Ctrl+C that comes before.
  await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "it sleeps");
  pane.press("C-c");
  await silent;
  await pane.shows(/^└ exit code 130 after/m);
  pane.run("echo typed-$((6 * 7))");
  await pane.shows("typed-42");
  pane.press("C-]", "d");

  await pane.shows("still running]");
  const { text } = await readOutput(desk.cli.sessions, id, { kind: "text" });
  expect(text).toContain("typed-42");
  expect(text).not.toContain("❯");
});
