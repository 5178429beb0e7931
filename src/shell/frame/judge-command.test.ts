import { describe, expect, test } from "vitest";
import type { ReadVerdict } from "../prompt/judge-prompt.ts";
import { type FrameEvent, type FrameState, nextState, QUERY, TYPING } from "./frame-state.ts";
import { type CommandVerdict, isShellBack, judgeCommand } from "./judge-command.ts";

const READS: readonly ReadVerdict[] = ["prompt", "unsure", "command", "none"];

function stateAfter(...events: FrameEvent[]): FrameState {
  return events.reduce(nextState, TYPING);
}

const allTyped = { type: "allTyped" } as const;
const start = { type: "startMark" } as const;
const prompt = { type: "prompt", at: 0 } as const;
const interrupted = { type: "interrupted" } as const;
const end = { type: "endMark", mark: { status: 0, flags: "", cwd: "/" } } as const;

describe("a command", () => {
  test.each<[string, FrameState, readonly CommandVerdict[]]>([
    ["is lost if the shell reads before it starts", stateAfter(allTyped), ["lost", "lost", "lost", "working"]],
    [
      "is lost if the shell reads at its prompt while it runs",
      stateAfter(start),
      ["lost", "unsure", "reading", "working"],
    ],
    ["needs nobody after a prompt", stateAfter(start, prompt), ["settled", "settled", "settled", "settled"]],
    ["needs nobody after its end", stateAfter(start, end), ["settled", "settled", "settled", "settled"]],
    ["needs nobody while the shell is asked for its state", QUERY, ["settled", "settled", "settled", "settled"]],
  ])("%s", (_, state, verdicts) => {
    expect(READS.map((read) => judgeCommand(state, read))).toEqual(verdicts);
  });
});

describe("a shell", () => {
  test.each<[string, FrameState, readonly boolean[]]>([
    ["is back if it may read at its prompt", stateAfter(start, prompt), [true, true, false, false]],
    [
      "is not back while it reads for an interrupted command",
      stateAfter(start, interrupted),
      [true, true, false, false],
    ],
    ["is not back while another reads the command", stateAfter(allTyped, prompt), [true, true, false, false]],
    ["is back if Ctrl+C left half of our line", stateAfter(allTyped, interrupted), [true, true, true, false]],
  ])("%s", (_, state, backs) => {
    expect(READS.map((read) => isShellBack(state, read))).toEqual(backs);
  });
});
