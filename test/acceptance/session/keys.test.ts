import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_MODES, type TerminalModes } from "../../../src/base/terminal-modes.ts";
import { openSession, type Session } from "../../../src/entries/session.ts";
import { encodeKey } from "../../../src/keys/encode-key.ts";
import { encodeMouse } from "../../../src/keys/encode-mouse.ts";
import { encodePaste } from "../../../src/keys/encode-paste.ts";
import { parseStroke } from "../../../src/keys/parse-stroke.ts";
import { screenOf } from "../../../src/screen/screen.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { outputHas } from "../../support/sessions.ts";

guardEveryCase();

const READS_KEYS = new URL("../../programs/waits/reads-keys.py", import.meta.url).pathname;
const FULL_SCREEN: TerminalModes = { ...DEFAULT_MODES, applicationCursor: true, applicationKeypad: true };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keys-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function press(session: Session, names: readonly string[], modes: TerminalModes = DEFAULT_MODES): Promise<void> {
  for (const name of names) await session.write(encodeKey(name, modes));
}

/** A shell with line editing, no files of the user's, and a prompt to wait for. */
async function openBash(): Promise<Session> {
  const env = { PS1: "ready> ", INPUTRC: "/dev/null", HISTFILE: "", TERM: "xterm-256color" };
  const session = await openSession({ program: "bash", args: ["--norc", "--noprofile", "-i"], env });
  await outputHas(session, "ready> ");
  return session;
}

async function openVim(file: string): Promise<Session> {
  skipTestWithout("vim");
  const args = ["-u", "NONE", "-i", "NONE", "-n", "--cmd", "set nocompatible mouse=a ttymouse=sgr esckeys", file];
  const session = await openSession({ program: "vim", args, inheritEnv: false, env: { TERM: "xterm-256color" } });
  await outputHas(session, "[New]");
  return session;
}

test.each<[string, Partial<TerminalModes>, readonly string[]]>([
  ["", {}, ["Up", "Ctrl+C", "Alt+x", "F5", "Shift+Tab", "ä", "Ctrl+Space", "Backspace"]],
  [
    "\\x1b[?1h\\x1b=",
    { applicationCursor: true, applicationKeypad: true },
    ["Up", "Home", "KP7", "KPEnter", "Ctrl+Up"],
  ],
  ["\\x1b[>4;2m", { modifyOtherKeys: 2 }, ["Ctrl+Enter", "Ctrl+i", "Tab", "Alt+Shift+x"]],
])("a program in raw mode that printed %j reads every byte of the keys", async (sequence, changes, names) => {
  skipTestWithout("python3");
  const modes = { ...DEFAULT_MODES, ...changes };
  await using session = await openSession({ program: "python3", args: [READS_KEYS, sequence] });
  await outputHas(session, "ready");

  await press(session, [...names, "q"], modes);
  await session.ended;

  const sent = names.map((name) => encodeKey(name, modes)).join("");
  expect((await session.text()).text).toContain(`got ${Buffer.from(sent).toString("hex")}`);
});

test("a key is sent in the form that the program asked for, without drawing its screen", async () => {
  await using registry = new SessionRegistry();
  const session = await registry.open({ program: "python3", args: [READS_KEYS, "\\x1b[?1h"] });
  await outputHas(session, "ready");

  await new LocalService(registry).write(session.id, [parseStroke("Up"), parseStroke("q")]);
  await session.ended;

  expect((await session.text()).text).toContain(`got ${Buffer.from("\x1bOA").toString("hex")}\n`);
  expect(screenOf(session).isLive).toBe(false);
});

test("mouse bytes above 127 reach a program as they are", async () => {
  skipTestWithout("python3");
  await using session = await openSession({ program: "python3", args: [READS_KEYS, "\\x1b[?1000h"] });
  await outputHas(session, "ready");

  await session.write(encodeMouse({ kind: "press", col: 200, row: 100 }, { ...DEFAULT_MODES, mouse: "press" }));
  await session.write("q");
  await session.ended;

  expect((await session.text()).text).toContain("got 1b5b4d20e985");
});

test("readline moves, deletes and recalls by the names of keys", async () => {
  await using session = await openBash();

  await session.write("cho on-two");
  await press(session, ["Home", "e", "End", "Alt+b", "Backspace", "Left", "Right", "=", "Ctrl+E", "!", "Enter"]);
  await outputHas(session, "\ron=two!\r\n");
  // Before its prompt, the kernel edits the line, and would take ^D for the end of one.
  await session.wait({ until: "on=two!\\s+ready> $", onInput: false, deadlineMs: 15_000 });
  await press(session, ["Up", "Ctrl+Left", "Ctrl+K", ..."xy", "Left", "Delete", "Return"]);

  await outputHas(session, "\ron=x\r\n");
  await session.wait({ until: "on=x\\s+ready> $", onInput: false, deadlineMs: 15_000 });
  await press(session, ["^D"]);
  await session.ended;
  expect(session.exit).toEqual({ kind: "code", code: 0 });
});

test("Ctrl+C, Ctrl+Z and Ctrl+\\ are the signals that they are on a keyboard", async () => {
  await using session = await openBash();

  const codes = { "Ctrl+C": 130, "Ctrl+Z": 148, "Ctrl+\\": 131 };
  for (const [key, code] of Object.entries(codes)) {
    const from = session.endCursor;
    // One process and no fork: a stop in the middle of a vfork would hold up both.
    await session.write("sh -c 'echo started$((1+1)); exec sleep 100'\r");
    await session.wait({ until: "started2", from, onInput: false, deadlineMs: 15_000 });
    await press(session, [key]);
    await session.wait({ until: "ready> $", from, onInput: false, deadlineMs: 15_000 });
    await session.write("echo code=$?\r");
    await outputHas(session, `code=${code}\r\n`);
    await session.wait({ until: "code=[0-9]+\\s+ready> $", from, onInput: false, deadlineMs: 15_000 });
  }
});

test("a pasted text is not run before Enter, and cannot end its own paste", async () => {
  await using session = await openBash();
  const modes = { ...DEFAULT_MODES, bracketedPaste: true };
  await outputHas(session, "\x1b[?2004h");

  await session.write(encodePaste(`echo first$((1+1))\necho sec\x1b[201~\r\x1b[20\x1b[201~1~ond$((2+1))\n`, modes));
  await session.write("true");
  await outputHas(session, "true");
  const before = (await session.text()).text;
  await press(session, ["Enter"], modes);

  await outputHas(session, "first2");
  expect(before).not.toContain("first2");
});

test("vim takes arrows, function keys and clicks, and what is pasted is not indented twice", async () => {
  const file = join(folder, "edited.txt");
  const modes = { ...FULL_SCREEN, mouse: "drag", mouseEncoding: "sgr", bracketedPaste: true } as const;
  await using session = await openVim(file);

  await press(session, ["i", ..."one", "Enter", ..."three", "Up", "End", "!", "Home", ">", "Esc"], modes);
  await session.write(encodeMouse({ kind: "click", col: 2, row: 1 }, modes));
  await press(session, ["i", "|", "Ctrl+Right", "$", "Esc"], modes);
  await session.write(":set autoindent paste?\r");
  await press(session, ["G", "o"], modes);
  await session.write(encodePaste("  a\n    b", modes));
  await press(session, [..."xy", "Left", "Delete", ..."z", "Backspace", "Esc"], modes);
  await session.write(":wq\r");
  await session.ended;

  expect(await readFile(file, "utf8")).toBe(">one!\nth|ree$\n  a\n    bx\n");
});
