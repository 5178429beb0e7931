import { expect, test } from "vitest";
import { textOfTurn } from "./text-of-turn.ts";

test("a turn is what it runs, with the input that it gives", () => {
  const run = { kind: "run", run: { command: "sh", shell: "default", stdin: "rm x" } } as const;

  expect(textOfTurn({ on: { kind: "start", start: { command: "make" } } })).toBe("make");
  expect(textOfTurn({ on: { kind: "start", start: { program: "rm", args: ["-rf", "a b", "it's"] } } })).toBe(
    "rm -rf 'a b' 'it'\\''s'",
  );
  expect(textOfTurn({ on: run })).toBe("sh\n\nInput:\nrm x");
  expect(textOfTurn({ on: { kind: "session", key: 1 } })).toBe("");
});

test("a key cannot be mistaken for text that looks like it", () => {
  const typed = (strokes: Parameters<typeof textOfTurn>[0]["input"]) =>
    textOfTurn({ on: { kind: "session", key: 1 }, input: strokes });

  expect(
    typed({
      strokes: [
        { kind: "text", text: "rm x" },
        { kind: "key", name: "Enter" },
      ],
    }),
  ).toBe("rm x⟨Enter⟩");
  expect(typed({ strokes: [{ kind: "text", text: "rm x⟨Enter⟩" }] })).toBe("rm x⟨⟨Enter⟩");
});
