import { describe, expect, test } from "vitest";
import { showing, shows } from "../../test/support/screen/showing.ts";
import { until } from "../../test/support/sessions.ts";
import { open } from "../../test/support/watching.ts";
import { screenOf } from "./screen.ts";

describe("a snapshot", () => {
  test("is the whole screen as plain data", async () => {
    const session = await showing("printf '\\033]0;a title\\007one\\r\\n世界 two'; exec sleep 600");

    const snapshot = await shows(session, "two");

    expect(JSON.parse(JSON.stringify(snapshot))).toEqual({
      cursor: session.endCursor,
      size: { cols: 20, rows: 4 },
      lines: ["one", "世界 two", "", ""],
      wrapped: [false, false, false, false],
      caret: { row: 1, col: 8, at: 6, isVisible: true },
      title: "a title",
      isAlternate: false,
      scrollback: [],
      missedBytes: 0,
      marks: [],
    });
  });

  test("gives cells with colours and attributes on request", async () => {
    const session = await showing(
      "printf '\\033[1;4:3;38;5;196;48;2;1;2;3;58;5;9mA\\033[0;7;9;53m世\\033[0;8mh'; exec sleep 600",
      { cols: 6, rows: 1 },
    );
    await until(() => session.endCursor > 0, "printed");
    await until(async () => (await screenOf(session).snapshot()).caret.col === 4, "drawn");

    const { cells } = await screenOf(session).snapshot({ cells: true });

    const plain = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: "none", blink: false };
    const rest = { inverse: false, invisible: false, strike: false, overline: false };
    expect(cells).toEqual([
      [
        {
          ...plain,
          ...rest,
          text: "A",
          width: 1,
          fg: 196,
          bg: { r: 1, g: 2, b: 3 },
          bold: true,
          underline: "curly",
          underlineColor: 9,
        },
        { ...plain, ...rest, text: "世", width: 2, inverse: true, strike: true, overline: true },
        { ...plain, ...rest, text: "", width: 0, inverse: true, strike: true, overline: true },
        { ...plain, ...rest, text: "h", width: 1, invisible: true },
        { ...plain, ...rest, text: "", width: 1 },
        { ...plain, ...rest, text: "", width: 1 },
      ],
    ]);
  });

  test("tells which rows are one line", async () => {
    const session = await showing("printf '%s' 0123456789012345678901234567890; exec sleep 600");

    const snapshot = await shows(session, "0123456789012345678901234567890");

    expect(snapshot).toMatchObject({
      lines: ["01234567890123456789", "01234567890", "", ""],
      wrapped: [true, false, false, false],
    });
  });

  test("has lines that scrolled out, as many as asked for", async () => {
    const session = await showing("seq 1 1000 | sed 's/$/\\r/'; exec sleep 600");
    await shows(session, /^1000$/m);

    const live = await screenOf(session).snapshot({ scrollback: 3 });
    const apart = await screenOf(session).snapshot({ scrollback: 900 });

    expect(live.scrollback).toEqual(["995", "996", "997"]);
    expect(apart.scrollback).toEqual(Array.from({ length: 900 }, (_, i) => String(98 + i)));
    expect(apart.lines).toEqual(live.lines);
  });

  test("of more scrollback than there may be is refused", async () => {
    const session = await showing("exec sleep 600");

    await expect(screenOf(session).snapshot({ scrollback: 5_001 })).rejects.toMatchObject({ code: "BAD_OPTION" });
  });

  test("of an ended session shows its last screen", async () => {
    const session = await showing("printf 'last words'");
    await session.ended;

    expect((await screenOf(session).snapshot()).lines).toEqual(["last words", "", "", ""]);
  });

  test("of a session without a terminal begins each line at the left", async () => {
    const session = await open({ program: "printf", args: ["a\\nb\\n"], tty: false, size: { cols: 20, rows: 4 } });
    await session.ended;

    expect((await screenOf(session).snapshot()).lines).toEqual(["a", "b", "", ""]);
  });
});
