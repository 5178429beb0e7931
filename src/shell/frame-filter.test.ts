import { expect, test } from "vitest";
import { FrameFilter } from "./frame-filter.ts";
import type { EndMark } from "./mark.ts";

const NONCE = "0123456789abcdef0123456789abcdef";
const PROMPT = "fedcba9876543210fedcba9876543210";
const START = `\x1b]6973;s;${NONCE}\x07`;
const END = `\x1b]6973;e;${NONCE};3;him;/a\r\nb;c\x07;${NONCE}\x07\r\n`;
const WHOLE = `${START}out${END}\x1b]6973;p;${PROMPT}\x07after`;

/** What is passed on and what is told, in order. */
function filterOf(): { readonly push: (text: string) => void; readonly finish: () => void; readonly seen: unknown[] } {
  const seen: unknown[] = [];
  const filter = new FrameFilter(
    { promptNonce: PROMPT, noise: undefined },
    {
      onStart: () => seen.push("start"),
      onEnd: (mark: EndMark) => seen.push(mark),
      onPrompt: () => seen.push("prompt"),
    },
  );
  filter.expect(NONCE);
  filter.isDropping = false;
  const pass = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString("latin1");
    const last = seen.at(-1);
    if (typeof last === "string" && last.startsWith("=")) seen[seen.length - 1] = last + text;
    else seen.push(`=${text}`);
  };
  return {
    push: (text) => filter.push(Buffer.from(text, "latin1"), pass),
    finish: () => filter.finish(pass),
    seen,
  };
}

const EXPECTED = ["start", "=out", { status: 3, flags: "him", cwd: "/a\nb;c\x07" }, "prompt", "=after"];

test("marks are taken out and told in order with the output", () => {
  const { push, seen } = filterOf();

  push(WHOLE);

  expect(seen).toEqual(EXPECTED);
});

test("a mark may be split anywhere", () => {
  for (let at = 1; at < WHOLE.length; at += 1) {
    const { push, seen } = filterOf();

    push(WHOLE.slice(0, at));
    push(WHOLE.slice(at));

    expect(seen).toEqual(EXPECTED);
  }
});

test("a mark arrives byte by byte", () => {
  const { push, seen } = filterOf();

  for (const byte of WHOLE) push(byte);

  expect(seen).toEqual(EXPECTED);
});

test.each([
  ["another nonce", `a\x1b]6973;e;${PROMPT};0;;/;${PROMPT}\x07\nb`],
  ["another number", "a\x1b]697;s;\x07\x1b]69730;b"],
  ["another letter", `a\x1b]6973;x;${NONCE}\x07b`],
  ["no end", `a\x1b]6973;s;${NONCE}b`],
  ["only a beginning", "a\x1b]6973"],
  ["many beginnings", "\x1b]6973;".repeat(50)],
])("what looks like a mark with %s is output", (_, text) => {
  const { push, finish, seen } = filterOf();

  for (const byte of text) push(byte);
  finish();

  expect(seen).toEqual([`=${text}`]);
});

test("a mark that never ends is output in the end", () => {
  const { push, seen } = filterOf();
  const text = `\x1b]6973;e;${NONCE};${"x".repeat(20_000)}`;

  push(text);

  expect(seen).toEqual([`=${text}`]);
});
