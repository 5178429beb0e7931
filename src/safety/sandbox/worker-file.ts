import { builtFile } from "../../base/built-file.ts";
import { LimpetError } from "../../base/limpet-error.ts";

/** The program of a thread that the build makes for sandboxes. */
export function workerFile(name: "connect-worker" | "sandbox-worker"): string {
  const found = builtFile(`bin/${name}.js`);
  if (found !== undefined) return found;
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    "The sandbox worker of limpet is missing. If a bundler built this program, mark limpet as external.",
  );
}
