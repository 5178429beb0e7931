import { LimpetError } from "../../base/limpet-error.ts";

/** What went wrong with a file that is copied. A `LimpetError` stays as it is. */
export function fileError(what: "read" | "write", path: string, cause: unknown): LimpetError {
  if (cause instanceof LimpetError) return cause;
  const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new LimpetError("FILE_FAILED", `Could not ${what} ${path} (${why}). ${remedyOf(why)}`, { cause });
}

function remedyOf(code: string): string {
  switch (code) {
    case "ENOENT":
      return "Check the path: limpet creates no directories.";
    case "EACCES":
    case "EPERM":
      return "Check the permissions.";
    case "ENOSPC":
    case "EDQUOT":
      return "Make room on that disk.";
    default:
      return "Fix that, and try again.";
  }
}
