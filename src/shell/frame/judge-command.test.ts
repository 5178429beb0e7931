import { describe, expect, test } from "vitest";
import type { ReadVerdict } from "../prompt/judge-prompt.ts";
import { type FrameEvent, type FrameState, nextState, QUERY, TYPED } from "./frame-state.ts";
import { type CommandVerdict, isShellBack, judgeCommand } from "./judge-command.ts";

const READS: readonly ReadVerdict[] = ["prompt", "unsure", "command", "none"];

function stateAfter(...events: FrameEvent[]): FrameState {
  return events.reduce(nextState, TYPED);
}

const start = { type: "startMark" } as const;
const prompt = { type: "prompt", at: 0 } as const;
const end = { type: "endMark", mark: { status: 0, hasRun: true, flags: "", cwd: "/" } } as const;

describe("a command", () => {
  test.each<[string, FrameState, readonly CommandVerdict[]]>([
    ["is lost if the shell reads before it starts", stateAfter(), ["lost", "lost", "lost", "working"]],
    [
      "is lost if the shell reads at its prompt while it runs",
      stateAfter(start),
      ["lost", "unsure", "reading", "working"],
    ],
    [
      "is lost if the shell may read at its prompt after Ctrl+C",
      stateAfter(start, { type: "interrupted" }),
      ["lost", "lost", "reading", "working"],
    ],
    ["needs nobody after a prompt", stateAfter(start, prompt), ["settled", "settled", "settled", "settled"]],
    ["needs nobody after its end", stateAfter(start, end), ["settled", "settled", "settled", "settled"]],
    ["needs nobody while the shell is asked for its state", QUERY, ["settled", "settled", "settled", "settled"]],
  ])("%s", (_, state, verdicts) => {
    expect(READS.map((read) => judgeCommand(state, read))).toEqual(verdicts);
  });
});

test("a shell is back if it may read at its prompt, and not while it reads for a command", () => {
  expect(READS.map((read) => isShellBack(read))).toEqual([true, true, false, false]);
});
