import { expect, test } from "vitest";
import { runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { startTmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";

test("top shows all sessions, goes on as they change, and does what keys ask for", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols: 120, rows: 15 });
  const { sessions } = cli;
  const waiting = await startSession(sessions, {
    command: "read -p 'your name? ' x",
    shell: "/bin/bash",
    name: "asks",
  });
  const silent = await startSession(sessions, { command: "sleep 1000", shell: "/bin/bash", name: "sleeps" });
  await waitForSession(sessions, { keys: [waiting.id], deadlineMs: 15_000 });

  pane.run(`clear; ${cli.command} top; echo code=$?`);
  await pane.shows(/limpet top: 2 running, 1 waiting for input/);
  await pane.shows(new RegExp(`^ *${waiting.id} +asks +running +line .*your name\\?$`, "m"));
  await pane.shows(new RegExp(`^ *${silent.id} +sleeps +running `, "m"));
  expect(pane.ask("#{alternate_on} #{cursor_flag}")).toBe("1 0");

  const later = await startSession(sessions, { command: "echo here I am; cat", shell: "/bin/bash", name: "later" });
  await pane.shows(/later .*here I am/);

  pane.type("/slee");
  pane.press("Enter");
  await pane.shows(/^(?![\s\S]*asks)[\s\S]*1 match "slee"/);
  pane.type("x");
  await pane.shows(`Kill ${silent.id} (sleeps) and everything it started? y/n`);
  pane.type("n");
  await pane.shows("Killed nothing.");
  pane.type("x");
  pane.type("y");
  await pane.shows(`Killed ${silent.id}: `);
  await until(async () => (await sessions.running()).length === 2, "one less");

  pane.press("Escape");
  await pane.shows("asks");
  pane.press("Down", "Down", "Enter");
  await pane.shows(/^here I am$/m);
  pane.run("typed");
  await pane.shows(/typed\ntyped/);
  pane.press("C-]", "d");
  await pane.shows(`Detached from ${later.id}.`);

  pane.press("Up");
  pane.resize(100, 10);
  // Ten lines.
  await pane.shows(/^limpet top[^\n]*\n(?:[^\n]*\n){8}[^\n]*q quit$/);

  pane.type("q");
  await pane.shows("code=0");
  expect(pane.ask("#{alternate_on} #{cursor_flag}")).toBe("0 1");
});

test("top at 40 columns shows the screen of an agent's shell, explains its keys, and holds the agent off", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols: 40, rows: 20 });
  const run = (command: string) => runCommand(cli.sessions, { caller: "agent", shell: "work", command });
  const { id } = await run("echo one");

  pane.run(`clear; ${cli.command} top`);
  await pane.shows(/^ID +NAME +STATE +PROGRAM\n *\d+ +work +idle +shell in /m);
  await pane.shows(/of agent[\s\S]*^❯ echo one {2}\[[\d:]+\]\none\n└ exit code 0/m);
  pane.type("?");
  await pane.shows(/^h +hold agents off, or release$/m);
  pane.type("?h");
  await pane.shows(`Held ${id}: agents cannot type.`);
  await expect(run("echo refused")).rejects.toThrow("A person holds session");
  pane.type("h");
  await pane.shows(`Released ${id}: agents can type.`);
  await run("echo two");
  await pane.shows(/^❯ echo two[\s\S]*^two$/m);
  pane.type("pq");

  await pane.shows(/^ready>$/m);
});

test("a person who attaches from top and quits finds the own terminal as it was", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  const { id } = await startSession(cli.sessions, {
    command: "printf 'theirs> '; cat",
    shell: "/bin/sh",
    name: "asks",
  });
  pane.run(`clear; ${cli.command} top; echo code=$?`);
  await pane.shows("asks");
  pane.press("Enter");
  await pane.shows(/^theirs>/m);
  pane.press("C-]", "d");
  await pane.shows(`Detached from ${id}.`);

  pane.type("q");

  await pane.shows(/^code=0$/m);
  expect(pane.everything()).not.toContain("theirs>");
});

test("keys that are typed while top attaches reach the session, and are not echoed", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  const { id } = await startSession(cli.sessions, { command: "cat", shell: "/bin/sh", name: "asks" });
  pane.run(`clear; ${cli.command} top; echo code=$?`);
  await pane.shows("asks");

  pane.press("Enter", "C-]", "d");
  await pane.shows(`Detached from ${id}.`);
  pane.type("q");

  await pane.shows(/^code=0$/m);
});

test("top gives the terminal back when the host dies", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  await startSession(cli.sessions, { command: "cat", shell: "/bin/sh", name: "witness" });
  pane.run(`clear; ${cli.command} top; echo code=$?`);
  await pane.shows("witness");

  process.kill(await cli.hostPid(), "SIGKILL");
  // A new host is started by the next look, and shows what was lost.
  await pane.shows(/lost|HOST_GONE/);
  if (!pane.screen().includes("code=")) pane.type("q");
  await pane.shows(/code=\d/);

  expect(pane.ask("#{alternate_on} #{cursor_flag}")).toBe("0 1");
});

test.each([40, 200])("ls and top keep each session to a line of a terminal with %i columns", async (cols) => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols, rows: 12 });
  const command = `echo '${"grün 日本語 ".repeat(30)}'; exec cat`;
  for (const name of ["one", "two"]) await startSession(cli.sessions, { command, shell: "/bin/bash", name });
  await until(
    async () => (await cli.sessions.list({ ended: false })).every(({ lastLine }) => lastLine !== ""),
    "both have printed",
  );
  const table = /ID +NAME [^\n]*\n *1 +one [^\n]*\n *2 +two [^\n]*\n/;

  pane.run(`clear; ${cli.command} ls; echo code=$?`);
  await pane.shows(new RegExp(`${table.source}code=0`));
  pane.run(`clear; ${cli.command} top`);
  await pane.shows(new RegExp(`^limpet top[^\\n]*\\n${table.source}`));
  pane.press("C-c");
  await pane.shows(/^ready>$/m);
});

test("without a terminal, top says what does without", async () => {
  await using cli = openCli();

  expect(await cli.limpet(["top"])).toMatchObject({ code: 1, stderr: expect.stringContaining("or use limpet ls.") });
});
