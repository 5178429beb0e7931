import type { Finding } from "./finding.ts";

const check = "sandbox";
const NO_SANDBOX =
  'A session with a sandbox cannot be started; without one, limpet works. To fix this, use Linux 6.2 or later with "landlock" in the list of security modules.';

/** `version`: which version of Landlock this kernel has; 0 for none. Pure. */
export function checkSandbox(version: number): Finding {
  if (version === 0) return { check, verdict: "warn", what: "this kernel has no Landlock", meaning: NO_SANDBOX };
  const what = `Landlock version ${version}`;
  if (version < 3) return { check, verdict: "warn", what, meaning: NO_SANDBOX };
  const meaning =
    version < 6
      ? "Sandboxes work, but their programs can signal others of this user. To fix this, use Linux 6.12 or later."
      : "Sandboxes work.";
  return { check, verdict: version < 6 ? "warn" : "ok", what, meaning };
}
