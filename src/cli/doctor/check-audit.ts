/** Whether the audit can be written. */
import { closeSync, constants, openSync } from "node:fs";
import { auditFile } from "../../safety/audit/audit-files.ts";
import type { Finding } from "./finding.ts";

export function checkAudit(directory: string): Finding {
  const check = "audit";
  const file = auditFile(directory);
  try {
    closeSync(openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      return {
        check,
        verdict: "ok",
        what: "nothing is recorded yet",
        meaning: "The host creates the file when there is something to record.",
      };
    }
    const meaning =
      'limpet cannot record who does what; with "audit": "required", it refuses to act. Fix or move the file.';
    return { check, verdict: "warn", what: `${file} cannot be written (${code})`, meaning };
  }
  return { check, verdict: "ok", what: `${file} is writable`, meaning: "limpet records there who did what." };
}
