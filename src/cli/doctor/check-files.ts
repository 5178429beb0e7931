import { rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inState, openStateDirectory } from "../../host/state/state-directory.ts";
import { type Finding, reasonOf } from "./finding.ts";

/** A session needs three or four descriptors, Node a few dozen. */
const FEW_FILES = 1024;

/** The limit of open files of this process. */
export async function checkOpenFiles(proc: string): Promise<Finding> {
  const check = "ulimit -n";
  const limits = await readFile(join(proc, "self/limits"), "utf8").catch(() => "");
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (soft === undefined) {
    const what = "the limit of open files cannot be read";
    return {
      check,
      verdict: "warn",
      what,
      meaning: "A session that reaches the limit reports it. Nothing else is affected.",
    };
  }
  const most = soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
  const what = `${soft} open files are allowed`;
  const sessions = Math.floor((most - 64) / 4);
  return most >= FEW_FILES
    ? { check, verdict: "ok", what, meaning: "This is enough for hundreds of sessions." }
    : {
        check,
        verdict: "warn",
        what,
        meaning: `This is enough for about ${Math.max(0, sessions)} sessions. Raise it before starting limpet: ulimit -n 4096.`,
      };
}

/** Opens the directory as a host does, writes a file and removes it. A directory that it creates stays. */
export async function checkStateDirectory(directory: string): Promise<Finding> {
  const check = "state directory";
  try {
    tryToWrite(directory);
    return { check, verdict: "ok", what: `${directory} is writable`, meaning: "limpet keeps long output there." };
  } catch (error) {
    return {
      check,
      verdict: "fail",
      what: reasonOf(error),
      meaning:
        "Without it, sessions cannot outlive a client and the command line does not work. Fix the directory, or set LIMPET_HOME to another one.",
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
