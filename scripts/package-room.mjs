/**
 * An environment like that of a new user: an empty home, and on the PATH only the globally installed limpet, one Node,
 * and what every Linux has.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** No git, no python, no compiler, no other shells. */
const PROGRAMS = ["bash", "cat", "env", "grep", "id", "ls", "printf", "sh", "sleep", "stty", "test", "tty"];
const USER = 54_321;
const LIMIT_MS = 60_000;

/** The users to test as: this user, and if that is root, also an unprivileged one. */
export const USERS = process.getuid?.() === 0 ? ["root", "a user"] : ["a user"];

/** `prefix`: where npm has installed the package. */
export function openRoom({ folder, node, user, prefix }) {
  const [home, bin] = [join(folder, "home"), join(folder, "bin")];
  const project = join(home, "project");
  for (const path of [project, bin]) mkdirSync(path, { recursive: true });
  for (const name of PROGRAMS) {
    const found = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  symlinkSync(node, join(bin, "node"));
  symlinkSync(join(prefix, "bin/limpet"), join(bin, "limpet"));
  chmodSync(home, 0o700);
  const isOther = user !== "root" && process.getuid?.() === 0;
  const env = { HOME: home, PATH: bin, LANG: "C.UTF-8", SHELL: "/bin/bash", TERM: "xterm-256color" };
  const handOver = () => {
    if (isOther) for (const path of everythingIn(home)) lchownSync(path, USER, USER);
  };
  handOver();
  const as = isOther ? ["/usr/bin/setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"] : [];
  return {
    home,
    project,
    bin,
    env,
    /** The words before a command of this user. */
    as,
    /** Makes the user the owner of files that were written to the home meanwhile. */
    handOver,
    /** Runs a command as this user in the home: `{ ok, output }`. */
    run: (command, input = "") => runAs([...as, ...command], { env, cwd: home, input }),
    limpet: (...args) => runAs([...as, join(bin, "limpet"), ...args], { env, cwd: project, input: "" }),
    /** `limpet answer`, with what a person types. */
    answer: (id, typed) => runAs([...as, join(bin, "limpet"), "answer", id], { env, cwd: project, input: typed }),
  };
}

function everythingIn(folder) {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name))];
}

async function runAs([program, ...args], { env, cwd, input }) {
  const child = spawn(program, args, { env, cwd, timeout: LIMIT_MS, killSignal: "SIGKILL" });
  child.stdin.on("error", () => undefined).end(input);
  const [[code], out, errors] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { ok: code === 0, output: `${out}${errors}` };
}
