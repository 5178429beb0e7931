import { expect, test } from "vitest";
import { summary } from "../../../test/support/web/summaries.ts";
import { describeSurroundings, silentLines } from "./describe-surroundings.ts";

test("of many sessions that left processes an answer names five, and counts the others", () => {
  const leftovers = Array.from({ length: 12 }, (_, id) => ({ ...summary({ id }), left: [{ pid: 7, name: "sleep" }] }));
  const around = {
    running: [],
    leftovers,
    typedByOthers: 0,
    discardedInput: 0,
    resizedTo: null,
    sandboxNotes: [],
    prompt: null,
  };

  const { notes } = describeSurroundings({ session: summary(), around, keyEffects: [] });

  expect(notes.slice(4)).toEqual(["Left running by session 4: sleep", "Left running by 7 more sessions"]);
});

test("of many places that do not answer five are named, and the others are counted", () => {
  const silent = Array.from({ length: 6 }, (_, index) => ({ place: `gpu-${index}`, problem: "no answer in 5 s" }));

  expect(silentLines(silent).slice(4)).toEqual([
    'No answer from gpu-4: "no answer in 5 s"',
    "No answer from 1 more place",
  ]);
});
