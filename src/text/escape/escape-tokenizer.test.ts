import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EscapeTokenizer } from "./escape-tokenizer.ts";
import { screenSwitch } from "./screen-switch.ts";
import { shortCsiEnd } from "./short-csi-end.ts";
import { tokensOf } from "./tokens-of.ts";

const ESC = 0x1b;

/** Everything that was read, as a list in which neighbouring pieces of text or content are one. */
class Reading {
  readonly #tokenizer = new EscapeTokenizer();
  readonly #events: [kind: string, what: string][] = [];

  push(bytes: Uint8Array): void {
    const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("latin1");
    for (let at = 0; at < bytes.length; ) {
      if (this.#tokenizer.isIdle) {
        if (bytes[at] === ESC) this.#tokenizer.begin();
        else this.#add("text", text(at, at + 1));
        at += 1;
        continue;
      }
      const next = this.#tokenizer.read(bytes, at);
      const { step, name, prefix, params, final } = this.#tokenizer;
      if (step === "control") this.#add("control", text(next, next + 1));
      else if (step === "string-content") this.#add("content", text(at, next));
      else if (step === "string-begin") this.#add("string", String.fromCharCode(final));
      else if (step === "csi") this.#add("csi", `${prefix} ${params.values.join()} ${name}`);
      else if (step === "escape") this.#add("escape", name);
      else if (step !== "open") this.#add(step, "");
      at = step === "control" ? next + 1 : next;
    }
  }

  get events(): readonly (readonly [string, string])[] {
    return [...this.#events, ["idle", String(this.#tokenizer.isIdle)]];
  }

  #add(kind: string, what: string): void {
    const last = this.#events.at(-1);
    if (last?.[0] === kind && (kind === "text" || kind === "content")) last[1] += what;
    else if (kind !== "content" || what !== "") this.#events.push([kind, what]);
  }
}

function read(chunks: readonly Uint8Array[]): Reading["events"] {
  const reading = new Reading();
  for (const chunk of chunks) reading.push(chunk);
  return reading.events;
}

function eventsOf(output: string): string {
  const events = read([Buffer.from(output, "latin1")]);
  return events
    .filter(([kind]) => kind !== "idle")
    .map(([kind, what]) => `${kind}:${what}`)
    .join(" | ");
}

/** Strings of one line each, that all end without a terminator. */
function brokenAt(...strings: readonly string[]): string {
  return strings
    .map((text) => `string:${text.charAt(0)} | content:${text.slice(1)} | string-broken: | text:\n`)
    .join(" | ");
}

describe("a string", () => {
  test.each([
    ["BEL ends an OSC", "\x1b]0;t\x07a", "string:] | content:0;t | string-end: | text:a"],
    ["BEL is content of a DCS", "\x1bPx\x07y\x1b\\a", "string:P | content:x\x07y | string-end: | escape:\\ | text:a"],
    [
      "BEL is content of a title of GNU screen",
      "\x1bkt\x07u\x1b\\",
      "string:k | content:t\x07u | string-end: | escape:\\",
    ],
    ["ST ends an OSC", "\x1b]0;t\x1b\\a", "string:] | content:0;t | string-end: | escape:\\ | text:a"],
    ["0x9c is content", "\x1b]0;\xe2\x9c\x93\x07", "string:] | content:0;\xe2\x9c\x93 | string-end:"],
    ["CAN aborts it", "\x1b]0;t\x18a", "string:] | content:0;t | aborted: | text:a"],
    ["SUB aborts it", "\x1bP0;t\x1aa", "string:P | content:0;t | aborted: | text:a"],
    ["ESC begins a new sequence", "\x1b_x\x1b[1mA", "string:_ | content:x | string-end: | csi:0 1 m | text:A"],
    ["a line feed breaks an OSC", "\x1b]0;t\na", "string:] | content:0;t | string-broken: | text:\na"],
    ["a line feed breaks a DCS", "\x1bPa\nb\x1b\\", "string:P | content:a | string-broken: | text:\nb | escape:\\"],
    ["a line feed breaks an empty DCS", "\x1bP\nb", "string:P | string-broken: | text:\nb"],
    ["a line feed breaks PM, SOS and a title", "\x1b^a\n\x1bXb\n\x1bkc\n", brokenAt("^a", "Xb", "kc")],
    ["a line feed breaks an APC", "\x1b_a\nb", "string:_ | content:a | string-broken: | text:\nb"],
    [
      "a line feed breaks an image in an APC",
      "\x1b_Ga=T;QQ==\nb",
      brokenAt("_Ga=T;QQ==").replace("text:\n", "text:\nb"),
    ],
    ["a line feed breaks an image in an OSC", "\x1b]1337;File=:QQ\n", brokenAt("]1337;File=:QQ")],
    [
      "a line feed is content of a sixel image",
      "\x1bP0;1q#0~\r\n-?\x1b\\",
      "string:P | content:0;1q#0~\r\n-? | string-end: | escape:\\",
    ],
    [
      "other text breaks a sixel image",
      "\x1bPqPASSED, 0\n",
      "string:P | content:qPASSED | string-broken: | text:, 0\n",
    ],
    ["other text breaks an image in an APC", "\x1b_Gok all\n", "string:_ | content:Gok | string-broken: | text: all\n"],
    ["parameters alone do not make an image", "\x1bP1;2\nx", "string:P | content:1;2 | string-broken: | text:\nx"],
    ["DEL is content", "\x1b]a\x7f\x07", "string:] | content:a\x7f | string-end:"],
  ])("%s", (_, output, expected) => {
    expect(eventsOf(output)).toBe(expected);
  });

  test.each([
    ["", "\x1bP", 128 * 1024],
    ["", "\x1b]0;", 128 * 1024 - 2],
    ["", "\x1b_x", 128 * 1024 - 1],
    ["an image", "\x1bPq", 16 * 1024 * 1024 - 1],
    ["an image", "\x1b_G", 16 * 1024 * 1024 - 1],
    ["an image", "\x1b]1337;", 16 * 1024 * 1024 - 5],
  ])("is text again beyond its bound (%s %j)", (_, start, content) => {
    const bytes = Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(content + 5, "A")]);

    expect(read([bytes]).filter(([kind]) => kind !== "content")).toEqual([
      ["string", start.charAt(1)],
      ["string-broken", ""],
      ["text", "AAAAA"],
      ["idle", "true"],
    ]);
  });
});

describe("an escape or CSI sequence", () => {
  test.each([
    ["has parameters, some left out", "\x1b[;3;m", "csi:0 -1,3,-1 m"],
    ["has a prefix and intermediates", "\x1b[?2026$p", "csi:63 2026 $p"],
    ["has intermediates without CSI", "\x1b(0\x1b#8", "escape:(0 | escape:#8"],
    ["bounds its numbers", "\x1b[2147483647b", "csi:0 9999 b"],
    ["lets controls act", "\x1b[3\n1m", "control:\n | csi:0 31 m"],
    ["ignores DEL", "\x1b[3\x7f1m\x1b\x7f7", "csi:0 31 m | escape:7"],
    ["is aborted by CAN", "\x1b[3\x181m", "aborted: | text:1m"],
    ["starts over at ESC", "\x1b[3\x1b[4m\x1b\x1b7", "csi:0 4 m | escape:7"],
    ["is text again from 0x80 on", "\x1b[3\xc3\xa4", "aborted: | text:\xc3\xa4"],
    ["is aborted where a prefix comes late", "\x1b[3?h", "aborted:"],
    ["is aborted where a number comes after an intermediate", "\x1b[!3p", "aborted:"],
    ["is aborted after a third intermediate", '\x1b[ !"p\x1b ( (0', "aborted: | aborted:"],
  ])("%s", (_, output, expected) => {
    expect(eventsOf(output)).toBe(expected);
  });
});

const piece = fc.oneof(
  fc.constantFrom("\x1b", "[", "]", "P", "k", "_", "?", ";", ":", "1049", "47", "0", "h", "l", "m", "$", "p", "\\"),
  fc.constantFrom("\x07", "\n", "\r", "\x18", "\x1a", "\x7f", "\x9c", "é", "text", "1;".repeat(40), "x".repeat(70)),
  fc.constantFrom("\x1bP", "\x1b_", "\x1b]", "\x1b^", "\x1bX", "\x1bP1;2", "q", "#0~-", "\x1b_Gf=1;QQ==", "1337;", " "),
  fc.constantFrom("\x1b[?1049h", "\x1b]0;title\x07", "\x1bPq\x1b\\", "\x1b[38;5;1m", "\x1b[4:3m"),
);
const output = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(""))),
  fc.uint8Array({ maxLength: 200 }),
);

describe("for any bytes", () => {
  test("the same is read, however they are cut into chunks", () => {
    const cuts = fc.array(fc.nat(300), { maxLength: 20 });
    fc.assert(
      fc.property(output, cuts, (bytes, places) => {
        const borders = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));

        expect(read(chunks)).toEqual(read([bytes]));
      }),
      { numRuns: 5_000 },
    );
  });

  test("the tokens lie side by side and say the same as reading byte by byte", () => {
    fc.assert(
      fc.property(output, (bytes) => {
        const tokens = [...tokensOf(bytes)];

        expect([0, ...tokens.map(({ to }) => to)].slice(0, -1)).toEqual(tokens.map(({ from }) => from));
        expect(tokens.at(-1)?.to ?? 0).toBe(bytes.length);
        const ofTokens = tokens.filter(({ kind }) => kind === "text").map(({ from, to }) => bytes.subarray(from, to));
        const text = read([...bytes].map((byte) => Uint8Array.of(byte))).filter(([kind]) => kind === "text");
        expect(Buffer.concat(ofTokens).toString("latin1")).toBe(text.map(([, what]) => what).join(""));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a short CSI sequence ends where the tokenizer ends it", () => {
    const short = fc
      .array(fc.constantFrom("1", "23", "999", "1000", ";", ":", "m", "H", "?", "!", "\n", "\x7f"), { maxLength: 10 })
      .map((parts) => Buffer.from(`\x1b[${parts.join("")}`));
    fc.assert(
      fc.property(short, (bytes) => {
        const end = shortCsiEnd(bytes, 0);
        const tokenizer = new EscapeTokenizer();
        tokenizer.begin();
        const expected = tokenizer.read(bytes, 1);

        fc.pre(end >= 0);
        expect([end, "csi", 0, ""]).toEqual([expected, tokenizer.step, tokenizer.prefix, tokenizer.intermediates]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ["\x1b[?1049h", "enter"],
  ["\x1b[?25;47l", "leave"],
  ["\x1b[?1047h", "enter"],
  ["\x1b[?10490h", undefined],
  ["\x1b[1049h", undefined],
  ["\x1b[?1049$p", undefined],
  ["\x1b[?25:1049h", undefined],
])("%j switches the screen: %s", (sequence, expected) => {
  const [token] = tokensOf(Buffer.from(sequence));

  expect(token && screenSwitch(token.sequence)).toBe(expected);
});
