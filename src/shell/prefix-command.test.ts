import { expect, test } from "vitest";
import { prefixCommand } from "./prefix-command.ts";

test("a command without a prefix stays as it is", () => {
  expect(prefixCommand("ls # all", {})).toBe("ls # all");
  expect(prefixCommand("ls", { env: {} })).toBe("ls");
});

test("directory and variables come first, and the command runs only if they succeed", () => {
  expect(prefixCommand("echo it's", { cwd: "/a b", env: { A: "1'2", B_2: "" } })).toBe(
    "\\cd -- '/a b' && \\export A='1'\\''2' && \\export B_2='' && \\eval 'echo it'\\''s'",
  );
});

test.each(["", "A B", "A=B", "1A", "Ä", "A;id", "A\nB"])("%j is not the name of a variable", (name) => {
  expect(() => prefixCommand("true", { env: { [name]: "x" } })).toThrow(/is not the name of a variable in a shell/);
});
