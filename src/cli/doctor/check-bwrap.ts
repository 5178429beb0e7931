/** Whether sandboxes can have namespaces of their own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "../../pty/find-program.ts";
import type { Finding } from "./finding.ts";

const run = promisify(execFile);
const check = "bwrap";
const PATIENCE_MS = 10_000;
const PROBE = ["--unshare-user", "--unshare-ipc", "--unshare-net", "--ro-bind", "/", "/", "true"];
const NOT_NEEDED = 'Sandboxes "with": "bwrap" cannot be started; others can.';

/** What was found about `bwrap` and `nsenter`, which such sandboxes need. */
export interface BwrapFacts {
  /** What bwrap says about its version; undefined if it is not installed. */
  readonly version: string | undefined;
  /** Why it cannot make namespaces. */
  readonly refusal: string | undefined;
  /** Whether programs can be started in namespaces that exist. */
  readonly canEnter: boolean;
}

export async function checkBwrap(path: string): Promise<Finding> {
  return judgeBwrap(await askBwrap(path));
}

/** Pure. A missing bwrap is not a warning: only sandboxes that ask for it need it. */
export function judgeBwrap({ version, refusal, canEnter }: BwrapFacts): Finding {
  if (version === undefined) {
    const meaning = `${NOT_NEEDED} To have them, install the package bubblewrap.`;
    return { check, verdict: "ok", what: "not installed", meaning };
  }
  if (refusal !== undefined) {
    const meaning = `${NOT_NEEDED} To fix this, allow user namespaces: with sysctl user.max_user_namespaces or kernel.apparmor_restrict_unprivileged_userns, or in the settings of the container.`;
    return { check, verdict: "warn", what: `${version}, which cannot make namespaces: ${refusal}`, meaning };
  }
  if (!canEnter) {
    const meaning = `${NOT_NEEDED} To fix this, install util-linux 2.38 or later.`;
    return { check, verdict: "warn", what: `${version}, without nsenter --wdns`, meaning };
  }
  return { check, verdict: "ok", what: version, meaning: 'Sandboxes "with": "bwrap" work.' };
}

async function askBwrap(path: string): Promise<BwrapFacts> {
  const ask = async (program: string, args: readonly string[]) => {
    const file = findProgram(program, { cwd: "/", path });
    return await run(file, args, { timeout: PATIENCE_MS, env: { PATH: path } });
  };
  const version = await ask("bwrap", ["--version"]).catch(() => undefined);
  if (!version) return { version: undefined, refusal: undefined, canEnter: false };
  const refusal = await ask("bwrap", PROBE).then(
    () => undefined,
    (error: { readonly stderr?: string; readonly message: string }) =>
      (error.stderr || error.message)
        .trim()
        .split("\n")[0]
        ?.replace(/^bwrap: /, ""),
  );
  const help = await ask("nsenter", ["--help"]).catch(() => ({ stdout: "" }));
  return { version: version.stdout.trim(), refusal, canEnter: help.stdout.includes("--wdns") };
}
