import { expect, test } from "vitest";
import { judgeStart } from "./judge-start.ts";

const code = (exit: number, printed: string) => judgeStart({ kind: "code", code: exit }, printed, "x")?.code;

test.each([
  [
    126,
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "x": executable file not found in $PATH: unknown',
    "PROGRAM_NOT_FOUND",
  ],
  [
    126,
    'OCI runtime exec failed: exec failed: unable to start container process: chdir to cwd ("/x") set in config.json failed: no such file or directory: unknown',
    "DIRECTORY_NOT_FOUND",
  ],
  [
    127,
    'Error: runc: exec failed: unable to start container process: exec: "x": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found',
    "PROGRAM_NOT_FOUND",
  ],
  [
    126,
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "/etc": permission denied: unknown',
    "PROGRAM_NOT_EXECUTABLE",
  ],
  [1, "Error: No such container: x", "PLACE_UNREACHABLE"],
  [1, "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?", "PLACE_UNREACHABLE"],
])("exit %i with %j is %s", (exit, printed, expected) => {
  expect(code(exit, printed)).toBe(expected);
});

test("a program that ends with such a code has run", () => {
  expect([code(127, "sh: x: not found\n"), code(3, "OCI runtime exec failed"), code(0, "")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
