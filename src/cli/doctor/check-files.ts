import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../../base/make-directory.ts";
import { type Finding, reasonOf } from "./finding.ts";

/** A session holds three or four descriptors, and Node some dozens. */
const FEW_FILES = 1024;
const OTHERS = 0o077;

/** How many files this process may have open. */
export async function checkOpenFiles(proc: string): Promise<Finding> {
  const check = "ulimit -n";
  const limits = await readFile(join(proc, "self/limits"), "utf8").catch(() => "");
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (soft === undefined) {
    const what = "the limit of open files cannot be read";
    return { check, verdict: "warn", what, meaning: "A session that reaches it says so; nothing else is affected." };
  }
  const most = soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
  const what = `${soft} open files are allowed`;
  const sessions = Math.floor((most - 64) / 4);
  return most >= FEW_FILES
    ? { check, verdict: "ok", what, meaning: "That is enough for hundreds of sessions." }
    : {
        check,
        verdict: "warn",
        what,
        meaning: `That is enough for about ${Math.max(0, sessions)} sessions. Raise it where limpet is started: ulimit -n 4096.`,
      };
}

/** Writes a file there and removes it again; a directory that had to be made is left. */
export async function checkStateDirectory(directory: string): Promise<Finding> {
  const check = "state directory";
  const file = join(directory, `.doctor-${process.pid}`);
  try {
    await makeDirectory(directory, 0o700);
    await writeFile(file, "");
    await rm(file);
    const { mode } = await stat(directory);
    return (mode & OTHERS) === 0
      ? { check, verdict: "ok", what: `${directory} can be written`, meaning: "Long output is kept there." }
      : {
          check,
          verdict: "warn",
          what: `${directory} is open to other users (mode ${(mode & 0o777).toString(8)})`,
          meaning: `They may be able to see that sessions are kept there. Close it: chmod 700 ${directory}.`,
        };
  } catch (error) {
    return {
      check,
      verdict: "fail",
      what: `${directory} cannot be written (${reasonOf(error)})`,
      meaning:
        "Output cannot be kept on disk and sessions cannot outlive a client. Set LIMPET_HOME to another directory.",
    };
  }
}
