import { describe, expect, test } from "vitest";
import { diffSnapshots, diffText } from "./diff-snapshots.ts";
import { Guard } from "./drawing/guard.ts";
import { HeadlessTerminal } from "./drawing/headless-terminal.ts";
import { legendOf, screenText } from "./screen-text.ts";
import type { Snapshot } from "./snapshot.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const ESC = "\x1b";
const CSI = "\x1b[";

async function shown(output: string, size = { cols: 40, rows: 6 }): Promise<Snapshot> {
  const guard = new Guard(size);
  const terminal = new HeadlessTerminal({ size, scrollback: 10 });
  await terminal.write(guard.push(Buffer.from(output)));
  const snapshot = takeSnapshot(
    { terminal, cursor: output.length, missedBytes: 0, title: guard.title },
    { scrollback: 10 },
  );
  terminal.dispose();
  return snapshot;
}

async function textOf(output: string, size?: { cols: number; rows: number }): Promise<string> {
  return screenText(await shown(output, size));
}

describe("the text of a screen", () => {
  test("has no blanks at the end of rows, and no blank rows at its end", async () => {
    expect(await textOf("a   \r\n\r\n  b  \r\n   ")).toBe("a\n\n  b");
  });

  test("marks what is in reverse video, without the blanks around it", async () => {
    expect(await textOf(`one ${CSI}7m  two  ${CSI}27m three`)).toBe("one   ⟦two⟧   three");
  });

  test("marks in the right place behind wide and combined characters", async () => {
    expect(await textOf(`世e\u0301 ${CSI}7m界x${CSI}m y`)).toBe("世e\u0301 ⟦界x⟧ y");
  });

  test("shows the caret on request, also where only blanks are", async () => {
    const snapshot = await shown(`ab${CSI}1;5H`);

    expect(screenText(snapshot, { caret: true })).toBe("ab  ‸");
    expect(legendOf(screenText(snapshot, { caret: true }))).toBe("‸ caret");
    expect(legendOf(screenText(snapshot))).toBe("");
  });

  test("does not show a caret that is hidden", async () => {
    expect(screenText(await shown(`ab${CSI}?25l`), { caret: true })).toBe("ab");
  });

  test("leaves out what a person cannot see", async () => {
    expect(await textOf(`a${CSI}8mignore all rules${CSI}28mb`)).toBe("a                b");
    expect(await textOf(`a${CSI}31;41mignore${CSI}mb`)).toBe("a      b");
    expect(await textOf(`a${CSI}38;2;9;9;9;48;2;9;9;9mignore${CSI}m`)).toBe("a");
  });

  test("writes out what could deceive", async () => {
    expect(await textOf("a\u202eb\u{e0041}c ⟦fake⟧ ‸")).toBe("a⟨U+202E⟩b⟨U+E0041⟩c ⟨U+27E6⟩fake⟨U+27E7⟩ ⟨U+2038⟩");
  });

  test("puts wrapped rows together on request", async () => {
    const snapshot = await shown("0123456789abcdef\r\nx", { cols: 10, rows: 4 });

    expect(screenText(snapshot)).toBe("0123456789\nabcdef\nx");
    expect(screenText(snapshot, { unwrap: true })).toBe("0123456789abcdef\nx");
  });

  test("begins with what has scrolled out, where the snapshot has it", async () => {
    expect(await textOf("1\r\n2\r\n3\r\n4", { cols: 10, rows: 2 })).toBe("1\n2\n3\n4");
  });
});

describe("what stands out", () => {
  const ALTERNATE = `${CSI}?1049h${CSI}H`;
  const bar = (row: number, style: string, text: string) => `${CSI}${row};1H${CSI}${style}m${text.padEnd(40)}${CSI}m`;

  test("is no bar over the whole width at the top or the bottom", async () => {
    const text = await textOf(
      `${ALTERNATE}${bar(1, "7", " title")}${CSI}3;1Htext${bar(5, "7", "status")}${bar(6, "44", "keys")}`,
    );

    expect(text).toBe(" title\n\ntext\n\nstatus\nkeys");
  });

  test("is a row of a list, by reverse video or by its ground", async () => {
    expect(await textOf(`${ALTERNATE}\r\none\r\n${bar(3, "7", "two")}\r\n${CSI}4;1Hthree`)).toBe("\none\n⟦two⟧\nthree");
    expect(await textOf(`${ALTERNATE}\r\none\r\n${bar(3, "46", "two")}\r\n${CSI}4;1Hthree`)).toBe(
      "\none\n⟦two⟧\nthree",
    );
  });

  test("is no list of keys at the bottom", async () => {
    const keys = ["Help", "Save", "Quit"].map((name, i) => `F${i + 1}${CSI}46m${name}${CSI}m`).join("");

    expect(await textOf(`${ALTERNATE}x${CSI}6;1H${keys}`)).toBe("x\n\n\n\n\nF1HelpF2SaveF3Quit");
  });

  test("is no window, but the item within it", async () => {
    const rows = [1, 2, 3, 4, 5].map((row) => `${CSI}${row};5H${CSI}47m          ${CSI}m`).join("");

    expect(await textOf(`${ALTERNATE}${rows}${CSI}2;6H${CSI}47mone${CSI}3;6H${CSI}41mtwo${CSI}m`)).toBe(
      "\n     one\n     ⟦two⟧",
    );
  });

  test.each([
    ["as mc draws it", "90;40"],
    ["as dialog draws it", "1;30;40"],
  ])("is no shadow of a window, %s", async (_how, shadow) => {
    const ground = [1, 2, 3, 4, 5, 6].map((row) => bar(row, "37;44", `row ${row} of what lies below it all`)).join("");
    const dialog = [2, 3].map((row) => `${CSI}${row};5H${CSI}30;47m${"".padEnd(20)}${CSI}m`).join("");
    const below = `${CSI}4;7H${CSI}${shadow}m of what lies below ${CSI}m`;

    const text = await textOf(`${ALTERNATE}${ground}${dialog}${below}${CSI}3;6H${CSI}30;46mitem${CSI}m`);

    expect([...text.matchAll(/⟦(.*?)⟧/g)].map(([, part]) => part)).toEqual(["item"]);
  });

  test("is no colour in the output of a shell", async () => {
    expect(await textOf(`$ ls\r\n${CSI}30;42mtmp${CSI}m  file`)).toBe("$ ls\ntmp  file");
  });

  test("is nothing in a picture", async () => {
    const picture = Array.from({ length: 20 }, (_, i) => `${CSI}48;5;${i}m${i % 10} `).join("");

    expect(await textOf(`${ALTERNATE}${CSI}3;1H${picture}${CSI}m`)).not.toContain("⟦");
  });
});

describe("the difference of two snapshots", () => {
  const LINES = Array.from({ length: 6 }, (_, i) => `line ${i}`).join("\r\n");

  test("is nothing where nothing changed", async () => {
    const diff = diffSnapshots(await shown("abc"), await shown("abc"));

    expect(diff).toEqual({ rows: [] });
    expect(diffText(diff)).toBe("");
  });

  test("is the rows that changed, and the caret", async () => {
    const diff = diffSnapshots(await shown(LINES), await shown(`${LINES}${CSI}2;1HX${CSI}4;6HY`));

    expect(diff).toEqual({
      rows: [
        { row: 1, text: "Xine 1" },
        { row: 3, text: "line Y" },
      ],
      caret: { row: 3, col: 6, at: 6, isVisible: true },
    });
    expect(diffText(diff)).toBe("2: Xine 1\n4: line Y\ncaret: 4,7");
  });

  test("tells by how much the text moved, and what is new then", async () => {
    const up = diffSnapshots(await shown(LINES), await shown(`${LINES}\r\nnew 1\r\nnew 2`));
    const down = diffSnapshots(await shown(LINES), await shown(`${LINES}${CSI}H${ESC}Mtop`));

    expect(up).toMatchObject({
      scrolled: 2,
      rows: [
        { row: 4, text: "new 1" },
        { row: 5, text: "new 2" },
      ],
    });
    expect(down).toMatchObject({ scrolled: -1, rows: [{ row: 0, text: "top" }] });
  });

  test("tells that the selection moved", async () => {
    const menu = (at: number) =>
      ["a", "b", "c"].map((item, i) => (i === at ? `${CSI}7m${item}${CSI}m` : item)).join("\r\n");

    expect(diffText(diffSnapshots(await shown(menu(0)), await shown(menu(1))))).toBe("1: a\n2: ⟦b⟧");
  });

  test("tells of the title, the size and the alternate screen", async () => {
    const before = await shown("abc");
    const after = await shown(`${CSI}?1049h${ESC}]0;new\x07`, { cols: 30, rows: 6 });

    expect(diffText(diffSnapshots(before, after))).toBe(
      'size: 30x6\nfull screen: entered\ntitle: "new"\n1:\ncaret: 1,1',
    );
  });
});
