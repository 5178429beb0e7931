/** Runs the command line tool of a container engine to its end, for a short answer. */
import { execFile } from "node:child_process";
import { engineEnv } from "../env/child-env.ts";

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** After this time, the engine counts as not answering. */
const TIMEOUT_MS = 60_000;

export interface ToolResult {
  /** Null if the tool could not be started, or was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Never rejects. */
export function runTool(argv: readonly string[], timeoutMs: number = TIMEOUT_MS): Promise<ToolResult> {
  const [program = "", ...args] = argv;
  const options = { env: engineEnv(), timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    const tool = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, stdout, stderr: stderr === "" ? (error?.message ?? "") : stderr });
    });
    tool.stdin?.end();
  });
}
