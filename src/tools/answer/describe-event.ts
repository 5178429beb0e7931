/** One line about something that happened in a session, for people and models alike. */
import { describeExit } from "../../base/exit.ts";
import type { SessionEvent } from "../../service/events/session-event.ts";
import { quoteLine, wordOrQuote } from "../../text/clean/quote-line.ts";
import { describeSession } from "./describe-result.ts";

const COMMAND_CHARS = 120;

type ApprovalEvent = Extract<SessionEvent, { readonly kind: "approval" }>;

/** Without the time. */
export function describeEvent(event: SessionEvent): string {
  if (event.kind === "approval") return describeApprovalEvent(event);
  return `${describeSession(event.session)} ${describeDetail(event)}`;
}

function describeApprovalEvent({ number, text, directory, client, owner }: ApprovalEvent): string {
  const where = directory === null ? "" : ` in ${wordOrQuote(directory)}`;
  const who = wordOrQuote(client ?? owner?.caller ?? "an agent");
  return `approval ${number} needed by ${who}${where}: ${shown(text)}`;
}

function describeDetail(event: Exclude<SessionEvent, ApprovalEvent>): string {
  switch (event.kind) {
    case "started":
      return `started: ${shown(event.program)}`;
    case "waiting":
      return `waits for input: ${event.waitingFor}`;
    case "finished": {
      const { exitCode, durationMs, command, outOfMemory } = event;
      const took = durationMs === null ? "" : ` after ${(durationMs / 1000).toFixed(1)} s`;
      const memory = outOfMemory ? " (out of memory)" : "";
      const what = command === null ? "" : `: ${shown(command)}`;
      return `finished with code ${exitCode ?? "unknown"}${memory}${took}${what}`;
    }
    case "listening":
      return `listens on ${event.address} port ${event.port}`;
    case "frozen":
    case "thawed":
      return `was ${event.kind}`;
    case "exited":
      return describeExit(event.exit);
    case "lost":
      return "was lost with its host";
  }
}

function shown(text: string): string {
  return quoteLine(text, { maxChars: COMMAND_CHARS });
}
