import { describe, expect, test } from "vitest";
import { endOf, type FrameEvent, type FrameState, nextState, QUERY, TYPING } from "./frame-state.ts";

const mark = { status: 7, flags: "", cwd: "/" };
const EVENTS = {
  allTyped: { type: "allTyped" },
  start: { type: "startMark" },
  end: { type: "endMark", mark },
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
function stateAfter(names: string, first: FrameState = TYPING): FrameState {
  const events = names.split(" ").filter((name) => name !== "") as Name[];
  return events.reduce((state, name) => nextState(state, EVENTS[name]), first);
}

const never = { hasStarted: false, isInterrupted: false };
const begun = { hasStarted: true, isInterrupted: false };
const firstTry = { ...never, isSecondTry: false };

describe("a command", () => {
  test.each([
    ["is being typed at first", "", { phase: "typing", ...firstTry }],
    ["is typed when all of it was", "allTyped", { phase: "typed", ...firstTry }],
    ["runs from its start mark on", "allTyped start", { phase: "running", ...begun }],
    ["has ended with its end mark", "allTyped start end", { phase: "ended", end: mark, asks: 0, ...begun }],
    [
      "is over with the prompt",
      "allTyped start end prompt",
      { phase: "over", how: "back", end: mark, asks: 0, ...begun },
    ],
    ["may begin before the last of it counts as typed", "start allTyped", { phase: "running", ...begun }],
    [
      "begins once",
      "allTyped start prompt start",
      { phase: "thrownBack", before: { phase: "running", ...begun }, promptAt: 9 },
    ],
    ["begins no more after its end", "allTyped ask end start", { phase: "ended", end: mark, asks: 1, ...never }],
    ["ends once", "allTyped start end end", { phase: "ended", end: mark, asks: 0, ...begun }],
    ["has run where it ends unasked, though its beginning was lost", "allTyped end prompt", over("back", never, 0)],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });
});

describe("a prompt", () => {
  test.each([
    ["means nothing while the command is being typed", "prompt", "allTyped start", "start"],
    ["means nothing while the shell is asked", "allTyped ask prompt", "end", "allTyped ask end"],
    ["that comes twice throws back once", "allTyped start prompt prompt", "notBack", "allTyped start"],
    ["that was not the shell's changes nothing for one that runs", "allTyped start prompt notBack", "end", "start end"],
    ["that was not the shell's changes nothing for one that is typed", "allTyped prompt notBack", "start", "start"],
    ["before the beginning is forgotten with the beginning", "allTyped prompt", "start", "start"],
    ["is forgotten with the end that comes all the same", "allTyped start prompt", "end", "start end"],
  ])("%s", (_, events, then, same) => {
    expect(stateAfter(then, stateAfter(events))).toEqual(stateAfter(same));
  });

  test("throws a command back that has not ended", () => {
    expect(stateAfter("allTyped prompt")).toMatchObject({ phase: "thrownBack", before: stateAfter("allTyped") });
    expect(stateAfter("allTyped start prompt")).toMatchObject({ phase: "thrownBack", before: stateAfter("start") });
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
    ["for the end of what runs", "start ask", { phase: "asking", asks: 1, ...begun }],
    ["for the end of what was thrown back", "start prompt ask", { phase: "asking", asks: 1, ...begun }],
    ["for one that has not begun", "allTyped prompt ask", { phase: "asking", asks: 1, ...never }],
    ["more than once", "start ask ask ask", { phase: "asking", asks: 3, ...begun }],
    ["too early: the command begins after all", "allTyped ask start", { phase: "running", ...begun }],
    ["never while the command is being typed", "ask", { phase: "typing", ...firstTry }],
    ["never after the end", "start end ask", { phase: "ended", end: mark, asks: 0, ...begun }],
    ["tells the end", "start ask ask end prompt", over("back", begun, 2)],
    ["has lost what never began and nobody interrupted", "allTyped ask end prompt", over("taken", never, 1)],
    [
      "has thrown away what was interrupted before it began",
      "allTyped interrupt ask end prompt",
      over("back", { hasStarted: false, isInterrupted: true }, 1),
    ],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });

  test("for nothing but its state ends as usual, and does not count as taken", () => {
    expect(stateAfter("allTyped", QUERY)).toEqual(QUERY);
    expect(stateAfter("prompt", QUERY)).toEqual(QUERY);
    expect(stateAfter("end prompt", QUERY)).toEqual(over("back", never, 0));
  });
});

describe("a second try", () => {
  test.each([
    ["is typed anew", "allTyped prompt again", { phase: "typing", ...firstTry, isSecondTry: true }],
    ["needs no prompt", "allTyped again allTyped", { phase: "typed", ...firstTry, isSecondTry: true }],
    ["is the last", "allTyped again allTyped again", { phase: "typed", ...firstTry, isSecondTry: true }],
    ["is none of one that has begun", "start again", { phase: "running", ...begun }],
    ["is none of one that is asked for", "allTyped ask again", { phase: "asking", asks: 1, ...never }],
    ["begins like the first", "allTyped again start", { phase: "running", ...begun }],
  ])("%s", (_, events, state) => {
    expect(stateAfter(events)).toEqual(state);
  });
});

describe("an interrupt", () => {
  test.each(["", "allTyped", "start", "allTyped prompt", "start prompt", "start ask", "start end"])(
    "after %j changes nothing but that it is known",
    (events) => {
      const known = JSON.stringify(stateAfter(events)).replace('"isInterrupted":false', '"isInterrupted":true');

      expect(stateAfter(`${events} interrupt`)).toEqual(JSON.parse(known));
      expect(stateAfter(`${events} interrupt interrupt`)).toEqual(JSON.parse(known));
    },
  );

  test("is not forgotten with the beginning that comes all the same", () => {
    expect(stateAfter("allTyped interrupt ask start")).toEqual({
      phase: "running",
      hasStarted: true,
      isInterrupted: true,
    });
  });
});

describe("a shell that is gone", () => {
  test.each([
    ["", never, 0],
    ["allTyped", never, 0],
    ["start", begun, 0],
    ["start prompt", begun, 0],
    ["start ask ask", begun, 2],
  ])("after %j leaves a command without an end", (events, past, asks) => {
    expect(stateAfter(`${events} gone`)).toEqual({ ...over("gone", past, asks), end: undefined });
  });

  test("after the end mark keeps the reported end", () => {
    expect(stateAfter("start end gone")).toEqual(over("gone", begun, 0));
  });
});

test.each(["start end prompt", "allTyped ask end prompt", "start gone"])(
  "after %j a command is over, whatever comes",
  (events) => {
    const state = stateAfter(events);

    expect(NAMES.filter((name) => stateAfter(name, state) !== state)).toEqual([]);
  },
);

test("in any order of events, a command that has started or ended stays so", () => {
  for (const states of walks(5)) {
    const firstBegun = states.findIndex((state) => JSON.stringify(state).includes('"hasStarted":true'));
    const firstEnd = states.findIndex((state) => endOf(state) !== undefined);
    const rest = (from: number) => (from < 0 ? [] : states.slice(from));
    expect(rest(firstBegun).every((state) => JSON.stringify(state).includes('"hasStarted":true'))).toBe(true);
    expect(rest(firstEnd).every((state) => endOf(state) === mark)).toBe(true);
  }
});

function over(how: "back" | "taken" | "gone", past: typeof begun | typeof never, asks: number) {
  return { phase: "over", how, end: mark, asks, ...past };
}

/** All states on the way, for each order of so many events. */
function* walks(length: number, states: readonly FrameState[] = [TYPING]): Generator<readonly FrameState[]> {
  const last = states.at(-1) ?? TYPING;
  const next = length > 0 ? NAMES.map((name) => nextState(last, EVENTS[name])).filter((state) => state !== last) : [];
  if (next.length === 0) yield states;
  for (const state of next) yield* walks(length - 1, [...states, state]);
}
