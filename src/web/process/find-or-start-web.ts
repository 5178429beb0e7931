/** Finds the web server of a state directory, or starts it in the background. */
import { setTimeout as sleep } from "node:timers/promises";
import { HOST_START_MS } from "../../base/limits.ts";
import { ERROR_CODES, LimpetError } from "../../base/limpet-error.ts";
import { startDetached } from "../../host/client/start-detached.ts";
import { openStateDirectory } from "../../host/state/state-directory.ts";
import { engineEnv } from "../../transport/env/child-env.ts";
import { askWeb } from "./ask-web.ts";
import type { WebStatus } from "./control-protocol.ts";

export interface StartWebOptions {
  readonly stateDirectory: string;
  /** The command line of this package. */
  readonly command: readonly string[];
  /** Flags that say where it listens. Never anything secret: other users see them. */
  readonly flags: readonly string[];
  /** More variables for it. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface FoundWeb {
  readonly status: WebStatus;
  /** It was running already. */
  readonly wasRunning: boolean;
}

const RETRY_EVERY_MS = 20;

export async function findOrStartWeb(options: StartWebOptions): Promise<FoundWeb> {
  const { stateDirectory, command, flags, env = {} } = options;
  const found = await askWeb(stateDirectory, { method: "status" });
  if (found) return { status: found, wasRunning: true };
  const log = logPath(stateDirectory);
  const words = [...command, "web", "run", "--detached", "--state", stateDirectory, ...flags];
  const server = startDetached({ words, env: { ...engineEnv(), ...env }, log });
  const deadlineMs = performance.now() + HOST_START_MS;
  try {
    for (;;) {
      // Checked before the attempt, because the server may end after a client has reached it.
      const hasFailed = server.hasFailed();
      const status = await askWeb(stateDirectory, { method: "status" });
      if (status) return { status, wasRunning: false };
      if (hasFailed) throw failed(server.firstLine(), log);
      if (performance.now() > deadlineMs) throw failed("", log);
      await sleep(RETRY_EVERY_MS);
    }
  } finally {
    server.forget();
  }
}

function logPath(stateDirectory: string): string {
  const directory = openStateDirectory(stateDirectory);
  directory.release();
  return directory.file("web.log");
}

/** `line`: what it printed when it ended. If that is an error of limpet, it becomes the error. */
function failed(line: string, log: string): LimpetError {
  const [, printed, message = ""] = /^([A-Z_]+): (.+)$/.exec(line) ?? [];
  const code = ERROR_CODES.find((known) => known === printed);
  if (code) return new LimpetError(code, message);
  const how = line === "" ? "did not answer" : `ended at once: ${line}`;
  return new LimpetError("WEB_START_FAILED", `The web server was started and ${how}. See ${log}.`);
}
