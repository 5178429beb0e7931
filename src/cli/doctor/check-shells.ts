import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

const SHELLS = ["bash", "zsh", "fish", "dash", "sh"];

/** `path` has the form of PATH. */
export async function checkShells(path: string): Promise<Finding> {
  const check = "shells";
  const found = (await Promise.all(SHELLS.map((name) => find(name, path)))).filter((file) => file !== undefined);
  const what = found.length === 0 ? `none of ${SHELLS.join(", ")} in ${path}` : found.join(", ");
  if (found.length === 0) {
    return {
      check,
      verdict: "fail",
      what,
      meaning: "limpet cannot run commands without a shell. Install bash, or add it to PATH.",
    };
  }
  return found.some((file) => file.endsWith("/bash"))
    ? { check, verdict: "ok", what, meaning: "limpet can run commands in any of these." }
    : {
        check,
        verdict: "warn",
        what,
        meaning: "bash is the default if SHELL is not set to one of these. Install bash, or set SHELL.",
      };
}

async function find(name: string, path: string): Promise<string | undefined> {
  for (const directory of path.split(":").filter(Boolean)) {
    const file = join(directory, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
