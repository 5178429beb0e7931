import { describe, expect, test } from "vitest";
import { endOf, type FrameEvent, type FrameState, nextState, QUERY, TYPED } from "./frame-state.ts";

const mark = { status: 7, hasRun: false, flags: "", cwd: "/" };
const ranMark = { ...mark, hasRun: true };
const EVENTS = {
  start: { type: "startMark" },
  end: { type: "endMark", mark },
  ranEnd: { type: "endMark", mark: ranMark },
  prompt: { type: "prompt", at: 9 },
  laterPrompt: { type: "prompt", at: 20 },
  interrupt: { type: "interrupted" },
  notBack: { type: "notBack" },
  again: { type: "again" },
  ask: { type: "asked" },
  gone: { type: "gone" },
} as const satisfies Record<string, FrameEvent>;

type Name = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS) as Name[];

/** The state after events, named in their order. */
function stateAfter(names: string, first: FrameState = TYPED): FrameState {
  const events = names.split(" ").filter((name) => name !== "") as Name[];
  return events.reduce((state, name) => nextState(state, EVENTS[name]), first);
}

const never = { hasStarted: false, isInterrupted: false };
const started = { hasStarted: true, isInterrupted: false };
const firstTry = { ...never, isSecondTry: false };

describe("a command", () => {
  test.each([
    ["is typed at first", "", { phase: "typed", ...firstTry }],
    ["runs from its start mark on", "start", { phase: "running", ...started }],
    ["has ended with its end mark", "start end", ended("back", started, 0)],
    ["is followed by the prompt", "start end prompt", { ...ended("back", started, 0), isPrompted: true }],
    [
      "starts once",
      "start prompt start",
      { phase: "thrownBack", before: { phase: "running", ...started }, promptAt: 9 },
    ],
    ["does not start after its end", "ask end start", ended("taken", never, 1)],
    ["ends once", "start end end", ended("back", started, 0)],
    ["has not run where it was revoked", "end", ended("back", never, 0)],
    ["has run though its start mark was lost", "ranEnd", { ...ended("back", started, 0), end: ranMark }],
    [
      "has run though its start mark was lost and the shell was asked",
      "ask ranEnd",
      { ...ended("back", started, 1), end: ranMark },
    ],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });
});

describe("a prompt", () => {
  test.each([
    ["is ignored while the shell is asked", "ask prompt", "end", "ask end"],
    ["that comes twice throws back once", "start prompt prompt", "notBack", "start"],
    ["that was not the shell's changes nothing for one that runs", "start prompt notBack", "end", "start end"],
    ["that was not the shell's changes nothing for one that is typed", "prompt notBack", "start", "start"],
    ["before the start is forgotten with the start", "prompt", "start", "start"],
    ["is forgotten with the end that comes all the same", "start prompt", "end", "start end"],
  ])("%s", (_, events, then, same) => {
    expect(stateAfter(then, stateAfter(events))).toEqual(stateAfter(same));
  });

  test("throws a command back that has not ended", () => {
    expect(stateAfter("prompt")).toMatchObject({ phase: "thrownBack", before: stateAfter("") });
    expect(stateAfter("start prompt")).toMatchObject({ phase: "thrownBack", before: stateAfter("start") });
  });

  test("is where the output ends, and the first of several counts", () => {
    expect(stateAfter("start interrupt prompt laterPrompt")).toMatchObject({ promptAt: 9 });
  });

  test("that was not the shell's leaves the end to a later one", () => {
    expect(stateAfter("start prompt notBack laterPrompt")).toMatchObject({ promptAt: 20 });
  });
});

describe("a shell that is asked", () => {
  test.each([
    ["for the end of what runs", "start ask", { phase: "asking", asks: 1, ...started }],
    ["for the end of what was thrown back", "start prompt ask", { phase: "asking", asks: 1, ...started }],
    ["for one that has not started", "prompt ask", { phase: "asking", asks: 1, ...never }],
    ["more than once", "start ask ask ask", { phase: "asking", asks: 3, ...started }],
    ["too early: the command starts after all", "ask start", { phase: "running", ...started }],
    ["never after the end", "start end ask", ended("back", started, 0)],
    ["tells the end", "start ask ask end", ended("back", started, 2)],
    ["has lost what never started and nobody interrupted", "ask end", ended("taken", never, 1)],
    [
      "has thrown away what was interrupted before it started",
      "interrupt ask end",
      ended("back", { hasStarted: false, isInterrupted: true }, 1),
    ],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });

  test("for nothing but its state ends as usual, and does not count as taken", () => {
    expect(stateAfter("prompt", QUERY)).toEqual(QUERY);
    expect(stateAfter("end", QUERY)).toEqual(ended("back", never, 0));
  });
});

describe("a second try", () => {
  test.each([
    ["is typed anew", "prompt again", { phase: "typed", ...firstTry, isSecondTry: true }],
    ["needs no prompt", "again", { phase: "typed", ...firstTry, isSecondTry: true }],
    ["is the last", "again again", { phase: "typed", ...firstTry, isSecondTry: true }],
    ["does not follow a command that has started", "start again", { phase: "running", ...started }],
    ["does not follow a question to the shell", "ask again", { phase: "asking", asks: 1, ...never }],
    ["starts like the first", "again start", { phase: "running", ...started }],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });
});

describe("an interrupt", () => {
  test.each(["", "start", "prompt", "start prompt", "start ask", "start end"])(
    "after %j changes nothing but that it is known",
    (events) => {
      const known = JSON.stringify(stateAfter(events)).replace('"isInterrupted":false', '"isInterrupted":true');

      expect(stateAfter(`${events} interrupt`)).toEqual(JSON.parse(known));
      expect(stateAfter(`${events} interrupt interrupt`)).toEqual(JSON.parse(known));
    },
  );

  test("is not forgotten with the start that comes all the same", () => {
    expect(stateAfter("interrupt ask start")).toEqual({
      phase: "running",
      hasStarted: true,
      isInterrupted: true,
    });
  });
});

describe("a shell that is gone", () => {
  test.each([
    ["", never, 0],
    ["start", started, 0],
    ["start prompt", started, 0],
    ["start ask ask", started, 2],
  ])("after %j leaves a command without an end", (events, past, asks) => {
    expect(stateAfter(`${events} gone`)).toEqual({ phase: "gone", asks, ...past });
  });

  test("after the end mark keeps the reported end", () => {
    expect(stateAfter("start end gone")).toEqual(stateAfter("start end"));
  });
});

test.each(["start interrupt end prompt", "interrupt ask end prompt", "start gone"])(
  "after %j a command is over, whatever comes",
  (events) => {
    const state = stateAfter(events);

    expect(NAMES.filter((name) => stateAfter(name, state) !== state)).toEqual([]);
  },
);

test("in any order of events, a command that has started or ended stays so", () => {
  for (const states of walks(5)) {
    const firstStarted = states.findIndex((state) => JSON.stringify(state).includes('"hasStarted":true'));
    const firstEnd = states.findIndex((state) => endOf(state) !== undefined);
    const rest = (from: number) => (from < 0 ? [] : states.slice(from));
    expect(rest(firstStarted).every((state) => JSON.stringify(state).includes('"hasStarted":true'))).toBe(true);
    expect(new Set(rest(firstEnd).map(endOf)).size).toBeLessThan(2);
  }
});

function ended(how: "back" | "taken", past: typeof started | typeof never, asks: number) {
  return { phase: "ended", how, end: mark, asks, ...past, isPrompted: false };
}

/** All states on the way, for each order of so many events. */
function* walks(length: number, states: readonly FrameState[] = [TYPED]): Generator<readonly FrameState[]> {
  const last = states.at(-1) ?? TYPED;
  const next = length > 0 ? NAMES.map((name) => nextState(last, EVENTS[name])).filter((state) => state !== last) : [];
  if (next.length === 0) yield states;
  for (const state of next) yield* walks(length - 1, [...states, state]);
}
