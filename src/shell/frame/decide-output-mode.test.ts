import { describe, expect, test } from "vitest";
import { decideOutputMode, type OutputMode } from "./decide-output-mode.ts";
import { type FrameEvent, type FrameState, nextState, QUERY, TYPED } from "./frame-state.ts";

const EVENTS = {
  start: { type: "startMark" },
  end: { type: "endMark", mark: { status: 0, hasRun: true, flags: "", cwd: "/" } },
  prompt: { type: "prompt", at: 0 },
  interrupt: { type: "interrupted" },
  again: { type: "again" },
  ask: { type: "asked" },
  gone: { type: "gone" },
} as const satisfies Record<string, FrameEvent>;

function stateAfter(names: string, first: FrameState = TYPED): FrameState {
  const events = names.split(" ").filter((name) => name !== "") as (keyof typeof EVENTS)[];
  return events.reduce((state, name) => nextState(state, EVENTS[name]), first);
}

const plain = { editsLines: false, dropsHookOutput: false };
const editing = { editsLines: true, dropsHookOutput: false };
const hooked = { editsLines: false, dropsHookOutput: true };

describe("output is", () => {
  test.each<[OutputMode, string, typeof plain, string]>([
    ["between", "that of jobs until the typed command starts", plain, ""],
    ["drop", "the echo of a shell that edits its line until the command starts", editing, ""],
    ["drop", "that echo also after a prompt that came too late", editing, "prompt"],
    ["drop", "that echo also when the command is typed again", editing, "prompt again"],
    ["command", "the command's from its start mark on", plain, "start"],
    ["command", "the command's whether the shell edits lines or not", editing, "start"],
    ["between", "that of jobs after a prompt, unless the command printed it", editing, "start prompt"],
    ["between", "that of jobs after Ctrl+C and a prompt", editing, "start interrupt prompt"],
    ["drop", "ours while the shell is asked for its state", plain, "start prompt ask"],
    ["command", "the command's when it starts after the shell was asked", editing, "ask start"],
    ["between", "that of jobs after the end mark", plain, "start end"],
    ["drop", "that of hooks after the end mark", hooked, "start end"],
    ["between", "that of jobs once the shell is back", hooked, "start end prompt"],
    ["between", "that of jobs once the shell is gone", editing, "gone"],
  ])("%s: %s", (mode, _, facts, events) => {
    expect(decideOutputMode(stateAfter(events), facts)).toBe(mode);
  });

  test("dropped before the first command and while the shell is asked for its first state", () => {
    expect(decideOutputMode(undefined, plain)).toBe("drop");
    expect(decideOutputMode(QUERY, plain)).toBe("drop");
  });
});
