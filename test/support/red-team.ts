/** A sandbox, what lies outside of it, and attempts to get there in Python: one row for each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { openSession } from "../../src/entries/session.ts";
import { sandboxTransport } from "../../src/entries/transport.ts";
import { skipWithout } from "./needs.ts";

interface Outside {
  readonly outside: string;
  readonly theirs: string;
  readonly secret: string;
}

function preludeOf({ outside, theirs, secret }: Outside): string {
  return `import ctypes, errno, fcntl, mmap, os, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
host, outside, theirs, secret = ${process.pid}, ${JSON.stringify(outside)}, ${JSON.stringify(theirs)}, ${JSON.stringify(secret)}
libc.syscall.restype = ctypes.c_long
def call(number, *args):
  if libc.syscall(ctypes.c_long(number), *args) < 0: raise OSError(ctypes.get_errno(), str(number))
def write(path, text="x"):
  with open(path, "w") as file: file.write(text)
def attempt(act):
  try: act(); print("done", end=" ")
  except OSError as error: print(errno.errorcode.get(error.errno, error.errno), end=" ")
`;
}

/** For all tests of the file that calls it. `key`: the name of its secret; files that run at once share a home. */
export function redTeam(key: string) {
  const { setUp, tearDown } = skipWithout("landlock", "python3");
  const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
  afterAll(() => rmSync(outside, { recursive: true }));
  const project = join(outside, "project");
  const theirs = join(outside, "theirs");
  const secret = join(homedir(), ".ssh", key);

  setUp(() => {
    mkdirSync(project);
    mkdirSync(join(outside, "folder"));
    writeFileSync(theirs, "untouched", { mode: 0o644 });
    mkdirSync(join(homedir(), ".ssh"), { recursive: true, mode: 0o700 });
    writeFileSync(secret, "the key", { mode: 0o600 });
  });
  tearDown(() => rmSync(secret));

  async function run(command: string) {
    const transport = sandboxTransport({ files: "workspace", project });
    const session = await openSession({ command, shell: "/bin/bash", cwd: project, transport });
    const exit = await session.exited;
    const { text } = await session.text();
    await session.close({ force: true });
    return { code: exit.kind === "code" ? exit.code : exit, text: text.trim() };
  }

  let scripts = 0;

  /** What became of each attempt, by its name: the name of an error, or "done". */
  async function attempts(rows: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    scripts += 1;
    const code = Object.values(rows).map((row) => `attempt(lambda: ${row})\n`);
    writeFileSync(join(project, `attempt-${scripts}.py`), preludeOf({ outside, theirs, secret }) + code.join(""));
    const { text } = await run(`python3 attempt-${scripts}.py`);
    const results = text.split(/\s+/);
    expect(results, text).toHaveLength(Object.keys(rows).length);
    return Object.fromEntries(Object.keys(rows).map((name, at) => [name, results[at] ?? ""]));
  }

  /** Those that did not end with one of the errors. */
  async function passing(rows: Readonly<Record<string, string>>, errors: readonly string[]) {
    const results = Object.entries(await attempts(rows));
    return Object.fromEntries(results.filter(([, result]) => !errors.includes(result)));
  }

  return { setUp, tearDown, outside, project, theirs, secret, run, attempts, passing };
}
