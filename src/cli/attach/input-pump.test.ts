import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import { DEFAULT_MODES } from "../../base/terminal-modes.ts";
import { setModes } from "../../screen/painting/set-modes.ts";
import { InputPump } from "./input-pump.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const textOf = (given: Uint8Array | undefined) => given && Buffer.from(given).toString("latin1");

test("what is typed while a write is on its way goes with the next one, in order", async () => {
  const written: string[] = [];
  const gates: (() => void)[] = [];
  const pump = new InputPump({
    write: (given) => {
      written.push(textOf(given) ?? "");
      return new Promise((resolve) => gates.push(resolve));
    },
    onRefused: () => expect.unreachable(),
  });

  for (const key of ["a", "b", "c"]) pump.push(bytes(key));
  gates.shift()?.();
  await expect.poll(() => written).toEqual(["a", "bc"]);
});

test("input that the program does not take is told, an end is not", async () => {
  let refused = 0;
  const fails = ["INPUT_BACKLOG", "SESSION_ENDED", "HOST_GONE", "LINE_TOO_LONG"] as const;
  const left = [...fails];
  const pump = new InputPump({
    write: async () => {
      throw new LimpetError(left.shift() ?? "BAD_OPTION", "no");
    },
    onRefused: () => {
      refused += 1;
    },
  });

  for (const _ of fails) {
    const before = left.length;
    pump.push(bytes("x"));
    await expect.poll(() => left.length).toBe(before - 1);
  }

  expect(refused).toBe(2);
});

const caret = { row: 4, col: 2, at: 2, isVisible: true } as const;
const fresh = { ...DEFAULT_MODES, wrap: true, insert: false, origin: false, region: null, pen: "" } as const;

test("where a program has asked for nothing, only the caret is set", () => {
  expect(setModes(fresh, caret)).toBe("\x1b[?7h\x1b[5;3H");
});

test("what moves the caret comes before it, and in origin mode its row counts from the region", () => {
  const modes = { ...fresh, origin: true, region: { top: 2, bottom: 9 } };

  expect(setModes(modes, { ...caret, isVisible: false, shape: "bar" })).toBe(
    "\x1b[?7h\x1b[3;10r\x1b[?6h\x1b[6 q\x1b[3;3H\x1b[?25l",
  );
});

test("keys and mouse reach the program in the form that it asked for", () => {
  const modes = { ...fresh, applicationCursor: true, mouse: "drag", mouseEncoding: "sgr", modifyOtherKeys: 2 } as const;

  expect(setModes(modes, caret)).toBe("\x1b[?1h\x1b[>4;2m\x1b[?1002h\x1b[?1006h\x1b[?7h\x1b[5;3H");
});
