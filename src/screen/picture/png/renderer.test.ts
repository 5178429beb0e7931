import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { PICTURE_DEADLINE_MS } from "../../../base/limits.ts";
import { Renderer } from "./renderer.ts";

const PLAIN = { fonts: [], scale: 1 };

function document(content: string, side = 2): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${content}</svg>`;
}

const RED = document('<rect width="2" height="2" fill="#ff0000"/>');
/** Minutes of work: noise of so many octaves for each of sixteen million pixels. */
const ENDLESS = document(
  '<filter id="f"><feTurbulence baseFrequency="0.7" numOctaves="900"/></filter><rect width="4000" height="4000" filter="url(#f)"/>',
  4_000,
);

test("a document becomes pixels", async () => {
  const { width, height, rgba } = await new Renderer().rasterize(RED, PLAIN);

  expect([width, height, ...rgba]).toEqual([2, 2, ...Array.from({ length: 4 }, () => [255, 0, 0, 255]).flat()]);
});

test("a picture that takes too long is given up, and the next one is drawn", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const renderer = new Renderer();

  const late = renderer.rasterize(ENDLESS, PLAIN);
  const next = renderer.rasterize(RED, PLAIN);
  const refused = expect(late).rejects.toMatchObject({
    code: "PICTURE_UNAVAILABLE",
    message: `The picture could not be drawn: it took over ${PICTURE_DEADLINE_MS} ms. Ask for a smaller scale, for SVG, or for text.`,
  });
  while (vi.getTimerCount() === 0) await nextTurn();
  vi.advanceTimersByTime(PICTURE_DEADLINE_MS);

  await refused;
  expect((await next).width).toBe(2);
});

test("where the package is missing, the error says what to do, each time", async () => {
  const renderer = new Renderer("file:///nowhere/at-all.js");

  for (const _ of ["once", "again"]) {
    await expect(renderer.rasterize(RED, PLAIN)).rejects.toMatchObject({
      code: "PICTURE_UNAVAILABLE",
      message: "The package @resvg/resvg-wasm, which draws pictures, cannot be loaded. Install it, or ask for SVG.",
      cause: { code: "MODULE_NOT_FOUND" },
    });
  }
});
