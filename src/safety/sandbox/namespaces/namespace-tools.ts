/** What is needed to make namespaces: programs of this machine, and a kernel that allows it. */
import { LimpetError } from "../../../base/limpet-error.ts";
import { findProgram } from "../../../pty/find-program.ts";
import type { EntryTools } from "./entering-command.ts";

const PACKAGES = {
  bwrap: "bubblewrap",
  nsenter: "util-linux",
  setpriv: "util-linux",
  env: "coreutils",
  cat: "coreutils",
};
const OTHERWISE = 'or set "with" to "landlock"';

/** The paths of the programs. Throws `SANDBOX_UNAVAILABLE` if one of them is missing. */
export function namespaceTools(
  path: string | undefined = process.env["PATH"],
): EntryTools & { readonly bwrap: string } {
  const { bwrap, nsenter, setpriv, env, cat } = PACKAGES;
  return {
    bwrap: find("bwrap", bwrap, path),
    nsenter: find("nsenter", nsenter, path),
    setpriv: find("setpriv", setpriv, path),
    env: find("env", env, path),
    cat: find("cat", cat, path),
  };
}

function find(program: string, packageName: string, path: string | undefined): string {
  try {
    return findProgram(program, { cwd: "/", path });
  } catch (cause) {
    throw new LimpetError(
      "SANDBOX_UNAVAILABLE",
      `A sandbox with bwrap is not available: ${program} is not installed. Install the package ${packageName}, ${OTHERWISE}.`,
      { cause },
    );
  }
}

/** Pure. `reason`: in the words of bwrap. */
export function notMade(reason: string): LimpetError {
  const [line = ""] = reason.split("\n");
  return new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `bwrap could not make the namespaces of a sandbox (${line.replace(/^bwrap: /, "")}). Allow user namespaces (see limpet doctor), ${OTHERWISE}.`,
  );
}
