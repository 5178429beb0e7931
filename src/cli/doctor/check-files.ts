import { rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inState, openStateDirectory } from "../../host/state-directory.ts";
import { type Finding, reasonOf } from "./finding.ts";

/** A session holds three or four descriptors, and Node some dozens. */
const FEW_FILES = 1024;

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

/** As a host would take it: writes a file there and removes it again. A directory that had to be made is left. */
export async function checkStateDirectory(directory: string): Promise<Finding> {
  const check = "state directory";
  try {
    tryToWrite(directory);
    return { check, verdict: "ok", what: `${directory} can be written`, meaning: "Long output is kept there." };
  } catch (error) {
    return {
      check,
      verdict: "fail",
      what: reasonOf(error),
      meaning:
        "Sessions cannot outlive a client, and the command line does not work. Do that, or set LIMPET_HOME to another directory.",
    };
  }
}

function tryToWrite(directory: string): void {
  const state = openStateDirectory(directory);
  try {
    const file = state.file(`.doctor-${process.pid}`);
    inState(file, () => writeFileSync(file, ""));
    rmSync(file);
  } finally {
    state.release();
  }
}
