import { expect, test } from "vitest";
import { AbandonedModes } from "./abandoned-modes.ts";
import { TerminalModeTracker } from "./terminal-mode-tracker.ts";

const [SHELL, EDITOR] = [10, 20];
const ENTER = "\x1b[?1049h";
const PASTE = "\x1b[?2004h";

/** A terminal whose foreground group, live groups and ended jobs the test decides. */
function terminal() {
  const tracker = new TerminalModeTracker();
  const modes = new AbandonedModes(tracker);
  const state = { foreground: SHELL as number | undefined, alive: new Set([SHELL]), ended: 0 as number | undefined };
  const probe = {
    foregroundGroup: () => state.foreground,
    isGroupAlive: (group: number) => state.alive.has(group),
    countEndedJobs: (pid: number) => (pid === SHELL ? state.ended : undefined),
  };
  return {
    state,
    start(group: number) {
      state.foreground = group;
      state.alive.add(group);
    },
    end(group: number) {
      state.foreground = SHELL;
      state.alive.delete(group);
      state.ended = state.ended === undefined ? undefined : state.ended + 1;
    },
    type: (text: string) => modes.beforeInput(probe, Buffer.from(text)),
    print(text: string) {
      const bytes = Buffer.from(text);
      const isAbandoned = modes.beforeOutput(probe, bytes);
      tracker.push(bytes);
      return { before: isAbandoned, after: modes.afterOutput(probe) };
    },
  };
}

test("the modes of a program that lives are its own, also while another program prints", () => {
  const { start, print, state } = terminal();
  start(EDITOR);

  expect(print(ENTER)).toEqual({ before: false, after: false });
  state.foreground = SHELL;
  expect(print("text")).toEqual({ before: false, after: false });
});

test("the modes of a program that is gone are reset before the next output", () => {
  const { start, end, print } = terminal();
  start(EDITOR);
  print(ENTER);
  end(EDITOR);

  expect(print("Killed\n")).toEqual({ before: true, after: false });
});

test("a program that has reset its modes leaves nothing to reset", () => {
  const { start, end, print } = terminal();
  start(EDITOR);
  print(`${ENTER}${PASTE}`);
  print("\x1b[?2004l\x1b[?1049l");
  end(EDITOR);

  expect(print("$ ")).toEqual({ before: false, after: false });
});

test("a program's last output, read after its end, leaves its screen itself, and the shell's modes stay", () => {
  const { start, end, print } = terminal();
  start(EDITOR);
  print(ENTER);
  end(EDITOR);

  expect(print(`drawn\x1b[?1049l${PASTE}$ `)).toEqual({ before: false, after: false });
  expect(print("typed")).toEqual({ before: false, after: false });
});

test("nothing is reset within the last output of the session's first program", () => {
  const { end, print, state } = terminal();
  print(PASTE);
  end(SHELL);
  state.foreground = undefined;

  expect(print("the rest of its output")).toEqual({ before: false, after: false });
});

test("a screen is its program's, although the shell had set a mode before", () => {
  const { start, end, print } = terminal();
  print(PASTE);
  start(EDITOR);
  print(ENTER);
  end(EDITOR);

  expect(print("$ ")).toEqual({ before: true, after: false });
});

test("a program that is gone before its output is read has its modes reset at once", () => {
  const { type, start, end, print } = terminal();
  type("vim\n");
  start(EDITOR);
  end(EDITOR);

  expect(print(`${ENTER}Killed\n$ `)).toEqual({ before: false, after: true });
});

test("a screen that the shell itself enters stays, and so does that of a program that is no shell", () => {
  for (const ended of [0, undefined]) {
    const { type, print, state } = terminal();
    state.ended = ended;
    type("show\n");

    expect(print(ENTER)).toEqual({ before: false, after: false });
    expect(print("drawn")).toEqual({ before: false, after: false });
  }
});
