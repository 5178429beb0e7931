import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type OpenOptions, openSession, SessionRegistry } from "../../../src/entries/session.ts";
import type { LimpetErrorCode } from "../../../src/index.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { startScript } from "../../support/processes.ts";
import { errorOf } from "../../support/sessions.ts";

guardEveryCase();

const directory = mkdtempSync(join(tmpdir(), "limpet-start-"));
const at = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true }));

writeFileSync(at("plain"), "just text");
writeFileSync(at("no-first-line"), "echo hi\n");
chmodSync(at("no-first-line"), 0o755);
writeFileSync(at("lost-interpreter"), "#!/no/such/interpreter\n");
chmodSync(at("lost-interpreter"), 0o755);
writeFileSync(at("not-a-program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 2, 3]));
chmodSync(at("not-a-program"), 0o755);
mkdirSync(at("folder"));
symlinkSync(at("loop"), at("loop"));
symlinkSync(at("nowhere"), at("dangling"));

const wrong = (options: Record<string, unknown>) => options as unknown as OpenOptions;

const CASES: readonly (readonly [string, OpenOptions, LimpetErrorCode])[] = [
  ["a program that is not in PATH", { program: "no-such-program-anywhere" }, "PROGRAM_NOT_FOUND"],
  ["a path that does not exist", { program: at("missing") }, "PROGRAM_NOT_FOUND"],
  ["a path below a file", { program: at("plain/below") }, "PROGRAM_NOT_FOUND"],
  ["a link to nowhere", { program: at("dangling") }, "PROGRAM_NOT_FOUND"],
  ["a link to itself", { program: at("loop") }, "PROGRAM_NOT_FOUND"],
  ["an empty program", { program: "" }, "PROGRAM_NOT_FOUND"],
  ["an overlong path", { program: `/${"x".repeat(5_000)}` }, "PROGRAM_NOT_FOUND"],
  [
    "a program that is not on the PATH of its environment",
    { program: "cat", inheritEnv: false, env: { PATH: directory } },
    "PROGRAM_NOT_FOUND",
  ],
  ["a file without the right to execute", { program: at("plain") }, "PROGRAM_NOT_EXECUTABLE"],
  ["a directory", { program: at("folder") }, "PROGRAM_NOT_EXECUTABLE"],
  ["a script without a first line", { program: at("no-first-line") }, "PROGRAM_NOT_EXECUTABLE"],
  ["a script whose interpreter is gone", { program: at("lost-interpreter") }, "PROGRAM_NOT_EXECUTABLE"],
  ["a broken binary", { program: at("not-a-program") }, "PROGRAM_NOT_EXECUTABLE"],
  ["a shell that does not exist", { command: "echo", shell: "/no/such/shell" }, "PROGRAM_NOT_FOUND"],
  ["a directory that does not exist", { program: "true", cwd: at("missing") }, "DIRECTORY_NOT_FOUND"],
  ["a directory that is a file", { program: "true", cwd: at("plain") }, "DIRECTORY_NOT_FOUND"],
  ["a directory that is empty text", { program: "true", cwd: "" }, "DIRECTORY_NOT_FOUND"],
  ["an overlong directory", { program: "true", cwd: `/${"x".repeat(5_000)}` }, "DIRECTORY_NOT_FOUND"],
  ["a NUL in the program", { program: "tr\0ue" }, "NUL_BYTE"],
  ["a NUL in an argument", { program: "true", args: ["a\0b"] }, "NUL_BYTE"],
  ["a NUL in the command", { command: "echo \0", shell: "/bin/sh" }, "NUL_BYTE"],
  ["a NUL in the directory", { program: "true", cwd: "/\0" }, "NUL_BYTE"],
  ["a NUL in a variable", { program: "true", env: { A: "\0" } }, "NUL_BYTE"],
  ["a NUL in a variable's name", { program: "true", env: { "\0": "" } }, "NUL_BYTE"],
  ["a variable without a name", { program: "true", env: { "": "x" } }, "BAD_OPTION"],
  ["a variable with = in its name", { program: "true", env: { "A=B": "x" } }, "BAD_OPTION"],
  ["an argument beyond what the kernel takes", { program: "/bin/true", args: ["x".repeat(200_000)] }, "SPAWN_FAILED"],
  [
    "arguments beyond the kernel's limit",
    { program: "/bin/true", args: Array.from({ length: 60_000 }, () => "x".repeat(100)) },
    "SPAWN_FAILED",
  ],
  ["neither program nor command", wrong({}), "BAD_OPTION"],
  ["both program and command", wrong({ program: "true", command: "true" }), "BAD_OPTION"],
  ["a program that is no text", wrong({ program: 5 }), "BAD_OPTION"],
  ["a program that is undefined", wrong({ program: undefined }), "BAD_OPTION"],
  ["arguments that are no list", wrong({ program: "true", args: "-x" }), "BAD_OPTION"],
  ["an argument that is no text", wrong({ program: "true", args: [1] }), "BAD_OPTION"],
  ["a variable that is no text", wrong({ program: "true", env: { A: undefined } }), "BAD_OPTION"],
  ["a directory that is no text", wrong({ program: "true", cwd: 7 }), "BAD_OPTION"],
  ["a name of digits", { program: "true", name: "12" }, "BAD_OPTION"],
  ["a name with a line break", { program: "true", name: "a\nb" }, "BAD_OPTION"],
  ["a journal of no size", { program: "true", journalBytes: 0 }, "BAD_OPTION"],
  ["a journal of half a byte", { program: "true", journalBytes: 4096.5 }, "BAD_OPTION"],
  ["a disk of no size", { program: "true", stateDirectory: directory, diskBytes: 1 }, "BAD_OPTION"],
];

test.each(CASES)("%s is refused, and no session is left", async (_name, options, code) => {
  await using registry = new SessionRegistry({ maxSessions: 1 });

  for (const tty of [true, false]) {
    const error = await errorOf(registry.open({ ...options, tty }));

    expect(error.code).toBe(code);
    // What failed, and what to do next.
    expect(error.message).toMatch(/\S[.)] [A-Z].*\.$|: .*\.$/s);
  }
  expect(registry.list({ ended: true })).toEqual([]);
});

test("a hundred failed starts leave nothing", async () => {
  for (let round = 0; round < 100; round += 1) {
    await errorOf(openSession({ program: at("lost-interpreter"), tty: round % 2 === 0 }));
  }
});

test("a working directory that was deleted is refused, and another one is accepted", async () => {
  const script = startScript("has-no-directory.mjs", []);

  expect(await script.next()).toEqual({
    name: "LimpetError",
    code: "DIRECTORY_NOT_FOUND",
    elsewhere: { kind: "code", code: 0 },
  });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});
