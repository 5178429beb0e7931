/** The web server: whether it runs, who can reach it, and what an ended one has left. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WebStatus } from "../../web/process/control-protocol.ts";
import type { Finding } from "./finding.ts";

const DAY_MS = 86_400_000;
/** Time to get a new certificate. */
const SOON_DAYS = 14;

interface WebFacts {
  /** Undefined: none answers. */
  readonly status: WebStatus | undefined;
  /** Its socket file is there. */
  readonly hasSocket: boolean;
  /** Of this limpet. */
  readonly version: string;
  readonly nowMs: number;
}

export async function checkWeb(stateDirectory: string, version: string): Promise<Finding> {
  // Loaded here: without the binding, the other checks still have to run.
  const { askWeb } = await import("../../web/process/ask-web.ts");
  const { CONTROL_SOCKET } = await import("../../web/process/control-protocol.ts");
  const status = await askWeb(stateDirectory, { method: "status" });
  const hasSocket = existsSync(join(stateDirectory, CONTROL_SOCKET));
  return judgeWeb({ status, hasSocket, version, nowMs: Date.now() });
}

/** Pure. */
export function judgeWeb({ status, hasSocket, version, nowMs }: WebFacts): Finding {
  const check = "web";
  if (!status) {
    return hasSocket
      ? {
          check,
          verdict: "warn",
          what: "the web server was killed or does not answer",
          meaning: "Nobody can sign in. Start it again: limpet web.",
        }
      : { check, verdict: "ok", what: "the web server is not running", meaning: "Start it with: limpet web." };
  }
  const { base, socket, certificateEndsMs } = status;
  const where = socket ?? base;
  const what = `process ${status.pid} serves ${where}`;
  if (status.version !== version) {
    const meaning = `It is limpet ${status.version}, and this is ${version}. Run: limpet web stop, then limpet web.`;
    return { check, verdict: "warn", what, meaning };
  }
  if (certificateEndsMs === null) {
    const who = socket === null ? "Only programs on this machine can reach it" : "Only your user can reach it";
    return { check, verdict: "ok", what, meaning: `${who}.` };
  }
  const days = Math.floor((certificateEndsMs - nowMs) / DAY_MS);
  const renew = "Get a new one, then: limpet web stop, and start it again.";
  if (days < 0) return { check, verdict: "warn", what, meaning: `Its certificate has expired. ${renew}` };
  const left = `Its certificate is valid for ${days} more days`;
  if (days < SOON_DAYS) return { check, verdict: "warn", what, meaning: `${left}. ${renew}` };
  return { check, verdict: "ok", what, meaning: `Other machines can reach it. ${left}.` };
}
