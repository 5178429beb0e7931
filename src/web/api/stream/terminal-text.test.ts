import { expect, test } from "vitest";
import { TerminalText } from "./terminal-text.ts";

const SIZE = { cols: 80, rows: 24 };
const NEW = { isAlternate: false, isWoven: false };

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

function drawn(chunks: readonly Uint8Array[]): string {
  const text = new TerminalText({ size: SIZE, isPlain: false });
  return chunks.map((chunk) => text.draw(chunk)).join("");
}

test("what asks, names, copies or links does not reach a browser", () => {
  const output = "a\x1b]52;c;aGk=\x07b\x1b]0;title\x07c\x1b[cd\x1b[6ne\x1b]8;;javascript:x\x1b\\f\x1bP$q m\x1b\\g";

  expect(drawn([bytes(output)])).toBe("abcdefg");
});

const SAMPLE = bytes("é\x1b[31mred\x1b[0m 世\x1b]0;t\x07\x1b[2J\x1b[?25lx\x1b[?1049hy\x1b[?1049l");

test("wherever a reader continues, it draws the same", () => {
  const whole = drawn([SAMPLE]);
  for (let at = 0; at <= SAMPLE.length; at += 1) {
    const first = new TerminalText({ size: SIZE, isPlain: false });
    const before = first.draw(SAMPLE.subarray(0, at));
    const second = new TerminalText({ size: SIZE, isPlain: false });
    second.skip(SAMPLE.subarray(0, at), NEW);

    expect(before + second.draw(SAMPLE.subarray(at)), `continued at ${at}`).toBe(whole);
    expect(second.isAlternate).toBe(false);
  }
});

test("lines of pipes begin at the left", () => {
  const text = new TerminalText({ size: SIZE, isPlain: true });

  expect(text.draw(bytes("a\nb\n"))).toBe("a\r\nb\r\n");
});

test("a line about a command begins a line, also for a reader that continues behind another one", () => {
  const command = {
    ...{ number: 1, command: "make", caller: "agent", cwd: "/", startedAt: 0 },
    ...{ from: 0, to: 2, durationMs: 5, exitCode: 0 },
  };
  const woven = (given: { readonly isAlternate: boolean; readonly isWoven: boolean }) => {
    const text = new TerminalText({ size: SIZE, isPlain: false });
    text.skip(bytes("$ "), given);
    return text.weave({ kind: "finished", command });
  };

  expect(woven(NEW)).toMatch(/^\r\n\x1b\[0;2m└/);
  expect(woven({ isAlternate: false, isWoven: true })).toMatch(/^\x1b\[0;2m└/);
  expect(woven({ isAlternate: true, isWoven: false })).toBe("");
});
