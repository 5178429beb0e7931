/**
 * The variables that a login shell of the user sets, PATH above all. Asked for once and kept in a file until one of the
 * shell's start files changes: start files may take seconds, and a program should not wait for them each time.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { selectEnv } from "../transport/env/select-env.ts";

/** Start files that take longer wait for something that never comes. */
const PATIENCE_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** The variables of a new login. PATH has a first value, because some start files only add to it. */
const OF_A_LOGIN = ["USER", "LOGNAME", "LANG", "TZ", "TMPDIR"];
const FIRST_PATH = "/usr/local/bin:/usr/bin:/bin";

export interface LoginEnvRequest {
  readonly shell: string;
  readonly home: string;
  /** Where the answer is kept. */
  readonly cacheFile: string;
  /** The shell gets only those of these variables that a new login has. */
  readonly base: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string>>;

interface Cached {
  readonly key: string;
  readonly env: Env;
}

/** Without variables that look like secrets. Empty if the shell does not answer. Never rejects. */
export async function loginEnv(request: LoginEnvRequest): Promise<Env> {
  const key = keyOf(request);
  const cached = readCache(request.cacheFile);
  if (cached?.key === key) return cached.env;
  const asked = await askShell(request);
  if (!asked) return cached?.env ?? {};
  const { env } = selectEnv(asked, { for: "agent" });
  writeCache(request.cacheFile, { key, env });
  return env;
}

/** Changes when a start file changes. */
function keyOf({ shell, home }: LoginEnvRequest): string {
  const stamps = startFiles(home).map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${file} ${found.size} ${found.mtimeMs}` : "";
  });
  return [shell, ...stamps.filter((stamp) => stamp !== "")].join("\n");
}

function startFiles(home: string): string[] {
  const own = ".profile .bash_profile .bash_login .bashrc .zshenv .zprofile .zshrc .zlogin .config/fish/config.fish";
  const common = "/etc/environment /etc/profile /etc/bash.bashrc /etc/zsh/zshenv /etc/zsh/zprofile /etc/zsh/zshrc";
  return [...own.split(" ").map((name) => join(home, name)), ...common.split(" "), ...inFolder("/etc/profile.d")];
}

function inFolder(path: string): string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}

/** Interactive, too: many people set PATH in a file that only interactive shells read. */
function askShell({ shell, home, base }: LoginEnvRequest): Promise<Env | undefined> {
  // Start files may print anything, so the answer stands between two marks.
  const mark = randomBytes(8).toString("hex");
  const command = `printf %s ${mark}; env -0; printf %s ${mark}`;
  const words = ["-l", "-i", "-c", command];
  const own = Object.fromEntries(OF_A_LOGIN.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]])));
  const env = { ...own, PATH: FIRST_PATH, HOME: home, SHELL: shell, TERM: "dumb" };
  return new Promise((resolve) => {
    const options = {
      env,
      cwd: "/",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      maxBuffer: MAX_BYTES,
      // In a session of its own it cannot take the terminal of this process.
      detached: true,
    } as const;
    const child = execFile(shell, words, options, (_error, stdout) => resolve(parse(stdout, mark)));
    child.stdin?.end();
    child.unref();
  });
}

function parse(stdout: string, mark: string): Env | undefined {
  const [, text] = stdout.split(mark);
  if (text === undefined || stdout.split(mark).length < 3) return undefined;
  const pairs = text.split("\0").filter((line) => line.includes("="));
  return Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function readCache(file: string): Cached | undefined {
  try {
    const { key, env } = JSON.parse(readFileSync(file, "utf8")) as Partial<Cached>;
    return typeof key === "string" && typeof env === "object" && env !== null ? { key, env } : undefined;
  } catch {
    return undefined;
  }
}

/** If the file cannot be written, the next process asks the shell again. */
function writeCache(file: string, cached: Cached): void {
  try {
    // Not recursive: the home may have been deleted while the shell was asked.
    for (const folder of [dirname(dirname(file)), dirname(file)]) makeFolder(folder);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(cached), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A full or read-only disk.
  }
}

function makeFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}
