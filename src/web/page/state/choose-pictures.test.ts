import { expect, test } from "vitest";
import { choosePictures, type PictureSlot } from "./choose-pictures.ts";

function slot(key: string, rest: Partial<PictureSlot> = {}): PictureSlot {
  return { key, shown: "1", wanted: "2", isVisible: true, isLoading: false, startedMs: 0, ...rest };
}

test("a picture is loaded only if it has changed and is visible", () => {
  const slots = [slot("a"), slot("b", { shown: "2" }), slot("c", { isVisible: false })];

  expect(choosePictures(slots, 10_000)).toEqual({ start: ["a"], againMs: null });
});

test("a picture that was just loaded waits, unless it is the first", () => {
  const slots = [slot("a", { startedMs: 900 }), slot("b", { startedMs: 900, shown: null })];

  expect(choosePictures(slots, 1_000)).toEqual({ start: ["b"], againMs: 1_400 });
});

test("few are loaded at once, and those that waited longest come first", () => {
  const slots = Array.from({ length: 20 }, (_, index) => slot(String(index), { startedMs: 1_000 - index }));
  const busy = [slot("x", { isLoading: true }), ...slots];

  expect(choosePictures(busy, 10_000).start).toEqual(["19", "18"]);
});
