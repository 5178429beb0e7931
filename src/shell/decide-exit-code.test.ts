import { describe, expect, test } from "vitest";
import type { Exit } from "../base/exit.ts";
import { decideExitCode, decideSignal } from "./decide-exit-code.ts";
import { type FrameEvent, type FrameState, nextState, TYPED } from "./frame/frame-state.ts";

const EVENTS = {
  start: () => ({ type: "startMark" }),
  end: (status) => ({ type: "endMark", mark: { status: Number(status), hasRun: false, flags: "", cwd: "/" } }),
  prompt: () => ({ type: "prompt", at: 0 }),
  interrupt: () => ({ type: "interrupted" }),
  ask: () => ({ type: "asked" }),
  gone: () => ({ type: "gone" }),
} as const satisfies Record<string, (status?: string) => FrameEvent>;

/** The state after events, named in their order; "end=3" is an end mark with status 3. */
function stateAfter(names: string): FrameState {
  return names.split(" ").reduce<FrameState>((state, word) => {
    const [name, status] = word.split("=") as [keyof typeof EVENTS, string | undefined];
    return nextState(state, EVENTS[name](status));
  }, TYPED);
}

const code = (value: number): Exit => ({ kind: "code", code: value });
const killed: Exit = { kind: "signal", signal: "SIGKILL" };

describe("the exit code of a command", () => {
  test.each<[string, string, Exit | null, number | null]>([
    ["is unknown while it runs", "start", null, null],
    ["is what its end mark says", "start end=3", null, 3],
    ["is what its end mark says if the shell exits after it", "start end=3 gone", code(1), 3],
    ["is the shell's if the command ended the shell", "start gone", code(7), 7],
    ["is unknown if a signal ended the shell", "start gone", killed, null],
    ["is unknown if the shell exited before the command started", "gone", code(7), null],
    ["is what a shell says that was thrown back by an error", "start prompt ask end=1", null, 1],
    ["is what an interrupted shell says", "start interrupt prompt ask end=137", null, 137],
    ["is not 0 if it was interrupted", "start interrupt prompt ask end=0", null, 130],
    ["is 130 if the shell had to be asked twice", "start interrupt prompt ask ask end=1", null, 130],
    ["is 130 if it was interrupted before it started", "interrupt ask end=1", null, 130],
    ["is 130 if it was revoked before it started", "interrupt end=0", null, 130],
    ["is its own if it caught the interrupt", "start interrupt end=0", null, 0],
  ])("%s", (_, events, shellExit, exitCode) => {
    expect(decideExitCode(stateAfter(events), shellExit)).toBe(exitCode);
  });
});

describe("the signal of a command", () => {
  test.each<[string, string, Exit | null, string | null]>([
    ["is none for a plain exit code", "start end=3", null, null],
    ["follows from an exit code above 128", "start end=137", null, "SIGKILL"],
    ["is none for a code that is no signal's", "start end=255", null, null],
    ["is the one that ended the shell", "start gone", killed, "SIGKILL"],
    ["is its own if a signal ended the shell after it", "start end=130 gone", killed, "SIGINT"],
    ["is SIGINT if it was interrupted", "start interrupt prompt ask end=0", null, "SIGINT"],
  ])("%s", (_, events, shellExit, signal) => {
    expect(decideSignal(stateAfter(events), shellExit)).toBe(signal);
  });
});
