import { expect, test } from "vitest";
import { makeVisible } from "./make-visible.ts";

test("every control and format character of Unicode is made visible, and no letter is", () => {
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
  const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/u;
  const missed: string[] = [];
  const spoiled: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const char = String.fromCodePoint(code);
    const isShown = makeVisible(`a${char}b`) !== `a${char}b`;
    if ((code < 0xa0 || unseen.test(char)) && !isShown) missed.push(code.toString(16));
    if (/[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u.test(char) && isShown && ![0x115f, 0x1160, 0x3164, 0xffa0].includes(code)) {
      spoiled.push(code.toString(16));
    }
  }

  expect({ missed, spoiled }).toEqual({ missed: [], spoiled: [] });
});

test("line feeds and tabs stay", () => {
  expect(makeVisible("a\n\té\n")).toBe("a\n\té\n");
});
