import { expect, test } from "vitest";
import { INSTRUCTIONS, mergeInstructions, removeInstructions } from "./instructions.ts";

const old = "<!-- limpet: begin -->\nold text\n<!-- limpet: end -->";

test.each([
  ["an empty file", "", `${INSTRUCTIONS}\n`],
  ["a file with text", "# Mine\n", `# Mine\n\n${INSTRUCTIONS}\n`],
  ["a file without a last line end", "# Mine", `# Mine\n\n${INSTRUCTIONS}\n`],
  ["older instructions", `# Mine\n\n${old}\n\n## After\n`, `# Mine\n\n${INSTRUCTIONS}\n\n## After\n`],
  ["line ends of Windows", "# Mine\r\n", `# Mine\r\n\r\n${INSTRUCTIONS.replaceAll("\n", "\r\n")}\r\n`],
])("instructions are put into %s once", (_, before, after) => {
  expect(mergeInstructions(before)).toBe(after);
  expect(mergeInstructions(after)).toBe(after);
});

test.each([
  ["a file without them", "# Mine\n", "# Mine\n"],
  ["a file that has only them", `${old}\n`, ""],
  ["the end of a file", `# Mine\n\n${old}\n`, "# Mine\n"],
  ["the middle of a file", `# Mine\n\n${old}\n\n## After\n`, "# Mine\n\n\n## After\n"],
  ["line ends of Windows", `# Mine\r\n\r\n${old}\r\n`, "# Mine\r\n"],
])("instructions are removed from %s", (_, before, after) => {
  expect(removeInstructions(before)).toBe(after);
});

test.each(["<!-- limpet: begin -->\n", "<!-- limpet: end -->\n<!-- limpet: begin -->\n", `${old}\n${old}\n`])(
  "a file with markers that do not fit, %j, is left to its owner",
  (text) => {
    expect(() => mergeInstructions(text)).toThrow("does not have exactly one");
    expect(() => removeInstructions(text)).toThrow("does not have exactly one");
  },
);
